//! How delivery reports come back, whichever carrier they are from.

use crate::account;
use crate::account::chunk::reports::{Deliver, DeliveryReport};
use crate::base::ports::{Platform, PortError};

/// Reports deliveries to an account's object. It returns when the reports are safe there, and tells whether they have moved
/// anybody.
pub async fn report(platform: &impl Platform, account: &str, reports: Vec<DeliveryReport>) -> Result<bool, PortError> {
    let reply = account::ask(platform, account, None, None, &Deliver(reports)).await?;
    reply
        .outcome
        .map(|moved| moved != Some(0))
        .map_err(|refusal| PortError::failed("account", format!("refused delivery reports: {refusal:?}")))
}
