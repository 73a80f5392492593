//! Whether what is kept of an account agrees with itself is checked: each kind of difference is reported, and none that is not
//! there, in the middle of work too.

use peyk::account::recount;
use peyk::account::recount::{RECIPIENTS_A_STEP, Recount};
use peyk::account::{reconcile::ENTRIES_A_STEP, reconcile::MAX_CHUNKS, usage::ROWS_A_STEP};
use peyk::base::ports::{PortError, Sql};
use peyk::objects::nightly;
use serde_json::{Value, json};

use crate::support::{Account, World, assert_has, time::HOUR_MS, to_end};

/// The usage is mirrored a minute after a change.
const REST_MS: i64 = 130_000;

/// What a check of the account finds now.
fn now(world: &World, shop: &Account) -> Value {
    let page = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    let items = page.items();
    assert_eq!(items.len(), 1, "{}", page.body);
    assert_eq!(items[0]["error"], Value::Null, "{}", page.body);
    items[0]["now"].clone()
}

/// The names of the checks that find a difference.
fn found(world: &World, shop: &Account) -> Vec<String> {
    let report = now(world, shop);
    let differences = report["differences"].as_array().unwrap().iter();
    differences
        .map(|difference| difference["check"].as_str().unwrap().to_owned())
        .collect()
}

/// An account that has sent some messages, and has one that waits.
fn at_rest() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000);
    for _ in 0..3 {
        world.send(&shop.key, &["09121234567", "09121234568"]).expect(201);
        world.write_gathered(&shop);
    }
    let later = json!({"message": "x", "recipients": ["09121234569"], "sendAt": "2026-01-05T12:00:00Z"});
    world.posted(&shop.key, "/sms/send", later);
    world.settle(REST_MS);
    world.write_gathered(&shop);
    (world, shop)
}

#[test]
fn each_difference_is_reported() {
    for (statement, expected) in [
        ("SELECT 1", &[][..]),
        (
            "UPDATE account SET locked = locked + 5, credited = credited + 5",
            &["WALLET", "LOCKED", "MIRROR"],
        ),
        (
            "UPDATE account SET available = available - 5, spent = spent + 5",
            &["WALLET", "MIRROR"],
        ),
        (
            "UPDATE ledger_page SET entries = json_replace(entries, '$[0][2]', 1) WHERE first = 2",
            &["LEDGER"],
        ),
        (
            "UPDATE ledger_page SET entries = json_replace(entries, '$[0][3]', 1) WHERE first = 2",
            &["LEDGER"],
        ),
        ("DELETE FROM ledger_page WHERE first = 2", &["LEDGER", "WALLET"]),
        ("DELETE FROM chunk WHERE state = 0", &["LOCKED", "USAGE"]),
        ("UPDATE chunk SET due_ms = 5 WHERE state = 0", &["STUCK"]),
    ] {
        let (world, shop) = at_rest();
        world.sql(&shop.id).run(statement);
        assert_eq!(found(&world, &shop), expected, "{statement}");
    }
    for statement in [
        "UPDATE account SET available = available + 1",
        "UPDATE account SET active = 0",
        "UPDATE account SET mirror_version = mirror_version - 1",
        "UPDATE account SET mirror_version = mirror_version + 1",
    ] {
        let (world, shop) = at_rest();
        // A mirror that is older may still be on its way for an hour.
        world.settle(2 * HOUR_MS);
        world.db.run(statement);
        assert_eq!(found(&world, &shop), ["MIRROR"], "{statement}");
    }
    for statement in [
        "UPDATE usage SET messages = messages + 1 WHERE carrier = ''",
        "UPDATE usage SET delivered = delivered - 1 WHERE carrier = 'sandbox'",
        "UPDATE usage SET version = version + 1",
        "INSERT INTO usage SELECT account, day, line, 'other', test, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1 FROM usage LIMIT 1",
    ] {
        let (world, shop) = at_rest();
        world.db.run(statement);
        assert_eq!(found(&world, &shop), ["USAGE"], "{statement}");
    }
}

