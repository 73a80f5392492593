//! A message on its way: chunks are claimed, handed to a carrier, reported, and their recipients move to their endings.
//!
//! The invariants: a recipient is handed to a carrier at most once, and its money is resolved exactly once. Both hang on
//! two things. A chunk can be claimed only at the attempt that its queue message names, so a message that the queue
//! delivers twice claims nothing the second time. And every move names in its `WHERE` the statuses it may come from.

use super::CHUNK;
use super::command::{Answer, ChunkRef, ChunkReport, DeliveryReport, Job};
use super::decide::Outcome;
use super::ledger::EntryKind;
use super::status::{MessageStatus, Money, RecipientStatus};
use super::store::Account;
use crate::ports::{PortError, Sql};

/// How long a claim holds, ms. A consumer must have reported, or given up, well before.
pub const LEASE_MS: i64 = 30_000;
/// How long a delivery report is waited for, ms: the longest validity that carriers give a message.
pub const REPORT_DEADLINE_MS: i64 = 72 * 60 * 60 * 1_000;
/// How often a chunk is tried before its remaining recipients are refused: about forty minutes.
pub const MAX_ATTEMPTS: u32 = 12;
const FIRST_BACKOFF_MS: i64 = 2_000;
const LONGEST_BACKOFF_MS: i64 = 600_000;

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

/// How long to wait after the `attempt`-th try failed for the moment, ms.
pub fn backoff_ms(attempt: u32) -> i64 {
    let doublings = attempt.saturating_sub(1).min(20);
    (FIRST_BACKOFF_MS << doublings).min(LONGEST_BACKOFF_MS)
}

/// A message with one of its chunks (if that still lives), loaded together and saved together.
pub struct Part {
    message: i64,
    status: String,
    open: i64,
    refunds: Vec<RecipientStatus>,
    before: (String, i64),
    chunk: Option<Chunk>,
}

struct Chunk {
    start: u32,
    state: i64,
    due_ms: i64,
    attempt: u32,
    in_doubt: bool,
    queued: i64,
    open: i64,
}

impl Part {
    /// The message and the chunk of it that begins at `start`; `None` when there is no such message.
    pub fn load(sql: &impl Sql, message: i64, start: u32) -> Result<Option<Part>, PortError> {
        let rows = sql.exec(
            "SELECT m.status, m.open, m.refunds, c.state, c.due_ms, c.attempt, c.in_doubt, c.queued, c.open \
             FROM message m LEFT JOIN chunk c ON c.message = m.id AND c.start = ?2 WHERE m.id = ?1",
            &[message.into(), start.into()],
        )?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let chunk = match row.opt_int(3)? {
            None => None,
            Some(state) => Some(Chunk {
                start,
                state,
                due_ms: row.int(4)?,
                attempt: row.u32(5)?,
                in_doubt: row.bool(6)?,
                queued: row.int(7)?,
                open: row.int(8)?,
            }),
        };
        let (status, open) = (row.text(0)?, row.int(1)?);
        Ok(Some(Part {
            message,
            before: (status.clone(), open),
            status,
            open,
            refunds: row.text(2)?.split(' ').filter_map(RecipientStatus::parse).collect(),
            chunk,
        }))
    }

    /// Moves those of `indexes` that may go there to `to`, resolves their money and returns how many moved.
    pub fn advance(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        indexes: &[u32],
        to: RecipientStatus,
    ) -> Result<i64, PortError> {
        let refunded = self.refunds.contains(&to);
        self.move_to(sql, now_ms, account, indexes, to, refunded)
    }

