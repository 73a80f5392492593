//! The account's credit and its lines.

use serde_json::Value;

use super::errors::Fault;
use super::report;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::walk::Walk;
use crate::base::ports::Platform;

/// `credit`: the available balance.
pub async fn credit<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let path = "/account/info";
    let info = own.ask(Ask { path, ..Ask::default() }).await?;
    Ok(info.member("wallet").number("availableBalance").into())
}

/// `line`: the lines that are numbers. The protocol has no names.
pub async fn lines<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let mut walk = Walk::of("/lines", String::new());
    let mut numbers: Vec<i64> = Vec::new();
    while let Some(lines) = walk.next(own).await? {
        let lines = lines.iter().map(|line| report::number_of(line.text("number")));
        numbers.extend(lines.filter(|number| *number > 0));
    }
    Ok(numbers.into())
}
