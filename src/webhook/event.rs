//! Taking events: each is stored once, with a delivery for each endpoint that asks for it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::delivery_state::DeliveryState;
use super::endpoint::{self, Endpoint};
use super::low_balance;
use super::request::{ReplyResult, WebhookRequest};
use crate::account::outbox::events::NewEvent;
use crate::auth::Mode;
use crate::base::ports::{Platform, PortError, Row, Sql};
use crate::base::time;
use crate::durable::to_json;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    id: &'a str,
    r#type: &'a str,
    created_at: String,
    data: &'a RawValue,
}

/// The body of the requests that deliver an event. `data` is what it tells, JSON.
pub fn body(id: &str, kind: &str, made_ms: i64, data: &str) -> Result<String, PortError> {
    let data: Box<RawValue> = serde_json::from_str(data).map_err(|error| PortError::json("event", &error))?;
    to_json(&Body {
        id,
        r#type: kind,
        created_at: time::to_rfc3339(made_ms),
        data: &data,
    })
}

/// The most deliveries that wait for one endpoint. Beyond, the oldest are dropped: the log keeps them, and the customer may
/// have them delivered again.
pub const MAX_WAITING: i64 = 10_000;

/// Takes events. They are safe when the object has answered. An event that comes again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeEvents(pub Vec<NewEvent>);

impl WebhookRequest for TakeEvents {
    fn answer(&self, platform: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<()> {
        store(sql, platform.now_ms(), &self.0)?;
        Ok(Ok(()))
    }
}

/// Stores events for the endpoints that ask for them. An event that nobody asks for is not stored.
pub fn store(sql: &impl Sql, now_ms: i64, events: &[NewEvent]) -> Result<(), PortError> {
    let (endpoints, of_account) = (endpoint::active(sql)?, low_balance::threshold(sql)?);
    let is_for = |event: &NewEvent, endpoint: &Endpoint| {
        let threshold = endpoint.low_balance.or(of_account);
        let is_of_mode = endpoint.mode == Mode::of(event.test);
        is_of_mode && endpoint.asks_for(&event.kind) && (event.low_balance.is_none() || event.low_balance == threshold)
    };
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for event in events {
        let endpoints = endpoints.iter().filter(|endpoint| is_for(event, endpoint));
        pairs.extend(endpoints.map(|endpoint| (endpoint.id.as_str(), event.id.as_str())));
    }
    let asked: BTreeSet<&str> = pairs.iter().map(|(_, event)| *event).collect();
    let new = insert(sql, events.iter().filter(|event| asked.contains(event.id.as_str())))?;
    pairs.retain(|(_, event)| new.contains(*event));
    queue(sql, now_ms, &pairs)?;
    let full: BTreeSet<&str> = pairs.iter().map(|(endpoint, _)| *endpoint).collect();
    full.into_iter().try_for_each(|endpoint| drop_surplus(sql, endpoint))
}

/// Stores events and returns the ids of those that were new.
pub fn insert<'a>(sql: &impl Sql, events: impl Iterator<Item = &'a NewEvent>) -> Result<BTreeSet<String>, PortError> {
    let rows: Vec<_> = events
        .map(|event| (&event.id, &event.kind, event.made_ms, event.data.get(), event.test))
        .collect();
    if rows.is_empty() {
        return Ok(BTreeSet::new());
    }
    let new = sql.exec(
        "INSERT INTO event (id, type, made_ms, data, test) \
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?1) WHERE 1 \
         ON CONFLICT DO NOTHING RETURNING id, test",
        &[to_json(&rows)?.into()],
    )?;
    if !new.is_empty() {
        count(sql, &new, 1)?;
    }
    new.iter().map(|row| row.text(0)).collect()
}

/// Counts so many more events for each row, whose second column says whether its event is a test event.
pub fn count(sql: &impl Sql, rows: &[Row], more: i64) -> Result<(), PortError> {
    let (mut live, mut test) = (0, 0);
    for row in rows {
        if row.bool(1)? {
            test += more;
        } else {
            live += more;
        }
    }
    sql.exec(
        "UPDATE webhook SET events = events + ?1, test_events = test_events + ?2",
        &[live.into(), test.into()],
    )
    .map(drop)
}

/// Queues events for endpoints, `(endpoint, event)`.
pub fn queue(sql: &impl Sql, now_ms: i64, pairs: &[(&str, &str)]) -> Result<(), PortError> {
    if pairs.is_empty() {
        return Ok(());
    }
    sql.exec(
        "INSERT INTO delivery (endpoint, event, state, due_ms, failures, attempts) \
         SELECT value ->> 0, value ->> 1, ?2, ?3, 0, 0 FROM json_each(?1)",
        &[
            to_json(&pairs)?.into(),
            DeliveryState::Waiting.code().into(),
            now_ms.into(),
        ],
    )
    .map(drop)
}

/// Whether as many deliveries wait for an endpoint as may wait. What somebody asks for by hand then drops nothing else.
pub fn is_full(sql: &impl Sql, endpoint: &str) -> Result<bool, PortError> {
    Ok(waiting(sql, endpoint)? >= MAX_WAITING)
}

fn waiting(sql: &impl Sql, endpoint: &str) -> Result<i64, PortError> {
    let count = sql.number(
        "SELECT count(*) FROM delivery WHERE endpoint = ?1 AND state = 0",
        &[endpoint.into()],
    )?;
    Ok(count.unwrap_or(0))
}

/// Drops the oldest deliveries that wait for an endpoint, if they are too many.
fn drop_surplus(sql: &impl Sql, endpoint: &str) -> Result<(), PortError> {
    let surplus = waiting(sql, endpoint)? - MAX_WAITING;
    if surplus <= 0 {
        return Ok(());
    }
    sql.exec(
        "UPDATE delivery SET state = ?2, error = 'BACKLOG_FULL' WHERE endpoint = ?1 AND event IN \
           (SELECT event FROM delivery WHERE endpoint = ?1 AND state = 0 ORDER BY event LIMIT ?3)",
        &[endpoint.into(), DeliveryState::Dropped.code().into(), surplus.into()],
    )
    .map(drop)
}
