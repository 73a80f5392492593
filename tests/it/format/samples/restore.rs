//! Going back in time, and checks of what is kept.

use std::collections::BTreeMap;

use peyk::account::keys::passkeys;
use peyk::account::limiter::{self, Limit};
use peyk::account::reconcile::{Check, Difference, Findings, Reconcile, Replayed, Truth};
use peyk::account::record::caps::{DailySpend, RecipientLimit};
use peyk::account::record::usage_totals::Totals;
use peyk::account::recount::{BegunDay, Recount};
use peyk::account::restore::{CarriedOver, Done, GetRestored, Restore, Target};
use peyk::account::usage::UsageRow;

use super::keys::{answered, key, passkey};
use super::money::wallet;
use super::{Format, request};

/// A check of an account that goes on, and one that has found something.
pub fn findings() -> [Findings; 2] {
    let from = Replayed {
        seq: 20_000,
        available: 900,
        locked: 30,
        spent: 70,
        credited: 1_000,
    };
    let key = || (20_454, "10001".to_owned(), "sandbox".to_owned(), false);
    let totals = Totals {
        recipients: 2,
        parts: 3,
        cost: 3_000,
        delivered: 2,
        ..Totals::default()
    };
    let recount = Recount {
        before: 20_454,
        begun: Some(BegunDay {
            day: 20_454,
            after: 7,
            versions: vec![(key(), 3)],
            counted: vec![(key(), totals)],
        }),
    };
    let going_on = Findings {
        differences: vec![Difference::new(Check::Locked, "30 is locked".to_owned())],
        next: Some(from),
        too_many_chunks: true,
        truth: Truth {
            active: true,
            sending_enabled: true,
            available: 900,
            locked: 30,
            version: 7,
            changed_ms: 1_767_268_801_000,
        },
        usage: vec![UsageRow {
            key: key(),
            version: 3,
            counts: "[0,0,0,0,0,2,0,0,0,0,0]".to_owned(),
        }],
        recount: Some(recount),
    };
    let ended = Findings {
        differences: Vec::new(),
        next: None,
        too_many_chunks: false,
        usage: Vec::new(),
        recount: None,
        ..going_on.clone()
    };
    [going_on, ended]
}

pub fn go_back(target: Target) -> Restore {
    Restore {
        number: 7,
        target,
        reason: "a test".to_owned(),
    }
}

pub fn done() -> Done {
    Done {
        number: 7,
        at_ms: 1_767_268_800_000,
        before: wallet(),
        after: wallet(),
        in_doubt: 2,
        canceled: 1,
        undo: "b".to_owned(),
    }
}

pub fn kept() -> CarriedOver {
    CarriedOver {
        bookmark: "b".to_owned(),
        message: 7,
        version: 7,
        event: 7,
        sequences: BTreeMap::from([("inbound".to_owned(), 7)]),
        wallet: wallet(),
        active: true,
        on_hold: true,
        canceled_through: 5,
        limit: Limit::default(),
        test_limit: limiter::of_tests(),
        recipient_limit: RecipientLimit::default(),
        daily_spend: DailySpend {
            limit: Some(5_000_000),
            day: 20_454,
            spent: 12_000,
        },
        keys: vec![key()],
        makers: vec![(0, 0, true)],
        passkeys: Some(passkeys::carried_over::CarriedOver {
            passkeys: vec![passkey()],
            answered: vec![answered()],
            only_passkeys: true,
            makers: vec![("passkey-1".to_owned(), "key-1".to_owned())],
        }),
        blocked: vec![(989_121_234_567, 1)],
        blocked_digests: vec![("ab".repeat(16), 1)],
        webhook: Some((7, 1, 2)),
        low_balances: vec![(1_000, 0)],
        not_started: vec![6],
    }
}

/// The requests, each with its answers.
pub fn requests() -> Vec<Vec<Format>> {
    vec![
        request(
            &[
                Reconcile::first(),
                Reconcile {
                    from: findings()[0].next,
                    usage: Some(findings()[0].usage[0].key.clone()),
                    recount: findings()[0].recount.clone(),
                },
                Reconcile {
                    from: None,
                    usage: None,
                    recount: None,
                },
            ],
            findings().to_vec(),
        ),
        request(
            &[
                go_back(Target::At(1_767_268_800_000)),
                go_back(Target::Bookmark("b".to_owned())),
            ],
            vec![()],
        ),
        request(&[GetRestored { number: 7 }], vec![None, Some(done())]),
    ]
}
