//! Closing an account for good.
//!
//! The account's object decides, and then takes away what is left, step by step (`account/closing.rs`). *A crash after its decision*
//! costs nothing: its alarm goes on, and a repeat of the request has the same answer. Credits that wait for their approval are rejected:
//! the object refuses them from now on.

use crate::account::closing::CloseAccount;
use crate::api::http::{self, Response, context::Context};
use crate::api::shared::account::must_exist;
use crate::base::ports::Platform;
use crate::directory::{accounts, credits};
use crate::problem::Problem;

/// `DELETE /admin/accounts/{id}`
pub async fn close<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    must_exist(context, id).await?;
    let closed_ms = context.call_other(id, &CloseAccount).await?;
    // Lists show it at once; the object tells it again.
    accounts::note_closed(context.platform.db(), id, closed_ms).await?;
    let by = context.caller()?.lasting_key();
    credits::reject_all(context.platform.db(), id, by, context.request.now_ms).await?;
    context.app.profiles.forget(id);
    Ok(http::no_content())
}
