//! Faults of an SMSC and changes by an operator, over the real session: how often Peyk tries, and what it still finds.

use std::collections::BTreeSet;

use peyk::account::chunk::reports::DeliveryReport;
use peyk::account::record::message::status::RecipientStatus;
use peyk::carrier::{kind::Kind, reports, smpp::binds::Binds, smpp::inbox, smpp::seen};
use serde_json::json;
use smpp::alphabet::DefaultAlphabet;

use crate::support::day_tables::IDS;
use crate::support::smpp::{
    DELIVERED, EXPIRED, SUBMITTED, UNKNOWN, assert_once_and_ended, bind, change, deliver_all, has, health, number,
    open_windows, send, statuses, submit, world,
};
use crate::support::smsc::{Reply, Smsc, receipt};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Sqlite, World, carrier_store, life::Life, to_end};

const QUEUED: i64 = 1;

/// Sends through every session of a carrier that has three.
fn send_by_three_sessions(world: &World, shop: &Account, life: &Life<'_>, smsc: &Smsc) {
    bind(world, life, smsc, 3);
    for call in 0..9 {
        send(world, shop, "hello", call * 100..call * 100 + 100);
        life.settle(5 * SECOND_MS);
    }
    life.settle_until(MINUTE_MS, || has(world, shop, SUBMITTED, 900));
    let by: BTreeSet<usize> = smsc.taken().iter().map(|(_, got)| got.connection).collect();
    assert_eq!(by.len(), 3, "each session has sent");
}

/// The sessions end but for one, which binds again.
fn lower_binds(world: &World, life: &Life<'_>, smsc: &Smsc) {
    change(world, json!({"binds": 1}));
    life.settle_until(MINUTE_MS, || smsc.connections() == 4);
}

#[test]
fn after_binds_were_lowered_the_reports_of_the_sessions_that_ended_still_arrive() {
    let (world, shop, smsc) = world(json!({"binds": 3}));
    let life = Life::of(&world);
    send_by_three_sessions(&world, &shop, &life, &smsc);
    lower_binds(&world, &life, &smsc);
    // The object forgets what is only in its memory.
    life.kill();
    life.settle_until(MINUTE_MS, || smsc.connections() == 5);
    deliver_all(&smsc, smsc.connections() - 1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 900));
    assert_once_and_ended(&world, &shop, &smsc);
    assert!(smsc.confirmed().values().all(|status| *status == 0));
}

#[test]
fn a_session_that_ended_is_asked_for_as_long_as_an_id_is_kept() {
    let (sql, mut sessions) = (carrier_store(Kind::Smpp), Binds::default());
    assert_eq!(sessions.most(0), 0);
    sessions.note(&sql, 0, 8).unwrap();
    sessions.note(&sql, 30 * DAY_MS, 2).unwrap();
    sessions.note(&sql, 31 * DAY_MS, 4).unwrap();
    sessions.note(&sql, 32 * DAY_MS, 2).unwrap();
    for (day, most) in [(32, 8), (36, 8), (37, 4), (38, 4), (39, 2), (1_000, 2)] {
        assert_eq!(sessions.most(day * DAY_MS), most, "day {day}");
    }
    sessions.note(&sql, 1_000 * DAY_MS, 8).unwrap();
    assert_eq!(sessions.most(1_000 * DAY_MS), 8);
}

#[test]
fn a_receipt_comes_again_when_the_object_that_may_know_its_message_did_not_answer() {
    let (world, shop, smsc) = world(json!({"binds": 3}));
    let life = Life::of(&world);
    send_by_three_sessions(&world, &shop, &life, &smsc);
    lower_binds(&world, &life, &smsc);
    let taken = smsc.taken();
    // One of the objects fails for as long as the receipts are held. The others are asked all the same.
    world.carrier_sql("mci", "1").fail("AND digits BETWEEN", 1_000);
    let receipts: Vec<(u32, &str)> = taken
        .iter()
        .map(|(id, _)| (smsc.receipt(3, &format!("id:{id} stat:DELIVRD"), ""), id.as_str()))
        .collect();
    life.settle_until(MINUTE_MS, || smsc.confirmed().len() == 900);
    let confirmed = smsc.confirmed();
    let refused = receipts.iter().filter(|(sequence, _)| confirmed[sequence] == 0x64);
    let refused: Vec<&str> = refused.map(|(_, id)| *id).collect();
    let is_of_one = |id: &&str| {
        taken
            .iter()
            .any(|(of, got)| of == id && got.connection == connection_of(&world, "1", &taken))
    };
    assert!(!refused.is_empty() && refused.iter().all(is_of_one), "{refused:?}");
    life.settle_until(MINUTE_MS, || {
        has(&world, &shop, DELIVERED, 900 - i64::try_from(refused.len()).unwrap())
    });
    world.carrier_sql("mci", "1").fail("", 0);
    for id in refused {
        smsc.receipt(3, &format!("id:{id} stat:DELIVRD"), "");
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 900));
    assert!(!world.has_logged("no message that is known"));
}

