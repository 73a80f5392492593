//! Queues: chunks of one priority that may go the same ways. The index `chunk_ready` keeps each apart, so that no queue's
//! backlog stands before the others.

use super::{ChunkId, is_ready};
use crate::account::message::priority::Priority;
use crate::base::ports::{PortError, Sql};

/// Chunks in one bundle at most.
pub const CHUNKS_A_BUNDLE: usize = 50;

/// Chunks of one priority that may go the same ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    /// How urgent they are.
    pub priority: Priority,
    /// Their route, `line/prefix`, or `@` and the name of the one object that may have them.
    pub name: String,
    /// When the first of them is due.
    pub due_ms: i64,
}

/// A queue by what it says of the ways that its chunks may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way<'a> {
    /// By the routes of the line, as for numbers with this prefix.
    Route(&'a str, &'a str),
    /// To this object of a carrier and no other.
    Object(&'a str),
}

impl<'a> Way<'a> {
    /// The ways that chunks of the queue with this name may go.
    pub fn of(queue: &'a str) -> Self {
        if let Some(object) = queue.strip_prefix('@') {
            return Way::Object(object);
        }
        let (line, prefix) = queue.rsplit_once('/').unwrap_or((queue, ""));
        Way::Route(line, prefix)
    }
}

impl Queue {
    /// The ways that its chunks may go.
    pub fn way(&self) -> Way<'_> {
        Way::of(&self.name)
    }

    /// Whether both are one queue, whatever is due in it.
    pub fn is_same(&self, other: &Queue) -> bool {
        self.priority == other.priority && self.name == other.name
    }
}

/// The queues in which chunks are ready: one step in the index for each, however many chunks it has.
const QUEUES: &str = concat!(
    "WITH RECURSIVE ready (class, queue) AS ( \
       SELECT c.value, (SELECT min(queue) FROM chunk WHERE ",
    is_ready!(),
    " AND class = c.value) FROM json_each('[0,1,2]') c \
       UNION ALL \
       SELECT class, (SELECT min(queue) FROM chunk WHERE ",
    is_ready!(),
    " AND class = ready.class AND queue > ready.queue) \
       FROM ready WHERE ready.queue IS NOT NULL) \
     SELECT class, queue, (SELECT min(due_ms) FROM chunk c WHERE ",
    is_ready!("c."),
    " AND c.class = ready.class AND c.queue = ready.queue) due_ms \
     FROM ready WHERE queue IS NOT NULL AND (substr(queue, 1, 1) = '@' OR NOT (SELECT on_hold FROM account WHERE one = 1)) \
     ORDER BY class, due_ms"
);

/// The queues in which chunks are ready, the most urgent class first, and in a class the one that is due longest. Of an account
/// on hold, only those of chunks in doubt: their carriers are asked.
pub fn all(sql: &impl Sql) -> Result<Vec<Queue>, PortError> {
    let rows = sql.exec(QUEUES, &[])?;
    let queues = rows.iter().map(|row| {
        Ok(Queue {
            priority: Priority::from_code(row.int(0)?).ok_or(PortError::Shape {
                column: 0,
                expected: "a priority",
            })?,
            name: row.text(1)?,
            due_ms: row.int(2)?,
        })
    });
    queues.collect()
}

/// Whether chunks of a queue are ready and due.
pub fn has_due(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<bool, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT 1 FROM chunk WHERE ",
            is_ready!(),
            " AND class = ?1 AND queue = ?2 AND due_ms <= ?3 LIMIT 1"
        ),
        &[queue.priority.code().into(), queue.name.as_str().into(), now_ms.into()],
    )?;
    Ok(!rows.is_empty())
}

/// Chunks of a queue that are due, the oldest first, as many as one bundle may have; each with how many of its recipients wait.
pub fn due(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<Vec<(ChunkId, i64)>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT message, number, queued FROM chunk WHERE ",
            is_ready!(),
            " AND class = ?1 AND queue = ?2 AND due_ms <= ?3 ORDER BY due_ms LIMIT ?4"
        ),
        &[
            queue.priority.code().into(),
            queue.name.as_str().into(),
            now_ms.into(),
            i64::try_from(CHUNKS_A_BUNDLE).unwrap_or(i64::MAX).into(),
        ],
    )?;
    let due = rows.iter().map(|row| Ok(((row.int(0)?, row.u32(1)?), row.int(2)?)));
    due.collect()
}

/// The chunks of a queue that have waited since `since_ms` or longer and are due: some of the oldest.
pub fn overdue(sql: &impl Sql, now_ms: i64, queue: &Queue, since_ms: i64) -> Result<Vec<ChunkId>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT message, number FROM (SELECT message, number, ready_ms FROM chunk WHERE ",
            is_ready!(),
            " AND class = ?1 AND queue = ?2 AND due_ms <= ?3 ORDER BY due_ms LIMIT ?4) WHERE ready_ms <= ?5"
        ),
        &[
            queue.priority.code().into(),
            queue.name.as_str().into(),
            now_ms.into(),
            i64::try_from(CHUNKS_A_BUNDLE).unwrap_or(i64::MAX).into(),
            since_ms.into(),
        ],
    )?;
    rows.iter().map(|row| Ok((row.int(0)?, row.u32(1)?))).collect()
}
