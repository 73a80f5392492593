//! The calls of one account's object to carriers' objects that are under way: how many each may have.

use std::cell::Cell;

use crate::account::record::chunk::LEASE_MS;
use crate::account::record::message::priority::Priority;
use crate::durable::under_way::{Mark, UnderWay};

/// Calls to one object of a carrier at the same time, of each priority: so a login code never waits for a campaign's calls. More
/// would not carry more, because chunks that wait travel together.
pub(super) const CALLS_AN_OBJECT: usize = 2;
/// Calls in one invocation of the object: the runtime allows 1,000, and the chores make some too.
const CALLS_AN_INVOCATION: u32 = 500;

/// Which object a call goes to, and how urgent it is.
pub(super) type To = (String, Priority);

/// The calls that are under way, and how many the invocation may still make.
#[derive(Debug)]
pub(super) struct Calls {
    under_way: UnderWay<To, LEASE_MS>,
    left: Cell<u32>,
}

impl Default for Calls {
    fn default() -> Self {
        Calls {
            under_way: UnderWay::default(),
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
        self.under_way.any(now_ms)
    }

    pub(super) fn to(&self, object: &str, priority: Priority, now_ms: i64) -> usize {
        self.under_way.count(now_ms, |to| to.1 == priority && to.0 == object)
    }

    /// Counts a call as under way until this is dropped, or until the lease of its chunks ends.
    pub(super) fn begin(&self, now_ms: i64, object: &str, priority: Priority) -> Mark<To> {
        self.left.set(self.left.get().saturating_sub(1));
        self.under_way.begin(now_ms, (object.to_owned(), priority))
    }
}
