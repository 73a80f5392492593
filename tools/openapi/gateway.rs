//! What carriers' gateways call.

use peyk::api::routes::{BodyKind, Route};
use serde_json::{Value, json};

use super::schema::{any_text, parameter};

/// The parameters of a route for gateways, which its handler reads from the query and the form alike.
pub fn parameters(route: &Route) -> Vec<Value> {
    match route.path.ends_with("/dlr") {
        true => report(),
        false => inbound(route.body == BodyKind::Form),
    }
}

/// The parameters of a delivery report.
fn report() -> Vec<Value> {
    vec![
        must(
            "t",
            "The token of the recipient. Peyk has put it into the address.",
            "AQ…",
        ),
        can("status", "Kannel: the status of the message, a sum of bits.", "1"),
        can("answer", "Kannel: what the SMSC has answered.", "sub:001 dlvrd:001"),
        can("message_status", "Jasmin: the status of the message.", "DELIVRD"),
        can(
            "level",
            "Jasmin: 1 for the answer to the message, 2 for its later report.",
            "2",
        ),
        can("err", "Jasmin: the code of an error.", "000"),
    ]
}

/// The parameters of a message from a phone, as a form or not.
fn inbound(is_form: bool) -> Vec<Value> {
    let key = must(
        "k",
        "The key of the carrier. `GET /admin/carriers/{name}` shows the address with it.",
        "AQ…",
    );
    if is_form {
        return vec![key];
    }
    let number = |name, about, example| parameter(name, true, any_text().with("minLength", 1).like(example), &[about]);
    vec![
        key,
        number("from", "The sender.", "+989121234567"),
        number("to", "The line.", "3000505"),
        can("text", "The text.", "لغو"),
        can("id", "The carrier's id of the message.", "a1"),
    ]
}

fn must(name: &str, about: &str, example: &str) -> Value {
    parameter(name, true, any_text().like(example), &[about])
}

fn can(name: &str, about: &str, example: &str) -> Value {
    parameter(name, false, any_text().like(example), &[about])
}

/// The form of a route for gateways.
pub fn body(route: &Route) -> Value {
    match route.path.ends_with("/dlr") {
        true => report_form(),
        false => inbound_form(),
    }
}

/// The body of a report as a form.
fn report_form() -> Value {
    form(&["t", "status", "answer", "message_status", "level", "err"])
}

/// The body of a message as a form.
fn inbound_form() -> Value {
    form(&[
        "from",
        "to",
        "text",
        "id",
        "content",
        "coding",
        "binary",
        "origin-connector",
    ])
}

fn form(names: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), any_text().0)).collect();
    json!({
        "description": "At most 16 KiB. What stands in the query goes before what stands here.",
        "content": {"application/x-www-form-urlencoded": {
            "schema": {"type": "object", "properties": properties},
        }},
    })
}
