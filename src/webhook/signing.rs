//! Secrets of endpoints, and the signatures that are made with them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::base::ports::{Platform, PortError};

const PREFIX: &str = "whsec_";
/// Bytes of a secret. The specification asks for 24 to 64.
const SECRET_BYTES: usize = 32;

/// Makes a secret.
pub fn new_secret(platform: &impl Platform) -> Result<String, PortError> {
    let mut bytes = [0; SECRET_BYTES];
    platform.random(&mut bytes)?;
    Ok(format!("{PREFIX}{}", STANDARD.encode(bytes)))
}

/// Signs a message: `v1,` and the HMAC-SHA-256 of id, time and body in base64. `None` if the text is no secret.
pub fn sign(secret: &str, id: &str, timestamp_s: i64, body: &str) -> Option<String> {
    let key = STANDARD.decode(secret.strip_prefix(PREFIX)?).ok()?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    for part in [id, ".", &timestamp_s.to_string(), ".", body] {
        mac.update(part.as_bytes());
    }
    Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

/// The signatures of a message with each of these secrets: the value of the header `webhook-signature`.
pub fn signatures<'a>(
    secrets: impl IntoIterator<Item = &'a str>,
    id: &str,
    timestamp_s: i64,
    body: &str,
) -> Result<String, PortError> {
    let signed = secrets.into_iter().map(|secret| sign(secret, id, timestamp_s, body));
    let signed: Option<Vec<String>> = signed.collect();
    signed
        .filter(|signatures| !signatures.is_empty())
        .map(|signatures| signatures.join(" "))
        .ok_or(PortError::failed("webhook", "an endpoint without a good secret"))
}
