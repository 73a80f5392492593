//! Peyk: an SMS messaging service at the edge. The folders, from the highest to the lowest; none names a higher one:
//!
//! - [`platform`]: the Workers runtime behind the ports, and the entry points.
//! - [`api`]: the routes, and what answers them.
//! - [`objects`]: the classes of Durable Objects, the dispatch of messages to carriers, and what runs each night.
//! - [`compose`]: makes a message of a request: its texts and its prices.
//! - [`carrier`]: who takes messages to the network: the kinds, and SMPP.
//! - [`webhook`]: how the programs of customers hear of events.
//! - [`directory`]: all statements of the shared database, D1.
//! - [`account`]: the account's object: money, limits, keys and messages.
//! - [`durable`]: what all classes of objects share.
//! - [`problem`]: every error of the API.
//! - [`auth`]: keys, scopes, proofs, and the sealing of secrets.
//! - [`base`]: the ports, the settings, times, ids and the like.
//!
//! Below all of them, in `crates/`, stand packages that know nothing of the service:
//!
//! - [`smpp`]: SMPP, without a network, a clock or a store.
//! - [`sms`]: numbers, texts and prices, without a store or a clock.

pub mod account;
pub mod api;
pub mod auth;
pub mod base;
pub mod carrier;
pub mod compose;
pub mod directory;
pub mod durable;
pub mod objects;
pub mod platform;
pub mod problem;
pub mod webhook;
