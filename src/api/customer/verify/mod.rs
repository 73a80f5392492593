//! Verifications: codes that the service makes, sends and checks.

pub mod parse;
pub mod stats;

use crate::account::Request;
use crate::account::record::idempotency::{Idempotency, Space};
use crate::account::record::message::NewMessage;
use crate::account::refusal::Refusal;
use crate::account::verify::check::CheckVerification;
use crate::account::verify::read::{CancelVerification, FindVerifications, GetVerification};
use crate::account::verify::row::MOST_PENDING;
use crate::account::verify::start::{Asked, StartVerification, Started};
use crate::account::verify::{VerificationView, VerifyStatus};
use crate::api::customer::send::accept::{AboutMessage, Decided, decide};
use crate::api::customer::send::answer::refused;
use crate::api::customer::send::{not_read, rehearse, still_stale};
use crate::api::http::forms::{Form as _, phone_number, text};
use crate::api::http::idempotency::{read_key, request_hash};
use crate::api::http::{Response, body::JsonBody, context::Context, query::Query, respond::Success};
use crate::api::shared::view::E164;
use crate::auth::proof::{Content, Proofs};
use crate::base::ports::{Platform, PortError};
use crate::base::{id, time::to_rfc3339};
use crate::compose::learned::Again;
use crate::compose::request::{CodeOrder, CodeText, Order, SendRequest};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind};
use parse::Wanted;
use sms::msisdn::Msisdn;

/// A request is priced anew at most so often, because the pending code has another number of digits.
const MAX_TRIES: usize = 2;

crate::answer! {
    /// A verification.
    pub struct VerificationData(view: &VerificationView, cost: i64, unit: &str) as "Verification" {
        "id": view.uid, id();
        /// `PENDING`: the code can be checked. `APPROVED`: it was right. `FAILED`: as many were wrong as may be. `EXPIRED`: the time is
        /// over. `CANCELED`: you have taken it back. `BLOCKED`: no message was sent, because the request looks like fraud; it
        /// costs nothing.
        "status": view.status.as_str(), statuses();
        "recipient": E164(view.msisdn), number_or_erased();
        "purpose": view.purpose, text(32) => "login";
        /// Whether a test key has made it: then the code is the last digits of the number, and nobody gets it.
        "test": view.test, flag();
        "createdAt": to_rfc3339(view.created_ms), time();
        /// Until when the code can be checked.
        "expiresAt": to_rfc3339(view.expires_ms), time();
        "endedAt": view.ended_ms.map(to_rfc3339), time().or_null();
        /// From when on `POST /verify` sends the code again, or a new one after the end. `null`: the verification has ended.
        "resendAt": view.resend_ms.map(to_rfc3339), time().or_null();
        /// How many codes may still be checked.
        "attemptsLeft": view.attempts_left, integer(0, 10) => 5;
        /// How many messages have brought the code.
        "sends": view.sends, count();
        /// The uid of the newest of these messages. `null`: no message was sent.
        "messageUid": view.message, id().or_null();
        /// The price of the message that the request has sent, or of all messages so far.
        "cost": cost, money() => 1_000;
        "unit": unit, unit();
        "clientRef": view.client_ref, text(64).or_null() => "order-7";
    }

    /// The pending verifications of a number.
    pub struct PendingData(views: &[VerificationView], unit: &str) as "PendingVerifications" {
        /// The newest first.
        "verifications": pending(views, unit), list(declared::<VerificationData>(), 0, MOST_PENDING);
    }

    /// What came of a check.
    pub struct CheckData(view: &VerificationView, is_right: bool, proof: Option<String>) as "VerificationCheck" {
        "id": view.uid, id();
        /// Whether the code was right. It is right once.
        "verified": is_right, flag();
        "status": view.status.as_str(), statuses();
        "recipient": E164(view.msisdn), number_or_erased();
        "purpose": view.purpose, text(32) => "login";
        /// How many codes may still be checked.
        "attemptsLeft": view.attempts_left, integer(0, 10) => 4;
        /// If the code was right: a signed token that says so, a JWT. Anybody can check it by the keys of `GET /.well-known/jwks.json`.
        may "proof": proof, any_text() => "eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSJ9.e30.c2ln";
    }
}

