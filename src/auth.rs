//! API keys: their shape, their digest, and what one may do.
//!
//! The invariant: a key is never kept. It is known by its SHA-256 digest only, and KV maps that to a [`KeyRecord`].
//! Keys that Peyk issues carry a checksum, so that a mistyped or truncated one is refused before anything is looked up,
//! and so that a scanner can recognise a leaked one. The digest needs neither salt nor stretching: a key of ours holds
//! 190 random bits, and an imported one is as good as the service that issued it made it.
//!
//! Sources: RFC 9110 §11.4 and RFC 6750 §2.1 (the header), FIPS 180-4 (SHA-256), CRC-32 as in ISO 3309 / IEEE 802.3.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Longest key that is looked at, in bytes.
pub const MAX_KEY_BYTES: usize = 512;

const LIVE_PREFIX: &str = "peyk_live_";
const TEST_PREFIX: &str = "peyk_test_";
/// Random base-62 characters of a key.
const SECRET_CHARS: usize = 32;
/// Base-62 characters that hold any CRC-32 (62^6 > 2^32).
const CHECKSUM_CHARS: usize = 6;
/// The digits of base 62, in the order of their values, which is also ASCII's.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Random bytes below this are four times the alphabet: their remainder by 62 favours no character.
const UNBIASED_BYTES: u8 = 4 * 62;

/// Why a request has no usable key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BearerError {
    /// No key was sent: no header, another scheme, or `Bearer` with nothing after it.
    #[error("no API key was sent")]
    Missing,
    /// What was sent can be no key: it holds a character that is not visible ASCII, or is too long.
    #[error("the API key is malformed")]
    Malformed,
}

/// The key in the value of an `Authorization` header: `Bearer`, in any case, one or more spaces, the key.
///
/// A key is 1 to [`MAX_KEY_BYTES`] characters of visible ASCII (0x21 to 0x7E). That is more than RFC 6750 §2.1 allows,
/// since keys imported from other services contain `|`.
///
/// # Errors
/// [`BearerError`]; both kinds are a 401, of which only `Malformed` says `error="invalid_token"`.
pub fn bearer(header: Option<&str>) -> Result<&str, BearerError> {
    let header = header.ok_or(BearerError::Missing)?.trim_matches([' ', '\t']);
    let (scheme, key) = header.split_once(' ').ok_or(BearerError::Missing)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(BearerError::Missing);
    }
    let key = key.trim_start_matches(' ');
    is_key(key).then_some(key).ok_or(BearerError::Malformed)
}

/// Whether a text can be a key: 1 to [`MAX_KEY_BYTES`] characters of visible ASCII. Imported keys must pass this.
#[must_use]
pub fn is_key(text: &str) -> bool {
    (1..=MAX_KEY_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Whether a key spends money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Sends for money.
    Live,
    /// Goes through everything, but costs nothing and reaches no carrier.
    Test,
}

impl Mode {
    /// Both modes.
    pub const ALL: [Self; 2] = [Self::Live, Self::Test];

    /// The name of the mode: `live` or `test`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Live => LIVE_PREFIX,
            Self::Test => TEST_PREFIX,
        }
    }
}

/// Makes a new key: prefix, 32 random base-62 characters, 6 of checksum.
///
/// `random` fills the whole slice with cryptographically secure random bytes, or does not return. It is called until
/// enough bytes could be used, in practice once.
#[must_use]
pub fn mint(mode: Mode, mut random: impl FnMut(&mut [u8])) -> String {
    let prefix = mode.prefix();
    let mut key = String::with_capacity(prefix.len() + SECRET_CHARS + CHECKSUM_CHARS);
    key.push_str(prefix);
    let bare = key.len() + SECRET_CHARS;
    let mut bytes = [0_u8; 2 * SECRET_CHARS];
    while key.len() < bare {
        random(&mut bytes);
        let usable = bytes.iter().filter(|byte| **byte < UNBIASED_BYTES);
        key.extend(usable.map(|byte| base62_digit(u32::from(*byte))).take(bare - key.len()));
    }
    let checksum = checksum(&key);
    key.extend(checksum);
    key
}

