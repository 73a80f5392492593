//! The entries of answers: what is told of a recipient.

use serde_json::{Value, json};

use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;

/// The step from the ids of one message to those of the next.
const RADIX: i64 = 10_000;
/// The status of an id that nobody knows.
pub const UNKNOWN_ID: u16 = 100;
/// The status of what was not accepted.
const FAILED: u16 = 6;

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number of the message in its account and the index of the recipient, in one.
    pub id: i64,
    /// The text.
    pub message: String,
    /// The status, as a number of the protocol.
    pub status: u16,
    /// The line.
    pub sender: String,
    /// The number, as people write it.
    pub receptor: String,
    /// When it was accepted, or is to be sent, s since the Unix epoch.
    pub date_s: i64,
    /// The price.
    pub cost: i64,
}

impl Entry {
    /// The entry of a recipient in our own answers. `message` is its text, where the answer does not tell it.
    pub fn of(recipient: &Value, line: &str, message: &str, date_s: i64) -> Entry {
        Entry {
            id: id_of(recipient.text("uid")),
            message: message.to_owned(),
            status: status_of(recipient),
            sender: line.to_owned(),
            receptor: receptor_of(recipient.text("recipient")),
            date_s,
            cost: recipient.number("cost"),
        }
    }

    /// The entry of a recipient that our own API has found.
    pub fn found(recipient: &Value) -> Entry {
        let date_s = recipient.seconds("sendAt").or_else(|| recipient.seconds("createdAt"));
        Entry::of(
            recipient,
            recipient.text("sourceNumber"),
            recipient.text("text"),
            date_s.unwrap_or_default(),
        )
    }

    /// The entry of a recipient whose send was refused, after others of the same call were accepted.
    pub fn refused(receptor: &str, message: &str, sender: &str, date_s: i64) -> Entry {
        Entry {
            id: 0,
            message: message.to_owned(),
            status: FAILED,
            sender: sender.to_owned(),
            receptor: receptor.to_owned(),
            date_s,
            cost: 0,
        }
    }

    /// The entry with all its members.
    pub fn full(&self) -> Value {
        json!({
            "messageid": self.id, "message": self.message, "status": self.status, "statustext": status_text(self.status),
            "sender": self.sender, "receptor": self.receptor, "date": self.date_s, "cost": self.cost,
        })
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

/// The status of a recipient of our own API.
pub fn status_of(recipient: &Value) -> u16 {
    match (recipient.text("status"), recipient.member("error").as_str()) {
        ("SCHEDULED", _) => 2,
        ("QUEUED", _) => 1,
        // Not 5, which means the same: one of the libraries does not know it.
        ("SUBMITTED" | "UNKNOWN", _) => 4,
        ("DELIVERED", _) => 10,
        ("CANCELED", _) => 13,
        (_, Some("BLOCKED")) => 14,
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
        14 => "بلاک شده",
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
