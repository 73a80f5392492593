//! Tells the operators' object what an isolate has counted of the service's work.

use serde_json::json;

use crate::account::OPERATOR;
use crate::account::metrics::CountWork;
use crate::base::log;
use crate::base::ports::{Platform, PortError};
use crate::durable::{ask, in_time};

/// How long the operators' object may take to answer, ms. The alarm of whichever object tells waits for it, and has to end within a
/// minute with all of its chores.
const ANSWER_MS: i64 = 2_000;

/// Tells what is counted of the service's work.
pub async fn tell(platform: &impl Platform) {
    let Some(counts) = platform.tally().take() else {
        return;
    };
    let count = CountWork(counts);
    let told = ask(platform, OPERATOR, None, None, &count);
    warn(platform, in_time(platform, "object", ANSWER_MS, told).await);
}

/// Logs that counts could not be told. Nobody knows whether the object has counted them, so they are not told again: rather too few
/// than too many.
pub fn warn<T>(platform: &impl Platform, told: Result<T, PortError>) {
    if let Err(error) = told {
        log::warning(platform, "metrics", json!({"cause": error.to_string()}));
    }
}

/// Tells it at the end of an object's alarm, for an isolate that answers no requests.
pub async fn tell_if_due(platform: &impl Platform) {
    if platform.tally().begins(platform.now_ms()) {
        tell(platform).await;
    }
}
