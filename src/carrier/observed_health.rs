//! How a carrier does, as an object that sends to it has seen. What decides whether it is asked again is kept in the object's
//! row ([`StoredHealth`]); the counts stand in memory only.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::circuit_breaker::{Circuit, CircuitBreaker};
use super::health::{Health, HealthState};
use super::own_row;
use super::submit_counts::{SubmitAnswer, SubmitCounts};
use crate::base::ports::{PortError, Sql};

/// How long what is kept rests at least before a new rate or a new error alone is kept, ms.
pub const REST_MS: i64 = 60_000;
const SECONDS_A_MINUTE: i64 = 60;

/// What stands in the object's row: it is written when it changes materially.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredHealth {
    /// The circuit.
    pub circuit: Circuit,
    /// Until when the carrier wants no messages, ms since the Unix epoch.
    pub throttled_ms: i64,
    /// What the carrier was seen to take, in thousandths of a message a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned: Option<i64>,
    /// Sessions that broke while messages waited for their answers, as far as that was not made good.
    #[serde(skip_serializing_if = "is_zero")]
    pub breaks: u32,
    /// When something failed last, ms since the Unix epoch, and what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<(i64, String)>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl StoredHealth {
    /// Whether a circuit has opened or closed since. Failures in between alone are not worth a row.
    pub fn circuit_differs(&self, circuit: &Circuit) -> bool {
        (self.circuit.openings, self.circuit.until_ms) != (circuit.openings, circuit.until_ms)
    }

    /// Whether a rate differs by more than a quarter.
    pub fn rate_differs(&self, learned: Option<i64>) -> bool {
        match (self.learned, learned) {
            (Some(kept), Some(learned)) => kept.abs_diff(learned) > kept.unsigned_abs() / 4,
            (kept, learned) => kept.is_some() != learned.is_some(),
        }
    }

    /// Whether something else has failed since.
    pub fn error_differs(&self, last: Option<&(i64, String)>) -> bool {
        self.last_error.as_ref().map(|(_, what)| what) != last.map(|(_, what)| what)
    }
}

/// What an object has seen of its carrier.
#[derive(Debug, Default)]
pub struct ObservedHealth {
    pub(super) circuit: CircuitBreaker,
    /// Until when the carrier wants no messages, ms since the Unix epoch.
    pub(super) throttled_ms: Cell<i64>,
    /// Until when it counts as throttling, because it has throttled all messages of late, ms since the Unix epoch.
    pub(super) refuses_ms: Cell<i64>,
    pub(super) last_success_ms: Cell<Option<i64>>,
    /// What the carrier was seen to take, in thousandths of a message a second.
    pub(super) learned: Cell<Option<i64>>,
    /// Sessions that broke while messages waited for their answers, as far as that was not made good.
    pub(super) breaks: Cell<u32>,
    last_error: RefCell<Option<(i64, String)>>,
    /// The messages that the carrier took, counted by second.
    taken: RefCell<VecDeque<(i64, u32)>>,
    /// When the last report came, ms since the Unix epoch, and when the carrier took the first message behind it.
    reported_ms: Cell<Option<i64>>,
    unreported_ms: Cell<Option<i64>>,
    /// Reports that said nothing of use, since the object began.
    unknown_reports: Cell<u32>,
    /// Reports of a failed part of a message that was delivered by then, since the object began.
    late_failures: Cell<u32>,
    /// How the carrier has answered since the object began.
    submissions: RefCell<SubmitCounts>,
    /// What is kept, and since when, ms since the Unix epoch.
    kept: RefCell<(i64, StoredHealth)>,
}

impl ObservedHealth {
    /// Goes on with what is kept.
    pub fn resume(&self, kept: StoredHealth) {
        self.circuit.resume(kept.circuit);
        self.throttled_ms.set(kept.throttled_ms);
        self.learned.set(kept.learned);
        self.breaks.set(kept.breaks);
        self.last_error.replace(kept.last_error.clone());
        self.kept.replace((0, kept));
    }

    /// Keeps what has changed materially.
    pub fn keep(&self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let is_material = {
            let kept = self.kept.borrow();
            let (circuit, learned) = (self.circuit.seen(), self.learned.get());
            kept.1.circuit_differs(&circuit)
                || kept.1.throttled_ms != self.throttled_ms.get()
                || kept.1.breaks != self.breaks.get()
                || (now_ms >= kept.0.saturating_add(REST_MS)
                    && (kept.1.rate_differs(learned) || kept.1.error_differs(self.last_error.borrow().as_ref())))
        };
        if is_material {
            self.keep_all(sql, now_ms)
        } else {
            Ok(())
        }
    }

