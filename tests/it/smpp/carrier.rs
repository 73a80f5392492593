//! Messages over SMPP, from the accept to the report, against a scripted SMSC: nobody is sent to twice, everybody ends.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use peyk::carrier::control;
use peyk::directory::carriers;
use peyk::objects::stop;
use serde_json::json;
use smpp::alphabet::{Alphabet, DefaultAlphabet};
use smpp::inbound;
use smpp::pdu::{Address, Deliver, command};

use crate::support::smpp::{
    DELIVERED, EXPIRED, PORT, REJECTED, SUBMITTED, UNDELIVERED, UNKNOWN, assert_once_and_ended, bind, deliver_all, end,
    has, health, listen, number, open_windows, report_all, send, statuses, submit, world,
};
use crate::support::smsc::{Reply, receipt_in_tlvs};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Dice, Fate, World, cases, life::Life, to_end};

#[test]
fn everybody_gets_the_text_once_and_the_reports_deliver_it() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    send(&world, &shop, "Hello {€}", 0..1_500);
    submit(&world, &life, &shop, "سلام دنیا", 1_500..3_000);
    assert_eq!(smsc.connections(), 1);
    for got in smsc.got() {
        let alphabet = Alphabet::of(got.deliver.data_coding, DefaultAlphabet::Gsm7);
        let text = alphabet.text(inbound::piece(&got.deliver).octets);
        let is_first = got.deliver.destination.number < number(1_500);
        assert_eq!(text, if is_first { "Hello {€}" } else { "سلام دنیا" });
        assert_eq!(got.deliver.source.number, "20002");
    }
    report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 3_000));
    assert_once_and_ended(&world, &shop, &smsc);
    assert_eq!(smsc.confirmed().len(), 3_000);
    assert!(smsc.confirmed().values().all(|status| *status == 0));
}

#[test]
fn a_long_message_is_delivered_when_all_its_parts_are_and_undelivered_when_one_is_not() {
    for long in ["UDH", "SAR", "PAYLOAD"] {
        let (world, shop, smsc) = world(json!({"longMessages": long}));
        let life = Life::of(&world);
        let text = "پیام بلند ".repeat(30);
        submit(&world, &life, &shop, text.trim_end(), 0..2);
        let taken = smsc.taken();
        let parts = if long == "PAYLOAD" { 1 } else { 5 };
        assert_eq!(taken.len(), 2 * parts, "{long}");
        let (lucky, unlucky): (Vec<_>, Vec<_>) = taken
            .into_iter()
            .partition(|(_, got)| got.deliver.destination.number == number(0));
        for (at, (id, _)) in lucky.iter().enumerate() {
            assert!(has(&world, &shop, SUBMITTED, 2), "{at} of {parts}");
            smsc.receipt(0, &format!("id:{id} stat:DELIVRD"), "");
            // A receipt that comes twice counts once.
            smsc.receipt(0, &format!("id:{id} stat:DELIVRD"), "");
            life.settle(2 * SECOND_MS);
        }
        assert!(has(&world, &shop, DELIVERED, 1));
        smsc.deliver(0, &receipt_in_tlvs(&unlucky[0].0, 5, 27));
        life.settle_until(MINUTE_MS, || has(&world, &shop, UNDELIVERED, 1));
        let rows = world.rows(&shop, "SELECT error, error_code FROM recipient WHERE status = 5");
        assert_eq!(rows[0].text(0).unwrap(), "ABSENT_SUBSCRIBER");
        assert_eq!(rows[0].text(1).unwrap(), "UNDELIV 027");
        assert_once_and_ended(&world, &shop, &smsc);
    }
}

#[test]
fn no_more_than_the_window_is_under_way_and_all_of_it_is_used() {
    let (world, shop, smsc) = world(json!({"window": 20}));
    let life = Life::of(&world);
    let most = Rc::new(Cell::new(0));
    let seen = Rc::clone(&most);
    let arrived: RefCell<Vec<i64>> = RefCell::default();
    smsc.answer(move |_, got| {
        let mut arrived = arrived.borrow_mut();
        arrived.retain(|at_ms| *at_ms + 100 > got.at_ms);
        arrived.push(got.at_ms);
        seen.set(seen.get().max(arrived.len()));
        Reply::Status(0, 100)
    });
    submit(&world, &life, &shop, "hello", 0..500);
    assert_eq!(most.get(), 20);
}

