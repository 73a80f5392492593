//! Errors, limits, and the forms of requests and answers.

use peyk::base::config::Door;
use serde_json::{Value, json};

use super::{call, ids, knock, refused};
use crate::doors::support::{self, FORM, MONEY, form, head, world};

#[test]
fn what_a_door_finds_itself_names_its_parameter() {
    let (world, shop) = world();
    let good = [("receptor", "09121234567"), ("message", "x"), ("template", "t")];
    for (method, params, status, parameter) in [
        ("sms/send", vec![("message", "x")], 400, "receptor"),
        ("sms/send", vec![("receptor", ""), ("message", "x")], 406, "receptor"),
        ("sms/send", [&good[..], &[("date", "x")]].concat(), 417, "date"),
        ("sms/selectoutbox", vec![("startdate", "x")], 417, "startdate"),
        (
            "sms/countoutbox",
            vec![("startdate", "1"), ("enddate", "x")],
            417,
            "enddate",
        ),
        ("verify/lookup", [&good[..], &[("token", "a b")]].concat(), 431, "token"),
        (
            "verify/lookup",
            [&good[..], &[("token", "a"), ("token2", "a b")]].concat(),
            431,
            "token2",
        ),
        ("sms/status", vec![("messageid", "x")], 422, "messageid"),
    ] {
        let path = format!("/v1/{}/{method}.json", shop.key);
        let (got, body) = knock(&world, "POST", &path, FORM, form(&params).as_bytes());
        assert_eq!(
            (got, &body["problem"]["parameter"]),
            (status, &json!(parameter)),
            "{method} {body}"
        );
        assert!(
            body["problem"]["detail"]
                .as_str()
                .unwrap()
                .starts_with(&format!("{parameter}: ")),
            "{body}"
        );
    }
}

#[test]
fn an_answer_in_xml_has_what_the_one_in_json_has() {
    let (world, shop) = world();
    let ask = |method: &str, params: &[(&str, &str)]| {
        let path = format!("/v1/{}/{method}.xml?{}", shop.key, form(params));
        let answer = support::answer(&world, &head("GET", &path, ""), b"");
        assert_eq!(answer.content_type, "application/xml; charset=utf-8");
        (answer.status, answer.body)
    };
    let (status, body) = ask("sms/send", &[("receptor", "09121234567"), ("message", "a < b & \"c\"")]);
    assert_eq!(status, 200);
    for part in [
        "<Response>",
        "<return><message>تایید شد</message><status>200</status></return>",
        "<entries><entry>",
        "<message>a &lt; b &amp; \"c\"</message>",
        "<receptor>09121234567</receptor>",
        "</entry></entries>",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
    let (status, body) = ask("sms/send", &[]);
    assert_eq!(status, 400);
    assert!(body.contains("<parameter>receptor</parameter>"), "{body}");
    assert_eq!(ask("utils/getdate", &[]).0, 200);
}

#[test]
fn each_error_is_the_protocols_own_and_changes_nothing() {
    let (world, shop) = world();
    let good = [("receptor", "09121234567"), ("message", "x")];
    let many = vec!["09121234567"; 201].join(",");
    let with = |name: &'static str, value: &'static str| {
        let mut params = good.to_vec();
        params.retain(|(known, _)| *known != name);
        params.push((name, value));
        params
    };
    for (params, wanted) in [
        (vec![("message", "x")], 400),
        (vec![("receptor", ""), ("message", "x")], 406),
        (vec![("receptor", "09121234567")], 400),
        (with("receptor", "12"), 411),
        (with("receptor", "00971501234567"), 411),
        (with("sender", "99999"), 412),
        (with("date", "tomorrow"), 417),
        (with("date", "99999999999"), 417),
        (with("message", ""), 406),
        (vec![("receptor", &many), ("message", "x")], 414),
    ] {
        refused(&world, &shop.key, "sms/send", &params, wanted);
    }
    let long = "x".repeat(2_000);
    refused(&world, &shop.key, "sms/send", &[good[0], ("message", &long)], 413);
    refused(&world, &shop.key, "sms/status", &[], 400);
    refused(&world, &shop.key, "sms/status", &[("messageid", "x")], 422);
    refused(&world, &shop.key, "sms/nothing", &[], 404);
    refused(&world, &shop.key, "call/maketts", &good, 426);
    refused(&world, "wrong", "sms/send", &good, 403);
    // Who has no good key learns nothing else.
    refused(&world, "wrong", "sms/nothing", &[], 403);
    let blind = world
        .grant(&shop, json!({"title": "t", "scopes": ["phonebook"]}))
        .text("/data/key");
    refused(&world, &blind, "sms/send", &good, 416);
    world.change_account(&shop, json!({"sendingEnabled": false}));
    refused(&world, &shop.key, "sms/send", &good, 402);
    world.change_account(&shop, json!({"sendingEnabled": true, "status": "INACTIVE"}));
    refused(&world, &shop.key, "sms/send", &good, 401);
    world.change_account(&shop, json!({"status": "ACTIVE"}));
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09121234567"]}));
    refused(&world, &shop.key, "sms/send", &good, 411);
    world.credit(&shop, 1 - MONEY);
    refused(
        &world,
        &shop.key,
        "sms/send",
        &[("receptor", "09131234567"), ("message", "x")],
        418,
    );
    assert_eq!(world.balance(&shop.key), (1, 0));
    assert!(world.read(&shop.key, "/messages").items().is_empty());
}

#[test]
fn the_rate_limit_holds_and_a_closed_door_is_none() {
    let (mut world, shop) = world();
    world.change_account(
        &shop,
        json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 2}}),
    );
    let statuses: Vec<u16> = (0..4).map(|_| call(&world, &shop.key, "account/info", &[]).0).collect();
    assert_eq!(statuses, [200, 200, 451, 451]);
    world.app.config.doors.retain(|door| *door != Door::Kavenegar);
    let path = format!("/v1/{}/account/info.json", shop.key);
    let (status, problem) = knock(&world, "GET", &path, FORM, b"");
    assert_eq!((status, &problem["code"]), (404, &json!(404)));
}

