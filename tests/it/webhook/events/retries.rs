//! Receivers that fail: when they get the event again, and when they are given up.

use peyk::base::ports::PortError;
use serde_json::json;

use super::{URL, answer, deliveries, endpoint, listen, of_type};
use crate::support::{World, assert_has, time::DAY_MS, time::HOUR_MS, time::MINUTE_MS, time::SECOND_MS};

#[test]
fn a_receiver_that_fails_gets_the_same_event_again_at_the_times_of_the_schedule() {
    let (world, shop) = World::with_account(100_000);
    let failures = [500, 302, 404, 429, 0];
    let hits = listen(&world, move |count, _| match failures.get(count) {
        Some(0) => Err(PortError::unavailable("fetch", "no response")),
        Some(status) => answer(*status),
        None => answer(200),
    });
    let made = endpoint(&world, &shop, &["message.status"]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(DAY_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 6);
    for (pair, wait_s) in hits.windows(2).zip([5, 300, 1_800, 7_200, 18_000]) {
        assert_eq!((&pair[0].id, &pair[0].text), (&pair[1].id, &pair[1].text));
        assert!(pair[1].is_signed_with(&made.text("/data/secret")));
        let waited_s = pair[1].timestamp_s - pair[0].timestamp_s;
        assert!(
            (wait_s..=wait_s + wait_s / 10 + 2).contains(&waited_s),
            "{waited_s} for {wait_s}"
        );
    }
    let log = deliveries(&world, &shop, &made.text("/data/id"));
    assert_eq!(log.len(), 1);
    assert_has(&log[0], json!({"status": "DELIVERED", "attempts": 6}));
    assert_has(&log[0], json!({"responseStatus": 200, "error": null}));
    assert_eq!(log[0]["id"], hits[0].id.as_str());
    assert!(log[0]["nextAttemptAt"].is_null() && log[0]["lastAttemptAt"].is_string());
}

#[test]
fn an_operators_schedule_decides_when_and_how_often_an_event_is_tried() {
    let (world, shop) = World::with_account(100_000);
    let waits = ("WEBHOOK_RETRY_SECONDS", "60, 7, 86400".to_owned());
    world.settings.borrow_mut().extend([waits]);
    let hits = listen(&world, |_, _| answer(500));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(3 * DAY_MS);
    let hits = hits.borrow();
    let waited_s = hits.windows(2).map(|pair| pair[1].timestamp_s - pair[0].timestamp_s);
    let waited_s: Vec<i64> = waited_s.collect();
    assert_eq!(waited_s.len(), 3, "{waited_s:?}");
    for (waited_s, wait_s) in waited_s.iter().zip([60, 7, 86_400]) {
        assert!(
            (wait_s..=wait_s + wait_s / 10 + 2).contains(waited_s),
            "{waited_s} for {wait_s}"
        );
    }
    let log = deliveries(&world, &shop, &id);
    assert_eq!((&log[0]["status"], &log[0]["attempts"]), (&json!("FAILED"), &json!(4)));
}

#[test]
fn a_delivery_that_fails_ten_times_has_failed_and_the_log_says_why_each_time() {
    let (world, shop) = World::with_account(100_000);
    let hits = listen(&world, |_, _| answer(503));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(20 * SECOND_MS);
    let log = deliveries(&world, &shop, &id);
    assert_has(&log[0], json!({"status": "WAITING", "responseStatus": 503}));
    assert_eq!(log[0]["error"], "STATUS");
    assert!(log[0]["nextAttemptAt"].is_string());
    world.settle(4 * DAY_MS);
    assert_eq!(hits.borrow().len(), 10);
    let log = deliveries(&world, &shop, &id);
    assert_eq!((&log[0]["status"], &log[0]["attempts"]), (&json!("FAILED"), &json!(10)));
    let got = world.read(&shop.key, &format!("/webhook/{id}"));
    assert_eq!(got.json["data"]["active"], true, "four days are not five");
}

#[test]
fn five_days_of_failure_disable_an_endpoint_and_its_log_and_the_others_say_so() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |_, hit| answer(if hit.url == URL { 500 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    let other = json!({"url": "https://ops.example/", "events": ["webhook.disabled"]});
    world.posted(&shop.key, "/webhook", other);
    for _ in 0..6 {
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.settle(DAY_MS);
    }
    let got = world.read(&shop.key, &format!("/webhook/{id}"));
    assert_eq!(got.json["data"]["active"], false);
    assert_eq!(got.json["data"]["disabledReason"], "FAILING");
    let found = deliveries(&world, &shop, &id)
        .iter()
        .filter(|item| item["type"] == "webhook.disabled" && item["status"] == "NOTED")
        .count();
    assert_eq!(found, 1);
    let hits = hits.borrow();
    let told = of_type(&hits, "webhook.disabled");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].url, "https://ops.example/");
    let expected = json!({"endpoint": id, "url": URL, "reason": "FAILING"});
    assert_eq!(told[0].body["data"], expected);
    let lines = world.log.borrow();
    let tells = |line: &String| line.contains("endpoint is disabled") && line.contains(&shop.id);
    assert!(lines.iter().any(tells));
}

