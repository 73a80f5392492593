//! Signing in by phone. A member of an account types the phone's number, gets a code by SMS from the account that the setting
//! `SIGN_IN_ACCOUNT` names, and types that. What a verification bounds is bounded here, too.
//!
//! Nobody learns here whether a phone is a member: who is none gets the same answers, and no message.

use crate::account::keys::sessions::{EndSession, GetOwnKey, OpenSession};
use crate::account::refusal::Refusal;
use crate::account::verify::check::{CheckVerification, Which};
use crate::api::console::session::{accounts_of, signed_in};
use crate::api::customer::send::request::{Autofill, CodeOrder, CodeText, NamedAt, NamedNumber, Order, SendRequest};
use crate::api::customer::verify::decided;
use crate::api::customer::verify::parse::{Wanted, code};
use crate::api::http::caller::Caller;
use crate::api::http::forms::{phone_number, text};
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::api::problem::field_error::{FieldError, FieldErrorKind};
use crate::api::problem::{Conflict, Problem};
use crate::api::shared::keys;
use crate::api::shared::view::E164;
use crate::auth::imprint::Imprint;
use crate::auth::{self, KeyRecord, Mode, session};
use crate::base::host::{self, Host};
use crate::base::ports::Platform;
use crate::base::{id, time};
use crate::directory::accounts;
use crate::directory::members::{self, Membership};
use crate::sms::msisdn::Msisdn;
use crate::{answer, body};

/// What the code is for, among the verifications of the account that sends it.
const PURPOSE: &str = "console";
const DIGITS: u32 = 6;
const TTL_MS: i64 = 180_000;
const MAX_ATTEMPTS: u32 = 5;
/// The first wait before a code is sent again, ms.
const RESEND_MS: i64 = 30_000;
/// Answers that must not tell who is a member come at multiples of this time, ms.
const STEP_MS: i64 = 1_000;
/// An id has so many characters.
const ID_CHARS: usize = 64;

body! {
    /// Who wants to sign in.
    pub struct NewSignIn => {"phone": "09121234567"} {
        phone: Option<Msisdn> = needs "phone" phone_number();
    }

    /// The code that has come to a phone.
    pub struct SignInCode => {"phone": "09121234567", "code": "123456"} {
        phone: Option<Msisdn> = needs "phone" phone_number();
        /// As the person has typed it, in Persian, Arabic or Latin digits.
        code: Option<String> = needs "code" code();
        /// The account to sign in to, if the phone is a member of several. Left out, or if it is none of these: the first.
        account: Option<String> = can "account" text(ID_CHARS) => "019b796d-a000-7000-8000-000000000001";
    }

    /// The account to go over to.
    pub struct AccountChoice => {"account": "019b796d-a000-7000-8000-000000000001"} {
        /// One of the `accounts` of the session.
        account: String = must "account" text(ID_CHARS) => "019b796d-a000-7000-8000-000000000001";
    }
}

answer! {
    /// A code is on its way, if the phone is a member.
    pub struct SignInData(phone: Msisdn, now_ms: i64) as "SignIn" {
        "phone": E164(phone.get()), number();
        /// Until when the code counts.
        "expiresAt": time::to_rfc3339(now_ms.saturating_add(TTL_MS)), time();
        /// From when on another code can be asked for.
        "resendAt": time::to_rfc3339(now_ms.saturating_add(RESEND_MS)), time();
    }
}

fn not_read() -> Problem {
    Problem::Internal("a body without faults lacks a value".to_owned())
}

/// The service as the account that sends codes.
async fn sender<'a, P: Platform>(context: &Context<'a, P>) -> Result<Context<'a, P>, Problem> {
    let Some(username) = &context.app.config.sign_in_account else {
        return Err(Problem::Conflict(Conflict::NoSignIn));
    };
    let account = accounts::id_of(context.platform.db(), username).await?;
    let account = account
        .ok_or_else(|| Problem::Unavailable(format!("SIGN_IN_ACCOUNT={username:?}: no account has this username")))?;
    Ok(context.acting(Caller::Service(account)))
}

/// Waits until a whole number of steps have passed since the request came. A code takes longer to send than none, and to check: who
/// measures how long an answer takes does not learn by that whether a phone is a member.
async fn wait_for_step<P: Platform>(context: &Context<'_, P>) {
    let took_ms = context.platform.now_ms().saturating_sub(context.request.now_ms);
    let over_ms = took_ms.rem_euclid(STEP_MS);
    context.platform.sleep(STEP_MS.saturating_sub(over_ms)).await;
}

/// Counts a failure of the address.
async fn note_failure<P: Platform>(context: &Context<'_, P>, what: &str) {
    let address = context.request.head.address.as_deref();
    let digest = auth::digest(what);
    context
        .app
        .strangers
        .note(context.platform, address, Some(&digest))
        .await;
}

/// Refuses a request from an address that has failed too often.
pub fn admit<P: Platform>(context: &Context<'_, P>) -> Result<(), Problem> {
    let address = context.request.head.address.as_deref();
    context.app.strangers.admit(address, context.request.now_ms)
}

/// `POST /console/sign-in`
pub async fn start<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let phone = context.read::<NewSignIn>(body)?.phone.ok_or_else(not_read)?;
    admit(context)?;
    let sender = sender(context).await?;
    let sent = if members::of_phone(context.platform.db(), phone.get()).await?.is_empty() {
        note_failure(context, &phone.to_e164()).await;
        Ok(())
    } else {
        send_code(&sender, phone).await
    };
    wait_for_step(context).await;
    sent?;
    Success::created(SignInData::of(phone, context.request.now_ms)).response(context)
}