/// The connection by which the object of a session has sent.
fn connection_of(world: &World, bind: &str, taken: &[(String, crate::support::smsc::Got)]) -> usize {
    let sql = world.carrier_sql("mci", bind);
    let is_its_own = |id: &str| {
        let rows = sql.run_with(&format!("SELECT 1 FROM {IDS} WHERE id = ?1"), &[id.into()]);
        !rows.is_empty()
    };
    taken.iter().find(|(id, _)| is_its_own(id)).unwrap().1.connection
}

#[test]
fn the_delays_between_binds_grow_and_are_never_the_same_for_all() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    for status in [0x0D, 0x0E] {
        smsc.bind_status.set(status);
        let before = smsc.binds_ms().len();
        change(&world, json!({"window": 10 + status}));
        send(&world, &shop, "hello", 0..1);
        life.settle(2 * HOUR_MS);
        let tries = smsc.binds_ms().split_off(before);
        let delays: Vec<i64> = tries.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let seconds = match status {
            0x0D => vec![1, 2, 4, 8, 30, 60, 120, 240, 480, 600, 600],
            _ => vec![30, 60, 120, 240, 480, 600, 600],
        };
        for (delay_ms, seconds) in delays.iter().zip(&seconds) {
            let (least_ms, most_ms) = (seconds * SECOND_MS, seconds * SECOND_MS * 5 / 4 + SECOND_MS);
            assert!((least_ms..=most_ms).contains(delay_ms), "{seconds} s: {delays:?}");
        }
        assert!(delays.len() >= seconds.len());
        // A die may fall on 0 once. A second is more than any clock's step.
        let pairs = delays.iter().zip(&seconds);
        let exact = pairs.filter(|(ms, s)| **ms < *s * SECOND_MS * 101 / 100);
        assert!(exact.count() <= 2, "{delays:?}");
    }
}

#[test]
fn what_a_peer_that_denies_the_bind_was_sent_goes_again_by_the_next_session() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, got| Reply::Status(if got.connection == 0 { 0x04 } else { 0 }, 0));
    send(&world, &shop, "hello", 0..20);
    send(&world, &shop, &"a".repeat(400), 20..25);
    life.settle_until(5 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 25));
    assert_eq!(smsc.connections(), 2);
    assert_eq!(smsc.taken().len(), 20 + 5 * 3);
    deliver_all(&smsc, 1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 25));
}

#[test]
fn a_peer_that_always_denies_the_bind_is_bound_less_and_less_often_and_messages_wait() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0x04, 0));
    send(&world, &shop, "hello", 0..20);
    life.settle(10 * MINUTE_MS);
    let delays: Vec<i64> = smsc.binds_ms().windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!((5..25).contains(&delays.len()), "{delays:?}");
    assert!(delays.last() > Some(&(30 * SECOND_MS)), "{delays:?}");
    assert!(has(&world, &shop, QUEUED, 20), "{:?}", statuses(&world, &shop));
    let why = health(&world)["lastError"].clone();
    assert_eq!(why, "the carrier says that the session is not bound");
    smsc.answer(|_, _| Reply::Status(0, 0));
    life.settle_until(20 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 20));
    assert_eq!(smsc.taken().len(), 20);
}

