//! SMSCs that give an id twice: the number in the receipt says whose it is.

use std::collections::BTreeMap;

use peyk::base::ports::{Row, Sql};
use serde_json::json;
use smpp::pdu::{Address, Deliver};

use crate::support::smpp::{DELIVERED, SUBMITTED, UNDELIVERED, bind, has, health, number, send, submit, world};
use crate::support::smsc::{Got, Reply, Smsc, receipt};
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, life::Life};

/// The status of each number.
fn by_number(world: &World, shop: &Account) -> BTreeMap<String, i64> {
    let rows = world.sql(&shop.id).exec("SELECT msisdn, status FROM recipient", &[]);
    let of = |row: &Row| (row.int(0).unwrap().to_string(), row.int(1).unwrap());
    rows.unwrap().iter().map(of).collect()
}

/// The state that this SMSC reports for a number, and the status that it is.
fn ending(number: &str) -> (&'static str, i64) {
    match number.ends_with(['0', '3', '6', '9']) {
        true => ("UNDELIV", UNDELIVERED),
        false => ("DELIVRD", DELIVERED),
    }
}

/// The receipt of a message.
fn receipt_of(id: &str, got: &Got) -> Deliver {
    let to = &got.deliver.destination.number;
    receipt(&format!("id:{id} stat:{}", ending(to).0), to)
}

/// The same from the sender to the recipient, as the message went.
fn swapped(receipt: &Deliver, line: &str) -> Deliver {
    let line = Address {
        number: line.to_owned(),
        ..receipt.source.clone()
    };
    Deliver {
        source: line,
        destination: receipt.source.clone(),
        ..receipt.clone()
    }
}

#[track_caller]
fn assert_each_has_its_own(world: &World, shop: &Account, count: usize) {
    let wrong: Vec<_> = by_number(world, shop)
        .into_iter()
        .filter(|(number, status)| *status != ending(number).1)
        .collect();
    assert_eq!(wrong, [], "of {count}");
    assert_eq!(by_number(world, shop).len(), count);
}

/// Each connection counts for itself, in hexadecimal digits or in decimal ones.
fn count_by_connection(smsc: &Smsc, is_hex: bool) {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    smsc.answer(move |_, got| {
        let count = counts.entry(got.connection).or_default();
        *count += 1;
        let id = if is_hex {
            format!("{count:x}")
        } else {
            count.to_string()
        };
        Reply::Named(id, 0)
    });
}

/// Two nodes of an SMSC with ids of their own send their receipts by each other's sessions.
fn two_nodes(settings: serde_json::Value, form: impl Fn(&Deliver) -> Deliver) {
    let mut all = json!({"binds": 2});
    all.as_object_mut()
        .unwrap()
        .extend(settings.as_object().unwrap().clone());
    let is_hex = all["reportIds"] == "HEX";
    let (world, shop, smsc) = world(all);
    let life = Life::of(&world);
    bind(&world, &life, &smsc, 2);
    count_by_connection(&smsc, is_hex);
    for at in 0..20 {
        send(&world, &shop, "hello", at * 10..at * 10 + 10);
        life.settle(SECOND_MS);
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 200));
    let taken = smsc.taken();
    let of_first = taken.iter().filter(|(_, got)| got.connection == 0).count();
    assert!((1..200).contains(&of_first), "{of_first}");
    for (id, got) in &taken {
        // Its receipts have decimal digits.
        let radix = if is_hex { 16 } else { 10 };
        let id = u64::from_str_radix(id, radix).unwrap().to_string();
        smsc.deliver(1 - got.connection, &form(&receipt_of(&id, got)));
    }
    life.settle(MINUTE_MS);
    assert_each_has_its_own(&world, &shop, 200);
    assert_eq!(health(&world)["unknownReports"], 0);
}

#[test]
fn two_nodes_with_ids_alike_and_receipts_by_each_others_sessions_settle_each_his_own() {
    for ids in ["AS_IS", "DECIMAL", "HEX"] {
        two_nodes(json!({ "reportIds": ids }), Deliver::clone);
    }
}

