//! The door of sms.ir. `tests/doors/` has the same with its official libraries.

mod by_address;
mod errors;
mod lists;
mod older;
mod random;
mod sends;

use peyk::api::http::Response;
use serde_json::{Value, json};

use super::support::{self, head};
use crate::support::World;

const JSON: &str = "application/json";
const SUCCESS: &str = "موفق";

/// What the door answers to a request with this key and this body.
fn knock(world: &World, key: &str, method: &str, path: &str, body: &[u8]) -> Response {
    let mut head = head(method, path, JSON);
    head.door_key = Some(key.to_owned());
    support::answer(world, &head, body)
}

/// What a call is answered with: the HTTP status and the body, which has the protocol's form.
#[track_caller]
fn call(world: &World, key: &str, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
    let response = knock(world, key, method, path, body);
    let body: Value = serde_json::from_str(&response.body).unwrap();
    assert_form(response.status, &body);
    (response.status, body)
}

#[track_caller]
fn assert_form(http: u16, body: &Value) {
    let status = body["status"].as_u64().unwrap();
    assert_eq!(status == 1, http == 200, "{http} {body}");
    assert!([200, 400, 401, 403, 405, 429, 503].contains(&http), "{http} {body}");
    assert!(status < 256 && body["message"].as_str().is_some_and(|text| !text.is_empty()));
    assert!(body.as_object().unwrap().contains_key("data"));
    assert!(http == 200 || body["data"].is_null());
}

/// The data of a call that must succeed.
#[track_caller]
fn data(world: &World, key: &str, method: &str, path: &str, body: Value) -> Value {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let (http, mut answer) = call(world, key, method, path, body.as_bytes());
    assert_eq!((http, &answer["message"]), (200, &json!(SUCCESS)), "{path}: {answer}");
    answer["data"].take()
}

#[track_caller]
fn post(world: &World, key: &str, path: &str, body: Value) -> Value {
    data(world, key, "POST", path, body)
}

#[track_caller]
fn get(world: &World, key: &str, path: &str) -> Value {
    data(world, key, "GET", path, Value::Null)
}

/// Expects an error: its HTTP status and its number.
#[track_caller]
fn refused(world: &World, key: &str, method: &str, path: &str, body: Value, wanted: (u16, u64)) {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let (http, answer) = call(world, key, method, path, body.as_bytes());
    let status = answer["status"].as_u64().unwrap();
    assert_eq!((http, status), wanted, "{path} {body}: {answer}");
}

fn ids(sent: &Value) -> Vec<i64> {
    let ids = sent["messageIds"].as_array().unwrap().iter();
    ids.map(|id| id.as_i64().unwrap()).collect()
}

fn now_s(world: &World) -> i64 {
    world.now_ms.get() / 1_000
}

/// A text to one number, as the program of a shop sends it.
fn text(text: &str) -> Value {
    json!({"lineNumber": 10001, "messageText": text, "mobiles": ["09121234567"]})
}
