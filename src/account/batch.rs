//! Messages and their chunks while they are moved on: whatever moves a recipient, moves it here, with its money and the
//! counts that hang on it.
//!
//! The invariants: a recipient's money is resolved exactly once, and its status only moves forward. Every move names in
//! its `WHERE` the statuses that it may come from.

use std::collections::BTreeMap;

use super::CHUNK;
use super::ledger::EntryKind;
use super::schedule;
use super::status::{MessageStatus, Money, RecipientStatus};
use super::store::Account;
use crate::ports::{PortError, Sql};

/// How long a delivery report is waited for, ms: the longest validity that carriers give a message.
pub const REPORT_DEADLINE_MS: i64 = 72 * 60 * 60 * 1_000;
/// What a chunk waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkState {
    /// To be put (again) into the queue when due.
    Ready,
    /// In a consumer's hands until due.
    Claimed,
    /// For delivery reports until due.
    Awaiting,
}

impl ChunkState {
    /// The number the object's SQL keeps.
    pub fn code(self) -> i64 {
        match self {
            ChunkState::Ready => 0,
            ChunkState::Claimed => 1,
            ChunkState::Awaiting => 2,
        }
    }
}

/// Messages and their chunks, loaded together, moved in memory, and saved together: a queue message carries many small
/// messages, and a statement for each of them would be most of the work.
#[derive(Default)]
pub struct Batch {
    messages: BTreeMap<i64, Message>,
    pub(super) chunks: BTreeMap<(i64, u32), Chunk>,
}

#[derive(Clone, PartialEq, Eq)]
struct Message {
    status: String,
    open: i64,
    refunds: Vec<RecipientStatus>,
    changed: bool,
}

pub(super) struct Chunk {
    pub(super) state: i64,
    pub(super) due_ms: i64,
    pub(super) attempt: u32,
    pub(super) in_doubt: bool,
    pub(super) queued: i64,
    open: i64,
}

/// Recipients of one message, first to last index, both included.
pub(super) type Range = (i64, u32, u32);

/// Where money goes that was held, or spent, when its recipients move.
struct Fate {
    held: Money,
    spent: Money,
}

impl Batch {
    /// The messages, and those of their chunks that still live.
    pub fn load(sql: &impl Sql, places: &[(i64, u32)]) -> Result<Batch, PortError> {
        let rows = sql.exec(
            "SELECT m.id, p.value ->> 1, m.status, m.open, m.refunds, \
                    c.state, c.due_ms, c.attempt, c.in_doubt, c.queued, c.open \
             FROM json_each(?1) p JOIN message m ON m.id = p.value ->> 0 \
             LEFT JOIN chunk c ON c.message = m.id AND c.start = p.value ->> 1",
            &[to_json(&places)?.into()],
        )?;
        let mut batch = Batch::default();
        for row in &rows {
            let (id, start) = (row.int(0)?, row.u32(1)?);
            let message = Message {
                status: row.text(2)?,
                open: row.int(3)?,
                refunds: row.text(4)?.split(' ').filter_map(RecipientStatus::parse).collect(),
                changed: false,
            };
            batch.messages.insert(id, message);
            if let Some(state) = row.opt_int(5)? {
                let chunk = Chunk {
                    state,
                    due_ms: row.int(6)?,
                    attempt: row.u32(7)?,
                    in_doubt: row.bool(8)?,
                    queued: row.int(9)?,
                    open: row.int(10)?,
                };
                batch.chunks.insert((id, start), chunk);
            }
        }
        Ok(batch)
    }

    /// Moves those recipients that may go there to `to` and resolves their money.
    pub fn advance(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        ranges: &[Range],
        to: RecipientStatus,
    ) -> Result<(), PortError> {
        self.move_to(sql, now_ms, account, ranges, to, true)
    }

    fn fate(&self, message: i64, to: RecipientStatus, may_refund: bool) -> Fate {
        let refunded = may_refund
            && self
                .messages
                .get(&message)
                .is_some_and(|message| message.refunds.contains(&to));
        Fate {
            held: Money::Held.after(to, refunded),
            spent: Money::Spent.after(to, refunded),
        }
    }

