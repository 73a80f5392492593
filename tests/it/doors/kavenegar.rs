//! The door of Kavenegar. `tests/doors/` has the same with its official libraries.

use peyk::base::config::LogRequests;
use peyk::base::door::Door;
use peyk::carrier::inbound::{self, InboundSms};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::{self, FORM, MONEY, form, head, world};
use crate::support::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, cases, to_end};

/// What the door answers: the HTTP status and the body.
fn knock(world: &World, method: &str, path: &str, content_type: &str, body: &[u8]) -> (u16, Value) {
    support::knock(world, &head(method, path, content_type), body)
}

/// Calls a method as the libraries do. The HTTP status and that of the body are the same.
fn call(world: &World, key: &str, method: &str, params: &[(&str, &str)]) -> (u16, Value) {
    let path = format!("/v1/{key}/{method}.json");
    let (status, mut body) = knock(world, "POST", &path, FORM, form(params).as_bytes());
    assert_eq!(body["return"]["status"], status, "{body}");
    assert!(body["return"]["message"].as_str().is_some_and(|text| !text.is_empty()));
    (status, body["entries"].take())
}

#[track_caller]
fn entries(world: &World, key: &str, method: &str, params: &[(&str, &str)]) -> Value {
    let (status, entries) = call(world, key, method, params);
    assert_eq!(status, 200, "{entries}");
    entries
}

#[track_caller]
fn refused(world: &World, key: &str, method: &str, params: &[(&str, &str)], wanted: u16) {
    let (status, entries) = call(world, key, method, params);
    assert_eq!((status, entries), (wanted, Value::Null), "{method} {params:?}");
}

fn ids(entries: &Value) -> Vec<i64> {
    entries
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["messageid"].as_i64().unwrap())
        .collect()
}

fn joined(ids: &[i64]) -> String {
    ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

#[test]
fn a_send_is_what_our_own_api_would_have_made_and_its_ids_lead_to_it() {
    let (world, shop) = world();
    let now_s = world.now_ms.get() / 1_000;
    let params = [
        ("receptor", "09121234567, 00989351234567,09121234567"),
        ("message", "hello"),
        ("sender", "10001"),
    ];
    let sent = entries(&world, &shop.key, "sms/send", &params);
    let entry = |id: i64, receptor: &str| {
        json!({"messageid": id, "message": "hello", "status": 1, "statustext": "در صف ارسال", "sender": "10001",
            "receptor": receptor, "date": now_s, "cost": 1_000})
    };
    let first = ids(&sent)[0];
    assert_eq!(
        sent,
        json!([
            entry(first, "09121234567"),
            entry(first + 1, "09351234567"),
            entry(first, "09121234567")
        ])
    );
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 2_000));
    world.settle(MINUTE_MS);
    let messages = world.read(&shop.key, "/messages");
    assert_eq!(messages.items().len(), 1);
    let state = |id: i64, status: u16, text: &str| json!({"messageid": id, "status": status, "statustext": text});
    let asked = joined(&[first + 1, 7, first]);
    let known = [
        state(first + 1, 10, "رسیده به گیرنده"),
        state(7, 100, "شناسه پیامک نامعتبر است"),
        state(first, 10, "رسیده به گیرنده"),
    ];
    assert_eq!(
        entries(&world, &shop.key, "sms/status", &[("messageid", &asked)]),
        json!(known)
    );
    let selected = entries(&world, &shop.key, "sms/select", &[("messageid", &asked)]);
    assert_eq!(ids(&selected), [first + 1, first]);
    assert_eq!(selected[1]["message"], "hello");
    assert_eq!(selected[1]["cost"], 1_000);
}

#[test]
fn another_account_and_the_other_mode_do_not_know_an_id() {
    let (world, shop) = world();
    let stranger = world.account("stranger", MONEY);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let sent = entries(
        &world,
        &shop.key,
        "sms/send",
        &[("receptor", "09121234567"), ("message", "x")],
    );
    let id = joined(&ids(&sent));
    for key in [&stranger.key, &test] {
        let states = entries(&world, key, "sms/status", &[("messageid", &id)]);
        assert_eq!(states[0]["status"], 100);
        assert_eq!(entries(&world, key, "sms/select", &[("messageid", &id)]), json!([]));
    }
    let before = world.balance(&shop.key);
    let rehearsed = entries(
        &world,
        &test,
        "sms/send",
        &[("receptor", "09121234567"), ("message", "x")],
    );
    assert_eq!(rehearsed[0]["cost"], 0);
    assert_eq!(world.balance(&shop.key), before);
}

