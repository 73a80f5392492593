//! The phonebooks of the caller's account.

use crate::api::context::Context;
use crate::directory::phonebooks::{self, Phonebook};
use crate::ports::Platform;
use crate::problem::Problem;

/// A phonebook of the caller's account. Fails with 404 if the account has no such phonebook.
pub async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Phonebook, Problem> {
    let phonebook = phonebooks::find(context.platform.db(), context.caller()?.account(), id).await?;
    phonebook.ok_or(Problem::NotFound)
}
