//! How a carrier does, as an object that sends to it has seen. It stands in memory only.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use super::circuit_breaker::CircuitBreaker;
use super::health::{Health, HealthState};

const SECONDS_A_MINUTE: i64 = 60;

/// What an object has seen of its carrier.
#[derive(Debug, Default)]
pub struct Pulse {
    pub(super) circuit: CircuitBreaker,
    /// Until when the carrier wants no messages, ms since the Unix epoch.
    pub(super) throttled_ms: Cell<i64>,
    pub(super) last_success_ms: Cell<Option<i64>>,
    last_error: RefCell<Option<(i64, String)>>,
    /// The messages that the carrier took, counted by second.
    taken: RefCell<VecDeque<(i64, u32)>>,
}

impl Pulse {
    /// Until when the carrier wants no messages. `None`: it takes them.
    pub fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        Some(self.throttled_ms.get()).filter(|until_ms| *until_ms > now_ms)
    }

    pub fn succeed(&self, now_ms: i64) {
        self.circuit.succeed();
        self.last_success_ms.set(Some(now_ms));
    }

    /// Notes what failed, without values.
    pub fn note_error(&self, now_ms: i64, what: &str) {
        self.last_error.replace(Some((now_ms, what.to_owned())));
    }

    pub fn last_error(&self) -> Option<String> {
        self.last_error.borrow().as_ref().map(|(_, what)| what.clone())
    }

    pub fn count_taken(&self, now_ms: i64, messages: u32) {
        let (mut taken, second) = (self.taken.borrow_mut(), now_ms / 1_000);
        match taken.back_mut() {
            Some((of, count)) if *of == second => *count = count.saturating_add(messages),
            _ => taken.push_back((second, messages)),
        }
        taken.retain(|(of, _)| is_of_last_minute(*of, now_ms));
    }

    /// What operators see of all this. `state` is that of an object whose carrier neither fails nor throttles.
    pub fn health(&self, now_ms: i64, state: HealthState) -> Health {
        let is_throttled = state == HealthState::Up && self.throttled_until(now_ms).is_some();
        let taken = self.taken.borrow();
        let recent = taken.iter().filter(|(second, _)| is_of_last_minute(*second, now_ms));
        Health {
            last_success_ms: self.last_success_ms.get(),
            last_error_ms: self.last_error.borrow().as_ref().map(|(at_ms, _)| *at_ms),
            last_error: self.last_error(),
            last_minute: recent.map(|(_, count)| count).sum(),
            ..Health::of(match self.circuit.open_until(now_ms) {
                Some(_) => HealthState::Down,
                None if is_throttled => HealthState::Throttled,
                None => state,
            })
        }
    }
}

fn is_of_last_minute(second: i64, now_ms: i64) -> bool {
    second > now_ms / 1_000 - SECONDS_A_MINUTE
}
