//! A small cache in the memory of the isolate. No value is used for longer than thirty seconds, and what all values take is
//! bounded: the oldest go first. The cache holds data and never futures, because one request must not wait for another
//! request's I/O.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// How long a value may be used, in ms. The contract promises that every change shows within this time.
pub const KEPT_MS: i64 = 30_000;
/// The age at which one request reads the value again, in ms. Other requests use the old value until [`KEPT_MS`].
/// Without this, all concurrent requests would read the value at the same moment when it expires.
const REFRESH_MS: i64 = 20_000;
/// What a cache takes at most, in bytes, unless it says otherwise. An isolate has 128 MB.
const MAX_BYTES: usize = 8 << 20;
/// What an allocation takes beside its content, about, in bytes.
const ALLOCATION: usize = 16;
/// What the cache itself keeps for a value, about, in bytes.
const PLACE: usize = 150;

/// What takes memory that is its own.
pub trait Weigh {
    /// About how many bytes it takes beside itself. What it shares with others does not count.
    fn heap(&self) -> usize;
}

impl Weigh for str {
    fn heap(&self) -> usize {
        self.len().saturating_add(ALLOCATION)
    }
}

impl Weigh for String {
    fn heap(&self) -> usize {
        self.as_str().heap()
    }
}

impl<T: Weigh> Weigh for Option<T> {
    fn heap(&self) -> usize {
        self.as_ref().map_or(0, Weigh::heap)
    }
}

impl<T: Weigh> Weigh for Vec<T> {
    fn heap(&self) -> usize {
        let each = |one: &T| size_of::<T>().saturating_add(one.heap());
        self.iter().map(each).sum::<usize>().saturating_add(ALLOCATION)
    }
}

/// Values by name, which take at most `MAX` bytes.
#[derive(Debug)]
pub struct Cache<T, const MAX: usize = MAX_BYTES> {
    store: RefCell<Store<T>>,
}

#[derive(Debug)]
struct Store<T> {
    values: HashMap<Rc<str>, CachedValue<T>>,
    /// The names by the number of their value.
    by_age: BTreeMap<u64, Rc<str>>,
    /// How many values were put.
    puts: u64,
    bytes: usize,
}

#[derive(Debug)]
struct CachedValue<T> {
    value: Rc<T>,
    read_ms: i64,
    refreshing: bool,
    /// Grows from value to value.
    number: u64,
    bytes: usize,
}

impl<T, const MAX: usize> Default for Cache<T, MAX> {
    fn default() -> Self {
        Cache {
            store: RefCell::default(),
        }
    }
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Store {
            values: HashMap::new(),
            by_age: BTreeMap::new(),
            puts: 0,
            bytes: 0,
        }
    }
}

impl<T> Store<T> {
    fn remove(&mut self, name: &str) {
        if let Some(kept) = self.values.remove(name) {
            self.by_age.remove(&kept.number);
            self.bytes = self.bytes.saturating_sub(kept.bytes);
        }
    }

    /// The name of the oldest value, if that is too old or there are too many bytes.
    fn surplus(&self, now_ms: i64, max: usize) -> Option<Rc<str>> {
        let (_, oldest) = self.by_age.first_key_value()?;
        let is_fresh = |kept: &CachedValue<T>| now_ms.saturating_sub(kept.read_ms) < KEPT_MS;
        let stays = self.bytes <= max && self.values.get(oldest).is_some_and(is_fresh);
        (!stays).then(|| Rc::clone(oldest))
    }
}

impl<T, const MAX: usize> Cache<T, MAX> {
    /// Returns the value with this name if it may be used at `now_ms`. On `None` the caller reads the value and puts
    /// it.
    pub fn get(&self, name: &str, now_ms: i64) -> Option<Rc<T>> {
        let mut store = self.store.borrow_mut();
        let kept = store.values.get_mut(name)?;
        let age_ms = now_ms.saturating_sub(kept.read_ms);
        if age_ms >= KEPT_MS || (age_ms >= REFRESH_MS && !std::mem::replace(&mut kept.refreshing, true)) {
            return None;
        }
        Some(Rc::clone(&kept.value))
    }

