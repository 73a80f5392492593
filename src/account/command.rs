//! What can be asked of an account's object, and what it answers. Carried as JSON between the worker and the object.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::ledger::{EntryKind, Wallet};
use super::limiter::{Decision, Limit};
use super::progress::LEASE_MS;
use super::status::{MessageStatus, RecipientStatus};
use super::store::MIRROR_DELAY_MS;
use crate::auth::{Mode, Scope};
use crate::sms::template::Template;

/// One call to an account's object.
#[derive(Debug, Serialize, Deserialize)]
pub struct Call {
    /// The account that is asked; an object remembers its own on its first call.
    pub account: String,
    /// The API key that stands behind the call; such a call pays one token and is refused when the key is revoked.
    /// `None` for the service's own calls.
    pub key: Option<String>,
    /// What is asked.
    pub command: Command,
}

/// What is asked. Times are milliseconds since the Unix epoch, money is in the account's minor unit.
#[derive(Debug, Serialize, Deserialize)]
pub enum Command {
    /// Nothing but the token. With an idempotency key, a request that succeeded before is answered again.
    Charge(Option<Idempotency>),
    /// Accepts a message, or refuses it.
    Send(Box<Send>),
    /// Tells all that would be said against a message, and does nothing.
    Estimate(Box<Send>),
    /// Takes a scheduled message back.
    Cancel(String),
    /// The scheduled messages that were made of something, by its name in [`Send::uses`].
    Uses(String),
    /// A pattern was changed: sends that know an older revision of it have to look again.
    PatternChanged {
        /// Which.
        slug: String,
        /// Its newest revision.
        revision: i64,
    },
    /// The blacklist, newest first, or only this number of it.
    Blacklist(Option<u64>, Page),
    /// Puts numbers on the blacklist.
    BlacklistAdd(Vec<u64>),
    /// Takes numbers off the blacklist.
    BlacklistRemove(Vec<u64>),
    /// Messages, newest first.
    Messages(MessageFilter, Page),
    /// One message with its counts and first recipients.
    Message(String),
    /// The recipients of one message.
    Recipients(String, Option<RecipientStatus>, Page),
    /// Status, switches, limit and money.
    Overview,
    /// The ledger, newest first.
    Transactions(Page),
    /// Adds money (or takes it back when negative).
    Credit(Credit),
    /// Changes status, switch or limit.
    Configure(Configure),
    /// Records a new API key.
    IssueKey(KeyView),
    /// Keys, newest first.
    Keys {
        /// How many at most.
        limit: u32,
        /// The last key of the page before.
        after: Option<String>,
    },
    /// Revokes a key at once.
    RevokeKey(String),
    /// Replaces a key: the old one ends at the given time, the new one takes its place.
    RotateKey(RotateKey),
    /// Takes chunks for handing to a carrier.
    Claim(Vec<ChunkRef>),
    /// What the carrier said to claimed chunks.
    Report(Vec<ChunkReport>),
    /// Delivery reports.
    Deliver(Vec<DeliveryReport>),
}

impl Command {
    /// The earliest time at which this command may have given the object's alarm something to do: an alarm that rings
    /// then finds out for itself. `None`: it gives it nothing.
    pub fn due_ms(&self, now_ms: i64) -> Option<i64> {
        match self {
            Command::Send(send) if send.send_at_ms.is_none() => Some(now_ms),
            Command::Send(_)
            | Command::Cancel(_)
            | Command::Credit(_)
            | Command::Configure(_)
            | Command::Report(_)
            | Command::Deliver(_) => Some(now_ms.saturating_add(MIRROR_DELAY_MS)),
            Command::Claim(_) => Some(now_ms.saturating_add(LEASE_MS)),
            _ => None,
        }
    }
}

/// An `Idempotency-Key` and what it was sent with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Idempotency {
    /// The client's key.
    pub key: String,
    /// SHA-256 of endpoint and body, hex.
    pub hash: String,
}

