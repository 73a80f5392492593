//! The blacklist. Peyk never sends to a number on it: a send that names one is refused as a whole.

use std::collections::BTreeSet;

use sms::msisdn::Msisdn;

use crate::account::blacklist::{AddToBlacklist, Blocked, ListBlacklist, RemoveFromBlacklist};
use crate::api::http::body::{JsonBody, OptionalJson};
use crate::api::http::forms::{Form, list_of, phone_number};
use crate::api::http::query::{Paged, Query};
use crate::api::http::{Body, Response, context::Context, respond::Success};
use crate::api::shared::view::E164;
use crate::base::{ports::Platform, time};
use crate::problem::Problem;
use crate::{answer, body, query};

/// A request has at most this many numbers.
const MAX_NUMBERS: usize = 1_000;

query! {
    pub struct BlockedWish {
        /// Finds this number.
        only: Option<u64> = can "number" phone_number().then(Msisdn::get);
    }

    pub struct RemovalWish {
        /// The one number to remove. The body is not read then.
        number: Option<u64> = can "number" phone_number().then(Msisdn::get);
    }
}

/// `GET /blacklist`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, BlockedWish>) -> Result<Response, Problem> {
    let (page, BlockedWish { only }) = query.listed("blacklist")?;
    let list = ListBlacklist {
        only,
        page: page.to_read(),
    };
    let mut blocked = context.call(&list).await?;
    let next = page.cut(&mut blocked, |item| item.id);
    Success::page(blocked.iter().map(BlockedNumberData::of), next).response(context)
}

answer! {
    /// A number on the blacklist.
    pub struct BlockedNumberData(item: &Blocked) as "BlockedNumber" {
        "number": E164(item.msisdn), number();
        /// Whether the owner of the number has put it there, by a reply.
        "optOut": item.opt_out, flag();
        "createdAt": time::to_rfc3339(item.created_ms), time();
    }

    /// What has become of the numbers.
    pub struct AddedNumbersData(asked: u64, added: u32) as "AddedNumbers" {
        "added": added, count();
        /// How many numbers were so already.
        "unchanged": asked.saturating_sub(added.into()), count();
    }

    /// What has become of the numbers.
    pub struct RemovedNumbersData(asked: u64, removed: u32) as "RemovedNumbers" {
        "removed": removed, count();
        /// How many numbers were so already.
        "unchanged": asked.saturating_sub(removed.into()), count();
    }
}

body! {
    /// Up to 1,000 numbers.
    pub struct Numbers {
        numbers: Vec<Msisdn> = must "numbers" list_of(phone_number(), 1, MAX_NUMBERS);
    }
}

impl Numbers {
    /// Each number once.
    fn once(self) -> Vec<u64> {
        let once: BTreeSet<u64> = self.numbers.into_iter().map(Msisdn::get).collect();
        once.into_iter().collect()
    }
}

/// Notes the digest of numbers for the audit log, which has none of them: of `+` and digits, in ascending order, one a line.
fn note_digest<P: Platform>(context: &Context<'_, P>, numbers: &[u64]) {
    let lines: Vec<String> = numbers.iter().map(|number| format!("+{number}")).collect();
    context.note_digest(&lines.join("\n"));
}

/// `POST /blacklist`
pub async fn add<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let numbers = context.read::<Numbers>(body)?.once();
    let count = numbers.len() as u64;
    note_digest(context, &numbers);
    let added = context.call(&AddToBlacklist(numbers)).await?;
    Success::created(AddedNumbersData::of(count, added)).response(context)
}

/// `DELETE /blacklist`, with the numbers in the body, or with one as `?number=` and no body
pub async fn remove<P: Platform>(
    context: &Context<'_, P>,
    query: Query<'_, RemovalWish>,
    body: OptionalJson<'_, impl Body>,
) -> Result<Response, Problem> {
    let numbers = match query.all()?.number {
        Some(number) => vec![number],
        None => context.read::<Numbers>(&body.read().await?)?.once(),
    };
    let count = numbers.len() as u64;
    note_digest(context, &numbers);
    let removed = context.call(&RemoveFromBlacklist(numbers)).await?;
    Success::ok(RemovedNumbersData::of(count, removed)).response(context)
}
