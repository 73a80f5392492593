//! Erases a number from the messages that were sent to it.

use std::collections::BTreeSet;

use sms::mask::ERASED;

use super::found::{Found, WithCarriers};
use crate::account::chunk::transitions::Transitions;
use crate::account::record::chunk::{ChunkId, state_code};
use crate::account::sources;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::durable::to_json;

/// Messages of one go.
const MESSAGES_A_GO: i64 = 50;
/// Messages, the newest first, in which an order looks at once for what has not left.
const LOOKED_AT_ONCE: i64 = 1_000;

/// Erases the number from those of the newest messages that have not left. What carriers have of them is added to `with_carriers`.
pub fn erase_unsent(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    msisdn: u64,
    found: &mut Found,
    with_carriers: &mut WithCarriers,
) -> Result<(), PortError> {
    let number = i64::try_from(msisdn).unwrap_or(i64::MAX);
    let rows = sql.exec(
        "SELECT DISTINCT c.message FROM ( \
           SELECT message FROM message_to WHERE msisdn = ?1 ORDER BY message DESC LIMIT ?2) p \
         CROSS JOIN chunk c ON c.message = p.message WHERE c.queued > 0 AND instr(c.recipients, ?3) > 0",
        &[number.into(), LOOKED_AT_ONCE.into(), in_document(number).into()],
    )?;
    let messages = rows.iter().map(|row| row.int(0)).collect::<Result<Vec<_>, _>>()?;
    erase_from(sql, work, (msisdn, &messages), found, with_carriers)
}

/// Erases the number from some messages behind `after`. Returns the last that it has looked at; `None`: it has looked at all.
/// What carriers have of them is added to `with_carriers`.
pub fn erase(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    msisdn: u64,
    after: i64,
    found: &mut Found,
    with_carriers: &mut WithCarriers,
) -> Result<Option<i64>, PortError> {
    let number = i64::try_from(msisdn).unwrap_or(i64::MAX);
    if after == 0 {
        forget_blocked(sql, number)?;
    }
    let messages = messages_to(sql, number, after)?;
    let Some(last) = messages.last() else {
        return Ok(None);
    };
    erase_from(sql, work, (msisdn, &messages), found, with_carriers)?;
    Ok(Some(*last))
}

/// Erases the number from messages.
fn erase_from(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    (msisdn, messages): (u64, &[i64]),
    found: &mut Found,
    with_carriers: &mut WithCarriers,
) -> Result<(), PortError> {
    if messages.is_empty() {
        return Ok(());
    }
    let number = i64::try_from(msisdn).unwrap_or(i64::MAX);
    let mut ids = Vec::new();
    for (id, object) in chunks_with(sql, number, messages)? {
        ids.push(id);
        if let Some(object) = object {
            with_carriers.by_object.entry(object).or_default().push(id);
        }
    }
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
    forget(sql, number, &erased)
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

/// The number as it stands among the recipients of a chunk.
fn in_document(number: i64) -> String {
    format!(",{number},")
}

/// The chunks of messages that have the number, each with the carrier's object that has recipients of it, or may have them.
fn chunks_with(sql: &impl Sql, number: i64, messages: &[i64]) -> Result<Vec<(ChunkId, Option<String>)>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT c.message, c.number, iif(c.queued > 0 AND (c.state = ",
            state_code!(Claimed),
            " OR c.doubt_ms IS NOT NULL), c.object, NULL) FROM json_each(?1) p CROSS JOIN chunk c ON c.message = p.value \
             WHERE instr(c.recipients, ?2) > 0"
        ),
        &[to_json(&messages)?.into(), in_document(number).into()],
    )?;
    let chunk = |row: &Row| Ok(((row.int(0)?, row.u32(1)?), row.opt_text(2)?));
    rows.iter().map(chunk).collect()
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
        "UPDATE chunk SET key = NULL, key_hash = NULL, text = iif(msisdn = ?3, ?2, text), \
           redacted = iif(msisdn = ?3, NULL, redacted), sealed = iif(msisdn = ?3, NULL, sealed), \
           callback = iif(msisdn = ?3, NULL, callback), msisdn = nullif(msisdn, ?3) \
         WHERE number = 0 AND message IN (SELECT value FROM json_each(?1))",
        &[ids.clone(), ERASED.into(), number.into()],
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
