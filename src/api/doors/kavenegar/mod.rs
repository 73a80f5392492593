//! The REST API of Kavenegar: `/v1/{key}/{scope}/{method}.json`, or `.xml`, by GET or POST. Its ids are numbers: the number of a message in its
//! account and the index of the recipient, in one.

mod account;
mod array;
mod entry;
mod errors;
mod inbox;
mod outbox;
mod part;
mod send;
mod singles;
mod span;
mod state;
mod utils;
mod xml;

use serde::Serialize;
use serde_json::Value;

use super::answer::json_text;
use super::own::Own;
use super::params::Params;
use crate::api::http::{Body, Head, Response, app::App};
use crate::api::router;
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;
use entry::Entry;
use errors::{Fault, message_of};
use inbox::Page;

/// The scopes that the protocol has.
const SCOPES: [&str; 6] = ["sms", "verify", "account", "call", "utils", "line"];

/// Whether a member of a path is the word of a scope, in whatever case.
pub fn is_scope(member: &str) -> bool {
    SCOPES.iter().any(|scope| scope.eq_ignore_ascii_case(member))
}

/// A path of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path<'a> {
    key: &'a str,
    /// Such as `sms/send`. `None`: it is written as no method is.
    method: Option<String>,
    form: Form,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Xml,
}

impl<'a> Path<'a> {
    /// Reads a path. `None`: it is of another protocol.
    pub fn of(path: &'a str) -> Option<Self> {
        let (key, rest) = path.strip_prefix("/v1/")?.split_once('/')?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (scope, method) = rest.split_once('/').unwrap_or((rest, ""));
        if key.is_empty() || !is_scope(scope) || router::is_first_member(key) {
            return None;
        }
        let (method, form) = match method.rsplit_once('.') {
            Some((method, "json")) => (Some(method), Form::Json),
            Some((method, "xml")) => (Some(method), Form::Xml),
            _ => (None, Form::Json),
        };
        let method = method.filter(|method| !method.contains('/'));
        Some(Path {
            key,
            method: method.map(|method| format!("{scope}/{method}").to_ascii_lowercase()),
            form,
        })
    }
}

/// Whether a path may have a key where this protocol has one, also if the rest is written wrong.
pub fn may_have_key(path: &str) -> bool {
    let segments = || path.split('/');
    let mut pairs = segments().zip(segments().skip(1));
    pairs.any(|(before, segment)| !matches!(before, "" | "v1") && is_scope(segment))
}

/// Answers a request of this protocol.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    let path = Path::of(&head.path);
    let key = path.as_ref().map_or("", |path| path.key);
    let own = Own::of(platform, app, head, &super::params::decoded_segment(key));
    let method = path
        .as_ref()
        .and_then(|path| path.method.as_deref())
        .unwrap_or_default();
    let outcome = match entries(&own, method, head, body).await {
        Err(fault) if fault.cause.is_some() => Err(fault),
        // Who has no good key learns nothing else.
        outcome => own.check_key().await.map_err(Fault::from).and(outcome),
    };
    let (status, reply) = match outcome {
        Ok(Entries::Page(page)) => (200, page.into()),
        Ok(entries) => (200, Reply::of(200, entries)),
        Err(fault) => (fault.status, refusal(&fault)),
    };
    let mut response = match path.as_ref().map(|path| path.form) {
        Some(Form::Xml) => Response {
            content_type: "application/xml; charset=utf-8",
            ..own.respond(status, xml::text(&reply))
        },
        Some(Form::Json) | None => own.respond(status, json_text(&reply)),
    };
    if status == 405 {
        response.headers.push(("Allow", methods_of(method).to_owned()));
    }
    response.into()
}

/// The methods of HTTP that a method of the protocol has, as `Allow` lists them.
fn methods_of(method: &str) -> &'static str {
    if method == "sms/sendarray" { "POST" } else { "GET, POST" }
}

/// An answer.
#[derive(Serialize)]
struct Reply {
    #[serde(rename = "return")]
    returned: Returned,
    /// Which page of a list the entries are.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
    entries: Entries,
    /// Of a refusal, it is ours: it tells a person what to mend.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Value>,
}

#[derive(Serialize)]
struct Returned {
    status: u16,
    message: &'static str,
}

/// What a call tells.
#[derive(Serialize)]
#[serde(untagged)]
enum Entries {
    Recipients(Vec<Entry>),
    Others(Value),
    Page(Page),
}

