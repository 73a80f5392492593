//! What a journal promises to a carrier that sends a chunk bit by bit: after a crash, only those are in doubt that were about
//! to leave.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::record::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use peyk::base::ports::{PortError, Sql};
use peyk::carrier::journal::{self, Progress, Verdict};
use peyk::carrier::request::Submission;
use peyk::carrier::steps::{ChunkStep, Steps};
use proptest::prelude::*;

use super::{chunk, handover, judge_with, opened};
use crate::format::samples::carrier as sample;
use crate::support::Sqlite;
use crate::support::time::{DAY_MS, HOUR_MS};

/// A journal and what its object has in memory.
struct Journal {
    sql: Sqlite,
    steps: Steps,
}

impl Journal {
    fn new() -> Self {
        Journal {
            sql: opened(),
            steps: Steps::default(),
        }
    }

    fn step(&mut self, attempt: u32, leaving: &[u32], outcomes: Option<Outcomes>) {
        let progress = Progress {
            leaving: leaving.to_vec(),
            outcomes,
        };
        let step = ChunkStep::of("shop", chunk(attempt), progress);
        self.steps.note(&self.sql, 400, &[step]).unwrap();
    }

    fn judge(&mut self, attempt: u32, recipients: std::ops::Range<u32>) -> Verdict {
        judge_with(&self.sql, &mut self.steps, 500, attempt, recipients)
    }

    fn finish(&mut self, now_ms: i64, attempt: u32, outcomes: &Outcomes) {
        journal::finish(&self.sql, now_ms, "shop", &[(chunk(attempt), outcomes)]).unwrap();
        self.steps.end("shop", [chunk(attempt).id()]);
    }

    /// The process dies.
    fn restart(&mut self) {
        self.steps = Steps::default();
    }
}

fn taken(indexes: &[u32]) -> Outcomes {
    Outcomes {
        taken: indexes.iter().map(|index| (*index, format!("id{index}"))).collect(),
        ..Outcomes::default()
    }
}

#[test]
fn after_a_crash_those_that_were_about_to_leave_are_in_doubt_and_the_others_are_sent() {
    let mut journal = Journal::new();
    journal.step(1, &[0, 1, 2], None);
    journal.step(1, &[3], Some(taken(&[0])));
    journal.restart();
    let Verdict::Send { handover, before } = journal.judge(2, 0..6) else {
        panic!("nothing is sent");
    };
    let left: Vec<u32> = handover.recipients.iter().map(|(index, _)| *index).collect();
    assert_eq!(left, [4, 5]);
    assert_eq!(before.taken, taken(&[0]).taken);
    assert_eq!(before.no_answer, [1, 2, 3]);
    // Each call gets the same answer, until there are outcomes.
    assert_eq!(journal.judge(2, 0..6), Verdict::Send { handover, before });
}

#[test]
fn what_waits_or_was_refused_for_now_is_sent_again() {
    let mut journal = Journal::new();
    let outcomes = Outcomes {
        not_now: vec![1],
        waiting: vec![2],
        ..taken(&[0])
    };
    journal.step(1, &[0, 1, 2], None);
    journal.step(1, &[], Some(outcomes));
    let Verdict::Send { handover, before } = journal.judge(2, 0..3) else {
        panic!("nothing is sent");
    };
    let left: Vec<u32> = handover.recipients.iter().map(|(index, _)| *index).collect();
    assert_eq!((left, before), (vec![1, 2], taken(&[0])));
    // It leaves again, and the process dies again.
    journal.step(2, &[1, 2], None);
    journal.restart();
    let Verdict::Answer(Answer::Outcomes(all)) = journal.judge(3, 0..3) else {
        panic!("something is sent twice");
    };
    assert_eq!((all.taken, all.no_answer), (taken(&[0]).taken, vec![1, 2]));
}

