//! The account and its balance.

use serde_json::{Value, json};
use uuid::Uuid;

use super::call::{Asked, Told};
use super::errors::Fault;
use super::message::address;
use super::page::{List, page};
use super::wanted::bounds;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::base::ports::Platform;
use crate::webhook::callbacks::twilio::API_VERSION;

/// The account of the key, as any key may see it.
pub struct Holder(Value);

impl Holder {
    /// Asks who the key is of.
    pub async fn of<P: Platform>(own: &Own<'_, P>) -> Result<Self, Fault> {
        let path = "/console/session";
        let session = own.ask(Ask { path, ..Ask::default() }).await?;
        Ok(Holder(session.member("account").clone()))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.0.text("fullName")
    }

    /// A SID of this kind that is made of the account's id.
    pub fn sid(&self, kind: &str) -> String {
        let id = Uuid::try_parse(self.0.text("id")).unwrap_or_default();
        format!("{kind}{}", id.simple())
    }

    fn record(&self, account: &str) -> Value {
        let resource = |name: &str| address(account, &format!("/{name}.json"));
        json!({
            "sid": account,
            "owner_account_sid": account,
            "friendly_name": self.name(),
            "status": "active",
            "type": "Full",
            "auth_token": null,
            "date_created": null,
            "date_updated": null,
            "uri": address(account, ".json"),
            "subresource_uris": {
                "balance": resource("Balance"),
                "incoming_phone_numbers": resource("IncomingPhoneNumbers"),
                "messages": resource("Messages"),
            },
        })
    }
}

/// `GET …/Balance`
pub async fn balance<P: Platform>(own: &Own<'_, P>, account: &str) -> Result<Told, Fault> {
    let path = "/account/info";
    let info = own.ask(Ask { path, ..Ask::default() }).await?;
    let balance = info.member("wallet").number("availableBalance").to_string();
    Ok(Told::found(
        &json!({"account_sid": account, "balance": balance, "currency": own.unit()}),
    ))
}

/// `GET …/Accounts/{sid}`: programs call it to see whether their key is good.
pub async fn read<P: Platform>(own: &Own<'_, P>, account: &str) -> Result<Told, Fault> {
    Ok(Told::found(&Holder::of(own).await?.record(account)))
}

/// `GET …/Accounts`: the account of the key alone. Its SID is that of the program, or made of our own id.
pub async fn list<P: Platform>(own: &Own<'_, P>, asked: &Asked<'_>) -> Result<Told, Fault> {
    let list = List {
        uri: &format!("/{API_VERSION}/Accounts.json"),
        name: "accounts",
        query: &asked.head.query,
        bounds: bounds(&Params::of_query(&asked.head.query))?,
    };
    let holder = Holder::of(own).await?;
    let account = asked.account.map_or_else(|| holder.sid("AC"), str::to_owned);
    let records = if list.bounds.page == 0 {
        vec![holder.record(&account)]
    } else {
        Vec::new()
    };
    Ok(Told::found(&page(&list, None, &records)))
}
