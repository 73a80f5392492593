//! The ids of a carrier: each leads back to its recipient for 7 days, and goes with its day.

use peyk::carrier::kind::Kind;
use peyk::carrier::smpp::message_ids::{self, Meaning, Taken, Told};
use peyk::carrier::smpp::open_messages::OpenMessages;
use serde_json::json;
use smpp::receipt::{Ending, ReportIds};

use crate::support::day_tables::IDS;
use crate::support::smpp::{DELIVERED, UNDELIVERED, has, submit, world};
use crate::support::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Sqlite, carrier_store, life::Life, rows};

fn opened() -> Sqlite {
    carrier_store(Kind::Smpp)
}

fn taken(id: &str, message: i64, part: u8, parts: u8) -> Taken {
    (
        id.to_owned(),
        "shop".to_owned(),
        message,
        0,
        part,
        parts,
        989_121_234_567,
    )
}

fn delivered(id: &str) -> Told {
    Told {
        id: id.to_owned(),
        other_id: None,
        ending: Ending::Delivered,
        code: String::new(),
        msisdn: None,
        other_msisdn: None,
        taken_ms: None,
        text: None,
        among: Vec::new(),
    }
}

/// The message that a receipt is about.
fn message_of(sql: &Sqlite, now_ms: i64, id: &str) -> Option<i64> {
    match &message_ids::read(
        sql,
        now_ms,
        ReportIds::AsIs,
        &mut OpenMessages::default(),
        &[delivered(id)],
    )
    .unwrap()[..]
    {
        [Meaning::Report(_, report)] => Some(report.message),
        [Meaning::Unknown] => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_receipt_that_comes_again_days_later_is_known_and_changes_nothing() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..60);
    let ids = || world.carrier_sql("mci", "0").count(IDS);
    let taken = smsc.taken();
    assert_eq!(ids(), 60);
    for (id, _) in &taken[..55] {
        smsc.receipt(0, &format!("id:{id} stat:DELIVRD"), "");
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 55));
    life.settle(2 * DAY_MS);
    assert_eq!(ids(), 60);
    let again = smsc.receipt(smsc.connections() - 1, &format!("id:{} stat:UNDELIV", taken[0].0), "");
    life.settle_until(5 * SECOND_MS, || smsc.confirmed().get(&again) == Some(&0));
    assert!(!world.has_logged("no message that is known"));
    assert!(has(&world, &shop, DELIVERED, 55));
    for (id, _) in &taken[55..] {
        smsc.receipt(smsc.connections() - 1, &format!("id:{id} stat:UNDELIV err:027"), "");
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNDELIVERED, 5));
    life.settle(8 * DAY_MS);
    assert_eq!(ids(), 0);
}

#[test]
fn an_id_goes_with_its_day_and_no_other_does_and_that_writes_no_row_for_it() {
    let sql = opened();
    for day in 0..8 {
        let ids: Vec<Taken> = (0..500)
            .map(|number| taken(&format!("{day}.{number}"), day, 1, 1))
            .collect();
        message_ids::keep(&sql, day * DAY_MS, &ids).unwrap();
    }
    rows::watch(&sql);
    for day in 0..8 {
        let due_ms = message_ids::sweep_due_ms(&sql).unwrap().unwrap();
        assert_eq!(due_ms, (day + 8) * DAY_MS);
        message_ids::sweep(&sql, due_ms - 1).unwrap();
        assert_eq!(message_of(&sql, due_ms - 1, &format!("{day}.7")), Some(day));
        message_ids::sweep(&sql, due_ms).unwrap();
        assert_eq!(message_of(&sql, due_ms, &format!("{day}.7")), None);
        assert_eq!(sql.count(IDS), 500 * (7 - day));
    }
    assert_eq!(message_ids::sweep_due_ms(&sql).unwrap(), None);
    let written = rows::taken(&sql);
    assert_eq!(written, [("day_table: delete".to_owned(), 8)]);
}

#[test]
fn a_day_that_no_sweep_has_forgotten_leaves_its_table_to_another_one() {
    let sql = opened();
    message_ids::keep(&sql, 0, &[taken("old", 1, 1, 1)]).unwrap();
    message_ids::keep(&sql, 8 * DAY_MS, &[taken("new", 2, 1, 1)]).unwrap();
    assert_eq!(message_of(&sql, 8 * DAY_MS, "old"), None);
    assert_eq!(message_of(&sql, 8 * DAY_MS, "new"), Some(2));
    // A clock that goes back takes nothing away.
    message_ids::keep(&sql, 0, &[taken("back", 3, 1, 1)]).unwrap();
    assert_eq!(message_of(&sql, 0, "new"), Some(2));
    assert_eq!(message_of(&sql, 0, "back"), Some(3));
}

