//! The condition that members of phonebooks must meet. It is stored as JSON, and Rust compares the values, because SQL knows none of the
//! ways in which one word is written.
//!
//! Values are compared in their [`value_form`]: Persian and Arabic digits are Latin ones, one letter has one form, and neither case nor
//! blanks at the ends count. A value that is absent, or of which nothing is left in this form, is missing.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use sms::words::value_form;

use super::decimal::Decimal;
use crate::base::named::named;

named! {
    /// How a member's value is compared with that of the test.
    pub enum Operator {
        /// The values are the same text.
        Equals => "EQUALS",
        /// The values are not the same text. This holds also for a member whose value is missing.
        NotEquals => "NOT_EQUALS",
        /// The member's value is less. Two decimal numbers are compared as numbers, and all else as texts. So dates are compared
        /// right if they begin with the year, such as `1403/05/01`.
        Less => "LESS",
        /// The member's value is greater. It is compared as for [`Operator::Less`].
        Greater => "GREATER",
        /// The member's value has the other one in it.
        Contains => "CONTAINS",
        /// The member has a value.
        Exists => "EXISTS",
        /// The member has no value.
        Missing => "MISSING",
    }
}

/// Which members a message goes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Whether one test is enough. Otherwise all must hold. Without tests, one is never enough, and all always hold.
    pub any: bool,
    /// What is tested.
    pub tests: Vec<Test>,
}

/// A test of one value of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// The placeholder of the member's value.
    pub attribute: String,
    /// How the values are compared.
    pub operator: Operator,
    /// What the member's value is compared with. [`Operator::Exists`] and [`Operator::Missing`] need nothing. A test with another operator
    /// and without a value holds for nobody.
    pub value: Option<String>,
}

impl Condition {
    /// The placeholders of the values that the condition needs. One may come several times.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|test| test.attribute.as_str())
    }

    /// Whether a member meets the condition. `value_of` gives the member's value of a placeholder.
    pub fn holds<'v>(&self, value_of: impl Fn(&str) -> Option<&'v str>) -> bool {
        let mut results = self.tests.iter().map(|test| test.holds(value_of(&test.attribute)));
        if self.any {
            results.any(|holds| holds)
        } else {
            results.all(|holds| holds)
        }
    }
}

impl Test {
    fn holds(&self, value: Option<&str>) -> bool {
        let (value, wanted) = (form(value), form(self.value.as_deref()));
        match (self.operator, value, wanted) {
            (Operator::Exists, value, _) => value.is_some(),
            (Operator::Missing, value, _) => value.is_none(),
            (operator, None, Some(_)) => operator == Operator::NotEquals,
            (_, _, None) => false,
            (Operator::Equals, Some(value), Some(wanted)) => value == wanted,
            (Operator::NotEquals, Some(value), Some(wanted)) => value != wanted,
            (Operator::Less, Some(value), Some(wanted)) => compare(&value, &wanted).is_lt(),
            (Operator::Greater, Some(value), Some(wanted)) => compare(&value, &wanted).is_gt(),
            (Operator::Contains, Some(value), Some(wanted)) => value.contains(&wanted),
        }
    }
}

/// The form in which a value is compared. `None` if the value is missing.
fn form(value: Option<&str>) -> Option<String> {
    value.map(value_form).filter(|form| !form.is_empty())
}