fn night(world: &World) {
    to_end(nightly::run(world, &world.app.config));
}

/// Lets the service write no mirror any more whose statement begins so.
fn hold(world: &World, beginning: &'static str) {
    world.db.watch(move |_, statements| {
        match statements.iter().any(|statement| statement.sql.starts_with(beginning)) {
            true => Err(PortError::unavailable("d1", "this does not work")),
            false => Ok(()),
        }
    });
}

#[test]
fn a_mirror_that_stays_behind_is_found_however_often_the_account_changes() {
    for (statement, check) in [("UPDATE account SET active", "MIRROR"), ("INSERT INTO usage", "USAGE")] {
        let (world, shop) = at_rest();
        let none = Vec::<String>::new();
        let busy = || {
            world.send(&shop.key, &["09121234567"]).expect(201);
            world.settle(REST_MS);
            world.advance(HOUR_MS / 2);
        };
        hold(&world, statement);
        busy();
        night(&world);
        assert_eq!(found(&world, &shop), none, "it may be on its way");
        busy();
        assert_eq!(found(&world, &shop), none, "it may be on its way since half an hour");
        busy();
        busy();
        assert_eq!(found(&world, &shop), [check]);
        world.advance(13 * HOUR_MS);
        night(&world);
        let page = world.look(&format!("/admin/reconciliation?account={}", shop.id));
        let names = page.json["data"][0]["nightly"]["differences"].as_array().unwrap();
        let is_named = names.iter().any(|difference| difference["check"] == check);
        assert!(is_named, "{}", page.body);
        world.db.unwatch();
        busy();
        assert_eq!(found(&world, &shop), none, "it came at last");
    }
}

#[test]
fn a_mirror_that_is_behind_at_each_check_but_moves_in_between_is_no_difference() {
    let (world, shop) = at_rest();
    for round in 0..6 {
        // The object is killed before it tells the directory, which knows nothing of the newest changes.
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.kill();
        night(&world);
        assert_eq!(found(&world, &shop), Vec::<String>::new(), "round {round}");
        world.settle(2 * HOUR_MS);
        world.send(&shop.key, &["09121234567"]).expect(201);
        assert_eq!(found(&world, &shop), Vec::<String>::new(), "round {round}");
        world.settle(11 * HOUR_MS);
    }
}

#[test]
fn rows_of_usage_that_the_directory_has_lost_are_found() {
    let (world, shop) = at_rest();
    world.db.run("DELETE FROM usage");
    night(&world);
    assert_eq!(found(&world, &shop), Vec::<String>::new(), "they may be on their way");
    world.advance(2 * HOUR_MS);
    let report = now(&world, &shop);
    assert_eq!(report["differences"][0]["check"], "USAGE");
    let detail = report["differences"][0]["detail"].as_str().unwrap();
    let newest = "rows that differ: 2; the newest is that of 2026-01-01 for line 10001, carrier \"sandbox\"";
    assert!(detail.starts_with(newest), "{detail}");
    assert!(detail.contains("the mirror shows nothing"), "{detail}");
}

/// Gives an account so many more days of usage, which the directory has too.
fn use_long_ago(world: &World, shop: &Account, (first, last): (i64, i64)) {
    let days = "WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)";
    let own = format!(
        "{days} INSERT INTO usage (day, line, carrier, test, messages, mirrored) SELECT i, 'old', '', 0, 1, 1 FROM n"
    );
    let params = [first.into(), last.into()];
    world.sql(&shop.id).run_with(&own, &params);
    let shown =
        format!("{days} INSERT INTO usage SELECT ?3, i, 'old', '', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 FROM n");
    let params = [first.into(), last.into(), shop.id.as_str().into()];
    world.db.run_with(&shown, &params);
}

