//! How many messages a second a carrier takes, learnt from what it throttles.
//!
//! Nothing is known, and nothing is paced, until the carrier has throttled more than a few messages in a hundred. Then the rate
//! shrinks to a bit less than what the carrier took at that moment, at most once a round trip, and grows again: fast at first,
//! slowly near the rate that was taken, and faster and faster beyond it. That is the curve of CUBIC, by which TCP finds out
//! what a network carries (RFC 9438). An answer that throttles one message in a hundred by chance changes nothing, nor
//! does a larger share, once it is seen that it stays the same however slow the rate is (`chance.rs`).
//! Time that is not spent sending does not count, so that an idle carrier is not taken for a fast one.
//!
//! Why: a session that throws a whole window at an SMSC of 300 messages a second, and stops whole when it is throttled, gets 24.
//!
//! Rates are thousandths of a message a second.

use super::answers::Answers;
use super::chance::{Cause, Chance};
use super::goodput::Goodput;

/// A message a second.
const ONE: i64 = 1_000;
/// A carrier that takes nothing is asked once a second.
const LEAST: i64 = ONE;
const MOST: i64 = 1_000_000 * ONE;
/// What a throttled message adds to the suspicion. One that is taken takes 1 away: a carrier that throttles fewer than one in
/// 33 is not suspected.
const THROTTLED: i64 = 32;
/// The suspicion at which the rate shrinks.
const CERTAIN: i64 = 160;
/// What is left of it then: two more throttled messages are enough the next time.
const DOUBT: i64 = 96;
/// The rate after it has shrunk, in hundredths of what the carrier took.
const SHRUNK: i64 = 90;
/// How slowly the rate grows: after it has been at its top for x hundredths of a second, by the x³th part of this.
const SLOWNESS: i64 = 270_000_000;
/// The same for a carrier that wants to be left alone each time: what it does not get meanwhile is lost. So the rate goes less far
/// down, stays near its top three times as long, and is throttled seldom.
const COSTLY_SLOWNESS: i64 = 27 * SLOWNESS;
const COSTLY_SHRUNK: i64 = 97;
/// What a message lets the clock of the growth go on at most, µs: below 28 messages a second growth goes by messages.
const LONGEST_STEP_US: i64 = 35_000;
const CENTISECOND_US: i64 = 10_000;

/// A message that has left.
#[derive(Debug, Clone, Copy)]
pub struct Sent {
    number: u64,
    /// The number of the first message that left in the same millisecond.
    first: u64,
    at_ms: i64,
}

impl Sent {
    /// When it left, ms since the Unix epoch.
    pub fn at_ms(self) -> i64 {
        self.at_ms
    }
}

/// The rate as a function of the time that was spent sending.
#[derive(Debug, Clone, Copy)]
struct Curve {
    /// The rate that the carrier is known to take.
    top: i64,
    /// When the rate is at its top.
    top_us: i64,
    clock_us: i64,
    slowness: i64,
}

impl Curve {
    /// Begins at a rate below the top.
    fn from(rate: i64, top: i64) -> Curve {
        Curve::slowly(SLOWNESS, rate, top)
    }

    fn slowly(slowness: i64, rate: i64, top: i64) -> Curve {
        let below = slowness.saturating_mul(top.saturating_sub(rate).max(0)) / top.max(1);
        Curve {
            top,
            top_us: cube_root(below).saturating_mul(CENTISECOND_US),
            clock_us: 0,
            slowness,
        }
    }

    fn rate(&self) -> i64 {
        let x = self.clock_us.saturating_sub(self.top_us) / CENTISECOND_US;
        let growth = self.top.saturating_mul(x.saturating_mul(x).saturating_mul(x)) / self.slowness;
        self.top.saturating_add(growth).clamp(LEAST, MOST)
    }
}

fn cube_root(of: i64) -> i64 {
    (0..1_000_i64)
        .take_while(|root| root * root * root <= of)
        .last()
        .unwrap_or(0)
}

/// What is learnt about one connection to a carrier.
#[derive(Debug, Default)]
pub struct LearnedRate {
    curve: Option<Curve>,
    suspicion: i64,
    since_suspicion: Answers,
    since_shrunk: Answers,
    goodput: Goodput,
    chance: Chance,
    /// The message that left last.
    last: Option<Sent>,
    is_limiting: bool,
    limit: Option<i64>,
    /// Messages before this one left before the rate shrank. That they were throttled says nothing new.
    fresh: u64,
    /// What the carrier was seen to take.
    learned: Option<i64>,
}

impl LearnedRate {
    /// Goes on with what was learnt before. Nothing is ever sent faster than the limit.
    pub fn from(learned: Option<i64>, limit: Option<i64>) -> Self {
        let known = learned.map(|top| top.clamp(LEAST, MOST));
        LearnedRate {
            curve: known.map(|top| Curve::from(top / 100 * SHRUNK, top)),
            learned: known,
            limit,
            ..LearnedRate::default()
        }
    }

