//! Counts by what is counted. They travel as a list of pairs, because another version may count more.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// The item of a sorted list that compares as equal, or a new one at its place. `None`: it is new, and the list has `max` items already.
pub fn at_or_new<T>(
    list: &mut Vec<T>,
    max: usize,
    compare: impl FnMut(&T) -> Ordering,
    new: impl FnOnce() -> T,
) -> Option<&mut T> {
    let at = match list.binary_search_by(compare) {
        Ok(at) => at,
        Err(_) if list.len() >= max => return None,
        Err(at) => {
            list.insert(at, new());
            at
        }
    };
    list.get_mut(at)
}

/// How many there are of each, in the order of their keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counters<K>(Vec<(K, u64)>);

impl<K> Default for Counters<K> {
    fn default() -> Self {
        Counters(Vec::new())
    }
}

impl<K: Ord + Clone> Counters<K> {
    /// Counts so many more.
    pub fn add(&mut self, key: &K, more: u64) {
        if let Some((_, count)) = at_or_new(&mut self.0, usize::MAX, |(of, _)| of.cmp(key), || (key.clone(), 0)) {
            *count = count.saturating_add(more);
        }
    }

    /// Adds what somebody else has counted.
    pub fn add_all(&mut self, other: &Counters<K>) {
        for (key, more) in &other.0 {
            self.add(key, *more);
        }
    }

    /// Each key with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&K, u64)> {
        self.0.iter().map(|(key, count)| (key, *count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_all_that_was_counted() {
        let (mut one, mut other) = (Counters::default(), Counters::default());
        for key in [5, 3, 5, 9] {
            one.add(&key, 1);
        }
        for key in [9, 1, u16::MAX] {
            other.add(&key, 2);
        }
        one.add_all(&other);
        let expected = [(1, 2), (3, 1), (5, 2), (9, 3), (u16::MAX, 2)];
        assert_eq!(
            one.iter().map(|(key, count)| (*key, count)).collect::<Vec<_>>(),
            expected
        );
    }
}