#[test]
fn an_smsc_that_swaps_the_addresses_is_understood_without_a_setting_and_with_one() {
    for numbers in ["EITHER", "DESTINATION"] {
        for line in ["20999", "SHOP"] {
            two_nodes(json!({ "reportNumbers": numbers }), |receipt| swapped(receipt, line));
        }
    }
}

/// Whether the receipt of a message settles its own recipient and no other, if it comes by the session of a message with the same id
/// whose number ends as the line does.
fn settles_its_own(form: impl Fn(&Deliver, &str) -> Deliver) -> bool {
    let (world, shop, smsc) = world(json!({"binds": 2}));
    let life = Life::of(&world);
    bind(&world, &life, &smsc, 2);
    count_by_connection(&smsc, false);
    let line = "10005678";
    for at in [9_995_678, 1] {
        send(&world, &shop, "hello", at..at + 1);
        life.settle(SECOND_MS);
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 2));
    let taken = smsc.taken();
    let [(first, one), (second, other)] = &taken[..] else {
        panic!("{taken:?}");
    };
    assert!(first == second && one.connection != other.connection);
    smsc.deliver(one.connection, &form(&receipt_of(second, other), line));
    life.settle(MINUTE_MS);
    let settled = by_number(&world, &shop);
    settled[&number(9_995_678)] == SUBMITTED && settled[&number(1)] == DELIVERED
}

#[test]
fn the_line_in_a_receipt_is_never_taken_for_a_recipient() {
    let to = |receipt: &Deliver, line: &str| {
        let swapped = swapped(receipt, line);
        Deliver {
            source: swapped.destination.clone(),
            destination: swapped.source.clone(),
            ..swapped
        }
    };
    assert!(settles_its_own(to));
    assert!(settles_its_own(swapped));
    // Some SMSCs write the number as people do.
    for form in ["+98", "0", "0098"] {
        assert!(settles_its_own(|receipt, line| {
            let mut receipt = to(receipt, line);
            receipt.source.number = receipt.source.number.replacen("98", form, 1);
            receipt
        }));
    }
}

#[test]
fn what_a_setting_says_about_numbers_is_believed() {
    for (numbers, is_swapped, is_settled) in [
        ("SOURCE", true, false),
        ("DESTINATION", false, false),
        ("NONE", false, true),
        ("NONE", true, true),
    ] {
        let (world, shop, smsc) = world(json!({ "reportNumbers": numbers }));
        let life = Life::of(&world);
        send(&world, &shop, "hello", 1..2);
        life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 1));
        let (id, got) = smsc.taken().remove(0);
        let as_is = receipt_of(&id, &got);
        let mut told = as_is.clone();
        told.destination.number = "20002".to_owned();
        if is_swapped {
            told = swapped(&as_is, "20002");
        }
        if numbers == "NONE" {
            (told.source.number, told.destination.number) = ("30007".to_owned(), "20002".to_owned());
        }
        smsc.deliver(0, &told);
        life.settle(MINUTE_MS);
        let expected = if is_settled { DELIVERED } else { SUBMITTED };
        assert!(has(&world, &shop, expected, 1), "{numbers} {is_swapped}");
    }
}

#[test]
fn an_smsc_that_counts_anew_is_understood_whether_its_receipts_come_before_or_after_its_answers() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    let count_from = |first: usize, after_ms| {
        smsc.answer(move |place, _| Reply::Named((place - first).to_string(), after_ms));
    };
    count_from(0, 0);
    submit(&world, &life, &shop, "hello", 0..40);
    count_from(40, 2 * SECOND_MS);
    send(&world, &shop, "hello", 40..80);
    // The receipts of each message that it takes now come at once, before its answer.
    let mut told = 40;
    for _ in 0..200 {
        life.settle(100);
        for (id, got) in smsc.taken().iter().skip(told) {
            smsc.deliver(0, &receipt_of(id, got));
            told += 1;
        }
    }
    assert_eq!(told, 80);
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 40));
    // Those of the first messages come at last.
    for (id, got) in smsc.taken().iter().take(40) {
        smsc.deliver(0, &receipt_of(id, got));
    }
    life.settle(MINUTE_MS);
    assert_each_has_its_own(&world, &shop, 80);
}

