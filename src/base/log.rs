//! Lines of the service's log. Each is one JSON object with `level`, `event` and the members of its event, so that a program can
//! read the log. No line has a key, a text of a message, or any other value that a client has sent (see [`super::redact`]).

use serde_json::{Value, json};

use super::ports::Platform;

/// Logs what an operator has to look at.
pub fn error(platform: &impl Platform, event: &str, members: Value) {
    line(platform, "error", event, members);
}

/// Logs what an operator may want to know.
pub fn warning(platform: &impl Platform, event: &str, members: Value) {
    line(platform, "warning", event, members);
}

/// Logs an event with its members, which must be a JSON object. A line of a request has the request's id.
pub fn line(platform: &impl Platform, level: &str, event: &str, members: Value) {
    platform.log(&text(level, event, members, platform.trace().as_deref()));
}

/// A line as it is logged, for a place that has no platform at hand. `own_id` is that of the request, if there is one.
pub fn text(level: &str, event: &str, mut members: Value, own_id: Option<&str>) -> String {
    if let Value::Object(members) = &mut members {
        if let Some(own_id) = own_id {
            members.entry("ownId").or_insert_with(|| json!(own_id));
        }
        members.insert("level".to_owned(), json!(level));
        members.insert("event".to_owned(), json!(event));
    }
    members.to_string()
}
