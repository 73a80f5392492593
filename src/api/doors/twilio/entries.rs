//! The entries of the two lists of which a list of messages is made: what was sent, and what was received.

use serde_json::Value;

/// An entry of one of the two lists.
pub struct Entry<T> {
    /// When it was sent or received, ms since the Unix epoch.
    pub at_ms: i64,
    /// Where a page begins that has it first.
    pub begin: T,
    pub of: Value,
}

/// The next entries of one of the two lists.
pub struct Batch<T> {
    pub entries: Vec<Entry<T>>,
    /// Where those behind them begin. `None`: there are no more.
    pub next: Option<T>,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Batch {
            entries: Vec::new(),
            next: None,
        }
    }
}
