//! Moving recipients on. Whatever changes a recipient's status does it here, together with its money and the counts of its
//! message and chunk.
//!
//! The invariants: a recipient's money is resolved exactly once, and its status only moves forward. Each move names in its
//! `WHERE` the statuses that it may come from.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::chunk::{ChunkState, Place};
use super::class::Class;
use super::delivery_error::{Cause, DeliveryError};
use super::events;
use super::ledger::EntryKind;
use super::sources;
use super::status::{MessageStatus, Money, RecipientStatus};
use super::store::Account;
use super::usage;
use crate::object::to_json;
use crate::ports::{PortError, Row, Sql};

/// How long the object waits for delivery reports, ms: the longest validity that carriers give a message.
pub const REPORT_DEADLINE_MS: i64 = 72 * 60 * 60 * 1_000;

/// Recipients of one message from the first to the last index, both included.
pub type Range = (i64, u32, u32);

/// Messages and chunks, loaded together, moved in memory and saved together. A bundle carries many small messages, and a
/// statement for each of them would be most of the work.
#[derive(Default)]
pub struct Moves {
    loaded: BTreeSet<Place>,
    messages: BTreeMap<i64, Message>,
    usage: Vec<usage::Change>,
    /// The chunks that have not ended.
    pub(super) chunks: BTreeMap<Place, Chunk>,
    /// How many recipients have moved.
    pub(super) moved: i64,
}

#[derive(Clone, PartialEq, Eq)]
struct Message {
    status: String,
    open: i64,
    refunds: Vec<RecipientStatus>,
    changed: bool,
}

pub(super) struct Chunk {
    pub(super) state: ChunkState,
    pub(super) due_ms: i64,
    pub(super) attempt: u32,
    pub(super) failures: u32,
    /// When the first claim was made that ended without an answer, ms: since then the carrier may have recipients of it.
    pub(super) doubt_ms: Option<i64>,
    pub(super) queued: i64,
    open: i64,
    /// How long its class may wait for a carrier, ms since the Unix epoch.
    pub(super) patience_ends_ms: i64,
}

/// Where recipients move to, and what is to be known of it.
#[derive(Debug, Clone, Copy)]
pub struct To<'a> {
    /// Their new status.
    pub status: RecipientStatus,
    /// Why they did not get the message. An ending without delivery has a cause in any case.
    pub cause: Option<&'a Cause>,
    /// The carrier that has them, if they had none before.
    pub carrier: Option<&'a str>,
}

impl From<RecipientStatus> for To<'_> {
    fn from(status: RecipientStatus) -> Self {
        To {
            status,
            cause: None,
            carrier: None,
        }
    }
}

impl To<'_> {
    fn error(&self) -> Option<DeliveryError> {
        match (self.cause, self.status) {
            (Some(cause), _) => Some(cause.error),
            (None, RecipientStatus::Expired) => Some(DeliveryError::Expired),
            (None, RecipientStatus::Undelivered | RecipientStatus::Rejected) => Some(DeliveryError::CarrierError),
            _ => None,
        }
    }
}

/// What becomes of money that is held or spent when its recipients move.
struct Fate {
    held: Money,
    spent: Money,
}

impl Moves {
    /// Loads chunks and their messages.
    pub fn load(sql: &impl Sql, places: &[Place]) -> Result<Moves, PortError> {
        let mut moves = Moves::default();
        moves.load_more(sql, places.iter().copied().collect())?;
        Ok(moves)
    }

