//! What bodies say of endpoints.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::account::record::event_type::EventType;
use crate::api::http::forms::{Form, by, choice, flag, integer, list_of, or_null, text};
use crate::api::http::json_fields::{self, Fields, Place};
use crate::api::{http::json_schema, shared::low_balance::MAX_BALANCE};
use crate::auth::Mode;
use crate::base::host::Host;
use crate::base::url_guard::{self, Loopback};
use crate::body;
use crate::problem::field_error::FieldErrorKind;

const MAX_DESCRIPTION: usize = 500;

body! {
    /// An endpoint to create.
    pub struct NewEndpoint => {"url": "https://example.com/peyk", "events": ["message.status", "message.received"]} {
        url: String = must "url" url();
        events: Vec<EventType> = must "events" events();
        low_balance: Option<i64> = can "lowBalance" low_balance();
        description: Option<String> = can "description" description();
        active: bool = can "active" flag(), or true;
    }

    /// What to change. What is left out stays; `null` takes the description away.
    pub struct EndpointChange {
        url: Option<String> = may "url" url();
        events: Option<Vec<EventType>> = may "events" events();
        low_balance: Option<i64> = can "lowBalance" low_balance();
        description: Option<Option<String>> = can "description" or_null(description());
        active: Option<bool> = can "active" flag();
    }
}

/// An address, in its canonical form.
fn url() -> impl Form<Value = String> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let loopback = Loopback::from(place.setting.config.webhook_allow_loopback);
        let own: Vec<Host> = place.setting.own_hosts().collect();
        let text = value.as_str().ok_or(json_fields::TEXT);
        place.take(text.and_then(|text| url_guard::check(text, loopback, &own).map_err(FieldErrorKind::BadAddress)))
    };
    by(read, || json_schema::text(2_048).with("format", "uri"))
        .about("Where your program listens: `https`, with a public host that is not this service's.")
        .like("https://example.com/peyk")
}

/// The types of events that an endpoint gets.
pub fn events() -> impl Form<Value = Vec<EventType>> {
    let event = choice(&EventType::SELECTABLE, EventType::as_str).described(|_| json_schema::named("EventType"));
    list_of(event, 1, EventType::SELECTABLE.len())
        .described(|events| events.with("uniqueItems", true))
        .about("The types of events that it gets.")
}

/// The balance below which an endpoint gets `wallet.low`.
pub fn low_balance() -> impl Form<Value = i64> {
    integer(1, MAX_BALANCE)
        .about("The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that type.")
        .like(50_000)
}

fn description() -> impl Form<Value = String> {
    text(MAX_DESCRIPTION).about("What it is for.").like("the shop")
}

/// The names of the types. Notes a fault for each that comes twice, or that no endpoint of this mode gets.
pub fn names(fields: &mut Fields<'_>, mode: Mode, events: &[EventType]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    for (index, kind) in events.iter().enumerate() {
        if !seen.insert(*kind) {
            fields.item_fault("events", index, FieldErrorKind::Twice);
        }
        if mode.is_test() && !kind.is_for_tests() {
            fields.item_fault("events", index, FieldErrorKind::NotForTestKeys);
        }
    }
    events.iter().map(|kind| kind.as_str().to_owned()).collect()
}