#[test]
fn a_long_usage_is_compared_in_steps_the_newest_first() {
    let (world, shop) = at_rest();
    let a_step = i64::try_from(ROWS_A_STEP).unwrap();
    use_long_ago(&world, &shop, (1, 2 * a_step));
    let agrees = json!({"differences": [], "unchecked": []});
    let seen = || {
        let report = now(&world, &shop);
        json!({"differences": report["differences"], "unchecked": report["unchecked"]})
    };
    assert_eq!(seen(), agrees);
    let walks = [world.db.walks(&["usage"]), world.sql(&shop.id).walks(&["usage"])].concat();
    assert!(walks.is_empty(), "{walks:#?}");
    // One side lacks a row, so that the pages of both sides end at other rows.
    let lacks = "DELETE FROM usage WHERE day = 17";
    world.sql(&shop.id).run(lacks);
    assert_eq!(found(&world, &shop), ["USAGE"]);
    world.db.run(lacks);
    assert_eq!(seen(), agrees);
    use_long_ago(&world, &shop, (2 * a_step + 1, 3 * a_step));
    world.db.run("UPDATE usage SET messages = 2 WHERE day = 1");
    assert_eq!(seen(), json!({"differences": [], "unchecked": ["USAGE"]}));
    night(&world);
    let page = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    let nightly = &page.json["data"][0]["nightly"];
    assert_eq!(nightly["differences"][0]["check"], "USAGE", "{}", page.body);
    assert_eq!(nightly["unchecked"], json!([]));
}

#[test]
fn a_mirror_that_is_behind_is_a_difference_only_when_it_stays_so() {
    let (world, shop) = at_rest();
    // From now on, the isolate knows for a while what a send needs of the directory.
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.db.is_down.set(true);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.db.is_down.set(false);
    let wanted = Vec::<String>::new();
    assert_eq!(found(&world, &shop), wanted, "its next version is on the way");
    world.advance(2 * HOUR_MS);
    assert!(found(&world, &shop).contains(&"MIRROR".to_owned()));
}

#[test]
fn chunks_that_wait_for_an_hour_are_reported() {
    let (world, shop) = at_rest();
    let full = r#"UPDATE carrier SET settings = '{"window": 0}', version = version + 1"#;
    world.db.run(full);
    world.settle(60_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.work();
    assert_eq!(found(&world, &shop), Vec::<String>::new());
    world.advance(HOUR_MS);
    for _ in 0..3 {
        world.ring(&shop.id);
        world.work();
    }
    assert!(found(&world, &shop).contains(&"STUCK".to_owned()));
}

#[test]
fn chunks_that_wait_because_of_a_hold_are_no_difference() {
    let (world, shop) = at_rest();
    world.change_account(&shop, json!({"hold": true}));
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(2 * HOUR_MS);
    assert_eq!(found(&world, &shop), Vec::<String>::new());
}

/// Sends, schedules, cancels and lets time pass at random, with failures of all kinds, and looks after each step.
#[test]
fn nothing_is_reported_in_the_middle_of_work_or_at_rest() {
    for seed in 1..=6 {
        let (world, shop) = World::with_busy_account(10_000_000);
        let dice = crate::support::Dice::new(seed);
        let mut uids = Vec::new();
        for step in 0..60 {
            world.chaos.set(12);
            match dice.below(6) {
                0..=2 => {
                    let numbers: Vec<String> = (0..=dice.below(40)).map(|n| format!("0912{:07}", n * 7)).collect();
                    let body = match dice.below(3) {
                        0 => json!({"message": "x", "recipients": numbers, "sendAt": "2026-01-01T12:10:00Z"}),
                        _ => json!({"message": "x", "recipients": numbers}),
                    };
                    let answer = world.post(&shop.key, "/sms/send", body);
                    uids.extend(answer.json["data"]["uid"].as_str().map(str::to_owned));
                }
                3 => {
                    if let Some(uid) = uids.pop() {
                        world.delete(&shop.key, &format!("/messages/{uid}"));
                    }
                }
                4 => drop(world.work()),
                _ => world.settle(i64::try_from(dice.below(40_000)).unwrap()),
            }
            if dice.below(10) == 0 {
                world.kill();
            }
            world.chaos.set(0);
            assert_eq!(now(&world, &shop)["differences"], json!([]), "seed {seed}, step {step}");
        }
        world.settle(4 * 24 * HOUR_MS);
        assert_eq!(now(&world, &shop)["differences"], json!([]), "seed {seed}, at rest");
        assert_eq!(now(&world, &shop)["unchecked"], json!([]));
    }
}

/// Gives an account a ledger with so many more entries, of which each undoes the one before.
fn lengthen(world: &World, shop: &Account, entries: i64) {
    world.write_gathered(shop);
    let sql = world.sql(&shop.id);
    sql.exec(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) \
         INSERT INTO ledger_page (first, at_ms, entries) \
         SELECT a.ledger_seq + min(i), 0, json_group_array(json_array(iif(i % 2, 'RESERVE', 'RELEASE'), 10, \
                a.available - 10 * (i % 2), a.locked + 10 * (i % 2), NULL, NULL)) FROM n, account a GROUP BY i / 7",
        &[entries.into()],
    )
    .unwrap();
    sql.run_with("UPDATE account SET ledger_seq = ledger_seq + ?1", &[entries.into()]);
}

