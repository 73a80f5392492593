//! The circuit of a connection: after five failures in a row nothing is tried for a while, then one try decides.
//!
//! It stands in memory only. An object that was evicted begins with a closed circuit, and its first try decides again.

use std::cell::Cell;

/// Failures in a row that open the circuit.
const FAILURES: u32 = 5;
/// How long the circuit is open the first time, ms. It doubles each time, up to [`LONGEST_MS`].
const FIRST_MS: i64 = 30_000;
/// How long the circuit is open at most, ms.
const LONGEST_MS: i64 = 10 * 60 * 1_000;

#[derive(Debug, Default)]
pub struct CircuitBreaker {
    failures: Cell<u32>,
    /// How often the circuit has opened since the last success.
    openings: Cell<u32>,
    /// Until when the circuit is open, ms since the Unix epoch.
    until_ms: Cell<i64>,
}

impl CircuitBreaker {
    /// Until when the circuit is open, ms since the Unix epoch. `None`: it is closed, or one try may be made.
    pub fn open_until(&self, now_ms: i64) -> Option<i64> {
        Some(self.until_ms.get()).filter(|until_ms| *until_ms > now_ms)
    }

    /// Whether the circuit has opened since the last success. When its time is over, one try decides.
    pub fn awaits_a_try(&self) -> bool {
        self.openings.get() > 0
    }

    /// Notes a success: the circuit is closed.
    pub fn succeed(&self) {
        self.failures.set(0);
        self.openings.set(0);
        self.until_ms.set(0);
    }

    /// Notes a failure. After a circuit was open, one is enough to open it again.
    pub fn fail(&self, now_ms: i64) {
        self.failures.set(self.failures.get().saturating_add(1));
        if self.failures.get() >= FAILURES || self.openings.get() > 0 {
            self.open(now_ms);
        }
    }

    /// Opens the circuit at once, after a failure that will not go away by itself. While it is open, it stays as it is.
    pub fn open(&self, now_ms: i64) {
        self.failures.set(self.failures.get().max(1));
        if self.open_until(now_ms).is_some() {
            return;
        }
        let open_ms = (FIRST_MS << self.openings.get().min(10)).min(LONGEST_MS);
        self.openings.set(self.openings.get().saturating_add(1));
        self.until_ms.set(now_ms.saturating_add(open_ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_failures_in_a_row_open_it_and_a_success_in_between_does_not() {
        let circuit = CircuitBreaker::default();
        for _ in 0..4 {
            circuit.fail(0);
        }
        circuit.succeed();
        for _ in 0..4 {
            circuit.fail(0);
        }
        assert_eq!(circuit.open_until(0), None);
        circuit.fail(1_000);
        assert_eq!(circuit.open_until(1_000), Some(31_000));
        assert_eq!(circuit.open_until(30_999), Some(31_000));
        assert_eq!(circuit.open_until(31_000), None);
    }

    #[test]
    fn it_stays_open_twice_as_long_each_time_up_to_ten_minutes_until_one_try_succeeds() {
        let circuit = CircuitBreaker::default();
        let mut now_ms = 0;
        (0..4).for_each(|_| circuit.fail(now_ms));
        for seconds in [30, 60, 120, 240, 480, 600, 600] {
            circuit.fail(now_ms);
            // Others that were under way fail too.
            (0..9).for_each(|_| circuit.fail(now_ms));
            assert_eq!(circuit.open_until(now_ms), Some(now_ms + seconds * 1_000));
            now_ms += seconds * 1_000;
            assert_eq!(circuit.open_until(now_ms), None);
        }
        circuit.succeed();
        (0..5).for_each(|_| circuit.fail(now_ms));
        assert_eq!(circuit.open_until(now_ms), Some(now_ms + 30_000));
    }

    #[test]
    fn a_failure_that_stays_opens_it_at_once() {
        let circuit = CircuitBreaker::default();
        circuit.open(5);
        assert_eq!(circuit.open_until(5), Some(30_005));
        assert!(circuit.awaits_a_try());
        circuit.succeed();
        assert!(!circuit.awaits_a_try());
    }
}
