//! Holds every answer of the service against `openapi.json`: its status is one that the document has for the route, its body
//! has the members that the document names and no others, and a request that was accepted is one that the document allows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, OnceLock, RwLock};

use peyk::api::{http::Head, http::Response, router};
use serde_json::{Map, Value, json};

use super::openapi;
use super::schema::Schema;

const SCHEMAS: &str = "#/components/schemas/";
/// Headers that every answer has, and that the document does not name.
const EVERYWHERE: [&str; 3] = ["X-Content-Type-Options", "Strict-Transport-Security", "Cache-Control"];

/// The document, as the code makes it.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(openapi::document)
}

/// Follows a reference within the document.
pub fn resolve(value: &Value) -> &Value {
    match value["$ref"].as_str() {
        Some(path) => document().pointer(path.strip_prefix('#').unwrap()).unwrap(),
        None => value,
    }
}

/// Whether a schema may describe more members than it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Members {
    /// Only those that it names.
    Closed,
    /// Any others too.
    Open,
}

/// The schemas that this one names, by name, and those that they name.
fn named_by(schema: &Value, found: &mut BTreeMap<String, Value>) {
    match schema {
        Value::Object(members) => {
            let name = members
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|path| path.strip_prefix(SCHEMAS));
            if let Some(name) = name
                && !found.contains_key(name)
            {
                let own = &document()["components"]["schemas"][name];
                assert!(own.is_object(), "there is no schema {name}");
                found.insert(name.to_owned(), own.clone());
                named_by(own, found);
            }
            members.values().for_each(|member| named_by(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| named_by(item, found)),
        _ => {}
    }
}

/// The schema with its references into `$defs`, and closed if it is to be.
fn own_schema(schema: &Value, members: Members) -> Value {
    match schema {
        Value::Object(object) => {
            let own = object.iter().map(|(name, value)| {
                let value = match value.as_str().and_then(|path| path.strip_prefix(SCHEMAS)) {
                    Some(target) if name == "$ref" => Value::from(format!("#/$defs/{target}")),
                    _ if name == "examples" => return (name.clone(), value.clone()),
                    _ => own_schema(value, members),
                };
                (name.clone(), value)
            });
            let mut own: Map<String, Value> = own.collect();
            let is_object = own.get("properties").is_some_and(Value::is_object) && own.contains_key("type");
            if members == Members::Closed && is_object && !own.contains_key("additionalProperties") {
                own.insert("additionalProperties".to_owned(), false.into());
            }
            Value::Object(own)
        }
        Value::Array(items) => items.iter().map(|item| own_schema(item, members)).collect(),
        other => other.clone(),
    }
}

/// A schema of the document as one of its own.
pub fn ready(schema: &Value, members: Members) -> Schema {
    let mut named = BTreeMap::new();
    named_by(schema, &mut named);
    let definitions = named.iter();
    let definitions = definitions.map(|(name, schema)| (name.clone(), own_schema(schema, members)));
    let definitions: Map<String, Value> = definitions.collect();
    Schema::of(json!({"allOf": [own_schema(schema, members)], "$defs": definitions}))
}

type Ready = HashMap<(usize, Members), Arc<Schema>>;

/// All tests share these: to make one takes longer than most tests.
static READY: LazyLock<RwLock<Ready>> = LazyLock::new(RwLock::default);

/// What is wrong with a value, as a schema of the document sees it.
pub fn faults(schema: &'static Value, members: Members, value: &Value) -> Vec<String> {
    let key = (std::ptr::from_ref(schema) as usize, members);
    let known = READY.read().unwrap().get(&key).cloned();
    let schema = known.unwrap_or_else(|| {
        let made = Arc::new(ready(schema, members));
        READY.write().unwrap().insert(key, Arc::clone(&made));
        made
    });
    schema.faults(value)
}

/// The operation of a request, and the name of its route. `None`: the path or the method does not exist.
fn operation(head: &Head) -> Option<&'static Value> {
    let (route, _) = router::find(&head.method, &head.path).ok()?;
    let operation = &document()["paths"][route.path][route.method.to_ascii_lowercase()];
    assert!(
        operation.is_object(),
        "openapi.json has no {} {}",
        route.method,
        route.path
    );
    Some(operation)
}

