//! Sends and estimates.
//!
//! A send goes parse → compose → accept: a handler reads the body ([`parse`]), makes a priced message of it
//! ([`compose`](crate::compose)), and asks the account's object, which decides the rest and writes it, in one call (`accept`). An estimate goes the same way, but the
//! object only says what it would decide. A request that is refused on the way has changed nothing.

pub mod accept;
pub mod alternatives;
pub mod answer;
mod callback;
pub mod estimates;
pub mod parse;

use std::borrow::Cow;

use sms::alternatives::Priced;

use crate::account::message::accept::{EstimateMessage, Estimated, SendMessage, Sent};
use crate::account::message::charge::Charge;
use crate::account::record::idempotency::{Idempotency, Space};
use crate::account::record::message::{Cheapest, MessageKind, MessageView, NewMessage};
use crate::account::refusal::Refusal;
use crate::api::http::idempotency::{self, request_hash};
use crate::api::http::{
    Response, StatusCallback, body::JsonBody, context::Context, json_fields::Fields, respond::Success,
};
use crate::api::shared::view::{HOURS, waits_for, waits_until};
use crate::auth::Scope;
use crate::base::ports::Platform;
use crate::base::time::to_rfc3339;
use crate::compose::draft::PricedRecipient;
use crate::compose::rehearsal;
use crate::compose::request::SendRequest;
use crate::directory::profile::Profile;
use crate::problem::{Problem, document::Brief, field_error::FieldErrorKind};
use accept::{Decided, decide};
use alternatives::AlternativeData;
use answer::{accepted, cheapest, refused, replayed};

/// An estimate shows so many texts that are filled in.
const SAMPLES: usize = 3;

/// `POST /sms/send`
pub async fn send_text<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    send(context, MessageKind::Plain, "/sms/send", body).await
}

/// `POST /sms/pattern`
pub async fn send_pattern<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    send(context, MessageKind::Pattern, "/sms/pattern", body).await
}

/// `POST /sms/phonebook/send`
pub async fn send_to_phonebook<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    send(context, MessageKind::Phonebook, "/sms/phonebook/send", body).await
}

/// `POST /sms/bulk`
pub async fn send_bulk<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    send(context, MessageKind::Bulk, "/sms/bulk", body).await
}

/// Answers a send. `endpoint` is its path, which goes into the hash of the request.
async fn send<P: Platform>(
    context: &Context<'_, P>,
    kind: MessageKind,
    endpoint: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let request = parse::request(kind, &mut fields);
    let key = idempotency::read_key(context.request.head, &mut fields);
    let callback = callback::read(context, request.as_ref(), &mut fields);
    let mode = context.caller()?.mode();
    let idempotency = key.map(|key| Idempotency {
        space: Space::of(mode),
        key,
        hash: request_hash(endpoint, &hashed(body, callback.as_ref())),
    });
    // Before the faults of the body: some are of the time or of settings, and this body may have been accepted before.
    context.record.note_idempotency(idempotency.clone());
    fields.finish()?;
    let mut request = request.ok_or_else(not_read)?;
    rehearse(context, &request)?;
    request.callback = callback.map(|callback| callback::seal(context, callback)).transpose()?;
    if let Some(message) = charge_ahead(context, kind, idempotency.clone()).await? {
        return replay(context, &request, &message);
    }
    let profile = context.profile().await?;
    let decided: Decided<SendMessage> = decide(context, &profile, &request, idempotency, |message, _| {
        SendMessage(message)
    })
    .await?;
    match decided.outcome {
        Ok(Sent::Accepted(uid)) => accepted(context, &uid, &decided.message, &decided.recipients),
        Ok(Sent::Replayed(message)) => replay(context, &request, &message),
        Ok(Sent::PatternsStale(_) | Sent::Blocked(_)) => Err(still_stale()),
        Err(refusal) => Err(refused(context, &request, &decided.recipients, refusal)),
    }
}

/// What makes a send the same one: its body and, if it has a callback, the address of that behind a byte that no JSON has.
fn hashed<'a>(body: &'a JsonBody, callback: Option<&StatusCallback>) -> Cow<'a, [u8]> {
    match callback {
        None => Cow::Borrowed(&body.bytes),
        Some(callback) => Cow::Owned([&body.bytes, callback.url.as_bytes()].join(&0)),
    }
}

