//! Makes a priced draft of a send: looks up patterns and phonebooks, fills in texts, and prices every recipient. It decides
//! all that needs no call of the account's object, for sends and for estimates.
//!
//! [`terms`] is what holds for all recipients, [`patterns`] and [`personal`] make the texts, [`cheapest`] finds their cheapest forms,
//! and [`tariff`] prices them.

pub mod cheapest;
pub mod code;
pub mod patterns;
pub mod personal;
pub mod stand_in;
pub mod tariff;
pub mod terms;
pub mod text;

use std::borrow::Cow;
use std::collections::BTreeSet;

use sms::text::{Encoding, Segmentation};
use sms::{
    msisdn::Msisdn,
    price::Operation,
    template::{self, Template},
};

use super::rehearsal;
use super::request::{BulkText, CodeOrder, FilledPattern, NamedAt, NamedNumber, Order, SendRequest};
use crate::account::record::message::code_text::redacted;
use crate::account::record::message::{MessageKind, RecipientText};
use crate::api::http::context::Context;
use crate::api::problem::field_error::{FieldErrorKind, some_of};
use crate::api::problem::{Problem, warning};
use crate::api::shared::names::{pattern_source, phonebook_source};
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::directory::phonebook::audience::{self, Audience, Chosen, Limits, Member};
use crate::directory::{lines::Line, profile::Profile};
use patterns::{Filled, Patterns, fill_all, look_up};
use personal::{Personalised, personalise};
use stand_in::stand_ins;
use tariff::Tariff;
use terms::Terms;
pub use text::MAX_RECIPIENTS_BYTES;
use text::Text;

/// The fault of a message whose recipients have more than [`MAX_RECIPIENTS_BYTES`].
pub fn too_much_text() -> FieldErrorKind {
    FieldErrorKind::TooMuchText {
        max: MAX_RECIPIENTS_BYTES,
    }
}

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
    fn new(kind: MessageKind, line: &'a Line) -> Self {
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

    fn note_patterns(&mut self, patterns: &Patterns) {
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
    fn with_same_text(
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
    fn with_recipients<'n>(
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
            match cost(text.given).and_then(|as_is| Ok((as_is, cost(text.sent)?))) {
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

/// Makes a draft of a request, without the skipped recipients. With `fresh`, it does not use the cache of patterns.
pub async fn draft<'a, P: Platform>(
    context: &Context<'_, P>,
    profile: &'a Profile,
    request: &SendRequest,
    skipped: &BTreeSet<u64>,
    fresh: bool,
) -> Result<Draft<'a>, Problem> {
    let terms = Terms::of(context, profile, request);
    let patterns = look_up(context, &request.order, fresh).await?;
    match &request.order {
        Order::Plain { text, recipients } => {
            let line = terms.line(context, &[Operation::Webservice])?;
            let draft = Draft::new(MessageKind::Plain, line);
            let recipients = kept(recipients, skipped);
            draft.with_same_text(&terms, Filled::of(text.clone()), Operation::Webservice, &recipients)
        }
        Order::Pattern { pattern, recipients } => {
            let line = terms.line(context, &[Operation::Pattern])?;
            let mut texts = fill_all(&terms, line, &[pattern], &patterns)?.into_iter();
            let text = texts.next().ok_or_else(not_filled_in)?;
            let mut draft = Draft::new(MessageKind::Pattern, line);
            draft.note_patterns(&patterns);
            draft.with_same_text(&terms, text, Operation::Pattern, &kept(recipients, skipped))
        }
        Order::Phonebook {
            text,
            phonebooks,
            member,
            exclude,
            keeps_unknown,
        } => {
            let chosen = audience::find(context.platform.db(), context.caller()?.account(), phonebooks).await?;
            let chosen = chosen.ok_or(Problem::NotFound)?;
            let template = personal::template(&terms, text, &chosen, *keeps_unknown)?;
            note_foreign(context, text, &template.names());
            let members = members(context, &terms, &chosen, &template.names(), member, exclude).await?;
            note_doubtful(context, text, &chosen, &template.names(), &members);
            let mut members = match terms.is_test {
                true => stand_ins(members),
                false => members,
            };
            members.retain(|each| !skipped.contains(&each.number.get()));
            phonebook(context, &terms, (text, &template), phonebooks, member, members)
        }
        Order::Bulk(items) => {
            let is_kept = |(named, _): &&(NamedNumber, BulkText)| !skipped.contains(&named.number.get());
            let items: Vec<&(NamedNumber, BulkText)> = items.iter().filter(is_kept).collect();
            bulk(context, &terms, &items, &patterns)
        }
        Order::Code(order) => code(context, &terms, order, &patterns),
    }
}

/// The recipients but the skipped ones.
fn kept<'n>(recipients: &'n [NamedNumber], skipped: &BTreeSet<u64>) -> Cow<'n, [NamedNumber]> {
    if skipped.is_empty() {
        return Cow::Borrowed(recipients);
    }
    let is_kept = |named: &&NamedNumber| !skipped.contains(&named.number.get());
    recipients.iter().filter(is_kept).cloned().collect()
}

