//! Receipts of messages whose answers were lost: whom they settle, and whom they never do.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use peyk::account::record::account_row::Account as Row;
use peyk::base::ports::Sql;
use proptest::prelude::*;
use serde_json::json;

use crate::support::smpp::{
    DELIVERED, EXPIRED, QUEUED, SUBMITTED, UNDELIVERED, UNKNOWN, assert_once_and_ended, has, number, open_windows,
    send, statuses, world,
};
use crate::support::smsc::{Got, Reply, Smsc};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, cases, life::Life};

/// The SMSC takes the message, and its answer does not come.
const LOST: Reply = Reply::Status(0, 1_000 * HOUR_MS);

/// A carrier is killed with a window on its way.
fn killed_in_a_window(life: &Life<'_>, world: &World, shop: &Account, smsc: &Smsc) {
    open_windows(world, life, shop, smsc, 1, 100);
    smsc.answer(|_, _| LOST);
    send(world, shop, "hello", 0..200);
    life.settle(500);
    smsc.answer(|_, _| Reply::Status(0, 0));
    life.kill();
    let connections = smsc.connections();
    life.settle_until(2 * MINUTE_MS, || smsc.connections() > connections);
}

#[test]
fn after_a_crash_receipts_settle_those_who_had_left_and_their_money() {
    let (world, shop, smsc) = world(json!({"window": 50}));
    let life = Life::of(&world);
    killed_in_a_window(&life, &world, &shop, &smsc);
    life.settle_until(2 * MINUTE_MS, || {
        has(&world, &shop, UNKNOWN, 50) && has(&world, &shop, SUBMITTED, 250)
    });
    for (at, (id, got)) in smsc.taken().into_iter().enumerate() {
        let state = if at % 5 == 0 { "UNDELIV" } else { "DELIVRD" };
        smsc.receipt(
            smsc.connections() - 1,
            &format!("id:{id} stat:{state}"),
            &got.deliver.destination.number,
        );
    }
    life.settle(5 * MINUTE_MS);
    assert_eq!(
        statuses(&world, &shop),
        BTreeMap::from([(DELIVERED, 240), (UNDELIVERED, 60)])
    );
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn receipts_that_come_before_the_account_knows_who_is_in_doubt_wait_for_it() {
    let (world, shop, smsc) = world(json!({"window": 50}));
    let life = Life::of(&world);
    killed_in_a_window(&life, &world, &shop, &smsc);
    for (id, got) in smsc.taken().into_iter().skip(100) {
        smsc.receipt(1, &format!("id:{id} stat:EXPIRED"), &got.deliver.destination.number);
    }
    life.settle_until(5 * MINUTE_MS, || has(&world, &shop, EXPIRED, 50));
    assert!(has(&world, &shop, SUBMITTED, 250), "{:?}", statuses(&world, &shop));
}

#[test]
fn a_receipt_comes_by_another_session_than_the_lost_message() {
    let (world, shop, smsc) = world(json!({"window": 50, "binds": 2}));
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, 2, 100);
    smsc.answer(|_, _| LOST);
    send(&world, &shop, "hello", 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNKNOWN, 1));
    let (id, got) = smsc.taken().pop().unwrap();
    smsc.receipt(
        1 - got.connection,
        &format!("id:{id} stat:DELIVRD"),
        &got.deliver.destination.number,
    );
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
}

/// Two messages to one number, of one account or of two, have lost their answers. Whether a receipt with this text settles one.
fn is_settled(texts: [&str; 2], accounts: usize, receipt: &str) -> bool {
    let (world, shop, smsc) = world(json!({}));
    let other = world.account("other", 1_000_000);
    let life = Life::of(&world);
    smsc.answer(|_, _| LOST);
    send(&world, &shop, texts[0], 0..1);
    life.settle(15 * SECOND_MS);
    let second = if accounts == 1 { &shop } else { &other };
    send(&world, second, texts[1], 0..1);
    life.settle(30 * SECOND_MS);
    smsc.receipt(0, &format!("id:{receipt}"), &number(0));
    life.settle(2 * HOUR_MS);
    let unknown = [&shop, &other].map(|account| statuses(&world, account).get(&UNKNOWN).copied().unwrap_or(0));
    let settled = 2 - unknown.iter().sum::<i64>();
    assert!(settled <= 1);
    settled == 1
}

