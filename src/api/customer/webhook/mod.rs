//! Webhooks: where the account's programs listen. All of it is in the account's webhook object.

mod deliveries;
pub mod parse;

use serde_json::{Value, json};

use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::http::{self, Response};
use crate::api::problem::Problem;
use crate::api::shared::view::with;
use crate::api::shared::webhook::ask;
use crate::base::ports::Platform;
use crate::base::time;
use crate::webhook::endpoint::{
    ChangeEndpoint, CreateEndpoint, DeleteEndpoint, Endpoint, GetEndpoint, ListEndpoints, RotateSecret, WithSecret,
};

use crate::api::http::json_fields::Body;
pub use deliveries::{list as list_deliveries, redeliver, test};
use parse::{EndpointChange, NewEndpoint, names_once};

fn data(endpoint: &Endpoint) -> Value {
    json!({
        "id": endpoint.id,
        "url": endpoint.url,
        "events": endpoint.events,
        "lowBalance": endpoint.low_balance,
        "description": endpoint.description,
        "active": endpoint.active,
        "disabledReason": endpoint.disabled_reason,
        "createdAt": time::to_rfc3339(endpoint.created_ms),
    })
}

fn with_secret(made: &WithSecret) -> Value {
    with(data(&made.endpoint), "secret", made.secret.as_str())
}

/// `POST /webhook`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = NewEndpoint::read(&mut fields);
    let events = names_once(&mut fields, &new.events);
    fields.finish()?;
    let create = CreateEndpoint {
        url: new.url,
        events,
        low_balance: new.low_balance,
        description: new.description,
        active: new.active,
    };
    let made = ask(context, &create).await?;
    Success::created(with_secret(&made)).response(&context.request.id)
}

/// `GET /webhook`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name("webhook");
    query.finish()?;
    let list = ListEndpoints {
        limit: page.limit(),
        after: page.after().cloned(),
    };
    let mut endpoints = ask(context, &list).await?;
    let next = page.cut(&mut endpoints, |endpoint| endpoint.id.clone());
    let items: Vec<Value> = endpoints.iter().map(data).collect();
    Success::page(items, next).response(&context.request.id)
}

/// `GET /webhook/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let endpoint = ask(context, &GetEndpoint { id: id.to_owned() }).await?;
    Success::ok(data(&endpoint)).response(&context.request.id)
}

/// `PUT /webhook/{id}`
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = EndpointChange::read(&mut fields);
    let events = new.events.map(|events| names_once(&mut fields, &events));
    fields.finish()?;
    let change = ChangeEndpoint {
        id: id.to_owned(),
        url: new.url,
        events,
        low_balance: new.low_balance,
        // An empty one takes it away.
        description: new.description.map(Option::unwrap_or_default),
        active: new.active,
    };
    Success::ok(data(&ask(context, &change).await?)).response(&context.request.id)
}

/// `DELETE /webhook/{id}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    ask(context, &DeleteEndpoint { id: id.to_owned() }).await?;
    Ok(http::no_content())
}

/// `POST /webhook/{id}/rotate`
pub async fn rotate<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let made = ask(context, &RotateSecret { id: id.to_owned() }).await?;
    Success::created(with_secret(&made)).response(&context.request.id)
}
