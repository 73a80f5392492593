//! Pruning of API keys that have ended. The object refuses a key that it does not know, so it may forget an ended one. The
//! record goes from KV first, and a member from the directory, so that nothing is left that nobody will look at again.

use super::{MAX_ENDED, makers, passkeys};
use crate::base::ports::{PortError, Row, Sql};
use crate::durable::to_json;

/// How long an ended key is listed, ms: 30 days. An ended session is not: there are many of them, and the audit log has them.
const LISTED_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// Keys in one go.
const A_GO: i64 = 100;

/// When a key is to be forgotten, ms, if an ended one is listed for `?1` ms; NULL if it has no end.
const DUE_MS: &str =
    "min(coalesce(revoked_ms, expires_ms), coalesce(expires_ms, revoked_ms)) + iif(session_of IS NULL, ?1, 0)";

/// The revoked keys of an account that others push out, because only `?2` stay listed. One stays whose caps bound a key that counts; and
/// those of operators do, so that the object learns none of them anew.
const SURPLUS: &str = "SELECT id FROM api_key \
   WHERE revoked_ms IS NOT NULL AND session_of IS NULL AND scopes NOT LIKE 'admin%' \
     AND (rate_per_minute IS NULL AND daily_spend IS NULL OR id NOT IN ( \
       SELECT maker FROM key_maker JOIN api_key k ON k.id = key WHERE k.revoked_ms IS NULL)) \
   ORDER BY revoked_ms DESC, id DESC LIMIT -1 OFFSET ?2";

/// A key that has ended.
#[derive(Debug)]
pub struct Old {
    /// Its id.
    pub id: String,
    /// Hex SHA-256 of the key.
    pub digest: String,
    /// The number of the person. `None`: it is no member.
    pub phone: Option<u64>,
}

/// Keys that ended long ago, or before many others.
pub fn old(sql: &impl Sql, now_ms: i64) -> Result<Vec<Old>, PortError> {
    let query = format!(
        "SELECT id, digest, iif(session_of IS NULL, phone, NULL) FROM api_key WHERE {DUE_MS} <= ?3 OR id IN ({SURPLUS}) LIMIT ?4"
    );
    let rows = sql.exec(
        &query,
        &[LISTED_MS.into(), (MAX_ENDED / 2).into(), now_ms.into(), A_GO.into()],
    )?;
    rows.iter().map(read).collect()
}

/// Some of the keys that are revoked, however lately.
pub fn revoked(sql: &impl Sql) -> Result<Vec<Old>, PortError> {
    let rows = sql.exec(
        "SELECT id, digest, iif(session_of IS NULL, phone, NULL) FROM api_key WHERE revoked_ms IS NOT NULL LIMIT ?1",
        &[A_GO.into()],
    )?;
    rows.iter().map(read).collect()
}

/// Revokes all keys, sessions and members that are not.
pub fn revoke_all(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET revoked_ms = ?1 WHERE revoked_ms IS NULL",
        &[now_ms.into()],
    )
    .map(drop)
}

fn read(row: &Row) -> Result<Old, PortError> {
    Ok(Old {
        id: row.text(0)?,
        digest: row.text(1)?,
        phone: row.opt_int(2)?.and_then(|phone| u64::try_from(phone).ok()),
    })
}

/// Forgets keys whose records are not in KV.
pub fn forget(sql: &impl Sql, ids: &[&str]) -> Result<(), PortError> {
    let ids = to_json(&ids)?;
    makers::forget(sql, &ids)?;
    passkeys::forget(sql, "member IN (SELECT value FROM json_each(?1))", &ids)?;
    sql.exec(
        "DELETE FROM api_key WHERE id IN (SELECT value FROM json_each(?1))",
        &[ids.into()],
    )
    .map(drop)
}

/// When the next key is to be forgotten. An account has few keys, so the walk through all of them is short.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let query = format!(
        "SELECT iif((SELECT count(*) FROM api_key WHERE revoked_ms IS NOT NULL) > ?2 AND EXISTS ({SURPLUS}), 0, \
                    (SELECT min({DUE_MS}) FROM api_key))"
    );
    let rows = sql.exec(&query, &[LISTED_MS.into(), (MAX_ENDED / 2).into()])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
