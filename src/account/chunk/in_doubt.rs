//! Chunks in doubt. What a restore brings back looks as if it had never left. So whatever waits is put in doubt, and nothing of
//! it is handed to a carrier again.

use super::transitions::{Transitions, ranges};
use crate::account::record::chunk::{ChunkId, ChunkState, state_code};
use crate::account::record::message::status::RecipientStatus;
use crate::account::sources;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// The states of chunks that may have recipients to hand over.
macro_rules! may_leave {
    () => {
        concat!(
            "state IN (",
            state_code!(Scheduled),
            ", ",
            state_code!(Ready),
            ", ",
            state_code!(Claimed),
            ", ",
            state_code!(Parked),
            ", ",
            state_code!(InDoubt),
            ", ",
            state_code!(Paused),
            ")"
        )
    };
}

/// Puts all that waits in doubt: a chore ends it. Returns how many recipients that are, and how many of them were to leave later.
pub fn begin(sql: &impl Sql, now_ms: i64) -> Result<(i64, i64), PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT total(iif(is_ahead, 0, queued)), total(iif(is_ahead, queued, 0)) FROM ( \
               SELECT c.queued, c.state = ",
            state_code!(Scheduled),
            " AND coalesce(m.send_at_ms, 0) > ?1 AS is_ahead \
               FROM chunk c CROSS JOIN message m ON m.id = c.message WHERE c.",
            may_leave!(),
            ")"
        ),
        &[now_ms.into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no sums"))?;
    sql.exec(
        concat!("UPDATE chunk SET state = ?1, due_ms = ?2 WHERE ", may_leave!()),
        &[ChunkState::InDoubt.code().into(), now_ms.into()],
    )?;
    Ok((row.int(0)?, row.int(1)?))
}

/// After a restore: cancels scheduled recipients whose time is ahead, because their owner may have canceled them in the time
/// that is gone; marks queued ones UNKNOWN, because a carrier may have them.
pub fn end(sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId, is_ahead: bool) -> Result<(), PortError> {
    let mut transitions = Transitions::load(sql, &[id])?;
    let scheduled = ranges(id.0, &transitions.indexes_in(id, RecipientStatus::Scheduled));
    if is_ahead && !scheduled.is_empty() {
        transitions.advance(sql, work, &scheduled, RecipientStatus::Canceled)?;
        sources::forget(sql, id.0)?;
    } else {
        transitions.start(sql, work, id)?;
        transitions.end(sql, work, id, |_| RecipientStatus::Unknown)?;
        transitions.await_reports_if_handed(work.now_ms);
    }
    transitions.save(sql)
}
