//! The endpoints of an account: where its programs listen, to what, and the secrets that sign what they get.
//!
//! A secret is answered when it is made, and never again. It is stored sealed.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::request::{ReplyResult, WebhookRefusal, WebhookRequest};
use super::secrets::{self, Owner};
use super::{callbacks, low_balance, revoked};
use crate::account::record::event_type::EventType;
use crate::auth::Mode;
use crate::base::ports::{Platform, PortError, Row, Sql};
use crate::base::{id, named::named, time};
use crate::durable::{audit::Subject, to_json};

/// The most endpoints of an account.
pub const MAX_ENDPOINTS: i64 = 10;

named! {
    /// Why the service has disabled an endpoint.
    pub enum DisabledReason {
        /// The receiver answered 410.
        Gone => "GONE",
        /// All attempts have failed for days.
        Failing => "FAILING",
        /// It comes from a key that was thrown out with what it had made.
        KeyRevoked => "KEY_REVOKED",
    }
}

/// An endpoint, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Its id.
    pub id: String,
    /// The mode of the keys that see it. It gets the events of messages of this mode.
    pub mode: Mode,
    /// The address, in its canonical form.
    pub url: String,
    /// The types of events that it gets.
    pub events: Vec<String>,
    /// The balance below which it gets `wallet.low`; `None`: that of the account.
    pub low_balance: Option<i64>,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it gets anything.
    #[serde(default)]
    pub active: bool,
    /// Why the service has disabled it.
    pub disabled_reason: Option<String>,
    /// When it was made.
    pub created_ms: i64,
    /// The id of the key that has made it.
    pub created_by: Option<String>,
    /// Since when all attempts have failed, ms since the Unix epoch.
    #[serde(default)]
    pub failing_ms: Option<i64>,
}

const COLUMNS: &str =
    "id, url, events, low_balance, description, active, disabled_reason, created_ms, test, created_by, failing_ms";

impl Endpoint {
    fn of(row: &Row) -> Result<Self, PortError> {
        let mut row = row.reader();
        Ok(Endpoint {
            id: row.read()?,
            url: row.read()?,
            events: row.read()?,
            low_balance: row.read()?,
            description: row.read()?,
            active: row.read()?,
            disabled_reason: row.read()?,
            created_ms: row.read()?,
            mode: Mode::of(row.read::<bool>()?),
            created_by: row.read()?,
            failing_ms: row.read()?,
        })
    }

    /// Whether the endpoint asks for this type of event.
    pub fn asks_for(&self, kind: &str) -> bool {
        self.events.iter().any(|asked| asked == kind)
    }

    /// Whether it has all that it needs. `of_account` is the account's threshold.
    fn is_complete(&self, of_account: Option<i64>) -> bool {
        self.low_balance.or(of_account).is_some() || !self.asks_for(EventType::WalletLow.as_str())
    }
}

/// The endpoint with this id, if it is one of this mode. A key of the other mode does not see it.
pub fn find(sql: &impl Sql, mode: Mode, id: &str) -> Result<Option<Endpoint>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM endpoint WHERE id = ?1 AND deleted = 0 AND test = ?2");
    let rows = sql.exec(&query, &[id.into(), mode.is_test().into()])?;
    rows.first().map(Endpoint::of).transpose()
}

/// What the audit log shows of an endpoint. Of its secrets, it shows only when the one before the newest ends: a new secret
/// changes that.
fn shown(sql: &impl Sql, mode: Mode, id: &str) -> Result<Subject, PortError> {
    let Some(endpoint) = find(sql, mode, id)? else {
        return Ok(Subject::named(id, None));
    };
    let old_ends_ms = secrets::ends_ms(&sealed_secrets(sql, id)?)?;
    let state = json!({
        "url": endpoint.url,
        "events": endpoint.events,
        "lowBalance": endpoint.low_balance,
        "description": endpoint.description,
        "active": endpoint.active,
        "oldSecretsEnd": old_ends_ms.into_iter().map(time::to_rfc3339).collect::<Vec<_>>(),
    });
    Ok(Subject::named(id, Some(state)))
}

/// The endpoints that get something.
pub fn active(sql: &impl Sql) -> Result<Vec<Endpoint>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM endpoint WHERE active = 1 AND deleted = 0");
    sql.exec(&query, &[])?.iter().map(Endpoint::of).collect()
}

