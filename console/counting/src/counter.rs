//! Prices texts for a list of recipients. The list is read once; a text then costs one price for each kind of recipient, however many
//! there are.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sms::alternatives::alternatives;
use sms::destination::price_of_part;
use sms::msisdn::{Msisdn, Operator};
use sms::price::{MAX_AMOUNT, price};
use sms::suffix::with_suffix;
use sms::text::{Segmentation, normalise, room_in_last_part, segment};

use crate::answers::{Alternative, Count, OfOperator, Recipient, name_of};
use crate::terms::Terms;

/// Recipients who all pay the same for a text.
#[derive(Debug)]
struct Group {
    price_of_part: i64,
    operator: Operator,
    recipients: i64,
}

/// The terms of a send, and its recipients.
#[derive(Debug)]
pub struct Counter {
    terms: Terms,
    groups: Vec<Group>,
}

impl Counter {
    pub fn new(terms: Terms) -> Self {
        let groups = Vec::new();
        Counter { terms, groups }
    }

    /// Takes these numbers for the recipients, in place of those before.
    pub fn set_recipients(&mut self, written: &[String]) -> Vec<Recipient> {
        self.groups.clear();
        let mut seen = BTreeSet::new();
        written.iter().map(|number| self.recipient(number, &mut seen)).collect()
    }

    fn recipient(&mut self, written: &str, seen: &mut BTreeSet<Msisdn>) -> Recipient {
        let Ok(number) = Msisdn::parse(written) else {
            return Recipient::unreadable();
        };
        let terms = &self.terms;
        let price = match price_of_part(number, &terms.destinations, terms.price, &terms.prices) {
            Ok(price) => price,
            Err(barred) => return Recipient::barred(number.to_e164(), barred),
        };
        let operator = number.operator();
        let repeated = !seen.insert(number);
        if !repeated {
            self.add(price, operator);
        }
        Recipient::Good {
            number: number.to_e164(),
            operator: name_of(operator),
            repeated,
        }
    }

    fn add(&mut self, price_of_part: i64, operator: Operator) {
        let is_same = |group: &&mut Group| group.price_of_part == price_of_part && group.operator == operator;
        match self.groups.iter_mut().find(is_same) {
            Some(group) => group.recipients += 1,
            None => self.groups.push(Group {
                price_of_part,
                operator,
                recipients: 1,
            }),
        }
    }

    /// What a text takes and costs.
    pub fn count(&self, text: &str) -> Count {
        let recipients = self.groups.iter().map(|group| group.recipients).sum();
        let suffix = self.terms.suffix.as_deref().filter(|_| recipients > 1);
        let text = normalise(text);
        let text = suffix
            .and_then(|suffix| with_suffix(&text, suffix))
            .map_or(text, Cow::Owned);
        let segmentation = segment(&text);
        let Segmentation { encoding, parts, units } = segmentation;
        Count {
            encoding: encoding.as_str(),
            parts,
            units,
            units_left: room_in_last_part(&text),
            too_long: parts > self.terms.max_parts,
            recipients,
            cost: self.cost(segmentation, |_| true),
            operators: self.operators(segmentation),
            suffix: suffix.map(str::to_owned),
            alternatives: self.alternatives(&text),
        }
    }

    /// The price for all recipients whose operator is meant. One that no wallet can hold counts as [`MAX_AMOUNT`], as in the service.
    fn cost(&self, segmentation: Segmentation, is_meant: impl Fn(Operator) -> bool) -> i64 {
        let Segmentation { encoding, parts, .. } = segmentation;
        let Terms {
            coefficients,
            operation,
            ..
        } = &self.terms;
        let meant = self.groups.iter().filter(|group| is_meant(group.operator));
        let costs = meant.map(|group| {
            let one = price(
                parts,
                group.price_of_part,
                coefficients,
                encoding,
                group.operator,
                *operation,
            );
            one.unwrap_or(MAX_AMOUNT).saturating_mul(group.recipients)
        });
        costs.fold(0, i64::saturating_add).min(MAX_AMOUNT)
    }

    fn operators(&self, segmentation: Segmentation) -> Vec<OfOperator> {
        let of_operator = |operator| {
            let own = self.groups.iter().filter(|group| group.operator == operator);
            OfOperator {
                operator: name_of(operator),
                recipients: own.map(|group| group.recipients).sum(),
                cost: self.cost(segmentation, |one| one == operator),
            }
        };
        let all = [Operator::Mci, Operator::Mtn, Operator::Other].map(of_operator);
        all.into_iter().filter(|one| one.recipients > 0).collect()
    }

    fn alternatives(&self, text: &str) -> Vec<Alternative> {
        if !self.terms.cheapest {
            return Vec::new();
        }
        let cost = |segmentation: Segmentation| {
            (segmentation.parts <= self.terms.max_parts).then(|| self.cost(segmentation, |_| true))
        };
        alternatives(text, cost).into_iter().map(Alternative::from).collect()
    }
}
