//! Chunks that are stuck: operators see them while they wait for their carrier, and not longer.

use peyk::account::chunk::stalled::{LOOK_MS, MAX_STALLED, STALLED_MS};
use serde_json::{Value, json};

use crate::support::time::{DAY_MS, MINUTE_MS};
use crate::support::{Account, World, assert_contains, assert_has};

/// An account on a line whose carrier has no room.
fn full_carrier() -> (World, Account) {
    let (world, shop) = World::with_busy_account(10_000_000);
    set_room(&world, false);
    (world, shop)
}

/// Gives the carrier room, or takes it away.
fn set_room(world: &World, has_room: bool) {
    let settings = if has_room { "{}" } else { r#"{"window": 0}"# };
    let change = "UPDATE carrier SET settings = ?1, version = version + 1";
    world.db.run_with(change, &[settings.into()]);
}

/// Lets time pass without the many attempts that a waiting chunk makes in it.
fn pass(world: &World, shop: &Account, ms: i64) {
    world.work();
    world.advance(ms);
    for _ in 0..3 {
        world.ring(&shop.id);
        world.work();
    }
}

fn letters(world: &World) -> Vec<Value> {
    world.look("/admin/dead-letters?limit=200").items().clone()
}

#[test]
fn a_chunk_that_waits_for_an_hour_is_told_once_and_taken_back_when_it_moves() {
    let (world, shop) = full_carrier();
    let sent = world.send(&shop.key, &["09121234567", "09121234568"]).expect(201);
    pass(&world, &shop, STALLED_MS - 1);
    assert!(letters(&world).is_empty());
    pass(&world, &shop, 1);
    let first = letters(&world);
    assert_eq!(first.len(), 1);
    let letter = &first[0];
    let uid = sent.text("/data/uid");
    let told = json!({"kind": "STUCK", "account": shop.id, "message": uid, "carrier": "sandbox", "recipients": 2});
    assert_has(letter, told);
    assert_eq!(letter["reason"], "it waits for its carrier for more than an hour");
    assert!(letter["attempts"].as_i64().unwrap() >= 1);
    for _ in 0..5 {
        pass(&world, &shop, LOOK_MS);
        assert_eq!(letters(&world), first, "it is told once");
    }
    set_room(&world, true);
    pass(&world, &shop, LOOK_MS);
    world.settle(LOOK_MS);
    assert!(letters(&world).is_empty());
    assert_eq!(world.balance(&shop.key), (10_000_000 - 2_000, 0));
    assert_eq!(world.count(&shop, "stuck"), 0);
}

#[test]
fn an_alarm_looks_by_itself() {
    let (world, shop) = full_carrier();
    world.send(&shop.key, &["09121234567"]).expect(201);
    pass(&world, &shop, STALLED_MS - 10_000);
    assert!(letters(&world).is_empty());
    world.settle(20_000);
    assert_eq!(letters(&world).len(), 1);
    set_room(&world, true);
    world.settle(LOOK_MS + MINUTE_MS);
    assert!(letters(&world).is_empty());
}

#[test]
fn what_waits_for_its_time_or_for_reports_is_not_stuck() {
    let (world, shop) = full_carrier();
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + 5 * STALLED_MS);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sendAt": at});
    let scheduled = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    set_room(&world, true);
    // This one is taken and never reported.
    world.reports_are_lost.set(true);
    world.send(&shop.key, &["09121234567"]).expect(201);
    pass(&world, &shop, 4 * STALLED_MS);
    set_room(&world, false);
    pass(&world, &shop, STALLED_MS);
    pass(&world, &shop, STALLED_MS - 2);
    assert!(letters(&world).is_empty());
    // From its time on, the scheduled message should leave.
    pass(&world, &shop, LOOK_MS);
    let letters = letters(&world);
    assert_eq!((letters.len(), &letters[0]["message"]), (1, &json!(scheduled)));
}

#[test]
fn a_stuck_chunk_that_is_given_up_is_one_dead_letter() {
    let (world, shop) = full_carrier();
    world.send(&shop.key, &["09121234567"]).expect(201);
    pass(&world, &shop, STALLED_MS);
    assert_eq!(letters(&world)[0]["kind"], "STUCK");
    world.sql(&shop.id).run("UPDATE chunk SET failures = 11");
    world.carriers_are_down.set(true);
    pass(&world, &shop, LOOK_MS);
    world.settle(2 * LOOK_MS);
    let kinds: Vec<Value> = letters(&world).iter().map(|letter| letter["kind"].clone()).collect();
    assert_eq!(kinds, ["GIVEN_UP"]);
}

