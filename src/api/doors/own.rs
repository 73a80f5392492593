//! How a door calls our own API: in the same process, by the steps that every request takes.

use std::cell::{Cell, RefCell};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::Members;
use super::send::{SendBody, Sent};
use crate::api::http::{Head, Response, StatusCallback, app::App, usable_request_id};
use crate::api::serve;
use crate::base::{body::AnyBody, id, ports::Platform};

/// What stands before a key in `Authorization`.
const BEARER: &str = "Bearer ";
/// Headers of our own answers that say nothing to another protocol, or that a door writes itself.
const NOT_PASSED_ON: [&str; 3] = ["Content-Language", "WWW-Authenticate", "Idempotency-Replayed"];

/// The code of our own API for numbers where the account may not send.
const CLOSED: u64 = 3017;
/// The code of an answer after which nobody knows whether the request was done.
const UNKNOWN_ENDING: u64 = 503;

/// A request of our own API.
#[derive(Debug, Default)]
pub struct Ask<'a> {
    /// The path, with its query.
    pub path: &'a str,
    /// The body. A request without one is a GET.
    pub body: Option<Value>,
    /// The method, if it is neither GET nor POST.
    pub method: Option<&'static str>,
    /// The key by which a repeat is known.
    pub idempotency_key: Option<&'a str>,
}

/// The body of `POST /sms/estimate`.
#[derive(Serialize)]
struct Estimate<'a> {
    send: &'a SendBody<'a>,
}

/// An answer of our own API.
#[derive(Default, Deserialize)]
struct Answer<T> {
    data: T,
}

/// Why our own API has refused a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The number of the problem.
    pub code: u64,
    /// What is wrong, in the language that the caller asks for.
    pub detail: String,
    /// The members that are at fault, such as `/recipients/3`.
    pub pointers: Vec<String>,
    /// What is wrong with each of these members.
    pub faults: Vec<String>,
}

/// The caller of our own API, for one request of a door.
pub struct Own<'a, P: Platform> {
    platform: &'a P,
    app: &'a App,
    head: Head,
    /// The headers of the last answer.
    headers: RefCell<Vec<(&'static str, String)>>,
    /// Whether a call has succeeded: then the key is good, and paid for.
    is_known: Cell<bool>,
}

impl<'a, P: Platform> Own<'a, P> {
    /// Calls with this API key, for the request with this head. All calls have its request id.
    pub fn of(platform: &'a P, app: &'a App, head: &Head, key: &str) -> Self {
        let request_id = usable_request_id(head.request_id.as_deref()).map(str::to_owned);
        Own {
            platform,
            app,
            head: Head {
                authorization: Some(format!("{BEARER}{key}")),
                content_type: Some("application/json".to_owned()),
                accept_language: head.accept_language.clone(),
                request_id: request_id.or_else(|| id::new(platform).ok()),
                address: head.address.clone(),
                origin: head.origin.clone(),
                ..Head::default()
            },
            headers: RefCell::default(),
            is_known: Cell::default(),
        }
    }

    /// The API key that calls.
    pub fn key(&self) -> &str {
        let authorization = self.head.authorization.as_deref().unwrap_or_default();
        authorization.strip_prefix(BEARER).unwrap_or_default()
    }

    /// What time it is, ms since the Unix epoch.
    pub fn now_ms(&self) -> i64 {
        self.platform.now_ms()
    }

    /// Whether others could read what the client sends.
    pub fn is_exposed(&self, head: &Head) -> bool {
        self.app.config.is_exposed(&head.origin)
    }

    /// The unit of prices.
    pub fn unit(&self) -> &str {
        &self.app.config.unit
    }

    /// Calls our own API. Returns the member `data` of its answer.
    pub async fn ask(&self, ask: Ask<'_>) -> Result<Value, Refused> {
        self.answer(ask).await.map(data_of)
    }

    /// Finds recipients: those that the body of `POST /messages/recipients` names.
    pub async fn recipients(&self, body: Value) -> Result<Vec<Value>, Refused> {
        let ask = Ask {
            path: "/messages/recipients",
            body: Some(body),
            ..Ask::default()
        };
        Ok(self.ask(ask).await?.list("recipients").to_vec())
    }

    /// Asks for a page of a list. Returns it with the cursor of the next one.
    pub async fn page(&self, ask: Ask<'_>) -> Result<(Vec<Value>, Option<String>), Refused> {
        let json = self.answer(ask).await?;
        let next = json.member("meta").member("nextCursor").as_str().map(str::to_owned);
        match data_of(json) {
            Value::Array(items) => Ok((items, next)),
            _ => Ok((Vec::new(), next)),
        }
    }

    /// Makes a send. `key` is its idempotency key; `callback` is who hears what becomes of a send of one text or pattern to one number.
    pub async fn send(
        &self,
        send: &SendBody<'_>,
        key: Option<String>,
        callback: Option<StatusCallback>,
    ) -> Result<Sent, Refused> {
        let head = Head {
            idempotency_key: key,
            callback,
            ..self.head("POST", send.path(), "")
        };
        let body = self.call(&head, json_of(send)).await?;
        let answer: Answer<Sent> = serde_json::from_str(&body).unwrap_or_default();
        Ok(answer.data)
    }

