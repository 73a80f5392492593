//! FaultKind the recipients of one message cost.

use std::collections::HashMap;

use super::draft::Desk;
use crate::directory::lines::Line;
use crate::ports::MAX_INTEGER;
use crate::sms::msisdn::{Msisdn, Operator};
use crate::sms::price::{Operation, price};
use crate::sms::text::{Encoding, Segmentation};

/// The prices of one line, each computed once.
pub struct Tariff<'a> {
    price: i64,
    line: &'a Line,
    free: bool,
    known: HashMap<(u32, Encoding, Operator, Operation), i64>,
}

impl<'a> Tariff<'a> {
    /// The prices of this line for the account that sends.
    pub fn of(desk: &Desk<'a, '_>, line: &'a Line) -> Self {
        Tariff {
            price: desk.profile.plan.price,
            line,
            free: desk.free,
            known: HashMap::new(),
        }
    }

    /// FaultKind a text costs to one recipient; more than a wallet can hold is as much as no wallet holds.
    pub fn cost(&mut self, segmentation: Segmentation, operation: Operation, number: Msisdn) -> i64 {
        if self.free {
            return 0;
        }
        let Segmentation { parts, encoding, .. } = segmentation;
        let operator = number.operator();
        let (tariff, line) = (self.price, self.line);
        *self
            .known
            .entry((parts, encoding, operator, operation))
            .or_insert_with(|| {
                price(parts, tariff, &line.coefficients, encoding, operator, operation).unwrap_or(MAX_INTEGER)
            })
    }
}
