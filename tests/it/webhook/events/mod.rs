//! Webhooks: what the programs of customers are told, how it is signed, and what happens when they do not answer.

mod answers;
mod backlog;
mod endpoints;
mod low_balance;
mod retries;
mod told;

use std::cell::RefCell;
use std::rc::Rc;

use peyk::base::ports::{IncomingResponse, OutgoingRequest, PortError};
use peyk::webhook::signing;
use serde_json::{Value, json};

use crate::support::{Account, Answer, World};

const URL: &str = "https://shop.example/hook";

/// What a receiver got.
#[derive(Clone)]
struct Hit {
    url: String,
    id: String,
    timestamp_s: i64,
    signatures: Vec<String>,
    text: String,
    body: Value,
}

impl Hit {
    fn of(request: &OutgoingRequest) -> Hit {
        let header = |name: &str| {
            let found = request.headers.iter().find(|(known, _)| *known == name);
            found.unwrap_or_else(|| panic!("no header {name}")).1.clone()
        };
        assert_eq!(request.method, "POST");
        assert_eq!(request.timeout_ms, 15_000);
        assert_eq!(header("content-type"), "application/json");
        Hit {
            url: request.url.clone(),
            id: header("webhook-id"),
            timestamp_s: header("webhook-timestamp").parse().unwrap(),
            signatures: header("webhook-signature").split(' ').map(str::to_owned).collect(),
            text: request.body.clone(),
            body: serde_json::from_str(&request.body).unwrap(),
        }
    }

    fn is_signed_with(&self, secret: &str) -> bool {
        let signature = signing::sign(secret, &self.id, self.timestamp_s, &self.text).unwrap();
        self.signatures.contains(&signature)
    }

    fn recipients(&self) -> Vec<(String, String)> {
        let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
        let items = self.body["data"]["recipients"].as_array().unwrap();
        items
            .iter()
            .map(|item| (text(item, "recipient"), text(item, "status")))
            .collect()
    }
}

type Hits = Rc<RefCell<Vec<Hit>>>;

fn answer(status: u16) -> Result<IncomingResponse, PortError> {
    Ok(IncomingResponse {
        status,
        retry_after: None,
        body: String::new(),
    })
}

/// Lets a receiver note what it gets, and answer what `script` says to the n-th request, from 0.
fn listen(world: &World, script: impl Fn(usize, &Hit) -> Result<IncomingResponse, PortError> + 'static) -> Hits {
    let hits = Hits::default();
    let noted = Rc::clone(&hits);
    world.receive(move |request| {
        let hit = Hit::of(request);
        noted.borrow_mut().push(hit.clone());
        let count = noted.borrow().len();
        Some(script(count - 1, &hit))
    });
    hits
}

fn endpoint(world: &World, shop: &Account, events: &[&str]) -> Answer {
    let body = json!({"url": URL, "events": events, "lowBalance": 5_000});
    world.posted(&shop.key, "/webhook", body)
}

fn deliveries(world: &World, shop: &Account, id: &str) -> Vec<Value> {
    let list = world.read(&shop.key, &format!("/webhook/{id}/deliveries?limit=200"));
    list.items().clone()
}

fn of_type<'a>(hits: &'a [Hit], kind: &str) -> Vec<&'a Hit> {
    hits.iter().filter(|hit| hit.body["type"] == kind).collect()
}