    fn load_more(&mut self, sql: &impl Sql, places: BTreeSet<Place>) -> Result<(), PortError> {
        let missing: Vec<Place> = places.difference(&self.loaded).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let rows = sql.exec(
            "SELECT m.id, c.number, m.status, m.open, m.refunds, \
                    c.state, c.due_ms, c.attempt, c.failures, c.doubt_ms, c.queued, c.open, c.class, c.ready_ms \
             FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value ->> 0 \
             CROSS JOIN chunk c ON c.message = m.id AND c.number = p.value ->> 1",
            &[to_json(&missing)?.into()],
        )?;
        for row in &rows {
            let place = (row.int(0)?, row.u32(1)?);
            let message = Message {
                status: row.text(2)?,
                open: row.int(3)?,
                refunds: row.text(4)?.split(' ').filter_map(RecipientStatus::parse).collect(),
                changed: false,
            };
            self.messages.entry(place.0).or_insert(message);
            let chunk = Chunk {
                state: ChunkState::from_code(row.int(5)?).ok_or(PortError::Shape {
                    column: 5,
                    expected: "a chunk's state",
                })?,
                due_ms: row.int(6)?,
                attempt: row.u32(7)?,
                failures: row.u32(8)?,
                doubt_ms: row.opt_int(9)?,
                queued: row.int(10)?,
                open: row.int(11)?,
                patience_ends_ms: row.int(13)?.saturating_add(patience_ms(row.int(12)?)),
            };
            if chunk.state != ChunkState::Ended {
                self.chunks.insert(place, chunk);
            }
        }
        self.loaded.extend(missing);
        Ok(())
    }

