//! Finds out whether a message would flood a recipient. What counts is what is stored: so the count is exact, and costs no row.

use std::collections::BTreeSet;

use crate::account::record::account_row::Account;
use crate::account::record::caps::RecipientLimit;
use crate::account::record::message::NewMessage;
use crate::account::record::message::status::RecipientStatus;
use crate::account::refusal::Refusal;
use crate::base::ports::{PortError, Row, Sql};
use crate::base::time::seconds_until;
use crate::durable::to_json;

/// So many of the newest messages to a recipient are looked at, of those alone to it and of the others.
const MOST_LOOKED_AT: u32 = 5_000;

/// The refusal of a message that would flood some of its recipients.
pub fn refusal(
    sql: &impl Sql,
    now_ms: i64,
    account: &Account,
    message: &NewMessage,
) -> Result<Option<Refusal>, PortError> {
    let RecipientLimit { limit, window_seconds } = account.recipient_limit;
    if limit == 0 || !message.counts_for_recipients() {
        return Ok(None);
    }
    let window_ms = i64::from(window_seconds).saturating_mul(1_000);
    let since_ms = now_ms.saturating_sub(window_ms);
    // Most recipients have got fewer messages of any kind than they may get of patterns.
    let many: Vec<u64> = numbers(reached(sql, &message.numbers()?, since_ms, limit, None)?);
    let flooded = reached(sql, &many.into_iter().collect(), since_ms, limit, Some(MOST_LOOKED_AT))?;
    let free_ms = flooded.iter().map(|(_, at_ms)| at_ms.saturating_add(window_ms)).max();
    Ok(free_ms.map(|free_ms| Refusal::RecipientLimit {
        retry_after_s: seconds_until(free_ms, now_ms),
        recipients: numbers(flooded),
    }))
}

fn numbers(reached: Vec<(u64, i64)>) -> Vec<u64> {
    reached.into_iter().map(|(number, _)| number).collect()
}

/// Those of the recipients who have got `limit` messages since a time, each with the time of the oldest of the newest so many.
/// With `patterns`, only messages of patterns count that left, among so many of the newest to a recipient.
fn reached(
    sql: &impl Sql,
    recipients: &BTreeSet<u64>,
    since_ms: i64,
    limit: u32,
    patterns: Option<u32>,
) -> Result<Vec<(u64, i64)>, PortError> {
    if recipients.is_empty() {
        return Ok(Vec::new());
    }
    // Each table gives its newest messages in the order of an index, however many there are.
    let rows = sql.exec(
        "SELECT msisdn, at_ms FROM (SELECT p.value msisdn, ( \
           SELECT created_ms FROM ( \
             SELECT * FROM (SELECT message, created_ms, has_pattern, test FROM chunk \
                            WHERE msisdn = p.value ORDER BY message DESC LIMIT ?3) \
             UNION ALL \
             SELECT * FROM (SELECT n.message, m.created_ms, m.has_pattern, m.test \
                            FROM number n CROSS JOIN chunk m ON m.message = n.message AND m.number = 0 \
                            WHERE n.msisdn = p.value AND NOT (coalesce(m.skipped, 0) > 0 AND EXISTS \
                              (SELECT 1 FROM recipient r WHERE r.message = n.message AND r.msisdn = n.msisdn AND r.status = ?6)) ORDER BY n.message DESC LIMIT ?3)) \
           WHERE created_ms > ?2 AND (?5 OR has_pattern = 1 AND test = 0) ORDER BY message DESC LIMIT 1 OFFSET ?4) at_ms \
         FROM json_each(?1) p) WHERE at_ms IS NOT NULL",
        &[
            to_json(recipients)?.into(),
            since_ms.into(),
            patterns.unwrap_or(limit).into(),
            limit.saturating_sub(1).into(),
            patterns.is_none().into(),
            RecipientStatus::Skipped.code().into(),
        ],
    )?;
    let read = |row: &Row| {
        let number = u64::try_from(row.int(0)?).unwrap_or_default();
        Ok((number, row.int(1)?))
    };
    rows.iter().map(read).collect()
}
