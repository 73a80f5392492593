//! Chunks that the object gave up. A row stays here until the directory has it, where operators read it.

use super::chunk::Place;
use super::status::RecipientStatus;
use crate::ports::{PortError, Sql};

/// Dead letters written to the directory in one go.
const A_GO: i64 = 100;

/// A chunk that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// Its number in its account, from 1.
    pub seq: i64,
    /// When it was given up.
    pub at_ms: i64,
    /// The message's uid.
    pub uid: String,
    /// The carrier that had it last; empty if none had it.
    pub carrier: String,
    /// Recipients that were given up.
    pub recipients: u32,
    /// How often the chunk was handed over.
    pub attempts: u32,
    /// Why, for operators.
    pub reason: String,
}

/// Notes that the queued recipients of a chunk are given up.
pub fn insert(sql: &impl Sql, now_ms: i64, place: Place, reason: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO dead_letter (at_ms, uid, carrier, recipients, attempts, reason) \
         SELECT ?3, m.uid, coalesce(substr(c.object, 1, instr(c.object || '/', '/') - 1), ''), \
                (SELECT count(*) FROM recipient r WHERE r.message = c.message AND r.idx BETWEEN c.first AND c.last \
                   AND r.chunk = c.number AND r.status = ?5), c.attempt, ?4 \
         FROM chunk c JOIN message m ON m.id = c.message WHERE c.message = ?1 AND c.number = ?2",
        &[
            place.0.into(),
            place.1.into(),
            now_ms.into(),
            reason.into(),
            RecipientStatus::Queued.code().into(),
        ],
    )
    .map(drop)
}

/// The oldest dead letters that the directory does not have.
pub fn oldest(sql: &impl Sql) -> Result<Vec<DeadLetter>, PortError> {
    let rows = sql.exec(
        "SELECT seq, at_ms, uid, carrier, recipients, attempts, reason FROM dead_letter ORDER BY seq LIMIT ?1",
        &[A_GO.into()],
    )?;
    rows.iter()
        .map(|row| {
            Ok(DeadLetter {
                seq: row.int(0)?,
                at_ms: row.int(1)?,
                uid: row.text(2)?,
                carrier: row.text(3)?,
                recipients: row.u32(4)?,
                attempts: row.u32(5)?,
                reason: row.text(6)?,
            })
        })
        .collect()
}

/// Forgets dead letters up to this one: the directory has them.
pub fn forget(sql: &impl Sql, last_seq: i64) -> Result<(), PortError> {
    sql.exec("DELETE FROM dead_letter WHERE seq <= ?1", &[last_seq.into()])
        .map(drop)
}

/// When the next dead letters are to be told: they are due as soon as they exist.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT min(at_ms) FROM dead_letter", &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
