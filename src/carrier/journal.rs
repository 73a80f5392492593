//! What a carrier's object notes about handovers, so that no recipient is sent to twice.
//!
//! Before anything of a chunk leaves, the object notes its claim; afterwards it notes the outcomes. So after a crash it can
//! tell a chunk that it never had (it takes it) from one that may have left (it answers that there was no answer), and it
//! answers a repeated claim from its notes. One note a chunk is enough: a newer claim of a chunk replaces the older one, and
//! an older one that comes late is refused. Small notes of an account's neighbouring messages share a row, because each row that
//! is written costs.
//!
//! A carrier that sends a chunk bit by bit notes steps instead ([`steps`](super::steps)): which recipients are about to leave, and
//! later what became of them. After a crash only those that were about to leave are in doubt; the rest of the chunk is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::day_tables::{DayTables, day_tables};
use super::request::Submission;
use crate::account::record::chunk::ChunkId;
use crate::account::record::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;
use crate::durable::remembered::{self, COMPARED, Remembered};
use crate::durable::schema::Step;
use crate::durable::{listed, to_json};

/// How long the note of a handover is kept at least, ms. An account asks again until it has the answer, so a note is of use for
/// minutes; an outage may make it days. Notes are most of what stands in the object of a busy carrier.
const NOTE_KEPT_MS: i64 = 2 * DAY_MS;
/// How long what a carrier has taken is remembered, ms: longer than any message is tried.
pub(super) const KEPT_MS: i64 = 7 * DAY_MS;
/// Rows of a table swept in one go.
pub(super) const SWEPT_A_GO: i64 = 500;
/// How long an old row may stay before it is swept, ms.
pub(super) const SWEEP_SLACK_MS: i64 = 60 * 60 * 1_000;

/// How many messages with numbers one after another share a row for their small notes, because what is sent at the same time mostly
/// has such numbers. A row is written anew with each note, so it stays small: of a message it has the first chunks, if they have few
/// recipients.
const SHARED_MESSAGES: i64 = 64;
const SHARED_CHUNKS: u32 = 4;
const SHARED_RECIPIENTS: usize = 4;
/// The number of a row that is shared, in place of a chunk's.
const SHARED: i64 = -1;

/// The notes of handovers. `notes` is a JSON object: by `message.number` a list of the attempt and the outcomes, which are null
/// between the note of a claim and the note of its outcomes.
const NOTES: DayTables = day_tables!(
    "handover",
    ["0", "1", "2"],
    "(
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        notes TEXT NOT NULL,
        PRIMARY KEY (account, message, number)
    ) STRICT, WITHOUT ROWID"
);

/// The tables.
pub const TABLES: Step = NOTES.tables;

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

impl Note {
    /// Whether another note, which was not made on an earlier day, counts in place of this one.
    fn is_before(&self, other: &Note) -> bool {
        (self.attempt, self.outcomes.is_some()) <= (other.attempt, other.outcomes.is_some())
    }
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

/// The steps of chunks in their order, each with its attempt.
pub type StepsOfChunks = BTreeMap<ChunkId, Vec<(u32, Progress)>>;

/// What is left of the steps of a chunk.
#[derive(Default)]
struct OpenSteps {
    attempt: u32,
    /// Who may have left, without an outcome.
    leaving: BTreeSet<u32>,
    outcomes: Outcomes,
}

impl Verdict {
    /// The outcomes that recipients of the handover had before.
    pub fn before(&self) -> Option<&Outcomes> {
        match self {
            Verdict::Answer(Answer::Outcomes(before)) | Verdict::Send { before, .. } => Some(before),
            Verdict::Answer(_) => None,
        }
    }
}

impl OpenSteps {
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

