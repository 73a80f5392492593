//! The sends that all the protocols have.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fault::Fault;
use super::request;
use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;
use crate::api::doors::own::Own;
use crate::api::doors::send::{Content, SendBody, Text, canonical};
use crate::base::ports::Platform;
use crate::base::time;

/// Programs name the very now, or half a minute ahead, to say "at once".
const AT_ONCE_MS: i64 = 60_000;

/// How a protocol names the members of a send: ours, and its own.
pub type Names = [(&'static str, &'static str)];

/// What every send has.
#[derive(Debug)]
pub struct Send {
    sender: Option<String>,
    /// When it is to be sent, ms since the Unix epoch. `None`: at once.
    at_ms: Option<i64>,
    names: &'static Names,
}

/// The text to some recipients, of several texts.
#[derive(Debug)]
pub struct Item {
    pub recipients: Vec<String>,
    pub message: String,
}

impl Item {
    fn texts(&self) -> impl Iterator<Item = Text<'_>> {
        let message = self.message.as_str();
        self.recipients.iter().map(move |recipient| Text { recipient, message })
    }
}

impl Send {
    /// Reads the sender and the time from a body.
    pub fn read<P: Platform>(own: &Own<'_, P>, body: &Value, names: &'static Names) -> Result<Send, Fault> {
        let [sender, time] = ["sourceNumber", "sendAt"].map(|ours| name_of(ours, names));
        let at = request::text(body.member(&time), &time)?;
        let at_ms = at
            .map(|text| time_of(&text).ok_or_else(|| Fault::not_allowed(&time)))
            .transpose()?;
        let at_ms = at_ms.filter(|at_ms| *at_ms >= own.now_ms().saturating_add(AT_ONCE_MS));
        Ok(Send {
            sender: request::text(body.member(&sender), &sender)?,
            at_ms,
            names,
        })
    }

    fn body<'a>(&'a self, content: Content<'a>) -> SendBody<'a> {
        SendBody {
            line: self.sender.as_deref(),
            at_ms: self.at_ms,
            reference: None,
            content,
        }
    }

    /// Makes a send. Returns the id of its message.
    async fn make<P: Platform>(&self, own: &Own<'_, P>, content: Content<'_>) -> Result<i64, Fault> {
        let sent = own.send(&self.body(content), None, None).await;
        let sent = sent.map_err(|refused| Fault::of(refused, |pointer| name_of_pointer(pointer, self.names)))?;
        Ok(id_of(&sent.uid))
    }

    /// Sends one text.
    pub async fn text<P: Platform>(
        &self,
        own: &Own<'_, P>,
        recipients: &[String],
        message: &str,
    ) -> Result<i64, Fault> {
        let recipients = recipients.iter().map(String::as_str).collect();
        self.make(own, Content::Text { message, recipients }).await
    }

    /// What one text would cost.
    pub async fn estimate<P: Platform>(
        &self,
        own: &Own<'_, P>,
        recipient: &str,
        message: &str,
    ) -> Result<Value, Fault> {
        let recipients = vec![recipient];
        let body = self.body(Content::Text { message, recipients });
        let name = |pointer: &str| name_of_pointer(pointer.strip_prefix("/send").unwrap_or(pointer), self.names);
        own.estimate(&body).await.map_err(|refused| Fault::of(refused, name))
    }

    /// Sends a pattern, to one recipient.
    pub async fn pattern<P: Platform>(
        &self,
        own: &Own<'_, P>,
        pattern: &str,
        recipients: &[String],
        variables: &Value,
    ) -> Result<i64, Fault> {
        let [recipient] = recipients else {
            return Err(Fault::not_allowed(&name_of("recipient", self.names)));
        };
        let none = Map::new();
        let variables = match variables {
            Value::Null => &none,
            // PHP writes an object without members as a list.
            Value::Array(items) if items.is_empty() => &none,
            Value::Object(variables) => variables,
            _ => return Err(Fault::not_allowed(&name_of("variables", self.names))),
        };
        let content = Content::Pattern {
            pattern,
            recipient,
            variables,
        };
        self.make(own, content).await
    }

