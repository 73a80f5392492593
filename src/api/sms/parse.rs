//! The bodies of the sends, read and checked: one reader a kind, and what they share.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::account::message::MessageKind;
use crate::config::Config;
use crate::fault::{FaultKind, Step};
use crate::input::{self, Fields, phone_number};
use crate::sms::msisdn::Msisdn;
use crate::sms::text::{self, Measured};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How far ahead a message may be scheduled, days.
const MAX_DAYS_AHEAD: i64 = 90;
/// Characters of a client's own reference at most.
const MAX_CLIENT_REF: usize = 64;
/// Characters of a source number at most.
const MAX_SOURCE_NUMBER: usize = 32;
/// Characters of a pattern's slug at most.
const MAX_SLUG: usize = 64;
/// Phonebooks of one send at most.
const MAX_PHONEBOOKS: usize = 20;
/// Characters of a phonebook's id at most.
const MAX_PHONEBOOK_ID: usize = 64;

/// A send's body.
#[derive(Debug)]
pub struct SendRequest {
    /// Where in the body it stands: at its root, but for an estimate.
    pub path: Vec<Step>,
    /// FaultKind is to be sent, and to whom.
    pub order: Order,
    /// The line to send from; `None`: the account's default.
    pub source_number: Option<String>,
    /// When to send, ms since the Unix epoch.
    pub send_at_ms: Option<i64>,
    /// The client's own reference.
    pub client_ref: Option<String>,
}

/// FaultKind is to be sent, and to whom.
#[derive(Debug)]
pub enum Order {
    /// One text to some.
    Plain {
        /// FaultKind they get.
        text: Measured,
        /// Each once.
        recipients: Vec<Named>,
    },
    /// A pattern, filled in once, to some.
    Pattern {
        /// The pattern and its values.
        filling: Filling,
        /// Each once.
        recipients: Vec<Named>,
    },
    /// One text, filled in for each number, to phonebooks.
    Phonebook {
        /// Line ends normalised.
        text: String,
        /// Their ids, each once.
        phonebooks: Vec<String>,
        /// The member that named them.
        member: &'static str,
        /// Who does not get it.
        exclude: Vec<Msisdn>,
    },
    /// A text of its own to each.
    Bulk(Vec<(Named, Text)>),
}

impl Order {
    /// The kind of message that it makes.
    pub fn kind(&self) -> MessageKind {
        match self {
            Order::Plain { .. } => MessageKind::Plain,
            Order::Pattern { .. } => MessageKind::Pattern,
            Order::Phonebook { .. } => MessageKind::Phonebook,
            Order::Bulk(_) => MessageKind::Bulk,
        }
    }

    /// The patterns that it names.
    pub fn patterns(&self) -> Vec<&Filling> {
        match self {
            Order::Pattern { filling, .. } => vec![filling],
            Order::Bulk(items) => items.iter().filter_map(|(_, text)| text.filling()).collect(),
            Order::Plain { .. } | Order::Phonebook { .. } => Vec::new(),
        }
    }
}

/// A number, and where in the body it was named first.
#[derive(Debug, Clone)]
pub struct Named {
    /// The number.
    pub number: Msisdn,
    /// Where.
    pub place: Place,
}

/// Where in a send's body a recipient is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// `recipient`.
    One,
    /// `recipients[…]`.
    Listed(usize),
    /// `messages[…].recipient`.
    Bulk(usize),
    /// In a phonebook, named by this member.
    Phonebook(&'static str),
}

impl Place {
    /// The steps to it from the root of the send.
    pub fn steps(self) -> Vec<Step> {
        let name = |name: &str| Step::Name(name.to_owned());
        match self {
            Place::One => vec![name("recipient")],
            Place::Listed(index) => vec![name("recipients"), Step::Index(index)],
            Place::Bulk(index) => vec![name("messages"), Step::Index(index), name("recipient")],
            Place::Phonebook(member) => vec![name(member)],
        }
    }
}

/// The text of one message of a bulk.
#[derive(Debug)]
pub enum Text {
    /// Its own.
    Own(Measured),
    /// A pattern's.
    Pattern(Filling),
}

impl Text {
    /// The pattern and values, if it is a pattern's.
    pub fn filling(&self) -> Option<&Filling> {
        match self {
            Text::Pattern(filling) => Some(filling),
            Text::Own(_) => None,
        }
    }
}

/// A pattern with the values for its variables.
#[derive(Debug)]
pub struct Filling {
    /// Where it stands, from the root of the body.
    pub path: Vec<Step>,
    /// The pattern.
    pub slug: String,
    /// The values by the variables' names, line ends normalised.
    pub values: BTreeMap<String, String>,
}

/// Reads the body of a send of that kind. `None` when it has faults.
pub fn request(kind: MessageKind, config: &Config, now_ms: i64, fields: &mut Fields<'_>) -> Option<SendRequest> {
    let order = match kind {
        MessageKind::Plain => plain(config, fields),
        MessageKind::Pattern => pattern(config, fields),
        MessageKind::Phonebook => phonebook(config, fields),
        MessageKind::Bulk => bulk(config, fields),
    };
    let source_number = fields.text("sourceNumber", MAX_SOURCE_NUMBER).map(str::to_owned);
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

fn plain(config: &Config, fields: &mut Fields<'_>) -> Option<Order> {
    let text = short_message(config, fields);
    let recipients = recipients(fields, config.max_recipients);
    Some(Order::Plain {
        text: text?,
        recipients: recipients?,
    })
}

fn pattern(config: &Config, fields: &mut Fields<'_>) -> Option<Order> {
    let filling = filling(fields);
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
            vec![Named {
                number,
                place: Place::One,
            }]
        }),
    };
    Some(Order::Pattern {
        filling: filling?,
        recipients: recipients?,
    })
}

