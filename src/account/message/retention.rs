//! Retention: the object forgets messages some time after they were to be sent, with their recipients, own texts and chunks.
//! The ledger stays, and so does the usage of each day.
//!
//! A message that has not ended stays, however old it is. Messages are numbered in the order of their times, so a walk begins
//! at the oldest and ends at the first that is too young. Test messages go sooner and have a walk of their own.

use super::{list, test_messages};
use crate::account::record::account_row::Account;
use crate::account::record::campaign_row;
use crate::account::record::chunk::is_over;
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;
use crate::durable::to_json;

/// How long test messages are kept, ms, unless live ones are kept for less.
pub const TEST_KEPT_MS: i64 = 7 * DAY_MS;
/// A walk that has come to its end begins again after this time, ms.
const REST_MS: i64 = DAY_MS;
/// Messages that one go looks at, at most.
const MESSAGES_A_GO: usize = 500;
/// Recipients that one go forgets, about: the last message of a go is forgotten whole.
const RECIPIENTS_A_GO: i64 = 2_000;

/// Live messages and test messages are walked separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Walk {
    Live,
    Test,
}

/// The beginning of a walk's query: messages with all that decides about them.
macro_rules! walked {
    () => {
        concat!(
            "SELECT id, test, coalesce(send_at_ms, created_ms), total, \
               EXISTS (SELECT 1 FROM chunk c WHERE c.message = message.id AND NOT ",
            is_over!("c."),
            "), created_ms FROM message "
        )
    };
}

impl Walk {
    /// The next messages behind an id. Each walk has an index.
    fn query(self) -> &'static str {
        match self {
            Walk::Live => {
                concat!(walked!(), "WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3")
            }
            Walk::Test => {
                concat!(walked!(), "WHERE test = 1 AND id > ?1 AND id < ?2 ORDER BY id LIMIT ?3")
            }
        }
    }

    /// Notes how far the walk has come, and the newest day on which a message was accepted that it has forgotten. The walk of live
    /// messages forgets test messages too.
    fn note(self, sql: &impl Sql, after: i64, forgotten_day: i64) -> Result<(), PortError> {
        let statement = match self {
            Walk::Live => {
                "UPDATE upkeep SET live_walked = ?1, live_forgotten_day = max(live_forgotten_day, ?2), \
                           test_forgotten_day = max(test_forgotten_day, ?2)"
            }
            Walk::Test => "UPDATE upkeep SET test_walked = ?1, test_forgotten_day = max(test_forgotten_day, ?2)",
        };
        sql.exec(statement, &[after.into(), forgotten_day.into()]).map(drop)
    }
}

/// Forgets old messages, at most so many; `true` when more may be old. `kept_ms` is how long live messages are kept.
pub fn forget_old(sql: &impl Sql, now_ms: i64, kept_ms: i64) -> Result<bool, PortError> {
    sql.transaction(|| {
        let Some(account) = Account::stored(sql)? else {
            return Ok(false);
        };
        let rows = sql.exec("SELECT live_walked, test_walked FROM upkeep", &[])?;
        let row = rows.first().ok_or(PortError::failed("sql", "no row of upkeep"))?;
        let ages = Ages {
            live_ms: now_ms.saturating_sub(kept_ms),
            test_ms: now_ms.saturating_sub(kept_ms.min(TEST_KEPT_MS)),
            newest: account.message_seq,
        };
        let has_more = ages.go(sql, Walk::Live, row.int(0)?)? | ages.go(sql, Walk::Test, row.int(1)?)?;
        let due_ms = if has_more {
            now_ms
        } else {
            now_ms.saturating_add(REST_MS)
        };
        sql.exec("UPDATE upkeep SET forget_due_ms = ?1", &[due_ms.into()])?;
        Ok(has_more)
    })
}

/// When the object forgets messages next: there is nothing to forget before the oldest is a day old.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(
        "SELECT max(forget_due_ms, (SELECT created_ms FROM message ORDER BY id LIMIT 1) + ?1) FROM upkeep",
        &[DAY_MS.into()],
    )?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}

/// Messages that were to be sent at these times or before, ms since the Unix epoch, are old.
struct Ages {
    live_ms: i64,
    test_ms: i64,
    /// The newest message.
    newest: i64,
}

