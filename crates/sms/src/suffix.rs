//! What a line appends to texts, such as the way to opt out that the law wants in each advertisement.

use crate::words::characters;

/// The text with the suffix on a line of its own. `None`: the text has it already, however that is written: `لغو 11` is `لغو۱۱`.
pub fn with_suffix(text: &str, suffix: &str) -> Option<String> {
    (!has(text, suffix)).then(|| format!("{}\n{suffix}", text.trim_end()))
}

fn has(text: &str, suffix: &str) -> bool {
    let (text, suffix) = (characters(text), characters(suffix));
    let ends_in_digit = suffix.ends_with(|last: char| last.is_ascii_digit());
    // `لغو۱۱۰` has another number.
    let is_whole = |at: usize| {
        let rest = text.get(at.saturating_add(suffix.len())..).unwrap_or_default();
        !(ends_in_digit && rest.starts_with(|next: char| next.is_ascii_digit()))
    };
    suffix.is_empty() || text.match_indices(&suffix).any(|(at, _)| is_whole(at))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_suffix_stands_on_a_line_of_its_own_once() {
        let appended = |text: &str| with_suffix(text, "لغو۱۱");
        assert_eq!(appended("حراج شروع شد").as_deref(), Some("حراج شروع شد\nلغو۱۱"));
        assert_eq!(appended("حراج \n\n").as_deref(), Some("حراج\nلغو۱۱"));
        for written in [
            "لغو۱۱",
            "لغو11",
            "لغو ١١",
            "حراج\nلغو 11",
            "لغو۱۱\nshop.ir",
            "لـغـو\u{200C}۱۱",
        ] {
            assert_eq!(appended(written), None, "{written}");
        }
        for other in ["لغو۱۱۰", "لغو", "۱۱", "لغو۱۲"] {
            assert!(appended(other).is_some(), "{other}");
        }
        assert_eq!(with_suffix("Sale", "STOP to 11").as_deref(), Some("Sale\nSTOP to 11"));
        assert_eq!(with_suffix("Sale. Stop to ۱۱", "STOP to 11"), None);
    }

    proptest! {
        #[test]
        fn nobody_gets_a_suffix_twice(text in "\\PC{0,80}", suffix in "[a-zا-ی]{1,10}[0-9۰-۹]{0,3}") {
            if let Some(suffixed) = with_suffix(&text, &suffix) {
                prop_assert!(suffixed.starts_with(text.trim_end()));
                prop_assert_eq!(with_suffix(&suffixed, &suffix), None);
            }
        }
    }
}
