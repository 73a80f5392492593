//! What was sent, and how it is taken back.

use serde_json::{Value, json};

use super::{entries, ids, joined, refused};
use crate::doors::support::{MONEY, world};
use crate::support::World;
use crate::support::time::{DAY_MS, MINUTE_MS, SECOND_MS};

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
fn the_sums_by_status_are_the_sums_of_all() {
    let (world, shop) = world();
    let start = (world.now_ms.get() / 1_000).to_string();
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09131234567"]}));
    let long = "x".repeat(200);
    let texts = json!(["a", "b", long, "c"]).to_string();
    let lists = [
        (
            "receptor",
            r#"["09121234567","09131234567","09351234567","09351234902"]"#,
        ),
        ("message", texts.as_str()),
    ];
    entries(&world, &shop.key, "sms/sendarray", &lists);
    let receptors = "09121234567,09131234567,09351234902";
    entries(
        &world,
        &shop.key,
        "sms/send",
        &[("receptor", receptors), ("message", &long)],
    );
    world.settle(MINUTE_MS);
    let sums = |status: Option<u16>| -> [i64; 3] {
        let status = status.map(|status| status.to_string());
        let mut params = vec![("startdate", start.as_str())];
        params.extend(status.as_deref().map(|status| ("status", status)));
        let told = entries(&world, &shop.key, "sms/countoutbox", &params);
        ["sumcount", "sumpart", "cost"].map(|name| told[0][name].as_i64().unwrap())
    };
    let [delivered, undelivered, blocked] = [10, 11, 14].map(|status| sums(Some(status)));
    assert_eq!((delivered[0], undelivered[0], blocked[0]), (3, 2, 2));
    assert_eq!(blocked, [2, 0, 0], "who is left out gets no part, and costs nothing");
    let all = [0, 1, 2].map(|at| delivered[at] + undelivered[at] + blocked[at]);
    assert_eq!(sums(None), all);
    // The lists of the outbox have as many.
    let listed = entries(&world, &shop.key, "sms/selectoutbox", &[("startdate", &start)]);
    assert_eq!(listed.as_array().unwrap().len(), 7);
}
