//! Carriers: who takes messages to the network, and how their reports come back.
//!
//! A carrier is a row of the directory: a name, a kind and settings. It works in objects of its own. An account's object
//! hands chunks over with [`submit`] and learns what became of each recipient; a carrier's object reports deliveries by way
//! of its store of [`reports`].
//!
//! What stands here, from the highest to the lowest; none names a higher one, nor one on its own line:
//!
//! - `control`, `sandbox_names`: what operators do with the objects of a carrier; which carriers only simulate.
//! - `kind`: the table of kinds.
//! - `http`, `smpp`, `sandbox`: the kinds.
//! - `sender`, `reports`, `steps`: what a kind has to be able to do, and what the kinds share.
//! - `journal`, `held_back`, `waiting_list`, `throttle`: what an object notes of handovers and holds back, who waits for it, and how fast it sends.
//! - `request`, `observed_health`, `learned_rate`: what an object is asked, how its carrier does, and what it takes in a second.
//! - `health`, `doubted`, `inbound`, `chance`: what is told of that; lost answers; messages from phones.
//! - `day_tables`: rows that are kept for some days.
//! - `room`, `settings`, `own_row`, `gateway_url`, `confirmation`, `part_reports`, `circuit_breaker`, `fair_queue`, `goodput`, `answers`, `notify`, `submit_counts`: settings, and parts that know no other.

mod answers;
mod chance;
pub mod circuit_breaker;
mod confirmation;
pub mod control;
pub mod day_tables;
pub mod doubted;
mod fair_queue;
pub mod gateway_url;
mod goodput;
pub mod health;
pub mod held_back;
mod http;
pub mod inbound;
pub mod journal;
pub mod kind;
mod learned_rate;
mod notify;
mod observed_health;
pub mod own_row;
pub mod part_reports;
pub mod reports;
pub mod request;
pub mod room;
pub mod sandbox;
pub mod sandbox_names;
pub mod sender;
pub mod settings;
pub mod smpp;
pub mod steps;
pub mod submit_counts;
mod throttle;
pub mod waiting_list;

pub use observed_health::StoredHealth;
use serde_json::json;

use crate::account::record::chunk::handover::Answer;
use crate::base::log;
use crate::base::ports::Platform;
use crate::directory::carriers::Carrier;

/// How long accounts are asked to wait for a carrier that an operator has stopped, ms. It is short: an account's object that
/// has not heard of the stop must not take the carrier for one that is down, and is to go on soon when the stop ends.
const PAUSED_MS: i64 = 1_500;
/// How long accounts are asked to leave a carrier alone that is out of service, ms.
const INACTIVE_MS: i64 = 30_000;

/// The carrier that an object works for: the object's name begins with the carrier's.
pub fn carrier_of(object: &str) -> &str {
    object.split('/').next().unwrap_or_default()
}

/// The name of one of the objects that serve all accounts of a carrier, counted from 0.
fn object_of(carrier: &str, number: u64) -> String {
    format!("{carrier}/{number}")
}

/// The names of the objects that serve all accounts of a carrier, if there are so many.
fn objects_of(carrier: &str, objects: u64) -> Vec<String> {
    (0..objects).map(|number| object_of(carrier, number)).collect()
}

/// As many objects as a carrier may have that serve all accounts, or may have had.
pub fn most_objects() -> u64 {
    u64::try_from(settings::MAX_OBJECTS).unwrap_or(1)
}

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