#[test]
fn the_throughput_is_kept() {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 50}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..500);
    let times: Vec<i64> = smsc.got().iter().map(|got| got.at_ms).collect();
    for (at, time_ms) in times.iter().enumerate() {
        let within = times[at..].iter().filter(|other| **other < time_ms + SECOND_MS).count();
        assert!(within <= 56, "{within} in a second");
    }
    let took_ms = times[499] - times[0];
    assert!((9 * SECOND_MS..11 * SECOND_MS).contains(&took_ms), "{took_ms}");
}

#[test]
fn throttled_messages_wait_and_are_sent_once() {
    for code in [0x58, 0x14] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        let refused = Rc::new(Cell::new(0));
        let count = Rc::clone(&refused);
        smsc.answer(move |at, _| match at {
            100..400 => {
                count.set(count.get() + 1);
                Reply::Status(code, 0)
            }
            _ => Reply::Status(0, 0),
        });
        send(&world, &shop, "hello", 0..500);
        life.settle_until(10 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 500));
        assert_eq!(refused.get(), 300);
        let taken = smsc.taken().into_iter();
        let mut taken: Vec<String> = taken.map(|(_, got)| got.deliver.destination.number).collect();
        taken.sort();
        let all: Vec<String> = (0..500).map(number).collect();
        assert_eq!(taken, all);
    }
}

#[test]
fn a_refusal_for_good_ends_the_recipient_with_its_cause() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|at, _| Reply::Status(if at % 2 == 0 { 0x0B } else { 0 }, 0));
    send(&world, &shop, "hello", 0..100);
    life.settle_until(MINUTE_MS, || {
        has(&world, &shop, REJECTED, 50) && has(&world, &shop, SUBMITTED, 50)
    });
    let rows = world.rows(
        &shop,
        "SELECT DISTINCT error, error_code FROM recipient WHERE status = 7",
    );
    assert_eq!(rows.len(), 1);
    let wanted = ("UNKNOWN_SUBSCRIBER".to_owned(), "ESME_RINVDSTADR".to_owned());
    assert_eq!((rows[0].text(0).unwrap(), rows[0].text(1).unwrap()), wanted);
}

#[test]
fn a_long_message_of_which_a_part_is_refused_is_sent_no_further_and_undelivered() {
    let (world, shop, smsc) = world(json!({"window": 1}));
    let life = Life::of(&world);
    smsc.answer(|at, _| Reply::Status(if at == 1 { 0x0B } else { 0 }, 0));
    send(&world, &shop, &"a".repeat(153 * 4), 0..1);
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNDELIVERED, 1));
    assert_eq!(smsc.got().len(), 2);
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn a_lost_answer_leaves_the_recipient_unknown_until_its_report_or_the_deadline() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    // The window is open by then.
    smsc.answer(|at, _| match at {
        60..70 => Reply::Silence,
        // Later than anybody waits.
        70..80 => Reply::Status(0, 12 * SECOND_MS),
        _ => Reply::Status(0, 0),
    });
    send(&world, &shop, "hello", 0..100);
    life.settle_until(MINUTE_MS, || {
        has(&world, &shop, UNKNOWN, 20) && has(&world, &shop, SUBMITTED, 80)
    });
    life.settle(5 * MINUTE_MS);
    report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 90));
    end(&world, life, 73 * HOUR_MS);
    assert_once_and_ended(&world, &shop, &smsc);
    assert_eq!(smsc.got().len(), 100);
    assert!(has(&world, &shop, UNKNOWN, 10), "{:?}", statuses(&world, &shop));
}

