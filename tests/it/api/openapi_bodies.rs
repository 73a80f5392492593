//! What `openapi.json` says of the bodies of requests is what the service holds: a body that the document forbids is a 422
//! that names the place, and one that it allows has no fault there. Each member of each body is taken away, and set to values
//! of other types, to its limits and beyond them.

use serde_json::{Value, json};

use crate::support::conformity::{Members, document, faults, resolve};
use crate::support::{Account, World, sample::sample, time::DAY_MS};

/// What the service says of a value that the document can't tell from a good one: it depends on what else is there.
const OF_OTHER_THINGS: &[&str] = &[
    "must stand beside",
    "names ",
    "must be an account that may use the line",
    "is not in the text",
    "must not be there twice",
    "is not for carriers of the kind",
    "can't be changed",
    "must be at most 90 days ahead",
    "exactly one route without prefixes",
    "a list with each prefix once",
    "whose prefixes no other route has",
    "at most 8192 bytes of JSON",
    "must have at most 16384 characters",
    "at most 4 decimals",
    "an IP address or a network",
    "must be left out unless",
];

/// The objects that a schema allows.
fn variants(schema: &'static Value) -> Vec<&'static Value> {
    let schema = resolve(schema);
    match ["oneOf", "anyOf"].into_iter().find_map(|name| schema[name].as_array()) {
        Some(all) => all.iter().flat_map(variants).collect(),
        None => vec![schema],
    }
}

/// Values to put in the place of one with this schema.
fn values(schema: &'static Value) -> Vec<Value> {
    let mut values = vec![json!(7), json!("?"), json!(true), json!({"a": {}}), Value::Null];
    if let Some(max) = schema["maxLength"].as_u64() {
        let filled = |text: &str, more: usize| json!(text.repeat(max as usize + more));
        values.push(json!(""));
        values.extend(
            ["x", "1"]
                .into_iter()
                .flat_map(|text| [filled(text, 0), filled(text, 1)]),
        );
    }
    for (limit, beyond) in [("minimum", -1), ("maximum", 1)] {
        if let Some(limit) = schema[limit].as_i64() {
            values.extend([json!(limit), json!(limit + beyond), json!(0), json!(1.5), json!(5.0)]);
        }
    }
    if let Some(names) = schema["enum"].as_array() {
        values.extend(names.iter().cloned());
    }
    if let Some(max) = schema["maxItems"].as_u64().filter(|max| *max <= 1_000) {
        let item = sample(&schema["items"], &document()["components"]);
        values.push(json!([]));
        values.push(vec![item.clone(); max as usize].into());
        values.push(vec![item; max as usize + 1].into());
    }
    values
}

/// Sets the value at a place whose parent is there. `None` takes it away.
fn set(body: &mut Value, place: &str, value: Option<Value>) {
    let (parent, name) = place.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(name.to_owned(), value)),
        (Value::Object(members), None) => drop(members.remove(name)),
        (Value::Array(items), Some(value)) => items[name.parse::<usize>().unwrap()] = value,
        (other, _) => panic!("{place} in {other}"),
    }
}

/// Changes of a body at a place with this schema: each is the place and the body.
fn changes(schema: &'static Value, body: &Value, place: &str, found: &mut Vec<(String, Value)>) {
    for variant in variants(schema) {
        let with = |value: Option<Value>| {
            let mut changed = body.clone();
            set(&mut changed, place, value);
            changed
        };
        if !place.is_empty() {
            let values = values(variant).into_iter();
            found.extend(values.map(|value| (place.to_owned(), with(Some(value)))));
        }
        let components = &document()["components"];
        if let Some(members) = variant["properties"].as_object() {
            let whole = match place {
                "" => body.clone(),
                _ if body.pointer(place).is_some_and(Value::is_object) => body.clone(),
                _ => with(Some(sample(variant, components))),
            };
            for (name, member) in members {
                let place = format!("{place}/{name}");
                let mut without = whole.clone();
                set(&mut without, &place, None);
                found.push((place.clone(), without));
                changes(member, &whole, &place, found);
            }
        }
        let items = &variant["items"];
        if items.as_object().is_some_and(|own| !own.is_empty()) {
            let one = with(Some(json!([sample(items, components)])));
            changes(items, &one, &format!("{place}/0"), found);
        }
    }
}

