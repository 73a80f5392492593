//! What a message costs: the rows that are written from the accept of a send to one recipient until it is DELIVERED, as
//! Cloudflare bills them. The numbers are pinned: a change that makes messages dearer fails here, and one that makes them
//! cheaper lowers the pin. `cargo test --test it account::rows -- --nocapture` prints where the rows go.
//!
//! Carriers that send report later how a message ended. The sandbox says so with its answer, unless its settings say otherwise; both
//! ways are pinned. The sandbox's own object is left out, because no carrier that sends has its tables. What the object of an SMPP bind writes
//! is counted by itself. Alarms are not counted:
//! `node bench/rows.mjs` counts those too, in the runtime.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use peyk::account::codes::{self, Of};
use peyk::auth::secret::MasterKey;
use peyk::auth::secret::{Keys, Purpose};
use serde_json::json;

use crate::support::day_tables::{IDS, NOTES};
use crate::support::{
    Account, Sqlite, World,
    gateway::SECRET_KEY,
    life::Life,
    rows,
    smsc::Smsc,
    time::{DAY_MS, MINUTE_MS},
    to_end,
};

/// Rows of a message that is sent alone, in an account that has sent in the last half minute: in the account's object, and in
/// D1.
const ALONE: (i64, i64) = (8, 3);
/// The same if the carrier's answer says how the message ended.
const ALONE_ANSWERED: (i64, i64) = (6, 3);
/// What it costs more if the account has not: its object does not know which carrier the line has.
const RESTED: (i64, i64) = (2, 0);
/// Rows of 32 messages that are sent at the same time, in calls that travel together.
const BURST_OF_32: (i64, i64) = (164, 3);
/// The same if the carrier's answer says how they ended.
const BURST_OF_32_ANSWERED: (i64, i64) = (131, 3);
/// What an idempotency key adds to a message.
const KEY: (i64, i64) = (1, 0);
/// What a verification adds to the message that brings its code. What counts it by day is
/// written for many together.
const VERIFICATION: (i64, i64) = (3, 0);
/// What it costs to count verifications that have ended, as many as there are, of one prefix, line and carrier.
const COUNTED: (i64, i64) = (3, 0);
/// What it costs to forget three messages when their time is over, and the idempotency key of one.
const FORGOTTEN: i64 = 3;
/// What an account that has messages to forget writes in a day.
const UPKEEP_A_DAY: i64 = 3;

/// Rows that the object of an SMPP bind writes for a message alone, and for 32 at the same time, from the handover until the
/// account's object has the report.
const BIND: (i64, i64) = (3, 40);
/// What it costs the object of a bind to forget a message: its id, and the note of its handover. They go with their days.
const BIND_FORGOTTEN: i64 = 0;
/// Rows that an object of a bind writes to forget a day, and to begin another one: where its notes, its ids and the parts of its
/// long messages stand. A table that is made counts as two.
const BIND_UPKEEP_A_DAY: i64 = 12;

/// The same of the object of a carrier of kind `http`. The reports of a gateway don't come by it.
const GATEWAY: (i64, i64) = (2, 4);

/// How long a message may take until all that it causes is written, ms.
const REST_MS: i64 = 130_000;
/// After so many days all that a message wrote is forgotten, but for its ledger entries.
const FORGET_DAYS: i64 = 92;

/// When a carrier says how messages ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tells {
    WithItsAnswer,
    Later,
}

/// A world whose account has sent before: the first message of a day and a line makes rows that the others don't.
fn world(tells: Tells) -> (World, Account) {
    let (world, account) = World::with_busy_account(1_000_000_000);
    if tells == Tells::Later {
        world.report_later(10_000);
    }
    accept(&world, &account, 1, false);
    world.settle(REST_MS);
    rows::watch(&*world.sql(&account.id));
    rows::watch(&*world.db as &Sqlite);
    world.calls_travel.set(true);
    (world, account)
}

