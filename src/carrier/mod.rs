//! Carriers: who takes messages to the network, and how their reports come back.
//!
//! A carrier is a row of the directory: a name, a kind and settings. It works in objects of its own. An account's object
//! hands chunks over with [`submit`] and learns what became of each recipient; a carrier's object reports deliveries by way
//! of its store of [`reports`].

pub mod callback;
pub mod circuit_breaker;
mod confirmation;
pub mod control;
mod fair_queue;
mod goodput;
pub mod health;
mod http;
pub mod inbound;
pub mod journal;
pub mod kept;
pub mod kind;
mod learned_rate;
pub mod newest;
mod notify;
mod pulse;
pub mod reports;
pub mod request;
pub mod sandbox;
pub mod sender;
pub mod settings;
pub mod smpp;
mod throttle;

use serde_json::json;

use crate::account::chunk::handover::Answer;
use crate::base::{log, ports::Platform};
use crate::directory::carriers::Carrier;

/// How long accounts are asked to wait for a carrier that an operator has stopped, ms. It is short: an account's object that
/// has not heard of the stop must not take the carrier for one that is down.
const PAUSED_MS: i64 = 5_000;
/// How long accounts are asked to leave a carrier alone that is out of service, ms.
const INACTIVE_MS: i64 = 30_000;

/// What an object answers while operators keep its carrier from sending; `None`: it may send. The messages of a carrier that
/// is stopped for a while wait, and no other carrier takes them.
fn stopped(carrier: &Carrier, now_ms: i64) -> Option<Answer> {
    match (carrier.active, carrier.paused) {
        (false, _) => Some(Answer::Down(now_ms.saturating_add(INACTIVE_MS))),
        (true, true) => Some(Answer::Busy(now_ms.saturating_add(PAUSED_MS))),
        (true, false) => None,
    }
}

/// Logs what failed at a carrier.
fn log_failure(platform: &impl Platform, carrier: &str, what: &str, cause: &str) {
    let line = json!({"carrier": carrier, "what": what, "cause": cause});
    log::error(platform, "carrier", line);
}
