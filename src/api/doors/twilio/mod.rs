//! Twilio's REST API for messages: `/2010-04-01/Accounts/{account}/…`, with Basic authentication. The password is the key, and the
//! account in the path is any: the key alone decides. The SID of a message stands for one of our recipients.

mod account;
mod errors;
mod list;
mod message;
mod page;
mod records;
mod send;
mod told;
mod wanted;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::own::Own;
use super::params::Params;
use crate::api::http::{Body, Head, Response, app::App};
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;
use crate::webhook::callbacks::twilio::API_VERSION;
use errors::Fault;
use told::Told;

/// A path of the protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Path<'a> {
    /// The SID of the account, as the program writes it.
    account: &'a str,
    resource: Resource<'a>,
}

/// What a path names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Resource<'a> {
    Account,
    Balance,
    Messages,
    Message(&'a str),
    Media(&'a str),
    /// The service has no such thing.
    #[default]
    Other,
}

impl<'a> Path<'a> {
    /// Reads a path. `None`: it is of another protocol.
    pub fn of(path: &'a str) -> Option<Self> {
        let rest = path.strip_prefix('/')?.strip_prefix(API_VERSION)?;
        if !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let rest = rest.strip_suffix(".json").unwrap_or(rest);
        let steps: Vec<&str> = rest.split('/').skip(1).collect();
        let (account, resource) = match *steps.as_slice() {
            ["Accounts", account] => (account, Resource::Account),
            ["Accounts", account, "Balance"] => (account, Resource::Balance),
            ["Accounts", account, "Messages"] => (account, Resource::Messages),
            ["Accounts", account, "Messages", sid] => (account, Resource::Message(sid)),
            ["Accounts", account, "Messages", sid, "Media"] => (account, Resource::Media(sid)),
            _ => ("", Resource::Other),
        };
        Some(if is_account(account) {
            Path { account, resource }
        } else {
            Path::default()
        })
    }
}

/// Whether a text has the form of an account's SID.
fn is_account(sid: &str) -> bool {
    let digits = sid.strip_prefix("AC").unwrap_or_default();
    digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Answers a request of this protocol.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    let key = password(head.authorization.as_deref()).unwrap_or_default();
    let own = Own::of(platform, app, head, &key);
    let path = Path::of(&head.path).unwrap_or_default();
    let outcome = match told(&own, path, head, body).await {
        // Who has no good key learns nothing else.
        Err(fault) if fault.cause.is_none() => match own.check_key().await {
            Ok(()) => Err(fault),
            Err(cause) => Err(cause.into()),
        },
        outcome => outcome,
    };
    match outcome {
        Ok(Told::Found(record)) => own.respond(200, record),
        Ok(Told::Made(record)) => own.respond(201, record),
        Ok(Told::Gone) => Response {
            content_type: "",
            ..own.respond(204, String::new())
        },
        Err(fault) => refusal(own, &fault, &head.path),
    }
    .into()
}

/// The answer of an error.
fn refusal<P: Platform>(own: Own<'_, P>, fault: &Fault, path: &str) -> Response {
    let mut response = own.respond(fault.status(), fault.told(path).to_string());
    if fault.status() == 401 {
        let scheme = r#"Basic realm="Twilio API""#.to_owned();
        response.headers.push(("WWW-Authenticate", scheme));
    }
    response
}

/// The password of an `Authorization` header with the scheme Basic.
fn password(header: Option<&str>) -> Option<String> {
    let (scheme, credentials) = header?.trim().split_once(' ')?;
    let bytes = STANDARD.decode(credentials.trim()).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (_, password) = text.split_once(':')?;
    scheme.eq_ignore_ascii_case("basic").then(|| password.to_owned())
}

/// Calls what a path names.
async fn told<P: Platform>(own: &Own<'_, P>, path: Path<'_>, head: &Head, body: &mut impl Body) -> Result<Told, Fault> {
    let account = path.account;
    match (path.resource, head.method.as_str()) {
        (Resource::Account, "GET") => account::read(own, account).await,
        (Resource::Balance, "GET") => account::balance(own, account).await,
        (Resource::Messages, "GET") => list::list(own, account, head, &Params::read(head, body).await?).await,
        (Resource::Messages, "POST") => send::create(own, account, head, &Params::read(head, body).await?).await,
        (Resource::Message(sid), "GET") => records::fetch(own, account, sid).await,
        (Resource::Message(sid), "POST") => records::update(own, account, sid, &Params::read(head, body).await?).await,
        (Resource::Message(sid), "DELETE") => records::delete(own, sid).await,
        (Resource::Media(sid), "GET") => records::media(own, account, sid).await,
        (Resource::Other, _) => Err(Fault::of(20_404)),
        _ => Err(Fault::of(20_004)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: &str = "AC0123456789abcdef0123456789ABCDEF";

    #[test]
    fn paths_of_the_protocol_are_known() {
        let of = |rest: &str| Path::of(&format!("/2010-04-01{rest}")).map(|path| format!("{:?}", path.resource));
        for (rest, resource) in [
            (format!("/Accounts/{ACCOUNT}.json"), "Account"),
            (format!("/Accounts/{ACCOUNT}/Balance.json"), "Balance"),
            (format!("/Accounts/{ACCOUNT}/Messages.json"), "Messages"),
            (format!("/Accounts/{ACCOUNT}/Messages"), "Messages"),
            (format!("/Accounts/{ACCOUNT}/Messages/SM1.json"), "Message(\"SM1\")"),
            (format!("/Accounts/{ACCOUNT}/Messages/SM1/Media.json"), "Media(\"SM1\")"),
            (format!("/Accounts/{ACCOUNT}/Messages.xml"), "Other"),
            (format!("/Accounts/{ACCOUNT}/Calls.json"), "Other"),
            ("/Accounts/AC1/Messages.json".to_owned(), "Other"),
            ("/Accounts.json".to_owned(), "Other"),
            (String::new(), "Other"),
            ("//".to_owned(), "Other"),
        ] {
            assert_eq!(of(&rest).as_deref(), Some(resource), "{rest}");
        }
        for other in [
            "/2010-04-011/Accounts",
            "/v1/2010-04-01/Accounts",
            "2010-04-01",
            "/messages",
        ] {
            assert_eq!(Path::of(other), None, "{other}");
        }
    }

    #[test]
    fn the_password_of_basic_authentication_is_the_key() {
        let basic = |text: &str| format!("Basic {}", STANDARD.encode(text));
        for (header, key) in [
            (basic("AC1:peyk_live_1"), Some("peyk_live_1")),
            (basic(":a:b"), Some("a:b")),
            (basic("SK1:").to_lowercase().replace("basic", "bAsic"), None),
            (basic("SK1"), None),
            ("Bearer peyk_live_1".to_owned(), None),
            ("Basic ***".to_owned(), None),
            ("Basic".to_owned(), None),
        ] {
            let found = password(Some(&header));
            assert_eq!(found.as_deref().filter(|key| !key.is_empty()), key, "{header}");
        }
        assert_eq!(password(None), None);
    }
}