/// Whether a key may be looked up. `false` only for one that begins as Peyk's do and then has a wrong length, character
/// or checksum; keys of any other shape are imported ones, of which nothing is known here.
#[must_use]
pub fn checksum_ok(key: &str) -> bool {
    let Some(body) = key.strip_prefix(LIVE_PREFIX).or_else(|| key.strip_prefix(TEST_PREFIX)) else {
        return true;
    };
    if body.len() != SECRET_CHARS + CHECKSUM_CHARS || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let (summed, sum) = key.split_at(key.len() - CHECKSUM_CHARS);
    checksum(summed).into_iter().eq(sum.chars())
}

/// CRC-32 of a text as six base-62 digits, the most significant first.
fn checksum(text: &str) -> [char; CHECKSUM_CHARS] {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = ['0'; CHECKSUM_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = base62_digit(rest);
        rest /= 62;
    }
    digits
}

/// The base-62 digit of a number's remainder by 62.
fn base62_digit(number: u32) -> char {
    let index = usize::try_from(number % 62).unwrap_or_default();
    char::from(BASE62.get(index).copied().unwrap_or(b'0'))
}

/// The lower-case hexadecimal SHA-256 of a key: its name in KV, and the only form in which it is kept.
#[must_use]
pub fn digest(key: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(key.as_bytes()) {
        hex.extend(
            [byte >> 4, byte & 15]
                .iter()
                .filter_map(|half| char::from_digit(u32::from(*half), 16)),
        );
    }
    hex
}

/// What a key may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// Sending.
    #[serde(rename = "sms:send")]
    SmsSend,
    /// Reading messages and their recipients.
    #[serde(rename = "sms:read")]
    SmsRead,
    /// Phonebooks and their numbers.
    #[serde(rename = "phonebook")]
    Phonebook,
    /// Patterns and their versions.
    #[serde(rename = "pattern")]
    Pattern,
    /// The blacklist.
    #[serde(rename = "blacklist")]
    Blacklist,
    /// Reading the account: balance, tariff, ledger, lines.
    #[serde(rename = "account:read")]
    AccountRead,
    /// Webhook endpoints.
    #[serde(rename = "webhook")]
    Webhook,
    /// Issuing and revoking the account's keys.
    #[serde(rename = "keys")]
    Keys,
    /// Operating the service; keys with it belong to no account.
    #[serde(rename = "admin")]
    Admin,
}

impl Scope {
    /// Every scope, in the order of the contract.
    pub const ALL: [Self; 9] = [
        Self::SmsSend,
        Self::SmsRead,
        Self::Phonebook,
        Self::Pattern,
        Self::Blacklist,
        Self::AccountRead,
        Self::Webhook,
        Self::Keys,
        Self::Admin,
    ];

    /// The scope's name in the API and in KV.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SmsSend => "sms:send",
            Self::SmsRead => "sms:read",
            Self::Phonebook => "phonebook",
            Self::Pattern => "pattern",
            Self::Blacklist => "blacklist",
            Self::AccountRead => "account:read",
            Self::Webhook => "webhook",
            Self::Keys => "keys",
            Self::Admin => "admin",
        }
    }

    /// The scope of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}

/// What KV holds under a key's digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyRecord {
    /// Version of this record's shape, [`KeyRecord::VERSION`].
    pub v: u8,
    /// Id of the account; empty for an operator's key.
    pub account: String,
    /// Id of the key, by which it is listed, rotated and revoked.
    pub key: String,
    /// What the key may be used for.
    pub scopes: Vec<Scope>,
    /// Whether the key spends money.
    pub mode: Mode,
    /// Numbers of the lines the key may send from; `None` for all of the account's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
    /// First millisecond since the Unix epoch at which the key is refused; `None` for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

impl KeyRecord {
    /// The version that this code writes.
    pub const VERSION: u8 = 1;

    /// Whether the key has a scope. `admin` does not include the others: an operator's key has no account to act for.
    #[must_use]
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Whether the key may send from a line, as far as the key goes.
    #[must_use]
    pub fn allows_line(&self, line: &str) -> bool {
        self.lines
            .as_ref()
            .is_none_or(|lines| lines.iter().any(|allowed| allowed == line))
    }

