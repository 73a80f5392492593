//! The account's object: the single authority for an account's status, limits, keys, money and messages, and for what is
//! still to be done for them.
//!
//! Why a request is atomic: the runtime gives an object one thread and one SQLite, and commits all writes between two
//! `await`s together. Each request is one synchronous function that decides first and writes then.

pub mod blacklist;
pub mod chunk;
mod chunk_row;
pub mod class;
pub mod credit;
pub mod dead_letters;
pub mod delivery;
pub mod delivery_error;
pub mod due;
pub mod ended_keys;
pub mod entries;
pub mod entries_export;
pub mod event_type;
pub mod events;
pub mod fresh;
pub mod handle;
pub mod handover;
pub mod history;
pub mod idempotency;
pub mod inbound;
pub mod keys;
pub mod ledger;
pub mod limiter;
pub mod message;
pub mod messages;
pub mod moves;
pub mod named;
pub mod operator_keys;
pub mod outcomes;
pub mod overview;
pub mod own_keys;
pub mod patterns;
pub mod recipients;
pub mod reconcile;
pub mod refusal;
pub mod removals;
pub mod request;
pub mod restore;
pub mod retention;
pub mod schedule;
pub mod schema;
pub mod send;
pub mod simulation;
pub mod sources;
pub mod status;
pub mod store;
pub mod stuck;
pub mod unsaved;
pub mod usage;
pub mod usage_days;

pub use request::{Reply, Request, ask};

/// The account that operators' keys belong to. It sends nothing and has no money; its object counts the requests of
/// operators and has their keys.
pub const OPERATOR: &str = "operator";
