//! Reads the bodies of sends.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::request::{BulkText, FilledPattern, NamedAt, NamedNumber, Order, SendRequest};
use crate::account::message::MessageKind;
use crate::api::http::json_fields::{self, Fields, phone_number};
use crate::api::problem::field_error::FaultKind;
use crate::base::config::Config;
use crate::sms::msisdn::Msisdn;
use crate::sms::text::{self, Measured};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// A message may be scheduled at most this many days ahead.
const MAX_DAYS_AHEAD: i64 = 90;
/// A client's own reference has at most this many characters.
const MAX_CLIENT_REF: usize = 64;
/// A source number has at most this many characters.
const MAX_SOURCE_NUMBER: usize = 32;
/// A text with placeholders has at most this many characters for each part that a text may have. It is twice what a part
/// holds, because placeholders may be longer than their values.
const TEMPLATE_CHARACTERS_A_PART: usize = 320;
/// A pattern's slug has at most this many characters.
const MAX_SLUG: usize = 64;
/// A send has at most this many phonebooks.
const MAX_PHONEBOOKS: usize = 20;
/// A phonebook's id has at most this many characters.
const MAX_PHONEBOOK_ID: usize = 64;

/// Reads the body of a send. Returns `None` if the order has faults.
pub fn request(kind: MessageKind, config: &Config, now_ms: i64, fields: &mut Fields<'_>) -> Option<SendRequest> {
    let order = match kind {
        MessageKind::Plain => plain(config, fields),
        MessageKind::Pattern => pattern(config, fields),
        MessageKind::Phonebook => phonebook(config, fields),
        MessageKind::Bulk => bulk(config, fields),
    };
    let source_number = source_number(fields);
    let send_at_ms = send_at(fields, now_ms);
    let client_ref = fields.text("clientRef", MAX_CLIENT_REF).map(str::to_owned);
    Some(SendRequest {
        path: fields.path().to_vec(),
        order: order?,
        source_number,
        send_at_ms,
        client_ref,
    })
}

/// Reads the source number. Client programs leave it out by sending an empty one.
fn source_number(fields: &mut Fields<'_>) -> Option<String> {
    let number = fields.any_text("sourceNumber")?.trim();
    if number.chars().count() > MAX_SOURCE_NUMBER {
        fields.fault("sourceNumber", FaultKind::TooLong { max: MAX_SOURCE_NUMBER });
        return None;
    }
    (!number.is_empty()).then(|| number.to_owned())
}

fn plain(config: &Config, fields: &mut Fields<'_>) -> Option<Order> {
    let text = short_message(config, fields);
    let recipients = recipients(fields, config.max_recipients);
    Some(Order::Plain {
        text: text?,
        recipients: recipients?,
    })
}

fn pattern(config: &Config, fields: &mut Fields<'_>) -> Option<Order> {
    let pattern = filled_pattern(fields);
    let recipients = match (
        fields.value("recipient").is_some(),
        fields.value("recipients").is_some(),
    ) {
        (true, true) => {
            fields.fault("recipient", FaultKind::NotBeside("recipients"));
            None
        }
        (false, true) => recipients(fields, config.max_recipients),
        _ => recipient(fields).map(|number| {
            vec![NamedNumber {
                number,
                named_at: NamedAt::Recipient,
            }]
        }),
    };
    Some(Order::Pattern {
        pattern: pattern?,
        recipients: recipients?,
    })
}

fn phonebook(config: &Config, fields: &mut Fields<'_>) -> Option<Order> {
    let text = template(config, fields);
    let (member, phonebooks) = phonebooks(fields);
    let exclude = fields.texts("exclude", config.max_phonebook_recipients, phone_number);
    Some(Order::Phonebook {
        text: text?,
        phonebooks: phonebooks?,
        member,
        exclude: exclude.unwrap_or_default(),
    })
}

/// Reads the ids of the phonebooks, each once, and the member that names them.
fn phonebooks(fields: &mut Fields<'_>) -> (&'static str, Option<Vec<String>>) {
    match (
        fields.value("phonebook").is_some(),
        fields.value("phonebooks").is_some(),
    ) {
        (true, true) => {
            fields.fault("phonebook", FaultKind::NotBeside("phonebooks"));
            ("phonebook", None)
        }
        (false, true) => ("phonebooks", listed_phonebooks(fields)),
        _ => {
            let id = fields.text("phonebook", MAX_PHONEBOOK_ID);
            let id = fields.require("phonebook", id);
            ("phonebook", id.map(|id| vec![id.to_owned()]))
        }
    }
}

fn listed_phonebooks(fields: &mut Fields<'_>) -> Option<Vec<String>> {
    let mut ids = fields.texts("phonebooks", MAX_PHONEBOOKS, |id| match id.chars().count() {
        1..=MAX_PHONEBOOK_ID => Ok(id.to_owned()),
        _ => Err(FaultKind::BadForm("the id of a phonebook", "شناسه‌ی یک دفترچه تلفن")),
    })?;
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    if ids.is_empty() {
        fields.fault("phonebooks", FaultKind::Empty);
        return None;
    }
    Some(ids)
}

