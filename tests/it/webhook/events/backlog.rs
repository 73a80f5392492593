//! Events on their way to the webhook object, and its log: bounded, and none lost.

use peyk::account;
use peyk::account::outbox::events::{self, NoteWebhooks};
use peyk::webhook::event::{MAX_WAITING, TakeEvents};
use peyk::webhook::sweep;
use serde_json::{Value, json};

use super::{answer, deliveries, endpoint, listen};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, assert_contains, life::Life, to_end};

/// Events as an account's object hands them over.
fn events(range: std::ops::Range<i64>) -> Value {
    let event = |index: i64| {
        let unique: [u8; 10] = std::array::from_fn(|at| if at < 8 { index.to_be_bytes()[at] } else { 0 });
        json!({"id": events::id_of(1_767_268_800_000 + index, &unique), "type": "message.status",
            "made_ms": 1_767_268_800_000_i64 + index, "data": {"n": index}})
    };
    Value::Array(range.map(event).collect())
}

fn hand(world: &World, shop: &Account, range: std::ops::Range<i64>) {
    let take: TakeEvents = serde_json::from_value(events(range)).unwrap();
    to_end(account::ask(world, &shop.id, None, None, &take))
        .unwrap()
        .unwrap();
}

#[test]
fn events_that_are_handed_over_again_are_told_once() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status"]);
    hand(&world, &shop, 0..10);
    hand(&world, &shop, 0..10);
    world.settle(SECOND_MS);
    hand(&world, &shop, 5..15);
    world.settle(HOUR_MS);
    let mut numbers: Vec<i64> = hits
        .borrow()
        .iter()
        .map(|hit| hit.body["data"]["n"].as_i64().unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..15).collect::<Vec<_>>());
}

#[test]
fn more_events_than_an_invocation_tells_go_on_in_the_next_at_once() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status"]);
    world.receiver_takes_ms.set(4);
    let life = Life::of(&world);
    for at in 0..6 {
        hand(&world, &shop, at * 500..(at + 1) * 500);
    }
    // Four at a time take three seconds.
    life.settle_until(4 * SECOND_MS, || hits.borrow().len() == 3_000);
}

#[test]
fn a_full_backlog_drops_the_oldest_and_the_log_has_them() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |count, _| answer(if count == 0 { 500 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    for at in 0..11 {
        hand(&world, &shop, at * 1_000..(at + 1) * 1_000);
    }
    let sql = world.webhook_sql(&shop.id);
    assert_eq!(sql.count("delivery WHERE state = 0"), MAX_WAITING);
    let last = world.read(&shop.key, &format!("/webhook/{id}/deliveries?limit=1"));
    assert!(!last.text("/meta/nextCursor").is_empty());
    let dropped = sql.run("SELECT event FROM delivery WHERE state = 3 ORDER BY event");
    assert_eq!(dropped.len(), 1_000);
    let oldest = dropped[0].text(0).unwrap();
    assert_eq!(oldest, events(0..1)[0]["id"].as_str().unwrap());
    // What is asked for by hand drops nothing.
    let redeliver = format!("/webhook/{id}/deliveries/{oldest}/redeliver");
    for path in [redeliver.clone(), format!("/webhook/{id}/test")] {
        let refused = world.post(&shop.key, &path, json!({})).refused(409);
        assert_contains(&refused.text("/detail"), "Too many events wait");
    }
    assert_eq!(sql.count("delivery WHERE state = 0"), MAX_WAITING);
    // One that waits anyway may be asked for.
    let waits = sql.run("SELECT max(event) FROM delivery WHERE state = 0")[0]
        .text(0)
        .unwrap();
    let again = format!("/webhook/{id}/deliveries/{waits}/redeliver");
    world.post(&shop.key, &again, json!({})).expect(200);
    world.settle(HOUR_MS);
    assert_eq!(hits.borrow().len(), 10_001);
    world.post(&shop.key, &redeliver, json!({})).expect(200);
    world.settle(SECOND_MS);
    assert_eq!(hits.borrow().last().unwrap().id, oldest);
}

#[test]
fn the_log_keeps_thirty_days_and_a_bounded_number_of_events() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |_, hit| {
        answer(if hit.body["data"]["n"] == 7 { 500 } else { 200 })
    });
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    hand(&world, &shop, 0..100);
    world.settle(MINUTE_MS);
    let sql = world.webhook_sql(&shop.id);
    let counts = || (sql.count("event"), sql.count("delivery"));
    assert_eq!(counts(), (100, 100));
    // What waits is never forgotten because there is too much.
    sweep::forget_old(&*sql, world.now_ms.get(), 20).unwrap();
    assert_eq!(counts(), (21, 21));
    world.settle(29 * DAY_MS);
    assert_eq!(counts(), (21, 21));
    world.settle(DAY_MS + 2 * HOUR_MS);
    assert_eq!(counts(), (0, 0));
    assert_eq!(hits.borrow().len(), 109);
    // A deleted endpoint takes its log with it, in steps.
    hand(&world, &shop, 40 * DAY_MS..40 * DAY_MS + 5_000);
    world.settle(MINUTE_MS);
    assert_eq!(counts().1, 5_000);
    world.delete(&shop.key, &format!("/webhook/{id}")).expect(204);
    world.settle(MINUTE_MS);
    assert_eq!(counts().1, 0);
    world.settle(45 * DAY_MS);
    assert_eq!(counts().0, 0);
}

