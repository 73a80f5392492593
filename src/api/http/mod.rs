//! HTTP as the service needs it: the head and the body of a request, the response, and pure helpers for headers.
//! This file knows no errors of the API. `api/` turns them into responses.

mod answer_macro;
pub mod app;
pub mod audit;
pub mod body;
mod body_macro;
pub mod browser;
pub mod caller;
pub mod calls;
pub mod context;
pub mod forms;
pub mod idempotency;
pub mod json_fields;
pub mod json_schema;
pub mod meter;
pub mod paging;
pub mod query;
pub mod record;
pub mod refusals;
pub mod respond;
pub mod route;
pub mod strangers;
pub mod tickets;
pub mod ttl_cell;

pub use crate::base::body::{Body, BodyError};

use std::net::IpAddr;

use crate::account::record::message::callback::CallbackFormat;
use crate::auth::signing_key::SigningKey;

/// The parts of a request that the service reads, without the body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The method, in upper case.
    pub method: String,
    /// The path as the client sent it, with its percent-encoding.
    pub path: String,
    /// The query, without its `?`.
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
    /// `Accept`. Only the home page reads it.
    pub accept: Option<String>,
    /// `Cookie`. This and the next three say who asks if there is no `Authorization`, and are not read beside one.
    pub cookie: Option<String>,
    /// `X-Peyk-Console`, which no form of another page can send.
    pub console: Option<String>,
    /// `Sec-Fetch-Site`: how the browser says where the page is from that asks.
    pub fetch_site: Option<String>,
    /// `Origin`: the same, of browsers that do not send the former.
    pub page_origin: Option<String>,
    /// `X-Api-Key`, `Apikey` or `X-Sms-Ir-Secure-Token`: where some protocols of doors have the key. Our own API does not read it.
    pub door_key: Option<String>,
    /// Who is to hear what becomes of a send. Only a door sets it, inside the process: no client can.
    pub callback: Option<StatusCallback>,
    /// The address of the client, as the platform says (`CF-Connecting-IP`). It replaces what a client writes there.
    pub address: Option<String>,
    /// The scheme and the host that the client called, such as `https://sms.example.com`.
    pub origin: String,
}

/// Who is to hear what becomes of the recipient of a send. Only a door sets it: no header and no member of a body does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusCallback {
    /// Its form.
    pub format: CallbackFormat,
    /// The address, as the program has named it. Nobody has checked it.
    pub url: String,
    /// The account, as the program names it.
    pub account: String,
    /// The key that signs.
    pub key: SigningKey,
}

impl StatusCallback {
    /// A callback in Twilio's form, signed with the API key that the program calls with. `account` is the SID of its account.
    pub fn twilio(url: &str, account: &str, api_key: &str) -> Self {
        StatusCallback {
            format: CallbackFormat::Twilio,
            url: url.to_owned(),
            account: account.to_owned(),
            key: SigningKey::of(api_key.as_bytes()),
        }
    }
}

/// The address of a client in its usual form. `None`: the text is none.
pub fn address(text: &str) -> Option<String> {
    let address: IpAddr = text.trim().parse().ok()?;
    Some(address.to_canonical().to_string())
}

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// `Content-Type`. An empty text means that the response has none.
    pub content_type: &'static str,
    /// The other headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body. An empty text means no body.
    pub body: String,
}

/// Makes a 204.
pub fn no_content() -> Response {
    Response {
        status: 204,
        content_type: "",
        headers: Vec::new(),
        body: String::new(),
    }
}

/// Returns the client's own request id if it may be used: 1 to 64 characters of `[A-Za-z0-9._-]`.
pub fn usable_request_id(sent: Option<&str>) -> Option<&str> {
    sent.filter(|id| {
        (1..=64).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
    })
}

/// The media type of a `Content-Type` header, without parameters, in lower case.
pub fn media_type(content_type: Option<&str>) -> String {
    let media_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    media_type.trim().to_ascii_lowercase()
}

