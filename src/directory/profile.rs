//! The profile of an account: what a send needs to know of the account, its plan and its lines.
//!
//! One batch reads it. The isolate keeps it for at most thirty seconds.

use super::lines::{self, Line, line_columns};
use super::plans::{self, Plan, plan_columns};
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::directory::{all, answer, first};

/// A profile has at most this many lines.
const MAX_LINES: i64 = 1_000;

/// What a send needs to know of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The account's login name.
    pub username: String,
    /// The name of the account's owner.
    pub full_name: String,
    /// The line that a send uses when it names none.
    pub default_line: Option<String>,
    /// The account's plan.
    pub plan: Plan,
    /// The lines that the account may use, in service or not.
    pub lines: Vec<Line>,
    /// Whether sending is switched on for all accounts.
    pub sending_enabled: bool,
}

/// Reads the profile of an account. Returns `None` if the account does not exist.
pub async fn profile(db: &impl Db, account: &str) -> Result<Option<Profile>, PortError> {
    let statements = vec![account_statement(account), lines_statement(account)];
    let answers = db.batch(statements).await?;
    let Some(profile) = first(answer(&answers, 0), from_row)? else {
        return Ok(None);
    };
    let lines = all(answer(&answers, 1), lines::from_row)?;
    Ok(Some(Profile { lines, ..profile }))
}

/// The statement that reads the account, its plan and the switch.
fn account_statement(account: &str) -> Statement {
    Statement::new(
        concat!(
            "SELECT ",
            plan_columns!("p."),
            ", a.username, a.full_name, a.default_line, s.sending_enabled \
             FROM account a JOIN plan p ON p.slug = a.plan JOIN switch s ON s.one = 1 WHERE a.id = ?1"
        ),
        [account.into()],
    )
}

/// The statement that reads the lines that the account may use.
fn lines_statement(account: &str) -> Statement {
    Statement::new(
        concat!(
            "SELECT ",
            line_columns!("l."),
            " FROM line l WHERE l.shared = 1 OR l.number IN (SELECT line FROM line_account WHERE account = ?1) \
             ORDER BY l.number LIMIT ?2"
        ),
        [account.into(), MAX_LINES.into()],
    )
}

/// Reads a profile that has no lines yet.
fn from_row(row: &Row) -> Result<Profile, PortError> {
    Ok(Profile {
        plan: plans::from_row(row)?,
        username: row.text(plans::WIDTH)?,
        full_name: row.text(plans::WIDTH + 1)?,
        default_line: row.opt_text(plans::WIDTH + 2)?,
        sending_enabled: row.bool(plans::WIDTH + 3)?,
        lines: Vec::new(),
    })
}
