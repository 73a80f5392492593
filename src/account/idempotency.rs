//! Idempotency keys: the object remembers each success under its key for a day and answers a repeated request as before.

use serde::{Deserialize, Serialize};

use super::account_row::Account;
use super::message::MessageView;
use super::message::read;
use super::request::{Idempotency, Outcome, Request};
use super::write_buffer::Unsaved;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};
use crate::durable::{Wake, listed, to_json};

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

/// Takes the request's token and nothing else. A send that failed before it came to the object, but succeeded earlier under
/// its idempotency key, is answered with the message that it made.
#[derive(Debug, Serialize, Deserialize)]
pub struct Charge(pub Option<Idempotency>);

impl Request for Charge {
    const NAME: &'static str = "Charge";
    type Reply = Option<Box<MessageView>>;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn sees(&self, unsaved: &Unsaved) -> bool {
        self.0.as_ref().is_some_and(|key| unsaved.has_key(key))
    }

    fn answer(&self, sql: &impl Sql, now_ms: i64, _: &mut Account) -> Outcome<Self::Reply> {
        Ok(Ok(match find_message(sql, now_ms, self.0.as_ref())? {
            Known::Made(message) => Some(message),
            Known::Nothing | Known::Mismatch => None,
        }))
    }
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

/// Looks up the message that a send made before.
pub fn find_message(
    sql: &impl Sql,
    now_ms: i64,
    idempotency: Option<&Idempotency>,
) -> Result<Known<Box<MessageView>>, PortError> {
    Ok(match find(sql, now_ms, idempotency)? {
        Known::Nothing => Known::Nothing,
        Known::Mismatch => Known::Mismatch,
        Known::Made(message) => Known::Made(Box::new(read::as_accepted(sql, message)?)),
    })
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
