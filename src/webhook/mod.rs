//! Webhooks: the programs of customers hear of events, as Standard Webhooks says.
//!
//! Each account has a webhook object of its own, with its endpoints, the events on their way and the log of deliveries. So a
//! slow receiver costs the account's object nothing. It makes the status callbacks of the account's messages, too.
//!
//! The invariants: an event that the object has taken is delivered to each endpoint that asked for it, at least once and with
//! one id, or the log says why not; an event that is handed over again is recognised by its id. A crash at any moment loses
//! nothing, and at most repeats an attempt.
//!
//! Sources: the Standard Webhooks specification 1.0 (www.standardwebhooks.com), RFC 2104 (HMAC), RFC 9110 (`Retry-After`).

mod attempt;
pub mod callbacks;
pub mod cascade;
mod concurrency;
pub(crate) mod deliverer;
pub mod delivery;
mod delivery_attempt;
pub mod delivery_state;
pub mod endpoint;
pub mod erasure;
pub mod event;
pub mod handle;
pub mod low_balance;
pub mod request;
mod revoked;
pub(crate) mod schema;
pub mod secrets;
pub mod signing;
pub(crate) mod subscriptions;
pub mod sweep;
