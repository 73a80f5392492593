//! The log of an endpoint, and how a customer has an event delivered again.

use serde_json::{Value, json};

use crate::api::http::Response;
use crate::api::http::context::Context;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::api::shared::webhook::ask;
use crate::base::ports::Platform;
use crate::base::time;
use crate::webhook::delivery::{Delivery, ListDeliveries, Redeliver, TestEndpoint};

fn data(delivery: &Delivery) -> Value {
    json!({
        "id": delivery.id,
        "type": delivery.kind,
        "status": delivery.state.as_str(),
        "attempts": delivery.attempts,
        "createdAt": time::to_rfc3339(delivery.made_ms),
        "lastAttemptAt": delivery.last_ms.map(time::to_rfc3339),
        "nextAttemptAt": delivery.due_ms.map(time::to_rfc3339),
        "responseStatus": delivery.status,
        "error": delivery.error,
    })
}

/// `GET /webhook/{id}/deliveries`
pub async fn list<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name(&format!("deliveries/{id}"));
    query.finish()?;
    let list = ListDeliveries {
        endpoint: id.to_owned(),
        limit: page.limit(),
        after: page.after().cloned(),
    };
    let mut deliveries = ask(context, &list).await?;
    let next = page.cut(&mut deliveries, |delivery| delivery.id.clone());
    let items: Vec<Value> = deliveries.iter().map(data).collect();
    Success::page(items, next).response(&context.request.id)
}

/// `POST /webhook/{id}/deliveries/{deliveryId}/redeliver`
pub async fn redeliver<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    delivery_id: &str,
) -> Result<Response, Problem> {
    let redeliver = Redeliver {
        endpoint: id.to_owned(),
        id: delivery_id.to_owned(),
    };
    Success::ok(data(&ask(context, &redeliver).await?)).response(&context.request.id)
}

/// `POST /webhook/{id}/test`
pub async fn test<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let test = TestEndpoint {
        endpoint: id.to_owned(),
    };
    Success::created(data(&ask(context, &test).await?)).response(&context.request.id)
}
