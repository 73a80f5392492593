//! Who may have an attempt under way. A slow receiver does not hold back the other endpoints of its account.
//!
//! The runtime lets an object have six connections under way. An endpoint is *fast* if its last attempt succeeded soon, and
//! *slow* if that failed or took long. In the beginning nobody knows. Only a fast endpoint has more than one attempt under
//! way. All slow ones together have two, and with those that nobody knows four. So two are always left for fast ones.
//!
//! Receivers of status callbacks have the same paces. All slow ones of them together have one attempt under way, and with those that
//! nobody knows two. While they have, the endpoints that are not fast may have three. So however many receivers of callbacks hang,
//! there is room for a fast endpoint, for one that nobody knows beside the slow ones, and for a receiver that nobody knows.

use std::collections::BTreeMap;

/// Attempts under way, over all endpoints and receivers.
pub const ALL: usize = 6;
/// Attempts under way for one that is fast.
pub const ONE_FAST: usize = 4;
/// Attempts under way for all endpoints that are slow.
pub const ALL_SLOW: usize = 2;
/// Attempts under way for all endpoints that are not fast.
pub const ALL_NOT_FAST: usize = 4;
/// Attempts under way for all endpoints and receivers that are not fast.
pub const NOT_FAST_TOGETHER: usize = 5;
/// As [`ALL_SLOW`], of receivers of callbacks.
pub const SLOW_RECEIVERS: usize = 1;
/// As [`ALL_NOT_FAST`], of receivers of callbacks.
pub const NOT_FAST_RECEIVERS: usize = 2;

/// An attempt that takes longer makes its endpoint slow, ms.
pub const SLOW_MS: i64 = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// It took it soon.
    Fast,
    /// It took it late, or not at all.
    Slow,
}

/// Whether a name is that of a receiver of callbacks, the beginning of an address. Endpoints have ids.
pub fn is_receiver(lane: &str) -> bool {
    lane.contains("://")
}

