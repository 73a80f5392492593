//! Carriers in the directory.

use serde::{Deserialize, Serialize};

use crate::ports::{Db, PortError, Row, Statement};

/// A carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carrier {
    /// Its name.
    pub name: String,
    /// The name of its kind.
    pub kind: String,
    /// Its settings, a JSON object whose members its kind knows. It has no secrets.
    pub settings: String,
    /// Its secrets, sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secrets: Option<String>,
    /// Whether it is in service.
    #[serde(default = "yes")]
    pub active: bool,
    /// Whether an operator has stopped it for a while.
    #[serde(default)]
    pub paused: bool,
    /// Counts its changes.
    #[serde(default)]
    pub version: i64,
}

/// A carrier that a version without this member tells is in service.
fn yes() -> bool {
    true
}

macro_rules! columns {
    () => {
        "name, kind, settings, secrets, active, paused, version"
    };
}

fn from_row(row: &Row) -> Result<Carrier, PortError> {
    Ok(Carrier {
        name: row.text(0)?,
        kind: row.text(1)?,
        settings: row.text(2)?,
        secrets: row.opt_text(3)?,
        active: row.bool(4)?,
        paused: row.bool(5)?,
        version: row.int(6)?,
    })
}

/// The carrier of a name.
pub async fn find(db: &impl Db, name: &str) -> Result<Option<Carrier>, PortError> {
    let sql = concat!("SELECT ", columns!(), " FROM carrier WHERE name = ?1");
    let rows = db.query(Statement::new(sql, [name.into()])).await?;
    rows.first().map(from_row).transpose()
}
