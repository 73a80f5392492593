//! What waits in an SMSC's object comes back when a number is erased, and when its line gets another carrier.

use serde_json::json;

use crate::support::life::Life;
use crate::support::smpp::{SUBMITTED, has, number, send, statuses, world};
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, World};

const CANCELED: i64 = 8;

fn eraser(world: &World, shop: &Account) -> String {
    let scopes = json!({"title": "privacy", "scopes": ["erasure"]});
    world.grant(shop, scopes).text("/data/key")
}

fn erase(world: &World, key: &str, index: usize) {
    world
        .post(key, "/erasures", json!({"number": number(index)}))
        .expect(202);
}

#[test]
fn an_erased_recipient_that_waits_in_an_smscs_object_never_leaves_and_the_others_leave_once() {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 20}));
    let key = eraser(&world, &shop);
    let before = world.balance(&shop.key);
    let life = Life::of(&world);
    // Several chunks, of which some have an erased recipient.
    send(&world, &shop, "hello", 0..300);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 20);
    (260..290).for_each(|index| erase(&world, &key, index));
    // The same number again changes nothing.
    erase(&world, &key, 270);
    life.settle_until(2 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 270));
    life.settle(MINUTE_MS);
    assert_eq!(statuses(&world, &shop), [(SUBMITTED, 270), (CANCELED, 30)].into());
    assert!((260..290).all(|index| smsc.got_by(&number(index)).is_empty()));
    assert!(smsc.counts().values().all(|count| *count == 1));
    assert_eq!(world.balance(&shop.key), (before.0 - 270_000, 0));
}

#[test]
fn an_erasure_is_answered_when_the_carriers_object_is_not_and_who_comes_back_is_canceled() {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 5}));
    let key = eraser(&world, &shop);
    let life = Life::of(&world);
    send(&world, &shop, "hello", 0..300);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 5);
    world.failing_request.set(Some("HoldBack"));
    erase(&world, &key, 299);
    assert!(world.has_logged("what was erased may leave"));
    world.failing_request.set(None);
    life.settle_until(3 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 299));
    assert_eq!(statuses(&world, &shop).get(&CANCELED), Some(&1));
    assert!(smsc.got_by(&number(299)).is_empty());
}

#[test]
fn what_waits_in_an_smscs_object_leaves_by_the_new_carrier_of_its_line() {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 20}));
    let life = Life::of(&world);
    send(&world, &shop, "hello", 0..300);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 20);
    world
        .admin("PATCH", "/admin/lines/20002", json!({"carrier": "sandbox"}))
        .expect(200);
    life.settle(SECOND_MS);
    let gone = smsc.got_count();
    life.settle(MINUTE_MS);
    assert_eq!(smsc.got_count(), gone, "the old carrier gets nothing more");
    assert_eq!(world.inbox(&shop.id).len(), 300 - gone);
    // Moved back, the line goes by the old carrier at once.
    world
        .admin("PATCH", "/admin/lines/20002", json!({"carrier": "mci"}))
        .expect(200);
    send(&world, &shop, "hello", 300..310);
    life.settle_until(MINUTE_MS, || smsc.got_count() == gone + 10);
    assert!(smsc.counts().values().all(|count| *count == 1));
}

#[test]
fn what_waits_in_an_smscs_object_stays_with_the_account_when_its_line_is_paused() {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 20}));
    let life = Life::of(&world);
    send(&world, &shop, "hello", 0..200);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 20);
    let pause = |paused: bool| world.admin("PATCH", "/admin/lines/20002", json!({"paused": paused}));
    pause(true).expect(200);
    life.settle(SECOND_MS);
    let gone = smsc.got_count();
    life.settle(2 * MINUTE_MS);
    assert_eq!(smsc.got_count(), gone);
    pause(false).expect(200);
    life.settle_until(3 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 200));
    assert!(smsc.counts().values().all(|count| *count == 1));
}
