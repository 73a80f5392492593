//! Redaction: when a message has ended for a day, [`REDACTED`](sms::variable::REDACTED) stands in the place of the secret
//! values in its texts. The redacted text is made when the message is accepted, and waits beside the whole one, so it costs no
//! row.
//!
//! A walk goes through the messages in their order, an hour at a time, and looks at each once, when it is a day old. One that has
//! not ended for a day by then is looked at again later. The hash of the request goes together with the values, because it would
//! confirm a guess of them.

use super::list;
use crate::account::record::chunk::is_over;
use crate::account::record::message::recipient_text;
use crate::account::record::secrets::Secrets;
use crate::account::unit_of_work::{self, UnitOfWork};
use crate::base::ports::{PortError, Row, Sql};
use crate::base::time::DAY_MS;
use crate::durable::to_json;

const HOUR_MS: i64 = 60 * 60 * 1_000;
/// How old a message is when the walk comes to it, ms: most have then ended for a day.
const AGE_MS: i64 = DAY_MS + HOUR_MS;
/// Messages that one go looks at, at most.
const MESSAGES_A_GO: usize = 100;
/// Recipients of the messages of a go, about: the last message is taken whole.
const RECIPIENTS_A_GO: i64 = 2_000;
/// Numbers of messages that the walk goes through in one go.
const WALKED_A_GO: i64 = 2_000;

/// Redacts the secret values of messages that have ended for a day, at most so many; `true` when there may be more.
pub fn redact_old(sql: &impl Sql, now_ms: i64) -> Result<bool, PortError> {
    let done = unit_of_work::run(sql, now_ms, |work| {
        let is_more_late = look(sql, now_ms, &late(sql, now_ms)?)?;
        Ok(walk(sql, work)? | is_more_late)
    })?;
    Ok(done.unwrap_or(false))
}

/// When a message is to be looked at next. What is accepted in an hour is due together.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(
        "SELECT (SELECT min(due_ms) FROM late_redaction), secret_first, \
                (SELECT created_ms FROM message WHERE id >= secret_first ORDER BY id LIMIT 1) \
         FROM account WHERE one = 1",
        &[],
    )?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    // Messages that are forgotten keep the walk from nothing.
    let accepted_ms = row.opt_int(2)?.unwrap_or(0);
    let hour = accepted_ms.saturating_add(AGE_MS).div_euclid(HOUR_MS);
    let walk_ms = (row.int(1)? > 0).then_some(hour.saturating_add(1).saturating_mul(HOUR_MS));
    Ok([row.opt_int(0)?, walk_ms].into_iter().flatten().min())
}

/// Messages that the walk has passed and that are due again: their numbers, and how many recipients each has.
fn late(sql: &impl Sql, now_ms: i64) -> Result<Vec<(i64, i64)>, PortError> {
    let rows = sql.exec(
        "SELECT l.message, coalesce((SELECT total FROM message m WHERE m.id = l.message), 0) FROM late_redaction l \
         WHERE l.due_ms <= ?1 ORDER BY l.due_ms LIMIT ?2",
        &[now_ms.into(), limit().into()],
    )?;
    rows.iter().map(numbers).collect()
}

/// Goes on with the walk.
fn walk(sql: &impl Sql, work: &mut UnitOfWork) -> Result<bool, PortError> {
    let Secrets { first, last } = work.account.secrets;
    if first == 0 {
        return Ok(false);
    }
    let young_ms = work.now_ms.saturating_sub(AGE_MS).saturating_add(1);
    let end = list::first_at(sql, young_ms, work.account.message_seq)?.min(last.saturating_add(1));
    let to = end.min(first.saturating_add(WALKED_A_GO));
    if to <= first {
        return Ok(false);
    }
    let rows = sql.exec(
        "SELECT id, total FROM message WHERE id >= ?1 AND id < ?2 AND redacted IS NOT NULL ORDER BY id LIMIT ?3",
        &[first.into(), to.into(), limit().into()],
    )?;
    let found: Vec<(i64, i64)> = rows.iter().map(numbers).collect::<Result<_, _>>()?;
    let is_cut = look(sql, work.now_ms, &found)?;
    let next = if is_cut {
        bundle(&found)
            .last()
            .map_or(to, |(message, _)| message.saturating_add(1))
    } else {
        to
    };
    work.account.secrets.pass(next);
    Ok(next < end)
}

fn limit() -> i64 {
    i64::try_from(MESSAGES_A_GO).unwrap_or(i64::MAX)
}

fn numbers(row: &Row) -> Result<(i64, i64), PortError> {
    Ok((row.int(0)?, row.int(1)?))
}

/// As many of the messages as one go takes.
fn bundle(messages: &[(i64, i64)]) -> &[(i64, i64)] {
    let mut recipients = 0;
    let taken = messages.iter().take_while(|(_, count)| {
        let has_room = recipients < RECIPIENTS_A_GO;
        recipients += count;
        has_room
    });
    messages.get(..taken.count()).unwrap_or(messages)
}

/// Redacts those of the messages that have ended for a day, as many as one go takes, and notes when to look at the others again;
/// `true` when there may be more.
fn look(sql: &impl Sql, now_ms: i64, messages: &[(i64, i64)]) -> Result<bool, PortError> {
    let taken = bundle(messages);
    if taken.is_empty() {
        return Ok(false);
    }
    let ids: Vec<i64> = taken.iter().map(|(message, _)| *message).collect();
    let Sorted { ended, late } = sort(sql, now_ms, &ids)?;
    let statements = [
        (
            "DELETE FROM late_redaction WHERE message IN (SELECT value FROM json_each(?1))",
            to_json(&ids)?,
        ),
        (
            "INSERT INTO late_redaction (message, due_ms) SELECT value ->> 0, value ->> 1 FROM json_each(?1)",
            to_json(&late)?,
        ),
        (
            "UPDATE chunk SET text = redacted, redacted = NULL, key = NULL, key_hash = NULL \
             WHERE number = 0 AND redacted IS NOT NULL AND message IN (SELECT value FROM json_each(?1))",
            to_json(&ended)?,
        ),
    ];
    for (statement, list) in statements {
        sql.exec(statement, &[list.into()])?;
    }
    recipient_text::redact(sql, &to_json(&ended)?)?;
    Ok(taken.len() < messages.len() || messages.len() >= MESSAGES_A_GO)
}

/// Messages that were looked at.
#[derive(Default)]
struct Sorted {
    /// Those that have ended for a day.
    ended: Vec<i64>,
    /// The others, each with the time at which to look again.
    late: Vec<(i64, i64)>,
}

/// Sorts messages. One that is forgotten is neither.
fn sort(sql: &impl Sql, now_ms: i64, ids: &[i64]) -> Result<Sorted, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT m.id, coalesce(m.send_at_ms, 0), \
               EXISTS (SELECT 1 FROM chunk c WHERE c.message = m.id AND NOT ",
            is_over!("c."),
            "), (SELECT max(r.changed_ms) FROM recipient r WHERE r.message = m.id) \
             FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value"
        ),
        &[to_json(&ids)?.into()],
    )?;
    let mut sorted = Sorted::default();
    for row in &rows {
        let (id, is_open) = (row.int(0)?, row.bool(2)?);
        let due_ms = if is_open {
            row.int(1)?.saturating_add(DAY_MS).max(now_ms.saturating_add(HOUR_MS))
        } else {
            row.int(3)?.saturating_add(DAY_MS)
        };
        if due_ms <= now_ms {
            sorted.ended.push(id);
        } else {
            sorted.late.push((id, due_ms));
        }
    }
    Ok(sorted)
}