/// Warns of a text that has no placeholder, and has what another service takes for one.
pub fn note_foreign<P: Platform>(context: &Context<'_, P>, text: &str, names: &[&str]) {
    if let Some(foreign) = template::foreign(text).filter(|_| names.is_empty()) {
        let warning = warning::foreign_placeholder(context.request.language, foreign);
        context.record.warnings.note(warning);
    }
}

/// Warns of a text that is sent otherwise than its writer may have meant: with the name of an attribute that no phonebook has, or with
/// nothing in place of one that nobody has.
fn note_doubtful<P: Platform>(
    context: &Context<'_, P>,
    text: &str,
    phonebooks: &[Chosen],
    names: &[&str],
    members: &[Member],
) {
    let language = context.request.language;
    let quoted = |names: Vec<&str>| some_of(&names.into_iter().map(|name| format!("%{name}%")).collect::<Vec<_>>());
    let unknown = personal::unknown_attributes(text, phonebooks);
    if !unknown.is_empty() {
        let warning = warning::unknown_attributes(language, &quoted(unknown));
        context.record.warnings.note(warning);
    }
    let is_empty = |place: usize| {
        members
            .iter()
            .all(|member| member.values.get(place).is_none_or(String::is_empty))
    };
    let empty: Vec<&str> = names
        .iter()
        .enumerate()
        .filter(|(place, _)| is_empty(*place))
        .map(|(_, name)| *name)
        .collect();
    if !empty.is_empty() {
        context
            .record
            .warnings
            .note(warning::empty_attributes(language, &quoted(empty)));
    }
}

/// The members of phonebooks, with their values for `names`. `member` is the member of the body that names the phonebooks.
async fn members<P: Platform>(
    context: &Context<'_, P>,
    terms: &Terms<'_, '_>,
    phonebooks: &[Chosen],
    names: &[&str],
    member: &'static str,
    exclude: &[Msisdn],
) -> Result<Vec<Member>, Problem> {
    let max = context.app.config.max_phonebook_recipients;
    let limits = Limits {
        members: max,
        bytes: MAX_RECIPIENTS_BYTES,
    };
    let audience = audience::read(context.platform.db(), phonebooks, names, exclude, limits).await?;
    let fault = |member, kind| Problem::Validation(vec![terms.member_fault(member, kind)]);
    match audience {
        Audience::NotFound => Err(Problem::NotFound),
        Audience::TooMany(count) => Err(fault(member, FieldErrorKind::TooManyRecipients { count, max })),
        Audience::TooLong => Err(fault("message", too_much_text())),
        Audience::Members(members) if members.is_empty() => Err(fault(member, FieldErrorKind::NoRecipients)),
        Audience::Members(members) => Ok(members),
    }
}