#[test]
fn a_peer_that_closes_in_the_middle_of_a_window_costs_its_unanswered_messages_only() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|at, _| match at {
        120 => Reply::Close,
        100..120 => Reply::Silence,
        _ => Reply::Status(0, 0),
    });
    send(&world, &shop, "hello", 0..500);
    life.settle_until(5 * MINUTE_MS, || {
        statuses(&world, &shop)
            .keys()
            .all(|status| [UNKNOWN, SUBMITTED].contains(status))
    });
    assert!(smsc.connections() >= 2);
    assert!(smsc.counts().values().all(|count| *count == 1));
    // Twenty got no answer, and a window at most was written and not read any more.
    let unknown = statuses(&world, &shop)[&UNKNOWN];
    assert!((21..=50).contains(&unknown), "{unknown}");
    end(&world, life, 73 * HOUR_MS);
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn while_the_bind_is_refused_messages_wait_and_are_sent_when_it_is_not() {
    for (code, password) in [(0x0D, "secret"), (0x0F, "secret"), (0, "another")] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        smsc.bind_status.set(code);
        smsc.password.replace(password.to_owned());
        send(&world, &shop, "hello", 0..20);
        life.settle(2 * MINUTE_MS);
        assert_eq!(smsc.got().len(), 0);
        assert!(smsc.connections() < 12, "{} tries in two minutes", smsc.connections());
        assert!(has(&world, &shop, 1, 20), "they wait: {:?}", statuses(&world, &shop));
        smsc.bind_status.set(0);
        smsc.password.replace("secret".to_owned());
        life.settle_until(40 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 20));
        assert!(smsc.counts().values().all(|count| *count == 1));
    }
}

#[test]
fn while_nobody_listens_messages_wait_and_the_delays_between_tries_grow() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    world.network.unlisten(PORT);
    send(&world, &shop, "hello", 0..20);
    life.settle(5 * MINUTE_MS);
    assert!(has(&world, &shop, 1, 20), "{:?}", statuses(&world, &shop));
    listen(&world, &smsc);
    life.settle_until(20 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 20));
}

#[test]
fn a_silent_peer_is_left_and_bound_again() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..5);
    life.settle(5 * MINUTE_MS);
    assert_eq!(smsc.connections(), 1, "a peer that answers is kept");
    smsc.is_silent.set(true);
    life.settle(MINUTE_MS);
    assert_eq!(smsc.connections(), 2);
    smsc.is_silent.set(false);
    submit(&world, &life, &shop, "hello", 5..10);
    assert!(smsc.counts().values().all(|count| *count == 1));
}

#[test]
fn a_peer_that_unbinds_is_answered_and_bound_again() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..5);
    smsc.send(0, b"\0\0\0\x10\0\0\0\x06\0\0\0\0\0\0\0\x09");
    life.settle_until(MINUTE_MS, || smsc.connections() == 2);
    assert!(smsc.commands().contains(&command::UNBIND) || smsc.commands().contains(&0x8000_0006));
}

#[test]
fn garbage_ends_the_session_and_another_one_begins() {
    for garbage in [&b"HTTP/1.1 400 Bad Request\r\n"[..], &[0, 0, 0, 3], &[0xFF; 16]] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        submit(&world, &life, &shop, "hello", 0..5);
        smsc.send(0, garbage);
        send(&world, &shop, "hello", 5..10);
        life.settle_until(2 * MINUTE_MS, || {
            has(&world, &shop, SUBMITTED, 10) || statuses(&world, &shop).contains_key(&UNKNOWN)
        });
        assert_eq!(smsc.connections(), 2);
        assert!(smsc.counts().values().all(|count| *count == 1));
    }
}

#[test]
fn a_report_may_come_before_the_answer_for_as_long_as_the_answer_is_awaited() {
    for answer_ms in [0, 2 * SECOND_MS, 7_900] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        smsc.answer(move |_, _| Reply::ReceiptFirst("id:{id} stat:DELIVRD", answer_ms));
        send(&world, &shop, "hello", 0..100);
        life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 100));
        assert_eq!(smsc.confirmed().len(), 100);
        assert_once_and_ended(&world, &shop, &smsc);
        assert_eq!(early_receipts(&world), 0);
    }
}

/// How many receipts are stored for messages that are not known yet.
fn early_receipts(world: &World) -> i64 {
    world.carrier_sql("mci", "0").count("early_receipt")
}

