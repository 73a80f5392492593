//! The account and its settings.

use serde_json::{Value, json};

use super::errors::Fault;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::base::ports::Platform;

/// How long an account is said to last, s: ten years. Programs warn of one that ends, and none of ours does.
const LASTS_S: i64 = 10 * 365 * 86_400;

/// The settings of the protocol, and what stands for each here. Our own console and API change them.
const SETTINGS: [(&str, &str); 5] = [
    ("apilogs", "justfaults"),
    ("dailyreport", "disabled"),
    ("debugmode", "disabled"),
    ("mincreditalarm", "0"),
    ("resendfailed", "disabled"),
];

/// `account/info`
pub async fn info<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let path = "/account/info";
    let info = own.ask(Ask { path, ..Ask::default() }).await?;
    let expires_s = own.now_ms().div_euclid(1_000).saturating_add(LASTS_S);
    Ok(
        json!({"remaincredit": info.member("wallet").number("availableBalance"), "expiredate": expires_s, "type": "master"}),
    )
}

/// `account/config`: tells the settings. To set one to something else is not supported.
pub async fn config<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let path = "/lines?limit=200";
    let lines = own.ask(Ask { path, ..Ask::default() }).await?;
    let mut lines = lines.as_array().map(Vec::as_slice).unwrap_or_default().iter();
    let default = lines.find(|line| line.member("default") == true);
    let sender = default.map_or("", |line| line.text("number"));
    let settings = SETTINGS.into_iter().chain([("defaultsender", sender)]);
    let is_other = |(name, value): (&str, &str)| {
        params
            .get(name)
            .is_some_and(|wanted| !wanted.eq_ignore_ascii_case(value))
    };
    if settings.clone().any(is_other) {
        return Err(Fault::of(426));
    }
    Ok(settings
        .map(|(name, value)| (name.to_owned(), Value::from(value)))
        .collect::<serde_json::Map<_, _>>()
        .into())
}
