//! Idempotency keys: the object remembers each success under its key for a day and answers a repeated request as before.

use serde::{Deserialize, Serialize};

use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};
use crate::durable::{listed, to_json};

/// How long an idempotency key is kept, ms.
const KEPT_MS: i64 = 24 * 60 * 60 * 1_000;
/// Keys swept in one go.
const SWEPT_A_GO: i64 = 500;
/// How long an expired key may stay before it is swept, ms: sweeping many at once costs less than waking for each.
const SWEEP_SLACK_MS: i64 = 60 * 60 * 1_000;

/// Which requests an idempotency key is for. The same key in two spaces is two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Sends with live keys.
    Live,
    /// Sends with test keys. They reach nobody, so a live send must never get their answer.
    Test,
    /// Credits by operators, who do not know which keys the account's programs use.
    Credit,
}

impl Space {
    /// The space of the sends with keys of this mode.
    pub fn of(mode: Mode) -> Self {
        match mode {
            Mode::Live => Space::Live,
            Mode::Test => Space::Test,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Space::Live => "live",
            Space::Test => "test",
            Space::Credit => "credit",
        }
    }
}

/// An `Idempotency-Key` and a hash of the request that it came with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idempotency {
    /// Among which keys it is looked up.
    pub space: Space,
    /// The client's key.
    pub key: String,
    /// SHA-256 of endpoint and body, hex.
    pub hash: String,
}

/// What the object knows of an idempotency key.
pub enum Known<T> {
    /// Nothing: the request is new.
    Nothing,
    /// The key came with another request before.
    Mismatch,
    /// The request made this before.
    Made(T),
}

/// Looks up what a request made before: the id of a message, or the number of a ledger entry.
pub fn find(sql: &impl Sql, now_ms: i64, idempotency: Option<&Idempotency>) -> Result<Known<i64>, PortError> {
    let Some(asked) = idempotency else {
        return Ok(Known::Nothing);
    };
    let rows = sql.exec(
        "SELECT hash, coalesce(message, ledger_seq) FROM idempotency \
         WHERE space = ?1 AND key = ?2 AND expires_ms > ?3",
        &[asked.space.as_str().into(), asked.key.as_str().into(), now_ms.into()],
    )?;
    Ok(match rows.first() {
        None => Known::Nothing,
        Some(row) if row.text(0)? != asked.hash => Known::Mismatch,
        Some(row) => Known::Made(row.int(1)?),
    })
}

/// Remembers messages under the idempotency keys that they came with.
pub fn remember_messages(sql: &impl Sql, now_ms: i64, keys: &[(Idempotency, i64)]) -> Result<(), PortError> {
    if keys.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = keys
        .iter()
        .map(|(asked, message)| (asked.space.as_str(), &asked.key, &asked.hash, message))
        .collect();
    sql.exec(
        concat!(
            listed!(),
            "INSERT OR REPLACE INTO idempotency (space, key, hash, message, ledger_seq, expires_ms) \
             SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, NULL, ?2 FROM listed"
        ),
        &[to_json(&rows)?.into(), now_ms.saturating_add(KEPT_MS).into()],
    )
    .map(drop)
}

/// Remembers a credit, an entry of the ledger, under the idempotency key that it came with.
pub fn remember_credit(
    sql: &impl Sql,
    now_ms: i64,
    idempotency: Option<&Idempotency>,
    ledger_seq: i64,
) -> Result<(), PortError> {
    let Some(asked) = idempotency else {
        return Ok(());
    };
    sql.exec(
        "INSERT OR REPLACE INTO idempotency (space, key, hash, message, ledger_seq, expires_ms) \
         VALUES (?1, ?2, ?3, NULL, ?4, ?5)",
        &[
            asked.space.as_str().into(),
            asked.key.as_str().into(),
            asked.hash.as_str().into(),
            ledger_seq.into(),
            now_ms.saturating_add(KEPT_MS).into(),
        ],
    )
    .map(drop)
}

/// Forgets keys whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM idempotency WHERE (space, key) IN \
           (SELECT space, key FROM idempotency WHERE expires_ms <= ?1 ORDER BY expires_ms LIMIT ?2)",
        &[now_ms.into(), SWEPT_A_GO.into()],
    )
    .map(drop)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT min(expires_ms) + ?1 FROM idempotency", &[SWEEP_SLACK_MS.into()])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
