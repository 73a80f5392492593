//! Phone numbers: reads the forms that people type and makes one canonical number of them.
//!
//! Peyk stores, compares, deduplicates, blacklists and prices a number as an [`Msisdn`]: an E.164 number, held as one
//! integer. The invariant: an `Msisdn` has 8 to 15 digits and does not begin with 0. If it begins with 98 (Iran),
//! exactly ten digits follow, and the first of them is not 0. Code that holds an `Msisdn` has nothing left to check.
//! Two spellings of one number are equal.
//!
//! Source: ITU-T E.164 (11/2010) clause 6.2.1: a country code of 1 to 3 digits and at most 15 digits in all, without an
//! international prefix. The prefixes of the operators come from libphonenumber, see [`Msisdn::operator`].

use std::fmt;

/// The smallest number with 8 digits, the minimum here. E.164 sets no minimum; shorter numbers are service numbers.
const MIN_DIGITS_VALUE: u64 = 10_000_000;
/// The largest number with 15 digits, the maximum of E.164 (clause 6.2.1).
const MAX_DIGITS_VALUE: u64 = 999_999_999_999_999;
/// The most digits that a text may hold: the international prefix `00` and 15 digits.
const MAX_TYPED_DIGITS: u32 = 17;
/// The longest text that is parsed, in characters, as openapi.json says it.
const MAX_TEXT_CHARACTERS: usize = 128;

/// Iran's country code 98 in front of a ten-digit national number.
const IRAN: u64 = 980_000_000_000;
/// The numbers of Iran: country code 98 and a ten-digit national number. Its first digit is not 0, which is the trunk
/// prefix.
const IRAN_NUMBERS: std::ops::RangeInclusive<u64> = 981_000_000_000..=989_999_999_999;
/// The national part of Iranian mobile numbers: 9 and nine more digits.
const IRAN_MOBILES_NATIONAL: std::ops::RangeInclusive<u64> = 9_000_000_000..=9_999_999_999;

/// The text is not a phone number that Peyk can send to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a valid phone number")]
pub struct NotAPhoneNumber;

/// The mobile operators for which a tariff has coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Mobile Communications Company of Iran, "Hamrah-e Aval".
    Mci,
    /// MTN Irancell.
    Mtn,
    /// All other operators, Iranian fixed lines and all foreign numbers.
    Other,
}

impl Operator {
    /// The name of the operator in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Mci => "MCI",
            Operator::Mtn => "MTN",
            Operator::Other => "OTHER",
        }
    }
}

/// A phone number. The integer holds the digits of its E.164 form: `989121234567` for `+989121234567`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Msisdn(u64);

impl Msisdn {
    /// Makes a number from E.164 digits, country code first. Returns `None` if the digits break the invariant.
    pub fn from_digits(digits: u64) -> Option<Self> {
        let is_e164 = (MIN_DIGITS_VALUE..=MAX_DIGITS_VALUE).contains(&digits);
        let is_sound = IRAN_NUMBERS.contains(&digits) || !begins_with_98(digits);
        (is_e164 && is_sound).then_some(Self(digits))
    }

    /// Parses a number in the forms that people write.
    ///
    /// | form | meaning |
    /// |---|---|
    /// | `+…`, `00…` and 8–15 digits | that international number; after `98` exactly ten digits must follow |
    /// | `98` and ten digits | that Iranian number |
    /// | `09` or `9` and nine digits | that Iranian mobile number |
    /// | `0`, an area code and eight digits | that Iranian fixed line |
    ///
    /// Digits may be ASCII, Persian or Arabic-Indic, also mixed. The parser skips spaces, tabs, dashes, dots, round
    /// brackets and the invisible characters that come with copied text, such as direction marks. It skips no other
    /// character. A whole number that a spreadsheet has written as a decimal (`9121234567.0`) is read as this number.
    ///
    /// Iranian fixed lines are accepted, because a carrier may read a message out. A foreign number without `+` or `00` (`447911123456`) is refused: it may be a mistyped Iranian number. A guess
    /// could send the message to a stranger abroad and bill it.
    ///
    /// # Errors
    /// [`NotAPhoneNumber`] for any other text, and for texts above 128 characters.
    pub fn parse(text: &str) -> Result<Self, NotAPhoneNumber> {
        let whole = whole(text).ok_or(NotAPhoneNumber)?;
        Typed::read(whole).and_then(Typed::number).ok_or(NotAPhoneNumber)
    }