/// A message to accept, all priced.
#[derive(Debug, Serialize, Deserialize)]
pub struct Send {
    /// UUID version 7.
    pub uid: String,
    /// Which send it came from.
    pub kind: MessageKind,
    /// The line it is sent from.
    pub line: String,
    /// The carrier of that line.
    pub carrier: String,
    /// From a test key: costs nothing and reaches no carrier.
    pub test: bool,
    /// The text, line ends normalised; where recipients have values of their own, with placeholders; empty where they
    /// have texts of their own.
    pub text: String,
    /// `GSM7` or `UCS2`, which it is as soon as one recipient's text is.
    pub encoding: String,
    /// Parts a recipient, at most.
    pub parts: u32,
    /// The sum over all recipients.
    pub cost: i64,
    /// ISO 4217.
    pub unit: String,
    /// The endings that the plan gives the money back for.
    pub refunds: Vec<RecipientStatus>,
    /// The client's own reference.
    pub client_ref: Option<String>,
    /// When to send; at once when `None`.
    pub send_at_ms: Option<i64>,
    /// The request's idempotency key.
    pub idempotency: Option<Idempotency>,
    /// The operator's switch for all accounts.
    pub sending_enabled: bool,
    /// The patterns it was made of, with the revisions that were read.
    pub patterns: Vec<(String, i64)>,
    /// What it was made of, `phonebook:<id>` or `pattern:<slug>`: not to be deleted while it is scheduled.
    pub uses: Vec<String>,
    /// How many recipients there are.
    pub count: u32,
    /// The recipients.
    pub recipients: Vec<Group>,
}

/// Recipients that follow one another, few enough to be handed to SQL as one value.
#[derive(Debug, Serialize, Deserialize)]
pub struct Group {
    /// Index of the first.
    pub first: u32,
    /// `[[msisdn, cost], …]` or, with something of their own, `[[msisdn, cost, own], …]` ([`Own`]); handed to SQL as it is.
    pub items: Box<RawValue>,
}

/// What one recipient's text has of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Own {
    /// All of it.
    #[serde(rename = "text")]
    Text(String),
    /// The values for the placeholders of the message's text.
    #[serde(rename = "values")]
    Values(BTreeMap<String, String>),
}

impl Own {
    /// The text that the recipient gets.
    pub fn text(&self, message: &str) -> String {
        match self {
            Own::Text(text) => text.clone(),
            Own::Values(values) => Template::parse(message, |name| values.contains_key(name))
                .fill(|name| values.get(name).map_or("", String::as_str)),
        }
    }
}

/// Which send a message came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MessageKind {
    /// `POST /sms/send`.
    Plain,
    /// `POST /sms/pattern`.
    Pattern,
    /// `POST /sms/phonebook/send`.
    Phonebook,
    /// `POST /sms/bulk`.
    Bulk,
}

impl MessageKind {
    /// All of them.
    pub const ALL: [MessageKind; 4] = [
        MessageKind::Plain,
        MessageKind::Pattern,
        MessageKind::Phonebook,
        MessageKind::Bulk,
    ];

    /// Its name in the API and in the object's SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageKind::Plain => "PLAIN",
            MessageKind::Pattern => "PATTERN",
            MessageKind::Phonebook => "PHONEBOOK",
            MessageKind::Bulk => "BULK",
        }
    }

    /// Whether its recipients may have texts of their own.
    pub fn has_own_texts(self) -> bool {
        matches!(self, MessageKind::Phonebook | MessageKind::Bulk)
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        MessageKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A credit or its reversal.
#[derive(Debug, Serialize, Deserialize)]
pub struct Credit {
    /// Not 0.
    pub amount: i64,
    /// Why, in the operator's words.
    pub note: Option<String>,
    /// The request's idempotency key.
    pub idempotency: Option<Idempotency>,
}

/// A change of settings; what is `None` stays.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Configure {
    /// Whether the account is active.
    pub active: Option<bool>,
    /// The account's own sending switch.
    pub sending_enabled: Option<bool>,
    /// The rate limit.
    pub limit: Option<Limit>,
}

/// A key as the object keeps it: everything but the key itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// UUID version 7.
    pub id: String,
    /// What it is for, in its owner's words.
    pub title: String,
    /// Hex SHA-256 of the key.
    pub digest: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Live or test.
    pub mode: Mode,
    /// The lines it is limited to.
    pub lines: Option<Vec<String>>,
    /// When it was made.
    pub created_ms: i64,
    /// When it ends by itself.
    pub expires_ms: Option<i64>,
    /// When it was revoked.
    pub revoked_ms: Option<i64>,
}

