//! Takes messages from phones: a program that asks again and again gets each of them once.
//!
//! The mark is the number of the last message that was taken, of a line or of all lines. It moves in the transaction that reads the
//! messages, so no two programs take the same one. A message whose answer is lost stays in the list of those that were taken.
//!
//! A program may take each second, so the audit log has who takes once an hour, or when somebody else does.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::MAX_CHARS;
use super::list::{COLUMNS, InboundView, is_taken};
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql};
use crate::base::record::Columns;
use crate::base::time;
use crate::durable::audit::Subject;

/// Characters of texts that one call takes, about: the first message goes whatever its size.
const CHARS_A_CALL: usize = 200_000;
const HOUR_MS: i64 = 60 * 60 * 1_000;

/// Takes the oldest messages that were not taken before.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeInbound {
    /// Only those to this line.
    pub line: Option<String>,
    /// How many at most.
    pub limit: u32,
    /// The key that takes them.
    pub by: String,
}

impl TakeInbound {
    /// The name of the mark.
    fn mark(&self) -> &str {
        self.line.as_deref().unwrap_or_default()
    }
}

impl Request for TakeInbound {
    const NAME: &'static str = "TakeInbound";
    const WAKES: Wakes = Wakes::Never;
    /// Nobody's messages wait because of the log: an hour has few entries.
    const ENTRY: Entry = Entry::Bounded;
    /// The messages, oldest first.
    type Reply = Vec<InboundView>;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let rows = sql.exec(
            "SELECT taker, hour, first FROM inbound_mark WHERE line = ?1",
            &[self.mark().into()],
        )?;
        let state = |row: &Row| -> Result<_, PortError> {
            let hour = time::to_rfc3339(row.int(1)?.saturating_mul(HOUR_MS));
            Ok(json!({"takenBy": row.text(0)?, "hour": hour, "first": row.int(2)?}))
        };
        let state = rows.first().map(state).transpose()?;
        Ok(Some(match &self.line {
            Some(line) => Subject::named(line, state),
            None => Subject::of(state),
        }))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<InboundView>> {
        let mark = self.mark();
        let rows = sql.exec(
            &format!(
                concat!(
                    "SELECT {} FROM inbound \
                     WHERE id > coalesce((SELECT taken FROM inbound_mark WHERE line = ?2), 0) AND (?2 = '' OR line = ?2) \
                       AND NOT ",
                    is_taken!(),
                    " ORDER BY id LIMIT ?3"
                ),
                COLUMNS
            ),
            &[MAX_CHARS.into(), mark.into(), self.limit.into()],
        )?;
        let mut taken = rows
            .iter()
            .map(InboundView::of)
            .collect::<Result<Vec<_>, PortError>>()?;
        taken.truncate(fitting(&taken));
        taken.iter_mut().for_each(|message| message.taken = true);
        if let (Some(first), Some(last)) = (taken.first(), taken.last()) {
            sql.exec(
                "INSERT INTO inbound_mark (line, taken, taker, hour, first) VALUES (?1, ?2, ?3, ?4, ?5) \
                 ON CONFLICT (line) DO UPDATE SET taken = excluded.taken, taker = excluded.taker, hour = excluded.hour, \
                   first = iif(taker = excluded.taker AND hour = excluded.hour, first, excluded.first)",
                &[
                    mark.into(),
                    last.id.into(),
                    self.by.as_str().into(),
                    work.now_ms.div_euclid(HOUR_MS).into(),
                    first.id.into(),
                ],
            )?;
        }
        Ok(taken)
    }
}

/// How many of these messages one answer has room for.
fn fitting(messages: &[InboundView]) -> usize {
    let lengths = messages.iter().scan(0_usize, |chars, message| {
        *chars = chars.saturating_add(message.text.chars().count());
        Some(*chars)
    });
    lengths.take_while(|chars| *chars <= CHARS_A_CALL).count().max(1)
}
