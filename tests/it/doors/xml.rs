//! Reads an answer in XML as the answer in JSON that it stands for. A text and a number look alike there, so the schema of the answer says
//! which is which.

use serde_json::{Map, Value};

/// An element: its text, or the elements in it.
struct Element {
    name: String,
    text: String,
    elements: Vec<Element>,
}

/// Reads a body that a schema describes. What is no XML, or no value of the schema's type, is a failure.
pub fn read(document: &Value, schema: &Value, body: &str) -> Value {
    let declaration = r#"<?xml version="1.0" encoding="utf-8"?>"#;
    let rest = body.strip_prefix(declaration).unwrap();
    let (root, rest) = element(rest);
    assert_eq!((root.name.as_str(), rest), ("Response", ""), "{body}");
    value(document, schema, &root)
}

/// The element at the beginning of a text, and what follows it.
fn element(text: &str) -> (Element, &str) {
    let (name, mut rest) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')).unwrap();
    let mut read = Element {
        name: name.to_owned(),
        text: String::new(),
        elements: Vec::new(),
    };
    loop {
        let (before, _) = rest.split_once('<').unwrap();
        read.text.push_str(&unescaped(before));
        rest = &rest[before.len()..];
        if let Some(end) = rest.strip_prefix("</") {
            let behind = end.strip_prefix(name).and_then(|rest| rest.strip_prefix('>'));
            return (read, behind.unwrap());
        }
        let (child, behind) = element(rest);
        read.elements.push(child);
        rest = behind;
    }
}

fn unescaped(text: &str) -> String {
    assert!(!text.contains('>'), "{text}");
    let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&#13;", "\r"), ("&amp;", "&")];
    escapes
        .iter()
        .fold(text.to_owned(), |text, (escape, meant)| text.replace(escape, meant))
}

/// What a schema says of a value, behind its references.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(path) => resolved(document, document.pointer(path.strip_prefix('#').unwrap()).unwrap()),
        None => schema,
    }
}

/// Whether a schema takes values of a type.
fn takes(document: &Value, schema: &Value, wanted: &str) -> bool {
    let schema = resolved(document, schema);
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    let types = &schema["type"];
    types == wanted
        || types.as_array().is_some_and(|types| types.contains(&wanted.into()))
        || alternatives.into_iter().any(|schema| takes(document, schema, wanted))
}

fn value(document: &Value, schema: &Value, element: &Element) -> Value {
    let schema = resolved(document, schema);
    if let Some(schemas) = schema["anyOf"].as_array() {
        let is_empty = element.text.is_empty() && element.elements.is_empty();
        let fits = |schema: &&Value| takes(document, schema, "null") == is_empty;
        return value(document, schemas.iter().find(fits).unwrap(), element);
    }
    let is = |wanted: &str| takes(document, schema, wanted);
    let items = element.elements.iter();
    if is("array") {
        assert!(items.clone().all(|item| item.name == "entry"), "{}", element.name);
        return items.map(|item| value(document, &schema["items"], item)).collect();
    }
    if is("object") {
        let member = |item: &Element| {
            let schema = &schema["properties"][item.name.as_str()];
            (item.name.clone(), value(document, schema, item))
        };
        return Value::Object(items.map(member).collect::<Map<_, _>>());
    }
    assert!(element.elements.is_empty(), "{} has no elements", element.name);
    match element.text.as_str() {
        "" if is("null") => Value::Null,
        text if is("integer") => text.parse::<i64>().unwrap().into(),
        text => text.into(),
    }
}
