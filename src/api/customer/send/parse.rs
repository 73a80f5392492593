//! The bodies of sends.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use sms::msisdn::Msisdn;
use sms::text::{self as sms_text, Measured};

use crate::account::record::message::MessageKind;
use crate::api::http::forms::{Form, by, choice, item_text, list_of, phone_number, refused, text, time_to_come};
use crate::api::http::json_fields::{self, Body, Fields, Place};
use crate::api::http::json_schema::{self, Schema};
use crate::api::shared::forms::{MAX_TEXT, measured};
use crate::base::time::DAY_MS;
use crate::compose::request::{self, FilledPattern, NamedAt, NamedNumber, Order, SendRequest};
use crate::problem::field_error::FieldErrorKind;
use crate::{body, either};

/// A message may be scheduled at most this many days ahead.
const MAX_DAYS_AHEAD: i64 = 90;
/// A client's own reference has at most this many characters.
pub const MAX_CLIENT_REF: usize = 64;
/// A source number has at most this many characters.
const MAX_SOURCE_NUMBER: usize = 32;
/// A text with placeholders has at most this many characters for each part that a text may have. It is twice what a part
/// holds, because placeholders may be longer than their values.
const TEMPLATE_CHARACTERS_A_PART: usize = 320;
/// A pattern's slug has at most this many characters.
pub const MAX_SLUG: usize = 64;
/// The settings `MAX_RECIPIENTS`, `MAX_PHONEBOOK_RECIPIENTS` and `MAX_PARTS`, unless the operator changes them: what the
/// document names as the limits.
const MAX_RECIPIENTS: usize = 1_000;
const MAX_EXCLUDED: usize = 10_000;
const MAX_PARTS: usize = 10;
/// A send has at most this many phonebooks.
const MAX_PHONEBOOKS: usize = 20;
/// A phonebook's id has at most this many characters.
const MAX_PHONEBOOK_ID: usize = 64;

