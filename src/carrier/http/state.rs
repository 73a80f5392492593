//! What an object of the kind `http` has in memory: who is sending, how the gateway does, and who is next.
//!
//! The places for requests are shared: bulk takes four of the six, plain sends five, patterns all. So a login code never
//! waits for a campaign. An account that found no place is noted; the others of its priority or of a less urgent one then make
//! room.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use crate::account::chunk::handover::{Answer, ChunkRef};
use crate::account::message::priority::Priority;
use crate::carrier::circuit_breaker::CircuitBreaker;
use crate::carrier::health::{Health, State};
use crate::directory::carriers::Carrier;

/// How long the object trusts that the gateway is there, ms.
const TRUSTED_MS: i64 = 10_000;
/// How long a throttled object waits the first time, ms. It doubles each time, up to [`LONGEST_THROTTLE_MS`].
const FIRST_THROTTLE_MS: i64 = 1_000;
const LONGEST_THROTTLE_MS: i64 = 60_000;
/// How long an account that found no room is kept in mind, ms.
const WANTED_MS: i64 = 2_000;
/// After so long, a request or a run counts no more, ms: the runtime may drop one without a word.
const FORGOTTEN_MS: i64 = 30_000;
const MINUTE_MS: i64 = 60_000;

/// How many requests of a priority and of more urgent ones may be under way.
fn places(priority: Priority) -> usize {
    match priority {
        Priority::Urgent => 6,
        Priority::Normal => 5,
        Priority::Bulk => 4,
    }
}

/// Chunks that are being sent.
#[derive(Debug)]
pub struct Running {
    /// The account.
    pub account: String,
    /// Its chunks.
    pub places: BTreeSet<(i64, u32)>,
    /// When it began, ms since the Unix epoch.
    pub began_ms: i64,
    /// How many recipients wait.
    pub queued: Cell<u32>,
}

/// An account that found no room.
#[derive(Debug)]
struct Wanted {
    account: String,
    priority: Priority,
    until_ms: i64,
}

/// What an object of the kind has in memory.
#[derive(Debug, Default)]
pub struct Sender {
    pub(super) circuit: CircuitBreaker,
    /// The carrier, once the object has seen it.
    carrier: RefCell<Option<Carrier>>,
    /// The version of the carrier that the object works with.
    version: Cell<i64>,
    /// When the requests began that are under way, ms since the Unix epoch.
    requests: RefCell<Vec<i64>>,
    running: RefCell<Vec<Rc<Running>>>,
    wanted: RefCell<Option<Wanted>>,
    /// When the gateway answered last, ms since the Unix epoch; 0 after a request that got no answer.
    answered_ms: Cell<i64>,
    throttled_ms: Cell<i64>,
    throttles: Cell<u32>,
    last_success_ms: Cell<Option<i64>>,
    last_error: RefCell<Option<(i64, String)>>,
    /// The messages that the gateway took, counted by second.
    taken: RefCell<VecDeque<(i64, u32)>>,
}

/// A place of a request. It is free again when this is dropped.
pub struct Slot<'a> {
    worker: &'a Sender,
    began_ms: i64,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut requests = self.worker.requests.borrow_mut();
        if let Some(at) = requests.iter().position(|began_ms| *began_ms == self.began_ms) {
            requests.swap_remove(at);
        }
    }
}

/// Chunks that count as being sent until this is dropped.
pub struct Begun<'a> {
    worker: &'a Sender,
    running: Rc<Running>,
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        let mut running = self.worker.running.borrow_mut();
        running.retain(|other| !Rc::ptr_eq(other, &self.running));
    }
}

impl Sender {
    /// Works with this version of the carrier from now on. A change may have mended what was wrong, so the circuit closes.
    pub(super) fn take_over(&self, carrier: &Carrier) {
        if self.version.replace(carrier.version) != carrier.version {
            self.circuit.succeed();
            self.throttled_ms.set(0);
            self.answered_ms.set(0);
        }
        self.carrier.replace(Some(carrier.clone()));
    }

    /// What accounts are answered while operators keep the carrier from sending.
    pub(super) fn stopped(&self, now_ms: i64) -> Option<Answer> {
        let carrier = self.carrier.borrow();
        carrier
            .as_ref()
            .and_then(|carrier| crate::carrier::stopped(carrier, now_ms))
    }

    /// Whether an earlier call is sending this chunk.
    pub(super) fn is_running(&self, now_ms: i64, account: &str, chunk: ChunkRef) -> bool {
        let mut running = self.running.borrow_mut();
        running.retain(|running| now_ms < running.began_ms.saturating_add(FORGOTTEN_MS));
        let mut running = running.iter();
        running.any(|running| running.account == account && running.places.contains(&chunk.id()))
    }

