//! The circuit of a connection: after five failures in a row nothing is tried for a while, then one try decides.
//!
//! It outlives connections, and the object keeps what it has seen (`observed_health.rs`).
//!
//! A connection that stands says nothing about messages: when a message has failed, only an answer to another one closes the circuit.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

/// Failures in a row that open the circuit.
const FAILURES: u32 = 5;
/// How long the circuit is open the first time, ms. It doubles each time, up to [`LONGEST_MS`].
const FIRST_MS: i64 = 30_000;
/// How long the circuit is open at most, ms.
const LONGEST_MS: i64 = 10 * 60 * 1_000;

/// What a circuit has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Circuit {
    /// Failures in a row.
    pub failures: u32,
    /// How often it has opened since the last success.
    pub openings: u32,
    /// Until when it is open, ms since the Unix epoch.
    pub until_ms: i64,
    /// Whether a message has failed, so that a connection that stands is no success.
    pub needs_answer: bool,
}

/// The circuit of a connection.
#[derive(Debug, Default)]
pub struct CircuitBreaker {
    circuit: Cell<Circuit>,
}

impl CircuitBreaker {
    /// What the circuit has seen.
    pub fn seen(&self) -> Circuit {
        self.circuit.get()
    }

    /// Goes on with what the circuit has seen before.
    pub fn resume(&self, circuit: Circuit) {
        self.circuit.set(circuit);
    }

    /// Until when the circuit is open, ms since the Unix epoch. `None`: it is closed, or one try may be made.
    pub fn open_until(&self, now_ms: i64) -> Option<i64> {
        Some(self.circuit.get().until_ms).filter(|until_ms| *until_ms > now_ms)
    }

    /// Whether the circuit has opened since the last success. When its time is over, one try decides.
    pub fn awaits_a_try(&self) -> bool {
        self.circuit.get().openings > 0
    }

    /// Notes a success: the circuit is closed.
    pub fn succeed(&self) {
        self.circuit.set(Circuit::default());
    }

    /// Notes that a connection stands. That is a success if only connections have failed.
    pub fn connect(&self) {
        if !self.circuit.get().needs_answer {
            self.succeed();
        }
    }

    /// Notes that a message failed. After a circuit was open, one is enough to open it again.
    pub fn fail(&self, now_ms: i64) {
        let seen = self.circuit.get();
        self.circuit.set(Circuit {
            needs_answer: true,
            ..seen
        });
        self.fail_to_connect(now_ms);
    }

    /// Notes that a connection failed, or was lost while no message was under way.
    pub fn fail_to_connect(&self, now_ms: i64) {
        let seen = self.circuit.get();
        let failures = seen.failures.saturating_add(1);
        self.circuit.set(Circuit { failures, ..seen });
        if failures >= FAILURES || seen.openings > 0 {
            self.open(now_ms);
        }
    }

    /// Opens the circuit at once, after a failure that will not go away by itself. While it is open, it stays as it is.
    pub fn open(&self, now_ms: i64) {
        let seen = self.circuit.get();
        let open_ms = (FIRST_MS << seen.openings.min(10)).min(LONGEST_MS);
        let failures = seen.failures.max(1);
        self.circuit.set(match self.open_until(now_ms) {
            Some(_) => Circuit { failures, ..seen },
            None => Circuit {
                failures,
                openings: seen.openings.saturating_add(1),
                until_ms: now_ms.saturating_add(open_ms),
                ..seen
            },
        });
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
    fn a_connection_that_stands_closes_it_if_only_connections_have_failed() {
        let circuit = CircuitBreaker::default();
        (0..5).for_each(|_| circuit.fail_to_connect(0));
        assert!(circuit.awaits_a_try());
        circuit.connect();
        assert_eq!(circuit.seen(), Circuit::default());
        (0..4).for_each(|_| circuit.fail_to_connect(0));
        circuit.fail(0);
        circuit.connect();
        assert_eq!(circuit.open_until(0), Some(30_000));
        circuit.succeed();
        assert_eq!(circuit.seen(), Circuit::default());
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
