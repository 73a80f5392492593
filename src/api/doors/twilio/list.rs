//! `GET …/Messages`: what an account has sent, one entry for each recipient, and what phones have sent to it, newest first.
//!
//! Two lists of ours make the page, and each has an order of its own that does not change: what was sent by the numbers of messages,
//! what was received by its own numbers. A page takes the later one of the two next entries again and again; of two with the same time it
//! takes the one that was sent. It ends before an entry of which it does not know whether the other list goes on with a later one. The
//! token of the next page names the place in both lists. So no entry is lost or told twice, whatever comes meanwhile, and a page reads
//! no more than if it had one kind alone.

use serde_json::Value;

use super::call::Told;
use super::errors::Fault;
use super::message::{Recipient, Record, address, record};
use super::outbound::{Search, may_read};
use super::page::{Batch, Begin, Begins, List, Position, page};
use super::wanted::{Party, Wanted};
use super::{inbound, lines};
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::http::Head;
use crate::base::ports::Platform;

/// An entry of a page.
enum Of {
    Sent(Value),
    Received(Value),
}

/// `GET …/Messages`
pub async fn list<P: Platform>(own: &Own<'_, P>, account: &str, head: &Head, params: &Params) -> Result<Told, Fault> {
    let wanted = Wanted::read(params)?;
    let begins = match params.get("pagetoken") {
        Some(token) => {
            Begins::of_token(token).ok_or_else(|| Fault::of(20_001).about("PageToken is none of this list"))?
        }
        None => Begins::FIRST,
    };
    let sent = sent(own, &wanted, begins.sent).await?;
    let received = received(own, &wanted, begins.received).await?;
    if sent.is_none() && received.is_none() {
        // Nothing was looked up, so nobody has said yet whether the key may read messages.
        may_read(own).await?;
    }
    let (sent, received) = (sent.unwrap_or_default(), received.unwrap_or_default());
    let (entries, next) = merged(wanted.bounds.size, sent, received);
    let records = entries.iter().map(|entry| match entry {
        Of::Sent(recipient) => record(account, own.unit(), &Recipient::found(recipient)),
        Of::Received(message) => inbound::record(account, own.unit(), message),
    });
    let records: Vec<Record<'_>> = records.collect();
    let list = List {
        uri: &address(account, "/Messages.json"),
        name: "messages",
        query: &head.query,
        bounds: wanted.bounds,
    };
    let next = next.token().map(|token| format!("&PageToken={token}"));
    Ok(Told::found(&page(&list, next, &records)))
}

/// What was sent: to a number, and from a line. `None`: there is nothing to look up.
async fn sent<P: Platform>(
    own: &Own<'_, P>,
    wanted: &Wanted,
    begin: Begin<Position>,
) -> Result<Option<Batch<Position>>, Fault> {
    let is_to_a_line = wanted.to.as_ref().is_some_and(|to| to.phone.is_none());
    let Some(begin) = begin.asked().filter(|_| !is_to_a_line) else {
        return Ok(None);
    };
    let line = match &wanted.from {
        // Of a line that the key has no more, the messages are still there.
        Some(from) if !from.is_mobile() => Some(from.line.clone()),
        Some(from) => match line_of(own, from).await? {
            None => return Ok(None),
            line => line,
        },
        None => None,
    };
    let line = line.as_deref();
    Search { wanted, line }.next(own, begin).await.map(Some)
}

/// What was received: to a line, and from whom it may be. `None`: there is nothing to look up.
async fn received<P: Platform>(
    own: &Own<'_, P>,
    wanted: &Wanted,
    begin: Begin<i64>,
) -> Result<Option<Batch<i64>>, Fault> {
    let Some(begin) = begin.asked() else {
        return Ok(None);
    };
    let line = match &wanted.to {
        Some(to) => match line_of(own, to).await? {
            None => return Ok(None),
            line => line,
        },
        None => None,
    };
    inbound::next(own, wanted, line.as_deref(), begin).await.map(Some)
}

/// The line that a filter means, as the key has it. A number that is none of the key's lines is one that it has no more, as it is written; but
/// a mobile number is then no line at all: otherwise all that the account has would be read for it. A key that may not see the lines can't
/// tell, so there any number is a line, as it is written.
async fn line_of<P: Platform>(own: &Own<'_, P>, party: &Party) -> Result<Option<String>, Fault> {
    let written = || party.line.clone();
    match lines::all(own).await {
        Ok(lines) => {
            let own_line = lines.into_iter().find(|line| lines::is_same(line, &party.line));
            Ok(own_line.or_else(|| (!party.is_mobile()).then(written)))
        }
        Err(fault) if fault.code == 20_403 => Ok(Some(written())),
        Err(fault) => Err(fault),
    }
}

/// The entries of a page, and where the next one begins.
fn merged(size: usize, sent: Batch<Position>, received: Batch<i64>) -> (Vec<Of>, Begins) {
    let mut outbound = sent.entries.into_iter().peekable();
    let mut inbound = received.entries.into_iter().peekable();
    let mut entries = Vec::new();
    while entries.len() < size {
        let takes_sent = match (outbound.peek(), inbound.peek()) {
            (Some(sent), Some(received)) => sent.at_ms >= received.at_ms,
            (Some(_), None) if received.next.is_none() => true,
            (None, Some(_)) if sent.next.is_none() => false,
            _ => break,
        };
        let entry = if takes_sent {
            outbound.next().map(|entry| Of::Sent(entry.of))
        } else {
            inbound.next().map(|entry| Of::Received(entry.of))
        };
        entries.extend(entry);
    }
    let begins = Begins {
        sent: outbound.peek().map(|entry| entry.begin).or(sent.next).into(),
        received: inbound.peek().map(|entry| entry.begin).or(received.next).into(),
    };
    (entries, begins)
}
