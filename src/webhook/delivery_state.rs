//! What became of a delivery: the states, their names in the API and their numbers in SQL.

use serde::{Deserialize, Serialize};

use crate::base::named::Name;

/// What became of a delivery. The object's SQL stores it as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DeliveryState {
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
        match self {
            DeliveryState::Waiting => 0,
            DeliveryState::Delivered => 1,
            DeliveryState::Failed => 2,
            DeliveryState::Dropped => 3,
            DeliveryState::Noted => 4,
        }
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
