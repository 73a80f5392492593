//! A message with its price, and the pricing of its recipients.

use sms::text::{Encoding, Segmentation};
use sms::{msisdn::Msisdn, price::Operation};

use super::cheapest;
use super::patterns::{Filled, Patterns};
use super::rehearsal;
use super::request::{NamedAt, NamedNumber};
use super::tariff::Tariff;
use super::terms::Terms;
use super::text::Text;
use crate::account::record::message::{MessageKind, RecipientText};
use crate::account::sources::pattern_source;
use crate::base::ports::MAX_INTEGER;
use crate::directory::lines::Line;
use crate::problem::Problem;
use crate::problem::field_error::FieldErrorKind;

/// A message with its price.
#[derive(Debug)]
pub struct Draft<'a> {
    /// The kind of the message.
    pub kind: MessageKind,
    /// The line to send from.
    pub line: &'a Line,
    /// The text of all recipients. It has placeholders if recipients have values of their own, and is empty if recipients
    /// have texts of their own.
    pub text: String,
    /// The text with its secret values redacted; `None` if no text of the message has any.
    pub redacted: Option<String>,
    /// The pieces of the text between which a code stands; empty if it has none. `text` is then redacted.
    pub pieces: Vec<String>,
    /// `UCS2` if the text of any recipient needs it.
    pub encoding: Encoding,
    /// The parts of the longest text.
    pub parts: u32,
    /// The parts of all recipients together.
    pub all_parts: i64,
    /// The recipients.
    pub recipients: Vec<PricedRecipient>,
    /// What all recipients would cost if they got their texts as they were given.
    as_is: i64,
    /// The slugs of the patterns in the message, with their revisions.
    pub patterns: Vec<(String, i64)>,
    /// What the message is made of, by the names of `NewMessage::sources`.
    pub sources: Vec<String>,
}

/// A recipient of a draft.
#[derive(Debug)]
pub struct PricedRecipient {
    /// The number.
    pub number: Msisdn,
    /// Where the body names the number.
    pub named_at: NamedAt,
    /// The price.
    pub cost: i64,
    /// The parts of the recipient's text.
    pub parts: u32,
    /// What the recipient's text has of its own.
    pub text: Option<RecipientText>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(kind: MessageKind, line: &'a Line) -> Self {
        Draft {
            kind,
            line,
            text: String::new(),
            redacted: None,
            pieces: Vec::new(),
            encoding: Encoding::Gsm7,
            parts: 1,
            all_parts: 0,
            recipients: Vec::new(),
            as_is: 0,
            patterns: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// The price of all recipients. A price that no wallet can hold counts as [`MAX_INTEGER`].
    pub fn cost(&self) -> i64 {
        let sum = |sum: i64, recipient: &PricedRecipient| sum.saturating_add(recipient.cost);
        self.recipients.iter().fold(0, sum).min(MAX_INTEGER)
    }

    /// What the recipients would cost more if they got their texts as they were given.
    pub fn saved(&self) -> i64 {
        self.as_is.min(MAX_INTEGER).saturating_sub(self.cost())
    }

    /// Takes the prices away: it is of a test key, which pays nothing.
    pub fn make_free(&mut self) {
        for recipient in &mut self.recipients {
            recipient.cost = 0;
        }
        self.as_is = 0;
    }

    pub(super) fn note_patterns(&mut self, patterns: &Patterns) {
        for pattern in patterns.values() {
            self.patterns.push((pattern.slug.clone(), pattern.revision));
            self.sources.push(pattern_source(&pattern.slug));
        }
    }

    fn note_text(&mut self, segmentation: Segmentation) {
        self.all_parts = self.all_parts.saturating_add(segmentation.parts.into());
        self.parts = self.parts.max(segmentation.parts);
        if segmentation.encoding == Encoding::Ucs2 {
            self.encoding = Encoding::Ucs2;
        }
    }

    /// Adds recipients who all get the same text.
    pub(super) fn with_same_text(
        mut self,
        terms: &Terms<'a, '_>,
        text: Filled,
        operation: Operation,
        recipients: &[NamedNumber],
    ) -> Result<Self, Problem> {
        let numbers: Vec<Msisdn> = recipients.iter().map(|named| named.number).collect();
        let mut tariff = Tariff::of(terms, self.line);
        let Filled {
            text, redacted, given, ..
        } = cheapest::wanted(terms, &mut tariff, text, operation, &numbers);
        let sent = text.segmentation;
        self.text = text.text;
        self.redacted = redacted;
        let text = || Text {
            given,
            sent,
            operation,
            own: None,
        };
        self.with_recipients(terms, recipients.iter().map(|named| (named, text())))
    }

    /// Adds recipients with their prices, or fails if the account can't send to some of them.
    pub(super) fn with_recipients<'n>(
        mut self,
        terms: &Terms<'a, '_>,
        recipients: impl Iterator<Item = (&'n NamedNumber, Text)>,
    ) -> Result<Self, Problem> {
        let mut tariff = Tariff::of(terms, self.line);
        let mut faults = Vec::new();
        for (named, text) in recipients {
            self.note_text(text.sent);
            let mut cost = |segmentation| match terms.is_test && rehearsal::is_barred(named) {
                true => Err(FieldErrorKind::NotADestination(named.number.to_e164())),
                false => tariff.cost(segmentation, text.operation, named.number),
            };
            let both = cost(text.given).and_then(|as_is| match text.sent == text.given {
                true => Ok((as_is, as_is)),
                false => Ok((as_is, cost(text.sent)?)),
            });
            match both {
                Ok((as_is, cost)) => {
                    self.as_is = self.as_is.saturating_add(as_is);
                    self.recipients.push(PricedRecipient {
                        number: named.number,
                        named_at: named.named_at,
                        cost,
                        parts: text.sent.parts,
                        text: text.own,
                    });
                }
                Err(kind) => faults.push(terms.fault_at(named.named_at.path(), kind)),
            }
        }
        if faults.is_empty() {
            Ok(self)
        } else {
            Err(Problem::DestinationNotAllowed(faults))
        }
    }
}