/// An SMSC gives two messages to one number one id: it has reported the first when it counts anew. How they end when the receipt of the
/// second has come.
fn counted_anew(settings: serde_json::Value, text: &str, receipts_of_first: usize) -> Vec<i64> {
    let (world, shop, smsc) = world(settings);
    let life = Life::of(&world);
    let parts = if text.len() > 160 { 2 } else { 1 };
    smsc.answer(move |place, _| Reply::Named((place % parts).to_string(), 0));
    for message in 0..2 {
        send(&world, &shop, text, 0..1);
        life.settle_until(MINUTE_MS, || smsc.taken().len() == (message + 1) * parts);
        life.settle(SECOND_MS);
        let reported = if message == 0 { receipts_of_first } else { parts };
        for id in 0..reported {
            smsc.receipt(0, &format!("id:{id} stat:DELIVRD"), &number(0));
        }
        life.settle(2 * SECOND_MS);
    }
    life.settle(20 * SECOND_MS);
    let rows = world
        .sql(&shop.id)
        .exec("SELECT status FROM recipient ORDER BY message", &[]);
    rows.unwrap().iter().map(|row| row.int(0).unwrap()).collect()
}

#[test]
fn a_receipt_that_fits_two_settles_the_one_that_has_not_ended() {
    let long = "a".repeat(200);
    for settings in [
        json!({}),
        json!({ "reportNumbers": "NONE" }),
        json!({ "reportIds": "DECIMAL" }),
    ] {
        assert_eq!(counted_anew(settings.clone(), "one", 1), [DELIVERED, DELIVERED]);
        assert_eq!(counted_anew(settings.clone(), "one", 0), [SUBMITTED, SUBMITTED]);
        assert_eq!(counted_anew(settings.clone(), &long, 2), [DELIVERED, DELIVERED]);
        assert_eq!(counted_anew(settings, &long, 0), [SUBMITTED, SUBMITTED]);
    }
}

#[test]
fn a_receipt_that_fits_two_of_another_session_settles_the_one_that_has_not_ended() {
    let (world, shop, smsc) = world(json!({"binds": 2}));
    let life = Life::of(&world);
    bind(&world, &life, &smsc, 2);
    // Only the first session's ids come twice.
    smsc.answer(|place, got| {
        Reply::Named(
            if got.connection == 0 {
                "7".to_owned()
            } else {
                format!("x{place}")
            },
            0,
        )
    });
    let (mut sent, mut by_first) = (0, 0);
    while by_first < 3 {
        send(&world, &shop, "hello", 0..1);
        life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 1));
        sent += 1;
        let (id, got) = smsc.taken().pop().unwrap();
        by_first += usize::from(got.connection == 0);
        smsc.receipt(1, &format!("id:{id} stat:DELIVRD"), &number(0));
        life.settle(2 * MINUTE_MS);
        assert!(has(&world, &shop, DELIVERED, sent), "{sent}");
    }
}

#[test]
fn a_receipt_that_fits_two_settles_none_and_the_operator_hears_of_it() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Named("7".to_owned(), 0));
    submit(&world, &life, &shop, "one", 0..1);
    submit(&world, &life, &shop, "two", 1..2);
    send(&world, &shop, "three", 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 3));
    for source in ["", &number(0)] {
        let sequence = smsc.receipt(0, "id:7 stat:DELIVRD", source);
        life.settle_until(MINUTE_MS, || smsc.confirmed().get(&sequence) == Some(&0));
    }
    life.settle(MINUTE_MS);
    assert!(has(&world, &shop, SUBMITTED, 3));
    assert!(world.has_logged("a receipt fits several messages"));
    assert_eq!(health(&world)["unknownReports"], 2);
    smsc.receipt(0, "id:7 stat:DELIVRD", &number(1));
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
}