fn pending(views: &[VerificationView], unit: &str) -> Vec<serde_json::Value> {
    let views = views.iter();
    views.map(|view| VerificationData::of(view, view.cost, unit)).collect()
}

crate::query! {
    pub struct PendingWish {
        /// The number.
        recipient: u64 = must "recipient" phone_number().then(Msisdn::get);
        /// What the codes are for. Left out: anything.
        purpose: Option<String> = can "purpose" text(parse::MAX_PURPOSE) => "login";
    }
}

fn statuses() -> crate::api::http::json_schema::Schema {
    crate::api::http::json_schema::one_of(&VerifyStatus::ALL.map(VerifyStatus::as_str))
}

impl AboutMessage for StartVerification {
    fn into_message(self) -> NewMessage {
        self.message
    }

    fn again(reply: &Started) -> Option<Again<'_>> {
        match reply {
            Started::PatternsStale(stale) => Some(Again::Patterns(stale)),
            Started::Sent(..) | Started::Replayed(..) | Started::OtherLength(_) => None,
        }
    }
}

/// `POST /verify`
pub async fn start<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let read = parse::start(&mut fields, context.request.language);
    let key = read_key(context.request.head, &mut fields);
    let idempotency = key.map(|key| Idempotency {
        space: Space::of(context.caller().map_or(crate::auth::Mode::Live, |caller| caller.mode())),
        key,
        hash: request_hash("/verify", &body.bytes),
    });
    context.record.note_idempotency(idempotency.clone());
    fields.finish()?;
    let (mut request, wanted) = read.ok_or_else(not_read)?;
    rehearse(context, &request)?;
    let decided = decided(context, &mut request, &wanted, idempotency).await?;
    match decided.outcome {
        Ok(Started::Sent(view, cost)) => started(context, &view, cost, false),
        Ok(Started::Replayed(view, cost)) => replayed(context, &request, &view, cost),
        Ok(Started::PatternsStale(_) | Started::OtherLength(_)) => Err(still_stale()),
        Err(refusal) => Err(refused(context, &request, &decided.recipients, refusal)),
    }
}

/// Lets the account's object decide about a code, of as many digits as the pending one has.
pub async fn decided<P: Platform>(
    context: &Context<'_, P>,
    request: &mut SendRequest,
    wanted: &Wanted,
    idempotency: Option<Idempotency>,
) -> Result<Decided<StartVerification>, Problem> {
    for _ in 0..MAX_TRIES {
        let decided = decide_start(context, request, wanted, idempotency.clone()).await?;
        match decided.outcome {
            Ok(Started::OtherLength(length)) => set_length(request, length),
            _ => return Ok(decided),
        }
    }
    Err(Problem::Unavailable(
        "pending codes of several lengths came one after another".to_owned(),
    ))
}

async fn decide_start<P: Platform>(
    context: &Context<'_, P>,
    request: &SendRequest,
    wanted: &Wanted,
    idempotency: Option<Idempotency>,
) -> Result<Decided<StartVerification>, Problem> {
    let profile = context.profile().await?;
    let Order::Code(CodeOrder { length, .. }) = &request.order else {
        return Err(not_read());
    };
    let asked = asked(context, wanted, *length)?;
    let make = |message, pieces| StartVerification {
        message,
        asked: Asked {
            pieces,
            ..asked.clone()
        },
    };
    decide(context, &profile, request, idempotency, make).await
}

fn asked<P: Platform>(context: &Context<'_, P>, wanted: &Wanted, length: u32) -> Result<Asked, Problem> {
    let (mut seed, mut nonce) = (
        [0; crate::account::codes::SEED_BYTES],
        [0; crate::auth::secret::NONCE_BYTES],
    );
    context.platform.random(&mut seed)?;
    context.platform.random(&mut nonce)?;
    Ok(Asked {
        uid: id::new(context.platform)?,
        msisdn: wanted.recipient.get(),
        purpose: wanted.purpose.clone(),
        pieces: Vec::new(),
        length,
        ttl_ms: wanted.ttl_ms,
        max_attempts: wanted.max_attempts,
        address: wanted.address.clone(),
        seed,
        nonce,
    })
}

