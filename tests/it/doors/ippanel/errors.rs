//! The errors.

use super::*;

/// An error as each protocol tells it: the status and `message_code` of Edge, the status of api2, the status and `code` of rest.
type Told = ((u16, &'static str), u16, (u16, &'static str));

/// What a text with these changes is answered by each of the protocols.
#[track_caller]
fn told(world: &World, key: &str, changes: &[(&str, Value)], wanted: Told) {
    let mut plain = json!({"from": "10001", "recipients": [PHONE], "message": "x"});
    for (name, value) in changes {
        plain[*name] = value.clone();
    }
    let [from, recipients, message] = ["from", "recipients", "message"].map(|name| plain[name].clone());
    let body = json!({"sending_type": "webservice", "from_number": from, "message": message, "params": {"recipients": recipients}});
    let (status, answer) = edge(world, key, "POST", "send", &body);
    assert_eq!(
        (status, answer["meta"]["message_code"].as_str().unwrap()),
        wanted.0,
        "{answer}"
    );
    let body = json!({"sender": from, "message": message, "recipient": recipients});
    let (status, answer) = api2(world, key, "POST", &format!("{SEND}/single"), &body);
    assert_eq!(status, wanted.1, "{answer}");
    let body = json!({"originator": from, "message": message, "recipients": recipients});
    let (status, answer) = rest(world, key, "POST", "messages", &body);
    assert_eq!((status, answer["code"].as_str().unwrap()), wanted.2, "{answer}");
}

const VALUE: Told = ((422, "400-2"), 422, (422, "422"));

#[test]
fn each_error_is_the_protocols_own_and_changes_nothing() {
    let (world, shop) = world();
    let key = shop.key.as_str();
    let tell = |name: &str, value: Value, wanted: Told| told(&world, key, &[(name, value)], wanted);
    tell("message", json!(""), VALUE);
    tell("message", json!("x".repeat(2_000)), VALUE);
    tell("message", json!({}), VALUE);
    tell("recipients", json!([]), VALUE);
    tell("recipients", json!(["12"]), VALUE);
    tell("recipients", json!([PHONE, [PHONE]]), VALUE);
    tell("recipients", json!(vec![PHONE; 1_001]), VALUE);
    tell(
        "recipients",
        json!(["00971501234567"]),
        ((422, "400-2"), 422, (422, "10017")),
    );
    tell("from", json!("99999"), ((422, "400-2"), 422, (422, "10004")));
    let none: &[(&str, Value)] = &[];
    let wrong: Told = ((401, "400-1"), 401, (401, "1402"));
    told(&world, "wrong", none, wrong);
    // Who has no good key learns nothing else.
    told(&world, "wrong", &[("message", json!(""))], wrong);
    assert_eq!(edge(&world, "wrong", "GET", "nothing", &Value::Null).0, 401);
    let blind = world
        .grant(&shop, json!({"title": "t", "scopes": ["phonebook"]}))
        .text("/data/key");
    told(&world, &blind, none, ((403, "403-1"), 403, (403, "10013")));
    let inactive: Told = ((403, "403-1"), 403, (403, "10003"));
    world.change_account(&shop, json!({"sendingEnabled": false}));
    told(&world, key, none, inactive);
    world.change_account(&shop, json!({"sendingEnabled": true, "status": "INACTIVE"}));
    told(&world, key, none, inactive);
    world.change_account(&shop, json!({"status": "ACTIVE", "dailySpend": 1}));
    told(&world, key, none, ((400, "400-1"), 403, (403, "10003")));
    world.change_account(&shop, json!({"dailySpend": null}));
    world.posted(key, "/blacklist", json!({"numbers": [PHONE]}));
    told(&world, key, none, ((422, "400-2"), 422, (422, "10017")));
    world.credit(&shop, 1 - MONEY);
    told(
        &world,
        key,
        &[("recipients", json!([OTHER]))],
        ((400, "400-1"), 400, (400, "10006")),
    );
    assert_eq!(world.balance(key), (1, 0));
    assert!(world.read(key, "/messages").items().is_empty());
}