#[test]
fn what_has_an_own_id_is_sent_once_and_found_by_it() {
    let (world, shop) = world();
    let params = |message| {
        [
            ("receptor", "09121234567,09351234567"),
            ("message", message),
            ("localid", "7,8"),
        ]
    };
    let sent = entries(&world, &shop.key, "sms/send", &params("one"));
    let again = entries(&world, &shop.key, "sms/send", &params("one"));
    assert_eq!(ids(&again), ids(&sent));
    let other = entries(&world, &shop.key, "sms/send", &params("another text"));
    assert_eq!(ids(&other), ids(&sent));
    assert_eq!(other[0]["message"], "one", "the former record is told");
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 2_000));
    let states = entries(&world, &shop.key, "sms/statuslocalmessageid", &[("localid", "8,9,7")]);
    let told: Vec<_> = states
        .as_array()
        .unwrap()
        .iter()
        .map(|state| (&state["messageid"], &state["localid"], &state["status"]))
        .collect();
    let sent = ids(&sent);
    assert_eq!(
        told,
        [
            (&json!(sent[1]), &json!("8"), &json!(1)),
            (&json!(0), &json!("9"), &json!(100)),
            (&json!(sent[0]), &json!("7"), &json!(1)),
        ]
    );
    // One id for all receptors is one message.
    let all = [
        ("receptor", "09121234567,09351234567"),
        ("message", "x"),
        ("localid", "10"),
    ];
    let sent = entries(&world, &shop.key, "sms/send", &all);
    let states = entries(&world, &shop.key, "sms/statuslocalmessageid", &[("localid", "10")]);
    assert_eq!(ids(&states), ids(&sent));
    refused(
        &world,
        &shop.key,
        "sms/send",
        &[("receptor", "09121234567"), ("message", "x"), ("localid", "1,2")],
        419,
    );
}

