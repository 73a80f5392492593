//! What an object of the kind `http` has in memory: who is sending, how the gateway does, and who is next.
//!
//! The places for requests are shared: bulk takes four of the six, plain sends five, patterns all. So a login code never
//! waits for a campaign. An account that found no place is noted; the others of its priority or of a less urgent one then make
//! room.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::account::{chunk::handover::Answer, message::priority::Priority};
use crate::base::ports::{PortError, Sql};
use crate::carrier::learned_rate::Sent;
use crate::carrier::{pulse::Pulse, throttle::Throttle};
use crate::directory::carriers::Carrier;

/// How long the object trusts that the gateway is there, ms.
const TRUSTED_MS: i64 = 10_000;
/// How long a gateway that throttles everything may do so before it is left alone, and then for how long, ms.
const REFUSES_ALL_MS: i64 = 10_000;
const LEFT_ALONE_MS: i64 = 15_000;
/// How long an account that found no room is kept in mind, ms.
const WANTED_MS: i64 = 2_000;
/// After so long, a request or a run counts no more, ms: the runtime may drop one without a word.
const FORGOTTEN_MS: i64 = 30_000;

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
    pub account: String,
    pub places: BTreeSet<(i64, u32)>,
    pub began_ms: i64,
    /// How many recipients wait.
    pub queued: Cell<u32>,
}

impl Running {
    pub(super) fn is_alive(&self, now_ms: i64) -> bool {
        now_ms < self.began_ms.saturating_add(FORGOTTEN_MS)
    }
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
pub struct HttpSender {
    pub(super) pulse: Pulse,
    /// The carrier, once the object has seen it.
    pub(super) carrier: RefCell<Option<Carrier>>,
    /// When the requests began that are under way, ms since the Unix epoch.
    pub(super) requests: RefCell<Vec<i64>>,
    pub(super) running: RefCell<Vec<Rc<Running>>>,
    wanted: RefCell<Option<Wanted>>,
    /// Who began the last request.
    served: RefCell<Option<(String, Priority)>>,
    /// When the gateway answered last, ms since the Unix epoch; 0 after a request that got no answer.
    pub(super) answered_ms: Cell<i64>,
    /// How fast messages may leave.
    pub(super) pace: RefCell<Throttle>,
}

/// A place of a request. It is free again when this is dropped.
pub struct Slot<'a> {
    sender: &'a HttpSender,
    began_ms: i64,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut requests = self.sender.requests.borrow_mut();
        if let Some(at) = requests.iter().position(|began_ms| *began_ms == self.began_ms) {
            requests.swap_remove(at);
        }
    }
}

/// Chunks that count as being sent until this is dropped.
pub struct Begun<'a> {
    sender: &'a HttpSender,
    running: Rc<Running>,
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        let mut running = self.sender.running.borrow_mut();
        running.retain(|other| !Rc::ptr_eq(other, &self.running));
    }
}

impl HttpSender {
    /// Goes on with what is kept.
    pub(super) fn resume(&self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        self.pulse.resume(sql)?;
        self.pace.replace(Throttle::of(None, self.pulse.learned.get(), now_ms));
        Ok(())
    }

    /// What accounts are answered while operators keep the carrier from sending.
    pub(super) fn stopped(&self, now_ms: i64) -> Option<Answer> {
        let carrier = self.carrier.borrow();
        carrier
            .as_ref()
            .and_then(|carrier| crate::carrier::stopped(carrier, now_ms))
    }