#[test]
fn a_receipt_that_fits_two_settles_none_and_one_with_a_text_or_a_time_that_only_one_has_settles_this_one() {
    for accounts in [1, 2] {
        let is_settled = |texts, receipt| is_settled(texts, accounts, receipt);
        assert!(!is_settled(["one", "two"], "x stat:DELIVRD"));
        assert!(is_settled(["one", "two"], "x stat:DELIVRD text:two"));
        assert!(!is_settled(["one", "two"], "x stat:DELIVRD text:three"));
        assert!(!is_settled(["one", "two"], "x stat:ENROUTE text:two"));
        assert!(!is_settled(["one", "one and more"], "x stat:DELIVRD text:one"));
        assert!(!is_settled(
            ["one", "two"],
            "x submit date:1901011200 stat:DELIVRD text:two"
        ));
    }
}

#[test]
fn a_receipt_that_comes_again_much_later_settles_nobody_of_another_account() {
    let (world, shop, smsc) = world(json!({}));
    let other = world.account("other", 1_000_000);
    let life = Life::of(&world);
    smsc.answer(|_, _| LOST);
    send(&world, &other, "hello", 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &other, UNKNOWN, 1));
    smsc.answer(|_, _| Reply::Status(0, 0));
    send(&world, &shop, "hello", 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 1));
    let (id, _) = smsc.taken().into_iter().last().unwrap();
    for _ in 0..2 {
        smsc.receipt(0, &format!("id:{id} stat:DELIVRD"), &number(0));
        life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
        life.settle(HOUR_MS);
    }
    assert!(has(&world, &other, UNKNOWN, 1));
}

#[test]
fn a_receipt_without_a_known_id_settles_none_whose_answer_came() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| LOST);
    send(&world, &shop, "one", 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNKNOWN, 1));
    smsc.receipt(0, "id:x stat:DELIVRD text:one", &number(0));
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
    smsc.answer(|_, _| Reply::Status(0, 0));
    send(&world, &shop, "two", 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 1));
    smsc.receipt(0, "id:y stat:DELIVRD text:two", &number(0));
    life.settle(HOUR_MS);
    assert!(has(&world, &shop, SUBMITTED, 1) && has(&world, &shop, DELIVERED, 1));
}

#[test]
fn a_receipt_that_comes_again_settles_nobody_else() {
    for accounts in [1, 2] {
        let (world, shop, smsc) = world(json!({}));
        let other = world.account("other", 1_000_000);
        let second = if accounts == 1 { &shop } else { &other };
        let life = Life::of(&world);
        smsc.answer(|_, _| LOST);
        send(&world, &shop, "one", 0..1);
        life.settle_until(MINUTE_MS, || has(&world, &shop, UNKNOWN, 1));
        smsc.receipt(0, "id:x stat:DELIVRD", &number(0));
        life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
        smsc.answer(|_, _| Reply::Silence);
        send(&world, second, "two", 0..1);
        life.settle_until(MINUTE_MS, || has(&world, second, UNKNOWN, 1));
        smsc.receipt(0, "id:x stat:DELIVRD", &number(0));
        life.settle(2 * HOUR_MS);
        assert!(has(&world, second, UNKNOWN, 1), "{accounts}");
    }
}

