//! Orders to erase a number: from all that the account of the key has, or, if it is an operator's, from all accounts.

use sms::msisdn::Msisdn;

use crate::account::OPERATOR;
use crate::account::erasure::{Erasure, GetErasure, ListErasures, StartErasure};
use crate::api::http::forms::phone_number;
use crate::api::http::{Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::auth::secret::{Keys, Purpose};
use crate::base::ports::{Platform, PortError};
use crate::base::{id, time};
use crate::carrier::control;
use crate::problem::Problem;
use crate::{answer, body};

body! {
    /// A number to erase.
    pub struct NewErasure {
        number: Option<Msisdn> = needs "number" phone_number();
    }
}

answer! {
    /// An order to erase a number.
    pub struct ErasureData(erasure: &Erasure, is_everywhere: bool) as "Erasure" {
        "id": erasure.id, id();
        /// The last two digits of the number. The order does not keep the others when it is done.
        "numberEnding": erasure.ending, any_text() => "67";
        /// Who has given the order: the account, or operators over all accounts.
        "orderedBy": if erasure.by_operators { "OPERATORS" } else { "ACCOUNT" }, one_of(&["ACCOUNT", "OPERATORS"]);
        /// `DONE`: nothing has the number any more. An order runs for two hours at least.
        "status": if erasure.done_ms.is_some() { "DONE" } else { "RUNNING" }, one_of(&["RUNNING", "DONE"]);
        "createdAt": time::to_rfc3339(erasure.created_ms), time();
        "doneAt": erasure.done_ms.map(time::to_rfc3339), time().or_null();
        /// Of an order as operators see it: how many accounts are done with it.
        "accounts": is_everywhere.then_some(erasure.found.accounts), count().or_null();
        "found": FoundData::of(erasure), declared::<FoundData>();
    }

    /// What an order has met so far.
    pub struct FoundData(erasure: &Erasure) as "ErasedData" {
        /// Recipients of messages.
        "recipients": erasure.found.recipients, count() => 12;
        /// Those of them that had not left: they are canceled and paid back. Who was with a carrier and comes back is canceled too, and not
        /// counted here.
        "canceled": erasure.found.canceled, count() => 1;
        /// Texts of other messages, and references, that had the number in them.
        "mentions": erasure.found.mentions, count() => 0;
        /// Messages from the phone.
        "inbound": erasure.found.inbound, count() => 2;
        /// Events of webhooks, waiting or delivered.
        "events": erasure.found.events, count() => 14;
        /// Entries of phonebooks.
        "phonebookNumbers": erasure.found.phonebook_numbers, count() => 1;
        /// Whether the number was on the blacklist. It stays blocked.
        "blacklisted": erasure.found.blacklisted, flag() => false;
    }
}

/// Whether the caller is an operator, whose orders are over all accounts.
fn is_everywhere<P: Platform>(context: &Context<'_, P>) -> Result<bool, Problem> {
    Ok(context.caller()?.account() == OPERATOR)
}

/// `POST /erasures` and `POST /admin/erasures`
pub async fn start<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let number = context.read::<NewErasure>(body)?.number.ok_or_else(unread)?;
    let id = id::new(context.platform)?;
    let digits = number.get().to_string();
    let keys = Keys::of(context.platform, Purpose::Erasure).map_err(PortError::from)?;
    let order = StartErasure {
        msisdn: number.get(),
        sealed: keys.seal(context.platform, &id, &digits)?,
        ending: digits
            .get(digits.len().saturating_sub(2)..)
            .unwrap_or_default()
            .to_owned(),
        by_operators: is_everywhere(context)?,
        id,
    };
    context.note_digest(&number.to_e164());
    let started = context.call(&order).await?;
    control::take_back(context.platform, context.caller()?.account(), &started.with_carriers).await;
    Success::accepted(ErasureData::of(&started.erasure, order.by_operators)).response(context)
}

fn unread() -> Problem {
    Problem::Internal("a body without faults has no number".to_owned())
}

/// `GET /erasures` and `GET /admin/erasures`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed("erasures")?;
    let mut erasures = context.call(&ListErasures(page.to_read())).await?;
    let next = page.cut(&mut erasures, |erasure| erasure.seq);
    let is_everywhere = is_everywhere(context)?;
    let data = erasures.iter().map(|erasure| ErasureData::of(erasure, is_everywhere));
    Success::page(data, next).response(context)
}

/// `GET /erasures/{id}` and `GET /admin/erasures/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let erasure = context.call(&GetErasure(id.to_owned())).await?;
    Success::ok(ErasureData::of(&erasure, is_everywhere(context)?)).response(context)
}
