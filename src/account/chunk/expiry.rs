//! Chunks whose message has expired: nothing of it leaves any more, and what has not left is canceled with its money back.
//!
//! No index has the messages by their expiry: each message would pay for it. So a chunk is canceled by whoever meets it: when it is
//! claimed ([`claim`](crate::account::record::chunk::claim)), when it comes back from a carrier ([`outcomes`](super::outcomes)), when its time comes
//! ([`timers`](super::timers)), and while no carrier takes its queue. Who wants it at the moment of the expiry calls
//! [`cancel_expired`].
//!
//! The invariant: of a chunk in doubt, the carrier is asked first.
//!
//! A recipient is canceled so, and not EXPIRED: that is the status of one that a carrier has had.

use super::transitions::Transitions;
use crate::account::record::chunk::queue::{Queue, Way};
use crate::account::record::chunk::{ChunkId, is_ready, state_code};
use crate::account::sources;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql};
use crate::durable::to_json;

/// The oldest chunks of a queue that are looked at.
const LOOKED_AT: i64 = 50;

/// Cancels the recipients of those of these messages that have expired at `now_ms`, as far as no carrier has them or may have them.
/// The others are canceled when they come back. Returns how many were canceled. The messages are written, and the caller bounds how
/// many they are.
pub fn cancel_expired(sql: &impl Sql, work: &mut UnitOfWork, now_ms: i64, messages: &[i64]) -> Result<i64, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT c.message, c.number FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value AND m.expires_ms <= ?2 \
             CROSS JOIN chunk c ON c.message = m.id AND c.queued > 0 AND c.doubt_ms IS NULL AND c.state IN (",
            state_code!(Scheduled),
            ", ",
            state_code!(Ready),
            ", ",
            state_code!(Parked),
            ", ",
            state_code!(Paused),
            ")"
        ),
        &[to_json(&messages)?.into(), now_ms.into()],
    )?;
    cancel(sql, work, &chunk_ids(&rows)?)
}

/// Cancels what has not left of chunks that are at rest. Returns how many recipients that were.
pub fn cancel(sql: &impl Sql, work: &mut UnitOfWork, ids: &[ChunkId]) -> Result<i64, PortError> {
    if ids.is_empty() {
        return Ok(0);
    }
    let mut transitions = Transitions::load(sql, ids)?;
    for id in ids {
        transitions.cancel(sql, work, *id)?;
    }
    let recipients = transitions.moved();
    transitions.save(sql)?;
    for (message, _) in ids {
        sources::forget(sql, *message)?;
    }
    Ok(recipients)
}

/// The chunks of messages that have expired, among the oldest of a queue that are due. None of a queue of chunks in doubt, of which
/// the carriers are asked.
pub fn expired_in(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<Vec<ChunkId>, PortError> {
    if matches!(queue.way(), Way::Object(_)) {
        return Ok(Vec::new());
    }
    let rows = sql.exec(
        concat!(
            "SELECT c.message, c.number FROM (SELECT message, number FROM chunk WHERE ",
            is_ready!(),
            " AND class = ?1 AND queue = ?2 AND due_ms <= ?3 ORDER BY due_ms LIMIT ?4) c \
             CROSS JOIN message m ON m.id = c.message WHERE m.expires_ms <= ?3"
        ),
        &[
            queue.priority.code().into(),
            queue.name.as_str().into(),
            now_ms.into(),
            LOOKED_AT.into(),
        ],
    )?;
    chunk_ids(&rows)
}

fn chunk_ids(rows: &[Row]) -> Result<Vec<ChunkId>, PortError> {
    rows.iter().map(|row| Ok((row.int(0)?, row.u32(1)?))).collect()
}
