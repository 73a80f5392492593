//! What stands in the place of a key wherever the service keeps one: its digest, by which it is found, and its hint, by which
//! people know it again.

use serde::{Deserialize, Serialize};

use super::SESSION_PREFIX;
use super::{LIVE_PREFIX, TEST_PREFIX, digest};

/// How many characters of a hint come from either end of a key, beside the prefix of Peyk.
const SHOWN: usize = 4;
/// What stands in a hint for the characters between.
const LEFT_OUT: &str = "…";
/// A hint has at most this many characters: those of a key that Peyk makes.
pub const MAX_HINT: usize = SESSION_PREFIX.len() + 2 * SHOWN + 1;

/// What is kept of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imprint {
    /// Hex SHA-256 of the key.
    pub digest: String,
    /// As [`hint`] makes it.
    pub hint: String,
}

impl Imprint {
    /// What is kept of this key.
    pub fn of(key: &str) -> Self {
        Imprint {
            digest: digest(key),
            hint: hint(key),
        }
    }
}

/// The first characters of a key and the last four, with `…` between.
///
/// Of a key that Peyk makes: the prefix and four of its 32 random characters, and four of the checksum. 140 random bits are left to
/// be guessed. Of a key of another service at most a quarter, because nobody knows what its characters are worth.
pub fn hint(key: &str) -> String {
    let prefixes = [LIVE_PREFIX, TEST_PREFIX, SESSION_PREFIX];
    let (first, last) = match prefixes.into_iter().find(|prefix| key.starts_with(prefix)) {
        Some(prefix) => (prefix.len() + SHOWN, SHOWN),
        None => {
            let shown = (key.len() / 4).min(2 * SHOWN);
            let last = shown.min(SHOWN);
            (shown - last, last)
        }
    };
    let beginning = key.get(..first).unwrap_or_default();
    let end = key.get(key.len().saturating_sub(last)..).unwrap_or_default();
    format!("{beginning}{LEFT_OUT}{end}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::auth::{Mode, console_session, mint};

    #[test]
    fn the_hint_of_a_key_of_peyk_has_its_prefix_and_four_characters_of_each_end() {
        let bytes = |bytes: &mut [u8]| bytes.fill(10);
        for (key, expected) in [
            (mint(Mode::Live, bytes), "peyk_live_AAAA…"),
            (mint(Mode::Test, bytes), "peyk_test_AAAA…"),
            (console_session::mint(bytes), "peyk_session_AAAA…"),
        ] {
            let hint = hint(&key);
            assert_eq!(hint, format!("{expected}{}", &key[key.len() - 4..]));
            assert!(hint.chars().count() <= MAX_HINT);
        }
    }

    #[test]
    fn the_hint_of_a_key_of_another_service_has_fewer_characters_if_the_key_is_short() {
        for (key, expected) in [
            ("0123456789abcdef", "…cdef"),
            ("0123456789abcdefghi", "…fghi"),
            ("0123456789abcdefghij", "0…ghij"),
            ("0123456789abcdefghijklmn", "01…klmn"),
            ("0123456789abcdefghijklmnopqrstuv", "0123…stuv"),
        ] {
            assert_eq!(hint(key), expected);
        }
        assert_eq!(hint(&"k".repeat(512)), "kkkk…kkkk");
    }

    proptest! {
        #[test]
        fn no_hint_shows_more_than_a_quarter_of_a_key_of_another_service(key in "[!-~]{0,64}") {
            prop_assume!(![LIVE_PREFIX, TEST_PREFIX, SESSION_PREFIX].iter().any(|prefix| key.starts_with(prefix)));
            let hint = hint(&key);
            let (beginning, end) = hint.split_once(LEFT_OUT).unwrap();
            prop_assert!(4 * (beginning.len() + end.len()) <= key.len());
            prop_assert!(key.starts_with(beginning) && key.ends_with(end));
        }

        #[test]
        fn a_hint_leaves_most_of_a_key_of_peyk_to_be_guessed(seed in any::<[u8; 8]>()) {
            let key = mint(Mode::Live, |bytes| bytes.iter_mut().zip(seed.iter().cycle()).for_each(|(byte, seed)| *byte = seed % 62));
            let shown = hint(&key);
            prop_assert_eq!(shown.chars().count(), LIVE_PREFIX.len() + 2 * SHOWN + 1);
            prop_assert!(!shown.contains(&key[14..44]));
        }
    }
}
