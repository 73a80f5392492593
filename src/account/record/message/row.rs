//! What a message is, as it is stored: once, in the row of its first chunk, because a row of its own would be a good part of what a
//! message costs. Nothing of it changes afterwards, but for what goes. The view `message` shows it to whoever reads.

use super::callback::Callback;
use super::code_text::CodeText;
use super::{MessageKind, NewMessage};
use crate::account::record::idempotency::Idempotency;
use crate::base::ports::{PortError, Value};
use crate::durable::to_json;

/// What a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageRow {
    /// UUID version 7. Its last twelve digits are the message's number.
    pub uid: String,
    /// Which send made it.
    pub kind: &'static str,
    /// Whether a test key sent it.
    pub test: bool,
    /// The line it is sent from.
    pub line: String,
    /// The text that all recipients get, or the one with the placeholders.
    pub text: String,
    /// What stays of the text when its secret values are redacted; `None` if no text of the message has any.
    pub redacted: Option<String>,
    encoding: String,
    parts: u32,
    cost: i64,
    unit: String,
    refunds: String,
    client_ref: Option<String>,
    /// When it is to be sent; at once when `None`.
    pub send_at_ms: Option<i64>,
    /// When it expires; never when `None`.
    pub expires_ms: Option<i64>,
    /// When it was accepted, ms since the Unix epoch.
    pub created_ms: i64,
    total: u32,
    msisdn: Option<i64>,
    /// The idempotency key that it came with.
    pub key: Option<Idempotency>,
    has_pattern: bool,
    /// The text as its recipient gets it, if it has a code; `text` is then without.
    pub code_text: Option<CodeText>,
    saved: Option<i64>,
    callback: Option<Callback>,
}

/// The columns in the order of [`MessageRow::values`].
macro_rules! message_row_columns {
    () => {
        "uid, kind, test, line, encoding, parts, cost, unit, refunds, client_ref, send_at_ms, created_ms, total, msisdn, key, \
         key_hash, has_pattern, expires_ms, saved, text, redacted, sealed, callback"
    };
}
pub(in crate::account) use message_row_columns;

/// How many they are.
pub const COLUMNS: usize = 23;

impl MessageRow {
    /// The row of a message that is accepted at this time. `msisdn` is its recipient's number, if it has only one.
    pub fn of(message: &NewMessage, uid: String, created_ms: i64, msisdn: Option<i64>) -> Self {
        let refunds: Vec<&str> = message.refunds.iter().map(|status| status.as_str()).collect();
        MessageRow {
            uid,
            kind: message.kind.as_str(),
            test: message.test,
            line: message.line.clone(),
            text: message.text.clone(),
            redacted: message.redacted.clone(),
            encoding: message.encoding.clone(),
            parts: message.parts,
            cost: message.cost,
            unit: message.unit.clone(),
            refunds: refunds.join(" "),
            client_ref: message.client_ref.clone(),
            send_at_ms: message.send_at_ms,
            expires_ms: message.expires_ms,
            created_ms,
            total: message.count,
            msisdn,
            key: message.idempotency.clone(),
            has_pattern: !message.patterns.is_empty() || message.kind == MessageKind::Verify,
            code_text: None,
            saved: message.saved,
            callback: message.callback.clone(),
        }
    }

    /// What the columns get.
    pub fn values(&self) -> Result<[Value; COLUMNS], PortError> {
        let key = self.key.as_ref();
        let callback = self.callback.as_ref().map(to_json).transpose()?;
        Ok([
            self.uid.as_str().into(),
            self.kind.into(),
            self.test.into(),
            self.line.as_str().into(),
            self.encoding.as_str().into(),
            self.parts.into(),
            self.cost.into(),
            self.unit.as_str().into(),
            self.refunds.as_str().into(),
            self.client_ref.as_deref().into(),
            self.send_at_ms.into(),
            self.created_ms.into(),
            self.total.into(),
            self.msisdn.into(),
            key.map(|key| key.key.as_str()).into(),
            key.map(|key| key.hash.as_str()).into(),
            self.has_pattern.into(),
            self.expires_ms.into(),
            self.saved.into(),
            self.text.as_str().into(),
            self.redacted.as_deref().into(),
            self.code_text.as_ref().map(|text| text.sealed.as_str()).into(),
            callback.into(),
        ])
    }
}