fn phonebook<'a, P: Platform>(
    context: &Context<'_, P>,
    terms: &Terms<'a, '_>,
    (text, template): (&str, &Template<'_>),
    phonebooks: &[String],
    member: &'static str,
    members: Vec<Member>,
) -> Result<Draft<'a>, Problem> {
    let named = members.iter().map(|each| NamedNumber {
        number: each.number,
        named_at: NamedAt::Phonebook(member),
    });
    let named: Vec<NamedNumber> = named.collect();
    let personalised = personalise(terms, text, template, members)?;
    let line = terms.line(context, &[Operation::Webservice])?;
    let mut draft = Draft::new(MessageKind::Phonebook, line);
    draft.sources = phonebooks.iter().map(|id| phonebook_source(id)).collect();
    match personalised {
        Personalised::SameText(text) => draft.with_same_text(terms, Filled::of(text), Operation::Webservice, &named),
        Personalised::OwnTexts(texts) => {
            text.clone_into(&mut draft.text);
            let texts = cheapest::of_members(terms, line, text, &named, texts);
            draft.with_recipients(terms, named.iter().zip(texts))
        }
    }
}

fn bulk<'a, P: Platform>(
    context: &Context<'_, P>,
    terms: &Terms<'a, '_>,
    items: &[&(NamedNumber, BulkText)],
    patterns: &Patterns,
) -> Result<Draft<'a>, Problem> {
    let has_messages = items.iter().any(|(_, text)| matches!(text, BulkText::Message(_)));
    let operations: &[Operation] = match (has_messages, patterns.is_empty()) {
        (true, true) => &[Operation::Webservice],
        (true, false) => &[Operation::Webservice, Operation::Pattern],
        (false, _) => &[Operation::Pattern],
    };
    let line = terms.line(context, operations)?;
    let named: Vec<&FilledPattern> = items.iter().filter_map(|(_, text)| text.pattern()).collect();
    let mut filled_in = fill_all(terms, line, &named, patterns)?.into_iter();
    let mut tariff = Tariff::of(terms, line);
    let mut recipients = Vec::with_capacity(items.len());
    for (named, text) in items {
        let (filled, operation) = match text {
            BulkText::Message(text) => (Filled::of(text.clone()), Operation::Webservice),
            BulkText::Pattern(_) => (filled_in.next().ok_or_else(not_filled_in)?, Operation::Pattern),
        };
        let wanted = cheapest::wanted(terms, &mut tariff, filled, operation, &[named.number]);
        recipients.push((named, Text::of(wanted, operation)));
    }
    let is_secret = |(_, text): &(_, Text)| matches!(text.own, Some(RecipientText::Secret { .. }));
    let mut draft = Draft::new(MessageKind::Bulk, line);
    draft.redacted = recipients.iter().any(is_secret).then(String::new);
    draft.note_patterns(patterns);
    draft.with_recipients(terms, recipients.into_iter())
}

fn code<'a, P: Platform>(
    context: &Context<'_, P>,
    terms: &Terms<'a, '_>,
    order: &CodeOrder,
    patterns: &Patterns,
) -> Result<Draft<'a>, Problem> {
    let line = terms.line(context, &[Operation::Pattern])?;
    let pieces = code::pieces(terms, line, order, patterns)?;
    let text = code::measured(terms, order, &pieces)?;
    let mut draft = Draft::new(MessageKind::Verify, line);
    draft.note_patterns(patterns);
    let recipients = std::slice::from_ref(&order.recipient);
    let mut draft = draft.with_same_text(terms, Filled::of(text), Operation::Pattern, recipients)?;
    draft.text = redacted(&pieces);
    draft.pieces = pieces;
    Ok(draft)
}

fn not_filled_in() -> Problem {
    Problem::Internal("a pattern without faults was not filled in".to_owned())
}
