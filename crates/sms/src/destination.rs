//! Where messages may go, and what a part of one costs there. Numbers are told apart by how they begin; the longest prefix
//! decides. So one rule is enough for a country, and another one for a range of it that is dear.
//!
//! Source: the API's contract, section 9, "Price".

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::msisdn::Msisdn;

/// The most digits of a prefix: a whole number (ITU-T E.164).
pub const MAX_DIGITS: usize = 15;

/// What international numbers begin with: 1 to 15 digits without a plus. The first digit is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prefix(u64);

/// The prefix of the country whose numbers a tariff's own price is for: Iran.
pub const HOME: Prefix = Prefix(98);

impl Prefix {
    /// Reads a prefix.
    pub fn parse(text: &str) -> Option<Prefix> {
        let is_good = (1..=MAX_DIGITS).contains(&text.len())
            && !text.starts_with('0')
            && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| is_good).map(Prefix)
    }

    /// Whether a number begins with it.
    pub fn is_of(self, number: Msisdn) -> bool {
        // The prefix with zeros behind it, while that is not beyond the number, and how many numbers begin so. Neither the prefix nor the
        // number is 0.
        let (mut first, mut count) = (self.0, 1);
        let without_last = number.get() / 10;
        while first <= without_last {
            first *= 10;
            count *= 10;
        }
        (first..first + count).contains(&number.get())
    }
}

impl Default for Prefix {
    fn default() -> Self {
        HOME
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Serialize for Prefix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Prefix {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Prefix::parse(&text).ok_or_else(|| serde::de::Error::custom("no prefix of numbers"))
    }
}

/// What a part costs to numbers that begin with a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceTo {
    /// What the numbers begin with.
    pub prefix: Prefix,
    /// The price of one part, in minor units.
    pub price: i64,
}

/// Why a number gets no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barred {
    /// The account does not send there.
    Destination,
    /// The tariff has no price for it.
    NoPrice,
}

/// The price of one part to a number, for an account that sends to `destinations`. `home` is the price for numbers that begin
/// with [`HOME`], unless one of `prices` has a longer prefix.
///
/// # Errors
/// [`Barred`]: a destination without a price is not home.
pub fn price_of_part(number: Msisdn, destinations: &[Prefix], home: i64, prices: &[PriceTo]) -> Result<i64, Barred> {
    if !destinations.iter().any(|prefix| prefix.is_of(number)) {
        return Err(Barred::Destination);
    }
    let home = PriceTo {
        prefix: HOME,
        price: home,
    };
    let fitting = prices.iter().chain([&home]).filter(|price| price.prefix.is_of(number));
    // Of two prefixes of one number, the longer one is the greater number.
    let longest = fitting.max_by_key(|price| price.prefix);
    longest.map(|price| price.price).ok_or(Barred::NoPrice)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prefix(text: &str) -> Prefix {
        Prefix::parse(text).unwrap()
    }

    fn number(digits: u64) -> Msisdn {
        Msisdn::from_digits(digits).unwrap()
    }

    #[test]
    fn a_prefix_is_one_to_fifteen_digits() {
        for good in ["1", "98", "98912", "123456789012345"] {
            assert_eq!(prefix(good).to_string(), good);
        }
        for bad in ["", "0", "098", "+98", "1234567890123456", "9 8", "۹۸", "x", "-1"] {
            assert_eq!(Prefix::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_longest_prefix_has_the_price() {
        let prices = [("971", 5_000), ("97150", 9_000), ("98912", 700)].map(|(text, price)| PriceTo {
            prefix: prefix(text),
            price,
        });
        let all = ["98", "9", "44"].map(prefix);
        let price = |digits| price_of_part(number(digits), &all, 600, &prices);
        assert_eq!(price(989_351_234_567), Ok(600));
        assert_eq!(price(989_121_234_567), Ok(700));
        assert_eq!(price(971_401_234_567), Ok(5_000));
        assert_eq!(price(971_501_234_567), Ok(9_000));
        assert_eq!(price(447_911_123_456), Err(Barred::NoPrice));
        assert_eq!(price(12_025_550_123), Err(Barred::Destination));
        let home = [HOME];
        assert_eq!(
            price_of_part(number(971_401_234_567), &home, 600, &prices),
            Err(Barred::Destination)
        );
        assert_eq!(
            price_of_part(number(989_351_234_567), &[], 600, &prices),
            Err(Barred::Destination)
        );
    }

    proptest! {
        #[test]
        fn a_prefix_is_of_the_numbers_whose_digits_begin_with_it(digits in 10_000_000_u64..=999_999_999_999_999, other in 1_u64..=99_999) {
            prop_assume!(Msisdn::from_digits(digits).is_some());
            let (text, number) = (digits.to_string(), number(digits));
            for length in 1..=text.len() {
                prop_assert!(prefix(&text[..length]).is_of(number));
            }
            prop_assert_eq!(prefix(&other.to_string()).is_of(number), text.starts_with(&other.to_string()));
        }
    }
}
