//! The mirror of what waits in the accounts' objects for carriers.

use std::collections::BTreeMap;

use crate::base::ports::{Db, PortError, Row, Statement};
use crate::directory::{all, first, to_json};

/// What waits of an account: for this carrier, from this line; how many recipients, since when the oldest of them, and since when
/// the oldest login code, in ms since the Unix epoch.
pub type QueueDepthRow = (String, String, i64, i64, Option<i64>);

/// Whether what is written is the newest that the account has told.
macro_rules! is_newest {
    () => {
        "(SELECT version_ms FROM waiting_version WHERE account = ?1) = ?2"
    };
}

/// Writes all that waits of an account in place of what the mirror has, unless it has this version or a newer one. The version is
/// the time. An empty list takes all back.
pub async fn mirror(db: &impl Db, account: &str, version_ms: i64, rows: &[QueueDepthRow]) -> Result<(), PortError> {
    db.batch(vec![
        Statement::new(
            "INSERT INTO waiting_version (account, version_ms) VALUES (?1, ?2) \
             ON CONFLICT (account) DO UPDATE SET version_ms = excluded.version_ms WHERE excluded.version_ms > version_ms",
            [account.into(), version_ms.into()],
        ),
        Statement::new(
            concat!("DELETE FROM waiting WHERE account = ?1 AND ", is_newest!()),
            [account.into(), version_ms.into()],
        ),
        Statement::new(
            concat!(
                "INSERT INTO waiting (account, carrier, line, recipients, oldest_ms, codes_oldest_ms, told_ms) \
                 SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ?2 FROM json_each(?3) \
                 WHERE ",
                is_newest!()
            ),
            [account.into(), version_ms.into(), to_json(&rows)?.into()],
        ),
    ])
    .await
    .map(drop)
}

/// What waits of all accounts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueDepth {
    /// How many recipients.
    pub recipients: i64,
    /// Since when the oldest of them, ms since the Unix epoch.
    pub oldest_ms: Option<i64>,
    /// Since when the oldest login code.
    pub codes_oldest_ms: Option<i64>,
    /// When the account told that was the first of them to tell.
    pub told_ms: Option<i64>,
}

/// The columns of a sum, in the order that [`QueueDepth::of`] reads.
macro_rules! summed {
    () => {
        "coalesce(sum(recipients), 0), min(oldest_ms), min(codes_oldest_ms), min(told_ms)"
    };
}

impl QueueDepth {
    fn of(row: &Row, first: usize) -> Result<Self, PortError> {
        Ok(QueueDepth {
            recipients: row.int(first)?,
            oldest_ms: row.opt_int(first.saturating_add(1))?,
            codes_oldest_ms: row.opt_int(first.saturating_add(2))?,
            told_ms: row.opt_int(first.saturating_add(3))?,
        })
    }
}

/// Adds up what waits. The table has rows only while something waits.
pub async fn in_all(db: &impl Db) -> Result<QueueDepth, PortError> {
    let statement = Statement::new(concat!("SELECT ", summed!(), " FROM waiting"), []);
    let sum = first(&db.query(statement).await?, |row| QueueDepth::of(row, 0))?;
    Ok(sum.unwrap_or_default())
}

/// What waits for each carrier that something waits for.
pub async fn by_carrier(db: &impl Db) -> Result<BTreeMap<String, QueueDepth>, PortError> {
    let sql = concat!("SELECT carrier, ", summed!(), " FROM waiting GROUP BY carrier");
    named(&db.query(Statement::new(sql, [])).await?)
}

/// What waits for each of these carriers. Nothing waits for one that is left out.
pub async fn for_carriers(db: &impl Db, names: &[&str]) -> Result<BTreeMap<String, QueueDepth>, PortError> {
    let sql = concat!(
        "SELECT carrier, ",
        summed!(),
        " FROM waiting WHERE carrier IN (SELECT value FROM json_each(?1)) GROUP BY carrier"
    );
    by_name(db, sql, names).await
}

/// What waits that is sent from each of these lines.
pub async fn from_lines(db: &impl Db, numbers: &[&str]) -> Result<BTreeMap<String, QueueDepth>, PortError> {
    let sql = concat!(
        "SELECT line, ",
        summed!(),
        " FROM waiting WHERE line IN (SELECT value FROM json_each(?1)) GROUP BY line"
    );
    by_name(db, sql, numbers).await
}

async fn by_name(db: &impl Db, sql: &'static str, names: &[&str]) -> Result<BTreeMap<String, QueueDepth>, PortError> {
    named(&db.query(Statement::new(sql, [to_json(&names)?.into()])).await?)
}

fn named(rows: &[Row]) -> Result<BTreeMap<String, QueueDepth>, PortError> {
    let sums = all(rows, |row| Ok((row.text(0)?, QueueDepth::of(row, 1)?)))?;
    Ok(sums.into_iter().collect())
}
