//! Chunks that the object gave up, or that are [stalled](super::stalled). A row stays here until the directory has it, where operators
//! read it.

use crate::account::record::chunk::ChunkId;
use crate::base::named::named;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, record};

/// Dead letters written to the directory in one go.
const A_GO: i64 = 100;

named! {
    /// Why operators should look at a chunk.
    pub enum Kind {
        /// The object gave it up.
        GivenUp => "GIVEN_UP",
        /// It waits for a carrier for too long.
        Stalled => "STUCK",
    }
}

record! {
    /// A chunk that operators should look at.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DeadLetter by dead_letter {
        /// Its number in its account, from 1.
        pub seq: i64 = seq "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT";
        /// The name of its [`Kind`].
        pub kind: String = kind "TEXT NOT NULL";
        /// When it was given up, or found to be stalled.
        pub at_ms: i64 = at_ms "INTEGER NOT NULL";
        /// The message's uid.
        pub uid: String = uid "TEXT NOT NULL";
        /// The carrier that had it last; empty if none had it.
        pub carrier: String = carrier "TEXT NOT NULL";
        /// Recipients that were given up or wait.
        pub recipients: u32 = recipients "INTEGER NOT NULL";
        /// How often the chunk was handed over.
        pub attempts: u32 = attempts "INTEGER NOT NULL";
        /// Why, for operators.
        pub reason: String = reason "TEXT NOT NULL";
    }
}
pub(crate) use dead_letter;

/// Notes that the recipients of a chunk that wait for a carrier, so many, are given up or stalled. Returns the number of the dead
/// letter.
pub fn insert(
    sql: &impl Sql,
    now_ms: i64,
    (id, queued): (ChunkId, i64),
    kind: Kind,
    reason: &str,
) -> Result<i64, PortError> {
    let rows = sql.exec(
        "INSERT INTO dead_letter (kind, at_ms, uid, carrier, recipients, attempts, reason) \
         SELECT ?6, ?3, m.uid, coalesce(substr(c.object, 1, instr(c.object || '/', '/') - 1), ''), \
                ?5, c.attempt, ?4 \
         FROM chunk c JOIN message m ON m.id = c.message WHERE c.message = ?1 AND c.number = ?2 \
         RETURNING seq",
        &[
            id.0.into(),
            id.1.into(),
            now_ms.into(),
            reason.into(),
            queued.into(),
            kind.as_str().into(),
        ],
    )?;
    rows.first().ok_or(PortError::failed("sql", "no such chunk"))?.int(0)
}

/// The oldest dead letters that the directory does not have.
pub fn oldest(sql: &impl Sql) -> Result<Vec<DeadLetter>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            dead_letter!(columns),
            " FROM dead_letter ORDER BY seq LIMIT ?1"
        ),
        &[A_GO.into()],
    )?;
    rows.iter().map(DeadLetter::of).collect()
}

/// Forgets dead letters up to this one: the directory has them.
pub fn forget(sql: &impl Sql, last_seq: i64) -> Result<(), PortError> {
    sql.exec("DELETE FROM dead_letter WHERE seq <= ?1", &[last_seq.into()])
        .map(drop)
}

/// Forgets dead letters of a kind.
pub fn forget_all(sql: &impl Sql, kind: Kind) -> Result<(), PortError> {
    sql.exec("DELETE FROM dead_letter WHERE kind = ?1", &[kind.as_str().into()])
        .map(drop)
}

/// When the next dead letters are to be told: they are due as soon as they exist.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT min(at_ms) FROM dead_letter", &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