#[test]
fn after_a_window_without_an_answer_one_message_at_a_time_tries_the_carrier() {
    let (world, shop, smsc) = world(json!({"window": 50}));
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, 1, 100);
    smsc.answer(|_, _| Reply::Silence);
    send(&world, &shop, "hello", 0..300);
    life.settle(20 * SECOND_MS);
    assert_eq!(smsc.got().len(), 150, "the window, and nothing after it");
    assert_eq!(health(&world)["state"], "DOWN");
    // 30 s after the window's answers were given up a try is made, and 60 s after that one the next.
    life.settle(MINUTE_MS + 30 * SECOND_MS);
    let tried = smsc.got().len() - 150;
    assert!((1..=3).contains(&tried), "{tried} tries");
    smsc.answer(|_, _| Reply::Status(0, 0));
    life.settle_until(20 * MINUTE_MS, || {
        statuses(&world, &shop).keys().all(|s| [UNKNOWN, SUBMITTED].contains(s))
    });
    let unknown = statuses(&world, &shop)[&UNKNOWN];
    assert!((51..=55).contains(&unknown), "{unknown}");
    assert!(smsc.counts().values().all(|count| *count == 1));
}

#[test]
fn the_messages_of_the_last_minute_are_counted_and_not_their_parts() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|at, _| Reply::Status(if at == 0 { 0x0B } else { 0 }, 0));
    send(&world, &shop, "refused", 0..1);
    life.settle(5 * SECOND_MS);
    send(&world, &shop, "hello", 1..4);
    send(&world, &shop, &"a".repeat(700), 4..6);
    life.settle_until(MINUTE_MS, || has(&world, &shop, SUBMITTED, 5));
    assert_eq!(smsc.taken().len(), 3 + 2 * 5);
    assert_eq!(health(&world)["lastMinute"], 5);
    life.settle(61 * SECOND_MS);
    assert_eq!(health(&world)["lastMinute"], 0);
}

/// The session and the alarm of an object may send the same reports at the same time.
#[test]
fn a_report_that_is_noted_while_others_are_on_their_way_is_not_forgotten_with_them() {
    let sql = carrier_store(Kind::Smpp);
    let (world, shop, _smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..2);
    let note = |index: u32| {
        let report = DeliveryReport {
            is_presumed: false,
            message: 1,
            status: RecipientStatus::Delivered,
            indexes: vec![index],
            cause: None,
        };
        reports::add(&sql, world.now_ms.get(), &shop.id, 0, &[report]).unwrap();
    };
    let tell = || async { reports::send(&world, &sql, "mci").await.unwrap() };
    world.accounts_take_ms.set(100);
    note(0);
    life.spawn(tell());
    life.settle(50);
    life.spawn(tell());
    // The first call is over, and the table is empty.
    life.settle(70);
    note(1);
    // The second one is over too.
    life.settle(50);
    life.spawn(tell());
    life.settle_until(SECOND_MS, || has(&world, &shop, DELIVERED, 2));
    life.settle(SECOND_MS);
    assert_eq!(reports::next_due_ms(&sql).unwrap(), None);
}