    /// Notes that chunks are being sent.
    pub(super) fn begin(&self, running: Rc<Running>) -> Begun<'_> {
        self.running.borrow_mut().push(Rc::clone(&running));
        Begun { worker: self, running }
    }

    /// Whether an account may begin a request of this priority. After the circuit was open, one request goes alone.
    pub(super) fn has_room(&self, now_ms: i64, account: &str, priority: Priority) -> bool {
        let mut requests = self.requests.borrow_mut();
        requests.retain(|began_ms| now_ms < began_ms.saturating_add(FORGOTTEN_MS));
        let wanted = self.wanted.borrow();
        let is_others = wanted
            .as_ref()
            .is_some_and(|wanted| wanted.account != account && wanted.priority <= priority && now_ms < wanted.until_ms);
        let places = match self.circuit.awaits_a_try() {
            true => 1,
            false => places(priority),
        };
        requests.len() < places && !is_others
    }

    /// Keeps in mind that an account found no room. The first that waits is the first to get it.
    pub(super) fn want_room(&self, now_ms: i64, account: &str, priority: Priority) {
        let mut wanted = self.wanted.borrow_mut();
        let is_first = wanted
            .as_ref()
            .is_none_or(|wanted| wanted.until_ms <= now_ms || priority < wanted.priority);
        if is_first {
            *wanted = Some(Wanted {
                account: account.to_owned(),
                priority,
                until_ms: now_ms.saturating_add(WANTED_MS),
            });
        }
    }

    /// Takes a place for a request.
    pub(super) fn take_place(&self, now_ms: i64, account: &str) -> Slot<'_> {
        let mut wanted = self.wanted.borrow_mut();
        if wanted.as_ref().is_some_and(|wanted| wanted.account == account) {
            *wanted = None;
        }
        self.requests.borrow_mut().push(now_ms);
        Slot {
            worker: self,
            began_ms: now_ms,
        }
    }

    /// Whether a probe has to go before the next message.
    pub(super) fn needs_probe(&self, now_ms: i64) -> bool {
        now_ms >= self.answered_ms.get().saturating_add(TRUSTED_MS)
    }

    /// Until when the gateway wants no messages. `None`: it takes them.
    pub(super) fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        Some(self.throttled_ms.get()).filter(|until_ms| *until_ms > now_ms)
    }

    /// Notes that the gateway answered, whatever it said.
    pub(super) fn note_answer(&self, now_ms: i64) {
        self.answered_ms.set(now_ms);
    }

    /// Notes that the gateway works: it took a message, or refused one for good.
    pub(super) fn note_success(&self, now_ms: i64) {
        self.note_answer(now_ms);
        self.circuit.succeed();
        self.throttles.set(0);
        self.last_success_ms.set(Some(now_ms));
    }

    /// Counts a message that the gateway took.
    pub(super) fn count_taken(&self, now_ms: i64) {
        let mut taken = self.taken.borrow_mut();
        let second = now_ms / 1_000;
        match taken.back_mut().filter(|(of, _)| *of == second) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => taken.push_back((second, 1)),
        }
        while taken
            .front()
            .is_some_and(|(of, _)| of.saturating_mul(1_000) <= now_ms.saturating_sub(MINUTE_MS))
        {
            taken.pop_front();
        }
    }

    /// Notes that a request got no clear answer: the next one is a probe.
    pub(super) fn note_silence(&self) {
        self.answered_ms.set(0);
    }

    /// Notes that the gateway wants fewer messages. Others that were under way hear the same: that makes the wait no longer.
    pub(super) fn throttle(&self, now_ms: i64, wait_ms: Option<i64>) {
        if let Some(wait_ms) = wait_ms {
            let until_ms = now_ms.saturating_add(wait_ms);
            self.throttled_ms.set(self.throttled_ms.get().max(until_ms));
        } else if self.throttled_until(now_ms).is_none() {
            let wait_ms = (FIRST_THROTTLE_MS << self.throttles.get().min(10)).min(LONGEST_THROTTLE_MS);
            self.throttles.set(self.throttles.get().saturating_add(1));
            self.throttled_ms.set(now_ms.saturating_add(wait_ms));
        }
    }

    /// Notes what failed, without values.
    pub(super) fn note_error(&self, now_ms: i64, what: &str) {
        self.last_error.replace(Some((now_ms, what.to_owned())));
    }

    /// What failed last.
    pub(super) fn last_error(&self) -> Option<String> {
        self.last_error.borrow().as_ref().map(|(_, what)| what.clone())
    }

    pub(super) fn describe(&self, now_ms: i64) -> Health {
        let running = self.running.borrow();
        let alive = || {
            running
                .iter()
                .filter(|run| now_ms < run.began_ms.saturating_add(FORGOTTEN_MS))
        };
        let waiting = alive().filter(|run| run.queued.get() > 0).map(|run| run.began_ms).min();
        let oldest_s = waiting.map_or(0, |began_ms| now_ms.saturating_sub(began_ms) / 1_000);
        let recent = |(second, _): &&(i64, u32)| second.saturating_mul(1_000) > now_ms.saturating_sub(MINUTE_MS);
        let last_error = self.last_error.borrow();
        Health {
            state: match self.circuit.open_until(now_ms) {
                Some(_) => State::Down,
                None if self.throttled_until(now_ms).is_some() => State::Throttled,
                None => State::Up,
            },
            last_success_ms: self.last_success_ms.get(),
            last_error_ms: last_error.as_ref().map(|(at_ms, _)| *at_ms),
            last_error: last_error.as_ref().map(|(_, what)| what.clone()),
            in_window: u32::try_from(self.requests.borrow().len()).unwrap_or(u32::MAX),
            queued: alive().map(|run| run.queued.get()).sum(),
            oldest_queued_seconds: u32::try_from(oldest_s).unwrap_or_default(),
            last_minute: self.taken.borrow().iter().filter(recent).map(|(_, count)| count).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many requests of a priority an account may begin, one after the other.
    fn room<'a>(worker: &'a Sender, account: &str, priority: Priority, held: &mut Vec<Slot<'a>>) -> usize {
        let before = held.len();
        while worker.has_room(0, account, priority) {
            held.push(worker.take_place(0, account));
        }
        held.len() - before
    }

    #[test]
    fn a_campaign_leaves_room_for_plain_sends_and_both_leave_room_for_login_codes() {
        let (worker, mut held) = (Sender::default(), Vec::new());
        assert_eq!(room(&worker, "a", Priority::Bulk, &mut held), 4);
        assert_eq!(room(&worker, "b", Priority::Bulk, &mut held), 0);
        assert_eq!(room(&worker, "b", Priority::Normal, &mut held), 1);
        assert_eq!(room(&worker, "a", Priority::Urgent, &mut held), 1);
        assert_eq!(room(&worker, "c", Priority::Urgent, &mut held), 0);
        held.truncate(5);
        assert_eq!(room(&worker, "c", Priority::Urgent, &mut held), 1);
    }

    #[test]
    fn an_account_that_found_no_room_gets_the_next_place_of_its_class() {
        let (worker, mut held) = (Sender::default(), Vec::new());
        room(&worker, "a", Priority::Bulk, &mut held);
        worker.want_room(0, "b", Priority::Bulk);
        worker.want_room(0, "c", Priority::Bulk);
        held.pop();
        assert!(!worker.has_room(0, "a", Priority::Bulk), "b comes first");
        assert!(!worker.has_room(0, "c", Priority::Bulk), "b comes first");
        assert!(
            worker.has_room(0, "a", Priority::Normal),
            "more urgent ones need not wait for b"
        );
        assert!(worker.has_room(0, "b", Priority::Bulk));
        held.push(worker.take_place(0, "b"));
        held.pop();
        assert!(worker.has_room(0, "a", Priority::Bulk), "b has had its turn");
        worker.want_room(0, "b", Priority::Bulk);
        assert!(worker.has_room(WANTED_MS, "a", Priority::Bulk), "b did not come");
    }

    #[test]
    fn a_request_that_the_runtime_forgot_blocks_its_place_for_half_a_minute_at_most() {
        let worker = Sender::default();
        for _ in 0..6 {
            std::mem::forget(worker.take_place(0, "a"));
        }
        assert!(!worker.has_room(FORGOTTEN_MS - 1, "a", Priority::Urgent));
        assert!(worker.has_room(FORGOTTEN_MS, "a", Priority::Urgent));
    }

    #[test]
    fn after_the_circuit_was_open_one_request_goes_alone() {
        let worker = Sender::default();
        worker.circuit.open(0);
        let first = worker.take_place(31_000, "a");
        assert!(!worker.has_room(31_000, "a", Priority::Urgent));
        drop(first);
        worker.note_success(31_000);
        assert_eq!(room(&worker, "a", Priority::Urgent, &mut Vec::new()), 6);
    }

    #[test]
    fn a_throttled_gateway_is_left_alone_as_long_as_it_says_or_longer_each_time() {
        let worker = Sender::default();
        worker.throttle(0, Some(20_000));
        assert_eq!(worker.throttled_until(0), Some(20_000));
        assert_eq!(worker.throttled_until(20_000), None);
        let worker = Sender::default();
        let mut now_ms = 0;
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            worker.throttle(now_ms, None);
            worker.throttle(now_ms, None);
            assert_eq!(worker.throttled_until(now_ms), Some(now_ms + seconds * 1_000));
            now_ms += seconds * 1_000;
        }
    }
}
