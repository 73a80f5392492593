//! The patterns of a send: looked up, and filled in.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sms::variable::{Invalid, REDACTED};
use sms::{
    alternatives::Priced,
    template::{MAX_NAME, Template},
    text::{Measured, Segmentation},
};

use super::composer::Composer;
use super::request::{FilledPattern, Order};
use super::terms::Terms;
use crate::account::record::message::recipient_text::{RecipientText, RedactedText};
use crate::base::{did_you_mean, ports::Platform};
use crate::directory::lines::Line;
use crate::directory::patterns::{self, ActivePattern};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, Step, clipped, some_of};

/// Active patterns by their slugs.
pub type Patterns = BTreeMap<String, Rc<ActivePattern>>;

/// Looks up the active versions of all patterns of an order. With `fresh`, it does not use the cache.
pub async fn look_up<P: Platform>(composer: &Composer<'_, P>, order: &Order, fresh: bool) -> Result<Patterns, Problem> {
    let named = order.patterns();
    let slugs: BTreeSet<&str> = named.iter().map(|pattern| pattern.slug.as_str()).collect();
    let (account, cache, now_ms) = (composer.account, composer.patterns, composer.now_ms);
    let cache_key = |slug: &str| format!("{account}/{slug}");
    let mut found = Patterns::new();
    let mut missing = Vec::new();
    for slug in slugs {
        match cache.get(&cache_key(slug), now_ms).filter(|_| !fresh) {
            Some(pattern) => drop(found.insert(slug.to_owned(), pattern)),
            None => missing.push(slug),
        }
    }
    if !missing.is_empty() {
        for pattern in patterns::active(composer.platform.db(), account, &missing).await? {
            let slug = pattern.slug.clone();
            let cached = cache.put(&cache_key(&slug), now_ms, pattern);
            found.insert(slug, cached);
        }
    }
    missing.retain(|slug| !found.contains_key(*slug));
    if missing.is_empty() {
        return Ok(found);
    }
    let known = patterns::known(composer.platform.db(), account, &missing).await?;
    let unknown = named.iter().filter(|pattern| !found.contains_key(&pattern.slug));
    let faults = unknown.map(|pattern| {
        let slug = pattern.slug.clone();
        let kind = match known.get(&slug) {
            Some(Some(reason)) => FieldErrorKind::VersionRefused {
                slug,
                reason: reason.clone(),
            },
            Some(None) => FieldErrorKind::NoActiveVersion(slug),
            None => FieldErrorKind::NoPattern(slug),
        };
        fault_of(pattern, &["pattern"], kind)
    });
    Err(Problem::PatternNoActiveVersion(faults.collect()))
}

fn fault_of(pattern: &FilledPattern, names: &[&str], kind: FieldErrorKind) -> FieldError {
    let steps = names.iter().map(|name| Step::Name((*name).to_owned()));
    FieldError::at(pattern.path.iter().cloned().chain(steps).collect(), kind)
}

/// The faults of patterns, by the problem that they make.
#[derive(Default)]
struct FieldErrors {
    not_on_line: Vec<FieldError>,
    no_value: Vec<FieldError>,
    bad_value: Vec<FieldError>,
    too_long: Vec<FieldError>,
}

impl FieldErrors {
    /// Notes a fault if the pattern can't be sent from the line.
    fn check_line(&mut self, terms: &Terms<'_, '_>, line: &Line, named: &FilledPattern, pattern: &ActivePattern) {
        if pattern.lines.is_empty() || pattern.lines.contains(&line.number) {
            return;
        }
        let kind = FieldErrorKind::NotOnLine {
            number: line.number.clone(),
            lines: some_of(&pattern.lines),
        };
        let is_one_of_many = matches!(named.path.last(), Some(Step::Index(_)));
        self.not_on_line.push(if is_one_of_many {
            fault_of(named, &[], kind)
        } else {
            terms.member_fault("sourceNumber", kind)
        });
    }

    /// Notes a fault for each variable without a good value.
    fn check_values(&mut self, named: &FilledPattern, pattern: &ActivePattern) {
        for variable in &pattern.variables {
            let path = ["variables", variable.name.as_str()];
            let value = named.values.get(&variable.name).filter(|value| !value.is_empty());
            let Some(value) = value else {
                let is_unused = |name: &&str| pattern.variables.iter().all(|variable| variable.name != *name);
                let unused = named.values.keys().map(String::as_str).filter(is_unused);
                let meant =
                    did_you_mean::suggestion(&variable.name, unused).map(|name| clipped(name.to_owned(), MAX_NAME));
                self.no_value
                    .push(fault_of(named, &path, FieldErrorKind::NoValue(meant)));
                continue;
            };
            if let Err(invalid) = variable.check(value) {
                self.bad_value.push(fault_of(named, &path, fault_kind(invalid)));
            }
        }
    }

