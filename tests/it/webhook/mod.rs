//! Webhooks: what customers are told, and where.

mod callbacks;
mod events;
mod invariants;
mod url_guard;
