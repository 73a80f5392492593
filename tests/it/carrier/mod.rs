//! Carriers and their objects.

mod callbacks;
mod handover;
mod http;
mod journal_steps;
