//! Status callbacks: what an address that a send names hears, how that is signed, and what happens when it does not answer.

mod backlog;
mod isolation;
mod refused;
mod retries;
mod storage;
mod told;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use peyk::api::http::StatusCallback;
use peyk::base::ports::{IncomingResponse, OutgoingRequest, PortError};
use serde_json::{Value, json};
use sha1::Sha1;

use crate::support::{Answer, World};

const URL: &str = "https://shop.example/status?order=7";
/// The account as a program of Twilio names it.
const SID: &str = "AC0123456789abcdef0123456789abcdef";

/// What a receiver got.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hit {
    url: String,
    form: String,
    token: String,
    signature: String,
    at_ms: i64,
}

impl Hit {
    fn of(request: &OutgoingRequest, at_ms: i64) -> Hit {
        let header = |name: &str| {
            let found = request.headers.iter().find(|(known, _)| *known == name);
            found.unwrap_or_else(|| panic!("no header {name}")).1.clone()
        };
        assert_eq!((request.method, request.timeout_ms), ("POST", 15_000));
        assert_eq!(
            header("content-type"),
            "application/x-www-form-urlencoded; charset=utf-8"
        );
        assert_eq!(header("user-agent"), "TwilioProxy/1.1");
        Hit {
            url: request.url.clone(),
            form: request.body.clone(),
            token: header("i-twilio-idempotency-token"),
            signature: header("x-twilio-signature"),
            at_ms,
        }
    }

    fn members(&self) -> BTreeMap<String, String> {
        form_urlencoded::parse(self.form.as_bytes()).into_owned().collect()
    }

    fn status(&self) -> String {
        self.members()["MessageStatus"].clone()
    }

    /// Whether it is signed as Twilio signs, with the API key itself.
    fn is_signed_with(&self, key: &str) -> bool {
        let members = self.members();
        let members = members.iter().map(|(name, value)| format!("{name}{value}"));
        let text = format!("{}{}", self.url, members.collect::<String>());
        let mut mac = Hmac::<Sha1>::new_from_slice(key.as_bytes()).unwrap();
        mac.update(text.as_bytes());
        self.signature == STANDARD.encode(mac.finalize().into_bytes())
    }
}

type Hits = Rc<RefCell<Vec<Hit>>>;

fn answer(status: u16) -> Option<Result<IncomingResponse, PortError>> {
    Some(Ok(IncomingResponse {
        status,
        retry_after: None,
        body: String::new(),
    }))
}

/// Lets receivers note what they get, and answer what `script` says to the n-th callback, from 0. Endpoints take what they get.
fn listen(
    world: &Rc<World>,
    script: impl Fn(usize, &Hit) -> Option<Result<IncomingResponse, PortError>> + 'static,
) -> Hits {
    let hits = Hits::default();
    let (noted, clock) = (Rc::clone(&hits), Rc::downgrade(world));
    world.receive(move |request| {
        if request.headers.iter().any(|(name, _)| *name == "webhook-id") {
            return answer(200);
        }
        let hit = Hit::of(request, clock.upgrade().unwrap().now_ms.get());
        noted.borrow_mut().push(hit.clone());
        let count = noted.borrow().len();
        script(count - 1, &hit)
    });
    hits
}

/// A send with a callback, as a door asks for it.
fn ask(world: &World, key: &str, path: &str, url: &str, body: Value) -> Answer {
    let callback = StatusCallback::twilio(url, SID, key);
    let request = world.ask("POST", key, path).json(body);
    request.head(|head| head.callback = Some(callback)).send()
}

/// Sends to a number, with a callback: the message's uid.
fn send(world: &World, key: &str, number: &str, url: &str) -> String {
    let body = json!({"message": "hello", "recipients": [number]});
    ask(world, key, "/sms/send", url, body).expect(201).text("/data/uid")
}

fn statuses(hits: &Hits) -> Vec<String> {
    hits.borrow().iter().map(Hit::status).collect()
}

/// The SID of a message with one recipient.
fn sid(uid: &str) -> String {
    format!("SM{}", uid.replace('-', ""))
}

fn waiting(world: &World, account: &str) -> i64 {
    world.webhook_sql(account).count("callback")
}