    /// Makes a send, under an idempotency key if there is one. Numbers where the account may not send are left out, unless it is all of
    /// them: our own API names them, and is asked again without them. Some providers do so.
    pub async fn send_to_open(&self, body: &SendBody<'_>, key: Option<String>) -> Result<Sent, Refused> {
        let refused = match self.send_once(body, key.clone()).await {
            Err(refused) if refused.code == CLOSED => refused,
            sent => return sent,
        };
        let closed = body.numbers_at(&refused.pointers);
        match body.without(&closed) {
            Some(rest) => {
                let sent = self.send_once(&rest, key).await?;
                Ok(Sent { closed, ..sent })
            }
            None => Err(refused),
        }
    }

    /// Makes a send that is one of several of a call. If nobody knows what has become of it (503), it is made once more under its
    /// idempotency key: what has been sent is not sent again, and is told as sent.
    async fn send_once(&self, send: &SendBody<'_>, key: Option<String>) -> Result<Sent, Refused> {
        match self.send(send, key.clone(), None).await {
            Err(refused) if refused.code == UNKNOWN_ENDING && key.is_some() => self.send(send, key, None).await,
            sent => sent,
        }
    }

    /// What the idempotency keys of the sends of one call begin with. It is not the request's id: a program may give each request the
    /// same one. `None`: the platform has no random numbers, so there are no keys.
    pub fn new_call(&self) -> Option<String> {
        id::new(self.platform).ok()
    }

    /// What a send would cost.
    pub async fn estimate(&self, send: &SendBody<'_>) -> Result<Value, Refused> {
        let head = self.head("POST", "/sms/estimate", "");
        let body = self.call(&head, json_of(&Estimate { send })).await?;
        Ok(data_of(parsed(&body)))
    }

    async fn answer(&self, ask: Ask<'_>) -> Result<Value, Refused> {
        let (path, query) = ask.path.split_once('?').unwrap_or((ask.path, ""));
        let default = if ask.body.is_some() { "POST" } else { "GET" };
        let head = Head {
            idempotency_key: ask.idempotency_key.map(str::to_owned),
            ..self.head(ask.method.unwrap_or(default), path, query)
        };
        let body = ask.body.map_or(Vec::new(), |body| json_of(&body));
        Ok(parsed(&self.call(&head, body).await?))
    }

    fn head(&self, method: &str, path: &str, query: &str) -> Head {
        Head {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            ..self.head.clone()
        }
    }

    /// Calls our own API. Returns the body of its answer.
    async fn call(&self, head: &Head, body: Vec<u8>) -> Result<String, Refused> {
        let mut body = AnyBody::<P::Body>::Ready(body);
        let response = serve::handle(self.platform, self.app, head, &mut body).await.response;
        self.headers.replace(response.headers);
        match response.status {
            200..=299 => {
                self.is_known.set(true);
                Ok(response.body)
            }
            _ => Err(refused(&parsed(&response.body))),
        }
    }

    /// How long the last answer asks the caller to wait, s.
    pub fn retry_after_s(&self) -> Option<u64> {
        let headers = self.headers.borrow();
        let (_, seconds) = headers.iter().find(|(name, _)| *name == "Retry-After")?;
        seconds.parse().ok()
    }

    /// Finds out whether the key is good, and pays for the request, unless an answer of our own API has said so. A door does so before it
    /// tells anything that it has found itself, be it a fault or an empty list: who has no good key learns nothing else.
    pub async fn check_key(&self) -> Result<(), Refused> {
        if self.is_known.get() {
            return Ok(());
        }
        let path = "/console/session";
        let ask = Ask { path, ..Ask::default() };
        self.ask(ask).await.map(drop)
    }

    /// The answer of the door, with those headers of our own last answer that count for everybody.
    pub fn respond(self, status: u16, body: String) -> Response {
        let mut headers = self.headers.into_inner();
        headers.retain(|(name, _)| !NOT_PASSED_ON.contains(name));
        Response {
            status,
            content_type: "application/json; charset=utf-8",
            headers,
            body,
        }
    }
}

/// The text of a body. What doors send can be written as JSON, all of it.
fn json_of(body: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(body).unwrap_or_default()
}

/// An answer of our own API, which is JSON.
fn parsed(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_default()
}

/// The member `data` of an answer.
fn data_of(mut json: Value) -> Value {
    json.get_mut("data").map_or(Value::Null, Value::take)
}

fn refused(problem: &Value) -> Refused {
    let told = |name: &str| {
        let errors = problem.list("errors").iter();
        errors.map(|error| error.text(name).to_owned()).collect()
    };
    Refused {
        code: problem.member("code").as_u64().unwrap_or(500),
        detail: problem.text("detail").to_owned(),
        pointers: told("pointer"),
        faults: told("detail"),
    }
}
