//! The price of a message.
//!
//! Money is an integer in the minor unit of the account. Coefficients are integers in ten-thousandths. So a price is a
//! product of integers that is divided once and rounded up once. The invariant: no computation with money uses
//! floating-point numbers, and a price is at most 2^53 − 1, because SQLite's integers reach the worker as JavaScript
//! numbers.
//!
//! Source: the API's contract, section 9, "Price".

use super::msisdn::Operator;
use super::text::Encoding;

/// The largest amount of money, in minor units: 2^53 − 1, `Number.MAX_SAFE_INTEGER`.
pub const MAX_AMOUNT: i64 = (1 << 53) - 1;

/// The coefficient 1 in ten-thousandths.
const ONE: u32 = 10_000;
/// `ONE` as a floating-point number.
const ONE_F64: f64 = 10_000.0;
/// The divisor of a price: 10,000 for each of its three coefficients.
const ONE_CUBED: u128 = 1_000_000_000_000;

/// A factor of a price, from 0 to 100, in ten-thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coefficient(u32);

impl Coefficient {
    /// The factor 1. It does not change a price.
    pub const ONE: Self = Self(ONE);
    /// The largest factor, 100.
    pub const MAX: Self = Self(100 * ONE);

    /// Makes a coefficient from ten-thousandths. Returns `None` above [`Coefficient::MAX`].
    pub fn from_ten_thousandths(ten_thousandths: u32) -> Option<Self> {
        (ten_thousandths <= Self::MAX.0).then_some(Self(ten_thousandths))
    }

    /// Makes a coefficient from a JSON number. Returns `None` if the number is negative, above 100, not a number, or
    /// has more than four decimals. The result is exact: `1.2` gives 12,000 ten-thousandths, although no binary
    /// fraction equals 1.2.
    pub fn from_f64(value: f64) -> Option<Self> {
        let scaled = (value * ONE_F64).round();
        let is_in_bounds = (0.0..=f64::from(Self::MAX.0)).contains(&scaled);
        // The division is correctly rounded, so it gives the float nearest to the decimal. The parser of JSON numbers
        // gives the same float for a decimal with few digits.
        let is_exact = scaled / ONE_F64 == value;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an integer from 0 to 1,000,000"
        )]
        (is_in_bounds && is_exact).then_some(Self(scaled as u32))
    }

    /// Returns the coefficient as a JSON number, such as 1.2.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / ONE_F64
    }

    /// Returns the coefficient in ten-thousandths, as it is stored.
    pub fn ten_thousandths(self) -> u32 {
        self.0
    }
}

impl Default for Coefficient {
    fn default() -> Self {
        Self::ONE
    }
}

/// The coefficients of a line. The default of each is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coefficients {
    /// For texts in UCS-2, `PERSIAN`.
    pub persian: Coefficient,
    /// For texts in GSM-7, `ENGLISH`.
    pub english: Coefficient,
    /// For recipients of [`Operator::Mci`], `MCI`.
    pub mci: Coefficient,
    /// For recipients of [`Operator::Mtn`], `MTN`.
    pub mtn: Coefficient,
    /// For [`Operation::Webservice`], `WEBSERVICE`.
    pub webservice: Coefficient,
    /// For [`Operation::Pattern`], `PATTERN`.
    pub pattern: Coefficient,
}

impl Coefficients {
    fn of_encoding(&self, encoding: Encoding) -> Coefficient {
        match encoding {
            Encoding::Ucs2 => self.persian,
            Encoding::Gsm7 => self.english,
        }
    }

    fn of_operator(&self, operator: Operator) -> Coefficient {
        match operator {
            Operator::Mci => self.mci,
            Operator::Mtn => self.mtn,
            Operator::Other => Coefficient::ONE,
        }
    }

    fn of_operation(&self, operation: Operation) -> Coefficient {
        match operation {
            Operation::Webservice => self.webservice,
            Operation::Pattern => self.pattern,
        }
    }
}

/// The kinds of send for which a tariff has coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A send with a text from the request: plain, to phonebooks, or in bulk.
    Webservice,
    /// A send with a pattern of the account.
    Pattern,
}

