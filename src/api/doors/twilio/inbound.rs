//! Messages from phones, as a part of a list of messages and one by one. The SID of one has the digits of its id, of which the last
//! twelve say its number in the account. So no search is needed to find it.

use serde_json::Value;

use super::errors::Fault;
use super::message::{Record, received};
use super::outbound::may_read;
use super::page::{Batch, Entry};
use super::wanted::Wanted;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own, Refused};
use crate::api::http::paging;
use crate::base::{id, ports::Platform, time};
use crate::webhook::callbacks::twilio::{like_uid, message_sid};

/// The most messages that a page reads.
const LIST: usize = 200;

/// The next entries, from this place, and where those behind them begin. `line` is the only line that they may be to. A test key has
/// none.
pub async fn next<P: Platform>(
    own: &Own<'_, P>,
    wanted: &Wanted,
    line: Option<&str>,
    begin: Option<i64>,
) -> Result<Batch<i64>, Fault> {
    let mut rest = wanted.span.query("since", "until");
    let from = wanted.from.as_ref();
    let sender = from.map(|from| from.phone.as_deref().unwrap_or(&from.line));
    for (name, value) in [("line", line), ("from", sender)] {
        if let Some(value) = value {
            rest.push_str(&format!("&{name}="));
            rest.extend(form_urlencoded::byte_serialize(value.as_bytes()));
        }
    }
    let (messages, next) = page(own, wanted.bounds.size.min(LIST), begin, &rest).await?;
    Ok(Batch {
        entries: messages.into_iter().map(entry).collect(),
        next,
    })
}

/// A page of our own list, below this number. Nothing, if it is a test key that asks.
async fn page<P: Platform>(
    own: &Own<'_, P>,
    limit: usize,
    end: Option<i64>,
    rest: &str,
) -> Result<(Vec<Value>, Option<i64>), Refused> {
    let mut path = format!("/inbound?limit={limit}{rest}");
    if let Some(end) = end {
        path.push_str("&cursor=");
        path.push_str(&paging::cursor("inbound", &end.to_string()));
    }
    let ask = Ask {
        path: &path,
        ..Ask::default()
    };
    match own.page(ask).await {
        Ok((messages, cursor)) => Ok((messages, cursor.and_then(|cursor| paging::number("inbound", &cursor)))),
        Err(refused) if refused.code == 403 => {
            // Messages from phones are none of a test key's, which may read what it has sent. Any other key that may not read them lacks the scope,
            // and must not take that for an empty inbox.
            may_read(own).await?;
            Ok((Vec::new(), None))
        }
        Err(refused) => Err(refused),
    }
}

fn entry(message: Value) -> Entry<i64> {
    Entry {
        at_ms: time::from_rfc3339(message.text("receivedAt")).unwrap_or_default(),
        begin: message.number("number").saturating_add(1),
        of: message,
    }
}

/// The message from a phone that a SID names.
pub async fn find<P: Platform>(own: &Own<'_, P>, sid: &str) -> Result<Option<Value>, Fault> {
    let Some(number) = like_uid(sid).and_then(|uid| id::number_of(&uid)) else {
        return Ok(None);
    };
    let (found, _) = page(own, 1, Some(number.saturating_add(1)), "").await?;
    let is_it = |message: &Value| sid_of(message).get(2..).is_some_and(|digits| is_of(sid, digits));
    Ok(found.into_iter().find(is_it))
}

/// Whether a SID has these digits.
fn is_of(sid: &str, digits: &str) -> bool {
    sid.get(2..).is_some_and(|own| own.eq_ignore_ascii_case(digits))
}

fn sid_of(message: &Value) -> String {
    let uid = id::numbered(message.text("id"), message.number("number"));
    message_sid(&uid.unwrap_or_default(), 0)
}

/// The record of a message from a phone.
pub fn record<'a>(account: &'a str, unit: &'a str, message: &'a Value) -> Record<'a> {
    received(account, unit, sid_of(message), message)
}
