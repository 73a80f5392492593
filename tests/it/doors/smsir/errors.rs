//! Each error of the protocol, and that it changes nothing.

use peyk::base::config::Door;
use serde_json::{Value, json};

use super::{call, get, knock, post, refused, text};
use crate::doors::support::{self, MONEY, head, world};
use crate::support::World;

fn with(name: &str, value: Value) -> Value {
    let mut body = text("x");
    body[name] = value;
    body
}

#[test]
fn each_error_is_the_protocols_own_and_changes_nothing() {
    let (world, shop) = world();
    let bulk = |key: &str, body: Value, wanted| refused(&world, key, "POST", "/v1/send/bulk", body, wanted);
    for (name, value, status) in [
        ("lineNumber", json!(null), 101),
        ("lineNumber", json!(0), 101),
        ("lineNumber", json!("999"), 101),
        ("lineNumber", json!("9".repeat(100)), 101),
        ("messageText", json!(""), 103),
        ("messageText", json!(" \n"), 103),
        ("messageText", json!(["x"]), 103),
        ("messageText", json!("x".repeat(2_000)), 118),
        ("mobiles", json!([]), 107),
        ("mobiles", json!(null), 107),
        ("mobiles", json!("09121234567"), 16),
        ("mobiles", json!(["12"]), 104),
        ("mobiles", json!([null]), 104),
        ("mobiles", json!([{}]), 104),
        ("mobiles", json!(["00971501234567"]), 104),
        ("mobiles", json!(vec!["09121234567"; 101]), 105),
        ("sendDateTime", json!(1), 109),
        ("sendDateTime", json!("tomorrow"), 109),
        ("sendDateTime", json!(9_223_372_036_854_775_807_i64), 109),
        ("sendDateTime", json!(-1), 109),
        ("sendDateTime", json!(super::now_s(&world) + 91 * 86_400), 109),
    ] {
        bulk(&shop.key, with(name, value), (400, status));
    }
    let pairs = |texts: Value, mobiles: Value, status: u64| {
        let body = json!({"lineNumber": 10001, "messageTexts": texts, "mobiles": mobiles});
        refused(&world, &shop.key, "POST", "/v1/send/liketolike", body, (400, status));
    };
    let many: Vec<String> = (0..101).map(|index| format!("0912{index:07}")).collect();
    pairs(json!([]), json!(["09121234567"]), 108);
    pairs(json!(["a"]), json!([]), 107);
    pairs(json!(["a", ""]), json!(["09121234567", "09351234567"]), 103);
    pairs(json!(["a"]), json!(["09121234567", "09351234567"]), 110);
    pairs(json!(["a"]), json!(["12"]), 104);
    pairs(json!(["x".repeat(2_000)]), json!(["09121234567"]), 118);
    pairs(json!(vec!["a"; 101]), json!(["09121234567"]), 106);
    pairs(json!(["a"]), json!(many), 105);
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09351234567"]}));
    bulk(&shop.key, with("mobiles", json!(["09351234567"])), (400, 115));
    bulk("wrong", text("x"), (401, 10));
    let blind = world
        .grant(&shop, json!({"title": "t", "scopes": ["phonebook"]}))
        .text("/data/key");
    bulk(&blind, text("x"), (403, 15));
    let elsewhere = world
        .grant(&shop, json!({"title": "t", "ips": ["192.0.2.7"]}))
        .text("/data/key");
    bulk(&elsewhere, text("x"), (401, 12));
    bulk(&elsewhere, with("mobiles", json!([])), (401, 12));
    world.change_account(&shop, json!({"sendingEnabled": false}));
    bulk(&shop.key, text("x"), (401, 14));
    world.change_account(&shop, json!({"sendingEnabled": true, "status": "INACTIVE"}));
    bulk(&shop.key, text("x"), (401, 13));
    world.change_account(&shop, json!({"status": "ACTIVE", "dailySpend": 1}));
    bulk(&shop.key, text("x"), (429, 20));
    world.change_account(&shop, json!({"dailySpend": null}));
    world.credit(&shop, 1 - MONEY);
    bulk(&shop.key, text("x"), (400, 102));
    assert_eq!(world.balance(&shop.key), (1, 0));
    assert!(world.read(&shop.key, "/messages").items().is_empty());
}

