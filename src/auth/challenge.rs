//! Challenges: what a passkey signs, so that what it has signed counts in one browser, for a short time, and once.
//!
//! A challenge is kept nowhere until it was answered. It says when it was made, and a tag shows that the service has made it for
//! this browser. The object of the account notes those that have opened a session or added a passkey until they would have ended.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::secret::{Keys, TAG_BYTES};

/// Bytes that are random in a challenge.
pub const RANDOM_BYTES: usize = 16;
/// How long a challenge can be answered, ms.
pub const TTL_MS: i64 = 300_000;
/// How far the clocks of two machines of the service may be apart, ms.
const CLOCK_ERROR_MS: i64 = 10_000;
const TIME_BYTES: usize = 8;

/// Makes a challenge for a browser, base64url. `browser` is the digest of its cookie.
pub fn make(keys: &Keys, browser: &str, random: [u8; RANDOM_BYTES], now_ms: i64) -> String {
    let time = now_ms.to_be_bytes();
    let tag = keys.tag(&[&time, &random, browser.as_bytes()]);
    URL_SAFE_NO_PAD.encode([&time[..], &random, &tag].concat())
}

/// When a challenge ends that lasts for so long, ms since the Unix epoch. `None`: the service has not made it for this browser, or it has
/// ended.
pub fn ends_ms(keys: &Keys, challenge: &str, browser: &str, lasts_ms: i64, now_ms: i64) -> Option<i64> {
    let bytes = URL_SAFE_NO_PAD.decode(challenge).ok()?;
    let (time, rest) = bytes.split_first_chunk::<TIME_BYTES>()?;
    let (random, tag) = rest.split_first_chunk::<RANDOM_BYTES>()?;
    let made_ms = i64::from_be_bytes(*time);
    let ends_ms = made_ms.saturating_add(lasts_ms);
    let counts = (made_ms.saturating_sub(CLOCK_ERROR_MS)..ends_ms).contains(&now_ms);
    let is_ours = tag.len() == TAG_BYTES && keys.is_tag(&[time, random, browser.as_bytes()], tag);
    (counts && is_ours).then_some(ends_ms)
}
