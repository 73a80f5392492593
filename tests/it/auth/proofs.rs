//! Proofs: who may take them, with which keys they are checked, and that nothing else passes for one.
//!
//! `tests/vectors/proofs.json` has proofs and what is none, for the client libraries too.
//! `PROOFS=write cargo test --test it auth::proofs` writes it.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use hmac::{Hmac, KeyInit, Mac};
use peyk::auth::Mode;
use peyk::auth::proof::{Content, LIFETIME_S, Proofs, PublicKey};
use peyk::auth::secret::{OLD_SETTING, SETTING, SecretError};
use serde_json::{Map, Value, json};
use sha2::Sha256;

use crate::support::World;

/// The base64 texts of 32 times the byte 1, and of 32 times the byte 2.
const FIRST: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const SECOND: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
const VECTORS: &str = concat!(env!("PEYK_ROOT"), "/tests/vectors/proofs.json");

/// 2026-01-01T00:00:00Z.
const NOW_S: i64 = 1_767_225_600;
const ACCOUNT: &str = "019b796d-0000-7000-8000-000000000001";
const RECIPIENT: &str = "+989121234567";

fn content(mode: Mode) -> Content<'static> {
    Content {
        account: ACCOUNT,
        recipient: RECIPIENT,
        purpose: "login",
        verification: "019b796d-a000-7000-8000-000000000000",
        checked_ms: NOW_S * 1_000 + 999,
        mode,
    }
}

fn with_keys(current: &str, old: Option<&str>) -> World {
    let world = World::new();
    world.set(SETTING, Some(current));
    world.set(OLD_SETTING, old);
    world
}

fn proofs(world: &World) -> Proofs {
    Proofs::of(world).unwrap()
}

fn decoded(part: &str) -> Value {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

/// Checks a proof as a program does that has read the published keys. Returns its payload.
fn checked(token: &str, published: &Value) -> Option<Value> {
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, payload) = signed.split_once('.')?;
    let header: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).ok()?).ok()?;
    let mut keys = published["keys"].as_array()?.iter();
    let key = keys.find(|key| key["kid"] == header["kid"])?;
    let bytes: [u8; 32] = URL_SAFE_NO_PAD.decode(key["x"].as_str()?).ok()?.try_into().ok()?;
    let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
    let key = VerifyingKey::from_bytes(&bytes).ok()?;
    key.verify_strict(signed.as_bytes(), &signature).ok()?;
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}

fn published(world: &World) -> Value {
    let answer = world.request("GET", "/.well-known/jwks.json").send().expect(200);
    assert_eq!(answer.header("Cache-Control"), Some("public, max-age=300"));
    assert_eq!(answer.response.content_type, "application/json");
    answer.json
}

#[test]
fn a_proof_says_who_has_entered_the_code_for_whom_and_until_when() {
    let world = with_keys(FIRST, None);
    let proofs = proofs(&world);
    let token = proofs.sign(&content(Mode::Live));
    let parts: Vec<&str> = token.split('.').collect();
    let kid = &proofs.public_keys()[0].id;
    assert_eq!(parts.len(), 3);
    assert_eq!(decoded(parts[0]), json!({"alg": "EdDSA", "typ": "JWT", "kid": kid}));
    let live = json!({"iss": "peyk", "sub": RECIPIENT, "aud": ACCOUNT, "jti": "019b796d-a000-7000-8000-000000000000",
        "purpose": "login", "iat": NOW_S, "exp": NOW_S + LIFETIME_S});
    assert_eq!(checked(&token, &published(&world)), Some(live.clone()));
    assert_eq!(
        token,
        proofs.sign(&content(Mode::Live)),
        "equal contents make equal proofs"
    );

    let mut test = live;
    test["test"] = json!(true);
    assert_eq!(
        checked(&proofs.sign(&content(Mode::Test)), &published(&world)),
        Some(test)
    );
}

#[test]
fn a_proof_that_was_changed_anywhere_is_none() {
    let world = with_keys(FIRST, None);
    let token = proofs(&world).sign(&content(Mode::Live));
    let keys = published(&world);
    for place in 0..token.len() {
        for other in ["A", "B"] {
            let mut changed = token.clone();
            changed.replace_range(place..=place, other);
            let is_same = changed == token;
            assert_eq!(checked(&changed, &keys).is_some(), is_same, "{place}: {changed}");
        }
    }
}

#[test]
fn a_change_of_the_secret_breaks_no_proof() {
    let before = with_keys(FIRST, None);
    let token = proofs(&before).sign(&content(Mode::Live));
    let meanwhile = with_keys(SECOND, Some(FIRST));
    let keys = published(&meanwhile);
    assert_eq!(keys["keys"].as_array().unwrap().len(), 2);
    assert_eq!(keys["keys"][1], published(&before)["keys"][0]);
    assert!(checked(&token, &keys).is_some());

    let new = proofs(&meanwhile).sign(&content(Mode::Live));
    assert_ne!(new, token);
    assert!(checked(&new, &published(&before)).is_none(), "only the new key signs");
    let after = published(&with_keys(SECOND, None));
    assert_eq!(published(&with_keys(SECOND, Some(SECOND))), after);
    assert!(checked(&new, &after).is_some());
    assert!(checked(&token, &after).is_none());
}

