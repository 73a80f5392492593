//! What an SMSC costs that takes messages and answers nothing: a few recipients, however often it is bound again.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::json;

use crate::support::smpp::{SUBMITTED, UNKNOWN, has, health, number, open_windows, send, statuses, world};
use crate::support::smsc::{Reply, Smsc};
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, life::Life};

const QUEUED: i64 = 1;
/// How many messages of a session come before it is dropped.
const DROPPED_AT: usize = 20;

fn unknown(world: &World, shop: &Account) -> i64 {
    statuses(world, shop).get(&UNKNOWN).copied().unwrap_or(0)
}

/// Counts the messages of each connection.
fn by_connection(mut reply: impl FnMut(usize) -> Reply + 'static) -> impl FnMut(usize, usize) -> Reply {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    move |_, connection| {
        let count = counts.entry(connection).or_default();
        *count += 1;
        reply(*count)
    }
}

/// The recipients that an SMSC costs which drops each session at a message, and answers those before it like this. How many
/// binds there were, and how many recipients are UNKNOWN of 200 in 92 seconds. The objects may be dropped after each session.
fn cost_of_drops(dropped_at: usize, before: fn() -> Reply, is_killed: bool) -> (usize, i64) {
    let (world, shop, smsc) = world(json!({}));
    let life = Life::of(&world);
    let mut rule = by_connection(move |count| if count >= dropped_at { Reply::Close } else { before() });
    smsc.answer(move |at, got| rule(at, got.connection));
    send(&world, &shop, "hello", 0..200);
    let mut killed_after = 0;
    for _ in 0..92 {
        life.settle(SECOND_MS);
        if is_killed && health(&world)["state"] == "DOWN" && killed_after < smsc.connections() {
            killed_after = smsc.connections();
            life.kill();
        }
    }
    assert!(smsc.counts().values().all(|count| *count == 1));
    let cost = (smsc.connections(), unknown(&world, &shop));
    eprintln!(
        "dropped at message {dropped_at}: {} binds, {} of 200 UNKNOWN",
        cost.0, cost.1
    );
    cost
}

#[test]
fn an_smsc_that_drops_every_session_costs_one_recipient_a_bind_and_is_left_alone() {
    for (dropped_at, before) in [
        (1, (|| Reply::Silence) as fn() -> Reply),
        (DROPPED_AT, || Reply::Silence),
    ] {
        let (binds, unknown) = cost_of_drops(dropped_at, before, false);
        assert!((5..=7).contains(&unknown), "{unknown}");
        assert!(binds <= 8, "{binds}");
    }
}

#[test]
fn an_smsc_that_answers_and_then_drops_every_session_costs_a_window_once_and_one_recipient_a_bind_later() {
    for before in [(|| Reply::Status(0, 0)) as fn() -> Reply, || Reply::Status(0, 300)] {
        for is_killed in [false, true] {
            let (binds, unknown) = cost_of_drops(DROPPED_AT, before, is_killed);
            let binds = i64::try_from(binds).unwrap();
            assert!(unknown <= 16 + binds, "{unknown} by {binds} binds");
        }
    }
}

#[test]
fn an_smsc_that_is_silent_costs_a_few_recipients_whatever_is_dropped_in_between() {
    for is_killed in [false, true] {
        let (world, shop, smsc) = world(json!({}));
        let life = Life::of(&world);
        smsc.answer(|_, _| Reply::Silence);
        smsc.is_silent.set(true);
        send(&world, &shop, "hello", 0..400);
        for _ in 0..20 {
            life.settle(30 * SECOND_MS);
            if is_killed && health(&world)["state"] == "DOWN" {
                life.kill();
            }
        }
        let (cost, binds) = (smsc.got_count(), smsc.connections());
        eprintln!("silent for 10 minutes: {binds} binds, {cost} of 400 left, objects dropped: {is_killed}");
        assert!((5..=10).contains(&cost), "{cost}");
        smsc.is_silent.set(false);
        smsc.answer(|_, _| Reply::Status(0, 0));
        life.settle_until(25 * MINUTE_MS, || {
            statuses(&world, &shop)
                .keys()
                .all(|status| [UNKNOWN, SUBMITTED].contains(status))
        });
        assert!(unknown(&world, &shop) <= 10);
        assert!(smsc.counts().values().all(|count| *count == 1));
    }
}

