//! What an object of the kind `http` has in memory: who is sending, how the gateway does, and who is next.
//!
//! The places for requests are shared: of six, bulk takes four, plain sends five, patterns all. So a login code never
//! waits for a campaign. A run that finds no place, or has to wait for the pace, waits for its turn: the more urgent come first, and
//! accounts of one priority take turns. A place that becomes free wakes the next run.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::settings::window;
use crate::account::record::chunk::ChunkId;
use crate::account::record::chunk::handover::Answer;
use crate::account::record::message::priority::Priority;
use crate::carrier::learned_rate::Sent;
use crate::carrier::request::HoldScope;
use crate::carrier::{notify::Notify, observed_health::ObservedHealth, throttle::Throttle};
use crate::directory::carriers::Carrier;
use crate::durable::under_way::{Mark, UnderWay};

/// How long the object trusts that the gateway is there, ms.
const TRUSTED_MS: i64 = 10_000;
/// How long a gateway that throttles everything may do so before it is left alone, and then for how long, ms.
const REFUSES_ALL_MS: i64 = 10_000;
const LEFT_ALONE_MS: i64 = 15_000;
/// How many recipients of a priority may wait for their turn. More could not leave before their accounts ask again.
const MAX_WAITING: usize = 500;
/// A run that waits shows so often that it is there, ms, and is passed over when it has not for so long, ms.
pub(super) const TICK_MS: i64 = 1_000;
const SILENT_MS: i64 = 3 * TICK_MS;

/// How many of a window's requests a priority and more urgent ones may have under way. A sixth is kept from plain sends, a third
/// from bulk, and each has one at least.
fn places(window: usize, priority: Priority) -> usize {
    let kept = (window / 6).max(1);
    let kept = match priority {
        Priority::Urgent => 0,
        Priority::Normal => kept,
        Priority::Bulk => kept * 2,
    };
    window.saturating_sub(kept).max(1)
}

/// How many requests may be under way.
#[derive(Debug)]
pub(super) struct Window(Cell<usize>);

impl Default for Window {
    fn default() -> Self {
        Window(Cell::new(window()))
    }
}

impl Window {
    /// Sets it to what the settings say, if they can be read.
    pub fn set(&self, said: Result<usize, String>) {
        self.0.set(said.unwrap_or_else(|_| window()));
    }
}

/// Chunks that are being sent.
#[derive(Debug)]
pub struct Running {
    pub account: String,
    pub priority: Priority,
    pub places: BTreeMap<ChunkId, String>,
    pub began_ms: i64,
    /// How many recipients wait.
    pub queued: Cell<u32>,
    /// When its account had its last turn, as a number that grows with each turn of anybody.
    turn: Cell<u64>,
    /// While it waits for its turn: when it showed last that it is there, ms since the Unix epoch.
    waits_ms: Cell<Option<i64>>,
    /// Whether nothing more of it is to leave.
    pub(super) is_held_back: Cell<bool>,
    /// Rings when it may be its turn.
    pub(super) notify: Notify,
}

impl Running {
    pub(super) fn new(
        now_ms: i64,
        account: &str,
        priority: Priority,
        places: BTreeMap<ChunkId, String>,
        queued: usize,
    ) -> Rc<Running> {
        Rc::new(Running {
            account: account.to_owned(),
            priority,
            places,
            began_ms: now_ms,
            queued: Cell::new(u32::try_from(queued).unwrap_or(u32::MAX)),
            turn: Cell::new(0),
            waits_ms: Cell::new(None),
            is_held_back: Cell::new(false),
            notify: Notify::default(),
        })
    }

    /// Whether one of its chunks is held back.
    pub(super) fn is_among(&self, held: &[HoldScope]) -> bool {
        let mut places = self.places.iter();
        places.any(|(chunk, line)| held.iter().any(|held| held.covers(&self.account, *chunk, line)))
    }

    /// Lets nothing more of it leave.
    pub(super) fn hold_back(&self) {
        self.is_held_back.set(true);
        self.notify.ring();
    }