    fn move_to(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        ranges: &[Range],
        to: RecipientStatus,
        may_refund: bool,
    ) -> Result<(), PortError> {
        if ranges.is_empty() {
            return Ok(());
        }
        let sources = to_json(&to.sources().iter().map(|status| status.code()).collect::<Vec<_>>())?;
        let groups = sql.exec(
            "SELECT r.message, r.idx - r.idx % CAST(?3 AS INTEGER), r.status, r.money, count(*), sum(r.cost) \
             FROM json_each(?1) p CROSS JOIN recipient r \
               ON r.message = p.value ->> 0 AND r.idx BETWEEN p.value ->> 1 AND p.value ->> 2 \
             WHERE r.status IN (SELECT value FROM json_each(?2)) GROUP BY 1, 2, 3, 4",
            &[to_json(&ranges)?.into(), sources.as_str().into(), CHUNK.into()],
        )?;
        if groups.is_empty() {
            return Ok(());
        }
        let mut entries = Vec::new();
        for group in &groups {
            let (message, start, cost) = (group.int(0)?, group.u32(1)?, group.int(5)?);
            let from = RecipientStatus::from_code(group.int(2)?).ok_or(PortError::Shape {
                column: 2,
                expected: "a recipient's status",
            })?;
            self.count_move(message, start, from, to, group.int(4)?);
            let money = Money::from_code(group.int(3)?).ok_or(PortError::Shape {
                column: 3,
                expected: "the fate of money",
            })?;
            let fate = self.fate(message, to, may_refund);
            let after = match money {
                Money::Held => fate.held,
                Money::Spent => fate.spent,
                settled => settled,
            };
            entries.extend(entries_of(money, after).iter().map(|kind| (*kind, cost, message)));
        }
        let moves: Vec<(i64, u32, u32, i64, i64)> = ranges
            .iter()
            .map(|(message, first, last)| {
                let fate = self.fate(*message, to, may_refund);
                (*message, *first, *last, fate.held.code(), fate.spent.code())
            })
            .collect();
        sql.exec(
            "UPDATE recipient SET status = ?3, changed_ms = ?4, \
               money = CASE money WHEN 0 THEN p.value ->> 3 WHEN 1 THEN p.value ->> 4 ELSE money END \
             FROM json_each(?1) AS p \
             WHERE message = p.value ->> 0 AND idx BETWEEN p.value ->> 1 AND p.value ->> 2 \
               AND status IN (SELECT value FROM json_each(?2))",
            &[to_json(&moves)?.into(), sources.into(), to.code().into(), now_ms.into()],
        )?;
        account.post_resolved(sql, now_ms, &entries)?;
        self.await_reports_if_handed(now_ms);
        Ok(())
    }

    fn count_move(&mut self, id: i64, start: u32, from: RecipientStatus, to: RecipientStatus, count: i64) {
        if let Some(message) = self.messages.get_mut(&id) {
            if to.is_resting() && !from.is_resting() {
                message.open -= count;
            }
            let status = match to {
                RecipientStatus::Queued => MessageStatus::Queued,
                RecipientStatus::Canceled if message.open == 0 => MessageStatus::Canceled,
                _ if message.open == 0 => MessageStatus::Done,
                _ => MessageStatus::Sending,
            };
            message.status = status.as_str().to_owned();
            message.changed = true;
        }
        if let Some(chunk) = self.chunks.get_mut(&(id, start)) {
            if matches!(from, RecipientStatus::Scheduled | RecipientStatus::Queued) && to != RecipientStatus::Queued {
                chunk.queued -= count;
            }
            if to.is_final() {
                chunk.open -= count;
            }
        }
    }

