//! How fast a connection may send: no faster than its setting says, and than the carrier was seen to take.

use super::learned_rate::{LearnedRate, Sent};

/// A message is worth so many units, so that a short time is worth some too: a rate in thousandths, times ms.
const MESSAGE: i64 = 1_000_000;
/// What may leave at once by the setting is what may leave in this time, ms.
const BURST_MS: i64 = 100;
/// The same by what was learnt, beside one message: carriers let less leave at once than one may think.
const LEARNED_BURST_MS: i64 = 20;
/// Messages leave together that may leave in this time, ms.
const TOGETHER_MS: i64 = 5;
/// Messages are made ready together that may leave in this time, ms: to make one ready costs a note.
const AHEAD_MS: i64 = 50;
/// How long a carrier counts as throttling after it throttled a message and took none since, ms.
const SHOWN_MS: i64 = 10_000;

#[derive(Debug)]
pub struct Throttle {
    /// What the setting says, in thousandths of a message a second.
    setting: Option<i64>,
    learned: LearnedRate,
    /// What may be sent.
    units: i64,
    counted_ms: i64,
    /// Whether the rate is what keeps messages from leaving.
    is_limiting: bool,
    /// When the carrier began to throttle, and when it did so last, if it has taken nothing since.
    throttled_ms: Option<(i64, i64)>,
}

impl Default for Throttle {
    fn default() -> Self {
        Throttle::of(None, None, 0)
    }
}

impl Throttle {
    /// No faster than a setting, and than what was learnt before.
    pub fn of(per_second: Option<u32>, learned: Option<i64>, now_ms: i64) -> Self {
        let setting = per_second.map(|rate| i64::from(rate) * 1_000).filter(|rate| *rate > 0);
        let mut throttle = Throttle {
            setting,
            learned: LearnedRate::from(learned, setting),
            units: 0,
            counted_ms: now_ms,
            is_limiting: false,
            throttled_ms: None,
        };
        throttle.units = throttle.burst().unwrap_or(0);
        throttle
    }

    /// The rate of now. `None`: any.
    fn rate(&self) -> Option<i64> {
        let rates = [self.setting, self.learned.rate()];
        rates.into_iter().flatten().min()
    }

    /// Whether messages may have to wait.
    pub fn is_paced(&self) -> bool {
        self.rate().is_some()
    }

    fn is_learned(&self) -> bool {
        let learned = self.learned.rate();
        learned.is_some_and(|learned| self.setting.is_none_or(|setting| learned < setting))
    }

    fn burst(&self) -> Option<i64> {
        let rate = self.rate()?;
        Some(if self.is_learned() {
            MESSAGE + rate * LEARNED_BURST_MS
        } else {
            (rate * BURST_MS).max(MESSAGE)
        })
    }

    /// How many messages may be sent now.
    pub fn allows(&mut self, now_ms: i64) -> usize {
        let (Some(rate), Some(burst)) = (self.rate(), self.burst()) else {
            self.counted_ms = now_ms;
            return usize::MAX;
        };
        let passed_ms = (now_ms - self.counted_ms).clamp(0, 10_000);
        let units = self.units + passed_ms * rate;
        self.is_limiting = units <= burst;
        self.units = units.min(burst);
        self.counted_ms = now_ms;
        usize::try_from(self.units / MESSAGE).unwrap_or(0)
    }

    /// How many messages may be made ready together.
    pub fn ahead(&self) -> usize {
        let ahead = self.rate().map(|rate| (rate * AHEAD_MS / MESSAGE).max(1));
        ahead.map_or(usize::MAX, |ahead| usize::try_from(ahead).unwrap_or(1))
    }

    /// A message leaves.
    pub fn spend(&mut self, now_ms: i64) -> Sent {
        if self.rate().is_some() {
            self.units -= MESSAGE;
        }
        self.learned.send(now_ms, self.is_limiting && self.is_learned())
    }

    /// When the next message may be sent, ms since the Unix epoch.
    pub fn due_ms(&self) -> i64 {
        let Some(rate) = self.rate() else {
            return 0;
        };
        let wanted = (rate * TOGETHER_MS).max(MESSAGE);
        let missing = if self.units < MESSAGE { wanted - self.units } else { 0 };
        match missing {
            0 => 0,
            missing => self.counted_ms + (missing + rate - 1) / rate,
        }
    }

