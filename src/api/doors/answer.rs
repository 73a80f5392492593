//! Reads the members of our own answers, and writes those of other protocols.

use serde::Serialize;
use serde_json::Value;

use crate::base::time;

/// The members of an answer. One that is missing, or of another type, is as one without a value.
pub trait Members {
    /// A member.
    fn member(&self, name: &str) -> &Value;

    /// A member that is a text.
    fn text(&self, name: &str) -> &str {
        self.member(name).as_str().unwrap_or_default()
    }

    /// A member that is a whole number.
    fn number(&self, name: &str) -> i64 {
        self.member(name).as_i64().unwrap_or_default()
    }

    /// A member that is a time, s since the Unix epoch.
    fn seconds(&self, name: &str) -> Option<i64> {
        let ms = time::from_rfc3339(self.text(name))?;
        Some(ms.div_euclid(1_000))
    }

    /// The items of a member that is a list.
    fn list(&self, name: &str) -> &[Value] {
        self.member(name).as_array().map(Vec::as_slice).unwrap_or_default()
    }
}

impl Members for Value {
    fn member(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

/// The text of an answer of another protocol. All of them can be written as JSON.
pub fn json_text(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}
