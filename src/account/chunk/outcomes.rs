//! What became of claimed chunks: a carrier's answers, calls that failed, claims that nobody ended.

use std::collections::{BTreeMap, BTreeSet};

use super::dead_letters::{self, Kind};
use super::stalled;
use super::transitions::{Range, To, Transitions, ranges};
use crate::account::record::chunk::handover::{Answer, ChunkRef, Outcomes};
use crate::account::record::chunk::row::Chunk;
use crate::account::record::chunk::{ChunkId, ChunkState, LEASE_MS};
use crate::account::record::message::delivery_error::Cause;
use crate::account::record::message::row::Halt;
use crate::account::record::message::status::RecipientStatus;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// How often a chunk may fail before the object gives it up: after about half an hour with a carrier that is down.
pub const MAX_FAILURES: u32 = 12;
/// What operators read of a chunk that carriers refused each time.
const REFUSED: &str = "the carrier refused it for now, each time";
const FIRST_BACKOFF_MS: i64 = 2_000;
const LONGEST_BACKOFF_MS: i64 = 600_000;
/// How long a chunk waits at least for a carrier without room, ms.
const SHORTEST_WAIT_MS: i64 = 100;

/// How long a chunk waits after its `failures`-th failure, ms.
pub fn backoff_ms(failures: u32) -> i64 {
    let doublings = failures.saturating_sub(1).min(20);
    (FIRST_BACKOFF_MS << doublings).min(LONGEST_BACKOFF_MS)
}

/// Who had the claims that end.
#[derive(Debug, Clone, Copy, Default)]
pub struct By<'a> {
    /// The carrier.
    pub carrier: &'a str,
    /// Whether another carrier can take what this one refused for now.
    pub has_other: bool,
}

/// Notes what a carrier answered. After the lease of a claim has ended, its answer counts only where it says that the carrier
/// took a recipient, or how one ended that it took. The rest is ignored, because a newer claim of the chunk may be under way.
pub fn record(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    by: By<'_>,
    answers: &[(ChunkRef, Answer)],
) -> Result<(), PortError> {
    let ids: Vec<ChunkId> = answers.iter().map(|(claim, _)| claim.id()).collect();
    let mut transitions = Transitions::load(sql, &ids)?;
    let current = |(claim, _): &&(ChunkRef, Answer)| is_current(&transitions, *claim);
    let current: Vec<&(ChunkRef, Answer)> = answers.iter().filter(current).collect();
    let to = |status, cause| To {
        status,
        cause,
        carrier: Some(by.carrier),
        is_presumed: false,
    };
    let (mut taken, ended): (Vec<Range>, _) = (answers.iter().flat_map(taken).collect(), ended(answers));
    if ended.len() > 1 {
        // The ledger has one entry for what the carrier took, however many endings there are.
        taken.extend(ended.values().flatten());
    }
    transitions.advance(sql, work, &taken, to(RecipientStatus::Submitted, None))?;
    for (cause, refused) in refused(&current) {
        let to = to(RecipientStatus::Rejected, Some(cause));
        transitions.advance(sql, work, &refused, to)?;
    }
    let no_answer = no_answer(&current);
    transitions.advance(sql, work, &no_answer, to(RecipientStatus::Unknown, None))?;
    for ((status, cause), ended) in &ended {
        transitions.advance(sql, work, ended, to(*status, *cause))?;
    }
    let mut ending = Ending::of(sql, work, transitions);
    ending.by = by;
    for (claim, answer) in current {
        match answer {
            Answer::Outcomes(outcomes) => ending.answered(claim.id(), outcomes)?,
            Answer::Busy(until_ms) => ending.busy(
                claim.id(),
                (*until_ms).max(ending.work.now_ms.saturating_add(SHORTEST_WAIT_MS)),
            ),
            // The dispatcher leaves the carrier alone until then. The chunk itself may go by another one at once.
            Answer::Down(_) => ending.busy(claim.id(), ending.work.now_ms),
            Answer::Late => ending.refused_for_now(claim.id())?,
        }
    }
    ending.finish()
}

/// Notes that a call to a carrier failed as a whole: the carrier may have recipients of these chunks or not.
pub fn record_failure(sql: &impl Sql, work: &mut UnitOfWork, claims: &[ChunkRef]) -> Result<(), PortError> {
    let ids: Vec<ChunkId> = claims.iter().map(|claim| claim.id()).collect();
    let transitions = Transitions::load(sql, &ids)?;
    let current: Vec<&ChunkRef> = claims
        .iter()
        .filter(|claim| is_current(&transitions, **claim))
        .collect();
    let mut ending = Ending::of(sql, work, transitions);
    for claim in current {
        ending.doubt(claim.id())?;
    }
    ending.finish()
}

/// Brings back a claim whose lease ended without an answer: most likely the process was killed.
pub fn lease_ended(sql: &impl Sql, work: &mut UnitOfWork, id: ChunkId) -> Result<(), PortError> {
    let transitions = Transitions::load(sql, &[id])?;
    let mut ending = Ending::of(sql, work, transitions);
    ending.doubt(id)?;
    ending.finish()
}

