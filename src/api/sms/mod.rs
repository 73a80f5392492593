//! Sending: `POST /sms/send`, `/sms/pattern`, `/sms/phonebook/send`, `/sms/bulk`, and `POST /sms/estimate` for each.
//!
//! A body is read (`read`), made into a priced draft (`draft`), and put before the account's object, which decides the
//! rest and writes, in one call. An estimate goes the same way and asks the object only what it would say. A request
//! that is refused on either side has changed nothing.

pub mod draft;
pub mod filling;
pub mod parse;
pub mod tariff;

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::json;
use serde_json::value::RawValue;

use self::draft::{Draft, Recipient};
use self::parse::SendRequest;
use super::context::Context;
use super::idempotency::{self, request_hash};
use super::view::{E164, RecipientData, RecipientUid, SentData};
use crate::account::Request;
use crate::account::idempotency::{Charge, Idempotency};
use crate::account::message::{MessageKind, MessageView, NewMessage, RecipientGroup};
use crate::account::refusal::Refusal;
use crate::account::send::{EstimateMessage, Estimated, SendMessage, Sent};
use crate::api::body::{self, JsonBody};
use crate::api::respond::Success;
use crate::auth::Mode;
use crate::directory::profile::Profile;
use crate::fault::{Fault, FaultKind};
use crate::http::{Body, Response};
use crate::id;
use crate::input::Fields;
use crate::ports::Platform;
use crate::problem::Problem;
use crate::time;

/// Bytes that the recipients of one message may take on their way to the account's object: what both hold of them at once
/// fits well into an isolate's 128 MB.
const MAX_RECIPIENTS_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of one group of recipients, about: a value of SQLite may have 2 MB.
const GROUP_BYTES: usize = 512 * 1024;

/// `POST /sms/send`, `/sms/pattern`, `/sms/phonebook/send` and `/sms/bulk`
pub async fn send<P: Platform>(
    context: &Context<'_, P>,
    kind: MessageKind,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    let JsonBody { bytes, object } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let request = parse::request(kind, &context.app.config, context.request.now_ms, &mut fields);
    let key = idempotency::read_key(context.request.head, &mut fields);
    fields.finish()?;
    let request = request.ok_or_else(unread)?;
    let idempotency = key.map(|key| Idempotency {
        key,
        hash: request_hash(endpoint(kind), &bytes),
    });
    context.record.note_idempotency(idempotency.clone());
    if let Some(message) = charge_ahead(context, kind, idempotency.clone()).await? {
        return replayed(context, &message);
    }
    let profile = context.profile().await?;
    let decided: Decided<SendMessage> = decide(context, &profile, &request, idempotency).await?;
    match decided.outcome {
        Ok(Sent::Accepted) => accepted(context, &decided.message, &decided.recipients),
        Ok(Sent::Replayed(message)) => replayed(context, &message),
        Ok(Sent::PatternsStale) => Err(always_stale()),
        Err(refusal) => Err(problem(context, &request, &decided.recipients, refusal)),
    }
}

/// `POST /sms/estimate`
pub async fn estimate<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let request = read_estimate(context, &mut fields);
    fields.finish()?;
    let request = request.ok_or_else(unread)?;
    charge_ahead(context, request.order.kind(), None).await?;
    let profile = context.profile().await?;
    let decided: Decided<EstimateMessage> = decide(context, &profile, &request, None).await?;
    let refusals = match decided.outcome {
        Ok(Estimated::Refusals(refusals)) => refusals,
        Ok(Estimated::PatternsStale) => return Err(always_stale()),
        Err(refusal) => return Err(context.problem(refusal)),
    };
    let faults = refusals
        .into_iter()
        .map(|refusal| problem(context, &request, &decided.recipients, refusal).brief(context.request.language));
    let message = &decided.message;
    Success::ok(json!({
        "type": message.kind.as_str(),
        "sourceNumber": message.line,
        "encoding": message.encoding,
        "parts": message.parts,
        "recipients": message.count,
        "cost": message.cost,
        "unit": message.unit,
        "faults": faults.collect::<Vec<_>>(),
    }))
    .response(&context.request.id)
}

fn always_stale() -> Problem {
    Problem::Internal("a pattern that was just read is older than the account's object knows".to_owned())
}

/// Charges for a phonebook send before its phonebooks are read, so that a rate-limited request reads nothing. Gives the message
/// when its idempotency key made it before.
async fn charge_ahead<P: Platform>(
    context: &Context<'_, P>,
    kind: MessageKind,
    idempotency: Option<Idempotency>,
) -> Result<Option<Box<MessageView>>, Problem> {
    match kind {
        MessageKind::Phonebook => context.call(&Charge(idempotency)).await,
        MessageKind::Plain | MessageKind::Pattern | MessageKind::Bulk => Ok(None),
    }
}

/// The members of an estimate, of which it has one.
const ESTIMATES: [(&str, MessageKind); 4] = [
    ("send", MessageKind::Plain),
    ("pattern", MessageKind::Pattern),
    ("phonebook", MessageKind::Phonebook),
    ("bulk", MessageKind::Bulk),
];

