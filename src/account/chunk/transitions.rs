//! Transitions of recipients. Whatever changes a recipient's status does it here, together with its money, its chunk's counts,
//! the usage of the day and the events that tell of it.
//!
//! The invariants: a recipient's money is resolved exactly once, and its status only moves forward. `may_move` decides it for
//! each recipient of the loaded document, by [`RecipientStatus::sources`]: so a report that is late or comes twice finds nobody
//! to move.

use std::collections::{BTreeMap, BTreeSet};

use crate::account::outbox::{callbacks, events};
use crate::account::record::chunk::handover::has_expired;
use crate::account::record::chunk::loaded::{self, Message};
use crate::account::record::chunk::recipients::{NO_NUMBER, Recipient};
use crate::account::record::chunk::row::{Chunk, Document};
use crate::account::record::chunk::{ChunkId, ChunkState, REPORT_DEADLINE_MS, row};
use crate::account::record::key_usage::SentSums;
use crate::account::record::ledger::EntryKind;
use crate::account::record::message::delivery_error::{Cause, DeliveryError};
use crate::account::record::message::row::Halt;
use crate::account::record::message::simulation;
use crate::account::record::message::status::{Money, RecipientStatus};
use crate::account::record::usage_totals::{Amount, Key, Totals};
use crate::account::sources;
use crate::account::unit_of_work::UnitOfWork;
use crate::account::wallet::posting;
use crate::base::metrics::work::ReportWaits;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// Recipients of one message from the first to the last index, both included.
pub type Range = (i64, u32, u32);

/// Messages and chunks, loaded together, changed in memory and saved together. A bundle carries many small messages, and a
/// statement for each of them would be most of the work.
#[derive(Default)]
pub struct Transitions {
    loaded: BTreeSet<ChunkId>,
    messages: BTreeMap<i64, Message>,
    /// The chunks that have not ended.
    pub(super) chunks: BTreeMap<ChunkId, Chunk>,
    /// The recipients of all loaded chunks.
    documents: BTreeMap<ChunkId, Document>,
    /// How many recipients have moved.
    moved: i64,
    /// How long the reports took that came of them.
    waits: ReportWaits,
}

impl Message {
    /// Counts what moves under this carrier, and the money of it that goes back under its sender.
    fn count(&self, work: &mut UnitOfWork, carrier: &str, change: &Totals) {
        work.account.usage.add(self.usage_key(carrier), change);
        if let Some(sender) = self.sender
            && change.returned != 0
        {
            let returned = SentSums {
                returned: change.returned,
                ..SentSums::default()
            };
            work.account.key_usage.add((self.day, sender, self.is_test), &returned);
        }
    }

    /// Under which key its usage by a carrier counts; the empty name stands for none.
    fn usage_key(&self, carrier: &str) -> Key {
        (self.day, self.line.clone(), carrier.to_owned(), self.is_test)
    }
}

/// Recipients of one chunk that move together: they have the same status, money and carrier, which is empty for none.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    id: ChunkId,
    from: i64,
    money: i64,
    carrier: String,
}

/// The indexes and numbers of recipients, by message and carrier.
type OfMessages = events::Recipients;

/// Recipients by the groups in which they move, and by their messages and carriers.
#[derive(Default)]
struct Moving {
    /// How many they are, and what they have.
    groups: BTreeMap<Group, Amount>,
    /// All of them.
    messages: OfMessages,
    /// Those of them that their carrier takes with this move.
    taken: OfMessages,
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
    /// Whether it holds only for those that the carrier has taken whole. Of one that is `UNKNOWN`, a part may be missing.
    pub is_presumed: bool,
}

impl From<RecipientStatus> for To<'_> {
    fn from(status: RecipientStatus) -> Self {
        To {
            status,
            cause: None,
            carrier: None,
            is_presumed: false,
        }
    }
}

impl To<'_> {
    /// The carrier that recipients have afterwards who had this one before; empty for none.
    fn carrier_after<'a>(&'a self, before: &'a str) -> &'a str {
        if before.is_empty() {
            self.carrier.unwrap_or_default()
        } else {
            before
        }
    }

    /// Whether the carrier of recipients takes them with this move. A report may say so before the carrier's answer does.
    fn is_take(&self, from: RecipientStatus, carrier: &str) -> bool {
        self.status.is_taken() && !from.is_taken() && !self.carrier_after(carrier).is_empty()
    }

    /// Whether a carrier says how recipients ended.
    fn is_report(&self) -> bool {
        self.status.is_final() && self.carrier.is_some() && !self.is_presumed
    }

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

