//! Messages and recipients in the form of the API. Uids and numbers are written straight into the response, because an
//! answer may have a thousand of them.

use std::collections::BTreeMap;

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::account::message::{self, MessageKind, MessageView, RecipientView};
use crate::base::time;
use crate::base::truncate::{self, Excerpt};
use crate::durable::push_number;

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

/// The recipients in the answer of a send.
pub struct SentRecipients<'a>(pub Vec<RecipientData<'a>>);

impl SentRecipients<'_> {
    /// Writes what the derived serializer would write, with fewer steps for each member: with a thousand recipients, that one
    /// took a quarter of the time of the whole request.
    fn to_json(&self) -> serde_json::Result<String> {
        let mut json = String::with_capacity(2 + SENT_BYTES * self.0.len());
        let (mut uid, mut status) = (Escaped::default(), Escaped::default());
        json.push('[');
        for (
            place,
            RecipientData {
                uid: own,
                recipient,
                status: now,
                cost,
            },
        ) in self.0.iter().enumerate()
        {
            json.push_str(if place == 0 { r#"{"uid":""# } else { r#",{"uid":""# });
            json.push_str(uid.of(own.0)?);
            json.push('.');
            push_number(&mut json, own.1);
            json.push_str(r#"","recipient":"+"#);
            push_number(&mut json, recipient.0);
            json.push_str(r#"","status":""#);
            json.push_str(status.of(now)?);
            json.push_str(r#"","cost":"#);
            push_number(&mut json, *cost);
            json.push('}');
        }
        json.push(']');
        Ok(json)
    }
}

/// About the length of a recipient in the answer of a send.
const SENT_BYTES: usize = 110;

/// A text as JSON without its quotes. It is kept, because the next recipient mostly has the same.
#[derive(Default)]
struct Escaped<'a> {
    text: Option<&'a str>,
    json: String,
}

impl<'a> Escaped<'a> {
    fn of(&mut self, text: &'a str) -> serde_json::Result<&str> {
        if self.text != Some(text) {
            self.json = serde_json::to_string(text)?;
            self.text = Some(text);
        }
        let inner = self.json.get(1..self.json.len().saturating_sub(1));
        Ok(inner.unwrap_or_default())
    }
}

impl Serialize for SentRecipients<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = self
            .to_json()
            .and_then(RawValue::from_string)
            .map_err(S::Error::custom)?;
        json.serialize(serializer)
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
    pub recipients: SentRecipients<'a>,
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
            recipients: SentRecipients(
                message
                    .recipients
                    .iter()
                    .map(|view| RecipientData::of(&message.uid, view))
                    .collect(),
            ),
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
        MessageData::with_text(message, Excerpt::of(&message.text, truncate::MESSAGE_BYTES))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipients_of_a_send_are_written_as_they_would_be_one_by_one() {
        let one = |uid, index, msisdn, status, cost| RecipientData {
            uid: RecipientUid(uid, index),
            recipient: E164(msisdn),
            status,
            cost,
        };
        let all = vec![
            one(
                "019b796d-a000-7000-8000-000000000000",
                0,
                989_121_234_567,
                "QUEUED",
                1_000,
            ),
            one(
                "019b796d-a000-7000-8000-000000000000",
                u32::MAX,
                u64::MAX,
                "QUEUED",
                i64::MAX,
            ),
            one("\"strange\\\n", 1, 0, "of a \"newer\" version\u{1}", i64::MIN),
            one("", 2, 1, "", 0),
            one("019b796d-a000-7000-8000-000000000000", 3, 1, "QUEUED", 0),
        ];
        let plainly = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::to_string(&SentRecipients(all)).unwrap(), plainly);
        assert_eq!(serde_json::to_string(&SentRecipients(Vec::new())).unwrap(), "[]");
    }
}