body! {
    /// A send of one text.
    pub struct SendSms => {"message": "Your code is 1234.", "recipients": ["09121234567"]} {
        message: Option<Measured> = needs "message" message();
        recipients: Option<Vec<Msisdn>> = needs "recipients" recipients();
        common: SendCommon = all;
    }

    /// A pattern for one number.
    pub struct PatternToOne => {"pattern": "login", "variables": {"OTP": "1234"}, "recipient": "09121234567"} {
        filled: NewFilledPattern = all;
        recipient: Option<Msisdn> = needs "recipient" phone_number();
        recipients: Option<()> = can "recipients" refused(FieldErrorKind::NotBeside("recipient"));
        common: SendCommon = all;
    }

    /// A pattern for several numbers, all with the same values.
    pub struct PatternToMany => {"pattern": "notice", "variables": {"DAY": "Monday"}, "recipients": ["09121234567", "09351234567"]} {
        filled: NewFilledPattern = all;
        recipient: Option<()> = can "recipient" refused(FieldErrorKind::NotBeside("recipients"));
        recipients: Option<Vec<Msisdn>> = needs "recipients" recipients();
        common: SendCommon = all;
    }

    /// A text for a phonebook.
    pub struct TextToPhonebook => {"message": "Hello %name%", "phonebook": "019b796d-a000-7000-8000-000000000000"} {
        message: Option<String> = needs "message" template();
        phonebook: Option<String> = needs "phonebook" phonebook_id();
        phonebooks: Option<()> = can "phonebooks" refused(FieldErrorKind::NotBeside("phonebook"));
        exclude: Option<Vec<Msisdn>> = can "exclude" exclude();
        keeps_unknown: Option<bool> = can "unknownPlaceholders" keeps_unknown();
        common: SendCommon = all;
    }

    /// A text for several phonebooks.
    pub struct TextToPhonebooks => {"message": "Hello %name%", "phonebooks": ["019b796d-a000-7000-8000-000000000000"], "exclude": ["09121234567"]} {
        message: Option<String> = needs "message" template();
        phonebook: Option<()> = can "phonebook" refused(FieldErrorKind::NotBeside("phonebooks"));
        phonebooks: Option<Vec<String>> = needs "phonebooks" phonebooks(1);
        exclude: Option<Vec<Msisdn>> = can "exclude" exclude();
        keeps_unknown: Option<bool> = can "unknownPlaceholders" keeps_unknown();
        common: SendCommon = all;
    }

    /// A send of texts, each to its own number.
    pub struct SendBulk => {"messages": [
            {"recipient": "09121234567", "message": "Your code is 1234."},
            {"recipient": "09351234567", "pattern": "login", "variables": {"OTP": "1234"}}]} {
        /// Up to 1,000 unless the operator has set another number. If several items name one number, the first one counts.
        messages: Option<Vec<(Msisdn, request::BulkText)>> = needs "messages" bulk_items();
        common: SendCommon = all;
    }

    /// A text for one number.
    pub struct BulkText => {"recipient": "09121234567", "message": "Your code is 1234."} {
        recipient: Option<Msisdn> = needs "recipient" phone_number();
        message: Option<Measured> = needs "message" message();
        pattern: Option<()> = can "pattern" refused(FieldErrorKind::NotBeside("message"));
    }

    /// A pattern for one number.
    pub struct BulkPattern => {"recipient": "09351234567", "pattern": "login", "variables": {"OTP": "1234"}} {
        recipient: Option<Msisdn> = needs "recipient" phone_number();
        message: Option<()> = can "message" refused(FieldErrorKind::NotBeside("pattern"));
        filled: NewFilledPattern = all;
    }

    // Both ways to name what to send or to whom: only that is told, not what else is wrong with them.
    pub struct PatternToBoth {
        filled: NewFilledPattern = all;
        recipient: Option<()> = can "recipient" refused(FieldErrorKind::NotBeside("recipients"));
        common: SendCommon = all;
    }

    pub struct TextToBoth {
        message: Option<String> = needs "message" template();
        phonebook: Option<()> = can "phonebook" refused(FieldErrorKind::NotBeside("phonebooks"));
        exclude: Option<Vec<Msisdn>> = can "exclude" exclude();
        keeps_unknown: Option<bool> = can "unknownPlaceholders" keeps_unknown();
        common: SendCommon = all;
    }

    pub struct BulkBoth {
        recipient: Option<Msisdn> = needs "recipient" phone_number();
        message: Option<()> = can "message" refused(FieldErrorKind::NotBeside("pattern"));
    }

    pub struct NewFilledPattern {
        /// The slug of the pattern.
        pattern: Option<String> = needs "pattern" text(MAX_SLUG) => "login";
        /// The values of the pattern's variables, by their names.
        variables: Option<BTreeMap<String, String>> = can "variables" values() => {"OTP": "1234"};
    }

    pub struct SendCommon {
        /// The line to send from. Left out or empty: the account's default line.
        source_number: Option<Option<String>> = can "sourceNumber" source_number() => "10001";
        /// When to send, at most 90 days ahead. Left out: at once.
        send_at_ms: Option<i64> = can "sendAt" send_at();
        /// A reference of your own. `GET /messages` finds the message by it.
        client_ref: Option<String> = can "clientRef" text(MAX_CLIENT_REF) => "order-7";
        is_cheapest: Option<bool> = can "encoding" is_cheapest();
        skips_blocked: Option<bool> = can "blacklisted" skips_blocked();
    }
}

either! {
    /// A text or a pattern for one number.
    pub struct BulkItem as "BulkItem" = exactly_one BulkText, BulkPattern;

    /// A send of a pattern, filled in once.
    pub struct SendPattern as "SendPattern" = exactly_one PatternToOne, PatternToMany;

    /// A send of one text to phonebooks, filled in for each number.
    pub struct SendToPhonebook as "SendToPhonebook" = exactly_one TextToPhonebook, TextToPhonebooks;
}

/// Reads the body of a send. Returns `None` if the order has faults.
pub fn request(kind: MessageKind, fields: &mut Fields<'_>) -> Option<SendRequest> {
    let (order, common) = match kind {
        MessageKind::Plain => plain(fields),
        MessageKind::Pattern => pattern(fields),
        MessageKind::Phonebook => phonebook(fields),
        MessageKind::Bulk => bulk(fields),
        // They have bodies of their own.
        MessageKind::Verify | MessageKind::SignIn => return None,
    };
    Some(SendRequest {
        path: fields.path().to_vec(),
        order: order?,
        source_number: common.source_number.flatten(),
        send_at_ms: common.send_at_ms,
        client_ref: common.client_ref,
        callback: None,
        skips_blocked: common.skips_blocked.unwrap_or(false),
        is_cheapest: common.is_cheapest.unwrap_or(false),
    })
}