    fn is_waiting(&self, now_ms: i64) -> bool {
        self.waits_ms
            .get()
            .is_some_and(|seen_ms| now_ms < seen_ms.saturating_add(SILENT_MS))
    }

    /// Waits for its turn, or shows that it still does.
    pub(super) fn wait_for_turn(&self, now_ms: i64) {
        self.waits_ms.set(Some(now_ms));
    }

    /// The order of turns: the least is next.
    fn rank(&self) -> (Priority, u64) {
        (self.priority, self.turn.get())
    }
}

/// What an object of the kind has in memory.
#[derive(Debug, Default)]
pub struct HttpSender {
    pub(super) observed: ObservedHealth,
    /// The carrier, once the object has seen it.
    pub(super) carrier: RefCell<Option<Carrier>>,
    pub(super) window: Window,
    /// The requests that are under way.
    pub(super) requests: UnderWay,
    pub(super) running: UnderWay<Rc<Running>>,
    /// Until when it begins no request, because its runtime is about to end, ms since the Unix epoch.
    pub(super) stands_down_ms: Cell<i64>,
    /// The turns that there were.
    turns: Cell<u64>,
    /// When the gateway answered last, ms since the Unix epoch; 0 after a request that got no answer.
    pub(super) answered_ms: Cell<i64>,
    /// How fast messages may leave.
    pub(super) pace: RefCell<Throttle>,
}

/// Wakes the run that is next when something ends that began at this time.
struct WakeNext<'a> {
    sender: &'a HttpSender,
    began_ms: i64,
}

impl Drop for WakeNext<'_> {
    fn drop(&mut self) {
        self.sender.ring_next(self.began_ms);
    }
}

/// A request or chunks that are being sent, until this is dropped. The mark goes before the next run is woken.
pub struct Slot<'a, T = ()> {
    _under_way: Mark<T>,
    _wake: WakeNext<'a>,
}

/// Chunks that are being sent.
pub type Begun<'a> = Slot<'a, Rc<Running>>;

impl HttpSender {
    /// What accounts are answered while operators keep the carrier from sending.
    pub(super) fn stopped(&self, now_ms: i64) -> Option<Answer> {
        let carrier = self.carrier.borrow();
        carrier
            .as_ref()
            .and_then(|carrier| crate::carrier::stopped(carrier, now_ms))
    }

