//! The sessions of a carrier: the names of their objects, and how many there have been lately. When an operator lowers `binds`, the objects of the sessions that end still
//! know what they have sent, and its receipts come by the sessions that are left.
//!
//! Every object notes every number that it is told of: at most one row for each number of sessions that a carrier may have.

use super::settings::Settings;
use crate::base::ports::{PortError, Sql};
use crate::carrier::{journal::KEPT_MS, most_objects, objects_of};
use crate::directory::carriers::Carrier;
use crate::durable::schema::{self, Step};

const STEPS: &[Step] = &[&[
    // `until_ms` is NULL for the number of now.
    "CREATE TABLE binds (
        binds INTEGER NOT NULL PRIMARY KEY,
        until_ms INTEGER
    ) STRICT",
]];

/// How many sessions the carrier's settings say.
pub(super) fn binds_of(carrier: &Carrier) -> u64 {
    Settings::of(carrier).map_or(1, |settings| settings.binds)
}

/// An object for each session.
pub(super) fn names(carrier: &Carrier, ever: bool) -> Vec<String> {
    let binds = if ever { most_objects() } else { binds_of(carrier) };
    objects_of(&carrier.name, binds)
}

/// Brings the schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "smpp binds", STEPS)
}

/// Notes how many sessions the carrier has from now on.
pub fn note(sql: &impl Sql, now_ms: i64, binds: u64) -> Result<(), PortError> {
    let binds = i64::try_from(binds).unwrap_or(i64::MAX);
    sql.transaction(|| {
        sql.exec(
            "UPDATE binds SET until_ms = ?2 WHERE until_ms IS NULL AND binds <> ?1",
            &[binds.into(), now_ms.into()],
        )?;
        sql.exec(
            "INSERT INTO binds (binds, until_ms) VALUES (?1, NULL) ON CONFLICT (binds) DO UPDATE SET until_ms = NULL",
            &[binds.into()],
        )
        .map(drop)
    })
}

/// The most sessions that the carrier has had for as long as an id is kept.
pub fn most(sql: &impl Sql, now_ms: i64) -> Result<u64, PortError> {
    let most = sql
        .number(
            "SELECT coalesce(max(binds), 0) FROM binds WHERE until_ms IS NULL OR until_ms > ?1",
            &[now_ms.saturating_sub(KEPT_MS).into()],
        )?
        .unwrap_or(0);
    Ok(u64::try_from(most).unwrap_or(0))
}
