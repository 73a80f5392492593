//! The records of answers: what is told of a recipient, and of a message from a phone.

use serde::Serialize;
use serde_json::Value;

use crate::api::doors::answer::Members;
use crate::base::time;
use crate::webhook::callbacks::twilio::{API_VERSION, error_code, message_sid, status};

/// The address of an account's resource.
pub fn address(account: &str, resource: &str) -> String {
    format!("/{API_VERSION}/Accounts/{account}{resource}")
}

/// A recipient of our own API.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    pub uid: &'a str,
    pub to: &'a str,
    pub from: &'a str,
    pub text: &'a str,
    pub status: &'a str,
    pub error: Option<&'a str>,
    pub parts: i64,
    pub cost: i64,
    /// ms since the Unix epoch
    pub created_ms: Option<i64>,
    /// ms since the Unix epoch
    pub updated_ms: Option<i64>,
}

impl<'a> Recipient<'a> {
    /// A recipient as `POST /messages/recipients` tells it.
    pub fn found(recipient: &'a Value) -> Self {
        Recipient {
            uid: recipient.text("uid"),
            to: recipient.text("recipient"),
            from: recipient.text("sourceNumber"),
            text: recipient.text("text"),
            status: recipient.text("status"),
            error: recipient.member("error").as_str(),
            parts: recipient.number("parts"),
            cost: recipient.number("cost"),
            created_ms: time::from_rfc3339(recipient.text("createdAt")),
            updated_ms: time::from_rfc3339(recipient.text("updatedAt")),
        }
    }
}

/// The record of a recipient.
#[derive(Debug, Serialize)]
pub struct Record<'a> {
    body: &'a str,
    num_segments: String,
    direction: &'static str,
    from: &'a str,
    to: &'a str,
    date_created: Option<String>,
    date_updated: Option<String>,
    date_sent: Option<String>,
    price: Option<String>,
    price_unit: &'a str,
    error_code: Option<u32>,
    error_message: Option<&'a str>,
    uri: String,
    account_sid: &'a str,
    num_media: &'static str,
    pub status: &'static str,
    pub messaging_service_sid: Option<&'a str>,
    sid: String,
    api_version: &'static str,
    subresource_uris: Subresources,
}

#[derive(Debug, Serialize)]
struct Subresources {
    media: String,
}

/// The record of a recipient. `unit` is that of its price.
pub fn record<'a>(account: &'a str, unit: &'a str, recipient: &Recipient<'a>) -> Record<'a> {
    let sid = sid_of(recipient.uid);
    let own = recipient.status;
    let uri = address(account, &format!("/Messages/{sid}"));
    let is_taken = matches!(own, "SUBMITTED" | "UNKNOWN" | "DELIVERED" | "UNDELIVERED" | "EXPIRED");
    let updated = recipient.updated_ms.map(time::to_rfc5322);
    let created = match recipient.created_ms {
        same if same == recipient.updated_ms => updated.clone(),
        created_ms => created_ms.map(time::to_rfc5322),
    };
    Record {
        body: recipient.text,
        num_segments: recipient.parts.to_string(),
        direction: "outbound-api",
        from: recipient.from,
        to: recipient.to,
        date_created: created,
        date_sent: updated.clone().filter(|_| is_taken),
        date_updated: updated,
        price: is_taken.then(|| price(recipient.cost)),
        price_unit: unit,
        error_code: error_code(own, recipient.error),
        error_message: None,
        uri: format!("{uri}.json"),
        account_sid: account,
        num_media: "0",
        status: status(own),
        messaging_service_sid: None,
        api_version: API_VERSION,
        subresource_uris: Subresources {
            media: format!("{uri}/Media.json"),
        },
        sid,
    }
}

/// The record of a message from a phone, as `GET /inbound` tells it. `sid` is its SID.
pub fn received<'a>(account: &'a str, unit: &'a str, sid: String, message: &'a Value) -> Record<'a> {
    let uri = address(account, &format!("/Messages/{sid}"));
    let text = message.text("text");
    let at = time::from_rfc3339(message.text("receivedAt")).map(time::to_rfc5322);
    Record {
        body: text,
        num_segments: sms::text::segment(text).parts.to_string(),
        direction: "inbound",
        from: message.text("from"),
        to: message.text("line"),
        date_created: at.clone(),
        date_sent: at.clone(),
        date_updated: at,
        price: None,
        price_unit: unit,
        error_code: None,
        error_message: None,
        uri: format!("{uri}.json"),
        account_sid: account,
        num_media: "0",
        status: "received",
        messaging_service_sid: None,
        api_version: API_VERSION,
        subresource_uris: Subresources {
            media: format!("{uri}/Media.json"),
        },
        sid,
    }
}

/// The SID of the recipient with this uid.
fn sid_of(uid: &str) -> String {
    let (message, index) = uid.split_once('.').unwrap_or((uid, "0"));
    message_sid(message, index.parse().unwrap_or_default())
}

/// What was paid, as the protocol writes it: with a minus.
fn price(cost: i64) -> String {
    cost.saturating_neg().to_string()
}
