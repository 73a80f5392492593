//! The audit log, as operators read it. No route changes it.

use serde_json::{Map, Value, json};

use crate::api::http::forms::{Form, by, choice, item_text, time};
use crate::api::http::json_fields::{self, Place};
use crate::api::http::json_schema::{self, Schema};
use crate::api::http::{Response, context::Context, query::Paged, respond::Success};
use crate::base::{ports::Platform, time};
use crate::directory::audit::{self, Filter, Logged};
use crate::durable::audit::Thing;
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, query};

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

query! {
    pub struct AuditWish {
        /// Only changes of what belongs to this account.
        account: Option<String> = can "account" id();
        /// Only what this key has changed.
        key: Option<String> = can "key" id();
        /// Only changes by this route.
        operation: Option<String> = can "operation" operation();
        /// Only changes of such things.
        thing: Option<String> = can "thing" choice(&Thing::ALL, Thing::as_str).then(|thing| thing.as_str().to_owned());
        /// Only changes of things with this id.
        name: Option<String> = can "thingId" id();
        /// Only changes at this time or later.
        from_ms: Option<i64> = can "from" time();
        /// Only changes before this time.
        to_ms: Option<i64> = can "to" time();
    }
}

/// An id. Any short text may be one.
fn id() -> impl Form<Value = String> {
    const FAULT: FieldErrorKind = FieldErrorKind::BadForm("1 to 128 characters", "1 تا 128 کاراکتر");
    item_text(MAX_ID, FAULT).like("019b796d-0000-7000-8000-000000000001")
}

/// The name of a route. The table of routes stands above this file, so the document gets the names from there.
fn operation() -> impl Form<Value = String> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let name = json_fields::choice(value.as_str().unwrap_or_default(), place.setting.operations, |name| {
            name
        });
        place.take(name.map(str::to_owned))
    };
    by(read, || json_schema::one_of(&[]))
}

/// `GET /admin/audit/feed`, in the order in which the entries came. There is always a cursor, with which to ask again.
pub async fn feed<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed("admin/audit/feed")?;
    let after = page.after().copied().unwrap_or_default();
    let mut entries = audit::arrived(context.platform.db(), page.limit(), after).await?;
    let next = page.cut(&mut entries, |entry| entry.place);
    let last = entries.last().map_or(after, |entry| entry.place);
    let next = next.unwrap_or_else(|| page.cursor_behind(&last));
    Success::page(entries.iter().map(AuditEntryData::of), Some(next)).response(context)
}

/// `GET /admin/audit`, newest first
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, AuditWish>) -> Result<Response, Problem> {
    let (page, wish) = query.listed_by_name("admin/audit")?;
    let filter = Filter {
        account: wish.account,
        key: wish.key,
        operation: wish.operation,
        thing: wish.thing,
        name: wish.name,
        from_ms: wish.from_ms,
        to_ms: wish.to_ms,
    };
    let after = page.after().map(String::as_str);
    let mut entries = audit::page(context.platform.db(), page.limit(), after, &filter).await?;
    let next = page.cut(&mut entries, |entry| entry.id.clone());
    Success::page(entries.iter().map(AuditEntryData::of), next).response(context)
}