/// What a receipt for this id and number means.
fn meaning_of(sql: &Sqlite, ids: ReportIds, id: &str, msisdn: Option<u64>) -> Meaning {
    let told = Told {
        msisdn,
        ..delivered(id)
    };
    message_ids::read(sql, DAY_MS, ids, &mut OpenMessages::default(), &[told])
        .unwrap()
        .remove(0)
}

#[test]
fn an_id_that_comes_again_leads_to_the_recipient_with_the_number_and_two_that_fit_are_several() {
    let sql = opened();
    let to = |msisdn, id: &str, message| (id.to_owned(), "shop".to_owned(), message, 0, 0, 1, msisdn);
    let (one, other) = (989_121_234_567, 989_121_230_000);
    message_ids::keep(&sql, 0, &[to(one, "7", 1)]).unwrap();
    message_ids::keep(&sql, 0, &[to(other, "7", 2)]).unwrap();
    message_ids::keep(&sql, DAY_MS, &[to(one, "7b", 3), to(other, "123", 4)]).unwrap();
    let message = |ids, id: &str, msisdn| match meaning_of(&sql, ids, id, msisdn) {
        Meaning::Report(_, report) => report.message,
        Meaning::Unknown => -1,
        Meaning::Several(_) => -2,
        other @ (Meaning::Nothing | Meaning::Late | Meaning::LateReport(..)) => panic!("{other:?}"),
    };
    for ids in [ReportIds::AsIs, ReportIds::Decimal, ReportIds::Hex] {
        assert_eq!(message(ids, "7", Some(one)), 1, "{ids:?}");
        assert_eq!(message(ids, "7", Some(other)), 2, "{ids:?}");
        assert_eq!(message(ids, "7", Some(989_121_231_111)), -1, "{ids:?}");
        assert_eq!(message(ids, "7", None), -2, "{ids:?}");
        let digits_only = message(ids, "7", Some(21_234_567));
        assert_eq!(digits_only, 1, "a number in another form ends alike");
    }
    assert_eq!(
        message(ReportIds::AsIs, "7b", None),
        3,
        "the id alone decides if it is unique"
    );
    // `123` is `7b` in hexadecimal digits.
    assert_eq!(message(ReportIds::Hex, "123", Some(one)), 3);
    assert_eq!(message(ReportIds::Hex, "123", None), 3);
    message_ids::keep(&sql, DAY_MS, &[to(one, "7", 5)]).unwrap();
    assert_eq!(
        message(ReportIds::AsIs, "7", Some(one)),
        -2,
        "two messages to one number"
    );
    assert_eq!(message(ReportIds::AsIs, "7", Some(other)), 2);
}

#[test]
fn an_id_that_thousands_have_is_looked_at_in_a_few_of_them() {
    let sql = opened();
    let to = |index: u32| {
        (
            "0".to_owned(),
            "shop".to_owned(),
            1,
            index,
            0,
            1,
            989_120_000_000 + u64::from(index),
        )
    };
    let all: Vec<Taken> = (0..20_000).map(to).collect();
    message_ids::keep(&sql, DAY_MS, &all).unwrap();
    let told: Vec<Told> = (0..200).map(|_| delivered("0")).collect();
    let meanings = message_ids::read(&sql, DAY_MS, ReportIds::AsIs, &mut OpenMessages::default(), &told).unwrap();
    assert!(meanings.iter().all(|meaning| *meaning == Meaning::Several(Vec::new())));
    assert!(matches!(
        meaning_of(&sql, ReportIds::AsIs, "0", Some(989_120_000_007)),
        Meaning::Several(among) if among.len() == 2
    ));
}

#[test]
fn the_parts_of_a_message_are_gathered_over_midnight_and_told_again_until_somebody_has_the_report() {
    let sql = opened();
    let parts: Vec<Taken> = (0..3).map(|part| taken(&format!("p{part}"), 1, part, 3)).collect();
    message_ids::keep(&sql, 0, &parts).unwrap();
    let read = |now_ms, part| {
        let told = [delivered(&format!("p{part}"))];
        message_ids::read(&sql, now_ms, ReportIds::AsIs, &mut OpenMessages::default(), &told)
            .unwrap()
            .remove(0)
    };
    assert_eq!(read(0, 0), Meaning::Nothing);
    assert_eq!(read(DAY_MS, 1), Meaning::Nothing);
    assert_eq!(read(DAY_MS, 1), Meaning::Nothing);
    let whole = read(2 * DAY_MS, 2);
    assert!(matches!(whole, Meaning::Report(..)), "{whole:?}");
    assert_eq!(read(3 * DAY_MS, 2), whole);
}