    /// Gives up waiting for reports: what the carrier took counts as expired, without a refund; what it may never have
    /// had is given back. A report that comes all the same still moves the status, but no money.
    pub fn expire(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        place: (i64, u32),
    ) -> Result<(), PortError> {
        let (submitted, _) = waiting_in(sql, place, RecipientStatus::Submitted)?;
        let ranges = ranges(place.0, &submitted);
        self.move_to(sql, now_ms, account, &ranges, RecipientStatus::Expired, false)?;
        let (unknown, held) = waiting_in(sql, place, RecipientStatus::Unknown)?;
        if !unknown.is_empty() {
            sql.exec(
                "UPDATE recipient SET money = ?3 \
                 WHERE message = ?1 AND idx IN (SELECT value FROM json_each(?2)) AND money = ?4",
                &[
                    place.0.into(),
                    to_json(&unknown)?.into(),
                    Money::Released.code().into(),
                    Money::Held.code().into(),
                ],
            )?;
            account.post_resolved(sql, now_ms, &[(EntryKind::Release, held, place.0)])?;
        }
        if let Some(chunk) = self.chunks.get_mut(&place) {
            chunk.open = 0;
        }
        Ok(())
    }

    /// Lets scheduled recipients start.
    pub fn start(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        place: (i64, u32),
    ) -> Result<(), PortError> {
        let (scheduled, _) = waiting_in(sql, place, RecipientStatus::Scheduled)?;
        schedule::forget_uses(sql, place.0)?;
        self.advance(
            sql,
            now_ms,
            account,
            &ranges(place.0, &scheduled),
            RecipientStatus::Queued,
        )
    }

    /// Ends the queued recipients of a chunk without a carrier, as `ending` says of each number.
    pub fn end(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        place: (i64, u32),
        ending: impl Fn(u64) -> RecipientStatus,
    ) -> Result<(), PortError> {
        let queued = queued_in(sql, place)?;
        for status in RecipientStatus::ALL {
            let of_status = queued.iter().filter(|(_, msisdn)| ending(*msisdn) == status);
            let indexes: Vec<u32> = of_status.map(|(index, _)| *index).collect();
            self.advance(sql, now_ms, account, &ranges(place.0, &indexes), status)?;
        }
        Ok(())
    }

    /// Takes a claim that ended without a report back: its recipients may be at the carrier already.
    pub fn doubt(&mut self, now_ms: i64, place: (i64, u32)) {
        if let Some(chunk) = self.chunks.get_mut(&place) {
            chunk.state = ChunkState::Ready.code();
            chunk.in_doubt = true;
            chunk.due_ms = now_ms;
        }
        self.await_reports_if_handed(now_ms);
    }

    /// A chunk with nobody left to hand over has only reports to wait for.
    pub(super) fn await_reports_if_handed(&mut self, now_ms: i64) {
        for chunk in self.chunks.values_mut() {
            if chunk.state == ChunkState::Ready.code() && chunk.queued == 0 {
                chunk.state = ChunkState::Awaiting.code();
                chunk.due_ms = now_ms.saturating_add(REPORT_DEADLINE_MS);
            }
        }
    }

    /// Whether the chunk is to go into the queue.
    pub fn is_ready(&self, place: (i64, u32)) -> bool {
        self.chunks
            .get(&place)
            .is_some_and(|chunk| chunk.state == ChunkState::Ready.code())
    }

    /// Writes everything back; a chunk with nothing open ends.
    pub fn save(self, sql: &impl Sql) -> Result<(), PortError> {
        let changed = self.messages.iter().filter(|(_, message)| message.changed);
        let messages: Vec<(i64, &str, i64)> = changed.map(|(id, m)| (*id, m.status.as_str(), m.open)).collect();
        if !messages.is_empty() {
            sql.exec(
                "UPDATE message SET status = p.value ->> 1, open = p.value ->> 2 FROM json_each(?1) AS p \
                 WHERE message.id = p.value ->> 0",
                &[to_json(&messages)?.into()],
            )?;
        }
        let (ended, living): (Vec<_>, Vec<_>) = self.chunks.iter().partition(|(_, chunk)| chunk.open == 0);
        if !ended.is_empty() {
            let ended: Vec<(i64, u32)> = ended.iter().map(|(place, _)| **place).collect();
            sql.exec(
                "DELETE FROM chunk WHERE (message, start) IN \
                   (SELECT value ->> 0, value ->> 1 FROM json_each(?1))",
                &[to_json(&ended)?.into()],
            )?;
        }
        if !living.is_empty() {
            let living: Vec<_> = living
                .iter()
                .map(|((m, start), c)| {
                    (
                        m,
                        start,
                        c.state,
                        c.due_ms,
                        c.attempt,
                        u8::from(c.in_doubt),
                        c.queued,
                        c.open,
                    )
                })
                .collect();
            sql.exec(
                "UPDATE chunk SET state = p.value ->> 2, due_ms = p.value ->> 3, attempt = p.value ->> 4, \
                   in_doubt = p.value ->> 5, queued = p.value ->> 6, open = p.value ->> 7 FROM json_each(?1) AS p \
                 WHERE message = p.value ->> 0 AND start = p.value ->> 1",
                &[to_json(&living)?.into()],
            )?;
        }
        Ok(())
    }
}

