//! Statuses and kinds, as the protocols name them.

use serde_json::Value;

use crate::api::doors::answer::Members;

/// What the protocol rest calls the statuses of a recipient.
pub const RECIPIENT_WORDS: [&str; 5] = ["send", "pending", "delivered", "failed", "discarded"];

/// The status of a recipient of our own API.
pub fn of_recipient(recipient: &Value) -> usize {
    match (recipient.text("status"), recipient.member("error").as_str()) {
        ("SCHEDULED" | "QUEUED", _) => 0,
        ("SUBMITTED" | "UNKNOWN", _) => 1,
        ("DELIVERED", _) => 2,
        (_, Some("BLOCKED" | "BLACKLISTED")) => 4,
        _ => 3,
    }
}

/// A status of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Its number.
    pub id: i64,
    pub word: &'static str,
    /// Its name.
    pub text: &'static str,
}

/// The numbers that the protocol has for the statuses of a message.
pub const STATES: std::ops::RangeInclusive<i64> = 0..=9;

/// The status of a message of our own API.
pub fn of_message(message: &Value) -> State {
    let (id, word, text) = match message.text("status") {
        "DONE" => (6, "finish", "پایان یافته"),
        "CANCELED" => (7, "cancel", "لغو شده"),
        "SENDING" => (2, "active", "در حال ارسال"),
        _ => (5, "active", "در صف ارسال"),
    };
    State { id, word, text }
}

/// What kind of send a message of our own API is.
pub fn kind_of(message: &Value) -> &'static str {
    match message.text("type") {
        "PATTERN" | "VERIFY" => "pattern",
        "PHONEBOOK" => "phonebook",
        "BULK" => "peer_to_peer",
        _ => "webservice",
    }
}