#[test]
fn a_report_before_the_answer_is_stored_and_does_not_use_the_window_of_the_carrier() {
    let (world, shop, smsc) = world(json!({"window": 100}));
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, 1, 100);
    smsc.answer(|_, _| Reply::ReceiptFirst("id:{id} stat:DELIVRD", 7 * SECOND_MS));
    send(&world, &shop, "hello", 0..100);
    life.settle(3 * SECOND_MS);
    assert_eq!(early_receipts(&world), 100);
    let confirmed = smsc.confirmed();
    assert_eq!(confirmed.len(), 100);
    assert!(confirmed.values().all(|status| *status == 0));
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 100));
}

#[test]
fn a_report_before_the_answer_may_come_by_another_session() {
    let (world, shop, smsc) = world(json!({"binds": 3}));
    let life = Life::of(&world);
    bind(&world, &life, &smsc, 3);
    open_windows(&world, &life, &shop, &smsc, 6, 100);
    smsc.answer(|_, _| Reply::Status(0, 7 * SECOND_MS));
    send(&world, &shop, "hello", 0..50);
    life.settle_until(MINUTE_MS, || smsc.got_count() == 650);
    let by = smsc.got()[600].connection;
    deliver_all(&smsc, (by + 1) % 3);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 650));
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn receipts_wait_in_peace_while_another_session_does_not_answer() {
    let (world, shop, smsc) = world(json!({"binds": 2}));
    let life = Life::of(&world);
    bind(&world, &life, &smsc, 2);
    submit(&world, &life, &shop, "hello", 0..1);
    let unknown = || smsc.receipt(0, "id:unknown stat:DELIVRD", &number(1));
    unknown();
    life.settle(2 * SECOND_MS);
    // The first one is due while the other session is asked about the second.
    world.hanging_request.set(Some("ReadReceipts"));
    unknown();
    life.settle(8 * SECOND_MS);
    world.hanging_request.set(None);
    deliver_all(&smsc, 0);
    life.settle_until(2 * MINUTE_MS, || {
        smsc.confirmed().len() == 3 && has(&world, &shop, DELIVERED, 1)
    });
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn each_session_of_a_carrier_is_used_by_accounts_that_send_once() {
    let (world, _, smsc) = world(json!({"binds": 4}));
    let life = Life::of(&world);
    for index in 0..80 {
        let shop = world.account(&format!("shop{index}"), 100_000);
        send(&world, &shop, "hello", index..index + 1);
    }
    life.settle_until(MINUTE_MS, || smsc.got_count() == 80);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for got in smsc.got() {
        *counts.entry(got.connection).or_default() += 1;
    }
    // 20 each in the mean. Fewer than 3 come once in a million times.
    assert!(
        counts.len() == 4 && counts.values().all(|count| *count >= 3),
        "{counts:?}"
    );
}

#[test]
fn a_report_for_an_unknown_message_is_logged_and_answered() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    let unknown = smsc.receipt(0, "id:nobody stat:DELIVRD", "");
    life.settle_until(SECOND_MS, || smsc.confirmed().get(&unknown) == Some(&0));
    life.settle_until(10 * SECOND_MS, || world.has_logged("no message that is known"));
    assert_eq!(early_receipts(&world), 0);
    assert_eq!(health(&world)["unknownReports"], 1);
    assert!(has(&world, &shop, SUBMITTED, 1));
    let unnamed = smsc.receipt(0, "nothing to see", "");
    life.settle_until(MINUTE_MS, || smsc.confirmed().get(&unnamed) == Some(&0));
}

#[test]
fn no_more_than_ten_thousand_reports_for_unknown_messages_wait() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    for number in 0..11_000 {
        smsc.receipt(0, &format!("id:nobody{number} stat:DELIVRD"), "");
    }
    life.settle_until(5 * SECOND_MS, || smsc.confirmed().len() == 11_000);
    assert!(early_receipts(&world) <= 10_000);
    let refused = smsc.confirmed().into_values().filter(|status| *status != 0).count();
    assert!(refused >= 1_000, "{refused}");
    life.settle(20 * SECOND_MS);
    assert_eq!(early_receipts(&world), 0);
}