impl From<Page> for Reply {
    fn from(Page { metadata, entries }: Page) -> Reply {
        Reply {
            metadata: Some(metadata),
            ..Reply::of(200, Entries::Others(entries))
        }
    }
}

impl Reply {
    fn of(status: u16, entries: Entries) -> Reply {
        let message = message_of(status);
        Reply {
            returned: Returned { status, message },
            metadata: None,
            entries,
            problem: None,
        }
    }
}

/// The answer of an error.
fn refusal(fault: &Fault) -> Reply {
    Reply {
        problem: Some(fault.problem()),
        ..Reply::of(fault.status, Entries::Others(Value::Null))
    }
}

/// Calls a method of the protocol. Returns its entries.
async fn entries<P: Platform>(
    own: &Own<'_, P>,
    method: &str,
    head: &Head,
    body: &mut impl Body,
) -> Result<Entries, Fault> {
    if !methods_of(method).split(", ").any(|known| known == head.method) {
        return Err(Fault::of(405));
    }
    let params = Params::read(head, body).await?;
    let recipients = match method {
        "sms/send" => send::send(own, &params).await?,
        "sms/sendarray" => array::send_array(own, &params).await?,
        "verify/lookup" => send::lookup(own, &params).await?,
        "sms/select" => state::select(own, &params).await?,
        "sms/latestoutbox" => outbox::latest(own, &params).await?,
        "sms/selectoutbox" => outbox::select(own, &params).await?,
        "sms/inboxpaged" => return inbox::page(own, &params).await.map(Entries::Page),
        _ => return others(own, method, &params).await.map(Entries::Others),
    };
    Ok(Entries::Recipients(recipients))
}

/// Calls a method whose entries are no recipients with all that is known of them.
async fn others<P: Platform>(own: &Own<'_, P>, method: &str, params: &Params) -> Result<Value, Fault> {
    match method {
        "sms/status" => state::status(own, params).await,
        "sms/statuslocalmessageid" => state::status_by_local_id(own, params).await,
        "sms/cancel" => state::cancel(own, params).await,
        "sms/countoutbox" => outbox::count(own, params).await,
        "sms/receive" => inbox::receive(own, params).await,
        "sms/countinbox" => inbox::count(own, params).await,
        "sms/statusbyreceptor" => outbox::by_receptor(own, params).await,
        "utils/getdate" => utils::date(own).await,
        "account/info" => account::info(own).await,
        "account/config" => account::config(own, params).await,
        _ if NOT_SUPPORTED.contains(&method) => Err(Fault::of(426)),
        _ => Err(Fault::of(404)),
    }
}

/// What the protocol has and the service does not.
const NOT_SUPPORTED: [&str; 5] = [
    "sms/countpostalcode",
    "sms/sendbypostalcode",
    "call/maketts",
    "call/status",
    "line/blocked",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_protocol_are_known() {
        for (path, form) in [
            ("/v1/key/sms/send.json", Form::Json),
            ("/v1/key/SMS/Send.json/", Form::Json),
            ("/v1/key/sms/send.xml", Form::Xml),
        ] {
            let found = Path::of(path).unwrap();
            assert_eq!(
                (found.key, found.method.as_deref(), found.form),
                ("key", Some("sms/send"), form),
                "{path}"
            );
        }
        for path in [
            "/v1/key/sms/send",
            "/v1/key/sms/send.php",
            "/v1/key/sms/a/send.json",
            "/v1/key/sms/",
            "/v1/key/Verify",
        ] {
            assert_eq!(Path::of(path).unwrap().method, None, "{path}");
        }
        for path in [
            "/v1//sms/send.json",
            "/v1/key/other/send.json",
            "/v1/sms/verify/lookup.json",
            "/v1/Messages/sms",
            "/v2/key/sms/send.json",
            "/key/sms/send.json",
        ] {
            assert_eq!(Path::of(path), None, "{path}");
        }
    }

    #[test]
    fn a_path_that_may_have_a_key_is_told_from_our_own() {
        for path in [
            "/v1/key/sms/send.json",
            "/v1/key/Sms/send",
            "/key/verify/lookup.json",
            "/v1/key/sms",
            "//v1//key/account/info.json",
        ] {
            assert!(may_have_key(path), "{path}");
        }
        for route in crate::api::routes::ROUTES {
            for path in [route.path.to_owned(), format!("/v1{}", route.path)] {
                assert!(!may_have_key(&path), "{path}");
            }
        }
    }
}