impl Ages {
    /// One go of a walk that has come as far as `after`; `true` when it has not come to its end.
    fn go(&self, sql: &impl Sql, walk: Walk, after: i64) -> Result<bool, PortError> {
        let accepted_ms = match walk {
            Walk::Live => self.live_ms,
            Walk::Test => self.test_ms,
        };
        let end = list::first_at(sql, accepted_ms.saturating_add(1), self.newest)?;
        let limit = i64::try_from(MESSAGES_A_GO).unwrap_or(i64::MAX);
        let rows = sql.exec(walk.query(), &[after.into(), end.into(), limit.into()])?;
        let (mut old, mut recipients, mut last, mut newest_ms) = (Vec::new(), 0, after, -DAY_MS);
        let mut is_over = rows.len() < MESSAGES_A_GO;
        for row in &rows {
            if recipients >= RECIPIENTS_A_GO {
                is_over = false;
                break;
            }
            let mut row = row.reader();
            let (message, is_test, sent_ms, count): (i64, bool, i64, i64) = row.read()?;
            let (is_open, accepted_ms): (bool, i64) = row.read()?;
            last = message;
            if !is_open && self.is_old(is_test, sent_ms) {
                old.push(last);
                recipients += count;
                newest_ms = accepted_ms.max(newest_ms);
            }
        }
        forget(sql, &old)?;
        walk.note(sql, if is_over { 0 } else { last }, newest_ms.div_euclid(DAY_MS))?;
        Ok(!is_over)
    }

    fn is_old(&self, is_test: bool, sent_ms: i64) -> bool {
        sent_ms <= if is_test { self.test_ms } else { self.live_ms }
    }
}

/// Forgets the oldest test messages while all of them take too much, at most so many; `true` when more are to go. The usage of the
/// days on which they were accepted can't be counted again.
pub fn forget_surplus(sql: &impl Sql) -> Result<bool, PortError> {
    sql.transaction(|| {
        let (oldest, has_more) = test_messages::surplus(sql)?;
        note_forgotten(sql, &oldest)?;
        forget(sql, &oldest)?;
        Ok(has_more)
    })
}

/// Forgets the oldest messages, whatever their age, at most so many; `true` when more may be left. The usage of the days on which they
/// were accepted can't be counted again.
pub fn forget_any(sql: &impl Sql) -> Result<bool, PortError> {
    sql.transaction(|| {
        let limit = i64::try_from(MESSAGES_A_GO).unwrap_or(i64::MAX);
        let rows = sql.exec(
            "SELECT id, created_ms / 86400000, total FROM message ORDER BY id LIMIT ?1",
            &[limit.into()],
        )?;
        let (mut oldest, mut recipients) = (Vec::new(), 0);
        let mut newest_day = -1;
        for row in &rows {
            if recipients >= RECIPIENTS_A_GO {
                break;
            }
            oldest.push(row.int(0)?);
            newest_day = row.int(1)?.max(newest_day);
            recipients += row.int(2)?;
        }
        sql.exec(
            "UPDATE upkeep SET live_forgotten_day = max(live_forgotten_day, ?1), test_forgotten_day = max(test_forgotten_day, ?1)",
            &[newest_day.into()],
        )?;
        forget(sql, &oldest)?;
        Ok(!oldest.is_empty())
    })
}

fn note_forgotten(sql: &impl Sql, messages: &[i64]) -> Result<(), PortError> {
    sql.exec(
        "UPDATE upkeep SET test_forgotten_day = max(test_forgotten_day, coalesce(( \
           SELECT max(m.created_ms) / 86400000 FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value), -1))",
        &[to_json(&messages)?.into()],
    )
    .map(drop)
}

fn forget(sql: &impl Sql, messages: &[i64]) -> Result<(), PortError> {
    if messages.is_empty() {
        return Ok(());
    }
    let messages = to_json(&messages)?;
    campaign_row::keep_sums(sql, &messages)?;
    for statement in [
        "DELETE FROM number WHERE (msisdn, message) IN (SELECT r.msisdn, r.message FROM json_each(?1) p \
           CROSS JOIN message m ON m.id = p.value AND (m.total > 1 OR m.skipped > 0) CROSS JOIN recipient r ON r.message = m.id)",
        "DELETE FROM recipient_text WHERE message IN (SELECT value FROM json_each(?1))",
        "DELETE FROM chunk WHERE message IN (SELECT value FROM json_each(?1))",
        "DELETE FROM verification WHERE number IN (SELECT value FROM json_each(?1))",
        // Those that were blocked have no message. The oldest stand at the front of the table.
        "DELETE FROM verification WHERE number IN (SELECT number FROM (SELECT number, status FROM verification \
           WHERE number <= (SELECT max(value) FROM json_each(?1)) ORDER BY number LIMIT 500) WHERE status = 5)",
    ] {
        sql.exec(statement, &[messages.as_str().into()])?;
    }
    test_messages::forget(sql, &messages)
}
