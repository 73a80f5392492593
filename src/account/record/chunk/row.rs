//! A chunk's row: how it is made, what of it stands in memory, and how it is written back.
//!
//! The invariant: what is in an index is written only if it has changed, because such a write costs more than the row.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use sms::msisdn::{Msisdn, Operator};

use super::accepted::AcceptedChunk;
use super::loaded::{self, Loaded};
use super::progress::{Progress, place_row, progress_row};
use super::queue::FirstDue;
use super::recipients::{self, Recipient};
use super::{ChunkId, ChunkState, REPORT_DEADLINE_MS};
use crate::account::record::message::row::{MessageRow, message_row};
use crate::account::record::message::status::RecipientStatus;
use crate::account::record::rows::Rows;
use crate::base::ports::{PortError, Sql, Value};
use crate::base::record::Columns;
use crate::durable::{listed, remembered, to_json};

/// A chunk with so many recipients is written by a statement of its own. SQLite would spend more time on reading its document
/// within a JSON text than on the statement.
pub const LARGE: usize = 50;

/// A chunk that has not ended.
pub struct Chunk {
    now: Progress,
    stored: Progress,
}

impl Deref for Chunk {
    type Target = Progress;

    fn deref(&self) -> &Progress {
        &self.now
    }
}

impl DerefMut for Chunk {
    fn deref_mut(&mut self) -> &mut Progress {
        &mut self.now
    }
}

/// The recipients of a chunk.
pub struct Document {
    /// They themselves.
    pub recipients: Vec<Recipient>,
    /// Whether one of them was changed.
    pub changed: bool,
    /// Whether they are of a wave of a campaign, which tells why they have failed.
    pub is_of_campaign: bool,
}

impl Document {
    /// How many have the message, how many have failed to get it, and how much of their cost is back in the wallet: what lists of
    /// messages and campaigns tell.
    fn endings(&self) -> [i64; 3] {
        let count = |has_ended: fn(RecipientStatus) -> bool| {
            let ended = self.recipients.iter().filter(|recipient| has_ended(recipient.status));
            i64::try_from(ended.count()).unwrap_or(i64::MAX)
        };
        [
            count(|status| status == RecipientStatus::Delivered),
            count(RecipientStatus::is_failed),
            self.returned(),
        ]
    }

    fn returned(&self) -> i64 {
        let returned = self.recipients.iter().filter(|recipient| recipient.money.is_returned());
        returned.fold(0, |sum, recipient| sum.saturating_add(recipient.cost))
    }

    /// How many have failed, by the error and their mobile operator, as JSON; `None` if nobody asks for it, or none has.
    fn failed_for(&self) -> Result<Option<String>, PortError> {
        let mut counts: BTreeMap<(&str, &str), i64> = BTreeMap::new();
        let failed = self.recipients.iter().filter(|recipient| recipient.status.is_failed());
        for recipient in failed.filter(|_| self.is_of_campaign) {
            let operator = Msisdn::from_digits(recipient.msisdn).map_or(Operator::Other, Msisdn::operator);
            let error = recipient.error.as_deref().unwrap_or_default();
            *counts.entry((error, operator.as_str())).or_default() += 1;
        }
        let listed: Vec<_> = counts
            .iter()
            .map(|((error, operator), count)| (error, operator, count))
            .collect();
        (!listed.is_empty()).then(|| to_json(&listed)).transpose()
    }
}

