//! What a check has found, and what it keeps for the next one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::account::reconcile::{Check, Difference};
use crate::directory::reconciliation::CheckedAccount;

/// A mirror that is behind for longer than this is a difference, ms.
pub const LATE_MS: i64 = 60 * 60 * 1_000;
/// Rows that were behind, of which a check keeps the versions.
const MAX_BEHIND: usize = 100;
/// Differences that a check tells: further ones are mostly of the same cause.
const MAX_DIFFERENCES: usize = 20;

/// What a check of an account has found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckFindings {
    /// What does not agree.
    #[serde(default)]
    pub differences: Vec<Difference>,
    /// The names of checks that would take more work than this check may do.
    #[serde(default)]
    pub unchecked: Vec<String>,
    /// The rows of the mirrors that were behind, some of them, each with the version that it had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<(String, i64)>,
    /// How many steps it took.
    #[serde(skip)]
    pub steps: u32,
}

impl CheckFindings {
    /// Adds a difference.
    pub fn add(&mut self, check: Check, detail: String) {
        self.extend([Difference::new(check, detail)]);
    }

    /// Adds differences, as long as there is room.
    pub fn extend(&mut self, differences: impl IntoIterator<Item = Difference>) {
        let left = MAX_DIFFERENCES.saturating_sub(self.differences.len());
        self.differences.extend(differences.into_iter().take(left));
    }

    /// Notes a row of a mirror that is behind.
    pub fn note_behind(&mut self, row: String, version: i64) {
        if self.behind.len() < MAX_BEHIND {
            self.behind.push((row, version));
        }
    }
}

/// What the last nightly check of an account has found, and when.
pub fn of_night(entry: &CheckedAccount) -> Option<(i64, CheckFindings)> {
    let (checked_ms, findings) = entry.checked_ms.zip(entry.findings.as_deref())?;
    Some((checked_ms, serde_json::from_str(findings).ok()?))
}

/// Rows that were behind so long ago that they are late if they have not moved.
#[derive(Debug, Default)]
pub struct Late(BTreeMap<String, i64>);

impl Late {
    /// Those that the last nightly check has seen, if it was long enough ago.
    pub fn of(entry: &CheckedAccount, now_ms: i64) -> Late {
        let long_ago = of_night(entry).filter(|(checked_ms, _)| checked_ms.saturating_add(LATE_MS) < now_ms);
        Late(long_ago.into_iter().flat_map(|(_, findings)| findings.behind).collect())
    }

    /// Whether a row that is behind has not moved since.
    pub fn has(&self, row: &str, version: i64) -> bool {
        self.0.get(row) == Some(&version)
    }
}
