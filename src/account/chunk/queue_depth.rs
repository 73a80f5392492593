//! How many recipients wait to be handed over, and for how long the oldest has. The directory is told of it, because an account's
//! object alone knows what waits in it while a carrier is down.
//!
//! Nothing is written for it in a send: the rows that wait are added up, seldom and only while some wait. A chunk counts that is
//! ready, or that is claimed and whose carrier's object has not answered yet. What is scheduled for later does not wait, and
//! neither does anything of an account on hold.

use crate::account::record::chunk::queue::Way;
use crate::account::record::chunk::{LEASE_MS, is_ready, is_waiting, state_code};
use crate::account::record::message::priority::Priority;
use crate::base::ports::{PortError, Row, Sql};

/// What has waited for a shorter time does not count, ms: most of it leaves by itself.
pub const LEAST_MS: i64 = 10_000;
/// Chunks that are added up in one go, at most. Beyond, the sums are less than what waits.
const MAX_CHUNKS: i64 = 20_000;
/// Sums at most: those of the ways on which something has waited longest.
const MAX_WAYS: i64 = 200;

/// What waits for the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WayDepth {
    /// How urgent it is. A priority that only another version knows is none.
    pub priority: Option<Priority>,
    /// The queue, or `@` and the object of a carrier that has it.
    pub queue: String,
    /// The line that it is sent from.
    pub line: String,
    /// How many recipients wait.
    pub recipients: i64,
    /// Since when the oldest does, ms since the Unix epoch.
    pub oldest_ms: i64,
}

impl WayDepth {
    fn of(row: &Row) -> Result<Self, PortError> {
        let (class, queue, route, recipients, oldest_ms): (_, _, String, _, _) = row.reader().read()?;
        let line = match Way::of(&route) {
            Way::Route(line, ..) => line,
            Way::Object(_) => "",
        };
        Ok(WayDepth {
            priority: Priority::from_code(class),
            queue,
            line: line.to_owned(),
            recipients,
            oldest_ms,
        })
    }

    /// The way that it waits for.
    pub fn way(&self) -> Way<'_> {
        Way::of(&self.queue)
    }
}

/// Adds up what has waited for [`LEAST_MS`] or longer.
pub fn sums(sql: &impl Sql, now_ms: i64) -> Result<Vec<WayDepth>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT class, queue, route, sum(queued), min(ready_ms) AS oldest_ms FROM ( \
               SELECT * FROM (SELECT class, queue, route, queued, ready_ms FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            " AND ready_ms <= ?1 LIMIT ?3) \
               UNION ALL SELECT class, '@' || object, route, queued, ready_ms FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            " AND state = ",
            state_code!(Claimed),
            " AND due_ms <= ?2 AND ready_ms <= ?1 AND queued > 0) \
             WHERE NOT (SELECT on_hold FROM account WHERE one = 1) GROUP BY 1, 2, 3 ORDER BY oldest_ms LIMIT ?4"
        ),
        &[
            now_ms.saturating_sub(LEAST_MS).into(),
            now_ms.saturating_add(LEASE_MS).into(),
            MAX_CHUNKS.into(),
            MAX_WAYS.into(),
        ],
    )?;
    rows.iter().map(WayDepth::of).collect()
}

/// When the directory was told last that something waits, ms since the Unix epoch; 0: it has nothing.
pub fn told_ms(sql: &impl Sql) -> Result<i64, PortError> {
    Ok(sql.number("SELECT waiting_told_ms FROM upkeep", &[])?.unwrap_or(0))
}

/// Notes when the directory is told. This stands before it is, so that an object that begins anew takes back what nobody else would.
pub fn note_told(sql: &impl Sql, told_ms: i64) -> Result<(), PortError> {
    sql.exec("UPDATE upkeep SET waiting_told_ms = ?1", &[told_ms.into()])
        .map(drop)
}
