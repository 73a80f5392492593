//! The native tests, in one program. They run the whole API on real SQLite, with a clock that only the tests move. The folders
//! say what is tested; `support/` is the world that the tests run in. `cargo test --test it account::rows` runs one file.
//!
//! Tests that need the real runtime are in `tests/runtime/`, those that need a browser in `tests/browser.rs`.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::new_without_default,
    reason = "a test fails by panicking"
)]

// The world that the tests run in is a package of its own. It does most of the work, so it is compiled with optimisation; the tests
// are compiled without, in half the time.
extern crate support;

mod account;
mod api;
mod auth;
mod base;
mod carrier;
mod directory;
mod doors;
mod format;
mod operator;
mod smpp;
mod verify;
mod webhook;