    /// Returns the E.164 digits as an integer, below 10^15.
    pub fn get(self) -> u64 {
        self.0
    }

    /// Returns the number in E.164 notation, `+989121234567`. `Display` writes the same without allocating.
    pub fn to_e164(self) -> String {
        self.to_string()
    }

    /// Returns the operator that the prefix of the number belongs to. The longest matching prefix wins.
    ///
    /// The prefix names the operator that issued the number. A ported number keeps its prefix, so another operator may
    /// deliver to it. Prices go by the prefix.
    pub fn operator(self) -> Operator {
        if !IRAN_NUMBERS.contains(&self.0) {
            return Operator::Other;
        }
        OPERATOR_PREFIXES
            .iter()
            .find_map(|group| group.find(self.0))
            .unwrap_or(Operator::Other)
    }
}

impl fmt::Display for Msisdn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "+{}", self.0)
    }
}

/// Whether the number begins with 98. The number must have 2 to 15 digits.
fn begins_with_98(digits: u64) -> bool {
    let mut leading = digits;
    while leading >= 100 {
        leading /= 10;
    }
    leading == 98
}

/// The area codes of Iran, without their zero.
///
/// Source: the national numbering plan (ITU-T E.129, Iran), one code for each province.
pub const AREA_CODES: [u64; 31] = [
    11, 13, 17, 21, 23, 24, 25, 26, 28, 31, 34, 35, 38, 41, 44, 45, 51, 54, 56, 58, 61, 66, 71, 74, 76, 77, 81, 83, 84,
    86, 87,
];

/// Whether ten digits are a fixed line of Iran: an area code and eight digits.
fn is_fixed_line(digits: u64) -> bool {
    AREA_CODES.contains(&(digits / 100_000_000))
}

/// A text without the decimals of a whole number; `None` if its decimals are not 0. A single point with at most two digits behind
/// it stands before decimals, not between groups of digits. A text that is too long is none either.
fn whole(text: &str) -> Option<&str> {
    if text.len() > MAX_TEXT_CHARACTERS && text.chars().nth(MAX_TEXT_CHARACTERS).is_some() {
        return None;
    }
    // As programs write it: there is nothing to trim, and no point.
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'+') {
        return Some(text);
    }
    let text = text.trim_matches(|character| character != '.' && is_passed_over(character));
    let Some((whole, decimals)) = text.split_once(['.', '٫']) else {
        return Some(text);
    };
    let is_decimal = (1..=2).contains(&decimals.chars().count())
        && decimals.chars().all(|character| digit(character).is_some())
        && !whole.is_empty();
    if !is_decimal {
        return Some(text);
    }
    let is_whole = decimals.chars().all(|character| digit(character) == Some(0));
    is_whole.then_some(whole)
}

/// The content of a text without its separators.
struct Typed {
    /// Whether the text begins with `+`.
    plus: bool,
    /// The number of leading zeros.
    zeros: u32,
    /// All digits as one integer.
    digits: u64,
}

impl Typed {
    fn read(text: &str) -> Option<Self> {
        let mut typed = Self {
            plus: false,
            zeros: 0,
            digits: 0,
        };
        let mut count = 0_u32;
        for character in text.chars() {
            if let Some(digit) = digit(character) {
                count += 1;
                if count > MAX_TYPED_DIGITS {
                    return None;
                }
                typed.digits = typed.digits * 10 + digit;
                typed.zeros += u32::from(typed.digits == 0);
            } else if character == '+' {
                if typed.plus || count > 0 {
                    return None;
                }
                typed.plus = true;
            } else if !is_passed_over(character) {
                return None;
            }
        }
        Some(typed)
    }

    fn number(self) -> Option<Msisdn> {
        match (self.plus, self.zeros) {
            (true, 0) | (false, 2) => Msisdn::from_digits(self.digits),
            (false, 0) if IRAN_NUMBERS.contains(&self.digits) => Some(Msisdn(self.digits)),
            (false, 0 | 1) if IRAN_MOBILES_NATIONAL.contains(&self.digits) => Some(Msisdn(IRAN + self.digits)),
            (false, 1) if is_fixed_line(self.digits) => Some(Msisdn(IRAN + self.digits)),
            _ => None,
        }
    }
}