    pub(super) fn begin(&self, running: Rc<Running>) -> Begun<'_> {
        running.turn.set(self.next_turn());
        let began_ms = running.began_ms;
        self.slot(began_ms, self.running.begin(began_ms, running))
    }

    fn slot<T>(&self, began_ms: i64, mark: Mark<T>) -> Slot<'_, T> {
        Slot {
            _under_way: mark,
            _wake: WakeNext { sender: self, began_ms },
        }
    }

    fn next_turn(&self) -> u64 {
        self.turns.set(self.turns.get().saturating_add(1));
        self.turns.get()
    }

    /// Whether one more request of this priority may be under way. After the circuit was open, one goes alone.
    fn has_place(&self, now_ms: i64, priority: Priority) -> bool {
        let places = if self.observed.circuit.awaits_a_try() {
            1
        } else {
            places(self.window.0.get(), priority)
        };
        self.requests.count(now_ms, |()| true) < places
    }

    /// Whether so many recipients may wait for their turn.
    pub(super) fn has_room(&self, now_ms: i64, priority: Priority, recipients: usize) -> bool {
        let running = self.running.alive(now_ms);
        let alike = running.iter().filter(|run| run.priority == priority);
        let queued: usize = alike
            .map(|run| usize::try_from(run.queued.get()).unwrap_or(usize::MAX))
            .sum();
        queued == 0 || queued.saturating_add(recipients) <= MAX_WAITING
    }

    /// Whether a run may begin a request: there is a place, and nobody who waits comes before it.
    pub(super) fn may_begin(&self, now_ms: i64, own: &Running) -> bool {
        self.has_place(now_ms, own.priority) && self.is_next(now_ms, own)
    }

    /// Whether nobody else who waits comes before this run.
    pub(super) fn is_next(&self, now_ms: i64, own: &Running) -> bool {
        let is_before = |other: &Rc<Running>| other.is_waiting(now_ms) && other.rank() < own.rank();
        self.running.count(now_ms, is_before) == 0
    }

    /// Wakes the run that is next.
    fn ring_next(&self, now_ms: i64) {
        let running = self.running.alive(now_ms);
        let waiting = running.iter().filter(|run| run.is_waiting(now_ms));
        if let Some(first) = waiting.min_by_key(|run| run.rank()) {
            first.notify.ring();
        }
    }

    /// Ends the waiting of a run, and lets the next one look.
    pub(super) fn stop_waiting(&self, now_ms: i64, own: &Running) {
        if own.waits_ms.take().is_some() {
            self.ring_next(now_ms);
        }
    }

    /// Takes the place of a request. Its account's other runs of the priority have had their turn too. The next one looks
    /// whether there is one more place.
    pub(super) fn take_place(&self, now_ms: i64, own: &Running) -> Slot<'_> {
        let turn = self.next_turn();
        let running = self.running.alive(now_ms);
        let of_account = |run: &&Rc<Running>| run.account == own.account && run.priority == own.priority;
        running.iter().filter(of_account).for_each(|run| run.turn.set(turn));
        let request = self.requests.begin(now_ms, ());
        self.ring_next(now_ms);
        self.slot(now_ms, request)
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
        self.observed.succeed(now_ms);
        let mut pace = self.pace.borrow_mut();
        pace.take(now_ms);
        self.observed.refuses_ms.set(0);
        self.observed.learned.set(pace.learned());
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
                self.observed
                    .throttled_ms
                    .set(self.observed.throttled_ms.get().max(until_ms));
            }
            None => pace.throttle(now_ms, sent),
        }
        self.observed.refuses_ms.set(pace.throttled_until(now_ms).unwrap_or(0));
        self.observed.learned.set(pace.learned());
    }

    /// Until when the gateway is left alone, because it wants no messages. It has said so, or it takes none.
    pub(super) fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        let refuses_all = self.pace.borrow().refuses_until(now_ms, REFUSES_ALL_MS);
        let left_alone = refuses_all.map(|_| now_ms.saturating_add(LEFT_ALONE_MS));
        self.observed.throttled_until(now_ms).or(left_alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durable::under_way::DROPPED_MS;

    /// A run that is being sent.
    struct Run<'a> {
        running: Rc<Running>,
        _begun: Begun<'a>,
    }

    fn run<'a>(sender: &'a HttpSender, account: &str, priority: Priority) -> Run<'a> {
        let running = Running::new(0, account, priority, BTreeMap::new(), 1);
        let _begun = sender.begin(Rc::clone(&running));
        Run { running, _begun }
    }

    /// How many requests a run may begin, one after the other.
    fn begins<'a>(sender: &'a HttpSender, run: &Run<'_>, held: &mut Vec<Slot<'a>>) -> usize {
        let before = held.len();
        while sender.may_begin(0, &run.running) {
            held.push(sender.take_place(0, &run.running));
        }
        held.len() - before
    }

    #[test]
    fn a_campaign_leaves_room_for_plain_sends_and_both_leave_room_for_login_codes() {
        let (sender, mut held) = (HttpSender::default(), Vec::new());
        let mut of = |account, priority| begins(&sender, &run(&sender, account, priority), &mut held);
        assert_eq!(of("a", Priority::Bulk), 4);
        assert_eq!(of("b", Priority::Bulk), 0);
        assert_eq!(of("b", Priority::Normal), 1);
        assert_eq!(of("a", Priority::Urgent), 1);
        assert_eq!(of("c", Priority::Urgent), 0);
        held.truncate(5);
        assert_eq!(begins(&sender, &run(&sender, "c", Priority::Urgent), &mut held), 1);
    }

    #[test]
    fn each_class_has_a_place_in_any_window_and_login_codes_have_the_most() {
        for window in 1..=12 {
            let of = |priority| places(window, priority);
            assert_eq!(of(Priority::Urgent), window);
            assert!(
                of(Priority::Normal) <= window && of(Priority::Bulk) <= of(Priority::Normal),
                "{window}"
            );
            assert!(of(Priority::Bulk) >= 1, "{window}");
            assert!(window == 1 || of(Priority::Normal) < window, "{window}");
        }
        assert_eq!([6, 12].map(|window| places(window, Priority::Normal)), [5, 10]);
        assert_eq!([6, 12].map(|window| places(window, Priority::Bulk)), [4, 8]);
    }

    #[test]
    fn accounts_that_wait_take_turns_and_more_urgent_ones_need_not_wait_for_them() {
        let (sender, mut held) = (HttpSender::default(), Vec::new());
        let runs = ["a", "a", "b", "c"].map(|account| run(&sender, account, Priority::Bulk));
        begins(&sender, &runs[0], &mut held);
        runs.iter().for_each(|run| run.running.wait_for_turn(0));
        let mut served = String::new();
        for _ in 0..6 {
            held.pop();
            let first = runs.iter().find(|run| sender.may_begin(0, &run.running)).unwrap();
            served.push_str(&first.running.account);
            held.push(sender.take_place(0, &first.running));
        }
        assert_eq!(served, "bcabca");
        let code = run(&sender, "d", Priority::Urgent);
        assert!(sender.may_begin(0, &code.running));
        code.running.wait_for_turn(0);
        held.clear();
        assert!(
            runs.iter().all(|run| !sender.may_begin(0, &run.running)),
            "the code comes first"
        );
    }

    #[test]
    fn who_is_gone_without_a_word_is_passed_over_and_so_is_who_stops_waiting() {
        let sender = HttpSender::default();
        let runs = ["a", "b"].map(|account| run(&sender, account, Priority::Bulk));
        runs[0].running.wait_for_turn(0);
        assert!(!sender.may_begin(SILENT_MS - 1, &runs[1].running));
        assert!(sender.may_begin(SILENT_MS, &runs[1].running));
        sender.stop_waiting(0, &runs[0].running);
        assert!(sender.may_begin(0, &runs[1].running));
    }

    #[test]
    fn as_many_wait_as_have_room_and_one_submission_always() {
        let sender = HttpSender::default();
        assert!(sender.has_room(0, Priority::Bulk, 10 * MAX_WAITING));
        let _begun = sender.begin(Running::new(0, "a", Priority::Bulk, BTreeMap::new(), MAX_WAITING - 1));
        assert!(sender.has_room(0, Priority::Bulk, 1));
        assert!(!sender.has_room(0, Priority::Bulk, 2));
        assert!(
            sender.has_room(0, Priority::Urgent, 2),
            "each priority has room of its own"
        );
        assert!(sender.has_room(DROPPED_MS, Priority::Bulk, 2));
    }

    #[test]
    fn a_request_that_the_runtime_forgot_blocks_its_place_for_half_a_minute_at_most() {
        let sender = HttpSender::default();
        let code = run(&sender, "a", Priority::Urgent);
        for _ in 0..6 {
            std::mem::forget(sender.take_place(0, &code.running));
        }
        assert!(!sender.may_begin(DROPPED_MS - 1, &code.running));
        assert!(sender.may_begin(DROPPED_MS, &code.running));
    }

    #[test]
    fn after_the_circuit_was_open_one_request_goes_alone() {
        let sender = HttpSender::default();
        sender.observed.circuit.open(0);
        let runs = [Priority::Bulk, Priority::Urgent].map(|priority| run(&sender, "a", priority));
        let first = sender.take_place(31_000, &runs[0].running);
        assert!(!sender.may_begin(31_000, &runs[1].running));
        drop(first);
        sender.note_success(31_000);
        assert_eq!(begins(&sender, &runs[1], &mut Vec::new()), 6);
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
        let [campaign, code] = [Priority::Bulk, Priority::Urgent].map(|priority| run(&sender, "a", priority));
        code.running.wait_for_turn(0);
        assert!(!sender.may_begin(0, &campaign.running));
        drop(sender.take_place(0, &code.running));
        assert!(!sender.may_begin(0, &campaign.running), "the account has more codes");
        drop(code);
        assert!(sender.may_begin(0, &campaign.running));
    }
}
