//! The reports of the older API: `GET MessageSend`.

use serde_json::{Value, json};

use super::super::errors::{BAD_VALUE, Fault, NO_SUCH_SEND};
use super::super::lists::{self, Page};
use super::super::outbox;
use super::super::report::{find, has_ended, id_of, number_of, state_of};
use super::refusal::Refusal;
use super::when;
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::base::id;
use crate::base::ports::Platform;

/// The most rows of a page: so many recipients our own API finds at once.
pub const MAX_ROWS: usize = 500;
/// Recipients of a page by `batchKey`.
const BATCH: i64 = 100;
/// Pages of the largest message.
const BATCHES: i64 = 100;
/// How many rows a page has if the request does not say.
const ROWS: usize = 100;

const BAD_PAGE: &str = "RowsPerPage از 1 تا 500 و RequestedPageNumber از 1 است.";

/// `GET MessageSend`: by `id`, by `batchKey`, or by days.
pub async fn sent<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Refusal> {
    if let Some(id) = params.get("id") {
        let found = find(own, id).await?;
        return Ok(json!({"Messages": detail(&found)}));
    }
    if let Some(batch) = params.get("batchkey") {
        return Ok(by_batch(own, batch, params).await?);
    }
    let (count, found) = outbox::recipients(own, &page(params)?, &when::span(params)?).await?;
    let messages: Vec<Value> = found.iter().map(row).collect();
    Ok(json!({"CountOfAll": count, "Messages": messages}))
}

/// The page of a list of days that a request asks for.
pub fn page(params: &Params) -> Result<Page, Refusal> {
    let bad = || Refusal::from(Fault::of(BAD_VALUE)).advising(BAD_PAGE);
    let read = |name| lists::whole(params, name).map_err(|_| bad());
    let rows = read("rowsperpage")?.unwrap_or(ROWS);
    let number = read("requestedpagenumber")?.unwrap_or(1);
    if !(1..=MAX_ROWS).contains(&rows) || number == 0 {
        return Err(bad());
    }
    Ok(Page::numbered(number, rows))
}

/// A page of the recipients of a message.
async fn by_batch<P: Platform>(own: &Own<'_, P>, batch: &str, params: &Params) -> Result<Value, Fault> {
    let unknown = || Fault::of(NO_SUCH_SEND);
    let uid = id::written(batch).ok_or_else(unknown)?;
    let number = lists::whole(params, "pageid")?.unwrap_or(1).max(1);
    let before = i64::try_from(number).unwrap_or(BATCHES).saturating_sub(1).min(BATCHES);
    let first = before.saturating_mul(BATCH);
    // The first recipient tells how many there are, whatever the page.
    let indexes = (0..1).chain(first.max(1)..first.saturating_add(BATCH).min(BATCH.saturating_mul(BATCHES)));
    let names: Vec<String> = indexes.map(|index| format!("{uid}.{index}")).collect();
    let found = own.recipients(json!({"recipients": names})).await?;
    let count = found.first().ok_or_else(unknown)?.number("recipientCount");
    let others = usize::from(first > 0);
    let messages: Vec<Value> = found.iter().skip(others).map(|found| of_batch(found, &uid)).collect();
    Ok(json!({"CountOfAll": count, "Messages": messages}))
}

/// What is told of a recipient by its id.
fn detail(recipient: &Value) -> Value {
    let state = state_of(recipient);
    json!({
        "ID": id_of(recipient.text("uid")),
        "MobileNo": mobile(recipient),
        "SendDateTime": when::latin(sent_s(recipient)),
        "DeliveryStatus": words(state),
        "SMSMessageBody": recipient.text("text"),
        "SendIsErronous": is_error(state),
        "DeliveryStatusFetchError": null,
        "NeedsReCheck": !has_ended(state),
        "DeliveryStateID": state,
    })
}

/// What is told of a recipient of a batch: there the id has another name.
fn of_batch(recipient: &Value, batch: &str) -> Value {
    let mut told = detail(recipient);
    if let Some(members) = told.as_object_mut() {
        let id = members.remove("ID").unwrap_or_default();
        members.insert("Id".to_owned(), id);
        members.insert("BatchKey".to_owned(), batch.into());
        members.insert(
            "PersianSendDateTime".to_owned(),
            when::persian(sent_s(recipient)).into(),
        );
    }
    told
}

/// What is told of a recipient in a list of days.
fn row(recipient: &Value) -> Value {
    let (state, sent_s) = (state_of(recipient), sent_s(recipient));
    let latin = when::latin(sent_s);
    json!({
        "ID": id_of(recipient.text("uid")),
        "LineNumber": recipient.text("sourceNumber"),
        "SMSMessageBody": recipient.text("text"),
        "MobileNo": mobile(recipient),
        "SendDateTime": latin,
        "SendDateTimeLatin": latin,
        "PersianSendDateTime": when::persian(sent_s),
        "ToBeSentAt": latin,
        "NativeDeliveryStatus": words(state),
        "TypeOfMessage": null,
        "IsChecked": has_ended(state),
        "IsError": is_error(state),
    })
}

/// A number as the older API writes it: the text of its digits.
fn mobile(recipient: &Value) -> String {
    number_of(recipient.text("recipient")).to_string()
}

fn sent_s(recipient: &Value) -> i64 {
    let sent_s = recipient.seconds("sendAt").or_else(|| recipient.seconds("createdAt"));
    sent_s.unwrap_or_default()
}

/// Whether nobody has taken it.
fn is_error(state: Option<u8>) -> bool {
    matches!(state, Some(4 | 7))
}

/// What a `deliveryState` means, for a person.
fn words(state: Option<u8>) -> &'static str {
    match state {
        None => "در صف ارسال",
        Some(1) => "رسیده به گوشی",
        Some(2) => "نرسیده به گوشی",
        Some(4) => "نرسیده به مخابرات",
        Some(5) => "رسیده به مخابرات",
        Some(6) => "لغو شده",
        Some(7) => "لیست سیاه",
        Some(_) => "نامشخص",
    }
}
