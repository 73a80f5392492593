//! Decimal numbers as texts have them. They are compared exactly, because a float would take two long numbers for one.

use std::cmp::Ordering;

/// A decimal number of any length: a sign or none, digits, and maybe a point with digits behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal<'a> {
    is_negative: bool,
    /// The digits before the point, without zeros at their beginning.
    whole: &'a str,
    /// The digits behind the point, without zeros at their end.
    fraction: &'a str,
}

impl<'a> Decimal<'a> {
    /// Reads a number in ASCII digits. The point is `.`, or the `٫` of Arabic script. Returns `None` if the text is anything else.
    pub fn parse(text: &'a str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = unsigned.split_once(['.', '٫']).unwrap_or((unsigned, "0"));
        if !are_digits(whole) || !are_digits(fraction) {
            return None;
        }
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Decimal {
            is_negative: text.starts_with('-') && !is_zero,
            whole,
            fraction,
        })
    }

    /// Compares without the signs.
    fn compare_sizes(&self, other: &Self) -> Ordering {
        // The longer whole number is the larger one. Digits of one length, and those behind the point, have the order of texts.
        let by_length = self.whole.len().cmp(&other.whole.len());
        by_length.then_with(|| (self.whole, self.fraction).cmp(&(other.whole, other.fraction)))
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_sizes(other),
            (true, true) => other.compare_sizes(self),
        }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether the text has ASCII digits and nothing else.
fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Decimal<'_> {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn numbers_have_their_order_at_any_length() {
        let ordered = [
            "-10000000000000000000000000000000000000000.1",
            "-10000000000000000000000000000000000000000",
            "-2",
            "-1.5",
            "-1.45",
            "0",
            "0.05",
            "0.5",
            "1",
            "1.0000000000000000000000000000000000000001",
            "9",
            "10",
            "10000000000000000000000000000000000000000",
            "10000000000000000000000000000000000000001",
        ];
        for pair in ordered.windows(2) {
            assert!(parse(pair[0]) < parse(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn one_number_may_be_written_in_several_ways() {
        for (one, other) in [("0", "-0.0"), ("007", "7"), ("+1.50", "1.5"), ("2٫5", "2.5")] {
            assert_eq!(parse(one), parse(other));
            assert_eq!(parse(one).cmp(&parse(other)), Ordering::Equal);
        }
    }

    #[test]
    fn what_is_no_number_is_not_read() {
        for text in [
            "",
            "-",
            "+-1",
            ".5",
            "5.",
            "1.2.3",
            "1,000",
            "1e3",
            " 1",
            "1403/05/01",
            "۵",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_integers_with_as_many_decimals(one in -100_000_i64..100_000, other in -100_000_i64..100_000) {
            let text = |number: i64| {
                let (size, sign) = (number.abs(), if number < 0 { "-" } else { "" });
                format!("{sign}{}.{:02}", size / 100, size % 100)
            };
            prop_assert_eq!(parse(&text(one)).cmp(&parse(&text(other))), one.cmp(&other));
        }
    }
}
