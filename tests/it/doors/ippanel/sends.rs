//! The sends.

use super::*;
use crate::support::time::{DAY_MS, MINUTE_MS};

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = pairs.iter().map(|(to, text)| ((*to).to_owned(), (*text).to_owned()));
    owned.collect()
}

#[test]
fn a_text_by_each_protocol_is_what_our_own_api_would_have_sent() {
    let (world, shop) = world();
    let recipients = [PHONE, "989351234567", "+989121234567"];
    let edge = sent_by_edge(&world, &shop.key, &text_to(&recipients, "by edge"))[0];
    let api2 = sent_by_api2(
        &world,
        &shop.key,
        &format!("{SEND}/single"),
        &single_to(&recipients, "by api2"),
    );
    let body = json!({"originator": "+9810001", "recipients": recipients, "message": "by rest"});
    let rest = rest_data(&world, &shop.key, "POST", "messages", &body)["bulk_id"]
        .as_i64()
        .unwrap();
    assert_eq!((api2, rest), (edge + 1, edge + 2));
    assert_eq!(world.balance(&shop.key), (MONEY - 6_000, 6_000));
    world.settle(MINUTE_MS);
    let messages = world.read(&shop.key, "/messages");
    let told: Vec<_> = messages
        .items()
        .iter()
        .map(|message| {
            (
                message["message"].as_str().unwrap(),
                message["recipientCount"].as_i64().unwrap(),
                message["type"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("by rest", 2, "PLAIN"),
            ("by api2", 2, "PLAIN"),
            ("by edge", 2, "PLAIN")
        ]
    );
    assert_eq!(world.balance(&shop.key), (MONEY - 6_000, 0));
}

#[test]
fn who_is_blocked_is_left_out_of_a_send_to_several() {
    let (world, shop) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    sent_by_edge(&world, &shop.key, &text_to(&[PHONE, "989131234567"], "x"));
    world.settle(MINUTE_MS);
    assert_eq!(got(&world, &shop), pairs(&[("+989121234567", "x")]));
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 0));
}

#[test]
fn programs_write_a_text_in_more_ways_than_one() {
    let (world, shop) = world();
    let inside = json!({"sending_type": "webservice", "from_number": "+9810001", "send_time": "",
        "params": {"message": "x", "recipients": PHONE}});
    sent_by_edge(&world, &shop.key, &inside);
    let one = json!({"sender": "9810001", "recipient": 989_121_234_567_i64, "message": "x", "time": "2020-01-01T00:00:00.000Z"});
    sent_by_api2(&world, &shop.key, &format!("{SEND}/single"), &one);
    let query = format!(
        "send/webservice?apikey={}&from=10001&Receiver={PHONE}&msgText=y&txt=x%20y",
        shop.key
    );
    let (status, answer) = knock(&world, &head("GET", &format!("/api/{query}"), ""), &Value::Null);
    assert_eq!(
        (status, answer["data"]["message_outbox_ids"].as_array().unwrap().len()),
        (200, 1)
    );
    world.settle(MINUTE_MS);
    assert_eq!(
        got(&world, &shop),
        pairs(&[("+989121234567", "x"), ("+989121234567", "x"), ("+989121234567", "x y")])
    );
}

#[test]
fn a_pattern_is_filled_in_by_each_protocol() {
    let (world, shop) = shop_with_pattern();
    let variables = json!({"code": 12, "name": "Sara"});
    let by_edge = json!({"sending_type": "pattern", "from_number": "10001", "code": "login", "recipients": [PHONE],
        "params": variables, "phonebook": {"id": 7}});
    let edge = sent_by_edge(&world, &shop.key, &by_edge)[0];
    let api2 = sent_by_api2(&world, &shop.key, PATTERN, &pattern_to(OTHER, variables.clone()));
    let by_rest = json!({"pattern_code": "login", "originator": "10001", "recipient": OTHER, "values": variables});
    let rest = rest_data(&world, &shop.key, "POST", "messages/patterns/send", &by_rest)["bulk_id"]
        .as_i64()
        .unwrap();
    assert_eq!((api2, rest), (edge + 1, edge + 2));
    world.settle(MINUTE_MS);
    let text = "code 12 for Sara";
    assert_eq!(
        got(&world, &shop),
        pairs(&[
            ("+989121234567", text),
            ("+989351234567", text),
            ("+989351234567", text)
        ])
    );
    // As PHP writes an object without members.
    world.active_pattern(&shop.key, json!({"slug": "hello", "title": "x", "text": "hello"}));
    let bare = json!({"sending_type": "pattern", "from_number": "10001", "code": "hello", "recipients": [PHONE], "params": []});
    sent_by_edge(&world, &shop.key, &bare);
    let two = json!({"sending_type": "pattern", "code": "hello", "recipients": [PHONE, OTHER]});
    let (status, answer) = super::edge(&world, &shop.key, "POST", "send", &two);
    assert_eq!((status, answer["meta"]["errors"]["recipients"].is_array()), (422, true));
}