/// The column `secrets` of an endpoint.
fn sealed_secrets(sql: &impl Sql, id: &str) -> Result<String, PortError> {
    let rows = sql.exec("SELECT secrets FROM endpoint WHERE id = ?1", &[id.into()])?;
    rows.first().map_or(Ok("[]".to_owned()), |row| row.text(0))
}

/// An endpoint with its newest secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithSecret {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The secret.
    pub secret: String,
}

/// Makes an endpoint.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateEndpoint {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// The address, checked and in its canonical form.
    pub url: String,
    /// The types of events.
    pub events: Vec<String>,
    /// The balance below which it gets `wallet.low`.
    pub low_balance: Option<i64>,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it gets anything from the beginning.
    pub active: bool,
    /// The types of events that the key of the request may not read. An endpoint that would get one is not made.
    #[serde(default)]
    pub unreadable: Vec<String>,
    /// The id of the key of the request.
    pub by: String,
    /// The keys that its session comes from, if a link or a passkey has opened it.
    #[serde(default)]
    pub ways: Vec<String>,
}

impl WebhookRequest for CreateEndpoint {
    fn audited(&self, _: &impl Sql) -> Result<Option<Subject>, PortError> {
        Ok(Some(Subject::default()))
    }

    fn audited_after(&self, sql: &impl Sql, made: &Self::Reply) -> Result<Option<Subject>, PortError> {
        let made = made.as_ref().ok();
        made.map(|made| shown(sql, self.mode, &made.endpoint.id)).transpose()
    }

    fn answer(&self, platform: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<WithSecret> {
        let refusal = revoked::refusal(sql, &self.by, &self.ways)?;
        if let Some(refusal) = refusal.or_else(|| unreadable(&self.events, &self.unreadable)) {
            return Ok(Err(refusal));
        }
        let of_mode = &[self.mode.is_test().into()];
        let count = sql.number("SELECT count(*) FROM endpoint WHERE deleted = 0 AND test = ?1", of_mode)?;
        if count >= Some(MAX_ENDPOINTS) {
            return Ok(Err(WebhookRefusal::TooManyEndpoints));
        }
        let endpoint = Endpoint {
            id: id::new(platform)?,
            mode: self.mode,
            url: self.url.clone(),
            events: self.events.clone(),
            low_balance: self.low_balance,
            description: self.description.clone(),
            active: self.active,
            disabled_reason: None,
            created_ms: platform.now_ms(),
            created_by: Some(self.by.clone()),
            failing_ms: None,
        };
        if !endpoint.is_complete(low_balance::threshold(sql)?) {
            return Ok(Err(WebhookRefusal::NoLowBalance));
        }
        let owner = Owner {
            account,
            endpoint: &endpoint.id,
        };
        let (secret, sealed) = secrets::with_new(platform, owner, "[]")?;
        sql.exec(
            "INSERT INTO endpoint (id, url, events, low_balance, description, active, created_ms, secrets, held_ms, deleted, test, \
               created_by, url_by, events_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, ?9, ?10, ?10, ?10)",
            &[
                endpoint.id.as_str().into(),
                endpoint.url.as_str().into(),
                to_json(&endpoint.events)?.into(),
                endpoint.low_balance.into(),
                endpoint.description.clone().into(),
                endpoint.active.into(),
                endpoint.created_ms.into(),
                sealed.into(),
                self.mode.is_test().into(),
                self.by.as_str().into(),
            ],
        )?;
        note_ways(sql, &endpoint.id, &self.ways)?;
        low_balance::note_change(sql, account)?;
        Ok(Ok(WithSecret { endpoint, secret }))
    }
}

/// Notes what a session comes from that has made an endpoint, or has changed where it leads or what it tells.
fn note_ways(sql: &impl Sql, endpoint: &str, ways: &[String]) -> Result<(), PortError> {
    if ways.is_empty() {
        return Ok(());
    }
    sql.exec(
        "INSERT OR IGNORE INTO endpoint_way (endpoint, key) SELECT ?1, value FROM json_each(?2)",
        &[endpoint.into(), to_json(&ways)?.into()],
    )
    .map(drop)
}

/// The refusal of an endpoint that would get events which the key of the request may not read.
fn unreadable(events: &[String], unreadable: &[String]) -> Option<WebhookRefusal> {
    let kind = events.iter().find(|kind| unreadable.contains(kind))?;
    Some(WebhookRefusal::UnreadableEvent(kind.clone()))
}

/// Asks for a page of the endpoints, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListEndpoints {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// How many to answer.
    pub limit: u32,
    /// The id of the endpoint behind which the page begins.
    pub after: Option<String>,
}

