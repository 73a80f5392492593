//! A message to phonebooks, filled in for each member.

use std::collections::BTreeSet;

use super::terms::Terms;
use crate::account::message::RecipientText;
use crate::directory::audience::Member;
use crate::fault::{Fault, FaultKind};
use crate::problem::Problem;
use crate::sms::template::Template;
use crate::sms::text::{self, Measured, Segmentation};

/// A message to the members of phonebooks.
pub enum Personalised {
    /// The message has no placeholders, so all members get the same text.
    SameText(Measured),
    /// The length of each member's text, and the values that make the text.
    OwnTexts(Vec<(Segmentation, RecipientText)>),
}

/// Fills in a message for each member.
pub fn personalise(terms: &Terms<'_, '_>, text: &str, members: &[Member]) -> Result<Personalised, Problem> {
    let attributes = members.iter().flat_map(|member| member.attributes.keys());
    let known: BTreeSet<&str> = attributes.map(String::as_str).chain(["name"]).collect();
    let template = Template::parse(text, |name| known.contains(name));
    match template.names().is_empty() {
        true => same_text(terms, text).map(Personalised::SameText),
        false => own_texts(terms, &template, members).map(Personalised::OwnTexts),
    }
}

fn same_text(terms: &Terms<'_, '_>, text: &str) -> Result<Measured, Problem> {
    let text = Measured::of(text.to_owned());
    let (parts, max) = (text.segmentation.parts, terms.max_parts);
    if parts > max {
        let fault = terms.member_fault("message", FaultKind::TooManyParts { parts, max });
        return Err(Problem::Validation(vec![fault]));
    }
    Ok(text)
}

fn own_texts(
    terms: &Terms<'_, '_>,
    template: &Template<'_>,
    members: &[Member],
) -> Result<Vec<(Segmentation, RecipientText)>, Problem> {
    let names = template.names();
    let mut faults: Vec<Fault> = Vec::new();
    let mut texts = Vec::with_capacity(members.len());
    for member in members {
        let text = template.fill(|name| value_of(member, name));
        let segmentation = text::segment(&text);
        if let Some(kind) = fault_kind(member, &text, segmentation.parts, terms.max_parts) {
            faults.push(terms.member_fault("message", kind));
        }
        let values = names
            .iter()
            .map(|name| ((*name).to_owned(), value_of(member, name).to_owned()));
        texts.push((segmentation, RecipientText::Values(values.collect())));
    }
    match faults.is_empty() {
        true => Ok(texts),
        false => Err(Problem::Validation(faults)),
    }
}

/// The value of a placeholder for a member. A value that the member lacks is empty.
fn value_of<'m>(member: &'m Member, name: &str) -> &'m str {
    match name {
        "name" => member.name.as_deref().unwrap_or_default(),
        _ => member.attributes.get(name).map_or("", String::as_str),
    }
}

/// Why a member can't get a text.
fn fault_kind(member: &Member, text: &str, parts: u32, max: u32) -> Option<FaultKind> {
    let recipient = || member.number.to_e164();
    match text.is_empty() {
        true => Some(FaultKind::EmptyFor(recipient())),
        false => (parts > max).then(|| FaultKind::TooManyPartsFor {
            recipient: recipient(),
            parts,
            max,
        }),
    }
}
