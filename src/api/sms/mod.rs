//! Sending: `POST /sms/send`, `/sms/pattern`, `/sms/phonebook/send`, `/sms/bulk`, and `POST /sms/estimate` for each.
//!
//! A body is read (`read`), made into a priced draft (`draft`), and put before the account's object, which decides the
//! rest and writes, in one call. An estimate goes the same way and asks the object only what it would say. A request
//! that is refused on either side has changed nothing.

pub mod draft;
pub mod filling;
pub mod read;
pub mod tariff;

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::json;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use self::draft::{Draft, Recipient};
use self::read::Request;
use super::view::{E164, RecipientData, RecipientUid, SentData};
use super::{Context, unexpected};
use crate::account::command::{Answer, Command, Group, Idempotency, MessageKind, MessageView, Refusal, Send};
use crate::account::status::{MessageStatus, RecipientStatus};
use crate::auth::Mode;
use crate::directory::profile::Profile;
use crate::fault::{Fault, What};
use crate::http::{self, Body, Response, Success};
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
    let (bytes, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let key = http::idempotency_key(context.head.idempotency_key.as_deref());
    let request = read::request(kind, &context.app.config, context.now_ms, &mut fields);
    let key = key.unwrap_or_else(|fault| {
        fields.push(fault);
        None
    });
    fields.finish()?;
    let request = request.ok_or_else(unread)?;
    let idempotency = key.map(|key| Idempotency {
        key,
        hash: request_hash(endpoint(kind), &bytes),
    });
    context.remember(idempotency.clone());
    if let Some(message) = pay_ahead(context, kind, idempotency.clone()).await? {
        return replayed(context, &message);
    }
    let purpose = Purpose::Send(idempotency);
    let profile = context.profile().await?;
    let put = put(context, &profile, &request, &purpose).await?;
    let Put {
        send,
        recipients,
        outcome,
    } = put;
    match outcome {
        Ok(Answer::Accepted) => sent(context, &send, &recipients),
        Ok(Answer::Replayed(message)) => replayed(context, &message),
        Ok(other) => Err(unexpected(&other)),
        Err(refusal) => Err(problem(context, &request, &recipients, refusal)),
    }
}

/// `POST /sms/estimate`
pub async fn estimate<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let request = read_estimate(context, &mut fields);
    fields.finish()?;
    let request = request.ok_or_else(unread)?;
    pay_ahead(context, request.order.kind(), None).await?;
    let profile = context.profile().await?;
    let put = put(context, &profile, &request, &Purpose::Estimate).await?;
    let Put {
        send,
        recipients,
        outcome,
    } = put;
    let refusals = match outcome {
        Ok(Answer::Estimated(refusals)) => refusals,
        Ok(other) => return Err(unexpected(&other)),
        Err(refusal) => return Err(context.problem(refusal)),
    };
    let faults = refusals
        .into_iter()
        .map(|refusal| problem(context, &request, &recipients, refusal).brief(context.language()));
    Success::ok(json!({
        "type": send.kind.as_str(),
        "sourceNumber": send.line,
        "encoding": send.encoding,
        "parts": send.parts,
        "recipients": send.count,
        "cost": send.cost,
        "unit": send.unit,
        "faults": faults.collect::<Vec<_>>(),
    }))
    .response(context.request_id)
}

/// Reading ten thousand numbers is worth a call of its own to the account's object first: who is out of tokens, or has the
/// answer already, does not make it.
async fn pay_ahead<P: Platform>(
    context: &Context<'_, P>,
    kind: MessageKind,
    idempotency: Option<Idempotency>,
) -> Result<Option<Box<MessageView>>, Problem> {
    if kind != MessageKind::Phonebook {
        return Ok(None);
    }
    match context.call(Command::Charge(idempotency)).await? {
        Answer::Replayed(message) => Ok(Some(message)),
        _ => Ok(None),
    }
}

/// The members of an estimate, of which it has one.
const ESTIMATES: [(&str, MessageKind); 4] = [
    ("send", MessageKind::Plain),
    ("pattern", MessageKind::Pattern),
    ("phonebook", MessageKind::Phonebook),
    ("bulk", MessageKind::Bulk),
];