/// Each of many accounts sends to two numbers, and all answers are lost. Whether the receipts settle each of them.
fn is_each_settled(accounts: usize, has_crashed: bool) {
    let (world, first, smsc) = world(json!({"window": 50}));
    let mut shops = vec![first];
    shops.extend((1..accounts).map(|at| world.account(&format!("shop{at}"), 1_000_000)));
    let life = Life::of(&world);
    open_windows(&world, &life, &shops[0], &smsc, 1, 100);
    smsc.answer(|_, _| LOST);
    for (at, shop) in shops.iter().enumerate() {
        send(&world, shop, "hello", at * 2..at * 2 + 2);
    }
    life.settle_until(MINUTE_MS, || smsc.taken().len() >= 100 + 50.min(2 * accounts));
    if has_crashed {
        life.kill();
    }
    smsc.answer(|_, _| Reply::Status(0, 0));
    let are_known = || {
        shops.iter().all(|shop| {
            let own = statuses(&world, shop);
            !own.contains_key(&QUEUED) && own.values().sum::<i64>() >= 2
        })
    };
    life.settle_until(5 * MINUTE_MS, are_known);
    let unknown: i64 = shops
        .iter()
        .filter_map(|shop| statuses(&world, shop).remove(&UNKNOWN))
        .sum();
    assert!(unknown >= 40.min(2 * i64::try_from(accounts).unwrap()), "{unknown}");
    let last = smsc.connections() - 1;
    for (id, got) in smsc.taken() {
        smsc.receipt(last, &format!("id:{id} stat:DELIVRD"), &got.deliver.destination.number);
    }
    life.settle(10 * MINUTE_MS);
    for (at, shop) in shops.iter().enumerate() {
        let all = if at == 0 { 102 } else { 2 };
        assert_eq!(
            statuses(&world, shop),
            BTreeMap::from([(DELIVERED, all)]),
            "{at} {has_crashed}"
        );
    }
}

#[test]
fn receipts_of_lost_answers_find_their_accounts_however_many_a_carrier_has() {
    for accounts in [3, 45] {
        for has_crashed in [false, true] {
            is_each_settled(accounts, has_crashed);
        }
    }
}

const LONG: &str = "one one one one one one one one one one one one one one one one one one one one one one one one one one one one \
    one one one one one one one one one one two two two two two two two two two two two two two two two two two two two two two \
    two two two two two two two two two two two two two two two two two three three three three three three three three three";

/// The number of a part, from 1.
fn part_of(got: &Got) -> u8 {
    got.deliver.short_message.get(5).copied().unwrap_or(0)
}

/// A text of three parts goes to ten numbers, and the answers to these parts are lost. What becomes of them, if the SMSC reports these
/// endings of their parts, each part's so long after the one before and by another of its sessions.
fn reported((binds, rest_ms): (usize, i64), lost: &'static [u8], endings: &[(u8, &str)]) -> BTreeMap<i64, i64> {
    let (world, shop, smsc) = world(json!({"window": 50, "binds": binds}));
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, binds, 100);
    smsc.answer(|_, got| {
        if lost.contains(&part_of(got)) {
            LOST
        } else {
            Reply::Status(0, 0)
        }
    });
    send(&world, &shop, LONG, 0..10);
    life.settle_until(2 * MINUTE_MS, || has(&world, &shop, UNKNOWN, 10));
    assert_eq!(smsc.taken().len(), 100 * binds + 30);
    for (part, ending) in endings {
        let connection = smsc.connections() - 1 - usize::from(*part) % binds;
        for (id, got) in smsc.taken() {
            if part_of(&got) == *part {
                let text = String::from_utf8_lossy(&got.deliver.short_message[6..26]).into_owned();
                let receipt = format!("id:{id} stat:{ending} text:{text}");
                smsc.receipt(connection, &receipt, &got.deliver.destination.number);
            }
        }
        life.settle(rest_ms);
    }
    life.settle(8 * MINUTE_MS);
    let mut own = statuses(&world, &shop);
    assert_eq!(own.remove(&SUBMITTED), Some(100 * i64::try_from(binds).unwrap()));
    assert_once_and_ended_or_unknown(&own);
    own
}

/// Each of the ten has one status, and it is an ending or none.
#[track_caller]
fn assert_once_and_ended_or_unknown(own: &BTreeMap<i64, i64>) {
    assert_eq!(own.values().sum::<i64>(), 10, "{own:?}");
    assert!(
        own.keys()
            .all(|status| [DELIVERED, UNDELIVERED, EXPIRED, UNKNOWN].contains(status)),
        "{own:?}"
    );
}