#[test]
fn a_success_in_between_ends_the_count_of_days() {
    let (world, shop) = World::with_busy_account(100_000);
    listen(&world, |count, _| answer(if count == 30 { 200 } else { 500 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    for _ in 0..6 {
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.settle(DAY_MS);
    }
    assert!(world.webhook_sql(&shop.id).number("SELECT sum(attempts) FROM delivery") > 31);
    let got = world.read(&shop.key, &format!("/webhook/{id}"));
    assert_eq!(got.json["data"]["active"], true);
}

#[test]
fn a_receiver_that_is_gone_gets_nothing_more_until_it_is_switched_on_again() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |count, _| answer(if count == 0 { 410 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    let path = format!("/webhook/{id}");
    let got = world.read(&shop.key, &path);
    let wanted = (&json!(false), "GONE".to_owned());
    assert_eq!((&got.json["data"]["active"], got.text("/data/disabledReason")), wanted);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(DAY_MS);
    assert_eq!(hits.borrow().len(), 1);
    world.post(&shop.key, &format!("{path}/test"), json!({})).refused(409);
    let log = deliveries(&world, &shop, &id);
    let failed = log.iter().find(|item| item["status"] == "FAILED").unwrap();
    assert_eq!(failed["error"], "GONE");
    let redeliver = format!("{path}/deliveries/{}/redeliver", failed["id"].as_str().unwrap());
    world.post(&shop.key, &redeliver, json!({})).refused(409);
    let on = world.put(&shop.key, &path, json!({"active": true})).expect(200);
    on.has(json!({"active": true, "disabledReason": null}));
    world.send(&shop.key, &["09121234567"]).expect(201);
    let again = world.post(&shop.key, &redeliver, json!({})).expect(200);
    assert_eq!(again.text("/data/status"), "WAITING");
    world.settle(MINUTE_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 3);
    let found = hits
        .iter()
        .filter(|hit| hit.id == hits[0].id && hit.text == hits[0].text)
        .count();
    assert_eq!(found, 2);
}

#[test]
fn a_receiver_that_asks_for_a_pause_gets_nothing_until_it_is_over() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |count, _| {
        let mut response = answer(if count == 0 { 429 } else { 200 })?;
        response.retry_after = (count == 0).then(|| "600".to_owned());
        Ok(response)
    });
    endpoint(&world, &shop, &["message.status"]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(10 * SECOND_MS);
    world.send(&shop.key, &["09121234568"]).expect(201);
    world.settle(HOUR_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 3);
    assert!(hits[1..].iter().all(|hit| hit.timestamp_s - hits[0].timestamp_s >= 600));
    assert!(hits[1..].iter().all(|hit| hit.timestamp_s - hits[0].timestamp_s <= 610));
}

#[test]
fn a_delivery_shows_what_the_receiver_got_to_who_may_read_it() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |_, _| answer(500));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    let path = format!("/webhook/{id}");
    assert_eq!(world.read(&shop.key, &path).json["data"]["failingSince"], json!(null));
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.settle(MINUTE_MS);
    let delivery = deliveries(&world, &shop, &id).remove(0);
    let one = format!("{path}/deliveries/{}", delivery["id"].as_str().unwrap());
    let shown = world.read(&shop.key, &one);
    shown.has(delivery);
    assert_eq!(shown.text("/data/url"), URL);
    let hit = hits.borrow()[0].clone();
    assert_eq!(shown.text("/data/body"), hit.text);
    assert_eq!(hit.body["data"]["uid"], json!(uid));
    let first = world.read(&shop.key, &path).text("/data/failingSince");
    assert_eq!(first, delivery_time(&hits, 0), "since the first attempt that failed");

    let scopes = json!({"title": "endpoints only", "scopes": ["webhook"]});
    let blind = world.grant(&shop, scopes).text("/data/key");
    let refused = world.get(&blind, &one).problem(403, 403);
    assert!(
        refused.header("WWW-Authenticate").unwrap().contains("sms:read"),
        "{}",
        refused.body
    );
    world
        .get(&shop.key, &format!("{path}/deliveries/evt_1"))
        .problem(404, 404);

    world
        .put(&shop.key, &path, json!({"url": "https://new.example/"}))
        .expect(200)
        .has(json!({"failingSince": null}));
}

fn delivery_time(hits: &super::Hits, at: usize) -> String {
    peyk::base::time::to_rfc3339(hits.borrow()[at].timestamp_s * 1_000)
}
