//! One attempt at a callback: the request in the form of its protocol, and what becomes of it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::NewCallback;
use super::due::DueCallback;
use super::twilio;
use crate::account::record::message::callback::CallbackFormat;
use crate::auth::signing_key::SigningKey;
use crate::base::ports::{OutgoingRequest, Platform, PortError, Sql};
use crate::base::{config::Config, log};
use crate::webhook::attempt::{self, Attempt, Attempted, MAX_ANSWER_BYTES, TIMEOUT_MS};

/// Makes an attempt.
pub async fn make(platform: &impl Platform, config: &Config, account: &str, due: &DueCallback) -> Attempt {
    let outgoing = super::read(&due.data).and_then(|callback| outgoing(platform, config, account, &callback));
    attempt::fetch(platform, outgoing).await
}

/// Makes the request, the same for each attempt. `None` if the address may not be fetched.
fn outgoing(
    platform: &impl Platform,
    config: &Config,
    account: &str,
    callback: &NewCallback,
) -> Result<Option<OutgoingRequest>, PortError> {
    let Some(url) = attempt::address(config, &callback.callback.url) else {
        return Ok(None);
    };
    let key = SigningKey::open(platform, account, &callback.callback.key)?;
    let (headers, members) = match callback.callback.format {
        CallbackFormat::Twilio => {
            let members = twilio::Told::by(callback).members();
            (twilio_headers(&key, &url, callback, &members), members)
        }
    };
    let mut form = form_urlencoded::Serializer::new(String::new());
    Ok(Some(OutgoingRequest {
        method: "POST",
        url,
        headers,
        body: form.extend_pairs(&members).finish(),
        timeout_ms: TIMEOUT_MS,
        max_response_bytes: MAX_ANSWER_BYTES,
    }))
}

fn twilio_headers(
    key: &SigningKey,
    url: &str,
    callback: &NewCallback,
    members: &[(String, String)],
) -> Vec<(&'static str, String)> {
    let signature = key.sign(&twilio::signed_text(url, members));
    vec![
        (
            "content-type",
            "application/x-www-form-urlencoded; charset=utf-8".to_owned(),
        ),
        ("user-agent", "TwilioProxy/1.1".to_owned()),
        ("x-twilio-signature", STANDARD.encode(signature)),
        ("i-twilio-idempotency-token", token(&callback.id)),
    ]
}

/// The token by which a receiver knows a callback that comes again: a UUID that is made of its id.
fn token(id: &str) -> String {
    let digest = Sha256::digest(id);
    let start = digest.first_chunk().copied().unwrap_or_default();
    uuid::Builder::from_custom_bytes(start).into_uuid().to_string()
}

/// Notes what an attempt has come to.
pub fn note(
    platform: &impl Platform,
    sql: &impl Sql,
    account: &str,
    waits_s: &[u32],
    due: &DueCallback,
    attempted: &Attempted,
) -> Result<(), PortError> {
    let (status, error) = match attempted {
        Attempted::Done { .. } => return forget(sql, &due.id),
        Attempted::Gone => (Some(410), "GONE"),
        Attempted::Failed(failure) => {
            let mut random = [0; 2];
            platform.random(&mut random)?;
            let failures = due.failures.saturating_add(1);
            if let Some(wait_ms) = attempt::wait_ms(waits_s, failures, u16::from_be_bytes(random)) {
                let wait_ms = wait_ms.max(failure.pause_ms.unwrap_or(0));
                return put_off(sql, &due.id, platform.now_ms().saturating_add(wait_ms), failures);
            }
            (failure.status, failure.error)
        }
    };
    log::warning(
        platform,
        "webhook",
        json!({"what": "a status callback is given up", "account": account, "message": due.message,
            "status": status, "error": error}),
    );
    forget(sql, &due.id)
}

fn forget(sql: &impl Sql, id: &str) -> Result<(), PortError> {
    sql.exec("DELETE FROM callback WHERE id = ?1", &[id.into()]).map(drop)
}

fn put_off(sql: &impl Sql, id: &str, due_ms: i64, failures: u32) -> Result<(), PortError> {
    sql.exec(
        "UPDATE callback SET due_ms = ?2, failures = ?3 WHERE id = ?1",
        &[id.into(), due_ms.into(), failures.into()],
    )
    .map(drop)
}
