//! Deliveries: an event for an endpoint, what became of it, and how a customer has it delivered again. They are the log of an
//! endpoint. A delivery has the id of its event, which is the `webhook-id` that the receiver sees.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::delivery_state::DeliveryState;
use super::request::{ReplyResult, WebhookRefusal, WebhookRequest};
use super::{endpoint, event};
use crate::account::outbox::events::{NewEvent, id_of};
use crate::account::record::event_type::EventType;
use crate::auth::Mode;
use crate::base::named::Named;
use crate::base::ports::{Platform, PortError, Row, Sql};

/// A delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The event's id.
    pub id: String,
    /// The event's type.
    #[serde(rename = "type")]
    pub kind: String,
    /// When the event became true.
    pub made_ms: i64,
    /// What became of it.
    pub state: Named<DeliveryState>,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was tried last.
    pub last_ms: Option<i64>,
    /// When it is tried next, if it waits.
    pub due_ms: Option<i64>,
    /// The HTTP status of the last attempt, if the receiver answered.
    pub status: Option<u32>,
    /// What was wrong with the last attempt.
    pub error: Option<String>,
    /// The beginning of what the receiver has answered to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

const COLUMNS: &str = "e.id, e.type, e.made_ms, d.state, d.attempts, d.last_ms, d.due_ms, d.status, d.error, d.answer";

impl Delivery {
    fn of(row: &Row) -> Result<Self, PortError> {
        let mut row = row.reader();
        let (id, kind, made_ms, state) = row.read()?;
        Ok(Delivery {
            id,
            kind,
            made_ms,
            state: Named::Known(state),
            attempts: row.read()?,
            last_ms: row.read()?,
            due_ms: Some(row.read()?).filter(|_| state == DeliveryState::Waiting),
            status: row.read()?,
            error: row.read()?,
            answer: row.read()?,
        })
    }
}

fn find(sql: &impl Sql, endpoint: &str, event: &str) -> Result<Option<Delivery>, PortError> {
    let query = format!(
        "SELECT {COLUMNS} FROM delivery d JOIN event e ON e.id = d.event WHERE d.endpoint = ?1 AND d.event = ?2"
    );
    let rows = sql.exec(&query, &[endpoint.into(), event.into()])?;
    rows.first().map(Delivery::of).transpose()
}

/// Asks for a page of an endpoint's deliveries, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListDeliveries {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// The endpoint's id.
    pub endpoint: String,
    /// How many to answer.
    pub limit: u32,
    /// The id of the delivery behind which the page begins.
    pub after: Option<String>,
}

impl WebhookRequest for ListDeliveries {
    fn answer(&self, _: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<Vec<Delivery>> {
        if endpoint::find(sql, self.mode, &self.endpoint)?.is_none() {
            return Ok(Err(WebhookRefusal::NotFound));
        }
        let query = format!(
            "SELECT {COLUMNS} FROM delivery d CROSS JOIN event e ON e.id = d.event \
             WHERE d.endpoint = ?1 AND (?2 IS NULL OR d.event < ?2) ORDER BY d.event DESC LIMIT ?3"
        );
        let params = [
            self.endpoint.as_str().into(),
            self.after.clone().into(),
            self.limit.into(),
        ];
        let rows = sql.exec(&query, &params)?;
        rows.iter().map(Delivery::of).collect::<Result<_, _>>().map(Ok)
    }
}

/// A delivery with what its requests have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithRequest {
    /// The delivery.
    pub delivery: Delivery,
    /// The endpoint's address as it is now.
    pub url: String,
    /// The body of each of its requests.
    pub body: String,
}

/// Asks for a delivery with what its requests have.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetDelivery {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// The endpoint's id.
    pub endpoint: String,
    /// The delivery's id.
    pub id: String,
}

