//! What has not left yet: how many recipients wait, for what, and on which lines they have waited for long.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::chunk::queue_depth::{self, WayDepth};
use super::request::{ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::account::record::chunk::{is_ready, is_waiting, state_code};
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};

/// Chunks that one answer adds up, at most.
const MAX_CHUNKS: i64 = 20_000;

/// Asks what has not left yet.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetUnsent {
    /// The mode of the messages; `None`: all messages.
    pub mode: Option<Mode>,
}

/// What has not left yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsent {
    /// All recipients that have not left.
    pub recipients: i64,
    /// Those of them whose time has not come.
    #[serde(default)]
    pub scheduled: i64,
    /// Those of them that a carrier's object has at the moment, or may have.
    #[serde(default)]
    pub with_carriers: i64,
    /// Whether there are more than one answer adds up.
    #[serde(default)]
    pub has_more: bool,
    /// Whether the account is on hold.
    #[serde(default)]
    pub on_hold: bool,
    /// Why, in an operator's words.
    #[serde(default)]
    pub reason: Option<String>,
    /// The lines on which live recipients wait longer than they should.
    #[serde(default)]
    pub lines: Vec<LateLine>,
}

/// A line on which recipients wait longer than they should.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateLine {
    /// The line's number.
    pub line: String,
    /// How many wait.
    pub recipients: i64,
    /// Since when the oldest does, ms since the Unix epoch.
    pub oldest_ms: i64,
}

impl Request for GetUnsent {
    const NAME: &'static str = "GetUnsent";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Unsent;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Unsent> {
        let mut unsent = counted(sql, self.mode)?;
        unsent.on_hold = work.account.on_hold;
        unsent.reason = work.account.reason.clone();
        if self.mode != Some(Mode::Test) {
            unsent.lines = late_lines(queue_depth::sums(sql, work.now_ms)?);
        }
        Ok(unsent)
    }
}

fn counted(sql: &impl Sql, mode: Option<Mode>) -> Result<Unsent, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT coalesce(sum(queued), 0), coalesce(sum(iif(state = ",
            state_code!(Scheduled),
            ", queued, 0)), 0), coalesce(sum(iif(is_out, queued, 0)), 0), count(*) FROM ( \
               SELECT message, state, queued, doubt_ms IS NOT NULL AS is_out FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            " UNION ALL \
               SELECT message, state, queued, state IN (",
            state_code!(Claimed),
            ", ",
            state_code!(InDoubt),
            ") FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            " AND state <> ",
            state_code!(Awaiting),
            " LIMIT ?1) c \
             WHERE ?2 IS NULL OR (SELECT test FROM chunk m WHERE m.message = c.message AND m.number = 0) = ?2"
        ),
        &[(MAX_CHUNKS + 1).into(), mode.map(Mode::is_test).into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(Unsent::default());
    };
    Ok(Unsent {
        recipients: row.int(0)?,
        scheduled: row.int(1)?,
        with_carriers: row.int(2)?,
        has_more: row.int(3)? > MAX_CHUNKS,
        ..Unsent::default()
    })
}

/// The sums by line. What only one object of a carrier may get has no line, and stands in the counts alone.
fn late_lines(sums: Vec<WayDepth>) -> Vec<LateLine> {
    let mut lines: BTreeMap<String, LateLine> = BTreeMap::new();
    for sum in sums.into_iter().filter(|sum| !sum.line.is_empty()) {
        let late = lines.entry(sum.line.clone()).or_insert(LateLine {
            line: sum.line,
            recipients: 0,
            oldest_ms: sum.oldest_ms,
        });
        late.recipients = late.recipients.saturating_add(sum.recipients);
        late.oldest_ms = late.oldest_ms.min(sum.oldest_ms);
    }
    lines.into_values().collect()
}
