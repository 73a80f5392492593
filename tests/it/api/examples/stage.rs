//! Where the story is played: a world with gateways and a receiver of webhooks, and the record of what is shown.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use peyk::api::router;
use peyk::base::ports::{IncomingResponse, OutgoingRequest, PortError};
use serde_json::{Map, Value, json};

use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, Request, World, gateway::Message};

/// Requests with a key come from these addresses, which are for documentation (RFC 5737).
const OF_SHOP: &str = "203.0.113.7";
const OF_OPERATORS: &str = "198.51.100.4";
/// Between two requests that are shown.
const PAUSE_MS: i64 = SECOND_MS;
/// A chapter of the story begins at a multiple of this time. So a request more moves only what follows in its chapter.
const CHAPTER_MS: i64 = 10 * MINUTE_MS;
/// A receiver that wants no events any more: it answers 410.
pub const GONE: &str = "https://old.example.com/peyk";

pub struct Stage {
    pub world: World,
    pub shop: Account,
    pub outside: Rc<Outside>,
    operations: RefCell<Map<String, Value>>,
}

/// The programs outside that the service calls, and what they got.
#[derive(Default)]
pub struct Outside {
    /// Whether the gateways break every connection.
    pub is_down: Cell<bool>,
    /// The address that reports each recipient, by number.
    reports: RefCell<BTreeMap<String, String>>,
    /// The newest text to each number.
    texts: RefCell<BTreeMap<String, String>>,
    /// The first event of each type.
    events: RefCell<Map<String, Value>>,
}

fn says(status: u16, body: &str) -> Result<IncomingResponse, PortError> {
    Ok(IncomingResponse {
        status,
        retry_after: None,
        body: body.to_owned(),
    })
}

impl Outside {
    fn answer(&self, request: &OutgoingRequest) -> Result<IncomingResponse, PortError> {
        let header = |name: &str| {
            let found = request.headers.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.clone())
        };
        if let Some(id) = header("webhook-id") {
            self.note_event(request, &id, header);
            let (status, body) = if request.url == GONE {
                (410, "gone")
            } else {
                (200, "ok")
            };
            return says(status, body);
        }
        if self.is_down.get() {
            return Err(PortError::unavailable("fetch", "Network connection lost."));
        }
        let message = Message::of(request);
        let is_jasmin = request.url.contains("jasmin");
        if message.get("to").is_empty() {
            return says(400, "Missing receiver number, rejected");
        }
        let number = format!("+{}", message.get("to").trim_start_matches('+'));
        self.texts
            .borrow_mut()
            .insert(number.clone(), message.get("text").to_owned());
        self.reports.borrow_mut().insert(number, message.report_path());
        match is_jasmin {
            true => says(200, "Success \"07033084-5cfd-4812-90a4-e4d24ffb6e3d\""),
            false => says(202, "0: Accepted for delivery"),
        }
    }

    fn note_event(&self, request: &OutgoingRequest, id: &str, header: impl Fn(&str) -> Option<String>) {
        let body: Value = serde_json::from_str(&request.body).unwrap();
        let kind = body["type"].as_str().unwrap().to_owned();
        let headers = json!({"webhook-id": id, "webhook-timestamp": header("webhook-timestamp"),
            "webhook-signature": header("webhook-signature")});
        let mut events = self.events.borrow_mut();
        events
            .entry(kind)
            .or_insert_with(|| json!({"headers": headers, "body": body}));
    }

    /// The newest text to a number.
    pub fn text_to(&self, number: &str) -> String {
        self.texts.borrow()[number].clone()
    }

    /// The address to report at what became of the newest message to a number.
    pub fn report_path(&self, number: &str) -> String {
        self.reports.borrow()[number].clone()
    }
}

