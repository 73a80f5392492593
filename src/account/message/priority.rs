//! How urgent a message is. Where a carrier is short of room, a higher priority goes before a lower one.

use serde::{Deserialize, Serialize};

use crate::account::message::MessageKind;

/// How urgent a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Priority {
    /// Patterns: somebody waits for a login code.
    Urgent,
    /// Plain sends.
    Normal,
    /// Sends to phonebooks, and bulk sends.
    Bulk,
}

impl Priority {
    /// All of them, the most urgent first.
    pub const ALL: [Priority; 3] = [Priority::Urgent, Priority::Normal, Priority::Bulk];

    /// The priority of what a send made.
    pub fn of(kind: MessageKind) -> Priority {
        match kind {
            MessageKind::Pattern => Priority::Urgent,
            MessageKind::Plain => Priority::Normal,
            MessageKind::Phonebook | MessageKind::Bulk => Priority::Bulk,
        }
    }

    /// The number that the object's SQL keeps; a smaller one is more urgent.
    pub fn code(self) -> i64 {
        match self {
            Priority::Urgent => 0,
            Priority::Normal => 1,
            Priority::Bulk => 2,
        }
    }

    /// How long a message of the priority may wait while all of its carriers are down, ms. A login code is worth nothing after
    /// that; a campaign may be.
    pub fn patience_ms(self) -> i64 {
        const MINUTE_MS: i64 = 60 * 1_000;
        match self {
            Priority::Urgent => 30 * MINUTE_MS,
            Priority::Normal => 4 * 60 * MINUTE_MS,
            Priority::Bulk => 24 * 60 * MINUTE_MS,
        }
    }

    /// The priority of a number.
    pub fn from_code(code: i64) -> Option<Self> {
        Priority::ALL.into_iter().find(|priority| priority.code() == code)
    }
}
