//! Receipts are answered when their reports are safe: with the account, or stored here. In good times nothing is stored.

use std::collections::BTreeMap;

use serde_json::json;

use crate::support::smpp::{
    DELIVERED, SUBMITTED, UNDELIVERED, assert_once_and_ended, bind, has, number, send, statuses, submit, world,
};
use crate::support::smsc::Smsc;
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, life::Life, rows};

/// Rows that a bind's object has written to store reports.
fn stored(world: &World, object: &str) -> i64 {
    let written = rows::taken(&*world.carrier_sql("mci", object));
    let stored = written.iter().filter(|(entry, _)| entry.starts_with("report"));
    stored.map(|(_, count)| count).sum()
}

fn receipt(smsc: &Smsc, connection: usize, id: &str) -> u32 {
    smsc.receipt(connection, &format!("id:{id} stat:DELIVRD"), "")
}

/// Receipts for all that the SMSC has taken, by its last connection: their sequences.
fn receipts(smsc: &Smsc) -> Vec<u32> {
    let last = smsc.connections() - 1;
    smsc.taken().iter().map(|(id, _)| receipt(smsc, last, id)).collect()
}

fn are_confirmed(smsc: &Smsc, sequences: &[u32]) -> bool {
    let confirmed = smsc.confirmed();
    sequences.iter().all(|sequence| confirmed.get(sequence) == Some(&0))
}

#[test]
fn a_receipt_is_answered_when_its_account_has_the_report_and_nothing_is_stored() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..40);
    rows::watch(&*world.carrier_sql("mci", "0"));
    world.accounts_take_ms.set(500);
    let sequences = receipts(&smsc);
    life.settle(450);
    assert_eq!(smsc.confirmed(), BTreeMap::new());
    life.settle(SECOND_MS);
    assert!(are_confirmed(&smsc, &sequences) && has(&world, &shop, DELIVERED, 40));
    assert_eq!(stored(&world, "0"), 0);
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn a_receipt_by_another_session_is_stored_in_neither_object() {
    let (world, shop, smsc) = world(json!({"binds": 2}));
    let life = Life::of(&world);
    bind(&world, &life, &smsc, 2);
    for index in 0..8 {
        submit(&world, &life, &shop, "hello", index..index + 1);
    }
    for object in ["0", "1"] {
        rows::watch(&*world.carrier_sql("mci", object));
    }
    let others: Vec<u32> = smsc
        .taken()
        .iter()
        .map(|(id, got)| receipt(&smsc, 1 - got.connection, id))
        .collect();
    life.settle(SECOND_MS);
    assert!(are_confirmed(&smsc, &others) && has(&world, &shop, DELIVERED, 8));
    assert_eq!(["0", "1"].map(|object| stored(&world, object)), [0, 0]);
}

#[test]
fn a_report_that_takes_too_long_is_stored_and_its_receipt_is_answered() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..40);
    world.hanging_request.set(Some("Deliver"));
    let sequences = receipts(&smsc);
    life.settle(900);
    assert_eq!(smsc.confirmed(), BTreeMap::new());
    life.settle(1_200);
    assert!(are_confirmed(&smsc, &sequences));
    let sql = world.carrier_sql("mci", "0");
    assert!(sql.count("report") > 0);
    world.hanging_request.set(None);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 40));
    life.settle(SECOND_MS);
    assert_eq!(sql.count("report"), 0);
    // Then they go at once again.
    submit_more(&world, &life, &shop, 40..41, 1);
    rows::watch(&*sql);
    let (last, _) = smsc.taken().pop().unwrap();
    receipt(&smsc, 0, &last);
    life.settle_until(SECOND_MS, || has(&world, &shop, DELIVERED, 41));
    assert_eq!(stored(&world, "0"), 0);
    assert_once_and_ended(&world, &shop, &smsc);
}

/// Sends to more recipients, and waits until so many are submitted.
fn submit_more(world: &World, life: &Life<'_>, shop: &Account, indexes: std::ops::Range<usize>, count: i64) {
    send(world, shop, "hello", indexes);
    life.settle_until(MINUTE_MS, || has(world, shop, SUBMITTED, count));
}

