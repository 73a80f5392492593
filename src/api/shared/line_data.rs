//! What the API says of a line: the operations that it serves, and its coefficients.

use serde_json::json;
use sms::price::{Coefficients, Operation};

use crate::answer;
use crate::api::http::json_schema::{Schema, list, one_of};
use crate::directory::lines::Line;

/// All operations, in the order in which the API lists them.
pub const OPERATIONS: [Operation; 2] = [Operation::Webservice, Operation::Pattern];

/// The name of an operation.
pub fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Webservice => "WEBSERVICE",
        Operation::Pattern => "PATTERN",
    }
}

/// The names of the operations that a line serves when it is in service.
pub fn operations(line: &Line) -> Vec<&'static str> {
    let is_served = |operation: &Operation| match operation {
        Operation::Webservice => line.webservice,
        Operation::Pattern => line.pattern,
    };
    OPERATIONS.into_iter().filter(is_served).map(operation_name).collect()
}

/// The class of a line. It follows from the operations.
pub fn class(line: &Line) -> &'static str {
    if line.is_for_service() { SERVICE } else { ADVERTISING }
}

const ADVERTISING: &str = "ADVERTISING";
const SERVICE: &str = "SERVICE";

/// The schema of the class of a line.
pub fn class_schema() -> Schema {
    one_of(&[ADVERTISING, SERVICE])
        .about("`SERVICE`: patterns and codes alone can be sent from it. `ADVERTISING`: others. It follows from `operations`.")
        .like(ADVERTISING)
}

/// The schema of a coefficient.
pub fn coefficient() -> Schema {
    Schema(json!({"type": "number", "minimum": 0, "maximum": 100}))
        .about("A factor of the price, with at most 4 decimals.")
        .like(1)
}

/// The schema of the operations that a line serves.
pub fn operations_schema() -> Schema {
    list(one_of(&OPERATIONS.map(operation_name)), 0, OPERATIONS.len())
        .about("What can be sent from the line: `PATTERN` means patterns, `WEBSERVICE` all other texts.")
        .like(json!(OPERATIONS.map(operation_name)))
}

answer! {
    pub struct CoefficientsData(own: &Coefficients) {
        "PERSIAN": own.persian.to_f64(), coefficient();
        "ENGLISH": own.english.to_f64(), coefficient();
        "MCI": own.mci.to_f64(), coefficient();
        "MTN": own.mtn.to_f64(), coefficient();
        "WEBSERVICE": own.webservice.to_f64(), coefficient();
        "PATTERN": own.pattern.to_f64(), coefficient();
    }
}
