//! Takes messages from phones: a program that asks again and again gets each of them once.
//!
//! The mark is the number of the last message that was taken, of a line or of all lines. It moves in the transaction that reads the
//! messages, so no two programs take the same one. A message whose answer is lost stays in the list of those that were taken.

use serde::{Deserialize, Serialize};

use super::MAX_CHARS;
use super::list::{COLUMNS, InboundView, is_taken, view};
use crate::account::request::{Outcome, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// Characters of texts that one call takes, about: the first message goes whatever its size.
const CHARS_A_CALL: usize = 200_000;

/// Takes the oldest messages that were not taken before.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeInbound {
    /// Only those to this line.
    pub line: Option<String>,
    /// How many at most.
    pub limit: u32,
}

impl Request for TakeInbound {
    const NAME: &'static str = "TakeInbound";
    const WAKES: Wakes = Wakes::Never;
    /// The messages, oldest first.
    type Reply = Vec<InboundView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> Outcome<Vec<InboundView>> {
        let mark = self.line.as_deref().unwrap_or_default();
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
        let mut taken = rows.iter().map(view).collect::<Result<Vec<_>, PortError>>()?;
        taken.truncate(fitting(&taken));
        if let Some(last) = taken.last() {
            sql.exec(
                "INSERT INTO inbound_mark (line, taken) VALUES (?1, ?2) ON CONFLICT (line) DO UPDATE SET taken = excluded.taken",
                &[mark.into(), last.id.into()],
            )?;
        }
        Ok(Ok(taken))
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