/// A rotation.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateKey {
    /// The key that ends.
    pub id: String,
    /// Its successor's id.
    pub new_id: String,
    /// Its successor's digest.
    pub new_digest: String,
    /// When the old one ends.
    pub old_expires_ms: i64,
}

/// What narrows a list of messages.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct MessageFilter {
    /// Only of this status.
    pub status: Option<MessageStatus>,
    /// Only of this kind.
    pub kind: Option<MessageKind>,
    /// Accepted at or after.
    pub from_ms: Option<i64>,
    /// Accepted before.
    pub to_ms: Option<i64>,
    /// To this number.
    pub msisdn: Option<u64>,
    /// With this client reference.
    pub client_ref: Option<String>,
}

/// Which part of a list: `after` is the position of the last item of the page before.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Page {
    /// Items at most.
    pub limit: u32,
    /// Where the page before ended.
    pub after: Option<i64>,
}

/// A chunk of one message at one attempt: what travels through the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkRef {
    /// The message's number in its account.
    pub message: i64,
    /// Index of its first recipient.
    pub start: u32,
    /// How often it was claimed before; a claim for another number claims nothing.
    pub attempt: u32,
}

/// What a carrier said to one claimed chunk; who is not named was refused for the moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkReport {
    /// The chunk, `attempt` as given by the claim.
    pub chunk: ChunkRef,
    /// Taken by the carrier.
    pub submitted: Vec<u32>,
    /// Refused for good.
    pub rejected: Vec<u32>,
    /// No clear answer: the carrier may have them.
    pub unknown: Vec<u32>,
}

/// Recipients of one message that reached the same state at the carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryReport {
    /// The message's number in its account.
    pub message: i64,
    /// Where its recipients are now.
    pub status: RecipientStatus,
    /// Which of them.
    pub indexes: Vec<u32>,
}

/// The object's answer to a call.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The limiter's word on a call with a key.
    pub limit: Option<LimitState>,
    /// The answer, or why there is none.
    pub outcome: Result<Answer, Refusal>,
}

/// The state of the limiter after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitState {
    /// What is allowed.
    pub limit: Limit,
    /// What it decided.
    pub decision: Decision,
}

/// A positive answer.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// Done, nothing to tell.
    Done,
    /// The message is accepted.
    Accepted,
    /// To [`Command::Estimate`]: the refusals that a send would meet, the one it would be answered first.
    Estimated(Vec<Refusal>),
    /// A pattern of the message was changed since it was read: nothing was done.
    PatternsStale,
    /// To [`Command::Uses`]: uids of messages.
    Uses(Vec<String>),
    /// To [`Command::Blacklist`].
    Blacklist(Vec<Blocked>),
    /// To [`Command::BlacklistAdd`] and [`Command::BlacklistRemove`]: how many were new, or there.
    Counted(u32),
    /// It was accepted before, by the same idempotency key.
    Replayed(Box<MessageView>),
    /// To [`Command::Messages`].
    Messages(Vec<MessageView>),
    /// To [`Command::Message`].
    Message(Box<MessageView>),
    /// To [`Command::Recipients`]: the message's uid and its recipients.
    Recipients(String, Vec<RecipientView>),
    /// To [`Command::Overview`] and [`Command::Configure`].
    Overview(Overview),
    /// To [`Command::Transactions`].
    Transactions(Vec<EntryView>),
    /// To [`Command::Credit`].
    Credited {
        /// The wallet after it.
        wallet: Wallet,
        /// Answered from an earlier request with the same idempotency key.
        replayed: bool,
    },
    /// To [`Command::Keys`].
    Keys(Vec<KeyView>),
    /// To [`Command::RevokeKey`]: the key that ended.
    Revoked(KeyView),
    /// To [`Command::RotateKey`]: the old key and the new one.
    Rotated(Box<(KeyView, KeyView)>),
    /// To [`Command::Claim`].
    Claimed(Vec<Job>),
}

