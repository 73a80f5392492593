//! The line of the log for what failed in a dispatch.

use serde_json::json;

use crate::base::ports::{Platform, PortError};

/// Logs a failure.
pub(super) fn log(platform: &impl Platform, what: &str, error: &PortError) {
    let line = json!({"level": "error", "event": "dispatch", "what": what, "cause": error.to_string()});
    platform.log(&line.to_string());
}
