//! Ids that Peyk makes: UUID version 7 (RFC 9562, 5.7). They sort by the millisecond in which they were made.

use super::ports::{Platform, PortError};

/// The bits of a message's number.
const NUMBER: u128 = 0xffff_ffff_ffff;
/// The last millisecond that an id can be of.
const NUMBER_MS: i64 = 0xffff_ffff_ffff;

/// Makes a new id.
pub fn new(platform: &impl Platform) -> Result<String, PortError> {
    let mut random = [0; 10];
    platform.random(&mut random)?;
    let now_ms = u64::try_from(platform.now_ms()).unwrap_or_default();
    Ok(uuid::Builder::from_unix_timestamp_millis(now_ms, &random)
        .into_uuid()
        .to_string())
}

/// The id of a message that is number `number` in its account: `id`, of which the last twelve digits say the number, so that no
/// index has to find a message by its id.
///
/// # Errors
/// `id` is none that Peyk makes, or the number has more than twelve digits.
pub fn numbered(id: &str, number: i64) -> Result<String, PortError> {
    let failed = || PortError::failed("id", "it takes no number");
    let uuid = uuid::Uuid::try_parse(id).map_err(|_| failed())?;
    let digits = u128::try_from(number).ok().filter(|number| number & !NUMBER == 0);
    let digits = digits.ok_or_else(failed)?;
    Ok(uuid::Uuid::from_u128(uuid.as_u128() & !NUMBER | digits).to_string())
}

/// The number in an id that [`numbered`] has made. `None` if the text is no id.
pub fn number_of(id: &str) -> Option<i64> {
    let uuid = uuid::Uuid::try_parse(id).ok()?;
    i64::try_from(uuid.as_u128() & NUMBER).ok()
}

/// An id in the form that Peyk writes, whatever its case is and whether it has hyphens. `None` if the text is no id.
pub fn written(text: &str) -> Option<String> {
    Some(uuid::Uuid::try_parse(text).ok()?.to_string())
}

/// A text that no id of an earlier millisecond reaches, and each of this one or a later one does.
pub fn first_of(ms: i64) -> String {
    let ms = ms.clamp(0, NUMBER_MS);
    format!("{:08x}-{:04x}", ms >> 16, ms & 0xffff)
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
    fn the_number_of_a_message_stands_in_its_id() {
        let id = "019b796d-0000-7abc-8def-0123456789ab";
        assert_eq!(numbered(id, 7).unwrap(), "019b796d-0000-7abc-8def-000000000007");
        for number in [0, 1, 0x1234, 0xffff_ffff_ffff] {
            let numbered = numbered(id, number).unwrap();
            assert_eq!(number_of(&numbered), Some(number));
            assert_eq!(made_ms(&numbered), made_ms(id));
        }
        for number in [-1, 0x1_0000_0000_0000, i64::MAX, i64::MIN] {
            assert!(super::numbered(id, number).is_err(), "{number}");
        }
        assert!(super::numbered("nothing", 7).is_err());
        assert_eq!(number_of("nothing"), None);
    }

    #[test]
    fn ids_stand_behind_the_first_text_of_their_millisecond() {
        for ms in [0, 1, 0xffff, 0x1_0000, 0x019b_796d_0000, 0xffff_ffff_fffe] {
            let id = format!("{}-7000-8000-000000000000", first_of(ms));
            assert_eq!(made_ms(&id), Some(ms));
            assert!(first_of(ms) < id && id < first_of(ms + 1));
        }
        assert_eq!(first_of(i64::MIN), first_of(0));
    }

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