impl Chunk {
    /// A chunk that is stored as this.
    pub fn of(stored: Progress) -> Chunk {
        let state = match stored.state {
            ChunkState::Claimed if stored.queued == 0 => ChunkState::Awaiting,
            state => state,
        };
        Chunk {
            now: Progress { state, ..stored },
            stored,
        }
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

    fn to_store(&self) -> Progress {
        let keeps_lease = self.stored.state == ChunkState::Claimed && self.stored.due_ms == self.due_ms;
        Progress {
            state: match self.state {
                ChunkState::Canceled => ChunkState::Canceled,
                _ if self.open == 0 => ChunkState::Ended,
                ChunkState::Awaiting if keeps_lease => ChunkState::Claimed,
                state => state,
            },
            ..self.now
        }
    }

    /// Whether it waits in a queue, or does so when it is written.
    fn is_in_queue(&self) -> bool {
        self.stored.state == ChunkState::Ready || self.to_store().state == ChunkState::Ready
    }

    fn counts(&self) -> [i64; 3] {
        [self.queued, self.active, self.open]
    }
}

/// A statement that writes new chunks, with what stands before it and what gives the values.
macro_rules! insert_into_chunk {
    ($before:expr; $($values:expr),+) => {
        concat!(
            $before,
            "INSERT INTO chunk (",
            place_row!(columns),
            ", ",
            progress_row!(columns),
            ", ",
            message_row!(columns),
            ", recipients) ",
            $($values),+
        )
    };
}

/// Writes chunks that are not written yet. The first chunk of each message has the message in its row. The object remembers those that are
/// claimed.
pub fn insert(
    sql: &impl Sql,
    chunks: Vec<AcceptedChunk>,
    messages: &BTreeMap<i64, MessageRow>,
) -> Result<(), PortError> {
    let ready = chunks.iter().filter(|chunk| chunk.progress.state == ChunkState::Ready);
    let queues: Vec<_> = ready
        .map(|chunk| (chunk.progress.class, chunk.place.queue.clone()))
        .collect();
    remembered::keep::<FirstDue>(sql, &queues, || {
        remembered::keep::<Loaded>(sql, [], || {
            insert_all(sql, &chunks, messages)?;
            Ok(loaded::claimed(chunks, messages))
        })?;
        Ok(Vec::new())
    })
}

fn insert_all(sql: &impl Sql, chunks: &[AcceptedChunk], messages: &BTreeMap<i64, MessageRow>) -> Result<(), PortError> {
    let mut rows = Rows::default();
    for chunk in chunks {
        let message = messages.get(&chunk.place.id.0).filter(|_| chunk.place.id.1 == 0);
        let message = message.map(Columns::values).transpose()?;
        let (mut values, progress) = (chunk.place.values()?, chunk.progress.values()?);
        let recipients = recipients::write(&chunk.recipients)?;
        if chunk.recipients.len() < LARGE {
            rows.push(&(values, progress, message, recipients))?;
            continue;
        }
        values.extend(progress);
        values.extend(message.unwrap_or_else(|| vec![Value::Null; MessageRow::COUNT]));
        values.push(recipients.into());
        let insert = insert_into_chunk!(
            "";
            "VALUES (", place_row!(marks), ", ", progress_row!(marks), ", ", message_row!(marks), ", ?)"
        );
        sql.exec(insert, &values)?;
    }
    rows.write(|rows| {
        let insert = insert_into_chunk!(
            listed!();
            "SELECT ",
            place_row!(places "value ->> '$[0][" "]'"),
            ", ",
            progress_row!(places "value ->> '$[1][" "]'"),
            ", ",
            message_row!(places "value ->> '$[2][" "]'"),
            ", value ->> 3 FROM listed"
        );
        sql.exec(insert, &[rows.into()]).map(drop)
    })
}

/// Writes of listed chunks their counts, their recipients, and what stands here beside them. Without more, nothing is written that is
/// in an index.
macro_rules! update_listed {
    ($moved:literal) => {
        concat!(
            listed!(),
            "UPDATE chunk SET queued = p.value ->> '$[1][0]', active = p.value ->> '$[1][1]', open = p.value ->> '$[1][2]', \
               recipients = coalesce(p.value ->> 2, recipients), sealed = iif(p.value ->> '$[1][0]' = 0, NULL, sealed), \
               callback = iif(p.value ->> '$[1][2]' = 0, NULL, callback), \
               delivered = p.value ->> '$[1][3]', failed = p.value ->> '$[1][4]', returned = p.value ->> '$[1][5]', \
               failed_for = p.value ->> 3",
            $moved,
            " FROM listed AS p WHERE message = p.value ->> '$[0][0]' AND number = p.value ->> '$[0][1]'"
        )
    };
}

/// Writes what has changed of chunks that were loaded.
pub fn write(
    sql: &impl Sql,
    chunks: &BTreeMap<ChunkId, Chunk>,
    documents: &BTreeMap<ChunkId, Document>,
) -> Result<(), PortError> {
    let write = || {
        remembered::keep::<Loaded>(sql, documents.keys(), || {
            write_all(sql, chunks, documents)?;
            Ok(Vec::new())
        })
    };
    if chunks.values().any(Chunk::is_in_queue) {
        return write();
    }
    // No queue changes.
    remembered::keep::<FirstDue>(sql, [], || {
        write()?;
        Ok(Vec::new())
    })
}

fn write_all(
    sql: &impl Sql,
    chunks: &BTreeMap<ChunkId, Chunk>,
    documents: &BTreeMap<ChunkId, Document>,
) -> Result<(), PortError> {
    let (mut moved, mut counted) = (Rows::default(), Rows::default());
    for (id, document) in documents {
        let chunk = chunks.get(id);
        // What is over has no counts that change.
        let [queued, active, open] = chunk.map_or([0; 3], Chunk::counts);
        let [delivered, failed, returned] = document.endings();
        let counts = [queued, active, open, delivered, failed, returned];
        let moved_to = chunk.filter(|chunk| chunk.stored.indexed() != chunk.to_store().indexed());
        let moved_to = moved_to.map(|chunk| chunk.to_store().indexed());
        let recipients = document.changed.then_some(&document.recipients);
        match (moved_to, recipients) {
            (None, None) => {}
            (_, Some(recipients)) if recipients.len() >= LARGE => {
                write_large(sql, *id, moved_to, (counts, document.failed_for()?), recipients)?;
            }
            (Some(_), _) => moved.push(&(id, counts, recipients, document.failed_for()?, moved_to))?,
            (None, Some(_)) => counted.push(&(id, counts, recipients, document.failed_for()?))?,
        }
    }
    moved.write(|rows| {
        let update = update_listed!(
            ", state = p.value ->> '$[4][0]', due_ms = p.value ->> '$[4][1]', failures = p.value ->> '$[4][2]', \
               doubt_ms = p.value ->> '$[4][3]', queue = iif(p.value ->> '$[4][3]' IS NULL, route, '@' || object)"
        );
        sql.exec(update, &[rows.into()]).map(drop)
    })?;
    counted.write(|rows| sql.exec(update_listed!(""), &[rows.into()]).map(drop))
}

/// Writes a chunk's counts, its recipients, and what stands here beside them.
macro_rules! update_large {
    ($moved:literal) => {
        concat!(
            "UPDATE chunk SET queued = ?3, active = ?4, open = ?5, delivered = ?6, failed = ?7, returned = ?8, recipients = ?9, \
             failed_for = ?10",
            $moved,
            " WHERE message = ?1 AND number = ?2"
        )
    };
}

fn write_large(
    sql: &impl Sql,
    (message, number): ChunkId,
    moved_to: Option<(i64, i64, u32, Option<i64>)>,
    ([queued, active, open, delivered, failed, returned], failed_for): ([i64; 6], Option<String>),
    recipients: &[Recipient],
) -> Result<(), PortError> {
    let mut params = (message, number, (queued, active, open), (delivered, failed, returned)).values()?;
    params.push(recipients::write(recipients)?.into());
    params.push(failed_for.into());
    let statement = match moved_to {
        None => update_large!(""),
        Some(moved_to) => {
            moved_to.write(&mut params)?;
            update_large!(
                ", state = ?11, due_ms = ?12, failures = ?13, doubt_ms = ?14, queue = iif(?14 IS NULL, route, '@' || object)"
            )
        }
    };
    sql.exec(statement, &params).map(drop)
}
