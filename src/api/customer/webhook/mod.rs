//! Webhooks: where the account's programs listen. All of it is in the account's webhook object.

pub mod deliveries;
pub mod parse;

use crate::account::record::event_type::EventType;
use crate::answer;
use crate::api::http::paging::PageRequest;
use crate::api::http::{self, Response, body::JsonBody, context::Context, forms::Form, query::Paged, respond::Success};
use crate::api::shared::webhook::{ask, ask_of};
use crate::auth::Mode;
use crate::base::{ports::Platform, time};
use crate::problem::Problem;
use crate::webhook::endpoint::{
    ChangeEndpoint, CreateEndpoint, DeleteEndpoint, DisabledReason, Endpoint, GetEndpoint, ListEndpoints, RotateSecret,
    WithSecret,
};

use crate::api::http::json_fields::Body;
pub use deliveries::{get as get_delivery, list as list_deliveries, redeliver, test};
use parse::{EndpointChange, NewEndpoint, names};

answer! {
    /// An endpoint.
    pub struct EndpointData(endpoint: &Endpoint) as "Endpoint" {
        "id": endpoint.id, any_text() => "019b796d-a000-7000-8000-000000000000";
        /// The mode of the keys that see it. It gets the events of messages of this mode.
        "mode": endpoint.mode.as_str(), one_of(&Mode::ALL.map(Mode::as_str));
        "url": endpoint.url, any_text().with("format", "uri") => "https://example.com/peyk";
        "events": endpoint.events, parse::events().schema();
        "lowBalance": endpoint.low_balance, parse::low_balance().schema().or_null();
        "description": endpoint.description, any_text().or_null() => "the shop";
        /// Whether it gets anything. What waits stays until it is active again.
        "active": endpoint.active, flag() => true;
        /// Why Peyk has stopped it: the receiver has answered 410, all attempts have failed for five days, or a key was revoked
        /// with what it had made.
        "disabledReason": endpoint.disabled_reason, one_of(&DisabledReason::ALL.map(DisabledReason::as_str)).or_null() => null;
        /// Since when all attempts have failed; `null`: the last one went well, or none was made.
        "failingSince": endpoint.failing_ms.map(time::to_rfc3339), time().or_null() => null;
        "createdAt": time::to_rfc3339(endpoint.created_ms), time();
        /// The key that has made it; `null`: nobody knows.
        "createdBy": endpoint.created_by, id().or_null();
    }

    /// An endpoint with its secret.
    pub struct EndpointWithSecretData(made: &WithSecret) as "EndpointWithSecret" with EndpointData(&made.endpoint) {
        /// What signs the requests. It is answered this one time.
        "secret": made.secret.as_str(), formed(200, "^whsec_[A-Za-z0-9+/]+=*$") => "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    }
}

/// The types of events that the key of the request may not read. An endpoint is told only what its maker may read at the API: a key
/// that can do no more than make endpoints reads nothing by them.
fn unreadable<P: Platform>(context: &Context<'_, P>) -> Result<Vec<String>, Problem> {
    let caller = context.caller()?;
    let kinds = EventType::SELECTABLE
        .into_iter()
        .filter(|kind| !caller.has_scope(kind.scope()));
    Ok(kinds.map(|kind| kind.as_str().to_owned()).collect())
}

/// `POST /webhook`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = NewEndpoint::read(&mut fields);
    let mode = context.caller()?.mode();
    let events = names(&mut fields, mode, &new.events);
    fields.finish()?;
    let create = CreateEndpoint {
        mode,
        url: new.url,
        events,
        low_balance: new.low_balance,
        description: new.description,
        active: new.active,
        unreadable: unreadable(context)?,
        by: context.caller()?.lasting_key().to_owned(),
        ways: context.caller()?.ways().to_vec(),
    };
    context.note_digest_of_long(&[Some(&create.url), create.description.as_deref()]);
    let made = ask(context, &create).await?;
    Success::created(EndpointWithSecretData::of(&made)).response(context)
}

/// `GET /webhook`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed_by_name("webhook")?;
    let caller = context.caller()?;
    list_of(context, caller.account(), caller.mode(), page).await
}

/// Lists the endpoints of an account's keys of this mode.
pub async fn list_of<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    mode: Mode,
    page: PageRequest<String>,
) -> Result<Response, Problem> {
    let list = ListEndpoints {
        mode,
        limit: page.limit(),
        after: page.after().cloned(),
    };
    let mut endpoints = ask_of(context, account, &list).await?;
    let next = page.cut(&mut endpoints, |endpoint| endpoint.id.clone());
    Success::page(endpoints.iter().map(EndpointData::of), next).response(context)
}

/// `GET /webhook/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let asked = GetEndpoint {
        mode: context.caller()?.mode(),
        id: id.to_owned(),
    };
    let endpoint = ask(context, &asked).await?;
    Success::ok(EndpointData::of(&endpoint)).response(context)
}

/// `PUT /webhook/{id}`
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = EndpointChange::read(&mut fields);
    let mode = context.caller()?.mode();
    let events = new.events.map(|events| names(&mut fields, mode, &events));
    fields.finish()?;
    let change = ChangeEndpoint {
        mode,
        id: id.to_owned(),
        url: new.url,
        events,
        low_balance: new.low_balance,
        // An empty one takes it away.
        description: new.description.map(Option::unwrap_or_default),
        active: new.active,
        unreadable: unreadable(context)?,
        by: context.caller()?.lasting_key().to_owned(),
        ways: context.caller()?.ways().to_vec(),
    };
    context.note_digest_of_long(&[change.url.as_deref(), change.description.as_deref()]);
    Success::ok(EndpointData::of(&ask(context, &change).await?)).response(context)
}

/// `DELETE /webhook/{id}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let delete = DeleteEndpoint {
        mode: context.caller()?.mode(),
        id: id.to_owned(),
    };
    ask(context, &delete).await?;
    Ok(http::no_content())
}

/// `POST /webhook/{id}/rotate`
pub async fn rotate<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let rotate = RotateSecret {
        mode: context.caller()?.mode(),
        id: id.to_owned(),
        by: context.caller()?.lasting_key().to_owned(),
        ways: context.caller()?.ways().to_vec(),
    };
    let made = ask(context, &rotate).await?;
    Success::created(EndpointWithSecretData::of(&made)).response(context)
}
