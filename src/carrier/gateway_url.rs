//! The addresses that a gateway calls: where it reports deliveries, and where it hands over inbound messages.
//!
//! A report address carries a token that names the recipient, so Peyk keeps no table to look reports up. The invariant:
//! nobody without `SECRET_KEY` can make a token, or change one, or use it for another carrier or after its time. A token
//! that is used again does no harm, because a report that comes twice changes nothing.
//!
//! A token is base64url without padding. It is a format, because a gateway keeps it for days:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | the version, 1 |
//! | 1 | the length of the account's id, or 0 if the id is a UUID |
//! | 16, or that length | the account's id |
//! | 1 to 9 | the version of the carrier's addresses, a varint |
//! | 1 to 9 | the message's number, a varint |
//! | 1 to 5 | the recipient's index, a varint |
//! | 1 to 9 | when the token ends, seconds since the Unix epoch, a varint |
//! | 16 | the tag: the carrier's name, a zero byte, and all of the above |
//!
//! The inbound address of a carrier carries a key: the version of the carrier's addresses, a varint, and the tag of the carrier's
//! name, a zero byte, and this varint.
//!
//! An address proves only who made it. Whether its version still works,
//! [`GatewayUrlVersions`](crate::directory::gateway_url_versions) says.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::auth::secret::{Keys, Purpose, SecretError, TAG_BYTES};
use crate::base::config::{self, PUBLIC_URL};
use crate::base::ports::Platform;
use crate::directory::carriers::Carrier;

/// How long a gateway may report about a recipient, s.
pub const REPORTS_END_AFTER_S: i64 = 7 * 24 * 60 * 60;
/// The version of the tokens that this code makes.
const VERSION: u8 = 1;
/// A token has at most this many characters. It is checked before anything is decoded.
pub const MAX_TOKEN: usize = 200;
/// An account's id has at most this many bytes.
const MAX_ACCOUNT: usize = 64;
/// Bits of a varint in one byte.
const VARINT_BITS: u32 = 7;

/// The recipient that a report is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientRef {
    /// The account.
    pub account: String,
    /// The message's number in its account.
    pub message: i64,
    /// The recipient's index in the message.
    pub index: u32,
}

/// What a token says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The version of the carrier's addresses that it is of.
    pub version: i64,
    /// The recipient.
    pub recipient: RecipientRef,
}

/// Why a token was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    /// Nobody but an attacker makes such a token, or `SECRET_KEY` was changed long ago.
    Forged,
    /// It was good once.
    Expired,
}

/// The address under which gateways reach the service, without a slash at its end. `None`: it is not set, or it is no
/// address.
pub fn public_url(platform: &impl Platform) -> Option<String> {
    config::address(&platform.setting(PUBLIC_URL)?)
}

/// Makes and checks the tokens of one carrier's addresses.
#[derive(Debug)]
pub struct Tokens<'a> {
    pub(super) carrier: &'a str,
    keys: Keys,
}

impl<'a> Tokens<'a> {
    /// The tokens of a carrier's report addresses.
    pub fn of_reports(platform: &impl Platform, carrier: &'a str) -> Result<Self, SecretError> {
        let keys = Keys::of(platform, Purpose::ReportAddress)?;
        Ok(Tokens { carrier, keys })
    }