    /// Returns the value with this name if it may be used at `now_ms`, for a caller that does not read it anew.
    pub fn peek(&self, name: &str, now_ms: i64) -> Option<Rc<T>> {
        let store = self.store.borrow();
        let kept = store.values.get(name)?;
        let is_fresh = now_ms.saturating_sub(kept.read_ms) < KEPT_MS;
        is_fresh.then(|| Rc::clone(&kept.value))
    }

    /// Removes one value.
    pub fn forget(&self, name: &str) {
        self.store.borrow_mut().remove(name);
    }

    /// Removes all values.
    pub fn clear(&self) {
        self.store.take();
    }

    /// About how many bytes all values take.
    pub fn bytes(&self) -> usize {
        self.store.borrow().bytes
    }
}

impl<T: Weigh, const MAX: usize> Cache<T, MAX> {
    /// Keeps a value that was read at `now_ms`. Values that are too old go, and the oldest of the others if there is no room.
    pub fn put(&self, name: &str, now_ms: i64, value: T) -> Rc<T> {
        let bytes = [name.heap(), size_of::<T>(), value.heap(), PLACE].into_iter().sum();
        let (name, value) = (Rc::<str>::from(name), Rc::new(value));
        let mut store = self.store.borrow_mut();
        store.remove(&name);
        store.puts = store.puts.wrapping_add(1);
        let number = store.puts;
        let kept = CachedValue {
            value: Rc::clone(&value),
            read_ms: now_ms,
            refreshing: false,
            number,
            bytes,
        };
        store.by_age.insert(number, Rc::clone(&name));
        store.values.insert(name, kept);
        store.bytes = store.bytes.saturating_add(bytes);
        while let Some(name) = store.surplus(now_ms, MAX) {
            store.remove(&name);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Weigh for usize {
        /// A value that says how much it takes.
        fn heap(&self) -> usize {
            *self
        }
    }

    #[test]
    fn a_value_is_used_for_thirty_seconds_and_no_longer() {
        let cache: Cache<usize> = Cache::default();
        cache.put("a", 1_000, 7);
        assert_eq!(cache.get("a", 20_999).as_deref(), Some(&7));
        assert_eq!(cache.get("a", 21_000), None, "one reads it anew");
        assert_eq!(cache.get("a", 30_999).as_deref(), Some(&7), "the others go on");
        assert_eq!(cache.get("a", 31_000), None);
        cache.put("a", 31_000, 8);
        assert_eq!(cache.get("a", 31_000).as_deref(), Some(&8));
        cache.forget("a");
        assert_eq!((cache.get("a", 31_000), cache.bytes()), (None, 0));
    }

    #[test]
    fn a_cache_never_takes_more_than_its_bound_and_the_oldest_values_go_first() {
        let cache: Cache<usize, 1_000_000> = Cache::default();
        for number in 0..2_000_usize {
            cache.put(&number.to_string(), 0, number * 7 % 100_000);
            assert!(cache.bytes() <= 1_000_000);
        }
        assert!(cache.bytes() > 900_000, "what has room stays");
        assert!(cache.peek("1999", 0).is_some());
        assert!(cache.peek("0", 0).is_none());
        // One that has no room at all is used and not kept.
        assert_eq!(*cache.put("large", 0, 2_000_000), 2_000_000);
        assert_eq!((cache.peek("large", 0), cache.bytes()), (None, 0));
    }

    #[test]
    fn what_is_too_old_goes_when_another_value_comes() {
        let cache: Cache<usize> = Cache::default();
        for number in 0..1_000 {
            cache.put(&number.to_string(), number, 100);
        }
        let before = cache.bytes();
        // Half of them are younger than thirty seconds.
        cache.put("new", 30_499, 100);
        assert!(cache.bytes() * 100 < before * 52 && cache.bytes() * 100 > before * 48);
        cache.put("new", 60_999, 100);
        assert_eq!(cache.store.borrow().values.len(), 1);
        assert_eq!(cache.store.borrow().by_age.len(), 1);
        cache.clear();
        assert_eq!(cache.bytes(), 0);
    }
}
