//! `openapi.json` says what the code does.
//!
//! The world of the native tests holds every answer against the document (`tests/it/support/conformity.rs`). Here is the rest: the
//! file is what the code makes, its examples are what its schemas describe, and what the document forbids in a body the
//! service refuses, at that place.

use std::collections::BTreeSet;

use peyk::api::{routes::Access, routes::ROUTES};
use peyk::auth::Scope;
use peyk::problem::kind;
use serde_json::{Value, json};
use sms::msisdn::Msisdn;

use super::examples;
use crate::support::conformity::{Members, document, faults, resolve};
use crate::support::schema::Schema;
use crate::support::{Dice, openapi};

const FILE: &str = concat!(env!("PEYK_ROOT"), "/openapi.json");

#[test]
fn the_document_is_what_the_code_makes() {
    if std::env::var("EXAMPLES").is_ok() {
        // They stand in the document.
        examples::record();
    }
    let made = openapi::text();
    if std::env::var("OPENAPI").is_ok_and(|wish| wish == "write") {
        std::fs::write(FILE, &made).unwrap();
    }
    assert!(
        std::fs::read_to_string(FILE).unwrap() == made,
        "openapi.json is not what the code makes. Write it anew: OPENAPI=write cargo test --test it what_the_code_makes"
    );
}

/// All operations of the document: path, method, operation.
fn operations() -> Vec<(&'static str, String, &'static Value)> {
    let paths = document()["paths"].as_object().unwrap();
    let of_path = |(path, item): (&'static String, &'static Value)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (path.as_str(), method.to_ascii_uppercase(), operation))
    };
    paths.iter().flat_map(of_path).collect()
}

#[test]
fn each_route_has_one_operation_with_its_scope_and_its_codes() {
    let in_document = operations();
    let in_document: BTreeSet<_> = in_document
        .iter()
        .map(|(path, method, _)| (*path, method.clone()))
        .collect();
    let in_code = ROUTES.iter();
    let in_code: BTreeSet<_> = in_code.map(|route| (route.path, route.method.to_owned())).collect();
    assert_eq!(in_document, in_code);
    for route in ROUTES {
        let operation = &document()["paths"][route.path][route.method.to_ascii_lowercase()];
        let scope = match route.access {
            Access::Public => json!([]),
            Access::AnyKey => json!([{"key": []}]),
            Access::Scope(_) | Access::Live(_) => {
                let scopes: Vec<&str> = route.scopes().map(Scope::as_str).collect();
                json!([{"key": scopes}])
            }
        };
        assert_eq!(operation["security"], scope, "{}", route.path);
        let responses = operation["responses"].as_object().unwrap().values().map(resolve);
        let codes = responses.filter_map(|response| {
            response["content"]["application/problem+json"]["schema"]["properties"]["code"]["enum"].as_array()
        });
        let codes: BTreeSet<u64> = codes.flatten().filter_map(Value::as_u64).collect();
        for code in route.operation.told().errors {
            let is_named = codes.contains(&u64::from(*code));
            assert!(is_named, "{} {}: {code}", route.method, route.path);
        }
    }
}

#[test]
fn each_error_of_a_route_has_an_example_with_its_code() {
    let examples = document()["components"]["examples"].as_object().unwrap();
    // No route of the table has 405: the method is right then.
    for kind in kind::ALL.iter().filter(|kind| **kind != kind::METHOD_NOT_ALLOWED) {
        let example = &examples[kind.name]["value"];
        let wanted = (&json!(kind.code), &json!(kind.status));
        assert_eq!((&example["code"], &example["status"]), wanted, "{}", kind.name);
    }
}

/// Calls `visit` with each object of the document and its place.
fn walk(value: &'static Value, place: &str, visit: &mut impl FnMut(&str, &'static Value)) {
    match value {
        Value::Object(members) => {
            visit(place, value);
            members
                .iter()
                .for_each(|(name, member)| walk(member, &format!("{place}/{name}"), visit));
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{place}/{index}"), visit);
            }
        }
        _ => {}
    }
}

#[test]
fn each_example_is_what_its_schema_describes() {
    let mut seen = 0;
    let mut bad = Vec::new();
    walk(document(), "#", &mut |place, object| {
        if place.contains("/examples") || place.contains("/example/") {
            return;
        }
        let mut hold = |schema: &'static Value, example: &Value| {
            seen += 1;
            let found = faults(schema, Members::Closed, example);
            if !found.is_empty() {
                bad.push(format!("{place}: {example}: {}", found.join("; ")));
            }
        };
        if let (Some(schema), Some(example)) = (object.get("schema"), object.get("example")) {
            hold(schema, example);
        }
        if let (Some(schema), Some(Value::Object(examples))) = (object.get("schema"), object.get("examples")) {
            examples
                .values()
                .for_each(|example| hold(schema, &resolve(example)["value"]));
        }
        if let Some(Value::Array(examples)) = object.get("examples") {
            examples.iter().for_each(|example| hold(object, example));
        }
    });
    assert_eq!(bad, Vec::<String>::new());
    assert!(seen > 500, "{seen}");
}

