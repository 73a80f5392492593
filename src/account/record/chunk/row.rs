//! A chunk's row: how it is made, what of it stands in memory, and how it is written back.
//!
//! The invariant: what is in an index is written only if it has changed, because such a write costs more than the row.

use std::collections::BTreeMap;

use serde::Serialize;

use super::accepted::AcceptedChunk;
use super::recipients::{self, Recipient};
use super::{ChunkId, ChunkState, REPORT_DEADLINE_MS};
use crate::account::record::message::priority::Priority;
use crate::account::record::message::row::{MessageRow, message_row_columns};
use crate::account::record::rows::Rows;
use crate::base::ports::{PortError, Sql, Value};
use crate::base::record::Reader;
use crate::durable::listed;

/// A chunk with so many recipients is written by a statement of its own. SQLite would spend more time on reading its document
/// within a JSON text than on the statement.
pub const LARGE: usize = 50;

/// The columns of a chunk `c` that [`Chunk::of`] and [`Document::of`] read, in this order.
macro_rules! chunk_row_columns {
    () => {
        "c.state, c.due_ms, c.attempt, c.failures, c.doubt_ms, c.queued, c.active, c.open, c.class, c.ready_ms, c.recipients"
    };
}
pub(in crate::account) use chunk_row_columns;

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
    /// How long its priority may wait for a carrier, ms since the Unix epoch.
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
    pub fn of(row: &mut Reader<'_>) -> Result<Document, PortError> {
        Ok(Document {
            recipients: recipients::read(&row.read::<String>()?)?,
            changed: false,
        })
    }
}

