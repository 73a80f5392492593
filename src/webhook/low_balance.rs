//! The object's own row: the account that it belongs to, the version of what the endpoints ask for, and the account's
//! threshold, the balance below which it wants to hear of it: for each endpoint that asks for `wallet.low` and has no
//! threshold of its own.
//!
//! A change of the endpoints or of the threshold gives the row a new version in the same transaction, so that
//! [`super::subscriptions`] tells the account's object.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::request::{ReplyResult, WebhookRequest};
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::audit::Subject;

/// Notes that the account's object is to hear of a change.
pub fn note_change(sql: &impl Sql, account: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO webhook (one, account, version, told, sweep_ms, events, test_events) VALUES (1, ?1, 1, 0, 0, 0, 0) \
         ON CONFLICT DO UPDATE SET version = version + 1",
        &[account.into()],
    )
    .map(drop)
}

/// Notes the account that the object belongs to. Nothing that its endpoints ask for has changed.
pub fn note_account(sql: &impl Sql, account: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO webhook (one, account, version, told, sweep_ms, events, test_events) VALUES (1, ?1, 0, 0, 0, 0, 0) \
         ON CONFLICT DO NOTHING",
        &[account.into()],
    )
    .map(drop)
}

/// The account that the object belongs to, once it has had an endpoint or a callback.
pub fn account(sql: &impl Sql) -> Result<Option<String>, PortError> {
    let rows = sql.exec("SELECT account FROM webhook", &[])?;
    rows.first().map(|row| row.text(0)).transpose()
}

/// The account's threshold for `wallet.low`, for the endpoints that have none of their own.
pub fn threshold(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number("SELECT low_balance FROM webhook", &[])
}

/// Asks for the account's threshold.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetLowBalance;

impl WebhookRequest for GetLowBalance {
    fn answer(&self, _: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<Option<i64>> {
        threshold(sql).map(Ok)
    }
}

/// Sets the account's threshold, or takes it away.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetLowBalance {
    /// The balance below which the account wants to hear of it.
    pub low_balance: Option<i64>,
}

impl WebhookRequest for SetLowBalance {
    fn audited(&self, sql: &impl Sql) -> Result<Option<Subject>, PortError> {
        let state = json!({"lowBalance": threshold(sql)?});
        Ok(Some(Subject::of(Some(state))))
    }

    fn answer(&self, _: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<()> {
        note_change(sql, account)?;
        sql.exec("UPDATE webhook SET low_balance = ?1", &[self.low_balance.into()])?;
        Ok(Ok(()))
    }
}
