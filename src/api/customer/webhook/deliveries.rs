//! The log of an endpoint, and how a customer has an event delivered again.

use crate::account::record::event_type::EventType;
use crate::answer;
use crate::api::http::caller::Caller;
use crate::api::http::{Response, context::Context, paging::PageRequest, query::Paged, respond::Success};
use crate::api::shared::webhook::{ask, ask_of};
use crate::auth::{Mode, Scope};
use crate::base::{ports::Platform, time};
use crate::problem::Problem;
use crate::webhook::delivery::{Delivery, GetDelivery, ListDeliveries, Redeliver, TestEndpoint, WithRequest};

/// The types of all events that an endpoint can get.
fn types() -> Vec<&'static str> {
    let types = EventType::SELECTABLE.into_iter().chain([EventType::WebhookTest]);
    types.map(EventType::as_str).collect()
}

const STATUSES: [&str; 5] = ["WAITING", "DELIVERED", "FAILED", "DROPPED", "NOTED"];
const ERRORS: [&str; 7] = [
    "NO_ANSWER",
    "REDIRECT",
    "STATUS",
    "GONE",
    "ADDRESS_REFUSED",
    "BACKLOG_FULL",
    "INTERNAL",
];

answer! {
    /// An event on its way to an endpoint.
    pub struct DeliveryData(delivery: &Delivery) as "Delivery" {
        /// The id of the event, too.
        "id": delivery.id, any_text() => "evt_019b796da00000000000000000000000";
        "type": delivery.kind, one_of(&types());
        /// `DROPPED`: too many waited for the endpoint. `NOTED`: it stands only in the log.
        "status": delivery.state.as_str(), one_of(&STATUSES);
        /// How many attempts were made.
        "attempts": delivery.attempts, count();
        "createdAt": time::to_rfc3339(delivery.made_ms), time();
        "lastAttemptAt": delivery.last_ms.map(time::to_rfc3339), time().or_null();
        "nextAttemptAt": delivery.due_ms.map(time::to_rfc3339), time().or_null();
        /// The HTTP status that the receiver answered last.
        "responseStatus": delivery.status, integer(100, 999).or_null() => 200;
        /// The first 1,000 characters of what it answered, as plain text: the words of somebody else. `null` for a key that lacks the scope
        /// of the event, and when the event has been erased.
        "responseBody": delivery.answer, any_text().or_null() => "ok";
        /// What was wrong with the last attempt.
        "error": delivery.error, one_of(&ERRORS).or_null() => null;
    }

    /// An event on its way to an endpoint, with what its requests have.
    pub struct DeliveryWithRequestData(found: &WithRequest) as "DeliveryWithRequest" with DeliveryData(&found.delivery) {
        /// The endpoint's address as it is now.
        "url": found.url, any_text().with("format", "uri") => "https://example.com/peyk";
        /// The body of each of its requests, to the byte: what is signed.
        "body": found.body, any_text() => "{\"id\":\"evt_019b796da00000000000000000000000\",\"type\":\"webhook.test\",\"createdAt\":\"2026-01-01T12:00:00.000Z\",\"data\":{}}";
    }
}

/// The scope without which a key reads nothing of what the event tells.
fn scope_of(delivery: &Delivery) -> Option<Scope> {
    let kind = EventType::ALL.iter().find(|kind| kind.as_str() == delivery.kind);
    kind.map(|kind| kind.scope())
}

/// Takes the answer away from who may not read the event: a receiver may have repeated what it got.
fn hide_answer(caller: &Caller, delivery: &mut Delivery) {
    if scope_of(delivery).is_some_and(|scope| !caller.has_scope(scope)) {
        delivery.answer = None;
    }
}

/// `GET /webhook/{id}/deliveries`
pub async fn list<P: Platform>(context: &Context<'_, P>, id: &str, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed_by_name(&format!("deliveries/{id}"))?;
    let caller = context.caller()?;
    list_of(context, caller.account(), (caller.mode(), id), page).await
}

/// Lists the log of an endpoint of an account's keys of this mode.
pub async fn list_of<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    (mode, id): (Mode, &str),
    page: PageRequest<String>,
) -> Result<Response, Problem> {
    let list = ListDeliveries {
        mode,
        endpoint: id.to_owned(),
        limit: page.limit(),
        after: page.after().cloned(),
    };
    let mut deliveries = ask_of(context, account, &list).await?;
    let next = page.cut(&mut deliveries, |delivery| delivery.id.clone());
    let caller = context.caller()?;
    deliveries.iter_mut().for_each(|delivery| hide_answer(caller, delivery));
    Success::page(deliveries.iter().map(DeliveryData::of), next).response(context)
}

/// `GET /webhook/{id}/deliveries/{deliveryId}`. Who may make endpoints only reads nothing by their deliveries that the key's other scopes
/// do not allow.
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str, delivery_id: &str) -> Result<Response, Problem> {
    let caller = context.caller()?;
    let get = GetDelivery {
        mode: caller.mode(),
        endpoint: id.to_owned(),
        id: delivery_id.to_owned(),
    };
    let found = ask(context, &get).await?;
    match scope_of(&found.delivery) {
        Some(scope) if !caller.has_scope(scope) => Err(Problem::Forbidden(scope)),
        _ => Success::ok(DeliveryWithRequestData::of(&found)).response(context),
    }
}

/// `POST /webhook/{id}/deliveries/{deliveryId}/redeliver`
pub async fn redeliver<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    delivery_id: &str,
) -> Result<Response, Problem> {
    let redeliver = Redeliver {
        mode: context.caller()?.mode(),
        endpoint: id.to_owned(),
        id: delivery_id.to_owned(),
    };
    let mut delivery = ask(context, &redeliver).await?;
    hide_answer(context.caller()?, &mut delivery);
    Success::ok(DeliveryData::of(&delivery)).response(context)
}

/// `POST /webhook/{id}/test`
pub async fn test<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let test = TestEndpoint {
        mode: context.caller()?.mode(),
        endpoint: id.to_owned(),
    };
    Success::created(DeliveryData::of(&ask(context, &test).await?)).response(context)
}