#[test]
fn an_intermediate_report_ends_nothing() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    for (state, unknown) in [("ENROUTE", 0), ("ACCEPTD", 0), ("UNKNOWN", 0), ("FOOBAR1", 1)] {
        report_all(&smsc, 0, state);
        life.settle(5 * SECOND_MS);
        assert!(has(&world, &shop, SUBMITTED, 1));
        assert_eq!(health(&world)["unknownReports"], unknown, "{state}");
    }
    assert!(world.has_logged("a receipt has a state that nobody knows"));
    assert!(world.has_logged("FOOBAR1"));
    report_all(&smsc, 0, "EXPIRED");
    life.settle_until(MINUTE_MS, || has(&world, &shop, EXPIRED, 1));
}

#[test]
fn a_report_by_another_session_finds_its_message() {
    let (world, shop, smsc) = world(json!({"binds": 3}));
    let life = Life::of(&world);
    bind(&world, &life, &smsc, 3);
    submit(&world, &life, &shop, "hello", 0..50);
    let by = smsc.taken()[0].1.connection;
    deliver_all(&smsc, (by + 1) % 3);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 50));
    assert_eq!(smsc.confirmed().len(), 50);
}

#[test]
fn a_shop_does_not_wait_for_the_campaign_of_another() {
    let (world, shop, smsc) = world(json!({"window": 10, "throughputPerSecond": 50}));
    let other = world.account("other", 1_000_000);
    let life = Life::of(&world);
    send(&world, &shop, "campaign", 0..900);
    life.settle(2 * SECOND_MS);
    let before = smsc.got().len();
    assert!(before < 300, "{before}");
    send(&world, &other, "hello", 5_000..5_001);
    let came = || {
        smsc.got()
            .iter()
            .any(|got| got.deliver.destination.number == number(5_000))
    };
    life.settle_until(2 * SECOND_MS, came);
}

#[test]
fn a_pause_unbinds_and_messages_wait_until_it_is_over() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..10);
    let mut carrier = to_end(carriers::find(&*world.db, "mci")).unwrap().unwrap();
    let set = |paused: i64, version: i64| {
        let update = "UPDATE carrier SET paused = ?1, version = ?2 WHERE name = 'mci'";
        world.db.run_with(update, &[paused.into(), version.into()]);
    };
    set(1, 2);
    (carrier.paused, carrier.version) = (true, 2);
    let told = carrier.clone();
    let world_of_life = &world;
    life.spawn(async move { control::tell(world_of_life, &told).await });
    life.settle(MINUTE_MS);
    assert!(smsc.commands().contains(&command::UNBIND));
    assert_eq!(smsc.connections(), 1);
    send(&world, &shop, "hello", 10..20);
    life.settle(MINUTE_MS);
    assert_eq!(smsc.got().len(), 10);
    set(0, 3);
    (carrier.paused, carrier.version) = (false, 3);
    let told = carrier.clone();
    life.spawn(async move { control::tell(world_of_life, &told).await });
    life.settle_until(15 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 20));
    assert!(smsc.counts().values().all(|count| *count == 1));
}

#[test]
fn before_the_runtime_ends_sessions_end_in_order_and_what_waits_leaves_later_and_once() {
    let (world, shop, smsc) = world(json!({"window": 10, "throughputPerSecond": 50}));
    let (world_of_life, is_over) = (&world, Rc::new(Cell::new(false)));
    let life = Life::of(&world);
    send(&world, &shop, "hello", 0..200);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 20);
    let over = Rc::clone(&is_over);
    life.spawn(async move {
        stop::run(world_of_life).await.unwrap();
        over.set(true);
    });
    life.settle_until(3 * SECOND_MS, || is_over.get());
    assert!(is_over.get());
    assert_eq!(smsc.commands().last(), Some(&command::UNBIND));
    let gone = smsc.got_count();
    assert!(gone < 200, "{gone}");
    life.settle(20 * SECOND_MS);
    assert_eq!((smsc.got_count(), smsc.connections()), (gone, 1), "no session begins");
    // The runtime has not ended after all.
    life.settle_until(2 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 200));
    assert_eq!(smsc.connections(), 2);
    assert!(smsc.counts().values().all(|count| *count == 1));
}

