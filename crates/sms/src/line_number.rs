//! The numbers of lines: finds out whether two texts mean the same line.
//!
//! Lines have short numbers of many lengths (`738`, `10001`, `3000505`), fixed numbers (`021…`) and numbers abroad, and
//! operators store them with or without a prefix. So no form is the canonical one, and a text may be meant in two ways:
//! `98738` is the line 738 behind Iran's country code, or a line whose own number is 98738. Two texts mean the same line if
//! they can be meant so.

use super::msisdn::{digit, is_passed_over};

/// The most digits that a text may hold: the prefix `0098` and 15 digits.
const MAX_DIGITS: u32 = 19;
/// The most digits that the number of a line has.
const MAX_LINE_DIGITS: usize = 15;
/// The smallest number with three digits. No line has a shorter one.
const MIN_VALUE: u64 = 100;

/// A line's number, in the two ways in which it may be meant. Leading zeros do not count: they are prefixes too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineNumber {
    /// All digits.
    whole: u64,
    /// The digits behind Iran's country code, if the number begins with it.
    national: Option<u64>,
}

impl LineNumber {
    /// Reads a number with or without one of the prefixes `+98`, `0098`, `98`, `0`, `+` and `00`. Digits may be ASCII, Persian
    /// or Arabic-Indic. Separators are passed over, as in the numbers of recipients. Returns `None` for any other text, such
    /// as a name of letters.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut whole, mut count, mut has_plus) = (0_u64, 0, false);
        for character in text.chars() {
            if let Some(digit) = digit(character) {
                count += 1;
                if count > MAX_DIGITS {
                    return None;
                }
                whole = whole * 10 + digit;
            } else if character == '+' && !has_plus && count == 0 {
                has_plus = true;
            } else if !is_passed_over(character) {
                return None;
            }
        }
        (whole >= MIN_VALUE).then(|| LineNumber {
            whole,
            national: behind_98(whole).filter(|national| *national >= MIN_VALUE),
        })
    }

    /// The digits, without leading zeros, of every number of a line that this one [may be](Self::may_be). A number of a line
    /// has at most 15 digits.
    pub fn digits(self) -> Vec<String> {
        let meanings = [Some(self.whole), self.national];
        let mut digits = Vec::new();
        for meaning in meanings.into_iter().flatten().map(|meaning| meaning.to_string()) {
            let zeros = MAX_LINE_DIGITS.saturating_sub(meaning.len() + 2);
            digits.extend((0..=zeros).map(|zeros| format!("98{}{meaning}", "0".repeat(zeros))));
            digits.push(meaning);
        }
        digits.sort_unstable();
        digits.dedup();
        digits
    }

    /// Whether both are the same digits, whatever country code and zeros mean.
    pub fn is_same(self, other: LineNumber) -> bool {
        self.whole == other.whole
    }

    /// Whether both can mean the same line.
    pub fn may_be(self, other: LineNumber) -> bool {
        let meanings = |number: LineNumber| [Some(number.whole), number.national].into_iter().flatten();
        meanings(self).any(|mine| meanings(other).any(|theirs| mine == theirs))
    }
}

/// The digits behind a leading 98, without leading zeros.
fn behind_98(digits: u64) -> Option<u64> {
    let mut power = 1_u64;
    while digits / power >= 100 {
        power *= 10;
    }
    (digits / power == 98).then_some(digits % power)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(one: &str, other: &str) -> bool {
        match (LineNumber::parse(one), LineNumber::parse(other)) {
            (Some(one), Some(other)) => one.may_be(other),
            _ => false,
        }
    }

    const PREFIXES: [&str; 7] = ["", "0", "98", "0098", "+98", "+98 0", "00980"];

    #[test]
    fn a_line_is_the_same_behind_every_prefix() {
        for number in [
            "738",
            "980",
            "9810",
            "98738",
            "10001",
            "3000505",
            "5000123456",
            "2112345678",
        ] {
            for stored in PREFIXES {
                for written in PREFIXES {
                    let (stored, written) = (format!("{stored}{number}"), format!("{written}{number}"));
                    assert!(same(&stored, &written), "{stored} {written}");
                }
            }
        }
    }

    #[test]
    fn other_digits_and_separators_are_read_as_in_the_numbers_of_recipients() {
        for written in [
            "۳۰۰۰۵۰۵",
            "٣٠٠٠٥٠٥",
            "+۹۸ 3000-505",
            "\u{202A}+98 3000 505\u{202C}",
            "(98) 3000.505",
        ] {
            assert!(same(written, "3000505"), "{written}");
        }
        assert!(same("+44 20 1234 5678", "00442012345678"));
    }

    #[test]
    fn another_line_and_what_is_no_number_are_not_found() {
        for (one, other) in [
            ("3000505", "3000506"),
            ("3000505", "300050"),
            ("10001", "100010"),
            ("+4410001", "10001"),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
        for text in [
            "", "+", "0", "98", "99", "+098", "MyShop", "10001a", "++10001", "1+0001", "10/001", "10001\n",
        ] {
            assert_eq!(LineNumber::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_text_with_more_digits_than_a_line_and_its_prefix_have_is_no_number() {
        assert!(same("0098123456789012345", "123456789012345"));
        assert_eq!(LineNumber::parse("00981234567890123456"), None);
        assert!(LineNumber::parse("9999999999999999999").is_some(), "no overflow");
        assert_eq!(LineNumber::parse(&"9".repeat(1 << 20)), None);
    }

    proptest! {
        #[test]
        fn a_line_is_found_by_its_digits_exactly_when_it_may_be_meant(
            stored in "[+]?0{0,3}(98)?0{0,3}[1-9][0-9]{2,8}", prefix in "[+]?(00|0)?(98)?0{0,2}", other in "[1-9][0-9]{2,12}", is_other in any::<bool>(),
        ) {
            let bare = stored.trim_start_matches(['+', '0']);
            prop_assume!(stored.trim_start_matches('+').len() <= MAX_LINE_DIGITS);
            let written = format!("{prefix}{}", if is_other { other.as_str() } else { bare });
            if let (Some(line), Some(to)) = (LineNumber::parse(&stored), LineNumber::parse(&written)) {
                prop_assert_eq!(to.digits().iter().any(|digits| digits == bare), line.may_be(to));
            }
        }

        #[test]
        fn numbers_that_differ_by_more_than_a_prefix_are_different_lines(one in "[1-9][0-9]{2,14}", other in "[1-9][0-9]{2,14}") {
            let bare = |number: &str| number.strip_prefix("98").map(|rest| rest.trim_start_matches('0').to_owned());
            let (one_bare, other_bare) = (bare(&one), bare(&other));
            let is_prefixed = one_bare.as_deref() == Some(&other) || other_bare.as_deref() == Some(&one)
                || (one_bare.is_some() && one_bare == other_bare);
            prop_assume!(one != other && !is_prefixed);
            prop_assert!(!same(&one, &other));
        }
    }
}
