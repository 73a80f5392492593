//! The handlers: one file a resource, from a request to a response.

pub mod account;
pub mod admin;
pub mod app;
pub mod blacklist;
pub mod body;
pub mod caller;
pub mod calls;
pub mod carrier;
pub mod context;
pub mod health;
pub mod idempotency;
pub mod inbound;
pub mod keys;
pub mod line_data;
pub mod messages;
pub mod paging;
pub mod params;
pub mod pattern;
pub mod phonebook;
pub mod query;
pub mod record;
pub mod respond;
pub mod slug;
pub mod sms;
pub mod view;
pub mod webhook;
