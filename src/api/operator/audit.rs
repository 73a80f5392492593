//! The audit log, as operators read it. No route changes it.

use serde_json::{Map, Value, json};

use crate::answer;
use crate::api::http::{Response, context::Context, json_schema::Schema, query::Query, respond::Success};
use crate::api::problem::{Problem, field_error::FieldErrorKind};
use crate::base::{ports::Platform, time};
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

/// How a thing was or is: an object whose members depend on the thing.
fn state() -> Schema {
    Schema(json!({"type": ["object", "null"]}))
}

answer! {
    /// A change, and who has made it. Or, with `"after": {"shown": true}`, that an operator was shown numbers or texts of an account.
    pub struct AuditEntryData(entry: &Logged) as "AuditEntry" {
        "id": entry.id, id();
        "at": time::to_rfc3339(entry.at_ms), time();
        "actor": ActorData::of(entry), ActorData::schema();
        /// The route.
        "operation": entry.operation, any_text() => "AdminChangePlan";
        "thing": ThingData::of(entry), ThingData::schema();
        /// How it was; `null`: there was none. Of more than 8 KiB, only the beginning.
        "before": joined(&entry.before), state() => {"title": "Default"};
        /// How it is now; `null`: it is gone. Secrets are never shown.
        "after": joined(&entry.after), state() => {"title": "Standard"};
        /// The address of the client, if the platform tells it.
        "address": entry.address, any_text().or_null() => "203.0.113.7";
        /// The id of the request.
        "requestId": entry.request, any_text() => "019b796d-0000-7000-8000-000000000002";
    }

    /// Who has changed it.
    pub struct ActorData(entry: &Logged) {
        /// The account of the key; `operator` for the operators.
        "account": entry.actor, any_text() => "operator";
        /// `null`: the operators.
        "username": entry.actor_username, any_text().or_null() => null;
        /// The id of the key.
        "key": entry.key, any_text() => "019b796d-0000-7000-8000-000000000001";
    }

    /// What was changed.
    pub struct ThingData(entry: &Logged) {
        "kind": entry.thing, one_of(&Thing::ALL.map(Thing::as_str)) => "plan";
        /// Its id, its name or its number.
        "id": entry.name, any_text().or_null() => "default";
        /// The account that it belongs to.
        "account": entry.account, any_text().or_null() => null;
        "username": entry.account_username, any_text().or_null() => null;
    }
}

/// Reads an id. Any short text may be one.
fn read_id(query: &mut Query, name: &'static str) -> Option<String> {
    query.read(name, |text| match text.chars().count() {
        1..=MAX_ID => Ok(text.to_owned()),
        _ => Err(FieldErrorKind::BadForm("1 to 128 characters", "1 تا 128 کاراکتر")),
    })
}

/// `GET /admin/audit/feed`, in the order in which the entries came. There is always a cursor, with which to ask again.
pub async fn feed<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context);
    let page = query.page("admin/audit/feed");
    query.finish()?;
    let after = page.after().copied().unwrap_or_default();
    let mut entries = audit::arrived(context.platform.db(), page.limit(), after).await?;
    let next = page.cut(&mut entries, |entry| entry.place);
    let last = entries.last().map_or(after, |entry| entry.place);
    let next = next.unwrap_or_else(|| page.cursor_behind(&last));
    Success::page(entries.iter().map(AuditEntryData::of), Some(next)).response(context)
}

/// `GET /admin/audit`, newest first
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context);
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
    Success::page(entries.iter().map(AuditEntryData::of), next).response(context)
}
