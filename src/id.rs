//! Ids that Peyk makes: UUID version 7 (RFC 9562, 5.7). They sort by the millisecond in which they were made.

use crate::ports::{Platform, PortError};

/// Makes a new id.
pub fn new(platform: &impl Platform) -> Result<String, PortError> {
    let mut random = [0; 10];
    platform.random(&mut random)?;
    let now_ms = u64::try_from(platform.now_ms()).unwrap_or_default();
    Ok(uuid::Builder::from_unix_timestamp_millis(now_ms, &random)
        .into_uuid()
        .to_string())
}

/// Makes a slug for a pattern that the client gave none: twelve random characters. The alphabet has no i, l, o or 1,
/// because readers confuse them with other characters.
pub fn slug(platform: &impl Platform) -> Result<String, PortError> {
    const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz234567890";
    let mut bytes = [0; 12];
    platform.random(&mut bytes)?;
    let letter = |byte: u8| ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'a');
    Ok(bytes.into_iter().map(|byte| char::from(letter(byte))).collect())
}