#[test]
fn a_directory_that_fails_learns_of_stuck_chunks_later_and_forgets_them_later() {
    let (world, shop) = full_carrier();
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.work();
    world.db.fail("INTO dead_letter", 1);
    pass(&world, &shop, STALLED_MS);
    assert!(letters(&world).is_empty());
    pass(&world, &shop, 5_000);
    assert_eq!(letters(&world).len(), 1);
    set_room(&world, true);
    world.db.fail("DELETE FROM dead_letter WHERE account = ?1 AND seq", 1);
    pass(&world, &shop, LOOK_MS);
    pass(&world, &shop, LOOK_MS);
    assert_eq!(letters(&world).len(), 1);
    world.kill();
    pass(&world, &shop, LOOK_MS);
    assert!(letters(&world).is_empty());
    assert_eq!(world.count(&shop, "stuck"), 0);
}

#[test]
fn a_chunk_that_moves_before_the_directory_knows_it_is_never_told() {
    let (world, shop) = full_carrier();
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.work();
    world.db.fail("INTO dead_letter", 1_000);
    pass(&world, &shop, STALLED_MS);
    set_room(&world, true);
    pass(&world, &shop, LOOK_MS);
    assert_eq!(world.count(&shop, "dead_letter"), 1);
    pass(&world, &shop, LOOK_MS);
    world.db.fail("", 0);
    pass(&world, &shop, LOOK_MS);
    assert!(letters(&world).is_empty());
    assert_eq!(world.count(&shop, "dead_letter"), 0);
}

#[test]
fn an_accounts_backlog_fills_a_bounded_list_and_leaves_others_alone() {
    let (world, shop) = full_carrier();
    let other = world.account("other", 1_000);
    for _ in 0..MAX_STALLED + 50 {
        world.send(&shop.key, &["09121234567"]).expect(201);
    }
    world.send(&other.key, &["09121234567"]).expect(201);
    for account in [&shop, &other] {
        pass(&world, account, STALLED_MS);
        pass(&world, account, LOOK_MS);
    }
    let of = |account: &Account| world.db.count(&format!("dead_letter WHERE account = '{}'", account.id));
    assert_eq!((of(&shop), of(&other)), (MAX_STALLED, 1));
    set_room(&world, true);
    world.settle(2 * LOOK_MS);
    assert_eq!((of(&shop), of(&other)), (0, 0));
    let mut scans = world.sql(&shop.id).walks(&["chunk", "c", "m", "message", "stuck", "s"]);
    // The stuck chunks are few, a look reads the indexes of those that wait, and the tables of an object are always the same.
    scans.retain(|scan| {
        !["FROM stuck", "INDEXED BY", "sqlite_schema"]
            .iter()
            .any(|part| scan.contains(part))
    });
    assert!(scans.is_empty(), "{}", scans.join("\n"));
}

#[test]
fn an_account_without_waiting_chunks_never_looks() {
    let (world, shop) = World::with_account(10_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(10_000);
    let before = world.number(&shop, "SELECT look_due_ms FROM upkeep");
    world.settle(3 * STALLED_MS);
    assert_eq!(world.number(&shop, "SELECT look_due_ms FROM upkeep"), before);
}

/// Lets the sandbox refuse a number for now, again and again, until the object stops trying.
fn refused_each_time(world: &World, shop: &Account) -> String {
    let uid = world.sent(&shop.key, &["09121234905"]);
    world.work();
    // The sandbox refuses such a number twice. It forgets that it did.
    let forget = "CREATE TRIGGER forget AFTER UPDATE OF recipients ON handed_chunk \
                  BEGIN UPDATE handed_chunk SET recipients = '[' || (NEW.recipients -> 0) || ']'; END";
    world.sandbox_sql(&shop.id).run(forget);
    world.settle(40 * MINUTE_MS);
    uid
}

fn status(world: &World, shop: &Account, uid: &str) -> Value {
    world.read(&shop.key, &format!("/messages/{uid}/recipients")).json["data"][0]["status"].clone()
}

fn retry(world: &World, letter: &Value) -> crate::support::Answer {
    world.bare_post(&world.admin_key, &format!("/admin/dead-letters/{}/retry", letter["id"]))
}

#[test]
fn what_is_refused_each_time_waits_for_an_operator_who_can_try_it_again() {
    let (world, shop) = World::with_busy_account(10_000);
    let uid = refused_each_time(&world, &shop);
    assert_eq!(status(&world, &shop, &uid), "QUEUED");
    assert_eq!(world.balance(&shop.key), (9_000, 1_000), "its money stays reserved");
    let all = letters(&world);
    assert_eq!(all.len(), 1);
    assert_has(&all[0], json!({"kind": "STUCK", "attempts": 12}));
    assert_eq!(all[0]["reason"], "the carrier refused it for now, each time");
    // Nobody tries it any more.
    let attempts = || world.number(&shop, "SELECT attempt FROM chunk");
    world.settle(60 * MINUTE_MS);
    assert_eq!(attempts(), 12);
    assert_eq!(letters(&world), all);
    let sandbox = world.sandbox_sql(&shop.id);
    sandbox.run("DROP TRIGGER forget");
    let twice = "UPDATE handed_chunk SET recipients = '[' || (recipients -> 0) || ',' || (recipients -> 0) || ']'";
    sandbox.run(twice);
    retry(&world, &all[0]).expect(200);
    world.settle(MINUTE_MS);
    assert_eq!(status(&world, &shop, &uid), "DELIVERED");
    assert_eq!(attempts(), 13);
    world.settle(11 * MINUTE_MS);
    assert!(letters(&world).is_empty());
    retry(&world, &all[0]).refused(404);
}

#[test]
fn what_nobody_tries_again_is_given_up_when_its_time_is_over() {
    let (world, shop) = World::with_busy_account(10_000);
    let uid = refused_each_time(&world, &shop);
    world.settle(4 * 60 * MINUTE_MS);
    assert_eq!(status(&world, &shop, &uid), "REJECTED");
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    let all = letters(&world);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["kind"], "GIVEN_UP");
    // It is over: the client has been told, and has its money back.
    retry(&world, &all[0]).refused(409);
    assert_eq!(letters(&world), all);
    assert_eq!(status(&world, &shop, &uid), "REJECTED");
}

