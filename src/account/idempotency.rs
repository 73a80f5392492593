//! Idempotency keys: the object remembers each success under its key for a day and answers a repeated request as before.

use serde::{Deserialize, Serialize};

use super::ledger::Wallet;
use super::message::MessageView;
use super::messages;
use super::request::{Idempotency, Outcome, Request};
use super::store::Account;
use crate::object::Wake;
use crate::ports::{PortError, Sql};

/// How long an idempotency key is kept, ms.
const KEPT_MS: i64 = 24 * 60 * 60 * 1_000;
/// Keys swept in one go.
const SWEPT_A_GO: i64 = 500;
/// How long an expired key may stay before it is swept, ms: sweeping many at once costs less than waking for each.
const SWEEP_SLACK_MS: i64 = 60 * 60 * 1_000;

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

    fn answer(&self, sql: &impl Sql, now_ms: i64, _: &mut Account) -> Outcome<Self::Reply> {
        Ok(Ok(match find(sql, now_ms, self.0.as_ref())? {
            Known::Message(message) => Some(message),
            Known::Nothing | Known::Mismatch | Known::Credit(_) => None,
        }))
    }
}

/// What the object knows of an idempotency key.
pub enum Known {
    /// Nothing: the request is new.
    Nothing,
    /// The key came with another request before.
    Mismatch,
    /// The request made this message before.
    Message(Box<MessageView>),
    /// The request made a credit before; the wallet as it was after it.
    Credit(Wallet),
}

/// Looks an idempotency key up.
pub fn find(sql: &impl Sql, now_ms: i64, idempotency: Option<&Idempotency>) -> Result<Known, PortError> {
    let Some(asked) = idempotency else {
        return Ok(Known::Nothing);
    };
    let rows = sql.exec(
        "SELECT i.hash, i.message, l.available, l.locked, \
                (SELECT sum(amount) FROM ledger WHERE kind = 'CREDIT' AND seq <= i.ledger_seq) \
         FROM idempotency i LEFT JOIN ledger l ON l.seq = i.ledger_seq WHERE i.key = ?1 AND i.expires_ms > ?2",
        &[asked.key.as_str().into(), now_ms.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(Known::Nothing);
    };
    if row.text(0)? != asked.hash {
        return Ok(Known::Mismatch);
    }
    if let Some(message) = row.opt_int(1)? {
        return Ok(Known::Message(Box::new(messages::as_accepted(sql, message)?)));
    }
    let (available, locked, credited) = (row.int(2)?, row.int(3)?, row.int(4)?);
    Ok(Known::Credit(Wallet {
        available,
        locked,
        spent: credited.saturating_sub(available).saturating_sub(locked),
        credited,
    }))
}

/// Remembers a success under its idempotency key.
pub fn remember(
    sql: &impl Sql,
    now_ms: i64,
    idempotency: Option<&Idempotency>,
    message: Option<i64>,
    ledger_seq: Option<i64>,
) -> Result<(), PortError> {
    let Some(asked) = idempotency else {
        return Ok(());
    };
    sql.exec(
        "INSERT OR REPLACE INTO idempotency (key, hash, message, ledger_seq, expires_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
        &[
            asked.key.as_str().into(),
            asked.hash.as_str().into(),
            message.into(),
            ledger_seq.into(),
            now_ms.saturating_add(KEPT_MS).into(),
        ],
    )
    .map(drop)
}

/// Forgets keys whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM idempotency WHERE key IN \
           (SELECT key FROM idempotency WHERE expires_ms <= ?1 ORDER BY expires_ms LIMIT ?2)",
        &[now_ms.into(), SWEPT_A_GO.into()],
    )
    .map(drop)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT min(expires_ms) + ?1 FROM idempotency", &[SWEEP_SLACK_MS.into()])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
