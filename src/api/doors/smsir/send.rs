//! The sends of the protocol, and how they are taken back.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::errors::{self, Fault};
use super::fields::{Fields, named_line};
use super::report::id_of;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::api::doors::send::{Content, SendBody, Sent, Text, canonical, is_number, numbers_of};
use crate::base::id;
use crate::base::ports::Platform;

/// The most recipients, and the most texts, of a send.
const MAX_ITEMS: usize = 100;

/// `send/bulk`: one text to many numbers.
pub async fn bulk<P: Platform>(own: &Own<'_, P>, fields: &Fields) -> Result<Value, Fault> {
    let (line, at_ms) = (fields.line()?, fields.send_at()?);
    let text = must_say(fields.text("messagetext"))?;
    let mobiles = mobiles(fields)?;
    let body = body_of(&line, at_ms, one_text(&text, &mobiles));
    let sent = own.send_to_open(&body, None).await?;
    Ok(told(&sent, &mobiles))
}

/// `send/likeToLike`: a text for each number.
pub async fn like_to_like<P: Platform>(own: &Own<'_, P>, fields: &Fields) -> Result<Value, Fault> {
    let (line, at_ms) = (fields.line()?, fields.send_at()?);
    let mobiles = mobiles(fields)?;
    let texts = texts(fields)?;
    let body = body_of(&line, at_ms, pairs(&texts, &mobiles)?);
    let sent = own.send_to_open(&body, None).await?;
    Ok(told(&sent, &mobiles))
}

/// A text for each number. Those that are no numbers are left out, unless none is one.
pub fn pairs<'a>(texts: &'a [String], mobiles: &'a [String]) -> Result<Content<'a>, Fault> {
    if texts.len() != mobiles.len() {
        return Err(Fault::of(errors::NOT_AS_MANY));
    }
    let mut by_number = BTreeMap::new();
    let texts = mobiles.iter().zip(texts);
    for (mobile, text) in texts.clone().filter(|(mobile, _)| is_number(mobile)) {
        // A send of ours has one text for a number. To drop the other would lose it without a word.
        if by_number
            .insert(canonical(mobile), text)
            .is_some_and(|other| other != text)
        {
            return Err(Fault::of(errors::BAD_MOBILE));
        }
    }
    let texts = texts.map(|(recipient, message)| Text { recipient, message });
    let (mut texts, others): (Vec<_>, Vec<_>) = texts.partition(|text| is_number(text.recipient));
    if texts.is_empty() {
        texts = others;
    }
    Ok(Content::Texts(texts))
}

/// `send`: one text to one number, all in the address.
pub async fn by_url<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let param = |name| params.get(name).unwrap_or_default().to_owned();
    let line = named_line(&param("line"))?;
    let text = must_say(param("text"))?;
    let mobiles = [param("mobile")];
    let sent = own
        .send(&body_of(&line, None, one_text(&text, &mobiles)), None, None)
        .await?;
    Ok(told_one(&sent))
}

/// `send/scheduled/{packId}`: takes back what has not left.
pub async fn cancel<P: Platform>(own: &Own<'_, P>, pack: &str) -> Result<Value, Fault> {
    let uid = id::written(pack).ok_or(Fault::of(errors::NOTHING_TO_DELETE))?;
    let ask = Ask {
        path: &format!("/messages/{uid}"),
        method: Some("DELETE"),
        ..Ask::default()
    };
    let canceled = own.ask(ask).await.map_err(|refused| match refused.code {
        404 | 409 => Fault::because(refused, errors::NOTHING_TO_DELETE),
        _ => refused.into(),
    })?;
    let count = canceled.member("counts").number("CANCELED");
    Ok(json!({"returnedCreditCount": canceled.number("released"), "smsCount": count}))
}

/// A send of something from a line, at this time if there is one.
pub fn body_of<'a>(line: &'a str, at_ms: Option<i64>, content: Content<'a>) -> SendBody<'a> {
    SendBody {
        line: Some(line),
        at_ms,
        reference: None,
        content,
    }
}

/// One text for all numbers. Those that are no numbers are left out, unless none is one.
pub fn one_text<'a>(message: &'a str, mobiles: &'a [String]) -> Content<'a> {
    let mobiles: Vec<&str> = mobiles.iter().map(String::as_str).collect();
    Content::Text {
        message,
        recipients: numbers_of(&mobiles),
    }
}

/// A text that shows something.
pub fn must_say(text: String) -> Result<String, Fault> {
    if text.trim().is_empty() {
        return Err(Fault::of(errors::EMPTY_TEXT));
    }
    Ok(text)
}

fn mobiles(fields: &Fields) -> Result<Vec<String>, Fault> {
    not_too_many(fields.texts("mobiles")?)
}

/// Numbers, if there are some and not more than a send has.
pub fn not_too_many(mobiles: Vec<String>) -> Result<Vec<String>, Fault> {
    match mobiles.len() {
        0 => Err(Fault::of(errors::NO_MOBILES)),
        1..=MAX_ITEMS => Ok(mobiles),
        _ => Err(Fault::of(errors::TOO_MANY_MOBILES)),
    }
}

fn texts(fields: &Fields) -> Result<Vec<String>, Fault> {
    let texts = fields.texts("messagetexts")?;
    match texts.len() {
        0 => Err(Fault::of(errors::NO_TEXTS)),
        1..=MAX_ITEMS => texts.into_iter().map(must_say).collect(),
        _ => Err(Fault::of(errors::TOO_MANY_TEXTS)),
    }
}

/// What is told of a send: an id for each number, in the order of the request. One that is blocked, or is no phone number, has none.
fn told(sent: &Sent, mobiles: &[String]) -> Value {
    let recipients = sent.in_order(mobiles).into_iter();
    let ids: Vec<Option<i64>> = recipients.map(|of| of.map(|of| id_of(&of.uid))).collect();
    json!({"packId": sent.uid, "messageIds": ids, "cost": sent.cost})
}

/// What is told of a send to one number.
pub fn told_one(sent: &Sent) -> Value {
    let id = sent.recipients.first().map_or(0, |recipient| id_of(&recipient.uid));
    json!({"messageId": id, "cost": sent.cost})
}
