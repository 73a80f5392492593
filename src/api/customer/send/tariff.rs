//! The prices of one message.

use std::collections::HashMap;

use super::terms::Terms;
use crate::base::ports::MAX_INTEGER;
use crate::directory::lines::Line;
use crate::sms::msisdn::{Msisdn, Operator};
use crate::sms::price::{Operation, price};
use crate::sms::text::{Encoding, Segmentation};

/// The prices of one line. Each price is computed once.
pub struct Tariff<'a> {
    price_of_part: i64,
    line: &'a Line,
    is_free: bool,
    known: HashMap<(u32, Encoding, Operator, Operation), i64>,
}

impl<'a> Tariff<'a> {
    /// The prices of this line on these terms.
    pub fn of(terms: &Terms<'a, '_>, line: &'a Line) -> Self {
        Tariff {
            price_of_part: terms.profile.plan.price,
            line,
            is_free: terms.is_free,
            known: HashMap::new(),
        }
    }

    /// What a text costs for one recipient. A price that no wallet can hold counts as [`MAX_INTEGER`].
    pub fn cost(&mut self, segmentation: Segmentation, operation: Operation, number: Msisdn) -> i64 {
        if self.is_free {
            return 0;
        }
        let Segmentation { parts, encoding, .. } = segmentation;
        let operator = number.operator();
        let (price_of_part, coefficients) = (self.price_of_part, &self.line.coefficients);
        *self
            .known
            .entry((parts, encoding, operator, operation))
            .or_insert_with(|| {
                price(parts, price_of_part, coefficients, encoding, operator, operation).unwrap_or(MAX_INTEGER)
            })
    }
}
