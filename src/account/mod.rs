//! The account's object: the single authority for an account's status, limits, keys, money and messages, and for what is
//! still to be done for them.
//!
//! Why a request is atomic: the runtime gives an object one thread and one SQLite, and commits all writes between two
//! `await`s together. Each request is one synchronous function that decides first and writes then.
//!
//! What stands here, from the highest to the lowest; none names a higher one, nor one on its own line:
//!
//! - `handle`, `schema`: the way in, which has the table of all requests; the tables.
//! - `closing`, `erasure`, `restore`: what goes through everything: the account ends; a number is erased; the object has gone back in time.
//! - `reconcile`, `sign_in`: the nightly check of money and work; codes by which people sign in to the console.
//! - `keys`, `verify`, `inbound`, `overview`, `delivery_stats`, `recount`: what customers and operators ask for, beside messages.
//! - `campaign`: one message to phonebooks in waves, each of which is a message.
//! - `message`, `hold`, `unsent`: messages from the accept to the retention; what holds them up.
//! - `chunk`: recipients that are handed over together: claims, outcomes, reports.
//! - `wallet`: money: every posting, and the ledger as its owner reads it.
//! - `outbox`, `held`: what is still to be told; what the object holds on a number.
//! - `usage`, `blacklist`, `sources`, `audit_budget`, `metrics`: what the folders above look up and count.
//! - `request`: what a request is.
//! - `unit_of_work`: what a request works on.
//! - `write_buffer`: what is accepted and not written yet.
//! - `record`: the rows, and the values in them.
//! - `codes`, `limiter`, `refusal`: what knows no row: codes, the rate limit, why a request is refused.

pub mod audit_budget;
pub mod blacklist;
pub mod campaign;
pub mod chunk;
pub mod closing;
pub mod codes;
pub mod delivery_stats;
pub mod erasure;
pub mod handle;
pub mod held;
pub mod hold;
pub mod inbound;
pub mod keys;
pub mod limiter;
pub mod message;
pub mod metrics;
pub mod outbox;
pub mod overview;
pub mod reconcile;
pub mod record;
pub mod recount;
pub mod refusal;
pub mod request;
pub mod restore;
pub mod schema;
pub mod sign_in;
pub mod sources;
pub mod unit_of_work;
pub mod unsent;
pub mod usage;
pub mod verify;
pub mod wallet;
pub mod write_buffer;

pub use crate::durable::ask;
pub use record::account_row::OPERATOR;
pub use request::Request;