/// The value of an ASCII, Persian (U+06F0…) or Arabic-Indic (U+0660…) digit.
pub fn digit(character: char) -> Option<u64> {
    let zero = match character {
        '0'..='9' => '0',
        '\u{06F0}'..='\u{06F9}' => '\u{06F0}',
        '\u{0660}'..='\u{0669}' => '\u{0660}',
        _ => return None,
    };
    u64::from(character).checked_sub(u64::from(zero))
}

/// The ASCII form of an ASCII, Persian or Arabic-Indic digit.
pub fn ascii_digit(character: char) -> Option<char> {
    char::from_digit(u32::try_from(digit(character)?).ok()?, 10)
}

/// Whether the parser skips the character: it only separates digits, or it is invisible.
pub fn is_passed_over(character: char) -> bool {
    matches!(
        character,
        // Spaces, with the no-break and the ideographic space, and the tab.
        ' ' | '\t' | '\u{00A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
        // Hyphens, with the soft hyphen, dashes and the minus sign.
        | '-' | '\u{00AD}' | '\u{2010}'..='\u{2015}' | '\u{2212}'
        | '.' | '(' | ')'
        // Zero-width space and joiners, direction marks, embeddings, overrides, isolates, and the byte order mark.
        | '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
    )
}

/// Operator prefixes of one length.
struct Prefixes {
    /// An Iranian number divided by this is its prefix of this length.
    divisor: u64,
    entries: &'static [(u64, Operator)],
}

impl Prefixes {
    fn find(&self, digits: u64) -> Option<Operator> {
        let prefix = digits / self.divisor;
        self.entries
            .iter()
            .find(|(known, _)| *known == prefix)
            .map(|(_, operator)| *operator)
    }
}

