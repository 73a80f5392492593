//! Who may have an attempt under way. A slow receiver does not hold back the other endpoints of its account.
//!
//! The runtime lets an object have six connections under way. An endpoint whose last attempt failed or took long is *slow*: it
//! has one attempt under way, and all slow ones together have two. So the others always have the rest.

use std::collections::{BTreeMap, BTreeSet};

/// Attempts under way, over all endpoints.
pub const ALL: usize = 6;
/// Attempts under way for one endpoint.
pub const ONE: usize = 4;
/// Attempts under way for all slow endpoints.
pub const ALL_SLOW: usize = 2;

/// An attempt that takes longer makes its endpoint slow, ms.
pub const SLOW_MS: i64 = 2_000;

/// The endpoints that may have one more attempt under way, those with the fewest first. Among equals, those go first that
/// come behind `last`, the endpoint that had the last attempt: so they take turns.
pub fn candidates<'a>(
    endpoints: &'a [String],
    under_way: &BTreeMap<String, usize>,
    slow: &BTreeSet<String>,
    last: &str,
) -> Vec<&'a String> {
    let count = |endpoint: &String| under_way.get(endpoint).copied().unwrap_or(0);
    let all: usize = under_way.values().sum();
    let all_slow: usize = slow.iter().map(count).sum();
    let may_have_more = |endpoint: &&String| match slow.contains(*endpoint) {
        true => count(endpoint) == 0 && all_slow < ALL_SLOW,
        false => count(endpoint) < ONE,
    };
    let mut candidates: Vec<&String> = match all < ALL {
        true => endpoints.iter().filter(may_have_more).collect(),
        false => Vec::new(),
    };
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

    fn slow(slow: &[&str]) -> BTreeSet<String> {
        names(slow).into_iter().collect()
    }

    fn under_way(counts: &[(&str, usize)]) -> BTreeMap<String, usize> {
        counts
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    }

    #[test]
    fn endpoints_take_turns() {
        let endpoints = names(&["a", "b", "c"]);
        let next = |last| {
            candidates(&endpoints, &under_way(&[]), &slow(&[]), last)
                .into_iter()
                .cloned()
                .collect()
        };
        let nexts: [Vec<String>; 4] = [next(""), next("a"), next("b"), next("c")];
        assert_eq!(nexts[0], ["a", "b", "c"]);
        assert_eq!(nexts[1], ["b", "c", "a"]);
        assert_eq!(nexts[2], ["c", "a", "b"]);
        assert_eq!(nexts[3], ["a", "b", "c"]);
    }

    #[test]
    fn however_many_are_slow_a_fast_endpoint_has_room() {
        let endpoints = names(&["a", "b", "c", "d"]);
        let slow = slow(&["a", "b", "c"]);
        let counts = under_way(&[("a", 1), ("b", 1)]);
        assert_eq!(candidates(&endpoints, &counts, &slow, ""), ["d"]);
        let counts = under_way(&[("a", 1), ("b", 1), ("d", 3)]);
        assert_eq!(candidates(&endpoints, &counts, &slow, ""), ["d"]);
        let counts = under_way(&[("a", 1), ("b", 1), ("d", 4)]);
        assert!(candidates(&endpoints, &counts, &slow, "").is_empty());
    }

    proptest! {
        /// Whatever starts and ends, the limits hold, and no fast endpoint without an attempt waits for slow ones.
        #[test]
        fn the_limits_hold(
            is_slow in prop::collection::vec(prop::bool::ANY, 10),
            steps in prop::collection::vec((prop::bool::ANY, 0_usize..10), 0..100),
        ) {
            let endpoints: Vec<String> = (0..10).map(|index| format!("e{index}")).collect();
            let slow: BTreeSet<String> = endpoints.iter().zip(&is_slow).filter(|(_, slow)| **slow)
                .map(|(endpoint, _)| endpoint.clone()).collect();
            let (mut counts, mut last) = (BTreeMap::new(), String::new());
            for (starts, index) in steps {
                let next = candidates(&endpoints, &counts, &slow, &last).first().map(|next| (*next).clone());
                if let Some(next) = next.filter(|_| starts) {
                    *counts.entry(next.clone()).or_insert(0) += 1;
                    last = next;
                } else if let Some(count) = counts.get_mut(&endpoints[index]) {
                    *count = (*count).max(1) - 1;
                }
                let of_slow: usize = slow.iter().filter_map(|endpoint| counts.get(endpoint)).sum();
                prop_assert!(of_slow <= ALL_SLOW);
                prop_assert!(counts.values().all(|count| *count <= ONE));
                prop_assert!(counts.values().sum::<usize>() <= ALL);
            }
        }
    }
}
