//! What an account has sent, as a part of a list of messages: an entry for each recipient.

use serde_json::{Value, json};

use super::errors::Fault;
use super::lines::is_same;
use super::page::{Batch, Entry, Position};
use super::wanted::{MAX_SIZE, Wanted};
use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;
use crate::api::doors::own::{Ask, Own, Refused};
use crate::api::http::paging;
use crate::base::{ports::Platform, time};

/// Our own lists that a page reads, at most, with so many messages each. A page that has found nothing by then says where the next one
/// begins.
const MAX_LISTS: usize = 10;
const LIST: usize = 200;

/// Fails if the key may not read messages.
pub async fn may_read<P: Platform>(own: &Own<'_, P>) -> Result<(), Refused> {
    let path = "/messages?limit=1";
    own.page(Ask { path, ..Ask::default() }).await.map(drop)
}

/// Which recipients are looked for.
pub struct Search<'a> {
    pub wanted: &'a Wanted,
    /// Only those of messages from this line, with whatever prefix it is written.
    pub line: Option<&'a str>,
}

impl Search<'_> {
    /// The next entries, from this place, and where those behind them begin.
    pub async fn next<P: Platform>(
        &self,
        own: &Own<'_, P>,
        mut next: Option<Position>,
    ) -> Result<Batch<Position>, Fault> {
        let mut found = Vec::new();
        for _ in 0..MAX_LISTS {
            (found, next) = self.some(own, next).await?;
            if !found.is_empty() || next.is_none() {
                break;
            }
        }
        Ok(Batch {
            entries: found.into_iter().filter_map(entry).collect(),
            next,
        })
    }

    /// The number that they are to.
    fn to(&self) -> Option<&str> {
        self.wanted.to.as_ref().and_then(|to| to.phone.as_deref())
    }

    /// The next recipients, and where those behind them begin.
    async fn some<P: Platform>(
        &self,
        own: &Own<'_, P>,
        begin: Option<Position>,
    ) -> Result<(Vec<Value>, Option<Position>), Fault> {
        let (names, mut next) = self.names(own, begin).await?;
        if names.is_empty() {
            return Ok((Vec::new(), next));
        }
        let mut found = own.recipients(json!({"recipients": names})).await?;
        found.retain(|recipient| self.to().is_none_or(|to| recipient.text("recipient") == to));
        let size = self.wanted.bounds.size;
        if found.len() > size {
            found.truncate(size);
            next = found.last().and_then(behind);
        }
        Ok((found, next))
    }

    /// The names of recipients to look at, and where those behind them begin.
    async fn names<P: Platform>(
        &self,
        own: &Own<'_, P>,
        begin: Option<Position>,
    ) -> Result<(Vec<String>, Option<Position>), Fault> {
        let (messages, mut next) = self.messages(own, begin).await?;
        // If only those to one number are told, more are looked at than are told.
        let room = if self.to().is_some() {
            MAX_SIZE
        } else {
            self.wanted.bounds.size
        };
        let mut names = Vec::new();
        for message in &messages {
            let Some(place) = Place::of(message.text("uid")).filter(|_| self.is_from(message)) else {
                continue;
            };
            let first = begin.map_or(0, |begin| begin.index_in(place.message));
            for index in first..message.number("recipientCount") {
                if names.len() >= room {
                    next = Some(Position::at(place.message, index));
                    return Ok((names, next));
                }
                names.push(Place { index, ..place }.name());
            }
        }
        Ok((names, next))
    }

    fn is_from(&self, message: &Value) -> bool {
        self.line.is_none_or(|line| is_same(message.text("sourceNumber"), line))
    }

    /// The next messages of our own list, and where those behind them begin.
    async fn messages<P: Platform>(
        &self,
        own: &Own<'_, P>,
        begin: Option<Position>,
    ) -> Result<(Vec<Value>, Option<Position>), Fault> {
        let limit = if self.line.is_some() {
            LIST
        } else {
            self.wanted.bounds.size.min(LIST)
        };
        let mut path = format!("/messages?limit={limit}{}", self.wanted.span.query("from", "to"));
        if let Some(to) = self.to() {
            path.push_str("&recipient=");
            path.extend(form_urlencoded::byte_serialize(to.as_bytes()));
        }
        if let Some(begin) = begin {
            path.push_str("&cursor=");
            path.push_str(&paging::cursor("messages", &begin.end.to_string()));
        }
        let ask = Ask {
            path: &path,
            ..Ask::default()
        };
        let (messages, cursor) = own.page(ask).await?;
        let next = cursor.and_then(|cursor| paging::number("messages", &cursor));
        Ok((messages, next.map(Position::behind)))
    }
}

/// A recipient in the list. It stands where its message was made.
fn entry(recipient: Value) -> Option<Entry<Position>> {
    let place = Place::of(recipient.text("uid"))?;
    Some(Entry {
        at_ms: time::from_rfc3339(recipient.text("createdAt")).unwrap_or_default(),
        begin: Position::at(place.message, place.index),
        of: recipient,
    })
}

/// The position behind a recipient.
fn behind(recipient: &Value) -> Option<Position> {
    let place = Place::of(recipient.text("uid"))?;
    let index = place.index.saturating_add(1);
    Some(if index < recipient.number("recipientCount") {
        Position::at(place.message, index)
    } else {
        Position::behind(place.message)
    })
}
