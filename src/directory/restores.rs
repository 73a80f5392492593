//! What accounts' objects must not forget when they go back in time.
//!
//! The newest number of an account says to its object whether it has gone back (`account/restore.rs`).

use crate::base::ports::{Db, PortError, Statement};
use crate::directory::{answer, first};

/// What a restore leaves in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restore<'a> {
    /// The account.
    pub account: &'a str,
    /// The number of the restore, higher than any before.
    pub number: i64,
    /// A time or a bookmark.
    pub target: &'a str,
    /// Why, in the operator's words.
    pub reason: &'a str,
    /// What is kept, JSON.
    pub kept: &'a str,
}

/// Keeps what an object must not forget. After this, the object may go back.
pub async fn keep(db: &impl Db, restore: Restore<'_>) -> Result<(), PortError> {
    db.query(Statement::new(
        "INSERT INTO restore (account, number, target, reason, kept) VALUES (?1, ?2, ?3, ?4, ?5)",
        [
            restore.account.into(),
            restore.number.into(),
            restore.target.into(),
            restore.reason.into(),
            restore.kept.into(),
        ],
    ))
    .await
    .map(drop)
}

/// The number of the account's last restore; 0 if there was none.
pub async fn number(db: &impl Db, account: &str) -> Result<i64, PortError> {
    let statement = Statement::new(
        "SELECT coalesce(max(number), 0) AS number FROM restore WHERE account = ?1",
        [account.into()],
    );
    first(&db.query(statement).await?, |row| row.int(0)).map(|number| number.unwrap_or(0))
}

/// What goes into an object that has gone back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// What was kept, JSON.
    pub kept: String,
    /// Phonebooks that were deleted and may have numbers, a JSON list.
    pub removals: String,
}

/// Reads what was kept for an object that has gone back, and forgets what the directory has of the time that is gone: the usage
/// from a day on, which the object tells again, and stuck chunks, of which there are none any more. Doing it twice does no harm.
pub async fn take(db: &impl Db, account: &str, number: i64, first_day: i64) -> Result<Past, PortError> {
    let answers = db
        .batch(vec![
            Statement::new(
                "SELECT kept, (SELECT json_group_array(id) FROM phonebook WHERE account = ?1 AND deleted = 1) AS removals \
                 FROM restore WHERE account = ?1 AND number = ?2",
                [account.into(), number.into()],
            ),
            Statement::new(
                "DELETE FROM usage WHERE account = ?1 AND day >= ?2",
                [account.into(), first_day.into()],
            ),
            Statement::new(
                "DELETE FROM dead_letter WHERE account = ?1 AND kind = 'STUCK'",
                [account.into()],
            ),
        ])
        .await?;
    let past = first(answer(&answers, 0), |row| {
        Ok(Past {
            kept: row.text(0)?,
            removals: row.text(1)?,
        })
    })?;
    past.ok_or(PortError::failed("d1", "what a restore has kept is gone"))
}

/// Forgets what was kept for an object that does not need it any more. The number stays.
pub async fn forget(db: &impl Db, account: &str, number: i64) -> Result<(), PortError> {
    let statement = Statement::new(
        "UPDATE restore SET kept = '' WHERE account = ?1 AND number <= ?2 AND kept <> ''",
        [account.into(), number.into()],
    );
    db.query(statement).await.map(drop)
}
