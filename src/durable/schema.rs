//! The schema of an object.
//!
//! A new object gets the newest schema as a whole. An object of an older version gets the steps that it lacks, one by one, and has
//! the same schema then. A step is never edited once it has been released: a change is a change of the whole, and a new step. An
//! object may be opened by an older version of the code after a newer one, so what a step adds must not break the code before it.

use crate::base::ports::{PortError, Sql};

/// The statements of one step.
pub type Step = &'static [&'static str];

/// Brings a part of an object up to date.
pub fn migrate(sql: &impl Sql, part: &str, whole: &[&str], steps: &[Step]) -> Result<(), PortError> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS schema_version (part TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL) STRICT",
        &[],
    )?;
    let version = sql.number("SELECT version FROM schema_version WHERE part = ?1", &[part.into()])?;
    apply(sql, part, version, whole, steps)
}

/// The same for an object that is known to have this version of the part: the number of the step that it has had last, counted from
/// 2, and 1 before the first step. `None`: it has none.
pub fn apply(
    sql: &impl Sql,
    part: &str,
    version: Option<i64>,
    whole: &[&str],
    steps: &[Step],
) -> Result<(), PortError> {
    let numbered = steps.iter().zip(2i64..);
    let Some(version) = version else {
        let newest = numbered.last().map_or(1, |(_, number)| number);
        return run(sql, part, newest, whole);
    };
    for (step, number) in numbered.filter(|(_, number)| *number > version) {
        run(sql, part, number, step)?;
    }
    Ok(())
}

/// Runs these statements in one transaction, after which the part has this version.
fn run(sql: &impl Sql, part: &str, version: i64, statements: &[&str]) -> Result<(), PortError> {
    sql.transaction(|| {
        for statement in statements {
            sql.exec(statement, &[])?;
        }
        sql.exec(
            "INSERT OR REPLACE INTO schema_version (part, version) VALUES (?1, ?2)",
            &[part.into(), version.into()],
        )
        .map(drop)
    })
}
