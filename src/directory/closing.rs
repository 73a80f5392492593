//! What the directory takes away of an account that is closed, and what of it stays: its row, its usage and its credits.

use super::{all, answer};
use crate::base::ports::{Db, PortError, Statement};

/// Patterns that go at a time, with all their versions.
const PATTERNS_A_GO: i64 = 50;

/// What a go leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleared {
    /// The ids of the phonebooks whose numbers are to be removed. They are deleted for everybody.
    pub phonebooks: Vec<String>,
    /// Whether more patterns may be left.
    pub has_more: bool,
}

/// Notes that an account is closed, frees its lines, deletes its phonebooks and some of its patterns, in one transaction. It may be
/// repeated.
pub async fn clear(db: &impl Db, account: &str, closed_ms: i64) -> Result<Cleared, PortError> {
    let of_account = |sql: &'static str| Statement::new(sql, [account.into()]);
    let answers = db
        .batch(vec![
            Statement::new(
                "UPDATE account SET closed_ms = ?2, default_line = NULL WHERE id = ?1",
                [account.into(), closed_ms.into()],
            ),
            of_account("DELETE FROM line_account WHERE account = ?1"),
            of_account("DELETE FROM line_inbound WHERE account = ?1"),
            of_account("DELETE FROM line_keyword WHERE account = ?1"),
            of_account("DELETE FROM dead_letter WHERE account = ?1"),
            of_account("DELETE FROM waiting WHERE account = ?1"),
            of_account("UPDATE phonebook SET deleted = 1 WHERE account = ?1 AND deleted = 0"),
            of_account("SELECT id FROM phonebook WHERE account = ?1"),
            Statement::new(
                "DELETE FROM pattern WHERE id IN (SELECT id FROM pattern WHERE account = ?1 LIMIT ?2) RETURNING id",
                [account.into(), PATTERNS_A_GO.into()],
            ),
        ])
        .await?;
    let gone = i64::try_from(answer(&answers, 8).len()).unwrap_or(i64::MAX);
    Ok(Cleared {
        phonebooks: all(answer(&answers, 7), |row| row.text(0))?,
        has_more: gone >= PATTERNS_A_GO,
    })
}
