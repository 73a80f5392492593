//! Requests to a carrier's object.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::health::Health;
use crate::account::record::chunk::ChunkId;
use crate::account::record::chunk::handover::{Answer, ChunkRef, Handover};
use crate::account::record::message::priority::Priority;
use crate::directory::carriers::Carrier;
use crate::durable::requests;

/// The binding of the class of carriers' objects.
pub const CLASS: &str = "CARRIER";

/// How long after its claim a chunk may be taken, ms. The rest of the lease is for the last answers, and for clocks that
/// differ.
pub const HAND_OVER_MS: i64 = 20_000;

requests! {
    CLASS;
    /// An answer to each chunk.
    Submission, "Submit" => Vec<(ChunkRef, Answer)>;
    Configure<'_>, "ConfigureCarrier" => ();
    /// The accounts of which something comes back.
    HoldBack, "HoldBack" => BTreeSet<String>;
    /// `None`: the object has not begun to work yet.
    GetHealth, "GetHealth" => Option<Health>;
    /// Whether a session or a request is still to end.
    StandDown, "StandDown" => bool;
}

/// What an account's object hands to a carrier's object in one call. A chunk that gets no answer is in doubt, and so are all when
/// the call fails.
#[derive(Debug, Serialize, Deserialize)]
pub struct Submission {
    /// The carrier.
    pub carrier: Carrier,
    /// The account.
    pub account: String,
    /// How urgent the chunks are.
    #[serde(rename = "class")]
    pub priority: Priority,
    /// Until when the carrier may take the chunks, ms since the Unix epoch. Later, somebody else may have claimed them.
    pub valid_until_ms: i64,
    /// The chunks.
    pub handovers: Vec<Handover>,
}

/// Tells a carrier's object what the carrier is from now on. An older version than one that the object has seen changes
/// nothing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Configure<'a>(pub &'a Carrier);

/// What a carrier's object holds back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum HoldScope {
    /// All of an account.
    Account(String),
    /// A message of an account, by its number there.
    Message(String, i64),
    /// A chunk of an account.
    Chunk(String, ChunkId),
    /// All that is sent from a line.
    Line(String),
}

impl HoldScope {
    /// Whether a chunk of an account that is sent from a line is held back.
    pub fn covers(&self, account: &str, chunk: ChunkId, line: &str) -> bool {
        match self {
            HoldScope::Account(held) => held == account,
            HoldScope::Message(held, message) => *message == chunk.0 && held == account,
            HoldScope::Chunk(held, id) => *id == chunk && held == account,
            HoldScope::Line(held) => held == line,
        }
    }
}

/// Asks a carrier's object to send nothing more of what has been claimed for it until a time. What has not left is answered as
/// waiting.
#[derive(Debug, Serialize, Deserialize)]
pub struct HoldBack {
    /// What of it.
    pub held: Vec<HoldScope>,
    /// The time, by the clock of who asks, ms since the Unix epoch.
    pub claimed_until_ms: i64,
}

/// Asks a carrier's object how it is.
#[derive(Debug, Serialize)]
pub struct GetHealth;

/// Asks a carrier's object to end its session and its requests in order, and to begin none until a time: its runtime is about to end.
/// What has not left is answered as waiting.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct StandDown {
    /// The time, ms since the Unix epoch. Nothing keeps it: an object that begins anew does not know of it.
    pub until_ms: i64,
}