/// The endpoints and receivers that may have one more attempt under way, those with the fewest first. Among equals, those go first
/// that come behind `last`, the one that had the last attempt: so they take turns.
pub fn candidates<'a>(
    lanes: &'a [String],
    under_way: &BTreeMap<String, usize>,
    paces: &BTreeMap<String, Pace>,
    last: &str,
) -> Vec<&'a String> {
    let count = |lane: &String| under_way.get(lane).copied().unwrap_or(0);
    let sum = |of_receivers: bool, pace: Option<Pace>| -> usize {
        let is_one = |lane: &str| is_receiver(lane) == of_receivers && paces.get(lane).copied() == pace;
        let of_pace = under_way.iter().filter(|(lane, _)| is_one(lane));
        of_pace.map(|(_, count)| count).sum()
    };
    let [slow_endpoints, slow_receivers] = [false, true].map(|of_receivers| sum(of_receivers, Some(Pace::Slow)));
    let endpoints = slow_endpoints + sum(false, None);
    let receivers = slow_receivers + sum(true, None);
    let has_room = |of_receivers: bool, is_slow: bool| {
        let (slow, all) = match of_receivers {
            true => (slow_receivers < SLOW_RECEIVERS, receivers < NOT_FAST_RECEIVERS),
            false => (slow_endpoints < ALL_SLOW, endpoints < ALL_NOT_FAST),
        };
        (slow || !is_slow) && all && endpoints + receivers < NOT_FAST_TOGETHER
    };
    let may_have_more = |lane: &&String| match paces.get(*lane) {
        Some(Pace::Fast) => count(lane) < ONE_FAST,
        pace => count(lane) == 0 && has_room(is_receiver(lane), pace.is_some()),
    };
    if under_way.values().sum::<usize>() >= ALL {
        return Vec::new();
    }
    let mut candidates: Vec<&String> = lanes.iter().filter(may_have_more).collect();
    candidates.sort_by_key(|lane| (count(lane), lane.as_str() <= last, lane.as_str()));
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn map<T: Copy>(values: &[(&str, T)]) -> BTreeMap<String, T> {
        values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect()
    }

    #[test]
    fn endpoints_take_turns() {
        let endpoints = names(&["a", "b", "c"]);
        for (last, expected) in [
            ("", ["a", "b", "c"]),
            ("a", ["b", "c", "a"]),
            ("b", ["c", "a", "b"]),
            ("c", ["a", "b", "c"]),
        ] {
            assert_eq!(candidates(&endpoints, &map(&[]), &map(&[]), last), expected);
        }
    }

    #[test]
    fn however_many_are_slow_a_fast_endpoint_has_room() {
        let endpoints = names(&["a", "b", "c", "d"]);
        let paces = map(&[
            ("a", Pace::Slow),
            ("b", Pace::Slow),
            ("c", Pace::Slow),
            ("d", Pace::Fast),
        ]);
        for (of_fast, expected) in [(0, &["d"][..]), (3, &["d"]), (4, &[])] {
            let counts = map(&[("a", 1), ("b", 1), ("d", of_fast)]);
            assert_eq!(candidates(&endpoints, &counts, &paces, ""), expected);
        }
    }

    #[test]
    fn who_is_new_has_one_attempt_until_it_succeeds() {
        let endpoints = names(&["a", "b", "c", "d", "e"]);
        let counts = map(&[("a", 1), ("b", 1), ("c", 1)]);
        assert_eq!(candidates(&endpoints, &counts, &map(&[]), ""), ["d", "e"]);
        let counts = map(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]);
        assert!(candidates(&endpoints, &counts, &map(&[]), "").is_empty());
        let paces = map(&[("d", Pace::Fast)]);
        assert_eq!(candidates(&endpoints, &counts, &paces, ""), ["e", "d"]);
    }

    #[test]
    fn however_many_receivers_hang_there_is_room_for_every_endpoint_and_for_a_new_receiver() {
        let lanes = names(&["fast", "new", "slow", "https://a", "https://b", "https://new"]);
        let paces = map(&[
            ("fast", Pace::Fast),
            ("slow", Pace::Slow),
            ("https://a", Pace::Slow),
            ("https://b", Pace::Slow),
        ]);
        let counts = map(&[("https://a", 1)]);
        assert_eq!(
            candidates(&lanes, &counts, &paces, ""),
            ["fast", "https://new", "new", "slow"]
        );
        let counts = map(&[("https://a", 1), ("https://new", 1), ("slow", 1), ("other", 1)]);
        assert_eq!(candidates(&lanes, &counts, &paces, ""), ["fast", "new"]);
        let counts = map(&[
            ("https://a", 1),
            ("https://new", 1),
            ("slow", 1),
            ("other", 1),
            ("new", 1),
        ]);
        assert_eq!(candidates(&lanes, &counts, &paces, ""), ["fast"]);
    }

    proptest! {
        /// Whatever starts and ends, and however fast it is by then, no more than six are under way.
        #[test]
        fn the_limits_hold(steps in prop::collection::vec((prop::bool::ANY, 0_usize..10, prop::bool::ANY), 0..100)) {
            let endpoints: Vec<String> = (0..10).map(|index| format!("{}{index}", ["e", "https://"][index % 2])).collect();
            let (mut counts, mut paces, mut last) = (BTreeMap::new(), BTreeMap::new(), String::new());
            for (starts, index, is_fast) in steps {
                let next = candidates(&endpoints, &counts, &paces, &last).first().map(|next| (*next).clone());
                if let Some(next) = next.filter(|_| starts) {
                    let not_fast = |endpoint: &&String| paces.get(*endpoint) != Some(&Pace::Fast);
                    *counts.entry(next.clone()).or_insert(0) += 1;
                    if not_fast(&&next) {
                        prop_assert_eq!(counts[&next], 1);
                        let not_fast = || endpoints.iter().filter(not_fast);
                        let all: usize = not_fast().filter_map(|name| counts.get(name)).sum();
                        prop_assert!(all <= NOT_FAST_TOGETHER);
                        let alike = not_fast().filter(|name| is_receiver(name) == is_receiver(&next));
                        let all: usize = alike.filter_map(|name| counts.get(name)).sum();
                        let most = if is_receiver(&next) { NOT_FAST_RECEIVERS } else { ALL_NOT_FAST };
                        prop_assert!(all <= most);
                    }
                    last = next;
                } else if let Some(count) = counts.get_mut(&endpoints[index]).filter(|count| **count > 0) {
                    *count -= 1;
                    paces.insert(endpoints[index].clone(), if is_fast { Pace::Fast } else { Pace::Slow });
                }
                prop_assert!(counts.values().all(|count| *count <= ONE_FAST));
                prop_assert!(counts.values().sum::<usize>() <= ALL);
            }
        }
    }
}