/// The ledger entries by which money comes from one fate to another.
fn entries_of(before: Money, after: Money) -> &'static [EntryKind] {
    match (before, after) {
        (Money::Held, Money::Spent) => &[EntryKind::Settle],
        (Money::Held, Money::Released) => &[EntryKind::Release],
        (Money::Held, Money::Refunded) => &[EntryKind::Settle, EntryKind::Refund],
        (Money::Spent, Money::Refunded) => &[EntryKind::Refund],
        _ => &[],
    }
}

pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, PortError> {
    serde_json::to_string(value).map_err(|error| PortError::failed("json", error))
}

/// Indexes of one message as ranges: those of a chunk mostly follow one another.
pub(super) fn ranges(message: i64, indexes: &[u32]) -> Vec<Range> {
    let mut sorted = indexes.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| *b <= a.saturating_add(1));
    runs.filter_map(|run| Some((message, *run.first()?, *run.last()?)))
        .collect()
}

/// The place of the chunk that an index belongs to.
pub(super) fn place_of(message: i64, index: u32) -> (i64, u32) {
    (message, index - index % CHUNK)
}

/// A chunk's recipients in `status`, and the money still held for them.
fn waiting_in(sql: &impl Sql, place: (i64, u32), status: RecipientStatus) -> Result<(Vec<u32>, i64), PortError> {
    let rows = sql.exec(
        "SELECT idx, CASE money WHEN 0 THEN cost ELSE 0 END FROM recipient \
         WHERE message = ?1 AND idx >= ?2 AND idx < ?3 AND status = ?4",
        &[
            place.0.into(),
            place.1.into(),
            place.1.saturating_add(CHUNK).into(),
            status.code().into(),
        ],
    )?;
    let mut indexes = Vec::with_capacity(rows.len());
    let mut held = 0;
    for row in &rows {
        indexes.push(row.u32(0)?);
        held += row.int(1)?;
    }
    Ok((indexes, held))
}

/// A chunk's queued recipients, `(index, msisdn)`.
fn queued_in(sql: &impl Sql, place: (i64, u32)) -> Result<Vec<(u32, u64)>, PortError> {
    let rows = sql.exec(
        "SELECT json_group_array(json_array(idx, msisdn)) FROM recipient \
         WHERE message = ?1 AND idx >= ?2 AND idx < ?3 AND status = ?4",
        &[
            place.0.into(),
            place.1.into(),
            place.1.saturating_add(CHUNK).into(),
            RecipientStatus::Queued.code().into(),
        ],
    )?;
    let list = rows.first().map_or(Ok("[]".to_owned()), |row| row.text(0))?;
    serde_json::from_str(&list).map_err(|error| PortError::failed("sql", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_that_follow_one_another_are_one_range() {
        assert_eq!(ranges(7, &[]), []);
        assert_eq!(ranges(7, &[3, 1, 2, 9, 2]), [(7, 1, 3), (7, 9, 9)]);
        assert_eq!(ranges(7, &[u32::MAX, 0]), [(7, 0, 0), (7, u32::MAX, u32::MAX)]);
    }
}
