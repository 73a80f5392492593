//! Chunks of one account, on their way to a carrier.

use serde::{Deserialize, Serialize};

use crate::account::chunk::handover::Handover;
use crate::account::message::priority::Priority;
use crate::directory::carriers::Carrier;

/// What an account's object hands to a carrier's object in one call.
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
