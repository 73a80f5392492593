//! Calls of accounts' webhook objects. They cost the account no token: a route that makes one has paid before.

use crate::account::record::event_type::EventType;
use crate::api::http::context::Context;
use crate::auth::Scope;
use crate::base::ports::Platform;
use crate::durable::{self, Request, audit};
use crate::problem::field_error::{FieldError, FieldErrorKind};
use crate::problem::{Conflict, Problem};
use crate::webhook::request::WebhookRefusal;

/// What a change counts of the account's audit budget: an entry takes no more.
const MOST_BYTES: usize = audit::ENTRY_BYTES + 2 * audit::MAX_CUSTOMER_BYTES;

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
    let answered = reply.map_err(problem)?;
    if note.is_some_and(|note| note.bytes_a_day.is_some()) {
        // The webhook object does not tell how large its entry is.
        let written = &context.record.audited_bytes;
        written.set(written.get().saturating_add(MOST_BYTES));
    }
    Ok(answered)
}

/// The problem that the client gets for a refusal.
fn problem(refusal: WebhookRefusal) -> Problem {
    match refusal {
        WebhookRefusal::NotFound => Problem::NotFound,
        WebhookRefusal::KeyRevoked => Problem::Unauthorized { key_sent: true },
        WebhookRefusal::TooManyEndpoints => Problem::Conflict(Conflict::TooManyEndpoints),
        WebhookRefusal::EndpointInactive => Problem::Conflict(Conflict::EndpointInactive),
        WebhookRefusal::BacklogFull => Problem::Conflict(Conflict::EndpointBacklogFull),
        WebhookRefusal::NoLowBalance => {
            Problem::Validation(vec![FieldError::of("lowBalance", FieldErrorKind::Required)])
        }
        WebhookRefusal::UnreadableEvent(kind) => {
            Problem::Forbidden(EventType::selectable(&kind).map_or(Scope::Webhook, EventType::scope))
        }
        WebhookRefusal::UnknownRequest | WebhookRefusal::Unknown => {
            Problem::Unavailable("the webhook object is of another version".to_owned())
        }
    }
}
