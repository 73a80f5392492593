//! Messages and recipients in the form of the API. Uids and numbers are written straight into the response, because an
//! answer may have a thousand of them.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::account::message::{self, MessageKind, MessageView, RecipientView};
use crate::excerpt::{self, Excerpt};
use crate::time;

/// Adds a member to a JSON object.
pub fn with(mut object: Value, name: &str, value: impl Into<Value>) -> Value {
    if let Value::Object(members) = &mut object {
        members.insert(name.to_owned(), value.into());
    }
    object
}

/// The uid of a recipient: the uid of the message, and the recipient's index in it.
pub struct RecipientUid<'a>(pub &'a str, pub u32);

impl Serialize for RecipientUid<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}.{}", self.0, self.1))
    }
}

/// A phone number in E.164.
pub struct E164(pub u64);

impl Serialize for E164 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("+{}", self.0))
    }
}

/// A recipient in the answer of a send.
#[derive(Serialize)]
#[allow(missing_docs, reason = "the members are those of docs/api.md")]
pub struct RecipientData<'a> {
    pub uid: RecipientUid<'a>,
    pub recipient: E164,
    pub status: &'a str,
    pub cost: i64,
}

impl<'a> RecipientData<'a> {
    fn of(uid: &'a str, view: &'a RecipientView) -> Self {
        RecipientData {
            uid: RecipientUid(uid, view.index),
            recipient: E164(view.msisdn),
            status: view.status.as_str(),
            cost: view.cost,
        }
    }
}

/// The answer of a send.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the members are those of docs/api.md")]
pub struct SentData<'a> {
    pub uid: &'a str,
    pub status: &'a str,
    pub r#type: &'a str,
    pub source_number: &'a str,
    pub encoding: &'a str,
    pub parts: u32,
    pub cost: i64,
    pub unit: &'a str,
    pub client_ref: Option<&'a str>,
    pub send_at: Option<String>,
    pub recipients: Vec<RecipientData<'a>>,
}

impl<'a> SentData<'a> {
    /// The answer of the send that made a message.
    pub fn of(message: &'a MessageView) -> Self {
        SentData {
            uid: &message.uid,
            status: message.status.as_str(),
            r#type: message.kind.as_str(),
            source_number: &message.line,
            encoding: &message.encoding,
            parts: message.parts,
            cost: message.cost,
            unit: &message.unit,
            client_ref: message.client_ref.as_deref(),
            send_at: message.send_at_ms.map(time::to_rfc3339),
            recipients: message
                .recipients
                .iter()
                .map(|view| RecipientData::of(&message.uid, view))
                .collect(),
        }
    }
}

/// A recipient of a message that was accepted before.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecipientState<'a> {
    #[serde(flatten)]
    recipient: RecipientData<'a>,
    updated_at: String,
    /// Why the recipient did not get the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// The recipient's own text, if the recipient has one.
    #[serde(flatten)]
    text: Option<OwnText<'a>>,
}

/// A text that only one recipient gets.
#[derive(Serialize)]
struct OwnText<'a> {
    message: &'a str,
    #[serde(rename = "textTruncated", skip_serializing_if = "is_false")]
    is_cut: bool,
    encoding: &'a str,
    parts: u32,
}

impl<'a> OwnText<'a> {
    fn of(text: &'a message::OwnText) -> Self {
        OwnText {
            message: &text.text,
            is_cut: text.is_cut,
            encoding: &text.encoding,
            parts: text.parts,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl<'a> RecipientState<'a> {
    /// A recipient of the message with this uid.
    pub fn of(uid: &'a str, view: &'a RecipientView) -> Self {
        RecipientState {
            recipient: RecipientData::of(uid, view),
            updated_at: time::to_rfc3339(view.changed_ms),
            error: view.error.as_deref(),
            text: view.text.as_ref().map(OwnText::of),
        }
    }
}

/// A recipient as operators see it: with its carrier, without its text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OperatorsRecipient<'a> {
    #[serde(flatten)]
    recipient: RecipientData<'a>,
    updated_at: String,
    carrier: Option<&'a str>,
    error: Option<&'a str>,
    error_code: Option<&'a str>,
}

impl<'a> OperatorsRecipient<'a> {
    /// A recipient of the message with this uid.
    pub fn of(uid: &'a str, view: &'a RecipientView) -> Self {
        OperatorsRecipient {
            recipient: RecipientData::of(uid, view),
            updated_at: time::to_rfc3339(view.changed_ms),
            carrier: view.carrier.as_deref(),
            error: view.error.as_deref(),
            error_code: view.error_code.as_deref(),
        }
    }
}

/// A message without its recipients.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageData<'a> {
    uid: &'a str,
    status: &'a str,
    r#type: &'a str,
    test: bool,
    source_number: &'a str,
    message: Option<&'a str>,
    #[serde(rename = "textTruncated", skip_serializing_if = "is_false")]
    is_cut: bool,
    encoding: &'a str,
    parts: u32,
    recipient_count: u32,
    cost: i64,
    unit: &'a str,
    client_ref: Option<&'a str>,
    send_at: Option<String>,
    created_at: String,
}

impl<'a> MessageData<'a> {
    /// A message in a list, with the beginning of its text.
    pub fn listed(message: &'a MessageView) -> Self {
        MessageData::with_text(message, Excerpt::of(&message.text, excerpt::MESSAGE_BYTES))
    }

    fn whole(message: &'a MessageView) -> Self {
        MessageData::with_text(message, Excerpt::of(&message.text, usize::MAX))
    }

    fn with_text(message: &'a MessageView, text: Excerpt<'a>) -> Self {
        MessageData {
            uid: &message.uid,
            status: message.status.as_str(),
            r#type: message.kind.as_str(),
            test: message.test,
            source_number: &message.line,
            message: Some(text.text).filter(|_| message.kind.known() != Some(MessageKind::Bulk)),
            is_cut: text.is_cut,
            encoding: &message.encoding,
            parts: message.parts,
            recipient_count: message.total,
            cost: message.cost,
            unit: &message.unit,
            client_ref: message.client_ref.as_deref(),
            send_at: message.send_at_ms.map(time::to_rfc3339),
            created_at: time::to_rfc3339(message.created_ms),
        }
    }
}

/// A message by itself.
#[derive(Serialize)]
pub struct MessageDetail<'a> {
    #[serde(flatten)]
    message: MessageData<'a>,
    counts: BTreeMap<&'a str, u32>,
    recipients: Vec<RecipientState<'a>>,
}

impl<'a> MessageDetail<'a> {
    /// A message with its counts and its first recipients.
    pub fn of(message: &'a MessageView) -> Self {
        MessageDetail {
            message: MessageData::whole(message),
            counts: message
                .counts
                .iter()
                .map(|(status, count)| (status.as_str(), *count))
                .collect(),
            recipients: message
                .recipients
                .iter()
                .map(|view| RecipientState::of(&message.uid, view))
                .collect(),
        }
    }
}
