//! A small cache in the isolate's memory: values live at most thirty seconds, and there are never too many of them.
//! It holds data, never futures: one request must not wait for another's.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How long a value may be used, ms. The contract promises that no change takes longer to show.
const KEPT_MS: i64 = 30_000;
/// When a value is read anew, ms: by one request, while the others go on with it for as long as they may. Otherwise all
/// requests under way would read it at once when its time is over.
const REFRESH_MS: i64 = 20_000;
/// Values at most: at a few hundred bytes each, some megabytes of an isolate's 128.
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
    /// The value of that name, if it may be used at `now_ms`. `None` asks the caller to read it.
    pub fn get(&self, name: &str, now_ms: i64) -> Option<Rc<T>> {
        let mut values = self.values.borrow_mut();
        let kept = values.get_mut(name)?;
        let age_ms = now_ms.saturating_sub(kept.read_ms);
        if age_ms >= KEPT_MS || (age_ms >= REFRESH_MS && !std::mem::replace(&mut kept.refreshing, true)) {
            return None;
        }
        Some(Rc::clone(&kept.value))
    }

    /// Keeps a value read at `now_ms`. A full cache starts again: what is in use is soon back.
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

    /// Forgets one value.
    pub fn forget(&self, name: &str) {
        self.values.borrow_mut().remove(name);
    }

    /// Forgets all values.
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
