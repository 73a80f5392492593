//! What all handlers share of HTTP: the request as we need it, the response, the success envelope, reading bodies.

use serde::Serialize;

use crate::directory::export::Export;
use crate::fault::{Fault, What};
use crate::problem::{BadRequest, Problem};

/// Bytes of a JSON body at most.
pub const MAX_BODY_BYTES: usize = 256 * 1024;
/// Levels of nesting in a JSON body at most.
pub const MAX_DEPTH: usize = 16;

/// A request without its body: the parts that we read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// Upper-case method.
    pub method: String,
    /// Path as it was sent, percent-encoding and all.
    pub path: String,
    /// Query without its `?`.
    pub query: String,
    /// `Authorization`.
    pub authorization: Option<String>,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `Accept-Language`.
    pub accept_language: Option<String>,
    /// `Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// `X-Request-Id`.
    pub request_id: Option<String>,
}

/// Why a body could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyError {
    /// It is over the limit.
    TooLarge,
    /// The connection ended, or the stream failed.
    Unreadable,
}

/// A body that is yet to be read.
#[allow(
    async_fn_in_trait,
    reason = "the runtime is single-threaded: its futures are not Send"
)]
pub trait Body {
    /// How many bytes the request says that it has, if it says.
    fn declared_bytes(&self) -> Option<usize>;

    /// Its next piece; `None` at its end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, BodyError>;

    /// Reads it to its end, but no further than `limit_bytes`.
    async fn read(&mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        if self.declared_bytes().is_some_and(|declared| declared > limit_bytes) {
            return Err(BodyError::TooLarge);
        }
        read_pieces(self, limit_bytes).await
    }
}

/// Reads a body piece by piece, but no further than `limit_bytes`.
pub async fn read_pieces(body: &mut (impl Body + ?Sized), limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    while let Some(piece) = body.next().await? {
        bytes.extend(piece);
        if bytes.len() > limit_bytes {
            return Err(BodyError::TooLarge);
        }
    }
    Ok(bytes)
}

impl BodyError {
    /// The problem it is, where a body may have `limit_bytes`.
    pub fn problem(self, limit_bytes: usize) -> Problem {
        match self {
            BodyError::TooLarge => Problem::PayloadTooLarge { limit_bytes },
            BodyError::Unreadable => Problem::BadRequest(BadRequest::Unreadable),
        }
    }
}

/// What a response carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A text; empty for none.
    Text(String),
    /// A phonebook as CSV, written while it is read.
    Export(Box<Export>),
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: &'static str,
    /// Its other headers.
    pub headers: Vec<(&'static str, String)>,
    /// Its body.
    pub body: Content,
}

/// What surrounds every success.
#[derive(Serialize)]
struct Envelope<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    data: T,
    meta: Meta<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<Option<String>>,
}

/// A success on its way to the envelope.
pub struct Success<T> {
    status: u16,
    marker: Option<&'static str>,
    data: T,
    next_cursor: Option<Option<String>>,
    headers: Vec<(&'static str, String)>,
}

impl<T: Serialize> Success<T> {
    /// 200 with `data`.
    pub fn ok(data: T) -> Self {
        Success {
            status: 200,
            marker: None,
            data,
            next_cursor: None,
            headers: Vec::new(),
        }
    }

    /// 201 with `data`.
    pub fn created(data: T) -> Self {
        Success {
            status: 201,
            ..Success::ok(data)
        }
    }

    /// 201 of a send: with the root member `"status": "CREATED"` that clients look for.
    pub fn sent(data: T) -> Self {
        Success {
            marker: Some("CREATED"),
            ..Success::created(data)
        }
    }

    /// One page of a list.
    pub fn page(data: T, next_cursor: Option<String>) -> Self {
        Success {
            next_cursor: Some(next_cursor),
            ..Success::ok(data)
        }
    }

    /// Says that this answer was given before.
    pub fn replayed(mut self, replayed: bool) -> Self {
        if replayed {
            self.headers.push(("Idempotency-Replayed", "true".to_owned()));
        }
        self
    }

