//! What is sent through the door, and what becomes of it.

use serde_json::{Value, json};

use super::{data, get, ids, now_s, post, refused, text};
use crate::doors::support::{MONEY, world};
use crate::support::World;
use crate::support::time::MINUTE_MS;

#[test]
fn a_send_is_what_our_own_api_would_have_made_and_its_ids_lead_to_it() {
    let (world, shop) = world();
    let sent_s = now_s(&world);
    let body = json!({
        "lineNumber": 10001, "MessageText": "سلام",
        "Mobiles": ["09121234567", 9351234567_i64, "+989121234567", "00989131234567"], "sendDateTime": null,
    });
    let sent = post(&world, &shop.key, "/v1/send/Bulk/", body);
    let first = ids(&sent)[0];
    assert_eq!(ids(&sent), [first, first + 1, first, first + 2]);
    assert_eq!(sent["cost"], 3_000);
    assert!(first > 0 && first < 1_000);
    assert_eq!(world.balance(&shop.key), (MONEY - 3_000, 3_000));
    let report = |id: i64, mobile: i64, state: Value, ended: Value| {
        json!({
            "messageId": id, "mobile": mobile, "messageText": "سلام", "sendDateTime": sent_s, "lineNumber": 10001,
            "cost": 1_000, "deliveryState": state, "deliveryDateTime": ended,
        })
    };
    let waiting = report(first, 9_121_234_567, Value::Null, Value::Null);
    assert_eq!(get(&world, &shop.key, &format!("/v1/send/{first}")), waiting);
    world.settle(MINUTE_MS);
    let uid = sent["packId"].as_str().unwrap();
    let own = world.message(&shop.key, uid);
    let ended = own.json["data"]["recipients"][0]["updatedAt"].as_str().unwrap();
    let ended = json!(peyk::base::time::from_rfc3339(ended).unwrap() / 1_000);
    let [one, two, three] = [
        (first, 9_121_234_567),
        (first + 1, 9_351_234_567),
        (first + 2, 9_131_234_567),
    ]
    .map(|(id, mobile)| report(id, mobile, json!(1), ended.clone()));
    assert_eq!(get(&world, &shop.key, &format!("/v1/send/{}/", first + 1)), two);
    let all = json!([one, two, three]);
    let bare = uid.replace('-', "").to_uppercase();
    for pack in [uid, &bare] {
        assert_eq!(get(&world, &shop.key, &format!("/v1/send/pack/{pack}")), all);
    }
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
    assert_eq!(world.inbox(&shop.id).len(), 3);
}

#[test]
fn who_is_blocked_or_no_number_has_no_id_and_the_others_get_it() {
    let (world, shop) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let mobiles = json!(["09121234567", "12", "09131234567", "09351234567"]);
    let bulk = json!({"lineNumber": 10001, "messageText": "x", "mobiles": mobiles});
    let pairs = json!({"lineNumber": 10001, "messageTexts": ["a", "b", "c", "d"], "mobiles": mobiles});
    for (path, body) in [("/v1/send/bulk", bulk), ("/v1/send/liketolike", pairs)] {
        let sent = post(&world, &shop.key, path, body);
        let first = sent["messageIds"][0].as_i64().unwrap();
        assert_eq!(sent["messageIds"], json!([first, null, null, first + 1]));
        assert_eq!(sent["cost"], 2_000);
    }
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 4);
    assert_eq!(world.balance(&shop.key), (MONEY - 4_000, 0));
}

#[test]
fn another_account_and_the_other_mode_do_not_know_an_id() {
    let (world, shop) = world();
    let stranger = world.account("stranger", MONEY);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let at = now_s(&world) + 7_200;
    let mut planned = text("x");
    planned["sendDateTime"] = at.into();
    let sent = post(&world, &shop.key, "/v1/send/bulk", planned);
    let (id, pack) = (ids(&sent)[0], sent["packId"].as_str().unwrap());
    for key in [&stranger.key, &test] {
        for path in [format!("/v1/send/{id}"), format!("/v1/send/pack/{pack}")] {
            refused(&world, key, "GET", &path, Value::Null, (400, 111));
        }
        let path = format!("/v1/send/scheduled/{pack}");
        refused(&world, key, "DELETE", &path, Value::Null, (400, 112));
        assert_eq!(get(&world, key, "/v1/send/live"), json!([]));
        assert_eq!(get(&world, key, "/v1/send/pack"), json!([]));
    }
    let before = world.balance(&shop.key);
    assert_eq!(post(&world, &test, "/v1/send/bulk", text("x"))["cost"], 0);
    assert_eq!(world.balance(&shop.key), before);
}

