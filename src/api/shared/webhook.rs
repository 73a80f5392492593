//! Calls of accounts' webhook objects. They cost the account no token: a route that makes one has paid before.

use crate::api::http::context::Context;
use crate::api::problem::field_error::{FieldError, FieldErrorKind};
use crate::api::problem::{Conflict, Problem};
use crate::base::ports::Platform;
use crate::webhook::request::{self, Refusal, Request};

/// Asks the webhook object of the caller's account.
pub async fn ask<P: Platform, R: Request>(context: &Context<'_, P>, request: &R) -> Result<R::Reply, Problem> {
    ask_of(context, context.caller()?.account(), request).await
}

/// Asks the webhook object of an account.
pub async fn ask_of<P: Platform, R: Request>(
    context: &Context<'_, P>,
    account: &str,
    request: &R,
) -> Result<R::Reply, Problem> {
    let noted = context.audit_note(Some(account))?;
    let note = noted.as_ref().map(|(_, note)| note);
    let reply = request::ask(context.platform, account, note, request).await?;
    reply.map_err(problem)
}

/// The problem that the client gets for a refusal.
fn problem(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::NotFound => Problem::NotFound,
        Refusal::TooManyEndpoints => Problem::Conflict(Conflict::TooManyEndpoints),
        Refusal::EndpointInactive => Problem::Conflict(Conflict::EndpointInactive),
        Refusal::NoLowBalance => Problem::Validation(vec![FieldError::of("lowBalance", FieldErrorKind::Required)]),
        Refusal::UnknownRequest | Refusal::Unknown => {
            Problem::Unavailable("the webhook object is of another version".to_owned())
        }
    }
}
