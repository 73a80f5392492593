//! What an order has met, and what carriers have of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::account::record::chunk::ChunkId;

/// What an order has met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Found {
    /// Recipients of messages.
    pub recipients: i64,
    /// Those of them that had not left, and are canceled.
    pub canceled: i64,
    /// Other texts and references that had the number in them.
    pub mentions: i64,
    /// Messages from the phone.
    pub inbound: i64,
    /// Events, waiting or in the log of deliveries.
    pub events: i64,
    /// Entries of phonebooks.
    pub phonebook_numbers: i64,
    /// Whether it was on the blacklist: it stays blocked.
    pub blacklisted: bool,
    /// Of an order over all accounts: how many are done with it.
    pub accounts: i64,
}

impl Found {
    /// Adds what an account has met. Whether it is done, it does not know.
    pub fn add(&mut self, other: &Found) {
        self.recipients += other.recipients;
        self.canceled += other.canceled;
        self.mentions += other.mentions;
        self.inbound += other.inbound;
        self.events += other.events;
        self.phonebook_numbers += other.phonebook_numbers;
        self.blacklisted |= other.blacklisted;
    }
}

/// Chunks in which a number was erased and that carriers have, or may have. What they have not sent is to come back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithCarriers {
    /// When they were found, by the clock of the account's object, ms since the Unix epoch.
    pub at_ms: i64,
    /// The chunks, by the names of the carriers' objects.
    pub by_object: BTreeMap<String, Vec<ChunkId>>,
}
