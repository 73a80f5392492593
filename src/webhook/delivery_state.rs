//! What became of a delivery: the states, their names in the API and their numbers in SQL.

use serde::{Deserialize, Serialize};

use crate::base::named::Name;

/// What became of a delivery. The object's SQL stores it as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DeliveryState {
    /// It waits for an attempt.
    Waiting = 0,
    /// The receiver has it.
    Delivered = 1,
    /// All attempts have failed.
    Failed = 2,
    /// Too many waited, and it was one of the oldest.
    Dropped = 3,
    /// It stands in the log only, and is never sent.
    Noted = 4,
}

impl DeliveryState {
    /// All states.
    pub const ALL: [DeliveryState; 5] = [
        DeliveryState::Waiting,
        DeliveryState::Delivered,
        DeliveryState::Failed,
        DeliveryState::Dropped,
        DeliveryState::Noted,
    ];

    /// The number that the object's SQL stores. The index of what waits names 0.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The state with this number.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }
}

impl Name for DeliveryState {
    fn name(self) -> &'static str {
        match self {
            DeliveryState::Waiting => "WAITING",
            DeliveryState::Delivered => "DELIVERED",
            DeliveryState::Failed => "FAILED",
            DeliveryState::Dropped => "DROPPED",
            DeliveryState::Noted => "NOTED",
        }
    }
}