    /// Whether the key has expired at `now_ms`, milliseconds since the Unix epoch.
    #[must_use]
    pub fn is_expired(&self, now_ms: i64) -> bool {
        self.expires_at.is_some_and(|expires_at| expires_at <= now_ms)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use proptest::prelude::*;

    use super::*;

    /// A source that is random enough for a test: SplitMix64.
    fn random(mut seed: u64) -> impl FnMut(&mut [u8]) {
        move |bytes| {
            for byte in bytes {
                seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                *byte = mixed.to_be_bytes()[0];
            }
        }
    }

    #[test]
    fn the_scheme_is_read_in_any_case_and_before_any_number_of_spaces() {
        for header in ["Bearer a|B~!", "bearer a|B~!", "BEARER   a|B~!", "  bEaReR a|B~! \t"] {
            assert_eq!(bearer(Some(header)), Ok("a|B~!"), "{header:?}");
        }
        let longest = "k".repeat(MAX_KEY_BYTES);
        assert_eq!(bearer(Some(&format!("Bearer {longest}"))), Ok(longest.as_str()));
    }

    #[test]
    fn a_request_without_a_key_is_told_from_one_with_a_bad_one() {
        assert_eq!(bearer(None), Err(BearerError::Missing));
        for header in [
            "",
            "   ",
            "Bearer",
            "Bearer   ",
            "Basic YTpi",
            "peyk_live_x",
            "Bearerkey",
            "Bearer\tkey",
        ] {
            assert_eq!(bearer(Some(header)), Err(BearerError::Missing), "{header:?}");
        }
        let too_long = format!("Bearer {}", "k".repeat(MAX_KEY_BYTES + 1));
        for header in [
            "Bearer a b",
            "Bearer a, Bearer b",
            "Bearer \tk",
            "Bearer ké",
            "Bearer k\u{7F}",
            &too_long,
        ] {
            assert_eq!(bearer(Some(header)), Err(BearerError::Malformed), "{header:?}");
        }
    }

    #[test]
    fn a_known_key_has_a_known_checksum() {
        // 0xCBF43926, the check value of CRC-32, in base 62. These were computed by another program, bit by bit.
        assert_eq!(checksum("123456789").iter().collect::<String>(), "3jZRME");
        assert_eq!(checksum(""), ['0'; 6], "left-padded with zeros");
        assert!(checksum_ok("peyk_live_000000000000000000000000000000004XyCSM"));
        assert!(checksum_ok("peyk_test_0123456789ABCDEFGHIJKLMNOPQRSTUV3JHSzg"));
    }

    #[test]
    fn minted_keys_have_the_shape_and_pass_their_own_check() {
        for (mode, prefix) in [(Mode::Live, "peyk_live_"), (Mode::Test, "peyk_test_")] {
            let key = mint(mode, random(7));
            assert!(key.starts_with(prefix) && key.len() == 48, "{key}");
            assert!(is_key(&key) && checksum_ok(&key), "{key}");
            assert_eq!(bearer(Some(&format!("Bearer {key}"))), Ok(key.as_str()));
        }
    }

    #[test]
    fn every_character_of_the_alphabet_is_as_likely_as_another() {
        let mut bytes_of = BTreeMap::<String, u32>::new();
        for byte in 0..UNBIASED_BYTES {
            let key = mint(Mode::Live, |bytes| bytes.fill(byte));
            *bytes_of.entry(key[10..42].to_owned()).or_default() += 1;
        }
        let expected = BASE62
            .iter()
            .map(|digit| (char::from(*digit).to_string().repeat(32), 4))
            .collect();
        assert_eq!(bytes_of, expected);
    }

    #[test]
    fn unusable_random_bytes_are_drawn_again() {
        let mut draws = 0;
        let key = mint(Mode::Live, |bytes| {
            draws += 1;
            bytes.fill(if draws < 3 { UNBIASED_BYTES } else { UNBIASED_BYTES - 1 });
        });
        assert_eq!((&key[10..42], draws), ("z".repeat(32).as_str(), 3));
    }

    #[test]
    fn one_changed_character_breaks_the_checksum() {
        let key = mint(Mode::Live, random(1));
        for index in 10..key.len() {
            let other = if key.as_bytes()[index] == b'a' { "b" } else { "a" };
            let mut changed = key.clone();
            changed.replace_range(index..=index, other);
            assert!(!checksum_ok(&changed), "{changed}");
        }
        assert!(!checksum_ok(&key.replace("live", "test")), "the prefix is summed too");
        assert!(!checksum_ok(&key[..47]) && !checksum_ok(&format!("{key}0")) && !checksum_ok("peyk_live_"));
        assert!(
            !checksum_ok(&format!("peyk_live_{}", "é".repeat(19))),
            "38 bytes that are no base-62 characters"
        );
    }

    #[test]
    fn keys_of_other_services_are_not_checked() {
        for key in ["12|AbCdEf", "peyk_", "PEYK_LIVE_x", "peyk_demo_x", ""] {
            assert!(checksum_ok(key), "{key}");
        }
    }

    #[test]
    fn digests_are_sha_256_in_lower_case_hex() {
        // FIPS 180-4's examples, as published by NIST.
        assert_eq!(
            digest(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn scopes_go_by_their_names_in_the_contract() {
        let names: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        let contract = "sms:send sms:read phonebook pattern blacklist account:read webhook keys admin";
        assert_eq!(names.join(" "), contract);
        for scope in Scope::ALL {
            assert_eq!(Scope::parse(scope.as_str()), Some(scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.as_str());
            assert_eq!(serde_json::from_value::<Scope>(scope.as_str().into()).unwrap(), scope);
        }
        assert_eq!(Scope::parse("sms"), None);
        assert_eq!(Scope::parse("ADMIN"), None);
    }

    fn record() -> KeyRecord {
        KeyRecord {
            v: KeyRecord::VERSION,
            account: "0198".into(),
            key: "k1".into(),
            scopes: vec![Scope::SmsSend, Scope::AccountRead],
            mode: Mode::Test,
            lines: Some(vec!["10001".into()]),
            expires_at: Some(1_000),
        }
    }

    #[test]
    fn the_record_in_kv_has_the_agreed_members() {
        let json = r#"{"v":1,"account":"0198","key":"k1","scopes":["sms:send","account:read"],"mode":"test","lines":["10001"],"expiresAt":1000}"#;
        assert_eq!(serde_json::to_string(&record()).unwrap(), json);
        assert_eq!(serde_json::from_str::<KeyRecord>(json).unwrap(), record());
        let least = r#"{"v":1,"account":"","key":"k1","scopes":["admin"],"mode":"live"}"#;
        let operator: KeyRecord = serde_json::from_str(least).unwrap();
        assert_eq!((&operator.lines, operator.expires_at), (&None, None));
        assert_eq!(serde_json::to_string(&operator).unwrap(), least);
    }

    #[test]
    fn a_record_with_an_unknown_scope_or_mode_is_refused_whole() {
        assert!(
            serde_json::from_str::<KeyRecord>(r#"{"v":1,"account":"","key":"k","scopes":["root"],"mode":"live"}"#)
                .is_err()
        );
        assert!(
            serde_json::from_str::<KeyRecord>(r#"{"v":1,"account":"","key":"k","scopes":[],"mode":"free"}"#).is_err()
        );
    }

    #[test]
    fn a_key_allows_its_scopes_and_lines_and_no_others() {
        assert!(record().allows(Scope::SmsSend) && !record().allows(Scope::SmsRead) && !record().allows(Scope::Admin));
        assert!(record().allows_line("10001") && !record().allows_line("10002"));
        let unlimited = KeyRecord {
            lines: None,
            ..record()
        };
        assert!(unlimited.allows_line("10002"));
        let none = KeyRecord {
            lines: Some(vec![]),
            ..record()
        };
        assert!(!none.allows_line("10001"));
        let operator = KeyRecord {
            scopes: vec![Scope::Admin],
            ..record()
        };
        assert!(!operator.allows(Scope::SmsSend));
    }

    #[test]
    fn a_key_expires_at_its_instant() {
        assert!(!record().is_expired(999));
        assert!(record().is_expired(1_000));
        assert!(
            !KeyRecord {
                expires_at: None,
                ..record()
            }
            .is_expired(i64::MAX)
        );
    }

    #[test]
    fn ten_thousand_keys_are_all_different() {
        let mut source = random(3);
        let keys: HashSet<String> = (0..10_000).map(|_| mint(Mode::Live, &mut source)).collect();
        assert_eq!(keys.len(), 10_000);
    }

    proptest! {
        #[test]
        fn no_header_makes_a_key_that_is_none(header in "([Bb]earer *)?\\PC{0,40}") {
            if let Ok(key) = bearer(Some(&header)) {
                prop_assert!(is_key(key));
            }
        }

        #[test]
        fn every_minted_key_passes_its_check(seed in any::<u64>()) {
            prop_assert!(checksum_ok(&mint(Mode::Test, random(seed))));
        }
    }
}
