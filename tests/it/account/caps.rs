//! What an account may send at most: messages of patterns to one recipient, and money in a day.

use std::iter::repeat_n;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, World, to_end};

const PHONE: &str = "09121234567";
const OTHER: &str = "09351234567";

fn world() -> (World, Account) {
    let (world, shop) = World::with_busy_account(100_000_000);
    world.posted(
        &shop.key,
        "/pattern",
        json!({"slug": "code", "title": "x", "text": "code %A%"}),
    );
    world.activate(&shop.key, "code", 1);
    (world, shop)
}

fn code(recipients: &[&str]) -> Value {
    json!({"pattern": "code", "variables": {"A": "1"}, "recipients": recipients})
}

fn send_code(world: &World, key: &str, recipients: &[&str]) -> Answer {
    world.post(key, "/sms/pattern", code(recipients))
}

fn limit(world: &World, shop: &Account, limit: u32, window_seconds: u32) {
    let limit = json!({"limit": limit, "windowSeconds": window_seconds});
    world.change_account(shop, json!({ "recipientLimit": limit }));
}

/// The statuses of so many requests that arrive at the same time and travel together.
fn at_once(world: &World, key: &str, path: &str, bodies: impl Iterator<Item = Value>) -> Vec<u16> {
    world.calls_travel.set(true);
    let requests = bodies.map(|body| world.ask("POST", key, path).json(body).answer());
    let answers = to_end(join_all(requests));
    world.calls_travel.set(false);
    answers.iter().map(|answer| answer.response.status).collect()
}

#[test]
fn twenty_codes_an_hour_reach_a_phone_and_the_next_waits_as_long_as_it_is_told() {
    let (world, shop) = world();
    for _ in 0..20 {
        send_code(&world, &shop.key, &[PHONE]).expect(201);
        world.advance(MINUTE_MS);
    }
    let balance = world.balance(&shop.key);
    let refused = send_code(&world, &shop.key, &[OTHER, PHONE]).problem(429, 3018);
    assert_eq!(refused.text("/name"), "SmsRecipientLimit");
    let named = ["recipients[1]: +989121234567 has got as many of these messages as it may get for now"];
    assert_eq!(refused.extra(), named);
    let wait_s: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
    assert_eq!(wait_s, 40 * 60);
    assert_eq!(world.balance(&shop.key), balance);
    send_code(&world, &shop.key, &[OTHER]).expect(201);
    world.advance(wait_s * SECOND_MS - 1_000);
    send_code(&world, &shop.key, &[PHONE]).problem(429, 3018);
    world.advance(1_000);
    send_code(&world, &shop.key, &[OTHER, PHONE]).expect(201);
    send_code(&world, &shop.key, &[PHONE]).problem(429, 3018);
}

#[test]
fn only_messages_of_patterns_that_leave_count() {
    let (world, shop) = world();
    limit(&world, &shop, 2, 3_600);
    let test_key = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    for _ in 0..3 {
        world.send(&shop.key, &[PHONE]).expect(201);
        world.send(&shop.key, &[PHONE, OTHER]).expect(201);
        send_code(&world, &test_key, &[PHONE]).expect(201);
    }
    send_code(&world, &shop.key, &[PHONE]).expect(201);
    let item = json!({"recipient": PHONE, "pattern": "code", "variables": {"A": "1"}});
    let bulk = json!({"messages": [item, {"recipient": OTHER, "message": "x"}]});
    world.post(&shop.key, "/sms/bulk", bulk.clone()).expect(201);
    world.send(&shop.key, &[PHONE]).expect(201);
    send_code(&world, &shop.key, &[PHONE]).problem(429, 3018);
    let refused = world.post(&shop.key, "/sms/bulk", bulk.clone()).problem(429, 3018);
    assert_eq!(refused.places(), ["messages[0].recipient"]);
    let estimate = world
        .post(&shop.key, "/sms/estimate", json!({ "bulk": bulk }))
        .expect(200);
    assert_eq!(estimate.json["data"]["faults"][0]["code"], 3018);
    world.send(&shop.key, &[PHONE]).expect(201);
    send_code(&world, &test_key, &[PHONE]).expect(201);
    limit(&world, &shop, 0, 3_600);
    send_code(&world, &shop.key, &[PHONE]).expect(201);
}

#[test]
fn a_limit_finds_the_codes_behind_many_other_messages() {
    let (world, shop) = world();
    limit(&world, &shop, 1, 3_600);
    send_code(&world, &shop.key, &[PHONE]).expect(201);
    for _ in 0..50 {
        world.send(&shop.key, &[PHONE]).expect(201);
    }
    send_code(&world, &shop.key, &[PHONE]).problem(429, 3018);
    world.advance(HOUR_MS);
    send_code(&world, &shop.key, &[PHONE]).expect(201);
}