fn read_estimate<P: Platform>(context: &Context<'_, P>, fields: &mut Fields<'_>) -> Option<Request> {
    let mut named = ESTIMATES.into_iter().filter(|(name, _)| fields.has(name));
    let (first, second) = (named.next(), named.next());
    drop(named);
    match (first, second) {
        (Some((name, kind)), None) => {
            let config = &context.app.config;
            let request = fields.object(name, |body| read::request(kind, config, context.now_ms, body));
            fields.require(name, request).flatten()
        }
        (Some((first, _)), Some((second, _))) => {
            fields.fault(second, What::NotBeside(first));
            None
        }
        _ => {
            fields.fault("send", What::OneOf("send, pattern, phonebook, bulk"));
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

/// SHA-256 over endpoint and body: what makes a repeated request the same request.
pub fn request_hash(endpoint: &str, body: &[u8]) -> String {
    let digest = Sha256::new()
        .chain_update(endpoint)
        .chain_update([0])
        .chain_update(body)
        .finalize();
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What a draft is put before the account's object for.
enum Purpose {
    Send(Option<Idempotency>),
    Estimate,
}

/// A message, whom it goes to, and what the object said of it.
struct Put {
    send: Box<Send>,
    recipients: Vec<Recipient>,
    outcome: Result<Answer, Refusal>,
}

/// Drafts a request and puts it before the account's object. What rests on a pattern from the cache is tried again with
/// the pattern as it is, when it fails or the object knows a newer one: so a change shows at once, wherever it was made.
async fn put<P: Platform>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &Request,
    purpose: &Purpose,
) -> Result<Put, Problem> {
    let may_be_stale = !request.order.patterns().is_empty();
    let first = put_once(context, profile, request, purpose, false).await;
    let is_stale = match &first {
        Ok(put) => matches!(put.outcome, Ok(Answer::PatternsStale)),
        Err(problem) => is_about_patterns(problem),
    };
    match may_be_stale && is_stale {
        true => put_once(context, profile, request, purpose, true).await,
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

async fn put_once<P: Platform>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &Request,
    purpose: &Purpose,
    fresh: bool,
) -> Result<Put, Problem> {
    let draft = draft::draft(context, profile, request, fresh).await?;
    let (message, recipients) = message(context, profile, request, draft, purpose)?;
    let message = Box::new(message);
    let command = match purpose {
        Purpose::Send(_) => Command::Send(message),
        Purpose::Estimate => Command::Estimate(message),
    };
    match context.ask(command).await? {
        (outcome, Command::Send(send) | Command::Estimate(send)) => Ok(Put {
            send,
            recipients,
            outcome,
        }),
        (_, other) => Err(Problem::Internal(format!("another command came back: {other:?}"))),
    }
}

/// What the object is asked to accept, and the recipients, whom the answer names.
fn message<P: Platform>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &Request,
    draft: Draft<'_>,
    purpose: &Purpose,
) -> Result<(Send, Vec<Recipient>), Problem> {
    let send = Send {
        uid: id::new(context.platform)?,
        kind: draft.kind,
        line: draft.line.number.clone(),
        carrier: draft.line.carrier.clone(),
        test: context.key()?.mode == Mode::Test,
        cost: draft.cost(),
        text: draft.text,
        encoding: draft.encoding.as_str().to_owned(),
        parts: draft.parts,
        unit: context.app.config.unit.clone(),
        refunds: profile.plan.refunds.clone(),
        client_ref: request.client_ref.clone(),
        send_at_ms: request.send_at_ms,
        idempotency: match purpose {
            Purpose::Send(idempotency) => idempotency.clone(),
            Purpose::Estimate => None,
        },
        sending_enabled: profile.sending_enabled,
        patterns: draft.patterns,
        uses: draft.uses,
        count: u32::try_from(draft.recipients.len()).unwrap_or(u32::MAX),
        recipients: groups(request, &draft.recipients)?,
    };
    Ok((send, draft.recipients))
}

/// The recipients as JSON, in groups that SQLite takes as one value.
fn groups(request: &Request, recipients: &[Recipient]) -> Result<Vec<Group>, Problem> {
    let failed = |error: serde_json::Error| Problem::Internal(error.to_string());
    let mut groups = Vec::new();
    let mut first = 0;
    let mut bytes = 0;
    let mut json = String::with_capacity((recipients.len() * 24).min(GROUP_BYTES) + 2);
    for (recipient, index) in recipients.iter().zip(0u32..) {
        json.push(if json.is_empty() { '[' } else { ',' });
        // Writing to a string can't fail.
        let _ = match &recipient.own {
            None => write!(json, "[{},{}]", recipient.number.get(), recipient.cost),
            Some(own) => {
                let own = serde_json::to_string(own).map_err(failed)?;
                write!(json, "[{},{},{own}]", recipient.number.get(), recipient.cost)
            }
        };
        let is_last = usize::try_from(index).is_ok_and(|index| index + 1 == recipients.len());
        if is_last || json.len() > GROUP_BYTES {
            json.push(']');
            bytes += json.len();
            let items = RawValue::from_string(std::mem::take(&mut json)).map_err(failed)?;
            groups.push(Group { first, items });
            first = index + 1;
        }
    }
    if bytes > MAX_RECIPIENTS_BYTES {
        let max = MAX_RECIPIENTS_BYTES;
        let fault = Fault::of("message", What::TooMuchText { max });
        return Err(Problem::Validation(vec![fault.under(&request.path)]));
    }
    Ok(groups)
}

/// A refusal of the account's object, with blacklisted recipients named where the body names them.
fn problem<P: Platform>(
    context: &Context<'_, P>,
    request: &Request,
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
        let what = What::Blacklisted(recipient.number.to_e164());
        Fault::at(recipient.place.steps(), what).under(&request.path)
    };
    Problem::RecipientBlacklisted(named.map(fault).collect())
}

fn sent<P: Platform>(context: &Context<'_, P>, send: &Send, recipients: &[Recipient]) -> Result<Response, Problem> {
    let (status, first) = match send.send_at_ms {
        Some(_) => (MessageStatus::Scheduled, RecipientStatus::Scheduled),
        None => (MessageStatus::Queued, RecipientStatus::Queued),
    };
    let recipients = recipients.iter().zip(0..).map(|(recipient, index)| RecipientData {
        uid: RecipientUid(&send.uid, index),
        recipient: E164(recipient.number.get()),
        status: first.as_str(),
        cost: recipient.cost,
    });
    Success::sent(SentData {
        uid: &send.uid,
        status: status.as_str(),
        r#type: send.kind.as_str(),
        source_number: &send.line,
        encoding: &send.encoding,
        parts: send.parts,
        cost: send.cost,
        unit: &send.unit,
        client_ref: send.client_ref.as_deref(),
        send_at: send.send_at_ms.map(time::to_rfc3339),
        recipients: recipients.collect(),
    })
    .response(context.request_id)
}

/// The 201 of a message that was accepted before.
pub fn replayed<P: Platform>(context: &Context<'_, P>, message: &MessageView) -> Result<Response, Problem> {
    Success::sent(SentData::of(message))
        .replayed(true)
        .response(context.request_id)
}