    /// The response.
    pub fn response(self, request_id: &str) -> Result<Response, Problem> {
        let envelope = Envelope {
            status: self.marker,
            data: self.data,
            meta: Meta {
                request_id,
                next_cursor: self.next_cursor,
            },
        };
        Ok(Response {
            status: self.status,
            content_type: "application/json",
            headers: self.headers,
            body: Content::Text(
                serde_json::to_string(&envelope).map_err(|error| Problem::Internal(error.to_string()))?,
            ),
        })
    }
}

/// 204.
pub fn no_content() -> Response {
    Response {
        status: 204,
        content_type: "",
        headers: Vec::new(),
        body: Content::Text(String::new()),
    }
}

/// The caller's own request id if it can be one: 1–64 of `[A-Za-z0-9._-]`.
pub fn usable_request_id(sent: Option<&str>) -> Option<&str> {
    sent.filter(|id| {
        (1..=64).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    })
}

/// Reads a body that is declared JSON, as an object.
pub async fn read_json(
    head: &Head,
    body: &mut impl Body,
) -> Result<(Vec<u8>, serde_json::Map<String, serde_json::Value>), Problem> {
    let bytes = read_declared_json(head, body).await?;
    let object = parse_object(&bytes)?;
    Ok((bytes, object))
}

async fn read_declared_json(head: &Head, body: &mut impl Body) -> Result<Vec<u8>, Problem> {
    if !is_json(head.content_type.as_deref()) {
        return Err(Problem::UnsupportedMediaType {
            wanted: "application/json",
        });
    }
    body.read(MAX_BODY_BYTES)
        .await
        .map_err(|error| error.problem(MAX_BODY_BYTES))
}

/// A media type without its parameters, in lower case.
pub fn media_type(content_type: Option<&str>) -> String {
    let media_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    media_type.trim().to_ascii_lowercase()
}

/// `application/json` or any `application/…+json`, whatever its parameters.
fn is_json(content_type: Option<&str>) -> bool {
    let media_type = media_type(content_type);
    media_type == "application/json" || (media_type.starts_with("application/") && media_type.ends_with("+json"))
}

fn parse_object(bytes: &[u8]) -> Result<serde_json::Map<String, serde_json::Value>, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| Problem::BadRequest(BadRequest::NotUtf8))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if depth(text) > MAX_DEPTH {
        return Err(Problem::BadRequest(BadRequest::TooDeep));
    }
    match serde_json::from_str(text) {
        Ok(serde_json::Value::Object(object)) => Ok(object),
        Ok(_) => Err(Problem::BadRequest(BadRequest::NotAnObject)),
        Err(error) => Err(Problem::BadRequest(BadRequest::Malformed {
            line: error.line(),
            column: error.column(),
        })),
    }
}

/// How deep brackets nest outside of strings: looked at before parsing, so no input is parsed deep.
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

/// The value of an `Idempotency-Key` header: an RFC 8941 string or bare, 1–255 visible characters.
pub fn idempotency_key(header: Option<&str>) -> Result<Option<String>, Fault> {
    let Some(header) = header.map(str::trim) else {
        return Ok(None);
    };
    let key = match header.strip_prefix('"') {
        Some(rest) => unquote(rest),
        None => Some(header.to_owned()),
    };
    key.filter(|key| (1..=255).contains(&key.len()) && key.bytes().all(|byte| (0x20..=0x7e).contains(&byte)))
        .map(Some)
        .ok_or_else(|| {
            Fault::of(
                "Idempotency-Key",
                What::BadFormat("1 to 255 visible ASCII characters, or such a quoted string"),
            )
        })
}

/// The inside of an RFC 8941 string, 3.3.3, whose opening quote is taken off.
fn unquote(rest: &str) -> Option<String> {
    let inner = rest.strip_suffix('"')?;
    let mut key = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => key.push(chars.next().filter(|next| matches!(next, '"' | '\\'))?),
            '"' => return None,
            other => key.push(other),
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn content_types_of_json_are_known_with_their_parameters() {
        for good in [
            "application/json",
            "application/json; charset=utf-8",
            "Application/JSON;charset=UTF-8",
            "application/vnd.api+json",
        ] {
            assert!(is_json(Some(good)), "{good}");
        }
        for bad in [
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "text/json+x",
            "multipart/form-data",
        ] {
            assert!(!is_json(Some(bad)), "{bad}");
        }
        assert!(!is_json(None));
    }

    #[test]
    fn idempotency_keys_come_bare_or_quoted() {
        assert_eq!(idempotency_key(None), Ok(None));
        assert_eq!(idempotency_key(Some("abc")), Ok(Some("abc".into())));
        assert_eq!(idempotency_key(Some("\"abc\"")), Ok(Some("abc".into())));
        assert_eq!(idempotency_key(Some(r#""a\"b\\c""#)), Ok(Some(r#"a"b\c"#.into())));
        let long = "x".repeat(256);
        for bad in ["", "\"\"", "\"abc", "\"a\"b\"", r#""a\b""#, "کلید", long.as_str()] {
            assert!(idempotency_key(Some(bad)).is_err(), "{bad}");
        }
        assert!(idempotency_key(Some(&"x".repeat(255))).is_ok());
    }

    #[test]
    fn request_ids_of_callers_are_taken_when_harmless() {
        assert_eq!(usable_request_id(Some("a.B_c-1")), Some("a.B_c-1"));
        let long = "x".repeat(65);
        for bad in ["", "a b", "a\nb", "é", long.as_str()] {
            assert_eq!(usable_request_id(Some(bad)), None);
        }
    }
}