fn phonebook(config: &Config, fields: &mut Fields<'_>) -> Option<Order> {
    let text = message(fields);
    let (member, phonebooks) = phonebooks(fields)?;
    let exclude = fields.texts("exclude", config.max_phonebook_recipients, phone_number);
    Some(Order::Phonebook {
        text: text?,
        phonebooks: phonebooks?,
        member,
        exclude: exclude.unwrap_or_default(),
    })
}

/// The ids, each once, and the member that names them.
fn phonebooks(fields: &mut Fields<'_>) -> Option<(&'static str, Option<Vec<String>>)> {
    match (
        fields.value("phonebook").is_some(),
        fields.value("phonebooks").is_some(),
    ) {
        (true, true) => {
            fields.fault("phonebook", FaultKind::NotBeside("phonebooks"));
            Some(("phonebook", None))
        }
        (false, true) => {
            let mut ids = fields.texts("phonebooks", MAX_PHONEBOOKS, |id| match id.chars().count() {
                1..=MAX_PHONEBOOK_ID => Ok(id.to_owned()),
                _ => Err(FaultKind::BadFormat("the id of a phonebook")),
            });
            if let Some(ids) = &mut ids {
                let mut seen = HashSet::new();
                ids.retain(|id| seen.insert(id.clone()));
                if ids.is_empty() {
                    fields.fault("phonebooks", FaultKind::Empty);
                    return Some(("phonebooks", None));
                }
            }
            Some(("phonebooks", ids))
        }
        _ => {
            let id = fields.text("phonebook", MAX_PHONEBOOK_ID);
            let id = fields.require("phonebook", id);
            Some(("phonebook", id.map(|id| vec![id.to_owned()])))
        }
    }
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
    let items: Vec<(Named, Text)> = items.into_iter().flatten().collect();
    let is_whole = items.len() == count;
    let once = items.into_iter().filter(|(named, _)| seen.insert(named.number));
    is_whole.then(|| Order::Bulk(once.collect()))
}

fn bulk_item(config: &Config, index: usize, fields: &mut Fields<'_>) -> Option<(Named, Text)> {
    let number = recipient(fields);
    let text = match (fields.value("message").is_some(), fields.value("pattern").is_some()) {
        (true, true) => {
            fields.fault("message", FaultKind::NotBeside("pattern"));
            None
        }
        (false, true) => filling(fields).map(Text::Pattern),
        _ => short_message(config, fields).map(Text::Own),
    };
    let named = Named {
        number: number?,
        place: Place::Bulk(index),
    };
    Some((named, text?))
}

fn recipient(fields: &mut Fields<'_>) -> Option<Msisdn> {
    let number = fields.phone_number("recipient");
    fields.require("recipient", number)
}

/// The recipients, each once, in the order in which they were first named.
fn recipients(fields: &mut Fields<'_>, max: usize) -> Option<Vec<Named>> {
    let numbers = fields.texts("recipients", max, phone_number);
    let numbers = fields.require("recipients", numbers)?;
    if numbers.is_empty() {
        fields.fault("recipients", FaultKind::Empty);
        return None;
    }
    let mut seen = HashSet::with_capacity(numbers.len());
    let named = numbers.into_iter().enumerate().map(|(index, number)| Named {
        number,
        place: Place::Listed(index),
    });
    Some(named.filter(|named| seen.insert(named.number)).collect())
}

/// A message of any length.
fn message(fields: &mut Fields<'_>) -> Option<String> {
    let message = fields.any_text("message");
    let message = fields.require("message", message)?;
    if message.is_empty() {
        fields.fault("message", FaultKind::Empty);
        return None;
    }
    Some(text::normalise(message).into_owned())
}

/// A message that is sent as it is.
fn short_message(config: &Config, fields: &mut Fields<'_>) -> Option<Measured> {
    let message = Measured::of(message(fields)?);
    let (parts, max) = (message.segmentation.parts, config.max_parts);
    if parts > max {
        fields.fault("message", FaultKind::TooManyParts { parts, max });
        return None;
    }
    Some(message)
}

fn filling(fields: &mut Fields<'_>) -> Option<Filling> {
    let slug = fields.text("pattern", MAX_SLUG);
    let slug = fields.require("pattern", slug);
    let values = values(fields);
    Some(Filling {
        path: fields.path().to_vec(),
        slug: slug?.to_owned(),
        values: values?,
    })
}

/// The values for a pattern's variables. PHP writes an empty object as `[]`; a `null` is no value.
fn values(fields: &mut Fields<'_>) -> Option<BTreeMap<String, String>> {
    match fields.value("variables") {
        None => return Some(BTreeMap::new()),
        Some(Value::Array(list)) if list.is_empty() => return Some(BTreeMap::new()),
        Some(Value::Object(_)) => {}
        Some(_) => {
            fields.fault("variables", input::OBJECT);
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
