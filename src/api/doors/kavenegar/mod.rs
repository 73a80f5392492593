//! The REST API of Kavenegar: `/v1/{key}/{scope}/{method}.json`, by GET or POST. Its ids are numbers: the number of a message in its
//! account and the index of the recipient, in one.

mod account;
mod array;
mod entry;
mod errors;
mod inbox;
mod outbox;
mod send;
mod span;
mod state;

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::json_text;
use super::own::{Own, Refused};
use super::params::Params;
use crate::api::http::{Body, Head, app::App};
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;
use entry::Entry;
use errors::{Fault, message_of};

/// The scopes that the protocol has.
const SCOPES: [&str; 6] = ["sms", "verify", "account", "call", "utils", "line"];

/// A path of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path<'a> {
    key: &'a str,
    /// Such as `sms/send`.
    method: String,
}

impl<'a> Path<'a> {
    /// Reads a path. `None`: it is of another protocol.
    pub fn of(path: &'a str) -> Option<Self> {
        let (key, rest) = path.strip_prefix("/v1/")?.split_once('/')?;
        let (scope, method) = rest.strip_suffix('/').unwrap_or(rest).split_once('/')?;
        let method = method.strip_suffix(".json").filter(|method| !method.contains('/'))?;
        let is_ours = !key.is_empty() && SCOPES.contains(&scope);
        is_ours.then(|| Path {
            key,
            method: format!("{scope}/{}", method.to_ascii_lowercase()),
        })
    }
}

/// Whether a path may have a key where this protocol has one, also if the rest is written wrong.
pub fn may_have_key(path: &str) -> bool {
    let segments = || path.split('/');
    let is_scope = |segment: &str| SCOPES.iter().any(|scope| scope.eq_ignore_ascii_case(segment));
    let mut pairs = segments().zip(segments().skip(1));
    pairs.any(|(before, segment)| !matches!(before, "" | "v1") && is_scope(segment))
}

/// Answers a request of this protocol.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    let path = Path::of(&head.path);
    let key = path.as_ref().map_or("", |path| path.key);
    let own = Own::of(platform, app, head, &super::params::decoded_segment(key));
    let method = path.as_ref().map_or("", |path| path.method.as_str());
    let outcome = match entries(&own, method, head, body).await {
        // Who has no good key learns nothing else.
        Err(fault) if fault.cause.is_none() => match own.check_key().await {
            Ok(()) => Err(fault),
            Err(cause) => Err(cause.into()),
        },
        outcome => outcome,
    };
    let (status, reply) = match outcome {
        Ok(entries) => (200, Reply::of(200, entries)),
        Err(fault) => (fault.status, refusal(&fault)),
    };
    own.respond(status, json_text(&reply)).into()
}

/// An answer.
#[derive(Serialize)]
struct Reply {
    #[serde(rename = "return")]
    returned: Returned,
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
}

impl Reply {
    fn of(status: u16, entries: Entries) -> Reply {
        let message = message_of(status);
        Reply {
            returned: Returned { status, message },
            entries,
            problem: None,
        }
    }
}

/// The answer of an error.
fn refusal(fault: &Fault) -> Reply {
    let told = |cause: &Refused| json!({"code": cause.code, "detail": cause.detail});
    Reply {
        problem: Some(fault.cause.as_ref().map_or(Value::Null, told)),
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
    let is_post = head.method == "POST";
    if !is_post && (head.method != "GET" || method == "sms/sendarray") {
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
        "account/info" => account::info(own).await,
        "account/config" => account::config(own, params).await,
        _ if NOT_SUPPORTED.contains(&method) => Err(Fault::of(426)),
        _ => Err(Fault::of(404)),
    }
}

/// What the protocol has and the service does not.
const NOT_SUPPORTED: [&str; 7] = [
    "sms/inboxpaged",
    "sms/statusbyreceptor",
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
        for path in ["/v1/key/sms/send.json", "/v1/key/sms/Send.json/"] {
            let found = Path::of(path).unwrap();
            assert_eq!((found.key, found.method.as_str()), ("key", "sms/send"), "{path}");
        }
        for path in [
            "/v1/key/sms/send",
            "/v1//sms/send.json",
            "/v1/key/other/send.json",
            "/v1/key/sms/a/send.json",
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
