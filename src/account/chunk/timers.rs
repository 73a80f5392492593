//! Chunks whose time has come: a scheduled one starts, a claim that nobody ended comes back, a wait for reports
//! or for an operator ends.

use super::transitions::Transitions;
use super::{ChunkId, ChunkState, is_waiting};
use super::{in_doubt, outcomes};
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
            concat!(
                "SELECT c.message, c.number, c.state, m.test, c.queued, coalesce(m.send_at_ms, 0) > ?1 \
                 FROM chunk c JOIN message m ON m.id = c.message WHERE ",
                is_waiting!("c."),
                " AND c.due_ms <= ?1 ORDER BY c.due_ms LIMIT ?2"
            ),
            &[now_ms.into(), CHUNKS_A_GO.into()],
        )?;
        for row in &due {
            let id = (row.int(0)?, row.u32(1)?);
            match ChunkState::from_code(row.int(2)?) {
                Some(ChunkState::Scheduled) => start(sql, work, id, row.bool(3)?)?,
                // What a test key sent never leaves, so there is no doubt.
                Some(ChunkState::InDoubt) if row.bool(3)? && !row.bool(5)? => {
                    start(sql, work, id, true)?;
                }
                Some(ChunkState::InDoubt) => in_doubt::end(sql, work, id, row.bool(5)?)?,
                Some(ChunkState::Claimed) if row.int(4)? == 0 => wait_on(sql, id)?,
                Some(ChunkState::Claimed) => outcomes::lease_ended(sql, work, id)?,
                Some(ChunkState::Parked) => outcomes::give_up_overdue(sql, work, &[id])?,
                _ => expire(sql, work, id)?,
            }
        }
        Ok(i64::try_from(due.len()).unwrap_or(i64::MAX) >= CHUNKS_A_GO)
    })?;
    Ok(more.unwrap_or(false))
}

/// When a chunk that waits for a time is due next.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(concat!("SELECT min(due_ms) FROM chunk WHERE ", is_waiting!()), &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}

/// Starts a chunk. What a test key sent goes to no carrier: it ends at once, as the number says.
fn start(sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId, is_test: bool) -> Result<(), PortError> {
    let mut transitions = Transitions::load(sql, &[id])?;
    transitions.start(sql, work, id)?;
    if is_test {
        transitions.end(sql, work, id, simulation::ending)?;
    }
    transitions.save(sql)
}

/// Waits on for the reports of a chunk whose lease has ended after its carrier had answered.
fn wait_on(sql: &impl Sql, id: ChunkId) -> Result<(), PortError> {
    let mut transitions = Transitions::load(sql, &[id])?;
    transitions.wait_on(id);
    transitions.save(sql)
}

fn expire(sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId) -> Result<(), PortError> {
    let mut transitions = Transitions::load(sql, &[id])?;
    transitions.expire(sql, work, id)?;
    transitions.save(sql)
}
