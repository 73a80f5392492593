//! The prices of one message.

use std::collections::BTreeMap;

use sms::destination::Barred;
use sms::msisdn::{Msisdn, Operator};
use sms::price::{Operation, price};
use sms::text::{Encoding, Segmentation};

use super::terms::Terms;
use crate::base::{config::Config, ports::MAX_INTEGER};
use crate::directory::{lines::Line, profile::Profile};
use crate::problem::field_error::FieldErrorKind;

/// The prices of one line. Each price is computed once.
pub struct Tariff<'a, 'r> {
    profile: &'a Profile,
    config: &'r Config,
    line: &'a Line,
    known: BTreeMap<(i64, u32, Encoding, Operator, Operation), i64>,
}

impl<'a, 'r> Tariff<'a, 'r> {
    /// The prices of this line on these terms.
    pub fn of(terms: &Terms<'a, 'r>, line: &'a Line) -> Self {
        Tariff {
            profile: terms.profile,
            config: terms.config,
            line,
            known: BTreeMap::new(),
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
        let coefficients = &self.line.coefficients;
        let cost = self
            .known
            .entry((price_of_part, parts, encoding, operator, operation))
            .or_insert_with(|| {
                price(parts, price_of_part, coefficients, encoding, operator, operation).unwrap_or(MAX_INTEGER)
            });
        Ok(*cost)
    }

    fn price_of_part(&self, number: Msisdn) -> Result<i64, FieldErrorKind> {
        let fault = |barred| match barred {
            Barred::Destination => FieldErrorKind::NotADestination(number.to_e164()),
            Barred::NoPrice => FieldErrorKind::NoPrice(number.to_e164()),
        };
        self.profile.price_of_part(self.config, number).map_err(fault)
    }
}