/// Computes the price of a message to one recipient, in minor units.
///
/// The price is `parts × tariff_price × (PERSIAN | ENGLISH) × (MCI | MTN | 1) × (WEBSERVICE | PATTERN)`. It is computed
/// exactly and rounded up once. `tariff_price` is the price of one part in minor units. Returns `None` if
/// `tariff_price` is negative or the price is above [`MAX_AMOUNT`]. All recipients of one operator pay the same price
/// for the same text, so one computation for each operator is enough.
pub fn price(
    parts: u32,
    tariff_price: i64,
    coefficients: &Coefficients,
    encoding: Encoding,
    operator: Operator,
    operation: Operation,
) -> Option<i64> {
    // `base` is below 2^32 · 2^63 and `factor` is at most 10^18, so neither overflows. Their product can.
    let base = u128::from(parts) * u128::try_from(tariff_price).ok()?;
    let factor = [
        coefficients.of_encoding(encoding),
        coefficients.of_operator(operator),
        coefficients.of_operation(operation),
    ]
    .iter()
    .map(|coefficient| u128::from(coefficient.0))
    .product();
    let amount = i64::try_from(base.checked_mul(factor)?.div_ceil(ONE_CUBED)).ok()?;
    (amount <= MAX_AMOUNT).then_some(amount)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn coefficient(value: f64) -> Coefficient {
        Coefficient::from_f64(value).unwrap()
    }

    fn plain(parts: u32, tariff_price: i64, coefficients: &Coefficients) -> Option<i64> {
        price(
            parts,
            tariff_price,
            coefficients,
            Encoding::Ucs2,
            Operator::Mci,
            Operation::Webservice,
        )
    }

    #[test]
    fn without_coefficients_a_price_is_parts_times_the_tariff() {
        assert_eq!(plain(3, 600, &Coefficients::default()), Some(1_800));
        assert_eq!(plain(0, 600, &Coefficients::default()), Some(0));
        assert_eq!(plain(3, 0, &Coefficients::default()), Some(0));
    }

    #[test]
    fn each_coefficient_counts_for_its_own_kind_only() {
        let coefficients = Coefficients {
            persian: coefficient(2.0),
            english: coefficient(3.0),
            mci: coefficient(5.0),
            mtn: coefficient(7.0),
            webservice: coefficient(11.0),
            pattern: coefficient(13.0),
        };
        let price_of = |encoding, operator, operation| price(1, 1, &coefficients, encoding, operator, operation);
        assert_eq!(
            price_of(Encoding::Ucs2, Operator::Mci, Operation::Webservice),
            Some(2 * 5 * 11)
        );
        assert_eq!(
            price_of(Encoding::Gsm7, Operator::Mci, Operation::Webservice),
            Some(3 * 5 * 11)
        );
        assert_eq!(
            price_of(Encoding::Ucs2, Operator::Mtn, Operation::Webservice),
            Some(2 * 7 * 11)
        );
        assert_eq!(
            price_of(Encoding::Ucs2, Operator::Other, Operation::Webservice),
            Some(2 * 11)
        );
        assert_eq!(
            price_of(Encoding::Gsm7, Operator::Other, Operation::Pattern),
            Some(3 * 13)
        );
    }

    #[test]
    fn a_price_is_rounded_up_once_at_the_end() {
        let thirds = Coefficients {
            persian: coefficient(0.3333),
            webservice: coefficient(0.3333),
            ..Coefficients::default()
        };
        // 10 × 0.3333² is 1.1108889.
        assert_eq!(plain(1, 10, &thirds), Some(2));
        let least = Coefficients {
            persian: coefficient(0.0001),
            ..Coefficients::default()
        };
        assert_eq!(plain(1, 1, &least), Some(1), "a price above nothing is at least 1");
        assert_eq!(plain(1, 10_000, &least), Some(1), "and exact products stay as they are");
        assert_eq!(plain(1, 10_001, &least), Some(2));
    }

    #[test]
    fn a_price_beyond_2_to_the_53_is_refused() {
        assert_eq!(plain(1, MAX_AMOUNT, &Coefficients::default()), Some(MAX_AMOUNT));
        assert_eq!(plain(1, MAX_AMOUNT + 1, &Coefficients::default()), None);
        assert_eq!(plain(2, MAX_AMOUNT, &Coefficients::default()), None);
        let most = Coefficients {
            persian: Coefficient::MAX,
            mci: Coefficient::MAX,
            webservice: Coefficient::MAX,
            ..Coefficients::default()
        };
        assert_eq!(plain(u32::MAX, i64::MAX, &most), None);
        let free = Coefficients {
            webservice: coefficient(0.0),
            ..most
        };
        assert_eq!(plain(u32::MAX, i64::MAX, &free), Some(0));
    }

    #[test]
    fn a_negative_tariff_has_no_price() {
        assert_eq!(plain(1, -1, &Coefficients::default()), None);
        assert_eq!(plain(0, i64::MIN, &Coefficients::default()), None);
    }

    #[test]
    fn coefficients_are_decimals_of_four_places() {
        assert_eq!(Coefficient::from_f64(1.0), Some(Coefficient::ONE));
        assert_eq!(
            Coefficient::from_f64(1.2345).map(Coefficient::ten_thousandths),
            Some(12_345)
        );
        assert_eq!(Coefficient::from_f64(0.1 + 0.2), None, "0.30000000000000004 is not 0.3");
        assert_eq!(Coefficient::from_f64(100.0), Some(Coefficient::MAX));
        assert_eq!(Coefficient::from_f64(0.0).map(Coefficient::ten_thousandths), Some(0));
        assert_eq!(Coefficient::from_f64(-0.0).map(Coefficient::ten_thousandths), Some(0));
        for refused in [
            -0.0001,
            100.0001,
            1.23456,
            0.00001,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            1e-320,
        ] {
            assert_eq!(Coefficient::from_f64(refused), None, "{refused}");
        }
        assert_eq!(Coefficient::from_ten_thousandths(1_000_001), None);
    }

    #[test]
    fn every_coefficient_survives_json() {
        for ten_thousandths in 0..=Coefficient::MAX.0 {
            let coefficient = Coefficient::from_ten_thousandths(ten_thousandths).unwrap();
            assert_eq!(Coefficient::from_f64(coefficient.to_f64()), Some(coefficient));
            if ten_thousandths % 997 == 0 {
                let written = serde_json::to_string(&coefficient.to_f64()).unwrap();
                assert_eq!(
                    Coefficient::from_f64(serde_json::from_str(&written).unwrap()),
                    Some(coefficient),
                    "{written}"
                );
            }
        }
    }

    /// The price by long multiplication of decimal digits. The decimal point moves twelve places at the end.
    fn reference(factors: &[u128]) -> Option<i64> {
        let mut digits: Vec<u128> = vec![1]; // least significant first
        for factor in factors {
            let mut product = vec![0; digits.len() + 40];
            for (i, a) in digits.iter().enumerate() {
                for (j, b) in factor.to_string().bytes().rev().enumerate() {
                    product[i + j] += a * u128::from(b - b'0');
                }
            }
            for i in 0..product.len() - 1 {
                product[i + 1] += product[i] / 10;
                product[i] %= 10;
            }
            digits = product;
        }
        let (fraction, whole) = digits.split_at(12);
        let whole: String = whole.iter().rev().map(u128::to_string).collect();
        let whole = whole.trim_start_matches('0');
        if whole.len() > 16 {
            return None;
        }
        let rounding = i64::from(fraction.iter().any(|digit| *digit != 0));
        let amount = format!("0{whole}").parse::<i64>().unwrap() + rounding;
        (amount <= MAX_AMOUNT).then_some(amount)
    }

    proptest! {
        #[test]
        fn a_price_is_the_exact_product_rounded_up(
            parts in prop_oneof![0..=10_u32, any::<u32>()],
            tariff_price in prop_oneof![0..=100_000_i64, 0..=MAX_AMOUNT, 0..=i64::MAX],
            a in 0..=Coefficient::MAX.0, b in 0..=20_000_u32, c in prop_oneof![0..=20_000_u32, 0..=Coefficient::MAX.0],
        ) {
            let coefficient_of = |n| Coefficient::from_ten_thousandths(n).unwrap();
            let coefficients = Coefficients {
                persian: coefficient_of(a),
                mci: coefficient_of(b),
                webservice: coefficient_of(c),
                ..Coefficients::default()
            };
            let factors = [u128::from(parts), u128::try_from(tariff_price).unwrap(), a.into(), b.into(), c.into()];
            prop_assert_eq!(plain(parts, tariff_price, &coefficients), reference(&factors));
        }

        #[test]
        fn no_float_makes_a_coefficient_that_differs_from_it(value in any::<f64>()) {
            if let Some(coefficient) = Coefficient::from_f64(value) {
                prop_assert_eq!(coefficient.to_f64(), value);
            }
        }
    }
}