fn plain(fields: &mut Fields<'_>) -> (Option<Order>, SendCommon) {
    let new = SendSms::read(fields);
    let order = new.message.zip(new.recipients).map(|(text, numbers)| Order::Plain {
        text,
        recipients: named(numbers),
    });
    (order, new.common)
}

fn pattern(fields: &mut Fields<'_>) -> (Option<Order>, SendCommon) {
    let is_to_many = fields.value("recipients").is_some();
    if is_to_many && fields.value("recipient").is_some() {
        return (None, PatternToBoth::read(fields).common);
    }
    let (filled, recipients, common) = if is_to_many {
        let new = PatternToMany::read(fields);
        (new.filled, new.recipients.map(named), new.common)
    } else {
        let new = PatternToOne::read(fields);
        let named = |number| NamedNumber {
            number,
            named_at: NamedAt::Recipient,
        };
        (new.filled, new.recipient.map(|number| vec![named(number)]), new.common)
    };
    let order = filled
        .at(fields)
        .zip(recipients)
        .map(|(pattern, recipients)| Order::Pattern { pattern, recipients });
    (order, common)
}

fn phonebook(fields: &mut Fields<'_>) -> (Option<Order>, SendCommon) {
    let is_to_many = fields.value("phonebooks").is_some();
    if is_to_many && fields.value("phonebook").is_some() {
        return (None, TextToBoth::read(fields).common);
    }
    if is_to_many {
        let new = TextToPhonebooks::read(fields);
        let order = new
            .message
            .zip(new.phonebooks)
            .map(|(text, phonebooks)| Order::Phonebook {
                text,
                phonebooks,
                member: "phonebooks",
                exclude: new.exclude.unwrap_or_default(),
                keeps_unknown: new.keeps_unknown.unwrap_or(false),
            });
        return (order, new.common);
    }
    let new = TextToPhonebook::read(fields);
    let order = new
        .message
        .zip(new.phonebook)
        .map(|(text, phonebook)| Order::Phonebook {
            text,
            phonebooks: vec![phonebook],
            member: "phonebook",
            exclude: new.exclude.unwrap_or_default(),
            keeps_unknown: new.keeps_unknown.unwrap_or(false),
        });
    (order, new.common)
}

fn bulk(fields: &mut Fields<'_>) -> (Option<Order>, SendCommon) {
    let new = SendBulk::read(fields);
    let order = new.messages.map(|items| {
        let items = items.into_iter().enumerate().map(|(index, (number, text))| {
            let named_at = NamedAt::Messages(index);
            (NamedNumber { number, named_at }, text)
        });
        Order::Bulk(each_once(items.collect(), |(named, _)| named.number))
    });
    (order, new.common)
}

/// The numbers of `recipients`, each once, in the order in which the body names them.
fn named(numbers: Vec<Msisdn>) -> Vec<NamedNumber> {
    let named = numbers.into_iter().enumerate().map(|(index, number)| NamedNumber {
        number,
        named_at: NamedAt::Recipients(index),
    });
    each_once(named.collect(), |named| named.number)
}

/// Leaves of several items with one number the first.
fn each_once<T>(mut items: Vec<T>, number_of: impl Fn(&T) -> Msisdn) -> Vec<T> {
    let mut numbers: Vec<u64> = items.iter().map(|item| number_of(item).get()).collect();
    numbers.sort_unstable();
    // Mostly all differ, and to sort them takes less time than to hash each.
    if !numbers.is_sorted_by(|one, next| one < next) {
        let mut seen = HashSet::with_capacity(items.len());
        items.retain(|item| seen.insert(number_of(item)));
    }
    items
}

impl NewFilledPattern {
    /// The pattern, which this object names.
    fn at(self, fields: &Fields<'_>) -> Option<FilledPattern> {
        Some(FilledPattern {
            path: fields.path().to_vec(),
            slug: self.pattern?,
            values: self.variables.unwrap_or_default(),
        })
    }
}

