//! Chunks that accounts' objects gave up or that are stuck, for operators.

use serde_json::json;

use crate::account::chunk::dead_letters::DeadLetter;
use crate::base::ports::{Db, PortError, Row, Statement};

/// How long a dead letter is kept, ms: 90 days.
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1_000;

/// A dead letter with its account, and its position in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedLetter {
    /// Its position in lists.
    pub id: i64,
    /// The account.
    pub account: String,
    /// Its username, if the directory has the account.
    pub username: Option<String>,
    /// The chunk.
    pub letter: DeadLetter,
}

macro_rules! columns {
    () => {
        "id, account, (SELECT a.username FROM account a WHERE a.id = dead_letter.account), \
         seq, at_ms, uid, carrier, recipients, attempts, reason, kind"
    };
}

fn from_row(row: &Row) -> Result<ListedLetter, PortError> {
    let mut row = row.reader();
    Ok(ListedLetter {
        id: row.read()?,
        account: row.read()?,
        username: row.read()?,
        letter: DeadLetter {
            seq: row.read()?,
            at_ms: row.read()?,
            uid: row.read()?,
            carrier: row.read()?,
            recipients: row.read()?,
            attempts: row.read()?,
            reason: row.read()?,
            kind: row.read()?,
        },
    })
}

/// Adds dead letters of an account, and forgets its old ones. Adding one again changes nothing.
pub async fn insert(db: &impl Db, account: &str, letters: &[DeadLetter]) -> Result<(), PortError> {
    let rows: Vec<_> = letters
        .iter()
        .map(|letter| {
            json!([
                letter.seq,
                letter.at_ms,
                letter.uid,
                letter.carrier,
                letter.recipients,
                letter.attempts,
                letter.reason,
                letter.kind
            ])
        })
        .collect();
    let newest_ms = letters.iter().map(|letter| letter.at_ms).max().unwrap_or_default();
    db.batch(vec![
        Statement::new(
            "INSERT OR IGNORE INTO dead_letter (account, seq, at_ms, uid, carrier, recipients, attempts, reason, kind) \
             SELECT ?1, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5, \
                    e.value ->> 6, e.value ->> 7 FROM json_each(?2) e",
            [account.into(), json!(rows).to_string().into()],
        ),
        Statement::new(
            "DELETE FROM dead_letter WHERE account = ?1 AND at_ms < ?2",
            [account.into(), newest_ms.saturating_sub(KEPT_MS).into()],
        ),
    ])
    .await
    .map(drop)
}

/// Takes back dead letters of an account: their chunks are stuck no more. Taking one back again changes nothing.
pub async fn take_back(db: &impl Db, account: &str, letters: &[i64]) -> Result<(), PortError> {
    db.query(Statement::new(
        "DELETE FROM dead_letter WHERE account = ?1 AND seq IN (SELECT value FROM json_each(?2))",
        [account.into(), json!(letters).to_string().into()],
    ))
    .await
    .map(drop)
}

/// Finds a dead letter by its position in lists.
pub async fn find(db: &impl Db, id: i64) -> Result<Option<ListedLetter>, PortError> {
    let rows = db
        .query(Statement::new(
            concat!("SELECT ", columns!(), " FROM dead_letter WHERE id = ?1"),
            [id.into()],
        ))
        .await?;
    rows.first().map(from_row).transpose()
}

/// A page of dead letters, newest first: all, or those of an account or of a kind.
pub async fn page(
    db: &impl Db,
    limit: u32,
    after: Option<i64>,
    account: Option<&str>,
    kind: Option<&str>,
) -> Result<Vec<ListedLetter>, PortError> {
    let rows = db
        .query(Statement::new(
            concat!(
                "SELECT ",
                columns!(),
                " FROM dead_letter WHERE (?2 IS NULL OR id < ?2) AND (?3 IS NULL OR account = ?3) \
                   AND (?4 IS NULL OR kind = ?4) ORDER BY id DESC LIMIT ?1"
            ),
            [limit.into(), after.into(), account.into(), kind.into()],
        ))
        .await?;
    rows.iter().map(from_row).collect()
}
