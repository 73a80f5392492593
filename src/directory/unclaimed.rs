//! Messages from phones that belong to no account: how many there are, without number and text.

use crate::base::named::named;
use crate::base::ports::{Db, MAX_INTEGER, PortError, Statement};
use crate::base::record::{Columns, neighbours};
use crate::directory::all;

/// How many days a count is kept.
const KEPT_DAYS: i64 = 90;

named! {
    /// Why a message belongs to no account.
    pub enum Reason {
        /// The directory has no line of its number.
        UnknownLine => "UNKNOWN_LINE",
        /// The line has several accounts, and neither a keyword nor an account for all else takes the message.
        NoAccount => "NO_ACCOUNT",
        /// The message is an opt-out or takes one back, and no account is known to use the line.
        NoAccountForOptOut => "NO_ACCOUNT_FOR_OPT_OUT",
    }
}

/// A count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclaimed {
    /// Its position in lists.
    pub id: i64,
    /// The day, counted from 1970-01-01, UTC.
    pub day: i64,
    /// The carrier.
    pub carrier: String,
    /// The line; empty if the directory has no such line.
    pub line: String,
    /// The name of a [`Reason`].
    pub reason: String,
    /// How many messages came.
    pub messages: i64,
}

neighbours!(Unclaimed: id, day, carrier, line, reason, messages);

/// Counts a message, and forgets old counts.
pub async fn count(db: &impl Db, day: i64, carrier: &str, line: &str, reason: Reason) -> Result<(), PortError> {
    db.batch(vec![
        Statement::new(
            "INSERT INTO unclaimed (day, carrier, line, reason, messages) VALUES (?1, ?2, ?3, ?4, 1) \
             ON CONFLICT (day, carrier, line, reason) DO UPDATE SET messages = messages + 1",
            [day.into(), carrier.into(), line.into(), reason.as_str().into()],
        ),
        Statement::new(
            "DELETE FROM unclaimed WHERE day < ?1",
            [day.saturating_sub(KEPT_DAYS).into()],
        ),
    ])
    .await
    .map(drop)
}

/// A page of all counts, newest first.
pub async fn page(db: &impl Db, limit: u32, after: Option<i64>) -> Result<Vec<Unclaimed>, PortError> {
    let rows = db
        .query(Statement::new(
            "SELECT id, day, carrier, line, reason, messages FROM unclaimed \
             WHERE id < ?2 ORDER BY id DESC LIMIT ?1",
            [limit.into(), after.unwrap_or(MAX_INTEGER).into()],
        ))
        .await?;
    all(&rows, Unclaimed::of)
}
