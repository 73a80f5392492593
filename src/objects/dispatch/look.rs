//! Reading the directory for queues of which memory does not tell where they may go. One run at a time reads: a run that waited
//! for the same answers beside it would gain nothing, and while the directory hangs they would grow without bound.

use super::choice::Options;
use super::dispatcher::{Dispatcher, LOOK_MS};
use super::outcome_retry::log_failure;
use crate::account::record::chunk::queue::Queue;
use crate::base::ports::{Platform, PortError};
use crate::durable::{in_time, under_way::Mark};

/// When to look again after the directory failed, ms.
const RETRY_MS: i64 = 5_000;

/// A look into the directory, which is under way until this is dropped, or until its time is over: the runtime may drop a run
/// without a word.
pub(super) struct Look<'a> {
    dispatcher: &'a Dispatcher,
    queues: Vec<Queue>,
    until_ms: i64,
    _under_way: Mark,
}

impl Dispatcher {
    /// Whether a run reads the directory.
    pub fn is_looking(&self, now_ms: i64) -> bool {
        self.looks.any(now_ms)
    }

    /// Begins to look where these queues may go, unless a run does so already.
    pub(super) fn begin_look(&self, now_ms: i64, queues: Vec<Queue>) -> Option<Look<'_>> {
        if queues.is_empty() {
            return None;
        }
        self.has_missed.set(self.is_looking(now_ms));
        if self.has_missed.get() {
            return None;
        }
        Some(Look {
            dispatcher: self,
            queues,
            until_ms: now_ms.saturating_add(LOOK_MS),
            _under_way: self.looks.begin(now_ms, ()),
        })
    }
}

impl Look<'_> {
    /// Reads where the queues may go, in their order. Those that the directory does not tell in time rest.
    pub(super) async fn run(self, platform: &impl Platform) -> Vec<(Queue, Options)> {
        let mut told = Vec::new();
        for queue in &self.queues {
            match self.of(platform, queue).await {
                Ok(options) => told.push((queue.clone(), options)),
                Err(error) => {
                    log_failure(platform, "the directory did not tell a carrier", &error);
                    self.dispatcher.rest(queue, platform.now_ms().saturating_add(RETRY_MS));
                }
            }
        }
        told
    }

    async fn of(&self, platform: &impl Platform, queue: &Queue) -> Result<Options, PortError> {
        let left_ms = self.until_ms.saturating_sub(platform.now_ms());
        if left_ms <= 0 {
            return Err(PortError::unavailable("d1", "no time is left"));
        }
        in_time(platform, "d1", left_ms, self.dispatcher.choice.options(platform, queue)).await
    }
}
