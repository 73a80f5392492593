//! Generators of clients read some of what JSON Schema may say wrong. Here it is said in another way that means the same:
//! `tests/runtime/generators.test.mjs` holds what some generators make of it.

use serde_json::{Map, Value, json};

/// Where references find schemas.
const SCHEMAS: &str = "#/components/schemas/";

/// The largest number of a parameter that Go's generator reads without a format.
const MAX_SHORT: u64 = 2_147_483_647;

/// The name of a schema in the document. Go's generator makes a function `NewKey` for `Key`, so no other schema may have that name.
pub fn name_of(schema: &str) -> String {
    match schema.strip_prefix("New") {
        Some(rest) if rest.starts_with(|first: char| first.is_ascii_uppercase()) => format!("{rest}Input"),
        _ => schema.to_owned(),
    }
}

/// Says all of the document so, except its examples.
pub fn mend(value: &mut Value) {
    match value {
        Value::Object(members) => {
            mend_reference(members);
            mend_parameter(members);
            let properties = members.get_mut("properties").and_then(Value::as_object_mut);
            properties.into_iter().flat_map(Map::values_mut).for_each(mend_member);
            let inner = members.iter_mut();
            let inner = inner.filter(|(name, _)| !["example", "examples"].contains(&name.as_str()));
            inner.for_each(|(_, member)| mend(member));
        }
        Value::Array(items) => items.iter_mut().for_each(mend),
        _ => {}
    }
}

fn mend_reference(members: &mut Map<String, Value>) {
    let Some(Value::String(place)) = members.get_mut("$ref") else {
        return;
    };
    if let Some(schema) = place.strip_prefix(SCHEMAS) {
        *place = format!("{SCHEMAS}{}", name_of(schema));
    }
}

fn mend_parameter(members: &mut Map<String, Value>) {
    if !members.contains_key("in") {
        return;
    }
    if let Some(schema) = members.get_mut("schema")
        && schema["maximum"].as_u64() > Some(MAX_SHORT)
    {
        schema["format"] = "int64".into();
    }
}

/// A member of an object.
fn mend_member(member: &mut Value) {
    if *member == json!({"type": "null"}) {
        // Python's generators stop at a member that is nothing but `null`, or leave out its object.
        *member = json!({"enum": [null]});
    }
    let Value::Object(schema) = member else {
        return;
    };
    match schema.remove("const") {
        // The Python of a member that is `const: true` is not even Python.
        Some(Value::Bool(fixed)) => {
            schema.insert("type".to_owned(), "boolean".into());
            schema.insert("enum".to_owned(), json!([fixed]));
        }
        Some(fixed) => {
            let kind = if fixed.is_string() { "string" } else { "integer" };
            schema.insert("type".to_owned(), kind.into());
            schema.insert("const".to_owned(), fixed);
        }
        None => {}
    }
    // To openapi-typescript, a member with a default is always there, in requests too.
    if let Some(default) = schema.remove("default") {
        let value = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
        let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let about = format!("{about} Left out: `{value}`.").trim().to_owned();
        schema.insert("description".to_owned(), about.into());
    }
}