#[test]
fn an_array_is_sent_line_by_line_and_told_in_its_order() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    let params = [
        (
            "receptor",
            r#"["09121234567","09351234567","09121234567","09131234567"]"#,
        ),
        ("message", r#"["a","b, c","d","e"]"#),
        ("sender", r#"["10001","10002","10001","10001"]"#),
    ];
    let sent = entries(&world, &shop.key, "sms/sendarray", &params);
    let told: Vec<_> = sent
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (&entry["receptor"], &entry["message"], &entry["sender"]))
        .collect();
    assert_eq!(
        told,
        [
            (&json!("09121234567"), &json!("a"), &json!("10001")),
            (&json!("09351234567"), &json!("b, c"), &json!("10002")),
            (&json!("09121234567"), &json!("d"), &json!("10001")),
            (&json!("09131234567"), &json!("e"), &json!("10001")),
        ]
    );
    assert_eq!(world.balance(&shop.key), (MONEY - 4_000, 4_000));
    world.settle(MINUTE_MS);
    let selected = entries(&world, &shop.key, "sms/select", &[("messageid", &joined(&ids(&sent)))]);
    let texts: Vec<_> = selected
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["message"])
        .collect();
    assert_eq!(texts, ["a", "b, c", "d", "e"]);
    // The ids of the program make each text a message.
    let own = [
        params[0],
        params[1],
        ("sender", "10001"),
        ("localmessageids", "[1,2,3,4]"),
    ];
    let first = entries(&world, &shop.key, "sms/sendarray", &own);
    assert_eq!(ids(&entries(&world, &shop.key, "sms/sendarray", &own)), ids(&first));
    assert_eq!(world.balance(&shop.key).0, MONEY - 8_000);
    let path = format!("/v1/{}/sms/sendarray.json", shop.key);
    assert_eq!(knock(&world, "GET", &path, FORM, b"").0, 405);
    for (receptor, message, sender) in [
        (r#"["09121234567"]"#, r#"["a","b"]"#, ""),
        (r#"["09121234567","0935"]"#, r#"["a"]"#, ""),
    ] {
        refused(
            &world,
            &shop.key,
            "sms/sendarray",
            &[("receptor", receptor), ("message", message), ("sender", sender)],
            419,
        );
    }
}

#[test]
fn a_lookup_fills_the_pattern_of_its_name() {
    let (world, shop) = world();
    world.active_pattern(
        &shop.key,
        json!({"slug": "login", "title": "x", "text": "code %token% for %token10%"}),
    );
    let params = [
        ("receptor", "09121234567"),
        ("template", "login"),
        ("token", "123"),
        ("token10", "a b c"),
    ];
    let sent = entries(&world, &shop.key, "verify/lookup", &params);
    assert_eq!(sent.as_array().unwrap().len(), 1);
    let id = joined(&ids(&sent));
    let selected = entries(&world, &shop.key, "sms/select", &[("messageid", &id)]);
    assert_eq!(selected[0]["message"], "code 123 for a b c");
    let refuses = |more: &[(&str, &str)], wanted| {
        let base = [("receptor", "09121234567")];
        refused(&world, &shop.key, "verify/lookup", &[&base, more].concat(), wanted);
    };
    refuses(&[("template", "login"), ("token", "1 2")], 431);
    refuses(&[("template", "login"), ("token", "1_2")], 431);
    refuses(
        &[("template", "login"), ("token", "1"), ("token10", "a b c d e f g")],
        431,
    );
    refuses(&[("template", "login"), ("token", "1")], 406);
    refuses(&[("template", "none"), ("token", "1")], 424);
    refuses(&[("template", "login"), ("token", "1"), ("type", "call")], 428);
    refuses(&[("template", "login")], 400);
    refuses(&[("template", "login"), ("token", "")], 406);
}

#[test]
fn a_message_is_canceled_when_all_its_receptors_are_named() {
    let (world, shop) = world();
    let at = (world.now_ms.get() / 1_000 + 3_600).to_string();
    let params = [
        ("receptor", "09121234567,09351234567"),
        ("message", "x"),
        ("date", at.as_str()),
    ];
    let sent = entries(&world, &shop.key, "sms/send", &params);
    assert_eq!(
        (&sent[0]["status"], sent[0]["date"].to_string()),
        (&json!(2), at.clone())
    );
    let sent = ids(&sent);
    let cancel = |ids: &[i64]| entries(&world, &shop.key, "sms/cancel", &[("messageid", &joined(ids))]);
    assert_eq!(cancel(&sent[..1])[0]["status"], 2);
    let canceled = cancel(&sent);
    assert_eq!(
        (&canceled[0]["status"], &canceled[1]["status"]),
        (&json!(13), &json!(13))
    );
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    let now = ids(&entries(
        &world,
        &shop.key,
        "sms/send",
        &[("receptor", "09121234567"), ("message", "x"), ("date", "1")],
    ));
    world.settle(MINUTE_MS);
    assert_eq!(cancel(&now)[0]["status"], 10, "what was sent stays as it is");
    // What waits for its carrier is canceled too.
    let pause = |paused: bool| world.change("/admin/carriers/sandbox", json!({ "paused": paused }));
    pause(true);
    let waiting = ids(&entries(
        &world,
        &shop.key,
        "sms/send",
        &[("receptor", "09121234567,09351234567"), ("message", "x")],
    ));
    assert_eq!(cancel(&waiting[..1])[0]["status"], 1, "not all are named");
    let canceled = cancel(&waiting);
    assert!(canceled.as_array().unwrap().iter().all(|entry| entry["status"] == 13));
    pause(false);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
}

#[test]
fn the_outbox_has_the_newest_first_and_its_sums() {
    let (world, shop) = world();
    let begin_s = world.now_ms.get() / 1_000;
    for text in ["one", "two", "three"] {
        entries(
            &world,
            &shop.key,
            "sms/send",
            &[("receptor", "09121234567,09351234567"), ("message", text)],
        );
        world.settle(10 * SECOND_MS);
    }
    let texts = |entries: &Value| -> Vec<String> {
        let entries = entries.as_array().unwrap().iter();
        entries
            .map(|entry| entry["message"].as_str().unwrap().to_owned())
            .collect()
    };
    let latest = entries(&world, &shop.key, "sms/latestoutbox", &[("pagesize", "3")]);
    assert_eq!(texts(&latest), ["three", "three", "two"]);
    assert_eq!(
        entries(&world, &shop.key, "sms/latestoutbox", &[("sender", "10009")]),
        json!([])
    );
    let (start, end) = (begin_s.to_string(), (begin_s + 15).to_string());
    let span = [("startdate", start.as_str()), ("enddate", end.as_str())];
    assert_eq!(
        texts(&entries(&world, &shop.key, "sms/selectoutbox", &span)),
        ["two", "two", "one", "one"]
    );
    let sums = json!([{"startdate": begin_s, "enddate": begin_s + 15, "sumpart": 4, "sumcount": 4, "cost": 4_000}]);
    assert_eq!(entries(&world, &shop.key, "sms/countoutbox", &span), sums);
    for (status, count) in [("10", 4), ("1", 0), ("14", 0)] {
        let told = entries(
            &world,
            &shop.key,
            "sms/countoutbox",
            &[&span[..], &[("status", status)]].concat(),
        );
        assert_eq!(
            [&told[0]["sumcount"], &told[0]["cost"]],
            [&json!(count), &json!(count * 1_000)],
            "{status}"
        );
    }
    let day_ago = (world.now_ms.get() / 1_000 - DAY_MS / 1_000).to_string();
    let told = entries(&world, &shop.key, "sms/countoutbox", &[("startdate", &day_ago)]);
    assert_eq!(told[0]["sumcount"], 6, "the last 24 hours are a day");
    let long = (begin_s + 2 * DAY_MS / 1_000).to_string();
    refused(
        &world,
        &shop.key,
        "sms/selectoutbox",
        &[("startdate", &start), ("enddate", &long)],
        417,
    );
    refused(&world, &shop.key, "sms/countoutbox", &[("startdate", "yesterday")], 417);
    refused(
        &world,
        &shop.key,
        "sms/countoutbox",
        &[("startdate", &start), ("status", "x")],
        422,
    );
    refused(&world, &shop.key, "sms/countoutbox", &[], 400);
}

#[test]
fn what_has_become_of_messages_to_a_number_is_told_by_it() {
    let (world, shop) = world();
    let start = (world.now_ms.get() / 1_000).to_string();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    for receptors in ["09121234567,09131234567", "09351234902,09121234567", "09351234902"] {
        entries(
            &world,
            &shop.key,
            "sms/send",
            &[("receptor", receptors), ("message", "x")],
        );
        world.settle(MINUTE_MS);
    }
    let statuses = |receptor: &str| -> Vec<Value> {
        let params = [("receptor", receptor), ("startdate", &start)];
        let told = entries(&world, &shop.key, "sms/statusbyreceptor", &params);
        let entries = told.as_array().unwrap().iter();
        assert!(entries.clone().all(|entry| entry["receptor"] == receptor), "{told}");
        entries.map(|entry| entry["status"].clone()).collect()
    };
    assert_eq!(statuses("09121234567"), [10, 10]);
    assert_eq!(statuses("09351234902"), [11, 11]);
    assert_eq!(statuses("09131234567"), [14]);
    assert_eq!(statuses("09121111111"), Vec::<Value>::new());
    refused(
        &world,
        &shop.key,
        "sms/statusbyreceptor",
        &[("receptor", "x"), ("startdate", &start)],
        411,
    );
    refused(&world, &shop.key, "sms/statusbyreceptor", &[("startdate", &start)], 400);
}

#[test]
fn more_recipients_than_a_call_reads_are_too_much() {
    let (world, shop) = World::with_busy_account(100 * MONEY);
    let start = (world.now_ms.get() / 1_000).to_string();
    let send = |first: u32, count: u32| {
        let numbers: Vec<String> = (first..first + count)
            .map(|number| format!("0912{number:07}"))
            .collect();
        world.posted(&shop.key, "/sms/send", json!({"message": "x", "recipients": numbers}));
        world.advance(SECOND_MS);
    };
    for message in 0..4 {
        send(message * 1_000, 1_000);
    }
    world.settle(5 * MINUTE_MS);
    let delivered = [("startdate", start.as_str()), ("status", "10")];
    assert!(entries(&world, &shop.key, "sms/countoutbox", &delivered)[0]["sumcount"].as_i64() > Some(3_900));
    send(9_000, 1);
    refused(&world, &shop.key, "sms/countoutbox", &delivered, 414);
    let all = entries(&world, &shop.key, "sms/countoutbox", &[("startdate", &start)]);
    assert_eq!(all[0]["sumcount"], 4_001);
}

#[test]
fn who_is_blocked_or_no_number_is_told_so_and_the_others_get_it() {
    let (world, shop) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let states = |entries: &Value| -> Vec<(i64, i64, String)> {
        let number = |entry: &Value, name: &str| entry[name].as_i64().unwrap();
        let entries = entries.as_array().unwrap().iter();
        let states = entries.map(|entry| {
            let receptor = entry["receptor"].as_str().unwrap().to_owned();
            (number(entry, "status"), number(entry, "cost"), receptor)
        });
        states.collect()
    };
    let wanted = [
        (1, 1_000, "09121234567"),
        (6, 0, "x"),
        (14, 0, "09131234567"),
        (1, 1_000, "09351234567"),
    ];
    let wanted = wanted.map(|(status, cost, receptor)| (status, cost, receptor.to_owned()));
    let receptors = "09121234567,x,+989131234567,09351234567";
    let sent = entries(
        &world,
        &shop.key,
        "sms/send",
        &[("receptor", receptors), ("message", "hello")],
    );
    assert_eq!(states(&sent), wanted);
    let lists = [
        ("receptor", r#"["09121234567","x","09131234567","09351234567"]"#),
        ("message", r#"["a","b","c","d"]"#),
    ];
    let array = entries(&world, &shop.key, "sms/sendarray", &lists);
    assert_eq!(states(&array), wanted);
    assert_eq!(world.balance(&shop.key), (MONEY - 4_000, 4_000));
    world.settle(MINUTE_MS);
    for sent in [sent, array] {
        let ids = ids(&sent);
        assert_eq!(ids[1], 0);
        let told = entries(
            &world,
            &shop.key,
            "sms/status",
            &[("messageid", &joined(&[ids[0], ids[2], ids[3]]))],
        );
        let statuses: Vec<&Value> = told.as_array().unwrap().iter().map(|state| &state["status"]).collect();
        assert_eq!(statuses, [10, 14, 10]);
    }
    assert_eq!(world.inbox(&shop.id).len(), 4);
    // The smaller number first is where the message has them.
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09111234567"]}));
    let two = [("receptor", "09131234567,09121234567,09111234567"), ("message", "two")];
    let sent = entries(&world, &shop.key, "sms/send", &two);
    let selected = entries(&world, &shop.key, "sms/select", &[("messageid", &joined(&ids(&sent)))]);
    let receptors = |entries: &Value| -> Vec<Value> {
        entries
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["receptor"].clone())
            .collect()
    };
    assert_eq!(receptors(&selected), ["09131234567", "09121234567", "09111234567"]);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 5);
    // If it is all of them, nothing is sent.
    for (receptors, messages) in [("09131234567", "x"), ("x,y", "x"), ("x,09131234567", "x")] {
        refused(
            &world,
            &shop.key,
            "sms/send",
            &[("receptor", receptors), ("message", messages)],
            411,
        );
    }
}

#[test]
fn what_is_wrong_with_one_number_stops_no_other_wherever_it_stands() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let statuses = |sent: &Value| -> Vec<i64> {
        let entries = sent.as_array().unwrap().iter();
        entries.map(|entry| entry["status"].as_i64().unwrap()).collect()
    };
    let receptors = "09131234567,x,09121234567";
    let params = [("receptor", receptors), ("message", "a"), ("localid", "1,2,3")];
    let sent = entries(&world, &shop.key, "sms/send", &params);
    assert_eq!(statuses(&sent), [14, 6, 1]);
    assert_eq!(ids(&sent)[..2], [0, 0]);
    let lists = |senders: &'static str| {
        [
            ("receptor", r#"["09131234567","09121234567"]"#),
            ("message", r#"["a","b"]"#),
            ("sender", senders),
        ]
    };
    for senders in [r#"["10001","10002"]"#, r#"["10002","10001"]"#] {
        let sent = entries(&world, &shop.key, "sms/sendarray", &lists(senders));
        assert_eq!(statuses(&sent), [14, 1], "{senders}");
    }
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 3);
    // What concerns all of them stops all of them.
    let bad_line = [&params[..2], &[("sender", "99999"), ("localid", "7,8,9")]].concat();
    refused(&world, &shop.key, "sms/send", &bad_line, 412);
    refused(
        &world,
        &shop.key,
        "sms/sendarray",
        &[("receptor", "[]"), ("message", "[]")],
        406,
    );
}

