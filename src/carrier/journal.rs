//! What a carrier's object notes about handovers, so that no recipient is sent to twice.
//!
//! Before anything of a chunk leaves, the object notes its claim; afterwards it notes the outcomes. So after a crash it can
//! tell a chunk that it never had (it takes it) from one that may have left (it answers that there was no answer), and it
//! answers a repeated claim from its notes. One row a chunk is enough: a newer claim of a chunk replaces the older one, and
//! an older one that comes late is refused.
//!
//! A carrier that sends a chunk bit by bit notes steps instead: which recipients are about to leave, and later what became
//! of them. After a crash only those that were about to leave are in doubt; the rest of the chunk is sent.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::request::Submission;
use crate::account::chunk::REPORT_DEADLINE_MS;
use crate::account::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;
use crate::durable::schema::{self, Step};
use crate::durable::{listed, to_json};

/// How long the note of a handover is kept, ms. An account asks again until it has the answer, so a note is of use for
/// minutes; an outage may make it days. Notes are most of what stands in the object of a busy carrier.
const NOTE_KEPT_MS: i64 = 2 * DAY_MS;
/// How long what a carrier has taken is remembered, ms: longer than any message is tried.
pub(super) const KEPT_MS: i64 = 7 * DAY_MS;
/// Rows of a table swept in one go.
pub(super) const SWEPT_A_GO: i64 = 500;
/// How long an old row may stay before it is swept, ms.
pub(super) const SWEEP_SLACK_MS: i64 = 60 * 60 * 1_000;

const STEPS: &[Step] = &[&[
    // `outcomes` is NULL between the note of a claim and the note of its outcomes.
    "CREATE TABLE handover (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        outcomes TEXT,
        PRIMARY KEY (account, message, number)
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX handover_at ON handover (at_ms)",
    // Steps of chunks that have no outcomes yet, in the order in which they were made. `body` is JSON.
    "CREATE TABLE step (
        id INTEGER PRIMARY KEY,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT",
    "CREATE INDEX step_chunk ON step (account, message, number)",
    // The accounts of which recipients had no answer, and when that was noted last.
    "CREATE TABLE doubted (
        account TEXT NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
]];

/// Brings the journal's schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "journal", STEPS)
}

/// What the journal says to a handover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Send to the recipients that are left in the handover. The others had these outcomes before.
    Send {
        /// The handover without those recipients.
        handover: Handover,
        /// The earlier outcomes.
        before: Outcomes,
    },
    /// Send nothing and give this answer.
    Answer(Answer),
}

struct Note {
    attempt: u32,
    outcomes: Option<Outcomes>,
}

/// What is noted while a chunk is sent: first who is about to leave, later what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// Indexes of the recipients that are about to leave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leaving: Vec<u32>,
    /// What became of recipients. One that the carrier refused for now, or that waits, is as if it had never left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<Outcomes>,
}

/// The steps of a chunk.
#[derive(Default)]
struct Steps {
    attempt: u32,
    /// Who may have left, without an outcome.
    leaving: BTreeSet<u32>,
    outcomes: Outcomes,
}

impl Steps {
    fn add(&mut self, attempt: u32, progress: Progress) {
        self.attempt = self.attempt.max(attempt);
        self.leaving.extend(progress.leaving);
        let outcomes = progress.outcomes.unwrap_or_default();
        let spared = outcomes.not_now.iter().chain(&outcomes.waiting).copied();
        for index in had(&outcomes).chain(spared) {
            self.leaving.remove(&index);
        }
        merge(&mut self.outcomes, outcomes);
    }
}

/// The recipients that had an outcome: they are never sent to again.
pub(super) fn had(outcomes: &Outcomes) -> impl Iterator<Item = u32> {
    let taken = outcomes.taken.iter().map(|(index, _)| *index);
    let refused = outcomes.refused.iter().map(|(index, _)| *index);
    taken.chain(refused).chain(outcomes.no_answer.iter().copied())
}

/// Adds the outcomes that last.
fn merge(all: &mut Outcomes, more: Outcomes) {
    all.taken.extend(more.taken);
    all.refused.extend(more.refused);
    all.no_answer.extend(more.no_answer);
}

/// Judges the handovers of a submission, in their order. What may have left so long ago that the journal has forgotten it is
/// never sent again.
pub fn judge(sql: &impl Sql, now_ms: i64, submission: &Submission) -> Result<Vec<(ChunkRef, Verdict)>, PortError> {
    let places: Vec<(i64, u32)> = submission
        .handovers
        .iter()
        .map(|handover| handover.chunk.id())
        .collect();
    let places = to_json(&places)?;
    let mut notes = notes(sql, &submission.account, &places)?;
    let mut steps = steps(sql, &submission.account, &places)?;
    let is_late = now_ms > submission.valid_until_ms;
    let judged = submission.handovers.iter().map(|handover| {
        let (note, steps) = (notes.remove(&handover.chunk.id()), steps.remove(&handover.chunk.id()));
        let is_known = note.is_some() || steps.is_some();
        let forgotten = !is_known
            && handover
                .doubt_ms
                .is_some_and(|ms| ms <= now_ms.saturating_sub(NOTE_KEPT_MS));
        let verdict = if forgotten {
            Verdict::Answer(Answer::Outcomes(Outcomes::all_no_answer(handover)))
        } else {
            verdict(handover, note, steps, is_late)
        };
        (handover.chunk, verdict)
    });
    Ok(judged.collect())
}

