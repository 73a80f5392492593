//! The records of answers: what is told of a recipient.

use serde_json::{Value, json};

use crate::api::doors::answer::Members;
use crate::base::time;
use crate::base::twilio::{API_VERSION, error_code, message_sid, status};

/// The address of an account's resource.
pub fn address(account: &str, resource: &str) -> String {
    format!("/{API_VERSION}/Accounts/{account}{resource}")
}

/// The record of a recipient, as `POST /messages/recipients` tells it. `unit` is that of its price.
pub fn record(account: &str, unit: &str, recipient: &Value) -> Value {
    let sid = sid_of(recipient.text("uid"));
    let own = recipient.text("status");
    let uri = |rest: &str| address(account, &format!("/Messages/{sid}{rest}.json"));
    let is_taken = matches!(own, "SUBMITTED" | "UNKNOWN" | "DELIVERED" | "UNDELIVERED" | "EXPIRED");
    let updated = date(recipient.text("updatedAt"));
    json!({
        "body": recipient.text("text"),
        "num_segments": recipient.number("parts").to_string(),
        "direction": "outbound-api",
        "from": recipient.text("sourceNumber"),
        "to": recipient.text("recipient"),
        "date_created": date(recipient.text("createdAt")),
        "date_updated": updated,
        "date_sent": is_taken.then_some(updated),
        "price": is_taken.then(|| price(recipient.number("cost"))),
        "price_unit": unit,
        "error_code": error_code(own, recipient.member("error").as_str()),
        "error_message": null,
        "uri": uri(""),
        "account_sid": account,
        "num_media": "0",
        "status": status(own),
        "messaging_service_sid": null,
        "sid": sid,
        "api_version": API_VERSION,
        "subresource_uris": {"media": uri("/Media"), "feedback": uri("/Feedback")},
    })
}

/// The SID of the recipient with this uid.
fn sid_of(uid: &str) -> String {
    let (message, index) = uid.split_once('.').unwrap_or((uid, "0"));
    message_sid(message, index.parse().unwrap_or_default())
}

/// A time of our own API as the protocol writes it.
fn date(time: &str) -> Option<String> {
    time::from_rfc3339(time).map(time::to_rfc5322)
}

/// What was paid, as the protocol writes it: with a minus.
fn price(cost: i64) -> String {
    cost.saturating_neg().to_string()
}
