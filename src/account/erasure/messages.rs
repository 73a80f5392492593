//! Erases a number from the messages that were sent to it.

use std::collections::BTreeSet;

use super::Found;
use crate::account::chunk::ChunkId;
use crate::account::chunk::transitions::Transitions;
use crate::account::message::sources;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::durable::to_json;
use crate::sms::mask::ERASED;

/// Messages of one go.
const MESSAGES_A_GO: i64 = 50;

/// Erases the number from some messages behind `after`. Returns the last that it has looked at; `None`: it has looked at all.
/// A message whose recipient a carrier may be about to get stays as it is.
pub fn erase(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    msisdn: u64,
    after: i64,
    found: &mut Found,
) -> Result<Option<i64>, PortError> {
    let number = i64::try_from(msisdn).unwrap_or(i64::MAX);
    if after == 0 {
        forget_blocked(sql, number)?;
    }
    let messages = messages_to(sql, number, after)?;
    let Some(last) = messages.last() else {
        return Ok(None);
    };
    let ids = chunks_with(sql, number, &messages)?;
    let mut transitions = Transitions::load(sql, &ids)?;
    let mut erased = Vec::new();
    for id in &ids {
        if let Some(index) = transitions.erase(sql, work, *id, msisdn)? {
            erased.push((id.0, index));
        }
    }
    found.recipients += i64::try_from(erased.len()).unwrap_or(i64::MAX);
    found.canceled += transitions.moved();
    transitions.save(sql)?;
    forget(sql, number, &erased)?;
    Ok(Some(*last))
}

/// Whether messages to the number are left.
pub fn is_left(sql: &impl Sql, msisdn: u64) -> Result<bool, PortError> {
    Ok(!messages_to(sql, i64::try_from(msisdn).unwrap_or(i64::MAX), 0)?.is_empty())
}

fn messages_to(sql: &impl Sql, number: i64, after: i64) -> Result<Vec<i64>, PortError> {
    let rows = sql.exec(
        "SELECT message FROM message_to WHERE msisdn = ?1 AND message > ?2 ORDER BY message LIMIT ?3",
        &[number.into(), after.into(), MESSAGES_A_GO.into()],
    )?;
    rows.iter().map(|row| row.int(0)).collect()
}

/// The chunks of messages that have the number.
fn chunks_with(sql: &impl Sql, number: i64, messages: &[i64]) -> Result<Vec<ChunkId>, PortError> {
    let rows = sql.exec(
        "SELECT c.message, c.number FROM json_each(?1) p CROSS JOIN chunk c ON c.message = p.value \
         WHERE instr(c.recipients, ?2) > 0",
        &[to_json(&messages)?.into(), format!(",{number},").into()],
    )?;
    rows.iter().map(|row: &Row| Ok((row.int(0)?, row.u32(1)?))).collect()
}

/// Forgets what else messages have of these recipients: the number itself, texts that only one recipient got, and what the request
/// came with.
fn forget(sql: &impl Sql, number: i64, erased: &[(i64, u32)]) -> Result<(), PortError> {
    let messages: BTreeSet<i64> = erased.iter().map(|(message, _)| *message).collect();
    let recipients: Value = to_json(&erased)?.into();
    let ids: Value = to_json(&messages)?.into();
    sql.exec(
        "DELETE FROM number WHERE msisdn = ?1 AND message IN (SELECT value FROM json_each(?2))",
        &[number.into(), ids.clone()],
    )?;
    sql.exec(
        "UPDATE chunk SET msisdn = NULL, key = NULL, key_hash = NULL, text = iif(total = 1, ?2, text), \
           redacted = iif(total = 1, NULL, redacted), sealed = NULL, callback = NULL \
         WHERE number = 0 AND message IN (SELECT value FROM json_each(?1))",
        &[ids.clone(), ERASED.into()],
    )?;
    sql.exec(
        "UPDATE recipient_text SET text = json_object('text', ?2) \
         WHERE (message, idx) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))",
        &[recipients, ERASED.into()],
    )?;
    sql.exec(
        "UPDATE verification SET msisdn = 0, address = NULL, client_ref = NULL, seed = NULL, \
           status = iif(status = 0, 4, status), ended_ms = coalesce(ended_ms, expires_ms) \
         WHERE number IN (SELECT value FROM json_each(?1))",
        std::slice::from_ref(&ids),
    )?;
    sources::forget_ended(sql, ids)
}

/// Forgets the number in verifications that have no message, because they were blocked.
fn forget_blocked(sql: &impl Sql, number: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE verification SET msisdn = 0, address = NULL, client_ref = NULL WHERE status = 5 AND msisdn = ?1",
        &[number.into()],
    )
    .map(drop)
}
