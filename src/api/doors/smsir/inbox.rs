//! What phones have sent to the account.

use serde_json::{Value, json};

use super::errors::Fault;
use super::lists::{self, Page, Span};
use super::report::number_of;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::api::doors::walk::Walk;
use crate::base::ports::Platform;

/// `receive/live`: what has come today.
pub async fn today<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    received(own, params, &Span::today(own)).await
}

/// `receive/archive`: what has come in a time before today.
pub async fn before_today<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    received(own, params, &Span::before_today(own, params)?).await
}

async fn received<P: Platform>(own: &Own<'_, P>, params: &Params, span: &Span) -> Result<Value, Fault> {
    let page = Page::read(params)?;
    if span.is_empty() {
        return Ok(json!([]));
    }
    let mut query = span.query("since", "until");
    if let Some(mobile) = params.get("mobile") {
        let sender = form_urlencoded::byte_serialize(mobile.as_bytes());
        query.extend(["&from="].into_iter().chain(sender));
    }
    let found = page.walk(own, Walk::of("/inbound", query), |message| (entry(message), 1));
    Ok(page.cut(found.await?.into_iter()).into())
}

/// `receive/latest`: what no call has told before, oldest first.
pub async fn latest<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let limit = lists::whole(params, "count")?.unwrap_or(lists::MAX_SIZE);
    let ask = Ask {
        path: "/inbound/take",
        body: Some(json!({"limit": limit})),
        ..Ask::default()
    };
    let taken = own.ask(ask).await?;
    Ok(taken.list("messages").iter().map(entry).collect())
}

fn entry(message: &Value) -> Value {
    json!({
        "receiveReturnId": message.number("number"),
        "messageText": message.text("text"),
        "number": number_of(message.text("line")),
        "mobile": number_of(message.text("from")),
        "receivedDateTime": message.seconds("receivedAt").unwrap_or_default(),
    })
}
