//! Reports: what is told of a recipient.

use serde_json::{Value, json};

use super::errors::{BAD_VALUE, Fault, NO_SUCH_SEND, TOO_MANY};
use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;
use crate::api::doors::own::Own;
use crate::base::id;
use crate::base::ports::Platform;

/// The step from the ids of one pack to those of the next. So a program that reads ids of 32 bits can do so for long.
const RADIX: i64 = 100;
/// Recipients of a pack that its first request asks for: a pack of this protocol has no more.
const FIRST: i64 = 100;
/// Recipients that our own API finds at once.
const AT_ONCE: i64 = 500;
/// The most recipients of a pack whose reports are told.
const MOST: i64 = 1_000;

/// The report of a recipient that our own API has found.
pub fn report(recipient: &Value) -> Value {
    let state = state_of(recipient);
    let has_ended = has_ended(state);
    let sent_s = recipient.seconds("sendAt").or_else(|| recipient.seconds("createdAt"));
    json!({
        "messageId": id_of(recipient.text("uid")),
        "mobile": number_of(recipient.text("recipient")),
        "messageText": recipient.text("text"),
        "sendDateTime": sent_s.unwrap_or_default(),
        "lineNumber": number_of(recipient.text("sourceNumber")),
        "cost": recipient.number("cost"),
        "deliveryState": state,
        "deliveryDateTime": recipient.seconds("updatedAt").filter(|_| has_ended),
    })
}

/// Whether a `deliveryState` is an ending.
pub fn has_ended(state: Option<u8>) -> bool {
    matches!(state, Some(1 | 2 | 4 | 6 | 7))
}

/// The id of the recipient with this uid.
pub fn id_of(uid: &str) -> i64 {
    Place::of(uid).map_or(0, |place| place.id(RADIX))
}

/// A number as the protocol writes it: digits, those of Iran without 98. What is no number is 0.
pub fn number_of(text: &str) -> i64 {
    let digits = text
        .strip_prefix("+98")
        .or_else(|| text.strip_prefix('+'))
        .unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number).unwrap_or_default()
}

/// The `deliveryState`. `None`: it is not known yet.
pub fn state_of(recipient: &Value) -> Option<u8> {
    Some(match (recipient.text("status"), recipient.text("error")) {
        ("SCHEDULED" | "QUEUED", _) => return None,
        ("DELIVERED", _) => 1,
        ("SUBMITTED", _) => 5,
        ("CANCELED", _) => 6,
        ("UNDELIVERED" | "REJECTED" | "EXPIRED", "BLOCKED") | ("SKIPPED", _) => 7,
        ("EXPIRED", "NO_REPORT") => 8,
        ("UNDELIVERED" | "EXPIRED", _) => 2,
        ("REJECTED", _) => 4,
        _ => 8,
    })
}

/// `send/{messageId}`
pub async fn one<P: Platform>(own: &Own<'_, P>, id: &str) -> Result<Value, Fault> {
    find(own, id).await.map(|found| report(&found))
}

/// The recipient with this id.
pub async fn find<P: Platform>(own: &Own<'_, P>, id: &str) -> Result<Value, Fault> {
    let id: i64 = id.parse().map_err(|_| Fault::of(BAD_VALUE))?;
    let name = Place::name_of_id(id, RADIX);
    let found = own.recipients(json!({"recipients": [name]})).await?;
    found.into_iter().next().ok_or(Fault::of(NO_SUCH_SEND))
}

/// `send/pack/{packId}`
pub async fn pack<P: Platform>(own: &Own<'_, P>, pack: &str) -> Result<Value, Fault> {
    let unknown = Fault::of(NO_SUCH_SEND);
    let uid = id::written(pack).ok_or_else(|| unknown.clone())?;
    let mut found = part(own, &uid, 0, FIRST).await?;
    let count = found.first().ok_or(unknown)?.number("recipientCount");
    if count > MOST {
        return Err(Fault::of(TOO_MANY));
    }
    let mut next = FIRST;
    while next < count {
        let end = count.min(next.saturating_add(AT_ONCE));
        found.extend(part(own, &uid, next, end).await?);
        next = end;
    }
    Ok(found.iter().map(report).collect())
}

/// The recipients of a message from one index to another.
async fn part<P: Platform>(own: &Own<'_, P>, uid: &str, from: i64, to: i64) -> Result<Vec<Value>, Fault> {
    let names: Vec<String> = (from..to).map(|index| format!("{uid}.{index}")).collect();
    Ok(own.recipients(json!({"recipients": names})).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_has_a_state() {
        for (status, error, state) in [
            ("SCHEDULED", "", None),
            ("QUEUED", "", None),
            ("SUBMITTED", "", Some(5)),
            ("UNKNOWN", "", Some(8)),
            ("DELIVERED", "", Some(1)),
            ("UNDELIVERED", "ABSENT_SUBSCRIBER", Some(2)),
            ("UNDELIVERED", "BLOCKED", Some(7)),
            ("REJECTED", "BLOCKED", Some(7)),
            ("REJECTED", "CARRIER_ERROR", Some(4)),
            ("EXPIRED", "EXPIRED", Some(2)),
            ("EXPIRED", "NO_REPORT", Some(8)),
            ("CANCELED", "", Some(6)),
            ("SKIPPED", "BLACKLISTED", Some(7)),
        ] {
            let recipient = json!({"status": status, "error": error});
            assert_eq!(state_of(&recipient), state, "{status} {error}");
        }
    }

    #[test]
    fn numbers_are_digits() {
        for (text, number) in [
            ("+989121234567", 9_121_234_567),
            ("+971501234567", 971_501_234_567),
            ("30004505000017", 30_004_505_000_017),
            ("erased", 0),
            ("-5", 0),
            ("++5", 0),
            ("", 0),
            ("99999999999999999999", 0),
        ] {
            assert_eq!(number_of(text), number, "{text}");
        }
    }
}
