//! What carriers' gateways call.

use peyk::api::routes::{BodyKind, Route};
use serde_json::{Value, json};

use super::schema::{any_text, parameter};

const REPORT: [(&str, &str, &str); 6] = [
    (
        "t",
        "The token of the recipient. Peyk has put it into the address.",
        "AQ…",
    ),
    ("status", "Kannel: the status of the message, a sum of bits.", "1"),
    ("answer", "Kannel: what the SMSC has answered.", "sub:001 dlvrd:001"),
    ("message_status", "Jasmin: the status of the message.", "DELIVRD"),
    (
        "level",
        "Jasmin: 1 for the answer to the message, 2 for its later report.",
        "2",
    ),
    ("err", "Jasmin: the code of an error.", "000"),
];
const KEY: &str = "The key of the carrier. `GET /admin/carriers/{name}` shows the address with it.";
const INBOUND: [(&str, &str, &str); 5] = [
    ("k", KEY, "AQ…"),
    ("from", "The sender.", "+989121234567"),
    ("to", "The line.", "3000505"),
    ("text", "The text.", "لغو"),
    ("id", "The carrier's id of the message.", "a1"),
];

/// The parameters of a route for gateways, which its handler reads from the query and the form alike.
pub fn parameters(route: &Route) -> Vec<Value> {
    let all: &[_] = match (route.path.ends_with("/dlr"), route.body) {
        (true, _) => &REPORT,
        (false, BodyKind::Form) => &INBOUND[..1],
        (false, _) => &INBOUND,
    };
    let described = |(name, about, example): &(&str, &str, &str)| {
        let is_number = matches!(*name, "from" | "to");
        let schema = if is_number {
            any_text().with("minLength", 1)
        } else {
            any_text()
        };
        parameter(
            name,
            is_number || matches!(*name, "t" | "k"),
            schema.like(*example),
            &[about],
        )
    };
    all.iter().map(described).collect()
}

/// The form of a route for gateways.
pub fn body(route: &Route) -> Value {
    if route.path.ends_with("/dlr") {
        return form(&REPORT.map(|(name, ..)| name));
    }
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
