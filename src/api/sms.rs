//! Sending: `POST /sms/send`.
//!
//! Everything that can be decided without the account's object is decided here; the object then decides the rest and
//! writes, in one call. A request that is refused on either side has changed nothing.

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::view::{E164, RecipientData, RecipientUid, SentData};
use super::{Context, unexpected};
use crate::account::command::{Answer, Command, Idempotency, MessageKind, MessageView, Send};
use crate::account::status::{MessageStatus, RecipientStatus};
use crate::auth::Mode;
use crate::directory::{Line, Profile};
use crate::fault::What;
use crate::http::{self, Body, Response, Success};
use crate::id;
use crate::input::Fields;
use crate::ports::{MAX_INTEGER, Platform};
use crate::problem::Problem;
use crate::sms::msisdn::{Msisdn, Operator};
use crate::sms::price::{Operation, price};
use crate::sms::text::{self, Segmentation};
use crate::time;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How far ahead a message may be scheduled, days.
const MAX_DAYS_AHEAD: i64 = 90;
/// Characters of a client's own reference at most.
const MAX_CLIENT_REF: usize = 64;

/// A send's body, read and checked.
struct Request {
    text: String,
    segmentation: Segmentation,
    recipients: Vec<Msisdn>,
    source_number: Option<String>,
    send_at_ms: Option<i64>,
    client_ref: Option<String>,
}

/// `POST /sms/send`
pub async fn send<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    let (bytes, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let key = http::idempotency_key(context.head.idempotency_key.as_deref());
    let request = read(context, &mut fields);
    let key = key.unwrap_or_else(|fault| {
        fields.push(fault);
        None
    });
    fields.finish()?;
    let request = request.ok_or_else(|| Problem::Internal("a body without faults was not read".to_owned()))?;
    let idempotency = key.map(|key| Idempotency {
        key,
        hash: request_hash("/sms/send", &bytes),
    });
    context.remember(idempotency.clone());
    let profile = context.profile().await?;
    let line = line(
        context,
        &profile,
        request.source_number.as_deref(),
        Operation::Webservice,
    )?;
    accept(context, &profile, line, request, idempotency).await
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

fn read<P: Platform>(context: &Context<'_, P>, fields: &mut Fields<'_>) -> Option<Request> {
    let message = read_message(context, fields);
    let recipients = read_recipients(fields, context.app.config.max_recipients);
    let source_number = fields.text("sourceNumber", 32).map(str::to_owned);
    let send_at_ms = read_send_at(fields, context.now_ms);
    let client_ref = fields.text("clientRef", MAX_CLIENT_REF).map(str::to_owned);
    let (text, segmentation) = message?;
    Some(Request {
        text,
        segmentation,
        recipients: recipients?,
        source_number,
        send_at_ms,
        client_ref,
    })
}

fn read_message<P: Platform>(context: &Context<'_, P>, fields: &mut Fields<'_>) -> Option<(String, Segmentation)> {
    let message = fields.any_text("message");
    let message = fields.require("message", message)?;
    if message.is_empty() {
        fields.fault("message", What::Empty);
        return None;
    }
    let text = text::normalise(message);
    let segmentation = text::segment(&text);
    let max = context.app.config.max_parts;
    if segmentation.parts > max {
        let parts = segmentation.parts;
        fields.fault("message", What::TooManyParts { parts, max });
        return None;
    }
    Some((text.into_owned(), segmentation))
}

/// The recipients, each once, in the order in which they were first named.
fn read_recipients(fields: &mut Fields<'_>, max: usize) -> Option<Vec<Msisdn>> {
    let numbers = fields.texts("recipients", max, |text| {
        Msisdn::parse(text).map_err(|_| What::NotAPhoneNumber)
    });
    let mut numbers = fields.require("recipients", numbers)?;
    if numbers.is_empty() {
        fields.fault("recipients", What::Empty);
        return None;
    }
    let mut seen = HashSet::with_capacity(numbers.len());
    numbers.retain(|number| seen.insert(*number));
    Some(numbers)
}

fn read_send_at(fields: &mut Fields<'_>, now_ms: i64) -> Option<i64> {
    let ms = fields.time("sendAt")?;
    if ms <= now_ms {
        fields.fault("sendAt", What::InThePast);
    } else if ms > now_ms.saturating_add(MAX_DAYS_AHEAD * DAY_MS) {
        fields.fault("sendAt", What::TooFarAhead { days: MAX_DAYS_AHEAD });
    }
    Some(ms)
}

/// The line to send from: the one asked for, or the account's default.
fn line<'a, P: Platform>(
    context: &Context<'_, P>,
    profile: &'a Profile,
    asked: Option<&str>,
    operation: Operation,
) -> Result<&'a Line, Problem> {
    let key = context.key()?;
    let Some(number) = asked.or(profile.default_line.as_deref()) else {
        return Err(Problem::HeadNumberNotFound { number: None });
    };
    profile
        .lines
        .iter()
        .find(|line| line.number == number && line.serves(operation) && key.allows_line(number))
        .ok_or_else(|| Problem::HeadNumberNotFound {
            number: asked.map(str::to_owned),
        })
}