#[test]
fn a_session_that_ended_before_the_runtime_should_comes_back_if_nobody_sends() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 1));
    let world_of_life = &world;
    life.spawn(async move { stop::run(world_of_life).await.unwrap() });
    // The alarm that looks after the session rings meanwhile.
    life.settle_until(2 * MINUTE_MS, || smsc.connections() == 2);
    assert_eq!(smsc.connections(), 2);
}

#[test]
fn an_smsc_that_does_not_answer_keeps_the_runtime_from_its_end_for_seconds_only() {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Silence);
    send(&world, &shop, "hello", 0..1);
    life.settle_until(MINUTE_MS, || smsc.got_count() == 1);
    let (world_of_life, ended) = (&world, Rc::new(Cell::new(None)));
    let noted = Rc::clone(&ended);
    life.spawn(async move { noted.set(Some(stop::run(world_of_life).await.is_ok())) });
    life.settle(4 * SECOND_MS);
    assert_eq!(ended.get(), Some(false));
}

#[test]
fn a_message_from_a_phone_is_answered_when_it_is_stored_and_its_parts_are_joined() {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    let part = |number: u8, text: &str| Deliver {
        source: Address {
            ton: 1,
            npi: 1,
            number: "989121234567".to_owned(),
        },
        destination: Address {
            ton: 0,
            npi: 1,
            number: "20003".to_owned(),
        },
        esm_class: 0x40,
        data_coding: 8,
        short_message: [5, 0, 3, 77, 2, number]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_be_bytes))
            .collect(),
        ..Deliver::default()
    };
    let one = smsc.deliver(0, &part(2, " دنیا"));
    let again = smsc.deliver(0, &part(2, " دنیا"));
    let two = smsc.deliver(0, &part(1, "سلام"));
    life.settle(10 * SECOND_MS);
    for sequence in [one, again, two] {
        assert_eq!(smsc.confirmed().get(&sequence), Some(&0));
    }
    let texts = || {
        let rows = world.rows(&shop, "SELECT text FROM inbound ORDER BY id");
        rows.iter().map(|row| row.text(0).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(texts(), ["سلام دنیا"], "{:?}", world.log.borrow().last());
    let alone = smsc.deliver(0, &part(1, "تنها"));
    life.settle(6 * MINUTE_MS);
    assert_eq!(smsc.confirmed().get(&alone), Some(&0));
    assert_eq!(texts(), ["سلام دنیا", "تنها[…]"]);
}

/// A message from a phone to a line.
fn from_phone(line: &str, text: &str) -> Deliver {
    let address = |number: &str| Address {
        ton: 1,
        npi: 1,
        number: number.to_owned(),
    };
    Deliver {
        source: address("989121234567"),
        destination: address(line),
        short_message: text.as_bytes().to_vec(),
        ..Deliver::default()
    }
}

#[test]
fn an_opt_out_counts_however_the_smsc_writes_the_sender_and_is_told_only_if_it_does() {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    let mut wanted = Vec::new();
    for (index, (ton, form)) in [0, 1, 2]
        .into_iter()
        .flat_map(|ton| ["98", "+98", "0098", "0", ""].map(|form| (ton, form)))
        .enumerate()
    {
        let national = format!("91233344{index:02}");
        let mut stop = from_phone("20003", "STOP");
        stop.source = Address {
            ton,
            npi: 1,
            number: format!("{form}{national}"),
        };
        smsc.deliver(0, &stop);
        wanted.push(format!("+98{national}"));
    }
    let mut named = from_phone("20003", "STOP");
    named.source = Address {
        ton: 5,
        npi: 0,
        number: "BANK".to_owned(),
    };
    smsc.deliver(0, &named);
    let mut lebanon = from_phone("20003", "hello");
    lebanon.source.number = "9613123456".to_owned();
    smsc.deliver(0, &lebanon);
    life.settle(10 * SECOND_MS);
    let texts = |sql: &str| -> Vec<String> {
        let rows = world.rows(&shop, sql);
        rows.iter().map(|row| row.text(0).unwrap()).collect()
    };
    assert_eq!(
        texts("SELECT sender FROM inbound WHERE opt_out = 1 ORDER BY sender"),
        wanted
    );
    assert_eq!(
        texts("SELECT '+' || msisdn FROM blacklist WHERE opt_out = 1 ORDER BY msisdn"),
        wanted
    );
    assert_eq!(
        texts("SELECT sender FROM inbound WHERE opt_out = 0 ORDER BY sender"),
        ["+9613123456", "BANK"]
    );
}

#[test]
fn a_message_from_a_phone_that_comes_again_after_a_broken_link_is_stored_once() {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    let count = || world.count(&shop, "inbound");
    smsc.deliver(0, &from_phone("20003", "one"));
    life.settle(10 * SECOND_MS);
    assert_eq!(count(), 1);
    // The process ends, and with it the link: the SMSC has not read the answer.
    life.kill();
    life.settle_until(MINUTE_MS, || smsc.connections() == 2);
    let again = smsc.deliver(1, &from_phone("20003", "one"));
    life.settle(10 * SECOND_MS);
    assert_eq!(smsc.confirmed().get(&again), Some(&0));
    assert_eq!(count(), 1);
    // The phone says the same once more, and twice in one session.
    smsc.deliver(1, &from_phone("20003", "one"));
    smsc.deliver(1, &from_phone("20003", "one"));
    life.settle(10 * SECOND_MS);
    assert_eq!(count(), 3);
    // After some minutes it is no repetition.
    life.settle(5 * MINUTE_MS);
    life.kill();
    life.settle_until(MINUTE_MS, || smsc.connections() == 3);
    smsc.deliver(2, &from_phone("20003", "one"));
    life.settle(10 * SECOND_MS);
    assert_eq!(count(), 4);
    life.settle(31 * MINUTE_MS);
    smsc.deliver(2, &from_phone("20003", "two"));
    life.settle(10 * SECOND_MS);
    assert_eq!(
        world.carrier_sql("mci", "0").count("seen"),
        1,
        "what is old is forgotten"
    );
}

#[test]
fn a_message_from_a_phone_that_comes_again_by_another_session_is_stored_once() {
    for is_killed in [false, true] {
        let (world, shop, smsc) = world(json!({"binds": 3}));
        let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
        world.create("/admin/lines", line);
        let life = Life::of(&world);
        (0..12).for_each(|number| submit(&world, &life, &shop, "hello", number..number + 1));
        assert_eq!(smsc.connections(), 3);
        let count = || world.count(&shop, "inbound");
        smsc.deliver(0, &from_phone("20003", "one"));
        life.settle(10 * SECOND_MS);
        // The SMSC has not read the answer.
        let others = if is_killed {
            life.kill();
            life.settle_until(MINUTE_MS, || smsc.connections() == 6);
            vec![3, 4, 5]
        } else {
            smsc.hang_up_first(1);
            life.settle(SECOND_MS);
            vec![1, 2]
        };
        let again = |connection: &usize| smsc.deliver(*connection, &from_phone("20003", "one"));
        let sequences: Vec<u32> = others.iter().map(again).collect();
        life.settle(10 * SECOND_MS);
        for sequence in sequences {
            assert_eq!(smsc.confirmed().get(&sequence), Some(&0));
        }
        assert_eq!(count(), 1);
        // The phone says the same once more by each.
        for connection in &others {
            again(connection);
            life.settle(10 * SECOND_MS);
        }
        assert_eq!(count(), 1 + i64::try_from(others.len()).unwrap());
    }
}

#[test]
fn a_short_sender_stays_as_it_is_whatever_its_type_says() {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..1);
    for number in ["50001", "989121234567"] {
        let mut deliver = from_phone("20003", "hello");
        deliver.source.number = number.to_owned();
        smsc.deliver(0, &deliver);
        life.settle(SECOND_MS);
    }
    let senders = world.sql(&shop.id).texts("SELECT sender FROM inbound ORDER BY id");
    assert_eq!(senders, ["50001", "+989121234567"]);
}

