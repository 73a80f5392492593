//! Signing in by phone. A member of an account types the phone's number, gets a code by SMS from the account that the setting
//! `SIGN_IN_ACCOUNT` names, and types that into the same browser.
//!
//! Nobody learns here whether a phone is a member: who is none gets the same answers, and no message. What keeps a code from being
//! sent is for the log.

use serde_json::json;
use sms::msisdn::Msisdn;

use super::handle::Handle;
use crate::account::codes::SEED_BYTES;
use crate::account::keys::console_sessions::{EndSession, GetOwnKey, OpenSession};
use crate::account::refusal::Refusal;
use crate::account::sign_in::check::CheckSignIn;
use crate::account::sign_in::limits::DELAYS_MS;
use crate::account::sign_in::start::StartSignIn;
use crate::account::sign_in::{DIGITS, TTL_MS};
use crate::api::console::session::{accounts_of, signed_in};
use crate::api::customer::send::accept::own_text;
use crate::api::customer::verify::parse::code;
use crate::api::http::browser::{self, Browser};
use crate::api::http::caller::Caller;
use crate::api::http::forms::{phone_number, text};
use crate::api::http::tickets::{self, Ticket, Tried};
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success, strangers};
use crate::api::shared::keys;
use crate::api::shared::view::E164;
use crate::auth::console_session::{self, SignedInBy};
use crate::auth::imprint::Imprint;
use crate::auth::secret::NONCE_BYTES;
use crate::auth::{KeyRecord, Mode};
use crate::base::host::{self, Host};
use crate::base::named::Named;
use crate::base::ports::Platform;
use crate::base::{id, log, time};
use crate::compose::request::{Autofill, CodeOrder, CodeText, NamedAt, NamedNumber, Order, SendRequest};
use crate::directory::accounts;
use crate::directory::members::{self, Membership};
use crate::problem::field_error::{FieldError, FieldErrorKind};
use crate::problem::{Conflict, Problem};
use crate::{answer, body};

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
        /// From when on the code is sent again to this browser, or a new one.
        "resendAt": time::to_rfc3339(now_ms.saturating_add(DELAYS_MS[0])), time();
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

/// Refuses somebody who signs in from where too many have failed.
pub fn admit<P: Platform>(context: &Context<'_, P>) -> Result<(), Problem> {
    let request = &context.request;
    tickets::admit(&context.app.strangers, context.platform, request.head, request.now_ms)
}

/// Counts a failure of somebody who signs in.
pub async fn note_failure<P: Platform>(context: &Context<'_, P>, tried: Tried<'_>) {
    let request = &context.request;
    tickets::note_failure(
        &context.app.strangers,
        context.platform,
        request.head,
        request.now_ms,
        tried,
    )
    .await;
}

/// `POST /console/sign-in`
pub async fn start<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let phone = context.read::<NewSignIn>(body)?.phone.ok_or_else(not_read)?;
    admit(context)?;
    let sender = sender(context).await?;
    let browser = Browser::of(context.platform, context.request.head)?;
    note_failure(context, Tried::Phone).await;
    if let Err(problem) = send_to_member(&sender, phone, &browser).await {
        let told = json!({"problem": problem.kind().name, "cause": problem.internal_cause()});
        log::warning(context.platform, "sign_in_code", told);
    }
    wait_for_step(context).await;
    let data = SignInData::of(phone, context.request.now_ms);
    let mut response = Success::created(data).response(context)?;
    response.headers.push(browser.cookie(context.request.head));
    response.headers.extend(Ticket::Started.cookie(
        context.platform,
        context.request.head,
        &browser,
        context.request.now_ms,
    )?);
    Ok(response)
}