impl WebhookRequest for ListEndpoints {
    fn answer(&self, _: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<Vec<Endpoint>> {
        let query = format!(
            "SELECT {COLUMNS} FROM endpoint WHERE (?1 IS NULL OR id < ?1) AND deleted = 0 AND test = ?3 ORDER BY id DESC LIMIT ?2"
        );
        let rows = sql.exec(
            &query,
            &[self.after.clone().into(), self.limit.into(), self.mode.is_test().into()],
        )?;
        rows.iter().map(Endpoint::of).collect::<Result<_, _>>().map(Ok)
    }
}

/// Asks for an endpoint.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetEndpoint {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// Its id.
    pub id: String,
}

impl WebhookRequest for GetEndpoint {
    fn answer(&self, _: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<Endpoint> {
        Ok(find(sql, self.mode, &self.id)?.ok_or(WebhookRefusal::NotFound))
    }
}

/// Changes an endpoint; what is `None` stays.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeEndpoint {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// Its id.
    pub id: String,
    /// The address, checked and in its canonical form.
    pub url: Option<String>,
    /// The types of events.
    pub events: Option<Vec<String>>,
    /// The balance below which it gets `wallet.low`.
    pub low_balance: Option<i64>,
    /// What it is for. An empty text takes the description away.
    pub description: Option<String>,
    /// Whether it gets anything.
    pub active: Option<bool>,
    /// The types of events that the key of the request may not read. An endpoint that gets one stays as it is.
    #[serde(default)]
    pub unreadable: Vec<String>,
    /// The id of the key of the request.
    pub by: String,
    /// The keys that its session comes from, if a link or a passkey has opened it.
    #[serde(default)]
    pub ways: Vec<String>,
}

impl WebhookRequest for ChangeEndpoint {
    fn audited(&self, sql: &impl Sql) -> Result<Option<Subject>, PortError> {
        shown(sql, self.mode, &self.id).map(Some)
    }

    fn answer(&self, _: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<Endpoint> {
        if let Some(refusal) = revoked::refusal(sql, &self.by, &self.ways)? {
            return Ok(Err(refusal));
        }
        let before = find(sql, self.mode, &self.id)?;
        let events = self.events.as_ref().or(before.as_ref().map(|before| &before.events));
        if let Some(refusal) = events.and_then(|events| unreadable(events, &self.unreadable)) {
            return Ok(Err(refusal));
        }
        let Some(before) = before else {
            return Ok(Err(WebhookRefusal::NotFound));
        };
        let active = self.active.unwrap_or(before.active);
        let url = self.url.clone().unwrap_or(before.url.clone());
        // Another address has not failed yet, and an endpoint that is switched on again begins anew.
        let begins_anew = url != before.url || (active && !before.active);
        let description = self.description.clone().or(before.description.clone());
        let after = Endpoint {
            url,
            events: self.events.clone().unwrap_or(before.events.clone()),
            low_balance: self.low_balance.or(before.low_balance),
            description: description.filter(|text| !text.is_empty()),
            active,
            disabled_reason: before.disabled_reason.clone().filter(|_| !active),
            failing_ms: before.failing_ms.filter(|_| !begins_anew),
            ..before.clone()
        };
        if !after.is_complete(low_balance::threshold(sql)?) {
            return Ok(Err(WebhookRefusal::NoLowBalance));
        }
        sql.exec(
            "UPDATE endpoint SET url = ?2, events = ?3, low_balance = ?4, description = ?5, active = ?6, \
               disabled_reason = ?7, failing_ms = ?10, \
               held_ms = CASE WHEN ?8 = 1 THEN 0 ELSE held_ms END, \
               url_by = CASE WHEN url IS ?2 THEN url_by ELSE ?9 END, \
               events_by = CASE WHEN events IS ?3 THEN events_by ELSE ?9 END WHERE id = ?1",
            &[
                after.id.as_str().into(),
                after.url.as_str().into(),
                to_json(&after.events)?.into(),
                after.low_balance.into(),
                after.description.clone().into(),
                after.active.into(),
                after.disabled_reason.clone().into(),
                begins_anew.into(),
                self.by.as_str().into(),
                after.failing_ms.into(),
            ],
        )?;
        if after.url != before.url || after.events != before.events {
            note_ways(sql, &after.id, &self.ways)?;
        }
        low_balance::note_change(sql, account)?;
        Ok(Ok(after))
    }
}

/// Deletes an endpoint. What waits for it is never delivered.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteEndpoint {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// Its id.
    pub id: String,
}

