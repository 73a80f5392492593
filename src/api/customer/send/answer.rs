//! The answers of a send: accepted, accepted before, or refused.

use std::collections::HashSet;

use crate::account::record::message::{Cheapest, MessageView, NewMessage};
use crate::account::refusal::Refusal;
use crate::api::http::{Response, context::Context, respond::Success};
use crate::api::shared::view::{E164, RecipientData, RecipientUid, SentData, SentRecipients};
use crate::base::ports::Platform;
use crate::compose::draft::PricedRecipient;
use crate::compose::request::SendRequest;
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind};

/// What the answer tells of the cheapest form, if the request asked for it. `saved` is what the texts cost less than as they were given.
pub fn cheapest(message: &NewMessage, recipients: &[PricedRecipient], saved: i64) -> Option<Cheapest> {
    message.saved?;
    let is_same = recipients.iter().all(|recipient| recipient.text.is_none());
    let text = message.redacted.as_ref().unwrap_or(&message.text);
    Some(Cheapest {
        text: is_same.then(|| text.clone()),
        saved,
    })
}

/// The 201 of a message that was just accepted.
pub fn accepted<P: Platform>(
    context: &Context<'_, P>,
    uid: &str,
    message: &NewMessage,
    recipients: &[PricedRecipient],
) -> Result<Response, Problem> {
    let cheapest = message.saved.and_then(|saved| cheapest(message, recipients, saved));
    let (status, recipient_status) = message.first_status();
    let recipients = recipients.iter().zip(0..).map(|(recipient, index)| RecipientData {
        uid: RecipientUid(uid, index),
        recipient: E164(recipient.number.get()),
        status: recipient_status.as_str(),
        cost: recipient.cost,
    });
    Success::sent(SentData {
        uid,
        status: status.as_str(),
        kind: message.kind.as_str(),
        line: &message.line,
        encoding: &message.encoding,
        parts: message.parts,
        cost: message.cost,
        unit: &message.unit,
        client_ref: message.client_ref.as_deref(),
        send_at_ms: message.send_at_ms,
        opens_ms: message.opens_ms,
        cheapest: cheapest.as_ref(),
        skipped: message.skipped_count(),
        recipients: &SentRecipients(recipients.collect()),
    })
    .response(context)
}

/// The 201 of a message that was accepted before.
pub fn replayed<P: Platform>(context: &Context<'_, P>, message: &MessageView) -> Result<Response, Problem> {
    Success::sent(SentData {
        uid: &message.uid,
        status: message.status.as_str(),
        kind: message.kind.as_str(),
        line: &message.line,
        encoding: &message.encoding,
        parts: message.parts,
        cost: message.cost,
        unit: &message.unit,
        client_ref: message.client_ref.as_deref(),
        send_at_ms: message.send_at_ms,
        opens_ms: message.opens_ms,
        cheapest: message.cheapest.as_ref(),
        skipped: message.skipped,
        recipients: &SentRecipients::of(message),
    })
    .replayed(true)
    .response(context)
}

/// The problem of a send that the account's object refused. It names recipients where the body names them.
pub fn refused<P: Platform>(
    context: &Context<'_, P>,
    request: &SendRequest,
    recipients: &[PricedRecipient],
    refusal: Refusal,
) -> Problem {
    let faults = |numbers: Vec<u64>, kind: fn(String) -> FieldErrorKind| {
        let numbers: HashSet<u64> = numbers.into_iter().collect();
        let named = recipients
            .iter()
            .filter(|recipient| numbers.contains(&recipient.number.get()));
        let fault = |recipient: &PricedRecipient| {
            FieldError::at(recipient.named_at.path(), kind(recipient.number.to_e164())).under(&request.path)
        };
        named.map(fault).collect()
    };
    match refusal {
        Refusal::Blacklisted(numbers) => Problem::RecipientBlacklisted(faults(numbers, FieldErrorKind::Blacklisted)),
        Refusal::RecipientLimit {
            recipients,
            retry_after_s,
        } => Problem::RecipientLimit {
            faults: faults(recipients, FieldErrorKind::RecipientLimit),
            retry_after_s,
        },
        other => context.problem(other),
    }
}
