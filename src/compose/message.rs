//! Makes the message of a draft, as the account's object takes it.

use super::chunks::Chunks;
use super::composer::Composer;
use super::draft::{Draft, PricedRecipient};
use super::learned::Learned;
use super::request::SendRequest;
use super::text::{MAX_RECIPIENTS_BYTES, too_much_text};
use crate::account::record::idempotency::Idempotency;
use crate::account::record::message::{NewMessage, RecipientGroup, UsedPattern};
use crate::base::{id, own_json::own_json, ports::Platform, redact, window::Window};
use crate::durable::push_number;
use crate::problem::{Problem, field_error::FieldError};

/// A group of recipients has about this many bytes. A value of SQLite has at most 2 MB.
const GROUP_BYTES: usize = 512 * 1024;

/// Makes the message of a draft. Returns the recipients too, because the answer names them.
pub fn message<P: Platform>(
    composer: &Composer<'_, P>,
    request: &SendRequest,
    draft: Draft<'_>,
    idempotency: Option<Idempotency>,
    learned: &Learned,
) -> Result<(NewMessage, Vec<PricedRecipient>), Problem> {
    let cost = draft.cost();
    let saved = request.is_cheapest.then(|| draft.saved());
    let hours = kept_hours(request, &draft);
    let wanted_ms = request.send_at_ms.unwrap_or(composer.now_ms).max(composer.now_ms);
    let opens_ms = hours.and_then(|hours| hours.opens_ms(composer.platform, wanted_ms));
    let keeps_hours = hours.is_some();
    let chunks = Chunks::of(&draft.line.routes, &draft.recipients);
    let patterns = draft.patterns.into_iter().map(|(slug, revision)| UsedPattern {
        heard: learned.heard.as_ref().and_then(|heard| heard.get(&slug).copied()),
        slug,
        revision,
    });
    let message = NewMessage {
        uid: id::new(composer.platform)?,
        kind: draft.kind,
        line: draft.line.number.clone(),
        test: composer.is_test(),
        cost,
        text: draft.text,
        redacted: draft.redacted,
        encoding: draft.encoding.as_str().to_owned(),
        parts: draft.parts,
        all_parts: draft.all_parts,
        unit: composer.config.unit.clone(),
        refunds: composer.profile.plan.refunds.clone(),
        client_ref: request.client_ref.clone(),
        send_at_ms: opens_ms.or(request.send_at_ms),
        opens_ms,
        keeps_hours,
        expires_ms: None,
        idempotency,
        sending_enabled: composer.profile.sending_enabled,
        patterns: patterns.collect(),
        sources: draft.sources,
        count: u32::try_from(draft.recipients.len()).unwrap_or(u32::MAX),
        recipients: groups(request, &draft.recipients, &chunks.numbers)?,
        chunks: chunks.chunks,
        avoid: Vec::new(),
        saved,
        callback: request.callback.clone(),
        skips_blocked: request.skips_blocked,
        skipped: learned
            .skipped
            .iter()
            .map(|(number, error)| (*number, *error))
            .collect(),
        campaign: None,
        rehearsed: Vec::new(),
    };
    Ok((message, draft.recipients))
}

/// The hours that the message keeps: those of its line, if it has own texts to many.
pub fn kept_hours<'a>(request: &SendRequest, draft: &Draft<'a>) -> Option<&'a Window> {
    draft.line.hours.as_ref().filter(|_| request.order.is_to_many())
}

/// Writes the recipients as JSON, in groups that SQLite can take as one value.
fn groups(
    request: &SendRequest,
    recipients: &[PricedRecipient],
    chunks: &[u32],
) -> Result<Vec<RecipientGroup>, Problem> {
    let failed = |error: serde_json::Error| Problem::Internal(redact::of_json(&error));
    let mut groups = Vec::new();
    let mut first = 0;
    let mut bytes = 0;
    let mut json = String::with_capacity((recipients.len() * 24).min(GROUP_BYTES) + 2);
    for ((recipient, chunk), index) in recipients.iter().zip(chunks).zip(0u32..) {
        json.push(if json.is_empty() { '[' } else { ',' });
        write_recipient(&mut json, recipient, *chunk).map_err(failed)?;
        let is_last = usize::try_from(index).is_ok_and(|index| index + 1 == recipients.len());
        if is_last || json.len() > GROUP_BYTES {
            json.push(']');
            bytes += json.len();
            let items = own_json(std::mem::take(&mut json)).map_err(failed)?;
            groups.push(RecipientGroup { first, items });
            first = index + 1;
        }
    }
    if bytes > MAX_RECIPIENTS_BYTES {
        let fault = FieldError::of("message", too_much_text());
        return Err(Problem::Validation(vec![fault.under(&request.path)]));
    }
    Ok(groups)
}

/// Writes a recipient as [`RecipientGroup`] describes it.
fn write_recipient(json: &mut String, recipient: &PricedRecipient, chunk: u32) -> Result<(), serde_json::Error> {
    json.push('[');
    push_number(json, recipient.number.get());
    json.push(',');
    push_number(json, recipient.cost);
    json.push(',');
    push_number(json, chunk);
    if let Some(text) = &recipient.text {
        json.push(',');
        json.push_str(&serde_json::to_string(text)?);
        json.push(',');
        push_number(json, recipient.parts);
    }
    json.push(']');
    Ok(())
}
