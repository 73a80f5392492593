//! A send of our own API, and what it answers. All doors send by these. They are written and read without a tree of JSON values in
//! between, because a send by a door is to cost hardly more than one by our own API.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use sms::msisdn::Msisdn;

use crate::base::time;

/// The body of a send.
#[derive(Debug, Clone)]
pub struct SendBody<'a> {
    /// The line. `None`: the account's own choice.
    pub line: Option<&'a str>,
    /// When it is to be sent, ms since the Unix epoch. `None`: at once.
    pub at_ms: Option<i64>,
    /// The program's own reference.
    pub reference: Option<&'a str>,
    /// What goes to whom.
    pub content: Content<'a>,
}

/// What goes to whom.
#[derive(Debug, Clone)]
pub enum Content<'a> {
    /// One text to numbers.
    Text { message: &'a str, recipients: Vec<&'a str> },
    /// Texts, each to its own number.
    Texts(Vec<Text<'a>>),
    /// A pattern to a number.
    Pattern {
        pattern: &'a str,
        recipient: &'a str,
        variables: &'a Map<String, Value>,
    },
    /// One text to phonebooks. It goes as it stands: what looks like a placeholder is text.
    Phonebooks { message: &'a str, phonebooks: Vec<&'a str> },
}

impl Content<'_> {
    /// Whether it goes to several numbers. The providers leave out those of them that are blocked, and send to the others.
    fn is_to_many(&self) -> bool {
        match self {
            Content::Text { recipients, .. } => recipients.len() > 1,
            Content::Texts(texts) => texts.len() > 1,
            Content::Pattern { .. } => false,
            Content::Phonebooks { .. } => true,
        }
    }
}

/// A text to a number.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Text<'a> {
    pub recipient: &'a str,
    pub message: &'a str,
}

impl SendBody<'_> {
    /// The path that takes it.
    pub fn path(&self) -> &'static str {
        match self.content {
            Content::Text { .. } => "/sms/send",
            Content::Texts(_) => "/sms/bulk",
            Content::Pattern { .. } => "/sms/pattern",
            Content::Phonebooks { .. } => "/sms/phonebook/send",
        }
    }
}

impl<'a> SendBody<'a> {
    /// The numbers at which these pointers of a refusal point, in their canonical form.
    pub fn numbers_at(&self, pointers: &[String]) -> BTreeSet<String> {
        let number_at = |pointer: &String| {
            let mut members = pointer.split('/').skip(1);
            let (list, index) = (members.next()?, members.next()?.parse::<usize>().ok()?);
            match (&self.content, list) {
                (Content::Text { recipients, .. }, "recipients") => recipients.get(index).copied(),
                (Content::Texts(texts), "messages") => texts.get(index).map(|text| text.recipient),
                _ => None,
            }
        };
        pointers.iter().filter_map(number_at).map(canonical).collect()
    }

    /// The same send to others than these numbers. `None`: nobody is left, or nobody was left out.
    pub fn without(&self, numbers: &BTreeSet<String>) -> Option<SendBody<'a>> {
        let mut body = self.clone();
        let stays = |number: &str| !numbers.contains(&canonical(number));
        let (before, after) = match &mut body.content {
            Content::Text { recipients, .. } => retained(recipients, |number| stays(number)),
            Content::Texts(texts) => retained(texts, |text| stays(text.recipient)),
            Content::Pattern { .. } | Content::Phonebooks { .. } => return None,
        };
        (0 < after && after < before).then_some(body)
    }
}

/// Keeps some items of a list. Returns how many there were, and how many there are.
fn retained<T>(list: &mut Vec<T>, stays: impl Fn(&T) -> bool) -> (usize, usize) {
    let before = list.len();
    list.retain(stays);
    (before, list.len())
}

