//! Peyk: an SMS messaging service at the edge.
//!
//! A request comes in at `platform`, which knows the Workers runtime and nothing else, and goes through [`routes`] (what
//! there is) and [`api`] (one file a resource). What must be consistent for one account is asked of its object
//! ([`account`]); what is shared stands in the [`directory`]. Accepted messages travel from the account's outbox through
//! the queue to [`dispatch`], which hands them to a [`carrier`]. [`sms`] is the domain: numbers, texts, prices. [`ports`]
//! is all that this crate asks of the world.

pub mod account;
pub mod api;
pub mod auth;
pub mod cache;
pub mod carrier;
pub mod config;
pub mod csv;
pub mod directory;
pub mod dispatch;
pub mod fault;
pub mod http;
pub mod id;
pub mod input;
pub mod ports;
pub mod problem;
pub mod routes;
pub mod sms;
pub mod time;

#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod platform;