/// A world whose shop has a line for messages from phones, and the inbox of a session.
fn inbox_world() -> (World, Account, Sqlite) {
    let sql = carrier_store(Kind::Smpp);
    let (world, shop, _smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    (world, shop, sql)
}

/// Stores a message from a phone in an inbox.
fn store(world: &World, sql: &Sqlite, text: &str) {
    let mut deliver = receipt(text, "989121234567");
    deliver.esm_class = 0;
    deliver.destination.number = "20003".to_owned();
    assert!(
        inbox::store(
            sql,
            world.now_ms.get(),
            &deliver,
            DefaultAlphabet::Gsm7,
            &mut seen::Seen::default()
        )
        .unwrap()
    );
}

#[test]
fn messages_from_phones_reach_their_account_in_one_call_and_in_their_order() {
    let (world, shop, sql) = inbox_world();
    let sent: Vec<String> = (0..100).map(|at| format!("answer {at}")).collect();
    sent.iter().for_each(|text| store(&world, &sql, text));
    let before = world.calls.get();
    to_end(inbox::hand_over(&world, &sql, "mci")).unwrap();
    assert_eq!(world.calls.get() - before, 1);
    let texts = world.sql(&shop.id).texts("SELECT text FROM inbound ORDER BY id");
    assert_eq!(texts, sent);
    assert_eq!(inbox::next_due_ms(&sql).unwrap(), None);
}

#[test]
fn a_message_from_a_phone_that_comes_while_another_is_handed_over_is_not_forgotten_with_it() {
    let (world, shop, sql) = inbox_world();
    let life = Life::of(&world);
    let store = |text: &str| store(&world, &sql, text);
    let hand_over = || async { inbox::hand_over(&world, &sql, "mci").await.unwrap() };
    world.accounts_take_ms.set(100);
    store("one");
    life.spawn(hand_over());
    life.settle(50);
    life.spawn(hand_over());
    life.settle(70);
    store("two");
    life.settle(50);
    life.spawn(hand_over());
    life.settle(SECOND_MS);
    let texts = world.sql(&shop.id).texts("SELECT text FROM inbound ORDER BY id");
    assert_eq!(texts, ["one", "two"]);
    assert_eq!(inbox::next_due_ms(&sql).unwrap(), None);
}

/// How long 200 reports take beside so many messages from phones, and how long these take, ms. A call to an account's object
/// takes 50 ms.
fn times_beside_each_other(messages: usize) -> (i64, i64) {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..200);
    world.accounts_take_ms.set(50);
    for phone in 0..messages {
        let mut deliver = receipt("hello", &number(phone));
        deliver.esm_class = 0;
        deliver.destination.number = "20003".to_owned();
        smsc.deliver(0, &deliver);
    }
    deliver_all(&smsc, 0);
    let (began_ms, count) = (world.now_ms.get(), i64::try_from(messages).unwrap());
    let (mut reports_ms, mut messages_ms) = (None, None);
    while reports_ms.is_none() || messages_ms.is_none() {
        life.settle(10);
        let passed_ms = world.now_ms.get() - began_ms;
        assert!(passed_ms < MINUTE_MS);
        if has(&world, &shop, DELIVERED, 200) {
            reports_ms.get_or_insert(passed_ms);
        }
        if world.sql(&shop.id).number("SELECT count(*) FROM inbound") == count {
            messages_ms.get_or_insert(passed_ms);
        }
    }
    (reports_ms.unwrap(), messages_ms.unwrap())
}

#[test]
fn a_session_takes_500_messages_from_phones_a_second_and_its_reports_are_no_slower() {
    let (alone_ms, _) = times_beside_each_other(0);
    let (beside_ms, took_ms) = times_beside_each_other(1_500);
    eprintln!("1,500 messages in {took_ms} ms; 200 reports in {beside_ms} ms, alone in {alone_ms} ms");
    assert!(took_ms <= 3 * SECOND_MS, "{took_ms}");
    assert!(beside_ms <= alone_ms + 200, "{beside_ms} {alone_ms}");
}

