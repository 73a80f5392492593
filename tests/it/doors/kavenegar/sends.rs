//! What is sent through the door, and what becomes of it.

use serde_json::{Value, json};

use super::{entries, ids, joined, knock, refused};
use crate::doors::support::{FORM, MONEY, world};
use crate::support::Fate;
use crate::support::time::MINUTE_MS;

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
fn a_number_abroad_that_is_not_open_stops_no_other() {
    let (world, shop) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let told = |entries: &Value| -> Vec<(i64, String)> {
        let entries = entries.as_array().unwrap().iter();
        let told = entries.map(|entry| {
            let receptor = entry["receptor"].as_str().unwrap().to_owned();
            (entry["status"].as_i64().unwrap(), receptor)
        });
        told.collect()
    };
    let receptors = [
        "00971501234567",
        "09121234567",
        "09131234567",
        "+447911123456",
        "09351234567",
    ];
    let wanted = [6, 1, 14, 6, 1];
    let wanted: Vec<(i64, String)> = wanted.into_iter().zip(receptors.map(str::to_owned)).collect();
    let send = [("receptor", &*receptors.join(",")), ("message", "x")];
    let (lists, texts) = (
        json!(receptors).to_string(),
        json!(["a", "b", "c", "d", "e"]).to_string(),
    );
    let array = [("receptor", lists.as_str()), ("message", texts.as_str())];
    for (method, params) in [("sms/send", &send), ("sms/sendarray", &array)] {
        let sent = entries(&world, &shop.key, method, params);
        assert_eq!(told(&sent), wanted, "{method}");
        let ids = ids(&sent);
        assert_eq!((ids[0], ids[3]), (0, 0));
        // The ids lead to what they say.
        let states = entries(
            &world,
            &shop.key,
            "sms/select",
            &[("messageid", &joined(&[ids[1], ids[2], ids[4]]))],
        );
        let found: Vec<String> = told(&states).into_iter().map(|(_, receptor)| receptor).collect();
        assert_eq!(found, ["09121234567", "09131234567", "09351234567"]);
    }
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 4);
    for receptors in ["00971501234567", "00971501234567,x", "00971501234567,09131234567"] {
        let params = [("receptor", receptors), ("message", "x")];
        refused(&world, &shop.key, "sms/send", &params, 411);
    }
    assert_eq!(world.balance(&shop.key), (MONEY - 4_000, 0));
}

#[test]
fn a_round_of_an_array_whose_answer_is_lost_is_sent_once_and_told_as_sent() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    let lists = [
        ("receptor", r#"["09121234567","09351234567","09121234568"]"#),
        ("message", r#"["a","b","c"]"#),
        ("sender", r#"["10001","10002","10002"]"#),
    ];
    let statuses = |sent: &Value| -> Vec<Value> {
        let entries = sent.as_array().unwrap().iter();
        entries.map(|entry| entry["status"].clone()).collect()
    };
    for fates in [
        [Fate::Passes, Fate::FailsAfter],
        [Fate::Passes, Fate::FailsBefore],
        [Fate::FailsAfter, Fate::Passes],
    ] {
        world.sends.borrow_mut().extend(fates);
        let before = world.balance(&shop.key);
        let sent = entries(&world, &shop.key, "sms/sendarray", &lists);
        assert_eq!(statuses(&sent), [1, 1, 1], "{fates:?}");
        assert!(ids(&sent).iter().all(|id| *id > 0), "{sent}");
        assert_eq!(world.balance(&shop.key).0, before.0 - 3_000, "{fates:?}");
        world.sends.take();
    }
    // The same texts again are another call, and are sent.
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 9);
    // One that fails twice is told as one that was not sent.
    world
        .sends
        .borrow_mut()
        .extend([Fate::Passes, Fate::FailsBefore, Fate::FailsBefore]);
    let sent = entries(&world, &shop.key, "sms/sendarray", &lists);
    assert_eq!(statuses(&sent), [1, 6, 6]);
    assert_eq!(world.inbox(&shop.id).len(), 9);
}

#[test]
fn texts_one_by_one_are_sent_once_also_if_an_answer_is_lost() {
    let (world, shop) = world();
    for (at, local_ids) in ["1,2,3", "4,,6"].into_iter().enumerate() {
        let lists = [
            ("receptor", r#"["09121234567","09351234567","09121234568"]"#),
            ("message", r#"["a","b","c"]"#),
            ("localmessageids", local_ids),
        ];
        world.sends.borrow_mut().extend([Fate::Passes, Fate::FailsAfter]);
        let sent = entries(&world, &shop.key, "sms/sendarray", &lists);
        assert!(ids(&sent).iter().all(|id| *id > 0), "{sent}");
        world.settle(MINUTE_MS);
        assert_eq!(world.inbox(&shop.id).len(), 3 * (at + 1), "{local_ids}");
    }
}
