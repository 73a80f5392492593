//! Long texts that are cut in their middle: the rest goes on by the next session, or ends.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::json;

use crate::support::life::Life;
use crate::support::smpp::{
    DELIVERED, EXPIRED, SUBMITTED, UNDELIVERED, assert_once_and_ended, change, deliver_all, has, health, number, send,
    statuses, world,
};
use crate::support::smsc::{Reply, Smsc};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, cases};

const UNBIND: [u8; 16] = [0, 0, 0, 16, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 9];

/// A text of so many parts.
fn long(parts: usize) -> String {
    "a".repeat(153 * parts)
}

/// Sends a text of five parts to one recipient, and waits until the SMSC has two of them: one part leaves in a second.
fn cut_world(then: impl FnOnce(&World, &Life<'_>, &Account, &Smsc)) {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 1}));
    let life = Life::of(&world);
    send(&world, &shop, &long(5), 0..1);
    life.settle_until(MINUTE_MS, || smsc.taken().len() == 2);
    then(&world, &life, &shop, &smsc);
}

/// All five parts come once, as parts of one text, and their receipts end the recipient.
#[track_caller]
fn assert_whole(world: &World, life: &Life<'_>, shop: &Account, smsc: &Smsc) {
    life.settle_until(5 * MINUTE_MS, || {
        smsc.taken().len() == 5 && has(world, shop, SUBMITTED, 1)
    });
    let got = smsc.got();
    let reference: BTreeSet<u8> = got.iter().map(|got| got.deliver.short_message[3]).collect();
    let numbers: BTreeSet<u8> = got.iter().map(|got| got.deliver.short_message[5]).collect();
    assert_eq!((reference.len(), numbers.len(), got.len()), (1, 5, 5));
    deliver_all(smsc, smsc.connections() - 1);
    life.settle_until(MINUTE_MS, || has(world, shop, DELIVERED, 1));
    assert_once_and_ended(world, shop, smsc);
}

#[test]
fn the_rest_of_a_text_goes_on_after_the_smsc_ends_the_session() {
    for unbinds in [false, true] {
        cut_world(|world, life, shop, smsc| {
            if unbinds {
                smsc.send(0, &UNBIND);
            } else {
                smsc.hang_up();
            }
            assert_whole(world, life, shop, smsc);
        });
    }
}

#[test]
fn the_rest_of_a_text_goes_on_after_a_setting_was_changed() {
    for settings in [json!({"window": 7}), json!({"longMessages": "SAR"})] {
        cut_world(|world, life, shop, smsc| {
            change(world, settings.clone());
            assert_whole(world, life, shop, smsc);
        });
    }
}

#[test]
fn the_rest_of_a_text_goes_on_after_a_pause_also_if_the_object_is_dropped_meanwhile() {
    for is_killed in [false, true] {
        cut_world(|world, life, shop, smsc| {
            world.change("/admin/carriers/mci", json!({"paused": true}));
            life.settle(10 * MINUTE_MS);
            assert!(has(world, shop, SUBMITTED, 1), "{:?}", statuses(world, shop));
            let left = smsc.taken().len();
            assert!(left < 5, "{left}");
            if is_killed {
                life.kill();
            }
            world.change("/admin/carriers/mci", json!({"paused": false}));
            assert_whole(world, life, shop, smsc);
        });
    }
}

#[test]
fn a_rest_that_is_cut_again_and_again_goes_on() {
    cut_world(|world, life, shop, smsc| {
        for parts in [3, 4] {
            smsc.hang_up();
            life.settle_until(MINUTE_MS, || smsc.taken().len() == parts);
        }
        smsc.hang_up();
        assert_whole(world, life, shop, smsc);
    });
}

#[test]
fn the_rest_of_a_text_that_is_too_old_ends_also_during_a_pause() {
    cut_world(|world, life, shop, smsc| {
        world.change("/admin/carriers/mci", json!({"paused": true}));
        life.settle_until(2 * HOUR_MS, || has(world, shop, UNDELIVERED, 1));
        let left = smsc.got_count();
        world.change("/admin/carriers/mci", json!({"paused": false}));
        life.settle(10 * MINUTE_MS);
        assert_eq!(smsc.got_count(), left);
        assert!(has(world, shop, UNDELIVERED, 1));
        assert_once_and_ended(world, shop, smsc);
    });
}

#[test]
fn a_rest_that_the_smsc_refuses_ends() {
    cut_world(|world, life, shop, smsc| {
        smsc.hang_up();
        smsc.answer(|_, _| Reply::Status(0x0B, 0));
        life.settle_until(5 * MINUTE_MS, || has(world, shop, UNDELIVERED, 1));
        life.settle(5 * SECOND_MS);
        assert!(smsc.got_count() < 5, "{}", smsc.got_count());
        assert_once_and_ended(world, shop, smsc);
    });
}

#[test]
fn a_rest_that_was_on_its_way_during_a_crash_does_not_leave_again() {
    cut_world(|world, life, shop, smsc| {
        // Nobody hears what becomes of the next part.
        smsc.answer(|_, _| Reply::Status(0, 1_000 * HOUR_MS));
        smsc.hang_up();
        life.settle_until(MINUTE_MS, || smsc.got_count() == 3);
        life.kill();
        smsc.answer(|_, _| Reply::Status(0, 0));
        life.settle(10 * MINUTE_MS);
        assert_eq!(smsc.got_count(), 3);
        life.settle_until(4 * DAY_MS, || has(world, shop, EXPIRED, 1));
        assert_once_and_ended(world, shop, smsc);
    });
}

/// The receipt of the first part of a text that was cut behind its second one.
fn first_is_delivered(world: &World, life: &Life<'_>, shop: &Account, smsc: &Smsc) {
    let (id, got) = smsc.taken().remove(0);
    life.settle_until(MINUTE_MS, || has(world, shop, SUBMITTED, 1));
    let text = format!("id:{id} stat:DELIVRD err:000 text:");
    smsc.receipt(smsc.connections() - 1, &text, &got.deliver.destination.number);
}

#[test]
fn nothing_is_presumed_of_a_text_while_its_rest_waits_and_what_was_reported_counts_when_it_has_left() {
    for part_reports in ["AUTO", "FIRST", "ANY"] {
        cut_world(|world, life, shop, smsc| {
            change(world, json!({"partReports": part_reports}));
            life.settle_until(MINUTE_MS, || smsc.connections() == 2);
            world.change("/admin/carriers/mci", json!({"paused": true}));
            life.settle(SECOND_MS);
            let taken = smsc.taken().len();
            assert!(taken < 5);
            world.change("/admin/carriers/mci", json!({"paused": false}));
            smsc.answer(|_, _| Reply::Status(0x58, 0));
            life.settle_until(MINUTE_MS, || smsc.connections() == 3);
            first_is_delivered(world, life, shop, smsc);
            life.settle(20 * MINUTE_MS);
            assert!(has(world, shop, SUBMITTED, 1), "{part_reports}");
            smsc.answer(|_, _| Reply::Status(0, 0));
            life.settle_until(10 * MINUTE_MS, || smsc.taken().len() == 5);
            life.settle_until(10 * MINUTE_MS, || has(world, shop, DELIVERED, 1));
        });
    }
}

#[test]
fn a_text_whose_rest_is_refused_is_not_delivered_whatever_was_reported_of_its_first_part() {
    for part_reports in ["AUTO", "FIRST", "ANY"] {
        cut_world(|world, life, shop, smsc| {
            change(world, json!({"partReports": part_reports}));
            smsc.answer(|_, _| Reply::Status(0x58, 0));
            life.settle_until(MINUTE_MS, || smsc.connections() == 2);
            first_is_delivered(world, life, shop, smsc);
            life.settle(10 * SECOND_MS);
            smsc.answer(|_, _| Reply::Status(0x0B, 0));
            life.settle_until(10 * MINUTE_MS, || has(world, shop, UNDELIVERED, 1));
            assert_eq!(health(world)["lateFailures"], 0);
        });
    }
}

#[test]
fn nothing_is_presumed_of_a_text_that_may_lack_a_part_for_ever() {
    // A part of the rest has no answer, or the runtime dies while the rest leaves.
    for dies in [false, true] {
        cut_world(|world, life, shop, smsc| {
            let first = std::cell::Cell::new(true);
            smsc.answer(move |_, _| Reply::Status(0, if first.replace(false) { 1_000 * HOUR_MS } else { 0 }));
            smsc.hang_up();
            life.settle_until(MINUTE_MS, || smsc.got_count() == 3);
            if dies {
                life.kill();
            } else {
                smsc.hang_up();
            }
            life.settle(MINUTE_MS);
            first_is_delivered(world, life, shop, smsc);
            life.settle(2 * DAY_MS);
            assert!(has(world, shop, SUBMITTED, 1), "dies: {dies}");
            life.settle_until(2 * DAY_MS, || has(world, shop, EXPIRED, 1));
            assert!(smsc.counts().values().all(|count| *count == 1));
        });
    }
}

#[test]
fn a_part_of_a_rest_that_is_answered_late_leaves_nothing_unclear() {
    cut_world(|world, life, shop, smsc| {
        let is_first = std::cell::Cell::new(true);
        smsc.answer(move |_, _| Reply::Status(0, if is_first.replace(false) { 20 * SECOND_MS } else { 0 }));
        smsc.hang_up();
        life.settle_until(5 * MINUTE_MS, || smsc.got_count() == 5);
        life.settle(MINUTE_MS);
        first_is_delivered(world, life, shop, smsc);
        life.settle_until(10 * MINUTE_MS, || has(world, shop, DELIVERED, 1));
    });
}

#[test]
fn a_part_of_a_rest_whose_answer_is_lost_is_counted_by_its_report() {
    cut_world(|world, life, shop, smsc| {
        let is_first = std::cell::Cell::new(true);
        smsc.answer(move |_, _| match is_first.replace(false) {
            true => Reply::Named("lost".to_owned(), 1_000 * HOUR_MS),
            false => Reply::Status(0, 0),
        });
        smsc.hang_up();
        life.settle_until(MINUTE_MS, || smsc.got_count() == 3);
        smsc.hang_up();
        life.settle_until(5 * MINUTE_MS, || smsc.got_count() == 5);
        life.settle(MINUTE_MS);
        let mut ids: BTreeSet<String> = smsc.taken().into_iter().map(|(id, _)| id).collect();
        ids.insert("lost".to_owned());
        assert_eq!(ids.len(), 5);
        for id in ids {
            let text = format!("id:{id} stat:DELIVRD err:000");
            smsc.receipt(smsc.connections() - 1, &text, &number(0));
        }
        life.settle_until(5 * MINUTE_MS, || has(world, shop, DELIVERED, 1));
        assert_once_and_ended(world, shop, smsc);
    });
}

#[test]
fn a_rest_goes_on_beside_a_part_whose_answer_is_lost() {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 1}));
    let life = Life::of(&world);
    smsc.answer(|index, _| Reply::Status(0, if index == 1 { 1_000 * HOUR_MS } else { 0 }));
    send(&world, &shop, &long(5), 0..1);
    life.settle_until(MINUTE_MS, || smsc.got_count() == 2);
    smsc.hang_up();
    life.settle_until(5 * MINUTE_MS, || smsc.got_count() == 5);
    assert!(smsc.counts().values().all(|count| *count == 1));
}