fn steps(sql: &impl Sql, account: &str, places: &str) -> Result<BTreeMap<(i64, u32), Steps>, PortError> {
    let rows = sql.exec(
        "SELECT s.message, s.number, s.attempt, s.body FROM json_each(?2) p CROSS JOIN step s \
           ON s.account = ?1 AND s.message = p.value ->> 0 AND s.number = p.value ->> 1 ORDER BY s.id",
        &[account.into(), places.into()],
    )?;
    let mut steps: BTreeMap<(i64, u32), Steps> = BTreeMap::new();
    for row in &rows {
        let progress = serde_json::from_str(&row.text(3)?).map_err(|error| PortError::json("journal", &error))?;
        let of_chunk = steps.entry((row.int(0)?, row.u32(1)?)).or_default();
        of_chunk.add(row.u32(2)?, progress);
    }
    Ok(steps)
}

fn notes(sql: &impl Sql, account: &str, places: &str) -> Result<BTreeMap<(i64, u32), Note>, PortError> {
    let rows = sql.exec(
        "SELECT h.message, h.number, h.attempt, h.outcomes FROM json_each(?2) p CROSS JOIN handover h \
           ON h.account = ?1 AND h.message = p.value ->> 0 AND h.number = p.value ->> 1",
        &[account.into(), places.into()],
    )?;
    rows.iter()
        .map(|row| {
            let outcomes = row.opt_text(3)?.map(|json| serde_json::from_str(&json)).transpose();
            let note = Note {
                attempt: row.u32(2)?,
                outcomes: outcomes.map_err(|error| PortError::json("journal", &error))?,
            };
            Ok(((row.int(0)?, row.u32(1)?), note))
        })
        .collect()
}

fn verdict(handover: &Handover, note: Option<Note>, steps: Option<Steps>, is_late: bool) -> Verdict {
    let attempt = handover.chunk.attempt;
    let newest = steps.as_ref().map_or(0, |steps| steps.attempt);
    match note {
        _ if newest > attempt => Verdict::Answer(Answer::Late),
        Some(note) if note.attempt > attempt => Verdict::Answer(Answer::Late),
        Some(Note { outcomes: None, .. }) => Verdict::Answer(Answer::Outcomes(Outcomes::all_no_answer(handover))),
        Some(Note {
            attempt: noted,
            outcomes: Some(outcomes),
        }) if noted == attempt => Verdict::Answer(Answer::Outcomes(outcomes)),
        _ if is_late => Verdict::Answer(Answer::Late),
        note => {
            let mut before = note.and_then(|note| note.outcomes).unwrap_or_default();
            if let Some(Steps { leaving, outcomes, .. }) = steps {
                merge(&mut before, outcomes);
                before.no_answer.extend(leaving);
            }
            without(handover, before)
        }
    }
}

/// The handover without the recipients that had an outcome before. If all of them had, that is the answer.
fn without(handover: &Handover, before: Outcomes) -> Verdict {
    let had: BTreeSet<u32> = had(&before).collect();
    let mut handover = handover.clone();
    handover.recipients.retain(|(index, _)| !had.contains(index));
    let before = Outcomes {
        not_now: Vec::new(),
        waiting: Vec::new(),
        ..before
    };
    if handover.recipients.is_empty() && !had.is_empty() {
        Verdict::Answer(Answer::Outcomes(before))
    } else {
        Verdict::Send { handover, before }
    }
}

/// Notes steps of chunks: the account, the claim, and the progress since the step before.
pub fn step(sql: &impl Sql, now_ms: i64, steps: &[(&str, ChunkRef, Progress)]) -> Result<(), PortError> {
    if steps.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = steps
        .iter()
        .map(|(account, chunk, progress)| (account, chunk.message, chunk.number, chunk.attempt, progress))
        .collect();
    sql.exec(
        concat!(
            listed!(),
            "INSERT INTO step (account, message, number, attempt, at_ms, body) \
             SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?2, value ->> 4 FROM listed"
        ),
        &[to_json(&rows)?.into(), now_ms.into()],
    )
    .map(drop)
}

/// Notes the outcomes of claims that were sent in steps, and forgets the steps.
pub fn finish(sql: &impl Sql, now_ms: i64, account: &str, claims: &[(ChunkRef, &Outcomes)]) -> Result<(), PortError> {
    let places: Vec<(i64, u32)> = claims.iter().map(|(chunk, _)| chunk.id()).collect();
    let claims: Vec<_> = claims
        .iter()
        .map(|(chunk, outcomes)| (*chunk, Some(*outcomes)))
        .collect();
    let is_doubted = claims
        .iter()
        .any(|(_, outcomes)| outcomes.is_some_and(|outcomes| !outcomes.no_answer.is_empty()));
    sql.transaction(|| {
        note(sql, now_ms, account, &claims)?;
        if is_doubted {
            sql.exec(
                "INSERT OR REPLACE INTO doubted (account, at_ms) VALUES (?1, ?2)",
                &[account.into(), now_ms.into()],
            )?;
        }
        sql.exec(
            "DELETE FROM step WHERE id IN (SELECT s.id FROM json_each(?2) p CROSS JOIN step s \
               ON s.account = ?1 AND s.message = p.value ->> 0 AND s.number = p.value ->> 1)",
            &[account.into(), to_json(&places)?.into()],
        )
        .map(drop)
    })
}

