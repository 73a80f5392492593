//! Tells the operators' object what an isolate has counted of the service's work.

use serde_json::json;

use crate::account::OPERATOR;
use crate::account::work_counts::CountWork;
use crate::base::{log, ports::Platform};
use crate::durable::ask;

/// Tells what is counted. If that fails, nobody knows whether the object has counted it, so it is not told again: rather too few than
/// too many.
pub async fn tell(platform: &impl Platform) {
    let counts = platform.tally().take();
    if counts.is_empty() {
        return;
    }
    if let Err(error) = ask(platform, OPERATOR, None, None, &CountWork(counts)).await {
        log::warning(platform, "metrics", json!({"cause": error.to_string()}));
    }
}

/// Tells it at the end of an object's alarm, for an isolate that answers no requests.
pub async fn tell_if_due(platform: &impl Platform) {
    if platform.tally().begins(platform.now_ms()) {
        tell(platform).await;
    }
}
