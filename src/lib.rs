//! Peyk: an SMS messaging service at the edge.
//!
//! `platform` knows the Workers runtime and nothing else. [`serve`] takes a request, finds its row in [`routes`] by way of [`router`],
//! and lets the row's handler in [`api`] answer. What must be consistent for one account is asked of its object ([`account`]); what is
//! shared stands in the [`directory`]. [`dispatch`] hands an account's messages to a [`carrier`]. [`objects`] puts the
//! classes of Durable Objects together. [`sms`] is the domain: numbers, texts, prices. [`smpp`] is the protocol of that name.
//! [`ports`] is all that the crate asks of the world.

pub mod account;
pub mod api;
pub mod audit;
pub mod auth;
pub mod cache;
pub mod carrier;
pub mod cause;
pub mod config;
pub mod csv;
pub mod directory;
pub mod dispatch;
pub mod excerpt;
pub mod fault;
pub mod http;
pub mod id;
pub mod input;
pub mod language;
pub mod nightly;
pub mod object;
pub mod objects;
pub mod ports;
pub mod problem;
pub mod reconciliation;
pub mod router;
pub mod routes;
pub mod schema;
pub mod secret;
pub mod serve;
pub mod smpp;
pub mod sms;
pub mod thrown;
pub mod time;
pub mod url_guard;
pub mod webhook;

#[cfg(all(target_arch = "wasm32", feature = "runtime"))]
mod platform;