/// Compares two values as numbers, if both are, or as texts.
fn compare(one: &str, other: &str) -> Ordering {
    match (Decimal::parse(one), Decimal::parse(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.cmp(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(operator: Operator, value: Option<&str>) -> Test {
        Test {
            attribute: "a".to_owned(),
            operator,
            value: value.map(str::to_owned),
        }
    }

    /// Whether a member with this value passes a test.
    fn passes(value: &str, operator: Operator, wanted: &str) -> bool {
        test(operator, Some(wanted)).holds(Some(value))
    }

    #[test]
    fn values_are_compared_however_they_are_written() {
        for (one, other) in [
            ("Tehran", " TEHRAN "),
            ("ÖL", "öl"),
            ("علي", "علی"),
            ("كرج", "کرج"),
            ("۱۲٫۵", "12٫5"),
            ("٤٥", "۴۵"),
        ] {
            assert!(passes(one, Operator::Equals, other), "{one} {other}");
            assert!(!passes(one, Operator::NotEquals, other), "{one} {other}");
            assert!(
                passes(&format!("x {one} y"), Operator::Contains, other),
                "{one} {other}"
            );
        }
        assert!(!passes("Tehran", Operator::Equals, "Yazd") && passes("Tehran", Operator::NotEquals, "Yazd"));
        assert!(!passes("Tehran", Operator::Contains, "Teheran"));
        assert!(
            !passes("New York", Operator::Equals, "NewYork"),
            "a blank within a value counts"
        );
    }

    #[test]
    fn numbers_are_less_and_greater_as_numbers_and_all_else_as_text() {
        for (less, greater) in [
            ("9", "10"),
            ("-10", "-9"),
            ("۹", "١٠"),
            ("1.5", "1٫75"),
            ("9007199254740992", "9007199254740993"),
            ("1403/05/01", "1403/12/29"),
            ("۱۴۰۳/۰۵/۰۱", "1403/05/02"),
            ("2026-01-31", "2026-02-01"),
            ("gold", "Silver"),
            ("10 days", "9"),
        ] {
            assert!(
                passes(less, Operator::Less, greater) && !passes(less, Operator::Greater, greater),
                "{less}"
            );
            assert!(
                passes(greater, Operator::Greater, less) && !passes(greater, Operator::Less, less),
                "{less}"
            );
        }
        for same in ["7", "x"] {
            assert!(!passes(same, Operator::Less, same) && !passes(same, Operator::Greater, same));
        }
        assert!(!passes("1.0", Operator::Less, "1") && !passes("1.0", Operator::Greater, "1"));
    }

    #[test]
    fn a_missing_value_is_only_missing_or_not_equal() {
        for missing in [None, Some(""), Some(" \u{200f}")] {
            for operator in Operator::ALL {
                let wanted = matches!(operator, Operator::NotEquals | Operator::Missing);
                assert_eq!(test(operator, Some("x")).holds(missing), wanted, "{operator:?}");
            }
        }
        assert!(passes("y", Operator::Exists, "x") && !passes("y", Operator::Missing, "x"));
    }

    #[test]
    fn a_test_without_the_value_that_it_needs_holds_for_nobody() {
        for operator in Operator::ALL {
            for wanted in [None, Some(""), Some(" ")] {
                let test = test(operator, wanted);
                assert_eq!(test.holds(Some("x")), operator == Operator::Exists, "{operator:?}");
                assert_eq!(test.holds(None), operator == Operator::Missing, "{operator:?}");
            }
        }
    }

    #[test]
    fn one_test_is_enough_or_all_must_hold() {
        let city = |value: &str| Test {
            attribute: "city".to_owned(),
            ..test(Operator::Equals, Some(value))
        };
        let age = test(Operator::Greater, Some("18"));
        let holds = |any: bool, tests: &[&Test]| {
            let tests = tests.iter().map(|test| (*test).clone()).collect();
            let value_of = |name: &str| match name {
                "city" => Some("Yazd"),
                _ => Some("20"),
            };
            Condition { any, tests }.holds(value_of)
        };
        assert!(holds(false, &[&city("yazd"), &age]) && !holds(false, &[&city("qom"), &age]));
        assert!(holds(true, &[&city("qom"), &age]) && !holds(true, &[&city("qom"), &city("karaj")]));
        assert!(holds(false, &[]) && !holds(true, &[]));
    }

    #[test]
    fn a_condition_is_stored_as_json() {
        let condition = Condition {
            any: true,
            tests: vec![test(Operator::NotEquals, Some("x")), test(Operator::Exists, None)],
        };
        let json = r#"{"any":true,"tests":[{"attribute":"a","operator":"NOT_EQUALS","value":"x"},{"attribute":"a","operator":"EXISTS","value":null}]}"#;
        assert_eq!(serde_json::to_string(&condition).unwrap(), json);
        assert_eq!(serde_json::from_str::<Condition>(json).unwrap(), condition);
        assert_eq!(condition.names().collect::<Vec<_>>(), ["a", "a"]);
        let short = r#"{"any":false,"tests":[{"attribute":"a","operator":"MISSING"}]}"#;
        assert_eq!(serde_json::from_str::<Condition>(short).unwrap().tests[0].value, None);
    }
}
