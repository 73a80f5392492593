//! What phones have sent: `GET ReceiveMessage` of the older API.

use serde_json::{Value, json};

use super::super::errors::{BAD_VALUE, Fault, TOO_MANY};
use super::super::report::number_of;
use super::refusal::Refusal;
use super::{report, when};
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::walk::Walk;
use crate::base::ports::Platform;

/// The most messages behind an id that one call tells. The next call has the others.
const BEHIND: usize = 100;
const TOO_FAR: &str = "بیش از 4000 پیام پس از این id رسیده است. آن‌ها را با Shamsi_FromDate و Shamsi_ToDate روزبه‌روز بخوانید و سپس با id آخرین پیام ادامه دهید.";

/// `GET ReceiveMessage`: those behind an id, or those of some days. The oldest comes first.
pub async fn received<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Refusal> {
    let messages = match params.get("id") {
        Some(id) => behind(own, id.parse().map_err(|_| Fault::of(BAD_VALUE))?).await?,
        None => {
            let (page, span) = (report::page(params)?, when::span(params)?);
            if span.is_empty() {
                return Ok(told(0, Vec::new()));
            }
            let walk = Walk::of("/inbound", span.query("since", "until"));
            let found = page.walk(own, walk, |message| (row(message), 1)).await?;
            return Ok(told(found.len(), page.cut(found.into_iter())));
        }
    };
    let count = messages.len();
    let first = messages.iter().take(BEHIND).map(row).collect();
    Ok(told(count, first))
}

fn told(count: usize, messages: Vec<Value>) -> Value {
    json!({"CountOfAll": count, "Messages": messages})
}

/// The messages with higher ids. If they are more than a walk reads, the error says that it is too much: the first of them would be left
/// out, and the program would never come back to them.
async fn behind<P: Platform>(own: &Own<'_, P>, id: i64) -> Result<Vec<Value>, Refusal> {
    let mut walk = Walk::of("/inbound", String::new());
    let (mut messages, mut has_all) = (Vec::new(), false);
    while !has_all && let Some(found) = walk.next(own).await.map_err(Fault::from)? {
        // Nothing stands between an id and the next.
        has_all = found
            .iter()
            .any(|message| message.number("number") <= id.saturating_add(1));
        messages.extend(found.into_iter().filter(|message| message.number("number") > id));
    }
    if walk.has_more() && !has_all {
        return Err(Refusal::from(Fault::of(TOO_MANY)).advising(TOO_FAR));
    }
    messages.reverse();
    Ok(messages)
}

fn row(message: &Value) -> Value {
    let at_s = message.seconds("receivedAt").unwrap_or_default();
    json!({
        "ID": message.number("number"),
        "LineNumber": message.text("line"),
        "SMSMessageBody": message.text("text"),
        "MobileNo": sender(message.text("from")),
        "TypeOfMessage": null,
        "LatinReceiveDateTime": when::latin(at_s),
        "ReceiveDateTime": when::persian(at_s),
    })
}

/// A sender: the digits of a number, or a name as it stands.
fn sender(from: &str) -> String {
    match number_of(from) {
        0 => from.to_owned(),
        number => number.to_string(),
    }
}
