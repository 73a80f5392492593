//! A key that an object remembers counts as it does in the storage.

use std::panic::{AssertUnwindSafe, catch_unwind};

use peyk::account::keys::standing::{Standing, Valid, use_key};
use peyk::base::ports::Sql;
use peyk::durable::remembered::Memory;

use super::batches::{BEGIN_MS, account};
use crate::support::Sqlite;

/// Before the key `c` expires.
const NOW_MS: i64 = BEGIN_MS + 500;
const EXPIRES_MS: i64 = BEGIN_MS + 1_000;
const HOUR_MS: i64 = 60 * 60 * 1_000;

/// How a key stands whose use is noted, and how many statements that took.
fn stands(sql: &Sqlite, own: &impl Sql, id: &str, now_ms: i64) -> (Standing, u64) {
    let before = sql.runs.get();
    let standing = own.transaction(|| use_key(own, id, None, now_ms)).unwrap();
    // A transaction is two.
    let runs = sql.runs.get() - before - 2;
    assert_eq!(standing, use_key(sql, id, None, now_ms).unwrap(), "{id}");
    (standing, runs)
}

fn valid(standing: Standing) -> Valid {
    match standing {
        Standing::Valid(valid) => valid,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_that_has_come_before_is_looked_up_by_no_statement() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    // The first time, it is read and its use is noted.
    for id in ["a", "b", "c"] {
        let before = sql.runs.get();
        valid(use_key(&own, id, Some("192.0.2.1"), NOW_MS).unwrap());
        assert_eq!(sql.runs.get() - before, 2, "{id}");
    }
    for id in ["a", "b", "c"] {
        assert_eq!(stands(&sql, &own, id, NOW_MS).1, 0, "{id}");
    }
    assert_eq!(stands(&sql, &own, "revoked", NOW_MS), (Standing::Ended, 1));
    assert_eq!(stands(&sql, &own, "revoked", NOW_MS), (Standing::Ended, 0));
    for _ in 0..2 {
        assert_eq!(stands(&sql, &own, "unknown", NOW_MS), (Standing::Unknown, 1));
    }
}

#[test]
fn a_remembered_key_expires_and_its_use_is_noted_as_of_any_other() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    let used = |address, now_ms| {
        own.transaction(|| use_key(&own, "a", address, now_ms)).unwrap();
        let rows = sql.run("SELECT used_ms, address FROM api_key WHERE id = 'a'");
        (rows[0].int(0).unwrap(), rows[0].opt_text(1).unwrap())
    };
    let (home, away) = ("192.0.2.1".to_owned(), "192.0.2.2".to_owned());
    let first = (NOW_MS, Some(home.clone()));
    assert_eq!(used(Some(&home), NOW_MS), first);
    assert_eq!(used(Some(&away), NOW_MS + 1), first);
    assert_eq!(used(None, NOW_MS + 60_000), first);
    assert_eq!(
        used(Some(&away), NOW_MS + 60_000),
        (NOW_MS + 60_000, Some(away.clone()))
    );
    assert_eq!(used(None, NOW_MS + HOUR_MS), (NOW_MS + HOUR_MS, Some(away)));
    use_key(&own, "c", None, NOW_MS).unwrap();
    assert_eq!(stands(&sql, &own, "c", EXPIRES_MS - 1).1, 0);
    assert_eq!(stands(&sql, &own, "c", EXPIRES_MS), (Standing::Ended, 0));
}

#[test]
fn whoever_writes_what_a_key_is_the_object_reads_it_anew() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    use_key(&own, "a", None, NOW_MS).unwrap();
    for statement in [
        "UPDATE api_key SET daily_spend = 7 WHERE id = 'b'",
        "INSERT INTO key_maker (key, maker, replaced) VALUES ('a', 'b', 0)",
        "UPDATE api_key SET rate_per_minute = 7 WHERE id = 'a'",
        "DELETE FROM key_maker WHERE key = 'a'",
        "INSERT INTO sender (key, title) VALUES ('a', 'a')",
        "UPDATE api_key SET session_of = 'b' WHERE id = 'a'",
        "UPDATE api_key SET revoked_ms = 7 WHERE id = 'a'",
        "REPLACE INTO sender (number, key, title) VALUES (7, 'a', 'a')",
    ] {
        stands(&sql, &own, "a", NOW_MS);
        assert_eq!(stands(&sql, &own, "a", NOW_MS).1, 0, "{statement}");
        own.exec(statement, &[]).unwrap();
        assert!(stands(&sql, &own, "a", NOW_MS).1 > 0, "{statement}");
    }
}

#[test]
fn a_remembered_key_that_is_not_the_stored_one_is_found_when_it_is_used() {
    if !cfg!(debug_assertions) {
        return;
    }
    for change in [
        "UPDATE api_key SET revoked_ms = 7",
        "UPDATE api_key SET expires_ms = 7",
        "UPDATE api_key SET used_ms = 7",
        "UPDATE api_key SET address = '192.0.2.7'",
        "UPDATE api_key SET mode = 'test'",
        "UPDATE api_key SET session_of = 'b'",
        "UPDATE api_key SET phone = 989120000000, role = 'OWNER'",
        "UPDATE api_key SET daily_spend = 7",
        "UPDATE api_key SET rate_per_minute = 7",
        "INSERT INTO sender (key, title) VALUES ('a', 'a')",
        "DELETE FROM api_key",
    ] {
        let sql = account();
        let memory = Memory::default();
        let own = memory.of(&sql);
        let use_it = || own.transaction(|| use_key(&own, "a", None, NOW_MS)).unwrap();
        use_it();
        sql.run(change);
        let panic = catch_unwind(AssertUnwindSafe(use_it)).unwrap_err();
        let words = panic.downcast_ref::<String>().unwrap();
        assert!(
            words.starts_with("what is remembered is not what is stored"),
            "{change}: {words}"
        );
    }
}