    fn move_to(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        indexes: &[u32],
        to: RecipientStatus,
        refunded: bool,
    ) -> Result<i64, PortError> {
        if indexes.is_empty() {
            return Ok(0);
        }
        let indexes = json_list(indexes.iter());
        let sources = json_list(to.sources().iter().map(|status| status.code()));
        let groups = sql.exec(
            "SELECT status, money, count(*), sum(cost) FROM recipient \
             WHERE message = ?1 AND idx IN (SELECT value FROM json_each(?2)) \
               AND status IN (SELECT value FROM json_each(?3)) GROUP BY status, money",
            &[self.message.into(), indexes.as_str().into(), sources.as_str().into()],
        )?;
        let (mut moved, mut settled, mut released, mut given_back) = (0i64, 0i64, 0i64, 0i64);
        for group in &groups {
            let from = RecipientStatus::from_code(group.int(0)?).ok_or(PortError::Shape {
                column: 0,
                expected: "a recipient's status",
            })?;
            let (count, cost) = (group.int(2)?, group.int(3)?);
            moved += count;
            self.count_move(from, to, count);
            let money = Money::from_code(group.int(1)?).ok_or(PortError::Shape {
                column: 1,
                expected: "the fate of money",
            })?;
            match (money, money.after(to, refunded)) {
                (Money::Held, Money::Spent) => settled += cost,
                (Money::Held, Money::Released) => released += cost,
                (Money::Held, Money::Refunded) => (settled, given_back) = (settled + cost, given_back + cost),
                (Money::Spent, Money::Refunded) => given_back += cost,
                _ => {}
            }
        }
        if moved == 0 {
            return Ok(0);
        }
        sql.exec(
            "UPDATE recipient SET status = ?4, changed_ms = ?5, \
               money = CASE money WHEN 0 THEN ?6 WHEN 1 THEN ?7 ELSE money END \
             WHERE message = ?1 AND idx IN (SELECT value FROM json_each(?2)) \
               AND status IN (SELECT value FROM json_each(?3))",
            &[
                self.message.into(),
                indexes.into(),
                sources.into(),
                to.code().into(),
                now_ms.into(),
                Money::Held.after(to, refunded).code().into(),
                Money::Spent.after(to, refunded).code().into(),
            ],
        )?;
        account.post_resolved(sql, now_ms, EntryKind::Settle, settled, self.message)?;
        account.post_resolved(sql, now_ms, EntryKind::Release, released, self.message)?;
        account.post_resolved(sql, now_ms, EntryKind::Refund, given_back, self.message)?;
        self.await_reports_if_handed(now_ms);
        Ok(moved)
    }

