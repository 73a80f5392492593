//! API keys: their shape, their digest and their permissions.
//!
//! The invariant: Peyk never stores a key. It stores only the SHA-256 digest, and KV maps the digest to a
//! [`KeyRecord`]. A key that Peyk issues carries a checksum. So Peyk refuses a mistyped or truncated key before it
//! looks anything up, and a scanner can recognise a leaked key. A key for a program whose forms take no such key has
//! hexadecimal digits only. The digest needs no salt and no stretching, because an issued key holds 190 random bits, or as
//! many as its form can hold: at least 128. The strength of an imported key depends on the service that issued it.
//!
//! Sources: RFC 9110 §11.4 and RFC 6750 §2.1 (the header), FIPS 180-4 (SHA-256), CRC-32 as in ISO 3309 / IEEE 802.3.

pub mod challenge;
pub mod console_session;
pub mod imprint;
pub mod proof;
pub mod role;
pub mod secret;
pub mod signing_key;
pub mod webauthn;

use std::net::IpAddr;

use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use crate::base::cache::Weigh;
use crate::base::named::named;
use crate::base::network::Network;
use crate::base::redact::is_hexadecimal_key;

/// The maximum length of a key, in bytes.
pub const MAX_KEY_BYTES: usize = 512;

const LIVE_PREFIX: &str = "peyk_live_";
const TEST_PREFIX: &str = "peyk_test_";
/// What a session begins with.
const SESSION_PREFIX: &str = "peyk_session_";
/// What the code of a link begins with.
const LINK_PREFIX: &str = "peyk_link_";
/// The number of random base-62 characters in a key.
const SECRET_CHARS: usize = 32;
/// The number of base-62 characters that hold any CRC-32 (62^6 > 2^32).
const CHECKSUM_CHARS: usize = 6;
/// The base-62 digits in the order of their values, which is also their order in ASCII.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Random bytes below this bound are used. It is four times 62, so the remainder by 62 favours no character.
const UNBIASED_BYTES: u8 = 4 * 62;

/// The reason why a request has no usable key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BearerError {
    /// The client sent no key: no header, another scheme, or `Bearer` with nothing after it.
    #[error("no API key was sent")]
    Missing,
    /// The key is too long or has a character that is not visible ASCII.
    #[error("the API key is malformed")]
    Malformed,
}

/// Reads the key from the value of an `Authorization` header: `Bearer` in any case, one or more spaces, the key.
///
/// A key has 1 to [`MAX_KEY_BYTES`] characters of visible ASCII (0x21 to 0x7E). RFC 6750 §2.1 allows fewer characters,
/// but keys imported from other services contain `|`.
///
/// # Errors
/// [`BearerError`]. Both variants lead to a 401; only `Malformed` adds `error="invalid_token"`.
pub fn bearer(header: Option<&str>) -> Result<&str, BearerError> {
    let header = header.ok_or(BearerError::Missing)?.trim_matches([' ', '\t']);
    let (scheme, key) = header.split_once(' ').ok_or(BearerError::Missing)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(BearerError::Missing);
    }
    let key = key.trim_start_matches(' ');
    is_key(key).then_some(key).ok_or(BearerError::Malformed)
}

/// Whether a path may have a key in it, by what our own begin with, or by their form.
pub fn may_have_key(path: &str) -> bool {
    path.contains(LIVE_PREFIX) || path.contains(TEST_PREFIX) || path.split('/').any(is_hexadecimal_key)
}

