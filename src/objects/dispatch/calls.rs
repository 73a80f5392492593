//! The calls of one account's object to carriers' objects that are under way: how many each may have.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::account::record::chunk::LEASE_MS;
use crate::account::record::message::priority::Priority;

/// Calls to one object of a carrier at the same time, of each priority: so a login code never waits for a campaign's calls. More
/// would not carry more, because chunks that wait travel together.
pub(super) const CALLS_AN_OBJECT: usize = 2;
/// Calls in one invocation of the object: the runtime allows 1,000, and the chores make some too.
const CALLS_AN_INVOCATION: u32 = 500;

/// The calls that are under way, and how many the invocation may still make.
#[derive(Debug)]
pub(super) struct Calls {
    /// When they began, ms since the Unix epoch, by object and priority.
    under_way: RefCell<BTreeMap<(String, Priority), Vec<i64>>>,
    left: Cell<u32>,
}

impl Default for Calls {
    fn default() -> Self {
        Calls {
            under_way: RefCell::default(),
            left: Cell::new(CALLS_AN_INVOCATION),
        }
    }
}

impl Calls {
    pub(super) fn begin_invocation(&self) {
        self.left.set(CALLS_AN_INVOCATION);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Takes so many calls of another kind from those that the invocation may still make, or as many as there are.
    pub(super) fn take(&self, wanted: usize) -> usize {
        let left = self.left.get();
        let taken = u32::try_from(wanted).unwrap_or(u32::MAX).min(left);
        self.left.set(left.saturating_sub(taken));
        usize::try_from(taken).unwrap_or(wanted)
    }

    pub(super) fn any(&self, now_ms: i64) -> bool {
        let under_way = self.under_way.borrow();
        under_way.values().flatten().any(|began_ms| is_alive(*began_ms, now_ms))
    }

    pub(super) fn to(&self, object: &str, priority: Priority, now_ms: i64) -> usize {
        let mut under_way = self.under_way.borrow_mut();
        under_way.get_mut(&(object.to_owned(), priority)).map_or(0, |calls| {
            calls.retain(|began_ms| is_alive(*began_ms, now_ms));
            calls.len()
        })
    }

    /// Counts a call as under way until its [`slot`](Calls::slot) is dropped, or until the lease of its chunks ends.
    pub(super) fn begin(&self, now_ms: i64, object: &str, priority: Priority) {
        let mut under_way = self.under_way.borrow_mut();
        under_way.entry((object.to_owned(), priority)).or_default().push(now_ms);
        self.left.set(self.left.get().saturating_sub(1));
    }

    /// Ends a call that [`begin`](Calls::begin) has counted, when it is dropped.
    pub(super) fn slot(&self, object: &str, priority: Priority, began_ms: i64) -> Slot<'_> {
        Slot {
            calls: self,
            to: (object.to_owned(), priority),
            began_ms,
        }
    }
}

/// A call that counts as under way until this is dropped, or until the lease of its chunks ends: the runtime may drop a call
/// without a word.
pub(super) struct Slot<'a> {
    calls: &'a Calls,
    to: (String, Priority),
    began_ms: i64,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut under_way = self.calls.under_way.borrow_mut();
        if let Some(calls) = under_way.get_mut(&self.to)
            && let Some(at) = calls.iter().position(|began_ms| *began_ms == self.began_ms)
        {
            calls.swap_remove(at);
            if calls.is_empty() {
                under_way.remove(&self.to);
            }
        }
    }
}

fn is_alive(began_ms: i64, now_ms: i64) -> bool {
    now_ms < began_ms.saturating_add(LEASE_MS)
}