#[test]
fn a_send_for_later_waits_and_is_canceled_as_a_whole() {
    let (world, shop) = world();
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let later = at.replace('T', " ").split('.').next().unwrap().to_owned();
    let mut body = text_to(&[PHONE], "x");
    body["send_time"] = json!(later);
    let planned = sent_by_edge(&world, &shop.key, &body)[0];
    let mut by_api2 = single_to(&[PHONE], "x");
    by_api2["time"] = json!(at);
    sent_by_api2(&world, &shop.key, &format!("{SEND}/single"), &by_api2);
    let planned_for = |at: usize| world.read(&shop.key, "/messages").items()[at]["sendAt"].clone();
    assert_eq!(
        (planned_for(0), planned_for(1)),
        (json!(at), json!(format!("{}.000Z", &at[..19])))
    );
    let cancel = |id: i64| {
        edge(
            &world,
            &shop.key,
            "POST",
            "send/cancel",
            &json!({"message_outbox_id": id}),
        )
    };
    assert_eq!(cancel(planned).0, 200);
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 1_000));
    // Who names the very now, or a moment ahead, sends at once.
    let soon = peyk::base::time::to_rfc3339(world.now_ms.get() + 30_000);
    by_api2["time"] = json!(soon);
    let now = sent_by_api2(&world, &shop.key, &format!("{SEND}/single"), &by_api2);
    assert_eq!(planned_for(0), Value::Null);
    world.settle(MINUTE_MS);
    let (status, answer) = cancel(now);
    assert_eq!((status, &answer["meta"]["message_code"]), (400, &json!("400-1")));
    let (status, answer) = cancel(9_999);
    assert_eq!(
        (status, &answer["meta"]["message"]),
        (404, &json!("پیام مورد نظر یافت نشد"))
    );
    let items = [
        json!({"recipients": [PHONE], "message": "a"}),
        json!({"recipients": [OTHER], "message": "b"}),
    ];
    let pair = json!({"sending_type": "peer_to_peer", "from_number": "10001", "params": items, "send_time": later});
    let ids = sent_by_edge(&world, &shop.key, &pair);
    assert_eq!((cancel(ids[1]).0, cancel(ids[0]).0), (400, 200));
}

#[test]
fn a_pattern_that_a_program_makes_can_be_sent() {
    let (world, shop) = world();
    let body = json!({"pattern": "hello %name%", "description": "welcome", "delimiter": "%", "is_shared": false,
        "variable": [{"name": "name", "type": "string"}]});
    let made = api2_data(&world, &shop.key, "POST", "sms/pattern/normal/store", &body);
    let code = made[0]["code"].as_str().unwrap();
    sent_by_api2(
        &world,
        &shop.key,
        PATTERN,
        &json!({"code": code, "recipient": PHONE, "variable": {"name": "Sara"}}),
    );
    let made = rest_data(
        &world,
        &shop.key,
        "POST",
        "messages/patterns",
        &json!({"pattern": "bye", "is_shared": false}),
    );
    let body = json!({"pattern_code": made["pattern"]["code"], "recipient": PHONE, "values": {}});
    rest_data(&world, &shop.key, "POST", "messages/patterns/send", &body);
    world.settle(MINUTE_MS);
    assert_eq!(
        got(&world, &shop),
        pairs(&[("+989121234567", "bye"), ("+989121234567", "hello Sara")])
    );
    for (name, value) in [
        ("delimiter", json!("#")),
        ("variable", json!([{"name": "a", "type": "date"}])),
        ("pattern", json!("")),
    ] {
        let mut bad = body_with(name, value);
        bad["description"] = json!("x");
        assert_eq!(
            api2(&world, &shop.key, "POST", "sms/pattern/normal/store", &bad).0,
            422,
            "{name}"
        );
    }
    assert_eq!(world.read(&shop.key, "/pattern").items().len(), 2);
}

fn body_with(name: &str, value: Value) -> Value {
    let mut body = json!({"pattern": "hello %a%"});
    body[name] = value;
    body
}
