//! The object's own row: the account that it belongs to, the account's threshold, and the version of what the endpoints ask
//! for.
//!
//! A change of the endpoints or of the threshold gives the row a new version in the same transaction, so that
//! [`super::subscriptions`] tells the account's object.

use crate::base::ports::{PortError, Sql};

/// Notes that the account's object is to hear of a change.
pub fn note_change(sql: &impl Sql, account: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO webhook (one, account, version, told, sweep_ms, events) VALUES (1, ?1, 1, 0, 0, 0) \
         ON CONFLICT DO UPDATE SET version = version + 1",
        &[account.into()],
    )
    .map(drop)
}

/// The account that the object belongs to, once it has had an endpoint.
pub fn account(sql: &impl Sql) -> Result<Option<String>, PortError> {
    let rows = sql.exec("SELECT account FROM webhook", &[])?;
    rows.first().map(|row| row.text(0)).transpose()
}

/// The account's threshold for `wallet.low`, for the endpoints that have none of their own.
pub fn low_balance(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT low_balance FROM webhook", &[])?;
    Ok(rows.first().map(|row| row.opt_int(0)).transpose()?.flatten())
}
