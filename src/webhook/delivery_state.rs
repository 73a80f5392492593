//! What became of a delivery: the states, their names in the API and their numbers in SQL.

use crate::base::named::named;

named! {
    /// What became of a delivery. The index of what waits names 0.
    pub enum DeliveryState {
        /// It waits for an attempt.
        Waiting = 0 => "WAITING",
        /// The receiver has it.
        Delivered = 1 => "DELIVERED",
        /// All attempts have failed.
        Failed = 2 => "FAILED",
        /// Too many waited, and it was one of the oldest.
        Dropped = 3 => "DROPPED",
        /// It stands in the log only, and is never sent.
        Noted = 4 => "NOTED",
    }
}
