//! How urgent a message is. Where a carrier is short of room, a higher priority goes before a lower one.

use super::MessageKind;
use crate::base::named::named;

named! {
    /// How urgent a message is. The smaller the number, the more urgent.
    pub enum Priority {
        /// Patterns and codes: somebody waits for them.
        Urgent = 0 => "URGENT",
        /// Plain sends.
        Normal = 1 => "NORMAL",
        /// Sends to phonebooks, and bulk sends.
        Bulk = 2 => "BULK",
    }
}

impl Priority {
    /// The priority of what a send made.
    pub fn of(kind: MessageKind) -> Priority {
        match kind {
            MessageKind::Pattern | MessageKind::Verify | MessageKind::SignIn => Priority::Urgent,
            MessageKind::Plain => Priority::Normal,
            MessageKind::Phonebook | MessageKind::Bulk => Priority::Bulk,
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
}
