//! Makes the OpenAPI document of the API from the code: the paths, methods, scopes and codes come from the table of routes,
//! the errors and their examples from the table of errors and the code that writes them, the bodies of requests and
//! answers from their declarations, their examples from what the service has answered, and the names of statuses, scopes,
//! events and carriers' settings from their tables. What no handler makes is described here: the envelopes of answers,
//! carriers, events and problems. `tests/it/api/openapi.rs` and the world of the native tests hold the code against all of it.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "it runs on the host, and what can't be described is to stop it"
)]

mod carriers;
mod events;
pub mod examples;
mod gateway;
mod operations;
mod parameters;
pub mod problems;
mod schema;

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
        let mut operation = operations::operation(route, &examples);
        if route.operation == Operation::AdminListAudit {
            name_routes(&mut operation["parameters"]);
        }
        // The paths of the document stand in the order of the alphabet. Readers want the important ones first.
        operation["x-order"] = index.into();
        item[route.method.to_ascii_lowercase()] = operation;
    }
    json!({
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
        "tags": operations::tags(),
        "paths": paths,
        "webhooks": events::webhooks(&examples),
        "components": components(),
    })
}

/// Names the routes of which entries of the audit log may be asked for: its handler stands below the table of routes, so it can't.
fn name_routes(parameters: &mut Value) {
    let parameters = parameters.as_array_mut().into_iter().flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "operation") {
        parameter["schema"]["enum"] = json!(NAMES);
    }
}

/// What the document names in several places.
fn components() -> Value {
    let mut schemas: Map<String, Value> = Map::new();
    let parts = [
        schema::shared(),
        peyk::api::bodies::schemas(),
        peyk::api::answers::schemas(),
        problems::schemas(),
        events::schemas(),
        carriers::schemas(),
    ];
    for (name, schema) in parts.into_iter().flatten() {
        assert!(
            schemas.insert(name.to_owned(), schema.0).is_none(),
            "two schemas {name}"
        );
    }
    schemas["AuditEntry"]["properties"]["operation"]["enum"] = json!(NAMES);
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
