//! The routes that need no key: the health of the service, the keys that check proofs, and the home page, where a person arrives
//! who opens its address.

use super::http::{Response, asks_for_html, context::Context, respond::Success};
use crate::answer;
use crate::auth::proof::{Proofs, PublicKey};
use crate::auth::secret::SecretError;
use crate::base::{language::Language, ports::Platform};
use crate::problem::Problem;

/// How long programs and caches may keep the keys of proofs. A proof is good for longer, and so is what its key was before a
/// change of `SECRET_KEY`.
const KEYS_MAY_BE_KEPT: &str = "public, max-age=300";

/// `GET /`. The documentation is a set of static files, so this only says where they are. A program gets the 404 of any other
/// unknown path, because it reads no pages.
pub async fn home<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    if !asks_for_html(context.request.head.accept.as_deref()) {
        return Err(Problem::NotFound);
    }
    let docs = match context.request.language {
        Language::En => "/docs",
        Language::Fa => "/docs/fa",
    };
    Ok(Response {
        status: 302,
        content_type: "",
        headers: vec![
            ("Location", docs.to_owned()),
            ("Vary", "Accept, Accept-Language".to_owned()),
        ],
        body: String::new(),
    })
}

answer! {
    /// The service is up.
    pub struct HealthData() as "Health" {
        "status": "UP", one_of(&["UP"]);
        /// The version of the service.
        "version": env!("CARGO_PKG_VERSION"), any_text().like(env!("CARGO_PKG_VERSION"));
    }

    /// The keys that check proofs, as a JWK Set (RFC 7517).
    pub struct ProofKeysData(keys: &[PublicKey]) as "ProofKeys" {
        /// The key of new proofs comes first. While the operator changes `SECRET_KEY`, the key before it follows.
        "keys": keys.iter().map(ProofKeyData::of).collect::<Vec<_>>(), list(declared::<ProofKeyData>(), 0, 2);
    }

    /// A key that checks proofs, as a JWK (RFC 8037).
    pub struct ProofKeyData(key: &PublicKey) as "ProofKey" {
        "kty": "OKP", one_of(&["OKP"]);
        "crv": "Ed25519", one_of(&["Ed25519"]);
        /// The 32 bytes of the key, in base64url.
        "x": key.x, formed(43, "^[A-Za-z0-9_-]{43}$") => "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
        /// The name of the key, which the headers of its proofs have: its thumbprint (RFC 7638).
        "kid": key.id, formed(43, "^[A-Za-z0-9_-]{43}$") => "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
        "use": "sig", one_of(&["sig"]);
        "alg": "EdDSA", one_of(&["EdDSA"]);
    }
}

/// `GET /health`
pub async fn health<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    Success::ok(HealthData::of()).response(context)
}

/// `GET /.well-known/jwks.json`. The programs that read it know the form of RFC 7517, so it has no envelope.
pub async fn proof_keys<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let keys = match Proofs::of(context.platform) {
        Ok(proofs) => proofs.public_keys(),
        Err(SecretError::Missing) => Vec::new(),
        Err(error) => return Err(Problem::Unavailable(error.to_string())),
    };
    Ok(Response {
        status: 200,
        content_type: "application/json",
        headers: vec![("Cache-Control", KEYS_MAY_BE_KEPT.to_owned())],
        body: ProofKeysData::of(&keys).to_string(),
    })
}