#[test]
fn a_report_after_the_deadline_moves_no_status_back_and_no_money() {
    let (world, shop, smsc) = world(json!({"validitySeconds": 255_600}));
    world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED", "EXPIRED"]}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..3);
    // The SMSC's time ends an hour before the deadline: what it reports then counts.
    life.settle(71 * HOUR_MS);
    let taken = smsc.taken();
    smsc.receipt(smsc.connections() - 1, &format!("id:{} stat:DELIVRD", taken[0].0), "");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
    life.settle(2 * HOUR_MS);
    assert!(has(&world, &shop, EXPIRED, 2));
    let balance = world.balance(&shop.key);
    for (at, state) in [(1, "DELIVRD"), (2, "UNDELIV")] {
        smsc.receipt(smsc.connections() - 1, &format!("id:{} stat:{state}", taken[at].0), "");
    }
    life.settle_until(MINUTE_MS, || smsc.confirmed().len() == 3);
    life.settle(MINUTE_MS);
    assert!(has(&world, &shop, EXPIRED, 2));
    assert_eq!(world.balance(&shop.key), balance);
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn an_object_that_grows_full_is_told_in_time_and_takes_nothing_new_before_it_is_full() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    let sql = world.carrier_sql("mci", "0");
    let warnings = || {
        let log = world.log.borrow();
        let lines = log.iter().filter(|line| line.contains(r#""event":"size""#));
        lines.filter(|line| line.contains(r#""carrier":"mci/0""#)).count()
    };
    sql.claimed_bytes.set(Some(6_999_999_999));
    life.settle(5 * MINUTE_MS);
    assert_eq!(warnings(), 0);
    sql.claimed_bytes.set(Some(7_000_000_000));
    life.settle(5 * MINUTE_MS);
    assert_eq!(warnings(), 1, "once a day");
    assert_eq!(health(&world)["storageBytes"], 7_000_000_000_i64);
    assert_eq!(health(&world)["state"], "UP");
    sql.claimed_bytes.set(Some(9_500_000_000));
    // The object looks anew after a hundred recipients: each of these comes with a submission of its own.
    for index in 1..150 {
        send(&world, &shop, "hello", index..index + 1);
        life.settle(SECOND_MS);
    }
    life.settle(5 * MINUTE_MS);
    assert!((1..=101).contains(&smsc.got_count()), "{}", smsc.got_count());
    assert_eq!(health(&world)["state"], "DOWN");
    assert!(has(
        &world,
        &shop,
        QUEUED,
        150 - i64::try_from(smsc.got_count()).unwrap()
    ));
    sql.claimed_bytes.set(None);
    life.settle_until(15 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 150));
    deliver_all(&smsc, 0);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 150));
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn a_recipient_is_only_submitted_when_the_way_back_for_its_receipt_is_stored() {
    let (world, shop, smsc) = world(json!({"window": 10}));
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, 1, 20);
    world.carrier_sql("mci", "0").fail("INTO sent", 1);
    send(&world, &shop, "hello", 0..3);
    life.settle_until(2 * MINUTE_MS, || has(&world, &shop, UNKNOWN, 3));
    assert!(has(&world, &shop, SUBMITTED, 20));
    for (id, got) in smsc.taken() {
        let receipt = format!("id:{id} stat:DELIVRD");
        smsc.receipt(smsc.connections() - 1, &receipt, &got.deliver.destination.number);
    }
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 23));
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn reports_whose_arrival_can_not_be_noted_wait_before_they_go_again() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..3);
    let sql = world.carrier_sql("mci", "0");
    // More failures than there are tries in a minute.
    sql.fail("DELETE FROM report WHERE", 500);
    // They are stored, because the first call fails.
    world.failing_reports.set(1);
    deliver_all(&smsc, 0);
    life.settle(MINUTE_MS);
    assert!(has(&world, &shop, DELIVERED, 3));
    assert!(sql.count("report") > 0, "they were tried 500 times in a minute");
    sql.fail("", 0);
    life.settle(MINUTE_MS);
    assert_eq!(sql.count("report"), 0);
    assert_once_and_ended(&world, &shop, &smsc);
}

/// Half an hour of an object that can not store what such a statement writes. Every five seconds a message goes out, and one comes
/// from a phone. Returns how often the SMSC was bound, how many messages it got meanwhile, and how many became unknown.
fn half_an_hour_without(statement: &str) -> (usize, i64, i64) {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    let mut from_phone = receipt("hello", "989121234567");
    from_phone.esm_class = 0;
    from_phone.destination.number = "20003".to_owned();
    let sql = world.carrier_sql("mci", "0");
    sql.fail(statement, u32::MAX);
    for index in 1..361 {
        send(&world, &shop, "hello", index..index + 1);
        smsc.deliver(smsc.connections() - 1, &from_phone);
        life.settle(5 * SECOND_MS);
    }
    let (binds, got) = (smsc.connections() - 1, i64::try_from(smsc.got_count() - 1).unwrap());
    sql.fail("", 0);
    life.settle_until(15 * MINUTE_MS, || !statuses(&world, &shop).contains_key(&QUEUED));
    deliver_all(&smsc, smsc.connections() - 1);
    let unknown = statuses(&world, &shop).get(&UNKNOWN).copied().unwrap_or(0);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 361 - unknown));
    assert_eq!(smsc.counts().iter().find(|(_, count)| **count != 1), None);
    (binds, got, unknown)
}

#[test]
fn an_object_that_can_not_store_binds_seldom_and_only_what_has_left_becomes_unknown() {
    for statement in ["INTO step", "INTO sent", "INTO seen"] {
        let (binds, got, unknown) = half_an_hour_without(statement);
        eprintln!("{statement}: {binds} binds, {got} messages, {unknown} unknown");
        assert!(binds <= 50, "{statement}: {binds}");
        assert_eq!(unknown, if statement == "INTO sent" { got } else { 0 }, "{statement}");
    }
    assert_eq!(half_an_hour_without(""), (0, 0, 0), "nothing can be read either");
}