impl WebhookRequest for DeleteEndpoint {
    fn audited(&self, sql: &impl Sql) -> Result<Option<Subject>, PortError> {
        shown(sql, self.mode, &self.id).map(Some)
    }

    fn answer(&self, _: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<()> {
        let deleted = sql.exec(
            "UPDATE endpoint SET deleted = 1, active = 0, secrets = '[]' WHERE id = ?1 AND deleted = 0 AND test = ?2 RETURNING 1",
            &[self.id.as_str().into(), self.mode.is_test().into()],
        )?;
        if deleted.is_empty() {
            return Ok(Err(WebhookRefusal::NotFound));
        }
        low_balance::note_change(sql, account)?;
        Ok(Ok(()))
    }
}

/// Gives an endpoint a new secret. The one before signs too for a day.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateSecret {
    /// The mode of the key of the request.
    pub mode: Mode,
    /// The endpoint's id.
    pub id: String,
    /// The id of the key of the request.
    pub by: String,
    /// The keys that its session comes from, if a link or a passkey has opened it.
    #[serde(default)]
    pub ways: Vec<String>,
}

impl WebhookRequest for RotateSecret {
    fn audited(&self, sql: &impl Sql) -> Result<Option<Subject>, PortError> {
        shown(sql, self.mode, &self.id).map(Some)
    }

    fn answer(&self, platform: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<WithSecret> {
        if let Some(refusal) = revoked::refusal(sql, &self.by, &self.ways)? {
            return Ok(Err(refusal));
        }
        let Some(endpoint) = find(sql, self.mode, &self.id)? else {
            return Ok(Err(WebhookRefusal::NotFound));
        };
        let owner = Owner {
            account,
            endpoint: &self.id,
        };
        let (secret, sealed) = secrets::with_new(platform, owner, &sealed_secrets(sql, &self.id)?)?;
        write_secrets(sql, &self.id, sealed)?;
        Ok(Ok(WithSecret { endpoint, secret }))
    }
}

fn write_secrets(sql: &impl Sql, id: &str, sealed: String) -> Result<(), PortError> {
    let update = "UPDATE endpoint SET secrets = ?2 WHERE id = ?1";
    sql.exec(update, &[id.into(), sealed.into()]).map(drop)
}

/// Seals the secrets of all endpoints, and the keys of callbacks that wait, by the newest key.
#[derive(Debug, Serialize, Deserialize)]
pub struct SealAnew;

impl WebhookRequest for SealAnew {
    fn answer(&self, platform: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<()> {
        for row in sql.exec("SELECT id, secrets FROM endpoint WHERE deleted = 0", &[])? {
            let (endpoint, sealed) = (&row.text(0)?, row.text(1)?);
            let renewed = secrets::renew(platform, Owner { account, endpoint }, &sealed)?;
            write_secrets(sql, endpoint, renewed)?;
        }
        callbacks::seal_anew(platform, sql, account)?;
        Ok(Ok(()))
    }
}

/// Disables an endpoint, unless it has another address by now. Gives its mode if this has disabled it.
pub fn disable(
    sql: &impl Sql,
    account: &str,
    id: &str,
    url: &str,
    reason: DisabledReason,
) -> Result<Option<Mode>, PortError> {
    let disabled = sql.exec(
        "UPDATE endpoint SET active = 0, disabled_reason = ?3 WHERE id = ?1 AND url = ?2 AND active = 1 RETURNING test",
        &[id.into(), url.into(), reason.as_str().into()],
    )?;
    if !disabled.is_empty() {
        low_balance::note_change(sql, account)?;
    }
    disabled.first().map(|row| row.bool(0).map(Mode::of)).transpose()
}