#[test]
fn outcomes_end_the_steps_and_an_older_claim_is_late() {
    let mut journal = Journal::new();
    journal.step(2, &[0], None);
    assert_eq!(journal.judge(1, 0..2), Verdict::Answer(Answer::Late));
    journal.finish(500, 2, &taken(&[0, 1]));
    for _ in 0..2 {
        let outcomes = Answer::Outcomes(taken(&[0, 1]));
        assert_eq!(journal.judge(2, 0..2), Verdict::Answer(outcomes));
        assert_eq!(journal.judge(1, 0..2), Verdict::Answer(Answer::Late));
        journal.restart();
    }
}

#[test]
fn a_turn_writes_the_row_of_one_that_is_over() {
    let mut journal = Journal::new();
    for attempt in 1..100 {
        journal.step(attempt, &[0], None);
        journal.step(attempt, &[], Some(taken(&[0])));
        journal.finish(500, attempt, &taken(&[0]));
        if attempt % 10 == 0 {
            journal.restart();
        }
    }
    assert_eq!(journal.sql.count("step"), 2);
}

#[test]
fn an_object_that_begins_asks_for_the_notes_of_its_chunks_and_for_no_others() {
    let mut journal = Journal::new();
    for number in 0..10_000 {
        let other = ChunkRef { number, ..chunk(1) };
        journal::note(&journal.sql, 500, "other", &[(other, Some(&taken(&[0])))]).unwrap();
    }
    journal.step(1, &[0], None);
    journal.restart();
    let before = journal.sql.steps.get();
    journal.judge(2, 0..2);
    let steps = journal.sql.steps.get() - before;
    assert!(steps < 2_000, "{steps}");
}

#[test]
fn rows_of_no_use_go_within_a_day_and_those_that_nobody_asks_for_within_eight() {
    let mut journal = Journal::new();
    journal.step(1, &[0], None);
    journal.step(1, &[1], None);
    journal.finish(500, 1, &taken(&[0, 1]));
    journal.step(2, &[2], None);
    let due_ms = journal.steps.sweep_due_ms().unwrap();
    let Journal { sql, steps } = &mut journal;
    steps.sweep(sql, due_ms - 1).unwrap();
    assert_eq!(sql.count("step"), 2);
    steps.sweep(sql, DAY_MS).unwrap();
    assert_eq!(sql.count("step"), 1, "the other one may have left");
    journal.restart();
    let Journal { sql, steps } = &mut journal;
    let open: Vec<&str> = steps.open(sql).unwrap().map(|(account, _)| account).collect();
    assert!(
        !open.is_empty() && open.iter().all(|account| *account == "shop"),
        "{open:?}"
    );
    for hour in 0..8 * 24 {
        steps.sweep(sql, DAY_MS + hour * HOUR_MS).unwrap();
    }
    assert_eq!((sql.count("step"), steps.sweep_due_ms()), (0, None));
}

/// The recipients of each chunk of the random world at most.
const RECIPIENTS: u32 = 6;
/// The chunks of the random world, with their recipients. Small notes share a row, and the others have one of their own.
const CHUNKS: [(&str, u32, u32); 4] = [("shop", 0, 3), ("shop", 1, 3), ("shop", 2, RECIPIENTS), ("other", 0, 4)];

#[derive(Debug, Clone)]
enum Act {
    /// A turn: what becomes of which recipient of which chunk.
    Turn(Vec<(usize, u8, u32)>),
    /// The same, and the storage does not take it.
    Lost(Vec<(usize, u8, u32)>),
    /// A chunk has its outcomes; its account claims it again.
    Finish(usize),
    /// The same, and a turn notes that together with the steps of other chunks.
    End(usize, Vec<(usize, u8, u32)>),
    /// The runtime drops the call of a chunk; its account claims it again.
    Drop(usize),
    Restart,
    Sweep,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let turn = || prop::collection::vec((0..CHUNKS.len(), 0..3_u8, 0..RECIPIENTS), 1..6);
    let act = prop_oneof![
        8 => turn().prop_map(Act::Turn),
        1 => turn().prop_map(Act::Lost),
        2 => (0..CHUNKS.len()).prop_map(Act::Finish),
        2 => (0..CHUNKS.len(), turn()).prop_map(|(at, what)| Act::End(at, what)),
        1 => (0..CHUNKS.len()).prop_map(Act::Drop),
        1 => Just(Act::Restart),
        1 => Just(Act::Sweep),
    ];
    prop::collection::vec(act, 0..80)
}

