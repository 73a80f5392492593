//! What the log says about the cause of a failure.
//!
//! The words of an error may quote what somebody sent: a text, a phone number, a key. The log must have none of these. So
//! everything that may be a value is taken out, and the rest is bounded.

use serde_json::Error;
use serde_json::error::Category;

/// A cause has at most this many characters.
const MAX_CHARS: usize = 300;
/// This many digits in a row may be a phone number. Positions and counts have fewer.
const NUMBER_DIGITS: usize = 5;
/// A word with more characters may be a key. A UUID has this many.
const WORD_CHARS: usize = 36;
/// So many digits in a row are taken for a phone number where ids may have some.
const PHONE_DIGITS: usize = 8;
/// So many of its last digits stay.
const SHOWN_DIGITS: usize = 4;
/// What each key of ours begins with, a session and the code of a link too.
const KEY: &str = "peyk_";
/// What stands for a value.
const HIDDEN: char = '…';

/// Takes out of an error's words everything that may be a value: what stands between quotes, long numbers and long words.
pub fn scrubbed(words: &str) -> String {
    let mut words = words.to_owned();
    for quote in ['"', '`', '\''] {
        words = without_quoted(&words, quote);
    }
    let plain: Vec<String> = words.split_whitespace().map(plain_word).collect();
    plain.join(" ").chars().take(MAX_CHARS).collect()
}

/// An id that a client has chosen, without the phone numbers and the keys in it: of a number, the last digits stay, of a key and what
/// is behind it nothing. An id that Peyk makes stays as it is, whatever digits it has.
pub fn of_id(id: &str) -> String {
    if uuid::Uuid::try_parse(id).is_ok_and(|uuid| uuid.to_string() == id) {
        return id.to_owned();
    }
    match id.split_once(KEY) {
        _ if is_hexadecimal_key(id) => HIDDEN.to_string(),
        Some((before, _)) => format!("{}{HIDDEN}", without_numbers(before)),
        None => without_numbers(id),
    }
}

/// Whether a text has the form of a key of hexadecimal digits. None of our ids has: they have hyphens.
pub fn is_hexadecimal_key(text: &str) -> bool {
    matches!(text.len(), 32 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn without_numbers(id: &str) -> String {
    let bytes: Vec<char> = id.chars().collect();
    let mut plain = String::with_capacity(id.len());
    for run in bytes.chunk_by(|a, b| a.is_numeric() == b.is_numeric()) {
        let is_number = run.first().is_some_and(|char| char.is_numeric()) && run.len() >= PHONE_DIGITS;
        let hidden = if is_number {
            run.len().saturating_sub(SHOWN_DIGITS)
        } else {
            0
        };
        plain.extend((hidden > 0).then_some(HIDDEN));
        plain.extend(run.iter().skip(hidden));
    }
    plain
}

/// Takes out what stands between the first and the last of these quotes. A value may contain the quote itself, so the quotes
/// in between end nothing. The apostrophe in a word like "can't" begins nothing.
fn without_quoted(words: &str, quote: char) -> String {
    let mut before = ' ';
    let open = words.char_indices().find(|(_, char)| {
        let is_inside_word = quote == '\'' && before.is_alphanumeric();
        before = *char;
        *char == quote && !is_inside_word
    });
    let Some((open, _)) = open else {
        return words.to_owned();
    };
    let begin = words.get(..open).unwrap_or_default();
    match words.rfind(quote).filter(|close| *close > open) {
        Some(close) => {
            let end = words.get(close..).unwrap_or_default();
            format!("{begin}{quote}{HIDDEN}{end}")
        }
        None => format!("{begin}{quote}{HIDDEN}"),
    }
}

/// A word without long numbers, or nothing of a word that is too long.
fn plain_word(word: &str) -> String {
    if word.chars().count() > WORD_CHARS {
        return HIDDEN.to_string();
    }
    let chars: Vec<char> = word.chars().collect();
    let mut plain = String::with_capacity(word.len());
    for run in chars.chunk_by(|a, b| a.is_numeric() == b.is_numeric()) {
        let is_number = run.first().is_some_and(|char| char.is_numeric());
        if is_number && run.len() >= NUMBER_DIGITS {
            plain.push('#')
        } else {
            plain.extend(run)
        }
    }
    plain
}

/// Why JSON could not be read or made. The words of such an error quote values, so only its kind and its place are told.
pub fn of_json(error: &Error) -> String {
    let kind = match error.classify() {
        Category::Io => "it could not be written",
        Category::Syntax => "it is no JSON",
        Category::Data => "a member is missing or has another type",
        Category::Eof => "it ends too early",
    };
    format!("{kind} (line {}, column {})", error.line(), error.column())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_number_or_a_key_in_a_clients_id_is_cut_and_an_id_of_ours_is_not() {
        for (id, plain) in [
            ("989121234567", "…4567"),
            ("order-09121234567.2", "order-…4567.2"),
            ("order-1234567", "order-1234567"),
            ("http-7a746887", "http-7a746887"),
            ("peyk_live_000000000000000000000000000000004XyCSM", "…"),
            ("09121234567-peyk_link_0", "…4567-…"),
            ("0123456789abcdef0123456789abcdef", "…"),
            ("0123456789ABCDEF0123456789abcdef0123456789ABCDEF0123456789abcdef", "…"),
            ("", ""),
            (
                "019b796d-0000-7000-8000-123456789012",
                "019b796d-0000-7000-8000-123456789012",
            ),
        ] {
            assert_eq!(of_id(id), plain);
        }
    }

    #[test]
    fn values_are_taken_out_of_an_errors_words() {
        for (words, plain) in [
            (
                "D1_ERROR: UNIQUE constraint failed: account.username: SQLITE_CONSTRAINT",
                "D1_ERROR: UNIQUE constraint failed: account.username: SQLITE_CONSTRAINT",
            ),
            (
                r#"invalid type: string "a \"secret\" text", expected u32 at line 1 column 9"#,
                r#"invalid type: string "…", expected u32 at line 1 column 9"#,
            ),
            ("unknown variant `sec`ret`, expected `A` or `B`", "unknown variant `…`"),
            ("Type 'object' not supported for value 'secret'", "Type '…'"),
            ("can't read 989121234567 of +۰۹۱۲۱۲۳۴۵۶۷", "can't read # of +#"),
            (
                "key peyk_live_000000000000000000000000000000004XyCSM is bad",
                "key … is bad",
            ),
            ("an open \"quote that never ends", "an open \"…"),
            ("", ""),
        ] {
            assert_eq!(scrubbed(words), plain);
        }
    }

    #[test]
    fn a_cause_is_bounded() {
        assert_eq!(scrubbed(&"word ".repeat(1_000)).chars().count(), MAX_CHARS);
        assert_eq!(scrubbed(&"x".repeat(10_000)), "…");
    }

    #[test]
    fn an_error_of_json_tells_its_place_and_no_value() {
        for (json, cause) in [
            (
                "\"secret\"",
                "a member is missing or has another type (line 1, column 8)",
            ),
            ("secret", "it is no JSON (line 1, column 1)"),
            ("", "it ends too early (line 1, column 0)"),
        ] {
            let error = serde_json::from_str::<u32>(json).unwrap_err();
            assert_eq!(of_json(&error), cause);
        }
    }
}