#[test]
fn an_opt_out_for_many_accounts_asks_those_again_that_have_not_taken_it() {
    let (world, _, smsc) = world(json!({}));
    let shops: Vec<_> = (0..20)
        .map(|index| world.account(&format!("shop{index}"), 100_000))
        .collect();
    let accounts: Vec<&str> = shops.iter().map(|shop| shop.id.as_str()).collect();
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": accounts});
    world.create("/admin/lines", line);
    let reply = json!({"optOutReply": "You are out."});
    world.admin("PUT", "/admin/lines/20003/inbound", reply).expect(200);
    let life = Life::of(&world);
    send(&world, &shops[0], "hello", 0..1);
    life.settle_until(MINUTE_MS, || smsc.got_count() == 1);
    // Of the accounts, two do not take it, one of them twice.
    let (no, yes) = (|| Fate::FailsBefore, || Fate::Passes);
    let fates = [yes(), no(), no()].into_iter().chain((0..17).map(|_| yes()));
    world
        .receives
        .replace(fates.chain([no(), yes()]).chain((0..100).map(|_| yes())).collect());
    smsc.deliver(0, &from_phone("20003", "STOP"));
    life.settle_until(MINUTE_MS, || world.receives.borrow().len() < 102);
    life.settle(MINUTE_MS);
    assert_eq!(world.receives.borrow().len(), 99, "20 calls, then 2, then 1");
    assert!(shops.iter().all(|shop| world.count(shop, "blacklist") == 1));
    assert_eq!(smsc.got_count(), 1, "what is for several accounts is not confirmed");
}

