//! Codes: a pattern whose name is the template's number.

use serde_json::{Map, Value};

use super::errors::{self, Fault};
use super::fields::{Fields, text_of};
use super::send;
use crate::api::doors::own::{Own, Refused};
use crate::api::doors::send::{Content, SendBody};
use crate::base::ports::Platform;

/// The most characters of a value, as the protocol says. A pattern here may take longer ones.
const LONGEST: usize = 25;

/// `send/verify`
pub async fn verify<P: Platform>(own: &Own<'_, P>, fields: &Fields) -> Result<Value, Fault> {
    let variables = variables(fields)?;
    let [pattern, recipient] = ["templateid", "mobile"].map(|name| fields.text(name));
    let body = SendBody {
        line: None,
        at_ms: None,
        reference: None,
        content: Content::Pattern {
            pattern: &pattern,
            recipient: &recipient,
            variables: &variables,
        },
    };
    let sent = own.send(&body, None, None).await;
    let sent = sent.map_err(|refused| fault_of(refused, &variables))?;
    Ok(send::told_one(&sent))
}

/// The values. The case of their names does not count for the protocol, and it does for a pattern. So each stands there in upper and lower
/// case too, unless another one has that very name.
fn variables(fields: &Fields) -> Result<Map<String, Value>, Fault> {
    let mut exact = Map::new();
    for parameter in fields.list("parameters")? {
        let members = parameter.as_object().ok_or(Fault::of(errors::BAD_VALUE))?;
        let parameter = Fields::of(members);
        let name = parameter.text("name");
        if name.is_empty() {
            return Err(Fault::of(errors::NO_NAME));
        }
        let value = match parameter.get("value") {
            Value::Null => Some(String::new()),
            value => text_of(value),
        };
        exact.insert(name, value.ok_or(Fault::of(errors::BAD_VALUE))?.into());
    }
    let mut variables = exact.clone();
    for (name, value) in exact {
        for name in [name.to_ascii_uppercase(), name.to_ascii_lowercase()] {
            variables.entry(name).or_insert_with(|| value.clone());
        }
    }
    Ok(variables)
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
