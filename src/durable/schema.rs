//! The steps of an object's schema.
//!
//! A step is never edited once it has been deployed: a change is a new step. An object may be opened by an older version
//! of the code after a newer one, so what a step adds must not break the code before it.

use crate::base::ports::{PortError, Sql};

/// The statements of one step.
pub type Step = &'static [&'static str];

/// Brings a part of an object up to date.
pub fn migrate(sql: &impl Sql, part: &str, steps: &[&[&str]]) -> Result<(), PortError> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS schema_version (part TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL) STRICT",
        &[],
    )?;
    let version = sql
        .number("SELECT version FROM schema_version WHERE part = ?1", &[part.into()])?
        .unwrap_or(0);
    apply(sql, part, version, steps)
}

/// Applies the steps of a part that an object with this version of it does not have yet, in order, each in a transaction.
pub fn apply(sql: &impl Sql, part: &str, version: i64, steps: &[&[&str]]) -> Result<(), PortError> {
    for (step, number) in steps.iter().zip(1i64..).filter(|(_, number)| *number > version) {
        sql.transaction(|| {
            for statement in *step {
                sql.exec(statement, &[])?;
            }
            sql.exec(
                "INSERT OR REPLACE INTO schema_version (part, version) VALUES (?1, ?2)",
                &[part.into(), number.into()],
            )
            .map(drop)
        })?;
    }
    Ok(())
}
