//! The newest version of its carrier that an object has seen. A submission may bring an older one, because accounts' objects
//! keep carriers in memory for a while; and an object that wakes up by its alarm has no submission at all.

use crate::base::ports::{PortError, Sql};
use crate::directory::carriers::Carrier;
use crate::durable::schema::{self, Step};
use crate::durable::to_json;

const STEPS: &[Step] = &[&["CREATE TABLE newest_carrier (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        carrier TEXT NOT NULL
    ) STRICT"]];

/// Brings the schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "newest carrier", STEPS)
}

/// The newest version that was seen.
pub fn find(sql: &impl Sql) -> Result<Option<Carrier>, PortError> {
    let rows = sql.exec("SELECT carrier FROM newest_carrier", &[])?;
    let json = rows.first().map(|row| row.text(0)).transpose()?;
    let carrier = json.map(|json| serde_json::from_str(&json)).transpose();
    carrier.map_err(|error| PortError::json("carrier", &error))
}

/// Keeps a version if it is newer than the one that is kept.
pub fn keep(sql: &impl Sql, carrier: &Carrier) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO newest_carrier (one, version, carrier) VALUES (1, ?1, ?2) \
         ON CONFLICT (one) DO UPDATE SET version = excluded.version, carrier = excluded.carrier \
           WHERE excluded.version > version",
        &[carrier.version.into(), to_json(carrier)?.into()],
    )
    .map(drop)
}
