//! Chunks: the recipients of a message that are claimed, handed to a carrier and waited for together.
//!
//! The invariant: a recipient is handed to a carrier at most once. Each claim of a chunk has a number of its own, and only
//! recipients that are still queued are handed over.

pub mod dead_letters;
pub mod handover;
pub mod new_chunk;
pub mod outcomes;
pub mod recipients;
pub mod reports;
pub mod row;
pub mod stalled;
pub mod timers;
pub mod transitions;

use std::collections::BTreeMap;

use super::message::MessageKind;
use super::message::priority::Class;
use super::message::read;
use super::message::status::RecipientStatus;
use crate::base::ports::{PortError, Row, Sql};
use crate::durable::to_json;
use handover::{ChunkRef, Handover};

/// A chunk by its message and its number.
pub type Place = (i64, u32);

/// Recipients of a new chunk at most. A thousand recipients then cost few calls, and a slow carrier still ends a chunk within
/// its lease. Stored chunks say for themselves which recipients they have.
pub const CHUNK_SIZE: u32 = 500;
/// How long a claim holds, ms.
pub const LEASE_MS: i64 = 30_000;
/// Chunks in one bundle at most.
const CHUNKS_A_BUNDLE: usize = 50;
/// Recipients in one bundle, about.
const RECIPIENTS_A_BUNDLE: i64 = 1_000;

/// Whether a chunk with so many recipients goes into a bundle that has so many chunks and recipients.
pub fn fits(chunks: usize, recipients: usize, more: usize) -> bool {
    let all = i64::try_from(recipients.saturating_add(more)).unwrap_or(i64::MAX);
    chunks < CHUNKS_A_BUNDLE && (chunks == 0 || all <= RECIPIENTS_A_BUNDLE)
}

/// What a chunk waits for. The numbers are what the object's SQL keeps; its two indexes name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkState {
    /// For its time. Then the object starts it.
    Scheduled,
    /// For a carrier to have room, from its due time on.
    Ready,
    /// For the answer of its carrier, until its lease ends.
    Claimed,
    /// For delivery reports, until their deadline.
    Awaiting,
    /// Nothing: all its recipients have an ending, or the wait for reports is over.
    Ended,
    /// For an operator: its carriers refused it each time. At its due time it is given up.
    Parked,
    /// Nothing: the client canceled its message.
    Canceled,
    /// For its end: the object has gone back in time, so nobody knows whether it has left.
    Doubted,
}

impl ChunkState {
    /// The number that the object's SQL keeps.
    pub fn code(self) -> i64 {
        match self {
            ChunkState::Scheduled => 0,
            ChunkState::Ready => 1,
            ChunkState::Claimed => 2,
            ChunkState::Awaiting => 3,
            ChunkState::Ended => 4,
            ChunkState::Parked => 5,
            ChunkState::Canceled => 6,
            ChunkState::Doubted => 7,
        }
    }

    /// Whether the chunk waits for nothing any more.
    pub fn is_over(self) -> bool {
        matches!(self, ChunkState::Ended | ChunkState::Canceled)
    }

    /// The state of a number.
    pub fn from_code(code: i64) -> Option<Self> {
        [
            ChunkState::Scheduled,
            ChunkState::Ready,
            ChunkState::Claimed,
            ChunkState::Awaiting,
            ChunkState::Ended,
            ChunkState::Parked,
            ChunkState::Canceled,
            ChunkState::Doubted,
        ]
        .into_iter()
        .find(|state| state.code() == code)
    }
}

/// The queues in which chunks are ready: one step in the index for each, however many chunks it has.
macro_rules! ready {
    () => {
        "WITH RECURSIVE ready (class, queue) AS ( \
           SELECT c.value, (SELECT min(queue) FROM chunk WHERE state = 1 AND class = c.value) FROM json_each('[0,1,2]') c \
           UNION ALL \
           SELECT class, (SELECT min(queue) FROM chunk WHERE state = 1 AND class = ready.class AND queue > ready.queue) \
           FROM ready WHERE ready.queue IS NOT NULL) "
    };
}

/// Chunks of one class that may go the same ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    /// How urgent they are.
    pub class: Class,
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

impl Queue {
    /// The ways that its chunks may go.
    pub fn way(&self) -> Way<'_> {
        match self.name.strip_prefix('@') {
            Some(object) => Way::Object(object),
            None => {
                let (line, prefix) = self.name.rsplit_once('/').unwrap_or((&self.name, ""));
                Way::Route(line, prefix)
            }
        }
    }
}

/// The queues in which chunks are ready, the most urgent class first, and in a class the one that is due longest.
pub fn queues(sql: &impl Sql) -> Result<Vec<Queue>, PortError> {
    let rows = sql.exec(
        concat!(
            ready!(),
            "SELECT class, queue, (SELECT min(due_ms) FROM chunk c WHERE c.state = 1 AND c.class = ready.class \
                                     AND c.queue = ready.queue) due_ms \
             FROM ready WHERE queue IS NOT NULL ORDER BY class, due_ms"
        ),
        &[],
    )?;
    rows.iter()
        .map(|row| {
            Ok(Queue {
                class: Class::from_code(row.int(0)?).ok_or(PortError::Shape {
                    column: 0,
                    expected: "a class",
                })?,
                name: row.text(1)?,
                due_ms: row.int(2)?,
            })
        })
        .collect()
}

