//! What the service does by itself each night, when the runtime's cron calls it.
//!
//! Each step is bounded, and each night goes on where it has to: an entry that is not forgotten tonight goes tomorrow.
//! *A crash at any point* costs what is left of the night.

use serde_json::json;

use crate::config::Config;
use crate::directory::audit;
use crate::ports::{Platform, PortError};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// Goes of forgetting in one night.
const GOES: u32 = 100;

/// Does all that is due each night. One part that fails does not keep the others from being done.
pub async fn run(platform: &impl Platform, config: &Config) {
    note(
        platform,
        "forget old entries of the audit log",
        forget_entries(platform, config).await,
    );
}

fn note(platform: &impl Platform, what: &str, done: Result<(), PortError>) {
    if let Err(error) = done {
        let line = json!({"level": "error", "event": "nightly", "what": what, "cause": error.to_string()});
        platform.log(&line.to_string());
    }
}

/// Forgets the entries of the audit log whose time is over.
async fn forget_entries(platform: &impl Platform, config: &Config) -> Result<(), PortError> {
    let before_ms = platform
        .now_ms()
        .saturating_sub(config.audit_days.saturating_mul(DAY_MS));
    for _ in 0..GOES {
        if !audit::forget_old(platform.db(), before_ms).await? {
            break;
        }
    }
    Ok(())
}
