//! Twilio's REST API for messages, `/2010-04-01/Accounts/{account}/…`, with what programs ask beside it: services of Messaging v1,
//! Verify v2 and Lookup v2. The password of Basic authentication is the key, and the account is any: the key alone decides. The SID of a
//! message stands for one of our recipients, or for a message from a phone.

mod account;
mod call;
mod errors;
mod inbound;
mod lines;
mod list;
mod lookup;
mod message;
mod outbound;
mod page;
mod path;
mod records;
mod send;
mod services;
mod verify;
mod wanted;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::own::Own;
use super::params::Params;
use crate::api::http::{Body, Head, Response, app::App};
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;
use crate::webhook::callbacks::twilio::is_sid;
use call::{Asked, Told};
use errors::Fault;
use path::Resource;
pub use path::{Path, is_resource, may_have_number};

/// What is said to a program that sets where messages from phones shall go, on a line or on a service. It shows a person no `details`.
const TO_WEBHOOKS: &str =
    "messages from phones go to webhooks of the service (`POST /webhook`, with the event `message.received`)";

/// Answers a request of this protocol.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    let (user, key) = credentials(head.authorization.as_deref()).unwrap_or_default();
    let own = Own::of(platform, app, head, &key);
    let path = Path::of(&head.path).unwrap_or_default();
    let asked = Asked {
        account: path.account.or(Some(user.as_str()).filter(|user| is_sid("AC", user))),
        head,
    };
    let outcome = match told(&own, &asked, path.resource, body).await {
        Err(fault) if fault.cause.is_some() => Err(fault),
        // Who has no good key learns nothing else.
        outcome => own.check_key().await.map_err(Fault::from).and(outcome),
    };
    match outcome {
        Ok(Told::Found(record)) => own.respond(200, record),
        Ok(Told::Made(record)) => own.respond(201, record),
        Ok(Told::Gone) => Response {
            content_type: "",
            ..own.respond(204, String::new())
        },
        Err(fault) => refusal(own, &fault, path.resource, &head.path),
    }
    .into()
}

/// The answer of an error.
fn refusal<P: Platform>(own: Own<'_, P>, fault: &Fault, resource: Resource<'_>, path: &str) -> Response {
    let mut response = own.respond(fault.status(), fault.told(path).to_string());
    if fault.status() == 401 {
        let scheme = r#"Basic realm="Twilio API""#.to_owned();
        response.headers.push(("WWW-Authenticate", scheme));
    }
    if fault.status() == 405 {
        response.headers.push(("Allow", resource.methods().to_owned()));
    }
    response
}

/// The user name and the password of an `Authorization` header with the scheme Basic.
fn credentials(header: Option<&str>) -> Option<(String, String)> {
    let (scheme, credentials) = header?.trim().split_once(' ')?;
    let bytes = STANDARD.decode(credentials.trim()).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (user, password) = text.split_once(':')?;
    scheme
        .eq_ignore_ascii_case("basic")
        .then(|| (user.to_owned(), password.to_owned()))
}

/// Calls what a path names.
async fn told<P: Platform>(
    own: &Own<'_, P>,
    asked: &Asked<'_>,
    resource: Resource<'_>,
    body: &mut impl Body,
) -> Result<Told, Fault> {
    let (account, head) = (asked.account.unwrap_or_default(), asked.head);
    match (resource, head.method.as_str()) {
        (Resource::Accounts, "GET") => account::list(own, asked).await,
        (Resource::Account, "GET") => account::read(own, account).await,
        (Resource::Balance, "GET") => account::balance(own, account).await,
        (Resource::Lines, "GET") => lines::list(own, account, head, None).await,
        (Resource::LinesOf(kind), "GET") => lines::list(own, account, head, Some(kind)).await,
        (Resource::Line(sid), "GET") => lines::read(own, account, sid).await,
        (Resource::Messages, "GET") => list::list(own, account, head, &Params::read(head, body).await?).await,
        (Resource::Messages, "POST") => send::create(own, account, head, &Params::read(head, body).await?).await,
        (Resource::Message(sid), "GET") => records::fetch(own, account, sid).await,
        (Resource::Message(sid), "POST") => records::update(own, account, sid, &Params::read(head, body).await?).await,
        (Resource::Message(sid), "DELETE") => records::delete(own, sid).await,
        (Resource::Media(sid), "GET") => records::media(own, account, sid).await,
        (Resource::Services, "GET") => services::list(own, asked).await,
        (Resource::Service(sid), "GET") => services::read(own, asked, sid).await,
        (Resource::Verify(service, of), method @ ("GET" | "POST")) => {
            verify::told(own, &verify::Service::of(asked, service), of, method, body).await
        }
        (Resource::Lookup(number), "GET") => lookup::read(own, asked, number).await,
        (Resource::Other, _) => Err(Fault::of(20_404)),
        (Resource::Line(_) | Resource::Service(_), "POST") => Err(Fault::of(20_004).about(TO_WEBHOOKS)),
        _ => Err(Fault::of(20_004)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let found = credentials(Some(&header)).map(|(_, key)| key);
            assert_eq!(found.as_deref().filter(|key| !key.is_empty()), key, "{header}");
        }
        assert_eq!(credentials(None), None);
        assert_eq!(credentials(Some(&basic("AC1:x"))).unwrap().0, "AC1");
    }
}
