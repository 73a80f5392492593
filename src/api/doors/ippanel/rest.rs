//! The protocol rest: `/v1/messages…`, `/v1/credit` and `/v1/user`, with `Authorization: AccessKey …`.

use serde_json::{Map, Value, json};

use super::fault::Fault;
use super::pages::Page;
use super::read::{self, created_ms, sent_ms};
use super::reply::Reply;
use super::request::{Request, must, texts};
use super::send::{Names, Send, id_of};
use super::{api2, patterns, states};
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::base::ports::Platform;
use crate::base::time;

const SENDER: (&str, &str) = ("sourceNumber", "originator");
const TIME: (&str, &str) = ("sendAt", "time");
const TEXT: &Names = &[SENDER, TIME];
const PATTERN: &Names = &[SENDER, TIME, ("pattern", "pattern_code"), ("variables", "values")];

/// The status and the body of an answer. `code` is a text in this protocol.
pub fn envelope(outcome: Result<Reply, Fault>) -> (u16, Value) {
    match outcome {
        Ok(reply) => {
            let mut body = json!({"status": "OK", "code": "OK", "message": "Ok", "data": reply.data});
            if let (Some(told), Some(members)) = (reply.page, body.as_object_mut()) {
                members.insert("meta".to_owned(), api2::meta(told));
            }
            (200, body)
        }
        Err(fault) => {
            let ((status, code), text) = (fault.kind.rest, fault.text(false));
            let body =
                json!({"status": "ERROR", "code": code, "message": text, "data": {"error": error(&fault, &text)}});
            (status, body)
        }
    }
}

/// What is wrong: of values that are not good, each member has its own errors.
fn error(fault: &Fault, text: &str) -> Value {
    if fault.kind.rest.1 != "422" || fault.members.is_empty() {
        return text.into();
    }
    let mut errors: Map<String, Value> = Map::new();
    for (member, text) in &fault.members {
        let of_member = errors.entry(member).or_insert_with(|| json!([]));
        if let Some(of_member) = of_member.as_array_mut() {
            of_member.push(json!({"code": "invalid", "err": text}));
        }
    }
    errors.into()
}

/// Answers a call.
pub async fn call<P: Platform>(own: &Own<'_, P>, request: &Request<'_>) -> Result<Reply, Fault> {
    let body = &request.body;
    let segments: Vec<&str> = request.call.split('/').collect();
    match segments.as_slice() {
        ["messages"] => {
            request.only("POST")?;
            let send = Send::read(own, body, TEXT)?;
            let recipients = texts(body.member("recipients"), "recipients")?;
            let message = must(body.member("message"), "message")?;
            send.text(own, &recipients, &message).await.map(sent)
        }
        ["messages", "patterns", "send"] => {
            request.only("POST")?;
            let send = Send::read(own, body, PATTERN)?;
            let code = must(body.member("pattern_code"), "pattern_code")?;
            let recipients = texts(body.member("recipient"), "recipient")?;
            send.pattern(own, &code, &recipients, body.member("values"))
                .await
                .map(sent)
        }
        ["messages", "patterns"] => {
            request.only("POST")?;
            let made = patterns::make(own, body).await?;
            Ok(Reply::of(json!({"pattern": pattern(&made, body)})))
        }
        _ => {
            request.only("GET")?;
            read(own, request, &segments).await
        }
    }
}

fn sent(id: i64) -> Reply {
    Reply::of(json!({"bulk_id": id}))
}

fn pattern(made: &Value, body: &Value) -> Value {
    json!({"code": made.text("slug"), "status": "active", "message": body.text("pattern"), "is_shared": false})
}

async fn read<P: Platform>(own: &Own<'_, P>, request: &Request<'_>, segments: &[&str]) -> Result<Reply, Fault> {
    let page = Page::of(request.number("page")?, request.number("limit")?)?;
    match segments {
        ["credit"] => Ok(Reply::of(json!({"credit": read::credit(own).await?}))),
        ["user"] => {
            let info = read::account_info(own).await?;
            let account = info.member("accountInfo");
            let user = json!({"username": account.text("username"), "name": account.text("fullName")});
            Ok(Reply::of(json!({"user": user})))
        }
        ["messages", "inbox"] => inbox(own, page).await,
        ["messages", id] => {
            let id = id.parse().map_err(|_| Fault::no_path())?;
            let message = read::message(own, id).await?;
            Ok(Reply::of(json!({"message": told(&message)})))
        }
        ["messages", id, "recipients"] => {
            let id = id.parse().map_err(|_| Fault::no_path())?;
            let listed = read::recipients(own, id, page).await?;
            let recipients: Value = listed.items.iter().map(recipient).collect();
            Ok(Reply {
                data: json!({"recipients": recipients}),
                page: Some(listed.told),
            })
        }
        _ => Err(Fault::no_path()),
    }
}

fn told(message: &Value) -> Value {
    let count = message.number("recipientCount");
    json!({
        "bulk_id": id_of(message.text("uid")), "number": read::line(message.text("sourceNumber")), "message": message.text("message"),
        "status": states::of_message(message).word, "type": "normal", "confirm_state": "confirmed",
        "created_at": time::to_rfc3339(created_ms(message)), "sent_at": time::to_rfc3339(sent_ms(message)),
        "recipients_count": count, "valid_recipients_count": count, "page": message.number("parts"),
        "cost": message.number("cost"), "payback_cost": message.number("returned"), "description": "",
    })
}

fn recipient(recipient: &Value) -> Value {
    let status = states::RECIPIENT_WORDS.get(states::of_recipient(recipient));
    json!({"recipient": recipient.text("recipient"), "status": status})
}

async fn inbox<P: Platform>(own: &Own<'_, P>, page: Page) -> Result<Reply, Fault> {
    let listed = read::inbox(own, page, 0).await?;
    let messages = listed.items.iter().map(|message| {
        json!({
            "number": read::line(message.text("line")), "message": message.text("text"), "sender": message.text("from"),
            "time": message.text("receivedAt"), "type": "normal",
        })
    });
    Ok(Reply {
        data: json!({"messages": messages.collect::<Value>()}),
        page: Some(listed.told),
    })
}
