//! Lets the account's object decide about a send or an estimate, in one call.

use std::fmt::Write;

use serde_json::value::RawValue;

use super::draft::{self, Draft, Recipient};
use super::request::SendRequest;
use crate::account::Request;
use crate::account::message::{NewMessage, RecipientGroup};
use crate::account::refusal::Refusal;
use crate::account::request::Idempotency;
use crate::account::send::{EstimateMessage, Estimated, SendMessage, Sent};
use crate::api::context::Context;
use crate::auth::Mode;
use crate::cause;
use crate::directory::profile::Profile;
use crate::fault::{Fault, FaultKind};
use crate::id;
use crate::ports::Platform;
use crate::problem::Problem;

/// The recipients of a message have at most this many bytes on their way to the account's object. Then both sides together
/// stay well below the 128 MB of an isolate.
const MAX_RECIPIENTS_BYTES: usize = 8 * 1024 * 1024;
/// A group of recipients has about this many bytes. A value of SQLite has at most 2 MB.
const GROUP_BYTES: usize = 512 * 1024;

/// A request to the account's object about a new message.
pub trait AboutMessage: Request {
    /// Makes the request.
    fn about(message: NewMessage) -> Self;

    /// Gives the message back.
    fn into_message(self) -> NewMessage;

    /// Whether the object knows a newer revision of a pattern than the message was made with.
    fn is_stale(reply: &Self::Reply) -> bool;
}

impl AboutMessage for SendMessage {
    fn about(message: NewMessage) -> Self {
        SendMessage(message)
    }

    fn into_message(self) -> NewMessage {
        self.0
    }

    fn is_stale(reply: &Sent) -> bool {
        matches!(reply, Sent::PatternsStale)
    }
}

impl AboutMessage for EstimateMessage {
    fn about(message: NewMessage) -> Self {
        EstimateMessage(message)
    }

    fn into_message(self) -> NewMessage {
        self.0
    }

    fn is_stale(reply: &Estimated) -> bool {
        matches!(reply, Estimated::PatternsStale)
    }
}

/// A message with its recipients, and what the account's object decided about it.
pub struct Decided<R: Request> {
    /// The message.
    pub message: NewMessage,
    /// The recipients, in the order of the message.
    pub recipients: Vec<Recipient>,
    /// The object's answer.
    pub outcome: Result<R::Reply, Refusal>,
}

/// Prices a request and lets the account's object decide. If a cached pattern may be the reason for a refusal, or the object
/// knows a newer revision of a pattern, it tries again without the cache. So every send sees a change of a pattern at once.
pub async fn decide<P: Platform, R: AboutMessage>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
    idempotency: Option<Idempotency>,
) -> Result<Decided<R>, Problem> {
    let first = decide_once(context, profile, request, idempotency.clone(), false).await;
    let may_be_stale = match &first {
        Ok(Decided { outcome: Ok(reply), .. }) => R::is_stale(reply),
        Ok(_) => false,
        Err(problem) => is_about_patterns(problem),
    };
    match may_be_stale && !request.order.patterns().is_empty() {
        true => decide_once(context, profile, request, idempotency, true).await,
        false => first,
    }
}

fn is_about_patterns(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::PatternNoActiveVersion(_)
            | Problem::PatternHeadNumberNotAcceptable(_)
            | Problem::PatternVariableHasNoValue(_)
            | Problem::PatternVariableNotValid(_)
            | Problem::Validation(_)
    )
}

async fn decide_once<P: Platform, R: AboutMessage>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
    idempotency: Option<Idempotency>,
    fresh: bool,
) -> Result<Decided<R>, Problem> {
    let draft = draft::draft(context, profile, request, fresh).await?;
    let (message, recipients) = message(context, profile, request, draft, idempotency)?;
    let about = R::about(message);
    let outcome = context.ask(&about).await?;
    Ok(Decided {
        message: about.into_message(),
        recipients,
        outcome,
    })
}

/// Makes the message of a draft. Returns the recipients too, because the answer names them.
fn message<P: Platform>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
    draft: Draft<'_>,
    idempotency: Option<Idempotency>,
) -> Result<(NewMessage, Vec<Recipient>), Problem> {
    let message = NewMessage {
        uid: id::new(context.platform)?,
        kind: draft.kind,
        line: draft.line.number.clone(),
        carrier: draft.line.carrier.clone(),
        test: context.caller()?.mode() == Mode::Test,
        cost: draft.cost(),
        text: draft.text,
        encoding: draft.encoding.as_str().to_owned(),
        parts: draft.parts,
        unit: context.app.config.unit.clone(),
        refunds: profile.plan.refunds.clone(),
        client_ref: request.client_ref.clone(),
        send_at_ms: request.send_at_ms,
        idempotency,
        sending_enabled: profile.sending_enabled,
        patterns: draft.patterns,
        sources: draft.sources,
        count: u32::try_from(draft.recipients.len()).unwrap_or(u32::MAX),
        recipients: groups(request, &draft.recipients)?,
    };
    Ok((message, draft.recipients))
}

/// Writes the recipients as JSON, in groups that SQLite can take as one value.
fn groups(request: &SendRequest, recipients: &[Recipient]) -> Result<Vec<RecipientGroup>, Problem> {
    let failed = |error: serde_json::Error| Problem::Internal(cause::of_json(&error));
    let mut groups = Vec::new();
    let mut first = 0;
    let mut bytes = 0;
    let mut json = String::with_capacity((recipients.len() * 24).min(GROUP_BYTES) + 2);
    for (recipient, index) in recipients.iter().zip(0u32..) {
        json.push(if json.is_empty() { '[' } else { ',' });
        write_recipient(&mut json, recipient).map_err(failed)?;
        let is_last = usize::try_from(index).is_ok_and(|index| index + 1 == recipients.len());
        if is_last || json.len() > GROUP_BYTES {
            json.push(']');
            bytes += json.len();
            let items = RawValue::from_string(std::mem::take(&mut json)).map_err(failed)?;
            groups.push(RecipientGroup { first, items });
            first = index + 1;
        }
    }
    if bytes > MAX_RECIPIENTS_BYTES {
        let max = MAX_RECIPIENTS_BYTES;
        let fault = Fault::of("message", FaultKind::TooMuchText { max });
        return Err(Problem::Validation(vec![fault.under(&request.path)]));
    }
    Ok(groups)
}

/// Writes a recipient as [`RecipientGroup`] describes it.
fn write_recipient(json: &mut String, recipient: &Recipient) -> Result<(), serde_json::Error> {
    let (number, cost) = (recipient.number.get(), recipient.cost);
    // Writing to a string can't fail.
    let _ = match &recipient.text {
        None => write!(json, "[{number},{cost}]"),
        Some(text) => {
            let text = serde_json::to_string(text)?;
            write!(json, "[{number},{cost},{text}]")
        }
    };
    Ok(())
}
