//! The schemas that many answers share.

use peyk::account::record::campaign_row::{CampaignReason, CampaignState};
use peyk::account::record::event_type::EventType;
use peyk::account::record::message::MessageKind;
use peyk::account::record::message::delivery_error::DeliveryError;
use peyk::account::record::message::status::{MessageStatus, RecipientStatus};
pub use peyk::api::http::json_schema::*;
use peyk::auth::Scope;
use peyk::members;
use sms::msisdn::AREA_CODES;

/// The schema of an answer with these data.
pub fn envelope(data: &Schema) -> Schema {
    object([must("data", data.clone()), must("meta", named("Meta"))])
}

/// The schema of a send's answer.
pub fn sent(data: &Schema) -> Schema {
    object(members! {
        "status": named("Sent");
        "data": data.clone();
        "meta": named("Meta");
    })
}

/// The schema of a page of a list.
pub fn page(item: &Schema) -> Schema {
    object(members! {
        "data": list(item.clone(), 0, 200);
        "meta": named("PageMeta");
    })
}

/// A digit, and what stands between digits, in a phone number that somebody has written.
const DIGITS: [&str; 10] = ["0۰٠", "1۱١", "2۲٢", "3۳٣", "4۴٤", "5۵٥", "6۶٦", "7۷٧", "8۸٨", "9۹٩"];
const PASSED: &str = r"[ \t\u00A0\u1680\u2000-\u200F\u2010-\u2015\u202A-\u202F\u205F\u2060\u2066-\u2069\u2212\u3000\u061C\u00AD\uFEFF.()\-]*";

/// The area codes of Iran, each by the expressions of its digits.
fn area_codes(one: impl Fn(usize) -> String) -> String {
    let digit = |number: u64| one(usize::try_from(number).unwrap());
    let codes = AREA_CODES.map(|code| digit(code / 10) + &digit(code % 10));
    codes.join("|")
}

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
    let fixed = format!("{zero}(?:{})(?:{any}){{8}}", area_codes(one));
    format!(r"^{PASSED}(?:(?:\+{PASSED}|(?:{zero}){{2}})(?:{iran}|{other})|{iran}|{mobile}|{fixed})$")
}

/// The schemas that many others name.
pub fn shared() -> Vec<Named> {
    let scopes = |operators| -> Vec<&str> { Scope::all_of(operators).into_iter().map(Scope::as_str).collect() };
    let errors: Vec<&str> = DeliveryError::ALL.iter().copied().map(DeliveryError::as_str).collect();
    let meta = members! {
        /// The id of the request.
        "requestId": any_text() => "019b796d-a000-7000-8000-000000000000";
        /// Members and parameters of the request that the service does not know and has ignored, at most 20. One that is nearly
        /// the name of a known one is refused.
        may "ignored": any_list(any_text().like("priority"));
        /// What was done and may not have been meant so, such as a text with a placeholder of another service.
        may "warnings": any_list(any_text().like("The text has {name}, which is sent as it is: a placeholder is written %name%."));
    };
    let next = members! {
        /// The `cursor` of the next page. `null`: this is the last one.
        "nextCursor": any_text().or_null() => null;
    };
    let all = members! {
        "Meta": object(meta.clone());
        "PageMeta": object([meta, next].concat());
        /// Clients of other services look for it.
        "Sent": one_of(&["CREATED"]);
        /// A time (RFC 3339). Answers have it in UTC with milliseconds.
        "Time": any_text().with("format", "date-time") => "2030-01-31T12:00:00.000Z";
        /// A time to come (RFC 3339), in the form `2030-01-31T12:00:00Z` or `2030-01-31T15:30:00+03:30`.
        "TimeToCome": any_text().with("format", "date-time");
        /// A phone number in E.164.
        "PhoneNumber": formed(16, r"^\+[1-9][0-9]{7,14}$") => "+989121234567";
        /// A phone number: `+` or `00` and 8 to 15 digits; `98` and ten digits; `09` or `9` and nine digits; or `0`, an area code of Iran and eight digits. Digits may be
        /// ASCII, Persian or Arabic-Indic. Spaces, tabs, dashes, dots, round brackets and invisible direction marks are
        /// passed over.
        "WrittenPhoneNumber": formed(128, &phone_pattern()) => "09121234567";
        /// Whether the account may send.
        "AccountStatus": one_of(&["ACTIVE", "INACTIVE"]);
        /// The status of a recipient. `SCHEDULED`, `QUEUED` and `UNKNOWN` hold its money, `SUBMITTED` and `DELIVERED` have
        /// spent it. `UNKNOWN`: the carrier may have the message, and Peyk does not send it again.
        "RecipientStatus": one_of(&RecipientStatus::ALL.map(RecipientStatus::as_str)) => "QUEUED";
        /// The status of a message. `DONE`: each recipient has its last status or is `UNKNOWN`.
        "MessageStatus": one_of(&MessageStatus::ALL.map(MessageStatus::as_str)) => "QUEUED";
        /// By which route the message was sent.
        "MessageType": one_of(&MessageKind::ALL.map(MessageKind::as_str));
        /// Why a recipient did not get the message. The names are stable; new ones may be added.
        "DeliveryError": one_of(&errors);
        /// A type of event.
        "EventType": one_of(&EventType::SELECTABLE.map(EventType::as_str));
        /// How far a campaign has come. `COUNTING` and `DRAFT`: nobody gets anything before it is started. `PAUSED`: until its sender resumes it.
        /// `STOPPED`: one of its bounds has stopped it, and its sender may resume it.
        "CampaignState": one_of(&CampaignState::ALL.map(CampaignState::as_str)) => "DRAFT";
        /// Why a campaign is where it is, if that was not its sender. The names are stable; new ones may be added.
        "CampaignReason": one_of(&CampaignReason::ALL.map(CampaignReason::as_str)) => "LOW_BALANCE";
        /// What a key may do.
        "Scope": one_of(&Scope::ALL.map(Scope::as_str));
        /// What a key of an account may do.
        "AccountScope": one_of(&scopes(false));
        /// What a key of an operator may do. `admin` is all of the others.
        "OperatorScope": one_of(&scopes(true));
    };
    all.into_iter().map(Member::named).collect()
}
