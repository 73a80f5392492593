//! Secrets: the keys that are derived from the Worker secret `SECRET_KEY`, and what is sealed or tagged with them.
//!
//! `SECRET_KEY` is the base64 text of 32 random bytes. It never encrypts anything itself: each [`Purpose`] has a key of its
//! own, HMAC-SHA-256 of the purpose's name under `SECRET_KEY`. So nothing that was made for one purpose is good for another.
//!
//! The invariants: what [`Keys::seal`] returns can be read only with the key, and only for the owner that it was sealed for;
//! each sealing takes a new random nonce; a tag is compared in constant time. No secret stands in an error or in the log.
//!
//! To change the key, the operator sets `SECRET_KEY_OLD` to the old key and `SECRET_KEY` to a new one. What the old key made
//! is still read. What is made from then on is made with the new key.
//!
//! Sources: NIST SP 800-38D (AES-GCM), RFC 2104 (HMAC), FIPS 180-4 (SHA-256).

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use thiserror::Error;

use crate::base::ports::{Platform, PortError};

/// The Worker secret that all keys are derived from.
pub const SETTING: &str = "SECRET_KEY";
/// The Worker secret that was [`SETTING`] before.
pub const OLD_SETTING: &str = "SECRET_KEY_OLD";

/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 12;
/// Bytes of the block of SHA-256. HMAC fills a shorter key up with zeros.
const BLOCK_BYTES: usize = 64;
/// Bytes of a tag that [`Keys::tag`] returns: 128 bits.
pub const TAG_BYTES: usize = 16;
/// What a sealed text begins with: the version of its format.
const VERSION: &str = "v1.";

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The secrets of carriers, as they stand in the directory.
    CarrierSecrets,
    /// The secrets that sign webhooks, as they stand in their objects.
    WebhookSecrets,
    /// The keys that sign status callbacks.
    CallbackKeys,
    /// The addresses to which a gateway reports deliveries.
    ReportAddress,
    /// The addresses to which a gateway hands inbound messages.
    InboundAddress,
    /// The digests in the audit log, of what it leaves out.
    AuditDigest,
    /// The numbers that are to be erased, as long as that takes.
    Erasure,
    /// The digests of erased numbers that stay blocked.
    BlockedDigest,
    /// The codes of verifications.
    VerifyCode,
    /// The texts that have such a code, as they wait for a carrier.
    CodeText,
    /// The seeds of the pairs of keys that sign proofs.
    Proofs,
    /// The challenges that passkeys sign.
    Challenges,
    /// What browsers show that have asked for a code.
    StartedBrowsers,
    /// What browsers show in which a member has signed in.
    KnownBrowsers,
    /// What tells whether two services have the same secret.
    Transfer,
}

impl Purpose {
    /// The name that the key is derived from. It is part of the format.
    fn name(self) -> &'static str {
        match self {
            Purpose::CarrierSecrets => "peyk carrier secrets",
            Purpose::WebhookSecrets => "peyk webhook secrets",
            Purpose::CallbackKeys => "peyk callback keys",
            Purpose::ReportAddress => "peyk report address",
            Purpose::InboundAddress => "peyk inbound address",
            Purpose::AuditDigest => "peyk audit digest",
            Purpose::Erasure => "peyk erasure",
            Purpose::BlockedDigest => "peyk blocked digest",
            Purpose::VerifyCode => "peyk verify code",
            Purpose::CodeText => "peyk code text",
            Purpose::Proofs => "peyk proofs",
            Purpose::Challenges => "peyk challenges",
            Purpose::StartedBrowsers => "peyk started browsers",
            Purpose::KnownBrowsers => "peyk known browsers",
            Purpose::Transfer => "peyk transfer",
        }
    }
}

/// Why a secret can't be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SecretError {
    /// The deployment has no such secret.
    #[error("the secret SECRET_KEY is not set")]
    Missing,
    /// The secret of this name is not base64 of 32 bytes.
    #[error("the secret {0} is not the base64 text of 32 bytes")]
    Malformed(&'static str),
    /// The sealed text was made with another key or for another owner, or it was changed.
    #[error("what is sealed can't be opened with SECRET_KEY or SECRET_KEY_OLD")]
    Unreadable,
}

impl From<SecretError> for PortError {
    fn from(error: SecretError) -> Self {
        PortError::unavailable("secret", error)
    }
}

type Key = [u8; KEY_BYTES];

