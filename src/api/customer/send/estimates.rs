//! The body of an estimate, for the document: a send under the name of its kind.

use serde_json::{Value, json};

use super::parse::{BulkText, PatternToOne, SendBulk, SendPattern, SendSms, SendToPhonebook, TextToPhonebook};
use crate::api::http::json_schema::{Described, Schema, absent, carrying, declared, exactly_one, must, object};

const KINDS: [&str; 4] = ["send", "pattern", "phonebook", "bulk"];

/// A send to estimate.
pub struct SendToEstimate;

impl Described for SendToEstimate {
    const NAME: &'static str = "EstimateSend";

    fn schema() -> Schema {
        let bulk = json!({"messages": [BulkText::schema().example()]});
        exactly_one([
            of_kind::<SendSms>("send", "EstimateOfSend", SendSms::schema().example()),
            of_kind::<SendPattern>("pattern", "EstimateOfPattern", PatternToOne::schema().example()),
            of_kind::<SendToPhonebook>("phonebook", "EstimateOfPhonebook", TextToPhonebook::schema().example()),
            of_kind::<SendBulk>("bulk", "EstimateOfBulk", bulk),
        ])
        .about("The send to estimate, under the name of its kind.")
    }
}

fn of_kind<S: Described>(kind: &'static str, name: &str, example: Value) -> Schema {
    let others = KINDS.into_iter().filter(|other| *other != kind);
    let members = others.map(|other| absent(other, false));
    let own = object([must(kind, declared::<S>())].into_iter().chain(members));
    carrying(name, own.like(json!({kind: example})))
}