#[test]
fn an_error_names_the_member_as_the_protocol_does() {
    let (world, shop) = shop_with_pattern();
    let errors = |body: &Value| edge(&world, &shop.key, "POST", "send", body).1["meta"].clone();
    let meta = errors(&json!({"sending_type": "webservice", "params": {"recipients": [PHONE]}}));
    assert_eq!(meta["message"], "تکمیل گزینه پیام الزامی است");
    assert_eq!(meta["errors"], json!({"message": ["تکمیل گزینه پیام الزامی است"]}));
    let meta = errors(&text_to(&["1", PHONE, "2"], "x"));
    assert_eq!(meta["errors"]["params.recipients"].as_array().unwrap().len(), 2);
    assert!(meta["message"].as_str().unwrap().ends_with("(و 1 خطای دیگر)"), "{meta}");
    let pattern = |changes: Value| {
        let mut body = json!({"sending_type": "pattern", "from_number": "10001", "code": "login", "recipients": [PHONE], "params": {"code": "1"}});
        body.as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        errors(&body)
    };
    let named = |meta: &Value, member: &str| meta["errors"][member].is_array();
    let meta = pattern(json!({}));
    assert!(named(&meta, "params.name"), "{meta}");
    assert!(
        meta["message"]
            .as_str()
            .unwrap()
            .starts_with("پارامتر های ارسالی برای پترن نامعتبر است.")
    );
    assert!(named(&pattern(json!({"send_time": "tomorrow"})), "send_time"));
    assert!(named(
        &pattern(json!({"recipients": ["1"], "params": {"code": "1", "name": "a"}})),
        "recipients"
    ));
    let unknown = pattern(json!({"code": "none"}));
    assert_eq!(
        (&unknown["message_code"], &unknown["message"]),
        (&json!("404-1"), &json!("پترن مورد نظر یافت نشد"))
    );
    for kind in [json!("votp"), json!("country"), json!(null), json!([])] {
        let meta = errors(&json!({"sending_type": kind, "message": "1"}));
        assert!(named(&meta, "sending_type"), "{meta}");
    }
    let (_, answer) = rest(
        &world,
        &shop.key,
        "POST",
        "messages",
        &json!({"originator": "10001", "message": "x", "recipients": ["1"]}),
    );
    let error = &answer["data"]["error"]["recipients"][0];
    assert!(error["err"].is_string() && error["code"] == "invalid", "{answer}");
    let (_, answer) = api2(
        &world,
        &shop.key,
        "POST",
        PATTERN,
        &pattern_to(PHONE, json!({"code": "1"})),
    );
    assert_eq!(answer["data"]["error"], answer["error_message"]);
    let body = pattern_to(PHONE, json!({"code": "1", "name": "x".repeat(101)}));
    let (status, answer) = api2(&world, &shop.key, "POST", PATTERN, &body);
    assert!(
        status == 422
            && answer["error_message"]
                .as_str()
                .unwrap()
                .starts_with("Invalid variable value"),
        "{answer}"
    );
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn paths_methods_and_bodies_that_are_not_known_get_the_protocols_form() {
    let (world, shop) = world();
    let key = shop.key.as_str();
    for (method, call, wanted) in [
        ("GET", "send", 405),
        ("PUT", "send/cancel", 405),
        ("POST", "report/recipients", 405),
        ("GET", "patterns", 404),
        ("GET", "", 404),
        ("GET", "report/recipients", 422),
        ("GET", "report/recipients?bulk_id=x", 422),
        ("GET", "report/by_bulk?messages_outbox_id=-7", 404),
        ("GET", "report/messages-inbox", 405),
    ] {
        assert_eq!(edge(&world, key, method, call, &Value::Null).0, wanted, "{call}");
    }
    for (method, call, wanted) in [
        ("GET", "sms/send/webservice/single", 405),
        ("POST", "inbox", 405),
        ("POST", "sms/send/webservice/none", 404),
        ("GET", "sms/accounting/price-message/sender/10001", 404),
        ("GET", "sms/message/show-recipient/message-id/x", 404),
    ] {
        assert_eq!(api2(&world, key, method, call, &Value::Null).0, wanted, "{call}");
    }
    for (method, call, wanted) in [
        ("GET", "messages", 405),
        ("GET", "messages/x", 404),
        ("GET", "nothing", 404),
        ("DELETE", "credit", 405),
    ] {
        assert_eq!(rest(&world, key, method, call, &Value::Null).0, wanted, "{call}");
    }
    let head = Head {
        authorization: Some(key.to_owned()),
        ..head("POST", "/v1/api/send", JSON)
    };
    for body in [
        b"[]".to_vec(),
        b"{".to_vec(),
        b"x".to_vec(),
        "[".repeat(10_000).into_bytes(),
        vec![b' '; 300_000],
    ] {
        let (status, answer) = support::knock(&world, &head, &body);
        assert_edge(status, &answer);
        assert_eq!(status, 400);
    }
    // A library sends a body with each GET.
    let read = Head {
        method: "GET".to_owned(),
        path: "/v1/api/numbers".to_owned(),
        ..head.clone()
    };
    assert_eq!(support::knock(&world, &read, b"null").0, 200);
}

#[test]
fn a_test_key_rehearses_the_errors() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let tell = |end: &str, wanted: Told| {
        let number = format!("091212{end}");
        told(&world, &test, &[("recipients", json!([number]))], wanted);
    };
    tell("92001", ((400, "400-1"), 400, (400, "10006")));
    tell("92002", ((400, "400-1"), 403, (403, "10003")));
    tell("91003", ((403, "403-1"), 403, (403, "10003")));
    tell("93011", ((403, "403-1"), 403, (403, "10003")));
    tell("93016", ((422, "400-2"), 422, (422, "10017")));
    tell("93017", ((422, "400-2"), 422, (422, "10017")));
    tell("93018", ((429, "429-1"), 429, (429, "10003")));
    tell("90429", ((429, "429-1"), 429, (429, "429")));
    tell("90503", ((503, "503-1"), 503, (503, "10022")));
}