/// What all keys are derived from: the secret of the service, and the one before it.
#[derive(Clone, Copy)]
pub struct MasterKey(Result<(Key, Option<Key>), SecretError>);

impl Default for MasterKey {
    fn default() -> Self {
        MasterKey(Err(SecretError::Missing))
    }
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

impl MasterKey {
    /// Reads the deployment's secrets. If they can't be used, whoever asks for keys is told so.
    pub fn of(platform: &impl Platform) -> Self {
        let read = || {
            let current = secret(platform, SETTING)?.ok_or(SecretError::Missing)?;
            Ok((current, secret(platform, OLD_SETTING)?))
        };
        MasterKey(read())
    }

    /// Derives the keys of a purpose.
    ///
    /// # Errors
    /// `SECRET_KEY` is not set, or one of both secrets is malformed.
    pub fn keys(&self, purpose: Purpose) -> Result<Keys, SecretError> {
        let (current, old) = self.0?;
        let derive = |key: Key| hmac(&key, &[purpose.name().as_bytes()]);
        Ok(Keys {
            current: derive(current),
            old: old.map(derive),
        })
    }
}

/// The keys of one purpose.
#[derive(Clone)]
pub struct Keys {
    current: Key,
    old: Option<Key>,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys(…)")
    }
}

impl Keys {
    /// Derives the keys of a purpose from the deployment's secrets.
    ///
    /// # Errors
    /// As those of [`MasterKey::keys`].
    pub fn of(platform: &impl Platform, purpose: Purpose) -> Result<Keys, SecretError> {
        MasterKey::of(platform).keys(purpose)
    }

    /// The keys themselves, the current one first, for what neither seals nor tags.
    pub(super) fn bytes(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.current).chain(self.old.as_ref())
    }

    /// Encrypts a text for an owner: only the same owner's name opens it again.
    pub fn seal(&self, platform: &impl Platform, owner: &str, text: &str) -> Result<String, PortError> {
        let mut nonce = [0; NONCE_BYTES];
        platform.random(&mut nonce)?;
        self.seal_with(nonce, owner, text)
    }

    /// The same, with a nonce of the caller's. It must be random, and of this sealing alone.
    pub fn seal_with(&self, nonce: [u8; NONCE_BYTES], owner: &str, text: &str) -> Result<String, PortError> {
        let mut sealed = nonce.to_vec();
        sealed.extend(encrypt(&self.current, nonce, owner, text)?);
        Ok(format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(sealed)))
    }

    /// Decrypts what [`Keys::seal`] made for this owner with the current key or the old one.
    pub fn open(&self, owner: &str, sealed: &str) -> Result<String, SecretError> {
        let bytes = sealed
            .strip_prefix(VERSION)
            .and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
        let bytes = bytes.ok_or(SecretError::Unreadable)?;
        let (nonce, sealed) = bytes
            .split_first_chunk::<NONCE_BYTES>()
            .ok_or(SecretError::Unreadable)?;
        let opened = self
            .bytes()
            .filter_map(|key| decrypt(key, *nonce, owner, sealed))
            .next();
        opened.ok_or(SecretError::Unreadable)
    }

    /// A tag that nobody without the key can make: the beginning of HMAC-SHA-256 of the parts, one behind the other. The
    /// caller sees to it that different lists of parts are different when they stand together.
    pub fn tag(&self, parts: &[&[u8]]) -> [u8; TAG_BYTES] {
        truncated(hmac(&self.current, parts))
    }

    /// The tags of the parts by the current key and, if there is one, by the old key.
    pub fn tags(&self, parts: &[&[u8]]) -> Vec<[u8; TAG_BYTES]> {
        self.bytes().map(|key| truncated(hmac(key, parts))).collect()
    }

    /// Whether a tag is that of the parts, with the current key or the old one. The time that it takes tells nothing about
    /// the right tag.
    pub fn is_tag(&self, parts: &[&[u8]], tag: &[u8]) -> bool {
        self.bytes()
            .map(|key| mac(key, parts).verify_truncated_left(tag).is_ok() && tag.len() == TAG_BYTES)
            .fold(false, |found, is_tag| found | is_tag)
    }
}

/// Whether the key is being changed: what the old one has made is still read.
pub fn is_changing(platform: &impl Platform) -> bool {
    platform
        .setting(OLD_SETTING)
        .is_some_and(|text| !text.trim().is_empty())
}

