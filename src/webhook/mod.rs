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
//!
//! What stands here, from the highest to the lowest; none names a higher one, nor one on its own line:
//!
//! - `deliverer`: the attempts that are under way.
//! - `handle`, `delivery_attempt`: the way in, with the table of all requests; one attempt.
//! - `delivery`, `sweep`, `closing`: the log of deliveries, and what is forgotten of it; all goes.
//! - `event`, `subscriptions`, `cascade`: events that are taken; what the account is told; what revoked keys have left.
//! - `endpoint`, `erasure`: the endpoints; numbers that are erased.
//! - `callbacks`: status callbacks.
//! - `secrets`, `low_balance`, `revoked`: rows of the object.
//! - `request`, `schema`, `attempt`, `concurrency`, `delivery_state`, `signing`: parts that know no other.

mod attempt;
pub mod callbacks;
pub mod cascade;
pub mod closing;
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
