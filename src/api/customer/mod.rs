//! The customers' part of the API: one file or folder a resource.

pub mod account;
pub mod blacklist;
pub mod campaigns;
pub mod delivery_stats;
pub mod find;
pub mod held;
pub mod inbound;
pub mod invitations;
pub mod members;
pub mod messages;
pub mod own_keys;
pub mod pattern;
pub mod phonebook;
pub mod send;
pub mod transactions;
pub mod usage;
pub mod verify;
pub mod webhook;
