//! An outside that never answers: no alarm waits for it for longer than a minute (`Life` holds that), and when it is back,
//! nothing is lost.

use serde_json::json;

use crate::support::smpp::{DELIVERED, deliver_all, has, send, world};
use crate::support::time::{HOUR_MS, MINUTE_MS};
use crate::support::{Account, World, life::Life};

#[test]
fn receivers_that_hang_hold_up_no_alarm() {
    let (world, shop) = World::with_busy_account(10_000_000);
    for number in 0..5 {
        let url = format!("https://shop{number}.example/hook");
        world.posted(&shop.key, "/webhook", json!({"url": url, "events": ["message.status"]}));
    }
    let life = Life::of(&world);
    for number in 0..40 {
        world.sent(&shop.key, &[&format!("0912{number:07}")]);
    }
    life.settle(MINUTE_MS);
    let sql = world.webhook_sql(&shop.id);
    assert!(sql.count("delivery") >= 100);
    world.outside_hangs.set(true);
    for _ in 0..4 {
        sql.run("UPDATE delivery SET state = 0, due_ms = 0, failures = 0");
        sql.run("UPDATE endpoint SET held_ms = 0, active = 1");
        life.settle(10 * MINUTE_MS);
    }
    assert!(sql.number("SELECT max(attempts) FROM delivery") > 1);
}

#[test]
fn accounts_that_hang_hold_up_no_alarm_of_a_carrier_and_get_their_reports_later() {
    let (world, first, smsc) = world(json!({}));
    let shops: Vec<Account> = (0..12)
        .map(|index| world.account(&format!("shop{index}"), 100_000))
        .collect();
    let life = Life::of(&world);
    for (index, shop) in shops.iter().enumerate() {
        send(&world, shop, "hello", index..index + 1);
    }
    send(&world, &first, "hello", 12..40);
    life.settle_until(MINUTE_MS, || smsc.taken().len() == 40);
    life.settle(MINUTE_MS);
    world.outside_hangs.set(true);
    deliver_all(&smsc, 0);
    life.settle(3 * MINUTE_MS);
    // The reports are safe, so the SMSC has its answers.
    assert_eq!(smsc.confirmed().len(), 40);
    world.outside_hangs.set(false);
    let all_have = || shops.iter().all(|shop| has(&world, shop, DELIVERED, 1));
    life.settle_until(HOUR_MS, || all_have() && has(&world, &first, DELIVERED, 28));
}

#[test]
fn a_webhook_object_that_hangs_holds_up_no_alarm_of_its_account() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let body = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", body);
    let life = Life::of(&world);
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.outside_hangs.set(true);
    life.settle(10 * MINUTE_MS);
    world.outside_hangs.set(false);
    life.settle_until(HOUR_MS, || {
        world.message(&shop.key, &uid).text("/data/status") == "DONE"
    });
    life.settle(MINUTE_MS);
    assert!(world.webhook_sql(&shop.id).count("delivery") > 0);
}
