//! A message as it travels between worker and object: to be accepted, and as the object tells it.

pub mod callback;
pub mod code_text;
pub mod delivery_error;
pub mod priority;
pub mod recipient_text;
pub mod row;
pub mod simulation;
pub mod status;

use std::collections::{BTreeMap, BTreeSet};

use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::idempotency::Idempotency;
use crate::account::refusal::Refusal;
use crate::base::named::{Named, named};
use crate::base::ports::PortError;
use callback::Callback;
use delivery_error::DeliveryError;
pub use recipient_text::RecipientText;
use status::{MessageStatus, Money, RecipientStatus};

/// A message to accept, with its price.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewMessage {
    /// UUID version 7.
    pub uid: String,
    /// Which send made it.
    pub kind: MessageKind,
    /// The line it is sent from.
    pub line: String,
    /// Whether a test key sent it: it costs nothing and goes to no carrier.
    #[serde(default)]
    pub test: bool,
    /// The text, with `\n` line ends. Where recipients have values of their own, it has placeholders; where they have
    /// texts of their own, it is empty.
    pub text: String,
    /// The text with its secret values redacted; `None` if no text of the message has any. It is empty where recipients have texts
    /// of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
    /// `GSM7`, or `UCS2` as soon as one recipient's text is.
    pub encoding: String,
    /// Parts that a recipient gets, at most.
    pub parts: u32,
    /// Parts that all recipients get together.
    #[serde(default)]
    pub all_parts: i64,
    /// The sum over all recipients.
    pub cost: i64,
    /// ISO 4217.
    pub unit: String,
    /// The endings for which the plan gives the money back.
    #[serde(default)]
    pub refunds: Vec<RecipientStatus>,
    /// The client's own reference.
    pub client_ref: Option<String>,
    /// When to send it; at once when `None`.
    pub send_at_ms: Option<i64>,
    /// When the hours of its line begin, for which it waits. Then it is to be sent at this time. `None`: they were open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens_ms: Option<i64>,
    /// Whether what has not left when the hours of its line end waits for the next ones.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keeps_hours: bool,
    /// When the message expires, ms since the Unix epoch: what has not left by then is canceled. `None`: it does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_ms: Option<i64>,
    /// The request's idempotency key.
    pub idempotency: Option<Idempotency>,
    /// Whether the operator lets accounts send at all.
    #[serde(default)]
    pub sending_enabled: bool,
    /// The patterns that it was made from, each once.
    #[serde(default)]
    pub patterns: Vec<UsedPattern>,
    /// What it was made from, `phonebook:<id>` or `pattern:<slug>`. A scheduled message keeps its sources from being
    /// deleted.
    #[serde(default)]
    pub sources: Vec<String>,
    /// How many recipients there are.
    pub count: u32,
    /// The recipients.
    pub recipients: Vec<RecipientGroup>,
    /// The chunks that the recipients name.
    pub chunks: Vec<NewChunk>,
    /// The names of carriers that are not to take it while another one can: they had an earlier message of the same purpose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// What its texts cost less than as they were given; `None` if the request did not ask for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<i64>,
    /// Who hears what becomes of its recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback: Option<Callback>,
    /// Whether recipients on the blacklist are left out. Otherwise one of them refuses the message.
    #[serde(default, skip_serializing_if = "is_false")]
    pub skips_blocked: bool,
    /// The numbers that are left out, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<(u64, DeliveryError)>,
    /// The number of the campaign that it is a wave of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<i64>,
    /// What it is to be refused for, because a test key rehearses it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rehearsed: Vec<Refusal>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl NewMessage {
    /// Whether it counts for the account's limit of its recipients: one that is made of patterns, or has a code, and leaves.
    pub fn counts_for_recipients(&self) -> bool {
        !self.test && (!self.patterns.is_empty() || self.kind == MessageKind::Verify)
    }

    /// Whether it counts for any limit of its recipients. Test keys can't ask for more codes than live ones either.
    pub fn is_limited(&self) -> bool {
        self.counts_for_recipients() || self.kind == MessageKind::Verify
    }

    /// How many numbers are left out; `None` if the request did not ask for that.
    pub fn skipped_count(&self) -> Option<u32> {
        let count = u32::try_from(self.skipped.len()).unwrap_or(u32::MAX);
        self.skips_blocked.then_some(count)
    }

    /// The numbers of its recipients.
    pub fn numbers(&self) -> Result<BTreeSet<u64>, PortError> {
        let mut numbers = BTreeSet::new();
        for group in &self.recipients {
            numbers.extend(group.read()?.iter().map(|recipient| recipient.msisdn));
        }
        Ok(numbers)
    }
}

