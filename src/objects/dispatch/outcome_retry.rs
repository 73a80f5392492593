//! Answers of carriers that the account's object could not note yet. They end with the process; then the leases end too.

use std::cell::RefCell;

use serde_json::json;

use crate::account::chunk::outcomes::{self, By};
use crate::account::record::chunk::handover::{Answer, ChunkRef};
use crate::account::unit_of_work;
use crate::base::log;
use crate::base::ports::{Platform, PortError, Sql};

/// How long answers that could not be noted wait, ms: doubled with each failure.
const FIRST_WAIT_MS: i64 = 1_000;
/// Calls whose answers wait to be noted. The lease brings back the chunks of others.
const MAX_UNNOTED: usize = 100;

/// What became of the chunks of one call: the carrier's answers, or the claims of a call that failed.
pub type Answered = Result<Vec<(ChunkRef, Answer)>, Vec<ChunkRef>>;

#[derive(Debug)]
pub struct Unnoted {
    pub carrier: String,
    /// Whether another carrier can take what this one refused for now.
    pub has_other: bool,
    pub answered: Answered,
    pub failures: u32,
    pub due_ms: i64,
    /// When the lease of the chunks ends. Then they come back by themselves, and newer claims may be under way.
    pub until_ms: i64,
}

impl Unnoted {
    /// Notes the answers in one transaction, or gives them back with a later time.
    pub fn note(self, platform: &impl Platform, sql: &impl Sql) -> Result<(), Unnoted> {
        let now_ms = platform.now_ms();
        let noted = unit_of_work::run(sql, now_ms, |work| {
            let by = By {
                carrier: &self.carrier,
                has_other: self.has_other,
            };
            match &self.answered {
                Ok(answers) => outcomes::record(sql, work, by, answers),
                Err(claims) => outcomes::record_failure(sql, work, claims),
            }
        });
        noted.map(drop).map_err(|error| {
            log_failure(platform, "outcomes could not be noted", &error);
            let wait_ms = FIRST_WAIT_MS << self.failures.min(10);
            Unnoted {
                failures: self.failures.saturating_add(1),
                due_ms: now_ms.saturating_add(wait_ms).min(self.until_ms),
                ..self
            }
        })
    }
}

#[derive(Debug, Default)]
pub struct Backlog(RefCell<Vec<Unnoted>>);

impl Backlog {
    pub fn keep(&self, unnoted: Unnoted) {
        let mut kept = self.0.borrow_mut();
        if kept.len() < MAX_UNNOTED {
            kept.push(unnoted);
        }
    }

    /// Tries again to note the answers whose time has come, for the last time when the lease of their chunks ends. While the
    /// leases hold, nobody else brings these chunks on.
    pub fn note_again(&self, platform: &impl Platform, sql: &impl Sql) {
        let now_ms = platform.now_ms();
        for unnoted in self.0.take() {
            let left = if unnoted.due_ms <= now_ms {
                unnoted.note(platform, sql).err()
            } else {
                Some(unnoted)
            };
            if let Some(left) = left.filter(|left| left.until_ms > now_ms) {
                self.keep(left);
            }
        }
    }

    pub fn due_ms(&self) -> Option<i64> {
        self.0.borrow().iter().map(|unnoted| unnoted.due_ms).min()
    }
}

pub fn log_failure(platform: &impl Platform, what: &str, error: &PortError) {
    log::error(platform, "dispatch", json!({"what": what, "cause": error.to_string()}));
}
