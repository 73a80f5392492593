//! The account.

use serde_json::Value;

use super::fault::Fault;
use super::read::get;
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::base::ports::Platform;

/// The account of the key: `wallet` and `accountInfo`.
pub async fn info<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    get(own, "/account/info").await
}

/// What the account may still spend.
pub async fn credit<P: Platform>(own: &Own<'_, P>) -> Result<i64, Fault> {
    Ok(info(own).await?.member("wallet").number("availableBalance"))
}
