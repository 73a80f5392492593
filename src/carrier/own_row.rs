//! The row of a carrier's object: its name, the newest version of its carrier that it has seen, and what it has learnt.
//!
//! A submission may bring an older version, because accounts' objects keep carriers in memory for a while. And the runtime drops an
//! idle object after ten seconds: one that wakes up by its alarm has no submission at all, and must ask the carrier no sooner than
//! the object before it.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::ports::{PortError, Sql};
use crate::directory::carriers::Carrier;
use crate::durable::schema::Step;
use crate::durable::to_json;

/// `newest` is the carrier, of this version. The others are JSON, and NULL while there is nothing to know: how the carrier does
/// (`observed_health.rs`), and of the kind `smpp`, which parts are reported (`smpp/habit.rs`) and how many sessions there have been
/// (`smpp/binds.rs`).
pub const TABLES: Step = &["CREATE TABLE carrier (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        newest TEXT NOT NULL,
        health TEXT,
        part_reports TEXT,
        binds TEXT
    ) STRICT"];

/// The row of an object.
#[derive(Debug)]
pub struct OwnRow {
    /// The name of the object.
    pub name: String,
    /// The newest version of the carrier that was seen.
    pub carrier: Carrier,
    /// The version of the schema of the carrier's kind that the object has. `None`: it has none of these tables yet.
    pub schema: Option<i64>,
    pub(super) health: Learnt,
    pub(super) part_reports: Learnt,
    pub(super) binds: Learnt,
}

/// What an object has learnt, JSON.
#[derive(Debug)]
pub(super) struct Learnt(Option<String>);

impl Learnt {
    /// Reads it. Who has learnt nothing yet knows the default.
    pub fn read<T: DeserializeOwned + Default>(&self) -> Result<T, PortError> {
        let read = |json| serde_json::from_str(json).map_err(|error| PortError::json("carrier", &error));
        self.0.as_deref().map_or_else(|| Ok(T::default()), read)
    }
}

/// The row; `None` before the first submission.
pub fn find(sql: &impl Sql) -> Result<Option<OwnRow>, PortError> {
    let rows = sql.exec(
        "SELECT name, newest, (SELECT version FROM schema_version WHERE part = newest ->> 'kind'), health, part_reports, binds \
         FROM carrier",
        &[],
    )?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let mut row = row.reader();
    Ok(Some(OwnRow {
        name: row.read()?,
        carrier: row.json("carrier")?,
        schema: row.read()?,
        health: Learnt(row.read()?),
        part_reports: Learnt(row.read()?),
        binds: Learnt(row.read()?),
    }))
}

/// The name of the object; empty before its first submission, when it has no reports either.
pub fn name(sql: &impl Sql) -> Result<String, PortError> {
    let rows = sql.exec("SELECT name FROM carrier", &[])?;
    rows.first().map_or_else(|| Ok(String::new()), |row| row.text(0))
}

/// Keeps a version of the carrier if it is newer than the one that is kept. The object notes its own name: when its alarm rings,
/// nobody tells it.
pub fn keep_carrier(sql: &impl Sql, name: &str, carrier: &Carrier) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO carrier (one, name, version, newest) VALUES (1, ?1, ?2, ?3) \
         ON CONFLICT (one) DO UPDATE SET version = excluded.version, newest = excluded.newest \
           WHERE excluded.version > version",
        &[name.into(), carrier.version.into(), to_json(carrier)?.into()],
    )
    .map(drop)
}

pub(super) fn keep_health(sql: &impl Sql, health: &impl Serialize) -> Result<(), PortError> {
    keep(sql, "UPDATE carrier SET health = ?1", health)
}

pub(super) fn keep_part_reports(sql: &impl Sql, habit: &impl Serialize) -> Result<(), PortError> {
    keep(sql, "UPDATE carrier SET part_reports = ?1", habit)
}

pub(super) fn keep_binds(sql: &impl Sql, binds: &impl Serialize) -> Result<(), PortError> {
    keep(sql, "UPDATE carrier SET binds = ?1", binds)
}

fn keep(sql: &impl Sql, update: &str, learnt: &impl Serialize) -> Result<(), PortError> {
    sql.exec(update, &[to_json(learnt)?.into()]).map(drop)
}