/// The operator prefixes of Iran, in E.164 without `+`, longest first.
///
/// Source: libphonenumber, resources/carrier/en/98.txt (Apache-2.0). A copy is tests/vectors/iran-operators.json, and a
/// test compares this table with it. The table also lists the prefixes of other operators, because a longer prefix of
/// another operator overrides a shorter one of MCI or MTN.
const OPERATOR_PREFIXES: [Prefixes; 4] = {
    use Operator::{Mci, Mtn, Other};
    [
        Prefixes {
            divisor: 100_000,
            entries: &[
                (9_899_996, Other),
                (9_899_997, Other),
                (9_899_998, Other),
                (9_899_999, Other),
            ],
        },
        Prefixes {
            divisor: 1_000_000,
            entries: &[
                (989_990, Mci),
                (989_995, Mci),
                (989_996, Mci),
                (989_955, Mtn),
                (989_991, Mtn),
                (989_981, Other),
                (989_982, Other),
                (989_993, Other),
                (989_998, Other),
            ],
        },
        Prefixes {
            divisor: 10_000_000,
            entries: &[
                (98_932, Mci),
                (98_990, Mci),
                (98_991, Mci),
                (98_992, Mci),
                (98_993, Mci),
                (98_994, Mci),
                (98_996, Mci),
                (98_931, Other),
                (98_934, Other),
            ],
        },
        Prefixes {
            divisor: 100_000_000,
            entries: &[(9_891, Mci), (9_890, Mtn), (9_893, Mtn), (9_892, Other)],
        },
    ]
};

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Option<String> {
        Msisdn::parse(text).ok().map(Msisdn::to_e164)
    }

    #[test]
    fn every_spelling_of_an_iranian_mobile_is_the_same_number() {
        let spellings = [
            "+989121234567",
            "00989121234567",
            "989121234567",
            "09121234567",
            "9121234567",
            "+98 912 123 4567",
            "0912-123-4567",
            "(0912) 123.45.67",
            "(+98) 912 123 4567",
            "۰۹۱۲۱۲۳۴۵۶۷",
            "٠٩١٢١٢٣٤٥٦٧",
            "+۹۸۹۱۲۱۲۳۴۵۶۷",
            "۰912 ١٢٣ ۴۵۶۷",
            "\u{202A}+98 912 123 4567\u{202C}",
            "\u{2066}0912\u{00A0}123\u{202F}4567\u{2069}\u{200E}",
            "+98\u{2011}912\u{2013}123\u{2212}4567",
            "\u{FEFF}\t09121234567 ",
            "9121234567.0",
            "۹۱۲۱۲۳۴۵۶۷٫۰",
            " 09121234567.00\u{200E}",
        ];
        for spelling in spellings {
            assert_eq!(parsed(spelling).as_deref(), Some("+989121234567"), "{spelling:?}");
        }
    }

    #[test]
    fn a_decimal_is_no_number_with_a_digit_more() {
        for text in [
            "912111001.0",
            "0218877665.0",
            "91211100.10",
            "912123456.7",
            "912111001٫۰\u{200F}",
            "۹۱۲۱۱۱۰۰۱.۰",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
        assert_eq!(parsed("0912.1234567").as_deref(), Some("+989121234567"));
        assert_eq!(parsed("021.88776655").as_deref(), Some("+982188776655"));
        assert_eq!(parsed("09121234567.").as_deref(), Some("+989121234567"));
    }

    #[test]
    fn numbers_abroad_are_taken_with_plus_or_two_zeros() {
        assert_eq!(parsed("+44 7911 123456").as_deref(), Some("+447911123456"));
        assert_eq!(parsed("0044 7911 123456").as_deref(), Some("+447911123456"));
        assert_eq!(parsed("+12025550123").as_deref(), Some("+12025550123"));
        assert_eq!(
            parsed("+12345678").as_deref(),
            Some("+12345678"),
            "eight digits, the fewest"
        );
        assert_eq!(
            parsed("+123456789012345").as_deref(),
            Some("+123456789012345"),
            "fifteen digits, the most"
        );
        assert_eq!(parsed("00123456789012345").as_deref(), Some("+123456789012345"));
    }

    #[test]
    fn iranian_fixed_lines_are_taken_with_their_area_code() {
        assert_eq!(parsed("+98 21 1234 5678").as_deref(), Some("+982112345678"));
        assert_eq!(parsed("982112345678").as_deref(), Some("+982112345678"));
        assert_eq!(parsed("021-12345678").as_deref(), Some("+982112345678"));
        assert_eq!(parsed("۰۸۷۱۲۳۴۵۶۷۸").as_deref(), Some("+988712345678"));
        assert_eq!(parsed("2112345678"), None, "without the zero it may be anything");
        assert_eq!(parsed("07911123456"), None, "no province has this code");
        assert_eq!(parsed("0211234567"), None, "a digit is missing");
    }

    #[test]
    fn what_is_no_phone_number_is_refused() {
        let refused = [
            "",
            " ",
            "+",
            "0",
            "00",
            "abc",
            "+1234567",
            "+1234567890123456",
            "001234567890123456",
            "+0989121234567",
            "+00989121234567",
            "0009121234567",
            "0098912123456",
            "+98912123456",
            "+9891212345678",
            "+980912123456",
            "+9809121234567",
            "+98912",
            "+98123456",
            "0912123456",
            "091212345678",
            "912123456",
            "91212345678",
            "447911123456",
            "12025550123",
            "8121234567",
            "0912/1234567",
            "0912,1234567",
            "0912123456a",
            "0912_1234567",
            "[0912]1234567",
            "09121234567\n09121234568",
            "++989121234567",
            "98+9121234567",
            "9121234567+",
            "\u{FF10}9121234567",
            "०९१२१२३४५६७",
            "0912123456\u{0000}",
        ];
        for text in refused {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_refused_unread() {
        for space in [" ", "\u{3000}"] {
            let padded = |spaces: usize| format!("09121234567{}", space.repeat(spaces));
            assert!(Msisdn::parse(&padded(MAX_TEXT_CHARACTERS - 11)).is_ok());
            assert!(Msisdn::parse(&padded(MAX_TEXT_CHARACTERS - 10)).is_err());
        }
        assert!(Msisdn::parse(&"9".repeat(1 << 20)).is_err());
    }

    #[test]
    fn digits_that_break_the_invariant_make_no_number() {
        for digits in [
            0,
            1,
            9_999_999,
            1_000_000_000_000_000,
            u64::MAX,
            980_912_123_456,
            98_912_123_456,
            98_123_456,
        ] {
            assert_eq!(Msisdn::from_digits(digits), None, "{digits}");
        }
        assert_eq!(
            Msisdn::from_digits(989_121_234_567).map(Msisdn::get),
            Some(989_121_234_567)
        );
        assert_eq!(
            Msisdn::from_digits(99_212_345_678).map(Msisdn::get),
            Some(99_212_345_678),
            "Tajikistan is not Iran"
        );
    }

    #[test]
    fn the_longest_matching_prefix_names_the_operator() {
        let operator = |text: &str| Msisdn::parse(text).unwrap().operator();
        assert_eq!(operator("+989121234567"), Operator::Mci);
        assert_eq!(operator("+989351234567"), Operator::Mtn);
        assert_eq!(operator("+989011234567"), Operator::Mtn);
        assert_eq!(operator("+989321234567"), Operator::Mci, "9832 within MTN's 9893");
        assert_eq!(operator("+989311234567"), Operator::Other, "MTCE within MTN's 9893");
        assert_eq!(operator("+989211234567"), Operator::Other, "Rightel");
        assert_eq!(operator("+989991234567"), Operator::Mtn, "989991");
        assert_eq!(operator("+989999612345"), Operator::Other, "seven digits");
        assert_eq!(operator("+982112345678"), Operator::Other, "a fixed line");
        assert_eq!(operator("+447911123456"), Operator::Other);
        assert_eq!(
            operator("+9912345678901"),
            Operator::Other,
            "thirteen digits abroad that look like 9891…"
        );
    }

    #[test]
    fn the_table_is_the_published_one() {
        #[derive(serde::Deserialize)]
        struct Published {
            #[serde(rename = "MCI")]
            mci: BTreeSet<String>,
            #[serde(rename = "MTN")]
            mtn: BTreeSet<String>,
            other: BTreeMap<String, String>,
        }
        let published: Published =
            serde_json::from_str(include_str!("../../../tests/vectors/iran-operators.json")).unwrap();
        let ours = |operator: Operator| -> BTreeSet<String> {
            let entries = OPERATOR_PREFIXES.iter().flat_map(|group| group.entries);
            entries
                .filter(|(_, listed)| *listed == operator)
                .map(|(prefix, _)| prefix.to_string())
                .collect()
        };
        assert_eq!(ours(Operator::Mci), published.mci);
        assert_eq!(ours(Operator::Mtn), published.mtn);
        assert_eq!(ours(Operator::Other), published.other.into_keys().collect());
        for group in &OPERATOR_PREFIXES {
            for (prefix, _) in group.entries {
                assert_eq!(
                    (prefix * group.divisor).to_string().len(),
                    12,
                    "{prefix} is in the group of its length"
                );
            }
        }
        assert!(
            OPERATOR_PREFIXES.is_sorted_by_key(|group| group.divisor),
            "the longest prefixes come first"
        );
    }

    proptest! {
        #[test]
        fn a_number_is_read_back_from_its_own_notation(digits in MIN_DIGITS_VALUE..=MAX_DIGITS_VALUE) {
            if let Some(number) = Msisdn::from_digits(digits) {
                prop_assert_eq!(Msisdn::parse(&number.to_e164()), Ok(number));
            } else {
                let refused = Msisdn::parse(&format!("+{digits}")).is_err();
                prop_assert!(refused);
            }
        }

        #[test]
        fn no_text_makes_a_number_that_breaks_the_invariant(text in "[+0-9۰-۹٠-٩ ().\u{200E}-]{0,24}|\\PC{0,24}") {
            if let Ok(number) = Msisdn::parse(&text) {
                prop_assert_eq!(Msisdn::from_digits(number.get()), Some(number));
            }
        }

        #[test]
        fn the_operator_is_that_of_the_longest_prefix_of_the_written_number(national in 1_000_000_000_u64..=9_999_999_999) {
            let number = Msisdn::from_digits(IRAN + national).unwrap();
            let written = number.get().to_string();
            let matching = OPERATOR_PREFIXES.iter().flat_map(|group| group.entries)
                .filter(|(prefix, _)| written.starts_with(&prefix.to_string()))
                .max_by_key(|(prefix, _)| prefix.to_string().len());
            prop_assert_eq!(number.operator(), matching.map_or(Operator::Other, |(_, operator)| *operator));
        }
    }
}
