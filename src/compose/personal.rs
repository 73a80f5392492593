//! A message to phonebooks, filled in for each member.

use std::collections::{BTreeMap, BTreeSet};

use sms::text::{self, Measured, Segmentation};
use sms::{
    msisdn::Msisdn,
    template::{Template, is_variable_name},
};

use super::terms::Terms;
use crate::account::record::message::RecipientText;
use crate::directory::lines::Line;
use crate::directory::phonebook::audience::{Chosen, Member};
use crate::directory::phonebook::titles;
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, some_of};

/// A message has at most this many different placeholders: the name, and as many attributes as a number may have.
const MAX_PLACEHOLDERS: usize = 21;
/// The problem of a message names at most this many recipients.
const MAX_FAULTS: usize = 100;

/// A message to the members of phonebooks.
pub enum Personalised {
    /// The message has no placeholders, so all members get the same text.
    SameText(Measured),
    /// The length of each member's text, and the values that make the text.
    OwnTexts(Vec<(Segmentation, RecipientText)>),
}

/// Splits a message at its placeholders: those that one of the phonebooks has. Another one is a fault, or kept as text. Anything else
/// between two `%` is text.
pub fn template<'t>(
    terms: &Terms<'_, '_>,
    text: &'t str,
    phonebooks: &[Chosen],
    keeps_unknown: bool,
) -> Result<Template<'t>, Problem> {
    let is_known = |name: &str| phonebooks.iter().any(|phonebook| phonebook.has(name));
    if !keeps_unknown {
        check_known(terms, text, phonebooks, is_known)?;
    }
    let template = Template::parse(text, is_known);
    if template.names().len() > MAX_PLACEHOLDERS {
        let kind = FieldErrorKind::TooManyPlaceholders { max: MAX_PLACEHOLDERS };
        Err(Problem::Validation(vec![terms.member_fault("message", kind)]))
    } else {
        Ok(template)
    }
}

/// Refuses a text with what looks like a placeholder and is none.
fn check_known(
    terms: &Terms<'_, '_>,
    text: &str,
    phonebooks: &[Chosen],
    is_known: impl Fn(&str) -> bool,
) -> Result<(), Problem> {
    let seen = Template::parse(text, |name| is_known(name) || is_variable_name(name));
    let quoted = |name: &str| format!("%{name}%");
    let unknown: Vec<String> = seen
        .names()
        .into_iter()
        .filter(|name| !is_known(name))
        .map(quoted)
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let known: BTreeSet<&str> = phonebooks.iter().flat_map(Chosen::names).collect();
    let kind = FieldErrorKind::UnknownPlaceholders {
        unknown: some_of(&unknown),
        known: some_of(&known.into_iter().map(quoted).collect::<Vec<_>>()),
    };
    Err(Problem::Validation(vec![terms.member_fault("message", kind)]))
}

/// What has the form of an attribute's name between two `%`, and is an attribute of none of these phonebooks. One of a single word
/// is here only if the request keeps it.
pub fn unknown_attributes<'t>(text: &'t str, phonebooks: &[Chosen]) -> Vec<&'t str> {
    let is_known = |name: &str| phonebooks.iter().any(|phonebook| phonebook.has(name));
    let seen = Template::parse(text, |name| is_known(name) || titles::is_attribute(name));
    seen.names().into_iter().filter(|name| !is_known(name)).collect()
}

/// Fills in a message for each member. The members' values are in the order of the template's names.
pub fn personalise(
    terms: &Terms<'_, '_>,
    line: &Line,
    text: &str,
    template: &Template<'_>,
    members: Vec<Member>,
) -> Result<Personalised, Problem> {
    if template.names().is_empty() {
        same_text(terms, text).map(Personalised::SameText)
    } else {
        own_texts(terms, line, template, members).map(Personalised::OwnTexts)
    }
}

fn same_text(terms: &Terms<'_, '_>, text: &str) -> Result<Measured, Problem> {
    let text = Measured::of(text.to_owned());
    let (parts, max) = (text.segmentation.parts, terms.config.max_parts);
    if parts > max {
        let fault = terms.member_fault("message", FieldErrorKind::TooManyParts { parts, max });
        return Err(Problem::Validation(vec![fault]));
    }
    Ok(text)
}

fn own_texts(
    terms: &Terms<'_, '_>,
    line: &Line,
    template: &Template<'_>,
    members: Vec<Member>,
) -> Result<Vec<(Segmentation, RecipientText)>, Problem> {
    let mut faults: Vec<FieldError> = Vec::new();
    let mut texts = Vec::with_capacity(members.len());
    for member in members {
        let (text, values) = filled(template, &member);
        let segmentation = text::segment(&text);
        let is_empty = terms.says_nothing(line, &text);
        if let Some(kind) = fault_kind(member.number, is_empty, segmentation.parts, terms.config.max_parts) {
            faults.push(terms.member_fault("message", kind));
        }
        // A text of many placeholders can be long, so not many that are too long are made.
        if faults.len() >= MAX_FAULTS {
            break;
        }
        texts.push((segmentation, RecipientText::Values(values)));
    }
    if faults.is_empty() {
        Ok(texts)
    } else {
        Err(Problem::Validation(faults))
    }
}

/// Whether a member can get its text.
pub fn is_sendable(terms: &Terms<'_, '_>, line: &Line, template: &Template<'_>, member: &Member) -> bool {
    if template.names().is_empty() {
        return true;
    }
    let (text, _) = filled(template, member);
    let parts = text::segment(&text).parts;
    let is_empty = terms.says_nothing(line, &text);
    fault_kind(member.number, is_empty, parts, terms.config.max_parts).is_none()
}

/// The text of a member, and the values that make it.
fn filled(template: &Template<'_>, member: &Member) -> (String, BTreeMap<String, String>) {
    let names = template.names().into_iter().map(str::to_owned);
    let values: BTreeMap<String, String> = names.zip(member.values.iter().cloned()).collect();
    let text = template.fill(|name| values.get(name).map_or("", String::as_str));
    (text, values)
}

/// Why a member can't get a text.
fn fault_kind(number: Msisdn, is_empty: bool, parts: u32, max: u32) -> Option<FieldErrorKind> {
    let recipient = || number.to_e164();
    if is_empty {
        Some(FieldErrorKind::EmptyFor(recipient()))
    } else {
        (parts > max).then(|| FieldErrorKind::TooManyPartsFor {
            recipient: recipient(),
            parts,
            max,
        })
    }
}