    /// The rate of now. `None`: any.
    pub fn rate(&self) -> Option<i64> {
        self.curve.map(|curve| curve.rate())
    }

    /// What the carrier was seen to take. `None`: it has not throttled enough.
    pub fn learned(&self) -> Option<i64> {
        self.learned
    }

    /// A message leaves. `is_limiting`: the rate is what keeps more from leaving.
    pub fn send(&mut self, now_ms: i64, is_limiting: bool) -> Sent {
        self.is_limiting = is_limiting;
        let number = self.next();
        let together = self.last.filter(|last| last.at_ms == now_ms);
        let sent = Sent {
            number,
            first: together.map_or(number, |last| last.first),
            at_ms: now_ms,
        };
        self.last = Some(sent);
        sent
    }

    /// The number of the next message.
    fn next(&self) -> u64 {
        self.last.map_or(0, |last| last.number + 1)
    }

    /// The carrier took a message, or refused it for good: the rate grows, while it is what limits the sending.
    pub fn take(&mut self, now_ms: i64) {
        self.note_for_chance(true);
        self.goodput.count(now_ms);
        self.go_on(true);
    }

    fn note_for_chance(&mut self, is_taken: bool) {
        let is_below_top = self.curve.is_some_and(|curve| curve.clock_us < curve.top_us);
        self.chance.count(self.rate(), is_below_top, is_taken);
    }

    /// The carrier took a message, or throttled it by chance.
    fn go_on(&mut self, is_taken: bool) {
        if let Some(curve) = self.curve.as_mut().filter(|_| self.is_limiting) {
            let rate = curve.rate();
            curve.clock_us += (1_000_000 * ONE / rate).min(LONGEST_STEP_US);
            if rate >= curve.top.saturating_mul(2) {
                *curve = Curve::from(rate, rate);
                self.learned = Some(rate);
            }
        }
        self.since_suspicion.count(is_taken);
        self.since_shrunk.taken += 1;
        self.suspicion -= 1;
        if self.suspicion <= 0 {
            self.suspect(0);
        }
    }

    /// The carrier throttled a message. `true`: the rate is another now.
    pub fn throttle(&mut self, now_ms: i64, sent: Sent) -> bool {
        if sent.number < self.fresh {
            return false;
        }
        self.note_for_chance(false);
        if self.chance.explains_one() {
            self.go_on(false);
            return false;
        }
        self.suspicion += THROTTLED;
        self.since_suspicion.throttled += 1;
        self.since_shrunk.throttled += 1;
        let shrinks = self.suspicion >= CERTAIN;
        if shrinks {
            self.shrink(now_ms, sent);
        }
        shrinks
    }

    /// The carrier has said how long it wants to be left alone: that is certain at once. What it takes after it was left alone
    /// tells nothing, because it has saved that.
    pub fn throttle_for_certain(&mut self, now_ms: i64, sent: Sent) {
        if sent.number < self.fresh {
            return;
        }
        // The first time it is a guess.
        let slowness = if self.curve.is_some() {
            COSTLY_SLOWNESS
        } else {
            SLOWNESS
        };
        self.chance = Chance::default();
        self.suspect(CERTAIN);
        self.since_shrunk = Answers::default();
        self.throttle(now_ms, sent);
        self.curve = self.rate().map(|rate| {
            let top = rate / SHRUNK * 100;
            Curve::slowly(slowness, top / 100 * COSTLY_SHRUNK, top)
        });
    }

    fn shrink(&mut self, now_ms: i64, sent: Sent) {
        let rate = self.rate().unwrap_or_else(|| self.rate_of_late(now_ms, sent));
        let rate = rate.min(self.limit.unwrap_or(MOST));
        match self.chance.judge(rate, self.curve.is_some(), self.since_suspicion) {
            Cause::Rate => self.shrink_from(now_ms, rate),
            Cause::Chance(before) => {
                self.curve = before.map(|before| Curve::from(before, before));
                self.learned = before;
                self.suspect(0);
            }
        }
        self.fresh = self.next();
        self.since_shrunk = Answers::default();
    }

    fn shrink_from(&mut self, now_ms: i64, rate: i64) {
        let share = self.since_suspicion.taken_of(rate).max(rate / 2);
        let top = self
            .curve
            .map_or(rate, |curve| curve.top.min(self.limit.unwrap_or(MOST)));
        let of_late = self.goodput.per_second(now_ms) * ONE;
        // A carrier takes nearly all of what is a bit too much for it. One that throttles many at once, and before them nearly none, may
        // do so for a moment, however slowly it is sent to: then it takes as much as before.
        let is_sudden = self.since_suspicion.were_many_throttled() && self.since_shrunk.were_nearly_all_taken();
        let (takes, top, is_seen) = match self.since_suspicion.taken {
            _ if is_sudden => (rate, rate, true),
            // A carrier that counts by the second takes nothing more until its second is over, and then as much as before.
            0 if of_late >= share => (of_late, of_late, true),
            // Nothing is known but that the rate is too high now.
            0 => (share, top, false),
            _ => (share, share, true),
        };
        let shrunk = (takes / 100 * SHRUNK).min(rate).max(LEAST);
        self.curve = Some(Curve::from(shrunk, top.max(shrunk)));
        if is_seen {
            self.learned = Some(takes.max(LEAST));
        }
        self.suspect(DOUBT);
    }

