//! What the dispatch of one account's object has in memory. If it is lost, leases end and queues are looked at once too often.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::calls::{CALLS_AN_OBJECT, Calls, To};
use super::choice::{Choice, Chosen, Options};
use super::outcome_retry::Backlog;
use crate::account::record::chunk::handover::Handover;
use crate::account::record::chunk::queue::{Queue, Way};
use crate::account::record::message::priority::Priority;
use crate::base::ports::{Platform, PortError};
use crate::directory::carriers::Carrier;
use crate::durable::under_way::{Mark, UnderWay};

/// Queues that are remembered to rest, at most. One that is forgotten is looked at once too often.
const MAX_RESTING: usize = 1_000;
/// How long one look into the directory may take, ms. A query of a directory that sleeps takes a second or two.
pub(super) const LOOK_MS: i64 = 10_000;

/// Hands an account's chunks to carriers.
#[derive(Debug, Default)]
pub struct Dispatcher {
    /// Answers that could not be noted yet.
    pub unnoted: Backlog,
    pub(super) choice: Choice,
    pub(super) calls: Calls,
    /// Until when queues rest that no carrier takes chunks of, ms since the Unix epoch.
    pub(super) resting: RefCell<BTreeMap<(Priority, String), i64>>,
    /// Until when the account counts on being on waiting lists, ms since the Unix epoch.
    pub(super) entered: RefCell<BTreeMap<String, i64>>,
    /// The run that reads the directory.
    pub(super) looks: UnderWay<(), LOOK_MS>,
    /// Whether queues have come up since that this run does not ask for.
    pub(super) has_missed: Cell<bool>,
    /// Whether a chunk may wait for a call to end, so that its carrier may have one more.
    pub(super) has_waiting: Cell<bool>,
    /// How many chunks were offered since calls began that travel together, and how many of them were claimed.
    pub(super) offered: Cell<usize>,
    pub(super) claimed: Cell<usize>,
    /// Whether chunks may be due beside those that stand among the claims.
    pub(super) may_have_due: Cell<bool>,
    /// Whether chunks were ready when that was looked at last.
    pub(super) has_ready: Cell<bool>,
    /// Whether answers have been noted since that was asked last.
    pub(super) has_noted: Cell<bool>,
    /// Whether the object is frozen, so that nothing more is claimed, whatever is under way.
    pub(super) stands_still: Cell<bool>,
    /// Chunks that were claimed when they were accepted, until the next run.
    pub(super) claims: RefCell<Vec<Waiting>>,
}

/// Chunks that go to one object of a carrier in one call. The call counts as under way, also one that never begins.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) call: Mark<To>,
    pub(super) queue: Queue,
    pub(super) carrier: Carrier,
    pub(super) object: String,
    pub(super) account: String,
    pub(super) claimed_ms: i64,
    pub(super) handovers: Vec<Handover>,
}

/// A bundle that waits for its run.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) bundle: Bundle,
    pub(super) options: Rc<Options>,
}

impl Dispatcher {
    /// Begins to decide calls that travel together.
    pub fn begin_calls(&self) {
        self.offered.set(0);
        self.claimed.set(0);
    }

    /// Whether chunks were offered since calls began, and all of them were claimed.
    pub fn has_claimed_all(&self) -> bool {
        self.offered.get() > 0 && self.offered == self.claimed
    }

    /// Claims nothing more, so nothing more is handed over.
    pub fn stand_still(&self) {
        self.stands_still.set(true);
    }

    /// Whether chunks may be claimed at all.
    pub(super) fn may_claim(&self) -> bool {
        !self.stands_still.get() && !self.calls.is_spent()
    }

    /// The next run is to look for chunks that are due.
    pub fn expect_due(&self) {
        self.may_have_due.set(true);
    }

    /// Whether answers have been noted since this was asked last.
    pub fn take_noted(&self) -> bool {
        self.has_noted.take()
    }

    /// Whether chunks were ready when it was asked last when the next are due.
    pub fn has_ready(&self) -> bool {
        self.has_ready.get()
    }

    /// The carrier that chunks on this way wait for.
    pub async fn first_carrier(&self, platform: &impl Platform, way: Way<'_>) -> Result<String, PortError> {
        self.choice.first_carrier(platform, way).await
    }

    pub(super) fn rests(&self, queue: &Queue, now_ms: i64) -> bool {
        let resting = self.resting.borrow();
        let until_ms = resting.get(&(queue.priority, queue.name.clone()));
        until_ms.is_some_and(|until_ms| *until_ms > now_ms)
    }

    pub(super) fn rest(&self, queue: &Queue, until_ms: i64) {
        let mut resting = self.resting.borrow_mut();
        if resting.len() >= MAX_RESTING {
            resting.clear();
        }
        resting.insert((queue.priority, queue.name.clone()), until_ms);
    }

    pub(super) fn choose(&self, now_ms: i64, account: &str, queue: &Queue, options: &Options) -> Chosen {
        let is_free = |object: &str, priority| self.calls.to(object, priority, now_ms) < CALLS_AN_OBJECT;
        self.choice.choose(now_ms, account, queue, options, is_free)
    }
}
