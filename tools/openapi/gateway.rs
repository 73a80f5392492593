//! What carriers' gateways call.

use serde_json::{Value, json};

use super::parameters::queries;
use super::schema::any_text;

/// The parameters of a delivery report.
pub fn report() -> Vec<Value> {
    queries! {
        must "t" "The token of the recipient. Peyk has put it into the address." any_text().like("AQ…");
        "status" "Kannel: the status of the message, a sum of bits." any_text().like("1");
        "answer" "Kannel: what the SMSC has answered." any_text().like("sub:001 dlvrd:001");
        "message_status" "Jasmin: the status of the message." any_text().like("DELIVRD");
        "level" "Jasmin: 1 for the answer to the message, 2 for its later report." any_text().like("2");
        "err" "Jasmin: the code of an error." any_text().like("000");
    }
}

/// The parameters of a message from a phone, as a form or not.
pub fn inbound(is_form: bool) -> Vec<Value> {
    let mut parameters = queries! {
        must "k" "The key of the carrier. `GET /admin/carriers/{name}` shows the address with it." any_text().like("AQ…");
    };
    if !is_form {
        parameters.extend(queries! {
            must "from" "The sender." any_text().with("minLength", 1).like("+989121234567");
            must "to" "The line." any_text().with("minLength", 1).like("3000505");
            "text" "The text." any_text().like("لغو");
            "id" "The carrier's id of the message." any_text().like("a1");
        });
    }
    parameters
}

/// The body of a report as a form.
pub fn report_form() -> Value {
    form(&["t", "status", "answer", "message_status", "level", "err"])
}

/// The body of a message as a form.
pub fn inbound_form() -> Value {
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