#[test]
fn parts_whose_answers_are_lost_are_counted_with_the_others() {
    let all = |status| BTreeMap::from([(status, 10)]);
    let (good, bad) = ("DELIVRD", "UNDELIV");
    for sessions in [(1, 8 * MINUTE_MS), (1, 0), (2, 8 * MINUTE_MS), (2, 0)] {
        let reported = |lost, endings: &[(u8, &str)]| reported(sessions, lost, endings);
        for lost in [&[2_u8][..], &[1, 2], &[1, 2, 3], &[3]] {
            for order in [[1, 2, 3], [3, 1, 2], [2, 3, 1]] {
                let endings = order.map(|part| (part, good));
                assert_eq!(
                    reported(lost, &endings),
                    all(DELIVERED),
                    "{sessions:?} {lost:?} {order:?}"
                );
            }
            for failed in 1..=3 {
                let endings = [1, 2, 3].map(|part| (part, if part == failed { bad } else { good }));
                assert_eq!(
                    reported(lost, &endings),
                    all(UNDELIVERED),
                    "{sessions:?} {lost:?} {failed}"
                );
            }
            for partly in [&[1, 3][..], &[2, 2, 2]] {
                let endings: Vec<(u8, &str)> = partly.iter().map(|part| (*part, good)).collect();
                assert_eq!(
                    reported(lost, &endings),
                    all(UNKNOWN),
                    "{sessions:?} {lost:?} {partly:?}"
                );
            }
        }
    }
}

/// The answers to some parts of a text are lost. Another session of the carrier is killed while it has messages of the same account on
/// their way. One of the new sessions brings the receipts of all parts before the account has asked what became of those messages.
fn are_parts_counted(lost: &'static [u8], session: usize) -> bool {
    let (world, shop, smsc) = world(json!({"window": 50, "binds": 2}));
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, 2, 100);
    smsc.answer(|_, got| {
        if lost.contains(&part_of(got)) {
            LOST
        } else {
            Reply::Status(0, 0)
        }
    });
    send(&world, &shop, LONG, 0..1);
    life.settle_until(2 * MINUTE_MS, || has(&world, &shop, UNKNOWN, 1));
    let parts: Vec<(String, Got)> = smsc.taken().into_iter().skip(200).collect();
    smsc.answer(|_, _| LOST);
    let is_other = |(_, got): &(String, Got)| got.connection != parts[0].1.connection;
    while !smsc.taken().iter().skip(203).any(is_other) {
        send(&world, &shop, "hello", 1..2);
        life.settle(500);
    }
    life.kill();
    let connections = smsc.connections();
    life.settle_until(2 * MINUTE_MS, || smsc.connections() >= connections + 2);
    smsc.answer(|_, _| Reply::Status(0, 0));
    for (id, got) in &parts {
        let receipt = format!("id:{id} stat:DELIVRD text:one");
        smsc.receipt(connections + session, &receipt, &got.deliver.destination.number);
    }
    life.settle(5 * MINUTE_MS);
    has(&world, &shop, DELIVERED, 1)
}

#[test]
fn parts_are_counted_where_they_were_sent_while_another_session_has_a_crash_behind_it() {
    for lost in [&[1, 2, 3][..], &[2, 3], &[3]] {
        for session in [0, 1] {
            assert!(are_parts_counted(lost, session), "{lost:?} {session}");
        }
    }
}

#[test]
fn a_receipt_for_another_number_or_one_part_of_a_long_message_settles_nobody() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| LOST);
    send(&world, &shop, "hello", 0..1);
    send(&world, &shop, &"a".repeat(300), 1..2);
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNKNOWN, 2));
    for other in [1, 2, 3] {
        smsc.receipt(0, "id:x stat:DELIVRD", &number(other));
    }
    life.settle_until(MINUTE_MS, || {
        world.has_logged("a receipt is for no message that is known")
    });
    life.settle(2 * HOUR_MS);
    assert!(has(&world, &shop, UNKNOWN, 2));
}

