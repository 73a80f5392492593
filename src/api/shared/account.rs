//! What an account and operators see alike of an account.

use crate::account::record::ledger::Wallet;
use crate::answer;
use crate::api::http::context::Context;
use crate::base::ports::Platform;
use crate::directory::accounts::{self, ListedAccount};
use crate::problem::{Conflict, Problem};

answer! {
    /// The money of an account.
    pub struct WalletData(wallet: Wallet, unit: &str) as "Wallet" {
        /// What can be spent.
        "availableBalance": wallet.available, signed_money() => 99_000;
        /// What is reserved for messages.
        "lockedBalance": wallet.locked, money() => 1_000;
        /// Both together.
        "totalBalance": wallet.total(), signed_money() => 100_000;
        "unit": unit, unit();
    }
}

/// The name of an account's status.
pub fn status(active: bool) -> &'static str {
    if active { "ACTIVE" } else { "INACTIVE" }
}

/// An account as the directory has it. Fails with 404 if there is no such account.
pub async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<ListedAccount, Problem> {
    let entry = accounts::find(context.platform.db(), id).await?;
    entry.ok_or(Problem::NotFound)
}

/// Fails with 404 if there is no such account.
pub async fn must_exist<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<(), Problem> {
    find(context, id).await.map(drop)
}

/// Fails with 404 if there is no such account, and with 409 if it is closed.
pub async fn must_be_open<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<(), Problem> {
    match find(context, id).await?.closed_ms {
        Some(_) => Err(Problem::Conflict(Conflict::AccountClosed)),
        None => Ok(()),
    }
}
