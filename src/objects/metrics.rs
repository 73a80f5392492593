//! Tells the operators' object what an isolate has counted of the service's work.

use serde_json::json;

use crate::account::OPERATOR;
use crate::account::metrics::CountWork;
use crate::base::{log, ports::Platform};
use crate::durable::{ask, in_time};

/// How long the operators' object may take to answer, ms. The alarm of whichever object tells waits for it, and has to end within a
/// minute with all of its chores.
const ANSWER_MS: i64 = 2_000;

/// Tells what is counted. If that fails, nobody knows whether the object has counted it, so it is not told again: rather too few than
/// too many.
pub async fn tell(platform: &impl Platform) {
    let counts = platform.tally().take();
    if counts.is_empty() {
        return;
    }
    let count = CountWork(counts);
    let told = ask(platform, OPERATOR, None, None, &count);
    if let Err(error) = in_time(platform, "object", ANSWER_MS, told).await {
        log::warning(platform, "metrics", json!({"cause": error.to_string()}));
    }
}

/// Tells it at the end of an object's alarm, for an isolate that answers no requests.
pub async fn tell_if_due(platform: &impl Platform) {
    if platform.tally().begins(platform.now_ms()) {
        tell(platform).await;
    }
}
