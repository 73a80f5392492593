//! What an object of the kind `smpp` has in memory: who waits, whether there is a session, and how it does.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::binds;
use super::in_flight::{InFlight, Notes};
use super::job::QueuedRecipient;
use crate::base::ports::{PortError, Sql};
use crate::carrier::circuit_breaker::CircuitBreaker;
use crate::carrier::fair_queue::FairQueue;
use crate::carrier::health::{Health, State};
use crate::carrier::notify::Notify;
use crate::directory::carriers::Carrier;

/// Recipients of one priority that may wait for their turn.
const QUEUED: usize = 20_000;
/// A shift that has shown no sign of life for so long was dropped by the runtime, ms.
const DEAD_MS: i64 = 30_000;
/// How long the carrier's session stands before it counts as a success, ms.
const STEADY_MS: i64 = 30_000;
const SECONDS_A_MINUTE: usize = 60;

/// A chunk: account, message and number.
pub type ChunkKey = (Rc<str>, i64, u32);

/// How an object is connected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// It is not.
    #[default]
    Idle,
    /// It is about to be.
    Connecting,
    /// It is bound since this time, ms since the Unix epoch.
    Bound(i64),
    /// It will try again at this time, ms since the Unix epoch.
    Waiting(i64),
}

/// What an object of the kind has in memory.
#[derive(Debug)]
pub struct Sender {
    pub(super) queue: RefCell<FairQueue<QueuedRecipient>>,
    pub(super) circuit: CircuitBreaker,
    pub(super) phase: Cell<Phase>,
    /// Rings when something is to be done.
    pub(super) notify: Notify,
    /// The newest version of the carrier.
    pub(super) carrier: RefCell<Option<Rc<Carrier>>>,
    /// Whether the carrier has fewer sessions now than it had when this object was called first.
    is_surplus: Cell<bool>,
    /// The chunks that are being sent, and until when at most, ms since the Unix epoch. The
    /// runtime may drop a call without a word.
    pub(super) live: RefCell<BTreeMap<ChunkKey, i64>>,
    /// Sessions in a row that did not come to stand.
    pub(super) failures: Cell<u32>,
    /// The number of the shift that is at work, and when it has last shown a sign of life.
    shift: Cell<u64>,
    seen_ms: Cell<Option<i64>>,
    in_window: Cell<usize>,
    throttled_ms: Cell<i64>,
    last_success_ms: Cell<Option<i64>>,
    last_error: RefCell<Option<(i64, String)>>,
    /// The messages that the carrier took, counted by second.
    taken: RefCell<VecDeque<(i64, u32)>>,
}

impl Default for Sender {
    fn default() -> Self {
        Sender {
            queue: RefCell::new(FairQueue::with_limit(QUEUED)),
            circuit: CircuitBreaker::default(),
            phase: Cell::default(),
            notify: Notify::default(),
            carrier: RefCell::default(),
            is_surplus: Cell::default(),
            live: RefCell::default(),
            failures: Cell::default(),
            shift: Cell::default(),
            seen_ms: Cell::default(),
            in_window: Cell::default(),
            throttled_ms: Cell::default(),
            last_success_ms: Cell::default(),
            last_error: RefCell::default(),
            taken: RefCell::default(),
        }
    }
}

/// A shift. It ends when this is dropped.
pub struct OnShift<'a> {
    worker: &'a Sender,
    /// Its number.
    pub number: u64,
}

/// The object's own name.
fn own_name(sql: &impl Sql) -> Result<String, PortError> {
    let rows = sql.exec("SELECT name FROM carrier", &[])?;
    let name = rows.first().map_or(Ok(None), |row| row.opt_text(0))?;
    Ok(name.unwrap_or_default())
}

impl Drop for OnShift<'_> {
    fn drop(&mut self) {
        if self.worker.shift.get() == self.number {
            self.worker.seen_ms.set(None);
            self.worker.phase.set(Phase::Idle);
            self.worker.in_window.set(0);
        }
    }
}

impl Sender {
    /// Works with this version of the carrier from now on. A change may have mended what was wrong.
    pub(super) fn take_over(&self, sql: &impl Sql, now_ms: i64, carrier: &Carrier) -> Result<(), PortError> {
        let is_same = self.carrier.borrow().as_ref().is_some_and(|known| **known == *carrier);
        if !is_same {
            binds::note(sql, now_ms, binds::binds_of(carrier))?;
            let names = binds::object_names(carrier, false);
            self.is_surplus.set(!names.contains(&own_name(sql)?));
            self.carrier.replace(Some(Rc::new(carrier.clone())));
            self.circuit.succeed();
            self.failures.set(0);
            self.notify.ring();
        }
        Ok(())
    }

    /// The carrier, if it is in service and this object is one of those that hold its sessions.
    pub(super) fn in_service(&self) -> Option<Rc<Carrier>> {
        let carrier = self.carrier.borrow().clone();
        carrier.filter(|carrier| carrier.is_in_service() && !self.is_surplus.get())
    }

    /// Whether a session of this version of the carrier is to end.
    pub(super) fn is_changed(&self, carrier: &Rc<Carrier>) -> bool {
        self.in_service().is_none_or(|newest| newest != *carrier)
    }

