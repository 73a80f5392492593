//! What an account and operators see alike of an account.

use serde_json::{Value, json};

use crate::account::wallet::ledger::Wallet;
use crate::api::http::context::Context;
use crate::api::problem::Problem;
use crate::base::ports::Platform;
use crate::directory::accounts::{self, ListedAccount};

/// A wallet in the form of the API.
pub fn wallet(wallet: Wallet, unit: &str) -> Value {
    json!({
        "availableBalance": wallet.available,
        "lockedBalance": wallet.locked,
        "totalBalance": wallet.total(),
        "unit": unit,
    })
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