#[test]
fn a_long_ledger_is_replayed_in_steps_of_which_a_request_makes_some_and_a_night_all() {
    let (world, shop) = at_rest();
    lengthen(&world, &shop, 2 * ENTRIES_A_STEP);
    let report = now(&world, &shop);
    assert_eq!((&report["differences"], &report["unchecked"]), (&json!([]), &json!([])));
    lengthen(&world, &shop, 2 * ENTRIES_A_STEP);
    assert_has(&now(&world, &shop), json!({"differences": [], "unchecked": ["WALLET"]}));
    let last = "UPDATE ledger_page SET entries = json_replace(entries, '$[0][2]', 1) \
                WHERE first = (SELECT max(first) FROM ledger_page)";
    world.sql(&shop.id).run(last);
    night(&world);
    let page = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    let nightly = &page.json["data"][0]["nightly"];
    assert_eq!(nightly["differences"][0]["check"], "LEDGER", "{}", page.body);
    assert_eq!(nightly["unchecked"], json!([]));
    let lines = world.log.borrow();
    let logged = lines.iter().filter(|line| line.contains(r#""event":"reconciliation""#));
    assert_eq!(logged.count(), 1, "one line for each difference");
}

#[test]
fn a_check_reads_no_old_messages_and_gives_up_when_too_much_is_open() {
    let (world, shop) = at_rest();
    let sql = world.sql(&shop.id);
    let steps = |world: &World| {
        let before = sql.steps.get();
        now(world, &shop);
        sql.steps.get() - before
    };
    let few = steps(&world);
    // Thousands of chunks that have ended. The usage counts none of them, because their message is not there.
    sql.run("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) \
         INSERT INTO chunk (message, number, first, last, class, route, queue, object, state, ready_ms, due_ms, attempt, failures, \
           queued, active, open, recipients) \
         SELECT c.message + 1000, 1000 + i, c.first, c.last, c.class, c.route, c.queue, c.object, 6, c.ready_ms, \
           c.due_ms, c.attempt, c.failures, 0, 0, 0, c.recipients FROM n, (SELECT * FROM chunk LIMIT 1) c");
    assert!(steps(&world) < few + 50, "no work for them");
    let open = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) \
         INSERT INTO chunk (message, number, first, last, class, route, queue, object, state, ready_ms, due_ms, attempt, failures, \
           queued, active, open, recipients) \
         SELECT c.message + 1000, 9000 + i, c.first, c.last, c.class, c.route, c.queue, c.object, 0, c.ready_ms, \
           9e15, c.attempt, c.failures, 0, 0, 0, c.recipients FROM n, (SELECT * FROM chunk LIMIT 1) c";
    sql.run_with(&open.replace("9e15", "9000000000000"), &[MAX_CHUNKS.into()]);
    assert_has(&now(&world, &shop), json!({"differences": [], "unchecked": ["LOCKED"]}));
}

/// What a check says of rows that are not what their messages say.
fn recounted(world: &World, shop: &Account) -> Vec<String> {
    let report = now(world, shop);
    let differences = report["differences"].as_array().unwrap().iter();
    let details = differences.map(|difference| difference["detail"].as_str().unwrap().to_owned());
    details
        .filter(|detail| detail.starts_with("rows that are not what their messages say"))
        .collect()
}

#[test]
fn rows_of_usage_that_are_not_what_their_messages_say_are_found() {
    for (statement, detail) in [
        ("SELECT 1", None),
        (
            "UPDATE usage SET recipients = recipients - 1 WHERE carrier = 'sandbox'",
            Some(
                "1; the newest is that of 2026-01-01 for line 10001, carrier \"sandbox\": it has \
                 [0, 5, 6, 6000, 0, 6, 0, 0, 0, 0, 0]; its recipients come to [0, 6, 6, 6000, 0, 6, 0, 0, 0, 0, 0]",
            ),
        ),
        (
            "UPDATE usage SET parts = parts + 1 WHERE carrier = 'sandbox'",
            Some("1;"),
        ),
        ("UPDATE usage SET cost = cost + 1 WHERE carrier = 'sandbox'", Some("1;")),
        ("UPDATE usage SET delivered = 0 WHERE carrier = 'sandbox'", Some("1;")),
        ("UPDATE usage SET delivered = 6 WHERE carrier = ''", Some("1;")),
        (
            "UPDATE usage SET messages = messages + 1 WHERE carrier = ''",
            Some("1;"),
        ),
        ("UPDATE usage SET returned = 1000", Some("2;")),
        (
            "UPDATE usage SET carrier = 'other' WHERE carrier = 'sandbox'",
            Some("2;"),
        ),
        ("DELETE FROM usage WHERE carrier = 'sandbox'", Some("1;")),
        ("UPDATE chunk SET recipients = '[' WHERE message = 1", Some("2;")),
    ] {
        let (world, shop) = at_rest();
        world.sql(&shop.id).run(statement);
        // The mirror shows the same: only the messages know better.
        let (account, copy) = (
            shop.id.as_str(),
            "day, line, carrier, test, messages, recipients, parts, cost, returned, \
             delivered, undelivered, expired, rejected, unknown, canceled, version",
        );
        world.db.run("DELETE FROM usage");
        for row in world.rows(&shop, &format!("SELECT json_array({copy}) FROM usage")) {
            let rows = format!("[{}]", row.text(0).unwrap());
            to_end(peyk::directory::usage::mirror(&world.db, account, &rows)).unwrap();
        }
        let told = recounted(&world, &shop);
        let wanted = detail.map(|detail| format!("rows that are not what their messages say: {detail}"));
        assert_eq!(told.len(), usize::from(wanted.is_some()), "{statement}: {told:?}");
        let is_right = told.iter().zip(&wanted).all(|(told, wanted)| told.starts_with(wanted));
        assert!(is_right, "{statement}: {told:?}");
        let checks = wanted.map(|_| "USAGE".to_owned());
        assert_eq!(found(&world, &shop), Vec::from_iter(checks), "{statement}");
    }
}

#[test]
fn usage_whose_messages_are_forgotten_in_part_is_not_counted_again() {
    let (world, shop) = at_rest();
    let test_key = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    world.send(&test_key, &["09121234567"]).expect(201);
    // The messages of this day go, but for one that was to leave much later.
    let later = json!({"message": "x", "recipients": ["09121234569"], "sendAt": "2026-03-20T12:00:00Z"});
    world.posted(&shop.key, "/sms/send", later);
    world.settle(8 * 24 * HOUR_MS);
    assert_eq!(
        found(&world, &shop),
        Vec::<String>::new(),
        "test messages are forgotten"
    );
    world.settle(87 * 24 * HOUR_MS);
    assert_eq!(world.count(&shop, "message"), 1);
    assert_eq!(found(&world, &shop), Vec::<String>::new());
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(REST_MS);
    assert_eq!(found(&world, &shop), Vec::<String>::new());
    world.write_gathered(&shop);
    world
        .sql(&shop.id)
        .run("UPDATE usage SET cost = cost + 1, version = version + 1 WHERE day = (SELECT max(day) FROM usage)");
    assert_eq!(found(&world, &shop), ["USAGE"]);
}

#[test]
fn a_recount_takes_some_messages_a_call_and_compares_no_row_that_changes_meanwhile() {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let sql = world.sql(&shop.id);
    let send = |count: usize| {
        let numbers: Vec<String> = (0..count).map(|n| format!("0912{n:07}")).collect();
        world
            .send(&shop.key, &numbers.iter().map(String::as_str).collect::<Vec<_>>())
            .expect(201);
    };
    let messages = 2 * RECIPIENTS_A_STEP / 1_000 + 1;
    (0..messages).for_each(|_| send(1_000));
    world.settle(REST_MS);
    // The messages of the day before are counted in the last step.
    world.advance(24 * HOUR_MS);
    send(1);
    world.settle(REST_MS);
    let newest = world.stored(&shop).message_seq;
    let step = |from: &Recount| recount::go(&*sql, newest, from).unwrap();
    let walk = |damage: &str| {
        let (mut next, mut steps, mut details) = (Some(Recount::first()), 0, Vec::new());
        while let Some(from) = next {
            let (after, detail) = step(&from);
            steps += 1;
            details.extend(detail);
            if steps == 1 {
                sql.run(damage);
            }
            next = after;
        }
        (steps, details.len())
    };
    assert_eq!(walk("SELECT 1"), (3, 0));
    let page = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    assert_eq!(
        page.json["data"][0]["now"]["unchecked"],
        json!([]),
        "three steps are enough"
    );
    let damage =
        "UPDATE usage SET delivered = delivered + 1, version = version + 1 WHERE carrier = 'sandbox' AND day = 20454";
    assert_eq!(walk(damage), (3, 0), "it may be a change");
    assert_eq!(walk("SELECT 1"), (3, 1), "the next check finds it");
    let (after, _) = step(&Recount::first());
    assert_eq!(after.unwrap().begun.unwrap().after, RECIPIENTS_A_STEP / 1_000);
}

#[test]
fn each_night_checks_each_account_once_and_one_that_fails_keeps_no_other_from_it() {
    let world = World::new();
    world.share_line("10001", "sandbox", &["WEBSERVICE"]);
    let make = |n: u32| {
        world.advance(1);
        world.account(&format!("shop-{n}"), 100)
    };
    let shops: Vec<Account> = (0..3).map(make).collect();
    world.settle(REST_MS);
    let page = |path: &str| world.look(path);
    assert_eq!(page("/admin/reconciliation").json["data"][0]["nightly"], Value::Null);
    world.sql(&shops[0].id).fail("FROM ledger", 1);
    night(&world);
    let all = page("/admin/reconciliation");
    let unchecked: Vec<&Value> = (0..3).map(|n| &all.json["data"][n]["nightly"]["unchecked"]).collect();
    assert_eq!(unchecked, [&json!(["ALL"]), &json!([]), &json!([])], "{}", all.body);
    let first = all.json["data"][0]["nightly"]["checkedAt"].clone();
    world.advance(HOUR_MS);
    night(&world);
    let checked_at = &page("/admin/reconciliation").json["data"][0]["nightly"]["checkedAt"];
    assert_eq!(*checked_at, first);
    world.advance(24 * HOUR_MS);
    night(&world);
    let all = page("/admin/reconciliation?limit=2");
    assert_eq!(all.json["data"][0]["nightly"]["unchecked"], json!([]));
    let cursor = all.text("/meta/nextCursor");
    let rest = page(&format!("/admin/reconciliation?limit=2&cursor={cursor}"));
    assert_eq!(rest.items().len(), 1);
    assert_eq!(page("/admin/reconciliation?account=none").json["data"], json!([]));
    let refused = world.get(&world.admin_key, "/admin/reconciliation?account=");
    refused.refused(422);
    world.get(&shops[0].key, "/admin/reconciliation").refused(403);
}