    /// The steps since the note of a chunk. What was before stands in its outcomes.
    fn since(note: Option<&Note>, steps: Vec<(u32, Progress)>) -> Option<Self> {
        let ended = note
            .filter(|note| note.outcomes.is_some())
            .map_or(0, |note| note.attempt);
        let mut open = None;
        for (attempt, progress) in steps.into_iter().filter(|(attempt, _)| *attempt > ended) {
            open.get_or_insert_with(Self::default).add(attempt, progress);
        }
        open
    }
}

/// The recipients that had an outcome: they are never sent to again.
pub(super) fn had(outcomes: &Outcomes) -> impl Iterator<Item = u32> {
    let taken = outcomes.taken.iter().map(|(index, _)| *index);
    let ended = outcomes.ended.iter().flat_map(|ended| ended.indexes.iter().copied());
    let refused = outcomes.refused.iter().map(|(index, _)| *index);
    taken
        .chain(ended)
        .chain(refused)
        .chain(outcomes.no_answer.iter().copied())
}

/// Adds the outcomes that last.
fn merge(all: &mut Outcomes, more: Outcomes) {
    all.taken.extend(more.taken);
    all.ended.extend(more.ended);
    all.refused.extend(more.refused);
    all.no_answer.extend(more.no_answer);
}

/// Judges the handovers of a submission, in their order. `steps` are those of its chunks, if the carrier sends them bit by bit.
/// What may have left so long ago that the journal has forgotten it is never sent again.
pub fn judge(
    sql: &impl Sql,
    now_ms: i64,
    submission: &Submission,
    mut steps: StepsOfChunks,
) -> Result<Vec<(ChunkRef, Verdict)>, PortError> {
    let account = submission.account.as_str();
    let chunks = submission.handovers.iter().map(|handover| handover.chunk.id());
    let mut notes = notes_of(sql, account, chunks)?;
    let is_late = now_ms > submission.valid_until_ms;
    let judged = submission.handovers.iter().map(|handover| {
        let id = handover.chunk.id();
        let note = notes.remove(&(account.to_owned(), id));
        let steps = OpenSteps::since(note.as_ref(), steps.remove(&id).unwrap_or_default());
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

/// The row that small notes of a message share.
fn shared_row(message: i64) -> (i64, i64) {
    (message - message.rem_euclid(SHARED_MESSAGES), SHARED)
}

/// The row for the note of a chunk. All notes of an attempt have the same number of recipients.
fn row_of((message, number): ChunkId, outcomes: Option<&Outcomes>) -> (i64, i64) {
    let recipients = outcomes.map_or(0, |outcomes| {
        had(outcomes).count() + outcomes.not_now.len() + outcomes.waiting.len()
    });
    if recipients <= SHARED_RECIPIENTS && number < SHARED_CHUNKS {
        shared_row(message)
    } else {
        (message, i64::from(number))
    }
}

/// What a note is called in its row.
fn name_of((message, number): ChunkId) -> String {
    format!("{message}.{number}")
}

/// The notes of chunks, of each day that has some. Each submission asks for them, so the text is made once.
static FIND_NOTES: LazyLock<String> = LazyLock::new(|| {
    NOTES.of_all(
        "SELECT {day}, c.value ->> 0, c.value ->> 1, c.value ->> 2, h.notes -> (c.value ->> 5) \
         FROM json_each(?1) c CROSS JOIN {table} h \
           ON h.account = c.value ->> 0 AND h.message = c.value ->> 3 AND h.number = c.value ->> 4",
        "1",
    )
});

/// The newest chunk of an account that has a note. `None`: none has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Newest(Option<ChunkId>);

impl Remembered for Newest {
    /// The account.
    type Key = String;
    const TABLES: &'static [&'static str] = NOTES.slots;
    /// More than a thousand accounts.
    const MAX_OCTETS: usize = 100_000;

    fn octets(&self, account: &String) -> usize {
        size_of::<(Self, Self::Key)>() + account.len()
    }
}

/// The newest chunk of an account that has a note. A row that messages share may have the note of a newer one than a row behind it.
static FIND_NEWEST: LazyLock<String> = LazyLock::new(|| {
    let select = format!(
        "SELECT CAST(substr(n.key, 1, instr(n.key, '.') - 1) AS INTEGER), CAST(substr(n.key, instr(n.key, '.') + 1) AS INTEGER) \
         FROM {{table}} h CROSS JOIN json_each(h.notes) n \
         WHERE h.account = ?1 AND h.message >= (SELECT message - message % {SHARED_MESSAGES} FROM {{table}} \
           WHERE account = ?1 ORDER BY message DESC LIMIT 1)"
    );
    NOTES.of_all(&select, "1 DESC, 2 DESC LIMIT 1")
});

fn find_newest(sql: &impl Sql, account: &str, statement: &str) -> Result<Option<Newest>, PortError> {
    let rows = sql.exec(statement, &[account.into()])?;
    let newest = match rows.first() {
        Some(row) => Some((row.int(0)?, row.u32(1)?)),
        None => None,
    };
    Ok(Some(Newest(newest)))
}

/// The newest chunk of an account that has a note, as it is remembered, or else as `read` reads it. `None`: nobody knows.
fn newest<S: Sql>(
    sql: &S,
    account: &String,
    read: impl FnOnce() -> Result<Option<Newest>, PortError>,
) -> Result<Option<Newest>, PortError> {
    let compare = || find_newest(sql, account, &format!("{}{COMPARED}", *FIND_NEWEST));
    Ok(remembered::read(sql, account, read, compare)?.as_deref().copied())
}

/// The newest notes of an account's chunks. Mostly they are newer than all that is noted, and nobody needs to look.
fn notes_of(
    sql: &impl Sql,
    account: &str,
    chunks: impl Iterator<Item = ChunkId>,
) -> Result<BTreeMap<(String, ChunkId), Note>, PortError> {
    let read = || match sql.memory() {
        Some(_) => find_newest(sql, account, &FIND_NEWEST),
        None => Ok(None),
    };
    let newest = newest(sql, &account.to_owned(), read)?;
    let (old, new): (Vec<ChunkId>, Vec<ChunkId>) =
        chunks.partition(|id| newest.is_none_or(|newest| Some(*id) <= newest.0));
    if cfg!(debug_assertions) {
        let compared = find_notes(
            sql,
            &format!("{}{COMPARED}", *FIND_NOTES),
            new.iter().map(|id| (account, *id)),
        )?;
        assert!(
            compared.is_empty(),
            "what the journal has noted is not remembered: {:?}",
            compared.keys()
        );
    }
    notes(sql, old.iter().map(|id| (account, *id)))
}

/// The newest notes of chunks of accounts, as far as there are notes.
fn notes<'a>(
    sql: &impl Sql,
    chunks: impl Iterator<Item = (&'a str, ChunkId)>,
) -> Result<BTreeMap<(String, ChunkId), Note>, PortError> {
    find_notes(sql, &FIND_NOTES, chunks)
}

fn find_notes<'a>(
    sql: &impl Sql,
    statement: &str,
    chunks: impl Iterator<Item = (&'a str, ChunkId)>,
) -> Result<BTreeMap<(String, ChunkId), Note>, PortError> {
    let places = chunks.flat_map(|(account, id)| {
        let path = format!("$.\"{}\"", name_of(id));
        let rows = [shared_row(id.0), (id.0, i64::from(id.1))];
        rows.map(|(message, number)| (account, id.0, id.1, message, number, path.clone()))
    });
    let places: Vec<_> = places.collect();
    if places.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = sql.exec(statement, &[to_json(&places)?.into()])?;
    let mut newest: BTreeMap<(String, ChunkId), Note> = BTreeMap::new();
    for row in &rows {
        let (_, account, message, number, json): (i64, String, i64, u32, Option<String>) = row.reader().read()?;
        let Some(json) = json else {
            continue;
        };
        let (attempt, outcomes) = serde_json::from_str(&json).map_err(|error| PortError::json("journal", &error))?;
        let note = Note { attempt, outcomes };
        let chunk = (account, (message, number));
        let is_newer = newest.get(&chunk).is_none_or(|known| known.is_before(&note));
        if is_newer {
            newest.insert(chunk, note);
        }
    }
    Ok(newest)
}

/// The attempts of chunks that have outcomes.
pub(super) fn ended<'a>(
    sql: &impl Sql,
    chunks: impl Iterator<Item = (&'a str, ChunkId)>,
) -> Result<BTreeMap<(String, ChunkId), u32>, PortError> {
    let notes = notes(sql, chunks)?.into_iter();
    Ok(notes
        .filter(|(_, note)| note.outcomes.is_some())
        .map(|(chunk, note)| (chunk, note.attempt))
        .collect())
}

fn verdict(handover: &Handover, note: Option<Note>, steps: Option<OpenSteps>, is_late: bool) -> Verdict {
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
            if let Some(OpenSteps { leaving, outcomes, .. }) = steps {
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

/// Notes the outcomes of claims that were sent in steps. The steps count no more.
pub fn finish(sql: &impl Sql, now_ms: i64, account: &str, claims: &[(ChunkRef, &Outcomes)]) -> Result<(), PortError> {
    let claims: Vec<_> = claims
        .iter()
        .map(|(chunk, outcomes)| (*chunk, Some(*outcomes)))
        .collect();
    note(sql, now_ms, account, &claims)
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

/// Notes by their names: the attempt and the outcomes.
type NotesOfRow<'a> = BTreeMap<String, (u32, Option<&'a Outcomes>)>;

/// Notes claims: with their outcomes, or without before anything of them leaves.
pub fn note(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    claims: &[(ChunkRef, Option<&Outcomes>)],
) -> Result<(), PortError> {
    let mut rows: BTreeMap<(i64, i64), NotesOfRow<'_>> = BTreeMap::new();
    for (chunk, outcomes) in claims {
        let row = rows.entry(row_of(chunk.id(), *outcomes)).or_default();
        row.insert(name_of(chunk.id()), (chunk.attempt, *outcomes));
    }
    if rows.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = rows
        .iter()
        .map(|((message, number), notes)| (message, number, notes))
        .collect();
    let table = NOTES.today(sql, now_ms)?;
    let insert = format!(
        concat!(
            listed!(),
            "INSERT INTO {table} (account, message, number, notes) \
             SELECT ?2, value ->> 0, value ->> 1, value ->> 2 FROM listed WHERE true \
             ON CONFLICT (account, message, number) DO UPDATE SET notes = json_patch(notes, excluded.notes)"
        ),
        table = table
    );
    let key = account.to_owned();
    let before = newest(sql, &key, || Ok(None))?;
    remembered::keep(sql, [&key], || {
        sql.exec(&insert, &[to_json(&rows)?.into(), account.into()])?;
        let noted = claims.iter().map(|(chunk, _)| chunk.id()).max();
        let after = before.map(|before| (key.clone(), Newest(before.0.max(noted))));
        Ok(after.into_iter().collect())
    })
}

/// Forgets notes whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    NOTES.sweep(sql, now_ms)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    NOTES.sweep_due_ms(sql)
}

/// When the notes of a day are swept, ms since the Unix epoch.
pub(super) fn swept_ms(day: i64) -> i64 {
    NOTES.swept_ms(day)
}
