//! Proofs: what an account's program gets when the code of a verification was right. It can check a proof without a request to
//! Peyk, by the keys that `GET /.well-known/jwks.json` publishes.
//!
//! A proof is a JWT, signed with Ed25519. The seeds of the signing keys are derived from `SECRET_KEY` and `SECRET_KEY_OLD`, so
//! an operator has nothing more to set. New proofs are signed with the current key only. The old key stays published as long as
//! it is set, so that a change of the secret breaks no proof.
//!
//! The invariants: equal contents make equal proofs; a proof names its account, so it is good for no other one; a proof of a test
//! key says so, because everybody knows the codes of test keys.
//!
//! Sources: RFC 7515 (JWS), RFC 7519 (JWT), RFC 8037 (Ed25519 in JOSE), RFC 7638 (thumbprints), RFC 8032 (Ed25519).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signer, SigningKey};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Mode;
use super::secret::{Keys, Purpose, SecretError};
use crate::base::ports::Platform;

/// Who makes proofs: `iss`. It does not change with the address of the service.
pub const ISSUER: &str = "peyk";
/// How long a proof is good, s.
pub const LIFETIME_S: i64 = 10 * 60;

const MS_PER_S: i64 = 1_000;

/// What a proof says.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// The account whose program may take the proof (`aud`).
    pub account: &'a str,
    /// The number whose owner has entered the right code, in E.164 (`sub`).
    pub recipient: &'a str,
    /// What the code was asked for, such as `login`.
    pub purpose: &'a str,
    /// The id of the verification (`jti`).
    pub verification: &'a str,
    /// When the code was checked (`iat`).
    pub checked_ms: i64,
    /// The mode of the key that has checked it. A proof of a test key has `"test": true`.
    pub mode: Mode,
}

/// The payload of a proof.
#[derive(Serialize)]
struct Payload<'a> {
    iss: &'static str,
    sub: &'a str,
    aud: &'a str,
    jti: &'a str,
    purpose: &'a str,
    iat: i64,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<bool>,
}

/// What checks the proofs of one signing key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// The key's thumbprint. The headers of its proofs name it (`kid`).
    pub id: String,
    /// The 32 bytes of the key, in base64url.
    pub x: String,
}

impl PublicKey {
    fn of(key: &SigningKey) -> Self {
        let x = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
        // The form of RFC 7638: the members that the key can't be without, in the order of the alphabet.
        let form = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        let id = URL_SAFE_NO_PAD.encode(Sha256::digest(form));
        PublicKey { id, x }
    }
}

/// What signs proofs, and what checks them.
pub struct Proofs {
    current: SigningKey,
    old: Option<SigningKey>,
}

impl std::fmt::Debug for Proofs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Proofs(…)")
    }
}

impl Proofs {
    /// Derives the signing keys from the deployment's secrets.
    ///
    /// # Errors
    /// `SECRET_KEY` is not set, or one of both secrets is malformed.
    pub fn of(platform: &impl Platform) -> Result<Proofs, SecretError> {
        let keys = Keys::of(platform, Purpose::Proofs)?;
        let mut pairs = keys.bytes().map(SigningKey::from_bytes);
        let current = pairs.next().ok_or(SecretError::Missing)?;
        // Who sets both secrets to the same text publishes one key, not the same one twice.
        let old = pairs.next().filter(|old| *old != current);
        Ok(Proofs { current, old })
    }

    /// Makes the proof of this content.
    pub fn sign(&self, content: &Content<'_>) -> String {
        let issued_s = content.checked_ms.div_euclid(MS_PER_S);
        let payload = Payload {
            iss: ISSUER,
            sub: content.recipient,
            aud: content.account,
            jti: content.verification,
            purpose: content.purpose,
            iat: issued_s,
            exp: issued_s.saturating_add(LIFETIME_S),
            test: (content.mode == Mode::Test).then_some(true),
        };
        let id = PublicKey::of(&self.current).id;
        let header = format!(r#"{{"alg":"EdDSA","kid":"{id}","typ":"JWT"}}"#);
        // Texts and whole numbers are always JSON.
        let payload = serde_json::to_string(&payload).unwrap_or_default();
        compact(&self.current, &header, &payload)
    }

    /// What checks proofs: the current key, and behind it the old one while it is set.
    pub fn public_keys(&self) -> Vec<PublicKey> {
        let pairs = std::iter::once(&self.current).chain(self.old.as_ref());
        pairs.map(PublicKey::of).collect()
    }
}

/// The compact form of a JWS.
fn compact(key: &SigningKey, header: &str, payload: &str) -> String {
    let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
    let signature = URL_SAFE_NO_PAD.encode(key.sign(signed.as_bytes()).to_bytes());
    format!("{signed}.{signature}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The private key of RFC 8037, appendix A.1, and its public key of A.2.
    const D: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
    const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

    fn published() -> SigningKey {
        let seed = URL_SAFE_NO_PAD.decode(D).unwrap();
        SigningKey::from_bytes(&seed.try_into().unwrap())
    }

    /// Appendix A.3 of RFC 8037.
    #[test]
    fn a_key_has_the_published_thumbprint() {
        let key = PublicKey::of(&published());
        assert_eq!(
            (key.x.as_str(), key.id.as_str()),
            (X, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        );
    }

    /// Appendix A.4 of RFC 8037.
    #[test]
    fn a_signature_is_the_published_one() {
        assert_eq!(
            compact(&published(), r#"{"alg":"EdDSA"}"#, "Example of Ed25519 signing"),
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        );
    }
}
