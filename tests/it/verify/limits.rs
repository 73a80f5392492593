//! How often a code is sent.

use serde_json::json;

use super::{MINUTE_MS, PHONE, code, start, started, texts, world};
use crate::support::World;

#[test]
fn a_repeat_sends_the_same_code_after_30_60_and_120_seconds() {
    let (world, shop) = world();
    let body = json!({"recipient": PHONE, "ttlSeconds": 900});
    let first = start(&world, &shop.key, body.clone()).expect(201);
    let right = code(&world);
    world.now_ms.set(world.now_ms.get() - 1_000);
    for (wait_s, sends) in [(30, 2), (60, 3), (120, 4), (120, 5)] {
        let early = start(&world, &shop.key, body.clone()).problem(429, 3018);
        let told: i64 = early.header("Retry-After").unwrap().parse().unwrap();
        assert!(told <= wait_s && told > wait_s - 3, "{told} of {wait_s}");
        world.advance(told * 1_000);
        let again = start(&world, &shop.key, body.clone()).expect(201);
        assert_eq!(again.text("/data/id"), first.text("/data/id"));
        assert_ne!(again.text("/data/messageUid"), first.text("/data/messageUid"));
        assert_eq!(again.int("/data/sends"), sends);
        assert_eq!(again.text("/data/expiresAt"), first.text("/data/expiresAt"));
        assert_eq!(code(&world), right);
    }
    // The fifth in ten minutes was the last.
    world.advance(2 * MINUTE_MS);
    let early = start(&world, &shop.key, body.clone()).problem(429, 3018);
    let told: i64 = early.header("Retry-After").unwrap().parse().unwrap();
    assert!(told > 100, "{told}");
    let other = json!({"recipient": PHONE, "purpose": "pay"});
    start(&world, &shop.key, other).problem(429, 3018);
    world.advance(told * 1_000);
    start(&world, &shop.key, body).expect(201);
}

#[test]
fn a_recipient_gets_ten_codes_a_day() {
    let (world, shop) = world();
    for _ in 0..10 {
        started(&world, &shop.key, PHONE);
        world.advance(5 * MINUTE_MS);
    }
    let refused = start(&world, &shop.key, json!({"recipient": PHONE})).problem(429, 3018);
    let told: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
    assert_eq!(told, 86_400 - 50 * 60);
    started(&world, &shop.key, "09121234568");
    world.advance(told * 1_000);
    started(&world, &shop.key, PHONE);
}

#[test]
fn a_repeat_of_another_length_sends_the_pending_code() {
    let (world, shop) = world();
    started(&world, &shop.key, PHONE);
    let right = code(&world);
    world.advance(30_000);
    start(&world, &shop.key, json!({"recipient": PHONE, "codeLength": 9})).expect(201);
    assert_eq!(code(&world), right);
}

#[test]
fn after_its_end_a_new_code_is_made() {
    let (world, shop) = world();
    let first = started(&world, &shop.key, PHONE);
    let old = code(&world);
    world.advance(2 * MINUTE_MS);
    let second = started(&world, &shop.key, PHONE);
    assert_ne!(first, second);
    let new = code(&world);
    world
        .read(&shop.key, &format!("/verify/{first}"))
        .has(json!({"status": "EXPIRED"}));
    if old != new {
        let wrong = super::check(&world, &shop.key, &second, &old).expect(200);
        wrong.has(json!({"verified": false}));
    }
    super::check(&world, &shop.key, &second, &new)
        .expect(200)
        .has(json!({"verified": true}));
}

#[test]
fn codes_count_for_the_limit_of_the_account_too() {
    let (world, shop) = world();
    world.change_account(&shop, json!({"recipientLimit": {"limit": 1, "windowSeconds": 3600}}));
    started(&world, &shop.key, PHONE);
    world.settle(1_000);
    world.advance(10 * MINUTE_MS);
    start(&world, &shop.key, json!({"recipient": PHONE})).problem(429, 3018);
    world.settle(1_000);
    assert_eq!(texts(&world).len(), 1);
}

/// A carrier that does not deliver is not asked twice: the phone may be in another network by now.
#[test]
fn a_repeat_goes_by_another_carrier_if_there_is_one() {
    let (world, shop) = world();
    world.add_sandboxes(&["other"], "{}");
    let routes = json!([{"carriers": [{"name": "kannel", "weight": 1_000}], "backup": [{"name": "other"}]}]);
    world.change("/admin/lines/20002", json!({"routes": routes, "allowSandbox": true}));
    world.advance(31_000);
    let body = json!({"recipient": PHONE, "ttlSeconds": 900});
    let carriers = |world: &World| {
        let rows = world.rows(&shop, "SELECT carrier FROM recipient ORDER BY message");
        rows.iter().map(|row| row.text(0).unwrap()).collect::<Vec<_>>()
    };
    start(&world, &shop.key, body.clone()).expect(201);
    world.settle(1_000);
    assert_eq!(carriers(&world), ["kannel"]);
    world.advance(30_000);
    start(&world, &shop.key, body.clone()).expect(201);
    world.settle(1_000);
    assert_eq!(carriers(&world), ["kannel", "other"]);
    // Both have had it: either may get it again.
    world.advance(60_000);
    start(&world, &shop.key, body).expect(201);
    world.settle(1_000);
    assert_eq!(carriers(&world).len(), 3);
}

#[test]
fn a_test_key_gets_any_number_of_codes_for_one_number() {
    let (world, shop) = world();
    let key = world.grant(&shop, json!({"title": "ci", "scopes": ["verify"], "mode": "test"}));
    let key = key.text("/data/key");
    // Those of live keys do not count for test keys either.
    for _ in 0..10 {
        started(&world, &shop.key, PHONE);
        world.advance(5 * MINUTE_MS);
    }
    for _ in 0..12 {
        let id = started(&world, &key, PHONE);
        let right = super::check(&world, &key, &id, "234567").expect(200);
        right.has(json!({"verified": true}));
    }
    // A code that lasts is sent again no sooner than with a live key.
    started(&world, &key, PHONE);
    start(&world, &key, json!({"recipient": PHONE})).problem(429, 3018);
}
