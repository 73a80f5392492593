//! What an object that sends keeps of how its carrier does: the runtime drops an idle object after ten seconds, and the next one
//! must ask the carrier no sooner. It is one row, written when it changes materially.

use serde::{Deserialize, Serialize};

use super::circuit_breaker::Circuit;
use crate::base::ports::{PortError, Sql};
use crate::durable::schema::{self, Step};
use crate::durable::to_json;

/// How long what is kept rests at least before a new rate or a new error alone is kept, ms.
pub const REST_MS: i64 = 60_000;

const STEPS: &[Step] = &[&["CREATE TABLE pulse (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        body TEXT NOT NULL
    ) STRICT"]];

/// What is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// The circuit.
    pub circuit: Circuit,
    /// Until when the carrier wants no messages, ms since the Unix epoch.
    pub throttled_ms: i64,
    /// What the carrier was seen to take, in thousandths of a message a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned: Option<i64>,
    /// Sessions that broke while messages waited for their answers, as far as that was not made good.
    #[serde(skip_serializing_if = "is_zero")]
    pub breaks: u32,
    /// When something failed last, ms since the Unix epoch, and what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<(i64, String)>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Kept {
    /// Whether a circuit has opened or closed since. Failures in between alone are not worth a row.
    pub fn circuit_differs(&self, circuit: &Circuit) -> bool {
        (self.circuit.openings, self.circuit.until_ms) != (circuit.openings, circuit.until_ms)
    }

    /// Whether a rate differs by more than a quarter.
    pub fn rate_differs(&self, learned: Option<i64>) -> bool {
        match (self.learned, learned) {
            (Some(kept), Some(learned)) => kept.abs_diff(learned) > kept.unsigned_abs() / 4,
            (kept, learned) => kept.is_some() != learned.is_some(),
        }
    }

    /// Whether something else has failed since.
    pub fn error_differs(&self, last: Option<&(i64, String)>) -> bool {
        self.last_error.as_ref().map(|(_, what)| what) != last.map(|(_, what)| what)
    }
}

/// Brings the schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "pulse", STEPS)
}

/// What is kept. `None`: nothing has changed yet.
pub(super) fn find(sql: &impl Sql) -> Result<Option<Kept>, PortError> {
    let rows = sql.exec("SELECT body FROM pulse", &[])?;
    let json = rows.first().map(|row| row.text(0)).transpose()?;
    let kept = json.map(|json| serde_json::from_str(&json)).transpose();
    kept.map_err(|error| PortError::json("pulse", &error))
}

pub(super) fn keep(sql: &impl Sql, kept: &Kept) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR REPLACE INTO pulse (one, body) VALUES (1, ?1)",
        &[to_json(kept)?.into()],
    )
    .map(drop)
}
