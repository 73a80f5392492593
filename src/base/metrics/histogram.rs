//! How long things took: a histogram as Prometheus has it.

use serde::{Deserialize, Serialize};

/// The upper bounds of the buckets, ms. What took longer is in none but the last one, which has no bound. A version that has others has
/// another number of them: by that, counts of other versions are told from its own.
pub const BOUNDS_MS: [u32; 11] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/// The buckets, with the one that has no bound.
const BUCKETS: usize = BOUNDS_MS.len() + 1;

/// How many took how long.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Histogram {
    /// How long all took together, ms.
    pub sum_ms: u64,
    /// How many are in each bucket, and behind its bounds in the last one. None before the first.
    pub buckets: Vec<u64>,
}

/// A histogram as it is stored, or as another isolate tells it, of whatever version.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Written {
    sum_ms: u64,
    buckets: Vec<u64>,
}

impl From<Written> for Histogram {
    /// Those of a version with other bounds count as none: nobody can say in which of these buckets they are.
    fn from(Written { sum_ms, buckets }: Written) -> Self {
        match buckets.len() {
            BUCKETS => Histogram { sum_ms, buckets },
            _ => Histogram::default(),
        }
    }
}

impl Histogram {
    /// Counts one that took so long.
    pub fn note(&mut self, ms: i64) {
        let ms = u32::try_from(ms.max(0)).unwrap_or(u32::MAX);
        let at = BOUNDS_MS.iter().take_while(|bound| ms > **bound).count();
        self.buckets.resize(BUCKETS, 0);
        if let Some(bucket) = self.buckets.get_mut(at) {
            *bucket = bucket.saturating_add(1);
        }
        self.sum_ms = self.sum_ms.saturating_add(u64::from(ms));
    }

    /// Adds what somebody else has counted.
    pub fn add(&mut self, other: &Histogram) {
        self.sum_ms = self.sum_ms.saturating_add(other.sum_ms);
        self.buckets.resize(self.buckets.len().max(other.buckets.len()), 0);
        for (bucket, count) in self.buckets.iter_mut().zip(&other.buckets) {
            *bucket = bucket.saturating_add(*count);
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.buckets.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// How many took at most as long as each bound, which is in ms.
    pub fn within(&self) -> impl Iterator<Item = (u32, u64)> {
        let mut sum = 0_u64;
        BOUNDS_MS.iter().enumerate().map(move |(at, bound)| {
            sum = sum.saturating_add(self.buckets.get(at).copied().unwrap_or(0));
            (*bound, sum)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_counted_within_the_bounds_that_it_keeps() {
        let mut durations = Histogram::default();
        for ms in [-1, 5, 6, 6, 10_000, 10_001, i64::MAX] {
            durations.note(ms);
        }
        let within: Vec<_> = durations.within().collect();
        assert_eq!(within.first(), Some(&(5, 2)));
        assert_eq!(within.get(1), Some(&(10, 4)));
        assert_eq!(within.last(), Some(&(10_000, 5)));
        assert_eq!(durations.count(), 7);
        assert_eq!(durations.sum_ms, 5 + 12 + 10_000 + 10_001 + u64::from(u32::MAX));
    }

    #[test]
    fn sums_are_those_of_both() {
        let (mut one, mut other, mut both) = (Histogram::default(), Histogram::default(), Histogram::default());
        for ms in [3, 30, 300, 30_000] {
            one.note(ms);
            other.note(ms + 40);
            both.note(ms);
            both.note(ms + 40);
        }
        one.add(&other);
        assert_eq!(one, both);
        one.add(&Histogram::default());
        assert_eq!(one, both);
    }

    #[test]
    fn what_a_version_with_other_bounds_has_counted_is_not_mixed_in() {
        let mut own = Histogram::default();
        own.note(30);
        let text = serde_json::to_string(&own).unwrap();
        assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), own);
        for other in [
            "{}",
            r#"{"sum_ms": 7, "buckets": []}"#,
            r#"{"sum_ms": 7, "buckets": [1, 2, 3]}"#,
            r#"{"sum_ms": 7, "buckets": [1,1,1,1,1,1,1,1,1,1,1,1,1]}"#,
        ] {
            let read: Histogram = serde_json::from_str(other).unwrap();
            assert_eq!(read, Histogram::default(), "{other}");
        }
    }
}