/// A pattern that a message is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedPattern {
    /// The pattern.
    pub slug: String,
    /// The revision that the worker read.
    pub revision: i64,
    /// The number of changes that the worker had heard of before it read the revision from the directory.
    pub heard: Option<i64>,
}

/// Recipients that are handed over together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewChunk {
    /// The prefix by which the line's routes know them.
    #[serde(default)]
    pub prefix: String,
    /// The names of carriers that are not to take it while another one can, beside those that its message names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// The index of the first.
    pub first: u32,
    /// The index of the last. Between them may be recipients of other chunks.
    pub last: u32,
    /// How many they are.
    pub count: u32,
}

impl NewMessage {
    /// The status that the message and its recipients have when it is accepted.
    pub fn first_status(&self) -> (MessageStatus, RecipientStatus) {
        first_status(self.send_at_ms)
    }
}

/// The status that a message and its recipients have when it is accepted, by the time at which it is to be sent.
pub fn first_status(send_at_ms: Option<i64>) -> (MessageStatus, RecipientStatus) {
    match send_at_ms {
        Some(_) => (MessageStatus::Scheduled, RecipientStatus::Scheduled),
        None => (MessageStatus::Queued, RecipientStatus::Queued),
    }
}

/// Recipients with consecutive indexes, few enough for one value of SQL.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecipientGroup {
    /// Index of the first.
    pub first: u32,
    /// `[[msisdn, cost, chunk], …]`, or `[[msisdn, cost, chunk, text, parts], …]` where recipients have a [`RecipientText`].
    /// The object hands it to SQL as it is.
    pub items: Box<RawValue>,
}

impl RecipientGroup {
    /// Reads the recipients.
    pub fn read(&self) -> Result<Vec<NewRecipient<'_>>, PortError> {
        serde_json::from_str(self.items.get()).map_err(|error| PortError::json("recipients", &error))
    }
}

/// A recipient to accept.
#[derive(Debug)]
pub struct NewRecipient<'a> {
    /// Its number.
    pub msisdn: u64,
    /// Its price.
    pub cost: i64,
    /// The number of its chunk.
    pub chunk: u32,
    /// Its [`RecipientText`], as it came.
    pub text: Option<&'a RawValue>,
    /// The parts of that text.
    pub parts: Option<u32>,
}

impl<'de: 'a, 'a> Deserialize<'de> for NewRecipient<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = NewRecipient<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("the list of a recipient's members")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<NewRecipient<'de>, A::Error> {
                let missing = || serde::de::Error::custom("a member is missing");
                let recipient = NewRecipient {
                    msisdn: list.next_element()?.ok_or_else(missing)?,
                    cost: list.next_element()?.ok_or_else(missing)?,
                    chunk: list.next_element()?.ok_or_else(missing)?,
                    text: list.next_element()?,
                    parts: list.next_element()?,
                };
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(recipient)
            }
        }
        deserializer.deserialize_seq(Members)
    }
}

named! {
    /// Which send made a message.
    pub enum MessageKind {
        /// `POST /sms/send`.
        Plain => "PLAIN",
        /// `POST /sms/pattern`.
        Pattern => "PATTERN",
        /// `POST /sms/phonebook/send`.
        Phonebook => "PHONEBOOK",
        /// `POST /sms/bulk`.
        Bulk => "BULK",
        /// `POST /verify`.
        Verify => "VERIFY",
        /// `POST /console/sign-in`.
        SignIn => "SIGN_IN",
    }
}

impl MessageKind {
    /// Whether it has a code. The request that made it takes it back, and no other.
    pub fn has_code(self) -> bool {
        matches!(self, MessageKind::Verify | MessageKind::SignIn)
    }

    /// Whether its recipients may have a [`RecipientText`].
    pub fn has_recipient_texts(self) -> bool {
        matches!(self, MessageKind::Phonebook | MessageKind::Bulk)
    }
}

