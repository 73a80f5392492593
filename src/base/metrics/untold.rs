//! What an isolate has counted, until it tells the operators' object of it.

use std::cell::{Cell, RefCell};

/// How long an isolate gathers before it tells, ms. The runtime lets a request go on for 30 seconds after its answer.
pub const GATHER_MS: u32 = 15_000;

/// What an isolate has counted and not told yet. Counts that are the default count nothing.
#[derive(Debug, Default)]
pub struct Untold<T> {
    counts: RefCell<T>,
    /// Until when somebody is about to tell, ms since the Unix epoch.
    due_ms: Cell<i64>,
}

impl<T: Default + PartialEq> Untold<T> {
    /// Counts more.
    pub fn note_in(&self, note: impl FnOnce(&mut T)) {
        note(&mut self.counts.borrow_mut());
    }

    /// Whether whoever asks is to tell what is counted, within [`GATHER_MS`]: of all that ask until then, the first. The runtime may end
    /// that one before it has told, without a word. So it is a time that keeps the others from it, and no mark that it would have to take
    /// back.
    pub fn begins(&self, now_ms: i64) -> bool {
        let begins = *self.counts.borrow() != T::default() && now_ms >= self.due_ms.get();
        if begins {
            self.due_ms.set(now_ms.saturating_add(GATHER_MS.into()));
        }
        begins
    }

    /// Gives what is counted, and counts anew. `None`: there is nothing.
    pub fn take(&self) -> Option<T> {
        Some(self.counts.take()).filter(|counts| *counts != T::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tells_for_all_that_share_an_isolate() {
        let (untold, gather_ms) = (Untold::<u32>::default(), i64::from(GATHER_MS));
        assert!(!untold.begins(1_000), "there is nothing to tell");
        untold.note_in(|count| *count += 7);
        assert!(untold.begins(1_000));
        assert!(!untold.begins(1_000 + gather_ms - 1));
        // The one that was to tell has ended without a word.
        assert!(untold.begins(1_000 + gather_ms));
        assert_eq!(untold.take(), Some(7));
        assert!(!untold.begins(1_000 + 2 * gather_ms));
        assert_eq!(untold.take(), None);
    }
}
