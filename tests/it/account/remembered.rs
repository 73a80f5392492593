//! The account's row as its object remembers it is the row as it is stored: whichever statement fails, whoever writes, and however a
//! transaction ends.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use peyk::account::keys::standing::{self, UsedKey};
use peyk::account::record::account_row::{Account as Row, COMPARED};
use peyk::account::record::chunk::loaded::{self, Loaded};
use peyk::account::record::chunk::queue::{self, FirstDue};
use peyk::account::record::spending;
use peyk::account::request::CLASS;
use peyk::account::unit_of_work;
use peyk::base::ports::Sql;
use peyk::durable::remembered::{Memory, Remembered};
use peyk::durable::tables::Rows;
use peyk::durable::transfer::{self, Step};

use super::batches::{BEGIN_MS, Drawn, account, answer, call, dump};
use crate::support::{Sqlite, World, to_end};

/// Each of these writes a table of the row, and begins as statements of the service may.
const WRITES: [&str; 12] = [
    "UPDATE account SET tat_us = 7",
    "UPDATE OR IGNORE account SET message_seq = 7",
    "UPDATE account SET available = available + 5, credited = credited + 5",
    "INSERT INTO blacklist (msisdn, created_ms, opt_out) VALUES (989120000001, 0, 0)",
    "INSERT OR IGNORE INTO blocked_digest (digest, opt_out) VALUES ('a digest', 1)",
    "INSERT INTO webhook (one, version, types, test_types) VALUES (1, 1, 1, 0) ON CONFLICT DO UPDATE SET types = 1",
    "REPLACE INTO standing (one, reason) VALUES (1, 'a debt')",
    "INSERT INTO closing (one, closed_ms, step, due_ms) VALUES (1, 7, 0, 7)",
    "WITH listed (value) AS MATERIALIZED (SELECT value FROM json_each(?1)) \
     INSERT INTO low_balance (threshold, told) SELECT value, 0 FROM listed",
    "WITH one (told) AS (SELECT 1) UPDATE low_balance SET told = (SELECT told FROM one)",
    "DELETE FROM low_balance",
    "delete from standing",
];

/// What the object remembers, and whether it had to read it. It is what is stored.
fn known(sql: &Sqlite, own: &impl Sql) -> bool {
    let before = sql.runs.get();
    let known = Row::stored(own).unwrap();
    let is_read = sql.runs.get() > before;
    assert_eq!(known, Row::stored(sql).unwrap());
    is_read
}

/// The tables that statements read.
fn read_by<'s>(statements: &[&'s str]) -> BTreeSet<&'s str> {
    let words = |statement: &'s str| statement.split(|c: char| c != '_' && !c.is_alphanumeric());
    let words: Vec<&str> = statements
        .iter()
        .flat_map(|statement| words(statement))
        .filter(|word| !word.is_empty())
        .collect();
    let pairs = words.windows(2).filter(|pair| ["FROM", "JOIN"].contains(&pair[0]));
    pairs
        .map(|pair| pair[1])
        .filter(|table| *table != "json_each")
        .collect()
}

#[test]
fn what_is_remembered_is_read_from_the_tables_that_are_watched_and_from_no_others() {
    fn watched<T: Remembered>() -> BTreeSet<&'static str> {
        T::TABLES.iter().copied().collect()
    }
    assert_eq!(read_by(&[COMPARED]), watched::<Row>());
    assert_eq!(read_by(&[loaded::COMPARED]), watched::<Loaded>());
    assert_eq!(read_by(&[queue::COMPARED]), watched::<FirstDue>());
    let of_key = [standing::COMPARED, spending::COMPARED];
    assert_eq!(read_by(&of_key), watched::<UsedKey>());
    // What a view shows, those write who write its tables.
    let views = account().texts("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = 'message'");
    assert_eq!(read_by(&[&views[0]]), BTreeSet::from(["chunk"]));
    // What a trigger writes, no statement names.
    assert_eq!(account().count("sqlite_schema WHERE type = 'trigger'"), 0);
}

#[test]
fn whoever_writes_a_table_of_the_row_the_object_reads_it_anew() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    assert!(known(&sql, &own), "the first time it is read");
    let write = |statement: &str| {
        let listed = ["[3000]".into()];
        own.exec(statement, if statement.contains("?1") { &listed } else { &[] })
            .unwrap();
    };
    for statement in WRITES {
        assert!(!known(&sql, &own), "{statement}");
        write(statement);
        assert!(known(&sql, &own), "{statement}");
    }
    for table in Row::TABLES.iter().filter(|table| **table != "account") {
        sql.run(&format!("DELETE FROM {table}"));
    }
    memory.forget();
    assert!(known(&sql, &own));
    for statement in WRITES {
        own.transaction(|| {
            own.exec("SELECT 1", &[])?;
            write(statement);
            Ok(())
        })
        .unwrap();
        assert!(known(&sql, &own), "in a transaction: {statement}");
    }
    for statement in [
        "SELECT tat_us FROM account",
        "UPDATE upkeep SET live_walked = (SELECT message_seq FROM account)",
        "INSERT INTO event (seq, at_ms, due_ms, type, message, body) SELECT 7, 7, 7, 1, 'account', '{}' FROM blacklist",
        "DELETE FROM event WHERE body = 'account'",
        "WITH one (seq) AS (SELECT message_seq FROM account) SELECT seq FROM one",
    ] {
        write(statement);
        assert!(!known(&sql, &own), "{statement}");
    }
}