/// A message as the object tells it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MessageView {
    /// Its number in its account: its place in a list.
    pub id: i64,
    /// UUID version 7.
    pub uid: String,
    /// Which send made it.
    pub kind: Named<MessageKind>,
    /// Its status.
    pub status: Named<MessageStatus>,
    /// Whether a test key sent it.
    #[serde(default)]
    pub test: bool,
    /// The line it is sent from.
    pub line: String,
    /// Its text, in lists its beginning; empty where each recipient has a whole text of its own.
    pub text: String,
    /// `GSM7` or `UCS2`.
    pub encoding: String,
    /// Parts that a recipient gets, at most.
    pub parts: u32,
    /// What was reserved for it.
    pub cost: i64,
    /// ISO 4217.
    pub unit: String,
    /// The client's own reference.
    pub client_ref: Option<String>,
    /// When it was to be sent.
    pub send_at_ms: Option<i64>,
    /// When the hours of its line begin, for which it waits or has waited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens_ms: Option<i64>,
    /// When it was accepted.
    pub created_ms: i64,
    /// How many recipients it has.
    pub total: u32,
    /// How many numbers were left out; `None` if the request did not ask for that.
    #[serde(default)]
    pub skipped: Option<u32>,
    /// How many recipients have it.
    #[serde(default)]
    pub delivered: u32,
    /// How many recipients have failed to get it.
    #[serde(default)]
    pub failed: u32,
    /// Whether its sender has paused it, and something of it waits.
    #[serde(default)]
    pub paused: bool,
    /// The id of the campaign that it is a wave of.
    #[serde(default)]
    pub campaign: Option<String>,
    /// Whether a carrier that only simulates has, or may have, some of its recipients, as far as the request names such carriers.
    #[serde(default)]
    pub simulated: bool,
    /// What became of its cost; nothing in lists.
    #[serde(default)]
    pub money: Spending,
    /// Recipients by status; empty in lists.
    #[serde(default)]
    pub counts: BTreeMap<Named<RecipientStatus>, u32>,
    /// The first recipients; empty in lists.
    #[serde(default)]
    pub recipients: Vec<RecipientView>,
    /// The cheapest form, if the request asked for it; only for the answer of a request that comes again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cheapest: Option<Cheapest>,
}

/// What became of the cost of a message, in its currency. Together it is the cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spending {
    /// For recipients that have no ending yet.
    pub reserved: i64,
    /// For recipients that a carrier took.
    pub spent: i64,
    /// Reserved, and given back unspent.
    pub released: i64,
    /// Spent, and given back as the plan says.
    pub refunded: i64,
}

impl Spending {
    /// Adds the cost of recipients whose money is in this state.
    pub fn add(&mut self, money: Money, cost: i64) {
        let sum = match money {
            Money::Held => &mut self.reserved,
            Money::Spent => &mut self.spent,
            Money::Released => &mut self.released,
            Money::Refunded => &mut self.refunded,
        };
        *sum = sum.saturating_add(cost);
    }

    /// What is back in the wallet.
    pub fn returned(self) -> i64 {
        self.released.saturating_add(self.refunded)
    }
}

/// What the answer of a send tells of the cheapest form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cheapest {
    /// The text as it is sent, with its secret values redacted; `None` if recipients have texts of their own.
    pub text: Option<String>,
    /// What the texts cost less than as they were given.
    pub saved: i64,
}

/// A recipient as the object tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipientView {
    /// Its index in the message.
    pub index: u32,
    /// Its number.
    pub msisdn: u64,
    /// Its status.
    pub status: Named<RecipientStatus>,
    /// Its price.
    pub cost: i64,
    /// When its status last changed.
    pub changed_ms: i64,
    /// The text that it gets, where that is its own.
    pub text: Option<OwnText>,
    /// The carrier that has it or may have it. Only operators see it.
    pub carrier: Option<String>,
    /// The name of the [error](delivery_error::DeliveryError) for which it did not get the message.
    pub error: Option<String>,
    /// The carrier's own code for the error. Only operators see it.
    pub error_code: Option<String>,
}

/// A text that only one recipient gets, as the object tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnText {
    /// The text, or in lists its beginning.
    pub text: String,
    /// Whether the text goes on.
    #[serde(default)]
    pub is_cut: bool,
    /// `GSM7` or `UCS2`, of the whole text.
    pub encoding: String,
    /// The parts of the whole text.
    pub parts: u32,
}

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Items at most.
    pub limit: u32,
    /// The position of the last item of the page before.
    pub after: Option<i64>,
}
