//! Codes: a pattern whose name is the template's number.

use serde_json::{Map, Value};

use super::errors::{self, Fault};
use super::fields::{Fields, text_of};
use super::send;
use crate::api::doors::own::{Own, Refused};
use crate::api::doors::send::{Content, SendBody, Sent};
use crate::base::ports::Platform;

/// The most characters of a value, as the protocol says. A pattern here may take longer ones.
const LONGEST: usize = 25;

/// `send/verify`
pub async fn verify<P: Platform>(own: &Own<'_, P>, fields: &Fields) -> Result<Value, Fault> {
    let variables = variables(fields.list("parameters")?, "name", "value")?;
    let [pattern, recipient] = ["templateid", "mobile"].map(|name| fields.text(name));
    let sent = by_pattern(own, &pattern, &recipient, &variables).await?;
    Ok(send::told_one(&sent))
}

/// Sends a pattern to a number.
pub async fn by_pattern<P: Platform>(
    own: &Own<'_, P>,
    pattern: &str,
    recipient: &str,
    variables: &Map<String, Value>,
) -> Result<Sent, Fault> {
    let body = SendBody {
        line: None,
        at_ms: None,
        reference: None,
        content: Content::Pattern {
            pattern,
            recipient,
            variables,
        },
    };
    let sent = own.send(&body, None, None).await;
    sent.map_err(|refused| fault_of(refused, variables))
}

/// The values. `name` and `value` are the members of a parameter. The case of their names does not count for the protocol, and it does for a pattern. So each stands there in upper and lower
/// case too, unless another one has that very name.
pub fn variables(parameters: &[Value], name: &str, value: &str) -> Result<Map<String, Value>, Fault> {
    let mut exact = Map::new();
    for parameter in parameters {
        let members = parameter.as_object().ok_or(Fault::of(errors::BAD_VALUE))?;
        let parameter = Fields::of(members);
        let called = parameter.text(name);
        if called.is_empty() {
            return Err(Fault::of(errors::NO_NAME));
        }
        let text = match parameter.get(value) {
            Value::Null => Some(String::new()),
            value => text_of(value),
        };
        exact.insert(called, text.ok_or(Fault::of(errors::BAD_VALUE))?.into());
    }
    Ok(in_any_case(exact))
}

/// The same values, each also under its name in capitals and in small letters.
pub fn in_any_case(exact: Map<String, Value>) -> Map<String, Value> {
    let mut variables = exact.clone();
    for (name, value) in exact {
        for name in [name.to_ascii_uppercase(), name.to_ascii_lowercase()] {
            variables.entry(name).or_insert_with(|| value.clone());
        }
    }
    variables
}

/// The fault of a send that names no line: what is wrong with the line is not the request's.
fn fault_of(refused: Refused, variables: &Map<String, Value>) -> Fault {
    match refused.code {
        3012 => Fault::because(refused, errors::LINE_NOT_READY),
        3015 if has_long_value(&refused, variables) => Fault::because(refused, errors::LONG_VALUE),
        _ => refused.into(),
    }
}

/// Whether one of the values that are at fault is longer than the protocol lets it be.
fn has_long_value(refused: &Refused, variables: &Map<String, Value>) -> bool {
    let names = refused.pointers.iter().filter_map(|pointer| pointer.rsplit('/').next());
    let mut values = names.filter_map(|name| variables.get(name)?.as_str());
    values.any(|value| value.chars().count() > LONGEST)
}
