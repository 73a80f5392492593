//! What became of a delivery: the states, their names in the API and their numbers in SQL.

use serde::{Deserialize, Serialize};

use crate::base::named::Name;

/// What became of a delivery. The object's SQL stores it as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    /// It waits for an attempt.
    Waiting,
    /// The receiver has it.
    Delivered,
    /// All attempts have failed.
    Failed,
    /// Too many waited, and it was one of the oldest.
    Dropped,
    /// It stands in the log only, and is never sent.
    Noted,
}

impl State {
    /// All states.
    pub const ALL: [State; 5] = [
        State::Waiting,
        State::Delivered,
        State::Failed,
        State::Dropped,
        State::Noted,
    ];

    /// The number that the object's SQL stores. The index of what waits names 0.
    pub fn code(self) -> i64 {
        match self {
            State::Waiting => 0,
            State::Delivered => 1,
            State::Failed => 2,
            State::Dropped => 3,
            State::Noted => 4,
        }
    }

    /// The state with this number.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }
}

impl Name for State {
    fn name(self) -> &'static str {
        match self {
            State::Waiting => "WAITING",
            State::Delivered => "DELIVERED",
            State::Failed => "FAILED",
            State::Dropped => "DROPPED",
            State::Noted => "NOTED",
        }
    }
}