#[test]
fn each_number_gets_its_own_text() {
    let (world, shop) = world();
    let body = json!({
        "LineNumber": "10001", "MessageTexts": ["a", "b", "a"], "Mobiles": ["09121234567", "09351234567", "9121234567"],
        "SendDateTime": null,
    });
    let sent = post(&world, &shop.key, "/v1/send/liketolike/", body.clone());
    let found = ids(&sent);
    assert_eq!((found.len(), found[0]), (3, found[2]));
    assert_eq!(sent["cost"], 2_000);
    let texts: Vec<Value> = found
        .iter()
        .map(|id| get(&world, &shop.key, &format!("/v1/send/{id}"))["messageText"].take())
        .collect();
    assert_eq!(texts, ["a", "b", "a"]);
    let mut two_texts = body;
    two_texts["MessageTexts"][2] = "c".into();
    refused(&world, &shop.key, "POST", "/v1/send/likeToLike", two_texts, (400, 104));
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 2_000));
}

#[test]
fn a_code_fills_the_pattern_of_the_templates_number() {
    let (world, shop) = world();
    let variables = json!([{"name": "CODE", "maxLength": 30}, {"name": "when", "type": "NUMBER"}]);
    world.active_pattern(
        &shop.key,
        json!({"slug": "100000", "title": "x", "text": "%CODE% %when% %Ab%", "variables": variables}),
    );
    let body = |parameters: Value| json!({"Mobile": 9121234567_i64, "TemplateId": 100000, "Parameters": parameters});
    let good = json!([{"name": "Code", "value": "12 45"}, {"Name": "WHEN", "Value": 7}, {"name": "Ab", "value": "z"}]);
    let sent = post(&world, &shop.key, "/v1/send/verify/", body(good.clone()));
    assert_eq!(sent["cost"], 1_000);
    let report = get(&world, &shop.key, &format!("/v1/send/{}", sent["messageId"]));
    assert_eq!(
        (&report["messageText"], &report["lineNumber"]),
        (&json!("12 45 7 z"), &json!(10001))
    );
    // A name as the pattern has it goes before one that differs in its case.
    let both = json!([{"name": "code", "value": "no"}, {"name": "CODE", "value": "yes"}, good[1], good[2]]);
    let sent = post(&world, &shop.key, "/v1/send/verify", body(both));
    let report = get(&world, &shop.key, &format!("/v1/send/{}", sent["messageId"]));
    assert_eq!(report["messageText"], "yes 7 z");
    let before = world.balance(&shop.key);
    let refuses = |body: Value, status| refused(&world, &shop.key, "POST", "/v1/send/verify", body, (400, status));
    let with = |at: usize, value: Value| {
        let mut parameters = good.clone();
        parameters[at] = value;
        body(parameters)
    };
    refuses(body(json!([])), 116);
    refuses(json!({"mobile": "09121234567", "templateId": "100000"}), 116);
    refuses(with(0, json!({"name": "", "value": "1"})), 116);
    refuses(with(0, json!({"name": "CODE", "value": null})), 116);
    refuses(with(0, json!({"name": "CODE", "value": "1".repeat(31)})), 114);
    refuses(with(1, json!({"name": "when", "value": "soon"})), 16);
    refuses(with(0, json!({"name": "CODE", "value": {}})), 16);
    refuses(with(0, json!("CODE")), 16);
    refuses(body(json!("x")), 16);
    refuses(json!({"mobile": "12", "templateId": 100000, "parameters": good}), 104);
    refuses(
        json!({"mobile": "09121234567", "templateId": 999999, "parameters": good}),
        113,
    );
    refuses(
        json!({"mobile": "09121234567", "templateId": 1, "parameters": good}),
        113,
    );
    refuses(json!({"mobile": "09121234567", "parameters": good}), 113);
    assert_eq!(world.balance(&shop.key), before);
}

#[test]
fn what_waits_for_its_time_is_taken_back_and_paid_back() {
    let (world, shop) = world();
    let at = now_s(&world) + 7_200;
    let planned = |at: Value| {
        let mut body = text("x");
        body["mobiles"] = json!(["09121234567", "09351234567"]);
        body["sendDateTime"] = at;
        post(&world, &shop.key, "/v1/send/bulk", body)
    };
    let sent = planned(json!(at));
    let report = get(&world, &shop.key, &format!("/v1/send/{}", ids(&sent)[0]));
    assert_eq!(
        (&report["sendDateTime"], &report["deliveryState"]),
        (&json!(at), &Value::Null)
    );
    let path = format!("/v1/send/scheduled/{}/", sent["packId"].as_str().unwrap());
    let deleted = data(&world, &shop.key, "DELETE", &path, Value::Null);
    assert_eq!(deleted, json!({"returnedCreditCount": 2_000, "smsCount": 2}));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    let report = get(&world, &shop.key, &format!("/v1/send/{}", ids(&sent)[0]));
    assert_eq!(report["deliveryState"], 6);
    assert!(report["deliveryDateTime"].as_i64() >= Some(at - 7_200));
    refused(&world, &shop.key, "DELETE", &path, Value::Null, (400, 112));
    // Some programs take milliseconds for seconds.
    let sent = planned(json!(at * 1_000));
    let report = get(&world, &shop.key, &format!("/v1/send/{}", ids(&sent)[1]));
    assert_eq!(report["sendDateTime"], at);
    let now = planned(json!(0));
    world.settle(MINUTE_MS);
    let path = format!("/v1/send/scheduled/{}", now["packId"].as_str().unwrap());
    refused(&world, &shop.key, "DELETE", &path, Value::Null, (400, 112));
    for pack in ["7", "019b7992-9c10-7582-8e00-0000000000ff"] {
        let path = format!("/v1/send/scheduled/{pack}");
        refused(&world, &shop.key, "DELETE", &path, Value::Null, (400, 112));
    }
}