#[test]
fn the_keys_are_published_for_everybody_and_are_no_secret() {
    let world = with_keys(FIRST, None);
    let keys = published(&world);
    let key = &keys["keys"][0];
    let PublicKey { id, x } = &proofs(&world).public_keys()[0];
    let wanted = json!({"kty": "OKP", "crv": "Ed25519", "x": x, "kid": id, "use": "sig", "alg": "EdDSA"});
    assert_eq!(keys, json!({"keys": [wanted]}));
    let own = SigningKey::from_bytes(&seed(FIRST));
    assert_eq!(key["x"], URL_SAFE_NO_PAD.encode(own.verifying_key().as_bytes()));
    assert_ne!(key["x"], URL_SAFE_NO_PAD.encode(seed(FIRST)));
    let other = world.request("GET", "/v1/.well-known/jwks.json").send().expect(200);
    assert_eq!(other.json, keys);
    assert_eq!(other.header("RateLimit"), None);
}

#[test]
fn without_the_secret_there_are_no_keys_and_with_a_bad_one_no_answer() {
    let world = World::new();
    world.set(SETTING, None);
    assert_eq!(published(&world), json!({"keys": []}));
    assert_eq!(Proofs::of(&world).unwrap_err(), SecretError::Missing);
    world.set(SETTING, Some("short"));
    assert_eq!(Proofs::of(&world).unwrap_err(), SecretError::Malformed(SETTING));
    let answer = world.request("GET", "/.well-known/jwks.json").send().problem(503, 503);
    assert_eq!(answer.header("Cache-Control"), Some("no-store"));
    assert!(world.has_logged("SECRET_KEY is not the base64 text"));
}

#[test]
fn every_other_answer_is_for_no_cache() {
    let answer = World::new().request("GET", "/health").send().expect(200);
    assert_eq!(answer.header("Cache-Control"), Some("no-store"));
}

/// The seed of the signing key, derived without the code of the service.
fn seed(secret: &str) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(&STANDARD.decode(secret).unwrap()).unwrap();
    mac.update(b"peyk proofs");
    mac.finalize().into_bytes().into()
}

/// A token with any header and payload, signed well.
fn signed(secret: &str, header: &Value, payload: &Value) -> String {
    let part = |value: &Value| match value {
        Value::String(text) => URL_SAFE_NO_PAD.encode(text),
        other => URL_SAFE_NO_PAD.encode(other.to_string()),
    };
    let text = format!("{}.{}", part(header), part(payload));
    let signature = SigningKey::from_bytes(&seed(secret)).sign(text.as_bytes());
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature.to_bytes()))
}

fn with(value: &Value, name: &str, member: Value) -> Value {
    let mut changed = value.clone();
    changed[name] = member;
    changed
}

fn without(value: &Value, name: &str) -> Value {
    let members = value.as_object().unwrap().iter();
    let rest: Map<String, Value> = members
        .filter(|(known, _)| *known != name)
        .map(|(known, member)| (known.clone(), member.clone()))
        .collect();
    Value::Object(rest)
}

/// Signed tokens that are no proofs: each with the word that says why.
fn signed_and_refused(header: &Value, payload: &Value) -> Vec<(String, &'static str, Value, Value)> {
    let mut all = Vec::new();
    let mut add = |name: &str, why: &'static str, header: &Value, payload: &Value| {
        all.push((name.to_owned(), why, header.clone(), payload.clone()));
    };
    for alg in ["none", "HS256", "ES256", "eddsa", ""] {
        add(
            &format!("alg {alg:?}"),
            "alg",
            &with(header, "alg", json!(alg)),
            payload,
        );
    }
    add("no alg", "alg", &without(header, "alg"), payload);
    add("crit", "crit", &with(header, "crit", json!(["b64"])), payload);
    add("typ", "typ", &with(header, "typ", json!("at+jwt")), payload);
    add("no kid", "kid", &without(header, "kid"), payload);
    add("kid of a number", "kid", &with(header, "kid", json!(1)), payload);
    add("unknown kid", "kid", &with(header, "kid", json!("other")), payload);
    add("header of a list", "proof", &json!([header]), payload);
    add("header of no JSON", "proof", &json!("alg=EdDSA"), payload);
    add("payload of a list", "proof", header, &json!([payload]));
    add("payload of null", "proof", header, &json!(null));
    add("payload of no JSON", "proof", header, &json!("sub=1"));
    for exp in [json!(NOW_S.to_string()), json!(true), json!(null), json!([NOW_S + 60])] {
        add(&format!("exp {exp}"), "exp", header, &with(payload, "exp", exp));
    }
    add("no exp", "exp", header, &without(payload, "exp"));
    add("over", "expired", header, &with(payload, "exp", json!(NOW_S)));
    for aud in [json!("another"), json!([ACCOUNT]), json!(null), json!("")] {
        add(&format!("aud {aud}"), "aud", header, &with(payload, "aud", aud));
    }
    add("no aud", "aud", header, &without(payload, "aud"));
    add("iss", "iss", header, &with(payload, "iss", json!("other")));
    add("no sub", "sub", header, &without(payload, "sub"));
    add("no purpose", "purpose", header, &without(payload, "purpose"));
    add("no jti", "jti", header, &without(payload, "jti"));
    add("test", "test", header, &with(payload, "test", json!(true)));
    add("test of a text", "test", header, &with(payload, "test", json!("yes")));
    all
}

