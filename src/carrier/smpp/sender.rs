//! What an object of the kind `smpp` has in memory: who waits, whether there is a session, and how it does.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::binds::Binds;
use super::in_flight::{InFlight, Notes};
use super::job::{ChunkKey, Job, QueuedRecipient};
use super::open_messages::OpenMessages;
use super::rest::Rests;
use super::seen::Seen;
use super::settings::Settings;
use crate::carrier::{
    fair_queue::FairQueue, notify::Notify, objects_of, observed_health::ObservedHealth, steps::Steps,
    throttle::Throttle,
};
use crate::directory::carriers::Carrier;
use crate::durable::under_way::{Mark, UnderWay};

/// A throttled carrier is busy for calls when it has taken nothing for this time, ms.
const THROTTLED_MS: i64 = 10_000;
/// How long the carrier's session stands before it counts as a success, ms.
const STEADY_MS: i64 = 30_000;

/// How an object is connected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    #[default]
    Idle,
    Connecting,
    /// It is bound since this time, ms since the Unix epoch.
    Bound(i64),
    /// It will try again at this time, ms since the Unix epoch.
    Waiting(i64),
}

/// What an object of the kind has in memory.
#[derive(Debug, Default)]
pub struct SmppSender {
    /// The name of the object.
    pub(super) name: RefCell<String>,
    pub(super) binds: RefCell<Binds>,
    pub(super) queue: RefCell<FairQueue<QueuedRecipient>>,
    pub(super) observed: ObservedHealth,
    pub(super) phase: Cell<Phase>,
    /// Rings when something is to be done.
    pub(super) notify: Notify,
    pub(super) carrier: RefCell<Option<Rc<Carrier>>>,
    /// Whether the carrier has fewer sessions now than it had when this object was called first.
    pub(super) is_surplus: Cell<bool>,
    /// Until when it holds no session, because its runtime is about to end, ms since the Unix epoch.
    pub(super) stands_down_ms: Cell<i64>,
    /// The chunks that are being sent. The runtime may drop a call without a word.
    pub(super) live: RefCell<BTreeMap<ChunkKey, Rc<Job>>>,
    /// Sessions in a row that did not come to stand.
    pub(super) failures: Cell<u32>,
    /// Until when the carrier takes nothing, as its answers say, ms since the Unix epoch.
    pub(super) refuses_all_ms: Cell<i64>,
    /// The reconnect loop that is at work.
    reconnect_loop: UnderWay,
    pub(super) in_window: Cell<usize>,
    pub(super) steps: RefCell<Steps>,
    /// Long messages that may get more receipts.
    pub(super) open: RefCell<OpenMessages>,
    /// The rests of texts that were cut.
    pub(super) rests: RefCell<Rests>,
    /// Messages from phones that may come again.
    pub(super) seen: RefCell<Seen>,
    /// Whether the other objects know how the last session has ended.
    pub(super) has_told_end: Cell<bool>,
}

/// A reconnect loop. It ends when this is dropped.
pub struct ReconnectLoop<'a> {
    sender: &'a SmppSender,
    pub mark: Mark,
}

impl Drop for ReconnectLoop<'_> {
    fn drop(&mut self) {
        if self.mark.is_current() {
            self.sender.phase.set(Phase::Idle);
            self.sender.in_window.set(0);
        }
    }
}

impl SmppSender {
    /// The carrier, if it is in service and this object is one of those that hold its sessions.
    pub(super) fn in_service(&self, now_ms: i64) -> Option<Rc<Carrier>> {
        let carrier = self.carrier.borrow().clone();
        let holds_none = self.is_surplus.get() || self.stands_down(now_ms);
        carrier.filter(|carrier| carrier.is_in_service() && !holds_none)
    }

    pub(super) fn stands_down(&self, now_ms: i64) -> bool {
        now_ms < self.stands_down_ms.get()
    }

    /// Whether a session of this version of the carrier is to end.
    pub(super) fn is_changed(&self, now_ms: i64, carrier: &Rc<Carrier>) -> bool {
        self.in_service(now_ms).is_none_or(|newest| newest != *carrier)
    }

