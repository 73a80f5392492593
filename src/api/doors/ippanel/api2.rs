//! api2: `/api/v1/…`, and `/inbox` at the root, where one of the official libraries looks for it.

use serde_json::{Value, json};

use super::fault::Fault;
use super::pages::{Page, Told};
use super::read::{self, created_ms, sent_ms};
use super::reply::Reply;
use super::request::{Request, must, texts};
use super::send::{Item, Names, Send, id_of};
use super::{patterns, states};
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::base::ports::Platform;
use crate::base::time;

const SENDER: (&str, &str) = ("sourceNumber", "sender");
const TIME: (&str, &str) = ("sendAt", "time");
const TEXT: &Names = &[SENDER, TIME, ("recipients", "recipient")];
const PATTERN: &Names = &[SENDER, TIME, ("pattern", "code"), ("variables", "variable")];
const TEXTS: &Names = &[SENDER, TIME, ("recipient", "recipient.{}"), ("message", "message.{}")];
const PHONEBOOK: &Names = &[SENDER, TIME, ("phonebooks", "phonebook_ids")];
/// The recipients of a message.
const DELIVERIES: &str = "sms/message/show-recipient/message-id/";

/// The status and the body of an answer.
pub fn envelope(outcome: Result<Reply, Fault>) -> (u16, Value) {
    match outcome {
        Ok(reply) => (200, success(reply)),
        Err(fault) => {
            let (status, text) = (fault.kind.api2, fault.text(false));
            let body = json!({"status": "ERROR", "code": status, "message": text, "error_message": text, "data": {"error": text}});
            (status, body)
        }
    }
}

/// One of the libraries reads no answer with a `meta` that is `null`, and none without an `error_message`.
fn success(reply: Reply) -> Value {
    let mut body = json!({"status": "OK", "code": 200, "message": "Ok", "error_message": "", "data": reply.data});
    if let (Some(told), Some(members)) = (reply.page, body.as_object_mut()) {
        members.insert("meta".to_owned(), meta(told));
    }
    body
}

/// What a page is, as this protocol and the oldest tell it.
pub fn meta(told: Told) -> Value {
    json!({"total": told.total, "pages": told.pages(), "limit": told.page.size, "page": told.page.number()})
}

/// Answers a call.
pub async fn call<P: Platform>(own: &Own<'_, P>, request: &Request<'_>) -> Result<Reply, Fault> {
    let deliveries = request.call.strip_prefix(DELIVERIES);
    let is_read =
        matches!(request.call, "sms/accounting/credit/show" | "sms/message/all" | "inbox") || deliveries.is_some();
    let is_send = request.call.starts_with("sms/send/webservice/") || request.call.starts_with("sms/pattern/normal/");
    match (is_read, is_send) {
        (true, _) => request.only("GET")?,
        (_, true) => request.only("POST")?,
        _ => return Err(Fault::no_path()),
    }
    let body = &request.body;
    match request.call {
        "sms/accounting/credit/show" => Ok(Reply::of(json!({"credit": read::credit(own).await?}))),
        "sms/send/webservice/single" => single(own, body).await.map(sent),
        "sms/send/webservice/peer-to-peer" => peer_to_peer(own, body).await.map(sent),
        "sms/send/webservice/phonebook" => phonebook(own, body).await.map(sent),
        "sms/pattern/normal/send" => pattern(own, body).await.map(sent),
        "sms/pattern/normal/store" => {
            let made = patterns::make(own, body).await?;
            Ok(Reply::of(json!([{"code": made.text("slug")}])))
        }
        "sms/message/all" => messages(own, request).await,
        "inbox" => inbox(own, request).await,
        _ => recipients(own, request, deliveries).await,
    }
}

fn sent(id: i64) -> Reply {
    Reply::of(json!({"message_id": id}))
}

async fn single<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<i64, Fault> {
    let send = Send::read(own, body, TEXT)?;
    let recipients = texts(body.member("recipient"), "recipient")?;
    let message = must(body.member("message"), "message")?;
    send.text(own, &recipients, &message).await
}

async fn pattern<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<i64, Fault> {
    let send = Send::read(own, body, PATTERN)?;
    let code = must(body.member("code"), "code")?;
    let recipients = texts(body.member("recipient"), "recipient")?;
    send.pattern(own, &code, &recipients, body.member("variable")).await
}

