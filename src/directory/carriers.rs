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
    /// Its settings, a JSON object whose members its kind knows.
    pub settings: String,
}

macro_rules! columns {
    () => {
        "name, kind, settings"
    };
}

fn from_row(row: &Row) -> Result<Carrier, PortError> {
    Ok(Carrier {
        name: row.text(0)?,
        kind: row.text(1)?,
        settings: row.text(2)?,
    })
}

/// The carrier of a name.
pub async fn find(db: &impl Db, name: &str) -> Result<Option<Carrier>, PortError> {
    let sql = concat!("SELECT ", columns!(), " FROM carrier WHERE name = ?1");
    let rows = db.query(Statement::new(sql, [name.into()])).await?;
    rows.first().map(from_row).transpose()
}