fn bulk(config: &Config, fields: &mut Fields<'_>) -> Option<Order> {
    let mut index = 0;
    let items = fields.objects("messages", config.max_recipients, |item| {
        let read = bulk_item(config, index, item);
        index += 1;
        read
    });
    let items = fields.require("messages", items)?;
    if items.is_empty() {
        fields.fault("messages", FaultKind::Empty);
        return None;
    }
    let count = items.len();
    let mut seen = HashSet::with_capacity(count);
    let items: Vec<(NamedNumber, BulkText)> = items.into_iter().flatten().collect();
    let is_whole = items.len() == count;
    let once = items.into_iter().filter(|(named, _)| seen.insert(named.number));
    is_whole.then(|| Order::Bulk(once.collect()))
}

fn bulk_item(config: &Config, index: usize, fields: &mut Fields<'_>) -> Option<(NamedNumber, BulkText)> {
    let number = recipient(fields);
    let text = match (fields.value("message").is_some(), fields.value("pattern").is_some()) {
        (true, true) => {
            fields.fault("message", FaultKind::NotBeside("pattern"));
            None
        }
        (false, true) => filled_pattern(fields).map(BulkText::Pattern),
        _ => short_message(config, fields).map(BulkText::Message),
    };
    let named = NamedNumber {
        number: number?,
        named_at: NamedAt::Messages(index),
    };
    Some((named, text?))
}

fn recipient(fields: &mut Fields<'_>) -> Option<Msisdn> {
    let number = fields.phone_number("recipient");
    fields.require("recipient", number)
}

/// Reads the recipients, each once, in the order in which the body names them.
fn recipients(fields: &mut Fields<'_>, max: usize) -> Option<Vec<NamedNumber>> {
    let numbers = fields.texts("recipients", max, phone_number);
    let numbers = fields.require("recipients", numbers)?;
    if numbers.is_empty() {
        fields.fault("recipients", FaultKind::Empty);
        return None;
    }
    let mut seen = HashSet::with_capacity(numbers.len());
    let named = numbers.into_iter().enumerate().map(|(index, number)| NamedNumber {
        number,
        named_at: NamedAt::Recipients(index),
    });
    Some(named.filter(|named| seen.insert(named.number)).collect())
}

/// Reads a message of any length.
fn message(fields: &mut Fields<'_>) -> Option<String> {
    let message = fields.any_text("message");
    let message = fields.require("message", message)?;
    if message.is_empty() {
        fields.fault("message", FaultKind::Empty);
        return None;
    }
    Some(text::normalise(message).into_owned())
}

/// Reads a message that may have placeholders.
fn template(config: &Config, fields: &mut Fields<'_>) -> Option<String> {
    let text = message(fields)?;
    let max = usize::try_from(config.max_parts).unwrap_or(usize::MAX);
    let max = max.saturating_mul(TEMPLATE_CHARACTERS_A_PART);
    if text.chars().count() > max {
        fields.fault("message", FaultKind::TooLong { max });
        return None;
    }
    Some(text)
}

/// Reads a message without placeholders, which may not have too many parts.
fn short_message(config: &Config, fields: &mut Fields<'_>) -> Option<Measured> {
    let message = Measured::of(message(fields)?);
    let (parts, max) = (message.segmentation.parts, config.max_parts);
    if parts > max {
        fields.fault("message", FaultKind::TooManyParts { parts, max });
        return None;
    }
    Some(message)
}

fn filled_pattern(fields: &mut Fields<'_>) -> Option<FilledPattern> {
    let slug = fields.text("pattern", MAX_SLUG);
    let slug = fields.require("pattern", slug);
    let values = values(fields);
    Some(FilledPattern {
        path: fields.path().to_vec(),
        slug: slug?.to_owned(),
        values: values?,
    })
}

/// Reads the values for a pattern's variables. PHP writes an empty object as `[]`. A `null` is no value.
fn values(fields: &mut Fields<'_>) -> Option<BTreeMap<String, String>> {
    match fields.value("variables") {
        None => return Some(BTreeMap::new()),
        Some(Value::Array(list)) if list.is_empty() => return Some(BTreeMap::new()),
        Some(Value::Object(_)) => {}
        Some(_) => {
            fields.fault("variables", json_fields::OBJECT);
            return None;
        }
    }
    fields.object("variables", |variables| {
        let names = variables.names();
        let read = |name: &str| Some((name.to_owned(), variables.text_or_number(name)?));
        let normal = |(name, value): (String, String)| (name, text::normalise(&value).into_owned());
        names.filter_map(read).map(normal).collect()
    })
}

fn send_at(fields: &mut Fields<'_>, now_ms: i64) -> Option<i64> {
    let ms = fields.time("sendAt")?;
    if ms <= now_ms {
        fields.fault("sendAt", FaultKind::InThePast);
    } else if ms > now_ms.saturating_add(MAX_DAYS_AHEAD * DAY_MS) {
        fields.fault("sendAt", FaultKind::TooFarAhead { days: MAX_DAYS_AHEAD });
    }
    Some(ms)
}
