//! The prices of one message.

use sms::destination::Barred;
use sms::msisdn::{Msisdn, Operator};
use sms::price::{Operation, price};
use sms::text::{Encoding, Segmentation};

use super::terms::Terms;
use crate::base::{config::Config, ports::MAX_INTEGER};
use crate::directory::{lines::Line, profile::Profile};
use crate::problem::field_error::FieldErrorKind;

/// Prices that are kept at most. With more, to look through them takes as long as to compute one.
const MAX_KNOWN: usize = 32;

/// What a price depends on, beside the line: the price of one part, the parts, and what the coefficients are of.
type Priced = (i64, u32, Encoding, Operator, Operation);

/// The prices of one line. A price is mostly computed once.
pub struct Tariff<'a, 'r> {
    profile: &'a Profile,
    config: &'r Config,
    line: &'a Line,
    known: Vec<(Priced, i64)>,
}

impl<'a, 'r> Tariff<'a, 'r> {
    /// The prices of this line on these terms.
    pub fn of(terms: &Terms<'a, 'r>, line: &'a Line) -> Self {
        Tariff {
            profile: terms.profile,
            config: terms.config,
            line,
            known: Vec::new(),
        }
    }

    /// What a text costs for one recipient. A price that no wallet can hold counts as [`MAX_INTEGER`]. Fails for a number to
    /// which the account can't send.
    pub fn cost(
        &mut self,
        segmentation: Segmentation,
        operation: Operation,
        number: Msisdn,
    ) -> Result<i64, FieldErrorKind> {
        let price_of_part = self.price_of_part(number)?;
        let Segmentation { parts, encoding, .. } = segmentation;
        let operator = number.operator();
        let priced = (price_of_part, parts, encoding, operator, operation);
        if let Some((_, cost)) = self.known.iter().find(|(known, _)| *known == priced) {
            return Ok(*cost);
        }
        let coefficients = &self.line.coefficients;
        let cost = price(parts, price_of_part, coefficients, encoding, operator, operation).unwrap_or(MAX_INTEGER);
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.push((priced, cost));
        Ok(cost)
    }

    fn price_of_part(&self, number: Msisdn) -> Result<i64, FieldErrorKind> {
        let fault = |barred| match barred {
            Barred::Destination => FieldErrorKind::NotADestination(number.to_e164()),
            Barred::NoPrice => FieldErrorKind::NoPrice(number.to_e164()),
        };
        self.profile.price_of_part(self.config, number).map_err(fault)
    }
}