#[test]
fn of_a_hundred_codes_at_once_as_many_are_sent_as_the_recipient_may_get() {
    let (world, shop) = world();
    let statuses = at_once(&world, &shop.key, "/sms/pattern", repeat_n(code(&[PHONE]), 100));
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 20);
    assert!(statuses.iter().all(|status| matches!(status, 201 | 429)));
    world.settle(MINUTE_MS);
    assert_eq!(world.handed(&shop.id).len(), 20);
    assert_eq!(world.balance(&shop.key), (100_000_000 - 20_000, 0));
}

#[test]
fn a_repeat_of_an_accepted_code_is_answered_although_the_limit_is_reached() {
    let (world, shop) = world();
    limit(&world, &shop, 1, 3_600);
    let first = world
        .post_once(&shop.key, "/sms/pattern", "k", code(&[PHONE]))
        .expect(201);
    send_code(&world, &shop.key, &[PHONE]).problem(429, 3018);
    let again = world
        .post_once(&shop.key, "/sms/pattern", "k", code(&[PHONE]))
        .expect(201);
    assert_eq!(again.text("/data/uid"), first.text("/data/uid"));
}

#[test]
fn an_account_spends_no_more_in_a_day_than_it_may_and_begins_anew_at_midnight() {
    let (world, shop) = World::with_account(100_000);
    world.change_account(&shop, json!({"dailySpend": 3_000}));
    world.send(&shop.key, &[PHONE, OTHER]).expect(201);
    let refused = world.send(&shop.key, &[PHONE, OTHER]).problem(429, 2002);
    assert_eq!(refused.text("/name"), "DailyLimitReached");
    assert!(refused.text("/detail").contains("2000 of the 3000"));
    // The world begins at noon.
    assert_eq!(refused.header("Retry-After"), Some("43200"));
    world.send(&shop.key, &[PHONE]).expect(201);
    world.send(&shop.key, &[PHONE]).problem(429, 2002);
    let account = world.look(&shop.path(""));
    assert_eq!(
        (account.int("/data/dailySpend"), account.int("/data/spentToday")),
        (3_000, 3_000)
    );
    let test_key = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    world.send(&test_key, &[PHONE]).expect(201);
    let estimate = json!({"send": {"message": "x", "recipients": [PHONE]}});
    let estimate = world.post(&shop.key, "/sms/estimate", estimate).expect(200);
    assert_eq!(estimate.json["data"]["faults"][0]["code"], 2002);
    world.advance(DAY_MS / 2 - 1);
    world.send(&shop.key, &[PHONE]).problem(429, 2002);
    world.advance(1);
    world.send(&shop.key, &[PHONE]).expect(201);
    assert_eq!(world.look(&shop.path("")).int("/data/spentToday"), 1_000);
    world.change_account(&shop, json!({"dailySpend": null}));
    world.send(&shop.key, &[PHONE, OTHER, "09201234567"]).expect(201);
    assert_eq!(world.look(&shop.path("")).json["data"]["dailySpend"], Value::Null);
}

#[test]
fn of_a_hundred_sends_at_once_as_many_are_accepted_as_the_day_has_money_for() {
    let (world, shop) = World::with_busy_account(100_000_000);
    world.change_account(&shop, json!({"dailySpend": 37_500}));
    let sends = (0..100).map(|at| json!({"message": "x", "recipients": [format!("0912123{at:04}")]}));
    let statuses = at_once(&world, &shop.key, "/sms/send", sends);
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 37);
    assert_eq!(world.balance(&shop.key), (100_000_000 - 37_000, 37_000));
}

#[test]
fn bad_caps_are_refused_and_change_nothing() {
    let (world, shop) = World::with_account(0);
    let window = |limit: i64, window: i64| json!({"recipientLimit": {"limit": limit, "windowSeconds": window}});
    for bad in [
        window(-1, 60),
        window(1_001, 60),
        window(20, 0),
        window(20, 86_401),
        json!({"recipientLimit": {"limit": 20}}),
        json!({"dailySpend": -1}),
        json!({"dailySpend": "many"}),
    ] {
        world.admin("PATCH", &shop.path(""), bad).problem(422, 422);
    }
    let account = world.look(&shop.path(""));
    let default = json!({"limit": 20, "windowSeconds": 3_600});
    assert_eq!(account.json["data"]["recipientLimit"], default);
    assert_eq!(account.json["data"]["dailySpend"], Value::Null);
}