/// Fails as the request of a test key rehearses it, if that is an error that comes before all others.
pub fn rehearse<P: Platform>(context: &Context<'_, P>, request: &SendRequest) -> Result<(), Problem> {
    let rehearsed = context.is_test().then(|| rehearsal::at_once(request)).flatten();
    rehearsed.map_or(Ok(()), Err)
}

/// Answers a send whose message was accepted before. A caller that may not use the message's line gets what a fresh send
/// would get, and nothing of the message.
fn replay<P: Platform>(
    context: &Context<'_, P>,
    request: &SendRequest,
    message: &MessageView,
) -> Result<Response, Problem> {
    if context.caller()?.may_use_line(&message.line) {
        replayed(context, message)
    } else {
        Err(Problem::HeadNumberNotFound {
            number: request.source_number.clone(),
        })
    }
}

/// `POST /sms/estimate`
pub async fn estimate<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let request = read_estimate(&mut fields);
    fields.finish()?;
    let request = request.ok_or_else(not_read)?;
    rehearse(context, &request)?;
    if request.order.kind() == MessageKind::Phonebook {
        context.call(&Charge(None)).await?;
    }
    let profile = context.profile().await?;
    let decided: Decided<EstimateMessage> =
        decide(context, &profile, &request, None, |message, _| EstimateMessage(message)).await?;
    let samples = samples(context, &decided)?;
    let alternatives = alternatives::of(&context.composer(&profile)?, &request, &decided.recipients)?;
    let texts = Texts {
        samples,
        alternatives: &alternatives,
        suffix: appended(&profile, &request, &decided.message.line),
    };
    let refusals = match decided.outcome {
        Ok(Estimated::Refusals(refusals)) => refusals,
        Ok(Estimated::PatternsStale(_) | Estimated::Blocked(_)) => return Err(still_stale()),
        Err(refusal) => return Err(context.problem(refusal)),
    };
    let faults = refusals
        .into_iter()
        .map(|refusal| refused(context, &request, &decided.recipients, refusal).brief(context.request.language));
    let faults: Vec<_> = faults.collect();
    Success::ok(EstimateData::of(
        &decided.message,
        decided.price,
        cheapest(&decided.message, &decided.recipients, decided.saved).as_ref(),
        &faults,
        texts,
    ))
    .response(context)
}

/// What the line appends to the texts of a request.
fn appended<'p>(profile: &'p Profile, request: &SendRequest, line: &str) -> Option<&'p str> {
    let line = profile.lines().find(|known| known.number == line);
    line.filter(|_| request.order.is_to_many())?.suffix.as_deref()
}

/// The first texts as they would be sent, where values are filled in. Those with values of a phonebook are for keys that may read it.
fn samples<P: Platform>(
    context: &Context<'_, P>,
    decided: &Decided<EstimateMessage>,
) -> Result<Option<Vec<String>>, Problem> {
    let message = &decided.message;
    let may_read = match message.kind {
        MessageKind::Plain | MessageKind::Verify | MessageKind::SignIn => false,
        MessageKind::Phonebook => context.caller()?.has_scope(Scope::Phonebook),
        MessageKind::Pattern | MessageKind::Bulk => true,
    };
    let own = |recipient: &PricedRecipient| recipient.text.as_ref().map(|own| own.fill(&message.text));
    let first = decided.recipients.iter().take(SAMPLES);
    let texts = match message.kind {
        MessageKind::Pattern => vec![message.text.clone()],
        _ => first.filter_map(own).collect(),
    };
    Ok((may_read && !texts.is_empty()).then_some(texts))
}

/// What an estimate tells of the texts of a send.
pub struct Texts<'a> {
    /// The first ones as they would be sent, if values are filled in.
    pub samples: Option<Vec<String>>,
    /// Those that read the same and cost less.
    pub alternatives: &'a [Priced],
    /// What the line appends to them.
    pub suffix: Option<&'a str>,
}

