//! The REST API of sms.ir: `/v1/send…`, `/v1/receive…`, `/v1/credit` and `/v1/line`, with the key in the header `X-API-Key`. A pack is
//! one of our messages; its messages are our recipients, and have numbers as ids. `older` has the API before this one, and `by_address` the
//! way to send before that.

mod account;
mod by_address;
mod errors;
mod fields;
mod inbox;
mod lists;
mod older;
mod outbox;
mod report;
mod send;
mod verify;

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::json_text;
use super::own::Own;
use super::params::Params;
use crate::api::http::{Body, Head, Response, app::App};
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;
use errors::{Fault, judged, known, message_of};
use fields::Fields;

/// What the paths of the protocol begin with.
const GROUPS: [&str; 5] = ["send", "receive", "credit", "line", "templates"];
/// The status of an answer that is no error.
const SUCCESS: u8 = 1;

/// Whether a path is one of this provider's, of its API or of the older ones.
pub fn is_path(path: &str) -> bool {
    Path::of(path).is_some() || older::Call::of(path).is_some() || by_address::Call::of(path).is_some()
}

/// Whether paths of `/v1` with this next member are of this protocol, in whatever case.
pub fn is_group(member: &str) -> bool {
    GROUPS.iter().any(|group| group.eq_ignore_ascii_case(member))
}

/// Whether the oldest way to send has paths with this first member.
pub fn is_first_member(member: &str) -> bool {
    by_address::Call::has_first_member(member)
}

/// Whether the address of a path has a key among its parameters, and numbers.
pub fn may_have_key(path: &str) -> bool {
    let is_send = |path: Path| matches!(path.call(), Some(Call::SendByUrl));
    by_address::Call::of(path).is_some() || Path::of(path).is_some_and(is_send)
}

/// A path of the protocol: its segments behind `/v1`, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path(Vec<String>);

impl Path {
    /// Reads a path. `None`: it is of another protocol.
    fn of(path: &str) -> Option<Self> {
        let version = path
            .get(.."/v1/".len())
            .filter(|version| version.eq_ignore_ascii_case("/v1/"))?;
        let rest = path.strip_prefix(version)?.trim_end_matches('/');
        let is_ours = rest.split('/').next().is_some_and(is_group);
        is_ours.then(|| Path(rest.split('/').map(str::to_ascii_lowercase).collect()))
    }

    fn call(&self) -> Option<Call<'_>> {
        let segments: Vec<&str> = self.0.iter().map(String::as_str).collect();
        Some(match segments.as_slice() {
            ["send"] => Call::SendByUrl,
            ["send", "bulk"] => Call::SendBulk,
            ["send", "liketolike"] => Call::SendLikeToLike,
            ["send", "verify"] => Call::Verify,
            ["send", "scheduled", pack] => Call::Cancel(pack),
            ["send", "pack"] => Call::Packs,
            ["send", "pack", pack] => Call::Pack(pack),
            ["send", "live"] => Call::SentToday,
            ["send", "archive"] => Call::SentBefore,
            ["send", id] => Call::Report(id),
            ["receive", "latest"] => Call::ReceivedLately,
            ["receive", "live"] => Call::ReceivedToday,
            ["receive", "archive"] => Call::ReceivedBefore,
            ["credit"] => Call::Credit,
            ["line"] => Call::Lines,
            ["templates", ..] => Call::Templates,
            _ => return None,
        })
    }
}

/// What a path asks for.
enum Call<'a> {
    SendByUrl,
    SendBulk,
    SendLikeToLike,
    Verify,
    Cancel(&'a str),
    Packs,
    Pack(&'a str),
    SentToday,
    SentBefore,
    Report(&'a str),
    ReceivedLately,
    ReceivedToday,
    ReceivedBefore,
    Credit,
    Lines,
    Templates,
}

impl Call<'_> {
    /// The methods that it has, as `Allow` lists them.
    fn methods(&self) -> &'static str {
        match self {
            Call::SendByUrl => "GET, POST",
            Call::SendBulk | Call::SendLikeToLike | Call::Verify => "POST",
            Call::Cancel(_) => "DELETE",
            Call::Templates => "GET, POST, PUT, DELETE",
            _ => "GET",
        }
    }
}

