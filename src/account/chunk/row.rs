//! A chunk's row in memory: what it says, what its indexes have of it, and how it is written back.

use std::collections::BTreeMap;

use serde::Serialize;

use super::recipients::{self, Recipient};
use super::transitions::REPORT_DEADLINE_MS;
use crate::account::chunk::{ChunkState, Place};
use crate::account::message::priority::Class;
use crate::account::rows::Rows;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::durable::listed;

/// A chunk with so many recipients is written by a statement of its own. SQLite would spend more time on reading its document
/// within a JSON text than on the statement.
pub const LARGE: usize = 50;

/// The columns of a chunk `c` that [`Chunk::of`] and [`Document::of`] read, behind three others.
macro_rules! chunk_row_columns {
    () => {
        "c.state, c.due_ms, c.attempt, c.failures, c.doubt_ms, c.queued, c.active, c.open, c.class, c.ready_ms, c.recipients"
    };
}
pub(super) use chunk_row_columns;

/// A chunk that has not ended.
pub struct Chunk {
    /// What it waits for.
    pub state: ChunkState,
    /// Until when it waits, ms since the Unix epoch.
    pub due_ms: i64,
    /// The number of its last claim.
    pub attempt: u32,
    /// How many of its claims have failed.
    pub failures: u32,
    /// When the first claim was made that ended without an answer, ms: since then the carrier may have recipients of it.
    pub doubt_ms: Option<i64>,
    /// How many of its recipients wait for a carrier.
    pub queued: i64,
    /// How many are not resting.
    pub active: i64,
    /// How many have no ending.
    pub open: i64,
    /// How long its class may wait for a carrier, ms since the Unix epoch.
    pub patience_ends_ms: i64,
    stored: Stored,
}

/// What of a chunk's row is in indexes, or decides about them. A write of any of it costs more than the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stored {
    state: ChunkState,
    due_ms: i64,
    failures: u32,
    doubt_ms: Option<i64>,
}

/// The recipients of a chunk.
pub struct Document {
    /// They themselves.
    pub recipients: Vec<Recipient>,
    /// Whether one of them was changed.
    pub changed: bool,
}

impl Document {
    /// Reads the last of the columns.
    pub fn of(row: &Row) -> Result<Document, PortError> {
        Ok(Document {
            recipients: recipients::read(&row.text(13)?)?,
            changed: false,
        })
    }
}

impl Chunk {
    /// Reads the columns.
    pub fn of(row: &Row) -> Result<Chunk, PortError> {
        let stored = Stored {
            state: ChunkState::from_code(row.int(3)?).ok_or(PortError::Shape {
                column: 3,
                expected: "a chunk's state",
            })?,
            due_ms: row.int(4)?,
            failures: row.u32(6)?,
            doubt_ms: row.opt_int(7)?,
        };
        let queued = row.int(8)?;
        Ok(Chunk {
            state: match stored.state {
                ChunkState::Claimed if queued == 0 => ChunkState::Awaiting,
                state => state,
            },
            due_ms: stored.due_ms,
            attempt: row.u32(5)?,
            failures: stored.failures,
            doubt_ms: stored.doubt_ms,
            queued,
            active: row.int(9)?,
            open: row.int(10)?,
            patience_ends_ms: row.int(12)?.saturating_add(patience_ms(row.int(11)?)),
            stored,
        })
    }

    /// A chunk with no recipient left to hand over waits for reports only. One that was claimed keeps its place in the index
    /// until the lease ends: most reports have come by then.
    pub fn await_reports_if_handed(&mut self, now_ms: i64) {
        if self.state != ChunkState::Ready || self.queued != 0 {
            return;
        }
        self.state = ChunkState::Awaiting;
        let is_leased = self.stored.state == ChunkState::Claimed && self.stored.due_ms > now_ms;
        self.due_ms = match is_leased {
            true => self.stored.due_ms,
            false => now_ms.saturating_add(REPORT_DEADLINE_MS),
        };
    }