#[test]
fn an_empty_own_id_is_none_and_one_that_comes_twice_is_refused() {
    let (world, shop) = world();
    let lists = |ids: &'static str| {
        [
            ("receptor", r#"["09121234567","09351234567"]"#),
            ("message", r#"["a","b"]"#),
            ("localmessageids", ids),
        ]
    };
    for written in [r#"["",""]"#, "[null,null]", r#"["17",""]"#, r#"["18",""]"#] {
        let sent = ids(&entries(&world, &shop.key, "sms/sendarray", &lists(written)));
        assert!(sent[0] > 0 && sent[1] > sent[0], "{written}: {sent:?}");
    }
    let before = world.balance(&shop.key);
    refused(&world, &shop.key, "sms/sendarray", &lists(r#"["7","7"]"#), 422);
    let twice = [
        ("receptor", "09121234567,09351234567"),
        ("message", "a"),
        ("localid", "7,7"),
    ];
    refused(&world, &shop.key, "sms/send", &twice, 422);
    assert_eq!(world.balance(&shop.key), before);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 8);
}

#[test]
fn a_repeat_tells_all_that_was_sent_in_the_order_of_the_call() {
    let (world, shop) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09120000003"]}));
    let numbers: Vec<String> = (0..200).rev().map(|number| format!("0912{number:07}")).collect();
    let list = numbers.join(",");
    let call = |message| {
        entries(
            &world,
            &shop.key,
            "sms/send",
            &[("receptor", &list), ("message", message), ("localid", "9")],
        )
    };
    let sent = ids(&call("one"));
    assert_eq!(sent.len(), 200);
    for message in ["one", "another"] {
        assert_eq!(ids(&call(message)), sent, "{message}");
    }
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
}

#[test]
fn a_message_that_left_somebody_out_is_canceled_when_all_others_are_named() {
    let (world, shop) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let at = (world.now_ms.get() / 1_000 + 3_600).to_string();
    let params = [
        ("receptor", "09121234567,09131234567,09351234567"),
        ("message", "x"),
        ("date", at.as_str()),
    ];
    let ids = ids(&entries(&world, &shop.key, "sms/send", &params));
    let statuses = |named: &[i64]| -> Vec<Value> {
        let told = entries(&world, &shop.key, "sms/cancel", &[("messageid", &joined(named))]);
        told.as_array()
            .unwrap()
            .iter()
            .map(|state| state["status"].clone())
            .collect()
    };
    assert_eq!(statuses(&ids[..2]), [2, 14], "somebody else was not named");
    assert_eq!(statuses(&ids), [13, 14, 13]);
}

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
fn the_clock_is_that_of_the_service() {
    let (world, shop) = world();
    let date = entries(&world, &shop.key, "utils/getdate", &[]);
    assert_eq!(date["unixtime"], world.now_ms.get() / 1_000);
    assert_eq!([&date["year"], &date["month"], &date["day"]], [2026, 1, 1]);
    refused(&world, "wrong", "utils/getdate", &[], 403);
}

#[test]
fn what_phones_have_sent_is_read_once_and_counted() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    for line in ["10001", "10002"] {
        let path = format!("/admin/lines/{line}/inbound");
        world.admin("PUT", &path, json!({"account": shop.id})).expect(200);
    }
    let begin_s = world.now_ms.get() / 1_000;
    for (line, text) in [("10001", "one"), ("10002", "two"), ("10001", "three")] {
        let sms = InboundSms {
            carrier: "sandbox".to_owned(),
            to: line.to_owned(),
            from: "+989121234567".to_owned(),
            text: text.to_owned(),
            carrier_id: None,
            received_ms: world.now_ms.get(),
            left: Vec::new(),
        };
        to_end(inbound::receive(&world, sms)).unwrap();
        world.advance(SECOND_MS);
    }
    let receive = |is_read: &str| {
        let params = [("linenumber", "10001"), ("isread", is_read)];
        entries(&world, &shop.key, "sms/receive", &params)
    };
    let entry = |id: i64, text: &str, at_s: i64| json!({"messageid": id, "message": text, "sender": "09121234567", "receptor": "10001", "date": begin_s + at_s});
    assert_eq!(receive("1"), json!([]));
    let page = |is_read: &str, number: &str| {
        let path = format!("/v1/{}/sms/inboxpaged.json", shop.key);
        let params = form(&[("linenumber", "10001"), ("isread", is_read), ("pagenumber", number)]);
        let (status, body) = knock(&world, "POST", &path, FORM, params.as_bytes());
        assert_eq!(status, 200, "{body}");
        (body["metadata"].clone(), body["entries"].clone())
    };
    let metadata = |count: i64, number: i64, pages: i64, size: i64| json!({"totalcount": count, "currentpage": number, "totalpages": pages, "pagesize": size});
    assert_eq!(
        page("0", "1"),
        (
            metadata(2, 1, 1, 100),
            json!([entry(1, "one", 0), entry(3, "three", 2)])
        )
    );
    assert_eq!(page("0", "1"), (metadata(0, 1, 0, 100), json!([])));
    assert_eq!(
        page("1", "1"),
        (
            metadata(2, 1, 1, 200),
            json!([entry(3, "three", 2), entry(1, "one", 0)])
        )
    );
    assert_eq!(page("1", "2"), (metadata(2, 2, 1, 200), json!([])));
    assert_eq!(receive("0"), json!([]));
    assert_eq!(receive("1"), json!([entry(3, "three", 2), entry(1, "one", 0)]));
    let count = |more: &[(&str, &str)]| {
        let (start, end) = (begin_s.to_string(), (begin_s + 2).to_string());
        let span = [("startdate", start.as_str()), ("enddate", end.as_str())];
        let told = entries(&world, &shop.key, "sms/countinbox", &[&span, more].concat());
        assert_eq!(
            (&told[0]["startdate"], &told[0]["enddate"]),
            (&json!(begin_s), &json!(begin_s + 2))
        );
        told[0]["sumcount"].as_i64().unwrap()
    };
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&[("linenumber", "10002")]), 1);
    assert_eq!(count(&[("isread", "1")]), 1);
    assert_eq!(count(&[("isread", "0")]), 1);
    for (method, params, wanted) in [
        ("sms/receive", vec![("isread", "0")], 400),
        ("sms/receive", vec![("linenumber", "10001")], 400),
        ("sms/receive", vec![("linenumber", "10001"), ("isread", "2")], 422),
        ("sms/countinbox", vec![], 400),
        ("sms/inboxpaged", vec![("linenumber", "10001")], 400),
        (
            "sms/inboxpaged",
            vec![("linenumber", "10001"), ("isread", "1"), ("pagenumber", "x")],
            422,
        ),
        (
            "sms/inboxpaged",
            vec![("linenumber", "10001"), ("isread", "0"), ("startdate", "1767268800")],
            422,
        ),
    ] {
        refused(&world, &shop.key, method, &params, wanted);
    }
}

