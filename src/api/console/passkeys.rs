//! Passkeys: members sign in with them, add them and remove them. The shapes are those of a browser's `PublicKeyCredential` (W3C Web
//! Authentication, Level 3), binary values as base64url.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sms::msisdn::Msisdn;

use super::handle::{self, Handle};
use super::sign_in::{By, admit, entered, note_failure, open};
use crate::account::OPERATOR;
use crate::account::keys::passkeys::check::CheckPasskey;
use crate::account::keys::passkeys::{
    AddPasskey, Answered, ListPasskeys, MAX_PASSKEYS, Passkey, RemovePasskey, RenamePasskey,
};
use crate::account::refusal::Refusal;
use crate::api::http::browser::{self, Browser};
use crate::api::http::caller::Caller;
use crate::api::http::forms::{Form, Look, formed, text};
use crate::api::http::tickets::Tried;
use crate::api::http::{self, Response, body::JsonBody, context::Context, respond::Success};
use crate::auth;
use crate::auth::challenge::{self, RANDOM_BYTES};
use crate::auth::secret::{Keys, Purpose};
use crate::auth::webauthn::{self, Ceremony, Place};
use crate::base::host::{self, Host};
use crate::base::ports::{Platform, PortError};
use crate::base::{id, log, time};
use crate::directory::accounts;
use crate::problem::field_error::{FieldError, FieldErrorKind};
use crate::problem::{Conflict, Problem};
use crate::{answer, body};

/// A title has at most so many characters.
const MAX_TITLE: usize = 100;
/// A binary value has at most so many characters. The longest is the authenticator's data with an id of 1,023 bytes.
const MAX_BINARY: usize = 4_096;

static BINARY: Look = Look {
    min: 1,
    max: MAX_BINARY,
    pattern: "^[0-9A-Za-z_-]+$",
    fault: FieldErrorKind::NotBase64Url,
    is_met: |text| URL_SAFE_NO_PAD.decode(text).is_ok(),
};

fn binary() -> impl Form<Value = String> {
    formed(&BINARY)
}

fn title() -> impl Form<Value = String> {
    text(MAX_TITLE).like("Sara's phone")
}

body! {
    /// What a browser has signed with a passkey: the members of `AuthenticatorAssertionResponse`, and the credential's id.
    pub struct PasskeySignIn => {"id": "AQIDBA", "userHandle": "AQIDBA", "clientDataJSON": "e30", "authenticatorData": "AQIDBA", "signature": "AQIDBA"} {
        id: String = must "id" binary();
        /// As the passkey has it from the `passkeyUser` of the session in which it was added.
        user_handle: String = must "userHandle" binary();
        client_data: String = must "clientDataJSON" binary();
        authenticator_data: String = must "authenticatorData" binary();
        signature: String = must "signature" binary();
    }

    /// A passkey to add: what `AuthenticatorAttestationResponse` has, with an algorithm of ES256 (-7).
    pub struct NewPasskey => {"title": "Sara's phone", "clientDataJSON": "e30", "authenticatorData": "AQIDBA"} {
        title: String = must "title" title();
        client_data: String = must "clientDataJSON" binary();
        /// As `getAuthenticatorData()` returns it.
        authenticator_data: String = must "authenticatorData" binary();
    }

    /// What is to change of a passkey.
    pub struct PasskeyChange => {"title": "Sara's key"} {
        title: String = must "title" title();
    }
}

answer! {
    /// A challenge for a passkey to sign, in this browser, once.
    pub struct ChallengeData(challenge: &str, domain: &str, ends_ms: i64) as "PasskeyChallenge" {
        "challenge": challenge, any_text() => "AAABm6vN7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fIA";
        /// The domain for which passkeys count: the id of the relying party.
        "rpId": domain, any_text() => "sms.example.com";
        "expiresAt": time::to_rfc3339(ends_ms), time();
    }

    /// The passkeys of the member who has signed in, in the order in which they were added.
    pub struct PasskeysData(passkeys: &[Passkey]) as "Passkeys" {
        "passkeys": passkeys.iter().map(PasskeyData::of).collect::<Vec<_>>(), list(declared::<PasskeyData>(), 0, usize::try_from(MAX_PASSKEYS).unwrap_or_default());
    }

    /// A passkey of the member who has signed in.
    pub struct PasskeyData(passkey: &Passkey) as "Passkey" {
        "id": passkey.id, id();
        "title": passkey.title, text(MAX_TITLE) => "Sara's phone";
        /// The id of the credential, so that a device is not asked for a second one.
        "credentialId": passkey.credential, any_text() => "AQIDBA";
        "createdAt": time::to_rfc3339(passkey.created_ms), time();
        /// When it last signed in. `null`: never.
        "usedAt": passkey.used_ms.map(time::to_rfc3339), time().or_null();
    }
}

/// The domain of the address under which the service is asked. An IP address has none, and browsers then refuse passkeys.
fn domain<P: Platform>(context: &Context<'_, P>) -> Result<String, Problem> {
    match host::host_of(&context.request.head.origin) {
        Some(Host::Name(name)) => Ok(name),
        _ => Err(Problem::Conflict(Conflict::NoDomain)),
    }
}

fn keys<P: Platform>(context: &Context<'_, P>) -> Result<Keys, Problem> {
    Ok(Keys::of(context.platform, Purpose::Challenges).map_err(PortError::from)?)
}

fn bytes(binary: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(binary).unwrap_or_default()
}

fn fault(member: &'static str, kind: FieldErrorKind) -> Problem {
    Problem::Validation(vec![FieldError::of(member, kind)])
}

