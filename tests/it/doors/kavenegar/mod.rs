//! The door of Kavenegar. `tests/doors/` has the same with its official libraries.

mod errors;
mod inbox;
mod logs;
mod outbox;
mod own_ids;
mod random;
mod sends;

use serde_json::Value;

use crate::doors::support::{self, FORM, form, head};
use crate::support::World;

/// What the door answers: the HTTP status and the body.
fn knock(world: &World, method: &str, path: &str, content_type: &str, body: &[u8]) -> (u16, Value) {
    support::knock(world, &head(method, path, content_type), body)
}

/// Calls a method as the libraries do. The HTTP status and that of the body are the same.
fn call(world: &World, key: &str, method: &str, params: &[(&str, &str)]) -> (u16, Value) {
    let path = format!("/v1/{key}/{method}.json");
    let (status, mut body) = knock(world, "POST", &path, FORM, form(params).as_bytes());
    assert_eq!(body["return"]["status"], status, "{body}");
    assert!(body["return"]["message"].as_str().is_some_and(|text| !text.is_empty()));
    (status, body["entries"].take())
}

#[track_caller]
fn entries(world: &World, key: &str, method: &str, params: &[(&str, &str)]) -> Value {
    let (status, entries) = call(world, key, method, params);
    assert_eq!(status, 200, "{entries}");
    entries
}

#[track_caller]
fn refused(world: &World, key: &str, method: &str, params: &[(&str, &str)], wanted: u16) {
    let (status, entries) = call(world, key, method, params);
    assert_eq!((status, entries), (wanted, Value::Null), "{method} {params:?}");
}

fn ids(entries: &Value) -> Vec<i64> {
    entries
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["messageid"].as_i64().unwrap())
        .collect()
}

fn joined(ids: &[i64]) -> String {
    ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}
