//! What an account has sent, newest first.

use serde_json::{Value, json};

use super::entry::Entry;
use super::errors::Fault;
use super::span::Span;
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::walk::Walk;
use crate::base::ports::Platform;

/// The most entries of a call.
const MAX_ENTRIES: usize = 500;
/// The newest entries of messages, of one line if `sender` is given.
async fn newest<P: Platform>(
    own: &Own<'_, P>,
    query: String,
    sender: Option<&str>,
    most: usize,
) -> Result<Vec<Entry>, Fault> {
    let mut walk = Walk::of("/messages", query);
    let mut names: Vec<String> = Vec::new();
    while names.len() < most
        && let Some(messages) = walk.next(own).await?
    {
        for message in messages
            .iter()
            .filter(|message| sender.is_none_or(|line| message.text("sourceNumber") == line))
        {
            let uid = message.text("uid");
            let count = u64::try_from(message.number("recipientCount")).unwrap_or_default();
            let room = u64::try_from(most.saturating_sub(names.len())).unwrap_or_default();
            names.extend((0..count.min(room)).map(|index| format!("{uid}.{index}")));
        }
    }
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let found = own.recipients(json!({"recipients": names})).await?;
    Ok(found.iter().map(Entry::found).collect())
}

/// `sms/latestoutbox`
pub async fn latest<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let size = params.get("pagesize").map(str::parse::<usize>).transpose();
    let size = size.map_err(|_| Fault::of(422))?.unwrap_or(MAX_ENTRIES);
    newest(own, String::new(), params.get("sender"), size.clamp(1, MAX_ENTRIES)).await
}

/// `sms/selectoutbox`
pub async fn select<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let span = Span::read(own, params)?;
    newest(own, span.query("from", "to"), params.get("sender"), MAX_ENTRIES).await
}

/// `sms/countoutbox`: the sums over a time. If it has more messages than a call reads, the error says that it is too much.
pub async fn count<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let span = Span::read(own, params)?;
    let mut walk = Walk::of("/messages", span.query("from", "to"));
    let (mut parts, mut recipients, mut cost) = (0_i64, 0_i64, 0_i64);
    while let Some(messages) = walk.next(own).await? {
        for message in &messages {
            let count = message.number("recipientCount");
            recipients = recipients.saturating_add(count);
            parts = parts.saturating_add(message.number("parts").saturating_mul(count));
            cost = cost.saturating_add(message.number("cost"));
        }
    }
    if walk.has_more() {
        return Err(Fault::of(414));
    }
    Ok(json!([{
        "startdate": span.from_s, "enddate": span.to_s, "sumpart": parts, "sumcount": recipients, "cost": cost,
    }]))
}