#[test]
fn a_healthy_session_reaches_its_window_within_a_few_round_trips() {
    let (world, shop, smsc) = world(json!({"window": 50}));
    let life = Life::of(&world);
    let rounds: Rc<Cell<BTreeMap<i64, usize>>> = Rc::default();
    let seen = Rc::clone(&rounds);
    smsc.answer(move |_, got| {
        let mut counts = seen.take();
        *counts.entry(got.at_ms).or_default() += 1;
        seen.set(counts);
        Reply::Status(0, 100)
    });
    send(&world, &shop, "hello", 0..1_000);
    life.settle(10 * SECOND_MS);
    let together: Vec<usize> = rounds.take().into_values().collect();
    assert_eq!(together[..8], [1, 2, 4, 8, 16, 32, 50, 50]);
    assert!(has(&world, &shop, SUBMITTED, 1_000));
}

#[test]
fn after_a_loss_the_window_is_full_again_after_some_hundred_messages() {
    let (world, shop, smsc) = world(json!({"window": 50}));
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, 1, 100);
    smsc.answer(|_, got| {
        if got.connection == 0 {
            Reply::Close
        } else {
            Reply::Status(0, 10)
        }
    });
    send(&world, &shop, "hello", 0..3_000);
    life.settle_until(MINUTE_MS, || !statuses(&world, &shop).contains_key(&QUEUED));
    let lost = unknown(&world, &shop);
    assert!((1..=50).contains(&lost), "{lost}");
    assert_eq!(smsc.connections(), 2);
    let got = smsc.got();
    let last: Vec<i64> = got[got.len() - 500..].iter().map(|got| got.at_ms).collect();
    assert!(last[499] - last[0] <= 120, "ten windows in {} ms", last[499] - last[0]);
    assert_eq!(
        got.iter()
            .filter(|got| got.deliver.destination.number == number(0))
            .count(),
        1
    );
}

/// The recipients that are UNKNOWN of 200 when an SMSC reads nothing any more, and what ends the session then.
fn cost_of_deafness(end: impl Fn(&Life<'_>, &Smsc)) -> i64 {
    let (world, shop, smsc) = world(json!({"window": 200}));
    world.network.pipe_bytes.set(256);
    let life = Life::of(&world);
    open_windows(&world, &life, &shop, &smsc, 1, 400);
    smsc.is_deaf.set(true);
    send(&world, &shop, "hello", 0..200);
    end(&life, &smsc);
    smsc.is_deaf.set(false);
    life.settle_until(5 * MINUTE_MS, || !statuses(&world, &shop).contains_key(&QUEUED));
    let (unknown, taken) = (unknown(&world, &shop), smsc.taken().len());
    eprintln!("{unknown} of 200 UNKNOWN, {} came", taken - 400);
    assert!(smsc.counts().values().all(|count| *count == 1));
    assert!(has(&world, &shop, SUBMITTED, 600 - unknown));
    unknown
}

#[test]
fn what_was_never_given_to_the_socket_goes_by_the_next_session() {
    let lost = cost_of_deafness(|life, smsc| {
        life.settle(SECOND_MS);
        smsc.hang_up();
    });
    assert!((1..=80).contains(&lost), "{lost}");
}

#[test]
fn what_waits_too_long_for_the_socket_has_not_left() {
    let lost = cost_of_deafness(|life, _| life.settle(30 * SECOND_MS));
    assert!((1..=80).contains(&lost), "{lost}");
}
