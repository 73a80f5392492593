//! The entries of answers: what is told of a recipient.

use serde::Serialize;
use serde_json::{Value, json};

use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;
use crate::api::doors::send::{SentRecipient, canonical};

/// The step from the ids of one message to those of the next.
const RADIX: i64 = 10_000;
/// The status of an id that nobody knows.
pub const UNKNOWN_ID: u16 = 100;
/// The status of what was not accepted.
const FAILED: u16 = 6;
/// The status of who is blocked.
const BLOCKED: u16 = 14;

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The number of the message in its account and the index of the recipient, in one.
    #[serde(rename = "messageid")]
    pub id: i64,
    /// The text.
    pub message: String,
    /// The status, as a number of the protocol.
    pub status: u16,
    #[serde(rename = "statustext")]
    pub status_text: &'static str,
    /// The line.
    pub sender: String,
    /// The number, as people write it.
    pub receptor: String,
    /// When it was accepted, or is to be sent, s since the Unix epoch.
    #[serde(rename = "date")]
    pub date_s: i64,
    /// The price.
    pub cost: i64,
}

impl Entry {
    /// The entry of a recipient of a send. The answer does not tell the text.
    pub fn sent(recipient: &SentRecipient, line: &str, message: &str, date_s: i64) -> Entry {
        let status = status_of(&recipient.status, None);
        Entry {
            id: id_of(&recipient.uid),
            message: message.to_owned(),
            status,
            status_text: status_text(status),
            sender: line.to_owned(),
            receptor: receptor_of(&recipient.number),
            date_s,
            cost: recipient.cost,
        }
    }

    /// Whether it stands for a recipient of a message.
    pub fn is_sent(&self) -> bool {
        self.id != 0 && self.status != BLOCKED
    }

    /// The entry of a recipient of a send that was left out of it, because it is blocked. Without a uid, nothing was sent.
    pub fn blocked(uid: &str, receptor: &str, message: &str, line: &str, date_s: i64) -> Entry {
        Entry {
            id: id_of(uid),
            status: BLOCKED,
            status_text: status_text(BLOCKED),
            ..Entry::refused(&receptor_of(&canonical(receptor)), message, line, date_s)
        }
    }

    /// The entry of a recipient that our own API has found.
    pub fn found(recipient: &Value) -> Entry {
        let status = status_found(recipient);
        let date_s = recipient.seconds("sendAt").or_else(|| recipient.seconds("createdAt"));
        Entry {
            id: id_of(recipient.text("uid")),
            message: recipient.text("text").to_owned(),
            status,
            status_text: status_text(status),
            sender: recipient.text("sourceNumber").to_owned(),
            receptor: receptor_of(recipient.text("recipient")),
            date_s: date_s.unwrap_or_default(),
            cost: recipient.number("cost"),
        }
    }

    /// The entry of a receptor that is no number, or whose send was refused, after others of the same call were accepted.
    pub fn refused(receptor: &str, message: &str, sender: &str, date_s: i64) -> Entry {
        Entry {
            id: 0,
            message: message.to_owned(),
            status: FAILED,
            status_text: status_text(FAILED),
            sender: sender.to_owned(),
            receptor: receptor.to_owned(),
            date_s,
            cost: 0,
        }
    }
}

/// An entry that tells a status only.
pub fn state(id: i64, status: u16) -> Value {
    json!({"messageid": id, "status": status, "statustext": status_text(status)})
}

/// The id of the recipient with this uid.
fn id_of(uid: &str) -> i64 {
    Place::of(uid).map_or(0, |place| place.id(RADIX))
}

/// The name of the recipient with this id in our own API.
pub fn name_of(id: i64) -> String {
    Place::name_of_id(id, RADIX)
}

/// The status of a recipient that our own API has found.
pub fn status_found(recipient: &Value) -> u16 {
    status_of(recipient.text("status"), recipient.member("error").as_str())
}

/// The status of a recipient that has this status and this error in our own API.
fn status_of(own: &str, error: Option<&str>) -> u16 {
    match (own, error) {
        ("SCHEDULED", _) => 2,
        ("QUEUED", _) => 1,
        // Not 5, which means the same: one of the libraries does not know it.
        ("SUBMITTED" | "UNKNOWN", _) => 4,
        ("DELIVERED", _) => 10,
        ("CANCELED", _) => 13,
        (_, Some("BLOCKED" | "BLACKLISTED")) => BLOCKED,
        ("UNDELIVERED" | "EXPIRED", _) => 11,
        _ => FAILED,
    }
}

fn status_text(status: u16) -> &'static str {
    match status {
        1 => "در صف ارسال",
        2 => "زمان بندی شده",
        4 => "ارسال به مخابرات",
        10 => "رسیده به گیرنده",
        11 => "نرسیده به گیرنده",
        13 => "لغو شده",
        BLOCKED => "بلاک شده",
        UNKNOWN_ID => "شناسه پیامک نامعتبر است",
        _ => "خطا در ارسال",
    }
}

/// A number as the protocol writes it: `09…` of Iran, `00` and the digits of others.
pub fn receptor_of(e164: &str) -> String {
    match (e164.strip_prefix("+98"), e164.strip_prefix('+')) {
        (Some(national), _) => format!("0{national}"),
        (None, Some(digits)) => format!("00{digits}"),
        (None, None) => e164.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_protocol_does() {
        for (e164, receptor) in [
            ("+989121234567", "09121234567"),
            ("+971501234567", "00971501234567"),
            ("erased", "erased"),
        ] {
            assert_eq!(receptor_of(e164), receptor);
        }
    }
}
