//! How a message stands that its sender has stopped.

use crate::base::named::numbers;

/// What the sender of a message wants of what has not left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// It waits until the sender lets it go on.
    Paused,
    /// It never leaves.
    Canceled,
}

numbers!(pub Halt Paused = 1, Canceled = 2,);
