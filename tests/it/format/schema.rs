//! The steps of an object's schema, and the formats that travel between versions of the code.

use peyk::account::{message::charge::Charge, request::After, request::Request};
use peyk::durable::{Call, Wake, schema::Step, schema::migrate};

use crate::support::{Sqlite, World};

const WHOLE: Step = &["CREATE TABLE a (x INTEGER)", "INSERT INTO a VALUES (1)"];
const STEP: Step = &["ALTER TABLE a ADD COLUMN y INTEGER", "UPDATE a SET y = 2"];
const NEWER_WHOLE: Step = &["CREATE TABLE a (x INTEGER, y INTEGER)", "INSERT INTO a VALUES (5, 6)"];
const BROKEN: Step = &["UPDATE a SET y = 3", "CREATE TABLE a (x INTEGER)"];

fn row(sql: &Sqlite) -> (i64, i64) {
    let row = &sql.run("SELECT x, y FROM a")[0];
    (row.int(0).unwrap(), row.int(1).unwrap())
}

#[test]
fn each_step_is_applied_once_and_keeps_what_is_stored() {
    let sql = Sqlite::new();
    migrate(&sql, "part", WHOLE, &[]).unwrap();
    sql.run("UPDATE a SET x = 7");
    for _ in 0..2 {
        migrate(&sql, "part", NEWER_WHOLE, &[STEP]).unwrap();
        assert_eq!(row(&sql), (7, 2));
    }
}

#[test]
fn a_new_object_gets_the_newest_schema_and_no_step_before_it() {
    let sql = Sqlite::new();
    migrate(&sql, "part", NEWER_WHOLE, &[STEP]).unwrap();
    assert_eq!(row(&sql), (5, 6));
    migrate(&sql, "part", NEWER_WHOLE, &[STEP, &["UPDATE a SET y = 9"]]).unwrap();
    assert_eq!(row(&sql), (5, 9));
}

#[test]
fn a_step_that_fails_leaves_nothing_behind_and_is_tried_again() {
    let sql = Sqlite::new();
    migrate(&sql, "part", WHOLE, &[]).unwrap();
    assert!(migrate(&sql, "part", NEWER_WHOLE, &[STEP, BROKEN]).is_err());
    assert_eq!(row(&sql), (1, 2));
    migrate(&sql, "part", NEWER_WHOLE, &[STEP, &["UPDATE a SET y = 4"]]).unwrap();
    assert_eq!(row(&sql), (1, 4));
}

#[test]
fn older_code_opens_what_newer_code_has_migrated() {
    let sql = Sqlite::new();
    migrate(&sql, "part", NEWER_WHOLE, &[STEP]).unwrap();
    migrate(&sql, "part", WHOLE, &[]).unwrap();
    assert_eq!(row(&sql), (5, 6));
    migrate(&sql, "part", NEWER_WHOLE, &[STEP]).unwrap();
    assert_eq!(row(&sql), (5, 6));
}

#[test]
fn parts_of_an_object_have_steps_of_their_own() {
    let sql = Sqlite::new();
    migrate(&sql, "part", WHOLE, &[]).unwrap();
    migrate(&sql, "other", &["CREATE TABLE b (x INTEGER)"], &[]).unwrap();
    assert!(sql.run("SELECT * FROM b").is_empty());
}

/// A call as version 1 writes it. Its text may not change: objects of another deploy read it.
const CALL: &str = r#"{"v":1,"to":"shop","key":"key-1","request":"Charge","body":null}"#;

#[test]
fn a_call_is_read_with_members_that_are_missing_or_new() {
    let call = Call::read(CALL).unwrap();
    let wanted = (1, "shop", Some("key-1"));
    assert_eq!((call.v, call.to.as_ref(), call.key.as_deref()), wanted);
    assert_eq!(call.request, Charge::NAME);
    assert!(call.body::<Charge>().unwrap().0.is_none());
    let call = Call::read(r#"{"v":2,"to":"shop","request":"Charge","body":null,"trace":"x"}"#).unwrap();
    assert_eq!((call.key, call.paid), (None, 0));
}

#[test]
fn a_request_that_an_object_does_not_know_is_answered_as_such() {
    let (world, shop) = World::with_account(0);
    let call = CALL.replace("Charge", "Teleport").replace("shop", &shop.id);
    let answered = peyk::account::handle::handle(
        &*world.sql(&shop.id),
        world.now_ms.get(),
        &[call],
        &peyk::account::record::chunk::claim::NoCapacity,
        &Default::default(),
    )
    .remove(0)
    .unwrap();
    assert_eq!(answered.reply, r#"{"limit":null,"outcome":{"Err":"UnknownRequest"}}"#);
    assert_eq!(answered.wake, After::Wake(Wake::Never));
}
