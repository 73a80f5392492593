//! What the nightly checks of accounts have found, and the accounts that are to be checked.

use crate::account::reconcile::Check;
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::directory::{all, first, to_json};

/// An account, and what the last nightly check has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedAccount {
    /// The account's id.
    pub id: String,
    /// Its username.
    pub username: String,
    /// When it was checked last, ms since the Unix epoch.
    pub checked_ms: Option<i64>,
    /// What that check has found, a JSON object.
    pub findings: Option<String>,
}

fn from_row(row: &Row) -> Result<CheckedAccount, PortError> {
    Ok(CheckedAccount {
        id: row.text(0)?,
        username: row.text(1)?,
        checked_ms: row.opt_int(2)?,
        findings: row.opt_text(3)?,
    })
}

/// Reads at most `limit` accounts, in the order of their ids, beginning behind the id `after`; or the one with the id `only`.
pub async fn page(
    db: &impl Db,
    limit: u32,
    after: Option<&str>,
    only: Option<&str>,
) -> Result<Vec<CheckedAccount>, PortError> {
    let sql = match only {
        Some(_) => {
            "SELECT a.id, a.username, r.checked_ms, r.findings FROM account a LEFT JOIN reconciliation r ON r.account = a.id \
             WHERE a.id = ?3 AND a.id > ?2 LIMIT ?1"
        }
        None => {
            "SELECT a.id, a.username, r.checked_ms, r.findings FROM account a LEFT JOIN reconciliation r ON r.account = a.id \
             WHERE a.id > ?2 AND ?3 IS NULL ORDER BY a.id LIMIT ?1"
        }
    };
    let statement = Statement::new(sql, [limit.into(), after.unwrap_or_default().into(), only.into()]);
    all(&db.query(statement).await?, from_row)
}

/// Reads accounts that were not checked since a time, those first that were never checked or wait longest.
pub async fn due(db: &impl Db, before_ms: i64, limit: u32) -> Result<Vec<CheckedAccount>, PortError> {
    let statement = Statement::new(
        "SELECT a.id, a.username, r.checked_ms, r.findings FROM account a LEFT JOIN reconciliation r ON r.account = a.id \
         WHERE coalesce(r.checked_ms, 0) < ?1 ORDER BY coalesce(r.checked_ms, 0), a.id LIMIT ?2",
        [before_ms.into(), limit.into()],
    );
    all(&db.query(statement).await?, from_row)
}

/// Keeps what a check has found: a JSON object.
pub async fn keep(db: &impl Db, account: &str, now_ms: i64, findings: &str) -> Result<(), PortError> {
    db.query(Statement::new(
        "INSERT INTO reconciliation (account, checked_ms, findings) VALUES (?1, ?2, ?3) \
         ON CONFLICT (account) DO UPDATE SET checked_ms = excluded.checked_ms, findings = excluded.findings",
        [account.into(), now_ms.into(), findings.into()],
    ))
    .await
    .map(drop)
}

/// In how many accounts the last check has found something that does not agree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Differing {
    /// Those whose money does not.
    pub money: i64,
    /// Those of which a copy or a count alone does not.
    pub copies: i64,
    /// Those whose object is getting full.
    pub full: i64,
    /// Those whose webhook object does not take its events.
    pub events: i64,
}

/// Counts the accounts in which something does not agree, or whose objects need a look.
pub async fn differing(db: &impl Db) -> Result<Differing, PortError> {
    let names = |checks: &[Check]| to_json(&checks.iter().map(|check| check.as_str()).collect::<Vec<_>>());
    let statement = Statement::new(
        "SELECT coalesce(sum(money), 0), coalesce(sum(copies AND NOT money), 0), coalesce(sum(full), 0), coalesce(sum(events), 0) \
         FROM (SELECT max(d.value ->> 'check' IN (SELECT value FROM json_each(?1))) AS money, \
             max(d.value ->> 'check' NOT IN (SELECT value FROM json_each(?2))) AS copies, \
             max(d.value ->> 'check' = ?3) AS full, max(d.value ->> 'check' = ?4) AS events \
           FROM reconciliation r INDEXED BY reconciliation_differs, json_each(r.findings, '$.differences') d \
           WHERE json_array_length(r.findings, '$.differences') > 0 GROUP BY r.account)",
        [
            names(&Check::OF_MONEY)?.into(),
            names(&[Check::OF_MONEY.as_slice(), &Check::OF_OBJECTS].concat())?.into(),
            Check::Storage.as_str().into(),
            Check::Events.as_str().into(),
        ],
    );
    let read = |row: &Row| {
        Ok(Differing {
            money: row.int(0)?,
            copies: row.int(1)?,
            full: row.int(2)?,
            events: row.int(3)?,
        })
    };
    Ok(first(&db.query(statement).await?, read)?.unwrap_or_default())
}