/// The path of an operation with values for its parameters.
fn path(path: &str, account: &Account) -> String {
    let segments = path.split('/').map(|segment| match segment {
        "{id}" if path.starts_with("/admin/accounts") => account.id.as_str(),
        "{name}" => "sandbox",
        "{number}" => "10001",
        "{key}" => account.key_id.as_str(),
        other => other.trim_matches(['{', '}']),
    });
    segments.collect::<Vec<_>>().join("/")
}

/// What is wrong with the answer to a body that was changed at a place.
fn disagreement(is_allowed: bool, place: &str, answer: &crate::support::Answer) -> Option<String> {
    let is_refused = answer.response.status == 422 && answer.json["code"] == 422;
    let errors = answer.json["errors"].as_array().filter(|_| is_refused);
    let mut errors = errors.into_iter().flatten();
    let pointer = |error: &Value| error["pointer"].as_str().unwrap().to_owned();
    if is_allowed {
        let is_own = |error: &&Value| {
            let (pointer, detail) = (pointer(error), error["detail"].as_str().unwrap());
            let is_there = pointer == place || pointer.starts_with(&format!("{place}/"));
            is_there && !OF_OTHER_THINGS.iter().any(|text| detail.contains(text))
        };
        let own = errors.find(is_own);
        return own.map(|error| format!("the service refuses what is allowed: {error}"));
    }
    let parent = place.rsplit_once('/').map_or("", |(parent, _)| parent);
    let is_told = errors.any(|error| pointer(error).starts_with(parent) || parent.starts_with(&pointer(error)));
    let (status, body) = (answer.response.status, &answer.body);
    (!is_told).then(|| format!("the service takes what is forbidden: {status} {body}"))
}

#[test]
fn the_service_refuses_exactly_the_bodies_that_the_document_forbids() {
    let (mut tried, mut refused, mut bad) = (0, 0, Vec::new());
    for (route, item) in document()["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(schema) = operation["requestBody"]["content"]["application/json"].get("schema") else {
                continue;
            };
            let (world, account) = World::with_busy_account(1_000_000);
            world.holds_requests.set(false);
            let is_admin = route.starts_with("/admin/");
            let key = if is_admin { &world.admin_key } else { &account.key };
            for variant in variants(schema) {
                let whole = sample(variant, &document()["components"]);
                let mut found = Vec::new();
                changes(variant, &whole, "", &mut found);
                for (place, body) in found {
                    // A number gets few codes in a day.
                    world.advance(if route == "/verify" { DAY_MS } else { 1_000 });
                    // What a browser has signed can't be made up here: tests/it/auth/passkeys.rs does it.
                    if route.contains("/console/") && place == "/clientDataJSON" {
                        continue;
                    }
                    let is_allowed = faults(schema, Members::Open, &body).is_empty();
                    let request = world.ask(&method.to_ascii_uppercase(), key, &path(route, &account));
                    let answer = request.json(body.clone()).send();
                    assert_ne!(answer.response.status, 429, "{route}");
                    tried += 1;
                    refused += u32::from(!is_allowed);
                    if let Some(why) = disagreement(is_allowed, &place, &answer) {
                        let shown: String = body.to_string().chars().take(300).collect();
                        bad.push(format!("{method} {route} at {place}: {shown}\n    {why}"));
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} disagreements:\n{}", bad.len(), bad.join("\n"));
    assert!(tried > 2_000 && refused > 1_000, "{tried} tried, {refused} refused");
}
