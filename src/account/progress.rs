//! A message on its way: chunks are claimed, handed to a carrier, reported, and their recipients move to their endings.
//!
//! The invariant: a recipient is handed to a carrier at most once. A chunk can be claimed only at the attempt that its
//! queue message names, so a message that the queue delivers twice claims nothing the second time; and only queued
//! recipients are handed over, from where `batch` moves them on.

use std::collections::{BTreeMap, BTreeSet};

use super::CHUNK;
use super::batch::{Batch, ChunkState, Range, place_of, ranges, to_json};
use super::command::{Answer, ChunkRef, ChunkReport, DeliveryReport, Job, Own};
use super::decide::Outcome;
use super::status::RecipientStatus;
use super::store::Account;
use crate::ports::{PortError, Row, Sql};

/// How long a claim holds, ms.
pub const LEASE_MS: i64 = 30_000;
/// How long after its claim a chunk may be handed over, ms: what a slow consumer holds longer belongs to the next one.
/// The rest of the lease is for clocks that differ.
const HAND_OVER_MS: i64 = 20_000;
/// How often a chunk is tried before its remaining recipients are refused: about forty minutes.
pub const MAX_ATTEMPTS: u32 = 12;
const FIRST_BACKOFF_MS: i64 = 2_000;
const LONGEST_BACKOFF_MS: i64 = 600_000;

/// How long to wait after the `attempt`-th try failed for the moment, ms.
pub fn backoff_ms(attempt: u32) -> i64 {
    let doublings = attempt.saturating_sub(1).min(20);
    (FIRST_BACKOFF_MS << doublings).min(LONGEST_BACKOFF_MS)
}

/// Takes the chunks that are still to be had at the attempt named; the others are in other hands or done.
pub fn claim(sql: &impl Sql, now_ms: i64, chunks: &[ChunkRef]) -> Outcome {
    let asked: Vec<(i64, u32, u32)> = chunks
        .iter()
        .map(|chunk| (chunk.message, chunk.start, chunk.attempt))
        .collect();
    let asked = to_json(&asked)?;
    let rows = sql.exec(
        "SELECT m.id, c.start, c.attempt + 1, c.in_doubt, m.uid, m.carrier, m.line, m.text, \
                (SELECT json_group_array(json_array(idx, msisdn)) FROM recipient r \
                 WHERE r.message = m.id AND r.idx >= c.start AND r.idx < c.start + ?2 AND r.status = ?3), \
                m.kind IN ('PHONEBOOK', 'BULK') \
         FROM json_each(?1) p \
         JOIN chunk c ON c.message = p.value ->> 0 AND c.start = p.value ->> 1 AND c.attempt = p.value ->> 2 \
         JOIN message m ON m.id = c.message WHERE c.state = ?4 AND c.queued > 0",
        &[
            asked.as_str().into(),
            CHUNK.into(),
            RecipientStatus::Queued.code().into(),
            ChunkState::Ready.code().into(),
        ],
    )?;
    let hand_over_by_ms = now_ms.saturating_add(HAND_OVER_MS);
    let jobs = rows
        .iter()
        .map(|row| job(sql, row, hand_over_by_ms))
        .collect::<Result<Vec<Job>, _>>()?;
    sql.exec(
        "UPDATE chunk SET state = ?2, attempt = attempt + 1, due_ms = ?3 FROM json_each(?1) AS p \
         WHERE message = p.value ->> 0 AND start = p.value ->> 1 AND attempt = p.value ->> 2 \
           AND state = ?4 AND queued > 0",
        &[
            asked.into(),
            ChunkState::Claimed.code().into(),
            now_ms.saturating_add(LEASE_MS).into(),
            ChunkState::Ready.code().into(),
        ],
    )?;
    Ok(Ok(Answer::Claimed(jobs)))
}

fn job(sql: &impl Sql, row: &Row, hand_over_by_ms: i64) -> Result<Job, PortError> {
    let chunk = ChunkRef {
        message: row.int(0)?,
        start: row.u32(1)?,
        attempt: row.u32(2)?,
    };
    let recipients: Vec<(u32, u64)> =
        serde_json::from_str(&row.text(8)?).map_err(|error| PortError::failed("sql", error))?;
    Ok(Job {
        chunk,
        own: match row.bool(9)? {
            true => own_texts(sql, chunk.message, recipients.iter().map(|(index, _)| *index))?,
            false => BTreeMap::new(),
        },
        in_doubt: row.bool(3)?,
        uid: row.text(4)?,
        carrier: row.text(5)?,
        line: row.text(6)?,
        text: row.text(7)?,
        hand_over_by_ms,
        recipients,
    })
}

