//! The balance below which the account wants to hear of it: for each endpoint that asks for `wallet.low` and has no
//! threshold of its own.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::request::{Outcome, WebhookRequest};
use super::webhook_row;
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::audit::Subject;

/// Asks for the account's threshold.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetLowBalance;

impl WebhookRequest for GetLowBalance {
    fn answer(&self, _: &impl Platform, sql: &impl Sql, _: &str) -> Outcome<Option<i64>> {
        webhook_row::low_balance(sql).map(Ok)
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
        let state = json!({"lowBalance": webhook_row::low_balance(sql)?});
        Ok(Some(Subject::of(Some(state))))
    }

    fn answer(&self, _: &impl Platform, sql: &impl Sql, account: &str) -> Outcome<()> {
        webhook_row::note_change(sql, account)?;
        sql.exec("UPDATE webhook SET low_balance = ?1", &[self.low_balance.into()])?;
        Ok(Ok(()))
    }
}