/// The secret of this name. `None`: it is not set.
fn secret(platform: &impl Platform, name: &'static str) -> Result<Option<Key>, SecretError> {
    let Some(text) = platform.setting(name).filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    let bytes = STANDARD
        .decode(text.trim())
        .ok()
        .and_then(|bytes| bytes.try_into().ok());
    bytes.map(Some).ok_or(SecretError::Malformed(name))
}

fn mac(key: &Key, parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut block = [0; BLOCK_BYTES];
    for (place, byte) in block.iter_mut().zip(key) {
        *place = *byte;
    }
    let mut mac = Hmac::<Sha256>::new(&block.into());
    for part in parts {
        mac.update(part);
    }
    mac
}

fn hmac(key: &Key, parts: &[&[u8]]) -> [u8; 32] {
    mac(key, parts).finalize().into_bytes().into()
}

fn truncated(bytes: [u8; 32]) -> [u8; TAG_BYTES] {
    let mut tag = [0; TAG_BYTES];
    for (place, byte) in tag.iter_mut().zip(bytes) {
        *place = byte;
    }
    tag
}

fn encrypt(key: &Key, nonce: [u8; NONCE_BYTES], owner: &str, text: &str) -> Result<Vec<u8>, PortError> {
    let payload = Payload {
        msg: text.as_bytes(),
        aad: owner.as_bytes(),
    };
    Aes256Gcm::new(&(*key).into())
        .encrypt(&Nonce::from(nonce), payload)
        .map_err(|_| PortError::failed("secret", "the text is too long to be sealed"))
}

fn decrypt(key: &Key, nonce: [u8; NONCE_BYTES], owner: &str, sealed: &[u8]) -> Option<String> {
    let payload = Payload {
        msg: sealed,
        aad: owner.as_bytes(),
    };
    let text = Aes256Gcm::new(&(*key).into())
        .decrypt(&Nonce::from(nonce), payload)
        .ok()?;
    String::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<char> = hex.chars().collect();
        let pairs = digits.chunks(2).map(String::from_iter);
        pairs.map(|pair| u8::from_str_radix(&pair, 16).unwrap()).collect()
    }

    /// Test cases 13, 14 and 16 of "The Galois/Counter Mode of Operation" (McGrew and Viega), which NIST SP 800-38D is
    /// based on. The associated data and the text of case 16 are no UTF-8, so it goes past the wrappers.
    #[test]
    fn aes_256_gcm_gives_the_published_answers() {
        let zeros = [0; KEY_BYTES];
        let empty = encrypt(&zeros, [0; NONCE_BYTES], "", "").unwrap();
        assert_eq!(empty, bytes("530f8afbc74536b9a963b4f1c4cb738b"));
        let block = encrypt(&zeros, [0; NONCE_BYTES], "", &"\0".repeat(16)).unwrap();
        let expected = "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919";
        assert_eq!(block, bytes(expected));
        let key: [u8; KEY_BYTES] = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
            .try_into()
            .unwrap();
        let nonce: [u8; NONCE_BYTES] = bytes("cafebabefacedbaddecaf888").try_into().unwrap();
        let text = bytes(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525\
             b16aedf5aa0de657ba637b39",
        );
        let payload = Payload {
            msg: &text,
            aad: &bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
        };
        let sealed = Aes256Gcm::new(&key.into()).encrypt(&nonce.into(), payload).unwrap();
        let expected = bytes(
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838\
             c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
        );
        assert_eq!(sealed, expected);
    }

    /// Test cases 1 to 4 of RFC 4231. A key of up to 32 bytes is the same as one that is filled up with zeros.
    #[test]
    fn hmac_sha_256_gives_the_published_answers() {
        let key = |bytes: &[u8]| {
            let mut key = [0; KEY_BYTES];
            key[..bytes.len()].copy_from_slice(bytes);
            key
        };
        let counted: Vec<u8> = (1..=25).collect();
        for (key, text, expected) in [
            (
                key(&[0x0b; 20]),
                b"Hi There".to_vec(),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                key(b"Jefe"),
                b"what do ya want for nothing?".to_vec(),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                key(&[0xaa; 20]),
                vec![0xdd; 50],
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            ),
            (
                key(&counted),
                vec![0xcd; 50],
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            ),
        ] {
            let (front, back) = text.split_at(text.len() / 2);
            assert_eq!(hmac(&key, &[&text]).to_vec(), bytes(expected));
            assert_eq!(hmac(&key, &[front, back]).to_vec(), bytes(expected));
        }
    }
}