/// Whether a text can be a key: 1 to [`MAX_KEY_BYTES`] characters of visible ASCII. Imported keys must pass this check
/// too.
pub fn is_key(text: &str) -> bool {
    (1..=MAX_KEY_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

named! {
    /// Whether sends with a key cost money.
    pub enum Mode {
        /// Sends cost money.
        Live => "live",
        /// Sends go through every step, but cost nothing and reach no carrier.
        Test => "test",
    }
}

impl Mode {
    /// The mode of the keys of test messages, or of the others.
    pub fn of(is_test: bool) -> Self {
        if is_test { Mode::Test } else { Mode::Live }
    }

    /// Whether it is the mode of test keys.
    pub fn is_test(self) -> bool {
        self == Mode::Test
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Live => LIVE_PREFIX,
            Self::Test => TEST_PREFIX,
        }
    }
}

named! {
    /// How a key that Peyk makes is written.
    pub enum KeyForm {
        /// As [`mint`] does.
        Peyk => "PEYK",
        /// 32 hexadecimal digits: 128 random bits.
        Hex32 => "HEX32",
        /// 64 hexadecimal digits: 256 random bits.
        Hex64 => "HEX64",
    }
}

/// Makes a new key in a form. Only the form of Peyk tells the mode, and has a checksum: others have no room for it.
pub fn mint_as(form: KeyForm, mode: Mode, random: impl FnMut(&mut [u8])) -> String {
    match form {
        KeyForm::Peyk => mint(mode, random),
        KeyForm::Hex32 => random_hex([0; 16], random),
        KeyForm::Hex64 => random_hex([0; 32], random),
    }
}

fn random_hex<const BYTES: usize>(mut bytes: [u8; BYTES], mut random: impl FnMut(&mut [u8])) -> String {
    random(&mut bytes);
    hex(&bytes)
}

/// Makes a new key: the prefix, 32 random base-62 characters and 6 characters of checksum.
///
/// `random` must fill the whole slice with cryptographically secure random bytes, or not return. The function calls it
/// until it has enough usable bytes, which in practice takes one call.
pub fn mint(mode: Mode, random: impl FnMut(&mut [u8])) -> String {
    minted(mode.prefix(), random)
}

fn minted(prefix: &str, mut random: impl FnMut(&mut [u8])) -> String {
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

/// Whether a key may be looked up. Returns `false` only for a key that begins with a prefix of Peyk and has a wrong
/// length, character or checksum. Keys of any other shape are imported, and their shape is not known here.
pub fn checksum_ok(key: &str) -> bool {
    let prefixes = [LIVE_PREFIX, TEST_PREFIX, SESSION_PREFIX, LINK_PREFIX];
    let Some(body) = prefixes.into_iter().find_map(|prefix| key.strip_prefix(prefix)) else {
        return true;
    };
    if body.len() != SECRET_CHARS + CHECKSUM_CHARS || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let (summed, sum) = key.split_at(key.len() - CHECKSUM_CHARS);
    checksum(summed).into_iter().eq(sum.chars())
}

/// The CRC-32 of a text as six base-62 digits, most significant digit first.
fn checksum(text: &str) -> [char; CHECKSUM_CHARS] {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = ['0'; CHECKSUM_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = base62_digit(rest);
        rest /= 62;
    }
    digits
}

/// The base-62 digit for the remainder of a number by 62.
fn base62_digit(number: u32) -> char {
    let index = usize::try_from(number % 62).unwrap_or_default();
    char::from(BASE62.get(index).copied().unwrap_or(b'0'))
}

/// Returns the SHA-256 of a key in lower-case hexadecimal. It names the key in KV and is the only stored form of the
/// key.
pub fn digest(key: &str) -> String {
    hex(&Sha256::digest(key.as_bytes()))
}

/// Bytes in lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves
        .filter_map(|half| char::from_digit(u32::from(half), 16))
        .collect()
}

named! {
    /// What a key permits.
    pub enum Scope {
        /// Send messages.
        SmsSend => "sms:send",
        /// Read messages and their recipients.
        SmsRead => "sms:read",
        /// Manage phonebooks and their numbers.
        Phonebook => "phonebook",
        /// Manage patterns and their versions.
        Pattern => "pattern",
        /// Send codes and check them.
        Verify => "verify",
        /// Manage the blacklist.
        Blacklist => "blacklist",
        /// Erase numbers from all that the account has.
        Erasure => "erasure",
        /// Read the account: balance, tariff, ledger, lines.
        AccountRead => "account:read",
        /// Manage webhook endpoints.
        Webhook => "webhook",
        /// Issue and revoke the keys of the account.
        Keys => "keys",
        /// Operate the service: everything that the scopes below allow. A key with this scope or one of those belongs to the
        /// pseudo account [`crate::account::OPERATOR`].
        Admin => "admin",
        /// Read all that operators may see.
        AdminRead => "admin:read",
        /// Move the money of accounts.
        AdminMoney => "admin:money",
        /// Manage accounts, their keys and their plans.
        AdminAccounts => "admin:accounts",
        /// Manage the ways to the network: carriers, lines, routes, dead letters.
        AdminCarriers => "admin:carriers",
        /// Manage the service as a whole: the switch for all, operators' keys, restores.
        AdminService => "admin:service",
        /// Read `GET /metrics`, and nothing else. `admin:read` includes it.
        AdminMetrics => "admin:metrics",
        /// Move the whole service to another one: all data, personal ones too. Only `admin` includes it.
        AdminTransfer => "admin:transfer",
    }
}

impl Scope {
    /// Whether only operators' keys may have the scope.
    pub fn is_for_operators(self) -> bool {
        match self {
            Self::Admin
            | Self::AdminRead
            | Self::AdminMoney
            | Self::AdminAccounts
            | Self::AdminCarriers
            | Self::AdminService
            | Self::AdminMetrics
            | Self::AdminTransfer => true,
            Self::SmsSend
            | Self::SmsRead
            | Self::Phonebook
            | Self::Pattern
            | Self::Verify
            | Self::Blacklist
            | Self::Erasure
            | Self::AccountRead
            | Self::Webhook
            | Self::Keys => false,
        }
    }

    /// The scopes that keys of operators may have, or those that keys of accounts may.
    pub fn all_of(operators: bool) -> Vec<Scope> {
        let all = Scope::ALL.into_iter();
        all.filter(|scope| scope.is_for_operators() == operators).collect()
    }

    /// The scopes that a key of an account gets if nobody names any: all but those by which a thief of the key could stay after
    /// the key is revoked, and the one whose work nobody can undo.
    pub fn usual() -> Vec<Scope> {
        let all = Scope::all_of(false).into_iter();
        all.filter(|scope| scope.is_usual()).collect()
    }

    /// Whether a key has the scope although nobody has named it.
    pub fn is_usual(self) -> bool {
        !matches!(self, Self::Keys | Self::Webhook | Self::Erasure)
    }

    /// Whether who has this scope may do what the other one allows. `admin` includes all scopes of operators, and no other one,
    /// because an operator's key has no account to act for.
    pub fn includes(self, other: Scope) -> bool {
        match (self, other) {
            (Scope::Admin, _) => other.is_for_operators(),
            (Scope::AdminRead, Scope::AdminMetrics) => true,
            _ => self == other,
        }
    }
}

/// The value that KV holds under the digest of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyRecord {
    /// The version of the shape of this record, [`KeyRecord::VERSION`].
    pub v: u8,
    /// The id of the account; [`crate::account::OPERATOR`] for an operator's key.
    pub account: String,
    /// The id of the key. Operators list, rotate and revoke the key by it.
    pub key: String,
    /// What the key permits. A scope that this version does not know permits nothing.
    #[serde(deserialize_with = "known_scopes")]
    pub scopes: Vec<Scope>,
    /// Whether sends with the key cost money.
    pub mode: Mode,
    /// The numbers of the lines that the key may send from; `None` for all lines of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
    /// The networks that the key may be used from; `None` for all. One that this version can't read has no address.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "known_networks"
    )]
    pub ips: Option<Vec<Network>>,
    /// The first millisecond since the Unix epoch at which the key is refused; `None` if it never expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// The key by which the session was opened; `None` if the key is no session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_of: Option<String>,
    /// Whether an operator looks at the account by it: `session_of` is a key of the operators then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub looks: bool,
    /// What the session comes from, if a link or a passkey has opened it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<String>,
    /// When `npm run operator-key` made the key, in milliseconds since the Unix epoch; `None` if the API issued it. The
    /// operators' object does not know such a key before its first use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrapped_at: Option<i64>,
}