crate::answer! {
    /// What a send would cost.
    pub struct EstimateData(
        message: &NewMessage, price: i64, cheapest: Option<&Cheapest>, faults: &[Brief], texts: Texts<'_>,
    ) as "Estimate" {
        "type": message.kind.as_str(), named("MessageType");
        /// Whether a test key has asked. It pays nothing: `cost` is what a live key would pay.
        "test": message.test, flag();
        /// The line that it is sent from.
        "sourceNumber": message.line, line();
        "encoding": message.encoding, encoding();
        "parts": message.parts, parts();
        /// The price of all recipients together. For a test key it is what a live key of the account would pay.
        "cost": price, money() => 1_000;
        "unit": message.unit, unit();
        /// There if `encoding` is `CHEAPEST`, and all recipients get the same text: the text as it would be sent. Secret values are `••••`.
        may "text": cheapest.and_then(|form| form.text.as_deref()), any_text() => "Your code is 1234.";
        /// There if `encoding` is `CHEAPEST`: what the text as it is would cost more.
        may "saved": cheapest.map(|form| form.saved), money() => 1_400;
        /// There if the line appends a text to what goes to many: this one, unless the text has it. It is counted in `parts` and `cost`.
        may "suffix": texts.suffix, any_text() => "لغو۱۱";
        may "waitsFor": message.opens_ms.map(|_| HOURS), waits_for();
        may "waitsUntil": message.opens_ms.map(to_rfc3339), waits_until();
        /// How many recipients there are.
        "recipients": message.count, count();
        /// There if `blacklisted` is `SKIP`: how many recipients would be left out.
        may "skipped": message.skipped_count(), count() => 3;
        /// The refusals that the send would meet: 1003, 3011, 3016, 3018, 2002, 2001.
        "faults": faults, list(named("Refusal"), 0, 6);
        /// The first three texts as they would be sent, if values are filled in. To see values of a phonebook, a key needs the scope
        /// `phonebook`.
        may "samples": texts.samples, list(any_text().like("Hello Ali"), 1, 3);
        /// Texts that read the same as yours and cost less, the cheapest first. Only a text that all recipients get has any, and none
        /// has on a line that does not allow `CHEAPEST`.
        "alternatives": texts.alternatives.iter().map(AlternativeData::of).collect::<Vec<_>>(),
            list(declared::<AlternativeData>(), 0, alternatives::MOST);
    }
}

/// Charges one token before reading the phonebooks of a send, so that a rate-limited request reads nothing. Returns the
/// message if the request made it before under its idempotency key.
///
/// Nobody knows yet how many recipients the phonebooks have. So a refused caller is told to wait until the account has all
/// of its tokens: then the send is admitted, however large it is.
async fn charge_ahead<P: Platform>(
    context: &Context<'_, P>,
    kind: MessageKind,
    idempotency: Option<Idempotency>,
) -> Result<Option<Box<MessageView>>, Problem> {
    if kind != MessageKind::Phonebook {
        return Ok(None);
    }
    match (context.ask(&Charge(idempotency)).await?, context.record.limit()) {
        (Err(Refusal::RateLimited), Some(state)) => Err(Problem::TooManyRequests {
            retry_after_s: state.decision.reset_s,
        }),
        (outcome, _) => outcome.map_err(|refusal| context.problem(refusal)),
    }
}

/// The members of an estimate's body. A body has one of them.
const ESTIMATES: [(&str, MessageKind); 4] = [
    ("send", MessageKind::Plain),
    ("pattern", MessageKind::Pattern),
    ("phonebook", MessageKind::Phonebook),
    ("bulk", MessageKind::Bulk),
];

fn read_estimate(fields: &mut Fields<'_>) -> Option<SendRequest> {
    let mut named = ESTIMATES.into_iter().filter(|(name, _)| fields.has(name));
    let (first, second) = (named.next(), named.next());
    drop(named);
    match (first, second) {
        (Some((name, kind)), None) => {
            let request = fields.object(name, |body| parse::request(kind, body));
            fields.require(name, request).flatten()
        }
        (Some((first, _)), Some((second, _))) => {
            fields.fault(second, FieldErrorKind::NotBeside(first));
            None
        }
        _ => {
            let names = ESTIMATES.map(|(name, _)| name).join(", ");
            fields.fault("send", FieldErrorKind::OneOf(names));
            None
        }
    }
}

/// The problem of a pattern or a blacklist that does not come to rest.
pub fn still_stale() -> Problem {
    Problem::Unavailable("a pattern or the blacklist was changed again and again while a send was made".to_owned())
}

/// The problem of a body that has no faults and is nothing.
pub fn not_read() -> Problem {
    Problem::Internal("a body without faults was not read".to_owned())
}
