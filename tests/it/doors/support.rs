//! What a program of another provider sends, and what it gets.

use peyk::api::doors;
use peyk::api::http::{Head, Response};
use peyk::base::body::AnyBody;
use peyk::carrier::inbound::{self, InboundSms};
use serde_json::Value;

use super::document;
use crate::support::{Account, Bytes, World, to_end, to_end_in_time};

pub const MONEY: i64 = 1_000_000;
pub const FORM: &str = "application/x-www-form-urlencoded";

/// A world with an account that has money, and has sent before.
pub fn world() -> (World, Account) {
    World::with_busy_account(MONEY)
}

/// The head of a request. `path` may have a query.
pub fn head(method: &str, path: &str, content_type: &str) -> Head {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    Head {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        content_type: Some(content_type.to_owned()),
        origin: "http://127.0.0.1:8787".to_owned(),
        ..Head::default()
    }
}

/// What a door answers. Its document has the answer, and what it says of methods is so.
pub fn answer(world: &World, head: &Head, body: &[u8]) -> Response {
    let mut body = AnyBody::Incoming(Bytes(body.to_vec()));
    world.is_apart.set(false);
    let response = to_end_in_time(world, doors::handle(world, &world.app, head, &mut body)).response;
    let allow = response.headers.iter().find(|(name, _)| *name == "Allow");
    let allows_it = allow.map(|(_, methods)| methods.split(", ").any(|method| method == head.method));
    let wanted = (response.status == 405).then_some(false);
    assert_eq!(allows_it, wanted, "{} {} → {allow:?}", head.method, head.path);
    let door = doors::door_of(head).filter(|door| world.app.config.doors.contains(door));
    if let Some(door) = door {
        document::check(door, head, &response);
    }
    response
}

/// What a door answers: the HTTP status and the body.
pub fn knock(world: &World, head: &Head, body: &[u8]) -> (u16, Value) {
    let response = answer(world, head, body);
    (
        response.status,
        serde_json::from_str(&response.body).unwrap_or(Value::Null),
    )
}

/// Lets a phone send a text to the line 3000.
pub fn phone_sends(world: &World, from: &str, text: &str) {
    phone_sends_to(world, "3000", from, text);
}

/// Lets a phone send a text to a line.
pub fn phone_sends_to(world: &World, line: &str, from: &str, text: &str) {
    let sms = InboundSms {
        carrier: "sandbox".to_owned(),
        to: line.to_owned(),
        from: from.to_owned(),
        text: text.to_owned(),
        carrier_id: Some(peyk::base::id::new(world).unwrap()),
        received_ms: world.now_ms.get(),
        left: Vec::new(),
    };
    to_end(inbound::receive(world, sms))
        .map_err(|not_taken| not_taken.error)
        .unwrap();
}

pub fn form(params: &[(&str, &str)]) -> String {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(params).finish()
}