#[test]
fn a_chunk_that_waits_for_room_is_tried_at_once_and_is_not_stuck_for_another_hour() {
    let (world, shop) = full_carrier();
    let uid = world.sent(&shop.key, &["09121234567"]);
    pass(&world, &shop, STALLED_MS);
    let letter = letters(&world).remove(0);
    // A retry that changes nothing for the carrier: the chunk begins to wait anew.
    retry(&world, &letter).expect(200);
    pass(&world, &shop, LOOK_MS);
    assert!(letters(&world).is_empty());
    set_room(&world, true);
    world.settle(2 * MINUTE_MS);
    assert_eq!(status(&world, &shop, &uid), "DELIVERED");
}

#[test]
fn only_operators_retry_and_only_letters_that_are_there() {
    let (world, shop) = full_carrier();
    world.send(&shop.key, &["09121234567"]).expect(201);
    pass(&world, &shop, STALLED_MS);
    let letter = letters(&world).remove(0);
    let path = format!("/admin/dead-letters/{}/retry", letter["id"]);
    world.bare_post(&shop.key, &path).refused(403);
    world.request("POST", &path).send().refused(401);
    for id in ["0", "-1", "none", "9007199254740991", "99999999999999999999"] {
        let path = format!("/admin/dead-letters/{id}/retry");
        world.bare_post(&world.admin_key, &path).refused(404);
    }
    // A chunk that a carrier has by now is not stuck.
    set_room(&world, true);
    world.settle(2 * MINUTE_MS);
    retry(&world, &letter).refused(409);
}

/// What the object does with a chunk that can't be read, while another one of the same account is due.
fn assert_put_aside(world: &World, shop: &Account, broken: &str, whole: &str) {
    let sql = world.sql(&shop.id);
    let break_it = "UPDATE chunk SET recipients = '[' WHERE message = (SELECT id FROM message WHERE uid = ?1)";
    let mend_it = "UPDATE chunk SET recipients = ?2 WHERE message = (SELECT id FROM message WHERE uid = ?1)";
    let read = "SELECT recipients FROM chunk WHERE message = (SELECT id FROM message WHERE uid = ?1)";
    let before = sql.run_with(read, &[broken.into()])[0].text(0).unwrap();
    sql.run_with(break_it, &[broken.into()]);
    world.settle(2 * MINUTE_MS);
    assert_eq!(status(world, shop, whole), "DELIVERED");
    let letter = letters(world).remove(0);
    assert_has(&letter, json!({"kind": "GIVEN_UP", "message": broken}));
    assert_contains(letter["reason"].as_str().unwrap(), "is tried again in a day");
    assert_eq!(letters(world).len(), 1);
    sql.run_with(mend_it, &[broken.into(), before.as_str().into()]);
    world.settle(DAY_MS + MINUTE_MS);
    assert_eq!(status(world, shop, broken), "DELIVERED");
}

#[test]
fn a_chunk_that_cannot_be_read_keeps_no_other_from_its_time() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + MINUTE_MS);
    let schedule = || {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sendAt": at});
        world.posted(&shop.key, "/sms/send", body).text("/data/uid")
    };
    let (broken, whole) = (schedule(), schedule());
    assert_put_aside(&world, &shop, &broken, &whole);
}

#[test]
fn a_chunk_that_cannot_be_read_keeps_no_other_of_its_queue_from_its_carrier() {
    let (world, shop) = full_carrier();
    let (broken, whole) = (
        world.sent(&shop.key, &["09121234567"]),
        world.sent(&shop.key, &["09121234568"]),
    );
    pass(&world, &shop, MINUTE_MS);
    set_room(&world, true);
    assert_put_aside(&world, &shop, &broken, &whole);
}
