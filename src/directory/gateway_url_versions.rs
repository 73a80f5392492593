//! The versions of the addresses that a carrier's gateway calls. An operator rotates them: from then on the service gives out
//! addresses of a new version, and those of the version before work for a day more.

use serde::{Deserialize, Serialize};

use crate::base::cache::Weigh;
use crate::base::{record::json_columns, time::DAY_MS};

/// How long the addresses before a rotation work, ms.
const GRACE_MS: i64 = DAY_MS;
/// The most versions that work: beyond, rotations in quick succession end the oldest one sooner.
const MAX_VERSIONS: usize = 5;

/// Versions, each with when its addresses end, ms since the Unix epoch; `None`: it is the newest. The newest is the first. Without
/// any, there is no rotation to speak of, and the version is 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GatewayUrlVersions(Vec<(i64, Option<i64>)>);

json_columns!(GatewayUrlVersions);

impl Weigh for GatewayUrlVersions {
    fn heap(&self) -> usize {
        self.0.len().saturating_mul(size_of::<(i64, Option<i64>)>())
    }
}

impl GatewayUrlVersions {
    /// The versions of a new carrier. The first one is a time, so that it is newer than those of a deleted carrier of the same name.
    pub fn new(now_ms: i64) -> Self {
        GatewayUrlVersions(vec![(now_ms.div_euclid(1_000), None)])
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The version of the addresses that are given out.
    pub fn newest(&self) -> i64 {
        self.0.first().map_or(0, |(version, _)| *version)
    }

    /// Whether addresses of a version work. One that is newer than all that are known works: others know of it.
    pub fn has(&self, version: i64, now_ms: i64) -> bool {
        version >= self.working(now_ms).map(|(version, _)| *version).min().unwrap_or(0)
    }

    /// The versions whose addresses work.
    fn working(&self, now_ms: i64) -> impl Iterator<Item = &(i64, Option<i64>)> {
        let works = move |(_, end_ms): &&(i64, Option<i64>)| end_ms.is_none_or(|end_ms| now_ms < end_ms);
        self.0.iter().filter(works)
    }

    /// The versions after a rotation.
    pub fn rotated(&self, now_ms: i64) -> Self {
        let next = now_ms.div_euclid(1_000).max(self.newest().saturating_add(1));
        let ending = self
            .working(now_ms)
            .map(|(version, end_ms)| (*version, end_ms.or(Some(now_ms.saturating_add(GRACE_MS)))));
        GatewayUrlVersions(std::iter::once((next, None)).chain(ending).take(MAX_VERSIONS).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_before_a_rotation_work_for_a_day_and_at_most_four_of_them() {
        let first = GatewayUrlVersions::new(1_000_000);
        assert!(first.has(1_000, 1_000_000) && first.has(1_001, 1_000_000) && !first.has(999, 1_000_000));
        let second = first.rotated(1_000_500);
        assert_eq!(second.newest(), 1_001, "also within the same second");
        let end_ms = 1_000_500 + GRACE_MS;
        assert!(second.has(1_000, end_ms - 1) && !second.has(1_000, end_ms) && second.has(1_001, end_ms));
        let many = (0..9).fold(second, |versions, _| versions.rotated(1_000_500));
        assert_eq!(many.newest(), 1_010);
        assert!(many.has(1_006, 1_000_500) && !many.has(1_005, 1_000_500));
        assert_eq!(many.rotated(end_ms).0.len(), 2, "those that have ended are forgotten");
    }
}
