//! Pruning of API keys that have ended.
//!
//! A revoked key whose record is still in KV is refused only because the object knows that it was revoked. So the record goes
//! from KV first, and the object forgets the key weeks later, when no cache can hold the record any more.

use crate::object::to_json;
use crate::ports::{PortError, Sql};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How long after its end a key's record is erased from KV, ms. The revocation has tried to do so at once.
const ERASED_AFTER_MS: i64 = DAY_MS;
/// How long a key is listed after its record was erased, ms.
const LISTED_AFTER_MS: i64 = 29 * DAY_MS;
/// Keys in one go.
const A_GO: i64 = 100;

/// When a key ended or is to end, ms; NULL if it has no end.
const END_MS: &str = "min(coalesce(revoked_ms, expires_ms), coalesce(expires_ms, revoked_ms))";

/// `(id, digest)` of keys that ended, and whose records are to be erased from KV.
pub fn to_erase(sql: &impl Sql, now_ms: i64) -> Result<Vec<(String, String)>, PortError> {
    let query = format!("SELECT id, digest FROM api_key WHERE erased_ms IS NULL AND {END_MS} <= ?1 LIMIT ?2");
    let latest_ms = now_ms.saturating_sub(ERASED_AFTER_MS);
    let rows = sql.exec(&query, &[latest_ms.into(), A_GO.into()])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?))).collect()
}

/// Notes that the records of these keys are not in KV.
pub fn note_erased(sql: &impl Sql, now_ms: i64, ids: &[&str]) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET erased_ms = ?2 WHERE id IN (SELECT value FROM json_each(?1))",
        &[to_json(&ids)?.into(), now_ms.into()],
    )
    .map(drop)
}

/// Forgets keys whose records were erased long ago.
pub fn forget(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    let latest_ms = now_ms.saturating_sub(LISTED_AFTER_MS);
    sql.exec("DELETE FROM api_key WHERE erased_ms <= ?1", &[latest_ms.into()])
        .map(drop)
}

/// When the next key is to be erased or forgotten. An account has few keys, so the walk through all of them is short.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let query = format!("SELECT min(coalesce(erased_ms + ?1, {END_MS} + ?2)) FROM api_key");
    let rows = sql.exec(&query, &[LISTED_AFTER_MS.into(), ERASED_AFTER_MS.into()])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
