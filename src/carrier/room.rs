//! Whether a carrier's object has room for new work. To ask the store for its size costs as much as a statement, so a lone message does
//! not ask.
//!
//! The invariant: of what comes when the store is full already, an object takes at most [`RECIPIENTS_A_LOOK`] recipients more. Each adds
//! at most 128 KB, with 255 parts: its text, and for each part an id of 64 characters with its account. So these are 13 MB of the 500 MB
//! that are left for what an object has taken.

use std::cell::Cell;

use crate::base::ports::{PortError, Sql};
use crate::durable::storage;

/// The recipients of submissions until the next look at the store.
const RECIPIENTS_A_LOOK: usize = 100;

/// The room of an object, as it was seen last.
#[derive(Debug, Default)]
pub struct Room {
    /// So many recipients need no look.
    left: Cell<usize>,
}

impl Room {
    /// Whether there is none for a submission to so many recipients.
    pub fn is_full(&self, sql: &impl Sql, recipients: usize) -> Result<bool, PortError> {
        if let Some(left) = self.left.get().checked_sub(recipients.max(1)) {
            self.left.set(left);
            return Ok(false);
        }
        let is_full = storage::is_full(sql.size_bytes()?);
        self.left.set(if is_full { 0 } else { RECIPIENTS_A_LOOK });
        Ok(is_full)
    }
}