    fn count_move(&mut self, from: RecipientStatus, to: RecipientStatus, count: i64) {
        if to.is_resting() && !from.is_resting() {
            self.open -= count;
        }
        self.status = match to {
            RecipientStatus::Queued => MessageStatus::Queued,
            _ if self.open == 0 => MessageStatus::Done,
            _ => MessageStatus::Sending,
        }
        .as_str()
        .to_owned();
        if let Some(chunk) = &mut self.chunk {
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
    pub fn expire(&mut self, sql: &impl Sql, now_ms: i64, account: &mut Account) -> Result<(), PortError> {
        let (submitted, _) = self.resting_in(sql, RecipientStatus::Submitted)?;
        self.move_to(sql, now_ms, account, &submitted, RecipientStatus::Expired, false)?;
        let (unknown, cost) = self.resting_in(sql, RecipientStatus::Unknown)?;
        if !unknown.is_empty() {
            sql.exec(
                "UPDATE recipient SET money = ?3 \
                 WHERE message = ?1 AND idx IN (SELECT value FROM json_each(?2)) AND money = ?4",
                &[
                    self.message.into(),
                    json_list(unknown.iter()).into(),
                    Money::Released.code().into(),
                    Money::Held.code().into(),
                ],
            )?;
            account.post_resolved(sql, now_ms, EntryKind::Release, cost, self.message)?;
        }
        if let Some(chunk) = &mut self.chunk {
            chunk.open = 0;
        }
        Ok(())
    }

    /// The chunk's recipients in `status`, and the money still held for them.
    fn resting_in(&self, sql: &impl Sql, status: RecipientStatus) -> Result<(Vec<u32>, i64), PortError> {
        let Some(chunk) = &self.chunk else {
            return Ok((Vec::new(), 0));
        };
        let rows = sql.exec(
            "SELECT idx, CASE money WHEN 0 THEN cost ELSE 0 END FROM recipient \
             WHERE message = ?1 AND idx >= ?2 AND idx < ?3 AND status = ?4",
            &[
                self.message.into(),
                chunk.start.into(),
                chunk.start.saturating_add(CHUNK).into(),
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

    /// The chunk's queued recipients, `(index, msisdn)`.
    pub fn queued(&self, sql: &impl Sql) -> Result<Vec<(u32, u64)>, PortError> {
        let Some(chunk) = &self.chunk else {
            return Ok(Vec::new());
        };
        let rows = sql.exec(
            "SELECT json_group_array(json_array(idx, msisdn)) FROM recipient \
             WHERE message = ?1 AND idx >= ?2 AND idx < ?3 AND status = ?4",
            &[
                self.message.into(),
                chunk.start.into(),
                chunk.start.saturating_add(CHUNK).into(),
                RecipientStatus::Queued.code().into(),
            ],
        )?;
        let list = rows.first().map_or(Ok("[]".to_owned()), |row| row.text(0))?;
        serde_json::from_str(&list).map_err(|error| PortError::failed("sql", error))
    }

    /// Lets scheduled recipients start.
    pub fn start(&mut self, sql: &impl Sql, now_ms: i64, account: &mut Account) -> Result<(), PortError> {
        let (scheduled, _) = self.resting_in(sql, RecipientStatus::Scheduled)?;
        self.move_to(sql, now_ms, account, &scheduled, RecipientStatus::Queued, false)
            .map(drop)
    }

    /// Takes a claim that ended without a report back: its recipients may be at the carrier already.
    pub fn doubt(&mut self, now_ms: i64) {
        if let Some(chunk) = &mut self.chunk {
            chunk.state = ChunkState::Ready.code();
            chunk.in_doubt = true;
            chunk.due_ms = now_ms;
        }
        self.await_reports_if_handed(now_ms);
    }

    /// A chunk with nobody left to hand over has only reports to wait for.
    fn await_reports_if_handed(&mut self, now_ms: i64) {
        if let Some(chunk) = &mut self.chunk
            && chunk.state == ChunkState::Ready.code()
            && chunk.queued == 0
        {
            chunk.state = ChunkState::Awaiting.code();
            chunk.due_ms = now_ms.saturating_add(REPORT_DEADLINE_MS);
        }
    }

    /// Whether the chunk is to go into the queue.
    pub fn is_ready(&self) -> bool {
        self.chunk
            .as_ref()
            .is_some_and(|chunk| chunk.state == ChunkState::Ready.code())
    }

    /// Writes back what changed; a chunk with nothing open ends.
    pub fn save(self, sql: &impl Sql) -> Result<(), PortError> {
        if (self.status.as_str(), self.open) != (self.before.0.as_str(), self.before.1) {
            sql.exec(
                "UPDATE message SET status = ?2, open = ?3 WHERE id = ?1",
                &[self.message.into(), self.status.into(), self.open.into()],
            )?;
        }
        let Some(chunk) = self.chunk else {
            return Ok(());
        };
        let at = [self.message.into(), chunk.start.into()];
        if chunk.open == 0 {
            return sql
                .exec("DELETE FROM chunk WHERE message = ?1 AND start = ?2", &at)
                .map(drop);
        }
        let [message, start] = at;
        sql.exec(
            "UPDATE chunk SET state = ?3, due_ms = ?4, attempt = ?5, in_doubt = ?6, queued = ?7, open = ?8 \
             WHERE message = ?1 AND start = ?2",
            &[
                message,
                start,
                chunk.state.into(),
                chunk.due_ms.into(),
                chunk.attempt.into(),
                chunk.in_doubt.into(),
                chunk.queued.into(),
                chunk.open.into(),
            ],
        )
        .map(drop)
    }
}

fn json_list(items: impl Iterator<Item = impl std::fmt::Display>) -> String {
    let mut list = String::from("[");
    for (position, item) in items.enumerate() {
        if position > 0 {
            list.push(',');
        }
        list.push_str(&item.to_string());
    }
    list.push(']');
    list
}

/// Takes the chunks that are still to be had at the attempt named; the others are in other hands or done.
pub fn claim(sql: &impl Sql, now_ms: i64, chunks: &[ChunkRef]) -> Outcome {
    let mut jobs = Vec::new();
    for asked in chunks {
        if let Some(job) = claim_one(sql, now_ms, *asked)? {
            jobs.push(job);
        }
    }
    Ok(Ok(Answer::Claimed(jobs)))
}

fn claim_one(sql: &impl Sql, now_ms: i64, asked: ChunkRef) -> Result<Option<Job>, PortError> {
    let Some(mut part) = Part::load(sql, asked.message, asked.start)? else {
        return Ok(None);
    };
    let Some(chunk) = &mut part.chunk else {
        return Ok(None);
    };
    if chunk.state != ChunkState::Ready.code() || chunk.attempt != asked.attempt || chunk.queued == 0 {
        return Ok(None);
    }
    chunk.state = ChunkState::Claimed.code();
    chunk.attempt = chunk.attempt.saturating_add(1);
    chunk.due_ms = now_ms.saturating_add(LEASE_MS);
    let (attempt, in_doubt) = (chunk.attempt, chunk.in_doubt);
    let recipients = part.queued(sql)?;
    part.save(sql)?;
    let rows = sql.exec(
        "SELECT uid, carrier, line, text FROM message WHERE id = ?1",
        &[asked.message.into()],
    )?;
    let row = rows
        .first()
        .ok_or(PortError::failed("sql", "a chunk without its message"))?;
    Ok(Some(Job {
        chunk: ChunkRef { attempt, ..asked },
        uid: row.text(0)?,
        carrier: row.text(1)?,
        line: row.text(2)?,
        text: row.text(3)?,
        in_doubt,
        recipients,
    }))
}

/// Notes what a carrier said. A report of an attempt that is over (its lease ran out) can still tell that the carrier
/// has a recipient, which is true whoever says it, but nothing else: another attempt may be under way.
pub fn report(sql: &impl Sql, now_ms: i64, account: &mut Account, reports: &[ChunkReport]) -> Outcome {
    for report in reports {
        report_one(sql, now_ms, account, report)?;
    }
    Ok(Ok(Answer::Done))
}

fn report_one(sql: &impl Sql, now_ms: i64, account: &mut Account, report: &ChunkReport) -> Result<(), PortError> {
    let Some(mut part) = Part::load(sql, report.chunk.message, report.chunk.start)? else {
        return Ok(());
    };
    let is_current = part
        .chunk
        .as_ref()
        .is_some_and(|chunk| chunk.state == ChunkState::Claimed.code() && chunk.attempt == report.chunk.attempt);
    part.advance(sql, now_ms, account, &report.submitted, RecipientStatus::Submitted)?;
    if is_current {
        part.advance(sql, now_ms, account, &report.rejected, RecipientStatus::Rejected)?;
        part.advance(sql, now_ms, account, &report.unknown, RecipientStatus::Unknown)?;
        if part.chunk.as_ref().is_some_and(|chunk| chunk.queued > 0) && report.chunk.attempt >= MAX_ATTEMPTS {
            let given_up: Vec<u32> = part.queued(sql)?.into_iter().map(|(index, _)| index).collect();
            part.advance(sql, now_ms, account, &given_up, RecipientStatus::Rejected)?;
        }
        if let Some(chunk) = &mut part.chunk {
            chunk.in_doubt = false;
            chunk.state = ChunkState::Ready.code();
            chunk.due_ms = now_ms.saturating_add(backoff_ms(chunk.attempt));
        }
        part.await_reports_if_handed(now_ms);
    }
    part.save(sql)
}

/// Notes delivery reports.
pub fn deliver(sql: &impl Sql, now_ms: i64, account: &mut Account, reports: &[DeliveryReport]) -> Outcome {
    for report in reports {
        let mut indexes = report.indexes.clone();
        indexes.sort_unstable();
        for chunk in indexes.chunk_by(|a, b| a / CHUNK == b / CHUNK) {
            let start = chunk.first().map_or(0, |index| index - index % CHUNK);
            if let Some(mut part) = Part::load(sql, report.message, start)? {
                part.advance(sql, now_ms, account, chunk, report.status)?;
                part.save(sql)?;
            }
        }
    }
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
