//! The door of ippanel with its three protocols. `tests/doors/` has the same with its official library.

mod errors;
mod limits;
mod lists;
mod properties;
mod reads;
mod sends;
mod several;

use peyk::api::http::Head;
use serde_json::{Value, json};

use super::support::{self, MONEY, head, world};
use crate::support::{Account, World};

const JSON: &str = "application/json";
const PHONE: &str = "09121234567";
const OTHER: &str = "09351234567";
/// Beginnings of the paths of api2.
const SEND: &str = "sms/send/webservice";
const PATTERN: &str = "sms/pattern/normal/send";
const DELIVERIES: &str = "sms/message/show-recipient/message-id";

/// What the door answers: the HTTP status and the body.
fn knock(world: &World, head: &Head, body: &Value) -> (u16, Value) {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    support::knock(world, head, body.as_bytes())
}

/// Calls Edge. What the HTTP status says, `status` and `message_code` say, too.
#[track_caller]
fn edge(world: &World, key: &str, method: &str, call: &str, body: &Value) -> (u16, Value) {
    let head = Head {
        authorization: Some(key.to_owned()),
        ..head(method, &format!("/v1/api/{call}"), JSON)
    };
    let (status, answer) = knock(world, &head, body);
    assert_edge(status, &answer);
    (status, answer)
}

#[track_caller]
fn assert_edge(status: u16, answer: &Value) {
    let meta = &answer["meta"];
    assert_eq!(meta["status"], status == 200, "{answer}");
    assert!(
        meta["message"].as_str().is_some_and(|text| !text.is_empty()),
        "{answer}"
    );
    assert_eq!(meta["message_code"] == "200-1", status == 200, "{answer}");
    assert!(
        status == 200 || meta["errors"].is_object() && answer["data"].is_null(),
        "{answer}"
    );
}

/// Calls api2 as the official libraries do.
#[track_caller]
fn api2(world: &World, key: &str, method: &str, call: &str, body: &Value) -> (u16, Value) {
    let path = if call.starts_with("inbox") {
        format!("/{call}")
    } else {
        format!("/api/v1/{call}")
    };
    let head = Head {
        door_key: Some(key.to_owned()),
        ..head(method, &path, JSON)
    };
    let (status, answer) = knock(world, &head, body);
    assert_api2(status, &answer);
    (status, answer)
}

#[track_caller]
fn assert_api2(status: u16, answer: &Value) {
    assert_eq!(answer["code"], status, "{answer}");
    assert_eq!(answer["error_message"] == "", status == 200, "{answer}");
    assert!(
        answer["status"].is_string() && !answer.get("meta").is_some_and(Value::is_null),
        "{answer}"
    );
}

/// Calls the protocol rest.
#[track_caller]
fn rest(world: &World, key: &str, method: &str, call: &str, body: &Value) -> (u16, Value) {
    let head = Head {
        authorization: Some(format!("AccessKey {key}")),
        ..head(method, &format!("/v1/{call}"), JSON)
    };
    let (status, answer) = knock(world, &head, body);
    assert_rest(status, &answer);
    (status, answer)
}

#[track_caller]
fn assert_rest(status: u16, answer: &Value) {
    assert_eq!(
        answer["status"] == "OK" && answer["code"] == "OK",
        status == 200,
        "{answer}"
    );
    assert!(answer["code"].is_string() && answer["message"].is_string(), "{answer}");
}

/// What a call of Edge answers that must succeed.
#[track_caller]
fn edge_data(world: &World, key: &str, method: &str, call: &str, body: &Value) -> Value {
    let (status, mut answer) = edge(world, key, method, call, body);
    assert_eq!(status, 200, "{answer}");
    answer["data"].take()
}

/// What a call of api2 answers that must succeed.
#[track_caller]
fn api2_data(world: &World, key: &str, method: &str, call: &str, body: &Value) -> Value {
    let (status, mut answer) = api2(world, key, method, call, body);
    assert_eq!(status, 200, "{answer}");
    answer["data"].take()
}

/// What a call of the protocol rest answers that must succeed.
#[track_caller]
fn rest_data(world: &World, key: &str, method: &str, call: &str, body: &Value) -> Value {
    let (status, mut answer) = rest(world, key, method, call, body);
    assert_eq!(status, 200, "{answer}");
    answer["data"].take()
}

/// The ids that a send by Edge answers.
#[track_caller]
fn sent_by_edge(world: &World, key: &str, body: &Value) -> Vec<i64> {
    let data = edge_data(world, key, "POST", "send", body);
    serde_json::from_value(data["message_outbox_ids"].clone()).unwrap()
}

/// The id that a send by api2 answers.
#[track_caller]
fn sent_by_api2(world: &World, key: &str, call: &str, body: &Value) -> i64 {
    api2_data(world, key, "POST", call, body)["message_id"]
        .as_i64()
        .unwrap()
}

fn text_to(recipients: &[&str], message: &str) -> Value {
    json!({"sending_type": "webservice", "from_number": "10001", "message": message, "params": {"recipients": recipients}})
}

fn single_to(recipients: &[&str], message: &str) -> Value {
    json!({"sender": "10001", "recipient": recipients, "message": message, "description": {"summary": "x", "count_recipient": "1"}})
}

fn pattern_to(recipient: &str, variables: Value) -> Value {
    json!({"code": "login", "sender": "10001", "recipient": recipient, "variable": variables})
}

/// A shop with the pattern `login`.
fn shop_with_pattern() -> (World, Account) {
    let (world, shop) = world();
    world.active_pattern(
        &shop.key,
        json!({"slug": "login", "title": "x", "text": "code %code% for %name%"}),
    );
    (world, shop)
}

/// What each of a message's recipients got: the text, by the end of the number.
fn got(world: &World, shop: &Account) -> Vec<(String, String)> {
    let mut handed = world.handed(&shop.id);
    handed.sort();
    handed
}
