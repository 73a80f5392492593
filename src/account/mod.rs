//! The account's object: the single authority for an account's status, limits, keys, money and messages, and for what is
//! still to be done for them.
//!
//! Why a request is atomic: the runtime gives an object one thread and one SQLite, and commits all writes between two
//! `await`s together. Each request is one synchronous function that decides first and writes then.

pub mod account_row;
pub mod audit_budget;
pub mod blacklist;
pub mod blocked_digests;
pub mod caps;
pub mod chunk;
pub mod digests;
pub mod erasure;
pub mod handle;
pub mod held;
pub mod hold;
pub mod idempotency;
pub mod inbound;
pub mod keyring;
pub mod keys;
pub mod limiter;
pub mod message;
pub mod outbox;
pub mod outcomes;
pub mod overview;
pub mod reconcile;
pub mod refusal;
pub mod request;
pub mod restore;
pub(crate) mod rows;
pub mod schema;
pub mod secrets;
pub mod sign_in;
pub mod unit_of_work;
pub mod unsent;
pub mod usage;
pub mod verifications;
pub mod verify;
pub mod wallet;
pub mod write_buffer;

pub use crate::durable::ask;
pub use account_row::OPERATOR;
pub use request::Request;
