//! The platform of native tests: real SQLite under the real SQL and migrations, a clock that moves when told, and KV in
//! memory. Calls to objects can be made to fail before or after their effect, to come late, or never to return, as when the
//! process is killed.

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
#![allow(
    missing_docs,
    reason = "it is for the tests beside it alone, and its names say what they do"
)]

mod calls;
mod client;
pub mod conformity;
pub mod console_sessions;
pub mod day_tables;
mod dice;
mod directory;
mod dump;
pub mod faults;
pub mod figures;
pub mod gateway;
pub mod history;
pub mod life;
pub mod network;
mod objects;
pub mod passkeys;
mod platform;
pub mod rows;
mod running;
pub mod sample;
pub mod schema;
pub mod smpp;
pub mod smsc;
mod sqlite;
mod template;
pub mod time;
mod world;
mod zones;

use std::future::poll_fn;
use std::task::Poll;

pub use calls::Fate;
pub use client::{
    Account, Answer, Bytes, Request, assert_contains, assert_has, assert_starts, pick, table, to_end_in_time,
};
pub use dice::{Dice, cases};
pub use objects::{carrier_store, whole};
pub use running::to_end;
pub use sqlite::Sqlite;
pub use tools::openapi;
pub use world::{DOCS, OPERATOR_KEY_ID, World};
pub use zones::BundledZones;

/// Lets others run first, once.
pub async fn give_way() {
    let mut has_waited = false;
    poll_fn(|context| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