/// Prices the text with another number of digits.
fn set_length(request: &mut SendRequest, digits: u32) {
    if let Order::Code(order) = &mut request.order {
        order.length = digits;
        if let CodeText::Pattern(filled) = &mut order.text {
            parse::set_length(filled, digits);
        }
    }
}

fn started<P: Platform>(
    context: &Context<'_, P>,
    view: &VerificationView,
    cost: i64,
    is_replayed: bool,
) -> Result<Response, Problem> {
    let data = VerificationData::of(view, cost, &context.app.config.unit);
    Success::created(data).replayed(is_replayed).response(context)
}

/// Answers a request that was answered before. A caller that may not use the line gets what a fresh request would get.
fn replayed<P: Platform>(
    context: &Context<'_, P>,
    request: &SendRequest,
    view: &VerificationView,
    cost: i64,
) -> Result<Response, Problem> {
    if context.caller()?.may_use_line(&view.line) {
        started(context, view, cost, true)
    } else {
        Err(Problem::HeadNumberNotFound {
            number: request.source_number.clone(),
        })
    }
}

/// `POST /verify/check`
pub async fn check<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let read = parse::check(&mut fields);
    fields.finish()?;
    let (which, member, code) = read.ok_or_else(not_read)?;
    let mode = context.caller()?.mode();
    match context.ask(&CheckVerification { which, code, mode }).await? {
        Ok(checked) => {
            let proof = proof(context, &checked.view, checked.is_right)?;
            Success::ok(CheckData::of(&checked.view, checked.is_right, proof)).response(context)
        }
        Err(Refusal::NotPending { ended }) => {
            let fault = FieldError::of(member, FieldErrorKind::NotPending(ended));
            Err(Problem::VerifyNotPending(vec![fault]))
        }
        Err(refusal) => Err(context.problem(refusal)),
    }
}

/// A signed token that says whose number was verified.
fn proof<P: Platform>(
    context: &Context<'_, P>,
    view: &VerificationView,
    is_right: bool,
) -> Result<Option<String>, Problem> {
    if !is_right {
        return Ok(None);
    }
    let caller = context.caller()?;
    let proofs = Proofs::of(context.platform).map_err(PortError::from)?;
    Ok(Some(proofs.sign(&Content {
        account: caller.account(),
        recipient: &format!("+{}", view.msisdn),
        purpose: &view.purpose,
        verification: &view.uid,
        checked_ms: view.ended_ms.unwrap_or(context.request.now_ms),
        mode: caller.mode(),
    })))
}

/// `GET /verify`
pub async fn find<P: Platform>(context: &Context<'_, P>, query: Query<'_, PendingWish>) -> Result<Response, Problem> {
    let PendingWish { recipient, purpose } = query.all()?;
    let request = FindVerifications {
        msisdn: recipient,
        purpose,
        mode: context.caller()?.mode(),
    };
    let found = context.call(&request).await?;
    Success::ok(PendingData::of(&found, &context.app.config.unit)).response(context)
}

/// `GET /verify/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let mode = context.caller()?.mode();
    let uid = id.to_owned();
    shown(context, &GetVerification { uid, mode }).await
}

/// `DELETE /verify/{id}`
pub async fn cancel<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let mode = context.caller()?.mode();
    let uid = id.to_owned();
    shown(context, &CancelVerification { uid, mode }).await
}

async fn shown<P: Platform, R: Request<Reply = Box<VerificationView>>>(
    context: &Context<'_, P>,
    request: &R,
) -> Result<Response, Problem> {
    let view = context.call(request).await?;
    let data = VerificationData::of(&view, view.cost, &context.app.config.unit);
    Success::ok(data).response(context)
}
