//! The switch with which operators stop and start sending for all accounts.

use crate::ports::{Db, PortError, Statement};

/// Switches sending on or off for all accounts.
pub async fn set_sending(db: &impl Db, enabled: bool) -> Result<(), PortError> {
    let statement = Statement::new("UPDATE switch SET sending_enabled = ?1", [enabled.into()]);
    db.query(statement).await.map(drop)
}
