//! Chunks that should have left an hour ago and wait still, because the carrier is down or paused or has no room, and chunks
//! that carriers refused each time. Operators see them among the dead letters until they move, and can try them again.
//!
//! No index has the chunks by how long they have waited: each message would pay for it. A look reads the indexes of the chunks
//! that wait, seldom, and the object remembers when the next look can find something ([`earliest_ms`]).
//!
//! The invariant: a chunk stands in the directory as stalled at most once, and not for long after it has moved. A row of `stuck`
//! is written together with its dead letter, and goes only after the directory has taken the letter back. *A crash in between*
//! costs a second take-back, which changes nothing.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::dead_letters::{self, Kind};
use super::transitions::Transitions;
use crate::account::record::chunk::{ChunkId, ChunkState, LEASE_MS, is_ready, is_waiting, state_code};
use crate::account::record::message::row::Halt;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::{refusal::Refusal, unit_of_work::UnitOfWork};
use crate::base::ports::{PortError, Sql};
use crate::base::time;
use crate::durable::{audit::Subject, to_json};

/// A chunk that should have left so long ago is stalled, ms.
pub const STALLED_MS: i64 = 60 * 60 * 1_000;
/// How often the object looks for stalled chunks, ms.
pub const LOOK_MS: i64 = 10 * 60 * 1_000;
/// So many chunks of an account stand in the directory as stalled at most. More would tell operators nothing new.
pub const MAX_STALLED: i64 = 200;

const REASON: &str = "it waits for its carrier for more than an hour";

/// Notes which chunks are stalled. Returns the numbers of the dead letters that are to be taken back, because their chunks have
/// moved.
pub fn look(sql: &impl Sql, now_ms: i64) -> Result<Vec<i64>, PortError> {
    sql.transaction(|| {
        let stalled_since_ms = now_ms.saturating_sub(STALLED_MS);
        let moved = moved(sql, stalled_since_ms)?;
        let room = MAX_STALLED.saturating_sub(count(sql)?);
        for waiting in waiting_since(sql, stalled_since_ms, room)? {
            note(sql, now_ms, waiting, REASON)?;
        }
        look_later(sql, now_ms)?;
        Ok(moved)
    })
}

/// Notes that carriers have refused a chunk each time, so that its recipients, so many, wait for an operator now.
pub fn note_parked(sql: &impl Sql, now_ms: i64, waiting: (ChunkId, i64), reason: &str) -> Result<(), PortError> {
    let (id, _) = waiting;
    let known = sql.exec(
        "SELECT 1 FROM stuck WHERE message = ?1 AND number = ?2",
        &[id.0.into(), id.1.into()],
    )?;
    if !known.is_empty() || count(sql)? >= MAX_STALLED {
        return Ok(());
    }
    note(sql, now_ms, waiting, reason)
}

fn note(sql: &impl Sql, now_ms: i64, waiting: (ChunkId, i64), reason: &str) -> Result<(), PortError> {
    let seq = dead_letters::insert(sql, now_ms, waiting, Kind::Stalled, reason)?;
    let (id, _) = waiting;
    sql.exec(
        "INSERT INTO stuck (message, number, seq) VALUES (?1, ?2, ?3)",
        &[id.0.into(), id.1.into(), seq.into()],
    )
    .map(drop)
}

/// Tries a stalled chunk again: it is as ready as if it had just been accepted. If its sender has paused the message, it waits for
/// that one.
#[derive(Debug, Serialize, Deserialize)]
pub struct RetryChunk {
    /// The number of its dead letter.
    pub seq: i64,
}

impl Request for RetryChunk {
    const NAME: &'static str = "RetryChunk";
    const LOOKS_AGAIN: bool = true;
    const WAKES: Wakes = Wakes::Now;
    type Reply = ();

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let rows = sql.exec(
            "SELECT m.uid, c.number, c.state, c.failures, c.ready_ms FROM stuck s \
             CROSS JOIN chunk c ON c.message = s.message AND c.number = s.number \
             CROSS JOIN message m ON m.id = c.message WHERE s.seq = ?1",
            &[self.seq.into()],
        )?;
        let Some(row) = rows.first() else {
            return Ok(Some(Subject::default()));
        };
        let (uid, chunk, state, failures, ready_ms): (String, i64, i64, i64, i64) = row.reader().read()?;
        let state = json!({
            "message": uid,
            "chunk": chunk,
            "parked": state == ChunkState::Parked.code(),
            "failures": failures,
            "readyAt": time::to_rfc3339(ready_ms),
        });
        Ok(Some(Subject::of(Some(state))))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<()> {
        let rows = sql.exec(
            concat!(
                "SELECT c.message, c.number FROM stuck s \
                 CROSS JOIN chunk c ON c.message = s.message AND c.number = s.number AND c.state IN (",
                state_code!(Ready),
                ", ",
                state_code!(Parked),
                ") WHERE s.seq = ?1"
            ),
            &[self.seq.into()],
        )?;
        let row = rows.first().ok_or(Refusal::NotStalled)?;
        let id: ChunkId = row.reader().read()?;
        sql.exec(
            "UPDATE chunk SET state = ?3, due_ms = ?4, ready_ms = ?4, failures = 0 WHERE message = ?1 AND number = ?2",
            &[
                id.0.into(),
                id.1.into(),
                ChunkState::Ready.code().into(),
                work.now_ms.into(),
            ],
        )?;
        let mut transitions = Transitions::load(sql, &[id])?;
        if transitions.halt(id.0) == Some(Halt::Paused) {
            transitions.pause(id);
            transitions.save(sql)?;
        }
        // The chore takes the letter back. Until then, a second retry does the same again.
        sql.exec("UPDATE upkeep SET look_due_ms = ?1", &[work.now_ms.into()])?;
        Ok(())
    }
}

