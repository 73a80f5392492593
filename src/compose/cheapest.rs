//! The cheapest forms of the texts of a send that asks for them.

use sms::alternatives::{Priced, alternatives};
use sms::msisdn::Msisdn;
use sms::price::Operation;
use sms::text::{Measured, Segmentation};

use super::patterns::Filled;
use super::request::NamedNumber;
use super::tariff::Tariff;
use super::terms::Terms;
use super::text::{MAX_RECIPIENTS_BYTES, Text};
use crate::account::record::message::RecipientText;
use crate::base::ports::MAX_INTEGER;
use crate::directory::lines::Line;

/// What a recipient has beside its text on the way to the account's object: the number, the price, the chunk and the parts.
const BYTES_BESIDE_TEXT: usize = 64;

/// The forms of a text that cost less, the cheapest first. All of these numbers get the same text.
pub fn cheaper(
    terms: &Terms<'_, '_>,
    tariff: &mut Tariff<'_, '_>,
    text: &str,
    operation: Operation,
    numbers: &[Msisdn],
) -> Vec<Priced> {
    alternatives(text, |segmentation| {
        let is_allowed = segmentation.parts <= terms.config.max_parts;
        is_allowed
            .then(|| total(tariff, segmentation, operation, numbers))
            .flatten()
    })
}

/// The price of all recipients, if the text is sent so. `None`: the account can't send to all of them.
fn total(
    tariff: &mut Tariff<'_, '_>,
    segmentation: Segmentation,
    operation: Operation,
    numbers: &[Msisdn],
) -> Option<i64> {
    let sum = numbers.iter().try_fold(0_i64, |sum, number| {
        let cost = tariff.cost(segmentation, operation, *number).ok()?;
        Some(sum.saturating_add(cost))
    });
    sum.map(|sum| sum.min(MAX_INTEGER))
}

/// A text in the form in which the send wants it.
pub fn wanted(
    terms: &Terms<'_, '_>,
    tariff: &mut Tariff<'_, '_>,
    filled: Filled,
    operation: Operation,
    numbers: &[Msisdn],
) -> Filled {
    if !terms.is_cheapest {
        return filled;
    }
    let forms = cheaper(terms, tariff, &filled.text.text, operation, numbers);
    filled.in_one_of(forms)
}

/// The texts of a phonebook's members, in the form in which the send wants them. A member whose text costs less in another form gets the
/// whole text in place of values. What would make the send too large stays as it is: a send that could be made is not refused.
pub fn of_members(
    terms: &Terms<'_, '_>,
    line: &Line,
    message: &str,
    members: &[NamedNumber],
    texts: Vec<(Segmentation, RecipientText)>,
) -> Vec<Text> {
    let mut tariff = Tariff::of(terms, line);
    let mut bytes = 0;
    if terms.is_cheapest {
        bytes = texts.iter().map(|(_, own)| bytes_of(own)).sum();
    }
    let text = |((given, own), named): ((Segmentation, RecipientText), &NamedNumber)| {
        let as_is = Text::as_is(given, Operation::Webservice, Some(own));
        if !terms.is_cheapest {
            return as_is;
        }
        let Some(form) = form_of_member(terms, &mut tariff, message, &as_is, named.number) else {
            return as_is;
        };
        let with_form =
            bytes.saturating_sub(as_is.own.as_ref().map_or(0, bytes_of)) + form.own.as_ref().map_or(0, bytes_of);
        if with_form > MAX_RECIPIENTS_BYTES {
            return as_is;
        }
        bytes = with_form;
        form
    };
    texts.into_iter().zip(members).map(text).collect()
}

/// A cheaper form of a member's text.
fn form_of_member(
    terms: &Terms<'_, '_>,
    tariff: &mut Tariff<'_, '_>,
    message: &str,
    as_is: &Text,
    number: Msisdn,
) -> Option<Text> {
    let filled = Filled::of(Measured::of(as_is.own.as_ref()?.fill(message)));
    let wanted = wanted(terms, tariff, filled, as_is.operation, &[number]);
    let is_other = wanted.text.segmentation != as_is.given;
    is_other.then(|| Text::of(wanted, as_is.operation))
}

/// How many bytes a recipient with this text has on the way to the account's object.
fn bytes_of(own: &RecipientText) -> usize {
    serde_json::to_string(own).map_or(MAX_RECIPIENTS_BYTES, |json| json.len() + BYTES_BESIDE_TEXT)
}
