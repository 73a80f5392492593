//! Which messages of an account may have secret values that are not redacted yet.

use crate::base::record::neighbours;

/// The numbers of the first and the last message that may have secret values and that the walk has not passed; 0 for none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Secrets {
    /// The first.
    pub first: i64,
    /// The last.
    pub last: i64,
}

impl Secrets {
    /// Notes that the newest message has secret values.
    pub fn note(&mut self, message: i64) {
        if self.first == 0 {
            self.first = message;
        }
        self.last = message;
    }

    /// Notes that the walk has passed all messages before this one.
    pub fn pass(&mut self, next: i64) {
        self.first = next;
        if self.first > self.last {
            *self = Secrets::default();
        }
    }
}

neighbours!(Secrets: first, last);