/// A seed that a name always gives (FNV-1a). So a request more draws nothing from the ids of the others.
fn seed(name: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

impl Stage {
    pub fn new() -> Self {
        let world = World::new().with_secrets();
        let outside = Rc::new(Outside::default());
        let called = Rc::clone(&outside);
        world.receive(move |request| Some(called.answer(request)));
        Stage {
            world,
            shop: Account {
                id: String::new(),
                key: String::new(),
                key_id: String::new(),
            },
            outside,
            operations: RefCell::default(),
        }
    }

    /// Lets the time pass until the next chapter begins.
    pub fn begin_chapter(&self) {
        let passed_ms = self.world.now_ms.get() % CHAPTER_MS;
        self.world.settle(CHAPTER_MS - passed_ms);
    }

    /// What is shown so far.
    pub fn record(&self) -> Value {
        json!({"operations": *self.operations.borrow(), "events": *self.outside.events.borrow()})
    }

    /// A request of the shop.
    pub fn shop(&self, method: &str, path: &str) -> Request<'_> {
        self.world.ask(method, &self.shop.key, path).from(OF_SHOP)
    }

    /// A request of the operator.
    pub fn operator(&self, method: &str, path: &str) -> Request<'_> {
        self.operator_with(&self.world.admin_key, method, path)
    }

    /// A request of another operator.
    pub fn operator_with(&self, key: &str, method: &str, path: &str) -> Request<'_> {
        self.world.ask(method, key, path).from(OF_OPERATORS)
    }

    /// Makes a request that the document shows, a moment after all before.
    #[track_caller]
    pub fn show(&self, request: Request<'_>) -> Answer {
        self.world.settle(PAUSE_MS);
        let head = &request.head;
        let (route, params) = router::find(&head.method, &head.path).unwrap();
        let name = route.operation.name();
        let name = name[..1].to_ascii_lowercase() + &name[1..];
        let mut shown = Map::new();
        let mut parameters: Map<String, Value> = Map::new();
        for param in route.params {
            parameters.insert((*param).to_owned(), params.get(param).into());
        }
        let path = Value::Object(parameters.clone());
        for (name, value) in form_urlencoded::parse(head.query.as_bytes()) {
            parameters.insert(name.into_owned(), value.into());
        }
        let body = body_of(head.content_type.as_deref(), &request.body);
        shown.insert("parameters".to_owned(), parameters.into());
        shown.extend(body.map(|body| ("body".to_owned(), body)));
        self.world.dice.reseed(seed(&format!("{name} {path}")));
        let answer = request.send();
        assert!(answer.response.status < 400, "{name}: {}", answer.body);
        self.note(&name, shown, &path, &answer);
        answer
    }

    /// Notes an answer. An operation may be shown several times, with the same path and body and another kind of answer.
    #[track_caller]
    fn note(&self, name: &str, shown: Map<String, Value>, path: &Value, answer: &Answer) {
        let mut operations = self.operations.borrow_mut();
        let noted = operations
            .entry(name.to_owned())
            .or_insert_with(|| Value::Object(shown.clone()));
        for (param, value) in path.as_object().unwrap() {
            assert_eq!(&noted["parameters"][param], value, "{name} is shown with two paths");
        }
        assert_eq!(noted.get("body"), shown.get("body"), "{name} is shown with two bodies");
        let media_type = answer.response.content_type.split(';').next().unwrap();
        let body = match media_type {
            "" => json!({}),
            "application/json" => json!({media_type: answer.json}),
            _ => json!({media_type: answer.body}),
        };
        let answers = &mut noted["answers"][answer.response.status.to_string()];
        if answers.is_null() {
            *answers = json!({});
        }
        let answers = answers.as_object_mut().unwrap();
        assert!(answers.get(media_type).is_none(), "{name} is shown twice");
        answers.extend(body.as_object().unwrap().clone());
    }
}

/// A body as the document shows it.
fn body_of(content_type: Option<&str>, body: &[u8]) -> Option<Value> {
    let text = || String::from_utf8(body.to_vec()).unwrap();
    match content_type? {
        "application/json" => Some(serde_json::from_slice(body).unwrap()),
        "application/x-www-form-urlencoded" => {
            let pairs = form_urlencoded::parse(body).into_owned();
            Some(pairs.map(|(name, value)| (name, Value::from(value))).collect())
        }
        _ => Some(text().into()),
    }
}
