//! Forgetting: the log keeps deliveries for 30 days, and of these the newest. What waits is kept for 30 days too.

use super::event;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};

/// How long the log keeps an event, ms.
pub const KEPT_MS: i64 = 30 * 24 * HOUR_MS;
/// The most events that the log keeps. Older ones that do not wait for an endpoint are forgotten sooner.
pub const MAX_LOGGED: i64 = 100_000;
/// As [`MAX_LOGGED`], of the events of test messages. Of these, also those go that wait for an endpoint.
pub const MAX_TEST_LOGGED: i64 = 2_000;
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
        let mut has_more = forget_endpoints(sql)?;
        for (mode, max) in [(Mode::Live, max_logged), (Mode::Test, MAX_TEST_LOGGED)] {
            let log = Log {
                mode,
                oldest: oldest_id(now_ms),
                first_kept: first_kept(sql, mode, max)?,
            };
            has_more |= forget_deliveries(sql, &log)?;
            has_more |= forget_events(sql, &log)?;
        }
        let wait_ms = if has_more { 0 } else { HOUR_MS };
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
    sql.exec(
        "DELETE FROM endpoint_way WHERE endpoint IN (SELECT id FROM endpoint WHERE deleted = 1)",
        &[],
    )?;
    sql.exec("DELETE FROM endpoint WHERE deleted = 1", &[])?;
    Ok(false)
}

/// Ids sort by time, so those before this one are too old.
fn oldest_id(now_ms: i64) -> String {
    format!("evt_{:012x}", now_ms.saturating_sub(KEPT_MS))
}

/// The log of the endpoints of one mode.
struct Log {
    mode: Mode,
    /// Events with ids before this one are too old.
    oldest: String,
    /// Before this id there are more events than the log keeps.
    first_kept: String,
}

fn first_kept(sql: &impl Sql, mode: Mode, max_logged: i64) -> Result<String, PortError> {
    let (count, nth) = match mode {
        Mode::Live => (
            "SELECT events FROM webhook",
            "SELECT id FROM event WHERE test = 0 ORDER BY id LIMIT 1 OFFSET ?1",
        ),
        Mode::Test => (
            "SELECT test_events FROM webhook",
            "SELECT id FROM event WHERE test = 1 ORDER BY id LIMIT 1 OFFSET ?1",
        ),
    };
    let surplus = sql.number(count, &[])?.unwrap_or(0).saturating_sub(max_logged);
    if surplus <= 0 {
        return Ok(String::new());
    }
    let rows = sql.exec(nth, &[surplus.into()])?;
    rows.first().map_or(Ok(String::new()), |row| row.text(0))
}

fn forget_deliveries(sql: &impl Sql, log: &Log) -> Result<bool, PortError> {
    let gone = sql.exec(
        "DELETE FROM delivery WHERE (endpoint, event) IN (SELECT d.endpoint, d.event FROM endpoint p \
           CROSS JOIN delivery d ON d.endpoint = p.id \
           WHERE p.test = ?4 AND (d.event < ?1 OR (d.event < ?2 AND (d.state <> 0 OR p.test = 1))) LIMIT ?3) RETURNING 1",
        &[
            log.oldest.as_str().into(),
            log.first_kept.as_str().into(),
            A_GO.into(),
            log.mode.is_test().into(),
        ],
    )?;
    Ok(is_full(gone.len()))
}

/// Forgets old events that no delivery needs.
fn forget_events(sql: &impl Sql, log: &Log) -> Result<bool, PortError> {
    let before = log.oldest.as_str().max(&log.first_kept);
    let gone = sql.exec(
        "DELETE FROM event WHERE id IN (SELECT id FROM event e WHERE id < ?1 AND test = ?3 AND NOT EXISTS ( \
           SELECT 1 FROM endpoint p CROSS JOIN delivery d ON d.endpoint = p.id AND d.event = e.id) \
           ORDER BY id LIMIT ?2) RETURNING id, test",
        &[before.into(), A_GO.into(), log.mode.is_test().into()],
    )?;
    if !gone.is_empty() {
        event::count(sql, &gone, -1)?;
    }
    Ok(is_full(gone.len()))
}