/// The regular expression of a text that has more than blanks.
const NOT_BLANK: &str = r"\S";

/// A text without placeholders, which may not have too many parts.
fn message() -> impl Form<Value = Measured> {
    let read = |value: &Value, place: &mut Place<'_>| measured(whole_text(value, place)?, place);
    by(read, || json_schema::text(MAX_TEXT).with("pattern", NOT_BLANK))
        .about("The text. It may have 10 parts, unless the operator has set another number.")
        .like("Your code is 1234.")
}

fn whole_text<'v>(value: &'v Value, place: &mut Place<'_>) -> Option<&'v str> {
    let text = place.take(value.as_str().ok_or(json_fields::TEXT))?;
    let fault = match text {
        "" => Some(FieldErrorKind::Empty),
        text => text.chars().all(is_blank).then_some(FieldErrorKind::Blank),
    };
    place.take(fault.map_or(Ok(text), Err))
}

/// Whether a phone shows nothing for a character. U+FEFF is a byte order mark that an editor has left.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{FEFF}'
}

/// A text that may have placeholders.
pub fn template() -> impl Form<Value = String> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let text = sms_text::normalise(whole_text(value, place)?).into_owned();
        let max = usize::try_from(place.setting.config.max_parts).unwrap_or(usize::MAX);
        let max = max.saturating_mul(TEMPLATE_CHARACTERS_A_PART);
        let fits = text.chars().count() <= max;
        place.take(fits.then_some(text).ok_or(FieldErrorKind::TooLong { max }))
    };
    by(read, || json_schema::text(MAX_PARTS * TEMPLATE_CHARACTERS_A_PART).with("pattern", NOT_BLANK))
        .about(
            "The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At \
            most 21 different placeholders.",
        )
        .like("Hello %name%")
}

fn recipients() -> impl Form<Value = Vec<Msisdn>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        place.list(value, &phone_number(), 1, place.setting.config.max_recipients)
    };
    by(read, || json_schema::list(phone_number().schema(), 1, MAX_RECIPIENTS)).about(
        "The numbers, up to 1,000 unless the operator has set another number. A number that comes twice counts once.",
    )
}

/// What becomes of placeholders that no phonebook has.
pub fn keeps_unknown() -> impl Form<Value = bool> {
    let form = choice(&[false, true], |keeps| if keeps { "KEEP" } else { "REFUSE" });
    // Not as a list of words: linters take one that two forms of the body share for a word that tells them apart.
    form.described(|_| json_schema::formed(6, "^(REFUSE|KEEP)$").like("KEEP")).about(
        "What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or `KEEP` it as \
        text.",
    )
}

fn skips_blocked() -> impl Form<Value = bool> {
    let form = choice(&[false, true], |skips| if skips { "SKIP" } else { "REFUSE" });
    // Not as a list of words, for the same reason.
    form.described(|_| json_schema::formed(6, "^(REFUSE|SKIP)$").like("SKIP")).about(
        "What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out, or `SKIP` them. \
        Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.",
    )
}

fn is_cheapest() -> impl Form<Value = bool> {
    let form = choice(
        &[false, true],
        |is_cheapest| if is_cheapest { "CHEAPEST" } else { "AS_IS" },
    );
    // Not as a list of words, for the same reason.
    form.described(|_| json_schema::formed(8, "^(AS_IS|CHEAPEST)$").like("CHEAPEST")).about(
        "In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form that reads the \
        same and costs least. Then the answer has `text` and `saved`. A line may not allow it.",
    )
}

fn exclude() -> impl Form<Value = Vec<Msisdn>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        place.list(value, &phone_number(), 0, place.setting.config.max_phonebook_recipients)
    };
    by(read, || json_schema::list(phone_number().schema(), 0, MAX_EXCLUDED)).about("Numbers that get nothing.")
}

fn phonebook_id() -> impl Form<Value = String> {
    text(MAX_PHONEBOOK_ID)
        .about("The id of a phonebook.")
        .like("019b796d-a000-7000-8000-000000000000")
}

