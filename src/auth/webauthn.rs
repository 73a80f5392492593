//! Passkeys: what a browser hands over of them (W3C Web Authentication, Level 3), and whether it is right.
//!
//! A passkey is a pair of keys of ECDSA on P-256 with SHA-256 (`ES256`) that only the person's device has. It signs what the service
//! asks for, once, on the page of the service, after the device has verified the person by a fingerprint, a face or a PIN.
//!
//! Nothing is asked of the maker of the device (attestation `none`), so what registers a passkey is believed from whoever may add
//! one.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::hazmat::PrehashVerifier;
use p256::ecdsa::{Signature, VerifyingKey};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// The flags of authenticator data (6.1): the person was there, was verified, and a new credential follows.
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;
/// Bytes of what names the kind of a device (6.5.1).
const AAGUID_BYTES: usize = 16;
/// The longest id of a credential, bytes (6.5.1).
const MAX_CREDENTIAL: usize = 1_023;
/// A public key of ES256, in the only form that the standard allows (6.5.1.1: COSE in CTAP2's canonical CBOR): a map of five, key
/// type 2, algorithm -7, curve 1, and the coordinates `x` and `y`, each 32 bytes behind its label.
const COSE_BEFORE_X: &[u8] = &[0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
const COSE_BEFORE_Y: &[u8] = &[0x22, 0x58, 0x20];
/// What a point begins with that has both coordinates (SEC 1, 2.3.3).
const UNCOMPRESSED: u8 = 0x04;

/// What a browser was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceremony {
    /// To make a passkey.
    Create,
    /// To sign in with one.
    Get,
}

/// Where a passkey counts.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The origin of the page, such as `https://sms.example.com`.
    pub origin: &'a str,
    /// The domain: the id of the relying party.
    pub domain: &'a str,
}

/// What authenticator data says of a passkey that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// How often the device has signed, as it counts; 0: it does not count.
    pub counter: u32,
}

/// A passkey that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The id of the credential.
    pub credential: Vec<u8>,
    /// The public key: base64url of a point with both coordinates (SEC 1, 2.3.3).
    pub public_key: String,
    /// How often the device has signed.
    pub counter: u32,
}

#[derive(Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default, rename = "crossOrigin")]
    cross_origin: bool,
}

/// The challenge that a browser has answered, if it did so for this ceremony on a page of this place (5.8.1).
pub fn challenge(client_data: &[u8], ceremony: Ceremony, place: Place<'_>) -> Option<String> {
    let data: ClientData = serde_json::from_slice(client_data).ok()?;
    let kind = match ceremony {
        Ceremony::Create => "webauthn.create",
        Ceremony::Get => "webauthn.get",
    };
    let is_ours = data.kind == kind && data.origin == place.origin && !data.cross_origin;
    is_ours.then_some(data.challenge)
}

/// The parts of authenticator data: the flags, the counter, and what follows. `None`: it is of another place, or nobody was
/// verified.
fn read<'d>(data: &'d [u8], place: Place<'_>) -> Option<(u8, u32, &'d [u8])> {
    let (of, rest) = data.split_first_chunk::<32>()?;
    let (flags, rest) = rest.split_first()?;
    let (counter, rest) = rest.split_first_chunk::<4>()?;
    let is_ours = *of == <[u8; 32]>::from(Sha256::digest(place.domain));
    let is_verified = flags & PRESENT != 0 && flags & VERIFIED != 0;
    (is_ours && is_verified).then_some((*flags, u32::from_be_bytes(*counter), rest))
}

/// What authenticator data says of a passkey that signs in. `None`: it is of another place, or nobody was verified.
pub fn used(data: &[u8], place: Place<'_>) -> Option<Use> {
    read(data, place).map(|(_, counter, _)| Use { counter })
}

/// The passkey that authenticator data registers. `None`: as for [`used`], or it has another algorithm than ES256.
pub fn made(data: &[u8], place: Place<'_>) -> Option<Made> {
    let (flags, counter, rest) = read(data, place)?;
    let (_, rest) = rest.split_first_chunk::<AAGUID_BYTES>()?;
    let (length, rest) = rest.split_first_chunk::<2>()?;
    let (credential, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    let (x, rest) = rest.strip_prefix(COSE_BEFORE_X)?.split_first_chunk::<32>()?;
    let (y, _) = rest.strip_prefix(COSE_BEFORE_Y)?.split_first_chunk::<32>()?;
    let point = [&[UNCOMPRESSED][..], x, y].concat();
    VerifyingKey::from_sec1_bytes(&point).ok()?;
    let is_good = flags & HAS_CREDENTIAL != 0 && (1..=MAX_CREDENTIAL).contains(&credential.len());
    is_good.then(|| Made {
        credential: credential.to_vec(),
        public_key: URL_SAFE_NO_PAD.encode(&point),
        counter,
    })
}

/// The digest of what a passkey signs (6.3.3).
pub fn signed_digest(authenticator_data: &[u8], client_data: &[u8]) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(authenticator_data);
    digest.update(Sha256::digest(client_data));
    digest.finalize().into()
}

/// Whether a signature (DER, RFC 3279, 2.2.3) over this digest is by the holder of a public key, as [`Made`] has it.
pub fn is_signed(public_key: &str, digest: &[u8; 32], signature: &[u8]) -> bool {
    let point = URL_SAFE_NO_PAD.decode(public_key).ok();
    let key = point.and_then(|point| VerifyingKey::from_sec1_bytes(&point).ok());
    let signature = Signature::from_der(signature).ok();
    key.zip(signature)
        .is_some_and(|(key, signature)| key.verify_prehash(digest, &signature).is_ok())
}
