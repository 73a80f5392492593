//! A small cache in the memory of the isolate. No value is used for longer than thirty seconds, and the number of
//! values is bounded. The cache holds data and never futures, because one request must not wait for another request's
//! I/O.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How long a value may be used, in ms. The contract promises that every change shows within this time.
const KEPT_MS: i64 = 30_000;
/// The age at which one request reads the value again, in ms. Other requests use the old value until [`KEPT_MS`].
/// Without this, all concurrent requests would read the value at the same moment when it expires.
const REFRESH_MS: i64 = 20_000;
/// The most values. At a few hundred bytes each they take some megabytes of the isolate's 128.
const MAX_VALUES: usize = 10_000;

/// Values by name.
#[derive(Debug)]
pub struct Cache<T> {
    values: RefCell<HashMap<String, Kept<T>>>,
}

#[derive(Debug)]
struct Kept<T> {
    value: Rc<T>,
    read_ms: i64,
    refreshing: bool,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache {
            values: RefCell::default(),
        }
    }
}

impl<T> Cache<T> {
    /// Returns the value with this name if it may be used at `now_ms`. On `None` the caller reads the value and puts
    /// it.
    pub fn get(&self, name: &str, now_ms: i64) -> Option<Rc<T>> {
        let mut values = self.values.borrow_mut();
        let kept = values.get_mut(name)?;
        let age_ms = now_ms.saturating_sub(kept.read_ms);
        if age_ms >= KEPT_MS || (age_ms >= REFRESH_MS && !std::mem::replace(&mut kept.refreshing, true)) {
            return None;
        }
        Some(Rc::clone(&kept.value))
    }

    /// Returns the value with this name if it may be used at `now_ms`, for a caller that does not read it anew.
    pub fn peek(&self, name: &str, now_ms: i64) -> Option<Rc<T>> {
        let values = self.values.borrow();
        let kept = values.get(name)?;
        let is_fresh = now_ms.saturating_sub(kept.read_ms) < KEPT_MS;
        is_fresh.then(|| Rc::clone(&kept.value))
    }

    /// Keeps a value that was read at `now_ms`. A full cache is cleared first, and values in use soon come back.
    pub fn put(&self, name: &str, now_ms: i64, value: T) -> Rc<T> {
        let value = Rc::new(value);
        let mut values = self.values.borrow_mut();
        if values.len() >= MAX_VALUES {
            values.clear();
        }
        let kept = Kept {
            value: Rc::clone(&value),
            read_ms: now_ms,
            refreshing: false,
        };
        values.insert(name.to_owned(), kept);
        value
    }

    /// Removes one value.
    pub fn forget(&self, name: &str) {
        self.values.borrow_mut().remove(name);
    }

    /// Removes all values.
    pub fn clear(&self) {
        self.values.borrow_mut().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_used_for_thirty_seconds_and_no_longer() {
        let cache = Cache::default();
        cache.put("a", 1_000, 7);
        assert_eq!(cache.get("a", 20_999).as_deref(), Some(&7));
        assert_eq!(cache.get("a", 21_000), None, "one reads it anew");
        assert_eq!(cache.get("a", 30_999).as_deref(), Some(&7), "the others go on");
        assert_eq!(cache.get("a", 31_000), None);
        cache.put("a", 31_000, 8);
        assert_eq!(cache.get("a", 31_000).as_deref(), Some(&8));
        cache.forget("a");
        assert_eq!(cache.get("a", 31_000), None);
    }

    #[test]
    fn a_cache_never_grows_beyond_its_bound() {
        let cache = Cache::default();
        for number in 0..MAX_VALUES * 2 + 1 {
            cache.put(&number.to_string(), 0, number);
        }
        assert!(cache.values.borrow().len() <= MAX_VALUES);
    }
}
