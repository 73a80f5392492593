//! Forgetting: the log keeps deliveries for 30 days, and of these the newest. What waits is kept for 30 days too.

use crate::base::ports::{PortError, Sql};

/// How long the log keeps an event, ms.
pub const KEPT_MS: i64 = 30 * 24 * HOUR_MS;
/// The most events that the log keeps. Older ones that do not wait for an endpoint are forgotten sooner.
pub const MAX_LOGGED: i64 = 100_000;
/// How long a walk that has forgotten all that is old waits before the next one, ms.
const HOUR_MS: i64 = 60 * 60 * 1_000;
/// Rows that one go forgets of each table.
const A_GO: i64 = 2_000;

/// When the object forgets next: as soon as an endpoint was deleted, and each hour while there is a log.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM endpoint WHERE deleted = 1) THEN 0 \
           WHEN EXISTS (SELECT 1 FROM event) THEN sweep_ms END FROM webhook",
        &[],
    )
}

/// Forgets what is old, at most so many rows.
pub fn forget_old(sql: &impl Sql, now_ms: i64, max_logged: i64) -> Result<(), PortError> {
    sql.transaction(|| {
        let has_more = [
            forget_endpoints(sql)?,
            forget_deliveries(sql, now_ms, max_logged)?,
            forget_events(sql, now_ms, max_logged)?,
        ];
        let wait_ms = if has_more.contains(&true) { 0 } else { HOUR_MS };
        sql.exec(
            "UPDATE webhook SET sweep_ms = ?1",
            &[now_ms.saturating_add(wait_ms).into()],
        )
        .map(drop)
    })
}

fn is_full(rows: usize) -> bool {
    i64::try_from(rows).unwrap_or(i64::MAX) >= A_GO
}

/// Forgets deliveries of deleted endpoints, and then the endpoints.
fn forget_endpoints(sql: &impl Sql) -> Result<bool, PortError> {
    let gone = sql.exec(
        "DELETE FROM delivery WHERE (endpoint, event) IN (SELECT d.endpoint, d.event FROM endpoint p \
           CROSS JOIN delivery d ON d.endpoint = p.id WHERE p.deleted = 1 LIMIT ?1) RETURNING 1",
        &[A_GO.into()],
    )?;
    if is_full(gone.len()) {
        return Ok(true);
    }
    sql.exec("DELETE FROM endpoint WHERE deleted = 1", &[])?;
    Ok(false)
}

/// Ids sort by time, so those before this one are too old.
fn oldest_id(now_ms: i64) -> String {
    format!("evt_{:012x}", now_ms.saturating_sub(KEPT_MS))
}

/// The id before which there are more events than the log keeps.
fn first_kept(sql: &impl Sql, max_logged: i64) -> Result<String, PortError> {
    let surplus = sql
        .number("SELECT events FROM webhook", &[])?
        .unwrap_or(0)
        .saturating_sub(max_logged);
    if surplus <= 0 {
        return Ok(String::new());
    }
    let rows = sql.exec("SELECT id FROM event ORDER BY id LIMIT 1 OFFSET ?1", &[surplus.into()])?;
    rows.first().map_or(Ok(String::new()), |row| row.text(0))
}

fn forget_deliveries(sql: &impl Sql, now_ms: i64, max_logged: i64) -> Result<bool, PortError> {
    let gone = sql.exec(
        "DELETE FROM delivery WHERE (endpoint, event) IN (SELECT d.endpoint, d.event FROM endpoint p \
           CROSS JOIN delivery d ON d.endpoint = p.id \
           WHERE d.event < ?1 OR (d.event < ?2 AND d.state <> 0) LIMIT ?3) RETURNING 1",
        &[
            oldest_id(now_ms).into(),
            first_kept(sql, max_logged)?.into(),
            A_GO.into(),
        ],
    )?;
    Ok(is_full(gone.len()))
}

/// Forgets old events that no delivery needs.
fn forget_events(sql: &impl Sql, now_ms: i64, max_logged: i64) -> Result<bool, PortError> {
    let before = oldest_id(now_ms).max(first_kept(sql, max_logged)?);
    let gone = sql.exec(
        "DELETE FROM event WHERE id IN (SELECT id FROM event e WHERE id < ?1 AND NOT EXISTS ( \
           SELECT 1 FROM endpoint p CROSS JOIN delivery d ON d.endpoint = p.id AND d.event = e.id) \
           ORDER BY id LIMIT ?2) RETURNING 1",
        &[before.into(), A_GO.into()],
    )?;
    if !gone.is_empty() {
        let count = i64::try_from(gone.len()).unwrap_or(i64::MAX);
        sql.exec("UPDATE webhook SET events = events - ?1", &[count.into()])?;
    }
    Ok(is_full(gone.len()))
}
