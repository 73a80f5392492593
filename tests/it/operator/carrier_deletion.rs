//! The deletion of a carrier: it waits for the reports of what the carrier has taken, unless an operator insists.

use serde_json::json;

use crate::support::smpp::{DELIVERED, PORT, SUBMITTED, UNKNOWN, deliver_all, has, health, send, submit, world};
use crate::support::smsc::{Reply, Smsc};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS};
use crate::support::{Account, Answer, World, assert_contains, life::Life};

/// The directory has the accounts' usage after that.
const MIRRORED_MS: i64 = 2 * MINUTE_MS;

fn delete(world: &World, query: &str) -> Answer {
    world.admin("DELETE", &format!("/admin/carriers/mci{query}"), json!({}))
}

/// Three recipients whom an SMSC has taken, and no line goes to it any more.
fn taken(world: &World, life: &Life<'_>, shop: &Account, smsc: &Smsc) {
    smsc.answer(|_, _| Reply::Status(0, 0));
    submit(world, life, shop, "hello", 0..3);
    world.admin("DELETE", "/admin/lines/20002", json!({})).expect(204);
    life.settle(MIRRORED_MS);
}

/// What a deletion changes.
fn kept(world: &World) -> (Vec<String>, i64) {
    let carriers = world
        .db
        .texts("SELECT name || version || active FROM carrier ORDER BY name");
    (carriers, world.db.count("audit"))
}

#[test]
fn a_carrier_stays_until_all_that_it_took_is_reported() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0, 0));
    submit(&world, &life, &shop, "hello", 0..3);
    life.settle(MIRRORED_MS);
    let used = delete(&world, "").refused(409);
    assert_contains(&used.text("/detail"), "20002");
    assert_contains(&delete(&world, "?force=true").refused(409).text("/detail"), "20002");
    world.admin("DELETE", "/admin/lines/20002", json!({})).expect(204);
    let before = kept(&world);
    for query in ["", "?force=false"] {
        let detail = delete(&world, query).refused(409).text("/detail");
        assert_contains(&detail, ": 3.");
        assert_contains(&detail, "?force=true");
    }
    let refused = delete(&world, "?force=yes").refused(422);
    assert_eq!(refused.places(), ["force"]);
    assert_eq!(kept(&world), before);
    assert_eq!(health(&world)["state"], "UP");
    deliver_all(&smsc, 0);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 3));
    life.settle(MIRRORED_MS);
    delete(&world, "").expect(204);
    world.get(&world.admin_key, "/admin/carriers/mci").refused(404);
}

#[test]
fn one_that_took_messages_lately_stays_until_they_are_counted() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0, 0));
    submit(&world, &life, &shop, "hello", 0..3);
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 3));
    world.admin("DELETE", "/admin/lines/20002", json!({})).expect(204);
    let before = kept(&world);
    let detail = delete(&world, "").refused(409).text("/detail");
    assert_contains(&detail, "less than two minutes ago");
    assert_eq!(kept(&world), before);
    life.settle(MIRRORED_MS);
    assert_contains(&delete(&world, "").refused(409).text("/detail"), ": 3.");
    deliver_all(&smsc, 0);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 3));
    life.settle(MIRRORED_MS);
    delete(&world, "").expect(204);
}

#[test]
fn who_insists_deletes_it_and_makes_it_again_to_read_the_reports() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    taken(&world, &life, &shop, &smsc);
    delete(&world, "").refused(409);
    let entries = world.db.count("audit");
    delete(&world, "?force=true").expect(204);
    assert_eq!(world.db.count("audit"), entries + 1);
    world.get(&world.admin_key, "/admin/carriers/mci").refused(404);
    life.settle(MIRRORED_MS);
    let sessions = smsc.connections();
    let smpp = json!({"host": "smsc", "port": PORT, "tls": false, "systemId": "shop", "password": "secret"});
    world.create("/admin/carriers", json!({"name": "mci", "kind": "smpp", "smpp": smpp}));
    life.settle_until(MINUTE_MS, || smsc.connections() > sessions);
    assert!(has(&world, &shop, SUBMITTED, 3));
    // The new carrier owes the reports of the old one.
    assert_contains(&delete(&world, "").refused(409).text("/detail"), ": 3.");
    deliver_all(&smsc, sessions);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 3));
    life.settle(MIRRORED_MS);
    delete(&world, "").expect(204);
}

#[test]
fn what_has_no_answer_yet_counts_and_what_nobody_knows_of_does_not() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0, 1_000 * HOUR_MS));
    send(&world, &shop, "hello", 0..1);
    life.settle_until(MINUTE_MS, || health(&world)["inWindow"] == 1);
    world.admin("DELETE", "/admin/lines/20002", json!({})).expect(204);
    assert_contains(&delete(&world, "").refused(409).text("/detail"), ": 1.");
    life.settle_until(5 * MINUTE_MS, || has(&world, &shop, UNKNOWN, 1));
    life.settle(MIRRORED_MS);
    delete(&world, "").expect(204);
}

#[test]
fn every_ending_settles_and_so_does_time() {
    let world = World::new();
    world.create("/admin/carriers", json!({"name": "mci", "kind": "sandbox"}));
    let today = world.now_ms.get() / DAY_MS;
    let add = |account: &str, day: i64, carrier: &str, recipients: i64, ended: [i64; 3]| {
        world.db.run_with(
            "INSERT INTO usage VALUES (?1, ?2, '20002', ?3, 0, 0, ?4, 9, 9, 9, ?5, ?6, ?7, 8, 7, 6, 1)",
            &[
                account.into(),
                day.into(),
                carrier.into(),
                recipients.into(),
                ended[0].into(),
                ended[1].into(),
                ended[2].into(),
            ],
        );
    };
    let detail = || delete(&world, "").refused(409).text("/detail");
    add("a", today, "mci", 100, [10, 20, 30]);
    add("b", today, "mci", 7, [7, 0, 0]);
    // A message may leave 90 days after it was accepted.
    add("b", today - 93, "mci", 2, [0, 0, 0]);
    for (carrier, day) in [("", today), ("other", today), ("mc", today), ("mci", today - 121)] {
        add("c", day, carrier, 1_000, [0, 0, 0]);
    }
    assert_contains(&detail(), ": 42.");
    let persian = world
        .ask("DELETE", &world.admin_key, "/admin/carriers/mci")
        .language("fa");
    assert_contains(&persian.send().refused(409).text("/detail"), "42 گیرنده");
    world.db.run("UPDATE usage SET expired = 70 WHERE account = 'a'");
    assert_contains(&detail(), ": 2.");
    world
        .db
        .run("UPDATE usage SET undelivered = 2 WHERE account = 'b' AND recipients = 2");
    delete(&world, "").expect(204);
}