/// What each operator's recipients cost: all of one operator's pay the same for the same text.
struct Prices {
    mci: i64,
    mtn: i64,
    other: i64,
}

impl Prices {
    /// `None` where even one recipient costs more than a wallet can hold.
    fn of(profile: &Profile, line: &Line, segmentation: Segmentation, operation: Operation) -> Option<Prices> {
        let price = |operator| {
            let Segmentation { parts, encoding, .. } = segmentation;
            price(
                parts,
                profile.plan.price,
                &line.coefficients,
                encoding,
                operator,
                operation,
            )
        };
        Some(Prices {
            mci: price(Operator::Mci)?,
            mtn: price(Operator::Mtn)?,
            other: price(Operator::Other)?,
        })
    }

    fn for_number(&self, number: Msisdn) -> i64 {
        match number.operator() {
            Operator::Mci => self.mci,
            Operator::Mtn => self.mtn,
            Operator::Other => self.other,
        }
    }
}

/// More than any wallet holds: such a send is short of money whatever there is.
const UNPAYABLE: Prices = Prices {
    mci: MAX_INTEGER,
    mtn: MAX_INTEGER,
    other: MAX_INTEGER,
};

async fn accept<P: Platform>(
    context: &Context<'_, P>,
    profile: &Profile,
    line: &Line,
    request: Request,
    idempotency: Option<Idempotency>,
) -> Result<Response, Problem> {
    let test = context.key()?.mode == Mode::Test;
    let prices = Prices::of(profile, line, request.segmentation, Operation::Webservice).unwrap_or(UNPAYABLE);
    let priced: Vec<(Msisdn, i64)> = request
        .recipients
        .iter()
        .map(|number| (*number, if test { 0 } else { prices.for_number(*number) }))
        .collect();
    let cost = priced
        .iter()
        .fold(0i64, |sum, (_, cost)| sum.saturating_add(*cost))
        .min(MAX_INTEGER);
    let send = Send {
        uid: id::new(context.platform)?,
        kind: MessageKind::Plain,
        line: line.number.clone(),
        carrier: line.carrier.clone(),
        test,
        text: request.text,
        encoding: request.segmentation.encoding.as_str().to_owned(),
        parts: request.segmentation.parts,
        cost,
        unit: context.app.config.unit.clone(),
        refunds: profile.plan.refunds.clone(),
        client_ref: request.client_ref,
        send_at_ms: request.send_at_ms,
        idempotency,
        sending_enabled: profile.sending_enabled,
        count: u32::try_from(priced.len()).unwrap_or(u32::MAX),
        recipients: recipients_json(&priced)?,
    };
    match context.call_returning(Command::Send(Box::new(send))).await? {
        (Answer::Accepted, Command::Send(send)) => sent(context, &send, &priced),
        (Answer::Replayed(message), _) => replayed(context, &message),
        (other, _) => Err(unexpected(&other)),
    }
}

fn sent<P: Platform>(context: &Context<'_, P>, send: &Send, priced: &[(Msisdn, i64)]) -> Result<Response, Problem> {
    let (status, first) = match send.send_at_ms {
        Some(_) => (MessageStatus::Scheduled, RecipientStatus::Scheduled),
        None => (MessageStatus::Queued, RecipientStatus::Queued),
    };
    let recipients = priced.iter().zip(0..).map(|((number, cost), index)| RecipientData {
        uid: RecipientUid(&send.uid, index),
        recipient: E164(number.get()),
        status: first.as_str(),
        cost: *cost,
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

fn recipients_json(priced: &[(Msisdn, i64)]) -> Result<Box<RawValue>, Problem> {
    let mut json = String::with_capacity(priced.len() * 24 + 2);
    json.push('[');
    for (position, (number, cost)) in priced.iter().enumerate() {
        let separator = if position > 0 { "," } else { "" };
        // Writing to a string can't fail.
        let _ = write!(json, "{separator}[{},{cost}]", number.get());
    }
    json.push(']');
    RawValue::from_string(json).map_err(|error| Problem::Internal(error.to_string()))
}

/// The 201 of a message that was accepted before.
pub fn replayed<P: Platform>(context: &Context<'_, P>, message: &MessageView) -> Result<Response, Problem> {
    Success::sent(SentData::of(message))
        .replayed(true)
        .response(context.request_id)
}