/// The accounts that have handed over recipients whose answers may be missing, in the time for which a report of them is waited
/// for: at most so many.
pub fn doubted(sql: &impl Sql, now_ms: i64, most: usize) -> Result<Vec<String>, PortError> {
    let rows = sql.exec(
        "SELECT account FROM doubted WHERE at_ms > ?1 UNION SELECT account FROM step LIMIT ?2",
        &[
            now_ms.saturating_sub(REPORT_DEADLINE_MS).into(),
            i64::try_from(most).unwrap_or(i64::MAX).into(),
        ],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Whether recipients may be without their answers for whom a report is waited for.
pub fn has_doubted(sql: &impl Sql, now_ms: i64) -> Result<bool, PortError> {
    let since_ms = now_ms.saturating_sub(REPORT_DEADLINE_MS);
    let found = sql.number("SELECT 1 FROM doubted WHERE at_ms > ?1 LIMIT 1", &[since_ms.into()])?;
    Ok(found.is_some())
}

/// Turns away handovers of which nothing is sent now, with this answer. One that is in doubt gets more than that: it learns
/// which recipients the carrier has, and that it has no others, so that the rest may go by another carrier. That is noted,
/// because a call with an older claim may still be on its way.
pub fn turn_away(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    handovers: Vec<(Handover, Outcomes)>,
    answer: &Answer,
) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
    let (in_doubt, others): (Vec<_>, Vec<_>) = handovers
        .into_iter()
        .partition(|(handover, _)| handover.doubt_ms.is_some());
    let told: Vec<(ChunkRef, Outcomes)> = in_doubt
        .into_iter()
        .map(|(handover, before)| {
            let waiting = handover.recipients.iter().map(|(index, _)| *index).collect();
            (handover.chunk, Outcomes { waiting, ..before })
        })
        .collect();
    let claims: Vec<(ChunkRef, &Outcomes)> = told.iter().map(|(chunk, outcomes)| (*chunk, outcomes)).collect();
    finish(sql, now_ms, account, &claims)?;
    let told = told
        .into_iter()
        .map(|(chunk, outcomes)| (chunk, Answer::Outcomes(outcomes)));
    let others = others.into_iter().map(|(handover, _)| (handover.chunk, answer.clone()));
    Ok(told.chain(others).collect())
}

/// Notes claims: with their outcomes, or without before anything of them leaves.
pub fn note(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    claims: &[(ChunkRef, Option<&Outcomes>)],
) -> Result<(), PortError> {
    let rows: Vec<_> = claims
        .iter()
        .map(|(chunk, outcomes)| {
            let outcomes = outcomes.map(to_json).transpose()?;
            Ok((chunk.message, chunk.number, chunk.attempt, outcomes))
        })
        .collect::<Result<_, PortError>>()?;
    if rows.is_empty() {
        return Ok(());
    }
    sql.exec(
        concat!(
            listed!(),
            "INSERT OR REPLACE INTO handover (account, message, number, attempt, at_ms, outcomes) \
             SELECT ?2, value ->> 0, value ->> 1, value ->> 2, ?3, value ->> 3 FROM listed"
        ),
        &[to_json(&rows)?.into(), account.into(), now_ms.into()],
    )
    .map(drop)
}

/// Forgets notes whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM handover WHERE (account, message, number) IN \
           (SELECT account, message, number FROM handover WHERE at_ms <= ?1 ORDER BY at_ms LIMIT ?2)",
        &[now_ms.saturating_sub(NOTE_KEPT_MS).into(), SWEPT_A_GO.into()],
    )?;
    sql.exec(
        "DELETE FROM doubted WHERE at_ms <= ?1",
        &[now_ms.saturating_sub(KEPT_MS).into()],
    )?;
    sql.exec(
        "DELETE FROM step WHERE id IN (SELECT id FROM step ORDER BY id LIMIT ?2) AND at_ms <= ?1",
        &[now_ms.saturating_sub(KEPT_MS).into(), SWEPT_A_GO.into()],
    )
    .map(drop)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number(
        "SELECT min(due_ms) FROM (SELECT min(at_ms) + ?1 AS due_ms FROM handover \
           UNION ALL SELECT * FROM (SELECT at_ms + ?2 FROM step ORDER BY id LIMIT 1))",
        &[
            (NOTE_KEPT_MS + SWEEP_SLACK_MS).into(),
            (KEPT_MS + SWEEP_SLACK_MS).into(),
        ],
    )
}