/// Sends a code, unless the phone is no member's, or the limits let none go. Only what fails for a member is a fault: strangers write
/// no lines of the log.
async fn send_to_member<P: Platform>(sender: &Context<'_, P>, phone: Msisdn, browser: &Browser) -> Result<(), Problem> {
    let is_member = !members::of_phone(sender.platform.db(), phone.get()).await?.is_empty();
    match send(sender, phone, browser, is_member).await {
        Err(problem) if is_member => Err(problem),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Asks the object for a code. It is asked about everybody: else its silence would tell who is a member.
async fn send<P: Platform>(
    sender: &Context<'_, P>,
    phone: Msisdn,
    browser: &Browser,
    is_member: bool,
) -> Result<(), Problem> {
    let (mut seed, mut nonce) = ([0; SEED_BYTES], [0; NONCE_BYTES]);
    sender.platform.random(&mut seed)?;
    sender.platform.random(&mut nonce)?;
    let profile = sender.profile().await?;
    let (message, pieces) = own_text(sender, &profile, &request(sender, phone)).await?;
    let start = StartSignIn {
        message,
        msisdn: phone.get(),
        is_member,
        browser: browser.digest(),
        network: strangers::network(sender.request.head.address.as_deref()),
        pieces,
        seed,
        nonce,
    };
    sender.call(&start).await.map(drop)
}

fn request<P: Platform>(sender: &Context<'_, P>, phone: Msisdn) -> SendRequest {
    let recipient = NamedNumber {
        number: phone,
        named_at: NamedAt::Recipient,
    };
    SendRequest {
        path: Vec::new(),
        order: Order::Code(CodeOrder {
            recipient,
            text: CodeText::BuiltIn(sender.request.language),
            autofill: domain_of(&sender.request.head.origin).map(Autofill::Domain),
            length: DIGITS,
        }),
        source_number: None,
        callback: None,
        skips_blocked: false,
        is_cheapest: false,
        send_at_ms: None,
        client_ref: None,
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
    // The object is asked about everybody: what fails there fails for members and others alike.
    if !is_right(&sender, phone, code).await? || known.is_empty() {
        note_failure(context, Tried::Phone).await;
        wait_for_step(context).await;
        return Err(wrong_code());
    }
    // The sort is stable: all but the wanted one stay in their order.
    known.sort_by_key(|one| read.account.as_ref() != Some(&one.account));
    let mut refused = None;
    for membership in &known {
        match open(context, phone, &handle(membership), By::Code, None).await {
            Ok(Some(session)) => return entered(context, &session),
            Ok(None) => {}
            // One account that lets nobody in keeps nobody from the others, unless it was asked for.
            Err(problem) if !needs_passkey(&problem) && read.account.as_ref() == Some(&membership.account) => {
                return Err(problem);
            }
            Err(problem) => refused = refused.filter(|earlier| !needs_passkey(earlier)).or(Some(problem)),
        }
    }
    Err(refused.unwrap_or_else(wrong_code))
}

/// The answer to somebody who has signed in. The browser is known from now on.
pub fn entered<P: Platform>(context: &Context<'_, P>, session: &str) -> Result<Response, Problem> {
    let (platform, request) = (context.platform, &context.request);
    let browser = Browser::of(platform, request.head)?;
    let mut response = signed_in(context, session);
    response.headers.push(browser.cookie(request.head));
    response
        .headers
        .extend(Ticket::Known.cookie(platform, request.head, &browser, request.now_ms)?);
    Ok(response)
}

fn needs_passkey(problem: &Problem) -> bool {
    matches!(problem, Problem::Conflict(Conflict::NeedsPasskey))
}

fn handle(membership: &Membership) -> Handle {
    Handle {
        account: membership.account.clone(),
        member: membership.member.clone(),
    }
}

fn wrong_code() -> Problem {
    Problem::Validation(vec![FieldError::of("code", FieldErrorKind::WrongCode)])
}

/// Whether this is the code of the browser that the request comes from. A browser that has asked for none has none.
async fn is_right<P: Platform>(sender: &Context<'_, P>, phone: Msisdn, code: String) -> Result<bool, Problem> {
    let Some(browser) = browser::known(sender.request.head) else {
        return Ok(false);
    };
    let check = CheckSignIn {
        msisdn: phone.get(),
        browser: browser.digest(),
        code,
    };
    sender.call(&check).await
}

/// By what a member has signed in.
#[derive(Debug, Clone, Copy)]
pub enum By<'a> {
    /// A code by SMS.
    Code,
    /// The passkey with this credential's id.
    Passkey(&'a str),
}

/// Opens a session for a member. `None`: the account's object knows no such member any more, and the directory forgets it.
pub async fn open<P: Platform>(
    context: &Context<'_, P>,
    phone: Msisdn,
    Handle { account, member }: &Handle,
    by: By<'_>,
    ends_ms: Option<i64>,
) -> Result<Option<String>, Problem> {
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
        looks: false,
        ways: Vec::new(),
        bootstrapped_at: None,
    })));
    let secret = keys::secret(context, |random| console_session::mint(random))?;
    let request = OpenSession {
        key: member.clone(),
        id: id::new(context.platform)?,
        imprint: Imprint::of(&secret),
        ends_ms,
        by: Some(Named::Known(match by {
            By::Code => SignedInBy::Code,
            By::Passkey(_) => SignedInBy::Passkey,
        })),
        credential: match by {
            By::Code => None,
            By::Passkey(credential) => Some(credential.to_owned()),
        },
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
        // The passkey is gone.
        Err(Refusal::NotFound) => Ok(None),
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
    // Only a code shows that the person has the phone, and what is opened here counts as opened by one.
    let wanted = known.iter().find(|one| own.is_by_code() && one.account == account);
    let (Some(wanted), Some(phone)) = (wanted, phone) else {
        return Err(Problem::NotFound);
    };
    let session = open(context, phone, &handle(wanted), By::Code, own.expires_ms)
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