#[test]
fn what_others_write_behind_the_object_is_found_by_the_next_transaction() {
    if !cfg!(debug_assertions) {
        return;
    }
    for statement in WRITES.iter().filter(|statement| !statement.contains("low_balance")) {
        let sql = account();
        sql.run("INSERT INTO standing (one, reason) VALUES (1, 'another debt')");
        let memory = Memory::default();
        let own = memory.of(&sql);
        let begin = || unit_of_work::run(&own, BEGIN_MS, |_| Ok(())).unwrap();
        begin();
        sql.run(statement);
        let panic = catch_unwind(AssertUnwindSafe(begin)).unwrap_err();
        let words = panic.downcast_ref::<String>().unwrap();
        assert!(
            words.starts_with("what is remembered is not what is stored"),
            "{statement}: {words}"
        );
    }
}

#[test]
fn whichever_statement_of_a_call_fails_nothing_changes_and_the_row_is_remembered_as_it_is_stored() {
    let (sql, twin) = (account(), account());
    let memory = Memory::default();
    let own = memory.of(&sql);
    let (mut failures, mut warm) = (0, 0);
    for uid in 0..108 {
        let what = u8::try_from(uid % 36).unwrap();
        let drawn = Drawn {
            what,
            key: u8::try_from(uid % 2).unwrap(),
            number: u32::try_from(uid * 7_919).unwrap(),
        };
        let (calls, now_ms) = ([call(uid, drawn)], BEGIN_MS + 1_000 * i64::try_from(uid).unwrap());
        let answers = loop_over_failures(&sql, &own, now_ms, &calls, &mut failures);
        warm += u32::from(!known(&sql, &own));
        assert_eq!(answers, answer(&twin, now_ms, &calls, &[1]), "{drawn:?}");
        assert_eq!(dump(&sql, &own), dump(&twin, &twin), "{drawn:?}");
    }
    assert!(
        failures > 400 && warm > 90,
        "{failures} failures, remembered {warm} times"
    );
}

/// Lets each statement of calls fail once, one after the other, the commit too. Then they succeed.
fn loop_over_failures(
    sql: &Sqlite,
    own: &impl Sql,
    now_ms: i64,
    calls: &[String],
    failures: &mut u32,
) -> Vec<Result<String, String>> {
    let before = dump(sql, own);
    for failing in 0.. {
        sql.fails_in.set(Some(failing));
        let answers = answer(own, now_ms, calls, &[1]);
        if sql.fails_in.take().is_some() {
            return answers;
        }
        *failures += 1;
        assert!(answers.iter().all(Result::is_err), "statement {failing}: {answers:?}");
        known(sql, own);
        assert_eq!(dump(sql, own), before, "statement {failing}");
    }
    unreachable!()
}

#[test]
fn a_transaction_that_is_torn_off_leaves_nothing_remembered() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    let tear = || {
        unit_of_work::run(&own, BEGIN_MS, |work| {
            work.account.wallet.available += 5;
            work.account.wallet.credited += 5;
            own.transaction(|| -> Result<(), _> { panic!("torn off") })
        })
    };
    assert!(known(&sql, &own) && !known(&sql, &own));
    catch_unwind(AssertUnwindSafe(tear)).unwrap_err();
    sql.connection
        .execute_batch("ROLLBACK TO work; RELEASE work; ROLLBACK TO work; RELEASE work")
        .unwrap();
    // What was torn off is gone with its own view. Whoever comes next begins anew.
    assert!(known(&sql, &memory.of(&sql)));
}

#[test]
fn a_transaction_within_another_that_fails_makes_the_row_unknown_to_both() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    unit_of_work::run(&own, BEGIN_MS, |work| {
        work.account.touch(BEGIN_MS);
        let inner = unit_of_work::run(&own, BEGIN_MS, |inner| {
            inner.account.tat_us += 5;
            own.exec("no statement", &[])
        });
        assert!(inner.is_err());
        Ok(())
    })
    .unwrap();
    assert!(known(&sql, &own));
    assert!(!known(&sql, &own));
}

#[test]
fn a_row_that_was_read_before_another_change_is_not_remembered_when_it_is_written() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    unit_of_work::run(&own, BEGIN_MS, |work| {
        own.exec(
            "INSERT INTO blacklist (msisdn, created_ms, opt_out) VALUES (7, 0, 0)",
            &[],
        )?;
        // Somebody else has read the row meanwhile.
        assert!(Row::stored(&own)?.unwrap().has_blacklist);
        work.account.touch(BEGIN_MS);
        Ok(())
    })
    .unwrap();
    assert!(known(&sql, &own), "it is read with what stands beside it now");
}

#[test]
fn what_stands_beside_the_row_comes_from_the_storage_alone() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    unit_of_work::run(&own, BEGIN_MS, |work| {
        work.account.has_blacklist = true;
        work.account.reason = Some("nobody has written it".to_owned());
        work.account.touch(BEGIN_MS);
        Ok(())
    })
    .unwrap();
    assert!(known(&sql, &own));
}

#[test]
fn rows_that_are_added_to_an_object_that_works_count_at_once() {
    let (world, shop) = World::with_account(10_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    let step = Step::Insert {
        tables: vec![Rows {
            table: "blacklist".to_owned(),
            columns: ["id", "msisdn", "created_ms", "opt_out"].map(str::to_owned).into(),
            rows: vec!["[1, 989121234567, 0, 0]".to_owned()],
        }],
        adds: true,
    };
    let answered = to_end(transfer::ask(&world, CLASS, &shop.id, &step)).unwrap();
    assert_eq!(answered, transfer::Answer::Inserted);
    world.send(&shop.key, &["09121234567"]).problem(422, 3016);
}
