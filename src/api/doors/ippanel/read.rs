//! What has become of messages, and what there is: lists, and the account with its credit.

use serde_json::{Value, json};

use super::fault::Fault;
use super::pages::{self, Listed, Look, Page};
use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;
use crate::api::doors::own::{Ask, Own};
use crate::base::ports::Platform;
use crate::base::time;

/// So many recipients are read at once.
const STEP: usize = 200;

/// A message that was found.
struct Found {
    place: Place,
    /// The first of the recipients that the id stands for.
    first: Value,
    /// The message in our own API, with its counts.
    message: Value,
}

impl Found {
    fn uid(&self) -> &str {
        self.message.text("uid")
    }

    /// Whether the id stands for an item of several texts. The id of the first item is also that of the whole message.
    fn is_item(&self) -> bool {
        self.message.text("type") == "BULK"
    }
}

/// Asks our own API for something.
pub async fn get<P: Platform>(own: &Own<'_, P>, path: &str) -> Result<Value, Fault> {
    let ask = Ask { path, ..Ask::default() };
    Ok(own.ask(ask).await?)
}

/// The account of the key: `wallet` and `accountInfo`.
pub async fn account_info<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    get(own, "/account/info").await
}

/// What the account may still spend.
pub async fn credit<P: Platform>(own: &Own<'_, P>) -> Result<i64, Fault> {
    Ok(account_info(own).await?.member("wallet").number("availableBalance"))
}

/// The place that an id names. One that names none becomes a place where nothing is.
fn place_of(id: i64) -> Place {
    Place::of_id(id, 1).unwrap_or(Place { message: 0, index: 0 })
}

/// The recipients of a message from this index on, at most so many.
async fn some<P: Platform>(own: &Own<'_, P>, place: Place, count: usize) -> Result<Vec<Value>, Fault> {
    let indexes = (place.index..).take(count);
    let names: Vec<String> = indexes.map(|index| Place { index, ..place }.name()).collect();
    let ask = Ask {
        path: "/messages/recipients",
        body: Some(json!({"recipients": names})),
        ..Ask::default()
    };
    Ok(own.ask(ask).await?.list("recipients").to_vec())
}

/// The uid of the message with this id.
pub async fn uid_of<P: Platform>(own: &Own<'_, P>, id: i64) -> Result<(String, Place), Fault> {
    let place = place_of(id);
    let found = some(own, place, 1).await?;
    let uid = found.first().and_then(|first| first.text("uid").split('.').next());
    Ok((uid.ok_or_else(Fault::no_message)?.to_owned(), place))
}

async fn find<P: Platform>(own: &Own<'_, P>, id: i64) -> Result<Found, Fault> {
    let place = place_of(id);
    let first = some(own, place, 1).await?.into_iter().next();
    let first = first.ok_or_else(Fault::no_message)?;
    let uid = first.text("uid").split('.').next().unwrap_or_default();
    let message = get(own, &format!("/messages/{uid}"))
        .await
        .map_err(Fault::into_no_message)?;
    let found = Found { place, first, message };
    // Only an item begins behind the first recipient.
    if place.index == 0 || found.is_item() {
        Ok(found)
    } else {
        Err(Fault::no_message())
    }
}

/// The recipients of an item: those from its first one on that get the same text.
async fn recipients_of_item<P: Platform>(own: &Own<'_, P>, found: &Found) -> Result<Vec<Value>, Fault> {
    let mut recipients = Vec::new();
    let mut place = found.place;
    loop {
        let more = some(own, place, STEP).await?;
        let count = more.len();
        let same = more
            .into_iter()
            .take_while(|one| one.text("text") == found.first.text("text"));
        let before = recipients.len();
        recipients.extend(same);
        let taken = recipients.len().saturating_sub(before);
        if taken < count || count < STEP {
            return Ok(recipients);
        }
        place.index = place.index.saturating_add(i64::try_from(taken).unwrap_or(i64::MAX));
    }
}

/// A page of the recipients of the message, or of the item, with this id.
pub async fn recipients<P: Platform>(own: &Own<'_, P>, id: i64, page: Page) -> Result<Listed, Fault> {
    let found = find(own, id).await?;
    if found.is_item() {
        return Ok(page.cut(recipients_of_item(own, &found).await?));
    }
    let total = usize::try_from(found.first.number("recipientCount")).unwrap_or_default();
    if page.skipped() >= total {
        return Ok(page.listed(Vec::new(), total));
    }
    let index = i64::try_from(page.skipped()).unwrap_or(i64::MAX);
    let place = Place { index, ..found.place };
    let items = some(own, place, page.size).await?;
    Ok(page.listed(items, total))
}

/// The message with this id. Of an item, its text, its recipients and its price are the item's.
pub async fn message<P: Platform>(own: &Own<'_, P>, id: i64) -> Result<Value, Fault> {
    let found = find(own, id).await?;
    if !found.is_item() {
        return Ok(found.message);
    }
    let recipients = recipients_of_item(own, &found).await?;
    let cost: i64 = recipients.iter().map(|recipient| recipient.number("cost")).sum();
    let uid = format!("{}.{}", found.uid(), found.place.index);
    let mut message = found.message;
    if let Some(members) = message.as_object_mut() {
        let own = [
            ("uid", uid.into()),
            ("message", found.first.text("text").into()),
            ("parts", found.first.number("parts").into()),
            ("recipientCount", recipients.len().into()),
            ("cost", cost.into()),
        ];
        members.extend(own.map(|(name, value)| (name.to_owned(), value)));
    }
    Ok(message)
}

/// A list with the message that has this id, or one without any.
pub async fn message_if_there<P: Platform>(own: &Own<'_, P>, id: i64) -> Result<Vec<Value>, Fault> {
    match message(own, id).await {
        Err(fault) if fault.is_no_message() => Ok(Vec::new()),
        message => message.map(|message| vec![message]),
    }
}

/// A page of the messages, newest first. `query` is a filter of our own list, such as `from=…&`.
pub async fn messages<P: Platform>(
    own: &Own<'_, P>,
    query: &str,
    page: Page,
    is_wanted: impl Fn(&Value) -> bool,
) -> Result<Listed, Fault> {
    let look = |message: &Value| if is_wanted(message) { Look::Take } else { Look::Pass };
    pages::read(own, &format!("/messages?{query}"), page, look).await
}

/// A page of what phones have sent, newest first: what has come behind the message with this number.
pub async fn inbox<P: Platform>(own: &Own<'_, P>, page: Page, behind: i64) -> Result<Listed, Fault> {
    let look = |message: &Value| {
        if message.number("number") > behind {
            Look::Take
        } else {
            Look::End
        }
    };
    pages::read(own, "/inbound?", page, look).await
}

/// When a message was accepted, ms since the Unix epoch.
pub fn created_ms(message: &Value) -> i64 {
    time::from_rfc3339(message.text("createdAt")).unwrap_or_default()
}

/// When a message was, or is, to be sent, ms since the Unix epoch.
pub fn sent_ms(message: &Value) -> i64 {
    time::from_rfc3339(message.text("sendAt")).unwrap_or_else(|| created_ms(message))
}

/// A line as the protocols write it: in E.164, as programs name it in their sends. One that is no number stays as it is.
pub fn line(number: &str) -> String {
    let is_whole = number.starts_with('+') || number.starts_with("00");
    let digits = number.trim_start_matches(['+', '0']);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        number.to_owned()
    } else if is_whole || digits.starts_with("98") {
        format!("+{digits}")
    } else {
        format!("+98{digits}")
    }
}
