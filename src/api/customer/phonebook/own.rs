//! The phonebooks of the caller's account.

use crate::api::http::context::Context;
use crate::api::problem::Problem;
use crate::base::ports::Platform;
use crate::directory::phonebook::{self, Phonebook};

/// A phonebook of the caller's account. Fails with 404 if the account has no such phonebook.
pub async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Phonebook, Problem> {
    let phonebook = phonebook::find(context.platform.db(), context.caller()?.account(), id).await?;
    phonebook.ok_or(Problem::NotFound)
}
