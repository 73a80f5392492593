//! What the service does by itself each night, when the runtime's cron calls it.
//!
//! The cron calls several times in a night, because one call may do only so much. Each call does the next accounts that were not
//! checked tonight. *A crash at any point* costs what is left of the call: the next one, or the next night, goes on.

use serde_json::json;

use super::credits;
use super::reconciliation::{self, CheckFindings};
use crate::auth::secret;
use crate::base::ports::{Platform, PortError};
use crate::base::{config::Config, log, time::DAY_MS};
use crate::directory::{audit, reconciliation as directory, room::Room, transfer};
use crate::durable;
use crate::webhook::{endpoint::SealAnew, request::WebhookRefusal};

/// An account that was checked so lately is not checked again, ms: less than from night to night, and more than a night.
const AGAIN_MS: i64 = 12 * 60 * 60 * 1_000;
/// Accounts that one call checks. The runtime allows a call 1,000 calls of all kinds.
const ACCOUNTS: u32 = 150;
/// Steps of the check of one account: they replay two million entries of a ledger.
const STEPS: u32 = 100;
/// Steps of all checks of one call. One step asks the directory and an object once.
const ALL_STEPS: u32 = 400;
/// Goes of forgetting in one call.
const GOES: u32 = 20;

/// Does all that is due at night. One part that fails does not keep the others from being done. While the service moves to another one,
/// nothing is done: its rows are read, and have to stay as they are.
pub async fn run(platform: &impl Platform, config: &Config) {
    match transfer::find(platform.db()).await {
        Ok(None) => {}
        Ok(Some(_)) => return,
        Err(error) => return note(platform, "look whether the service moves", Err(error)),
    }
    note(
        platform,
        "forget old entries of the audit log",
        forget_entries(platform, config).await,
    );
    note(platform, "settle credits", credits::tidy(platform).await);
    note(platform, "look for room", look_for_room(platform, config).await);
    note(platform, "check accounts", check_accounts(platform).await);
}

/// Warns when the database becomes full.
async fn look_for_room(platform: &impl Platform, config: &Config) -> Result<(), PortError> {
    let room = Room::of(platform.db(), config).await?;
    if room.is_short() {
        log::warning(
            platform,
            "storage",
            json!({
                "bytes": room.bytes,
                "maxBytes": room.max_bytes,
                "customerBytes": room.customer_bytes,
                "maxCustomerBytes": room.max_customer_bytes,
            }),
        );
    }
    Ok(())
}

fn note(platform: &impl Platform, what: &str, done: Result<(), PortError>) {
    if let Err(error) = done {
        log::error(platform, "nightly", json!({"what": what, "cause": error.to_string()}));
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

/// While the service's key is being changed, seals by the new one what the old one has sealed of an account.
async fn seal_anew(platform: &impl Platform, account: &str) -> Result<(), PortError> {
    if secret::is_changing(platform) {
        // Webhook objects refuse nothing of this.
        let _: Result<(), WebhookRefusal> = durable::ask(platform, account, None, None, &SealAnew).await?;
    }
    Ok(())
}

/// Checks the accounts that wait longest. One that can't be checked does not keep the others from it: it is kept as unchecked,
/// so that it comes last the next time.
async fn check_accounts(platform: &impl Platform) -> Result<(), PortError> {
    let before_ms = platform.now_ms().saturating_sub(AGAIN_MS);
    let mut steps = ALL_STEPS;
    for entry in directory::due(platform.db(), before_ms, ACCOUNTS).await? {
        let account = &entry.id;
        if let Err(error) = seal_anew(platform, account).await {
            note(platform, "seal the secrets of webhooks", Err(error));
        }
        let checked = reconciliation::check(platform, &entry, STEPS.min(steps)).await;
        let report = checked.unwrap_or_else(|error| {
            note(platform, "check an account", Err(error));
            CheckFindings {
                unchecked: vec!["ALL".to_owned()],
                steps: 1,
                ..CheckFindings::default()
            }
        });
        steps = steps.saturating_sub(report.steps);
        for difference in &report.differences {
            log::error(
                platform,
                "reconciliation",
                json!({"account": account,
                "check": difference.check, "detail": difference.detail}),
            );
        }
        let findings = serde_json::to_string(&report).map_err(|error| PortError::json("reconciliation", &error))?;
        directory::keep(platform.db(), account, platform.now_ms(), &findings).await?;
        if steps == 0 {
            break;
        }
    }
    Ok(())
}