impl Fate {
    fn of(&self, money: Money) -> Money {
        match money {
            Money::Held => self.held,
            Money::Spent => self.spent,
            settled => settled,
        }
    }
}

impl Transitions {
    /// Loads chunks and their messages.
    pub fn load(sql: &impl Sql, ids: &[ChunkId]) -> Result<Transitions, PortError> {
        let mut transitions = Transitions::default();
        transitions.load_more(sql, ids.iter().copied().collect())?;
        Ok(transitions)
    }

    fn load_more(&mut self, sql: &impl Sql, ids: BTreeSet<ChunkId>) -> Result<(), PortError> {
        let missing: BTreeSet<ChunkId> = ids.difference(&self.loaded).copied().collect();
        for (id, loaded) in loaded::load(sql, &missing)? {
            self.messages.entry(id.0).or_insert(loaded.message);
            let chunk = Chunk::of(loaded.progress);
            if !chunk.state.is_over() {
                self.chunks.insert(id, chunk);
            }
            let document = Document {
                recipients: loaded.recipients,
                changed: false,
                is_of_campaign: loaded.is_of_campaign,
            };
            self.documents.insert(id, document);
        }
        self.loaded.extend(missing);
        Ok(())
    }

    /// Transitions those of the loaded recipients to `to` that may go there, and resolves their money.
    pub fn advance<'a>(
        &mut self,
        sql: &impl Sql,
        work: &mut UnitOfWork,
        ranges: &[Range],
        to: impl Into<To<'a>>,
    ) -> Result<(), PortError> {
        self.move_to(sql, work, ranges, to.into(), true)
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
        work: &mut UnitOfWork,
        ranges: &[Range],
        to: To<'_>,
        may_refund: bool,
    ) -> Result<(), PortError> {
        if ranges.is_empty() {
            return Ok(());
        }
        let ranges = by_message(&disjoint(ranges));
        let moving = self.moving(&ranges, &to);
        if moving.groups.is_empty() {
            return Ok(());
        }
        let mut entries = Vec::new();
        for (group, amount) in &moving.groups {
            let kinds = self.count_group(work, group, *amount, &to, may_refund)?;
            entries.extend(kinds.iter().map(|kind| (*kind, amount.cost, group.id.0)));
        }
        // The event of the take comes before that of the ending, if one move brings both.
        let take = (&moving.taken, RecipientStatus::Submitted, None);
        let ending = (&moving.messages, to.status, to.error());
        let moves = match to.status {
            RecipientStatus::Submitted => vec![take],
            _ => vec![take, ending],
        };
        events::note_moves(sql, work, &moves)?;
        callbacks::note_moves(sql, work, &moves, |message| self.has_callback(message))?;
        self.change(work.now_ms, &ranges, &to, may_refund);
        if to.status == RecipientStatus::Canceled {
            let touched: BTreeSet<ChunkId> = moving.groups.keys().map(|group| group.id).collect();
            self.end_canceled(&touched);
        }
        posting::resolve(sql, work, &entries)?;
        self.await_reports_if_handed(work.now_ms);
        Ok(())
    }

    /// Whether a loaded message has expired: nothing of it may leave any more.
    pub(super) fn has_expired(&self, message: i64, now_ms: i64) -> bool {
        let message = self.messages.get(&message);
        message.is_some_and(|message| has_expired(message.expires_ms, now_ms))
    }

    /// Whether the sender of a loaded message has stopped it.
    pub(super) fn halt(&self, message: i64) -> Option<Halt> {
        self.messages.get(&message).and_then(|message| message.halt)
    }

    fn has_callback(&self, message: i64) -> bool {
        self.messages.get(&message).is_some_and(|message| message.has_callback)
    }

    /// How many recipients have moved.
    pub fn moved(&self) -> i64 {
        self.moved
    }

    /// How long the reports took, from the take of each recipient by its carrier.
    pub fn waits(&self) -> &ReportWaits {
        &self.waits
    }

    /// Loads the chunks that have recipients in these ranges: only recipients of loaded chunks move.
    pub fn load_chunks_of(&mut self, sql: &impl Sql, ranges: &[Range]) -> Result<(), PortError> {
        let ranges = by_message(&disjoint(ranges));
        let bounds: Vec<Range> = ranges
            .iter()
            .filter_map(|(message, ranges)| Some((*message, ranges.first()?.0, ranges.last()?.1)))
            .collect();
        let rows = sql.exec(
            "SELECT c.message, c.number FROM json_each(?1) p CROSS JOIN chunk c \
               ON c.message = p.value ->> 0 AND c.first <= p.value ->> 2 AND c.last >= p.value ->> 1",
            &[to_json(&bounds)?.into()],
        )?;
        let ids = rows.iter().map(|row| Ok((row.int(0)?, row.u32(1)?)));
        self.load_more(sql, ids.collect::<Result<_, PortError>>()?)
    }

    /// Those of the recipients that may move to `to`.
    fn moving(&self, ranges: &Ranges, to: &To<'_>) -> Moving {
        let mut moving = Moving::default();
        for (message, ranges) in ranges {
            for (id, document) in self.documents.range((*message, 0)..=(*message, u32::MAX)) {
                let moves = |recipient: &&Recipient| may_move(recipient, ranges, to);
                let moved: Vec<&Recipient> = document.recipients.iter().filter(moves).collect();
                if moved.is_empty() {
                    continue;
                }
                // Most recipients are as the one before: a key for each would cost more than the move.
                for alike in moved.chunk_by(|a, b| kind_of(a) == kind_of(b)) {
                    let Some(first) = alike.first() else { continue };
                    let (from, money, carrier) = kind_of(first);
                    let carrier = carrier.unwrap_or_default();
                    let group = Group {
                        id: *id,
                        from,
                        money,
                        carrier: carrier.to_owned(),
                    };
                    moving.groups.entry(group).or_default().add(alike);
                    let of = (*message, to.carrier_after(carrier));
                    if to.is_take(first.status, carrier) {
                        add_all(&mut moving.taken, of, alike);
                    }
                    add_all(&mut moving.messages, of, alike);
                }
            }
        }
        for recipients in moving.messages.values_mut().chain(moving.taken.values_mut()) {
            recipients.sort_unstable();
        }
        moving
    }

    /// Counts recipients that move together. Gives the ledger entries that their money needs.
    fn count_group(
        &mut self,
        work: &mut UnitOfWork,
        group: &Group,
        amount: Amount,
        to: &To<'_>,
        may_refund: bool,
    ) -> Result<&'static [EntryKind], PortError> {
        let id = group.id;
        let unknown = || PortError::failed("sql", "a recipient's status or money is unknown");
        let from = RecipientStatus::from_code(group.from).ok_or_else(unknown)?;
        let money = Money::from_code(group.money).ok_or_else(unknown)?;
        self.moved += amount.recipients;
        self.count_move(id, from, to.status, amount.recipients);
        let after = self.fate(id.0, to.status, may_refund).of(money);
        self.count_usage(work, group, amount, to, (from, money, after));
        Ok(entries_of(money, after))
    }

    /// Transitions those of the recipients that may move.
    fn change(&mut self, now_ms: i64, ranges: &Ranges, to: &To<'_>, may_refund: bool) {
        for (message, ranges) in ranges {
            let fate = self.fate(*message, to.status, may_refund);
            for (_, document) in self.documents.range_mut((*message, 0)..=(*message, u32::MAX)) {
                for recipient in &mut document.recipients {
                    if !may_move(recipient, ranges, to) {
                        continue;
                    }
                    if recipient.status == RecipientStatus::Submitted && to.is_report() {
                        self.waits.note(now_ms.saturating_sub(recipient.changed_ms));
                    }
                    recipient.status = to.status;
                    recipient.money = fate.of(recipient.money);
                    recipient.changed_ms = now_ms;
                    if recipient.carrier.is_none() {
                        recipient.carrier = to.carrier.map(str::to_owned);
                    }
                    recipient.error = to.error().map(|error| error.as_str().to_owned());
                    recipient.error_code = to.cause.and_then(|cause| cause.code.clone());
                    document.changed = true;
                }
            }
        }
    }

    fn count_move(&mut self, id: ChunkId, from: RecipientStatus, to: RecipientStatus, count: i64) {
        let Some(chunk) = self.chunks.get_mut(&id) else {
            return;
        };
        if matches!(from, RecipientStatus::Scheduled | RecipientStatus::Queued) && to != RecipientStatus::Queued {
            chunk.queued -= count;
        }
        if to.is_resting() && !from.is_resting() {
            chunk.active -= count;
        }
        if to.is_final() {
            chunk.open -= count;
        }
    }

    /// Counts a move in the usage of the day. What counted under another carrier before, or under none, counts there no more.
    fn count_usage(
        &self,
        work: &mut UnitOfWork,
        group: &Group,
        amount: Amount,
        to: &To<'_>,
        (from, before, after): (RecipientStatus, Money, Money),
    ) {
        let Some(message) = self.messages.get(&group.id.0) else {
            return;
        };
        let returned = |money: Money| if money.is_returned() { amount.cost } else { 0 };
        let is_take = to.is_take(from, &group.carrier);
        if from.is_resting() {
            let mut change = Totals::default();
            change.add_ended(from, -amount.recipients);
            change.returned = -returned(before);
            message.count(work, &group.carrier, &change);
        }
        if to.status.is_resting() || is_take {
            let mut change = Totals::default();
            change.add_ended(to.status, amount.recipients);
            change.returned = returned(after);
            if is_take {
                change.add(amount);
            }
            let carrier = to.carrier_after(&group.carrier);
            message.count(work, carrier, &change);
        }
    }

    /// Ends the wait for reports. What the carrier took counts as expired without a report, and without a refund; money that is held for
    /// UNKNOWN recipients is released. A report that comes later still moves the status, but no money.
    pub fn expire(&mut self, sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId) -> Result<(), PortError> {
        let submitted = self.indexes_in(id, RecipientStatus::Submitted);
        let ranges = ranges(id.0, &submitted);
        let no_report = DeliveryError::NoReport.into();
        let to = To {
            cause: Some(&no_report),
            ..RecipientStatus::Expired.into()
        };
        self.move_to(sql, work, &ranges, to, false)?;
        self.release_unknown(sql, work, id)?;
        if let Some(chunk) = self.chunks.get_mut(&id) {
            chunk.open = 0;
        }
        Ok(())
    }

    /// Releases the money that is held for the UNKNOWN recipients of a chunk.
    fn release_unknown(&mut self, sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId) -> Result<(), PortError> {
        let mut groups: BTreeMap<String, i64> = BTreeMap::new();
        if let Some(document) = self.documents.get_mut(&id) {
            let is_held = |r: &&mut Recipient| r.status == RecipientStatus::Unknown && r.money == Money::Held;
            for recipient in document.recipients.iter_mut().filter(is_held) {
                recipient.money = Money::Released;
                document.changed = true;
                *groups.entry(recipient.carrier.clone().unwrap_or_default()).or_default() += recipient.cost;
            }
        }
        for (carrier, held) in groups {
            posting::resolve(sql, work, &[(EntryKind::Release, held, id.0)])?;
            if let Some(message) = self.messages.get(&id.0) {
                let change = Totals {
                    returned: held,
                    ..Totals::default()
                };
                message.count(work, &carrier, &change);
            }
        }
        Ok(())
    }

    /// Starts a chunk whose time has come.
    pub fn start(&mut self, sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId) -> Result<(), PortError> {
        if let Some(chunk) = self.chunks.get_mut(&id) {
            chunk.state = ChunkState::Ready;
        }
        let scheduled = self.indexes_in(id, RecipientStatus::Scheduled);
        let ranges = ranges(id.0, &scheduled);
        self.advance(sql, work, &ranges, RecipientStatus::Queued)?;
        sources::forget(sql, id.0)
    }

    /// Lets a chunk that is at rest wait for the sender of its message, who has paused that.
    pub fn pause(&mut self, id: ChunkId) {
        let expires_ms = self.messages.get(&id.0).and_then(|message| message.expires_ms);
        if let Some(chunk) = self.chunks.get_mut(&id) {
            chunk.pause(expires_ms);
        }
    }

    /// Lets a paused chunk go on at once. What a test key sent goes to no carrier: it ends, as the number says.
    pub fn resume(&mut self, sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId) -> Result<(), PortError> {
        if let Some(chunk) = self.chunks.get_mut(&id) {
            chunk.state = ChunkState::Ready;
            chunk.due_ms = work.now_ms;
        }
        if self.messages.get(&id.0).is_some_and(|message| message.is_test) {
            self.end(sql, work, id, simulation::ending)?;
        }
        Ok(())
    }

    /// Gives the queued recipients of a chunk an ending without a carrier, as `ending` says for each number.
    pub fn end(
        &mut self,
        sql: &impl Sql,
        work: &mut UnitOfWork,
        id: ChunkId,
        ending: impl Fn(u64) -> RecipientStatus,
    ) -> Result<(), PortError> {
        let queued = self.queued_in(id);
        for status in RecipientStatus::ALL {
            let of_status = queued.iter().filter(|(_, msisdn)| ending(*msisdn) == status);
            let indexes: Vec<u32> = of_status.map(|(index, _)| *index).collect();
            self.advance(sql, work, &ranges(id.0, &indexes), status)?;
        }
        Ok(())
    }

    /// Cancels the recipients of a chunk that have not left.
    pub fn cancel(&mut self, sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId) -> Result<(), PortError> {
        if let Some(chunk) = self.chunks.get_mut(&id) {
            chunk.state = ChunkState::Ready;
        }
        let waiting = [RecipientStatus::Scheduled, RecipientStatus::Queued];
        let indexes: Vec<u32> = waiting
            .into_iter()
            .flat_map(|status| self.indexes_in(id, status))
            .collect();
        self.advance(sql, work, &ranges(id.0, &indexes), RecipientStatus::Canceled)
    }

    /// Ends those of the chunks of which all recipients are canceled. The others wait for the reports of who has left.
    fn end_canceled(&mut self, ids: &BTreeSet<ChunkId>) {
        let is_canceled = |recipient: &Recipient| recipient.status == RecipientStatus::Canceled;
        for id in ids {
            let is_over = self
                .documents
                .get(id)
                .is_some_and(|document| document.recipients.iter().all(is_canceled));
            if let Some(chunk) = self.chunks.get_mut(id).filter(|_| is_over) {
                chunk.state = ChunkState::Canceled;
            }
        }
    }

    /// Cancels those of a chunk's recipients that were erased while a carrier had them, and have not left.
    pub(super) fn cancel_erased(
        &mut self,
        sql: &impl Sql,
        work: &mut UnitOfWork,
        id: ChunkId,
    ) -> Result<(), PortError> {
        let queued = self.in_status(id, RecipientStatus::Queued);
        let erased = queued.filter(|recipient| recipient.msisdn == NO_NUMBER);
        let indexes: Vec<u32> = erased.map(|recipient| recipient.index).collect();
        self.advance(sql, work, &ranges(id.0, &indexes), RecipientStatus::Canceled)?;
        if let Some(chunk) = self.chunks.get_mut(&id).filter(|chunk| chunk.queued == 0) {
            chunk.state = match chunk.state {
                ChunkState::Parked | ChunkState::Paused => ChunkState::Ready,
                state => state,
            };
        }
        Ok(())
    }

    /// Takes a number out of a chunk, and cancels its recipient if that one has not left. Who is with a carrier, or may be, is
    /// canceled when the chunk comes back without it. Gives the recipient's index; `None`: the chunk does not have it.
    pub fn erase(
        &mut self,
        sql: &impl Sql,
        work: &mut UnitOfWork,
        id: ChunkId,
        msisdn: u64,
    ) -> Result<Option<u32>, PortError> {
        let is_at_rest = self.chunks.get(&id).is_some_and(|chunk| {
            let rests = matches!(
                chunk.state,
                ChunkState::Scheduled | ChunkState::Ready | ChunkState::Parked | ChunkState::Paused
            );
            rests && chunk.doubt_ms.is_none()
        });
        let Some(document) = self.documents.get_mut(&id) else {
            return Ok(None);
        };
        let mut recipients = document.recipients.iter_mut();
        let Some(recipient) = recipients.find(|recipient| recipient.msisdn == msisdn) else {
            return Ok(None);
        };
        let has_left = !matches!(recipient.status, RecipientStatus::Scheduled | RecipientStatus::Queued);
        // The event of the cancel does not have the number either.
        recipient.msisdn = NO_NUMBER;
        document.changed = true;
        let index = recipient.index;
        if !has_left && is_at_rest {
            self.advance(sql, work, &ranges(id.0, &[index]), RecipientStatus::Canceled)?;
        }
        Ok(Some(index))
    }

    fn in_status(&self, id: ChunkId, status: RecipientStatus) -> impl Iterator<Item = &Recipient> {
        let recipients = self.documents.get(&id).map(|document| document.recipients.iter());
        recipients
            .into_iter()
            .flatten()
            .filter(move |recipient| recipient.status == status)
    }

    /// The indexes of a loaded chunk's recipients in one status.
    pub(super) fn indexes_in(&self, id: ChunkId, status: RecipientStatus) -> Vec<u32> {
        self.in_status(id, status).map(|recipient| recipient.index).collect()
    }

    /// A loaded chunk's queued recipients, `(index, msisdn)`.
    pub(super) fn queued_in(&self, id: ChunkId) -> Vec<(u32, u64)> {
        let queued = self.in_status(id, RecipientStatus::Queued);
        queued.map(|recipient| (recipient.index, recipient.msisdn)).collect()
    }

    /// A chunk with no recipient left to hand over waits for reports only.
    pub(super) fn await_reports_if_handed(&mut self, now_ms: i64) {
        for chunk in self.chunks.values_mut() {
            chunk.await_reports_if_handed(now_ms);
        }
    }

    /// Waits on for the reports of a chunk, until the deadline after its last move.
    pub fn wait_on(&mut self, id: ChunkId) {
        let recipients = self.documents.get(&id).map(|document| &document.recipients);
        let moved_ms = recipients
            .into_iter()
            .flatten()
            .map(|recipient| recipient.changed_ms)
            .max();
        if let Some(chunk) = self.chunks.get_mut(&id) {
            chunk.due_ms = moved_ms.unwrap_or(0).saturating_add(REPORT_DEADLINE_MS);
        }
    }

    /// Writes everything back. A chunk with nothing open ends.
    pub fn save(self, sql: &impl Sql) -> Result<(), PortError> {
        row::write(sql, &self.chunks, &self.documents)
    }
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