/// A chunk, and what its recipients have seen.
struct Model {
    account: &'static str,
    number: u32,
    recipients: u32,
    attempt: u32,
    open: BTreeSet<u32>,
    on_the_way: BTreeSet<u32>,
    taken: BTreeSet<u32>,
    unclear: BTreeSet<u32>,
}

impl Model {
    fn chunk(&self) -> ChunkRef {
        ChunkRef {
            number: self.number,
            ..chunk(self.attempt)
        }
    }

    /// One more thing becomes of a recipient, if it can.
    fn add(&mut self, act: u8, index: u32, progress: &mut Progress) {
        let outcomes = &mut progress.outcomes;
        match act {
            0 if self.open.remove(&index) => {
                self.on_the_way.insert(index);
                progress.leaving.push(index);
            }
            // What leaves in this turn has no outcome in it.
            1 if !progress.leaving.contains(&index) && self.on_the_way.remove(&index) => {
                self.taken.insert(index);
                let outcomes = outcomes.get_or_insert_with(Outcomes::default);
                outcomes.taken.push((index, "id".to_owned()));
            }
            2 if !progress.leaving.contains(&index) && self.on_the_way.remove(&index) => {
                outcomes.get_or_insert_with(Outcomes::default).waiting.push(index);
            }
            _ => {}
        }
    }

    /// The outcomes when the call of the chunk ends.
    fn outcomes(&self) -> Outcomes {
        let all: BTreeSet<u32> = (0..self.recipients).collect();
        let had: BTreeSet<u32> = self.taken.union(&self.unclear).copied().collect();
        let waiting = all.difference(&had).filter(|index| !self.on_the_way.contains(index));
        Outcomes {
            taken: self.taken.iter().map(|index| (*index, "id".to_owned())).collect(),
            no_answer: self.unclear.union(&self.on_the_way).copied().collect(),
            waiting: waiting.copied().collect(),
            ..Outcomes::default()
        }
    }

    /// Its account claims it again. The journal knows exactly who may have it.
    fn claim(&mut self, journal: &mut Journal) {
        self.unclear.append(&mut self.on_the_way);
        self.attempt += 1;
        let handover = Handover {
            chunk: self.chunk(),
            ..handover(self.attempt, 0..self.recipients)
        };
        let submission = Submission {
            account: self.account.to_owned(),
            valid_until_ms: i64::MAX,
            handovers: vec![handover],
            ..sample::submission()
        };
        let steps = journal
            .steps
            .of(&journal.sql, self.account, &[self.chunk().id()])
            .unwrap();
        let verdict = journal::judge(&journal.sql, 500, &submission, steps)
            .unwrap()
            .remove(0)
            .1;
        let (left, before) = match verdict {
            Verdict::Send { handover, before } => (handover.recipients, before),
            Verdict::Answer(Answer::Outcomes(outcomes)) => (Vec::new(), outcomes),
            Verdict::Answer(other) => panic!("{other:?}"),
        };
        self.open = left.iter().map(|(index, _)| *index).collect();
        let had: BTreeSet<u32> = self.taken.union(&self.unclear).copied().collect();
        assert_eq!(
            self.open,
            (0..self.recipients).filter(|index| !had.contains(index)).collect()
        );
        let taken: Vec<u32> = before.taken.iter().map(|(index, _)| *index).collect();
        assert_eq!((taken.len(), sorted(taken)), (self.taken.len(), self.taken.clone()));
        let unclear = before.no_answer;
        assert_eq!(
            (unclear.len(), sorted(unclear)),
            (self.unclear.len(), self.unclear.clone())
        );
    }
}

