//! Who may have an attempt under way. A slow receiver does not hold back the other endpoints of its account.
//!
//! The runtime lets an object have six connections under way. An endpoint is *fast* if its last attempt succeeded soon, and
//! *slow* if that failed or took long. In the beginning nobody knows. Only a fast endpoint has more than one attempt under
//! way. All slow ones together have two, and with those that nobody knows four. So two are always left for fast ones.

use std::collections::BTreeMap;

/// Attempts under way, over all endpoints.
pub const ALL: usize = 6;
/// Attempts under way for one endpoint that is fast.
pub const ONE_FAST: usize = 4;
/// Attempts under way for all endpoints that are slow.
pub const ALL_SLOW: usize = 2;
/// Attempts under way for all endpoints that are not fast.
pub const ALL_NOT_FAST: usize = 4;

/// An attempt that takes longer makes its endpoint slow, ms.
pub const SLOW_MS: i64 = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// It took it soon.
    Fast,
    /// It took it late, or not at all.
    Slow,
}

/// The endpoints that may have one more attempt under way, those with the fewest first. Among equals, those go first that
/// come behind `last`, the endpoint that had the last attempt: so they take turns.
pub fn candidates<'a>(
    endpoints: &'a [String],
    under_way: &BTreeMap<String, usize>,
    paces: &BTreeMap<String, Pace>,
    last: &str,
) -> Vec<&'a String> {
    let count = |endpoint: &String| under_way.get(endpoint).copied().unwrap_or(0);
    let sum = |pace: Option<&Pace>| -> usize {
        let of_pace = under_way.iter().filter(|(endpoint, _)| paces.get(*endpoint) == pace);
        of_pace.map(|(_, count)| count).sum()
    };
    let all_slow = sum(Some(&Pace::Slow));
    let all_not_fast = all_slow + sum(None);
    let may_have_more = |endpoint: &&String| match paces.get(*endpoint) {
        Some(Pace::Fast) => count(endpoint) < ONE_FAST,
        Some(Pace::Slow) => count(endpoint) == 0 && all_slow < ALL_SLOW && all_not_fast < ALL_NOT_FAST,
        None => count(endpoint) == 0 && all_not_fast < ALL_NOT_FAST,
    };
    if all_not_fast + sum(Some(&Pace::Fast)) >= ALL {
        return Vec::new();
    }
    let mut candidates: Vec<&String> = endpoints.iter().filter(may_have_more).collect();
    candidates.sort_by_key(|endpoint| (count(endpoint), endpoint.as_str() <= last, endpoint.as_str()));
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

    proptest! {
        /// Whatever starts and ends, and however fast it is by then, no more than six are under way.
        #[test]
        fn the_limits_hold(steps in prop::collection::vec((prop::bool::ANY, 0_usize..10, prop::bool::ANY), 0..100)) {
            let endpoints: Vec<String> = (0..10).map(|index| format!("e{index}")).collect();
            let (mut counts, mut paces, mut last) = (BTreeMap::new(), BTreeMap::new(), String::new());
            for (starts, index, is_fast) in steps {
                let next = candidates(&endpoints, &counts, &paces, &last).first().map(|next| (*next).clone());
                if let Some(next) = next.filter(|_| starts) {
                    let not_fast = |endpoint: &&String| paces.get(*endpoint) != Some(&Pace::Fast);
                    *counts.entry(next.clone()).or_insert(0) += 1;
                    if not_fast(&&next) {
                        prop_assert_eq!(counts[&next], 1);
                        let all: usize = endpoints.iter().filter(not_fast).filter_map(|name| counts.get(name)).sum();
                        prop_assert!(all <= ALL_NOT_FAST);
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
