//! Edge: `/v1/api/…`.

mod info;
mod report;
mod send;

use serde_json::{Value, json};

use super::fault::Fault;
use super::pages::Told;
use super::reply::Reply;
use super::request::Request;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::base::ports::Platform;

/// The call that has its key in the query.
pub const BY_URL: &str = "send/webservice";

/// The key in the query of [`BY_URL`].
pub fn key_in(query: &Params) -> Option<&str> {
    send::first_of(query, &send::KEY)
}

/// The status, the code and the body of an answer.
pub fn envelope(outcome: Result<Reply, Fault>) -> (u16, Value) {
    match outcome {
        Ok(reply) => (200, success(reply)),
        Err(fault) => (fault.kind.edge.0, refusal(&fault)),
    }
}

fn success(reply: Reply) -> Value {
    let mut meta = json!({"status": true, "message": "انجام شد", "message_parameters": [], "message_code": "200-1"});
    if let (Some(told), Some(members)) = (reply.page, meta.as_object_mut()) {
        members.extend(paging(told).map(|(name, value)| (name.to_owned(), value)));
    }
    json!({"data": reply.data, "meta": meta})
}

fn paging(told: Told) -> [(&'static str, Value); 7] {
    let before = told.page.skipped();
    let is_empty = told.count == 0;
    [
        ("current_page", told.page.number().into()),
        ("from", if is_empty { 0 } else { before.saturating_add(1) }.into()),
        ("last_page", told.pages().into()),
        ("path", "/".into()),
        ("per_page", told.page.size.into()),
        (
            "to",
            if is_empty { 0 } else { before.saturating_add(told.count) }.into(),
        ),
        ("total", told.total.into()),
    ]
}

fn refusal(fault: &Fault) -> Value {
    let mut errors = json!({});
    if let Some(members) = errors.as_object_mut() {
        for (member, text) in &fault.members {
            let texts = members.entry(member).or_insert_with(|| json!([]));
            texts
                .as_array_mut()
                .map(|texts| texts.push(text.as_str().into()))
                .unwrap_or_default();
        }
    }
    json!({"data": null, "meta": {
        "status": false, "message": fault.text(true), "message_parameters": [], "message_code": fault.kind.edge.1,
        "errors": errors,
    }})
}

/// Answers a call.
pub async fn call<P: Platform>(own: &Own<'_, P>, request: &Request<'_>) -> Result<Reply, Fault> {
    let method = match request.call {
        "send"
        | "send/calculate-price"
        | "send/cancel"
        | "report/new_list"
        | "report/messages-inbox"
        | "acl/auth/check_token" => "POST",
        BY_URL | "payment/credit/mine" | "report/recipients" | "report/by_bulk" | "number/numbers" | "numbers" => "GET",
        _ => return Err(Fault::no_path()),
    };
    request.only(method)?;
    let body = &request.body;
    match request.call {
        "send" => send::send(own, body).await.map(Reply::of),
        "send/calculate-price" => send::price(own, body).await.map(Reply::of),
        "send/cancel" => send::cancel(own, body).await.map(Reply::of),
        "report/new_list" => report::list(own, body).await,
        "report/messages-inbox" => report::inbox(own, body).await,
        "report/recipients" => report::recipients(own, request).await,
        "report/by_bulk" => report::message(own, request).await.map(Reply::of),
        "acl/auth/check_token" => info::key(own).await.map(Reply::of),
        "payment/credit/mine" => info::credit(own).await.map(Reply::of),
        BY_URL => send::by_url(own, &request.query).await.map(Reply::of),
        "number/numbers" | "numbers" => info::lines(own).await.map(Reply::of),
        _ => Err(Fault::no_path()),
    }
}