fn sorted(indexes: Vec<u32>) -> BTreeSet<u32> {
    indexes.into_iter().collect()
}

/// Lets things become of recipients. Returns the steps of this turn.
fn turn(chunks: &mut [Model], what: &[(usize, u8, u32)]) -> Vec<ChunkStep<'static>> {
    let mut progresses: BTreeMap<usize, Progress> = BTreeMap::new();
    for (at, act, index) in what {
        chunks[*at].add(*act, *index, progresses.entry(*at).or_default());
    }
    let changed = progresses
        .into_iter()
        .filter(|(_, progress)| *progress != Progress::default());
    let steps = changed.map(|(at, progress)| ChunkStep::of(chunks[at].account, chunks[at].chunk(), progress));
    steps.collect()
}

proptest! {
    /// Whatever leaves, ends and crashes: nobody that may have left is sent to again, and nobody else is in doubt.
    #[test]
    fn nobody_leaves_twice(acts in acts()) {
        let mut journal = Journal::new();
        let mut chunks = CHUNKS.map(|(account, number, recipients)| Model {
            account,
            number,
            recipients,
            attempt: 0,
            open: BTreeSet::new(),
            on_the_way: BTreeSet::new(),
            taken: BTreeSet::new(),
            unclear: BTreeSet::new(),
        });
        chunks.iter_mut().for_each(|chunk| chunk.claim(&mut journal));
        for act in acts {
            match act {
                Act::Turn(what) => {
                    let steps = turn(&mut chunks, &what);
                    journal.steps.note(&journal.sql, 400, &steps).unwrap();
                }
                Act::Lost(what) => {
                    // The session ends, and the object is as after a crash before this turn.
                    let before = chunks.each_ref().map(|chunk| (chunk.on_the_way.clone(), chunk.taken.clone()));
                    let steps = turn(&mut chunks, &what);
                    let Journal { sql, steps: memory } = &mut journal;
                    let lost = sql.transaction(|| {
                        memory.note(sql, 400, &steps)?;
                        Err::<(), _>(PortError::failed("sql", "full"))
                    });
                    prop_assert!(lost.is_err());
                    memory.forget();
                    for (chunk, (on_the_way, taken)) in chunks.iter_mut().zip(before) {
                        (chunk.on_the_way, chunk.taken) = (on_the_way, taken);
                        chunk.claim(&mut journal);
                    }
                }
                Act::Finish(at) => {
                    let chunk = &mut chunks[at];
                    journal::finish(&journal.sql, 500, chunk.account, &[(chunk.chunk(), &chunk.outcomes())]).unwrap();
                    journal.steps.end(chunk.account, [chunk.chunk().id()]);
                    chunk.claim(&mut journal);
                }
                Act::End(at, mut what) => {
                    what.retain(|(of, ..)| *of != at);
                    let steps = turn(&mut chunks, &what);
                    let Journal { sql, steps: memory } = &mut journal;
                    let ended = &chunks[at];
                    sql.transaction(|| {
                        memory.note(sql, 400, &steps)?;
                        journal::finish(sql, 500, ended.account, &[(ended.chunk(), &ended.outcomes())])
                    })
                    .unwrap();
                    memory.end(ended.account, [ended.chunk().id()]);
                    chunks[at].claim(&mut journal);
                }
                Act::Drop(at) => chunks[at].claim(&mut journal),
                Act::Restart => {
                    journal.restart();
                    chunks.iter_mut().for_each(|chunk| chunk.claim(&mut journal));
                }
                Act::Sweep => journal.steps.sweep(&journal.sql, DAY_MS).unwrap(),
            }
        }
    }
}