/// A negative answer: nothing was changed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refusal {
    /// The key is revoked or has ended.
    KeyRevoked,
    /// No token is left.
    RateLimited,
    /// The idempotency key came with another request before.
    IdempotencyMismatch,
    /// The account is not active.
    Inactive,
    /// Sending is switched off, for all (`true`) or for the account.
    SendingOff(bool),
    /// The money is short.
    InsufficientBalance {
        /// What it would have taken.
        cost: i64,
        /// What there is.
        available: i64,
    },
    /// More money than a wallet can hold.
    WalletFull,
    /// No such message or key.
    NotFound,
    /// As many keys as an account may have.
    TooManyKeys,
    /// These recipients are on the account's blacklist.
    Blacklisted(Vec<u64>),
    /// As many numbers as a blacklist may have.
    BlacklistFull,
    /// The message does not wait for its time (any more).
    NotScheduled,
}

/// A number on the blacklist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// Its place in the list.
    pub id: i64,
    /// The number.
    pub msisdn: u64,
    /// When it was put there.
    pub created_ms: i64,
}

/// A message as it is told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MessageView {
    /// Its number in its account: the place in a list.
    pub id: i64,
    /// UUID version 7.
    pub uid: String,
    /// Which send it came from.
    pub kind: MessageKind,
    /// Where it is.
    pub status: MessageStatus,
    /// From a test key.
    pub test: bool,
    /// The line it was sent from.
    pub line: String,
    /// Its text; empty where each recipient has a text of its own.
    pub text: String,
    /// `GSM7` or `UCS2`.
    pub encoding: String,
    /// Parts a recipient, at most.
    pub parts: u32,
    /// What was reserved for it.
    pub cost: i64,
    /// ISO 4217.
    pub unit: String,
    /// The client's own reference.
    pub client_ref: Option<String>,
    /// When it was to be sent.
    pub send_at_ms: Option<i64>,
    /// When it was accepted.
    pub created_ms: i64,
    /// How many recipients it has.
    pub total: u32,
    /// Recipients by status; empty in lists.
    pub counts: BTreeMap<RecipientStatus, u32>,
    /// The first recipients; empty in lists.
    pub recipients: Vec<RecipientView>,
}

/// A recipient as it is told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RecipientView {
    /// Its place in the message.
    pub index: u32,
    /// Its number.
    pub msisdn: u64,
    /// Where it is.
    pub status: RecipientStatus,
    /// What it was priced at.
    pub cost: i64,
    /// When its status last changed.
    pub changed_ms: i64,
    /// The text it gets, where that is its own.
    pub text: Option<String>,
}

/// Status, switches, limit and money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// Whether the account is active.
    pub active: bool,
    /// The account's own sending switch.
    pub sending_enabled: bool,
    /// The rate limit.
    pub limit: Limit,
    /// The money.
    pub wallet: Wallet,
}

/// A ledger entry as it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryView {
    /// Its number, from 1.
    pub seq: i64,
    /// What happened.
    pub kind: EntryKind,
    /// How much was moved.
    pub amount: i64,
    /// Available after it.
    pub available: i64,
    /// Locked after it.
    pub locked: i64,
    /// The message it belongs to.
    pub message_uid: Option<String>,
    /// The operator's words.
    pub note: Option<String>,
    /// When.
    pub at_ms: i64,
}

/// A claimed chunk: what a carrier needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Job {
    /// The chunk, `attempt` being this claim's own.
    pub chunk: ChunkRef,
    /// The message's uid.
    pub uid: String,
    /// The carrier to hand it to.
    pub carrier: String,
    /// The line it is sent from.
    pub line: String,
    /// Its text.
    pub text: String,
    /// An earlier claim ended without a report: the carrier may have some of them already.
    pub in_doubt: bool,
    /// Until when it may be handed over, ms since the Unix epoch: later, somebody else may have claimed it.
    pub hand_over_by_ms: i64,
    /// `(index, msisdn)` of the recipients that are to be handed over.
    pub recipients: Vec<(u32, u64)>,
    /// What the recipients' texts have of their own, by index.
    pub own: BTreeMap<u32, Own>,
}

impl Job {
    /// The text that one of its recipients gets.
    pub fn text_for(&self, index: u32) -> Cow<'_, str> {
        match self.own.get(&index) {
            Some(own) => Cow::Owned(own.text(&self.text)),
            None => Cow::Borrowed(&self.text),
        }
    }
}
