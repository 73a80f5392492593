//! Chunks that accounts' objects gave up or that are stuck, for operators.

use crate::account::chunk::dead_letters::{DeadLetter, dead_letter};
use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::{Columns, neighbours};
use crate::directory::to_json;

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

neighbours!(ListedLetter: id, account, letter, username);

macro_rules! select {
    ($behind:literal) => {
        concat!(
            "SELECT id, account, ",
            dead_letter!(columns),
            ", (SELECT a.username FROM account a WHERE a.id = dead_letter.account) FROM dead_letter ",
            $behind
        )
    };
}

/// Adds dead letters of an account, and forgets its old ones. Adding one again changes nothing.
pub async fn insert(db: &impl Db, account: &str, letters: &[DeadLetter]) -> Result<(), PortError> {
    let rows: Vec<_> = letters.iter().map(Columns::values).collect::<Result<_, _>>()?;
    let newest_ms = letters.iter().map(|letter| letter.at_ms).max().unwrap_or_default();
    db.batch(vec![
        Statement::new(
            concat!(
                "INSERT OR IGNORE INTO dead_letter (account, ",
                dead_letter!(columns),
                ") SELECT ?1, ",
                dead_letter!(places "e.value ->> " ""),
                " FROM json_each(?2) e"
            ),
            [account.into(), to_json(&rows)?.into()],
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
        [account.into(), to_json(letters)?.into()],
    ))
    .await
    .map(drop)
}

/// Finds a dead letter by its position in lists.
pub async fn find(db: &impl Db, id: i64) -> Result<Option<ListedLetter>, PortError> {
    let rows = db.query(Statement::new(select!("WHERE id = ?1"), [id.into()])).await?;
    rows.first().map(ListedLetter::of).transpose()
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
            select!(
                "WHERE (?2 IS NULL OR id < ?2) AND (?3 IS NULL OR account = ?3) \
                   AND (?4 IS NULL OR kind = ?4) ORDER BY id DESC LIMIT ?1"
            ),
            [limit.into(), after.into(), account.into(), kind.into()],
        ))
        .await?;
    rows.iter().map(ListedLetter::of).collect()
}