#[test]
fn the_account_hears_of_a_change_although_the_first_call_is_lost() {
    let (world, shop) = World::with_account(10_000);
    let hits = listen(&world, |_, _| answer(200));
    world.sql(&shop.id).fail("INSERT INTO webhook", 1_000);
    endpoint(&world, &shop, &["message.status"]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    assert!(hits.borrow().is_empty());
    // What became true before it heard of the endpoint is not told.
    world.sql(&shop.id).fail("", 0);
    world.settle(MINUTE_MS);
    assert!(hits.borrow().is_empty());
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    assert_eq!(hits.borrow().len(), 1);
    // An older note that comes late changes nothing.
    let old = NoteWebhooks {
        version: 0,
        types: Vec::new(),
        test_types: Vec::new(),
        low_balances: Vec::new(),
    };
    to_end(account::ask(&world, &shop.id, None, None, &old)).unwrap();
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    assert_eq!(hits.borrow().len(), 2);
}

#[test]
fn events_wait_a_week_for_a_webhook_object_that_fails() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status"]);
    let broken = world.webhook_sql(&shop.id);
    broken.fail("INSERT INTO event", u32::MAX);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    let sql = world.sql(&shop.id);
    let waiting = || sql.count("event");
    assert_eq!((waiting(), hits.borrow().len()), (1, 0));
    world.advance(6 * DAY_MS);
    world.ring(&shop.id);
    assert_eq!(waiting(), 1);
    world.send(&shop.key, &["09121234568"]).expect(201);
    world.settle(MINUTE_MS);
    world.advance(DAY_MS);
    world.ring(&shop.id);
    assert_eq!(waiting(), 1, "the older one is given up");
    assert!(world.has_logged("events are given up"));
    broken.fail("", 0);
    world.settle(MINUTE_MS);
    assert_eq!((waiting(), hits.borrow().len()), (0, 1));
    let wanted = [("+989121234568".to_owned(), "DELIVERED".to_owned())];
    assert_eq!(hits.borrow()[0].recipients(), wanted);
}

#[test]
fn no_statement_walks_through_the_log_or_the_outbox() {
    let (world, shop) = World::with_busy_account(1_000_000);
    listen(&world, |count, _| answer(if count % 3 == 0 { 500 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status", "wallet.low"]).text("/data/id");
    for _ in 0..5 {
        world.send(&shop.key, &["09121234567", "09121234901"]).expect(201);
    }
    world.settle(DAY_MS);
    let log = deliveries(&world, &shop, &id);
    let path = format!("/webhook/{id}/deliveries/{}/redeliver", log[0]["id"].as_str().unwrap());
    world.post(&shop.key, &path, json!({})).expect(200);
    world.settle(DAY_MS);
    for sql in [world.webhook_sql(&shop.id), world.sql(&shop.id)] {
        let is_first_row = |scan: &str| {
            scan.contains("EXISTS (SELECT 1 FROM event)") || (scan.contains(" LIMIT ") && !scan.contains(" WHERE "))
        };
        let mut scans = sql.scans();
        scans.retain(|scan| {
            let mut steps = scan.lines().map(str::trim);
            steps.any(|step| ["SCAN delivery", "SCAN d", "SCAN event", "SCAN e"].contains(&step)) && !is_first_row(scan)
        });
        assert_eq!(scans, Vec::<String>::new());
    }
}
