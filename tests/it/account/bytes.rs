//! What a message weighs in the object of the carrier that took it, and a change in the audit log. docs/scale.md computes with
//! these pins how full an object and D1 get.

use serde_json::json;

use crate::support::day_tables::{IDS, NOTES};
use crate::support::smpp::{DELIVERED, SUBMITTED, has, report_all, send, world};
use crate::support::{Sqlite, World, life::Life, time::DAY_MS, time::MINUTE_MS};

/// Bytes of the note of a message's handover, which is kept for two to three days.
const BIND_NOTE_BYTES: i64 = 80;
/// Bytes of a part's id, which is kept for seven to eight days.
const BIND_ID_BYTES: i64 = 66;

/// Bytes of an entry of the audit log, with its indexes.
const AUDIT_BYTES: i64 = 850;

/// How many of each are weighed.
const COUNT: usize = 2_000;

/// The bytes of the pages in use.
fn bytes(sql: &Sqlite) -> i64 {
    sql.number("SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size")
}

/// A pin is right when it is no more than a tenth too high.
fn assert_pinned(name: &str, pin: i64, all: i64) {
    let one = all / i64::try_from(COUNT).unwrap();
    assert!(
        one <= pin && one > pin * 9 / 10,
        "{name}: {one} bytes, and the pin says {pin}"
    );
}

#[test]
fn a_message_leaves_a_note_and_an_id_of_these_sizes() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    // The first message makes the tables.
    send(&world, &shop, "hello", 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 1));
    let sql = world.carrier_sql("mci", "0");
    let before = bytes(&sql);
    let count = i64::try_from(COUNT).unwrap();
    for index in 1..=COUNT {
        send(&world, &shop, "hello", index..index + 1);
    }
    life.settle_until(5 * MINUTE_MS, || has(&world, &shop, SUBMITTED, count + 1));
    report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, count + 1));
    let with_notes = bytes(&sql) - before;
    life.settle(4 * DAY_MS);
    assert_eq!((sql.count(NOTES), sql.count(IDS)), (0, count + 1));
    let ids = bytes(&sql) - before;
    assert_pinned("BIND_NOTE_BYTES", BIND_NOTE_BYTES, with_notes - ids);
    assert_pinned("BIND_ID_BYTES", BIND_ID_BYTES, ids);
}

#[test]
fn a_change_leaves_an_entry_of_this_size_in_the_audit_log() {
    let (mut world, shop) = World::with_busy_account(1_000_000);
    world.app.config.audit_bytes_a_day = 100_000_000;
    let id = world
        .posted(&shop.key, "/phonebook", json!({"title": "Title 0"}))
        .text("/data/id");
    let before = bytes(&world.db);
    for number in 0..COUNT {
        let title = json!({"title": format!("Title {number}")});
        world.put(&shop.key, &format!("/phonebook/{id}"), title).expect(200);
    }
    assert_pinned("AUDIT_BYTES", AUDIT_BYTES, bytes(&world.db) - before);
}
