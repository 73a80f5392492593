//! What an object has under way: it counts until its mark is dropped, or until it has shown no sign of life for some time, because
//! the runtime may drop work without a word.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// After so long without a sign of life, the runtime must have dropped work, ms.
pub const DROPPED_MS: i64 = 30_000;

/// By their numbers: when each has shown its last sign of life, ms since the Unix epoch, and what it is.
type Works<T> = Rc<RefCell<BTreeMap<u64, (i64, T)>>>;

/// What is under way, of which each counts for `MS` after its last sign of life.
#[derive(Debug)]
pub struct UnderWay<T = (), const MS: i64 = DROPPED_MS> {
    works: Works<T>,
    last: Cell<u64>,
}

impl<T, const MS: i64> Default for UnderWay<T, MS> {
    fn default() -> Self {
        UnderWay {
            works: Works::default(),
            last: Cell::default(),
        }
    }
}

impl<T, const MS: i64> UnderWay<T, MS> {
    fn is_alive(seen_ms: i64, now_ms: i64) -> bool {
        now_ms < seen_ms.saturating_add(MS)
    }

    /// Work begins. What was dropped is forgotten.
    pub fn begin(&self, now_ms: i64, what: T) -> Mark<T> {
        let number = self.last.get() + 1;
        self.last.set(number);
        let mut works = self.works.borrow_mut();
        works.retain(|_, (seen_ms, _)| Self::is_alive(*seen_ms, now_ms));
        works.insert(number, (now_ms, what));
        let works = Rc::clone(&self.works);
        Mark { works, number }
    }

    /// How many of these there are.
    pub fn count(&self, now_ms: i64, is_meant: impl Fn(&T) -> bool) -> usize {
        let works = self.works.borrow();
        let alive = works.values().filter(|(seen_ms, _)| Self::is_alive(*seen_ms, now_ms));
        alive.filter(|(_, what)| is_meant(what)).count()
    }

    /// Whether there is anything.
    pub fn any(&self, now_ms: i64) -> bool {
        self.count(now_ms, |_| true) > 0
    }

    /// All of it, in the order in which it began.
    pub fn alive(&self, now_ms: i64) -> Vec<T>
    where
        T: Clone,
    {
        let works = self.works.borrow();
        let alive = works.values().filter(|(seen_ms, _)| Self::is_alive(*seen_ms, now_ms));
        alive.map(|(_, what)| what.clone()).collect()
    }
}

/// Work, which ends when this is dropped.
#[derive(Debug)]
pub struct Mark<T = ()> {
    works: Works<T>,
    number: u64,
}

impl<T> Mark<T> {
    /// Shows a sign of life. `false`: it was taken for dropped, and other work has begun since.
    pub fn show(&self, now_ms: i64) -> bool {
        let mut works = self.works.borrow_mut();
        works
            .get_mut(&self.number)
            .map(|(seen_ms, _)| *seen_ms = now_ms)
            .is_some()
    }

    /// Whether no other work has taken its place.
    pub fn is_current(&self) -> bool {
        self.works.borrow().contains_key(&self.number)
    }
}

impl<T> Drop for Mark<T> {
    fn drop(&mut self) {
        self.works.borrow_mut().remove(&self.number);
    }
}