    /// Notes a fault if the text has too many parts. It is a fault of the values, if there are any.
    fn check_parts(&mut self, terms: &Terms<'_, '_>, named: &FilledPattern, pattern: &ActivePattern, text: &Measured) {
        let (parts, max) = (text.segmentation.parts, terms.config.max_parts);
        if parts > max {
            let member = if pattern.variables.is_empty() {
                "pattern"
            } else {
                "variables"
            };
            let kind = FieldErrorKind::TooManyParts { parts, max };
            self.too_long.push(fault_of(named, &[member], kind));
        }
    }

    /// Fails with the first problem of which there are faults.
    fn finish(self) -> Result<(), Problem> {
        if !self.not_on_line.is_empty() {
            return Err(Problem::PatternHeadNumberNotAcceptable(self.not_on_line));
        }
        if !self.no_value.is_empty() {
            return Err(Problem::PatternVariableHasNoValue(self.no_value));
        }
        if !self.bad_value.is_empty() {
            return Err(Problem::PatternVariableNotValid(self.bad_value));
        }
        if self.too_long.is_empty() {
            Ok(())
        } else {
            Err(Problem::Validation(self.too_long))
        }
    }
}

/// Fills in patterns. It checks all of them before it fails.
pub fn fill_all(
    terms: &Terms<'_, '_>,
    line: &Line,
    named: &[&FilledPattern],
    patterns: &Patterns,
) -> Result<Vec<Filled>, Problem> {
    let mut faults = FieldErrors::default();
    let mut texts = Vec::with_capacity(named.len());
    for named in named {
        let Some(pattern) = patterns.get(&named.slug) else {
            continue;
        };
        faults.check_line(terms, line, named, pattern);
        faults.check_values(named, pattern);
        let filled = Filled::in_pattern(pattern, named);
        faults.check_parts(terms, named, pattern, &filled.text);
        texts.push(filled);
    }
    faults.finish()?;
    Ok(texts)
}

/// A text that is filled in.
pub struct Filled {
    /// The text, with all values.
    pub text: Measured,
    /// The text with its secret values redacted, if it has any.
    pub redacted: Option<String>,
    /// How the text would be sent as it was given.
    pub given: Segmentation,
    /// The secret values in the text.
    secrets: Vec<String>,
}

impl Filled {
    /// A text without secret values.
    pub fn of(text: Measured) -> Self {
        Filled {
            given: text.segmentation,
            text,
            redacted: None,
            secrets: Vec::new(),
        }
    }

    fn in_pattern(pattern: &ActivePattern, named: &FilledPattern) -> Self {
        let variable = |name: &str| pattern.variables.iter().find(|variable| variable.name == name);
        let is_secret = |name: &str| variable(name).is_some_and(|variable| variable.secret);
        let value = |name: &str| named.values.get(name).map_or("", String::as_str);
        let template = Template::parse(&pattern.text, |name| variable(name).is_some());
        let secrets: Vec<String> = template
            .names()
            .into_iter()
            .filter(|name| is_secret(name))
            .map(|name| value(name).to_owned())
            .collect();
        let redacted = || template.fill(|name| if is_secret(name) { REDACTED } else { value(name) });
        Filled {
            redacted: (!secrets.is_empty()).then(redacted),
            secrets,
            ..Filled::of(Measured::of(template.fill(value)))
        }
    }

    /// The text in the first of these forms that has all secret values as they were given, for a person may copy them.
    pub fn in_one_of(self, forms: Vec<Priced>) -> Self {
        let count = |text: &str, secret: &String| text.matches(secret.as_str()).count();
        let has_secrets = |form: &Priced| {
            let mut secrets = self.secrets.iter();
            secrets.all(|secret| count(&form.alternative.text, secret) == count(&self.text.text, secret))
        };
        let Some(form) = forms.into_iter().find(has_secrets) else {
            return self;
        };
        Filled {
            redacted: self.redacted.map(|redacted| form.alternative.likewise(&redacted)),
            text: Measured {
                text: form.alternative.text,
                segmentation: form.segmentation,
            },
            ..self
        }
    }

    /// The text as one recipient's own.
    pub fn into_own(self) -> RecipientText {
        let Measured { text, segmentation } = self.text;
        match self.redacted {
            None => RecipientText::Whole(text),
            Some(redacted) => RecipientText::Secret {
                text,
                redacted: RedactedText {
                    text: redacted,
                    encoding: segmentation.encoding.as_str().to_owned(),
                    parts: segmentation.parts,
                },
            },
        }
    }
}

fn fault_kind(invalid: Invalid) -> FieldErrorKind {
    match invalid {
        Invalid::TooLong(max) => FieldErrorKind::TooLong {
            max: usize::try_from(max).unwrap_or(usize::MAX),
        },
        Invalid::NotANumber => FieldErrorKind::NotANumeral,
        Invalid::NotALink => FieldErrorKind::NotALink,
        Invalid::NotOneOf(values) => FieldErrorKind::NotAChoice(some_of(&values)),
    }
}
