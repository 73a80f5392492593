//! What a message is, as it is stored: once, in the row of its first chunk, because a row of its own would be a good part of what a
//! message costs. Nothing of it changes afterwards, but for what goes, `halt` and `opens_ms`. The view `message` shows it to whoever reads.

use super::callback::Callback;
use super::status::RecipientStatus;
use super::{MessageKind, NewMessage};
use crate::base::{named::numbers, record::record};

/// What the sender of a message wants of what has not left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// It waits until the sender lets it go on.
    Paused,
    /// It never leaves.
    Canceled,
}

numbers!(pub Halt Paused = 1, Canceled = 2,);

record! {
    /// What a message is. In the rows of its other chunks all of this is NULL.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MessageRow by message_row {
        /// UUID version 7. Its last twelve digits are the message's number, so that no index has to find a message by its uid.
        pub uid: String = uid "TEXT";
        /// Which send made it.
        pub kind: MessageKind = kind "TEXT";
        /// Whether a test key sent it.
        pub test: bool = test "INTEGER";
        /// The line it is sent from.
        pub line: String = line "TEXT";
        encoding: String = encoding "TEXT";
        parts: u32 = parts "INTEGER";
        cost: i64 = cost "INTEGER";
        unit: String = unit "TEXT";
        /// For which statuses its money goes back.
        pub refunds: Vec<RecipientStatus> as words = refunds "TEXT";
        client_ref: Option<String> = client_ref "TEXT";
        /// When it is to be sent; at once when `None`.
        pub send_at_ms: Option<i64> = send_at_ms "INTEGER";
        /// When the hours of its line begin, for which it waits or has waited.
        opens_ms: Option<i64> = opens_ms "INTEGER";
        /// When it was accepted, ms since the Unix epoch. It grows with the message's number.
        pub created_ms: i64 = created_ms "INTEGER";
        total: u32 = total "INTEGER";
        /// The recipient's number, if there is only one.
        msisdn: Option<i64> = msisdn "INTEGER";
        /// The idempotency key that it came with.
        pub key: Option<String> = key "TEXT";
        /// The hash of the request that it came with.
        key_hash: Option<String> = key_hash "TEXT";
        /// Whether it is made of patterns.
        has_pattern: bool = has_pattern "INTEGER";
        /// When it expires; never when `None`.
        pub expires_ms: Option<i64> = expires_ms "INTEGER";
        /// What its texts cost less than as they were given; `None` if the request did not ask for that.
        saved: Option<i64> = saved "INTEGER";
        /// The text that all recipients get, or the one with the placeholders, or the one without the code.
        pub text: String = text "TEXT";
        /// What stays of the text when its secret values are redacted; `None` if no text of the message has any.
        pub redacted: Option<String> = redacted "TEXT";
        /// The whole text of a message with a code, sealed, until a carrier has it.
        sealed: Option<String> = sealed "TEXT";
        /// Whether its sender has stopped it.
        pub halt: Option<Halt> = halt "INTEGER";
        /// How many numbers were left out; `None` if the request did not ask for that. They stand in chunks behind the others.
        skipped: Option<u32> = skipped "INTEGER";
        /// The number of the campaign that it is a wave of.
        pub campaign: Option<i64> = campaign "INTEGER";
        /// Who hears what becomes of its recipient, as long as a report of that is waited for.
        pub callback: Option<Callback> = callback "TEXT";
        /// The number of its sender. `None`: it was no key, or nobody has noted it.
        pub sender: Option<i64> = sender "INTEGER";
    }
}
pub(in crate::account) use message_row;

impl MessageRow {
    /// The row of a message that is accepted at this time. `msisdn` is its recipient's number, if it has only one, `sealed` its
    /// sealed text, if that has a code, and `sender` the number of who sends it.
    pub fn of_new(
        message: &NewMessage,
        uid: String,
        created_ms: i64,
        msisdn: Option<i64>,
        sealed: Option<String>,
        sender: Option<i64>,
    ) -> Self {
        MessageRow {
            uid,
            kind: message.kind,
            test: message.test,
            line: message.line.clone(),
            text: message.text.clone(),
            redacted: message.redacted.clone(),
            encoding: message.encoding.clone(),
            parts: message.parts,
            cost: message.cost,
            unit: message.unit.clone(),
            refunds: message.refunds.clone(),
            client_ref: message.client_ref.clone(),
            send_at_ms: message.send_at_ms,
            opens_ms: message.opens_ms,
            expires_ms: message.expires_ms,
            created_ms,
            total: message.count,
            msisdn,
            key: message.idempotency.as_ref().map(|idempotency| idempotency.key.clone()),
            key_hash: message.idempotency.as_ref().map(|idempotency| idempotency.hash.clone()),
            has_pattern: !message.patterns.is_empty() || message.kind == MessageKind::Verify,
            saved: message.saved,
            sealed,
            halt: None,
            skipped: message.skipped_count(),
            campaign: message.campaign,
            callback: message.callback.clone(),
            sender,
        }
    }
}
