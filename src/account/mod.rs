//! The account's object, pure: one an account, the single authority for its status, limits, keys, money, messages and
//! what is still to be done for them.
//!
//! Why it is atomic: the runtime gives an object one thread and one SQLite, and commits all writes between two `await`s
//! together. Every command here is one synchronous function: it decides first, on what it has read, and writes after,
//! so there is never anything to roll back in the middle.

pub mod batch;
pub mod blacklist;
pub mod command;
pub mod decide;
pub mod keys;
pub mod ledger;
pub mod limiter;
pub mod outbox;
pub mod progress;
pub mod read;
pub mod schedule;
pub mod send;
pub mod status;
pub mod store;

/// The account that operator keys belong to: it sends nothing and owns no money, but its object counts the requests of
/// operators and knows their revoked keys.
pub const OPERATOR: &str = "operator";

/// Recipients in one chunk: the unit that is claimed, handed to a carrier and waited for together. Large enough that a
/// thousand recipients cost few calls, small enough that a slow carrier ends one within its lease.
pub const CHUNK: u32 = 500;
