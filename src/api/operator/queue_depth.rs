//! What waits for carriers, as operators see it.

use crate::answer;
use crate::directory::queue_depth::QueueDepth;

/// An account tells what waits at least every five minutes while anything does. After this time it is said to be silent, ms.
const SILENT_MS: i64 = 15 * 60 * 1_000;
/// How long something has waited, s.
fn seconds(since_ms: Option<i64>, now_ms: i64) -> Option<i64> {
    since_ms.map(|since_ms| now_ms.saturating_sub(since_ms).max(0).div_euclid(1_000))
}

/// Whether an account has not told for so long that nobody knows whether it is still true.
pub fn is_outdated(waiting: &QueueDepth, now_ms: i64) -> bool {
    waiting
        .told_ms
        .is_some_and(|told_ms| now_ms.saturating_sub(told_ms) > SILENT_MS)
}

answer! {
    /// Recipients that have waited in accounts for ten seconds or longer, and could have left. The sums are half a minute old at most.
    pub struct QueueDepthData(waiting: &QueueDepth, now_ms: i64) as "Waiting" {
        "recipients": waiting.recipients, count() => 0;
        /// How long the oldest of them has waited. `null`: none waits.
        "oldestSeconds": seconds(waiting.oldest_ms, now_ms), count().or_null() => null;
        /// Whether some of it is more than 15 minutes old, because the object of an account is silent.
        "outdated": is_outdated(waiting, now_ms), flag() => false;
    }

    /// What waits for all carriers.
    pub struct TotalQueueDepthData(waiting: &QueueDepth, now_ms: i64) as "WaitingInAll" with QueueDepthData(waiting, now_ms) {
        /// How long the oldest message of a pattern has waited: a login code. `null`: none waits.
        "codesOldestSeconds": seconds(waiting.codes_oldest_ms, now_ms), count().or_null() => null;
    }
}
