//! The directory is the shared database, D1. This module holds all its statements, one file a resource.
//!
//! The functions take plain values and return structs. They know nothing of HTTP. Each resource has one list of columns,
//! and its `from_row` reads a row in that order.

/// Writes a list of columns for SQL. Each name follows `$of`: the alias of its table and a dot, or nothing.
macro_rules! columns {
    ($of:literal, $first:literal $(, $other:literal)*) => {
        concat!($of, $first $(, ", ", $of, $other)*)
    };
}

pub mod accounts;
pub mod lines;
pub mod patterns;
pub mod phonebooks;
pub mod plans;
pub mod profile;
pub mod switches;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ports::{PortError, Row};

/// Reads the first row, if there is one.
fn first<T>(rows: &[Row], read: impl Fn(&Row) -> Result<T, PortError>) -> Result<Option<T>, PortError> {
    rows.first().map(read).transpose()
}

/// Reads all rows.
fn all<T>(rows: &[Row], read: impl Fn(&Row) -> Result<T, PortError>) -> Result<Vec<T>, PortError> {
    rows.iter().map(read).collect()
}

/// Writes a value as JSON.
fn to_json(value: &(impl Serialize + ?Sized)) -> Result<String, PortError> {
    serde_json::to_string(value).map_err(|error| PortError::failed("json", error))
}

/// Reads a value from JSON.
fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, PortError> {
    serde_json::from_str(text).map_err(|error| PortError::failed("json", error))
}