/// What the texts of these recipients have of their own, by index.
pub fn own_texts(
    sql: &impl Sql,
    message: i64,
    indexes: impl Iterator<Item = u32>,
) -> Result<BTreeMap<u32, Own>, PortError> {
    let rows = sql.exec(
        "SELECT idx, own FROM own WHERE message = ?1 AND idx IN (SELECT value FROM json_each(?2))",
        &[message.into(), to_json(&indexes.collect::<Vec<_>>())?.into()],
    )?;
    rows.iter()
        .map(|row| {
            let own = serde_json::from_str(&row.text(1)?).map_err(|error| PortError::failed("json", error))?;
            Ok((row.u32(0)?, own))
        })
        .collect()
}

/// Notes what a carrier said. A report of an attempt that is over (its lease ran out) can still tell that the carrier
/// has a recipient, which is true whoever says it, but nothing else: another attempt may be under way.
pub fn report(sql: &impl Sql, now_ms: i64, account: &mut Account, reports: &[ChunkReport]) -> Outcome {
    let places: Vec<(i64, u32)> = reports
        .iter()
        .map(|report| (report.chunk.message, report.chunk.start))
        .collect();
    let mut batch = Batch::load(sql, &places)?;
    let is_current = |report: &&ChunkReport| {
        let chunk = batch.chunks.get(&(report.chunk.message, report.chunk.start));
        chunk.is_some_and(|chunk| chunk.state == ChunkState::Claimed.code() && chunk.attempt == report.chunk.attempt)
    };
    let current: Vec<&ChunkReport> = reports.iter().filter(is_current).collect();
    let all = |reports: &[&ChunkReport], of: fn(&ChunkReport) -> &[u32]| -> Vec<Range> {
        reports
            .iter()
            .flat_map(|report| ranges(report.chunk.message, of(report)))
            .collect()
    };
    let submitted = all(&reports.iter().collect::<Vec<_>>(), |report| &report.submitted);
    batch.advance(sql, now_ms, account, &submitted, RecipientStatus::Submitted)?;
    let rejected = all(&current, |report| &report.rejected);
    batch.advance(sql, now_ms, account, &rejected, RecipientStatus::Rejected)?;
    let unknown = all(&current, |report| &report.unknown);
    batch.advance(sql, now_ms, account, &unknown, RecipientStatus::Unknown)?;
    for report in current {
        let place = (report.chunk.message, report.chunk.start);
        let is_last = report.chunk.attempt >= MAX_ATTEMPTS;
        if is_last && batch.chunks.get(&place).is_some_and(|chunk| chunk.queued > 0) {
            batch.end(sql, now_ms, account, place, |_| RecipientStatus::Rejected)?;
        }
        if let Some(chunk) = batch.chunks.get_mut(&place) {
            chunk.in_doubt = false;
            chunk.state = ChunkState::Ready.code();
            chunk.due_ms = now_ms.saturating_add(backoff_ms(chunk.attempt));
        }
    }
    batch.await_reports_if_handed(now_ms);
    batch.save(sql)?;
    Ok(Ok(Answer::Done))
}

/// Notes delivery reports.
pub fn deliver(sql: &impl Sql, now_ms: i64, account: &mut Account, reports: &[DeliveryReport]) -> Outcome {
    let indexes = |report: &DeliveryReport| {
        report
            .indexes
            .clone()
            .into_iter()
            .map(|index| place_of(report.message, index))
            .collect::<Vec<_>>()
    };
    let places: BTreeSet<(i64, u32)> = reports.iter().flat_map(indexes).collect();
    let mut batch = Batch::load(sql, &places.into_iter().collect::<Vec<_>>())?;
    for to in RecipientStatus::ALL {
        let of_status = reports.iter().filter(|report| report.status == to);
        let moved: Vec<Range> = of_status
            .flat_map(|report| ranges(report.message, &report.indexes))
            .collect();
        batch.advance(sql, now_ms, account, &moved, to)?;
    }
    batch.save(sql)?;
    Ok(Ok(Answer::Done))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_doubles_and_is_bounded() {
        assert_eq!(backoff_ms(1), 2_000);
        assert_eq!(backoff_ms(2), 4_000);
        assert_eq!(backoff_ms(9), 512_000);
        assert_eq!(backoff_ms(10), LONGEST_BACKOFF_MS);
        assert_eq!(backoff_ms(u32::MAX), LONGEST_BACKOFF_MS);
    }
}