    /// The token for a recipient, of this version of the carrier's addresses.
    pub fn issue(&self, now_ms: i64, version: i64, recipient: &RecipientRef) -> String {
        let mut bytes = vec![VERSION];
        match Uuid::try_parse(&recipient.account)
            .ok()
            .filter(|id| id.to_string() == recipient.account)
        {
            Some(id) => {
                bytes.push(0);
                bytes.extend(id.as_bytes());
            }
            None => {
                let id: Vec<u8> = recipient.account.bytes().take(MAX_ACCOUNT).collect();
                bytes.push(u8::try_from(id.len()).unwrap_or_default());
                bytes.extend(id);
            }
        }
        let ends_s = (now_ms / 1_000).saturating_add(REPORTS_END_AFTER_S);
        push_varint(&mut bytes, u64::try_from(version).unwrap_or_default());
        push_varint(&mut bytes, u64::try_from(recipient.message).unwrap_or_default());
        push_varint(&mut bytes, recipient.index.into());
        push_varint(&mut bytes, u64::try_from(ends_s).unwrap_or_default());
        let tag = self.tag(&bytes);
        bytes.extend(tag);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The report address with a token.
    pub fn report_url(&self, public_url: &str, token: &str) -> String {
        format!("{public_url}/carrier/{}/dlr?t={token}", self.carrier)
    }

    /// What a token says. The tag is checked before anything else is read.
    pub fn read(&self, now_ms: i64, token: &str) -> Result<Named, TokenError> {
        let bytes = (token.len() <= MAX_TOKEN)
            .then(|| URL_SAFE_NO_PAD.decode(token).ok())
            .flatten();
        let bytes = bytes.ok_or(TokenError::Forged)?;
        let (named, tag) = bytes.split_last_chunk::<TAG_BYTES>().ok_or(TokenError::Forged)?;
        if !self.keys.is_tag(&[self.carrier.as_bytes(), &[0], named], tag) {
            return Err(TokenError::Forged);
        }
        let (says, ends_s) = parse(named).ok_or(TokenError::Forged)?;
        let is_good = now_ms / 1_000 < ends_s;
        is_good.then_some(says).ok_or(TokenError::Expired)
    }

    fn tag(&self, named: &[u8]) -> [u8; TAG_BYTES] {
        self.keys.tag(&[self.carrier.as_bytes(), &[0], named])
    }
}

/// Reads what a token says, and the end, in seconds since the Unix epoch, of one whose tag is right.
fn parse(mut bytes: &[u8]) -> Option<(Named, i64)> {
    let bytes = &mut bytes;
    if take(bytes)? != VERSION {
        return None;
    }
    let account = match take(bytes)? {
        0 => {
            let (id, rest) = bytes.split_first_chunk::<16>()?;
            *bytes = rest;
            Uuid::from_bytes(*id).to_string()
        }
        length => {
            let (id, rest) = bytes.split_at_checked(length.into())?;
            *bytes = rest;
            String::from_utf8(id.to_vec()).ok()?
        }
    };
    let version = i64::try_from(take_varint(bytes)?).ok()?;
    let message = i64::try_from(take_varint(bytes)?).ok()?;
    let index = u32::try_from(take_varint(bytes)?).ok()?;
    let ends_s = i64::try_from(take_varint(bytes)?).ok()?;
    let recipient = RecipientRef {
        account,
        message,
        index,
    };
    bytes.is_empty().then_some((Named { version, recipient }, ends_s))
}

fn push_varint(bytes: &mut Vec<u8>, mut number: u64) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or_default();
        number >>= VARINT_BITS;
        if number == 0 {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..9 {
        let byte = take(bytes)?;
        number |= u64::from(byte & 0x7f) << (place * VARINT_BITS);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The key in the inbound address of a carrier. It lets its holder hand over inbound messages as this carrier, and nothing
/// else.
fn inbound_key(platform: &impl Platform, carrier: &Carrier) -> Result<String, SecretError> {
    let keys = Keys::of(platform, Purpose::InboundAddress)?;
    let mut bytes = Vec::new();
    push_varint(
        &mut bytes,
        u64::try_from(carrier.callbacks.newest()).unwrap_or_default(),
    );
    bytes.extend(keys.tag(&[carrier.name.as_bytes(), &[0], &bytes]));
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// The version of the inbound address of a carrier that a key is of. `None`: nobody but an attacker makes such a key.
pub fn inbound_version(platform: &impl Platform, carrier: &str, key: &str) -> Result<Option<i64>, SecretError> {
    let keys = Keys::of(platform, Purpose::InboundAddress)?;
    let bytes = (key.len() <= MAX_TOKEN)
        .then(|| URL_SAFE_NO_PAD.decode(key).ok())
        .flatten()
        .unwrap_or_default();
    let version = bytes.split_last_chunk::<TAG_BYTES>().and_then(|(mut version, tag)| {
        let is_good = keys.is_tag(&[carrier.as_bytes(), &[0], version], tag);
        is_good.then(|| take_varint(&mut version)).flatten()
    });
    Ok(version.and_then(|version| i64::try_from(version).ok()))
}

/// The address to which the gateway of a carrier hands inbound messages, with its key. `None`: the service lacks the settings
/// that it takes.
pub fn inbound_url(platform: &impl Platform, carrier: &Carrier) -> Option<String> {
    let key = inbound_key(platform, carrier).ok()?;
    let base = public_url(platform)?;
    Some(format!("{base}/carrier/{}/inbound?k={key}", carrier.name))
}
