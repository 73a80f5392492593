//! Messages that wait for their time: what they were made of, and how they are taken back.

use super::CHUNK;
use super::batch::Batch;
use super::command::{Answer, Refusal, Send};
use super::decide::Outcome;
use super::read;
use super::status::{MessageStatus, RecipientStatus};
use super::store::Account;
use crate::ports::{PortError, Sql};

/// Scheduled messages named at most.
const USES: i64 = 10;

/// The scheduled messages that were made of something.
pub fn uses(sql: &impl Sql, name: &str) -> Outcome {
    let rows = sql.exec(
        "SELECT m.uid FROM use u JOIN message m ON m.id = u.message \
         WHERE u.name = ?1 AND m.status = ?2 ORDER BY m.id LIMIT ?3",
        &[name.into(), MessageStatus::Scheduled.as_str().into(), USES.into()],
    )?;
    let uids = rows.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?;
    Ok(Ok(Answer::Uses(uids)))
}

/// Notes what a scheduled message was made of.
pub fn insert_uses(sql: &impl Sql, id: i64, message: &Send) -> Result<(), PortError> {
    if message.send_at_ms.is_none() || message.uses.is_empty() {
        return Ok(());
    }
    let uses = serde_json::to_string(&message.uses).map_err(|error| PortError::failed("json", error))?;
    sql.exec(
        "INSERT OR IGNORE INTO use (name, message) SELECT value, ?1 FROM json_each(?2)",
        &[id.into(), uses.into()],
    )
    .map(drop)
}

/// What a message was made of matters only while it waits for its time.
pub fn forget_uses(sql: &impl Sql, message: i64) -> Result<(), PortError> {
    sql.exec("DELETE FROM use WHERE message = ?1", &[message.into()])
        .map(drop)
}

/// Takes back a message that waits for its time; once its time has come, it is too late.
pub fn cancel(sql: &impl Sql, now_ms: i64, account: &mut Account, uid: &str) -> Outcome {
    let rows = sql.exec("SELECT id, status, total FROM message WHERE uid = ?1", &[uid.into()])?;
    let Some(row) = rows.first() else {
        return Ok(Err(Refusal::NotFound));
    };
    let (id, status, total) = (row.int(0)?, row.text(1)?, row.u32(2)?);
    if status != MessageStatus::Scheduled.as_str() {
        return Ok(Err(Refusal::NotScheduled));
    }
    let chunk = usize::try_from(CHUNK).unwrap_or(usize::MAX);
    let places: Vec<(i64, u32)> = (0..total).step_by(chunk).map(|start| (id, start)).collect();
    let mut batch = Batch::load(sql, &places)?;
    let all = [(id, 0, total)];
    batch.advance(sql, now_ms, account, &all, RecipientStatus::Canceled)?;
    batch.save(sql)?;
    forget_uses(sql, id)?;
    read::message(sql, uid)
}
