//! Chunks whose time has come: a scheduled one starts, a claim that nobody ended comes back, a wait for reports
//! or for an operator ends.

use super::outcomes;
use super::transitions::Moves;
use crate::account::chunk::{ChunkState, Place};
use crate::account::message::simulation;
use crate::account::unit_of_work::{self, UnitOfWork};
use crate::base::ports::{PortError, Sql};

/// Chunks brought on in one go.
const CHUNKS_A_GO: i64 = 200;

/// Brings on the chunks that are due, at most so many; `true` when more may be due. Each chunk's own state says what it
/// needs.
pub fn bring_on(sql: &impl Sql, now_ms: i64) -> Result<bool, PortError> {
    let more = unit_of_work::run(sql, now_ms, |work| {
        let due = sql.exec(
            "SELECT c.message, c.number, c.state, m.test, c.queued, coalesce(m.send_at_ms, 0) > ?1 FROM chunk c JOIN message m ON m.id = c.message \
             WHERE c.state IN (0, 2, 3, 5, 7) AND c.due_ms <= ?1 ORDER BY c.due_ms LIMIT ?2",
            &[now_ms.into(), CHUNKS_A_GO.into()],
        )?;
        for row in &due {
            let place = (row.int(0)?, row.u32(1)?);
            match ChunkState::from_code(row.int(2)?) {
                Some(ChunkState::Scheduled) => start(sql, work, place, row.bool(3)?)?,
                // What a test key sent never leaves, so there is no doubt.
                Some(ChunkState::Doubted) if row.bool(3)? && !row.bool(5)? => {
                    start(sql, work, place, true)?;
                }
                Some(ChunkState::Doubted) => end_doubted(sql, work, place, row.bool(5)?)?,
                Some(ChunkState::Claimed) if row.int(4)? == 0 => wait_on(sql, place)?,
                Some(ChunkState::Claimed) => outcomes::lease_ended(sql, work, place)?,
                Some(ChunkState::Parked) => outcomes::give_up_overdue(sql, work, &[place])?,
                _ => expire(sql, work, place)?,
            }
        }
        Ok(i64::try_from(due.len()).unwrap_or(i64::MAX) >= CHUNKS_A_GO)
    })?;
    Ok(more.unwrap_or(false))
}

/// Starts a chunk. What a test key sent goes to no carrier: it ends at once, as the number says.
fn start(sql: &impl Sql, work: &mut UnitOfWork, place: Place, is_test: bool) -> Result<(), PortError> {
    let mut moves = Moves::load(sql, &[place])?;
    moves.start(sql, work, place)?;
    if is_test {
        moves.end(sql, work, place, simulation::ending)?;
    }
    moves.save(sql)
}

/// Ends what waits in a chunk of which nobody knows whether it has left.
fn end_doubted(sql: &impl Sql, work: &mut UnitOfWork, place: Place, is_ahead: bool) -> Result<(), PortError> {
    let mut moves = Moves::load(sql, &[place])?;
    moves.end_doubted(sql, work, place, is_ahead)?;
    moves.save(sql)
}

/// Waits on for the reports of a chunk whose lease has ended after its carrier had answered.
fn wait_on(sql: &impl Sql, place: Place) -> Result<(), PortError> {
    let mut moves = Moves::load(sql, &[place])?;
    moves.wait_on(place);
    moves.save(sql)
}

fn expire(sql: &impl Sql, work: &mut UnitOfWork, place: Place) -> Result<(), PortError> {
    let mut moves = Moves::load(sql, &[place])?;
    moves.expire(sql, work, place)?;
    moves.save(sql)
}