    /// Begins a shift. `None`: one is at work.
    pub(super) fn begin_shift(&self, now_ms: i64) -> Option<OnShift<'_>> {
        if self.is_at_work(now_ms) {
            return None;
        }
        let number = self.shift.get() + 1;
        self.shift.set(number);
        self.seen_ms.set(Some(now_ms));
        Some(OnShift { worker: self, number })
    }

    /// Whether a shift is at work.
    pub(super) fn is_at_work(&self, now_ms: i64) -> bool {
        self.seen_ms
            .get()
            .is_some_and(|seen_ms| now_ms < seen_ms.saturating_add(DEAD_MS))
    }

    /// A shift shows a sign of life. `false`: another one has begun meanwhile.
    pub(super) fn is_on_shift(&self, number: u64, now_ms: i64) -> bool {
        let is_on = self.shift.get() == number;
        if is_on {
            self.seen_ms.set(Some(now_ms));
        }
        is_on
    }

    /// The session stands.
    pub(super) fn note_bound(&self, now_ms: i64) {
        self.phase.set(Phase::Bound(now_ms));
        self.circuit.succeed();
    }

    /// A session has ended that stood for some time: the next one is tried soon.
    pub(super) fn note_end(&self, now_ms: i64) {
        if let Phase::Bound(since_ms) = self.phase.get()
            && (now_ms >= since_ms.saturating_add(STEADY_MS) || self.last_success_ms.get() >= Some(since_ms))
        {
            self.failures.set(0);
        }
        self.in_window.set(0);
        self.throttled_ms.set(0);
    }

    /// Something has failed.
    pub(super) fn note_error(&self, now_ms: i64, error: &str) {
        self.last_error.replace(Some((now_ms, error.to_owned())));
    }

    /// Notes how the carrier has answered, before anything more leaves.
    pub(super) fn note_answers(&self, now_ms: i64, notes: &Notes) {
        if let Some(failure) = &notes.failure {
            // Each counts: a whole window without an answer must not be followed by another.
            (0..notes.failures).for_each(|_| self.circuit.fail(now_ms));
            self.note_error(now_ms, failure);
        }
        if notes.successes > 0 {
            self.circuit.succeed();
            self.last_success_ms.set(Some(now_ms));
        }
    }

    /// Notes what a turn has brought.
    pub(super) fn note(&self, now_ms: i64, notes: &Notes, link: &InFlight) {
        self.in_window.set(link.in_window());
        let throttled_ms = link.throttled_until(now_ms).unwrap_or(0);
        if throttled_ms > self.throttled_ms.get() {
            self.note_error(now_ms, "the carrier was sent too much");
        }
        self.throttled_ms.set(throttled_ms);
        if notes.messages > 0 {
            let mut taken = self.taken.borrow_mut();
            match taken.back_mut() {
                Some((second, count)) if *second == now_ms / 1_000 => *count += notes.messages,
                _ => taken.push_back((now_ms / 1_000, notes.messages)),
            }
            while taken.len() > SECONDS_A_MINUTE {
                taken.pop_front();
            }
        }
    }

    /// How many recipients may have their turn: one, if a try decides whether the carrier works.
    pub(super) fn at_most(&self, in_window: usize) -> usize {
        match self.circuit.awaits_a_try() {
            true => 1_usize.saturating_sub(in_window),
            false => usize::MAX,
        }
    }

    /// Until when the carrier is sent nothing because it was sent too much.
    pub(super) fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        Some(self.throttled_ms.get()).filter(|until_ms| *until_ms > now_ms)
    }

    /// The names of the objects of the carrier's other sessions, also of those that an operator has ended lately.
    pub(super) fn others(&self, sql: &impl Sql, now_ms: i64) -> Result<Vec<String>, PortError> {
        let own = own_name(sql)?;
        let binds = binds::most(sql, now_ms)?;
        let carrier = self.carrier.borrow();
        let name = carrier.as_ref().map_or("", |carrier| carrier.name.as_str());
        let all = (0..binds).map(|bind| binds::name_of(name, bind));
        Ok(all.filter(|other| *other != own).collect())
    }

    /// How the object is.
    pub(super) fn describe(&self, now_ms: i64) -> Health {
        let is_stopped = |carrier: &Rc<Carrier>| !carrier.active || carrier.paused;
        let state = match (
            self.carrier.borrow().as_ref().filter(|carrier| is_stopped(carrier)),
            self.phase.get(),
        ) {
            (Some(carrier), _) if !carrier.active => State::Inactive,
            (Some(_), _) => State::Paused,
            _ if self.circuit.open_until(now_ms).is_some() => State::Down,
            (None, Phase::Bound(_)) if self.throttled_until(now_ms).is_some() => State::Throttled,
            (None, Phase::Bound(_)) => State::Up,
            (None, Phase::Connecting | Phase::Idle) => State::Connecting,
            (None, Phase::Waiting(_)) => State::Down,
        };
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let since = now_ms / 1_000 - 60;
        let last_error = self.last_error.borrow();
        let queue = self.queue.borrow();
        let oldest_ms = queue.oldest().map(|recipient| recipient.since_ms).min();
        let waited_ms = oldest_ms.map_or(0, |since_ms| now_ms.saturating_sub(since_ms));
        Health {
            state,
            last_success_ms: self.last_success_ms.get(),
            last_error_ms: last_error.as_ref().map(|(at_ms, _)| *at_ms),
            last_error: last_error.as_ref().map(|(_, error)| error.clone()),
            in_window: count(self.in_window.get()),
            queued: count(queue.len()),
            oldest_queued_seconds: u32::try_from(waited_ms / 1_000).unwrap_or(0),
            last_minute: self
                .taken
                .borrow()
                .iter()
                .filter(|(second, _)| *second > since)
                .map(|(_, count)| count)
                .sum(),
        }
    }
}
