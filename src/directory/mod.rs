//! The directory is the shared database, D1. This module holds all its statements, one file a resource.
//!
//! The functions take plain values and return structs. They know nothing of HTTP. A row of a table is a
//! [record](crate::base::record).
//!
//! What stands here, from the highest to the lowest; none names a higher one, nor one on its own line:
//!
//! - `profile`, `carriers`: what a send reads at once: the account, its plan and its lines; carriers with the addresses that their gateways call.
//! - `accounts`, `audit`, `closing`, `credits`, `dead_letters`, `gateway_url_versions`, `inbound_routes`, `lines`, `members`, `mirror`, `patterns`, `phonebook`, `plans`, `queue_depth`, `reconciliation`, `restores`, `room`, `switches`, `transfer`, `unclaimed`, `usage`: one resource each.

pub mod accounts;
pub mod audit;
pub mod carriers;
pub mod closing;
pub mod credits;
pub mod dead_letters;
pub mod gateway_url_versions;
pub mod inbound_routes;
pub mod lines;
pub mod members;
pub mod mirror;
pub mod patterns;
pub mod phonebook;
pub mod plans;
pub mod profile;
pub mod queue_depth;
pub mod reconciliation;
pub mod restores;
pub mod room;
pub mod switches;
pub mod transfer;
pub mod unclaimed;
pub mod usage;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::ports::{PortError, Row};

/// The outcome of adding a row, when its name must be unique in the account and the account may have only so many rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Insertion<T> {
    /// The row was added.
    Done(T),
    /// The name is taken.
    Taken,
    /// The account has as many rows as it may have.
    Full,
}

impl<T> Insertion<T> {
    /// Reads the outcome from the answers of a batch. The first answer is the count of rows before. The second answer is the
    /// added row, if one was added.
    fn of(
        answers: &[Vec<Row>],
        max: i64,
        read: impl Fn(&Row) -> Result<T, PortError>,
    ) -> Result<Insertion<T>, PortError> {
        let count = first(answer(answers, 0), |row| row.int(0))?;
        Ok(match first(answer(answers, 1), read)? {
            Some(added) => Insertion::Done(added),
            None if count.unwrap_or(0) >= max => Insertion::Full,
            None => Insertion::Taken,
        })
    }
}

/// Returns the rows that one statement of a batch answered.
fn answer(answers: &[Vec<Row>], index: usize) -> &[Row] {
    answers.get(index).map(Vec::as_slice).unwrap_or_default()
}

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
    serde_json::to_string(value).map_err(|error| PortError::json("json", &error))
}

/// Reads a value from JSON.
fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, PortError> {
    serde_json::from_str(text).map_err(|error| PortError::json("json", &error))
}

/// A name has fewer characters than this.
const LONGER_THAN_A_NAME: usize = 1_000;

/// A text that no text with this beginning reaches.
fn behind(beginning: &str) -> String {
    let mut chars: Vec<char> = beginning.chars().collect();
    while let Some(last) = chars.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            chars.push(next);
            return chars.into_iter().collect();
        }
    }
    char::MAX.to_string().repeat(LONGER_THAN_A_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_beginning_is_behind_all_that_begin_so() {
        assert_eq!(behind("ali"), "alj");
        assert_eq!(behind("\u{d7ff}"), "\u{e000}");
        assert_eq!(behind("a\u{10ffff}"), "b");
        assert!(behind("\u{10ffff}") > "\u{10ffff}".repeat(200));
    }
}
