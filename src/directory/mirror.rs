//! The mirror of an account: its status and balance, copied from the account's object.

use super::first;
use crate::ports::{Db, PortError, Row, Statement};

/// The state of an account to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State<'a> {
    /// The account's id.
    pub account: &'a str,
    /// Whether the account is active.
    pub active: bool,
    /// Whether the account may send.
    pub sending_enabled: bool,
    /// The available balance, in minor units.
    pub available: i64,
    /// The locked balance, in minor units.
    pub locked: i64,
    /// The version of this state. The account's object counts it.
    pub version: i64,
}

/// Writes a state into the mirror, unless the mirror has this version or a newer one. So a late write cannot replace a newer
/// state.
pub async fn mirror(db: &impl Db, state: State<'_>) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE account SET active = ?2, sending_enabled = ?3, available = ?4, locked = ?5, mirror_version = ?6 \
         WHERE id = ?1 AND mirror_version < ?6",
        [
            state.account.into(),
            state.active.into(),
            state.sending_enabled.into(),
            state.available.into(),
            state.locked.into(),
            state.version.into(),
        ],
    );
    db.query(statement).await.map(drop)
}

/// What the mirror shows of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mirrored {
    /// Whether the account is active.
    pub active: bool,
    /// Whether the account may send.
    pub sending_enabled: bool,
    /// The available balance, in minor units.
    pub available: i64,
    /// The locked balance, in minor units.
    pub locked: i64,
    /// The version of this state.
    pub version: i64,
}

fn from_row(row: &Row) -> Result<Mirrored, PortError> {
    Ok(Mirrored {
        active: row.bool(0)?,
        sending_enabled: row.bool(1)?,
        available: row.int(2)?,
        locked: row.int(3)?,
        version: row.int(4)?,
    })
}

/// Reads the mirror of an account. `None`: the directory has no such account.
pub async fn find(db: &impl Db, account: &str) -> Result<Option<Mirrored>, PortError> {
    let statement = Statement::new(
        "SELECT active, sending_enabled, available, locked, mirror_version FROM account WHERE id = ?1",
        [account.into()],
    );
    first(&db.query(statement).await?, from_row)
}
