//! How fast a session may send: so many messages a second, and not at all for a while after the carrier was sent too much.

/// How long a throttled session waits the first time, ms. It doubles each time, up to [`LONGEST_MS`].
const FIRST_MS: i64 = 1_000;
/// How long it waits at most, ms.
const LONGEST_MS: i64 = 30_000;
/// A message is worth so many units, so that a short time is worth some too.
const MESSAGE: i64 = 1_000;
/// A session may send at once what it may send in this time, ms.
const BURST_MS: i64 = 100;

#[derive(Debug)]
pub struct Throttle {
    per_second: Option<i64>,
    /// What may be sent, in thousandths of a message.
    units: i64,
    counted_ms: i64,
    throttled_ms: i64,
    throttles: u32,
}

impl Throttle {
    /// A pace of so many messages a second, or any.
    pub fn of(per_second: Option<u32>, now_ms: i64) -> Self {
        let mut pace = Throttle {
            per_second: per_second.map(i64::from).filter(|rate| *rate > 0),
            units: 0,
            counted_ms: now_ms,
            throttled_ms: 0,
            throttles: 0,
        };
        pace.units = pace.burst();
        pace
    }

    fn burst(&self) -> i64 {
        self.per_second.map_or(0, |rate| (rate * BURST_MS).max(MESSAGE))
    }

    /// How many messages may be sent now.
    pub fn allows(&mut self, now_ms: i64) -> usize {
        if now_ms < self.throttled_ms {
            return 0;
        }
        let Some(rate) = self.per_second else {
            return usize::MAX;
        };
        let passed_ms = (now_ms - self.counted_ms).clamp(0, 10_000);
        self.units = self.burst().min(self.units + passed_ms * rate);
        self.counted_ms = now_ms;
        usize::try_from(self.units / MESSAGE).unwrap_or(0)
    }

    pub fn spend(&mut self) {
        self.units -= MESSAGE;
    }

    /// When the next message may be sent, ms since the Unix epoch.
    pub fn due_ms(&self) -> i64 {
        let next_ms = match self.per_second {
            Some(rate) if self.units < MESSAGE => self.counted_ms + (MESSAGE - self.units + rate - 1) / rate,
            _ => 0,
        };
        next_ms.max(self.throttled_ms)
    }

    /// The carrier was sent too much. What it says to all of one window counts once.
    pub fn throttle(&mut self, now_ms: i64) {
        if now_ms < self.throttled_ms {
            return;
        }
        let wait_ms = (FIRST_MS << self.throttles.min(10)).min(LONGEST_MS);
        self.throttled_ms = now_ms.saturating_add(wait_ms);
        self.throttles = self.throttles.saturating_add(1);
    }

    pub fn succeed(&mut self) {
        self.throttles = 0;
    }

    /// Until when the session waits because it was throttled.
    pub fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        Some(self.throttled_ms).filter(|until_ms| *until_ms > now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_has_more_than_the_throughput_and_its_burst() {
        for rate in [1, 7, 50, 1_000, 10_000] {
            let mut pace = Throttle::of(Some(rate), 0);
            let mut sent = 0;
            for now_ms in 0..10_000 {
                while pace.allows(now_ms) > 0 {
                    pace.spend();
                    sent += 1;
                }
                assert!(pace.due_ms() > now_ms);
            }
            let (full, burst) = (10 * u64::from(rate), u64::from(rate / 10).max(1));
            assert!((full - 1..=full + burst).contains(&sent), "{rate}: {sent}");
        }
    }

    #[test]
    fn throttling_doubles_the_wait_until_a_message_is_taken() {
        let mut pace = Throttle::of(None, 0);
        let mut now_ms = 0;
        for wait_ms in [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] {
            (0..50).for_each(|_| pace.throttle(now_ms));
            assert_eq!(pace.throttled_until(now_ms), Some(now_ms + wait_ms));
            assert_eq!(
                (pace.allows(now_ms + wait_ms - 1), pace.due_ms()),
                (0, now_ms + wait_ms)
            );
            now_ms += wait_ms;
            assert_eq!(pace.allows(now_ms), usize::MAX);
        }
        pace.succeed();
        pace.throttle(now_ms);
        assert_eq!(pace.throttled_until(now_ms), Some(now_ms + 1_000));
    }
}
