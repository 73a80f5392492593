//! Lets the account's object decide about a send or an estimate, in one call.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::value::RawValue;

use super::chunks::Chunks;
use super::price::{self, Draft, MAX_RECIPIENTS_BYTES, PricedRecipient, too_much_text};
use super::rehearsal;
use super::request::SendRequest;
use crate::account::Request;
use crate::account::message::accept::{EstimateMessage, Estimated, SendMessage, Sent};
use crate::account::message::patterns::StalePattern;
use crate::account::record::idempotency::Idempotency;
use crate::account::record::message::{NewMessage, RecipientGroup, UsedPattern};
use crate::account::refusal::Refusal;
use crate::api::http::context::Context;
use crate::api::problem::{Problem, field_error::FieldError};
use crate::base::{id, ports::Platform, redact};
use crate::directory::profile::Profile;

/// A group of recipients has about this many bytes. A value of SQLite has at most 2 MB.
const GROUP_BYTES: usize = 512 * 1024;

/// A request is tried at most so many times.
const MAX_TRIES: usize = 4;

/// A request to the account's object about a new message.
pub trait AboutMessage: Request {
    /// Gives the message back.
    fn into_message(self) -> NewMessage;

    /// What the message is to be made again with, if that is the object's answer.
    fn again(reply: &Self::Reply) -> Option<Again<'_>>;
}

/// What a message is to be made again with.
pub enum Again<'a> {
    /// These patterns, read again.
    Patterns(&'a [StalePattern]),
    /// All recipients but these.
    Without(&'a [u64]),
}

impl AboutMessage for SendMessage {
    fn into_message(self) -> NewMessage {
        self.0
    }

    fn again(reply: &Sent) -> Option<Again<'_>> {
        match reply {
            Sent::PatternsStale(stale) => Some(Again::Patterns(stale)),
            Sent::Blocked(numbers) => Some(Again::Without(numbers)),
            Sent::Accepted(_) | Sent::Replayed(_) => None,
        }
    }
}

impl AboutMessage for EstimateMessage {
    fn into_message(self) -> NewMessage {
        self.0
    }

    fn again(reply: &Estimated) -> Option<Again<'_>> {
        match reply {
            Estimated::PatternsStale(stale) => Some(Again::Patterns(stale)),
            Estimated::Blocked(numbers) => Some(Again::Without(numbers)),
            Estimated::Refusals(_) => None,
        }
    }
}

/// A message with its recipients, and what the account's object decided about it.
pub struct Decided<R: Request> {
    /// What a live key would pay.
    pub price: i64,
    /// What a live key would pay more for texts as they were given.
    pub saved: i64,
    /// The message.
    pub message: NewMessage,
    /// The recipients, in the order of the message.
    pub recipients: Vec<PricedRecipient>,
    /// The object's answer.
    pub outcome: Result<R::Reply, Refusal>,
}

/// The number of changes that the object has told of patterns, by their slugs.
type Heard = BTreeMap<String, i64>;

/// What earlier tries have learned.
#[derive(Default)]
struct Learned {
    /// What the object has told of patterns. Without it, patterns may come from the cache.
    heard: Option<Heard>,
    /// The numbers that are left out.
    skipped: BTreeSet<u64>,
}

impl Learned {
    fn learn(&mut self, again: &Again<'_>) {
        match again {
            Again::Patterns(stale) => {
                let heard = self.heard.get_or_insert_default();
                heard.extend(stale.iter().map(|each| (each.slug.clone(), each.changes)));
            }
            Again::Without(numbers) => self.skipped.extend(*numbers),
        }
    }
}

/// Prices a request and lets the account's object decide. If a cached pattern may be the reason for a refusal, or the object
/// does not take a pattern as it was read, it tries again without the cache. So every send sees a change of a pattern at
/// once. If the object names recipients to leave out, it tries again without them, so that the price is that of the others. More
/// tries are needed only if something changes during one. `make` makes the request of the message, and of the
/// pieces of its text between which a code stands.
pub async fn decide<P: Platform, R: AboutMessage>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
    idempotency: Option<Idempotency>,
    make: impl Fn(NewMessage, Vec<String>) -> R,
) -> Result<Decided<R>, Problem> {
    let mut learned = Learned::default();
    let mut decided = decide_once(context, profile, request, idempotency.clone(), &learned, &make).await;
    for tried in 1..MAX_TRIES {
        match &decided {
            Ok(Decided { outcome: Ok(reply), .. }) => match R::again(reply) {
                Some(again) => learned.learn(&again),
                None => break,
            },
            Err(problem) if tried == 1 && is_about_patterns(problem) && !request.order.patterns().is_empty() => {
                learned.heard = Some(Heard::new());
            }
            _ => break,
        }
        decided = decide_once(context, profile, request, idempotency.clone(), &learned, &make).await;
    }
    decided
}