#[test]
fn a_send_by_its_address_has_its_key_there() {
    let (world, shop) = world();
    let send = |method: &str, rest: &str| {
        let path = format!("/v1/send?username=shop&PassWord={}&line=10001&{rest}", shop.key);
        super::call(&world, "another", method, &path, b"")
    };
    for method in ["GET", "POST"] {
        let (http, answer) = send(method, "mobile=09121234567&text=a+b");
        assert_eq!((http, &answer["data"]["cost"]), (200, &json!(1_000)), "{answer}");
        let id = &answer["data"]["messageId"];
        let report = get(&world, &shop.key, &format!("/v1/send/{id}"));
        assert_eq!(report["messageText"], "a b");
    }
    for (rest, status) in [
        ("mobile=09121234567", 103),
        ("text=a", 104),
        ("mobile=09121234567,0935&text=a", 104),
    ] {
        assert_eq!(send("GET", rest).1["status"], status, "{rest}");
    }
    let path = "/v1/send?mobile=09121234567&text=a&line=10001";
    assert_eq!(get(&world, &shop.key, path)["cost"], 1_000);
    refused(
        &world,
        &shop.key,
        "GET",
        "/v1/send?mobile=09121234567&text=a",
        Value::Null,
        (400, 101),
    );
    refused(&world, "wrong", "GET", path, Value::Null, (401, 10));
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 3);
}

#[test]
fn recipients_of_large_sends_of_our_own_have_reports_too() {
    let (world, shop) = world();
    let send = |world: &World, count: usize| {
        let numbers: Vec<String> = (0..count).map(|index| format!("0912{index:07}")).collect();
        let body = json!({"message": "x", "recipients": numbers});
        world.posted(&shop.key, "/sms/send", body).text("/data/uid")
    };
    let uid = send(&world, 700);
    let reports = get(&world, &shop.key, &format!("/v1/send/pack/{uid}"));
    let reports = reports.as_array().unwrap();
    let mobiles: Vec<i64> = reports
        .iter()
        .map(|report| report["mobile"].as_i64().unwrap())
        .collect();
    assert_eq!(mobiles, (0..700).map(|index| 9_120_000_000 + index).collect::<Vec<_>>());
    for report in [&reports[99], &reports[100], &reports[699]] {
        let found = get(&world, &shop.key, &format!("/v1/send/{}", report["messageId"]));
        assert_eq!(found, *report);
    }
}

#[test]
fn texts_for_what_is_no_number_stop_nobody() {
    let (world, shop) = world();
    for bad in [
        json!(["12", "12"]),
        json!([null, null]),
        json!(["", "x"]),
        json!(["12", null]),
    ] {
        let mobiles = [&[json!("09121234567")], bad.as_array().unwrap().as_slice()].concat();
        let body = json!({"lineNumber": 10001, "messageTexts": ["a", "b", "c"], "mobiles": mobiles});
        let sent = post(&world, &shop.key, "/v1/send/likeToLike", body);
        let ids = sent["messageIds"].as_array().unwrap();
        assert!(ids[0].is_i64() && ids[1].is_null() && ids[2].is_null(), "{sent}");
        assert_eq!(sent["cost"], 1_000);
    }
    // Two texts for one number are refused, however it is written.
    let body = json!({"lineNumber": 10001, "messageTexts": ["a", "b", "c"], "mobiles": ["09121234567", "12", "+989121234567"]});
    refused(&world, &shop.key, "POST", "/v1/send/likeToLike", body, (400, 104));
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 4);
}

#[test]
fn a_number_abroad_that_is_not_open_stops_no_other() {
    let (world, shop) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let mobiles = json!([
        "09121234567",
        "00971501234567",
        "09131234567",
        "09351234567",
        "+447911123456"
    ]);
    let bulk = json!({"lineNumber": 10001, "messageText": "x", "mobiles": mobiles});
    let pairs = json!({"lineNumber": 10001, "messageTexts": ["a", "b", "c", "d", "e"], "mobiles": mobiles});
    for (path, body) in [("/v1/send/bulk", bulk), ("/v1/send/liketolike", pairs)] {
        let sent = post(&world, &shop.key, path, body);
        let first = sent["messageIds"][0].as_i64().unwrap();
        assert_eq!(sent["messageIds"], json!([first, null, null, first + 1, null]));
        assert_eq!(sent["cost"], 2_000);
    }
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 4);
    for mobiles in [
        json!(["00971501234567"]),
        json!(["00971501234567", "12", "+447911123456"]),
    ] {
        let body = json!({"lineNumber": 10001, "messageText": "x", "mobiles": mobiles});
        refused(&world, &shop.key, "POST", "/v1/send/bulk", body, (400, 104));
    }
    assert_eq!(world.balance(&shop.key), (MONEY - 4_000, 0));
}