    /// How fast messages have left since this one did.
    fn rate_of_late(&self, now_ms: i64, sent: Sent) -> i64 {
        let messages = i64::try_from(self.next().saturating_sub(sent.first)).unwrap_or(MOST);
        let passed_ms = now_ms.saturating_sub(sent.at_ms).max(1);
        let rate = messages.saturating_mul(1_000 * ONE) / passed_ms;
        rate.clamp(LEAST, MOST)
    }

    /// Begins to count the answers anew.
    fn suspect(&mut self, suspicion: i64) {
        self.suspicion = suspicion;
        self.since_suspicion = Answers::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rate that a carrier is known to take, and its growth over so many seconds of sending at it.
    fn grown(learned: i64, seconds: i64) -> i64 {
        let mut rate = LearnedRate::from(Some(learned), None);
        let mut us = 0;
        while us < seconds * 1_000_000 {
            us += 1_000_000_000 / rate.rate().unwrap();
            rate.send(us / 1_000, true);
            rate.take(us / 1_000);
        }
        rate.rate().unwrap() * 100 / learned
    }

    #[test]
    fn the_rate_is_near_its_top_for_seconds_and_then_grows_faster_and_faster() {
        let percent = [0, 1, 3, 5, 7, 9].map(|seconds| grown(300_000, seconds));
        assert_eq!(percent, [90, 97, 100, 102, 123, 180]);
    }

    #[test]
    fn a_carrier_that_wants_to_be_left_alone_is_tried_with_more_only_after_a_long_time() {
        let (mut rate, mut us) = (LearnedRate::from(Some(300_000), None), 0);
        let mut send_until = |rate: &mut LearnedRate, second: i64| {
            while us < second * 1_000_000 {
                us += 1_000_000_000 / rate.rate().unwrap();
                rate.send(us / 1_000, true);
                rate.take(us / 1_000);
            }
        };
        send_until(&mut rate, 3);
        let sent = rate.send(3_000, true);
        rate.throttle_for_certain(3_000, sent);
        let top = rate.learned().unwrap();
        for (second, least, most) in [(3, 965, 975), (6, 985, 1_000), (12, 995, 1_010), (18, 1_003, 1_100)] {
            send_until(&mut rate, second);
            let now = rate.rate().unwrap() * 1_000 / top;
            assert!((least..=most).contains(&now), "second {second}: {now}");
        }
    }

    #[test]
    fn a_rate_that_does_not_limit_does_not_grow() {
        let mut rate = LearnedRate::from(Some(300_000), None);
        for now_ms in 0..10_000 {
            rate.send(now_ms, false);
            rate.take(now_ms);
        }
        assert_eq!(rate.rate(), Some(270_000));
    }

    #[test]
    fn what_was_sent_before_the_rate_shrank_does_not_shrink_it_again() {
        let mut rate = LearnedRate::default();
        let window: Vec<Sent> = (0..50).map(|_| rate.send(0, false)).collect();
        let shrunk = window.iter().filter(|sent| rate.throttle(10, **sent)).count();
        let least = 5_000 * ONE / 2 / 100 * SHRUNK;
        assert!((least..least * 101 / 100).contains(&rate.rate().unwrap()));
        assert_eq!(shrunk, 1);
        assert_eq!(rate.learned(), None, "the carrier has taken nothing");
    }

    #[test]
    fn a_carrier_that_takes_nothing_is_asked_once_a_second() {
        let mut rate = LearnedRate::default();
        for now_ms in 0..100 {
            let sent = rate.send(now_ms * 1_000, true);
            rate.throttle(now_ms * 1_000 + 10, sent);
        }
        assert!((LEAST..LEAST * 11 / 10).contains(&rate.rate().unwrap()));
    }

    #[test]
    fn a_carrier_that_counts_by_the_second_is_known_after_its_first_second() {
        let mut rate = LearnedRate::default();
        for number in 0..40 {
            let sent = rate.send(number, false);
            if number < 30 {
                rate.take(number);
            } else {
                rate.throttle(number, sent);
            }
        }
        assert_eq!(rate.learned(), None, "perhaps it takes more");
        (0..60).for_each(|number| {
            let sent = rate.send(500 + number, true);
            rate.throttle(500 + number, sent);
        });
        assert_eq!((rate.learned(), rate.rate()), (Some(30_000), Some(27_000)));
    }
}