#[test]
fn the_pattern_of_phone_numbers_finds_what_the_service_reads() {
    let schema = &document()["components"]["schemas"]["WrittenPhoneNumber"];
    let pieces = [
        "0", "9", "8", "98", "09", "00", "+", "912", "۹", "٩", " ", "-", "1", "123", "4567", "۱۲۳", "\u{200e}", "x",
        ")",
    ];
    let dice = Dice::new(11);
    let mut read = 0;
    for _ in 0..20_000 {
        let count = dice.below(9);
        let text: String = (0..count)
            .map(|_| pieces[usize::try_from(dice.below(19)).unwrap()])
            .collect();
        let is_number = Msisdn::parse(&text).is_ok();
        read += u32::from(is_number);
        let found = faults(schema, Members::Closed, &json!(text));
        assert_eq!(found.is_empty(), is_number, "{text:?}");
    }
    assert!(read > 300, "{read}");
}

/// The names that the code of the API gives to one of these readers, each with its file.
fn names_read_by(readers: &[&str]) -> BTreeSet<(String, String)> {
    let mut names = BTreeSet::new();
    let mut dirs = vec![std::path::PathBuf::from(concat!(env!("PEYK_ROOT"), "/src/api"))];
    while let Some(dir) = dirs.pop() {
        for file in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if file.is_dir() {
                // Doors have documents of their own.
                if !file.ends_with("api/doors") {
                    dirs.push(file);
                }
                continue;
            }
            let code = std::fs::read_to_string(&file).unwrap();
            let code = code.split("#[cfg(test)]").next().unwrap();
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            let code: String = code.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
            for reader in readers {
                for call in code.split(reader).skip(1) {
                    let Some((name, _)) = call
                        .trim_start()
                        .strip_prefix('"')
                        .and_then(|rest| rest.split_once('"'))
                    else {
                        continue;
                    };
                    names.insert((name.to_owned(), file.display().to_string()));
                }
            }
        }
    }
    names
}

/// The members of this schema and of those that it names, at any depth.
fn members_of(schema: &'static Value, seen: &mut BTreeSet<&'static str>, members: &mut BTreeSet<&'static str>) {
    match schema {
        Value::Object(object) => {
            if let Some(reference) = object.get("$ref").and_then(Value::as_str)
                && seen.insert(reference)
            {
                members_of(resolve(schema), seen, members);
            }
            if let Some(Value::Object(own)) = object.get("properties") {
                members.extend(own.keys().map(String::as_str));
            }
            object.values().for_each(|value| members_of(value, seen, members));
        }
        Value::Array(items) => items.iter().for_each(|item| members_of(item, seen, members)),
        _ => {}
    }
}

#[test]
fn every_member_that_the_service_reads_is_one_of_a_body() {
    let (mut seen, mut members) = (BTreeSet::new(), BTreeSet::new());
    for (_, _, operation) in operations() {
        members_of(&operation["requestBody"], &mut seen, &mut members);
        // A query is declared as a body is.
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        members.extend(parameters.filter_map(|parameter| resolve(parameter)["name"].as_str()));
    }
    let kinds =
        "any_text text formed choice phone_number time text_or_number boolean integer number list texts objects object";
    let holders = ["fields", "tariff", "item", "own"];
    let readers = holders.iter();
    let readers = readers.flat_map(|holder| kinds.split(' ').map(move |kind| format!("{holder}.{kind}(")));
    let declared = ["must", "needs", "can", "may"].map(|presence| format!(" = {presence} "));
    let readers: Vec<String> = readers.chain(declared).collect();
    let read = names_read_by(&readers.iter().map(String::as_str).collect::<Vec<_>>());
    let missing = read.iter();
    let missing: Vec<_> = missing.filter(|(name, _)| !members.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "openapi.json does not describe {missing:?}");
    assert!(read.len() > 50, "{}", read.len());
}

#[test]
fn a_value_that_does_not_fit_is_told_by_the_places_of_its_faults() {
    let recipient = json!({
        "type": "object",
        "properties": {"id": {"type": "string", "format": "uuid"}, "at": {"type": "string", "format": "date-time"}},
        "additionalProperties": false
    });
    let schema = Schema::of(json!({"allOf": [{"$ref": "#/$defs/list"}], "$defs": {
        "list": {"type": "array", "items": {"$ref": "#/$defs/recipient"}},
        "recipient": recipient
    }}));
    let places = |value: Value| -> Vec<String> {
        let faults = schema.faults(&value).into_iter();
        faults
            .map(|fault| fault.split(": ").next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        places(json!([{"id": "one", "at": "2026-01-01T00:00:00Z"}, {}])),
        Vec::<String>::new()
    );
    assert_eq!(
        places(json!([{}, {"id": ""}, {"at": "today"}, {"more": 1}])),
        ["/1/id", "/2/at", "/3"]
    );
    assert_eq!(places(json!({})), [""]);
}