impl Weigh for KeyRecord {
    fn heap(&self) -> usize {
        let scopes = self.scopes.len() * size_of::<Scope>();
        self.account.heap()
            + self.key.heap()
            + self.session_of.heap()
            + scopes
            + self.lines.heap()
            + self.ips.heap()
            + self.ways.heap()
    }
}

/// Reads scopes, without those that only another version knows.
fn known_scopes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Scope>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    Ok(names.iter().filter_map(|name| Scope::parse(name)).collect())
}

/// Reads networks, without those that only another version can read.
fn known_networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Network>>, D::Error> {
    let texts = Option::<Vec<String>>::deserialize(deserializer)?;
    Ok(texts.map(|texts| texts.iter().filter_map(|text| Network::parse(text)).collect()))
}

/// Whether one may send from a line who may use these; `None` stands for all.
pub fn allows_line(lines: Option<&[String]>, line: &str) -> bool {
    lines.is_none_or(|lines| lines.iter().any(|allowed| allowed == line))
}

impl KeyRecord {
    /// The version that this code writes.
    pub const VERSION: u8 = 1;

    /// Whether the key has a scope, or one that includes it.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.iter().any(|own| own.includes(scope))
    }

    /// Whether the key permits sending from a line. The account must be allowed to use the line too.
    pub fn allows_line(&self, line: &str) -> bool {
        allows_line(self.lines.as_deref(), line)
    }

    /// Whether the key may be used from this address. Nobody knows from where a request without one comes, so it may not if it has
    /// networks.
    pub fn allows_address(&self, address: Option<&str>) -> bool {
        self.ips.as_ref().is_none_or(|ips| {
            let address = address.and_then(|address| address.parse::<IpAddr>().ok());
            address.is_some_and(|address| ips.iter().any(|network| network.has(address)))
        })
    }

    /// The operators' key by which somebody looks at the account. `None`: nobody does by this one.
    pub fn looker(&self) -> Option<&str> {
        self.session_of.as_deref().filter(|_| self.looks)
    }

    /// Whether the key has expired at `now_ms`, in milliseconds since the Unix epoch.
    pub fn is_expired(&self, now_ms: i64) -> bool {
        self.expires_at.is_some_and(|expires_at| expires_at <= now_ms)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use proptest::prelude::*;

    use super::*;

    /// A random source that is good enough for tests: SplitMix64.
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
        // 0xCBF43926, the check value of CRC-32, in base 62. Another program computed the checksums here, bit by bit.
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
        // NIST published both: the digest of the empty message in its SHAVS vectors, that of "abc" in the examples for
        // FIPS 180-4.
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
        let contract = "sms:send sms:read phonebook pattern verify blacklist erasure account:read webhook keys \
            admin admin:read admin:money admin:accounts admin:carriers admin:service admin:metrics admin:transfer";
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
            ips: None,
            expires_at: Some(1_000),
            session_of: None,
            looks: false,
            ways: Vec::new(),
            bootstrapped_at: None,
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
    fn the_record_of_the_script_is_read() {
        let json = r#"{"v":1,"account":"operator","key":"019b796d-0000-7000-8000-000000000000","scopes":["admin"],"mode":"live","bootstrappedAt":1767268800000}"#;
        let record: KeyRecord = serde_json::from_str(json).unwrap();
        assert_eq!(
            (record.account.as_str(), record.bootstrapped_at),
            ("operator", Some(1_767_268_800_000))
        );
        assert_eq!(serde_json::to_string(&record).unwrap(), json);
    }

    #[test]
    fn an_unknown_scope_permits_nothing_and_a_record_with_an_unknown_mode_is_refused_whole() {
        let json = r#"{"v":1,"account":"","key":"k","scopes":["root","pattern"],"mode":"live"}"#;
        let record: KeyRecord = serde_json::from_str(json).unwrap();
        assert_eq!(record.scopes, [Scope::Pattern]);
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
        for scope in Scope::ALL {
            assert_eq!(operator.allows(scope), scope.as_str().starts_with("admin"), "{scope:?}");
        }
        let reader = KeyRecord {
            scopes: vec![Scope::AdminRead],
            ..record()
        };
        let allowed: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| reader.allows(*scope)).collect();
        assert_eq!(
            allowed,
            [Scope::AdminRead, Scope::AdminMetrics],
            "a part does not include the whole, nor another part, but for the metrics"
        );
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