#[test]
fn what_a_request_is_not_is_an_error_too() {
    let (world, shop) = world();
    let gets = |path: &str, wanted| refused(&world, &shop.key, "GET", path, Value::Null, wanted);
    gets("/v1/send/7", (400, 111));
    gets("/v1/send/0", (400, 111));
    gets("/v1/send/-7", (400, 111));
    gets("/v1/send/9223372036854775807", (400, 111));
    gets("/v1/send/x", (400, 16));
    gets("/v1/send/pack/x", (400, 111));
    gets("/v1/send/pack/019b7992-9c10-7582-8e00-000000000001", (400, 111));
    gets("/v1/send/a/b/c", (400, 16));
    gets("/v1/receive", (400, 16));
    gets("/v1/credit/x", (400, 16));
    gets("/v1/templates", (400, 15));
    refused(&world, &shop.key, "POST", "/v1/templates/7", Value::Null, (400, 15));
    for (method, path, allow) in [
        ("GET", "/v1/send/bulk", "POST"),
        ("PATCH", "/v1/send", "GET, POST"),
        ("POST", "/v1/credit", "GET"),
        ("GET", "/v1/send/scheduled/x", "DELETE"),
    ] {
        let response = knock(&world, &shop.key, method, path, b"");
        let told = response.headers.iter().find(|(name, _)| *name == "Allow");
        assert_eq!((response.status, told.unwrap().1.as_str()), (405, allow), "{path}");
        super::assert_form(405, &serde_json::from_str(&response.body).unwrap());
    }
    let posts = |body: &[u8]| call(&world, &shop.key, "POST", "/v1/send/bulk", body).1["status"].clone();
    let huge = vec![b'a'; 300_000];
    for body in [b"[".as_slice(), b"[]", b"x=y", b"{\"a\": \"\xff\"}", &huge] {
        assert_eq!(posts(body), 16);
    }
    assert_eq!(posts(b""), 101);
    // Who has no good key learns nothing else.
    for (method, path) in [
        ("GET", "/v1/send/x"),
        ("PUT", "/v1/credit"),
        ("GET", "/v1/templates"),
        ("POST", "/v1/send/bulk"),
    ] {
        refused(&world, "wrong", method, path, Value::Null, (401, 10));
    }
    let response = support::knock(&world, &head("GET", "/v1/credit", ""), b"");
    assert_eq!((response.0, &response.1["status"]), (401, &json!(10)));
}

#[test]
fn a_test_key_rehearses_errors_through_the_door() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    for (ending, wanted) in [
        (90_429, (429, 20)),
        (90_503, (503, 0)),
        (93_017, (400, 104)),
        (91_003, (401, 13)),
        (93_011, (401, 14)),
        (93_016, (400, 115)),
        (93_018, (429, 20)),
        (92_002, (429, 20)),
        (92_001, (400, 102)),
    ] {
        let body = with("mobiles", json!([format!("091212{ending}")]));
        refused(&world, &test, "POST", "/v1/send/bulk", body, wanted);
    }
    let body = with("mobiles", json!(["09121290503"])).to_string();
    let response = knock(&world, &test, "POST", "/v1/send/bulk", body.as_bytes());
    assert!(response.headers.iter().any(|(name, _)| *name == "Retry-After"));
    let answer: Value = serde_json::from_str(&response.body).unwrap();
    assert_eq!(answer["problem"]["code"], 503);
}

fn credits(world: &World, key: &str, times: usize) -> Vec<(u16, u64)> {
    let answers = (0..times).map(|_| call(world, key, "GET", "/v1/credit", b""));
    answers
        .map(|(http, answer)| (http, answer["status"].as_u64().unwrap()))
        .collect()
}

#[test]
fn the_rate_limit_holds_and_a_closed_door_is_none() {
    let (mut world, shop) = world();
    let limit = json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 2}});
    world.change_account(&shop, limit);
    assert_eq!(
        credits(&world, &shop.key, 4),
        [(200, 1), (200, 1), (429, 20), (429, 20)]
    );
    world.app.config.doors.retain(|door| *door != Door::SmsIr);
    let response = knock(&world, &shop.key, "GET", "/v1/credit", b"");
    let problem: Value = serde_json::from_str(&response.body).unwrap();
    assert_eq!((response.status, &problem["code"]), (404, &json!(404)));
}

#[test]
fn a_pattern_that_may_not_leave_from_the_line_says_so() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["PATTERN"]);
    world.advance(31_000);
    let pattern = json!({"slug": "100000", "title": "x", "text": "%CODE%", "lines": ["10002"]});
    world.active_pattern(&shop.key, pattern);
    let body = json!({"mobile": "09121234567", "templateId": 100000, "parameters": [{"name": "CODE", "value": "1"}]});
    refused(&world, &shop.key, "POST", "/v1/send/verify", body, (400, 123));
    post(&world, &shop.key, "/v1/send/bulk", text("x"));
    assert_eq!(get(&world, &shop.key, "/v1/send/live").as_array().unwrap().len(), 1);
}

#[test]
fn a_fault_found_after_a_good_call_costs_one_token() {
    let (world, shop) = world();
    let limit = json!({"limit": 60, "windowSeconds": 60, "burst": 2});
    world.change_account(&shop, json!({"rateLimit": limit}));
    for wanted in [(400, 111), (400, 111), (429, 20)] {
        refused(&world, &shop.key, "GET", "/v1/send/7", Value::Null, wanted);
    }
}