    /// Keeps all, if anything has changed.
    pub fn keep_all(&self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let all = StoredHealth {
            circuit: self.circuit.seen(),
            throttled_ms: self.throttled_ms.get(),
            learned: self.learned.get(),
            breaks: self.breaks.get(),
            last_error: self.last_error.borrow().clone(),
        };
        if self.kept.borrow().1 != all {
            own_row::keep_health(sql, &all)?;
            self.kept.replace((now_ms, all));
        }
        Ok(())
    }

    /// Until when the carrier wants no messages. `None`: it takes them.
    pub fn throttled_until(&self, now_ms: i64) -> Option<i64> {
        Some(self.throttled_ms.get()).filter(|until_ms| *until_ms > now_ms)
    }

    pub fn succeed(&self, now_ms: i64) {
        self.circuit.succeed();
        self.last_success_ms.set(Some(now_ms));
    }

    /// Notes that the carrier has sent a report, of whatever use.
    pub fn note_report(&self, now_ms: i64) {
        self.reported_ms.set(Some(now_ms));
        self.unreported_ms.set(None);
    }

    /// Notes what failed, without values.
    pub fn note_error(&self, now_ms: i64, what: &str) {
        self.last_error.replace(Some((now_ms, what.to_owned())));
    }

    pub fn last_error(&self) -> Option<String> {
        self.last_error.borrow().as_ref().map(|(_, what)| what.clone())
    }

    /// Counts a report about no message that is known, or with a state that nobody knows.
    pub fn count_unknown_report(&self) {
        self.unknown_reports.set(self.unknown_reports.get().saturating_add(1));
    }

    /// Counts a report of a failed part whose message was delivered by then.
    pub fn count_late_failure(&self) {
        self.late_failures.set(self.late_failures.get().saturating_add(1));
    }

    /// Counts an answer to what was submitted, and how long it took, ms.
    pub fn count_answer(&self, answer: SubmitAnswer, ms: i64) {
        self.submissions.borrow_mut().note(answer, ms);
    }

    /// How the carrier has answered since the object began.
    pub fn submissions(&self) -> SubmitCounts {
        self.submissions.borrow().clone()
    }

    /// Counts the answers of a turn.
    pub fn count_answers(&self, answers: &SubmitCounts) {
        self.submissions.borrow_mut().add(answers);
    }

    pub fn count_taken(&self, now_ms: i64, messages: u32) {
        self.unreported_ms.set(self.unreported_ms.get().or(Some(now_ms)));
        let (mut taken, second) = (self.taken.borrow_mut(), now_ms / 1_000);
        match taken.back_mut() {
            Some((of, count)) if *of == second => *count = count.saturating_add(messages),
            _ => taken.push_back((second, messages)),
        }
        taken.retain(|(of, _)| is_of_last_minute(*of, now_ms));
    }

    /// What operators see of all this. `state` is that of an object whose carrier neither fails nor throttles.
    pub fn health(&self, now_ms: i64, state: HealthState) -> Health {
        let throttled_ms = self.throttled_ms.get().max(self.refuses_ms.get());
        let is_throttled = state == HealthState::Up && throttled_ms > now_ms;
        let taken = self.taken.borrow();
        let recent = taken.iter().filter(|(second, _)| is_of_last_minute(*second, now_ms));
        Health {
            last_success_ms: self.last_success_ms.get(),
            last_report_ms: self.reported_ms.get(),
            unreported_ms: self.unreported_ms.get(),
            last_error_ms: self.last_error.borrow().as_ref().map(|(at_ms, _)| *at_ms),
            last_error: self.last_error(),
            learned_per_second: self.learned.get().map(per_second),
            last_minute: recent.map(|(_, count)| count).sum(),
            unknown_reports: self.unknown_reports.get(),
            late_failures: self.late_failures.get(),
            ..Health::of(match self.circuit.open_until(now_ms) {
                Some(_) => HealthState::Down,
                None if is_throttled => HealthState::Throttled,
                None => state,
            })
        }
    }
}

/// A rate in whole messages a second.
fn per_second(rate: i64) -> u32 {
    u32::try_from(rate.saturating_add(500) / 1_000)
        .unwrap_or(u32::MAX)
        .max(1)
}

fn is_of_last_minute(second: i64, now_ms: i64) -> bool {
    second > now_ms / 1_000 - SECONDS_A_MINUTE
}