/// What the SMSC does with a message.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Taken,
    TakenWithoutAnswer,
    Dropped,
}

#[derive(Debug, Clone)]
enum Step {
    /// To a number by an account, and what becomes of it.
    Send(usize, usize, Fate),
    /// The receipt of one of the messages that were taken, with its text or without. It comes a second time only soon.
    Report(usize, bool),
    Wait(i64),
    Kill,
}

fn step() -> impl Strategy<Value = Step> {
    let fate = prop_oneof![Just(Fate::Taken), Just(Fate::TakenWithoutAnswer), Just(Fate::Dropped)];
    prop_oneof![
        4 => (0..3_usize, 0..2_usize, fate).prop_map(|(to, by, fate)| Step::Send(to, by, fate)),
        3 => (any::<usize>(), any::<bool>()).prop_map(|(of, text)| Step::Report(of, text)),
        3 => (0..40_000_i64).prop_map(Step::Wait),
        1 => Just(Step::Kill),
    ]
}

/// The status of each message, by its text.
fn by_text(world: &World, shop: &Account) -> BTreeMap<String, i64> {
    let rows = world.sql(&shop.id).exec(
        "SELECT m.text, r.status FROM recipient r JOIN message m ON m.id = r.message",
        &[],
    );
    let of = |row: &peyk::base::ports::Row| (row.text(0).unwrap(), row.int(1).unwrap());
    rows.unwrap().iter().map(of).collect()
}

fn run(steps: &[Step]) {
    let (world, shop, smsc) = world(json!({"window": 10, "binds": 2}));
    let accounts = [shop, world.account("other", 1_000_000)];
    let life = Life::of(&world);
    let fates: Rc<RefCell<BTreeMap<String, Fate>>> = Rc::default();
    let of_smsc = Rc::clone(&fates);
    smsc.answer(move |_, got| {
        let text = String::from_utf8(got.deliver.short_message.clone()).unwrap();
        match of_smsc.borrow()[&text] {
            Fate::Taken => Reply::Status(0, 200),
            Fate::TakenWithoutAnswer => LOST,
            Fate::Dropped => Reply::Silence,
        }
    });
    let mut told: BTreeMap<String, i64> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        match *step {
            Step::Send(to, by, fate) => {
                let text = format!("text {at}");
                fates.borrow_mut().insert(text.clone(), fate);
                send(&world, &accounts[by], &text, to..to + 1);
            }
            Step::Report(of, has_text) => {
                let taken = smsc.taken();
                let Some((id, got)) = taken.get(of % taken.len().max(1)) else {
                    continue;
                };
                let text = String::from_utf8(got.deliver.short_message.clone()).unwrap();
                if *told.entry(text.clone()).or_insert(world.now_ms.get()) < world.now_ms.get() - MINUTE_MS {
                    continue;
                }
                let says = if has_text {
                    format!(" text:{text}")
                } else {
                    String::new()
                };
                let receipt = format!("id:{id} stat:DELIVRD{says}");
                smsc.receipt(smsc.connections() - 1, &receipt, &got.deliver.destination.number);
            }
            Step::Wait(ms) => life.settle(ms),
            Step::Kill => life.kill(),
        }
    }
    life.settle(2 * HOUR_MS);
    for account in &accounts {
        for (text, status) in by_text(&world, account) {
            assert!(
                status != DELIVERED || told.contains_key(&text),
                "{text} was never reported"
            );
        }
        let row = Row::stored(&*world.sql(&account.id)).unwrap().unwrap();
        assert!(row.wallet.locked >= 0);
    }
    assert!(smsc.counts().values().sum::<usize>() <= fates.borrow().len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(24)) })]

    #[test]
    fn no_receipt_ever_settles_another_message_than_its_own(steps in prop::collection::vec(step(), 1..25)) {
        run(&steps);
    }
}