impl WebhookRequest for GetDelivery {
    fn answer(&self, _: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<WithRequest> {
        let (endpoint, delivery) = (
            endpoint::find(sql, self.mode, &self.endpoint)?,
            find(sql, &self.endpoint, &self.id)?,
        );
        let (Some(endpoint), Some(delivery)) = (endpoint, delivery) else {
            return Ok(Err(WebhookRefusal::NotFound));
        };
        let rows = sql.exec("SELECT data FROM event WHERE id = ?1", &[self.id.as_str().into()])?;
        let data = rows.first().map_or(Ok("null".to_owned()), |row| row.text(0))?;
        let body = event::body(&delivery.id, &delivery.kind, delivery.made_ms, &data)?;
        Ok(Ok(WithRequest {
            delivery,
            url: endpoint.url,
            body,
        }))
    }
}

/// Queues a delivery anew, whatever became of it. It keeps its id, and has all attempts before it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Redeliver {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// The endpoint's id.
    pub endpoint: String,
    /// The delivery's id.
    pub id: String,
}

impl WebhookRequest for Redeliver {
    fn answer(&self, platform: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<Delivery> {
        let (endpoint, delivery) = (
            endpoint::find(sql, self.mode, &self.endpoint)?,
            find(sql, &self.endpoint, &self.id)?,
        );
        let (Some(endpoint), Some(delivery)) = (endpoint, delivery) else {
            return Ok(Err(WebhookRefusal::NotFound));
        };
        if !endpoint.active {
            return Ok(Err(WebhookRefusal::EndpointInactive));
        }
        let is_waiting = delivery.state == Named::Known(DeliveryState::Waiting);
        if !is_waiting && event::is_full(sql, &self.endpoint)? {
            return Ok(Err(WebhookRefusal::BacklogFull));
        }
        sql.exec(
            "UPDATE delivery SET state = ?3, due_ms = ?4, failures = 0 WHERE endpoint = ?1 AND event = ?2",
            &[
                endpoint.id.as_str().into(),
                self.id.as_str().into(),
                DeliveryState::Waiting.code().into(),
                platform.now_ms().into(),
            ],
        )?;
        Ok(find(sql, &self.endpoint, &self.id)?.ok_or(WebhookRefusal::NotFound))
    }
}

/// Sends an event of type `webhook.test` to an endpoint.
#[derive(Debug, Serialize, Deserialize)]
pub struct TestEndpoint {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// The endpoint's id.
    pub endpoint: String,
}

impl WebhookRequest for TestEndpoint {
    fn answer(&self, platform: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<Delivery> {
        match endpoint::find(sql, self.mode, &self.endpoint)? {
            None => return Ok(Err(WebhookRefusal::NotFound)),
            Some(endpoint) if !endpoint.active => return Ok(Err(WebhookRefusal::EndpointInactive)),
            Some(_) if event::is_full(sql, &self.endpoint)? => return Ok(Err(WebhookRefusal::BacklogFull)),
            Some(_) => {}
        }
        let data = to_raw(&serde_json::json!({"endpoint": self.endpoint}))?;
        let event = own_event(platform, self.mode, EventType::WebhookTest, data)?;
        let id = event.id.clone();
        event::insert(sql, [event].iter())?;
        event::queue(sql, platform.now_ms(), &[(&self.endpoint, &id)])?;
        Ok(find(sql, &self.endpoint, &id)?.ok_or(WebhookRefusal::NotFound))
    }
}

/// A value as raw JSON.
pub fn to_raw(value: &serde_json::Value) -> Result<Box<RawValue>, PortError> {
    serde_json::value::to_raw_value(value).map_err(|error| PortError::json("event", &error))
}

/// An event that the webhook object makes itself, for endpoints of this mode.
pub fn own_event(
    platform: &impl Platform,
    mode: Mode,
    kind: EventType,
    data: Box<RawValue>,
) -> Result<NewEvent, PortError> {
    let mut unique = [0; 10];
    platform.random(&mut unique)?;
    Ok(NewEvent {
        id: id_of(platform.now_ms(), &unique),
        kind: kind.as_str().to_owned(),
        made_ms: platform.now_ms(),
        data,
        low_balance: None,
        test: mode.is_test(),
    })
}