/// The message of a request whose text is the service's own, and the pieces of the text between which a code stands.
pub async fn own_text<P: Platform>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
) -> Result<(NewMessage, Vec<String>), Problem> {
    let learned = Learned::default();
    let mut draft = price::draft(context, profile, request, &learned.skipped, false).await?;
    let pieces = std::mem::take(&mut draft.pieces);
    let (message, _) = message(context, profile, request, draft, None, &learned)?;
    Ok((message, pieces))
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

/// One try, with what earlier ones have learned.
async fn decide_once<P: Platform, R: AboutMessage>(
    context: &Context<'_, P>,
    profile: &Profile,
    request: &SendRequest,
    idempotency: Option<Idempotency>,
    learned: &Learned,
    make: &impl Fn(NewMessage, Vec<String>) -> R,
) -> Result<Decided<R>, Problem> {
    let mut draft = price::draft(context, profile, request, &learned.skipped, learned.heard.is_some()).await?;
    let (price, saved) = (draft.cost(), draft.saved());
    let mut rehearsed = Vec::new();
    if context.is_test() {
        draft.make_free();
        rehearsed = rehearsal::refusals(request, &learned.skipped, price, context.request.now_ms);
    }
    let pieces = std::mem::take(&mut draft.pieces);
    let (mut message, recipients) = message(context, profile, request, draft, idempotency, learned)?;
    message.rehearsed = rehearsed;
    let about = make(message, pieces);
    let outcome = context.ask(&about).await?;
    Ok(Decided {
        price,
        saved,
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
    learned: &Learned,
) -> Result<(NewMessage, Vec<PricedRecipient>), Problem> {
    let cost = draft.cost();
    let saved = request.is_cheapest.then(|| draft.saved());
    let chunks = Chunks::of(&draft.line.routes, &draft.recipients);
    let patterns = draft.patterns.into_iter().map(|(slug, revision)| UsedPattern {
        heard: learned.heard.as_ref().and_then(|heard| heard.get(&slug).copied()),
        slug,
        revision,
    });
    let message = NewMessage {
        uid: id::new(context.platform)?,
        kind: draft.kind,
        line: draft.line.number.clone(),
        test: context.is_test(),
        cost,
        text: draft.text,
        redacted: draft.redacted,
        encoding: draft.encoding.as_str().to_owned(),
        parts: draft.parts,
        all_parts: draft.all_parts,
        unit: context.app.config.unit.clone(),
        refunds: profile.plan.refunds.clone(),
        client_ref: request.client_ref.clone(),
        send_at_ms: request.send_at_ms,
        expires_ms: None,
        idempotency,
        sending_enabled: profile.sending_enabled,
        patterns: patterns.collect(),
        sources: draft.sources,
        count: u32::try_from(draft.recipients.len()).unwrap_or(u32::MAX),
        recipients: groups(request, &draft.recipients, &chunks.numbers)?,
        chunks: chunks.chunks,
        avoid: Vec::new(),
        saved,
        callback: request.callback.clone(),
        skips_blocked: request.skips_blocked,
        skipped: learned.skipped.iter().copied().collect(),
        rehearsed: Vec::new(),
    };
    Ok((message, draft.recipients))
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
            let items = RawValue::from_string(std::mem::take(&mut json)).map_err(failed)?;
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
    let (number, cost) = (recipient.number.get(), recipient.cost);
    // Writing to a string can't fail.
    let _ = match &recipient.text {
        None => write!(json, "[{number},{cost},{chunk}]"),
        Some(text) => {
            let text = serde_json::to_string(text)?;
            write!(json, "[{number},{cost},{chunk},{text},{}]", recipient.parts)
        }
    };
    Ok(())
}
