//! The door of Twilio. `tests/doors/` has the same with its official libraries.

mod addresses;
mod errors;
mod inbound;
mod lists;
mod looks;
mod random;
mod sends;
mod verify;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::support::{self, FORM, MONEY, form, head, phone_sends, phone_sends_to, world};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World};

const AC: &str = "AC0123456789abcdef0123456789abcdef";
const HEX: &str = "0123456789abcdef0123456789abcdef";
const MG: &str = "MG0123456789abcdef0123456789abcdef";
const TO: &str = "+989121234567";
const UNKNOWN_SID: &str = "SM00000000000000000000000000000007";

fn path(rest: &str) -> String {
    format!("/2010-04-01/Accounts/{AC}{rest}")
}

/// What the door answers: the HTTP status and the body. Each answer has the protocol's form.
fn knock(world: &World, key: &str, method: &str, path: &str, body: &str) -> (u16, Value) {
    let mut head = head(method, path, FORM);
    head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{key}"))));
    let response = support::answer(world, &head, body.as_bytes());
    let body: Value = serde_json::from_str(&response.body).unwrap_or(Value::Null);
    let has_header = |name: &str| response.headers.iter().any(|(known, _)| *known == name);
    match response.status {
        204 => assert_eq!((response.body.as_str(), response.content_type), ("", "")),
        200 | 201 => assert!(body.is_object(), "{}", response.body),
        status => {
            let code = body["code"].as_u64().unwrap();
            assert_eq!(body["status"], status, "{body}");
            assert_eq!(body["more_info"], format!("https://www.twilio.com/docs/errors/{code}"));
            assert!(body["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
            assert!(body.get("type").is_none() && body.get("title").is_none(), "{body}");
            assert_eq!(has_header("WWW-Authenticate"), status == 401);
        }
    }
    (response.status, body)
}

fn create(world: &World, key: &str, params: &[(&str, &str)]) -> (u16, Value) {
    knock(world, key, "POST", &path("/Messages.json"), &form(params))
}

#[track_caller]
fn created(world: &World, key: &str, params: &[(&str, &str)]) -> Value {
    let (status, message) = create(world, key, params);
    assert_eq!(status, 201, "{message}");
    message
}

#[track_caller]
fn got(world: &World, key: &str, rest: &str) -> Value {
    let (status, found) = knock(world, key, "GET", &path(rest), "");
    assert_eq!(status, 200, "{found}");
    found
}

fn fetched(world: &World, key: &str, sid: &str) -> Value {
    got(world, key, &format!("/Messages/{sid}.json"))
}

fn on(world: &World, key: &str, method: &str, sid: &str, params: &[(&str, &str)]) -> (u16, u64) {
    let path = path(&format!("/Messages/{sid}.json"));
    let (status, body) = knock(world, key, method, &path, &form(params));
    (status, body["code"].as_u64().unwrap_or_default())
}

#[track_caller]
fn refused(world: &World, key: &str, params: &[(&str, &str)], status: u16, code: u64) -> String {
    let (told, body) = create(world, key, params);
    assert_eq!((told, &body["code"]), (status, &json!(code)), "{params:?} {body}");
    body["message"].as_str().unwrap().to_owned()
}

fn text<'a>(record: &'a Value, name: &str) -> &'a str {
    record[name].as_str().unwrap()
}

fn texts<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| text(record, name))
        .collect()
}

/// All pages of a list.
fn walked(world: &World, key: &str, query: &str) -> Vec<Value> {
    let mut pages = vec![got(world, key, &format!("/Messages.json?{query}"))];
    while let Some(next) = pages.last().unwrap()["next_page_uri"].as_str() {
        let (status, page) = knock(world, key, "GET", next, "");
        assert_eq!((status, &page["page"]), (200, &json!(pages.len())), "{page}");
        pages.push(page);
        assert!(pages.len() < 100, "the list ends");
    }
    pages
}

const BASE: [(&str, &str); 3] = [("To", TO), ("From", "+10001"), ("Body", "hello")];

fn with<'a>(name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut params = BASE.to_vec();
    params.retain(|(known, _)| *known != name);
    params.push((name, value));
    params
}
