//! An account's object: its money, its messages, their way to carriers, and what it forgets.

mod backlog;
mod batches;
mod bytes;
mod caps;
mod carrier_usage;
mod claims;
mod endings;
mod erasure_world;
mod erasures;
mod expiry;
mod gathering;
mod halts;
mod hanging;
mod history;
mod holds;
mod invariants;
mod line_routes;
mod outcomes;
mod reconciliation;
mod redaction;
mod reports;
mod restore;
mod retention;
mod rows;
mod stuck;
mod waiting;