#[test]
fn accounts_that_hang_hold_up_no_other_accounts_receipts() {
    let (world, good, smsc) = world(json!({}));
    let life = Life::of(&world);
    let hanging: Vec<Account> = (0..20)
        .map(|index| world.account(&format!("shop{index}"), 100_000))
        .collect();
    for (index, shop) in hanging.iter().enumerate() {
        send(&world, shop, "hello", index..index + 1);
    }
    life.settle_until(MINUTE_MS, || smsc.taken().len() == 20);
    submit_more(&world, &life, &good, 20..50, 30);
    life.settle(SECOND_MS);
    let ids: BTreeMap<String, String> = smsc
        .taken()
        .into_iter()
        .map(|(id, got)| (got.deliver.destination.number, id))
        .collect();
    let receipt_for = |index: usize| receipt(&smsc, 0, &ids[&number(index)]);
    // One that hangs costs others nothing.
    world.hanging_accounts.borrow_mut().push(hanging[0].id.clone());
    let first = receipt_for(0);
    life.settle(10);
    let beside = receipt_for(20);
    life.settle(50);
    assert!(are_confirmed(&smsc, &[beside]) && !are_confirmed(&smsc, &[first]));
    life.settle(SECOND_MS);
    // What comes for it then is stored at once.
    let again = receipt_for(0);
    life.settle(50);
    assert!(are_confirmed(&smsc, &[first, again]));
    // Many that hang cost a moment.
    let ids = hanging.iter().map(|shop| shop.id.clone());
    world.hanging_accounts.replace(ids.collect());
    let many: Vec<u32> = (0..50).map(receipt_for).collect();
    life.settle(2_200);
    assert!(are_confirmed(&smsc, &many));
    let more: Vec<u32> = (20..50).map(receipt_for).collect();
    life.settle(2_200);
    assert!(are_confirmed(&smsc, &more) && has(&world, &good, DELIVERED, 30));
    world.hanging_accounts.take();
    life.settle_until(20 * MINUTE_MS, || {
        hanging.iter().all(|shop| has(&world, shop, DELIVERED, 1))
    });
}

#[test]
fn a_session_that_ends_stores_the_reports_on_their_way() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..100);
    world.hanging_request.set(Some("Deliver"));
    receipts(&smsc);
    life.settle(100);
    smsc.hang_up();
    life.settle(100);
    assert_eq!(smsc.confirmed(), BTreeMap::new());
    world.hanging_request.set(None);
    // The SMSC repeats nothing.
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 100));
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn a_flood_of_receipts_is_answered_also_while_no_account_answers() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    world.hanging_request.set(Some("Deliver"));
    let (id, _) = smsc.taken().remove(0);
    let sequences: Vec<u32> = (0..3_000).map(|_| receipt(&smsc, 0, &id)).collect();
    life.settle(2_200);
    assert!(are_confirmed(&smsc, &sequences));
    world.hanging_request.set(None);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
}

#[test]
fn whenever_the_process_is_killed_a_receipt_without_an_answer_comes_again_and_changes_nothing() {
    let (world, shop, smsc) = world(json!({}));
    world.yields.set(true);
    let mut repeated = 0;
    for round in 0..12_usize {
        let life = Life::of(&world);
        let sent = smsc.taken().len();
        send(&world, &shop, "hello", round * 5..round * 5 + 5);
        life.settle_until(2 * MINUTE_MS, || statuses(&world, &shop).get(&SUBMITTED) == Some(&5));
        let own: Vec<String> = smsc.taken().split_off(sent).into_iter().map(|(id, _)| id).collect();
        let told = |connection: usize| -> Vec<u32> { own.iter().map(|id| receipt(&smsc, connection, id)).collect() };
        let connections = smsc.connections();
        let sequences = told(connections - 1);
        life.kill_in.set(Some(round as u64));
        life.settle(SECOND_MS);
        life.kill_in.set(None);
        if !are_confirmed(&smsc, &sequences) {
            repeated += 1;
            life.settle_until(2 * MINUTE_MS, || smsc.connections() > connections);
            // By now they say something else: whoever has a report keeps it.
            for id in &own {
                smsc.receipt(smsc.connections() - 1, &format!("id:{id} stat:UNDELIV"), "");
            }
        }
        let all = i64::try_from(5 * (round + 1)).unwrap();
        life.settle_until(2 * MINUTE_MS, || {
            let statuses = statuses(&world, &shop);
            let count = |status| statuses.get(&status).copied().unwrap_or(0);
            count(DELIVERED) + count(UNDELIVERED) == all
        });
        life.kill();
    }
    assert!((2..12).contains(&repeated), "{repeated}");
    assert_once_and_ended(&world, &shop, &smsc);
}
