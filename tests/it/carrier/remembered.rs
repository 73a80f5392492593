//! What a carrier's object remembers of its journal makes no difference, except that it asks less.

use peyk::account::record::chunk::handover::{ChunkRef, Handover, Outcomes};
use peyk::base::ports::{PortError, Sql};
use peyk::carrier::journal::{self, Verdict};
use peyk::carrier::request::Submission;
use peyk::durable::remembered::Memory;
use proptest::prelude::*;

use super::{handover, opened};
use crate::format::samples::carrier as sample;
use crate::support::{Sqlite, day_tables::NOTES, time::DAY_MS};

const ACCOUNTS: [&str; 2] = ["shop", "other"];

fn submission(account: &str, claims: &[ChunkRef]) -> Submission {
    let handovers = claims.iter().map(|chunk| Handover {
        chunk: *chunk,
        ..handover(chunk.attempt, 0..2)
    });
    Submission {
        account: account.to_owned(),
        valid_until_ms: i64::MAX,
        handovers: handovers.collect(),
        ..sample::submission()
    }
}

fn judged(sql: &impl Sql, now_ms: i64, account: &str, claims: &[ChunkRef]) -> Vec<(ChunkRef, Verdict)> {
    journal::judge(sql, now_ms, &submission(account, claims), Default::default()).unwrap()
}

fn note(sql: &impl Sql, now_ms: i64, account: &str, claims: &[ChunkRef], taken: bool) -> Result<(), PortError> {
    let outcomes = Outcomes {
        taken: vec![(0, "a".to_owned())],
        not_now: vec![1],
        ..Outcomes::default()
    };
    let claims: Vec<_> = claims
        .iter()
        .map(|claim| (*claim, taken.then_some(&outcomes)))
        .collect();
    journal::note(sql, now_ms, account, &claims)
}

/// What happens to an object.
#[derive(Debug, Clone)]
enum Act {
    /// It notes claims, with outcomes or without.
    Note(usize, Vec<ChunkRef>, bool),
    /// It notes claims in a transaction that fails.
    Fail(usize, Vec<ChunkRef>),
    /// The runtime drops it.
    Drop,
    /// Some time goes by, ms.
    Wait(i64),
    Sweep,
}

/// Messages of more than one row, mostly near each other.
fn claims() -> impl Strategy<Value = Vec<ChunkRef>> {
    let claim = (prop_oneof![1..5_i64, 60..70_i64, 1..300_i64], 0..6_u32, 1..4_u32);
    let claim = claim.prop_map(|(message, number, attempt)| ChunkRef {
        message,
        number,
        attempt,
    });
    prop::collection::vec(claim, 1..5)
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let account = || 0..ACCOUNTS.len();
    let act = prop_oneof![
        6 => (account(), claims(), any::<bool>()).prop_map(|(account, claims, taken)| Act::Note(account, claims, taken)),
        2 => (account(), claims()).prop_map(|(account, claims)| Act::Fail(account, claims)),
        1 => Just(Act::Drop),
        1 => (0..2 * DAY_MS).prop_map(Act::Wait),
        1 => Just(Act::Sweep),
    ];
    prop::collection::vec(act, 1..40)
}

proptest! {
    /// An object that remembers judges as one that asks each time.
    #[test]
    fn verdicts_are_those_of_the_storage(acts in acts(), asked in prop::collection::vec(claims(), 40)) {
        let (sql, memory) = (opened(), Memory::default());
        let mut now_ms = 500;
        for (act, asked) in acts.into_iter().zip(asked) {
            let remembering = memory.of(&sql);
            match act {
                Act::Note(account, claims, taken) => {
                    note(&remembering, now_ms, ACCOUNTS[account], &claims, taken).unwrap();
                }
                Act::Fail(account, claims) => {
                    let failed = remembering.transaction(|| {
                        note(&remembering, now_ms, ACCOUNTS[account], &claims, true)?;
                        note(&remembering, now_ms, ACCOUNTS[account], &claims, false)?;
                        Err::<(), _>(PortError::failed("sql", "full"))
                    });
                    prop_assert!(failed.is_err());
                }
                Act::Drop => memory.forget(),
                Act::Wait(ms) => now_ms += ms,
                Act::Sweep => journal::sweep(&remembering, now_ms).unwrap(),
            }
            for account in ACCOUNTS {
                // In a transaction, so that what is remembered is compared.
                let judge = || Ok(judged(&remembering, now_ms, account, &asked));
                let remembered = remembering.transaction(judge).unwrap();
                prop_assert_eq!(remembered, judged(&sql, now_ms, account, &asked));
            }
            let lost = "SELECT count(*) FROM day_table WHERE name = 'handover'";
            prop_assert!(sql.count(NOTES) == 0 || sql.number(lost) > 0, "notes of no day are never swept");
        }
    }
}

