//! Makes a message of a request: looks up patterns and phonebooks, fills in texts, and prices every recipient. It decides all that needs
//! no call of the account's object, for sends and for estimates.
//!
//! A [`request`] is what to send, to whom; the [`composer`] is for whom it is made, and with what. [`terms`] is what holds for all
//! recipients, [`patterns`], [`personal`] and [`code`] make the texts, [`cheapest`] finds their cheapest forms, and [`tariff`] prices
//! them. The [`draft`](draft::Draft) becomes a [`message`] with its [`chunks`]. A [`wave`] of a campaign is made the same way.

pub mod cheapest;
pub mod chunks;
pub mod code;
pub mod composer;
pub mod draft;
pub mod learned;
pub mod message;
pub mod patterns;
pub mod personal;
pub mod rehearsal;
pub mod request;
pub mod stand_in;
pub mod tariff;
pub mod terms;
pub mod text;
pub mod wave;

use std::borrow::Cow;
use std::collections::BTreeMap;

use sms::msisdn::Msisdn;
use sms::price::Operation;
use sms::template::{self, Template};

use crate::account::record::message::code_text::redacted;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::{MessageKind, RecipientText};
use crate::account::sources::phonebook_source;
use crate::base::language::Language;
use crate::base::ports::Platform;
use crate::directory::lines::Line;
use crate::directory::phonebook::audience::{self, Audience, Chosen, Limits, Member};
use crate::problem::field_error::{FieldErrorKind, Step, some_of};
use crate::problem::{Problem, warning, warning::Remarks};
use composer::Composer;
use draft::Draft;
use learned::Learned;
use patterns::{Filled, Patterns, fill_all, look_up};
use personal::{Personalised, personalise};
use request::{BulkText, CodeOrder, FilledPattern, NamedAt, NamedNumber, Order, SendRequest};
use stand_in::stand_ins;
use tariff::Tariff;
use terms::Terms;
use text::{MAX_RECIPIENTS_BYTES, Text, too_much_text};

/// Makes a draft of a request, with what earlier tries have learned: without the recipients that are left out, and without the cache
/// of patterns if one was stale.
pub async fn draft<'a, P: Platform>(
    composer: &Composer<'a, P>,
    request: &SendRequest,
    learned: &Learned,
) -> Result<Draft<'a>, Problem> {
    let terms = Terms::of(composer, request);
    let skipped = &learned.skipped;
    let patterns = look_up(composer, &request.order, learned.heard.is_some()).await?;
    match &request.order {
        Order::Plain { text, recipients } => {
            let line = terms.line(&[Operation::Webservice])?;
            let text = terms.measured(line, text, || vec![Step::Name("message".to_owned())]);
            let text = Filled::of(text.map_err(|fault| Problem::Validation(vec![fault]))?);
            let draft = Draft::new(MessageKind::Plain, line);
            draft.with_same_text(&terms, text, Operation::Webservice, &kept(recipients, skipped))
        }
        Order::Pattern { pattern, recipients } => {
            let line = terms.line(&[Operation::Pattern])?;
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
            let chosen = audience::find(composer.platform.db(), composer.account, phonebooks).await?;
            let chosen = chosen.ok_or(Problem::NotFound)?;
            let line = terms.line(&[Operation::Webservice])?;
            let text = &terms.suffixed(line, text);
            let template = personal::template(&terms, text, &chosen, *keeps_unknown)?;
            note_foreign(composer.warnings, composer.language, text, &template.names());
            // A test key may not learn whether somebody is a member.
            let exclude = if terms.is_test { &[] } else { exclude.as_slice() };
            let members = members(composer, &terms, &chosen, &template.names(), member, exclude).await?;
            note_doubtful(composer, text, &chosen, &template.names(), &members);
            let mut members = match terms.is_test {
                true => stand_ins(members, 0),
                false => members,
            };
            members.retain(|each| !skipped.contains_key(&each.number.get()));
            phonebook(&terms, line, (text, &template), phonebooks, member, members)
        }
        Order::Bulk(items) => {
            let is_kept = |(named, _): &&(NamedNumber, BulkText)| !skipped.contains_key(&named.number.get());
            let items: Vec<&(NamedNumber, BulkText)> = items.iter().filter(is_kept).collect();
            bulk(&terms, &items, &patterns)
        }
        Order::Code(order) => code(&terms, order, &patterns),
    }
}

/// The recipients but the skipped ones.
fn kept<'n>(recipients: &'n [NamedNumber], skipped: &BTreeMap<u64, DeliveryError>) -> Cow<'n, [NamedNumber]> {
    if skipped.is_empty() {
        return Cow::Borrowed(recipients);
    }
    let is_kept = |named: &&NamedNumber| !skipped.contains_key(&named.number.get());
    recipients.iter().filter(is_kept).cloned().collect()
}