/// Ranges of indexes by message, sorted; they do not overlap.
type Ranges = BTreeMap<i64, Vec<(u32, u32)>>;

fn by_message(ranges: &[Range]) -> Ranges {
    let mut by_message = Ranges::new();
    for (message, first, last) in ranges {
        by_message.entry(*message).or_default().push((*first, *last));
    }
    by_message
}

impl Amount {
    fn add(&mut self, recipients: &[&Recipient]) {
        self.recipients += i64::try_from(recipients.len()).unwrap_or(i64::MAX);
        self.parts += recipients
            .iter()
            .map(|recipient| i64::from(recipient.parts))
            .sum::<i64>();
        self.cost += recipients.iter().map(|recipient| recipient.cost).sum::<i64>();
    }
}

fn add_all(of_messages: &mut OfMessages, (message, carrier): (i64, &str), recipients: &[&Recipient]) {
    let recipients = recipients.iter().map(|recipient| (recipient.index, recipient.msisdn));
    let own = of_messages.entry((message, carrier.to_owned())).or_default();
    own.extend(recipients);
}

/// A recipient's status, money and carrier.
fn kind_of(recipient: &Recipient) -> (i64, i64, Option<&str>) {
    let carrier = recipient.carrier.as_deref();
    (recipient.status.code(), recipient.money.code(), carrier)
}

/// Whether a recipient is in one of the ranges, and may move to a status.
fn may_move(recipient: &Recipient, ranges: &[(u32, u32)], to: &To<'_>) -> bool {
    let at = ranges.partition_point(|(_, last)| *last < recipient.index);
    let is_named = ranges.get(at).is_some_and(|(first, _)| *first <= recipient.index);
    let is_whole = recipient.status == RecipientStatus::Submitted;
    is_named && (is_whole || !to.is_presumed) && to.status.sources().contains(&recipient.status)
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
