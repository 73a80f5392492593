//! Switching off what revoked keys have left here.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::endpoint::DisabledReason;
use super::request::{ReplyResult, WebhookRequest};
use super::{low_balance, revoked};
use crate::base::ports::{Platform, PortError, Row, Sql};
use crate::durable::{audit::Subject, to_json};

/// The endpoints that come from keys, `?1`, a JSON list of their ids: one of them has made the endpoint, or was the last to change
/// where it leads or what it tells, or a session that comes from one of them has.
macro_rules! from_keys {
    () => {
        "deleted = 0 AND (created_by IN (SELECT value FROM json_each(?1)) \
           OR url_by IN (SELECT value FROM json_each(?1)) OR events_by IN (SELECT value FROM json_each(?1)) \
           OR id IN (SELECT endpoint FROM endpoint_way WHERE key IN (SELECT value FROM json_each(?1))))"
    };
}

/// Switches off the endpoints that come from these keys, and refuses from now on what calls of these keys would make or change.
/// Doing it again changes nothing, and has the same answer.
#[derive(Debug, Serialize, Deserialize)]
pub struct SwitchOff {
    /// The ids of the keys. All are revoked.
    pub keys: Vec<String>,
}

/// An endpoint that is switched off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchedOff {
    /// Its id.
    pub id: String,
    /// Where it leads.
    pub url: String,
}

impl WebhookRequest for SwitchOff {
    fn audited(&self, sql: &impl Sql) -> Result<Option<Subject>, PortError> {
        let rows = sql.exec(
            concat!(
                "SELECT id, url, active FROM endpoint WHERE ",
                from_keys!(),
                " ORDER BY id"
            ),
            &[to_json(&self.keys)?.into()],
        )?;
        let shown = |row: &Row| Ok(json!({"id": row.text(0)?, "url": row.text(1)?, "active": row.bool(2)?}));
        let webhooks: Vec<Value> = rows.iter().map(shown).collect::<Result<_, PortError>>()?;
        Ok(Some(Subject::of(Some(json!({"webhooks": webhooks})))))
    }

    fn answer(&self, platform: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<Vec<SwitchedOff>> {
        let keys = to_json(&self.keys)?;
        revoked::remember(sql, &keys, platform.now_ms())?;
        let changed = sql.exec(
            concat!(
                "UPDATE endpoint SET active = 0, disabled_reason = ?2 WHERE ",
                from_keys!(),
                " AND (active = 1 OR disabled_reason IS NOT ?2) RETURNING 1"
            ),
            &[keys.as_str().into(), DisabledReason::KeyRevoked.as_str().into()],
        )?;
        if !changed.is_empty() {
            low_balance::note_change(sql, account)?;
        }
        let rows = sql.exec(
            concat!("SELECT id, url FROM endpoint WHERE ", from_keys!(), " ORDER BY id"),
            &[keys.into()],
        )?;
        let read = |row: &Row| {
            Ok(SwitchedOff {
                id: row.text(0)?,
                url: row.text(1)?,
            })
        };
        rows.iter().map(read).collect::<Result<_, _>>().map(Ok)
    }
}
