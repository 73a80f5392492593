//! How the newest messages of the caller's account have ended: by operator, and for which reasons some have not arrived.

use crate::account::delivery_stats::{DeliveryStats, GetOutcomes, OperatorStats};
use crate::api::http::{Response, context::Context, forms::time, query::Query, respond::Success};
use crate::base::{ports::Platform, time::DAY_MS};
use crate::problem::Problem;
use crate::{answer, query};

/// Without `from`, messages of so many days.
const DAYS: i64 = 7;

answer! {
    /// How the newest messages have ended.
    pub struct DeliveryStatsData(stats: &DeliveryStats) as "Outcomes" {
        /// How many recipients were looked at, the newest first.
        "recipients": stats.recipients, count();
        /// Whether there are older ones since `from` that were not looked at.
        "hasMore": stats.has_more, flag() => false;
        /// By the operator whose prefix the number has.
        "operators": by_operator(stats), any_list(OperatorData::schema());
        /// Why recipients have not got their message, the commonest reason first.
        "reasons": by_reason(stats), any_list(ReasonData::schema());
    }

    pub struct OperatorData(name: &str, ended: &OperatorStats) {
        /// `MCI`, `MTN`, or `OTHER` for all others.
        "operator": name, any_text() => "MCI";
        "delivered": ended.delivered, count();
        "failed": ended.failed, count();
        /// They wait, were canceled, or nobody knows.
        "others": ended.others, count();
    }

    pub struct ReasonData(reason: &str, recipients: i64) {
        /// As the `error` of a recipient.
        "reason": reason, any_text() => "ABSENT_SUBSCRIBER";
        "recipients": recipients, count();
    }
}

fn by_operator(stats: &DeliveryStats) -> Vec<serde_json::Value> {
    let operators = stats.operators.iter();
    operators.map(|(name, ended)| OperatorData::of(name, ended)).collect()
}

fn by_reason(stats: &DeliveryStats) -> Vec<serde_json::Value> {
    let mut reasons: Vec<(&String, &i64)> = stats.reasons.iter().collect();
    reasons.sort_by_key(|(_, recipients)| std::cmp::Reverse(**recipients));
    let reasons = reasons.into_iter();
    reasons
        .map(|(reason, recipients)| ReasonData::of(reason, *recipients))
        .collect()
}

query! {
    pub struct DeliveryStatsWish {
        /// Only messages that were accepted at this time or later. Left out: those of seven days.
        from_ms: Option<i64> = can "from" time();
    }
}

/// `GET /account/outcomes`
pub async fn get<P: Platform>(
    context: &Context<'_, P>,
    query: Query<'_, DeliveryStatsWish>,
) -> Result<Response, Problem> {
    let from = query.all()?.from_ms;
    let request = GetOutcomes {
        from_ms: from.unwrap_or(context.request.now_ms.saturating_sub(DAYS * DAY_MS)),
        mode: context.caller()?.mode(),
    };
    let stats = context.call(&request).await?;
    Success::ok(DeliveryStatsData::of(&stats)).response(context)
}
