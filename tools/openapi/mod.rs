//! Makes the OpenAPI document of the API from the code: the operations come from the table of routes, with the queries, the bodies
//! and the answers that its rows name by type, the errors and their examples from the table of errors and the code that writes
//! them, the examples from what the service has answered, and the names of statuses, scopes and events from their tables. What no
//! handler makes is described here: the envelopes of answers, events and problems. `tests/it/api/openapi.rs` and the world of the native tests hold the code against all of it.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it runs on the host, and what can't be described is to stop it"
)]

mod events;
pub mod examples;
mod gateway;
mod generators;
mod parameters;
mod paths;
pub mod problems;
mod schema;

use peyk::api::http::json_schema::CARRIED;
use peyk::api::route_doc::GROUPS;
use peyk::api::routes::{NAMES, Operation, ROUTES};
use serde_json::{Map, Value, json};

use examples::Examples;

const ABOUT: &str = "Peyk sends SMS messages and receives them.\n\n\
    Every path answers under `/v1` too. Bodies are JSON objects in UTF-8. Where a request may leave a member out, `null` \
    means the same. Peyk ignores members that it does not know, and names them in `meta.ignored`; \
    one that is nearly the name of a member is refused. New members may be added to answers, so ignore those that \
    you do not know.\n\n\
    Money is a whole number in the minor unit of the account's currency. Times are RFC 3339; Peyk answers them in UTC with \
    milliseconds.\n\n\
    Each request with a key takes one token from the account's rate limit, a send and its estimate one more for each full hundred of \
    recipients. The headers `RateLimit-Policy` and `RateLimit` tell what is left.\n\n\
    An error is a problem document (RFC 9457). A program should decide by its `code`. A path that does not exist is a 404, \
    and a method that a path does not have is a 405.";

/// The document as a text.
pub fn text() -> String {
    format!("{:#}\n", document())
}

/// The document.
pub fn document() -> Value {
    let examples = Examples::read();
    let mut paths: Map<String, Value> = Map::new();
    for (index, route) in ROUTES.iter().enumerate() {
        let item = paths.entry(route.path).or_insert_with(|| json!({}));
        let mut operation = paths::operation(route, &examples);
        // The paths of the document stand in the order of the alphabet. Readers want the important ones first.
        operation["x-order"] = index.into();
        if route.operation == Operation::AdminListAudit {
            name_routes(&mut operation["parameters"]);
        }
        item[route.method.to_ascii_lowercase()] = operation;
    }
    let mut paths = Value::Object(paths);
    let mut schemas = schemas();
    settle(&mut paths, &mut schemas);
    // The handler of the audit log stands below the table of routes, so it can't name them.
    schemas["AuditEntry"]["properties"]["operation"]["enum"] = json!(NAMES);
    let groups = GROUPS.iter().map(|group| (group.name, group.about));
    let tags = groups
        .chain([events::GROUP])
        .map(|(name, about)| json!({"name": name, "description": about}));
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Peyk",
            "summary": "An SMS messaging service",
            "description": ABOUT,
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [
            {"url": "/", "description": "The service that serves this document."},
            {"url": "/v1", "description": "The same, with the version in the path."},
        ],
        "tags": tags.collect::<Value>(),
        "paths": paths,
        "webhooks": events::webhooks(&examples),
        "components": components(schemas),
    });
    generators::mend(&mut document);
    document
}

/// Names the routes of which entries of the audit log may be asked for: its handler stands below the table of routes, so it can't.
fn name_routes(parameters: &mut Value) {
    let parameters = parameters.as_array_mut().into_iter().flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "operation") {
        parameter["schema"]["enum"] = json!(NAMES);
    }
}

/// The schemas that no route names.
fn schemas() -> Map<String, Value> {
    let parts = [schema::shared(), problems::schemas(), events::schemas()];
    let schemas = parts.into_iter().flatten();
    schemas.map(|(name, schema)| (name.to_owned(), schema.0)).collect()
}

/// Moves the schemas that references carry to the others.
fn settle(value: &mut Value, schemas: &mut Map<String, Value>) {
    match value {
        Value::Object(members) => {
            if let Some(mut carried) = members.remove(CARRIED) {
                settle(&mut carried, schemas);
                let place = members["$ref"].as_str().unwrap();
                let name = place.rsplit('/').next().unwrap().to_owned();
                let known = schemas.entry(name).or_insert_with(|| carried.clone());
                assert!(*known == carried, "two schemas {place}");
            }
            members.values_mut().for_each(|member| settle(member, schemas));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| settle(item, schemas)),
        _ => {}
    }
}

/// What the document names in several places.
fn components(schemas: Map<String, Value>) -> Value {
    let schemas = schemas.into_iter();
    let schemas: Map<String, Value> = schemas
        .map(|(name, schema)| (generators::name_of(&name), schema))
        .collect();
    json!({
        "schemas": schemas,
        "parameters": parameters::components(),
        "headers": parameters::headers(),
        "responses": problems::responses(),
        "examples": problems::examples(),
        "securitySchemes": {"key": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "peyk_live_… or peyk_test_…",
            "description": "An API key. What each route names is the scope that the key needs.",
        }},
    })
}