/// The process is killed at random moments, the SMSC loses and delays answers and closes connections.
#[test]
fn nobody_is_sent_to_twice_and_everybody_ends_whenever_the_process_is_killed() {
    let cases = cases(4);
    let mut certain = 0;
    for seed in 0..u64::from(cases) {
        let (world, shop, smsc) = world(json!({"window": 10, "throughputPerSecond": 200}));
        let life = Life::of(&world);
        let (dice, peers_dice) = (Dice::new(seed), Dice::new(seed + 1_000));
        smsc.answer(move |_, _| match peers_dice.below(150) {
            0 => Reply::Silence,
            1 => Reply::Status(0, 15 * SECOND_MS),
            2 => Reply::Close,
            3 => Reply::Status(0x58, 0),
            4 => Reply::Status(0x08, 0),
            _ => Reply::Status(0, 50),
        });
        let text = if seed % 3 == 0 {
            "a".repeat(400)
        } else {
            "hello".to_owned()
        };
        for step in 0..10 {
            send(&world, &shop, &text, step * 100..step * 100 + 100);
            life.kill_in.set(Some(dice.below(400)));
            life.settle(i64::try_from(dice.below(4_000)).unwrap());
        }
        life.kill_in.set(None);
        smsc.answer(|_, _| Reply::Status(0, 0));
        life.settle(20 * MINUTE_MS);
        let mut by_part: BTreeMap<(String, u8), usize> = BTreeMap::new();
        for (_, got) in smsc.taken() {
            let part = inbound::piece(&got.deliver).place.map_or(1, |place| place.number);
            *by_part.entry((got.deliver.destination.number, part)).or_default() += 1;
        }
        assert_eq!(by_part.iter().find(|(_, count)| **count != 1), None, "seed {seed}");
        deliver_all(&smsc, smsc.connections() - 1);
        life.settle(10 * MINUTE_MS);
        certain += statuses(&world, &shop).get(&DELIVERED).copied().unwrap_or(0);
        end(&world, life, 80 * HOUR_MS);
        let after = statuses(&world, &shop);
        let has_ended = |status: &i64| *status >= DELIVERED || *status == UNKNOWN;
        assert!(after.keys().all(has_ended), "seed {seed}: {after:?}");
        assert_eq!(after.values().sum::<i64>(), 1_000, "seed {seed}");
        assert_eq!(world.stored(&shop).wallet.locked, 0, "seed {seed}");
    }
    // A kill costs a window, no more: nearly everybody gets the message.
    let all = 1_000 * i64::from(cases);
    assert!(certain * 10 > 8 * all, "{certain} of {all}");
}
