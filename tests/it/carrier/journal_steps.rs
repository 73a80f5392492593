//! What a journal promises to a carrier that sends a chunk bit by bit: after a crash, only those are in doubt that were about
//! to leave.

use std::collections::BTreeSet;

use peyk::account::chunk::handover::{Answer, Outcomes};
use peyk::carrier::journal::{self, Progress, Verdict};
use proptest::prelude::*;

use super::{chunk, judge, opened};
use crate::support::Sqlite;

fn step(sql: &Sqlite, attempt: u32, leaving: &[u32], outcomes: Option<Outcomes>) {
    let progress = Progress {
        leaving: leaving.to_vec(),
        outcomes,
    };
    journal::step(sql, 400, &[("shop", chunk(attempt), progress)]).unwrap();
}

fn taken(indexes: &[u32]) -> Outcomes {
    Outcomes {
        taken: indexes.iter().map(|index| (*index, format!("id{index}"))).collect(),
        ..Outcomes::default()
    }
}

#[test]
fn after_a_crash_those_that_were_about_to_leave_are_in_doubt_and_the_others_are_sent() {
    let sql = opened();
    step(&sql, 1, &[0, 1, 2], None);
    step(&sql, 1, &[3], Some(taken(&[0])));
    let Verdict::Send { handover, before } = judge(&sql, 500, 2, 0..6) else {
        panic!("nothing is sent");
    };
    let left: Vec<u32> = handover.recipients.iter().map(|(index, _)| *index).collect();
    assert_eq!(left, [4, 5]);
    assert_eq!(before.taken, taken(&[0]).taken);
    assert_eq!(before.no_answer, [1, 2, 3]);
    // Each call gets the same answer, until there are outcomes.
    assert_eq!(judge(&sql, 500, 2, 0..6), Verdict::Send { handover, before });
}

#[test]
fn what_waits_or_was_refused_for_now_is_sent_again() {
    let sql = opened();
    let outcomes = Outcomes {
        not_now: vec![1],
        waiting: vec![2],
        ..taken(&[0])
    };
    step(&sql, 1, &[0, 1, 2], None);
    step(&sql, 1, &[], Some(outcomes));
    let Verdict::Send { handover, before } = judge(&sql, 500, 2, 0..3) else {
        panic!("nothing is sent");
    };
    let left: Vec<u32> = handover.recipients.iter().map(|(index, _)| *index).collect();
    assert_eq!((left, before), (vec![1, 2], taken(&[0])));
    // It leaves again, and the process dies again.
    step(&sql, 2, &[1, 2], None);
    let Verdict::Answer(Answer::Outcomes(all)) = judge(&sql, 500, 3, 0..3) else {
        panic!("something is sent twice");
    };
    assert_eq!((all.taken, all.no_answer), (taken(&[0]).taken, vec![1, 2]));
}

#[test]
fn outcomes_end_the_steps_and_an_older_claim_is_late() {
    let sql = opened();
    step(&sql, 2, &[0], None);
    assert_eq!(judge(&sql, 500, 1, 0..2), Verdict::Answer(Answer::Late));
    journal::finish(&sql, 600, "shop", &[(chunk(2), &taken(&[0, 1]))]).unwrap();
    assert_eq!(
        judge(&sql, 500, 2, 0..2),
        Verdict::Answer(Answer::Outcomes(taken(&[0, 1])))
    );
    assert_eq!(judge(&sql, 500, 1, 0..2), Verdict::Answer(Answer::Late));
}

#[test]
fn steps_that_nobody_ends_are_forgotten_with_the_notes() {
    let sql = opened();
    step(&sql, 1, &[0], None);
    let due_ms = journal::sweep_due_ms(&sql).unwrap().unwrap();
    journal::sweep(&sql, 500).unwrap();
    assert_eq!(journal::sweep_due_ms(&sql).unwrap(), Some(due_ms));
    journal::sweep(&sql, due_ms).unwrap();
    assert_eq!(journal::sweep_due_ms(&sql).unwrap(), None);
}

proptest! {
    /// Whatever leaves, ends and crashes: nobody that may have left is sent to again.
    #[test]
    fn nobody_leaves_twice(acts in prop::collection::vec((0..4_u8, 0..12_u32), 0..80)) {
        let sql = opened();
        let mut attempt = 1;
        let (mut may_have_it, mut on_the_way) = (BTreeSet::new(), BTreeSet::new());
        let mut open: BTreeSet<u32> = (0..12).collect();
        for (act, index) in acts {
            match act {
                0 if open.remove(&index) => {
                    prop_assert!(may_have_it.insert(index), "{} leaves twice", index);
                    on_the_way.insert(index);
                    step(&sql, attempt, &[index], None);
                }
                1 if on_the_way.remove(&index) => step(&sql, attempt, &[], Some(taken(&[index]))),
                2 if on_the_way.remove(&index) => {
                    may_have_it.remove(&index);
                    step(&sql, attempt, &[], Some(Outcomes { waiting: vec![index], ..Outcomes::default() }));
                }
                3 => {
                    on_the_way.clear();
                    attempt += 1;
                    open = match judge(&sql, 500, attempt, 0..12) {
                        Verdict::Send { handover, .. } => handover.recipients.iter().map(|(index, _)| *index).collect(),
                        Verdict::Answer(_) => BTreeSet::new(),
                    };
                    let expected: BTreeSet<u32> = (0..12).filter(|index| !may_have_it.contains(index)).collect();
                    prop_assert_eq!(&open, &expected);
                }
                _ => {}
            }
        }
    }
}
