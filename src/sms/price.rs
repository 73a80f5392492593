//! What a message costs, exactly.
//!
//! Money is an integer of the account's minor unit and coefficients are ten-thousandths, so a price is a product of
//! integers, divided once and rounded up once. The invariant: no floating-point number takes part in a computation
//! with money, and a price fits into a JavaScript number (at most 2^53 − 1), because SQLite's integers reach us as such.
//!
//! Source: the API's contract, section 9, "Price".

use super::msisdn::Operator;
use super::text::Encoding;

/// Largest amount of money, in minor units: 2^53 − 1, `Number.MAX_SAFE_INTEGER`.
pub const MAX_AMOUNT: i64 = (1 << 53) - 1;

/// What one coefficient is a fraction of.
const ONE: u32 = 10_000;
/// The same as a floating-point number.
const ONE_F64: f64 = 10_000.0;
/// What the product of the three coefficients of a price is a fraction of.
const ONE_CUBED: u128 = 1_000_000_000_000;

/// A factor of a price in ten-thousandths, from 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coefficient(u32);

impl Coefficient {
    /// The factor 1, which leaves a price as it is.
    pub const ONE: Self = Self(ONE);
    /// The largest factor, 100.
    pub const MAX: Self = Self(100 * ONE);

    /// The coefficient of that many ten-thousandths, or `None` above [`Coefficient::MAX`].
    #[must_use]
    pub fn from_ten_thousandths(ten_thousandths: u32) -> Option<Self> {
        (ten_thousandths <= Self::MAX.0).then_some(Self(ten_thousandths))
    }

    /// The coefficient that a JSON number stands for, or `None` when it is negative, above 100, not a number, or has
    /// more than four decimals. Exact: `1.2` is 12,000 ten-thousandths although no binary fraction is 1.2.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        let scaled = (value * ONE_F64).round();
        let is_in_bounds = (0.0..=f64::from(Self::MAX.0)).contains(&scaled);
        // The number nearest to a decimal of four places is the one that dividing gives: both are correctly rounded.
        let is_exact = scaled / ONE_F64 == value;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an integer from 0 to 1,000,000"
        )]
        (is_in_bounds && is_exact).then_some(Self(scaled as u32))
    }

    /// The coefficient as a number for JSON, such as 1.2.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / ONE_F64
    }

    /// The coefficient in ten-thousandths, for storing.
    #[must_use]
    pub fn ten_thousandths(self) -> u32 {
        self.0
    }
}

impl Default for Coefficient {
    fn default() -> Self {
        Self::ONE
    }
}

/// The coefficients of a line; each is 1 unless set.
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

/// The ways of sending that a tariff tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A text of the caller's: plain, to phonebooks, or in bulk.
    Webservice,
    /// A pattern of the account's, filled in.
    Pattern,
}

/// The price of a message to one recipient, in minor units.
///
/// `parts × tariff_price × (PERSIAN | ENGLISH) × (MCI | MTN | 1) × (WEBSERVICE | PATTERN)`, computed exactly and rounded
/// up once. `tariff_price` is the price of one part in minor units. `None` when that is negative or the price would be
/// above [`MAX_AMOUNT`]. All recipients of one operator pay the same for the same text: compute it once for each of them.
#[must_use]
pub fn price(
    parts: u32,
    tariff_price: i64,
    coefficients: &Coefficients,
    encoding: Encoding,
    operator: Operator,
    operation: Operation,
) -> Option<i64> {
    // Below 2^32 · 2^63 and at most 10^18: neither of these products can overflow, only the last one.
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
        let of = |encoding, operator, operation| price(1, 1, &coefficients, encoding, operator, operation);
        assert_eq!(
            of(Encoding::Ucs2, Operator::Mci, Operation::Webservice),
            Some(2 * 5 * 11)
        );
        assert_eq!(
            of(Encoding::Gsm7, Operator::Mci, Operation::Webservice),
            Some(3 * 5 * 11)
        );
        assert_eq!(
            of(Encoding::Ucs2, Operator::Mtn, Operation::Webservice),
            Some(2 * 7 * 11)
        );
        assert_eq!(of(Encoding::Ucs2, Operator::Other, Operation::Webservice), Some(2 * 11));
        assert_eq!(of(Encoding::Gsm7, Operator::Other, Operation::Pattern), Some(3 * 13));
    }

    #[test]
    fn a_price_is_rounded_up_once_at_the_end() {
        let thirds = Coefficients {
            persian: coefficient(0.3333),
            webservice: coefficient(0.3333),
            ..Coefficients::default()
        };
        // 10 × 0.3333² = 1.1108889: rounding on the way would give more than 2.
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

    /// A price as with pencil and paper: long multiplication of decimal digits, then the decimal point twelve places up.
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
        let up = i64::from(fraction.iter().any(|digit| *digit != 0));
        let amount = format!("0{whole}").parse::<i64>().unwrap() + up;
        (amount <= MAX_AMOUNT).then_some(amount)
    }

    proptest! {
        #[test]
        fn a_price_is_the_exact_product_rounded_up(
            parts in prop_oneof![0..=10_u32, any::<u32>()],
            tariff_price in prop_oneof![0..=100_000_i64, 0..=MAX_AMOUNT, 0..=i64::MAX],
            a in 0..=Coefficient::MAX.0, b in 0..=20_000_u32, c in prop_oneof![0..=20_000_u32, 0..=Coefficient::MAX.0],
        ) {
            let of = |n| Coefficient::from_ten_thousandths(n).unwrap();
            let coefficients = Coefficients { persian: of(a), mci: of(b), webservice: of(c), ..Coefficients::default() };
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
