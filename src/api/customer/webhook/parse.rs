//! Reads an endpoint from a body.

use std::collections::BTreeSet;

use crate::account::outbox::event_type::EventType;
use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::json_fields::{Fields, choice};
use crate::api::problem::Problem;
use crate::api::problem::field_error::FaultKind;
use crate::api::shared::low_balance::MAX_BALANCE;
use crate::base::ports::Platform;
use crate::base::url_guard::{self, Loopback};

const MAX_DESCRIPTION: usize = 500;

/// What the body is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It makes an endpoint.
    Creation,
    /// It changes one. What is left out stays.
    Change,
}

/// What a body says of an endpoint.
#[derive(Debug)]
pub struct EndpointBody {
    /// The address in its canonical form.
    pub url: Option<String>,
    /// The types of events.
    pub events: Option<Vec<String>>,
    /// The balance below which it gets `wallet.low`.
    pub low_balance: Option<i64>,
    /// What it is for. Empty if the body takes the description away.
    pub description: Option<String>,
    /// Whether it gets anything.
    pub active: Option<bool>,
}

/// Reads a body.
pub fn read<P: Platform>(context: &Context<'_, P>, body: &JsonBody, purpose: Purpose) -> Result<EndpointBody, Problem> {
    let mut fields = Fields::new(&body.object);
    let url = read_url(&mut fields, Loopback::from(context.app.config.webhook_allow_loopback));
    let events = read_events(&mut fields);
    let low_balance = fields.integer("lowBalance", 1, MAX_BALANCE);
    let takes_away = fields.has("description") && fields.value("description").is_none();
    let description = fields.text("description", MAX_DESCRIPTION);
    let active = fields.boolean("active");
    for name in ["url", "events"] {
        if purpose == Purpose::Creation || fields.has(name) {
            fields.require(name, fields.value(name).map(drop));
        }
    }
    fields.finish()?;
    Ok(EndpointBody {
        url,
        events,
        low_balance,
        description: match (description, takes_away && purpose == Purpose::Change) {
            (Some(text), _) => Some(text.to_owned()),
            (None, true) => Some(String::new()),
            (None, false) => None,
        },
        active,
    })
}

fn read_url(fields: &mut Fields<'_>, loopback: Loopback) -> Option<String> {
    match url_guard::check(fields.any_text("url")?, loopback) {
        Ok(url) => Some(url),
        Err(refused) => {
            fields.fault("url", FaultKind::BadAddress(refused));
            None
        }
    }
}

fn read_events(fields: &mut Fields<'_>) -> Option<Vec<String>> {
    let types = EventType::SELECTABLE;
    let read = |text: &str| choice(text, &types, EventType::as_str);
    let events = fields.texts("events", types.len(), read)?;
    if events.is_empty() {
        fields.fault("events", FaultKind::Empty);
    }
    let mut seen = BTreeSet::new();
    for (index, kind) in events.iter().enumerate() {
        if !seen.insert(*kind) {
            fields.item_fault("events", index, FaultKind::Twice);
        }
    }
    Some(events.into_iter().map(|kind| kind.as_str().to_owned()).collect())
}