/// The dead letters of stalled chunks that have moved. Those that the directory does not have yet are never told.
fn moved(sql: &impl Sql, stalled_since_ms: i64) -> Result<Vec<i64>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT s.seq FROM stuck s LEFT JOIN chunk c \
               ON c.message = s.message AND c.number = s.number AND c.queued > 0 AND c.state IN (",
            state_code!(Ready),
            ", ",
            state_code!(Claimed),
            ", ",
            state_code!(Parked),
            ") WHERE c.message IS NULL OR c.state <> ",
            state_code!(Parked),
            " AND c.ready_ms > ?1 ORDER BY s.seq"
        ),
        &[stalled_since_ms.into()],
    )?;
    let moved: Vec<i64> = rows.iter().map(|row| row.int(0)).collect::<Result<_, _>>()?;
    sql.exec(
        "DELETE FROM dead_letter WHERE seq IN (SELECT value FROM json_each(?1))",
        &[to_json(&moved)?.into()],
    )?;
    Ok(moved)
}

fn count(sql: &impl Sql) -> Result<i64, PortError> {
    let rows = sql.exec("SELECT count(*) FROM stuck", &[])?;
    rows.first().map_or(Ok(0), |row| row.int(0))
}

/// The ready and parked chunks that wait since a time or longer and are not known as stalled, those that wait longest first; each
/// with how many recipients wait. One that is claimed is ready again after its lease, unless it has left.
fn waiting_since(sql: &impl Sql, at_ms: i64, limit: i64) -> Result<Vec<(ChunkId, i64)>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT message, number, queued FROM ( \
               SELECT message, number, queued, ready_ms FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            " UNION ALL \
               SELECT message, number, queued, ready_ms FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            " AND state = ",
            state_code!(Parked),
            ") c \
             WHERE c.ready_ms <= ?1 AND NOT EXISTS \
               (SELECT 1 FROM stuck s WHERE s.message = c.message AND s.number = c.number) ORDER BY ready_ms LIMIT ?2"
        ),
        &[at_ms.into(), limit.into()],
    )?;
    rows.iter()
        .map(|row| Ok(((row.int(0)?, row.u32(1)?), row.int(2)?)))
        .collect()
}

/// Does not look again for a while. So chunks that have waited through a hold have time to leave.
pub fn look_later(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE upkeep SET look_due_ms = ?1",
        &[now_ms.saturating_add(LOOK_MS).into()],
    )
    .map(drop)
}

/// Forgets dead letters that the directory has taken back.
pub fn forget(sql: &impl Sql, letters: &[i64]) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM stuck WHERE seq IN (SELECT value FROM json_each(?1))",
        &[to_json(&letters)?.into()],
    )
    .map(drop)
}

/// When the first of the chunks that are ready or claimed now may be stalled: not before this time. Reads all of them.
pub fn earliest_ms(sql: &impl Sql, now_ms: i64) -> Result<i64, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT min(coalesce((SELECT min(ready_ms) FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            "), ?1), coalesce((SELECT min(ready_ms) FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            " AND state = ",
            state_code!(Claimed),
            " AND due_ms <= ?2), ?1))"
        ),
        &[now_ms.into(), now_ms.saturating_add(LEASE_MS).into()],
    )?;
    let oldest_ms = rows.first().map_or(Ok(now_ms), |row| row.int(0))?;
    Ok(oldest_ms.saturating_add(STALLED_MS))
}

/// When the object looks next: while a chunk is stalled, and while any is ready, of which none is stalled before `earliest_ms`.
/// Never while the account is on hold.
pub fn due_ms(sql: &impl Sql, earliest_ms: i64) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT max(look_due_ms, coalesce((SELECT 0 FROM stuck LIMIT 1), iif((SELECT min(class) FROM chunk WHERE ",
            is_ready!(),
            ") IS NULL, NULL, ?1))) FROM upkeep WHERE NOT (SELECT on_hold FROM account WHERE one = 1)"
        ),
        &[earliest_ms.into()],
    )?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}

/// Forgets all of them, and the letters about them that the directory does not have yet.
pub fn forget_all(sql: &impl Sql) -> Result<(), PortError> {
    sql.exec("DELETE FROM stuck", &[])?;
    dead_letters::forget_all(sql, Kind::Stalled)
}

/// How many chunks nobody has looked at although their time came before `due_ms`; how many wait for a carrier since `ready_ms`
/// or longer; and how many the directory has, or is to have, as stalled. Counts up to `limit` of each.
pub fn count_late(sql: &impl Sql, due_ms: i64, ready_ms: i64, limit: i64) -> Result<[i64; 3], PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT (SELECT count(*) FROM (SELECT 1 FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            " AND due_ms < ?1 LIMIT ?3)), (SELECT count(*) FROM (SELECT 1 FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            " AND ready_ms < ?2 LIMIT ?3)), (SELECT count(*) FROM stuck)"
        ),
        &[due_ms.into(), ready_ms.into(), limit.into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no counts"))?;
    Ok([row.int(0)?, row.int(1)?, row.int(2)?])
}
