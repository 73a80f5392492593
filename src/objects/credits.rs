//! Brings together what the directory and an account's object know of a credit that needed a second operator.

use crate::account::record::idempotency::Idempotency;
use crate::account::wallet::credit::FindCredit;
use crate::base::ports::{Platform, PortError};
use crate::directory::credits::{self, PendingCredit};
use crate::durable;

/// Notes what became of a credit whose claim is over: the object has made it by then, or never will.
pub async fn settle(platform: &impl Platform, credit: &PendingCredit) -> Result<(), PortError> {
    let Some(claim) = credit.claim.as_ref().filter(|claim| claim.until_ms < platform.now_ms()) else {
        return Ok(());
    };
    let find = FindCredit(Idempotency::approved(&credit.id));
    let reply = durable::ask(platform, &credit.account, None, None, &find).await?;
    match reply.accepted("to find a credit")? {
        Some(_) => credits::approve(platform.db(), &credit.id, &claim.by, platform.now_ms()).await,
        None => credits::release(platform.db(), &credit.id, claim).await,
    }
}

/// Settles the credits whose approval has broken off, and forgets old ones.
pub async fn tidy(platform: &impl Platform) -> Result<(), PortError> {
    for credit in credits::broken_off(platform.db(), platform.now_ms()).await? {
        settle(platform, &credit).await?;
    }
    credits::forget_old(platform.db(), platform.now_ms()).await
}