#[test]
fn parameters_stand_in_the_query_in_forms_and_in_json() {
    let (world, shop) = world();
    let base = format!("/v1/{}/sms/send.json", shop.key);
    let count = |answer: (u16, Value)| {
        assert_eq!(answer.0, 200, "{}", answer.1);
        assert_eq!(answer.1["entries"][0]["message"], "سلام");
        ids(&answer.1["entries"]).len()
    };
    let query = format!(
        "{base}?{}",
        form(&[("Receptor", "09121234567,09351234567"), ("message", "سلام")])
    );
    assert_eq!(count(knock(&world, "GET", &query, "", b"")), 2);
    let slash = format!("{base}/");
    let microsoft = b"message=%u0633%u0644%u0627%u0645&receptor=09121234567&sender=&date=0&";
    assert_eq!(
        count(knock(
            &world,
            "POST",
            &slash,
            "application/x-www-form-urlencoded; charset=UTF-8",
            microsoft
        )),
        1
    );
    let json = json!({"receptor": ["09121234567", "09351234567"], "message": "سلام", "date": null}).to_string();
    assert_eq!(
        count(knock(&world, "POST", &base, "application/json", json.as_bytes())),
        2
    );
    let part =
        |name: &str, value: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let parts = format!(
        "{}{}--x--\r\n",
        part("receptor", "09121234567,09351234567"),
        part("message", "سلام")
    );
    let multipart = "multipart/form-data; boundary=x";
    assert_eq!(count(knock(&world, "POST", &base, multipart, parts.as_bytes())), 2);
    assert_eq!(
        knock(&world, "POST", &base, multipart, &parts.as_bytes()[..parts.len() - 7]).0,
        422
    );
    assert_eq!(knock(&world, "POST", &base, "application/json", b"[").0, 422);
    assert_eq!(knock(&world, "POST", &base, FORM, &vec![b'a'; 300_000]).0, 414);
}

#[test]
fn a_text_may_be_as_long_as_the_provider_takes_if_the_operator_allows_so_many_parts() {
    let (mut world, shop) = world();
    let long = "س".repeat(900);
    let params = [("receptor", "09121234567"), ("message", long.as_str())];
    assert_eq!(world.app.config.max_parts, 10);
    refused(&world, &shop.key, "sms/send", &params, 413);
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    world.app.config.max_parts = 14;
    let (status, sent) = call(&world, &shop.key, "sms/send", &params);
    assert_eq!((status, &sent[0]["message"]), (200, &json!(long)));
}

#[test]
fn a_path_with_the_word_of_a_scope_is_answered_in_the_protocols_form() {
    let (world, shop) = world();
    for rest in [
        "sms/send",
        "sms/send.php",
        "Sms/nothing.json",
        "sms",
        "sms/",
        "VERIFY/lookup",
        "sms/a/send.json",
        "account/info.txt",
    ] {
        let path = format!("/v1/{}/{rest}", shop.key);
        let (status, body) = knock(&world, "GET", &path, "", b"");
        assert_eq!(
            (status, &body["return"]["status"]),
            (404, &json!(404)),
            "{rest}: {body}"
        );
        let (status, body) = knock(&world, "GET", &format!("/v1/wrong/{rest}"), "", b"");
        assert_eq!(
            (status, &body["return"]["status"]),
            (403, &json!(403)),
            "{rest}: {body}"
        );
    }
    let xml = support::answer(&world, &head("GET", &format!("/v1/{}/sms/x.xml", shop.key), ""), b"");
    assert_eq!((xml.status, xml.content_type), (404, "application/xml; charset=utf-8"));
    // Case is none of a scope's either.
    let path = format!("/v1/{}/Sms/Send.json?receptor=09121234567&message=x", shop.key);
    assert_eq!(knock(&world, "GET", &path, "", b"").0, 200);
    // What our own API has stays its own.
    for path in ["/v1/messages/sms", "/v1/phonebook/line", "/v1/pattern/verify"] {
        let (_, problem) = knock(&world, "GET", path, "", b"");
        assert!(problem["code"].is_u64(), "{path}: {problem}");
    }
}