/// Several texts, of which the answer tells the first one's id: that of the message.
async fn peer_to_peer<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<i64, Fault> {
    let send = Send::read(own, body, TEXTS)?;
    let messages = texts(body.member("message"), "message")?;
    let recipients = body
        .member("recipient")
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if recipients.len() != messages.len() {
        return Err(Fault::not_allowed("recipient"));
    }
    let items = recipients
        .iter()
        .zip(messages)
        .enumerate()
        .map(|(at, (recipients, message))| {
            let recipients = texts(recipients, &format!("recipient.{at}"))?;
            Ok(Item { recipients, message })
        });
    let ids = send.texts(own, &items.collect::<Result<Vec<_>, Fault>>()?).await?;
    Ok(ids.first().copied().unwrap_or_default())
}

async fn phonebook<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<i64, Fault> {
    let send = Send::read(own, body, PHONEBOOK)?;
    let message = must(body.member("message"), "message")?;
    let parts = body
        .member("phonebook_ids")
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if parts.is_empty() {
        return Err(Fault::missing("phonebook_ids"));
    }
    let phonebooks = parts.iter().map(|part| {
        // The service sends to all of a phonebook.
        let part_of_it = ["is_random", "offset", "limit"].into_iter();
        let asks =
            |name: &&str| !matches!(part.member(name), Value::Null | Value::Bool(false)) && part.member(name) != 0;
        match part_of_it.into_iter().find(asks) {
            Some(name) => Err(Fault::not_allowed(&format!("phonebook_ids.{name}"))),
            None if part.is_object() => must(part.member("phonebook_id"), "phonebook_ids"),
            None => must(part, "phonebook_ids"),
        }
    });
    let phonebooks = phonebooks.collect::<Result<Vec<_>, Fault>>()?;
    send.phonebooks(own, &phonebooks, &message).await
}

fn page_of(request: &Request<'_>) -> Result<Page, Fault> {
    Page::of(request.number("page")?, request.number("per_page")?)
}

/// The messages, newest first, or the one with an id.
async fn messages<P: Platform>(own: &Own<'_, P>, request: &Request<'_>) -> Result<Reply, Fault> {
    let page = page_of(request)?;
    let listed = match request.number("message_id")? {
        Some(id) => page.cut(read::message_if_there(own, id).await?),
        None => read::messages(own, "", page, |_| true).await?,
    };
    Ok(Reply {
        data: listed.items.iter().map(message).collect(),
        page: Some(listed.told),
    })
}

fn message(message: &Value) -> Value {
    let sent = time::to_rfc3339(sent_ms(message));
    json!({
        "message_id": id_of(message.text("uid")), "number": read::line(message.text("sourceNumber")), "message": message.text("message"),
        "state": states::of_message(message).word, "type": states::kind_of(message), "valid": "approve",
        "time": time::to_rfc3339(created_ms(message)), "time_send": sent, "time_sent": sent,
        "recipient_count": message.number("recipientCount"), "exit_count": message.number("recipientCount"),
        "part": message.number("parts"), "cost": message.number("cost"), "return_cost": message.number("returned"), "summary": "",
    })
}

async fn recipients<P: Platform>(own: &Own<'_, P>, request: &Request<'_>, id: Option<&str>) -> Result<Reply, Fault> {
    let id: i64 = id.and_then(|id| id.parse().ok()).ok_or_else(Fault::no_path)?;
    let listed = read::recipients(own, id, page_of(request)?).await?;
    let deliveries: Value = listed.items.iter().map(|recipient| delivery(recipient, id)).collect();
    Ok(Reply {
        data: json!({"deliveries": deliveries}),
        page: Some(listed.told),
    })
}

fn delivery(recipient: &Value, id: i64) -> Value {
    json!({
        "id": id_of(recipient.text("uid")), "bulk_id": id, "send_number": read::line(recipient.text("sourceNumber")),
        "recipient": recipient.text("recipient"), "message": recipient.text("text"), "status": states::of_recipient(recipient),
        "msg_parts": recipient.number("parts"), "price": recipient.number("cost"), "created_at": recipient.text("createdAt"),
        "updated_at": recipient.text("updatedAt"), "is_hidden": 0, "random_id": null, "tracking_code": null,
    })
}

async fn inbox<P: Platform>(own: &Own<'_, P>, request: &Request<'_>) -> Result<Reply, Fault> {
    let listed = read::inbox(own, page_of(request)?, 0).await?;
    let told = listed.items.iter().map(|message| {
        json!({
            "to": read::line(message.text("line")), "message": message.text("text"), "from": message.text("from"),
            "created_at": message.text("receivedAt"), "type": "normal",
        })
    });
    Ok(Reply {
        data: told.collect(),
        page: Some(listed.told),
    })
}
