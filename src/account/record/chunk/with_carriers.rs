//! What objects of carriers have at a moment of what has not left.

use serde::{Deserialize, Serialize};

use super::{LEASE_MS, is_ready, is_waiting, state_code};
use crate::base::ports::{PortError, Row, Sql};

/// What objects of carriers have of an account at a moment, and may hand on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithCarriers {
    /// The moment, by the clock of the account's object, ms since the Unix epoch.
    pub at_ms: i64,
    /// The objects.
    pub objects: Vec<String>,
    /// How many recipients they have.
    pub recipients: i64,
}

impl WithCarriers {
    /// What they have now of messages up to this one.
    pub fn through(sql: &impl Sql, now_ms: i64, through: i64) -> Result<WithCarriers, PortError> {
        // A claim is due when its lease ends; most of what waits is due later. The call of a chunk in doubt may still be on its way.
        let rows = sql.exec(
            concat!(
                "SELECT object, sum(queued) FROM ( \
                   SELECT object, queued, message FROM chunk INDEXED BY chunk_waiting WHERE ",
                is_waiting!(),
                " AND due_ms <= ?1 AND state = ",
                state_code!(Claimed),
                " UNION ALL SELECT object, queued, message FROM chunk INDEXED BY chunk_ready WHERE ",
                is_ready!(),
                " AND doubt_ms IS NOT NULL) WHERE message <= ?2 AND queued > 0 AND object IS NOT NULL GROUP BY object"
            ),
            &[now_ms.saturating_add(LEASE_MS).into(), through.into()],
        )?;
        WithCarriers::of(now_ms, &rows)
    }

    /// What they have now of a message.
    pub fn of_message(sql: &impl Sql, now_ms: i64, message: i64) -> Result<WithCarriers, PortError> {
        let rows = sql.exec(
            concat!(
                "SELECT object, sum(queued) FROM chunk WHERE message = ?1 AND queued > 0 AND object IS NOT NULL \
                   AND (state = ",
                state_code!(Claimed),
                " OR doubt_ms IS NOT NULL) GROUP BY object"
            ),
            &[message.into()],
        )?;
        WithCarriers::of(now_ms, &rows)
    }

    fn of(now_ms: i64, rows: &[Row]) -> Result<WithCarriers, PortError> {
        let mut found = WithCarriers {
            at_ms: now_ms,
            ..WithCarriers::default()
        };
        for row in rows {
            found.objects.push(row.text(0)?);
            found.recipients += row.int(1)?;
        }
        Ok(found)
    }
}
