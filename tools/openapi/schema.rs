//! The schemas that many answers share.

use peyk::account::message::MessageKind;
use peyk::account::message::delivery_error::DeliveryError;
use peyk::account::message::status::{MessageStatus, RecipientStatus};
use peyk::account::outbox::event_type::EventType;
pub use peyk::api::http::json_schema::*;
use peyk::auth::Scope;
use peyk::base::ports::MAX_INTEGER;
use serde_json::json;

/// How many there are.
pub fn count() -> Schema {
    integer(0, MAX_INTEGER).like(3)
}

/// An amount of money that is not below zero.
pub fn money() -> Schema {
    Schema(json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": MAX_INTEGER}))
}

/// An amount of money that may be below zero.
pub fn signed_money() -> Schema {
    money().with("minimum", -MAX_INTEGER)
}

/// A time.
pub fn time() -> Schema {
    named("Time")
}

/// A day of UTC.
pub fn day() -> Schema {
    Schema(json!({"type": "string", "format": "date"})).like("2026-01-01")
}

/// A phone number as Peyk answers it.
pub fn number() -> Schema {
    named("PhoneNumber")
}

/// A phone number as a request writes it.
pub fn written_number() -> Schema {
    named("WrittenPhoneNumber")
}

/// An id that Peyk makes.
pub fn id() -> Schema {
    Schema(json!({"type": "string", "format": "uuid"})).like("019b796d-a000-7000-8000-000000000000")
}

/// The number of a line as answers show it.
pub fn line() -> Schema {
    Schema(json!({"type": "string", "minLength": 3, "maxLength": 16})).like("3000505")
}

/// The currency that amounts are in.
pub fn unit() -> Schema {
    any_text().about("The currency of the amounts.").like("IRR")
}

/// The name of an encoding.
pub fn encoding() -> Schema {
    one_of(&["GSM7", "UCS2"]).about("How the text is encoded on the air.")
}

/// How many parts a text has.
pub fn parts() -> Schema {
    integer(1, 255).about("How many parts the text has.").like(1)
}

/// The member that says that a text is cut.
pub fn cut() -> Member {
    may(
        "textTruncated",
        Schema(json!({"const": true}))
            .about("There if a text of the item is cut in this list. Asked for alone, it is whole."),
    )
}

/// A digit, and what stands between digits, in a phone number that somebody has written.
const DIGITS: [&str; 10] = ["0۰٠", "1۱١", "2۲٢", "3۳٣", "4۴٤", "5۵٥", "6۶٦", "7۷٧", "8۸٨", "9۹٩"];
const PASSED: &str = r"[ \t\u00A0\u1680\u2000-\u200F\u2010-\u2015\u202A-\u202F\u205F\u2060\u2066-\u2069\u2212\u3000\u061C\u00AD\uFEFF.()\-]*";

/// The regular expression of the phone numbers that Peyk reads.
pub fn phone_pattern() -> String {
    let one = |digit: usize| format!("[{}]{PASSED}", DIGITS[digit]);
    let any_of = |digits: &[usize]| {
        let characters: String = digits.iter().map(|digit| DIGITS[*digit]).collect();
        format!("[{characters}]{PASSED}")
    };
    let all: Vec<usize> = (0..10).collect();
    let (any, not_0) = (any_of(&all), any_of(&all[1..]));
    let iran = format!("{}{}{not_0}(?:{any}){{9}}", one(9), one(8));
    let other = format!(
        "{}(?:{any}){{7,14}}|{}{}(?:{any}){{6,13}}",
        any_of(&all[1..9]),
        one(9),
        any_of(&[0, 1, 2, 3, 4, 5, 6, 7, 9])
    );
    let zero = one(0);
    let mobile = format!("(?:{zero})?{}(?:{any}){{9}}", one(9));
    format!(r"^{PASSED}(?:(?:\+{PASSED}|(?:{zero}){{2}})(?:{iran}|{other})|{iran}|{mobile})$")
}

/// The schemas that many others name.
pub fn shared() -> Vec<Named> {
    let names = |all: &[&'static str]| -> Vec<&'static str> { all.to_vec() };
    let recipient: Vec<&str> = RecipientStatus::ALL.into_iter().map(RecipientStatus::as_str).collect();
    let message: Vec<&str> = MessageStatus::ALL.into_iter().map(MessageStatus::as_str).collect();
    let kinds: Vec<&str> = MessageKind::ALL.into_iter().map(MessageKind::as_str).collect();
    let errors: Vec<&str> = DeliveryError::ALL.iter().copied().map(DeliveryError::as_str).collect();
    let events: Vec<&str> = EventType::SELECTABLE.into_iter().map(EventType::as_str).collect();
    let scopes: Vec<&str> = Scope::ALL.into_iter().map(Scope::as_str).collect();
    let own: Vec<&str> = scopes
        .iter()
        .copied()
        .filter(|name| *name != Scope::Admin.as_str())
        .collect();
    vec![
        ("Time", Schema(json!({"type": "string", "format": "date-time"}))
            .about("A time (RFC 3339). Answers have it in UTC with milliseconds.").like("2030-01-31T12:00:00.000Z")),
        ("TimeToCome", Schema(json!({"type": "string", "format": "date-time"}))
            .about("A time to come (RFC 3339), in the form `2030-01-31T12:00:00Z` or `2030-01-31T15:30:00+03:30`.")),
        ("PhoneNumber", formed(16, r"^\+[1-9][0-9]{7,14}$").about("A phone number in E.164.").like("+989121234567")),
        ("WrittenPhoneNumber", formed(128, &phone_pattern()).about(
            "A phone number: `+` or `00` and 8 to 15 digits; `98` and ten digits; or `09` or `9` and nine digits. Digits may be \
             ASCII, Persian or Arabic-Indic. Spaces, tabs, dashes, dots, round brackets and invisible direction marks are \
             passed over.").like("09121234567")),
        ("RecipientStatus", one_of(&names(&recipient)).about(
            "The status of a recipient. `SCHEDULED`, `QUEUED` and `UNKNOWN` hold its money, `SUBMITTED` and `DELIVERED` have \
             spent it. `UNKNOWN`: the carrier may have the message, and Peyk does not send it again.").like("QUEUED")),
        ("MessageStatus", one_of(&names(&message)).about(
            "The status of a message. `DONE`: each recipient has its last status or is `UNKNOWN`.").like("QUEUED")),
        ("MessageType", one_of(&names(&kinds)).about("By which route the message was sent.")),
        ("DeliveryError", one_of(&names(&errors)).about(
            "Why a recipient did not get the message. The names are stable; new ones may be added.")),
        ("EventType", one_of(&names(&events)).about("A type of event.")),
        ("Scope", one_of(&names(&scopes)).about("What a key may do.")),
        ("AccountScope", one_of(&names(&own)).about("What a key of an account may do.")),
    ]
}