/// Answers a request of this protocol.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    if let Some(call) = older::Call::of(&head.path) {
        return older::answer(platform, app, head, body, call).await;
    }
    if let Some(call) = by_address::Call::of(&head.path) {
        return by_address::answer(platform, app, head, body, call).await;
    }
    let path = Path::of(&head.path);
    let call = path.as_ref().and_then(Path::call);
    let own = Own::of(platform, app, head, &key_of(head, call.as_ref()));
    let outcome = match data(&own, call.as_ref(), head, body).await {
        Err(fault) => Err(judged(&own, head, fault).await),
        Ok(data) => known(&own, head).await.map(|()| data),
    };
    let response = match outcome {
        Ok(data) => own.respond(200, json_text(&Reply::of(SUCCESS, data))),
        Err(fault) => refusal(own, &fault),
    };
    response.into()
}

/// The key of a request. A send by its address has it there.
fn key_of(head: &Head, call: Option<&Call<'_>>) -> String {
    let in_address = match call {
        Some(Call::SendByUrl) => form_urlencoded::parse(head.query.as_bytes())
            .find(|(name, _)| name.eq_ignore_ascii_case("password"))
            .map(|(_, value)| value.into_owned()),
        _ => None,
    };
    in_address.or_else(|| head.door_key.clone()).unwrap_or_default()
}

/// An answer.
#[derive(Serialize)]
struct Reply {
    status: u8,
    message: &'static str,
    data: Value,
    /// It is ours: it tells a person what to mend.
    #[serde(skip_serializing_if = "Value::is_null")]
    problem: Value,
}

impl Reply {
    fn of(status: u8, data: Value) -> Reply {
        Reply {
            status,
            message: message_of(status),
            data,
            problem: Value::Null,
        }
    }
}

/// The answer of an error.
fn refusal<P: Platform>(own: Own<'_, P>, fault: &Fault) -> Response {
    let mut reply = Reply::of(fault.status, Value::Null);
    if let Some(cause) = &fault.cause {
        reply.problem = json!({"code": cause.code, "detail": cause.detail});
    }
    let mut response = own.respond(fault.http, json_text(&reply));
    let allow = fault.allow.map(|methods| ("Allow", methods.to_owned()));
    response.headers.extend(allow);
    response
}

/// Answers a call with its data.
async fn data<P: Platform>(
    own: &Own<'_, P>,
    call: Option<&Call<'_>>,
    head: &Head,
    body: &mut impl Body,
) -> Result<Value, Fault> {
    let call = call.ok_or(Fault::of(errors::BAD_VALUE))?;
    if !call.methods().split(", ").any(|method| method == head.method) {
        return Err(Fault::not_allowed(call.methods()));
    }
    match call {
        Call::SendBulk => send::bulk(own, &Fields::read(body).await?).await,
        Call::SendLikeToLike => send::like_to_like(own, &Fields::read(body).await?).await,
        Call::Verify => verify::verify(own, &Fields::read(body).await?).await,
        Call::Cancel(pack) => send::cancel(own, pack).await,
        Call::Pack(pack) => report::pack(own, pack).await,
        Call::Report(id) => report::one(own, id).await,
        Call::Credit => account::credit(own).await,
        Call::Lines => account::lines(own).await,
        Call::Templates => Err(Fault::of(errors::NOT_SUPPORTED)),
        call => listed(own, call, &Params::read(head, body).await?).await,
    }
}

/// Answers a call whose parameters stand in its address.
async fn listed<P: Platform>(own: &Own<'_, P>, call: &Call<'_>, params: &Params) -> Result<Value, Fault> {
    match call {
        Call::SendByUrl => send::by_url(own, params).await,
        Call::Packs => outbox::packs(own, params).await,
        Call::SentToday => outbox::today(own, params).await,
        Call::SentBefore => outbox::before_today(own, params).await,
        Call::ReceivedToday => inbox::today(own, params).await,
        Call::ReceivedBefore => inbox::before_today(own, params).await,
        _ => inbox::latest(own, params).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_no_case_and_may_end_with_a_slash() {
        for path in ["/v1/send/likeToLike", "/V1/SEND/LIKETOLIKE//", "/v1/send/liketolike/"] {
            let found = Path::of(path).unwrap();
            assert!(matches!(found.call(), Some(Call::SendLikeToLike)), "{path}");
        }
        for path in [
            "/v1/line",
            "/v1/credit/x",
            "/v1/receive",
            "/v1/templates/7",
            "/v1/send/a/b/c",
        ] {
            assert!(Path::of(path).is_some(), "{path}");
        }
        for path in ["/v1/lines", "/send/bulk", "/v1/sends", "/v1/", "/v1", "/v2/send", ""] {
            assert_eq!(Path::of(path), None, "{path}");
        }
    }
}
