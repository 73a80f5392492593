//! What becomes of chunks: how they are claimed, and what outcomes and reports make of them. Their rows stand in `record/chunk`.
//!
//! The invariant: a recipient is handed to a carrier at most once. Each claim of a chunk has a number of its own, and only
//! recipients that are still queued are handed over.

pub mod claim_queued;
pub mod dead_letters;
pub mod expiry;
pub mod in_doubt;
pub mod look_again;
pub mod orphan_receipts;
pub mod outcomes;
pub mod quarantine;
pub mod queue_depth;
pub mod reports;
pub mod stalled;
pub mod timers;
pub mod transitions;
