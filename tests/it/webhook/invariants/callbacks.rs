//! What receivers of status callbacks have heard in a random world.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::record::message::status::RecipientStatus;
use peyk::api::http::StatusCallback;
use peyk::base::ports::OutgoingRequest;
use peyk::webhook::callbacks::twilio;
use serde_json::json;

use crate::support::{Account, World};

const URLS: [&str; 2] = ["https://one.example/status", "https://two.example/status?x=1"];

/// What the receivers of callbacks were told.
#[derive(Default)]
pub struct Heard {
    /// The address, the form and the signature of each callback, by its token.
    callbacks: BTreeMap<String, (String, String, String)>,
    /// The tokens of those that were taken with success.
    taken: BTreeSet<String>,
}

impl Heard {
    /// Notes a callback. Gives its token; `None` if the request is none.
    pub fn note(&mut self, request: &OutgoingRequest) -> Option<String> {
        let mut headers = request.headers.iter();
        let token = headers
            .find(|(name, _)| *name == "i-twilio-idempotency-token")?
            .1
            .clone();
        let mut headers = request.headers.iter();
        let signature = headers.find(|(name, _)| *name == "x-twilio-signature")?.1.clone();
        let now = (request.url.clone(), request.body.clone(), signature);
        let first = self.callbacks.entry(token.clone()).or_insert_with(|| now.clone());
        assert_eq!(*first, now, "one token has one address, form and signature");
        Some(token)
    }

    /// Notes that a receiver has it.
    pub fn take(&mut self, token: String) {
        self.taken.insert(token);
    }

    /// The address of what was taken, and in how many callbacks, by the SID of the message and the status.
    fn told(&self) -> BTreeMap<(String, String), (String, u32)> {
        let mut told = BTreeMap::new();
        for token in &self.taken {
            let (url, form, _) = &self.callbacks[token];
            let members: BTreeMap<String, String> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
            let key = (members["MessageSid"].clone(), members["MessageStatus"].clone());
            told.entry(key).or_insert((url.clone(), 0)).1 += 1;
        }
        told
    }
}

/// A send to one number with a callback. It says in its reference which of the receivers is to hear of it.
pub fn send(world: &World, shop: &Account, number: &str, receiver: usize, steps: u32) {
    let receiver = receiver % URLS.len();
    let body = json!({"message": "hello", "recipients": [number], "clientRef": format!("callback {receiver}")});
    let callback = StatusCallback::twilio(URLS[receiver], "AC7", &shop.key);
    let request = world.ask("POST", &shop.key, "/sms/send").json(body);
    request.head(|head| head.callback = Some(callback)).send_for(steps);
}

/// Each ending of a message with a callback was told to its receiver in one callback, and nothing of another message.
pub fn check(world: &World, shop: &Account, heard: &Heard) {
    let mut told = heard.told();
    let rows = world.sql(&shop.id).run(
        "SELECT m.uid, m.client_ref, r.status FROM recipient r JOIN message m ON m.id = r.message \
         WHERE m.client_ref IS NOT NULL",
    );
    for row in rows {
        let status = RecipientStatus::from_code(row.int(2).unwrap()).unwrap();
        let sid = twilio::message_sid(&row.text(0).unwrap(), 0);
        let receiver = row
            .text(1)
            .unwrap()
            .strip_prefix("callback ")
            .unwrap()
            .parse::<usize>()
            .unwrap();
        let wanted = (URLS[receiver].to_owned(), 1);
        if let Some(sent) = told.remove(&(sid.clone(), "sent".to_owned())) {
            assert_eq!(sent, wanted);
        }
        if status.is_final() {
            let ending = twilio::status(status.as_str()).to_owned();
            assert_eq!(told.remove(&(sid, ending)), Some(wanted), "{status:?}");
        }
    }
    assert!(told.is_empty(), "{told:?}");
    let kept = "message m WHERE callback IS NOT NULL AND NOT EXISTS ( \
                SELECT 1 FROM recipient r WHERE r.message = m.id AND r.status = 2)";
    assert_eq!(
        world.count(shop, kept),
        0,
        "only a message without an ending has its callback"
    );
    assert_eq!(world.webhook_sql(&shop.id).count("callback"), 0);
}
