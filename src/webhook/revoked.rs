//! The keys whose work was undone. A request that the account's object has admitted before its key was revoked may come to this
//! object afterwards: what it would make or change here is refused.

use super::request::WebhookRefusal;
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;
use crate::durable::to_json;

/// How long a key is remembered, ms: as long as the account's object lists it. So there are no more than an account may have, and
/// no request is under way that long.
const REMEMBERED_MS: i64 = 30 * DAY_MS;

/// Remembers keys: a JSON list of their ids. Forgets those that nobody uses any more.
pub fn remember(sql: &impl Sql, keys: &str, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM revoked_key WHERE at_ms <= ?1",
        &[now_ms.saturating_sub(REMEMBERED_MS).into()],
    )?;
    sql.exec(
        "INSERT OR REPLACE INTO revoked_key (id, at_ms) SELECT value, ?2 FROM json_each(?1)",
        &[keys.into(), now_ms.into()],
    )
    .map(drop)
}

/// Why a request by this key, or by a session that comes from these keys, is refused, if it is.
pub fn refusal(sql: &impl Sql, key: &str, ways: &[String]) -> Result<Option<WebhookRefusal>, PortError> {
    let rows = sql.exec(
        "SELECT 1 FROM revoked_key WHERE id = ?1 OR id IN (SELECT value FROM json_each(?2))",
        &[key.into(), to_json(&ways)?.into()],
    )?;
    Ok((!rows.is_empty()).then_some(WebhookRefusal::KeyRevoked))
}
