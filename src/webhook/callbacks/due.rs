//! Which callbacks are due. All receivers that have some are found by steps through an index, one for each receiver, so a receiver
//! with thousands costs no more than one with one.

use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// So many receivers are looked at together. If an account has more, they take turns.
const RECEIVERS_A_LOOK: usize = 1_000;

/// The receivers that have callbacks, behind the name `?1`.
macro_rules! receivers {
    () => {
        "WITH RECURSIVE receivers (name) AS (SELECT min(receiver) FROM callback WHERE receiver > ?1 UNION ALL \
           SELECT (SELECT min(receiver) FROM callback WHERE receiver > name) FROM receivers WHERE name IS NOT NULL) "
    };
}

/// A callback that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueCallback {
    /// Who is to get it.
    pub receiver: String,
    /// Its id.
    pub id: String,
    /// The id of its message.
    pub message: String,
    /// The callback, JSON.
    pub data: String,
    /// How many attempts have failed.
    pub failures: u32,
}

/// When the first callback is due, ms since the Unix epoch. It may be under way.
pub fn stored_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number(
        concat!(
            receivers!(),
            "SELECT min((SELECT min(due_ms) FROM callback WHERE receiver = name)) FROM receivers WHERE name IS NOT NULL"
        ),
        &["".into()],
    )
}

/// Receivers with callbacks that are due: those whose turn comes behind `last`, then the others.
pub fn ready_receivers(sql: &impl Sql, now_ms: i64, last: &str) -> Result<Vec<String>, PortError> {
    let mut ready = behind(sql, now_ms, last)?;
    if ready.len() < RECEIVERS_A_LOOK && !last.is_empty() {
        let first = behind(sql, now_ms, "")?;
        ready.extend(first.into_iter().filter(|receiver| receiver.as_str() <= last));
    }
    Ok(ready)
}

fn behind(sql: &impl Sql, now_ms: i64, last: &str) -> Result<Vec<String>, PortError> {
    let rows = sql.exec(
        concat!(
            receivers!(),
            "SELECT name FROM receivers WHERE (SELECT min(due_ms) FROM callback WHERE receiver = name) <= ?2 LIMIT ?3"
        ),
        &[
            last.into(),
            now_ms.into(),
            i64::try_from(RECEIVERS_A_LOOK).unwrap_or(i64::MAX).into(),
        ],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// The callback of a receiver that is due first and not under way. Those of one message are attempted one after the other.
pub fn first_due(
    sql: &impl Sql,
    now_ms: i64,
    receiver: &str,
    under_way: &[String],
) -> Result<Option<DueCallback>, PortError> {
    let rows = sql.exec(
        "SELECT id, message, data, failures FROM callback WHERE receiver = ?1 AND due_ms <= ?2 AND message NOT IN \
           (SELECT message FROM json_each(?3) p CROSS JOIN callback c ON c.id = p.value) ORDER BY due_ms, id LIMIT 1",
        &[receiver.into(), now_ms.into(), to_json(&under_way)?.into()],
    )?;
    let due = rows.first().map(|row| {
        Ok(DueCallback {
            receiver: receiver.to_owned(),
            id: row.text(0)?,
            message: row.text(1)?,
            data: row.text(2)?,
            failures: row.u32(3)?,
        })
    });
    due.transpose()
}