/// Warns of a text that has no placeholder, and has what another service takes for one.
pub fn note_foreign(warnings: &Remarks, language: Language, text: &str, names: &[&str]) {
    if let Some(foreign) = template::foreign(text).filter(|_| names.is_empty()) {
        warnings.note(warning::foreign_placeholder(language, foreign));
    }
}

/// Warns of a text that is sent otherwise than its writer may have meant: with the name of an attribute that no phonebook has, or with
/// nothing in place of one that nobody has.
fn note_doubtful<P: Platform>(
    composer: &Composer<'_, P>,
    text: &str,
    phonebooks: &[Chosen],
    names: &[&str],
    members: &[Member],
) {
    note_unknown(composer, text, phonebooks);
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
        composer
            .warnings
            .note(warning::empty_attributes(composer.language, &quoted(empty)));
    }
}

/// Warns of a text that has the name of an attribute which no phonebook has.
fn note_unknown<P: Platform>(composer: &Composer<'_, P>, text: &str, phonebooks: &[Chosen]) {
    let unknown = personal::unknown_attributes(text, phonebooks);
    if !unknown.is_empty() {
        let warning = warning::unknown_attributes(composer.language, &quoted(unknown));
        composer.warnings.note(warning);
    }
}

/// Some of these names, as placeholders are written.
fn quoted(names: Vec<&str>) -> String {
    some_of(&names.into_iter().map(|name| format!("%{name}%")).collect::<Vec<_>>())
}

/// The members of phonebooks, with their values for `names`. `member` is the member of the body that names the phonebooks.
async fn members<P: Platform>(
    composer: &Composer<'_, P>,
    terms: &Terms<'_, '_>,
    phonebooks: &[Chosen],
    names: &[&str],
    member: &'static str,
    exclude: &[Msisdn],
) -> Result<Vec<Member>, Problem> {
    let max = composer.config.max_phonebook_recipients;
    let limits = Limits {
        members: max,
        bytes: MAX_RECIPIENTS_BYTES,
    };
    let audience = audience::read(composer.platform.db(), phonebooks, names, exclude, limits).await?;
    let fault = |member, kind| Problem::Validation(vec![terms.member_fault(member, kind)]);
    match audience {
        Audience::NotFound => Err(Problem::NotFound),
        Audience::TooMany(count) => Err(fault(member, FieldErrorKind::TooManyRecipients { count, max })),
        Audience::TooLong => Err(fault("message", too_much_text())),
        Audience::Members(members) if members.is_empty() => Err(fault(member, FieldErrorKind::NoRecipients)),
        Audience::Members(members) => Ok(members),
    }
}

fn phonebook<'a>(
    terms: &Terms<'a, '_>,
    line: &'a Line,
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
    let personalised = personalise(terms, line, text, template, members)?;
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

fn bulk<'a>(
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
    let line = terms.line(operations)?;
    let named: Vec<&FilledPattern> = items.iter().filter_map(|(_, text)| text.pattern()).collect();
    let mut filled_in = fill_all(terms, line, &named, patterns)?.into_iter();
    let mut tariff = Tariff::of(terms, line);
    let (mut recipients, mut faults) = (Vec::with_capacity(items.len()), Vec::new());
    for (named, text) in items {
        let (filled, operation) = match text {
            BulkText::Message(text) => match terms.measured(line, text, || named.named_at.message_path()) {
                Ok(text) => (Filled::of(text), Operation::Webservice),
                Err(fault) => {
                    faults.push(fault);
                    continue;
                }
            },
            BulkText::Pattern(_) => (filled_in.next().ok_or_else(not_filled_in)?, Operation::Pattern),
        };
        let wanted = cheapest::wanted(terms, &mut tariff, filled, operation, &[named.number]);
        recipients.push((named, Text::of(wanted, operation)));
    }
    if !faults.is_empty() {
        return Err(Problem::Validation(faults));
    }
    let is_secret = |(_, text): &(_, Text)| matches!(text.own, Some(RecipientText::Secret { .. }));
    let mut draft = Draft::new(MessageKind::Bulk, line);
    draft.redacted = recipients.iter().any(is_secret).then(String::new);
    draft.note_patterns(patterns);
    draft.with_recipients(terms, recipients.into_iter())
}

fn code<'a>(terms: &Terms<'a, '_>, order: &CodeOrder, patterns: &Patterns) -> Result<Draft<'a>, Problem> {
    let line = terms.line(&[Operation::Pattern])?;
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
