//! The account is closed: all that the object has goes, and nothing is delivered any more.

use serde::{Deserialize, Serialize};

use super::request::{ReplyResult, WebhookRequest};
use super::{event, low_balance};
use crate::base::ports::{Platform, Sql};

/// Rows that one go forgets of each table.
const A_GO: i64 = 2_000;

/// Forgets some of what the object has. What waits is never delivered.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetAll;

impl WebhookRequest for ForgetAll {
    /// Whether more may be left.
    fn answer(&self, _: &impl Platform, sql: &impl Sql, account: &str) -> ReplyResult<bool> {
        let ended = sql.exec(
            "UPDATE endpoint SET deleted = 1, active = 0, secrets = '[]' WHERE deleted = 0 RETURNING 1",
            &[],
        )?;
        if !ended.is_empty() {
            low_balance::note_change(sql, account)?;
        }
        let mut most = 0;
        for statement in [
            "DELETE FROM callback WHERE id IN (SELECT id FROM callback LIMIT ?1) RETURNING 1",
            "DELETE FROM delivery WHERE (endpoint, event) IN (SELECT endpoint, event FROM delivery LIMIT ?1) RETURNING 1",
            "DELETE FROM revoked_key WHERE id IN (SELECT id FROM revoked_key LIMIT ?1) RETURNING 1",
        ] {
            most = sql.exec(statement, &[A_GO.into()])?.len().max(most);
        }
        let events = sql.exec(
            "DELETE FROM event WHERE id IN (SELECT id FROM event LIMIT ?1) RETURNING id, test",
            &[A_GO.into()],
        )?;
        if !events.is_empty() {
            event::count(sql, &events, -1)?;
        }
        if i64::try_from(most.max(events.len())).is_ok_and(|count| count >= A_GO) {
            return Ok(Ok(true));
        }
        for statement in [
            "DELETE FROM endpoint_way",
            "DELETE FROM endpoint",
            "UPDATE webhook SET low_balance = NULL",
        ] {
            sql.exec(statement, &[])?;
        }
        Ok(Ok(false))
    }
}
