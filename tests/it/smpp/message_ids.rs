//! The ids of a carrier: they go when no receipt will name them again, so that an object does not fill up.

use peyk::carrier::reports;
use peyk::carrier::smpp::message_ids::{self, EndedParts, Told};
use peyk::carrier::smpp::protocol::receipt::{Ending, ReportIds};
use serde_json::json;

use crate::support::smpp::{DELIVERED, UNDELIVERED, has, submit, world};
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Sqlite, life::Life};

#[test]
fn ids_go_minutes_after_the_receipts_that_end_their_messages() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..600);
    let ids = || world.carrier_sql("mci", "0").count("sent");
    let taken = smsc.taken();
    assert_eq!(ids(), 600);
    for (id, _) in &taken[..550] {
        smsc.receipt(0, &format!("id:{id} stat:DELIVRD"), "");
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 550));
    assert_eq!(ids(), 600, "a receipt may come again");
    let again = smsc.receipt(0, &format!("id:{} stat:DELIVRD", taken[0].0), "");
    life.settle_until(SECOND_MS, || smsc.confirmed().get(&again) == Some(&0));
    life.settle(5 * MINUTE_MS);
    assert_eq!(ids(), 50);
    assert!(!world.has_logged("no message that is known"));
    for (id, _) in &taken[550..] {
        smsc.receipt(0, &format!("id:{id} stat:UNDELIV err:027"), "");
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNDELIVERED, 50));
}

#[test]
fn an_id_that_the_carrier_gives_to_another_message_stays() {
    let sql = Sqlite::new();
    message_ids::open(&sql).unwrap();
    let keep = |message: i64| {
        let part = ("7".to_owned(), "shop".to_owned(), message, 0, 1, 1, 989_121_234_567);
        message_ids::keep(&sql, 0, &[part]).unwrap();
    };
    let delivered = Told {
        id: "7".to_owned(),
        ending: Ending::Delivered,
        code: String::new(),
        msisdn: None,
        taken_ms: None,
        text: None,
    };
    reports::open(&sql).unwrap();
    keep(1);
    let reported = message_ids::report(&sql, 0, ReportIds::AsIs, std::slice::from_ref(&delivered)).unwrap();
    let mut ended = EndedParts::default();
    ended.add(0, reported.ended);
    keep(2);
    let due_ms = ended.sweep_due_ms().unwrap();
    ended.sweep(&sql, due_ms).unwrap();
    assert_eq!((ended.sweep_due_ms(), sql.count("sent")), (None, 1));
    let reported = message_ids::report(&sql, due_ms, ReportIds::AsIs, &[delivered]).unwrap();
    assert_eq!(reported.known, [true]);
}
