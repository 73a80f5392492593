//! How a carrier answered: how many messages it took, and how many it throttled.

/// Nearly all are taken if for each throttled message there are so many that were taken.
const NEARLY_ALL: i64 = 10;
/// Many are throttled if for each there are no more than so many that were taken.
const MANY: i64 = 2;

#[derive(Debug, Clone, Copy, Default)]
pub struct Answers {
    pub taken: i64,
    pub throttled: i64,
}

impl Answers {
    pub fn count(&mut self, is_taken: bool) {
        match is_taken {
            true => self.taken += 1,
            false => self.throttled += 1,
        }
    }

    pub fn all(&self) -> i64 {
        self.taken + self.throttled
    }

    /// How many of a thousand were throttled.
    pub fn share(&self) -> i64 {
        self.throttled.saturating_mul(1_000) / self.all().max(1)
    }

    /// The part of an amount that the carrier would have taken.
    pub fn taken_of(&self, amount: i64) -> i64 {
        amount.saturating_mul(self.taken) / self.all().max(1)
    }

    pub fn were_nearly_all_taken(&self) -> bool {
        self.throttled.saturating_mul(NEARLY_ALL) <= self.taken
    }

    pub fn were_many_throttled(&self) -> bool {
        self.throttled.saturating_mul(MANY) >= self.taken
    }
}
