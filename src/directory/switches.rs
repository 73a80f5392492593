//! The switch with which operators stop and start sending for all accounts.

use crate::base::ports::{Db, PortError, Row, Statement};
use crate::directory::first;

/// The switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sending {
    /// Whether accounts may send.
    pub enabled: bool,
    /// Why it was switched, if whoever did it has said so.
    pub reason: Option<String>,
    /// The id of the key that has switched it. `None`: nobody has yet.
    pub by: Option<String>,
    /// When it was switched, ms since the Unix epoch.
    pub since_ms: Option<i64>,
}

fn from_row(row: &Row) -> Result<Sending, PortError> {
    Ok(Sending {
        enabled: row.bool(0)?,
        reason: row.opt_text(1)?,
        by: row.opt_text(2)?,
        since_ms: row.opt_int(3)?,
    })
}

/// Reads the switch.
pub async fn sending(db: &impl Db) -> Result<Sending, PortError> {
    let statement = Statement::new(
        "SELECT sending_enabled, reason, changed_by, changed_ms FROM switch WHERE one = 1",
        [],
    );
    first(&db.query(statement).await?, from_row)?.ok_or(PortError::failed("d1", "no switch"))
}

/// Switches sending on or off for all accounts. What is switched already keeps its time, its name and its reason, unless
/// another reason is given now.
pub async fn set_sending(
    db: &impl Db,
    enabled: bool,
    reason: Option<&str>,
    by: &str,
    now_ms: i64,
) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE switch SET sending_enabled = ?1, reason = ?2, changed_by = ?3, changed_ms = ?4 \
         WHERE one = 1 AND (sending_enabled <> ?1 OR (?2 IS NOT NULL AND reason IS NOT ?2))",
        [enabled.into(), reason.into(), by.into(), now_ms.into()],
    );
    db.query(statement).await.map(drop)
}
