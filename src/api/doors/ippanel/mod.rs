//! The three protocols of ippanel: Edge, the older api2, and rest, which is older still. Their calls do the same, and differ in paths,
//! names and envelopes. An id is the number of a message in its account. The items of a peer-to-peer send have ids of their own.

mod api2;
mod edge;
mod fault;
mod kinds;
mod pages;
mod patterns;
mod read;
mod reply;
mod request;
mod rest;
mod send;
mod states;

use super::own::Own;
use super::params::Params;
use crate::api::http::{Body, Head, app::App};
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;
use fault::Fault;
use reply::Reply;
use request::Request;

/// The scheme that says that a request is of the protocol rest: its paths are also ours.
const REST: &str = "AccessKey";
/// What may stand before the key in `Authorization`.
const SCHEMES: [&str; 2] = [REST, "Bearer"];

/// One of the protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Edge,
    Api2,
    Rest,
}

/// A path of one of the protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Path<'a> {
    protocol: Protocol,
    /// What follows the protocol's own beginning, such as `sms/send/webservice/single`.
    call: &'a str,
}

impl<'a> Path<'a> {
    /// Reads the path of a request. `None`: it is of another protocol.
    pub fn of(head: &'a Head) -> Option<Self> {
        let path = head.path.as_str();
        let behind = |prefix: &str| path.strip_prefix(prefix);
        let (protocol, call) = if path.trim_end_matches('/') == "/inbox" {
            (Protocol::Api2, "inbox")
        } else if let Some(call) = behind("/api/v1/") {
            (Protocol::Api2, call)
        } else if let Some(call) = behind("/v1/api/").or_else(|| behind("/api/")) {
            (Protocol::Edge, call)
        } else {
            let authorization = head.authorization.as_deref().unwrap_or_default();
            without_scheme(authorization, REST)?;
            (Protocol::Rest, behind("/v1/")?)
        };
        let call = call.trim_end_matches('/');
        Some(Path { protocol, call })
    }
}

/// Whether the address of a path has a key among its parameters, and a number.
pub fn may_have_key(path: &str) -> bool {
    let call = path.strip_prefix("/v1/api/").or_else(|| path.strip_prefix("/api/"));
    call.is_some_and(|call| call.trim_end_matches('/') == edge::BY_URL)
}

/// What follows this scheme in `Authorization`.
fn without_scheme<'a>(authorization: &'a str, scheme: &str) -> Option<&'a str> {
    let (first, rest) = authorization.trim().split_once(' ')?;
    first.eq_ignore_ascii_case(scheme).then(|| rest.trim())
}

/// The key of a request: programs write it with a scheme and without one.
fn key_of(head: &Head, call: &str) -> String {
    let authorization = head.authorization.as_deref();
    let bare = authorization.map(|text| {
        SCHEMES
            .iter()
            .find_map(|scheme| without_scheme(text, scheme))
            .unwrap_or(text)
    });
    let key = bare.or(head.door_key.as_deref()).map(str::trim);
    let in_query = || {
        let query = (call == edge::BY_URL).then(|| Params::of_query(&head.query))?;
        edge::key_in(&query).map(str::to_owned)
    };
    key.map(str::to_owned).or_else(in_query).unwrap_or_default()
}

/// Answers a request of one of the protocols. Its texts are Persian: the protocols have no other.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    let path = Path::of(head).unwrap_or(Path {
        protocol: Protocol::Edge,
        call: "",
    });
    let head = Head {
        accept_language: Some("fa".to_owned()),
        ..head.clone()
    };
    let own = Own::of(platform, app, &head, &key_of(&head, path.call));
    let outcome = match outcome_of(&own, path, &head, body).await {
        Err(fault) if !fault.is_own => Err(fault),
        // Who has no good key learns nothing else.
        outcome => own.check_key().await.map_err(Fault::from).and(outcome),
    };
    let allow = outcome.as_ref().err().and_then(|fault| fault.allow);
    let (status, body) = match path.protocol {
        Protocol::Edge => edge::envelope(outcome),
        Protocol::Api2 => api2::envelope(outcome),
        Protocol::Rest => rest::envelope(outcome),
    };
    let mut response = own.respond(status, body.to_string());
    let allow = allow.map(|method| ("Allow", method.to_owned()));
    response.headers.extend(allow);
    response.into()
}

async fn outcome_of<P: Platform>(
    own: &Own<'_, P>,
    path: Path<'_>,
    head: &Head,
    body: &mut impl Body,
) -> Result<Reply, Fault> {
    let request = Request::read(path.call, head, body).await?;
    match path.protocol {
        Protocol::Edge => edge::call(own, &request).await,
        Protocol::Api2 => api2::call(own, &request).await,
        Protocol::Rest => rest::call(own, &request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(path: &str, authorization: Option<&str>) -> Head {
        Head {
            path: path.to_owned(),
            authorization: authorization.map(str::to_owned),
            ..Head::default()
        }
    }

    #[test]
    fn a_path_and_the_scheme_of_the_key_tell_the_protocol() {
        let rest = Some("accesskey 0123456789abcdef");
        for (path, authorization, wanted) in [
            ("/v1/api/send", None, Some((Protocol::Edge, "send"))),
            ("/api/send/", Some("key"), Some((Protocol::Edge, "send"))),
            ("/api/v1/sms/x", rest, Some((Protocol::Api2, "sms/x"))),
            ("/inbox", None, Some((Protocol::Api2, "inbox"))),
            ("/v1/messages/7", rest, Some((Protocol::Rest, "messages/7"))),
            ("/v1/messages/7", Some("Bearer key"), None),
            ("/v1/messages/7", Some("AccessKey"), None),
            ("/v1/messages/7", None, None),
            ("/messages/7", rest, None),
            ("/v1", rest, None),
        ] {
            let head = head(path, authorization);
            let found = Path::of(&head).map(|path| (path.protocol, path.call));
            assert_eq!(found, wanted, "{path}");
        }
    }

    #[test]
    fn a_key_is_read_however_programs_write_it() {
        for authorization in ["key", " key ", "AccessKey key", "bearer  key"] {
            assert_eq!(key_of(&head("/api/send", Some(authorization)), "send"), "key");
        }
        let mut request = head("/api/send/webservice", None);
        request.query = "X-API-Key=a%3D&to=1".to_owned();
        assert_eq!(key_of(&request, "send/webservice"), "a=");
        assert_eq!(key_of(&request, "send"), "");
        request.door_key = Some("key=".to_owned());
        assert_eq!(key_of(&request, "send/webservice"), "key=");
    }
}
