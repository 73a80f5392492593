//! What the API says of a line: the operations that it serves, and its coefficients.

use serde_json::{Map, Value};

use crate::directory::lines::Line;
use crate::sms::price::{Coefficient, Operation};

/// All operations, in the order in which the API lists them.
pub const OPERATIONS: [Operation; 2] = [Operation::Webservice, Operation::Pattern];

/// The names of the coefficients, in the order of the fields of [`crate::sms::price::Coefficients`].
pub const COEFFICIENTS: [&str; 6] = ["PERSIAN", "ENGLISH", "MCI", "MTN", "WEBSERVICE", "PATTERN"];

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

/// The coefficients of a line.
pub fn coefficients(line: &Line) -> Value {
    let own = &line.coefficients;
    let values = [own.persian, own.english, own.mci, own.mtn, own.webservice, own.pattern];
    let member = |(name, value): (&str, Coefficient)| (name.to_owned(), Value::from(value.to_f64()));
    Value::Object(COEFFICIENTS.into_iter().zip(values).map(member).collect::<Map<_, _>>())
}
