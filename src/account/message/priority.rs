//! How urgent a message is. Where a carrier is short of room, a class goes before the next.

use serde::{Deserialize, Serialize};

use crate::account::message::MessageKind;

/// How urgent a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Class {
    /// Patterns: somebody waits for a login code.
    Urgent,
    /// Plain sends.
    Normal,
    /// Sends to phonebooks, and bulk sends.
    Bulk,
}

impl Class {
    /// All of them, the most urgent first.
    pub const ALL: [Class; 3] = [Class::Urgent, Class::Normal, Class::Bulk];

    /// The class of what a send made.
    pub fn of(kind: MessageKind) -> Class {
        match kind {
            MessageKind::Pattern => Class::Urgent,
            MessageKind::Plain => Class::Normal,
            MessageKind::Phonebook | MessageKind::Bulk => Class::Bulk,
        }
    }

    /// The number that the object's SQL keeps; a smaller one is more urgent.
    pub fn code(self) -> i64 {
        match self {
            Class::Urgent => 0,
            Class::Normal => 1,
            Class::Bulk => 2,
        }
    }

    /// How long a message of the class may wait while all of its carriers are down, ms. A login code is worth nothing after
    /// that; a campaign may be.
    pub fn patience_ms(self) -> i64 {
        const MINUTE_MS: i64 = 60 * 1_000;
        match self {
            Class::Urgent => 30 * MINUTE_MS,
            Class::Normal => 4 * 60 * MINUTE_MS,
            Class::Bulk => 24 * 60 * MINUTE_MS,
        }
    }

    /// The class of a number.
    pub fn from_code(code: i64) -> Option<Self> {
        Class::ALL.into_iter().find(|class| class.code() == code)
    }
}