/// Sends this many messages at the same time, and gives their uids.
fn accept(world: &World, account: &Account, count: u32, with_key: bool) -> Vec<String> {
    let requests = (0..count).map(|index| {
        let body = json!({"message": "hello", "recipients": [format!("0912{:07}", 1_000 + index)]});
        let request = world.ask("POST", &account.key, "/sms/send").json(body);
        if with_key {
            request.idempotency_key(&format!("key-{index}"))
        } else {
            request
        }
        .answer()
    });
    let answers = to_end(join_all(requests)).into_iter();
    answers.map(|answer| answer.expect(201).text("/data/uid")).collect()
}

/// Sends a message whose rows are not counted. It rests when the next is sent, a few seconds later.
fn send_another(world: &World, account: &Account) {
    accept(world, account, 1, false);
    world.settle(5_000);
    taken(world, account, "the message before");
}

/// The rows from the accept of this many messages until all of them are DELIVERED and told to the directory.
fn rows_of(world: &World, account: &Account, count: u32, with_key: bool) -> (i64, i64) {
    let uids = accept(world, account, count, with_key);
    let accepted = taken(world, account, &format!("{count} at once, to the answer"));
    world.settle(REST_MS);
    let ended = taken(world, account, &format!("{count} at once, from there to the end"));
    for uid in uids {
        let recipients = world.read(&account.key, &format!("/messages/{uid}/recipients"));
        assert_eq!(recipients.text("/data/0/status"), "DELIVERED");
    }
    // The questions pay tokens, which are written too.
    taken(world, account, "the questions for the recipients");
    (accepted.0 + ended.0, accepted.1 + ended.1)
}

/// The rows that were written since the last look, in the account's object and in D1.
fn taken(world: &World, account: &Account, what: &str) -> (i64, i64) {
    let print = |place: &str, sql: &Sqlite| {
        let counts = rows::taken(sql);
        let sum: i64 = counts.iter().map(|(_, count)| count).sum();
        println!("{what}, {place}: {sum} rows");
        counts
            .iter()
            .for_each(|(entry, count)| println!("  {count:5}  {entry}"));
        sum
    };
    (
        print("account's object", &world.sql(&account.id)),
        print("D1", &world.db),
    )
}

#[test]
fn a_message_alone_writes_no_more_rows_than_before() {
    for (tells, pin) in [(Tells::WithItsAnswer, ALONE_ANSWERED), (Tells::Later, ALONE)] {
        let (world, account) = world(tells);
        let rested = rows_of(&world, &account, 1, false);
        send_another(&world, &account);
        let alone = rows_of(&world, &account, 1, false);
        assert_eq!(alone, pin, "if these are fewer rows, lower the pin: {tells:?}");
        assert_eq!((rested.0 - pin.0, rested.1 - pin.1), RESTED, "{tells:?}");
    }
}

#[test]
fn messages_at_the_same_time_write_no_more_rows_than_before() {
    for (tells, pin) in [
        (Tells::WithItsAnswer, BURST_OF_32_ANSWERED),
        (Tells::Later, BURST_OF_32),
    ] {
        let (world, account) = world(tells);
        send_another(&world, &account);
        let burst = rows_of(&world, &account, 32, false);
        assert_eq!(burst, pin, "if these are fewer rows, lower the pin: {tells:?}");
    }
}

#[test]
fn a_key_and_the_end_of_a_message_write_no_more_rows_than_before() {
    let (world, account) = world(Tells::Later);
    send_another(&world, &account);
    let with_key = rows_of(&world, &account, 1, true);
    assert_eq!((with_key.0 - ALONE.0, with_key.1 - ALONE.1), KEY);
    world.settle(FORGET_DAYS * DAY_MS);
    let (upkeep, forgotten): (Vec<_>, Vec<_>) = rows::taken(&*world.sql(&account.id))
        .into_iter()
        .partition(|(entry, _)| entry.starts_with("upkeep"));
    let sum = |counts: &[(String, i64)]| counts.iter().map(|(_, count)| count).sum::<i64>();
    let rows = sum(&forgotten);
    assert_eq!(rows, FORGOTTEN, "if these are fewer rows, lower the pin: {forgotten:?}");
    assert!(sum(&upkeep) <= UPKEEP_A_DAY * FORGET_DAYS, "{upkeep:?}");
    let left = world.read(&account.key, "/messages");
    assert_eq!(left.json["data"], json!([]));
    taken(&world, &account, "the question for messages");
    // Nothing is left to be forgotten, so there is nothing to look after.
    world.settle(FORGET_DAYS * DAY_MS);
    assert_eq!(taken(&world, &account, "idle"), (0, 0));
}

