//! The words of what people type: makes texts comparable that mean the same.
//!
//! Phones write the same Persian word in several ways: with Arabic or Persian letters and digits, with or without joiners
//! and vowel signs. So a word is kept and compared in one form. The invariant: the words of a word's form are this form.

use super::msisdn::ascii_digit;

/// The words of a text, each in the form in which words are compared. No word is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// Reads a text. A word consists of letters and digits; all else separates words or is passed over.
    pub fn of(text: &str) -> Self {
        let mut words = vec![String::new()];
        for character in text.chars().filter(|character| !is_passed_over(*character)) {
            let plain = plain(character);
            match words.last_mut() {
                Some(word) if plain.is_alphanumeric() => {
                    word.extend(plain.to_lowercase().filter(|character| !is_passed_over(*character)));
                }
                _ => words.push(String::new()),
            }
        }
        words.retain(|word| !word.is_empty());
        Words(words)
    }

    /// All words without what separates them. A short answer means the same with and without spaces.
    pub fn joined(&self) -> String {
        self.0.concat()
    }

    /// The first word, and the others joined.
    pub fn split_first(&self) -> Option<(&str, String)> {
        let (first, others) = self.0.split_first()?;
        Some((first, others.concat()))
    }

    /// The last word, and the others joined.
    pub fn split_last(&self) -> Option<(&str, String)> {
        let (last, others) = self.0.split_last()?;
        Some((last, others.concat()))
    }

    /// The only word, if there is only one.
    pub fn only(&self) -> Option<&str> {
        match self.0.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// The form in which a text is searched: its words, joined. So it does not matter how a name is written, or with which blanks. A text
/// without letters and digits, such as a flower, has its visible characters in place of words. The form may be empty. The
/// invariant: the form of a text's beginning is a beginning of the text's form, if it has a letter or a digit.
pub fn search_form(text: &str) -> String {
    let words = Words::of(text).joined();
    if !words.is_empty() {
        return words;
    }
    let is_visible = |character: &char| !is_passed_over(*character) && !character.is_whitespace();
    text.chars().filter(is_visible).collect()
}

/// The form in which whole values are compared. Letters and digits are as in words. All else stays, such as the slashes of a date and the
/// point of a number, but for blanks at the ends. The invariant: the form of a form is the form itself.
pub fn value_form(text: &str) -> String {
    let visible = text.chars().filter(|character| !is_passed_over(*character));
    let lower = visible.flat_map(|character| plain(character).to_lowercase());
    let form: String = lower.filter(|character| !is_passed_over(*character)).collect();
    form.trim().to_owned()
}

/// The visible characters of a text without its blanks, each in one form. The invariant: the form of a text that others join is their
/// forms, joined. It needs no tables of Unicode, which would make the counting in a page larger.
pub fn characters(text: &str) -> String {
    let is_visible = |character: &char| !is_passed_over(*character) && !character.is_whitespace();
    let visible = text.chars().filter(is_visible);
    visible.map(|character| plain(character).to_ascii_lowercase()).collect()
}

/// Whether the character is no part of what a word says: it is invisible, or it is a vowel sign, an accent or a stretched line.
fn is_passed_over(character: char) -> bool {
    matches!(
        character,
        // The soft hyphen, joiners, direction marks, embeddings, overrides, isolates, variation selectors and the byte order
        // mark.
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        // Accents, Arabic vowel signs and the line that stretches a word.
        | '\u{0300}'..='\u{036F}' | '\u{0610}'..='\u{061A}' | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}'
        | '\u{06D6}'..='\u{06DC}' | '\u{06DF}'..='\u{06E4}'
    )
}