    /// Sends one text to phonebooks.
    pub async fn phonebooks<P: Platform>(
        &self,
        own: &Own<'_, P>,
        phonebooks: &[String],
        message: &str,
    ) -> Result<i64, Fault> {
        let phonebooks = phonebooks.iter().map(String::as_str).collect();
        let sent = self.make(own, Content::Phonebooks { message, phonebooks }).await;
        sent.map_err(|fault| fault.into_not_allowed(&name_of("phonebooks", self.names)))
    }

    /// Sends several texts as one message, so that all are sent or none is. Returns an id for each. One all of whose recipients are blocked
    /// has the id 0.
    pub async fn texts<P: Platform>(&self, own: &Own<'_, P>, items: &[Item]) -> Result<Vec<i64>, Fault> {
        self.refuse_two_texts(items)?;
        let (owners, texts): (Vec<usize>, Vec<Text<'_>>) = (0..)
            .zip(items)
            .flat_map(|(at, item)| item.texts().map(move |text| (at, text)))
            .unzip();
        let sent = own.send(&self.body(Content::Texts(texts)), None, None).await;
        let sent = sent.map_err(|refused| Fault::of(refused, |pointer| self.name_of_part(pointer, &owners)))?;
        let recipients = sent.recipients.iter();
        let places: BTreeMap<&str, i64> = recipients.map(|of| (of.number.as_str(), id_of(&of.uid))).collect();
        let place = |to: &String| places.get(canonical(to).as_str()).copied();
        let ids = items.iter().map(|item| item.recipients.iter().find_map(place));
        Ok(ids.map(Option::unwrap_or_default).collect())
    }

    /// Refuses items that have different texts for one number: our own API would send the first one only.
    fn refuse_two_texts(&self, items: &[Item]) -> Result<(), Fault> {
        let mut texts: BTreeMap<String, &str> = BTreeMap::new();
        for (at, item) in items.iter().enumerate() {
            for to in &item.recipients {
                if *texts.entry(canonical(to)).or_insert(&item.message) != item.message {
                    return Err(Fault::not_allowed(&self.name_of_item(at, "recipient")));
                }
            }
        }
        Ok(())
    }

    /// The protocol's name of a member of an item.
    fn name_of_item(&self, at: usize, member: &str) -> String {
        name_of(member, self.names).replace("{}", &at.to_string())
    }

    fn name_of_part(&self, pointer: &str, owners: &[usize]) -> String {
        let mut segments = pointer.split('/').skip(1);
        let (list, index, member) = (segments.next(), segments.next(), segments.next());
        let owner = index.and_then(|index| owners.get(index.parse::<usize>().ok()?));
        match (list, owner, member) {
            (Some("messages"), Some(at), member) => self.name_of_item(*at, member.unwrap_or("message")),
            _ => name_of_pointer(pointer, self.names),
        }
    }
}

/// The id of the message, or of the recipient, with this uid.
pub fn id_of(uid: &str) -> i64 {
    Place::of(uid).map_or(0, |place| place.id(1))
}

/// The protocol's name of a member of ours.
fn name_of(ours: &str, names: &Names) -> String {
    let known = names.iter().find(|(known, _)| *known == ours);
    known.map_or(ours, |(_, theirs)| theirs).to_owned()
}

/// The protocol's name of the member that a pointer names. Of the members of lists it is the list, as programs look for that word.
fn name_of_pointer(pointer: &str, names: &Names) -> String {
    let mut segments = pointer.split('/').skip(1);
    let (member, inner) = (segments.next().unwrap_or_default(), segments.next());
    match (member, inner) {
        ("variables", Some(variable)) => format!("{}.{variable}", name_of(member, names)),
        _ => name_of(member, names),
    }
}

/// Reads a time of UTC like `2026-01-31 12:00:00`, or one with a zone, as RFC 3339 has it.
pub fn time_of(text: &str) -> Option<i64> {
    let text = text.trim();
    time::from_rfc3339(text).or_else(|| time::from_rfc3339(&format!("{}Z", text.replace(' ', "T"))))
}
