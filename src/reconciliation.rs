//! Checks an account: its object checks itself (`account/reconcile.rs`), and the mirror in the directory is compared with it.
//!
//! The object is asked before the mirror is read. So a mirror that is newer than the answer is no difference, and one that is
//! older is none as long as its next version is on the way.

use serde::{Deserialize, Serialize};

use crate::account::reconcile::{Check, Difference, Findings, Reconcile, Truth};
use crate::account::request::ask;
use crate::directory::mirror::{self, Mirrored};
use crate::ports::{Platform, PortError};

/// A mirror that is behind for longer than this is a difference, ms.
const LATE_MS: i64 = 60 * 60 * 1_000;

/// What a check of an account has found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What does not agree.
    #[serde(default)]
    pub differences: Vec<Difference>,
    /// The names of checks that would take more work than this check may do.
    #[serde(default)]
    pub unchecked: Vec<String>,
    /// How many steps it took.
    #[serde(skip)]
    pub steps: u32,
}

/// Checks an account in at most so many steps.
pub async fn check(platform: &impl Platform, account: &str, max_steps: u32) -> Result<Report, PortError> {
    let (mut report, mut from) = (Report::default(), Default::default());
    for step in 0..max_steps {
        report.steps = step.saturating_add(1);
        let reply = ask(platform, account, None, &Reconcile { from }).await?;
        let found: Findings = reply
            .outcome
            .map_err(|refusal| PortError::unavailable("account", format!("refused to be checked: {refusal:?}")))?;
        report.differences.extend(found.differences);
        if step == 0 {
            if found.too_many_chunks {
                report.unchecked.push(Check::Locked.as_str().to_owned());
            }
            let mirrored = mirror::find(platform.db(), account).await?;
            report
                .differences
                .extend(mirror_difference(&found.truth, mirrored, platform.now_ms()));
        }
        let Some(next) = found.next else {
            return Ok(report);
        };
        from = next;
    }
    report.unchecked.push(Check::Wallet.as_str().to_owned());
    Ok(report)
}

/// How the mirror differs from the truth, after it has had its chance.
fn mirror_difference(truth: &Truth, mirrored: Option<Mirrored>, now_ms: i64) -> Option<Difference> {
    let difference = |detail: String| Some(Difference::new(Check::Mirror, detail));
    let Some(mirror) = mirrored else {
        return difference("the directory has no such account".to_owned());
    };
    if mirror.version < truth.version && truth.changed_ms.saturating_add(LATE_MS) < now_ms {
        return difference(format!(
            "the mirror has version {}, and version {} waits for it for more than an hour",
            mirror.version, truth.version
        ));
    }
    let shown = (mirror.active, mirror.sending_enabled, mirror.available, mirror.locked);
    let is = (truth.active, truth.sending_enabled, truth.available, truth.locked);
    // An account that was never changed has no mirror but what it began with.
    if mirror.version == truth.version && shown != is {
        return difference(format!("the mirror shows {shown:?}; it is {is:?}"));
    }
    None
}