#[test]
fn the_account_is_told_and_its_settings_stay() {
    let (world, shop) = world();
    let info = entries(&world, &shop.key, "account/info", &[]);
    assert_eq!(
        (&info["remaincredit"], &info["type"]),
        (&json!(MONEY), &json!("master"))
    );
    assert!(info["expiredate"].as_i64() > Some(world.now_ms.get() / 1_000));
    let config = entries(&world, &shop.key, "account/config", &[("apilogs", "justfaults")]);
    assert_eq!(config["defaultsender"], "10001");
    refused(&world, &shop.key, "account/config", &[("resendfailed", "enabled")], 426);
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    /// Whatever comes, the answer has the protocol's form, and only one that says so has sent anything.
    #[test]
    fn garbage_gets_the_protocols_form_and_sends_nothing(
        calls in prop::collection::vec((
            prop::sample::select(&[
                "sms/send", "sms/sendarray", "sms/status", "sms/select", "sms/cancel", "sms/statuslocalmessageid", "verify/lookup",
                "sms/latestoutbox", "sms/selectoutbox", "sms/countoutbox", "account/info", "account/config", "sms/x",
                "sms/receive", "sms/countinbox", "sms/inboxpaged", "sms/statusbyreceptor", "utils/getdate",
            ][..]),
            prop::collection::vec((
                prop::sample::select(&[
                    "receptor", "message", "sender", "date", "localid", "localmessageids", "messageid", "template", "token", "token10",
                    "pagesize", "linenumber", "isread", "startdate", "enddate", "type", "status", "pagenumber",
                ][..]),
                prop_oneof![
                    Just("09121234567".to_owned()), Just("[\"09121234567\",\"0935\"]".to_owned()), Just("1,2,,3".to_owned()),
                    Just("-1".to_owned()), Just("9223372036854775807".to_owned()), Just("[[".to_owned()), Just("null".to_owned()),
                    "\\PC{0,20}", any::<i64>().prop_map(|number| number.to_string()),
                ],
            ), 0..6),
            prop::sample::select(&["GET", "POST", "PUT"][..]),
        ), 1..4),
    ) {
        let (world, shop) = world();
        let mut sent = 0_usize;
        for (method, params, verb) in calls {
            let params: Vec<(&str, &str)> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let path = format!("/v1/{}/{method}.json", shop.key);
            let (status, body) = knock(&world, verb, &path, FORM, form(&params).as_bytes());
            prop_assert_eq!(&body["return"]["status"], &json!(status));
            prop_assert!((200..500).contains(&status) && status != 402, "{method} {params:?}: {body}");
            let made = status == 200 && ["sms/send", "sms/sendarray", "verify/lookup"].contains(&method);
            sent += if made { ids(&body["entries"]).into_iter().filter(|id| *id > 0).count() } else { 0 };
        }
        let messages = world.read(&shop.key, "/messages");
        prop_assert_eq!(messages.items().is_empty(), sent == 0);
    }

    /// A send by the door costs and does what the same send by our own API does.
    #[test]
    fn a_send_by_the_door_is_worth_the_same_as_by_our_own_api(
        receptors in prop::collection::vec("09[1-3][0-9]{8}", 1..20),
        message in prop_oneof!["[a-z ]{1,200}", "[آ-ی ]{1,200}"],
        ahead_s in prop_oneof![Just(0_i64), 60..100_000_i64],
    ) {
        let (world, shop) = world();
        let twin = world.account("twin", MONEY);
        world.advance(31_000);
        let date_s = world.now_ms.get() / 1_000 + ahead_s;
        let (list, date) = (receptors.join(","), date_s.to_string());
        let (status, sent) = call(&world, &shop.key, "sms/send", &[("receptor", &list), ("message", &message), ("date", &date)]);
        let mut body = json!({"message": message, "recipients": receptors});
        if ahead_s > 0 {
            body["sendAt"] = peyk::base::time::to_rfc3339(date_s * 1_000).into();
        }
        let own = world.post(&twin.key, "/sms/send", body);
        prop_assert_eq!(status == 200, own.response.status == 201, "{}", own.body);
        prop_assert_eq!(world.balance(&shop.key), world.balance(&twin.key));
        if status == 200 {
            prop_assert_eq!(sent.as_array().unwrap().len(), receptors.len());
        }
        world.settle(ahead_s * 1_000 + MINUTE_MS);
        let got = |account: &Account| world.inbox(&account.id).into_values().collect::<Vec<_>>();
        prop_assert_eq!(got(&shop), got(&twin));
        let statuses = |key: &str| world.read(key, "/account/usage").json["data"][0]["live"].clone();
        prop_assert_eq!(statuses(&shop.key), statuses(&twin.key));
    }
}

