//! `GET …/Messages`: what an account has sent, newest first, one entry for each recipient.

use serde_json::{Value, json};

use super::errors::Fault;
use super::message::{Recipient, Record, address, record};
use super::page::{List, Position, page};
use super::told::Told;
use super::wanted::{MAX_SIZE, Wanted};
use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::api::http::{Head, paging};
use crate::base::ports::Platform;

/// Our own lists that a page reads, at most, with so many messages each. A page that has found nothing by then says where the next one
/// begins.
const MAX_LISTS: usize = 10;
const LIST: usize = 200;

/// `GET …/Messages`
pub async fn list<P: Platform>(own: &Own<'_, P>, account: &str, head: &Head, params: &Params) -> Result<Told, Fault> {
    let wanted = Wanted::read(params)?;
    let begin = params.get("pagetoken").map(|token| {
        let position = Position::of_token(token);
        position.ok_or_else(|| Fault::of(20_001).about("PageToken is none of this list"))
    });
    let mut next = begin.transpose()?;
    let mut found = Vec::new();
    for _ in 0..MAX_LISTS {
        (found, next) = some(own, &wanted, next).await?;
        if !found.is_empty() || next.is_none() {
            break;
        }
    }
    let records = found.iter().map(Recipient::found);
    let records: Vec<Record<'_>> = records.map(|of| record(account, own.unit(), &of)).collect();
    let list = List {
        uri: &address(account, "/Messages.json"),
        name: "messages",
        query: &head.query,
        bounds: wanted.bounds,
    };
    let next = next.map(|next| format!("&PageToken={}", next.token()));
    Ok(Told::found(&page(&list, next, &records)))
}

/// The next entries of a list, and where those behind them begin.
async fn some<P: Platform>(
    own: &Own<'_, P>,
    wanted: &Wanted<'_>,
    begin: Option<Position>,
) -> Result<(Vec<Value>, Option<Position>), Fault> {
    let (names, mut next) = names(own, wanted, begin).await?;
    if names.is_empty() {
        return Ok((Vec::new(), next));
    }
    let mut found = own.recipients(json!({"recipients": names})).await?;
    found.retain(|recipient| wanted.to.as_deref().is_none_or(|to| recipient.text("recipient") == to));
    if found.len() > wanted.bounds.size {
        found.truncate(wanted.bounds.size);
        next = found.last().and_then(behind);
    }
    Ok((found, next))
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

/// The names of recipients to look at, and where those behind them begin.
async fn names<P: Platform>(
    own: &Own<'_, P>,
    wanted: &Wanted<'_>,
    begin: Option<Position>,
) -> Result<(Vec<String>, Option<Position>), Fault> {
    let (messages, mut next) = messages(own, wanted, begin).await?;
    // If only those to one number are told, more are looked at than are told.
    let room = if wanted.to.is_some() {
        MAX_SIZE
    } else {
        wanted.bounds.size
    };
    let mut names = Vec::new();
    for message in &messages {
        let Some(place) = Place::of(message.text("uid")).filter(|_| is_from(message, wanted.from)) else {
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

fn is_from(message: &Value, line: Option<&str>) -> bool {
    line.is_none_or(|line| message.text("sourceNumber") == line)
}

/// The next messages of our own list, and where those behind them begin.
async fn messages<P: Platform>(
    own: &Own<'_, P>,
    wanted: &Wanted<'_>,
    begin: Option<Position>,
) -> Result<(Vec<Value>, Option<Position>), Fault> {
    let limit = if wanted.from.is_some() {
        LIST
    } else {
        wanted.bounds.size.min(LIST)
    };
    let mut path = format!("/messages?limit={limit}{}", wanted.span);
    if let Some(to) = &wanted.to {
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