    /// Moves those of the recipients to `to` that may go there, and resolves their money.
    pub fn advance<'a>(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        ranges: &[Range],
        to: impl Into<To<'a>>,
    ) -> Result<(), PortError> {
        self.move_to(sql, now_ms, account, ranges, to.into(), true)
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
        to: To<'_>,
        may_refund: bool,
    ) -> Result<(), PortError> {
        if ranges.is_empty() {
            return Ok(());
        }
        let ranges = disjoint(ranges);
        let sources = to_json(
            &to.status
                .sources()
                .iter()
                .map(|status| status.code())
                .collect::<Vec<_>>(),
        )?;
        let groups = sql.exec(
            "SELECT r.message, r.chunk, r.status, r.money, count(*), sum(r.cost), coalesce(r.carrier, ?3, '') \
             FROM json_each(?1) p CROSS JOIN recipient r \
               ON r.message = p.value ->> 0 AND r.idx BETWEEN p.value ->> 1 AND p.value ->> 2 \
             WHERE r.status IN (SELECT value FROM json_each(?2)) GROUP BY 1, 2, 3, 4, 7",
            &[to_json(&ranges)?.into(), sources.as_str().into(), to.carrier.into()],
        )?;
        if groups.is_empty() {
            return Ok(());
        }
        let place = |group: &Row| Ok((group.int(0)?, group.u32(1)?));
        self.load_more(sql, groups.iter().map(place).collect::<Result<_, PortError>>()?)?;
        let mut entries = Vec::new();
        for group in &groups {
            let (place, cost) = (place(group)?, group.int(5)?);
            let (kinds, message) = (self.count_group(place, group, to.status, may_refund)?, place.0);
            entries.extend(kinds.iter().map(|kind| (*kind, cost, message)));
        }
        events::note_moves(sql, now_ms, account, (&ranges, &sources), (to.status, to.error()))?;
        self.write_move(sql, now_ms, &ranges, &sources, to, may_refund)?;
        account.post_resolved(sql, now_ms, &entries)?;
        self.await_reports_if_handed(now_ms);
        Ok(())
    }

    /// Counts recipients of one chunk that move together. Gives the ledger entries that their money needs.
    fn count_group(
        &mut self,
        place: Place,
        group: &Row,
        to: RecipientStatus,
        may_refund: bool,
    ) -> Result<&'static [EntryKind], PortError> {
        let (count, cost) = (group.int(4)?, group.int(5)?);
        self.moved += count;
        let from = RecipientStatus::from_code(group.int(2)?).ok_or(PortError::Shape {
            column: 2,
            expected: "a recipient's status",
        })?;
        self.count_move(place, from, to, count);
        let money = Money::from_code(group.int(3)?).ok_or(PortError::Shape {
            column: 3,
            expected: "the fate of money",
        })?;
        let fate = self.fate(place.0, to, may_refund);
        let after = match money {
            Money::Held => fate.held,
            Money::Spent => fate.spent,
            settled => settled,
        };
        let is_returned = money != after && matches!(after, Money::Released | Money::Refunded);
        let change = usage::Change {
            message: place.0,
            carrier: group.text(6)?,
            status: to,
            recipients: count,
            returned: if is_returned { cost } else { 0 },
        };
        self.count_usage(from, change);
        Ok(entries_of(money, after))
    }

    fn write_move(
        &self,
        sql: &impl Sql,
        now_ms: i64,
        ranges: &[Range],
        sources: &str,
        to: To<'_>,
        may_refund: bool,
    ) -> Result<(), PortError> {
        let rows: Vec<_> = ranges
            .iter()
            .map(|(message, first, last)| {
                let fate = self.fate(*message, to.status, may_refund);
                (message, first, last, fate.held.code(), fate.spent.code())
            })
            .collect();
        sql.exec(
            "UPDATE recipient SET status = ?3, changed_ms = ?4, carrier = coalesce(carrier, ?5), error = ?6, \
               error_code = ?7, money = CASE money WHEN 0 THEN p.value ->> 3 WHEN 1 THEN p.value ->> 4 ELSE money END \
             FROM json_each(?1) AS p \
             WHERE message = p.value ->> 0 AND idx BETWEEN p.value ->> 1 AND p.value ->> 2 \
               AND status IN (SELECT value FROM json_each(?2))",
            &[
                to_json(&rows)?.into(),
                sources.into(),
                to.status.code().into(),
                now_ms.into(),
                to.carrier.into(),
                to.error().map(DeliveryError::as_str).into(),
                to.cause.and_then(|cause| cause.code.as_deref()).into(),
            ],
        )
        .map(drop)
    }

    fn count_move(&mut self, place: Place, from: RecipientStatus, to: RecipientStatus, count: i64) {
        if let Some(message) = self.messages.get_mut(&place.0) {
            if to.is_resting() && !from.is_resting() {
                message.open -= count;
            }
            let is_scheduled = message.status == MessageStatus::Scheduled.as_str();
            let status = match to {
                // Other chunks of the message may be further already.
                RecipientStatus::Queued if !is_scheduled => None,
                RecipientStatus::Queued => Some(MessageStatus::Queued),
                RecipientStatus::Canceled if message.open == 0 => Some(MessageStatus::Canceled),
                _ if message.open == 0 => Some(MessageStatus::Done),
                _ => Some(MessageStatus::Sending),
            };
            if let Some(status) = status {
                status.as_str().clone_into(&mut message.status);
            }
            message.changed = true;
        }
        if let Some(chunk) = self.chunks.get_mut(&place) {
            if matches!(from, RecipientStatus::Scheduled | RecipientStatus::Queued) && to != RecipientStatus::Queued {
                chunk.queued -= count;
            }
            if to.is_final() {
                chunk.open -= count;
            }
        }
    }

    /// Notes a move for the usage of the day.
    fn count_usage(&mut self, from: RecipientStatus, change: usage::Change) {
        if from.is_resting() {
            self.usage.push(usage::Change {
                status: from,
                recipients: -change.recipients,
                returned: 0,
                ..change.clone()
            });
        }
        if change.status.is_resting() {
            self.usage.push(change);
        }
    }

    /// Ends the wait for reports. What the carrier took counts as expired, without a refund; money that is held for
    /// UNKNOWN recipients is released. A report that comes later still moves the status, but no money.
    pub fn expire(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        place: Place,
    ) -> Result<(), PortError> {
        let submitted = waiting_in(sql, place, RecipientStatus::Submitted)?;
        let ranges = ranges(place.0, &submitted);
        self.move_to(sql, now_ms, account, &ranges, RecipientStatus::Expired.into(), false)?;
        self.release_unknown(sql, now_ms, account, place)?;
        if let Some(chunk) = self.chunks.get_mut(&place) {
            chunk.open = 0;
        }
        Ok(())
    }

    /// Releases the money that is held for the UNKNOWN recipients of a chunk.
    fn release_unknown(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        place: Place,
    ) -> Result<(), PortError> {
        let groups = sql.exec(
            "SELECT coalesce(r.carrier, ''), sum(r.cost) FROM chunk c CROSS JOIN recipient r \
               ON r.message = c.message AND r.idx BETWEEN c.first AND c.last AND r.chunk = c.number \
             WHERE c.message = ?1 AND c.number = ?2 AND r.status = ?3 AND r.money = ?4 GROUP BY 1",
            &[
                place.0.into(),
                place.1.into(),
                RecipientStatus::Unknown.code().into(),
                Money::Held.code().into(),
            ],
        )?;
        if groups.is_empty() {
            return Ok(());
        }
        sql.exec(
            "UPDATE recipient SET money = ?5 FROM chunk c \
             WHERE c.message = ?1 AND c.number = ?2 AND recipient.message = ?1 \
               AND recipient.idx BETWEEN c.first AND c.last AND recipient.chunk = ?2 \
               AND recipient.status = ?3 AND recipient.money = ?4",
            &[
                place.0.into(),
                place.1.into(),
                RecipientStatus::Unknown.code().into(),
                Money::Held.code().into(),
                Money::Released.code().into(),
            ],
        )?;
        for group in &groups {
            let held = group.int(1)?;
            account.post_resolved(sql, now_ms, &[(EntryKind::Release, held, place.0)])?;
            self.usage.push(usage::Change {
                message: place.0,
                carrier: group.text(0)?,
                status: RecipientStatus::Unknown,
                recipients: 0,
                returned: held,
            });
        }
        Ok(())
    }

    /// Starts a chunk whose time has come.
    pub fn start(&mut self, sql: &impl Sql, now_ms: i64, account: &mut Account, place: Place) -> Result<(), PortError> {
        if let Some(chunk) = self.chunks.get_mut(&place) {
            chunk.state = ChunkState::Ready;
        }
        let scheduled = waiting_in(sql, place, RecipientStatus::Scheduled)?;
        let ranges = ranges(place.0, &scheduled);
        self.advance(sql, now_ms, account, &ranges, RecipientStatus::Queued)?;
        sources::forget(sql, place.0)
    }

    /// Gives the queued recipients of a chunk an ending without a carrier, as `ending` says for each number.
    pub fn end(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &mut Account,
        place: Place,
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

    /// A chunk with no recipient left to hand over waits for reports only.
    pub(super) fn await_reports_if_handed(&mut self, now_ms: i64) {
        for chunk in self.chunks.values_mut() {
            if chunk.state == ChunkState::Ready && chunk.queued == 0 {
                chunk.state = ChunkState::Awaiting;
                chunk.due_ms = now_ms.saturating_add(REPORT_DEADLINE_MS);
            }
        }
    }

    /// Writes everything back. A chunk with nothing open ends.
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
        usage::count_changes(sql, &self.usage)?;
        if self.chunks.is_empty() {
            return Ok(());
        }
        let chunks = self.chunks.iter().map(|(place, chunk)| chunk.row(*place));
        sql.exec(
            "UPDATE chunk SET state = p.value ->> 2, due_ms = p.value ->> 3, failures = p.value ->> 4, \
               doubt_ms = p.value ->> 5, queued = p.value ->> 6, open = p.value ->> 7, \
               queue = iif(p.value ->> 5 IS NULL, route, '@' || object) \
             FROM json_each(?1) AS p WHERE message = p.value ->> 0 AND number = p.value ->> 1",
            &[to_json(&chunks.collect::<Vec<_>>())?.into()],
        )
        .map(drop)
    }
}

