//! Webhooks: what customers are told, and where.

mod events;
mod invariants;
mod url_guard;