/// The ids of phonebooks, each once, and so many at least.
pub fn phonebooks(min: usize) -> impl Form<Value = Vec<String>> {
    let fault = FieldErrorKind::BadForm("the id of a phonebook", "شناسه‌ی یک دفترچه تلفن");
    let id = item_text(MAX_PHONEBOOK_ID, fault).described(|_| phonebook_id().schema());
    list_of(id, min, MAX_PHONEBOOKS).then(|mut ids: Vec<String>| {
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        ids
    })
}

fn bulk_items() -> impl Form<Value = Vec<(Msisdn, request::BulkText)>> {
    let read =
        |value: &Value, place: &mut Place<'_>| place.list(value, &bulk_item(), 1, place.setting.config.max_recipients);
    by(read, || json_schema::list(bulk_item().schema(), 1, MAX_RECIPIENTS))
}

fn bulk_item() -> impl Form<Value = (Msisdn, request::BulkText)> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let has = |name| value.get(name).is_some_and(|member| !member.is_null());
        match (has("message"), has("pattern")) {
            (true, true) => place.made(value, |_: BulkBoth, _| None),
            (false, true) => place.made(value, |new: BulkPattern, fields| {
                new.recipient.zip(new.filled.at(fields).map(request::BulkText::Pattern))
            }),
            _ => place.made(value, |new: BulkText, _| {
                new.recipient.zip(new.message.map(request::BulkText::Message))
            }),
        }
    };
    by(read, json_schema::declared::<BulkItem>)
}

/// The values for a pattern's variables. PHP writes an empty object as `[]`. A `null` is no value.
pub fn values() -> impl Form<Value = BTreeMap<String, String>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        if value.as_array().is_some_and(Vec::is_empty) {
            return Some(BTreeMap::new());
        }
        place.fields(value, |variables| {
            let names = variables.names();
            let read = |name: &str| Some((name.to_owned(), variables.text_or_number(name)?));
            let normal = |(name, value): (String, String)| (name, sms_text::normalise(&value).into_owned());
            names.filter_map(read).map(normal).collect()
        })
    };
    by(read, || {
        let values = json!({"type": "object", "additionalProperties": {"type": ["string", "number", "null"]},
            "examples": [{"OTP": "1234"}]});
        let none =
            json!({"type": "array", "maxItems": 0, "items": {}, "description": "PHP writes an empty object so."});
        Schema(json!({"anyOf": [values, none, {"type": "null"}]}))
    })
}

/// The source number. Client programs leave it out by sending an empty one.
pub fn source_number() -> impl Form<Value = Option<String>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let number = place.take(value.as_str().ok_or(json_fields::TEXT))?.trim();
        if number.chars().count() > MAX_SOURCE_NUMBER {
            place.fault(FieldErrorKind::TooLong { max: MAX_SOURCE_NUMBER });
            return None;
        }
        Some((!number.is_empty()).then(|| number.to_owned()))
    };
    by(read, || json_schema::any_text().with("maxLength", MAX_SOURCE_NUMBER))
}

/// When to send, ms since the Unix epoch.
pub fn send_at() -> impl Form<Value = i64> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let ms = time_to_come().read(value, place)?;
        if ms > place.setting.now_ms.saturating_add(MAX_DAYS_AHEAD * DAY_MS) {
            place.fault(FieldErrorKind::TooFarAhead { days: MAX_DAYS_AHEAD });
        }
        Some(ms)
    };
    by(read, || time_to_come().schema())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_items_with_one_number_the_first_stays_and_their_order_too() {
        let number = |last: u64| Msisdn::from_digits(989_120_000_000 + last).unwrap();
        let left = |numbers: &[u64]| {
            let items = numbers.iter().zip(0..).map(|(last, index)| (number(*last), index));
            let left = each_once(items.collect(), |item: &(Msisdn, i32)| item.0);
            left.into_iter().map(|(_, index)| index).collect::<Vec<_>>()
        };
        assert_eq!(left(&[7, 3, 7, 5, 3, 1]), [0, 1, 3, 5]);
        assert_eq!(left(&[7, 3, 5]), [0, 1, 2]);
        assert_eq!(left(&[7, 7]), [0]);
        assert_eq!(left(&[]), [0; 0]);
    }
}
