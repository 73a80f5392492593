//! Chunks whose time has come: a scheduled one starts, a claim that nobody ended comes back, a wait for reports,
//! for an operator or for the sender ends.

use super::transitions::Transitions;
use super::{expiry, in_doubt, outcomes, quarantine};
use crate::account::record::chunk::{ChunkId, ChunkState, is_waiting};
use crate::account::record::message::{row::Halt, simulation};
use crate::account::sources;
use crate::account::unit_of_work::{self, UnitOfWork};
use crate::base::ports::{PortError, Row, Sql};

/// Chunks brought on in one go.
const CHUNKS_A_GO: i64 = 200;

/// A chunk whose time has come.
struct Due {
    id: ChunkId,
    state: Option<ChunkState>,
    is_test: bool,
    /// Recipients that wait for a carrier.
    queued: i64,
    /// Whether its message is scheduled for later.
    is_early: bool,
}

/// Brings on the chunks that are due, at most so many; `true` when more may be due. Each chunk's own state says what it
/// needs. They are brought on together. If that fails, each goes by itself, and one that can't be brought on is put aside, so
/// that it keeps no other from its turn.
pub fn bring_on(sql: &impl Sql, now_ms: i64) -> Result<bool, PortError> {
    let due = due(sql, now_ms)?;
    let together = unit_of_work::run(sql, now_ms, |work| {
        due.iter().try_for_each(|due| due.bring_on(sql, work))
    });
    if together.is_err() {
        for due in &due {
            let alone = unit_of_work::run(sql, now_ms, |work| due.bring_on(sql, work));
            sql.transaction(|| quarantine::keep(sql, now_ms, due.id, alone))?;
        }
    }
    Ok(i64::try_from(due.len()).unwrap_or(i64::MAX) >= CHUNKS_A_GO)
}

fn due(sql: &impl Sql, now_ms: i64) -> Result<Vec<Due>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT c.message, c.number, c.state, m.test, c.queued, coalesce(m.send_at_ms, 0) > ?1 \
             FROM chunk c JOIN message m ON m.id = c.message WHERE ",
            is_waiting!("c."),
            " AND c.due_ms <= ?1 ORDER BY c.due_ms LIMIT ?2"
        ),
        &[now_ms.into(), CHUNKS_A_GO.into()],
    )?;
    rows.iter().map(Due::of).collect()
}

impl Due {
    fn of(row: &Row) -> Result<Due, PortError> {
        let mut row = row.reader();
        Ok(Due {
            id: (row.read::<i64>()?, row.read::<u32>()?),
            state: ChunkState::from_code(row.read::<i64>()?),
            is_test: row.read()?,
            queued: row.read()?,
            is_early: row.read()?,
        })
    }

    fn bring_on(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Result<(), PortError> {
        match self.state {
            Some(ChunkState::Scheduled) => start(sql, work, self.id, self.is_test),
            // What a test key sent never leaves, so there is no doubt.
            Some(ChunkState::InDoubt) if self.is_test && !self.is_early => start(sql, work, self.id, true),
            Some(ChunkState::InDoubt) => in_doubt::end(sql, work, self.id, self.is_early),
            Some(ChunkState::Claimed) if self.queued == 0 => wait_on(sql, self.id),
            Some(ChunkState::Claimed) => outcomes::lease_ended(sql, work, self.id),
            Some(ChunkState::Parked) => outcomes::give_up_overdue(sql, work, &[self.id]),
            Some(ChunkState::Paused) => expiry::cancel(sql, work, &[self.id]).map(drop),
            _ => expire(sql, work, self.id),
        }
    }
}

/// When a chunk that waits for a time is due next.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(concat!("SELECT min(due_ms) FROM chunk WHERE ", is_waiting!()), &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}

/// Starts a chunk, unless its message has expired. What a test key sent goes to no carrier: it ends at once, as the number says.
fn start(sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId, is_test: bool) -> Result<(), PortError> {
    let mut transitions = Transitions::load(sql, &[id])?;
    if transitions.has_expired(id.0, work.now_ms) {
        transitions.cancel(sql, work, id)?;
        sources::forget(sql, id.0)?;
        return transitions.save(sql);
    }
    transitions.start(sql, work, id)?;
    if transitions.halt(id.0) == Some(Halt::Paused) {
        transitions.pause(id);
    } else if is_test {
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
