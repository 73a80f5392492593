//! Patterns as sends read them: the active version, and the lines it may be sent from.

use crate::ports::{Db, PortError, Statement};
use crate::sms::variable::Variable;

/// A pattern with an active version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePattern {
    /// Its name in its account.
    pub slug: String,
    /// Counts its changes.
    pub revision: i64,
    /// The numbers it may be sent from; empty: any.
    pub lines: Vec<String>,
    /// The active version's text.
    pub text: String,
    /// The active version's variables.
    pub variables: Vec<Variable>,
}

/// Reads those of an account's patterns that have these slugs and an active version.
pub async fn active(db: &impl Db, account: &str, slugs: &[&str]) -> Result<Vec<ActivePattern>, PortError> {
    let json = |error: serde_json::Error| PortError::failed("json", error);
    let slugs = serde_json::to_string(slugs).map_err(json)?;
    let rows = db
        .query(Statement::new(
            "SELECT p.slug, p.revision, p.lines, v.text, v.variables FROM pattern p \
             JOIN pattern_version v ON v.pattern = p.id AND v.status = 'ACTIVE' \
             WHERE p.account = ?1 AND p.slug IN (SELECT s.value FROM json_each(?2) s)",
            [account.into(), slugs.into()],
        ))
        .await?;
    rows.iter()
        .map(|row| {
            Ok(ActivePattern {
                slug: row.text(0)?,
                revision: row.int(1)?,
                lines: serde_json::from_str(&row.text(2)?).map_err(json)?,
                text: row.text(3)?,
                variables: serde_json::from_str(&row.text(4)?).map_err(json)?,
            })
        })
        .collect()
}
