//! The beginnings of texts, for lists. A page of a list has up to 200 items, so a text in it is cut, and the item says so.

use serde::Serialize;

/// The text of a message has at most this many bytes of JSON in a list. A text of ten parts fits, whatever its characters are.
pub const MESSAGE_BYTES: usize = 4_096;
/// The text of a pattern's version has at most this many bytes of JSON in a list, because an item has two versions with their
/// variables.
pub const PATTERN_BYTES: usize = 2_048;
/// So many characters of a text are enough to cut it to [`MESSAGE_BYTES`] and to know whether it is longer.
pub const MESSAGE_CHARS: u32 = 4_097;

/// The beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excerpt<'a> {
    /// The beginning.
    pub text: &'a str,
    /// Whether the text goes on.
    pub is_cut: bool,
}

impl<'a> Excerpt<'a> {
    /// The beginning of a text, with at most `max_bytes` as JSON.
    pub fn of(text: &'a str, max_bytes: usize) -> Self {
        let mut bytes = 0;
        for (at, char) in text.char_indices() {
            bytes += json_bytes(char);
            if bytes > max_bytes {
                return Excerpt {
                    text: text.get(..at).unwrap_or_default(),
                    is_cut: true,
                };
            }
        }
        Excerpt { text, is_cut: false }
    }
}

/// How many bytes a character takes in a JSON string.
fn json_bytes(char: char) -> usize {
    match char {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        other => other.len_utf8(),
    }
}

/// The first of these items that have together at most `max_bytes` as JSON, and whether there are more.
pub fn first_of<'a, T: Serialize>(items: &'a [T], left_bytes: &mut usize) -> (&'a [T], bool) {
    let mut count = 0;
    for item in items {
        let bytes = serde_json::to_string(item).map_or(usize::MAX, |json| json.len().saturating_add(1));
        match left_bytes.checked_sub(bytes) {
            Some(left) => *left_bytes = left,
            None => break,
        }
        count += 1;
    }
    (items.get(..count).unwrap_or_default(), count < items.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        for (text, max, beginning, is_cut) in [
            ("", 0, "", false),
            ("abc", 3, "abc", false),
            ("abc", 2, "ab", true),
            ("سلام", 7, "سلا", true),
            ("a\u{1}b", 6, "a", true),
            ("a\"b", 3, "a\"", true),
            ("😀", 3, "", true),
        ] {
            let expected = Excerpt {
                text: beginning,
                is_cut,
            };
            assert_eq!(Excerpt::of(text, max), expected, "{text:?}");
        }
    }

    #[test]
    fn items_are_taken_while_they_fit() {
        let items = ["ab", "cd", "ef"];
        let mut left = 10;
        assert_eq!(first_of(&items, &mut left), (&items[..2], true));
        assert_eq!((left, first_of(&items, &mut left)), (0, (&items[..0], true)));
        assert_eq!(first_of(&items, &mut 15), (&items[..], false));
        assert_eq!(first_of::<String>(&[], &mut 0), (&[][..], false));
    }

    proptest! {
        #[test]
        fn an_excerpt_takes_no_more_bytes_than_it_may(text in "[\\PC\\x00-\\x20\"\\\\]{0,80}", max in 0usize..100) {
            let excerpt = Excerpt::of(&text, max);
            let bytes = serde_json::to_string(excerpt.text).unwrap().len() - 2;
            prop_assert!(bytes <= max);
            prop_assert!(text.starts_with(excerpt.text));
            prop_assert_eq!(excerpt.is_cut, excerpt.text.len() < text.len());
        }
    }
}
