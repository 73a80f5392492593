//! Carriers: who takes messages to the network, and how their reports come back.
//!
//! A carrier is a row of the directory: a name, a kind and settings. It works in objects of its own. An account's object
//! hands chunks over with [`submit`] and learns what became of each recipient; a carrier's object reports deliveries by way
//! of its store of [`reports`].

pub mod bell;
pub mod callback;
pub mod circuit;
pub mod control;
pub mod health;
pub mod http;
pub mod inbound;
pub mod journal;
pub mod kind;
pub mod newest;
pub mod object;
pub mod report;
pub mod reports;
pub mod request;
pub mod sandbox;
pub mod settings;
pub mod smpp;
pub mod submission;
pub mod turns;

use self::request::Submit;
use self::submission::Submission;
use crate::account::handover::{Answer, ChunkRef};
use crate::ports::{Platform, PortError};

/// Hands chunks to an object of a carrier and tells what became of each. A chunk that gets no answer is in doubt, and so are
/// all when the call fails.
pub async fn submit(
    platform: &impl Platform,
    object: &str,
    submission: &Submission,
) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
    request::call(platform, object, &Submit(submission)).await
}