/// The challenge that was answered on a page of this service in this browser.
fn answered<P: Platform>(
    context: &Context<'_, P>,
    client_data: &[u8],
    ceremony: Ceremony,
    place: Place<'_>,
) -> Result<Answered, Problem> {
    let keys = keys(context)?;
    let found = webauthn::challenge(client_data, ceremony, place).and_then(|challenge| {
        let browser = browser::known(context.request.head)?.digest();
        let ends_ms = challenge::ends_ms(&keys, &challenge, &browser, challenge::TTL_MS, context.request.now_ms)?;
        Some(Answered { challenge, ends_ms })
    });
    found.ok_or_else(|| fault("clientDataJSON", FieldErrorKind::ChallengeEnded))
}

/// `POST /console/passkeys/challenge`
pub async fn challenge<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let domain = domain(context)?;
    let browser = Browser::of(context.platform, context.request.head)?;
    let mut random = [0; RANDOM_BYTES];
    context.platform.random(&mut random)?;
    let now_ms = context.request.now_ms;
    let challenge = challenge::make(&keys(context)?, &browser.digest(), random, now_ms);
    let data = ChallengeData::of(&challenge, &domain, now_ms.saturating_add(challenge::TTL_MS));
    let mut response = Success::created(data).response(context)?;
    response.headers.push(browser.cookie(context.request.head));
    Ok(response)
}

/// `POST /console/sign-in/passkey`
pub async fn enter<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let read: PasskeySignIn = context.read(body)?;
    admit(context)?;
    let opened = match check(context, &read).await {
        Ok((handle, phone)) => open(context, phone, &handle, By::Passkey(&read.id), None).await?,
        Err(problem) => {
            note_failure(context, Tried::Secret(&auth::digest(&read.id))).await;
            return Err(problem);
        }
    };
    let session = opened.ok_or_else(|| fault("id", FieldErrorKind::WrongPasskey))?;
    entered(context, &session)
}

/// Whose passkey has signed, and the member's number.
async fn check<P: Platform>(context: &Context<'_, P>, read: &PasskeySignIn) -> Result<(Handle, Msisdn), Problem> {
    let domain = domain(context)?;
    let place = Place {
        origin: &context.request.head.origin,
        domain: &domain,
    };
    let (client_data, authenticator_data) = (bytes(&read.client_data), bytes(&read.authenticator_data));
    let answered = answered(context, &client_data, Ceremony::Get, place)?;
    let wrong = || fault("id", FieldErrorKind::WrongPasskey);
    let used = webauthn::used(&authenticator_data, place).ok_or_else(wrong)?;
    let handle = handle::parse(&read.user_handle).ok_or_else(wrong)?;
    // Nobody makes an object by naming an account that is not there.
    if handle.account != OPERATOR && accounts::find(context.platform.db(), &handle.account).await?.is_none() {
        return Err(wrong());
    }
    let request = CheckPasskey {
        credential: read.id.clone(),
        member: handle.member.clone(),
        digest: webauthn::signed_digest(&authenticator_data, &client_data),
        signature: bytes(&read.signature),
        counter: used.counter,
        answered,
    };
    let acting = context.acting(Caller::Service(handle.account.clone()));
    match acting.ask(&request).await? {
        Ok(phone) => Ok((handle, Msisdn::from_digits(phone).ok_or_else(wrong)?)),
        Err(Refusal::NotFound) => Err(wrong()),
        Err(refusal) => {
            if refusal == Refusal::PasskeyCopied {
                let told = serde_json::json!({"account": handle.account, "member": handle.member});
                log::warning(context.platform, "passkey_copied", told);
            }
            Err(acting.problem(refusal))
        }
    }
}

fn session_of<P: Platform>(context: &Context<'_, P>) -> Result<String, Problem> {
    Ok(context.caller()?.key_id().to_owned())
}

/// `GET /console/passkeys`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let request = ListPasskeys {
        session: session_of(context)?,
    };
    let found = context.call(&request).await?;
    Success::ok(PasskeysData::of(&found)).response(context)
}

/// `POST /console/passkeys`
pub async fn add<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let new: NewPasskey = context.read(body)?;
    let domain = domain(context)?;
    let place = Place {
        origin: &context.request.head.origin,
        domain: &domain,
    };
    let answered = answered(context, &bytes(&new.client_data), Ceremony::Create, place)?;
    let made = webauthn::made(&bytes(&new.authenticator_data), place)
        .ok_or_else(|| fault("authenticatorData", FieldErrorKind::NoPasskey))?;
    let request = AddPasskey {
        session: session_of(context)?,
        passkey: Passkey {
            id: id::new(context.platform)?,
            member: String::new(),
            title: new.title,
            credential: URL_SAFE_NO_PAD.encode(made.credential),
            public_key: made.public_key,
            counter: made.counter,
            created_ms: context.request.now_ms,
            used_ms: None,
        },
        answered,
    };
    let added = context.call(&request).await?;
    Success::created(PasskeyData::of(&added)).response(context)
}

/// `PATCH /console/passkeys/{id}`
pub async fn rename<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let PasskeyChange { title } = context.read(body)?;
    let request = RenamePasskey {
        session: session_of(context)?,
        id: id.to_owned(),
        title,
    };
    let renamed = context.call(&request).await?;
    Success::ok(PasskeyData::of(&renamed)).response(context)
}

/// `DELETE /console/passkeys/{id}`
pub async fn remove<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let request = RemovePasskey {
        session: session_of(context)?,
        id: id.to_owned(),
    };
    context.call(&request).await?;
    Ok(http::no_content())
}
