//! What a carrier's object notes about handovers, so that no recipient is sent to twice.
//!
//! Before anything of a chunk leaves, the object notes its claim; afterwards it notes the outcomes. So after a crash it can
//! tell a chunk that it never had (it takes it) from one that may have left (it answers that there was no answer), and it
//! answers a repeated claim from its notes. One row a chunk is enough: a newer claim of a chunk replaces the older one, and
//! an older one that comes late is refused.

use std::collections::{BTreeMap, BTreeSet};

use super::submission::Submission;
use crate::account::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::object::to_json;
use crate::ports::{PortError, Sql};
use crate::schema::{self, Step};

/// How long a note is kept, ms: longer than any chunk is tried.
pub(super) const KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
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

/// Judges the handovers of a submission, in their order. What may have left so long ago that the journal has forgotten it is
/// never sent again.
pub fn judge(sql: &impl Sql, now_ms: i64, submission: &Submission) -> Result<Vec<(ChunkRef, Verdict)>, PortError> {
    let mut notes = notes(sql, submission)?;
    let is_late = now_ms > submission.valid_until_ms;
    let judged = submission.handovers.iter().map(|handover| {
        let note = notes.remove(&handover.chunk.place());
        let forgotten = note.is_none() && handover.doubt_ms.is_some_and(|ms| ms <= now_ms.saturating_sub(KEPT_MS));
        match forgotten {
            true => (
                handover.chunk,
                Verdict::Answer(Answer::Outcomes(Outcomes::all_no_answer(handover))),
            ),
            false => (handover.chunk, verdict(handover, note, is_late)),
        }
    });
    Ok(judged.collect())
}

fn notes(sql: &impl Sql, submission: &Submission) -> Result<BTreeMap<(i64, u32), Note>, PortError> {
    let places: Vec<(i64, u32)> = submission
        .handovers
        .iter()
        .map(|handover| handover.chunk.place())
        .collect();
    let rows = sql.exec(
        "SELECT h.message, h.number, h.attempt, h.outcomes FROM json_each(?2) p CROSS JOIN handover h \
           ON h.account = ?1 AND h.message = p.value ->> 0 AND h.number = p.value ->> 1",
        &[submission.account.as_str().into(), to_json(&places)?.into()],
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

fn verdict(handover: &Handover, note: Option<Note>, is_late: bool) -> Verdict {
    let attempt = handover.chunk.attempt;
    match note {
        Some(note) if note.attempt > attempt => Verdict::Answer(Answer::Late),
        Some(Note { outcomes: None, .. }) => Verdict::Answer(Answer::Outcomes(Outcomes::all_no_answer(handover))),
        Some(Note {
            attempt: noted,
            outcomes: Some(outcomes),
        }) if noted == attempt => Verdict::Answer(Answer::Outcomes(outcomes)),
        _ if is_late => Verdict::Answer(Answer::Late),
        Some(Note {
            outcomes: Some(before), ..
        }) => without(handover, before),
        None => Verdict::Send {
            handover: handover.clone(),
            before: Outcomes::default(),
        },
    }
}

/// The handover without the recipients that had an outcome before.
fn without(handover: &Handover, before: Outcomes) -> Verdict {
    let had: BTreeSet<u32> = before
        .taken
        .iter()
        .map(|(index, _)| *index)
        .chain(before.refused.iter().map(|(index, _)| *index))
        .chain(before.no_answer.iter().copied())
        .collect();
    let mut handover = handover.clone();
    handover.recipients.retain(|(index, _)| !had.contains(index));
    Verdict::Send {
        handover,
        before: Outcomes {
            not_now: Vec::new(),
            waiting: Vec::new(),
            ..before
        },
    }
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
        "INSERT OR REPLACE INTO handover (account, message, number, attempt, at_ms, outcomes) \
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, ?3, value ->> 3 FROM json_each(?2)",
        &[account.into(), to_json(&rows)?.into(), now_ms.into()],
    )
    .map(drop)
}

/// Forgets notes whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM handover WHERE (account, message, number) IN \
           (SELECT account, message, number FROM handover WHERE at_ms <= ?1 ORDER BY at_ms LIMIT ?2)",
        &[now_ms.saturating_sub(KEPT_MS).into(), SWEPT_A_GO.into()],
    )
    .map(drop)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(
        "SELECT min(at_ms) + ?1 FROM handover",
        &[(KEPT_MS + SWEEP_SLACK_MS).into()],
    )?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