    fn to_store(&self) -> Stored {
        let keeps_lease = self.stored.state == ChunkState::Claimed && self.stored.due_ms == self.due_ms;
        Stored {
            state: match self.state {
                ChunkState::Canceled => ChunkState::Canceled,
                _ if self.open == 0 => ChunkState::Ended,
                ChunkState::Awaiting if keeps_lease => ChunkState::Claimed,
                state => state,
            },
            due_ms: self.due_ms,
            failures: self.failures,
            doubt_ms: self.doubt_ms,
        }
    }

    fn counts(&self) -> [i64; 3] {
        [self.queued, self.active, self.open]
    }
}

impl Stored {
    fn row(self) -> impl Serialize {
        (self.state.code(), self.due_ms, self.failures, self.doubt_ms)
    }
}

/// How long chunks of a class may wait. A class that this version does not know is in no hurry.
fn patience_ms(class: i64) -> i64 {
    Class::from_code(class).unwrap_or(Class::Bulk).patience_ms()
}

/// Writes what has changed.
pub fn write(
    sql: &impl Sql,
    chunks: &BTreeMap<Place, Chunk>,
    documents: &BTreeMap<Place, Document>,
) -> Result<(), PortError> {
    let (mut moved, mut counted) = (Rows::default(), Rows::default());
    for (place, document) in documents {
        let chunk = chunks.get(place);
        // What is over has no counts that change.
        let counts = chunk.map_or([0; 3], Chunk::counts);
        let stored = chunk.map(Chunk::to_store);
        let stored = stored.filter(|stored| chunk.is_some_and(|chunk| chunk.stored != *stored));
        match (stored, document.changed) {
            (None, false) => {}
            (stored, true) if document.recipients.len() >= LARGE => {
                write_large(sql, *place, stored, counts, &document.recipients)?;
            }
            (Some(stored), changed) => {
                let recipients = changed.then_some(&document.recipients);
                moved.push(&(place, stored.row(), counts, recipients))?;
            }
            (None, true) => counted.push(&(place, counts, &document.recipients))?,
        }
    }
    moved.write(|rows| write_moved(sql, rows))?;
    counted.write(|rows| write_counted(sql, rows))
}

fn write_moved(sql: &impl Sql, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "UPDATE chunk SET queued = p.value ->> '$[2][0]', state = p.value ->> '$[1][0]', due_ms = p.value ->> '$[1][1]', \
               failures = p.value ->> '$[1][2]', doubt_ms = p.value ->> '$[1][3]', \
               queue = iif(p.value ->> '$[1][3]' IS NULL, route, '@' || object), active = p.value ->> '$[2][1]', \
               open = p.value ->> '$[2][2]', recipients = coalesce(p.value ->> 3, recipients) \
             FROM listed AS p WHERE message = p.value ->> '$[0][0]' AND number = p.value ->> '$[0][1]'"
        ),
        &[rows.into()],
    )
    .map(drop)
}

/// Writes nothing that is in an index.
fn write_counted(sql: &impl Sql, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "UPDATE chunk SET queued = p.value ->> '$[1][0]', active = p.value ->> '$[1][1]', open = p.value ->> '$[1][2]', \
               recipients = p.value ->> 2 \
             FROM listed AS p WHERE message = p.value ->> '$[0][0]' AND number = p.value ->> '$[0][1]'"
        ),
        &[rows.into()],
    )
    .map(drop)
}

fn write_large(
    sql: &impl Sql,
    (message, number): Place,
    stored: Option<Stored>,
    [queued, active, open]: [i64; 3],
    recipients: &[Recipient],
) -> Result<(), PortError> {
    let mut params: Vec<Value> = vec![
        message.into(),
        number.into(),
        queued.into(),
        active.into(),
        open.into(),
        recipients::write(recipients)?.into(),
    ];
    let counted = "queued = ?3, active = ?4, open = ?5, recipients = ?6";
    let moved = match stored {
        None => "",
        Some(stored) => {
            params.push(stored.state.code().into());
            params.push(stored.due_ms.into());
            params.push(stored.failures.into());
            params.push(stored.doubt_ms.into());
            ", state = ?7, due_ms = ?8, failures = ?9, doubt_ms = ?10, queue = iif(?10 IS NULL, route, '@' || object)"
        }
    };
    let statement = format!("UPDATE chunk SET {counted}{moved} WHERE message = ?1 AND number = ?2");
    sql.exec(&statement, &params).map(drop)
}
