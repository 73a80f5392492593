//! The audit log, as operators read it. No route changes it.

use serde_json::{Map, Value, json};

use crate::api::http::Response;
use crate::api::http::context::Context;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::api::problem::field_error::FieldErrorKind;
use crate::base::ports::Platform;
use crate::base::time;
use crate::directory::audit::{self, Filter, Logged};
use crate::durable::audit::Thing;

/// An id in a filter has at most this many characters.
const MAX_ID: usize = 128;

/// What all parts of an entry say of the thing, as one object. `None`: there was no such thing.
fn joined(parts: &str) -> Option<Map<String, Value>> {
    let parts: Vec<Option<Map<String, Value>>> = serde_json::from_str(parts).unwrap_or_default();
    parts.into_iter().flatten().reduce(|mut all, part| {
        all.extend(part);
        all
    })
}

fn data(entry: &Logged) -> Value {
    json!({
        "id": entry.id,
        "at": time::to_rfc3339(entry.at_ms),
        "actor": {"account": entry.actor, "key": entry.key},
        "operation": entry.operation,
        "thing": {"kind": entry.thing, "id": entry.name, "account": entry.account},
        "before": joined(&entry.before),
        "after": joined(&entry.after),
        "requestId": entry.request,
    })
}

/// Reads an id. Any short text may be one.
fn read_id(query: &mut Query, name: &'static str) -> Option<String> {
    query.read(name, |text| match text.chars().count() {
        1..=MAX_ID => Ok(text.to_owned()),
        _ => Err(FieldErrorKind::BadForm("1 to 128 characters", "1 تا 128 کاراکتر")),
    })
}

/// `GET /admin/audit`, newest first
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name("admin/audit");
    let filter = Filter {
        account: read_id(&mut query, "account"),
        key: read_id(&mut query, "key"),
        operation: query
            .choice("operation", context.operations, |name| name)
            .map(str::to_owned),
        thing: query
            .choice("thing", &Thing::ALL, Thing::as_str)
            .map(|thing| thing.as_str().to_owned()),
        name: read_id(&mut query, "thingId"),
        from_ms: query.time("from"),
        to_ms: query.time("to"),
    };
    query.finish()?;
    let after = page.after().map(String::as_str);
    let mut entries = audit::page(context.platform.db(), page.limit(), after, &filter).await?;
    let next = page.cut(&mut entries, |entry| entry.id.clone());
    let items: Vec<Value> = entries.iter().map(data).collect();
    Success::page(items, next).response(&context.request.id)
}
