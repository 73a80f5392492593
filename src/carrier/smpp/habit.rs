//! Which parts of long messages an SMSC reports, as its receipts have shown. One message is no proof: a phone may be off, and a
//! receipt may be lost. So what was learnt follows the last few messages, and a few others in a row turn it.

use serde::{Deserialize, Serialize};

use crate::base::time::DAY_MS;
use crate::carrier::part_reports::PartReports;

/// How many messages in a row make a habit.
const CERTAIN: i8 = 3;
/// The score of a habit that was seen for long. Five other messages in a row turn it.
const MOST: i8 = 8;

/// How long no receipt for a message comes before no more is awaited, ms, while nothing is known: phones take the parts of a message
/// within seconds, and an SMSC tries a part again after a few minutes at most.
const QUIET_MS: i64 = 5 * 60 * 1_000;
/// The same of an SMSC that reports some parts only. A failure of another part still has this time to come first, and the account
/// knows by then whether the message was taken whole.
const QUIET_OF_SOME_MS: i64 = 2 * 60 * 1_000;
/// The same of an SMSC that reports each part: the phone may have gone off after the first one. It is a day, and less than accounts wait.
const QUIET_OF_ALL_MS: i64 = DAY_MS;

/// What was seen of late.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Habit {
    /// Above 0: each part of the last messages was reported. Below 0: some parts were.
    score: i8,
    /// Which parts of the last message were reported of which some were.
    some: PartReports,
    /// Of how many such messages in a row, up to [`CERTAIN`].
    alike: i8,
}

impl Habit {
    /// Each part of a message was reported, or one more than was awaited.
    pub fn see_all(&mut self) {
        self.see(1);
    }

    /// Only these parts of a message were reported.
    pub fn see_some(&mut self, some: PartReports) {
        self.see(-1);
        self.alike = if self.some == some {
            (self.alike + 1).min(CERTAIN)
        } else {
            1
        };
        self.some = some;
    }

    fn see(&mut self, towards: i8) {
        let is_contrary = self.score.signum() == -towards;
        let from = if is_contrary { self.score / 2 } else { self.score };
        self.score = (from + towards).clamp(-MOST, MOST);
    }

    /// What is known. `None`: nothing yet.
    pub fn learned(&self) -> Option<PartReports> {
        let is_of_some = self.score <= -CERTAIN;
        match self.some {
            _ if self.score >= CERTAIN => Some(PartReports::All),
            some if is_of_some && self.alike >= CERTAIN => Some(some),
            _ => is_of_some.then_some(PartReports::Any),
        }
    }

    /// How long no receipt for a message comes before no more is awaited, ms. Of a message that was `seen` to lack receipts, one
    /// awaits them longer from an SMSC that sends them in the end.
    pub fn quiet_ms(&self, is_seen: bool) -> i64 {
        match self.learned() {
            Some(PartReports::All) if is_seen => QUIET_OF_ALL_MS,
            Some(PartReports::All) | None => QUIET_MS,
            Some(_) => QUIET_OF_SOME_MS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_messages_make_a_habit_and_five_others_turn_it() {
        let mut habit = Habit::default();
        let mut learned = |see: fn(&mut Habit), times: usize| {
            (0..times).for_each(|_| see(&mut habit));
            habit.learned()
        };
        let first = |habit: &mut Habit| habit.see_some(PartReports::First);
        let last = |habit: &mut Habit| habit.see_some(PartReports::Last);
        assert_eq!(learned(first, 2), None);
        assert_eq!(learned(first, 1), Some(PartReports::First));
        assert_eq!(learned(last, 1), Some(PartReports::Any));
        assert_eq!(learned(last, 2), Some(PartReports::Last));
        assert_eq!(learned(Habit::see_all, 100), Some(PartReports::All));
        assert_eq!(learned(first, 1), Some(PartReports::All), "a phone was off");
        assert_eq!(learned(first, 3), None);
        assert_eq!(learned(first, 1), Some(PartReports::First));
    }
}
