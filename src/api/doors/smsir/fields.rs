//! The body of a request: JSON whose members have no case, and whose numbers may be texts.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::errors::{BAD_LINE, BAD_TIME, BAD_VALUE, Fault};
use crate::api::doors::params::{Unread, read_bytes};
use crate::api::http::Body;

/// Times from here on are in milliseconds: programs confuse the two, and no send is so far ahead.
const FIRST_MS: i64 = 100_000_000_000;

/// The members of a JSON object. Names are in lower case.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Fields(BTreeMap<String, Value>);

impl Fields {
    /// Reads a body, whatever its type is said to be.
    pub async fn read(body: &mut impl Body) -> Result<Fields, Unread> {
        Fields::of_json(&read_bytes(body).await?)
    }

    fn of_json(bytes: &[u8]) -> Result<Fields, Unread> {
        match serde_json::from_slice(bytes) {
            _ if bytes.is_empty() => Ok(Fields::default()),
            Ok(Value::Object(object)) => Ok(Fields::of(&object)),
            _ => Err(Unread::Malformed),
        }
    }

    /// The members of an object.
    pub fn of(object: &Map<String, Value>) -> Fields {
        let members = object.iter();
        Fields(
            members
                .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
                .collect(),
        )
    }

    /// A member. One that is missing is as one without a value.
    pub fn get(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }

    /// A member that is a text or a number, as a text. An empty one if it is neither.
    pub fn text(&self, name: &str) -> String {
        text_of(self.get(name)).unwrap_or_default()
    }

    /// The items of a list. One that is missing has none.
    pub fn list(&self, name: &str) -> Result<&[Value], Fault> {
        match self.get(name) {
            Value::Array(items) => Ok(items),
            Value::Null => Ok(&[]),
            _ => Err(Fault::of(BAD_VALUE)),
        }
    }

    /// The items of a list, as texts. One that is neither a text nor a number becomes an empty text.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, Fault> {
        let items = self.list(name)?.iter();
        Ok(items.map(|item| text_of(item).unwrap_or_default()).collect())
    }

    /// The line, which each send must name.
    pub fn line(&self) -> Result<String, Fault> {
        named_line(&self.text("linenumber"))
    }

    /// When it is to be sent, ms since the Unix epoch. `None`: now.
    pub fn send_at(&self) -> Result<Option<i64>, Fault> {
        let bad = || Fault::of(BAD_TIME);
        let text = match self.get("senddatetime") {
            Value::Null => return Ok(None),
            value => text_of(value).ok_or_else(bad)?,
        };
        let whole = text.split('.').next().unwrap_or_default();
        if whole.is_empty() {
            return Ok(None);
        }
        let at: i64 = whole.parse().map_err(|_| bad())?;
        let ms = if at < FIRST_MS { at.saturating_mul(1_000) } else { at };
        Ok((at != 0).then_some(ms))
    }
}

/// A line that is there: programs write 0 or nothing for none.
pub fn named_line(text: &str) -> Result<String, Fault> {
    match text.trim() {
        "" | "0" => Err(Fault::of(BAD_LINE)),
        line => Ok(line.to_owned()),
    }
}

/// A text, or a number as a text.
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(json: &str) -> Fields {
        Fields::of_json(json.as_bytes()).unwrap()
    }

    #[test]
    fn names_have_no_case_and_numbers_may_be_texts() {
        let read =
            fields(r#"{"LineNumber": 30004505000017, "Mobiles": [9121234567, "0935", null], "MessageText": "x"}"#);
        assert_eq!(read.line().unwrap(), "30004505000017");
        assert_eq!(read.texts("mobiles").unwrap(), ["9121234567", "0935", ""]);
        assert_eq!(
            (read.text("messagetext").as_str(), read.text("none").as_str()),
            ("x", "")
        );
        assert_eq!(fields("").list("mobiles").unwrap(), &[] as &[Value]);
        assert_eq!(
            fields(r#"{"mobiles": "0912"}"#).list("mobiles"),
            Err(Fault::of(BAD_VALUE))
        );
        for line in ["null", "0", "\"\"", "\" \"", "[]"] {
            let read = fields(&format!(r#"{{"lineNumber": {line}}}"#));
            assert_eq!(read.line(), Err(Fault::of(BAD_LINE)), "{line}");
        }
        for body in ["[]", "x", "7", "{"] {
            assert_eq!(Fields::of_json(body.as_bytes()), Err(Unread::Malformed), "{body}");
        }
    }

    #[test]
    fn times_are_seconds_or_milliseconds() {
        let at = |value: &str| fields(&format!(r#"{{"sendDateTime": {value}}}"#)).send_at();
        for value in ["1900000000", "\"1900000000\"", "1900000000.7", "1900000000000"] {
            assert_eq!(at(value), Ok(Some(1_900_000_000_000)), "{value}");
        }
        for value in ["null", "0", "\"\""] {
            assert_eq!(at(value), Ok(None), "{value}");
        }
        for value in ["\"tomorrow\"", "true", "[1]", "1e300"] {
            assert_eq!(at(value), Err(Fault::of(BAD_TIME)), "{value}");
        }
    }
}
