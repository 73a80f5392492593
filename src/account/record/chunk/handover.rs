//! What an account's object and a carrier's object say to each other about the recipients of a chunk.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ChunkId;
use super::recipients::NO_NUMBER;
use crate::account::record::message::delivery_error::Cause;
use crate::account::record::message::recipient_text::RecipientText;
use crate::account::record::message::status::RecipientStatus;

/// A chunk of one message at one claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ChunkRef {
    /// The message's number in its account.
    pub message: i64,
    /// The chunk's number in its message.
    pub number: u32,
    /// Which claim of the chunk it is, from 1. A carrier's object refuses a claim that is older than one it has seen.
    pub attempt: u32,
}

impl ChunkRef {
    /// The chunk itself, whatever the claim: `(message, number)`.
    pub fn id(self) -> ChunkId {
        (self.message, self.number)
    }
}

/// The recipients of one chunk, on their way to a carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handover {
    /// The chunk.
    pub chunk: ChunkRef,
    /// The message's uid.
    pub uid: String,
    /// The line it is sent from.
    pub line: String,
    /// The message's text.
    pub text: String,
    /// The text with its secret values redacted, for those who keep it; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
    /// `(index, msisdn)` of the recipients.
    pub recipients: Vec<(u32, u64)>,
    /// When the first claim was made that ended without an answer, ms since the Unix epoch: since then the carrier may have
    /// recipients of the chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt_ms: Option<i64>,
    /// Whether the carrier is only to tell which recipients it has, and sends to no others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask_only: bool,
    /// When the message expires, ms since the Unix epoch: nothing of it leaves from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<i64>,
    /// What the recipients' texts have of their own, by index.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<u32, RecipientText>,
}

/// Whether a message that expires at a time has expired.
pub fn has_expired(expires_ms: Option<i64>, now_ms: i64) -> bool {
    expires_ms.is_some_and(|expires_ms| expires_ms <= now_ms)
}

impl Handover {
    /// Whether its message has expired, so that nothing of it may leave.
    pub fn has_expired(&self, now_ms: i64) -> bool {
        has_expired(self.expires_ms, now_ms)
    }

    /// Whether one of its recipients has been erased. Such a handover is of a chunk in doubt, and the carrier is only asked.
    pub fn has_erased(&self) -> bool {
        self.recipients.iter().any(|(_, msisdn)| *msisdn == NO_NUMBER)
    }

    /// How long its message lasts, in whole seconds: one at least. `None`: it does not expire.
    pub fn seconds_left(&self, now_ms: i64) -> Option<u32> {
        let left_ms = self.expires_ms?.saturating_sub(now_ms);
        Some(u32::try_from((left_ms / 1_000).max(1)).unwrap_or(u32::MAX))
    }

    /// The text that one recipient gets.
    pub fn text_for(&self, index: u32) -> Cow<'_, str> {
        match self.texts.get(&index) {
            Some(text) => Cow::Owned(text.fill(&self.text)),
            None => Cow::Borrowed(&self.text),
        }
    }

    /// Whether the text that one recipient gets has secret values.
    pub fn is_secret_for(&self, index: u32) -> bool {
        self.redacted.is_some() || matches!(self.texts.get(&index), Some(RecipientText::Secret { .. }))
    }

    /// The handover with one recipient alone and without a text.
    pub fn only(&self, index: u32, msisdn: u64) -> Handover {
        Handover {
            chunk: self.chunk,
            uid: self.uid.clone(),
            line: self.line.clone(),
            text: String::new(),
            redacted: None,
            recipients: vec![(index, msisdn)],
            doubt_ms: None,
            ask_only: false,
            expires_ms: self.expires_ms,
            texts: BTreeMap::new(),
        }
    }

    /// The message's text without secret values.
    pub fn redacted_text(&self) -> &str {
        self.redacted.as_deref().unwrap_or(&self.text)
    }

    /// The text that one recipient gets, without secret values.
    pub fn redacted_for(&self, index: u32) -> Cow<'_, str> {
        match self.texts.get(&index) {
            Some(RecipientText::Secret { redacted, .. }) => Cow::Borrowed(&redacted.text),
            Some(_) => self.text_for(index),
            None => Cow::Borrowed(self.redacted_text()),
        }
    }
}

/// What became of each recipient of a handover, by index. A recipient that no list names got no answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcomes {
    /// The carrier took it, and gave it this id. The carrier's object keeps the id and the way back from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<(u32, String)>,
    /// The carrier took it and says with its answer how that ended. It reports nothing later, so there is no id.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<Ended>,
    /// The carrier refused it for good.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<(u32, Cause)>,
    /// The carrier refused it for now; it does not have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_now: Vec<u32>,
    /// Its turn did not come before the time was over: no failure. The carrier does not have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<u32>,
    /// The carrier gave no clear answer; it may have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub no_answer: Vec<u32>,
}

/// Recipients that a carrier took and that ended alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// How they ended: as a report would say it.
    pub status: RecipientStatus,
    /// Their indexes.
    pub indexes: Vec<u32>,
    /// Why they did not get the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

impl Outcomes {
    /// Adds a recipient that the carrier took, with its ending.
    pub fn end(&mut self, index: u32, status: RecipientStatus, cause: Option<Cause>) {
        let is_same = |ended: &&mut Ended| ended.status == status && ended.cause == cause;
        match self.ended.iter_mut().find(is_same) {
            Some(ended) => ended.indexes.push(index),
            None => self.ended.push(Ended {
                status,
                indexes: vec![index],
                cause,
            }),
        }
    }

    /// Whether the carrier took any of them.
    pub fn has_taken(&self) -> bool {
        !self.taken.is_empty() || !self.ended.is_empty()
    }

    /// The carrier may have all of them.
    pub fn all_no_answer(handover: &Handover) -> Self {
        Outcomes {
            no_answer: handover.recipients.iter().map(|(index, _)| *index).collect(),
            ..Outcomes::default()
        }
    }
}

/// A carrier's answer to one handover.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// What became of its recipients.
    Outcomes(Outcomes),
    /// The carrier has no room: nothing of it was taken. It is to come again at this time, ms since the Unix epoch.
    Busy(i64),
    /// The carrier is down until this time, ms since the Unix epoch, as far as it knows: nothing of it was taken.
    Down(i64),
    /// It came after its time, or after a newer claim of its chunk: nothing of it was taken.
    Late,
}
