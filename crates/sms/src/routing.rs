//! Which carriers take a line's messages. Of a line's routes, the one with the longest prefix of the number counts. Its
//! carriers share the numbers by weight; its backup is there for when none of them takes any.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A carrier's share of a route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The carrier's name.
    pub name: String,
    /// How much it takes, compared with the others.
    pub weight: u32,
}

/// The carriers for some numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// What the numbers begin with, E.164 digits without a plus. None: the route is for all numbers that no other takes.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// The carriers.
    pub carriers: Vec<Share>,
    /// The carriers for when none of those takes any.
    #[serde(default)]
    pub backup: Vec<Share>,
}

impl Route {
    /// The carrier that takes most of the numbers; of several the first. One that is avoided is it only if all are.
    pub fn first_carrier(&self, is_avoided: impl Fn(&str) -> bool) -> Option<&str> {
        let other = |share: &Share| !is_avoided(&share.name);
        let others = heaviest(&self.carriers, other).or_else(|| heaviest(&self.backup, other));
        others.or_else(|| heaviest(&self.carriers, |_| true))
    }
}

/// The first of the carriers with the most weight among those that may be it.
fn heaviest(shares: &[Share], may_be: impl Fn(&Share) -> bool) -> Option<&str> {
    let fitting = shares.iter().rev().filter(|share| may_be(share));
    let heaviest = fitting.max_by_key(|share| share.weight);
    heaviest.map(|share| share.name.as_str())
}

/// The routes of a line. One of them has no prefixes, so that every number has a route.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Routes(pub Vec<Route>);

impl Routes {
    /// One route for all numbers, to one carrier.
    pub fn to(carrier: &str) -> Routes {
        Routes(vec![Route {
            prefixes: Vec::new(),
            carriers: vec![Share {
                name: carrier.to_owned(),
                weight: 1,
            }],
            backup: Vec::new(),
        }])
    }

    /// The carrier, if one takes all numbers and has no backup.
    pub fn only_carrier(&self) -> Option<&str> {
        let [route] = self.0.as_slice() else {
            return None;
        };
        match (route.carriers.as_slice(), route.backup.is_empty()) {
            ([only], true) => Some(&only.name),
            _ => None,
        }
    }

    /// The indexes of the routes that name such a carrier.
    pub fn with(&self, is_such: impl Fn(&str) -> bool) -> Vec<usize> {
        let has = |route: &Route| {
            route
                .carriers
                .iter()
                .chain(&route.backup)
                .any(|share| is_such(&share.name))
        };
        let routes = self.0.iter().enumerate();
        routes.filter(|(_, route)| has(route)).map(|(index, _)| index).collect()
    }

    /// All carriers that a route names, each once.
    pub fn carriers(&self) -> BTreeSet<&str> {
        let shares = self
            .0
            .iter()
            .flat_map(|route| route.carriers.iter().chain(&route.backup));
        shares.map(|share| share.name.as_str()).collect()
    }

    /// The longest prefix that a number begins with; empty for the route without prefixes. `digits` are those of E.164.
    pub fn prefix_of(&self, digits: &str) -> &str {
        let prefixes = self.0.iter().flat_map(|route| &route.prefixes);
        let fitting = prefixes.filter(|prefix| digits.starts_with(prefix.as_str()));
        fitting.max_by_key(|prefix| prefix.len()).map_or("", String::as_str)
    }

    /// The route for the numbers that begin with a prefix that [`Routes::prefix_of`] gave. The routes may have changed since.
    pub fn route_of(&self, prefix: &str) -> Option<&Route> {
        let longest = self.prefix_of(prefix);
        let is_it = |route: &&Route| {
            if longest.is_empty() {
                route.prefixes.is_empty()
            } else {
                route.prefixes.iter().any(|prefix| prefix == longest)
            }
        };
        self.0.iter().find(is_it)
    }

    /// Whether numbers differ in their routes.
    pub fn has_prefixes(&self) -> bool {
        self.0.iter().any(|route| !route.prefixes.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn route(prefixes: &[&str], carrier: &str) -> Route {
        let of_one = Routes::to(carrier).0.remove(0);
        Route {
            prefixes: prefixes.iter().map(|prefix| (*prefix).to_owned()).collect(),
            ..of_one
        }
    }

    #[test]
    fn the_longest_prefix_wins() {
        let routes = Routes(vec![
            route(&["98", "44"], "a"),
            route(&[], "rest"),
            route(&["98912", "9891"], "b"),
        ]);
        let carrier = |digits: &str| {
            let route = routes.route_of(routes.prefix_of(digits)).unwrap();
            route.carriers[0].name.as_str()
        };
        assert_eq!(carrier("989121234567"), "b");
        assert_eq!(carrier("989101234567"), "b");
        assert_eq!(carrier("989351234567"), "a");
        assert_eq!(carrier("447911123456"), "a");
        assert_eq!(carrier("12025550100"), "rest");
        assert_eq!(routes.prefix_of("989121234567"), "98912");
        assert_eq!(routes.prefix_of("12025550100"), "");
        assert_eq!(routes.only_carrier(), None);
        assert_eq!(Routes::to("a").only_carrier(), Some("a"));
        assert_eq!(routes.carriers(), BTreeSet::from(["a", "b", "rest"]));
    }

    #[test]
    fn numbers_that_were_sorted_before_a_change_still_have_a_route() {
        let routes = Routes(vec![route(&[], "rest"), route(&["989"], "a")]);
        assert_eq!(routes.route_of("98912").unwrap().carriers[0].name, "a");
        assert_eq!(routes.route_of("9").unwrap().carriers[0].name, "rest");
        assert_eq!(routes.route_of("447").unwrap().carriers[0].name, "rest");
    }

    proptest! {
        #[test]
        fn a_number_goes_by_the_route_that_a_plain_search_finds(
            prefixes in proptest::collection::btree_set("[0-9]{1,6}", 0..20), digits in "[0-9]{6,15}"
        ) {
            let prefixes: Vec<&str> = prefixes.iter().map(String::as_str).collect();
            let (some, others) = prefixes.split_at(prefixes.len() / 2);
            let routes = Routes(vec![route(some, "some"), route(&[], "rest"), route(others, "others")]);
            let longest = (0..=digits.len()).rev().map(|length| &digits[..length]).find(|start| prefixes.contains(start));
            let expected = match longest {
                Some(prefix) if some.contains(&prefix) => "some",
                Some(_) if others.is_empty() => "rest",
                Some(_) => "others",
                None => "rest",
            };
            let found = routes.route_of(routes.prefix_of(&digits)).unwrap();
            // A half without prefixes is a route for all numbers too.
            if !some.is_empty() {
                prop_assert_eq!(&found.carriers[0].name, expected);
            }
        }
    }
}
