//! Calls of accounts' webhook objects. They cost the account no token: a route that makes one has paid before.

use crate::api::http::context::Context;
use crate::api::problem::field_error::{FieldError, FieldErrorKind};
use crate::api::problem::{Conflict, Problem};
use crate::base::ports::Platform;
use crate::durable::{self, Request};
use crate::webhook::request::WebhookRefusal;

/// Asks the webhook object of the caller's account.
pub async fn ask<T>(
    context: &Context<'_, impl Platform>,
    request: &impl Request<Reply = Result<T, WebhookRefusal>>,
) -> Result<T, Problem> {
    ask_of(context, context.caller()?.account(), request).await
}

/// Asks the webhook object of an account.
pub async fn ask_of<T>(
    context: &Context<'_, impl Platform>,
    account: &str,
    request: &impl Request<Reply = Result<T, WebhookRefusal>>,
) -> Result<T, Problem> {
    let noted = context.audit_note(Some(account))?;
    let note = noted.as_ref().map(|(_, note)| note);
    let reply = durable::ask(context.platform, account, None, note, request).await?;
    reply.map_err(problem)
}

/// The problem that the client gets for a refusal.
fn problem(refusal: WebhookRefusal) -> Problem {
    match refusal {
        WebhookRefusal::NotFound => Problem::NotFound,
        WebhookRefusal::TooManyEndpoints => Problem::Conflict(Conflict::TooManyEndpoints),
        WebhookRefusal::EndpointInactive => Problem::Conflict(Conflict::EndpointInactive),
        WebhookRefusal::BacklogFull => Problem::Conflict(Conflict::EndpointBacklogFull),
        WebhookRefusal::NoLowBalance => {
            Problem::Validation(vec![FieldError::of("lowBalance", FieldErrorKind::Required)])
        }
        WebhookRefusal::UnknownRequest | WebhookRefusal::Unknown => {
            Problem::Unavailable("the webhook object is of another version".to_owned())
        }
    }
}