/// Sends a code. One that was sent a moment ago is on its way already.
async fn send_code<P: Platform>(sender: &Context<'_, P>, phone: Msisdn) -> Result<(), Problem> {
    let recipient = NamedNumber {
        number: phone,
        named_at: NamedAt::Recipient,
    };
    let mut request = SendRequest {
        path: Vec::new(),
        order: Order::Code(CodeOrder {
            recipient,
            text: CodeText::BuiltIn(sender.request.language),
            autofill: domain_of(&sender.request.head.origin).map(Autofill::Domain),
            length: DIGITS,
        }),
        source_number: None,
        callback: None,
        is_cheapest: false,
        send_at_ms: None,
        client_ref: None,
    };
    let wanted = Wanted {
        recipient: phone,
        purpose: PURPOSE.to_owned(),
        ttl_ms: TTL_MS,
        max_attempts: MAX_ATTEMPTS,
        address: sender.request.head.address.clone(),
    };
    match decided(sender, &mut request, &wanted, None).await?.outcome {
        Ok(_) | Err(Refusal::RecipientLimit { .. }) => Ok(()),
        Err(refusal) => Err(Problem::Unavailable(format!(
            "a code to sign in with was refused: {refusal:?}"
        ))),
    }
}

/// The domain of the console, whose page browsers offer the code to.
fn domain_of(origin: &str) -> Option<String> {
    let host = host::host_of(origin).filter(Host::is_public)?;
    match host {
        Host::Name(name) => Some(name),
        Host::V4(_) | Host::V6(_) => None,
    }
}

/// `POST /console/sign-in/check`
pub async fn check<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let read: SignInCode = context.read(body)?;
    let (Some(phone), Some(code)) = (read.phone, read.code) else {
        return Err(not_read());
    };
    admit(context)?;
    let sender = sender(context).await?;
    let mut known = members::of_phone(context.platform.db(), phone.get()).await?;
    if known.is_empty() || !is_right(&sender, phone, code).await? {
        note_failure(context, &phone.to_e164()).await;
        wait_for_step(context).await;
        return Err(wrong_code());
    }
    // The sort is stable: all but the wanted one stay in their order.
    known.sort_by_key(|one| read.account.as_ref() != Some(&one.account));
    for membership in &known {
        if let Some(session) = open(context, phone, membership, None).await? {
            return Ok(signed_in(context, &session));
        }
    }
    Err(wrong_code())
}

fn wrong_code() -> Problem {
    Problem::Validation(vec![FieldError::of("code", FieldErrorKind::WrongCode)])
}

async fn is_right<P: Platform>(sender: &Context<'_, P>, phone: Msisdn, code: String) -> Result<bool, Problem> {
    let check = CheckVerification {
        which: Which::Newest(phone.get(), PURPOSE.to_owned()),
        code,
        mode: Mode::Live,
    };
    match sender.ask(&check).await? {
        Ok(checked) => Ok(checked.is_right),
        Err(Refusal::NotPending { .. }) => Ok(false),
        Err(refusal) => Err(sender.problem(refusal)),
    }
}

/// Opens a session for a member. `None`: the account's object knows no such member any more, and the directory forgets it.
async fn open<P: Platform>(
    context: &Context<'_, P>,
    phone: Msisdn,
    membership: &Membership,
    ends_ms: Option<i64>,
) -> Result<Option<String>, Problem> {
    let Membership { account, member, .. } = membership;
    let acting = context.acting(Caller::Key(std::rc::Rc::new(KeyRecord {
        v: KeyRecord::VERSION,
        account: account.clone(),
        key: member.clone(),
        scopes: Vec::new(),
        mode: Mode::Live,
        lines: None,
        ips: None,
        expires_at: None,
        session_of: None,
        bootstrapped_at: None,
    })));
    let secret = keys::secret(context, |random| session::mint(random))?;
    let request = OpenSession {
        key: member.clone(),
        id: id::new(context.platform)?,
        imprint: Imprint::of(&secret),
        ends_ms,
    };
    match acting.ask(&request).await? {
        Ok(opened) if opened.member.as_ref().is_some_and(|person| person.phone == phone.get()) => {
            keys::publish(context, account, &opened).await?;
            Ok(Some(secret))
        }
        Ok(_) | Err(Refusal::KeyRevoked | Refusal::KeyUnknown) => {
            members::remove(context.platform.db(), phone.get(), account, member).await?;
            Ok(None)
        }
        Err(refusal) => Err(acting.problem(refusal)),
    }
}

/// `POST /console/session/switch`
pub async fn switch<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let AccountChoice { account } = context.read(body)?;
    let caller = context.caller()?;
    let own = context
        .call(&GetOwnKey {
            id: caller.key_id().to_owned(),
        })
        .await?;
    let known = accounts_of(context, &own).await?;
    let phone = own.member.as_ref().and_then(|person| Msisdn::from_digits(person.phone));
    let wanted = known.iter().find(|one| one.account == account);
    let (Some(wanted), Some(phone)) = (wanted, phone) else {
        return Err(Problem::NotFound);
    };
    let session = open(context, phone, wanted, own.expires_ms)
        .await?
        .ok_or(Problem::NotFound)?;
    let end = EndSession {
        id: own.id,
        everywhere: false,
    };
    for ended in context.call(&end).await? {
        context.platform.delete_key(&ended.digest).await?;
        context.app.keys.forget(&ended.digest);
    }
    Ok(signed_in(context, &session))
}
