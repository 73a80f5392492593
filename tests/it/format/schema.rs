//! The steps of an object's schema, and the formats that travel between versions of the code.

use peyk::account::{message::charge::Charge, request::After, request::Request};
use peyk::durable::{Call, Wake, schema::Step, schema::migrate};

use crate::support::{Sqlite, World};

const FIRST: Step = &["CREATE TABLE a (x INTEGER)", "INSERT INTO a VALUES (1)"];
const SECOND: Step = &["ALTER TABLE a ADD COLUMN y INTEGER", "UPDATE a SET y = 2"];
const BROKEN: Step = &["UPDATE a SET y = 3", "CREATE TABLE a (x INTEGER)"];

#[test]
fn each_step_is_applied_once_and_keeps_what_is_stored() {
    let sql = Sqlite::new();
    migrate(&sql, "part", &[FIRST]).unwrap();
    sql.run("UPDATE a SET x = 7");
    for _ in 0..2 {
        migrate(&sql, "part", &[FIRST, SECOND]).unwrap();
        let row = &sql.run("SELECT x, y FROM a")[0];
        assert_eq!((row.int(0).unwrap(), row.int(1).unwrap()), (7, 2));
        sql.run("UPDATE a SET x = 7");
    }
}

#[test]
fn a_step_that_fails_leaves_nothing_behind_and_is_tried_again() {
    let sql = Sqlite::new();
    assert!(migrate(&sql, "part", &[FIRST, SECOND, BROKEN]).is_err());
    let y = || sql.number("SELECT y FROM a");
    assert_eq!(y(), 2);
    migrate(&sql, "part", &[FIRST, SECOND, &["UPDATE a SET y = 4"]]).unwrap();
    assert_eq!(y(), 4);
}

#[test]
fn older_code_opens_what_newer_code_has_migrated() {
    let sql = Sqlite::new();
    migrate(&sql, "part", &[FIRST, SECOND]).unwrap();
    migrate(&sql, "part", &[FIRST]).unwrap();
    assert_eq!(sql.number("SELECT x FROM a"), 1);
}

#[test]
fn parts_of_an_object_have_steps_of_their_own() {
    let sql = Sqlite::new();
    migrate(&sql, "part", &[FIRST]).unwrap();
    migrate(&sql, "other", &[&["CREATE TABLE b (x INTEGER)"]]).unwrap();
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