fn read_estimate<P: Platform>(context: &Context<'_, P>, fields: &mut Fields<'_>) -> Option<SendRequest> {
    let mut named = ESTIMATES.into_iter().filter(|(name, _)| fields.has(name));
    let (first, second) = (named.next(), named.next());
    drop(named);
    match (first, second) {
        (Some((name, kind)), None) => {
            let config = &context.app.config;
            let request = fields.object(name, |body| parse::request(kind, config, context.request.now_ms, body));
            fields.require(name, request).flatten()
        }
        (Some((first, _)), Some((second, _))) => {
            fields.fault(second, FaultKind::NotBeside(first));
            None
        }
        _ => {
            let names = ESTIMATES.map(|(name, _)| name).join(", ");
            fields.fault("send", FaultKind::OneOf(names));
            None
        }
    }
}

fn unread() -> Problem {
    Problem::Internal("a body without faults was not read".to_owned())
}

fn endpoint(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Plain => "/sms/send",
        MessageKind::Pattern => "/sms/pattern",
        MessageKind::Phonebook => "/sms/phonebook/send",
        MessageKind::Bulk => "/sms/bulk",
    }
}

/// A request to the account's object about a new message.
trait AboutMessage: Request {
    fn about(message: NewMessage) -> Self;
    fn into_message(self) -> NewMessage;
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

/// A message, its recipients, and what the account's object decided about it.
struct Decided<R: Request> {
    message: NewMessage,
    recipients: Vec<Recipient>,
    outcome: Result<R::Reply, Refusal>,
}

/// Prices a request and lets the account's object decide. When a pattern from the cache may be the reason for a refusal, or the
/// object knows a newer revision, it tries again with the patterns as they are. So a change shows at once everywhere.
async fn decide<P: Platform, R: AboutMessage>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
    idempotency: Option<Idempotency>,
) -> Result<Decided<R>, Problem> {
    let first = decide_once(context, profile, request, idempotency.clone(), false).await;
    let is_stale = match &first {
        Ok(Decided { outcome: Ok(reply), .. }) => R::is_stale(reply),
        Ok(_) => false,
        Err(problem) => is_about_patterns(problem),
    };
    match is_stale && !request.order.patterns().is_empty() {
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

/// FaultKind the object is asked to accept, and the recipients, whom the answer names.
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

/// The recipients as JSON, in groups that SQLite takes as one value.
fn groups(request: &SendRequest, recipients: &[Recipient]) -> Result<Vec<RecipientGroup>, Problem> {
    let failed = |error: serde_json::Error| Problem::Internal(error.to_string());
    let mut groups = Vec::new();
    let mut first = 0;
    let mut bytes = 0;
    let mut json = String::with_capacity((recipients.len() * 24).min(GROUP_BYTES) + 2);
    for (recipient, index) in recipients.iter().zip(0u32..) {
        json.push(if json.is_empty() { '[' } else { ',' });
        // Writing to a string can't fail.
        let _ = match &recipient.text {
            None => write!(json, "[{},{}]", recipient.number.get(), recipient.cost),
            Some(text) => {
                let text = serde_json::to_string(text).map_err(failed)?;
                write!(json, "[{},{},{text}]", recipient.number.get(), recipient.cost)
            }
        };
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

/// A refusal of the account's object, with blacklisted recipients named where the body names them.
fn problem<P: Platform>(
    context: &Context<'_, P>,
    request: &SendRequest,
    recipients: &[Recipient],
    refusal: Refusal,
) -> Problem {
    let Refusal::Blacklisted(numbers) = refusal else {
        return context.problem(refusal);
    };
    let blocked: HashSet<u64> = numbers.into_iter().collect();
    let named = recipients
        .iter()
        .filter(|recipient| blocked.contains(&recipient.number.get()));
    let fault = |recipient: &Recipient| {
        let what = FaultKind::Blacklisted(recipient.number.to_e164());
        Fault::at(recipient.place.steps(), what).under(&request.path)
    };
    Problem::RecipientBlacklisted(named.map(fault).collect())
}

fn accepted<P: Platform>(
    context: &Context<'_, P>,
    message: &NewMessage,
    recipients: &[Recipient],
) -> Result<Response, Problem> {
    let (status, first) = message.first_status();
    let recipients = recipients.iter().zip(0..).map(|(recipient, index)| RecipientData {
        uid: RecipientUid(&message.uid, index),
        recipient: E164(recipient.number.get()),
        status: first.as_str(),
        cost: recipient.cost,
    });
    Success::sent(SentData {
        uid: &message.uid,
        status: status.as_str(),
        r#type: message.kind.as_str(),
        source_number: &message.line,
        encoding: &message.encoding,
        parts: message.parts,
        cost: message.cost,
        unit: &message.unit,
        client_ref: message.client_ref.as_deref(),
        send_at: message.send_at_ms.map(time::to_rfc3339),
        recipients: recipients.collect(),
    })
    .response(&context.request.id)
}

/// The 201 of a message that was accepted before.
pub fn replayed<P: Platform>(context: &Context<'_, P>, message: &MessageView) -> Result<Response, Problem> {
    Success::sent(SentData::of(message))
        .replayed(true)
        .response(&context.request.id)
}