    /// The carrier took a message, or refused it for good.
    pub fn take(&mut self, now_ms: i64) {
        self.throttled_ms = None;
        self.learned.take(now_ms);
    }

    /// The carrier was sent too much.
    pub fn throttle(&mut self, now_ms: i64, sent: Sent) {
        self.note_throttled(now_ms);
        if self.learned.throttle(now_ms, sent) {
            self.begin_anew(now_ms);
        }
    }

    /// The carrier was sent too much, and has said how long it wants to be left alone.
    pub fn throttle_for_certain(&mut self, now_ms: i64, sent: Sent) {
        self.note_throttled(now_ms);
        self.learned.throttle_for_certain(now_ms, sent);
        self.begin_anew(now_ms);
    }

    /// What a faster rate has saved must not leave at once.
    fn begin_anew(&mut self, now_ms: i64) {
        self.units = 0;
        self.counted_ms = now_ms;
    }

    fn note_throttled(&mut self, now_ms: i64) {
        let since_ms = self.throttled_ms.map_or(now_ms, |(since_ms, _)| since_ms);
        self.throttled_ms = Some((since_ms, now_ms));
    }

    /// What the carrier was seen to take, in thousandths of a message a second.
    pub fn learned(&self) -> Option<i64> {
        self.learned.learned()
    }

    /// Until when the carrier counts as one that throttles.
    pub fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        let (_, last_ms) = self.throttled_ms?;
        Some(last_ms.saturating_add(SHOWN_MS)).filter(|until_ms| *until_ms > now_ms)
    }

    /// The same, if it has taken nothing for this time.
    pub fn refuses_until(&self, now_ms: i64, for_ms: i64) -> Option<i64> {
        let (since_ms, _) = self.throttled_ms?;
        self.throttled_until(now_ms)
            .filter(|_| since_ms.saturating_add(for_ms) <= now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_has_more_than_the_throughput_and_its_burst() {
        for rate in [1, 7, 50, 1_000, 10_000] {
            let mut pace = Throttle::of(Some(rate), None, 0);
            let mut sent = 0;
            for now_ms in 0..10_000 {
                while pace.allows(now_ms) > 0 {
                    pace.spend(now_ms);
                    sent += 1;
                }
                assert!(pace.due_ms() > now_ms);
            }
            let (full, burst) = (10 * u64::from(rate), u64::from(rate / 10).max(1));
            assert!((full - 1..=full + burst).contains(&sent), "{rate}: {sent}");
        }
    }

    #[test]
    fn what_was_learnt_never_makes_a_session_faster_than_its_setting() {
        let mut pace = Throttle::of(Some(50), Some(900_000), 0);
        let mut sent = 0;
        for now_ms in 0..10_000 {
            while pace.allows(now_ms) > 0 {
                pace.spend(now_ms);
                pace.take(now_ms);
                sent += 1;
            }
        }
        assert!((499..=505).contains(&sent), "{sent}");
        assert_eq!(pace.learned(), Some(900_000));
    }

    #[test]
    fn a_carrier_that_takes_less_than_its_setting_is_known_whatever_was_learnt_before() {
        let mut pace = Throttle::of(Some(50), Some(900_000), 0);
        let mut sent = 0;
        for now_ms in 0..20_000 {
            while pace.allows(now_ms) > 0 {
                let message = pace.spend(now_ms);
                sent += 1;
                // Thirty a second.
                match sent % 5 {
                    0 | 2 => pace.throttle(now_ms, message),
                    _ => pace.take(now_ms),
                }
            }
            if pace.learned() < Some(50_000) {
                assert!(sent <= 30, "{sent}");
                return;
            }
        }
        panic!("it learnt nothing of {sent}");
    }

    #[test]
    fn a_carrier_that_takes_nothing_for_a_while_counts_as_one_that_refuses_all() {
        let mut pace = Throttle::default();
        for at_ms in [0, 4_000, 8_000, 12_000] {
            let sent = pace.spend(at_ms);
            pace.throttle(at_ms, sent);
            assert_eq!(pace.throttled_until(at_ms), Some(at_ms + SHOWN_MS));
            assert_eq!(pace.refuses_until(at_ms, 10_000).is_some(), at_ms == 12_000);
        }
        assert_eq!(pace.refuses_until(12_000 + SHOWN_MS, 10_000), None);
        pace.take(12_000);
        assert_eq!(pace.throttled_until(12_000), None);
    }
}
