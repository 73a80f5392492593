//! How many messages a carrier took in the last second.

use std::collections::VecDeque;

/// Messages are counted together by this time, ms.
const SLOT_MS: i64 = 100;
const SLOTS_A_SECOND: i64 = 10;

#[derive(Debug, Default)]
pub struct Goodput {
    /// A time in slots, and how many messages were taken in it.
    slots: VecDeque<(i64, i64)>,
}

impl Goodput {
    pub fn count(&mut self, now_ms: i64) {
        let now = now_ms / SLOT_MS;
        match self.slots.back_mut() {
            Some((slot, count)) if *slot == now => *count += 1,
            _ => {
                self.slots.retain(|(slot, _)| is_of_last_second(*slot, now));
                self.slots.push_back((now, 1));
            }
        }
    }

    pub fn per_second(&self, now_ms: i64) -> i64 {
        let recent = self.slots.iter();
        let recent = recent.filter(|(slot, _)| is_of_last_second(*slot, now_ms / SLOT_MS));
        recent.map(|(_, count)| count).sum()
    }
}

fn is_of_last_second(slot: i64, now: i64) -> bool {
    slot > now - SLOTS_A_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_second_counts() {
        let mut goodput = Goodput::default();
        (0..5_000).for_each(|now_ms| goodput.count(now_ms));
        assert_eq!(goodput.per_second(4_999), 1_000);
        assert_eq!(goodput.per_second(5_499), 500);
        assert_eq!(goodput.per_second(6_000), 0);
        assert!(goodput.slots.len() <= 10);
    }
}
