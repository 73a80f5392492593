//! Makes a value that a schema describes: of each member the member's own example.

use serde_json::{Map, Value};

/// An example of what this schema describes. `components` has the schemas that it names.
pub fn sample(schema: &Value, components: &Value) -> Value {
    if let Some(own) = schema.pointer("/examples/0").or(schema.get("const")) {
        return own.clone();
    }
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|path| path.strip_prefix("#/components/schemas/"))
    {
        return sample(&components["schemas"][name], components);
    }
    if let Some(first) = ["oneOf", "anyOf"].into_iter().find_map(|either| schema[either].get(0))
        && schema.get("properties").is_none()
    {
        return sample(first, components);
    }
    if let Some(first) = schema.pointer("/enum/0") {
        return first.clone();
    }
    let kind = schema["type"].as_str().or(schema["type"][0].as_str());
    match kind {
        Some("object") => object(schema, components),
        Some("array") => Value::Array(vec![sample(&schema["items"], components)]),
        Some("boolean") => Value::Bool(false),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_default(),
        Some("null") => Value::Null,
        _ => Value::from("text"),
    }
}

fn object(schema: &Value, components: &Value) -> Value {
    let own = schema["properties"].as_object().into_iter().flatten();
    let members = own.map(|(name, member)| (name.clone(), sample(member, components)));
    Value::Object(members.collect::<Map<_, _>>())
}
