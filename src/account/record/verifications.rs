//! What the account's row has of verifications: which are to be looked at, and when.

use crate::base::record::neighbours;

/// Which verifications are to be looked at, and when.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verifications {
    /// The number of the oldest that is not counted; 0 for none.
    pub first: i64,
    /// When to look, ms since the Unix epoch; 0 for never.
    pub due_ms: i64,
}

impl Verifications {
    /// Notes a new one, which has an end.
    pub fn note(&mut self, number: i64, expires_ms: i64) {
        if self.first == 0 {
            self.first = number;
        }
        if self.due_ms == 0 || expires_ms < self.due_ms {
            self.due_ms = expires_ms;
        }
    }
}

neighbours!(Verifications: first, due_ms);