impl Serialize for SendBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        let send_at = self.at_ms.map(time::to_rfc3339);
        let common = [
            ("sourceNumber", self.line),
            ("sendAt", send_at.as_deref()),
            ("clientRef", self.reference),
        ];
        for (name, value) in common {
            if let Some(value) = value {
                members.serialize_entry(name, value)?;
            }
        }
        if self.content.is_to_many() {
            members.serialize_entry("blacklisted", "SKIP")?;
        }
        match &self.content {
            Content::Text { message, recipients } => {
                members.serialize_entry("message", message)?;
                members.serialize_entry("recipients", recipients)?;
            }
            Content::Texts(texts) => members.serialize_entry("messages", texts)?,
            Content::Pattern {
                pattern,
                recipient,
                variables,
            } => {
                members.serialize_entry("pattern", pattern)?;
                members.serialize_entry("recipient", recipient)?;
                members.serialize_entry("variables", variables)?;
            }
            Content::Phonebooks { message, phonebooks } => {
                members.serialize_entry("message", message)?;
                members.serialize_entry("phonebooks", phonebooks)?;
                members.serialize_entry("unknownPlaceholders", "KEEP")?;
            }
        }
        members.end()
    }
}

/// What our own API answers to a send.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Sent {
    /// The id of the message.
    pub uid: String,
    /// The line.
    #[serde(rename = "sourceNumber")]
    pub line: String,
    /// The parts of the text.
    pub parts: i64,
    /// The price of the message.
    pub cost: i64,
    /// The recipients. One that the send named twice stands here once.
    pub recipients: Vec<SentRecipient>,
    /// The numbers, in their canonical form, that a door has left out because the account may not send there.
    #[serde(skip)]
    pub closed: BTreeSet<String>,
}

/// A recipient of a send.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SentRecipient {
    pub uid: String,
    /// The number in its canonical form.
    #[serde(rename = "recipient")]
    pub number: String,
    pub status: String,
    pub cost: i64,
}

impl Sent {
    /// The recipients, one for each number that the request names. A number that it names twice is one recipient. `None`: the message was
    /// not sent to it, because it is none or it is blocked.
    pub fn in_order(&self, numbers: &[impl AsRef<str>]) -> Vec<Option<&SentRecipient>> {
        let recipients = self.recipients.iter();
        let by_number: BTreeMap<&str, &SentRecipient> = recipients.map(|of| (of.number.as_str(), of)).collect();
        let recipient = |number| by_number.get(canonical(number).as_str()).copied();
        numbers.iter().map(|number| recipient(number.as_ref())).collect()
    }
}

impl Sent {
    /// The uids of those of these numbers that the message left out, because they are blocked: behind its recipients, the smallest number
    /// first. `None`: it is a recipient, or no number.
    pub fn left_out(&self, numbers: &[&str]) -> Vec<Option<String>> {
        let recipients = numbers.iter().zip(self.in_order(numbers));
        let blocked = recipients.map(|(number, recipient)| {
            let is_blocked = recipient.is_none() && !self.closed.contains(&canonical(number));
            Msisdn::parse(number).ok().filter(|_| is_blocked)
        });
        let blocked: Vec<Option<u64>> = blocked.map(|number| number.map(Msisdn::get)).collect();
        let all: BTreeSet<u64> = blocked.iter().flatten().copied().collect();
        let uid = |number: u64| {
            let index = self.recipients.len().saturating_add(all.range(..number).count());
            format!("{}.{index}", self.uid)
        };
        blocked.into_iter().map(|number| number.map(uid)).collect()
    }
}

/// Whether a text is a phone number.
pub fn is_number(text: &str) -> bool {
    Msisdn::parse(text).is_ok()
}

/// Those of the texts that are phone numbers: the providers send to them, and leave the others out. All of the texts, if none is: our own
/// API says so then.
pub fn numbers_of<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let numbers: Vec<&str> = texts.iter().copied().filter(|text| is_number(text)).collect();
    if numbers.is_empty() { texts.to_vec() } else { numbers }
}

/// The canonical form of a number, or the text if it is none: our own API says so then.
pub fn canonical(number: &str) -> String {
    Msisdn::parse(number).map_or_else(|_| number.to_owned(), Msisdn::to_e164)
}