impl Chunk {
    /// What [`Moves::save`] writes.
    fn row(&self, (message, number): Place) -> impl Serialize + '_ {
        let state = match self.open == 0 {
            true => ChunkState::Ended,
            false => self.state,
        };
        (
            message,
            number,
            state.code(),
            self.due_ms,
            self.failures,
            self.doubt_ms,
            self.queued,
            self.open,
        )
    }
}

/// How long chunks of a class may wait. A class that this version does not know is in no hurry.
fn patience_ms(class: i64) -> i64 {
    Class::from_code(class).unwrap_or(Class::Bulk).patience_ms()
}

/// The ledger entries that take money from one fate to another.
fn entries_of(before: Money, after: Money) -> &'static [EntryKind] {
    match (before, after) {
        (Money::Held, Money::Spent) => &[EntryKind::Settle],
        (Money::Held, Money::Released) => &[EntryKind::Release],
        (Money::Held, Money::Refunded) => &[EntryKind::Settle, EntryKind::Refund],
        (Money::Spent, Money::Refunded) => &[EntryKind::Refund],
        _ => &[],
    }
}

/// The same recipients as ranges that do not overlap, so that each recipient is counted and paid once: two reports in one
/// call may name the same recipient.
fn disjoint(ranges: &[Range]) -> Vec<Range> {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    let mut disjoint: Vec<Range> = Vec::with_capacity(sorted.len());
    for (message, first, last) in sorted {
        match disjoint.last_mut() {
            Some(before) if before.0 == message && first <= before.2 => before.2 = before.2.max(last),
            _ => disjoint.push((message, first, last)),
        }
    }
    disjoint
}

