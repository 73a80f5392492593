//! The steps of chunks that a carrier sends bit by bit: who is about to leave, and what became of whom.
//!
//! All steps of a turn stand in one row, whatever chunks they are of. A row is of use while one of its chunks has no outcomes in
//! the journal. Then another turn writes it anew, because that costs half of what a row costs that is made and deleted. Which
//! rows are of use stands in memory, and is read when an object begins.
//!
//! What an ended chunk has left in a row counts no more: the note of its outcomes has the same attempt, or a later one.
//!
//! Why a turn: a note for each recipient would be a write for each message, and a crash after a note for each chunk would make up to
//! 500 recipients `UNKNOWN`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::journal::{self, KEPT_MS, Progress, SWEPT_A_GO, StepsOfChunks};
use crate::account::record::chunk::ChunkId;
use crate::account::record::chunk::handover::ChunkRef;
use crate::base::ports::{PortError, Sql};
use crate::durable::schema::Step;
use crate::durable::to_json;

/// How long a row may be of no use until it is deleted, ms: less than the journal keeps the notes by which that is seen.
const UNUSED_MS: i64 = 12 * 60 * 60 * 1_000;

/// The tables.
pub const TABLES: Step = &[
    // The steps of a turn. `number` counts the turns; `body` is JSON.
    "CREATE TABLE step (
        id INTEGER PRIMARY KEY,
        number INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT",
];

/// A step of a chunk: the account, the claim's message, number and attempt, and the progress since the step before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkStep<'a>(pub Cow<'a, str>, pub i64, pub u32, pub u32, pub Progress);

impl<'a> ChunkStep<'a> {
    /// The step of a claim.
    pub fn of(account: &'a str, chunk: ChunkRef, progress: Progress) -> Self {
        ChunkStep(account.into(), chunk.message, chunk.number, chunk.attempt, progress)
    }
}

/// The steps of a turn, as they are stored.
fn parse(body: &str) -> Result<Vec<ChunkStep<'static>>, PortError> {
    serde_json::from_str(body).map_err(|error| PortError::json("steps", &error))
}

/// Which rows are of use.
#[derive(Debug, Default)]
pub struct Steps {
    /// The rows of each chunk that has no outcomes yet, by account.
    rows: BTreeMap<String, BTreeMap<ChunkId, Vec<i64>>>,
    /// How many such chunks each row has.
    uses: BTreeMap<i64, usize>,
    free: BTreeSet<i64>,
    /// The numbers of the next turn and of the next new row.
    next: (i64, i64),
    /// When rows are to be deleted next, ms since the Unix epoch.
    sweep_ms: Option<i64>,
    is_read: bool,
}

impl Steps {
    /// Reads which rows are of use, unless that is known.
    fn read(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        if self.is_read {
            return Ok(());
        }
        *self = Steps::default();
        let rows = sql.exec("SELECT id, number, body FROM step ORDER BY number", &[])?;
        let mut turns = Vec::with_capacity(rows.len());
        for row in &rows {
            let steps = parse(&row.text(2)?)?;
            let (id, turn) = (row.int(0)?, row.int(1)?);
            self.next = (turn.saturating_add(1), self.next.1.max(id.saturating_add(1)));
            self.sweep_ms = Some(0);
            turns.push((id, steps));
        }
        let steps = || {
            turns
                .iter()
                .flat_map(|(id, steps)| steps.iter().map(move |step| (*id, step)))
        };
        let chunks =
            steps().map(|(_, ChunkStep(account, message, number, ..))| (account.as_ref(), (*message, *number)));
        let ended = journal::ended(sql, chunks)?;
        self.free.extend(turns.iter().map(|(id, _)| *id));
        for (id, ChunkStep(account, message, number, attempt, _)) in steps() {
            let chunk = (account.clone().into_owned(), (*message, *number));
            if ended.get(&chunk).is_none_or(|ended| ended < attempt) {
                self.keep(id, account, chunk.1);
            }
        }
        self.is_read = true;
        Ok(())
    }

    fn keep(&mut self, row: i64, account: &str, chunk: ChunkId) {
        if !self.rows.contains_key(account) {
            self.rows.insert(account.to_owned(), BTreeMap::new());
        }
        let of_account = self.rows.get_mut(account);
        of_account
            .into_iter()
            .for_each(|chunks| chunks.entry(chunk).or_default().push(row));
        *self.uses.entry(row).or_default() += 1;
        self.free.remove(&row);
    }

    /// Forgets what is in memory: the storage may not have what was noted last.
    pub fn forget(&mut self) {
        self.is_read = false;
    }