/// Gives up chunks that no carrier took in time.
pub fn give_up_overdue(sql: &impl Sql, work: &mut UnitOfWork, ids: &[ChunkId]) -> Result<(), PortError> {
    let transitions = Transitions::load(sql, ids)?;
    let mut ending = Ending::of(sql, work, transitions);
    ending.is_overdue = true;
    for id in ids {
        ending.give_up(*id)?;
    }
    ending.finish()
}

fn outcomes(answer: &Answer) -> Option<&Outcomes> {
    match answer {
        Answer::Outcomes(outcomes) => Some(outcomes),
        Answer::Busy(_) | Answer::Down(_) | Answer::Late => None,
    }
}

fn is_current(transitions: &Transitions, claim: ChunkRef) -> bool {
    let chunk = transitions.chunks.get(&claim.id());
    chunk.is_some_and(|chunk| chunk.state == ChunkState::Claimed && chunk.attempt == claim.attempt)
}

fn taken((claim, answer): &(ChunkRef, Answer)) -> Vec<Range> {
    let taken = outcomes(answer).map_or(&[][..], |outcomes| &outcomes.taken);
    let indexes: Vec<u32> = taken.iter().map(|(index, _)| *index).collect();
    ranges(claim.message, &indexes)
}

/// The recipients that the carrier took and that have ended, by status and cause. A status that does not say that the carrier
/// took them is none of these.
fn ended(answers: &[(ChunkRef, Answer)]) -> BTreeMap<(RecipientStatus, Option<&Cause>), Vec<Range>> {
    let mut all: BTreeMap<(RecipientStatus, Option<&Cause>), Vec<Range>> = BTreeMap::new();
    for (claim, answer) in answers {
        let ended = outcomes(answer).map_or(&[][..], |outcomes| &outcomes.ended);
        for one in ended.iter().filter(|one| one.status.is_taken()) {
            let alike = all.entry((one.status, one.cause.as_ref())).or_default();
            alike.extend(ranges(claim.message, &one.indexes));
        }
    }
    all
}

/// The recipients that were refused for good, by cause.
fn refused<'a>(answers: &[&'a (ChunkRef, Answer)]) -> BTreeMap<&'a Cause, Vec<Range>> {
    let mut refused: BTreeMap<&Cause, Vec<Range>> = BTreeMap::new();
    for (claim, answer) in answers {
        for (index, cause) in outcomes(answer).map_or(&[][..], |outcomes| &outcomes.refused) {
            refused.entry(cause).or_default().push((claim.message, *index, *index));
        }
    }
    refused
}

fn no_answer(answers: &[&(ChunkRef, Answer)]) -> Vec<Range> {
    let of_answer = |(claim, answer): &&(ChunkRef, Answer)| {
        outcomes(answer).map_or(Vec::new(), |outcomes| ranges(claim.message, &outcomes.no_answer))
    };
    answers.iter().flat_map(of_answer).collect()
}

/// Claims that end now.
struct Ending<'a, S: Sql> {
    sql: &'a S,
    work: &'a mut UnitOfWork,
    by: By<'a>,
    /// Whether the chunks end because they have waited too long.
    is_overdue: bool,
    transitions: Transitions,
}

impl<'a, S: Sql> Ending<'a, S> {
    fn of(sql: &'a S, work: &'a mut UnitOfWork, transitions: Transitions) -> Self {
        Ending {
            sql,
            work,
            by: By::default(),
            is_overdue: false,
            transitions,
        }
    }

    /// The carrier answered: what it refused for now is tried again later, and what only had no turn at once.
    fn answered(&mut self, id: ChunkId, outcomes: &Outcomes) -> Result<(), PortError> {
        let left: BTreeSet<u32> = outcomes.not_now.iter().chain(&outcomes.waiting).copied().collect();
        let named = i64::try_from(left.len()).unwrap_or(i64::MAX);
        if self
            .transitions
            .chunks
            .get(&id)
            .is_some_and(|chunk| chunk.queued > named)
        {
            // The carrier may have a recipient that it does not name.
            let unnamed = self.transitions.queued_in(id).into_iter();
            let indexes: Vec<u32> = unnamed
                .map(|(index, _)| index)
                .filter(|index| !left.contains(index))
                .collect();
            let to = To {
                carrier: Some(self.by.carrier),
                ..RecipientStatus::Unknown.into()
            };
            self.transitions
                .advance(self.sql, self.work, &ranges(id.0, &indexes), to)?;
        }
        if let Some(chunk) = self.transitions.chunks.get_mut(&id) {
            chunk.doubt_ms = None;
        }
        if outcomes.not_now.is_empty() && !outcomes.waiting.is_empty() {
            self.busy(id, self.work.now_ms);
            Ok(())
        } else {
            self.refused_for_now(id)
        }
    }

