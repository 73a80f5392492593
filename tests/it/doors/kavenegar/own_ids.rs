//! Sends under ids of the program's own.

use serde_json::{Value, json};

use super::{entries, ids, refused};
use crate::doors::support::{MONEY, world};
use crate::support::time::MINUTE_MS;

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
fn a_repeat_with_another_text_tells_each_receptor_of_the_call() {
    let (world, shop) = world();
    let call = |receptors: &str, message: &str| {
        let params = [("receptor", receptors), ("message", message), ("localid", "7")];
        entries(&world, &shop.key, "sms/send", &params)
    };
    let told = |entries: &Value| -> Vec<(i64, Value)> {
        let statuses = entries.as_array().unwrap().iter().map(|entry| entry["status"].clone());
        ids(entries).into_iter().zip(statuses).collect()
    };
    let receptors = "09121234567,12,09351234567,09121234567";
    let first = told(&call(receptors, "one"));
    assert_eq!(first.len(), 4);
    assert_eq!(first[1], (0, json!(6)));
    for message in ["one", "another"] {
        assert_eq!(told(&call(receptors, message)), first, "{message}");
    }
    // What was sent to others than the call names now is told behind them.
    let other = call("12,09351234567", "another");
    assert_eq!(told(&other), [first[1].clone(), first[2].clone(), first[0].clone()]);
    assert_eq!(
        [&other[0]["receptor"], &other[0]["sender"], &other[0]["cost"]],
        [&json!("12"), &json!("10001"), &json!(0)]
    );
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
}