    /// Notes the steps of a turn, at most one of each chunk.
    pub fn note(&mut self, sql: &impl Sql, now_ms: i64, steps: &[ChunkStep<'_>]) -> Result<(), PortError> {
        if steps.is_empty() {
            return Ok(());
        }
        self.read(sql)?;
        let (turn, new) = self.next;
        let row = self.free.pop_first().unwrap_or(new);
        sql.exec(
            "INSERT INTO step (id, number, at_ms, body) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (id) DO UPDATE SET number = ?2, at_ms = ?3, body = ?4",
            &[row.into(), turn.into(), now_ms.into(), to_json(&steps)?.into()],
        )?;
        self.next = (turn.saturating_add(1), new.max(row.saturating_add(1)));
        self.sweep_ms.get_or_insert(now_ms.saturating_add(UNUSED_MS));
        for ChunkStep(account, message, number, ..) in steps {
            self.keep(row, account, (*message, *number));
        }
        Ok(())
    }

    /// The steps of chunks of an account that have no outcomes yet.
    pub fn of(&mut self, sql: &impl Sql, account: &str, chunks: &[ChunkId]) -> Result<StepsOfChunks, PortError> {
        self.read(sql)?;
        let Some(of_account) = self.rows.get(account) else {
            return Ok(BTreeMap::new());
        };
        let wanted: BTreeSet<ChunkId> = chunks
            .iter()
            .copied()
            .filter(|id| of_account.contains_key(id))
            .collect();
        let rows: BTreeSet<i64> = wanted
            .iter()
            .filter_map(|id| of_account.get(id))
            .flatten()
            .copied()
            .collect();
        let mut steps = StepsOfChunks::new();
        let bodies = sql.exec(
            "SELECT s.body FROM json_each(?1) i CROSS JOIN step s ON s.id = i.value ORDER BY s.number",
            &[to_json(&rows)?.into()],
        )?;
        for body in &bodies {
            for ChunkStep(of, message, number, attempt, progress) in parse(&body.text(0)?)? {
                if of == account && wanted.contains(&(message, number)) {
                    steps.entry((message, number)).or_default().push((attempt, progress));
                }
            }
        }
        Ok(steps)
    }

    /// The journal has the outcomes of these chunks.
    pub fn end(&mut self, account: &str, chunks: impl IntoIterator<Item = ChunkId>) {
        let Some(of_account) = self.rows.get_mut(account) else {
            return;
        };
        for row in chunks.into_iter().filter_map(|id| of_account.remove(&id)).flatten() {
            let left = self.uses.remove(&row).unwrap_or(0).saturating_sub(1);
            if left > 0 {
                self.uses.insert(row, left);
            } else {
                self.free.insert(row);
            }
        }
        if of_account.is_empty() {
            self.rows.remove(account);
        }
    }

    /// The chunks that have no outcomes yet, each with its account.
    pub fn open(&mut self, sql: &impl Sql) -> Result<impl Iterator<Item = (&str, ChunkId)>, PortError> {
        self.read(sql)?;
        let accounts = self.rows.iter();
        Ok(accounts.flat_map(|(account, chunks)| chunks.keys().map(|chunk| (account.as_str(), *chunk))))
    }

    /// Deletes rows that are of no use, and those that nobody has asked for in a long time.
    pub fn sweep(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        if self.sweep_ms.is_none_or(|due_ms| due_ms > now_ms) {
            return Ok(());
        }
        // Some chunks have ended without a word to this object.
        self.forget();
        self.read(sql)?;
        let free: Vec<i64> = self.free.iter().copied().collect();
        let deleted = sql.exec(
            "DELETE FROM step WHERE id IN (SELECT s.id FROM step s WHERE s.at_ms <= ?1 \
               OR (s.at_ms <= ?2 AND s.id IN (SELECT value FROM json_each(?3))) LIMIT ?4) RETURNING 1",
            &[
                now_ms.saturating_sub(KEPT_MS).into(),
                now_ms.saturating_sub(UNUSED_MS).into(),
                to_json(&free)?.into(),
                SWEPT_A_GO.into(),
            ],
        )?;
        self.forget();
        self.read(sql)?;
        let is_left = i64::try_from(deleted.len()).unwrap_or(SWEPT_A_GO) >= SWEPT_A_GO;
        let next_ms = if is_left {
            now_ms
        } else {
            now_ms.saturating_add(UNUSED_MS)
        };
        self.sweep_ms = self.sweep_ms.and(Some(next_ms));
        Ok(())
    }

    /// When the next sweep is due, ms since the Unix epoch.
    pub fn sweep_due_ms(&self) -> Option<i64> {
        self.sweep_ms
    }
}
