//! Counts the requests that an isolate answers, until it tells the operators' object of them.

use crate::account::OPERATOR;
use crate::account::metrics::{CountRequests, RequestCounts};
pub use crate::base::metrics::untold::GATHER_MS;
use crate::base::metrics::untold::Untold;
use crate::base::ports::Platform;
use crate::durable::ask;
use crate::objects::metrics;

/// The requests that an isolate has counted and not told yet.
pub type Meter = Untold<RequestCounts>;

impl Meter {
    /// Counts a request by the path of its route.
    pub fn note(&self, route: &str, status: u16, ms: i64) {
        self.note_in(|counts| counts.note(route, status, ms));
    }

    /// Tells the operators' object what is counted, of requests and of work.
    pub async fn tell(&self, platform: &impl Platform) {
        // The request in whose time this happens may have a key in its address.
        platform.log_apart();
        metrics::tell(platform).await;
        if let Some(counts) = self.take() {
            metrics::warn(
                platform,
                ask(platform, OPERATOR, None, None, &CountRequests(counts)).await,
            );
        }
    }
}
