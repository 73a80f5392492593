//! A gateway in place of the network: it answers outgoing requests as a test says, and keeps them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use peyk::base::ports::{IncomingResponse, OutgoingRequest, PortError};
use serde_json::json;

use super::{World, give_way};

/// The base64 text of 32 times the byte 1.
pub const SECRET_KEY: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
pub const PUBLIC_URL: &str = "https://sms.example.com";
/// The password of the gateway. It must show nowhere.
pub const PASSWORD: &str = "swordfish-9";

/// What a gateway does with a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// It answers this status and body.
    Says(u16, String),
    /// It answers 429 and asks to wait so many seconds.
    Throttles(u32),
    /// The connection breaks.
    Breaks,
    /// It never answers, and the process dies meanwhile.
    KillsUs,
}

pub fn says(status: u16, body: &str) -> Reply {
    Reply::Says(status, body.to_owned())
}

pub fn accepted() -> Reply {
    says(202, "0: Accepted for delivery")
}

/// A gateway.
#[derive(Default)]
pub struct Gateway {
    script: RefCell<Option<Box<Script>>>,
    /// The requests with a recipient, in their order.
    pub messages: RefCell<Vec<Message>>,
    /// How many requests without a recipient came.
    pub probes: Cell<usize>,
    under_way: Cell<usize>,
    /// How long it takes to answer, ms. Only a [`Life`](super::life::Life) lets time pass meanwhile.
    pub answer_ms: Cell<i64>,
    /// How many requests were under way at the same time, at most.
    pub most_under_way: Cell<usize>,
}

/// Decides about a request: a probe, or a message by its number, counted from 0.
type Script = dyn Fn(Option<usize>, &Message) -> Reply;

/// The parameters of a request.
#[derive(Debug, Clone, Default)]
pub struct Message(pub BTreeMap<String, String>);

impl Message {
    /// Kannel's parameters have the names of Jasmin's, where both have one.
    pub fn of(request: &OutgoingRequest) -> Message {
        let headers = request.headers.iter().filter_map(|(name, value)| {
            let name = name.strip_prefix("X-Kannel-")?.to_ascii_lowercase();
            Some((name, value.clone()))
        });
        let mut parameters: BTreeMap<String, String> = headers.collect();
        if parameters.is_empty() {
            parameters.extend(form_urlencoded::parse(request.body.as_bytes()).into_owned());
        } else {
            parameters.insert("text".to_owned(), request.body.clone());
        }
        Message(parameters)
    }

    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The path and the query of its report address, without Kannel's own parameters.
    pub fn report_path(&self) -> String {
        let url = self.get("dlr-url").strip_prefix(PUBLIC_URL).unwrap();
        url.split('&').next().unwrap().to_owned()
    }
}

impl Gateway {
    /// Answers each request as `script` says, from now on.
    pub fn answer(&self, script: impl Fn(Option<usize>, &Message) -> Reply + 'static) {
        self.script.replace(Some(Box::new(script)));
    }

    /// Answers all messages in this way, and all probes as a gateway that works.
    pub fn answer_all(&self, reply: Reply) {
        self.answer(move |message, _| match message {
            Some(_) => reply.clone(),
            None => says(400, "Missing receiver number, rejected"),
        });
    }

    /// How many messages came for each recipient.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for message in self.messages.borrow().iter() {
            *counts.entry(message.get("to").to_owned()).or_default() += 1;
        }
        counts
    }

    /// Takes the messages that came so far.
    pub fn take(&self) -> Vec<Message> {
        self.messages.take()
    }

    /// Answers a request, after others had a chance to go on.
    pub async fn fetch(&self, request: &OutgoingRequest) -> Result<IncomingResponse, PortError> {
        let message = Message::of(request);
        let number = (!message.get("to").is_empty()).then(|| self.messages.borrow().len());
        match number {
            Some(_) => self.messages.borrow_mut().push(message.clone()),
            None => self.probes.set(self.probes.get() + 1),
        }
        let reply = self.script.borrow().as_ref().map(|script| script(number, &message));
        let Some(reply) = reply else {
            return Err(PortError::unavailable("fetch", "there is no gateway"));
        };
        let _under_way = UnderWay::begin(self);
        give_way().await;
        let response = |status, retry_after, body| IncomingResponse {
            status,
            retry_after,
            body,
        };
        match reply {
            Reply::Says(status, body) => Ok(response(status, None, body)),
            Reply::Throttles(seconds) => Ok(response(429, Some(seconds.to_string()), String::new())),
            Reply::Breaks => Err(PortError::unavailable("fetch", "Network connection lost.")),
            Reply::KillsUs => std::future::pending().await,
        }
    }
}

struct UnderWay<'a>(&'a Gateway);

impl<'a> UnderWay<'a> {
    fn begin(gateway: &'a Gateway) -> Self {
        let count = gateway.under_way.get() + 1;
        gateway.under_way.set(count);
        gateway.most_under_way.set(gateway.most_under_way.get().max(count));
        UnderWay(gateway)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.set(self.0.under_way.get() - 1);
    }
}

impl World {
    /// Sets what a service with gateways needs.
    pub fn with_secrets(self) -> World {
        self.set("SECRET_KEY", Some(SECRET_KEY));
        self.set("PUBLIC_URL", Some(PUBLIC_URL));
        self
    }

    pub fn set(&self, name: &'static str, value: Option<&str>) {
        let mut settings = self.settings.borrow_mut();
        match value {
            Some(value) => drop(settings.insert(name, value.to_owned())),
            None => drop(settings.remove(name)),
        }
    }

    /// Adds a carrier of kind `http` and a line that it serves. The gateway takes everything.
    pub fn add_gateway(&self, name: &str, line: &str, gateway: &str) {
        let http = json!({"url": "http://10.0.0.5:13013/cgi-bin/sendsms", "allowPlaintext": true, "gateway": gateway,
            "username": "peyk", "password": PASSWORD});
        self.create("/admin/carriers", json!({"name": name, "kind": "http", "http": http}));
        self.share_line(line, name, &["WEBSERVICE", "PATTERN"]);
        self.gateway.answer_all(accepted());
    }
}
