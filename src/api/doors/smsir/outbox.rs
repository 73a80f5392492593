//! What an account has sent, in packs and one by one.

use serde_json::{Value, json};

use super::errors::Fault;
use super::lists::{Page, Span};
use super::report;
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::walk::Walk;
use crate::base::ports::Platform;

/// `send/pack`: the packs of today.
pub async fn packs<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let page = Page::read(params)?;
    let packs = page.walk(own, messages(&Span::today(own)), |message| (pack(message), 1));
    Ok(page.cut(packs.await?.into_iter()).into())
}

fn pack(message: &Value) -> Value {
    json!({
        "packId": message.text("uid"), "recipientCount": message.number("recipientCount"),
        "creationDateTime": message.seconds("createdAt").unwrap_or_default(),
    })
}

/// `send/live`: the reports of today.
pub async fn today<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    reports(own, params, &Span::today(own)).await
}

/// `send/archive`: the reports of a time before today.
pub async fn before_today<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    reports(own, params, &Span::before_today(own, params)?).await
}

/// The messages that were made in a time.
fn messages(span: &Span) -> Walk {
    Walk::of("/messages", span.query("from", "to"))
}

async fn reports<P: Platform>(own: &Own<'_, P>, params: &Params, span: &Span) -> Result<Value, Fault> {
    let (_, recipients) = recipients(own, &Page::read(params)?, span).await?;
    Ok(recipients.iter().map(report::report).collect())
}

/// How many recipients the messages of a time have, as far as the walk has read them, and those of a page.
pub async fn recipients<P: Platform>(own: &Own<'_, P>, page: &Page, span: &Span) -> Result<(usize, Vec<Value>), Fault> {
    if span.is_empty() {
        return Ok((0, Vec::new()));
    }
    let read = |message: &Value| {
        let count = usize::try_from(message.number("recipientCount")).unwrap_or_default();
        ((message.text("uid").to_owned(), count), count)
    };
    let found = page.walk(own, messages(span), read).await?;
    let all = found
        .iter()
        .flat_map(|(uid, count)| (0..*count).map(move |index| (uid, index)));
    let names: Vec<String> = page
        .cut(all)
        .into_iter()
        .map(|(uid, index)| format!("{uid}.{index}"))
        .collect();
    let count = found.iter().fold(0_usize, |sum, (_, count)| sum.saturating_add(*count));
    if names.is_empty() {
        return Ok((count, Vec::new()));
    }
    Ok((count, own.recipients(json!({"recipients": names})).await?))
}
