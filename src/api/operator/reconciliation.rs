//! Whether what is kept of each account agrees with itself.

use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;

use crate::account::reconcile::{Check, Difference};
use crate::api::http::{Response, context::Context, forms::item_text, query::Paged, respond::Success};
use crate::base::ports::{Platform, PortError};
use crate::base::{redact, time};
use crate::directory::reconciliation::{self, CheckedAccount};
use crate::objects::reconciliation::{CheckFindings, check, of_night};
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, query};

/// Accounts that are checked at the same time.
const AT_ONCE: usize = 10;
/// Steps of the check of one account. A night has more.
const STEPS: u32 = 3;
/// An id in a filter has at most this many characters.
const MAX_ID: usize = 64;
const ID_FORM: FieldErrorKind = FieldErrorKind::BadForm("1 to 64 characters", "1 تا 64 کاراکتر");

/// The names of the checks, and that of all together.
fn checks() -> Vec<&'static str> {
    Check::ALL.map(Check::as_str).into_iter().chain(["ALL"]).collect()
}

answer! {
    /// What a check of an account has found.
    pub struct FindingsData(report: &CheckFindings, checked_ms: i64) as "Report" {
        "checkedAt": time::to_rfc3339(checked_ms), time();
        "differences": report.differences.iter().map(DifferenceData::of).collect::<Vec<_>>(), any_list(DifferenceData::schema());
        /// Checks that would have taken too much work, or `ALL` if it failed.
        "unchecked": report.unchecked, any_list(one_of(&checks()));
    }

    pub struct DifferenceData(difference: &Difference) {
        "check": difference.check, one_of(&Check::ALL.map(Check::as_str)) => "LOCKED";
        /// What does not agree.
        "detail": difference.detail, any_text() => "30 is locked; the held reserves come to 20";
    }

    /// Whether what is kept of an account agrees with itself.
    pub struct ReconciliationData(entry: &CheckedAccount, now: &Result<CheckFindings, PortError>, now_ms: i64) as "Reconciliation" {
        "account": entry.id, id();
        "username": entry.username, any_text() => "shop";
        /// What the check has found just now.
        "now": now.as_ref().ok().map(|found| FindingsData::of(found, now_ms)), declared::<FindingsData>().or_null() => null;
        /// Why it could not be checked.
        "error": now.as_ref().err().map(|error| redact::scrubbed(&error.to_string())), any_text().or_null() => null;
        /// What the last nightly check has found.
        "nightly": of_night(entry).map(|(at_ms, found)| FindingsData::of(&found, at_ms)), declared::<FindingsData>().or_null() => null;
    }
}

query! {
    pub struct ReconciliationWish {
        /// Only this account.
        only: Option<String> = can "account" item_text(MAX_ID, ID_FORM) => "019b796d-0000-7000-8000-000000000001";
    }
}

/// `GET /admin/reconciliation`
pub async fn list<P: Platform>(
    context: &Context<'_, P>,
    query: Paged<'_, ReconciliationWish>,
) -> Result<Response, Problem> {
    let (page, ReconciliationWish { only }) = query.listed_by_name("admin/reconciliation")?;
    let platform = context.platform;
    let after = page.after().map(String::as_str);
    let mut entries = reconciliation::page(platform.db(), page.limit(), after, only.as_deref()).await?;
    let next = page.cut(&mut entries, |entry| entry.id.clone());
    let (mut reports, mut checks) = (Vec::with_capacity(entries.len()), FuturesOrdered::new());
    for entry in &entries {
        checks.push_back(check(platform, entry, STEPS));
        if checks.len() >= AT_ONCE {
            reports.extend(checks.next().await);
        }
    }
    while let Some(report) = checks.next().await {
        reports.push(report);
    }
    let now_ms = platform.now_ms();
    let items = entries
        .iter()
        .zip(reports)
        .map(|(entry, now)| ReconciliationData::of(entry, &now, now_ms));
    Success::page(items, next).response(context)
}
