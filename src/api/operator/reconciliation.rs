//! Whether what is kept of each account agrees with itself.

use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use serde_json::{Value, json};

use crate::account::reconcile::Difference;
use crate::api::http::Response;
use crate::api::http::context::Context;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::api::problem::field_error::FieldErrorKind;
use crate::base::ports::{Platform, PortError};
use crate::base::redact;
use crate::base::time;
use crate::directory::reconciliation::{self, CheckedAccount};
use crate::objects::reconciliation::{Report, check, of_night};

/// Accounts that are checked at the same time.
const AT_ONCE: usize = 10;
/// Steps of the check of one account. A night has more.
const STEPS: u32 = 3;
/// An id in a filter has at most this many characters.
const MAX_ID: usize = 64;

fn differences(list: &[Difference]) -> Vec<Value> {
    let data = |difference: &Difference| json!({"check": difference.check, "detail": difference.detail});
    list.iter().map(data).collect()
}

fn report(report: &Report, checked_ms: i64) -> Value {
    json!({
        "checkedAt": time::to_rfc3339(checked_ms),
        "differences": differences(&report.differences),
        "unchecked": report.unchecked,
    })
}

fn data(entry: &CheckedAccount, now: Result<Report, PortError>, now_ms: i64) -> Value {
    let nightly = of_night(entry).map(|(checked_ms, found)| report(&found, checked_ms));
    json!({
        "account": entry.id,
        "now": now.as_ref().ok().map(|found| report(found, now_ms)),
        "error": now.as_ref().err().map(|error| redact::scrubbed(&error.to_string())),
        "nightly": nightly,
    })
}

/// `GET /admin/reconciliation`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name("admin/reconciliation");
    let only = query.read("account", |text| match text.chars().count() {
        1..=MAX_ID => Ok(text.to_owned()),
        _ => Err(FieldErrorKind::BadForm("1 to 64 characters", "1 تا 64 کاراکتر")),
    });
    query.finish()?;
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
    let items = entries.iter().zip(reports).map(|(entry, now)| data(entry, now, now_ms));
    let items: Vec<Value> = items.collect();
    Success::page(items, next).response(&context.request.id)
}