/// Indexes of one message as ranges: those of a chunk are mostly consecutive.
pub(super) fn ranges(message: i64, indexes: &[u32]) -> Vec<Range> {
    let mut sorted = indexes.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| *b <= a.saturating_add(1));
    runs.filter_map(|run| Some((message, *run.first()?, *run.last()?)))
        .collect()
}

/// The indexes of a chunk's recipients in one status.
fn waiting_in(sql: &impl Sql, place: Place, status: RecipientStatus) -> Result<Vec<u32>, PortError> {
    let rows = sql.exec(
        "SELECT r.idx FROM chunk c CROSS JOIN recipient r \
           ON r.message = c.message AND r.idx BETWEEN c.first AND c.last AND r.chunk = c.number \
         WHERE c.message = ?1 AND c.number = ?2 AND r.status = ?3",
        &[place.0.into(), place.1.into(), status.code().into()],
    )?;
    rows.iter().map(|row| row.u32(0)).collect()
}

/// A chunk's queued recipients, `(index, msisdn)`.
pub(super) fn queued_in(sql: &impl Sql, place: Place) -> Result<Vec<(u32, u64)>, PortError> {
    let rows = sql.exec(
        "SELECT json_group_array(json_array(r.idx, r.msisdn)) FROM chunk c CROSS JOIN recipient r \
           ON r.message = c.message AND r.idx BETWEEN c.first AND c.last AND r.chunk = c.number \
         WHERE c.message = ?1 AND c.number = ?2 AND r.status = ?3",
        &[place.0.into(), place.1.into(), RecipientStatus::Queued.code().into()],
    )?;
    let list = rows.first().map_or(Ok("[]".to_owned()), |row| row.text(0))?;
    serde_json::from_str(&list).map_err(|error| PortError::json("sql", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_overlap_are_one_and_those_of_other_messages_stay() {
        assert_eq!(disjoint(&[]), []);
        assert_eq!(
            disjoint(&[(8, 1, 2), (7, 4, 9), (7, 0, 4), (7, 5, 6), (7, 10, 10), (8, 1, 2)]),
            [(7, 0, 9), (7, 10, 10), (8, 1, 2)]
        );
        assert_eq!(
            disjoint(&[(7, 0, u32::MAX), (7, u32::MAX, u32::MAX)]),
            [(7, 0, u32::MAX)]
        );
    }

    #[test]
    fn indexes_that_follow_one_another_are_one_range() {
        assert_eq!(ranges(7, &[]), []);
        assert_eq!(ranges(7, &[3, 1, 2, 9, 2]), [(7, 1, 3), (7, 9, 9)]);
        assert_eq!(ranges(7, &[u32::MAX, 0]), [(7, 0, 0), (7, u32::MAX, u32::MAX)]);
    }
}
