//! Chunks with which the object can't go on, because what is stored of them can't be read. Each would stop the work of its whole
//! account. So it is put aside for a day and tried again then, and operators read of it among the dead letters.

use super::dead_letters::{self, Kind};
use crate::account::record::chunk::ChunkId;
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;

/// How long a chunk is put aside, ms.
const ASIDE_MS: i64 = DAY_MS;

/// Puts a chunk aside whose work has failed and would fail again. A store that does not answer is no fault of the chunk. The
/// caller has a transaction.
pub fn keep<T>(sql: &impl Sql, now_ms: i64, id: ChunkId, worked: Result<T, PortError>) -> Result<Option<T>, PortError> {
    match worked {
        Ok(done) => Ok(Some(done)),
        Err(error @ PortError::Unavailable { .. }) => Err(error),
        Err(error) => put_aside(sql, now_ms, id, &error).map(|()| None),
    }
}

fn put_aside(sql: &impl Sql, now_ms: i64, id: ChunkId, error: &PortError) -> Result<(), PortError> {
    let rows = sql.exec(
        "UPDATE chunk SET due_ms = ?3 WHERE message = ?1 AND number = ?2 RETURNING queued",
        &[id.0.into(), id.1.into(), now_ms.saturating_add(ASIDE_MS).into()],
    )?;
    let queued = rows.first().map_or(Ok(0), |row| row.int(0))?;
    let reason = format!("the chunk can't be worked on, and is tried again in a day: {error}");
    dead_letters::insert(sql, now_ms, (id, queued), Kind::GivenUp, &reason).map(drop)
}