/// What a verification costs more than the message of a pattern: its own row, which is written at its start and at its end, and the
/// token of the check. The address of the person costs nothing.
#[test]
fn a_verification_writes_three_rows_more_than_its_message() {
    for address in [None, Some("198.51.100.7")] {
        let (world, account) = world(Tells::WithItsAnswer);
        world.set("SECRET_KEY", Some(SECRET_KEY));
        send_another(&world, &account);
        let message = rows_of(&world, &account, 1, false);
        send_another(&world, &account);
        let body = json!({"recipient": "09121239999", "context": address.map(|ip| json!({"ip": ip}))});
        let id = world.posted(&account.key, "/verify", body).text("/data/id");
        world.settle(2_000);
        let seed = &world.rows(&account, "SELECT seed FROM verification")[0];
        let of = Of {
            seed: &seed.text(0).unwrap(),
            length: 6,
            msisdn: 0,
            test: false,
        };
        let code = codes::make(&MasterKey::of(&world), of).unwrap();
        let check = json!({"id": id, "code": code});
        world.post(&account.key, "/verify/check", check).expect(200);
        world.settle(REST_MS - 40_000);
        let verification = taken(&world, &account, "a verification");
        world.settle(REST_MS);
        assert_eq!(taken(&world, &account, "the count of verifications"), COUNTED);
        let more = (verification.0 - message.0, verification.1 - message.1);
        assert_eq!(more, VERIFICATION, "{address:?}");
    }
}

#[test]
fn a_bind_writes_no_more_rows_than_before() {
    let world = World::with_busy_account(1_000_000_000);
    let (world, shop) = (&world.0, &world.1);
    let smsc = smpp_carrier(world);
    let life = Life::of(world);
    let sql = world.carrier_sql("mci", "0");
    let mut told = 0;
    let mut deliver = |count: u32| {
        let body = |index| json!({"message": "hi", "recipients": [format!("0912{index:07}")], "sourceNumber": "20002"});
        let requests = (0..count).map(|index| world.ask("POST", &shop.key, "/sms/send").json(body(index)).answer());
        for answer in to_end(join_all(requests)) {
            answer.expect(201);
        }
        let all = told + count as usize;
        life.settle_until(REST_MS, || smsc.taken().len() == all);
        for (id, got) in &smsc.taken()[told..] {
            let receipt = format!("id:{id} stat:DELIVRD err:000");
            smsc.receipt(0, &receipt, &got.deliver.destination.number);
        }
        told = all;
        life.settle(MINUTE_MS);
    };
    // The first message makes the rows of the day.
    deliver(1);
    rows::watch(&*sql);
    deliver(0);
    let idle = rows_in(&sql, "a bind in a minute without messages");
    deliver(1);
    let alone = rows_in(&sql, "a bind, 1 message") - idle;
    deliver(32);
    let burst = rows_in(&sql, "a bind, 32 messages") - idle;
    assert_eq!((alone, burst), BIND, "if these are fewer rows, lower the pin");
    // The rows of the steps are those of the turns, not of the messages.
    let turns = sql.count("step");
    let made = tables_made(&sql);
    life.settle(9 * DAY_MS);
    assert_eq!((sql.count(NOTES), sql.count(IDS), sql.count("step")), (0, 0, 0));
    let upkeep = 2 * (tables_made(&sql) - made);
    let all = rows_in(&sql, "a bind that forgets 34 notes, 34 ids and its steps") + upkeep;
    // One day had messages.
    assert!(all - turns <= 34 * BIND_FORGOTTEN + BIND_UPKEEP_A_DAY, "{all}");
}

/// How many tables were made.
fn tables_made(sql: &Sqlite) -> i64 {
    let made = sql
        .statements()
        .into_iter()
        .filter(|statement| statement.starts_with("CREATE TABLE"));
    i64::try_from(made.count()).unwrap()
}

/// The rows that were written in an object since the last look.
fn rows_in(sql: &Sqlite, what: &str) -> i64 {
    println!("{what}");
    let counts = rows::taken(sql);
    counts
        .iter()
        .for_each(|(entry, count)| println!("  {count:5}  {entry}"));
    counts.iter().map(|(_, count)| count).sum()
}

