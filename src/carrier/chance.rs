//! The share of messages that a carrier throttles by chance, however slowly it is sent to.
//!
//! A limit of rate throttles less when the rate falls, and nothing below what the carrier took before. So when the rate has fallen
//! to less than that, and the carrier throttles about as large a share as before, the rate is not why. Then the rate is what it was
//! before it fell, and this share says nothing about the rate from then on: only what goes beyond it does. While the rate is below
//! its top, the share is measured again: where a limit is all there is, none is throttled there, and the share is forgotten.
//!
//! Shares are thousandths, rates are thousandths of a message a second.

use super::answers::Answers;

/// So many answers to a low rate are enough to judge by.
const ENOUGH: i64 = 48;
/// A smaller share is not suspected anyway, and a larger one is rather a limit.
const LEAST_SHARE: i64 = 35;
const MOST_SHARE: i64 = 330;
/// A share that has become smaller than this is none.
const NO_SHARE: i64 = 20;
/// What the share makes up for at most, in thousandths of a throttled message: chance throttles a few together now and then.
const MOST_CREDIT: i64 = 8_000;
/// The share is measured anew when it lets so many thousandths of a throttled message be expected.
const EXPECTED: i64 = 8_000;

/// Why a carrier throttles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Rate,
    /// Chance. The rate before it fell. `None`: any.
    Chance(Option<i64>),
}

/// A rate that has fallen, and not grown back since.
#[derive(Debug)]
struct Fall {
    from: i64,
    /// Whether messages were paced before.
    was_paced: bool,
    /// The answers that made the rate fall.
    first: Answers,
    /// The answers at less than what the carrier took then.
    low: Answers,
}

impl Fall {
    fn is_low(&self, rate: i64) -> bool {
        rate.saturating_mul(5) <= self.first.taken_of(self.from).saturating_mul(4)
    }

    /// Whether it says something or can never say anything.
    fn is_over(&self, rate: i64) -> bool {
        rate >= self.from || self.low.all() >= ENOUGH || self.first.share() > MOST_SHARE
    }

    fn was_in_vain(&self) -> bool {
        let share = self.low.share();
        self.low.all() >= ENOUGH && (LEAST_SHARE..=MOST_SHARE).contains(&share) && share * 2 >= self.first.share()
    }
}

#[derive(Debug, Default)]
pub struct Chance {
    share: i64,
    credit: i64,
    fall: Option<Fall>,
    below_top: Answers,
}

impl Chance {
    /// An answer to a message that was sent at this rate. `None`: at any.
    pub fn count(&mut self, rate: Option<i64>, is_below_top: bool, is_taken: bool) {
        if let (Some(fall), Some(rate)) = (&mut self.fall, rate)
            && fall.is_low(rate)
        {
            fall.low.count(is_taken);
        }
        if self.share > 0 {
            // Half as much again, because the share is not known exactly.
            self.credit = (self.credit + self.share * 3 / 2 + 10).min(MOST_CREDIT);
            if is_below_top {
                self.measure(is_taken);
            }
        }
    }

    fn measure(&mut self, is_taken: bool) {
        self.below_top.count(is_taken);
        let expected = self.below_top.all() * self.share;
        if expected < EXPECTED {
            return;
        }
        let measured = self.below_top.share();
        // What the rate has done may be in it, so it never becomes larger.
        let smaller = self.share.min((self.share + measured) / 2);
        let is_chance = measured * 3 >= self.share && smaller >= NO_SHARE;
        self.share = if is_chance { smaller } else { 0 };
        self.below_top = Answers::default();
    }

    /// Whether a throttled message is one of those that chance throttles.
    pub fn explains_one(&mut self) -> bool {
        let explains = self.share > 0 && self.credit >= 1_000;
        if explains {
            self.credit -= 1_000;
        }
        explains
    }

    /// Says why the carrier throttles at a rate, after these answers.
    pub fn judge(&mut self, rate: i64, is_paced: bool, answers: Answers) -> Cause {
        let fall = self.fall.take_if(|fall| fall.is_over(rate));
        if let Some(fall) = fall.filter(|fall| rate < fall.from && fall.was_in_vain()) {
            self.share = fall.low.share();
            self.credit = MOST_CREDIT;
            self.below_top = Answers::default();
            return Cause::Chance(fall.was_paced.then_some(fall.from));
        }
        self.fall.get_or_insert(Fall {
            from: rate,
            was_paced: is_paced,
            first: answers,
            low: Answers::default(),
        });
        Cause::Rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THROTTLES_AN_EIGHTH: Answers = Answers {
        taken: 35,
        throttled: 5,
    };

    /// What is said when a rate has fallen from 100 to 50 messages a second, and there every so manieth message is throttled.
    fn judged(every: i64) -> (Chance, Cause) {
        let mut chance = Chance::default();
        assert_eq!(chance.judge(100_000, false, THROTTLES_AN_EIGHTH), Cause::Rate);
        (1..=64).for_each(|number| chance.count(Some(50_000), true, number % every != 0));
        let cause = chance.judge(50_000, true, THROTTLES_AN_EIGHTH);
        (chance, cause)
    }

    #[test]
    fn a_share_that_does_not_fall_with_the_rate_is_chance() {
        assert_eq!(judged(8).1, Cause::Chance(None));
        assert_eq!(judged(30).1, Cause::Rate);
    }

    #[test]
    fn only_what_goes_beyond_the_share_is_the_rates_doing() {
        let (mut chance, _) = judged(8);
        for number in 0..10_000 {
            let is_taken = number % 8 != 0;
            chance.count(None, false, is_taken);
            assert!(is_taken || chance.explains_one());
        }
        let explained = (0..100).filter(|_| {
            chance.count(None, false, false);
            chance.explains_one()
        });
        assert!((8..40).contains(&explained.count()));
    }

    #[test]
    fn a_share_that_is_not_seen_below_the_top_is_forgotten() {
        let (mut chance, _) = judged(8);
        (0..100).for_each(|_| chance.count(Some(90_000), true, true));
        assert!(!chance.explains_one());
    }
}
