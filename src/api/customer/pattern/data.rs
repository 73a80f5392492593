//! Patterns and their versions in the form of the API.

use serde_json::{Value, json};

use crate::base::time;
use crate::base::truncate::{self, Excerpt};
use crate::directory::patterns::{Pattern, Pending, Version};
use crate::sms::variable::{Variable, VariableType};

/// The values of a version's variables have at most this many bytes of JSON in a list.
const VALUES_BYTES: usize = 1_024;

/// A pattern. `versions` may have versions of other patterns too.
pub fn pattern(pattern: &Pattern, versions: &[Version]) -> Value {
    pattern_with(pattern, versions, version)
}

/// A pattern in a list.
pub fn listed(pattern: &Pattern, versions: &[Version]) -> Value {
    pattern_with(pattern, versions, listed_version)
}

fn pattern_with(pattern: &Pattern, versions: &[Version], version: fn(&Version) -> Value) -> Value {
    let own = versions.iter().filter(|version| version.pattern == pattern.id);
    json!({
        "slug": pattern.slug,
        "title": pattern.title,
        "lines": pattern.lines,
        "versions": own.map(version).collect::<Vec<_>>(),
        "createdAt": time::to_rfc3339(pattern.created_ms),
    })
}

/// A version of a pattern.
pub fn version(version: &Version) -> Value {
    let variables = version.variables.iter();
    let variables = variables.map(|each| variable(each, &each.values)).collect();
    version_with(version, &version.text, variables)
}

/// A version in a list: with the beginning of its text, and the first values of its variables.
fn listed_version(version: &Version) -> Value {
    let text = Excerpt::of(&version.text, truncate::PATTERN_BYTES);
    let (mut left_bytes, mut is_cut) = (VALUES_BYTES, text.is_cut);
    let mut variables = Vec::with_capacity(version.variables.len());
    for each in &version.variables {
        let (values, are_cut) = truncate::first_of(&each.values, &mut left_bytes);
        is_cut |= are_cut;
        variables.push(variable(each, values));
    }
    truncate::note(version_with(version, text.text, variables), is_cut)
}

fn version_with(version: &Version, text: &str, variables: Vec<Value>) -> Value {
    json!({
        "version": version.version,
        "text": text,
        "variables": variables,
        "status": version.status,
        "createdAt": time::to_rfc3339(version.created_ms),
    })
}

/// A version that waits for an operator's approval, in a list.
pub fn pending(pending: &Pending) -> Value {
    json!({
        "account": pending.account,
        "slug": pending.slug,
        "title": pending.title,
        "version": listed_version(&pending.version),
    })
}

fn variable(variable: &Variable, values: &[String]) -> Value {
    let values = Some(values).filter(|_| variable.r#type == VariableType::Enum);
    json!({
        "name": variable.name,
        "type": variable.r#type,
        "maxLength": variable.max_length,
        "values": values,
    })
}