/// What the client libraries are to take and to refuse.
fn vectors() -> Value {
    let world = with_keys(SECOND, Some(FIRST));
    let (current, old) = (proofs(&world), proofs(&with_keys(FIRST, None)));
    let token = current.sign(&content(Mode::Live));
    let (payload, header) = (
        checked(&token, &published(&world)).unwrap(),
        decoded(token.split('.').next().unwrap()),
    );
    let test = current.sign(&content(Mode::Test));
    let good = json!([
        {"name": "current key", "token": token, "content": payload},
        {"name": "old key", "token": old.sign(&content(Mode::Live)), "content": payload},
        {"name": "purpose and recipient", "token": token, "content": payload,
            "options": {"purpose": "login", "recipient": RECIPIENT}},
        {"name": "last second", "token": token, "content": payload, "options": {"now": NOW_S + LIFETIME_S - 1}},
        {"name": "test key, wanted", "token": test, "content": with(&payload, "test", json!(true)),
            "options": {"allowTest": true}},
        {"name": "a member that nobody knows", "content": with(&payload, "new", json!({"a": 1})),
            "token": signed(SECOND, &header, &with(&payload, "new", json!({"a": 1})))},
    ]);
    let mut refused = vec![
        json!({"name": "test key", "why": "test", "token": test}),
        json!({"name": "time", "why": "expired", "token": token, "options": {"now": NOW_S + LIFETIME_S}}),
        json!({"name": "other account", "why": "aud", "token": token, "options": {"audience": "another"}}),
        json!({"name": "other purpose", "why": "purpose", "token": token, "options": {"purpose": "payment"}}),
        json!({"name": "other recipient", "why": "sub", "token": token, "options": {"recipient": "+989121234568"}}),
        json!({"name": "other key under the kid", "why": "signature", "token": signed(FIRST, &header, &payload)}),
    ];
    for (name, why, header, payload) in signed_and_refused(&header, &payload) {
        refused.push(json!({"name": name, "why": why, "token": signed(SECOND, &header, &payload)}));
    }
    let parts: Vec<&str> = token.split('.').collect();
    let other = URL_SAFE_NO_PAD.encode(with(&payload, "sub", json!("+989121234568")).to_string());
    for (name, why, text) in [
        ("empty", "proof", String::new()),
        ("one part", "proof", parts[0].to_owned()),
        ("two parts", "proof", format!("{}.{}", parts[0], parts[1])),
        ("four parts", "proof", format!("{token}.")),
        ("blank in front", "proof", format!(" {token}")),
        ("line break behind", "proof", format!("{token}\n")),
        ("no signature", "signature", format!("{}.{}.", parts[0], parts[1])),
        ("short signature", "signature", token[..token.len() - 4].to_owned()),
        ("padded signature", "proof", format!("{token}==")),
        (
            "other payload",
            "signature",
            format!("{}.{other}.{}", parts[0], parts[2]),
        ),
        (
            "letters of no base64url",
            "proof",
            format!("{}.{}.{}", parts[0], parts[1], "é+/*"),
        ),
        ("too long", "proof", "a".repeat(10_000)),
    ] {
        refused.push(json!({"name": name, "why": why, "token": text}));
    }
    json!({
        "source": "tests/it/auth/proofs.rs writes it: PROOFS=write cargo test --test it auth::proofs",
        "keys": published(&world),
        "options": {"audience": ACCOUNT, "now": NOW_S},
        "good": good,
        "refused": refused,
    })
}

#[test]
fn the_vectors_for_the_client_libraries_are_what_the_service_makes() {
    let text = format!("{:#}\n", vectors());
    if std::env::var("PROOFS").is_ok_and(|wish| wish == "write") {
        std::fs::write(VECTORS, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(VECTORS).is_ok_and(|file| file == text),
        "{VECTORS} is not what the service makes. Write it anew: PROOFS=write cargo test --test it auth::proofs"
    );
}