    /// Whether the call of a job still waits for it. Otherwise a newer claim of its chunk may be under way.
    pub(super) fn has_call(&self, now_ms: i64, job: &Job) -> bool {
        let live = self.live.borrow();
        let call = live.get(&job.key());
        call.is_some_and(|live| live.chunk.attempt == job.chunk.attempt && now_ms <= live.last_ms())
    }

    /// Begins a reconnect loop. `None`: one is at work.
    pub(super) fn begin_reconnect_loop(&self, now_ms: i64) -> Option<ReconnectLoop<'_>> {
        if self.is_at_work(now_ms) {
            return None;
        }
        let mark = self.reconnect_loop.begin(now_ms, ());
        Some(ReconnectLoop { sender: self, mark })
    }

    pub(super) fn is_at_work(&self, now_ms: i64) -> bool {
        self.reconnect_loop.any(now_ms)
    }

    /// What is on the way through a session that begins: nothing, and it goes on with what was learnt.
    pub(super) fn begin_session(&self, settings: &Rc<Settings>, now_ms: i64) -> InFlight {
        let (learned, breaks) = (self.observed.learned.get(), self.observed.breaks.get());
        InFlight::of(Rc::clone(settings), learned, breaks, now_ms)
    }

    /// The session stands. Whether the carrier takes messages, only an answer says.
    pub(super) fn note_bound(&self, now_ms: i64) {
        self.phase.set(Phase::Bound(now_ms));
        self.observed.circuit.connect();
    }

    /// A session has ended. After one that stood for some time, and whose work was stored, the next one is tried soon.
    pub(super) fn note_end(&self, now_ms: i64, is_stored: bool) {
        if is_stored
            && let Phase::Bound(since_ms) = self.phase.get()
            && (now_ms >= since_ms.saturating_add(STEADY_MS) || self.observed.last_success_ms.get() >= Some(since_ms))
        {
            self.failures.set(0);
        }
        self.in_window.set(0);
        self.observed.refuses_ms.set(0);
        self.refuses_all_ms.set(0);
    }

    /// Notes how the carrier has answered, before anything more leaves.
    pub(super) fn note_answers(&self, now_ms: i64, notes: &Notes, link: &InFlight) {
        if let Some(failure) = &notes.failure {
            // Each counts: a whole window without an answer must not be followed by another.
            (0..notes.failures).for_each(|_| self.observed.circuit.fail(now_ms));
            self.observed.note_error(now_ms, failure);
        }
        if notes.successes > 0 {
            self.observed.succeed(now_ms);
        }
        self.observed.breaks.set(link.window.breaks());
        self.note_pace(now_ms, &link.pace);
    }

    fn note_pace(&self, now_ms: i64, pace: &Throttle) {
        let refuses_ms = pace.throttled_until(now_ms).unwrap_or(0);
        if refuses_ms > self.observed.refuses_ms.get() {
            self.observed.note_error(now_ms, "the carrier was sent too much");
        }
        self.observed.learned.set(pace.learned());
        self.observed.refuses_ms.set(refuses_ms);
        let refuses_all = pace.refuses_until(now_ms, THROTTLED_MS);
        self.refuses_all_ms.set(refuses_all.unwrap_or(0));
    }

    /// Notes what a turn has brought.
    pub(super) fn note(&self, now_ms: i64, notes: &Notes) {
        if notes.messages > 0 {
            self.observed.count_taken(now_ms, notes.messages);
        }
    }

    /// How many recipients may have their turn: one, if a try decides whether the carrier works.
    pub(super) fn at_most(&self, in_window: usize) -> usize {
        if self.observed.circuit.awaits_a_try() {
            1_usize.saturating_sub(in_window)
        } else {
            usize::MAX
        }
    }

    /// The names of the objects of the carrier's other sessions, also of those that an operator has ended lately.
    pub(super) fn others(&self, now_ms: i64) -> Vec<String> {
        let own = self.name.borrow();
        let binds = self.binds.borrow().most(now_ms);
        let carrier = self.carrier.borrow();
        let name = carrier.as_ref().map_or("", |carrier| carrier.name.as_str());
        let all = objects_of(name, binds).into_iter();
        all.filter(|other| *other != *own).collect()
    }
}
