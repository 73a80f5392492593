//! Texts with their values in: patterns, looked up and filled, and messages made personal.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::draft::Desk;
use super::parse::{Filling, Order};
use crate::account::message::RecipientText;
use crate::api::context::Context;
use crate::directory::audience::Member;
use crate::directory::lines::Line;
use crate::directory::patterns::{self, ActivePattern};
use crate::fault::{Fault, FaultKind, Step};
use crate::ports::Platform;
use crate::problem::Problem;
use crate::sms::template::Template;
use crate::sms::text::{self, Measured, Segmentation};
use crate::sms::variable::Invalid;

/// Active patterns by their slugs.
pub type Patterns = BTreeMap<String, Rc<ActivePattern>>;

/// The active patterns that an order names, all of them.
pub async fn look_up<P: Platform>(context: &Context<'_, P>, order: &Order, fresh: bool) -> Result<Patterns, Problem> {
    let fillings = order.patterns();
    let slugs: BTreeSet<&str> = fillings.iter().map(|filling| filling.slug.as_str()).collect();
    let account = context.caller()?.account();
    let cache = &context.app.patterns;
    let name = |slug: &str| format!("{account}/{slug}");
    let mut patterns = Patterns::new();
    let mut missing = Vec::new();
    for slug in slugs {
        match cache.get(&name(slug), context.request.now_ms).filter(|_| !fresh) {
            Some(pattern) => drop(patterns.insert(slug.to_owned(), pattern)),
            None => missing.push(slug),
        }
    }
    if !missing.is_empty() {
        for pattern in patterns::active(context.platform.db(), account, &missing).await? {
            let slug = pattern.slug.clone();
            patterns.insert(slug.clone(), cache.put(&name(&slug), context.request.now_ms, pattern));
        }
    }
    let unknown = fillings.iter().filter(|filling| !patterns.contains_key(&filling.slug));
    let faults: Vec<Fault> = unknown
        .map(|filling| fault_of(filling, &["pattern"], FaultKind::NoActivePattern(filling.slug.clone())))
        .collect();
    match faults.is_empty() {
        true => Ok(patterns),
        false => Err(Problem::PatternNoActiveVersion(faults)),
    }
}

fn fault_of(filling: &Filling, steps: &[&str], what: FaultKind) -> Fault {
    let steps = steps.iter().map(|name| Step::Name((*name).to_owned()));
    Fault::at(filling.path.iter().cloned().chain(steps).collect(), what)
}

/// The texts of patterns with their values in. All are checked before the first fault is told.
pub fn fill_all(
    desk: &Desk<'_, '_>,
    line: &Line,
    fillings: &[&Filling],
    patterns: &Patterns,
) -> Result<Vec<Measured>, Problem> {
    let (mut untied, mut empty, mut invalid, mut long) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut texts = Vec::with_capacity(fillings.len());
    for filling in fillings {
        let Some(pattern) = patterns.get(&filling.slug) else {
            continue;
        };
        if !pattern.lines.is_empty() && !pattern.lines.contains(&line.number) {
            let what = FaultKind::PatternNotOnLine {
                slug: filling.slug.clone(),
                number: line.number.clone(),
                lines: pattern.lines.clone(),
            };
            untied.push(match desk.asked {
                Some(_) => desk.member_fault("sourceNumber", what),
                None => fault_of(filling, &["pattern"], what),
            });
        }
        for variable in &pattern.variables {
            let path = ["variables", variable.name.as_str()];
            match filling.values.get(&variable.name).filter(|value| !value.is_empty()) {
                None => empty.push(fault_of(filling, &path, FaultKind::NoValue)),
                Some(value) => {
                    if let Err(wrong) = variable.check(value) {
                        invalid.push(fault_of(filling, &path, invalid_value(wrong)));
                    }
                }
            }
        }
        let text = Measured::of(fill(pattern, filling));
        let (parts, max) = (text.segmentation.parts, desk.max_parts);
        if parts > max {
            long.push(fault_of(filling, &["pattern"], FaultKind::TooManyParts { parts, max }));
        }
        texts.push(text);
    }
    untied.dedup();
    first_of([
        (untied, Problem::PatternHeadNumberNotAcceptable),
        (empty, Problem::PatternVariableHasNoValue),
        (invalid, Problem::PatternVariableNotValid),
        (long, Problem::Validation),
    ])?;
    Ok(texts)
}

/// A kind of problem that faults make.
type Kind = fn(Vec<Fault>) -> Problem;

/// The first kind of which there are faults is the answer.
fn first_of(kinds: [(Vec<Fault>, Kind); 4]) -> Result<(), Problem> {
    let first = kinds.into_iter().find(|(faults, _)| !faults.is_empty());
    first.map_or(Ok(()), |(faults, kind)| Err(kind(faults)))
}

fn fill(pattern: &ActivePattern, filling: &Filling) -> String {
    let is_variable = |name: &str| pattern.variables.iter().any(|variable| variable.name == name);
    let value = |name: &str| filling.values.get(name).map_or("", String::as_str);
    Template::parse(&pattern.text, is_variable).fill(value)
}

fn invalid_value(invalid: Invalid) -> FaultKind {
    match invalid {
        Invalid::TooLong(max) => FaultKind::TooLong {
            max: usize::try_from(max).unwrap_or(usize::MAX),
        },
        Invalid::NotANumber => FaultKind::NotANumeral,
        Invalid::NotALink => FaultKind::NotALink,
        Invalid::NotOneOf(values) => FaultKind::NotAChoice(values),
    }
}

/// A message to the members of phonebooks.
pub enum Personal {
    /// It has no placeholders: all get the same.
    Same(Measured),
    /// FaultKind each member's text takes on the air, and the values that make it.
    Each(Vec<(Segmentation, RecipientText)>),
}

/// Fills a message in for each member.
pub fn personalise(desk: &Desk<'_, '_>, text: &str, members: &[Member]) -> Result<Personal, Problem> {
    let attributes = members.iter().flat_map(|member| member.attributes.keys());
    let known: BTreeSet<&str> = attributes.map(String::as_str).chain(["name"]).collect();
    let template = Template::parse(text, |name| known.contains(name));
    let names = template.names();
    let max = desk.max_parts;
    let refuse = |faults| Err(Problem::Validation(faults));
    if names.is_empty() {
        let text = Measured::of(text.to_owned());
        let parts = text.segmentation.parts;
        return match parts > max {
            true => refuse(vec![
                desk.member_fault("message", FaultKind::TooManyParts { parts, max }),
            ]),
            false => Ok(Personal::Same(text)),
        };
    }
    let mut faults = Vec::new();
    let mut each = Vec::with_capacity(members.len());
    for member in members {
        let text = template.fill(|name| value_of(member, name));
        let segmentation = text::segment(&text);
        if let Some(what) = unfit(member, &text, segmentation.parts, max) {
            faults.push(desk.member_fault("message", what));
        }
        let values = names
            .iter()
            .map(|name| ((*name).to_owned(), value_of(member, name).to_owned()));
        each.push((segmentation, RecipientText::Values(values.collect())));
    }
    match faults.is_empty() {
        true => Ok(Personal::Each(each)),
        false => refuse(faults),
    }
}

/// FaultKind a placeholder of this name stands for; what a member lacks is empty.
fn value_of<'m>(member: &'m Member, name: &str) -> &'m str {
    match name {
        "name" => member.name.as_deref().unwrap_or_default(),
        _ => member.attributes.get(name).map_or("", String::as_str),
    }
}

/// Why a member can't be sent its text.
fn unfit(member: &Member, text: &str, parts: u32, max: u32) -> Option<FaultKind> {
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