/// A good send, and its path with this key.
fn send_with(world: &World, key: &str, address: Option<&str>) -> u16 {
    let path = format!("/v1/{key}/sms/send.json?receptor=09121234567&message=hello&sender=10001");
    let head = peyk::api::http::Head {
        address: address.map(str::to_owned),
        ..head("GET", &path, FORM)
    };
    support::knock(world, &head, b"").0
}

#[test]
fn no_line_of_the_log_stands_beside_an_address_with_a_key() {
    let (mut world, shop) = world();
    world.app.config.log_requests = LogRequests::All;
    let imported = "2|0123456789abcdefghijABCDEFGHIJKL";
    world.grant(
        &shop,
        json!({"title": "imported", "scopes": ["sms:read"], "key": imported}),
    );
    let lines = |world: &World| (world.log.take(), world.log_apart.take());
    lines(&world);
    let check = |world: &World, what: &str, least: usize| {
        let (all, apart) = lines(world);
        assert_eq!(all, apart, "{what}");
        assert!(all.len() >= least, "{what}: {all:?}");
        for line in all {
            assert!(!line.contains(&shop.key) && !line.contains(imported), "{what}: {line}");
        }
    };
    assert_eq!(send_with(&world, &shop.key, None), 200);
    check(&world, "a send", 1);
    assert_eq!(send_with(&world, imported, None), 416);
    check(&world, "a key without the scope", 1);
    assert_eq!(send_with(&world, "2|nobody", Some("203.0.113.7")), 403);
    world.advance(61_000);
    assert_eq!(send_with(&world, "2|nobody", Some("203.0.113.7")), 403);
    check(&world, "what strangers have tried", 1);
    world.failing_request.set(Some("SendMessage"));
    assert_eq!(send_with(&world, &shop.key, None), 409);
    check(&world, "a failure of ours", 2);
    world.failing_request.set(None);
    world.keys_are_down.set(true);
    world.app.keys.clear();
    assert_eq!(send_with(&world, &shop.key, None), 409);
    check(&world, "a failure of the platform", 2);
    world.keys_are_down.set(false);
    let hex = world
        .grant(&shop, json!({"title": "hex", "form": "HEX32"}))
        .text("/data/key");
    lines(&world);
    knock(&world, "GET", &format!("/v1/{hex}/message/send.json"), FORM, b"");
    let (all, apart) = lines(&world);
    assert_eq!(
        (all.len(), all),
        (1, apart),
        "a wrong word behind a key of hexadecimal digits"
    );
    for path in ["sms/send", "Sms/Send.json/more", "verify", "nothing.json"] {
        knock(&world, "GET", &format!("/v1/{}/{path}", shop.key), FORM, b"");
        check(&world, path, 1);
    }
    world.app.config.doors.clear();
    for key in [shop.key.as_str(), imported] {
        knock(&world, "GET", &format!("/v1/{key}/sms/send.json"), FORM, b"");
        check(&world, "the door is closed", 1);
    }
    // The lines of all others stand beside their requests.
    knock(&world, "GET", "/v1/sms/none", FORM, b"");
    let (all, apart) = lines(&world);
    assert_eq!((all.len(), apart.len()), (1, 0), "{all:?}");
}

#[test]
fn a_key_in_the_address_may_be_bound_to_networks() {
    let (world, shop) = world();
    let new = json!({"title": "bound", "scopes": ["sms:send"], "ips": ["203.0.113.0/24"]});
    let key = world.grant(&shop, new).text("/data/key");
    for (address, status) in [(Some("203.0.113.7"), 200), (Some("198.51.100.7"), 416), (None, 416)] {
        assert_eq!(send_with(&world, &key, address), status, "{address:?}");
    }
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
}
