//! The account and its balance.

use serde_json::{Value, json};

use super::errors::Fault;
use super::message::address;
use super::told::Told;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::base::ports::Platform;

async fn info<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let path = "/account/info";
    Ok(own.ask(Ask { path, ..Ask::default() }).await?)
}

/// `GET …/Balance`
pub async fn balance<P: Platform>(own: &Own<'_, P>, account: &str) -> Result<Told, Fault> {
    let info = info(own).await?;
    let balance = info.member("wallet").number("availableBalance").to_string();
    Ok(Told::found(
        &json!({"account_sid": account, "balance": balance, "currency": own.unit()}),
    ))
}

/// `GET …/Accounts/{sid}`: programs call it to see whether their key is good.
pub async fn read<P: Platform>(own: &Own<'_, P>, account: &str) -> Result<Told, Fault> {
    let info = info(own).await?;
    let resource = |name: &str| address(account, &format!("/{name}.json"));
    Ok(Told::found(&json!({
        "sid": account,
        "owner_account_sid": account,
        "friendly_name": info.member("accountInfo").text("fullName"),
        "status": "active",
        "type": "Full",
        "auth_token": null,
        "date_created": null,
        "date_updated": null,
        "uri": address(account, ".json"),
        "subresource_uris": {"balance": resource("Balance"), "messages": resource("Messages")},
    })))
}