#[test]
fn a_text_with_a_secret_is_not_stored_with_a_carrier_so_it_ends_where_it_is_cut() {
    let (world, shop, smsc) = world(json!({"throughputPerSecond": 1}));
    let life = Life::of(&world);
    let pattern = json!({"slug": "login", "title": "Login", "text": format!("%OTP% {}", "a".repeat(153 * 4)),
        "variables": [{"name": "OTP", "secret": true}]});
    world.active_pattern(&shop.key, pattern);
    let body =
        json!({"pattern": "login", "recipient": number(0), "variables": {"OTP": "731946"}, "sourceNumber": "20002"});
    world.posted(&shop.key, "/sms/pattern", body);
    life.settle_until(MINUTE_MS, || smsc.taken().len() == 2);
    smsc.hang_up();
    life.settle_until(MINUTE_MS, || has(&world, &shop, UNDELIVERED, 1));
    life.settle(10 * MINUTE_MS);
    assert_eq!(smsc.got_count(), 2);
    assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn an_erasure_waits_until_no_rest_has_the_number() {
    cut_world(|world, life, shop, _| {
        let scopes = json!({"title": "privacy", "scopes": ["erasure"]});
        let key = world.grant(shop, scopes).text("/data/key");
        world.change("/admin/carriers/mci", json!({"paused": true}));
        life.settle(SECOND_MS);
        let has_rest = |world: &World| {
            let places = world.places_of(&[&number(0)]);
            places.iter().any(|place| place.contains("rest"))
        };
        assert!(has_rest(world));
        let order = world.post(&key, "/erasures", json!({"number": number(0)})).expect(202);
        let is_done = || {
            let read = world.read(&key, &format!("/erasures/{}", order.text("/data/id")));
            read.text("/data/status") == "DONE"
        };
        life.settle_until(4 * HOUR_MS, is_done);
        assert!(!has_rest(world));
    });
}

/// What comes between an SMSC and the rests of texts.
#[derive(Debug, Clone, Copy)]
enum Cut {
    HangUp,
    Unbind,
    Pause,
    Setting,
    TwiceInARow,
}

fn cuts() -> impl Strategy<Value = Vec<(Cut, i64)>> {
    let cut = prop::sample::select(vec![
        Cut::HangUp,
        Cut::Unbind,
        Cut::Pause,
        Cut::Setting,
        Cut::TwiceInARow,
    ]);
    prop::collection::vec((cut, 0i64..3_000), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(12)))]
    #[test]
    fn whatever_cuts_sessions_every_text_comes_whole_and_once(cuts in cuts(), per_second in 5i64..60) {
        let (world, shop, smsc) = world(json!({"throughputPerSecond": per_second}));
        let life = Life::of(&world);
        let paused = |paused: bool| drop(world.change("/admin/carriers/mci", json!({"paused": paused})));
        send(&world, &shop, &long(4), 0..60);
        for (place, (cut, after_ms)) in cuts.into_iter().enumerate() {
            life.settle(after_ms);
            match cut {
                Cut::HangUp => smsc.hang_up(),
                Cut::Unbind if smsc.connections() > 0 => smsc.send(smsc.connections() - 1, &UNBIND),
                Cut::Unbind => {}
                Cut::Pause => {
                    paused(true);
                    life.settle(5 * SECOND_MS);
                    paused(false);
                }
                Cut::Setting => change(&world, json!({"window": 5 + place})),
                Cut::TwiceInARow => {
                    smsc.hang_up();
                    life.settle(1_500);
                    smsc.hang_up();
                }
            }
        }
        life.settle_until(30 * MINUTE_MS, || has(&world, &shop, SUBMITTED, 60) && smsc.got_count() == 240);
        prop_assert_eq!(smsc.counts().len(), 240);
        // The receipts come by a session that stands.
        let before = smsc.connections();
        smsc.hang_up();
        life.settle_until(5 * MINUTE_MS, || smsc.connections() > before);
        life.settle(SECOND_MS);
        deliver_all(&smsc, smsc.connections() - 1);
        life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 60));
        assert_once_and_ended(&world, &shop, &smsc);
    }
}
