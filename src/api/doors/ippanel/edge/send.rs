//! The sends of Edge.

use serde_json::{Value, json};

use crate::api::doors::answer::Members;
use crate::api::doors::ippanel::fault::Fault;
use crate::api::doors::ippanel::read;
use crate::api::doors::ippanel::request::{must, number, text, texts};
use crate::api::doors::ippanel::send::{Item, Names, Send};
use crate::api::doors::own::{Ask, Own, Refused};
use crate::api::doors::params::Params;
use crate::base::ports::Platform;

const SENDER: (&str, &str) = ("sourceNumber", "from_number");
const TIME: (&str, &str) = ("sendAt", "send_time");
const TEXT: &Names = &[SENDER, TIME, ("recipients", "params.recipients")];
const PATTERN: &Names = &[
    SENDER,
    TIME,
    ("pattern", "code"),
    ("recipient", "recipients"),
    ("variables", "params"),
];
const TEXTS: &Names = &[
    SENDER,
    TIME,
    ("recipient", "params.{}.recipients"),
    ("message", "params.{}.message"),
    ("messages", "params"),
];
const PHONEBOOK: &Names = &[SENDER, TIME, ("phonebooks", "params.phonebook_ids")];
const URL: &Names = &[("sourceNumber", "from"), ("recipients", "to")];
const PRICE: &Names = &[("sourceNumber", "number")];

/// The names that each parameter of a send by URL may have.
pub const KEY: [&str; 11] = [
    "apikey",
    "api_key",
    "x-api-key",
    "api-key",
    "key",
    "access_key",
    "accesskey",
    "auth_key",
    "authorization",
    "token",
    "secret",
];
const FROM: [&str; 12] = [
    "from",
    "sender",
    "src",
    "source",
    "from_number",
    "sender_number",
    "origin",
    "originator",
    "caller",
    "caller_id",
    "sms_from",
    "fromnum",
];
const MESSAGE: [&str; 9] = [
    "message",
    "msg",
    "text",
    "txt",
    "body",
    "content",
    "sms",
    "message_body",
    "messagetext",
];
const TO: [&str; 8] = [
    "to",
    "recipient",
    "dst",
    "destination",
    "to_number",
    "recipient_number",
    "target",
    "receiver",
];

/// Two numbers by which a price is told: one of MCI, and one of another operator.
const SAMPLES: [&str; 2] = ["+989120000000", "+989210000000"];

/// The first parameter of the query that has one of these names.
pub fn first_of<'a>(query: &'a Params, names: &[&'static str]) -> Option<&'a str> {
    names.iter().find_map(|name| query.get(name))
}

fn sent(ids: &[i64]) -> Value {
    json!({"message_outbox_ids": ids})
}

/// `POST send`
pub async fn send<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<Value, Fault> {
    let params = body.member("params");
    match must(body.member("sending_type"), "sending_type")?.as_str() {
        "webservice" => {
            let send = Send::read(own, body, TEXT)?;
            let recipients = texts(params.member("recipients"), "params.recipients")?;
            // Some programs write the text among the parameters.
            let message = text(params.member("message"), "message")?;
            let message = message.map_or_else(|| must(body.member("message"), "message"), Ok)?;
            Ok(sent(&[send.text(own, &recipients, &message).await?]))
        }
        "pattern" => {
            let send = Send::read(own, body, PATTERN)?;
            let code = must(body.member("code"), "code")?;
            let recipients = texts(body.member("recipients"), "recipients")?;
            Ok(sent(&[send.pattern(own, &code, &recipients, params).await?]))
        }
        "peer_to_peer" => {
            let send = Send::read(own, body, TEXTS)?;
            let items: Result<Vec<Item>, Fault> =
                params.as_array().into_iter().flatten().enumerate().map(item).collect();
            let items = items?;
            if items.is_empty() {
                return Err(Fault::missing("params"));
            }
            Ok(sent(&send.texts(own, &items).await?))
        }
        "phonebook" => {
            let send = Send::read(own, body, PHONEBOOK)?;
            let message = must(body.member("message"), "message")?;
            Ok(sent(&[send.phonebooks(own, &phonebooks(params)?, &message).await?]))
        }
        _ => Err(Fault::not_allowed("sending_type")),
    }
}

fn item((at, item): (usize, &Value)) -> Result<Item, Fault> {
    Ok(Item {
        recipients: texts(item.member("recipients"), &format!("params.{at}.recipients"))?,
        message: must(item.member("message"), &format!("params.{at}.message"))?,
    })
}

/// The ids of the phonebooks. The service sends to all of a phonebook, so what asks for some of its numbers is refused.
fn phonebooks(params: &Value) -> Result<Vec<String>, Fault> {
    let mut phonebooks = Vec::new();
    for part in params.as_array().into_iter().flatten() {
        let kind = text(part.member("type"), "params.type")?;
        if kind.is_some_and(|kind| kind != "all") {
            return Err(Fault::not_allowed("params.type"));
        }
        if let Some(name) = ["start", "size", "number_ids"]
            .into_iter()
            .find(|name| !part.member(name).is_null())
        {
            return Err(Fault::not_allowed(&format!("params.{name}")));
        }
        let ids = [part.member("phonebook_ids"), part.member("phonebook_id")];
        let ids = ids.into_iter().find(|ids| !ids.is_null()).unwrap_or(&Value::Null);
        phonebooks.extend(texts(ids, "params.phonebook_ids")?);
    }
    if phonebooks.is_empty() {
        return Err(Fault::missing("params.phonebook_ids"));
    }
    Ok(phonebooks)
}

/// `GET send/webservice`
pub async fn by_url<P: Platform>(own: &Own<'_, P>, query: &Params) -> Result<Value, Fault> {
    let given = |names: &[&'static str], called| first_of(query, names).ok_or_else(|| Fault::missing(called));
    let to = given(&TO, "to")?.to_owned();
    let message = given(&MESSAGE, "message")?;
    let body = json!({"from": first_of(query, &FROM)});
    let send = Send::read(own, &body, URL)?;
    Ok(sent(&[send.text(own, &[to], message).await?]))
}

/// `POST send/calculate-price`
pub async fn price<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<Value, Fault> {
    let message = must(body.member("message"), "message")?;
    let send = Send::read(own, body, PRICE)?;
    let [mci, other] = SAMPLES;
    let (mci, other) = (
        send.estimate(own, mci, &message).await?,
        send.estimate(own, other, &message).await?,
    );
    Ok(json!({"mci_price": mci.number("cost"), "other_price": other.number("cost"), "parts": mci.number("parts")}))
}

/// `POST send/cancel`: cancels what has not left of a message, by the id of its first text.
pub async fn cancel<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<Value, Fault> {
    let name = "message_outbox_id";
    let id = number(body.member(name), name)?.ok_or_else(|| Fault::missing(name))?;
    let (uid, place) = read::uid_of(own, id).await?;
    if place.index > 0 {
        return Err(Fault::conflict("پیام فقط به صورت کامل و با شناسه اول آن لغو می شود."));
    }
    let ask = Ask {
        path: &format!("/messages/{uid}"),
        method: Some("DELETE"),
        ..Ask::default()
    };
    let canceled = own
        .ask(ask)
        .await
        .map_err(|refused: Refused| Fault::from(refused).into_no_message());
    canceled.map(|_| Value::Null)
}
