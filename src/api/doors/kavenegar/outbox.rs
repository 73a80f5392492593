//! What an account has sent, newest first.

use serde_json::{Value, json};
use sms::msisdn::Msisdn;

use super::entry::{self, Entry};
use super::errors::{Fault, must};
use super::span::Span;
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::walk::Walk;
use crate::base::ports::Platform;

/// The most entries of a call.
const MAX_ENTRIES: usize = 500;
/// The most recipients that a call reads to choose some of them.
const MAX_READ: usize = 4_000;

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
            let room = most.saturating_sub(names.len());
            names.extend(names_of(message).take(room));
        }
    }
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let found = own.recipients(json!({"recipients": names})).await?;
    Ok(found.iter().map(Entry::found).collect())
}

/// The names of the recipients of a message, with those that it has left out because they are blocked behind them.
fn names_of(message: &Value) -> impl Iterator<Item = String> {
    let uid = message.text("uid");
    (0..count_of(message)).map(move |index| format!("{uid}.{index}"))
}

fn count_of(message: &Value) -> i64 {
    let recipients = message.number("recipientCount");
    recipients.saturating_add(message.number("skipped"))
}

/// `sms/latestoutbox`
pub async fn latest<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let size = params.get("pagesize").map(str::parse::<usize>).transpose();
    let size = size
        .map_err(|_| Fault::of(422).about("pagesize"))?
        .unwrap_or(MAX_ENTRIES);
    newest(own, String::new(), params.get("sender"), size.clamp(1, MAX_ENTRIES)).await
}

/// `sms/selectoutbox`
pub async fn select<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let span = Span::read(own, params)?;
    newest(own, span.query("from", "to"), params.get("sender"), MAX_ENTRIES).await
}

/// `sms/countoutbox`: the sums over a time, of all recipients or of those with a status. If it has more than a call reads, the error says
/// that it is too much.
pub async fn count<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let span = Span::read(own, params)?;
    let status = params.get("status").map(str::parse::<u16>).transpose();
    let status = status
        .map_err(|_| Fault::of(422).about("status"))?
        .filter(|status| *status > 0);
    let walk = Walk::of("/messages", span.query("from", "to"));
    let sums = match status {
        None => sums_of_messages(own, walk).await?,
        Some(status) => {
            let mut recipients = recipients(own, walk).await?;
            recipients.retain(|recipient| entry::status_found(recipient) == status);
            recipients.iter().fold(Sums::default(), |sums, of| {
                sums.with(1, parts_of(of), of.number("cost"))
            })
        }
    };
    Ok(json!([{
        "startdate": span.from_s, "enddate": span.to_s, "sumpart": sums.parts, "sumcount": sums.recipients, "cost": sums.cost,
    }]))
}

#[derive(Default)]
struct Sums {
    recipients: i64,
    parts: i64,
    cost: i64,
}

impl Sums {
    fn with(self, recipients: i64, parts: i64, cost: i64) -> Sums {
        Sums {
            recipients: self.recipients.saturating_add(recipients),
            parts: self.parts.saturating_add(parts),
            cost: self.cost.saturating_add(cost),
        }
    }
}

/// The parts of a recipient. One that its message has left out has none.
fn parts_of(recipient: &Value) -> i64 {
    match recipient.text("status") {
        "SKIPPED" => 0,
        _ => recipient.number("parts"),
    }
}

async fn sums_of_messages<P: Platform>(own: &Own<'_, P>, mut walk: Walk) -> Result<Sums, Fault> {
    let (mut sums, mut names) = (Sums::default(), Vec::new());
    while let Some(messages) = walk.next(own).await? {
        for message in &messages {
            let recipients = message.number("recipientCount");
            let has_one_length = message.number("parts") == 1 || !has_own_texts(message);
            let parts = if has_one_length {
                message.number("parts").saturating_mul(recipients)
            } else {
                0
            };
            sums = sums.with(count_of(message), parts, message.number("cost"));
            if !has_one_length {
                // Its `parts` are those of its longest text.
                names.extend(names_of(message).take(MAX_READ.saturating_add(1)));
            }
        }
    }
    if walk.has_more() || names.len() > MAX_READ {
        return Err(too_much());
    }
    let recipients = found(own, &names).await?;
    Ok(recipients.iter().fold(sums, |sums, of| sums.with(0, parts_of(of), 0)))
}

/// Whether each recipient of a message has a text of its own.
fn has_own_texts(message: &Value) -> bool {
    message.number("recipientCount") > 1 && message.text("type") != "PLAIN"
}

/// `sms/statusbyreceptor`: what has become of the messages to a number in a time, newest first.
pub async fn by_receptor<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let receptor = must(params, "receptor")?;
    let number = Msisdn::parse(receptor).map_err(|_| Fault::of(411).about("receptor"))?;
    let number = number.to_e164();
    let mut query = Span::read(own, params)?.query("from", "to");
    query.push_str("&recipient=");
    query.extend(form_urlencoded::byte_serialize(number.as_bytes()));
    let mut recipients = recipients(own, Walk::of("/messages", query)).await?;
    recipients.retain(|recipient| recipient.text("recipient") == number);
    let states = recipients.iter().map(Entry::found);
    let states = states.map(|entry| {
        json!({"messageid": entry.id, "receptor": entry.receptor, "status": entry.status, "statustext": entry.status_text})
    });
    Ok(states.collect())
}

/// The recipients of the messages of a walk. If they are more than a call reads, the error says that it is too much.
async fn recipients<P: Platform>(own: &Own<'_, P>, mut walk: Walk) -> Result<Vec<Value>, Fault> {
    let mut names: Vec<String> = Vec::new();
    while let Some(messages) = walk.next(own).await? {
        for message in &messages {
            names.extend(names_of(message).take(MAX_READ.saturating_add(1)));
            if names.len() > MAX_READ {
                return Err(too_much());
            }
        }
    }
    if walk.has_more() {
        return Err(too_much());
    }
    found(own, &names).await
}

/// The recipients with these names.
async fn found<P: Platform>(own: &Own<'_, P>, names: &[String]) -> Result<Vec<Value>, Fault> {
    let mut found = Vec::new();
    for names in names.chunks(MAX_ENTRIES) {
        found.extend(own.recipients(json!({"recipients": names})).await?);
    }
    Ok(found)
}

fn too_much() -> Fault {
    Fault::of(414).about("startdate")
}