/// How many statements `work` takes.
fn statements(sql: &Sqlite, work: impl FnOnce()) -> u64 {
    let before = sql.runs.get();
    work();
    sql.runs.get() - before
}

#[test]
fn nobody_looks_for_the_note_of_a_message_that_is_newer_than_all_others() {
    let (sql, memory) = (opened(), Memory::default());
    let remembering = memory.of(&sql);
    let claim = |message, number| ChunkRef {
        message,
        number,
        attempt: 1,
    };
    let take = |claim: ChunkRef| {
        statements(&sql, || {
            let verdicts = judged(&remembering, 500, "shop", &[claim]);
            assert!(matches!(verdicts[..], [(_, Verdict::Send { .. })]), "{verdicts:?}");
            note(&remembering, 500, "shop", &[claim], true).unwrap();
        })
    };
    // The first one makes the table that of today, and the second one reads that it is.
    take(claim(1, 0));
    take(claim(1, 1));
    assert_eq!([take(claim(2, 0)), take(claim(2, 1)), take(claim(70, 0))], [1; 3]);
    // An object that begins asks once which is the newest, and of which day the table is.
    memory.forget();
    assert_eq!([take(claim(71, 0)), take(claim(72, 0))], [3, 1]);
    let again = statements(&sql, || {
        let verdicts = judged(&remembering, 500, "shop", &[claim(71, 0)]);
        assert!(matches!(verdicts[..], [(_, Verdict::Answer(_))]), "{verdicts:?}");
    });
    assert_eq!(again, 1);
}

#[test]
fn with_more_accounts_than_are_remembered_the_verdicts_stay_and_the_first_are_asked_for_again() {
    let (sql, memory) = (opened(), Memory::default());
    let remembering = memory.of(&sql);
    let claim = |message| ChunkRef {
        message,
        number: 0,
        attempt: 1,
    };
    let accounts: Vec<String> = (0..3_000).map(|number| format!("{number:036}")).collect();
    let take = |account: &str, message| {
        statements(&sql, || {
            let verdicts = judged(&remembering, 500, account, &[claim(message)]);
            assert!(matches!(verdicts[..], [(_, Verdict::Send { .. })]), "{verdicts:?}");
            note(&remembering, 500, account, &[claim(message)], true).unwrap();
        })
    };
    // The first two ask of which day the table is, too: the first one makes it that of today.
    let first: Vec<u64> = accounts.iter().map(|account| take(account, 7)).collect();
    assert!(first.iter().skip(2).all(|asked| *asked == 2), "{first:?}");
    let second: Vec<u64> = accounts.iter().rev().map(|account| take(account, 8)).collect();
    let known = second.iter().take_while(|asked| **asked == 1).count();
    assert!((1_000..2_000).contains(&known), "{known}");
    assert!(second.iter().skip(known).all(|asked| *asked == 2), "{second:?}");
    for account in &accounts {
        for message in [7, 8, 9] {
            let asked = judged(&remembering, 500, account, &[claim(message)]);
            assert_eq!(
                asked,
                judged(&sql, 500, account, &[claim(message)]),
                "{account} {message}"
            );
        }
    }
}

#[test]
#[should_panic(expected = "what the journal has noted is not remembered")]
fn a_note_that_is_made_past_the_memory_is_found_by_the_comparison() {
    let (sql, memory) = (opened(), Memory::default());
    let claim = ChunkRef {
        message: 7,
        number: 0,
        attempt: 1,
    };
    judged(&memory.of(&sql), 500, "shop", &[claim]);
    note(&sql, 500, "shop", &[claim], true).unwrap();
    judged(&memory.of(&sql), 500, "shop", &[claim]);
}