/// Checks the answer to a request, and if it was accepted the request.
pub fn check(head: &Head, request: Option<&[u8]>, response: &Response, body: &str) {
    let what = format!("{} {} → {}", head.method, head.path, response.status);
    if response.status >= 400 {
        check_type(&what, body);
    }
    let Some(operation) = operation(head) else {
        let problem = &document()["components"]["schemas"]["Problem"];
        let value = serde_json::from_str(body).unwrap();
        let wanted = Vec::<String>::new();
        assert_eq!(faults(problem, Members::Closed, &value), wanted, "{what}: {body}");
        return;
    };
    let described = &operation["responses"][response.status.to_string()];
    assert!(described.is_object(), "openapi.json has no such status: {what}: {body}");
    let described = resolve(described);
    check_headers(&what, described, response);
    check_body(&what, described, response, body);
    if let Some(request) = request
        && response.status < 300
        && !is_accepted_in_part(body)
    {
        check_request(&what, head, operation, request);
    }
}

/// Checks that the `type` of a problem is the address of a page that the site has.
fn check_type(what: &str, body: &str) {
    static SLUGS: OnceLock<BTreeSet<String>> = OnceLock::new();
    let slugs = SLUGS.get_or_init(|| {
        let file = concat!(env!("PEYK_ROOT"), "/site/problems.json");
        let problems: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let slug = |problem: &Value| problem["slug"].as_str().unwrap().to_owned();
        problems.as_array().unwrap().iter().map(slug).collect()
    });
    let problem: Value = serde_json::from_str(body).unwrap();
    let page = problem["type"].as_str().unwrap();
    let slug = page
        .strip_prefix(super::DOCS)
        .and_then(|path| path.strip_prefix("/docs/problems/"));
    assert!(
        slug.is_some_and(|slug| slugs.contains(slug)),
        "{what}: there is no page {page}"
    );
}

/// Whether an answer names items of its request that were refused, while others were accepted.
fn is_accepted_in_part(body: &str) -> bool {
    let answer: Value = serde_json::from_str(body).unwrap_or_default();
    answer["data"]["invalid"]
        .as_array()
        .is_some_and(|items| !items.is_empty())
}

/// Checks an event that goes to an endpoint.
pub fn check_event(body: &str) {
    let event: Value = serde_json::from_str(body).unwrap();
    if event["data"].get("n").is_some() {
        // A test of the log has made it up.
        return;
    }
    let kind = event["type"].as_str().unwrap();
    let content = &document()["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"];
    assert!(content.is_object(), "openapi.json has no webhook {kind}");
    let found = faults(&content["schema"], Members::Closed, &event);
    assert_eq!(found, Vec::<String>::new(), "{body}");
}

fn check_headers(what: &str, described: &Value, response: &Response) {
    for (name, _) in &response.headers {
        let is_known = EVERYWHERE.contains(name) || described["headers"].get(name).is_some();
        assert!(is_known, "{what}: openapi.json has no header {name}");
    }
}

fn check_body(what: &str, described: &'static Value, response: &Response, body: &str) {
    let Some(content) = described["content"].as_object() else {
        assert_eq!(
            (response.content_type, body),
            ("", ""),
            "{what}: openapi.json has no body"
        );
        return;
    };
    let media_type = response.content_type.split(';').next().unwrap();
    let content = content.get(media_type);
    let content = content.unwrap_or_else(|| panic!("{what}: openapi.json has no {media_type:?}"));
    let value = match media_type.ends_with("json") {
        true => serde_json::from_str(body).unwrap(),
        false => Value::from(body),
    };
    let found = faults(&content["schema"], Members::Closed, &value);
    assert_eq!(
        found,
        Vec::<String>::new(),
        "{what}: {}",
        body.chars().take(2_000).collect::<String>()
    );
}

/// Checks that the document allows a body that the service has accepted.
fn check_request(what: &str, head: &Head, operation: &'static Value, request: &[u8]) {
    let Some(schema) = operation["requestBody"]["content"]["application/json"].get("schema") else {
        return;
    };
    let is_read = !operation["requestBody"]["required"].is_null() && !head.query.contains("number=");
    let text = std::str::from_utf8(request)
        .unwrap_or_default()
        .trim_start_matches('\u{feff}');
    if let (true, Ok(value)) = (is_read, serde_json::from_str(text)) {
        let found = faults(schema, Members::Open, &value);
        assert_eq!(found, Vec::<String>::new(), "accepted: {what}: {text}");
    }
}