    pub(super) fn begin(&self, running: Rc<Running>) -> Begun<'_> {
        self.running.borrow_mut().push(Rc::clone(&running));
        Begun { sender: self, running }
    }

    /// Whether an account may begin a request of this priority. After the circuit was open, one request goes alone.
    pub(super) fn has_room(&self, now_ms: i64, account: &str, priority: Priority) -> bool {
        let mut requests = self.requests.borrow_mut();
        requests.retain(|began_ms| now_ms < began_ms.saturating_add(FORGOTTEN_MS));
        let wanted = self.wanted.borrow();
        let is_others = wanted.as_ref().is_some_and(|wanted| {
            let is_equal = wanted.priority == priority && wanted.account != account;
            now_ms < wanted.until_ms && (wanted.priority < priority || is_equal)
        });
        let places = if self.pulse.circuit.awaits_a_try() {
            1
        } else {
            places(priority)
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

    /// Keeps in mind that an account waits for the pace, unless it had the last turn: so accounts take turns.
    pub(super) fn want_turn(&self, now_ms: i64, account: &str, priority: Priority) {
        let had_the_last = self
            .served
            .borrow()
            .as_ref()
            .is_some_and(|(served, of)| served == account && *of == priority);
        if !had_the_last {
            self.want_room(now_ms, account, priority);
        }
    }

    pub(super) fn take_place(&self, now_ms: i64, account: &str, priority: Priority) -> Slot<'_> {
        let mut wanted = self.wanted.borrow_mut();
        let has_come = wanted
            .as_ref()
            .is_some_and(|wanted| wanted.account == account && priority <= wanted.priority);
        if has_come {
            *wanted = None;
        }
        self.served.replace(Some((account.to_owned(), priority)));
        self.requests.borrow_mut().push(now_ms);
        Slot {
            sender: self,
            began_ms: now_ms,
        }
    }

    /// Whether a probe has to go before the next message.
    pub(super) fn needs_probe(&self, now_ms: i64) -> bool {
        now_ms >= self.answered_ms.get().saturating_add(TRUSTED_MS)
    }

    /// Notes that the gateway answered, whatever it said.
    pub(super) fn note_answer(&self, now_ms: i64) {
        self.answered_ms.set(now_ms);
    }

    /// Notes that the gateway works: it took a message, or refused one for good.
    pub(super) fn note_success(&self, now_ms: i64) {
        self.note_answer(now_ms);
        self.pulse.succeed(now_ms);
        let mut pace = self.pace.borrow_mut();
        pace.take(now_ms);
        self.pulse.refuses_ms.set(0);
        self.pulse.learned.set(pace.learned());
    }

    /// Notes that a request got no clear answer: the next one is a probe.
    pub(super) fn note_silence(&self) {
        self.answered_ms.set(0);
    }

    /// Notes that the gateway wants fewer messages, and for how long it wants none, if it says so. Others that were under way
    /// hear the same: that makes the wait no longer.
    pub(super) fn throttle(&self, now_ms: i64, sent: Sent, wait_ms: Option<i64>) {
        let mut pace = self.pace.borrow_mut();
        match wait_ms {
            Some(wait_ms) => {
                pace.throttle_for_certain(now_ms, sent);
                let until_ms = now_ms.saturating_add(wait_ms);
                self.pulse.throttled_ms.set(self.pulse.throttled_ms.get().max(until_ms));
            }
            None => pace.throttle(now_ms, sent),
        }
        self.pulse.refuses_ms.set(pace.throttled_until(now_ms).unwrap_or(0));
        self.pulse.learned.set(pace.learned());
    }

    /// Until when the gateway is left alone, because it wants no messages. It has said so, or it takes none.
    pub(super) fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        let refuses_all = self.pace.borrow().refuses_until(now_ms, REFUSES_ALL_MS);
        let left_alone = refuses_all.map(|_| now_ms.saturating_add(LEFT_ALONE_MS));
        self.pulse.throttled_until(now_ms).or(left_alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many requests of a priority an account may begin, one after the other.
    fn room<'a>(sender: &'a HttpSender, account: &str, priority: Priority, held: &mut Vec<Slot<'a>>) -> usize {
        let before = held.len();
        while sender.has_room(0, account, priority) {
            held.push(sender.take_place(0, account, priority));
        }
        held.len() - before
    }

    #[test]
    fn a_campaign_leaves_room_for_plain_sends_and_both_leave_room_for_login_codes() {
        let (sender, mut held) = (HttpSender::default(), Vec::new());
        assert_eq!(room(&sender, "a", Priority::Bulk, &mut held), 4);
        assert_eq!(room(&sender, "b", Priority::Bulk, &mut held), 0);
        assert_eq!(room(&sender, "b", Priority::Normal, &mut held), 1);
        assert_eq!(room(&sender, "a", Priority::Urgent, &mut held), 1);
        assert_eq!(room(&sender, "c", Priority::Urgent, &mut held), 0);
        held.truncate(5);
        assert_eq!(room(&sender, "c", Priority::Urgent, &mut held), 1);
    }

    #[test]
    fn an_account_that_found_no_room_gets_the_next_place_of_its_class() {
        let (sender, mut held) = (HttpSender::default(), Vec::new());
        room(&sender, "a", Priority::Bulk, &mut held);
        sender.want_room(0, "b", Priority::Bulk);
        sender.want_room(0, "c", Priority::Bulk);
        held.pop();
        assert!(!sender.has_room(0, "a", Priority::Bulk), "b comes first");
        assert!(!sender.has_room(0, "c", Priority::Bulk), "b comes first");
        assert!(
            sender.has_room(0, "a", Priority::Normal),
            "more urgent ones need not wait for b"
        );
        assert!(sender.has_room(0, "b", Priority::Bulk));
        held.push(sender.take_place(0, "b", Priority::Bulk));
        held.pop();
        assert!(sender.has_room(0, "a", Priority::Bulk), "b has had its turn");
        sender.want_room(0, "b", Priority::Bulk);
        assert!(sender.has_room(WANTED_MS, "a", Priority::Bulk), "b did not come");
    }

    #[test]
    fn a_request_that_the_runtime_forgot_blocks_its_place_for_half_a_minute_at_most() {
        let sender = HttpSender::default();
        for _ in 0..6 {
            std::mem::forget(sender.take_place(0, "a", Priority::Bulk));
        }
        assert!(!sender.has_room(FORGOTTEN_MS - 1, "a", Priority::Urgent));
        assert!(sender.has_room(FORGOTTEN_MS, "a", Priority::Urgent));
    }

    #[test]
    fn after_the_circuit_was_open_one_request_goes_alone() {
        let sender = HttpSender::default();
        sender.pulse.circuit.open(0);
        let first = sender.take_place(31_000, "a", Priority::Bulk);
        assert!(!sender.has_room(31_000, "a", Priority::Urgent));
        drop(first);
        sender.note_success(31_000);
        assert_eq!(room(&sender, "a", Priority::Urgent, &mut Vec::new()), 6);
    }

    #[test]
    fn a_gateway_that_says_how_long_is_left_alone_for_as_long() {
        let sender = HttpSender::default();
        let sent = sender.pace.borrow_mut().spend(0);
        sender.throttle(0, sent, Some(20_000));
        sender.throttle(0, sent, Some(10_000));
        assert_eq!(sender.throttled_until(0), Some(20_000));
        assert_eq!(sender.throttled_until(20_000), None);
    }

    #[test]
    fn a_code_goes_before_a_campaign_of_its_own_account() {
        let sender = HttpSender::default();
        sender.want_room(0, "a", Priority::Urgent);
        assert!(!sender.has_room(0, "a", Priority::Bulk));
        assert!(sender.has_room(0, "a", Priority::Urgent));
        drop(sender.take_place(0, "a", Priority::Urgent));
        assert!(sender.has_room(0, "a", Priority::Bulk));
    }
}
