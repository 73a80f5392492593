//! Reads the bodies of requests. A body that can't be read is a problem: 415, 413 or 400.

use serde_json::{Map, Value};

use crate::api::http::{self, Body, BodyError, Head};
use crate::problem::{BadRequest, Problem};

const CSV: &str = "text/csv";
const FORM: &str = "application/x-www-form-urlencoded";
/// A JSON body has at most this many bytes.
const MAX_JSON_BYTES: usize = 256 * 1024;
/// The body of a route that says so has at most this many: a row of two megabytes, the most that SQLite keeps for the runtime, fits in,
/// although a quotation mark of JSON in it takes four bytes here.
const MAX_LARGE_JSON_BYTES: usize = 8 * 1024 * 1024;
/// A JSON body has at most this many levels of nesting. The text of [`BadRequest::TooDeep`] names the number too.
const MAX_DEPTH: usize = 16;

/// A JSON body.
pub struct JsonBody {
    /// The bytes as the client sent them.
    pub bytes: Vec<u8>,
    /// The object that the bytes hold.
    pub object: Map<String, Value>,
}

/// Reads a body that must be a JSON object.
pub async fn read_json(head: &Head, body: &mut impl Body) -> Result<JsonBody, Problem> {
    read_json_of(head, body, MAX_JSON_BYTES).await
}

/// Reads a body that must be a JSON object and may be large.
pub async fn read_large_json(head: &Head, body: &mut impl Body) -> Result<JsonBody, Problem> {
    read_json_of(head, body, MAX_LARGE_JSON_BYTES).await
}

async fn read_json_of(head: &Head, body: &mut impl Body, limit_bytes: usize) -> Result<JsonBody, Problem> {
    if !http::is_json(head.content_type.as_deref()) {
        return Err(Problem::UnsupportedMediaType {
            wanted: "application/json",
        });
    }
    let bytes = body
        .read(limit_bytes)
        .await
        .map_err(|error| problem(error, limit_bytes))?;
    let object = parse_object(&bytes)?;
    Ok(JsonBody { bytes, object })
}

/// Reads a body that may be a form, of at most `limit_bytes`. A body of another type is 415; there may be none.
pub async fn read_form(head: &Head, body: &mut impl Body, limit_bytes: usize) -> Result<Vec<u8>, Problem> {
    let bytes = body
        .read(limit_bytes)
        .await
        .map_err(|error| problem(error, limit_bytes))?;
    if bytes.is_empty() || http::media_type(head.content_type.as_deref()) == FORM {
        Ok(bytes)
    } else {
        Err(Problem::UnsupportedMediaType { wanted: FORM })
    }
}

/// A JSON body that nobody has read. A handler reads it only if it needs it.
pub struct OptionalJson<'a, B> {
    head: &'a Head,
    body: &'a mut B,
}

impl<'a, B: Body> OptionalJson<'a, B> {
    /// The body of the request with this head.
    pub fn new(head: &'a Head, body: &'a mut B) -> Self {
        OptionalJson { head, body }
    }

    /// Reads the body, which must be a JSON object.
    pub async fn read(self) -> Result<JsonBody, Problem> {
        read_json(self.head, self.body).await
    }
}

/// Fails with 415 unless the body is declared as CSV.
pub fn require_csv(head: &Head) -> Result<(), Problem> {
    if http::media_type(head.content_type.as_deref()) == CSV {
        Ok(())
    } else {
        Err(Problem::UnsupportedMediaType { wanted: CSV })
    }
}

/// The problem of a body that could not be read. The body may have `limit_bytes`.
pub fn problem(error: BodyError, limit_bytes: usize) -> Problem {
    match error {
        BodyError::TooLarge => Problem::PayloadTooLarge { limit_bytes },
        BodyError::Unreadable => Problem::BadRequest(BadRequest::Unreadable),
        BodyError::NoRoom => Problem::Unavailable("large bodies of other requests take all the memory".to_owned()),
    }
}

fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| Problem::BadRequest(BadRequest::NotUtf8))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if depth(text) > MAX_DEPTH {
        return Err(Problem::BadRequest(BadRequest::TooDeep));
    }
    if text.trim().is_empty() {
        return Err(Problem::BadRequest(BadRequest::Empty));
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Problem::BadRequest(BadRequest::NotAnObject)),
        Err(error) => Err(Problem::BadRequest(BadRequest::Malformed {
            line: error.line(),
            column: error.column(),
        })),
    }
}

/// How deep brackets nest outside of strings. It is counted before parsing, so that the parser never recurses deep.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    for byte in json.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_without_room_is_asked_to_come_again() {
        let problem = problem(BodyError::NoRoom, MAX_JSON_BYTES);
        assert_eq!(problem.kind().status, 503);
        assert!(problem.headers().iter().any(|(name, _)| *name == "Retry-After"));
    }

    #[test]
    fn depth_counts_brackets_but_not_in_strings() {
        assert_eq!(depth(r#"{"a": [1, {"b": "[[[[\"[["}]}"#), 3);
        assert_eq!(depth("]]]]["), 1);
        assert_eq!(depth(""), 0);
    }

    #[test]
    fn a_body_nested_too_deep_is_refused_before_it_is_parsed() {
        let nested = |levels: usize| format!("{{\"a\":{}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1));
        assert!(parse_object(nested(16).as_bytes()).is_ok());
        assert_eq!(
            parse_object(nested(17).as_bytes()),
            Err(Problem::BadRequest(BadRequest::TooDeep))
        );
        let bomb = "[".repeat(200_000);
        assert_eq!(
            parse_object(bomb.as_bytes()),
            Err(Problem::BadRequest(BadRequest::TooDeep))
        );
    }
}