/// The character that stands for all ways to write a letter or a digit.
fn plain(character: char) -> char {
    if let Some(digit) = ascii_digit(character) {
        return digit;
    }
    match character {
        'ي' | 'ى' | 'ې' | 'ۍ' | 'ئ' => 'ی',
        'ك' | 'ڪ' => 'ک',
        'ة' | 'ۀ' | 'ە' | 'ہ' | 'ۂ' | 'ھ' => 'ه',
        'أ' | 'إ' | 'ٱ' | 'آ' => 'ا',
        'ؤ' => 'و',
        // Full-width letters and digits stand in the order of ASCII.
        '\u{FF01}'..='\u{FF5E}' => u32::from(character)
            .checked_sub(0xFEE0)
            .and_then(char::from_u32)
            .unwrap_or(character),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        Words::of(text).0
    }

    #[test]
    fn words_are_what_stands_between_all_else() {
        for (text, expected) in [
            ("", &[][..]),
            (" \n\t!?،؛.", &[]),
            ("Stop", &["stop"]),
            ("  stop!!  ", &["stop"]),
            ("«لغو»", &["لغو"]),
            ("WIN 2 tickets", &["win", "2", "tickets"]),
            ("a\u{0}b", &["a", "b"]),
            ("win\u{a0}now", &["win", "now"]),
            ("☕️ coffee", &["coffee"]),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }

    #[test]
    fn all_ways_to_write_a_word_are_the_same_word() {
        for (one, other) in [
            ("علي", "علی"),
            ("على", "علی"),
            ("كد", "کد"),
            ("لغو۱۱", "لغو11"),
            ("لغو١١", "لغو11"),
            ("می\u{200c}خواهم", "میخواهم"),
            ("\u{202b}لغو\u{202c}", "لغو"),
            ("لـغـو", "لغو"),
            ("لَغْو", "لغو"),
            ("آغاز", "اغاز"),
            ("رئیس", "ري\u{654}یس"),
            ("ＳＴＯＰ１", "stop1"),
            ("STOP", "stop"),
            ("Straße", "STRAßE"),
            ("İ", "i"),
            ("caf\u{65}\u{301}", "cafe"),
        ] {
            assert_eq!(words(one), words(other), "{one} {other}");
        }
        for (one, other) in [("stop", "step"), ("لغو", "لغو11"), ("11", "12"), ("STOP", "stopp")] {
            assert_ne!(words(one), words(other), "{one} {other}");
        }
    }

    #[test]
    fn the_ends_of_a_text_are_told_apart_from_the_rest() {
        let text = Words::of("Shop, لغو 11!");
        assert_eq!(text.joined(), "shopلغو11");
        assert_eq!(text.split_first(), Some(("shop", "لغو11".to_owned())));
        assert_eq!(text.split_last(), Some(("11", "shopلغو".to_owned())));
        assert_eq!(text.only(), None);
        assert_eq!(Words::of("..").split_first(), None);
        assert_eq!(Words::of("..").split_last(), None);
        assert_eq!(Words::of("Shop!").only(), Some("shop"));
        assert_eq!(Words::of("Shop").split_first(), Some(("shop", String::new())));
    }

    #[test]
    fn a_text_without_words_is_searched_by_what_is_seen_of_it() {
        for (text, form) in [
            ("", ""),
            (" \u{200f}\u{a0}", ""),
            ("🌹\u{fe0f} 🌹", "🌹🌹"),
            ("🌹 گل", "گل"),
            ("علي\u{200c}رضا", "علیرضا"),
            ("100% Öl", "100öl"),
        ] {
            assert_eq!(search_form(text), form, "{text:?}");
        }
    }

    #[test]
    fn a_value_keeps_what_separates_its_words() {
        for (text, form) in [
            ("", ""),
            (" \u{200f}\u{a0} ", ""),
            (" ۱۴۰۳/۰۵/۰۱ ", "1403/05/01"),
            ("-١٢.۵", "-12.5"),
            ("New  York", "new  york"),
            ("\u{200f}علي كاظمی", "علی کاظمی"),
        ] {
            assert_eq!(value_form(text), form, "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_form_of_a_value_is_its_own_form(text in any::<String>()) {
            let form = value_form(&text);
            prop_assert_eq!(value_form(&form), form);
        }

        #[test]
        fn the_form_of_a_beginning_is_a_beginning_of_the_form(text in any::<String>(), length in 0usize..20) {
            let beginning: String = text.chars().take(length).collect();
            let has_words = !words(&beginning).is_empty();
            prop_assert!(!has_words || search_form(&text).starts_with(&search_form(&beginning)));
        }

        #[test]
        fn the_form_of_a_word_is_its_own_form(text in any::<String>()) {
            let first = words(&text);
            prop_assert_eq!(words(&first.join(" ")), first.clone());
            for word in first {
                prop_assert_eq!(words(&word), vec![word]);
            }
        }

        #[test]
        fn case_digits_joiners_and_marks_around_a_word_do_not_count(
            word in "[a-z]{1,10}[0-9]{0,4}", before in "[ \\t\\n!.«»\u{200c}\u{202b}]{0,5}", after in "[ !؟،…\u{200f}]{0,5}",
        ) {
            let persian = |character: char| character.to_digit(10).and_then(|digit| char::from_u32(0x6F0 + digit)).unwrap_or(character);
            let typed: String = word.to_uppercase().chars().flat_map(|character| ['\u{200d}', persian(character)]).collect();
            prop_assert_eq!(words(&format!("{before}{typed}{after}")), vec![word]);
        }

        #[test]
        fn words_joined_are_the_letters_and_digits_in_their_order(text in "[a-z0-9 ,.!-]{0,60}") {
            let letters: String = text.chars().filter(|character| character.is_alphanumeric()).collect();
            prop_assert_eq!(Words::of(&text).joined(), letters);
        }
    }
}
