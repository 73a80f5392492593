//! Chunks: the recipients of a message that are claimed, handed to a carrier and waited for together.

pub mod accepted;
pub mod claim;
pub mod handover;
pub mod loaded;
pub mod progress;
pub mod queue;
pub mod recipients;
pub mod row;
pub mod with_carriers;

use crate::base::named::numbers;

/// A chunk: the number of its message in the account, and its own number in the message.
pub type ChunkId = (i64, u32);

/// Recipients of a new chunk at most. A thousand recipients then cost few calls, and a slow carrier still ends a chunk within
/// its lease. Stored chunks say for themselves which recipients they have.
pub const CHUNK_SIZE: u32 = 500;
/// How long a claim holds, ms.
pub const LEASE_MS: i64 = 30_000;
/// How long the object waits for delivery reports, ms: the longest validity that carriers give a message.
pub const REPORT_DEADLINE_MS: i64 = 72 * 60 * 60 * 1_000;

/// What a chunk waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkState {
    /// For its time. Then the object starts it.
    Scheduled,
    /// For a carrier to have room, from its due time on.
    Ready,
    /// For the answer of its carrier, until its lease ends.
    Claimed,
    /// For delivery reports, until their deadline.
    Awaiting,
    /// Nothing: all its recipients have an ending, or the wait for reports is over.
    Ended,
    /// For an operator: its carriers refused it each time. At its due time it is given up.
    Parked,
    /// Nothing: all its recipients are canceled.
    Canceled,
    /// For its end: the object has gone back in time, so nobody knows whether it has left.
    InDoubt,
    /// For the sender of its message, who has paused that. At its due time it has waited too long, and is canceled.
    Paused,
}

/// The number of a state, as the object's SQL keeps it. Statements are made of it with `concat!`.
macro_rules! state_code {
    (Scheduled) => {
        0
    };
    (Ready) => {
        1
    };
    (Claimed) => {
        2
    };
    (Awaiting) => {
        3
    };
    (Ended) => {
        4
    };
    (Parked) => {
        5
    };
    (Canceled) => {
        6
    };
    (InDoubt) => {
        7
    };
    (Paused) => {
        8
    };
}

numbers!(
    pub ChunkState
    Scheduled = state_code!(Scheduled),
    Ready = state_code!(Ready),
    Claimed = state_code!(Claimed),
    Awaiting = state_code!(Awaiting),
    Ended = state_code!(Ended),
    Parked = state_code!(Parked),
    Canceled = state_code!(Canceled),
    InDoubt = state_code!(InDoubt),
    Paused = state_code!(Paused),
);

impl ChunkState {
    /// Whether the chunk waits for nothing any more.
    pub fn is_over(self) -> bool {
        matches!(self, ChunkState::Ended | ChunkState::Canceled)
    }
}

/// The condition of the index `chunk_ready`: the chunk waits for a carrier. The table's name and a point may stand before it.
macro_rules! is_ready {
    ($($table:literal)?) => {
        concat!($($table,)? "state = ", $crate::account::record::chunk::state_code!(Ready))
    };
}

/// The condition of the index `chunk_waiting`: the chunk waits for a time.
macro_rules! is_waiting {
    ($($table:literal)?) => {
        concat!(
            $($table,)?
            "state IN (",
            $crate::account::record::chunk::state_code!(Scheduled),
            ", ",
            $crate::account::record::chunk::state_code!(Claimed),
            ", ",
            $crate::account::record::chunk::state_code!(Awaiting),
            ", ",
            $crate::account::record::chunk::state_code!(Parked),
            ", ",
            $crate::account::record::chunk::state_code!(InDoubt),
            ", ",
            $crate::account::record::chunk::state_code!(Paused),
            ")"
        )
    };
}

/// The condition that a chunk waits for nothing any more: it is in neither index.
macro_rules! is_over {
    ($($table:literal)?) => {
        concat!(
            $($table,)?
            "state IN (",
            $crate::account::record::chunk::state_code!(Ended),
            ", ",
            $crate::account::record::chunk::state_code!(Canceled),
            ")"
        )
    };
}

pub(in crate::account) use {is_over, is_ready, is_waiting, state_code};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_chunk_is_in_one_index_at_most() {
        for state in (0..9).filter_map(ChunkState::from_code) {
            let number = state.code().to_string();
            let is_in = |condition: &str| condition.contains(&number);
            let places = [is_in(is_ready!()), is_in(is_waiting!()), is_in(is_over!())];
            assert_eq!(places.iter().filter(|place| **place).count(), 1, "{state:?}");
            assert_eq!(is_in(is_over!()), state.is_over());
        }
        assert_eq!(ChunkState::from_code(9), None);
    }
}
