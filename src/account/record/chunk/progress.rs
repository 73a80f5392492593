//! Where a chunk stands, and how far it has come: what its row has beside its message and its recipients.

use super::{ChunkId, ChunkState};
use crate::account::record::message::priority::Priority;
use crate::base::record::record;

record! {
    /// Where a chunk stands: in its message, and on its way.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Place by place_row {
        /// The chunk.
        pub id: ChunkId = message "INTEGER NOT NULL", number "INTEGER NOT NULL";
        /// The indexes of its first and its last recipient.
        pub bounds: (u32, u32) = first "INTEGER NOT NULL", last "INTEGER NOT NULL";
        /// Its [route](super::queue::route): the line and the prefix, which lead to the carriers, and the carriers that are to take
        /// it only if no other can.
        pub route: String = route "TEXT NOT NULL";
        /// The route or, while the object of a carrier may have recipients of the chunk and nobody knows, `@` and that object: no
        /// other may get them then.
        pub queue: String = queue "TEXT NOT NULL";
        /// The carrier's object that had the last claim.
        pub object: Option<String> = object "TEXT";
    }
}

record! {
    /// How far a chunk has come.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Progress by progress_row {
        /// What it waits for.
        pub state: ChunkState = state "INTEGER NOT NULL";
        /// Until when it waits, ms since the Unix epoch.
        pub due_ms: i64 = due_ms "INTEGER NOT NULL";
        /// The number of its last claim; 0 for none.
        pub attempt: u32 = attempt "INTEGER NOT NULL";
        /// How many of its claims have failed.
        pub failures: u32 = failures "INTEGER NOT NULL";
        /// When the first claim was made that ended without an answer, ms: since then the carrier may have recipients of it.
        pub doubt_ms: Option<i64> = doubt_ms "INTEGER";
        /// How many of its recipients wait for a carrier.
        pub queued: i64 = queued "INTEGER NOT NULL";
        /// How many are not resting.
        pub active: i64 = active "INTEGER NOT NULL";
        /// How many have no ending.
        pub open: i64 = open "INTEGER NOT NULL";
        /// The number of its priority.
        pub class: i64 = class "INTEGER NOT NULL";
        /// Since when it is to be handed over, ms since the Unix epoch.
        pub ready_ms: i64 = ready_ms "INTEGER NOT NULL";
    }
}
pub(in crate::account) use {place_row, progress_row};

impl Progress {
    /// How urgent it is. A priority that this version does not know is in no hurry.
    pub fn priority(&self) -> Priority {
        Priority::from_code(self.class).unwrap_or(Priority::Bulk)
    }

    /// How long its priority may wait for a carrier, ms since the Unix epoch.
    pub fn patience_ends_ms(&self) -> i64 {
        self.ready_ms.saturating_add(self.priority().patience_ms())
    }

    /// Waits for the sender of its message, who has paused that: as long as its priority may wait at all, and no longer than the
    /// message lasts.
    pub fn pause(&mut self, expires_ms: Option<i64>) {
        self.state = ChunkState::Paused;
        self.due_ms = self.patience_ends_ms().min(expires_ms.unwrap_or(i64::MAX));
    }

    /// What of it is in indexes, or decides about them. A write of any of it costs more than the row.
    pub fn indexed(&self) -> (i64, i64, u32, Option<i64>) {
        (self.state.code(), self.due_ms, self.failures, self.doubt_ms)
    }
}
