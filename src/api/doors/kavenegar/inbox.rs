//! What phones have sent to the account.

use serde::Serialize;
use serde_json::{Value, json};

use super::entry::receptor_of;
use super::errors::{Fault, must};
use super::span::Span;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::api::doors::walk::{PAGE, Walk};
use crate::base::ports::Platform;

/// The most entries of a call.
const MAX_ENTRIES: usize = 100;

/// Whether the call is about messages that were read before. `None`: it does not say.
fn is_read(params: &Params) -> Result<Option<bool>, Fault> {
    match params.get("isread") {
        None => Ok(None),
        Some("0") => Ok(Some(false)),
        Some("1") => Ok(Some(true)),
        Some(_) => Err(Fault::of(422).about("isread")),
    }
}

/// A value in a query.
fn encoded(value: &str) -> String {
    form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

/// `sms/receive`: the messages that were not read before, which are read from now on, or the newest of those that were.
pub async fn receive<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let line = must(params, "linenumber")?;
    must(params, "isread")?;
    let messages = if is_read(params)? == Some(true) {
        let path = format!("/inbound?limit={MAX_ENTRIES}&taken=true&line={}", encoded(line));
        let ask = Ask {
            path: &path,
            ..Ask::default()
        };
        own.page(ask).await?.0
    } else {
        let ask = Ask {
            path: "/inbound/take",
            body: Some(json!({"line": line, "limit": MAX_ENTRIES})),
            ..Ask::default()
        };
        own.ask(ask).await?.list("messages").to_vec()
    };
    Ok(messages.iter().map(entry).collect())
}

fn entry(message: &Value) -> Value {
    json!({
        "messageid": message.number("number"), "message": message.text("text"), "sender": receptor_of(message.text("from")),
        "receptor": message.text("line"), "date": message.seconds("receivedAt").unwrap_or_default(),
    })
}

/// A page of a list.
#[derive(Serialize)]
pub struct Page {
    /// Which page it is.
    pub metadata: Value,
    /// What it has.
    pub entries: Value,
}

/// `sms/inboxpaged`: a page of the messages that were read before, newest first. Those that were not read before are read from now on, so
/// their first page is always the next one, and they are told whenever they came.
pub async fn page<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Page, Fault> {
    let line = must(params, "linenumber")?;
    must(params, "isread")?;
    let number = params.get("pagenumber").map(str::parse::<usize>).transpose();
    let number = number
        .map_err(|_| Fault::of(422).about("pagenumber"))?
        .unwrap_or(1)
        .max(1);
    let is_read = is_read(params)? == Some(true);
    let mut query = format!("&taken={is_read}&line={}", encoded(line));
    let named = ["startdate", "enddate", "endate"].map(|name| params.get(name).map(|_| name));
    if let Some(name) = named.into_iter().flatten().next() {
        if !is_read {
            // What is not read is read from now on, whenever it came.
            return Err(Fault::of(422).about(name));
        }
        query.push_str(&Span::read(own, params)?.query("since", "until"));
    }
    let mut walk = Walk::of("/inbound", query);
    let (mut count, mut messages, mut pages) = (0_usize, Vec::new(), 0_usize);
    while let Some(found) = walk.next(own).await? {
        count = count.saturating_add(found.len());
        pages = pages.saturating_add(1);
        if pages == number {
            messages = found;
        }
    }
    if walk.has_more() {
        return Err(Fault::of(414).about("linenumber"));
    }
    let entries = match is_read {
        true => messages.iter().map(entry).collect(),
        false => receive(own, params).await?,
    };
    // What was not read before is counted without the pages that a program has read by now: it walks until the last one.
    let (size, read) = if is_read {
        (PAGE, 0)
    } else {
        (MAX_ENTRIES, number.saturating_sub(1))
    };
    let total = read.saturating_add(count.div_ceil(size));
    let metadata = json!({"totalcount": count, "currentpage": number, "totalpages": total, "pagesize": size});
    Ok(Page { metadata, entries })
}

/// `sms/countinbox`: how many came in a time. If these are more than a call reads, the error says that it is too much.
pub async fn count<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let span = Span::read(own, params)?;
    let mut query = span.query("since", "until");
    if let Some(is_read) = is_read(params)? {
        query.push_str(&format!("&taken={is_read}"));
    }
    if let Some(line) = params.get("linenumber") {
        query.push_str(&format!("&line={}", encoded(line)));
    }
    let mut walk = Walk::of("/inbound", query);
    let mut count = 0_usize;
    while let Some(messages) = walk.next(own).await? {
        count = count.saturating_add(messages.len());
    }
    if walk.has_more() {
        return Err(Fault::of(414).about("startdate"));
    }
    Ok(json!([{"startdate": span.from_s, "enddate": span.to_s, "sumcount": count}]))
}
