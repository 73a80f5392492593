//! Patterns and their versions in the form of the API.

use serde_json::{Value, json};

use crate::directory::patterns::{Pattern, Pending, Version};
use crate::sms::variable::{Variable, VariableType};
use crate::time;

/// A pattern. `versions` may have versions of other patterns too.
pub fn pattern(pattern: &Pattern, versions: &[Version]) -> Value {
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
    json!({
        "version": version.version,
        "text": version.text,
        "variables": version.variables.iter().map(variable).collect::<Vec<_>>(),
        "status": version.status,
        "createdAt": time::to_rfc3339(version.created_ms),
    })
}

/// A version that waits for an operator's approval.
pub fn pending(pending: &Pending) -> Value {
    json!({
        "account": pending.account,
        "slug": pending.slug,
        "title": pending.title,
        "version": version(&pending.version),
    })
}

fn variable(variable: &Variable) -> Value {
    let values = Some(&variable.values).filter(|_| variable.r#type == VariableType::Enum);
    json!({
        "name": variable.name,
        "type": variable.r#type,
        "maxLength": variable.max_length,
        "values": values,
    })
}
