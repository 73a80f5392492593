//! Checks an account: its object checks itself (`account/reconcile.rs`), and the mirrors in the directory are compared with it.
//!
//! The mirrors are read before the object is asked. So a mirror that is newer than the answer has what the object never had,
//! and that is a difference. One that is older is none as long as its next version may be on the way, which is for an hour.
//! Versions have no times. So a nightly check keeps which rows were behind, and with which version: one that still is, and has
//! not moved, is late. *A mirror that never moves again is found in the second night.*

mod findings;
mod usage;

use crate::account::reconcile::{Check, Reconcile, Truth};
use crate::base::ports::{Platform, PortError};
use crate::directory::mirror::{self, Mirrored};
use crate::directory::reconciliation::CheckedAccount;
use crate::durable::ask;
pub use findings::{CheckFindings, of_night};
use findings::{LATE_MS, Late};

/// The name of the row of the account among those that were behind.
const ACCOUNT: &str = "account";

/// Checks an account in at most so many steps.
pub async fn check(
    platform: &impl Platform,
    entry: &CheckedAccount,
    max_steps: u32,
) -> Result<CheckFindings, PortError> {
    let now_ms = platform.now_ms();
    let (mut findings, mut request) = (CheckFindings::default(), Reconcile::first());
    let (late, mut usage) = (Late::of(entry, now_ms), usage::Comparison::default());
    for step in 0..max_steps {
        findings.steps = step.saturating_add(1);
        let mirrors = match &request.usage {
            Some(before) => Some(mirror::find(platform.db(), &entry.id, before).await?),
            None => None,
        };
        let reply = ask(platform, &entry.id, None, None, &request).await?;
        let found = reply.accepted("to be checked")?;
        findings.extend(found.differences);
        request.from = found.next;
        request.recount = found.recount;
        if let Some((mirrored, rows)) = mirrors {
            if step == 0 {
                if found.too_many_chunks {
                    findings.unchecked.push(Check::Locked.as_str().to_owned());
                }
                compare(&found.truth, mirrored, now_ms, &late, &mut findings);
            }
            request.usage = usage.compare(rows, found.usage, &late, &mut findings);
        }
        if request.from.is_none() && request.usage.is_none() && request.recount.is_none() {
            break;
        }
    }
    for (is_left, check) in [
        (request.from.is_some(), Check::Wallet),
        (request.usage.is_some() || request.recount.is_some(), Check::Usage),
    ] {
        if is_left {
            findings.unchecked.push(check.as_str().to_owned());
        }
    }
    if let Some(detail) = usage.difference() {
        findings.add(Check::Usage, detail);
    }
    Ok(findings)
}

/// Compares the account's row in the directory with the truth.
fn compare(truth: &Truth, mirrored: Option<Mirrored>, now_ms: i64, late: &Late, findings: &mut CheckFindings) {
    let Some(mirror) = mirrored else {
        return findings.add(Check::Mirror, "the directory has no such account".to_owned());
    };
    let shown = (mirror.active, mirror.sending_enabled, mirror.available, mirror.locked);
    let is = (truth.active, truth.sending_enabled, truth.available, truth.locked);
    if mirror.version > truth.version {
        let detail = format!(
            "the mirror has version {}; the newest is {}",
            mirror.version, truth.version
        );
        findings.add(Check::Mirror, detail);
    } else if mirror.version < truth.version {
        if truth.changed_ms.saturating_add(LATE_MS) < now_ms || late.has(ACCOUNT, mirror.version) {
            let detail = format!(
                "the mirror has version {} for more than an hour; the newest is {}",
                mirror.version, truth.version
            );
            findings.add(Check::Mirror, detail);
        }
        findings.note_behind(ACCOUNT.to_owned(), mirror.version);
    } else if shown != is {
        // An account that was never changed has no mirror but what it began with.
        findings.add(Check::Mirror, format!("the mirror shows {shown:?}; it is {is:?}"));
    }
}