/// Whether chunks of a queue are ready and due.
pub fn has_due(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<bool, PortError> {
    let rows = sql.exec(
        "SELECT 1 FROM chunk WHERE state = 1 AND class = ?1 AND queue = ?2 AND due_ms <= ?3 LIMIT 1",
        &[queue.class.code().into(), queue.name.as_str().into(), now_ms.into()],
    )?;
    Ok(!rows.is_empty())
}

/// Chunks that are claimed together for one object of a carrier.
#[derive(Debug)]
pub struct Claimed {
    /// The chunks.
    pub handovers: Vec<Handover>,
    /// Whether more chunks may be due, for which there was no room.
    pub is_full: bool,
}

/// Claims chunks of a queue that are due for an object of a carrier, oldest first, as many as go into one bundle. Until their
/// lease ends, nobody else claims them.
pub fn claim(sql: &impl Sql, now_ms: i64, queue: &Queue, object: &str) -> Result<Option<Claimed>, PortError> {
    let Due { places, is_full } = due_in(sql, now_ms, queue)?;
    if places.is_empty() {
        return Ok(None);
    }
    let places = to_json(&places)?;
    let rows = sql.exec(
        "SELECT m.id, c.number, c.attempt + 1, m.uid, m.line, m.text, \
                c.recipients, m.kind, c.doubt_ms \
         FROM json_each(?1) p CROSS JOIN chunk c ON c.message = p.value ->> 0 AND c.number = p.value ->> 1 \
         CROSS JOIN message m ON m.id = c.message ORDER BY p.key",
        &[places.as_str().into()],
    )?;
    let handovers = rows.iter().map(|row| handover(sql, row)).collect::<Result<_, _>>()?;
    sql.exec(
        "UPDATE chunk SET state = ?2, attempt = attempt + 1, due_ms = ?3, object = ?4 FROM json_each(?1) AS p \
         WHERE message = p.value ->> 0 AND number = p.value ->> 1",
        &[
            places.into(),
            ChunkState::Claimed.code().into(),
            now_ms.saturating_add(LEASE_MS).into(),
            object.into(),
        ],
    )?;
    Ok(Some(Claimed { handovers, is_full }))
}

struct Due {
    places: Vec<Place>,
    is_full: bool,
}

fn due_in(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<Due, PortError> {
    let rows = sql.exec(
        "SELECT message, number, queued FROM chunk WHERE state = 1 AND class = ?1 AND queue = ?2 AND due_ms <= ?3 \
         ORDER BY due_ms LIMIT ?4",
        &[
            queue.class.code().into(),
            queue.name.as_str().into(),
            now_ms.into(),
            i64::try_from(CHUNKS_A_BUNDLE).unwrap_or(i64::MAX).into(),
        ],
    )?;
    let (mut places, mut recipients) = (Vec::with_capacity(rows.len()), 0);
    for row in &rows {
        recipients += row.int(2)?;
        if !places.is_empty() && recipients > RECIPIENTS_A_BUNDLE {
            return Ok(Due { places, is_full: true });
        }
        places.push((row.int(0)?, row.u32(1)?));
    }
    let is_full = places.len() >= CHUNKS_A_BUNDLE;
    Ok(Due { places, is_full })
}

fn handover(sql: &impl Sql, row: &Row) -> Result<Handover, PortError> {
    let chunk = ChunkRef {
        message: row.int(0)?,
        number: row.u32(1)?,
        attempt: row.u32(2)?,
    };
    let recipients: Vec<(u32, u64)> = recipients::read(&row.text(6)?)?
        .iter()
        .filter(|recipient| recipient.status == RecipientStatus::Queued)
        .map(|recipient| (recipient.index, recipient.msisdn))
        .collect();
    let has_texts = MessageKind::parse(&row.text(7)?).is_some_and(MessageKind::has_recipient_texts);
    Ok(Handover {
        chunk,
        uid: row.text(3)?,
        line: row.text(4)?,
        text: row.text(5)?,
        texts: match has_texts {
            true => read::recipient_texts(sql, chunk.message, recipients.iter().map(|(index, _)| *index))?,
            false => BTreeMap::new(),
        },
        recipients,
        doubt_ms: row.opt_int(8)?,
    })
}

/// When a chunk that waits for a time is due next.
pub fn waiting_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT min(due_ms) FROM chunk WHERE state IN (0, 2, 3, 5, 7)", &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}

/// The chunks of a queue that have waited since `since_ms` or longer and are due: some of the oldest.
pub fn overdue(sql: &impl Sql, now_ms: i64, queue: &Queue, since_ms: i64) -> Result<Vec<Place>, PortError> {
    let rows = sql.exec(
        "SELECT message, number FROM (SELECT message, number, ready_ms FROM chunk \
           WHERE state = 1 AND class = ?1 AND queue = ?2 AND due_ms <= ?3 ORDER BY due_ms LIMIT ?4) WHERE ready_ms <= ?5",
        &[
            queue.class.code().into(),
            queue.name.as_str().into(),
            now_ms.into(),
            i64::try_from(CHUNKS_A_BUNDLE).unwrap_or(i64::MAX).into(),
            since_ms.into(),
        ],
    )?;
    rows.iter().map(|row| Ok((row.int(0)?, row.u32(1)?))).collect()
}
