//! Patterns and their versions in the form of the API.

use serde_json::Value;
use sms::variable::{Variable, VariableType};

use crate::answer;
use crate::base::time;
use crate::base::truncate::{self, Excerpt};
use crate::directory::patterns::{Pattern, Pending, Version};

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
    PatternData::of(pattern, &own.map(version).collect::<Vec<_>>())
}

/// A version of a pattern.
pub fn version(version: &Version) -> Value {
    let variables = version.variables.iter();
    let variables: Vec<Value> = variables.map(|each| VariableData::of(each, &each.values)).collect();
    VersionData::of(version, &version.text, &variables, false)
}

/// A version in a list: with the beginning of its text, and the first values of its variables.
fn listed_version(version: &Version) -> Value {
    let text = Excerpt::of(&version.text, truncate::PATTERN_BYTES);
    let (mut left_bytes, mut is_cut) = (VALUES_BYTES, text.is_cut);
    let mut variables = Vec::with_capacity(version.variables.len());
    for each in &version.variables {
        let (values, are_cut) = truncate::first_of(&each.values, &mut left_bytes);
        is_cut |= are_cut;
        variables.push(VariableData::of(each, values));
    }
    VersionData::of(version, text.text, &variables, is_cut)
}

answer! {
    /// A pattern with versions.
    pub struct PatternData(pattern: &Pattern, versions: &[Value]) as "Pattern" {
        "slug": pattern.slug, any_text() => "login";
        "title": pattern.title, any_text() => "Login";
        /// The lines that it can be sent from; none means all.
        "lines": pattern.lines, list(line(), 0, 100);
        /// All versions, newest first. In lists the active one and the newest.
        "versions": versions, list(declared::<VersionData>(), 0, 100);
        "createdAt": time::to_rfc3339(pattern.created_ms), time();
    }

    /// A version of a pattern. Its text never changes.
    pub struct VersionData(version: &Version, text: &str, variables: &[Value], is_cut: bool) as "PatternVersion" {
        /// Its number, from 1.
        "version": version.version, integer(1, 100);
        "text": text, any_text() => "Your code is %OTP%.";
        may "textTruncated": is_cut.then_some(true), cut();
        /// One for each placeholder, in the order of the text.
        "variables": variables, list(declared::<VariableData>(), 0, 20);
        /// `ACTIVE`: sends use it. `PENDING`: it waits for an operator. `REFUSED`: an operator has refused it. `RETIRED`: it was active.
        "status": version.status, one_of(&["ACTIVE", "DRAFT", "PENDING", "REFUSED", "RETIRED"]);
        /// There if it is `REFUSED`: why.
        may "reason": version.reason.as_ref(), any_text() => "The text has no name of a shop.";
        "createdAt": time::to_rfc3339(version.created_ms), time();
    }

    /// A version that waits for approval.
    pub struct PendingData(pending: &Pending) as "PendingVersion" {
        /// The account's id.
        "account": pending.account, id();
        /// Its username. `null`: there is no such account any more.
        "username": pending.username, any_text().or_null() => "shop";
        "slug": pending.slug, any_text() => "login";
        "title": pending.title, any_text() => "Login";
        "version": listed_version(&pending.version), declared::<VersionData>();
    }

    /// A variable of a version.
    pub struct VariableData(variable: &Variable, values: &[String]) as "Variable" {
        "name": variable.name, any_text() => "OTP";
        /// Which values it takes: any text, a number, an address with `http://` or `https://`, or one of `values`.
        "type": variable.r#type, one_of(&["TEXT", "NUMBER", "LINK", "ENUM"]);
        "maxLength": variable.max_length, integer(1, 1_000) => 100;
        /// The values of an `ENUM`, `null` for others.
        "values": (variable.r#type == VariableType::Enum).then_some(values), any_list(any_text().like("red")).or_null();
        /// Whether `••••` stands in the place of a value when the message has ended for a day.
        "secret": variable.secret, flag() => false;
    }
}
