//! Counts the requests that an isolate answers, until it tells the operators' object of them.

use std::cell::{Cell, RefCell};

use serde_json::json;

use crate::account::OPERATOR;
use crate::account::metrics::{CountRequests, RequestCounts};
use crate::base::{log, ports::Platform};
use crate::durable::ask;
use crate::objects::metrics;

/// How long an isolate gathers before it tells, ms. The runtime lets a request go on for 30 seconds after its answer.
pub const GATHER_MS: u32 = 15_000;

/// What an isolate has counted and not told yet.
#[derive(Debug, Default)]
pub struct Meter {
    counts: RefCell<RequestCounts>,
    /// Until when somebody waits to tell, ms since the Unix epoch.
    due_ms: Cell<i64>,
}

impl Meter {
    /// Counts a request by the path of its route.
    pub fn note(&self, route: &str, status: u16, ms: i64) {
        self.counts.borrow_mut().note(route, status, ms);
    }

    /// Whether whoever asks is to tell what is counted, [`GATHER_MS`] from now: of all that ask until then, the first. The runtime may end
    /// that one's request before it has told, without a word. So it is a time that keeps the others from it, and no mark that it would have to
    /// take back.
    pub fn begins(&self, now_ms: i64) -> bool {
        let begins = !self.counts.borrow().is_empty() && now_ms >= self.due_ms.get();
        if begins {
            self.due_ms.set(now_ms.saturating_add(GATHER_MS.into()));
        }
        begins
    }

    /// Tells the operators' object what is counted. If that fails, nobody knows whether the object has counted it, so it is not told
    /// again: rather too few than too many.
    pub async fn tell(&self, platform: &impl Platform) {
        // The request in whose time this happens may have a key in its address.
        platform.log_apart();
        metrics::tell(platform).await;
        let counts = self.counts.take();
        if counts.is_empty() {
            return;
        }
        if let Err(error) = ask(platform, OPERATOR, None, None, &CountRequests(counts)).await {
            log::warning(platform, "metrics", json!({"cause": error.to_string()}));
        }
    }
}