/// Whether a `Content-Type` header declares JSON: `application/json` or `application/…+json`, with any parameters.
pub fn is_json(content_type: Option<&str>) -> bool {
    let media_type = media_type(content_type);
    media_type == "application/json" || (media_type.starts_with("application/") && media_type.ends_with("+json"))
}

/// Whether an `Accept` header (RFC 9110, 12.5.1) names HTML, as browsers do. `*/*`, which programs send, names nothing.
pub fn asks_for_html(accept: Option<&str>) -> bool {
    let names_html = |range: &str| {
        let mut parts = range.split(';').map(str::trim);
        let is_html = parts
            .next()
            .is_some_and(|media| media.eq_ignore_ascii_case("text/html"));
        let is_refused = |param: &str| {
            param
                .strip_prefix("q=")
                .is_some_and(|q| q.bytes().all(|byte| b"0.".contains(&byte)))
        };
        is_html && !parts.any(is_refused)
    };
    accept.unwrap_or_default().split(',').any(names_html)
}

/// The scheme and the host of an address: what stands before its path.
pub fn origin_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |scheme| scheme.saturating_add(3));
    let end = url.get(host..).and_then(|rest| rest.find(['/', '?', '#']));
    end.and_then(|end| url.get(..host.saturating_add(end))).unwrap_or(url)
}

/// Reads the value of an `Idempotency-Key` header: an RFC 8941 string or a bare text, 1 to 255 visible characters.
/// Returns `None` if the value has another form.
pub fn idempotency_key(header: &str) -> Option<String> {
    let header = header.trim();
    let key = match header.strip_prefix('"') {
        Some(rest) => unquote(rest),
        None => Some(header.to_owned()),
    };
    key.filter(|key| (1..=255).contains(&key.len()) && key.bytes().all(|byte| (0x20..=0x7e).contains(&byte)))
}

/// Reads an RFC 8941 string (section 3.3.3) from behind its opening quote.
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
    fn a_browser_is_told_from_a_program_by_the_html_that_it_names() {
        for browser in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "application/json, Text/HTML ; q=0.5",
        ] {
            assert!(asks_for_html(Some(browser)), "{browser}");
        }
        for program in [
            "",
            "*/*",
            "application/json",
            "text/*",
            "text/html;q=0",
            "text/html; q=0.000",
            "text/htmlx",
        ] {
            assert!(!asks_for_html(Some(program)), "{program}");
        }
        assert!(!asks_for_html(None));
    }

    #[test]
    fn the_origin_stands_before_the_path() {
        for (url, origin) in [
            (
                "https://sms.example.com/v1/sms/send?x=https://a/b",
                "https://sms.example.com",
            ),
            ("http://127.0.0.1:8787/", "http://127.0.0.1:8787"),
            ("https://sms.example.com?a", "https://sms.example.com"),
            ("https://sms.example.com", "https://sms.example.com"),
            ("", ""),
        ] {
            assert_eq!(origin_of(url), origin);
        }
    }

    #[test]
    fn idempotency_keys_come_bare_or_quoted() {
        assert_eq!(idempotency_key("abc"), Some("abc".into()));
        assert_eq!(idempotency_key("\"abc\""), Some("abc".into()));
        assert_eq!(idempotency_key(r#""a\"b\\c""#), Some(r#"a"b\c"#.into()));
        let long = "x".repeat(256);
        for bad in ["", "\"\"", "\"abc", "\"a\"b\"", r#""a\b""#, "کلید", long.as_str()] {
            assert_eq!(idempotency_key(bad), None, "{bad}");
        }
        assert!(idempotency_key(&"x".repeat(255)).is_some());
    }

    #[test]
    fn request_ids_of_clients_are_taken_when_harmless() {
        assert_eq!(usable_request_id(Some("a.B_c-1")), Some("a.B_c-1"));
        let long = "x".repeat(65);
        for bad in ["", "a b", "a\nb", "é", long.as_str()] {
            assert_eq!(usable_request_id(Some(bad)), None);
        }
    }
}
