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

/// When an id was made, ms since the Unix epoch. `None` if the text is no id that Peyk makes.
pub fn made_ms(id: &str) -> Option<i64> {
    let uuid = uuid::Uuid::try_parse(id).ok().filter(|uuid| uuid.to_string() == id)?;
    let (seconds, nanos) = (uuid.get_version_num() == 7).then(|| uuid.get_timestamp())??.to_unix();
    let ms = i64::try_from(seconds).ok()?.checked_mul(1_000)?;
    ms.checked_add(i64::from(nanos / 1_000_000))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_tells_when_it_was_made() {
        assert_eq!(made_ms("019b796d-0000-7000-8000-000000000000"), Some(0x019b_796d_0000));
        assert_eq!(made_ms("ffffffff-ffff-7fff-bfff-ffffffffffff"), Some(0xffff_ffff_ffff));
        for other in [
            "",
            "nothing",
            "019b796d-0000-4000-8000-000000000000",
            "019B796D-0000-7000-8000-000000000000",
            "019b796d000070008000000000000000",
            "{019b796d-0000-7000-8000-000000000000}",
        ] {
            assert_eq!(made_ms(other), None, "{other}");
        }
    }
}
