//! The blacklist: `/blacklist`. Numbers on it are never sent to; a send that names one is refused as a whole.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::context::Context;
use super::query::Query;
use super::view::E164;
use crate::account::blacklist::{AddToBlacklist, ListBlacklist, RemoveFromBlacklist};
use crate::api::body::{self, JsonBody};
use crate::api::respond::Success;
use crate::fault::FaultKind;
use crate::http::{Body, Response};
use crate::input::{Fields, phone_number};
use crate::ports::Platform;
use crate::problem::Problem;
use crate::sms::msisdn::Msisdn;
use crate::time;

/// Numbers in one request at most.
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
    let data: Vec<Value> = blocked
        .iter()
        .map(|item| json!({"number": E164(item.msisdn), "createdAt": time::to_rfc3339(item.created_ms)}))
        .collect();
    Success::page(data, next).response(&context.request.id)
}

/// The numbers of a body, each once.
async fn read<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Vec<u64>, Problem> {
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
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
pub async fn add<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    let numbers = read(context, body).await?;
    let count = numbers.len() as u64;
    let added = context.call(&AddToBlacklist(numbers)).await?;
    let there = count.saturating_sub(added.into());
    Success::created(json!({"added": added, "unchanged": there})).response(&context.request.id)
}

/// `DELETE /blacklist`, with the numbers in the body or one as `?number=`
pub async fn remove<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let number = query.phone_number("number");
    query.finish()?;
    let numbers = match number {
        None => read(context, body).await?,
        Some(number) => vec![number],
    };
    let count = numbers.len() as u64;
    let removed = context.call(&RemoveFromBlacklist(numbers)).await?;
    let absent = count.saturating_sub(removed.into());
    Success::ok(json!({"removed": removed, "unchanged": absent})).response(&context.request.id)
}