#[test]
fn a_gateways_object_writes_no_more_rows_than_before() {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", "KANNEL");
    let sql = world.shared_carrier_sql("mci/0");
    let deliver = |count: u32| {
        let body = |index| json!({"message": "hi", "recipients": [format!("0912{index:07}")], "sourceNumber": "20001"});
        let requests = (0..count).map(|index| world.ask("POST", &shop.key, "/sms/send").json(body(index)).answer());
        for answer in to_end(join_all(requests)) {
            answer.expect(201);
        }
        world.settle(REST_MS);
        assert_eq!(world.gateway.take().len(), count as usize);
    };
    // The first message makes the tables.
    deliver(1);
    rows::watch(&*sql);
    let found = [1, 32].map(|count| {
        deliver(count);
        rows_in(&sql, &format!("a gateway's object, {count} at once"))
    });
    assert_eq!(found, [GATEWAY.0, GATEWAY.1], "if these are fewer rows, lower the pin");
}

/// A carrier with one bind, and a line that goes to it.
fn smpp_carrier(world: &World) -> Smsc {
    const PORT: u16 = 2_775;
    let key = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
    world.settings.borrow_mut().insert("SECRET_KEY", key.to_owned());
    let settings = json!({"host": "smsc", "port": PORT, "tls": false, "systemId": "shop"}).to_string();
    let keys = Keys::of(world, Purpose::CarrierSecrets).unwrap();
    let sealed = keys.seal(world, "mci", r#"{"password": "secret"}"#).unwrap();
    let insert = "INSERT INTO carrier (name, kind, settings, secrets, created_ms) VALUES ('mci', 'smpp', ?1, ?2, 0)";
    world.db.run_with(insert, &[settings.into(), sealed.into()]);
    world.share_line("20002", "mci", &["WEBSERVICE"]);
    let smsc = Smsc::new(&world.network.timers);
    let peer = smsc.clone();
    world.network.listen(PORT, move |stream| peer.clone().serve(stream));
    smsc
}

#[test]
fn the_meter_counts_as_the_runtime_does() {
    let sql = Sqlite::new();
    let exec = |text: &str| sql.run(text);
    exec("CREATE TABLE plain (id INTEGER NOT NULL PRIMARY KEY, uid TEXT NOT NULL UNIQUE, a INTEGER, b INTEGER) STRICT");
    exec("CREATE INDEX plain_a ON plain (a)");
    exec("CREATE INDEX plain_open ON plain (b) WHERE a = 1");
    exec("CREATE INDEX plain_trimmed ON plain (ltrim(uid, '0'))");
    exec("CREATE TABLE keyed (name TEXT NOT NULL PRIMARY KEY, n INTEGER) STRICT, WITHOUT ROWID");
    rows::watch(&sql);
    let steps = [
        // The row, its uid twice, a.
        ("INSERT INTO plain VALUES (1, 'x', 0, 0)", 4),
        // And the partial index.
        ("INSERT INTO plain VALUES (2, 'y', 1, 0)", 5),
        // The row alone: it is not in the index of b.
        ("UPDATE plain SET b = 5 WHERE id = 1", 1),
        ("UPDATE plain SET b = 0 WHERE id = 2", 2),
        // The same value again is an entry again. The row comes into the partial index.
        ("UPDATE plain SET a = 1 WHERE id = 1", 3),
        // It leaves it.
        ("UPDATE plain SET a = 2 WHERE id = 2", 2),
        ("DELETE FROM plain WHERE id = 1", 1),
        ("INSERT INTO keyed VALUES ('k', 1)", 1),
        (
            "INSERT INTO keyed VALUES ('k', 1) ON CONFLICT (name) DO UPDATE SET n = 2",
            1,
        ),
        ("UPDATE keyed SET n = 3 WHERE name = 'none'", 0),
    ];
    for (statement, expected) in steps {
        exec(statement);
        let counts: BTreeMap<String, i64> = rows::taken(&sql).into_iter().collect();
        assert_eq!(counts.values().sum::<i64>(), expected, "{statement}: {counts:?}");
    }
}
