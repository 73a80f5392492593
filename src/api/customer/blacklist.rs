//! The blacklist. Peyk never sends to a number on it: a send that names one is refused as a whole.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::account::blacklist::{AddToBlacklist, Blocked, ListBlacklist, RemoveFromBlacklist};
use crate::api::http::body::{JsonBody, OptionalJson};
use crate::api::http::context::Context;
use crate::api::http::json_fields::{Fields, phone_number};
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::http::{Body, Response};
use crate::api::problem::Problem;
use crate::api::problem::field_error::FaultKind;
use crate::api::shared::view::E164;
use crate::base::ports::Platform;
use crate::base::time;
use crate::sms::msisdn::Msisdn;

/// A request has at most this many numbers.
const MAX_NUMBERS: usize = 1_000;

/// `GET /blacklist`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page("blacklist");
    let only = query.phone_number("number");
    query.finish()?;
    let list = ListBlacklist {
        only,
        page: page.to_read(),
    };
    let mut blocked = context.call(&list).await?;
    let next = page.cut(&mut blocked, |item| item.id);
    let data: Vec<Value> = blocked.iter().map(data).collect();
    Success::page(data, next).response(&context.request.id)
}

fn data(item: &Blocked) -> Value {
    json!({
        "number": E164(item.msisdn),
        "optOut": item.opt_out,
        "createdAt": time::to_rfc3339(item.created_ms),
    })
}

/// Reads the numbers of a body. Returns each once.
fn read(body: &JsonBody) -> Result<Vec<u64>, Problem> {
    let mut fields = Fields::new(&body.object);
    let numbers = fields.texts("numbers", MAX_NUMBERS, phone_number);
    let numbers = fields.require("numbers", numbers);
    if numbers.as_ref().is_some_and(Vec::is_empty) {
        fields.fault("numbers", FaultKind::Empty);
    }
    fields.finish()?;
    let once: BTreeSet<u64> = numbers.into_iter().flatten().map(Msisdn::get).collect();
    Ok(once.into_iter().collect())
}

/// `POST /blacklist`
pub async fn add<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let numbers = read(body)?;
    let count = numbers.len() as u64;
    let added = context.call(&AddToBlacklist(numbers)).await?;
    let unchanged = count.saturating_sub(added.into());
    Success::created(json!({"added": added, "unchanged": unchanged})).response(&context.request.id)
}

/// `DELETE /blacklist`, with the numbers in the body, or with one as `?number=` and no body
pub async fn remove<P: Platform>(
    context: &Context<'_, P>,
    body: OptionalJson<'_, impl Body>,
) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let number = query.phone_number("number");
    query.finish()?;
    let numbers = match number {
        Some(number) => vec![number],
        None => read(&body.read().await?)?,
    };
    let count = numbers.len() as u64;
    let removed = context.call(&RemoveFromBlacklist(numbers)).await?;
    let unchanged = count.saturating_sub(removed.into());
    Success::ok(json!({"removed": removed, "unchanged": unchanged})).response(&context.request.id)
}