    /// What is left of the chunk is tried again: the first time at once if another carrier is there, else later with each
    /// failure.
    fn refused_for_now(&mut self, id: ChunkId) -> Result<(), PortError> {
        let failures = self.transitions.chunks.get(&id).map_or(0, |chunk| chunk.failures);
        let wait_ms = if failures == 0 && self.by.has_other {
            0
        } else {
            backoff_ms(failures.saturating_add(1))
        };
        self.fail(id, self.work.now_ms.saturating_add(wait_ms))
    }

    /// The carrier has no room: that is no failure of the chunk.
    fn busy(&mut self, id: ChunkId, until_ms: i64) {
        let latest_ms = self.work.now_ms.saturating_add(LONGEST_BACKOFF_MS);
        if let Some(chunk) = self.transitions.chunks.get_mut(&id) {
            chunk.state = ChunkState::Ready;
            chunk.due_ms = until_ms.clamp(self.work.now_ms, latest_ms);
        }
    }

    /// Nobody knows what became of the claim. The first time it is due again at once.
    fn doubt(&mut self, id: ChunkId) -> Result<(), PortError> {
        let Some(chunk) = self.transitions.chunks.get_mut(&id) else {
            return Ok(());
        };
        // A claim is due again when its lease ends.
        chunk.doubt_ms = chunk.doubt_ms.or(Some(chunk.due_ms.saturating_sub(LEASE_MS)));
        let wait_ms = match chunk.failures {
            0 => 0,
            failures => backoff_ms(failures),
        };
        self.fail(id, self.work.now_ms.saturating_add(wait_ms))
    }

    /// Makes the chunk ready again at `due_ms`, if it still has recipients to hand over, or gives it up.
    fn fail(&mut self, id: ChunkId, due_ms: i64) -> Result<(), PortError> {
        let Some(chunk) = self.transitions.chunks.get_mut(&id) else {
            return Ok(());
        };
        chunk.state = ChunkState::Ready;
        if chunk.queued == 0 {
            return Ok(());
        }
        chunk.due_ms = due_ms;
        chunk.failures = chunk.failures.saturating_add(1);
        if chunk.failures < MAX_FAILURES {
            Ok(())
        } else {
            self.give_up(id)
        }
    }

    /// Gives up the recipients that are left. Those that the carrier may have become UNKNOWN. The others wait for an operator
    /// for as long as they may wait at all, and become REJECTED then.
    fn give_up(&mut self, id: ChunkId) -> Result<(), PortError> {
        let Some(chunk) = self.transitions.chunks.get_mut(&id) else {
            return Ok(());
        };
        chunk.state = ChunkState::Ready;
        // What has expired is canceled in the end.
        let is_over = chunk.doubt_ms.is_none() && self.transitions.has_expired(id.0, self.work.now_ms);
        let Some(chunk) = self
            .transitions
            .chunks
            .get_mut(&id)
            .filter(|chunk| chunk.queued > 0 && !is_over)
        else {
            return Ok(());
        };
        let (status, reason) = match (chunk.doubt_ms.is_some(), self.is_overdue) {
            (true, _) => (RecipientStatus::Unknown, "the carrier did not answer"),
            (false, true) => (RecipientStatus::Rejected, "no carrier took it in time"),
            (false, false) => (RecipientStatus::Rejected, REFUSED),
        };
        if status == RecipientStatus::Rejected && chunk.patience_ends_ms() > self.work.now_ms {
            chunk.state = ChunkState::Parked;
            chunk.due_ms = chunk.patience_ends_ms();
            return stalled::note_parked(self.sql, self.work.now_ms, (id, chunk.queued), REFUSED);
        }
        dead_letters::insert(self.sql, self.work.now_ms, (id, chunk.queued), Kind::GivenUp, reason)?;
        self.transitions.end(self.sql, self.work, id, |_| status)
    }

    /// Cancels what has come back of messages that an operator or their sender has canceled, or that have expired, and whose number
    /// was erased meanwhile; lets what is paused wait; and writes everything. Of a chunk in doubt, its carrier is asked first.
    fn finish(mut self) -> Result<(), PortError> {
        let (through, now_ms) = (self.work.account.canceled_through, self.work.now_ms);
        let is_back = |(_, chunk): &(&ChunkId, &Chunk)| {
            let waits = matches!(chunk.state, ChunkState::Ready | ChunkState::Parked);
            waits && chunk.queued > 0 && chunk.doubt_ms.is_none()
        };
        let back = self.transitions.chunks.iter().filter(is_back);
        let back: Vec<ChunkId> = back.map(|(id, _)| *id).collect();
        for id in back {
            let halt = self.transitions.halt(id.0);
            let is_over = id.0 <= through || halt == Some(Halt::Canceled);
            if is_over || self.transitions.has_expired(id.0, now_ms) {
                self.transitions.cancel(self.sql, self.work, id)?;
                continue;
            }
            if halt == Some(Halt::Paused) {
                self.transitions.pause(id);
            }
            self.transitions.cancel_erased(self.sql, self.work, id)?;
        }
        self.transitions.await_reports_if_handed(self.work.now_ms);
        self.transitions.save(self.sql)
    }
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