impl Chunk {
    /// Reads the columns.
    pub fn of(row: &mut Reader<'_>) -> Result<Chunk, PortError> {
        let state = row.known("a chunk's state", |code: &i64| ChunkState::from_code(*code))?;
        let (due_ms, attempt) = row.read()?;
        let (failures, doubt_ms) = row.read()?;
        let (queued, active, open): (i64, i64, i64) = row.read()?;
        let (class, ready_ms): (i64, i64) = row.read()?;
        Ok(Chunk {
            state: match state {
                ChunkState::Claimed if queued == 0 => ChunkState::Awaiting,
                state => state,
            },
            due_ms,
            attempt,
            failures,
            doubt_ms,
            queued,
            active,
            open,
            patience_ends_ms: ready_ms.saturating_add(patience_ms(class)),
            stored: Stored {
                state,
                due_ms,
                failures,
                doubt_ms,
            },
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
        self.due_ms = if is_leased {
            self.stored.due_ms
        } else {
            now_ms.saturating_add(REPORT_DEADLINE_MS)
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

/// How long chunks of a priority may wait. A priority that this version does not know is in no hurry.
fn patience_ms(priority: i64) -> i64 {
    Priority::from_code(priority).unwrap_or(Priority::Bulk).patience_ms()
}

/// The columns of a new chunk.
macro_rules! insert_into_chunk {
    () => {
        concat!(
            "INSERT INTO chunk (failures, doubt_ms, message, number, first, last, class, route, queue, object, state, ready_ms, \
             due_ms, attempt, queued, active, open, ",
            message_row_columns!(),
            ", recipients) "
        )
    };
}

/// The values as parameters.
macro_rules! bound {
    () => {
        "0, NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?12, \
         ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36"
    };
}

/// The values in a row of `listed`.
macro_rules! of_listed {
    () => {
        "0, NULL, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 5, value ->> 6, \
         value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 11, value ->> 11, value ->> 12, value ->> 13, \
         value ->> 14, value ->> 15, value ->> 16, value ->> 17, value ->> 18, value ->> 19, value ->> 20, value ->> 21, \
         value ->> 22, value ->> 23, value ->> 24, value ->> 25, value ->> 26, value ->> 27, value ->> 28, value ->> 29, value ->> 30, \
         value ->> 31, value ->> 32, value ->> 33, value ->> 34, value ->> 35"
    };
}

/// Writes chunks that are not written yet. The first chunk of each message has the message in its row.
pub fn insert(sql: &impl Sql, chunks: &[AcceptedChunk], messages: &BTreeMap<i64, MessageRow>) -> Result<(), PortError> {
    let mut rows = Rows::default();
    for chunk in chunks {
        let message = messages.get(&chunk.id.0).filter(|_| chunk.id.1 == 0);
        let values = accepted_values(chunk, message)?;
        if chunk.recipients.len() >= LARGE {
            sql.exec(concat!(insert_into_chunk!(), "VALUES (", bound!(), ")"), &values)?;
        } else {
            rows.push(&values)?;
        }
    }
    rows.write(|rows| {
        let insert = concat!(listed!(), insert_into_chunk!(), "SELECT ", of_listed!(), " FROM listed");
        sql.exec(insert, &[rows.into()]).map(drop)
    })
}

/// The values of a new chunk, as `insert_into_chunk!` names their columns.
fn accepted_values(chunk: &AcceptedChunk, message: Option<&MessageRow>) -> Result<Vec<Value>, PortError> {
    let count = i64::try_from(chunk.recipients.len()).unwrap_or(i64::MAX);
    let mut values: Vec<Value> = vec![
        chunk.id.0.into(),
        chunk.id.1.into(),
        chunk.bounds.0.into(),
        chunk.bounds.1.into(),
        chunk.priority.code().into(),
        chunk.route.as_str().into(),
        chunk.object.as_deref().into(),
        chunk.state.code().into(),
        chunk.ready_ms.into(),
        chunk.due_ms.into(),
        chunk.attempt.into(),
        count.into(),
    ];
    match message {
        Some(message) => values.extend(message.values()?),
        None => values.extend([const { Value::Null }; crate::account::record::message::row::COLUMNS]),
    }
    values.push(recipients::write(&chunk.recipients)?.into());
    Ok(values)
}

/// Writes what has changed.
pub fn write(
    sql: &impl Sql,
    chunks: &BTreeMap<ChunkId, Chunk>,
    documents: &BTreeMap<ChunkId, Document>,
) -> Result<(), PortError> {
    let (mut moved, mut counted) = (Rows::default(), Rows::default());
    for (id, document) in documents {
        let chunk = chunks.get(id);
        // What is over has no counts that change.
        let counts = chunk.map_or([0; 3], Chunk::counts);
        let stored = chunk.map(Chunk::to_store);
        let stored = stored.filter(|stored| chunk.is_some_and(|chunk| chunk.stored != *stored));
        match (stored, document.changed) {
            (None, false) => {}
            (stored, true) if document.recipients.len() >= LARGE => {
                write_large(sql, *id, stored, counts, &document.recipients)?;
            }
            (Some(stored), changed) => {
                let recipients = changed.then_some(&document.recipients);
                moved.push(&moved_row(*id, counts, recipients, stored))?;
            }
            (None, true) => counted.push(&counted_row(*id, counts, &document.recipients))?,
        }
    }
    moved.write(|rows| write_moved(sql, rows))?;
    counted.write(|rows| write_counted(sql, rows))
}

/// As [`write_moved`] reads it.
fn moved_row(
    (message, number): ChunkId,
    [queued, active, open]: [i64; 3],
    recipients: Option<&Vec<Recipient>>,
    stored: Stored,
) -> impl Serialize {
    let Stored {
        state,
        due_ms,
        failures,
        doubt_ms,
    } = stored;
    (
        message,
        number,
        queued,
        active,
        open,
        recipients,
        state.code(),
        due_ms,
        failures,
        doubt_ms,
    )
}

fn write_moved(sql: &impl Sql, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "UPDATE chunk SET queued = p.value ->> 2, active = p.value ->> 3, open = p.value ->> 4, \
               recipients = coalesce(p.value ->> 5, recipients), state = p.value ->> 6, due_ms = p.value ->> 7, \
               failures = p.value ->> 8, doubt_ms = p.value ->> 9, sealed = iif(p.value ->> 2 = 0, NULL, sealed), \
               callback = iif(p.value ->> 4 = 0, NULL, callback), \
               queue = iif(p.value ->> 9 IS NULL, route, '@' || object) \
             FROM listed AS p WHERE message = p.value ->> 0 AND number = p.value ->> 1"
        ),
        &[rows.into()],
    )
    .map(drop)
}

/// As [`write_counted`] reads it.
fn counted_row(
    (message, number): ChunkId,
    [queued, active, open]: [i64; 3],
    recipients: &Vec<Recipient>,
) -> impl Serialize {
    (message, number, queued, active, open, recipients)
}

/// Writes nothing that is in an index.
fn write_counted(sql: &impl Sql, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "UPDATE chunk SET queued = p.value ->> 2, active = p.value ->> 3, open = p.value ->> 4, \
               recipients = p.value ->> 5, sealed = iif(p.value ->> 2 = 0, NULL, sealed), \
               callback = iif(p.value ->> 4 = 0, NULL, callback) \
             FROM listed AS p WHERE message = p.value ->> 0 AND number = p.value ->> 1"
        ),
        &[rows.into()],
    )
    .map(drop)
}

/// Writes a chunk's counts, its recipients, and what stands here beside them.
macro_rules! update_large {
    ($moved:literal) => {
        concat!(
            "UPDATE chunk SET queued = ?3, active = ?4, open = ?5, recipients = ?6",
            $moved,
            " WHERE message = ?1 AND number = ?2"
        )
    };
}

fn write_large(
    sql: &impl Sql,
    (message, number): ChunkId,
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
    let statement = match stored {
        None => update_large!(""),
        Some(stored) => {
            params.push(stored.state.code().into());
            params.push(stored.due_ms.into());
            params.push(stored.failures.into());
            params.push(stored.doubt_ms.into());
            update_large!(
                ", state = ?7, due_ms = ?8, failures = ?9, doubt_ms = ?10, queue = iif(?10 IS NULL, route, '@' || object)"
            )
        }
    };
    sql.exec(statement, &params).map(drop)
}
