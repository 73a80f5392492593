//! The design of an account that is split over sub-objects keeps its promises, whatever is lost, repeated, late or dead; and
//! none of its parts can be left out. `docs/hot-account.md` explains the design; no part of it is in the service.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test fails by panicking"
)]

#[path = "../examples/split_account/simulation.rs"]
mod simulation;

use proptest::prelude::*;
use simulation::protocol::Design;
use simulation::{Scenario, run};

/// Nothing goes wrong, and each send costs 1.
fn calm(seed: u64, shards: usize, sends: u64, money: i64) -> Scenario {
    Scenario {
        seed,
        design: Design::sound(),
        shards,
        money,
        credits: Vec::new(),
        sends,
        cost: 1,
        losses: 0,
        outages: 0,
        releases: 0,
        revokes: false,
    }
}

/// In every other run money is short; in the others a key is revoked.
fn rough(seed: u64, design: Design) -> Scenario {
    let is_short = seed.is_multiple_of(2);
    Scenario {
        design,
        credits: vec![5, 1, 20],
        cost: 3,
        losses: 10,
        outages: 12,
        releases: 2,
        revokes: !is_short,
        ..calm(seed, 4, 300, if is_short { 80 } else { 5_000 })
    }
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let money = prop_oneof![0..20i64, 0..200i64, 0..5_000i64];
    let numbers = (any::<u64>(), 1..9usize, 0..200u64, money, 1..6i64);
    let faults = (prop_oneof![Just(0u64), 3..30u64], 0..30u64, 0..6u64, any::<bool>());
    let credits = proptest::collection::vec(1..30i64, 0..5);
    (numbers, faults, credits).prop_map(|(numbers, (losses, outages, releases, revokes), credits)| {
        let (seed, shards, sends, money, cost) = numbers;
        Scenario {
            credits,
            cost,
            losses,
            outages,
            releases,
            revokes,
            ..calm(seed, shards, sends, money)
        }
    })
}

proptest! {
    /// No money is spent twice or lost, no key makes two messages, nobody sends after a revocation, a send is refused only when
    /// the whole account had not enough, and everybody gets an answer.
    #[test]
    fn whatever_goes_wrong_the_promises_hold(scenario in scenario()) {
        let outcome = run(&scenario);
        prop_assert!(outcome.is_ok(), "{:?}", outcome);
        prop_assert_eq!(run(&scenario), outcome, "a seed repeats its run");
    }

    #[test]
    fn sends_against_money_for_fewer_succeed_exactly_as_often_as_there_is_money_for(
        seed in any::<u64>(),
        shards in 1..17usize,
        sends in 0..150u64,
        money in 0..150u64,
        losses in prop_oneof![Just(0u64), 3..30u64],
        outages in 0..20u64,
    ) {
        let outcome = run(&Scenario { losses, outages, ..calm(seed, shards, sends, money as i64) }).unwrap();
        prop_assert_eq!(outcome.accepted, sends.min(money));
        prop_assert_eq!(outcome.refused, sends - outcome.accepted);
    }
}

#[test]
fn a_thousand_sends_against_money_for_370_succeed_370_times_however_many_sub_objects_there_are() {
    for shards in [1, 2, 3, 10, 50] {
        let outcome = run(&calm(7, shards, 1_000, 370)).unwrap();
        assert_eq!((outcome.accepted, outcome.refused, outcome.spent), (370, 630, 370));
    }
}

#[test]
fn while_there_is_plenty_of_money_the_accounts_object_is_asked_for_a_small_share_of_the_sends() {
    let outcome = run(&calm(7, 4, 20_000, 1_000_000)).unwrap();
    assert_eq!((outcome.accepted, outcome.collects), (20_000, 0));
    assert!(outcome.statements * 10 < outcome.accepted, "{outcome:?}");
}

/// Whether a run of these many breaks a promise with these words.
fn breaks(design: Design, words: &str) -> bool {
    (0..3_000).any(|seed| run(&rough(seed, design)).is_err_and(|fault| fault.contains(words)))
}

#[test]
fn no_part_of_the_design_can_be_left_out() {
    let sound = Design::sound();
    assert!(breaks(
        Design {
            recalls: false,
            ..sound
        },
        "was refused"
    ));
    assert!(breaks(Design { collects: 1, ..sound }, "was refused"));
    assert!(breaks(
        Design {
            leases_end: false,
            ..sound
        },
        "after the key was revoked"
    ));
    assert!(breaks(Design { totals: false, ..sound }, "granted"));
    assert!(breaks(Design { by_key: false, ..sound }, "accepted twice"));
}
