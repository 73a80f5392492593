//! Holds every answer of a door against its own document, `site/doors/<door>.json`: the call is one that the document has, with a
//! status that it has, and the body has the members that it names and no others. What the document has not is refused, by a body of the
//! form that it has for refusals.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use peyk::api::http::{Head, Response};
use peyk::base::config::Door;
use serde_json::{Value, json};

use super::xml;
use crate::support::schema::Schema;

/// The documents of all doors.
static DOCUMENTS: LazyLock<Vec<(Door, Value)>> = LazyLock::new(|| {
    let documents = Door::ALL.iter().map(|door| {
        let file = format!("{}/site/doors/{}.json", env!("PEYK_ROOT"), door.as_str());
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        (*door, serde_json::from_str(&text).unwrap())
    });
    documents.collect()
});

/// The schemas by their addresses: to make one ready takes longer than most tests.
static READY: LazyLock<Mutex<HashMap<usize, Arc<Schema>>>> = LazyLock::new(Mutex::default);

/// Checks what a door has answered to a request.
pub fn check(door: Door, head: &Head, response: &Response) {
    let (_, document) = DOCUMENTS.iter().find(|(known, _)| *known == door).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    // An answer in XML has the members of that in JSON. A protocol may let the end of a path be left out.
    let asked = head.path.replace(".xml", ".json");
    let whole = format!("{}.json", asked.trim_end_matches('/'));
    let found = paths.filter(|(path, _)| is_at(path, &asked) || is_at(path, &whole));
    // `/send/pack` is not the `/send/{id}` of a message with the id `pack`.
    let found = found.min_by_key(|(path, _)| path.matches('{').count());
    let operation = found.map(|(_, item)| &item[head.method.to_ascii_lowercase()]);
    match operation.filter(|operation| operation.is_object()) {
        Some(operation) => check_answer(document, operation, head, response),
        None => {
            let what = format!("{} {} → {}", head.method, head.path, response.status);
            assert!(response.status >= 400, "{what}: no document has it");
            let refusal = &document["components"]["responses"][refusal_of(door, head)];
            check_body(document, refusal, response, &what);
        }
    }
}

/// What a door's document calls a refusal of the protocol that a request is of.
fn refusal_of(door: Door, head: &Head) -> &'static str {
    let path = head.path.to_ascii_lowercase();
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| path.starts_with(prefix));
    match door {
        Door::Kavenegar | Door::Twilio => "Error",
        Door::SmsIr if begins(&["/v1/"]) => "Error",
        Door::SmsIr if begins(&["/api/", "/users/"]) => "OlderError",
        Door::SmsIr => "Words",
        Door::Ippanel if begins(&["/api/v1/", "/inbox"]) => "Api2Error",
        Door::Ippanel if begins(&["/api/", "/v1/api/"]) => "EdgeError",
        Door::Ippanel => "RestError",
    }
}

/// Whether a path of a document is that of a request. Some protocols know no case, and slashes at the end change nothing.
fn is_at(template: &str, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    let [parts, wanted] = [path, template].map(|path| path.split('/').collect::<Vec<_>>());
    let is_like = |part: &str, wanted: &str| match wanted.split_once('{') {
        Some((before, rest)) => {
            let after = rest.split_once('}').unwrap().1;
            part.len() > before.len() + after.len() && part.starts_with(before) && part.ends_with(after)
        }
        None => part.eq_ignore_ascii_case(wanted),
    };
    parts.len() == wanted.len() && parts.iter().zip(wanted).all(|(part, wanted)| is_like(part, wanted))
}

fn check_answer(document: &'static Value, operation: &'static Value, head: &Head, response: &Response) {
    let what = format!("{} {} → {}", head.method, head.path, response.status);
    let status = response.status.to_string();
    let responses = &operation["responses"];
    let described = [status.as_str(), &format!("{}XX", &status[..1]), "default"]
        .into_iter()
        .find_map(|name| responses.get(name));
    let described = described.unwrap_or_else(|| panic!("{what}: the document has no such status: {}", response.body));
    let described = match described["$ref"].as_str() {
        Some(path) => document.pointer(path.strip_prefix('#').unwrap()).unwrap(),
        None => described,
    };
    check_body(document, described, response, &what);
}

fn check_body(document: &'static Value, described: &'static Value, response: &Response, what: &str) {
    let content = &described["content"];
    if let Some(words) = content.get("text/plain") {
        assert_eq!(response.content_type, "text/plain; charset=utf-8", "{what}");
        assert_eq!(words["schema"]["type"], "string", "{what}");
        assert!(!response.body.is_empty(), "{what}: nobody reads what is wrong");
        return;
    }
    let Some(schema) = content["application/json"].get("schema") else {
        assert_eq!(response.body, "", "{what}: the document has no body");
        return;
    };
    let body: Value = if response.content_type.starts_with("application/xml") {
        xml::read(document, schema, &response.body)
    } else {
        serde_json::from_str(&response.body).unwrap_or_else(|error| panic!("{what}: {error}: {}", response.body))
    };
    let faults = ready(document, schema).faults(&body);
    assert_eq!(faults, Vec::<String>::new(), "{what}: {}", response.body);
}

fn ready(document: &'static Value, schema: &'static Value) -> Arc<Schema> {
    let key = std::ptr::from_ref(schema) as usize;
    let mut ready = READY.lock().unwrap();
    let schema = ready.entry(key).or_insert_with(|| {
        Arc::new(Schema::of(
            json!({"allOf": [schema], "components": {"schemas": document["components"]["schemas"]}}),
        ))
    });
    Arc::clone(schema)
}
