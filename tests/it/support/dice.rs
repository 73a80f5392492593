//! Choices that a seed repeats.

use std::cell::Cell;

/// A small generator, enough to make choices that a seed repeats.
#[derive(Default)]
pub struct Dice(Cell<u64>);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(Cell::new(seed.wrapping_mul(2).wrapping_add(1)))
    }

    /// Begins anew with another seed.
    pub fn reseed(&self, seed: u64) {
        self.0.set(Dice::new(seed).0.get());
    }

    pub fn below(&self, bound: u64) -> u64 {
        let mut state = self.0.get();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.0.set(state);
        (state >> 11) % bound.max(1)
    }
}

/// How many cases a slow property runs with: few enough for every run of the tests; `PROPTEST_CASES` asks for more.
pub fn cases(few: u32) -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(few)
}
