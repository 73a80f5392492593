//! How verifications have ended.

use crate::account::verify::stats::{By, GetVerifyStats, KEPT_DAYS, MOST_ROWS, StatsRow};
use crate::api::http::forms::{choice, day};
use crate::api::http::{Response, context::Context, query::Query, respond::Success};
use crate::base::ports::Platform;
use crate::base::time::{self, DAY_MS, to_rfc3339};
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, query};

const DATE: FieldErrorKind = FieldErrorKind::BadForm("a day, like 2026-01-31", "یک روز، مانند 2026-01-31");
/// Without `from`, so many days before `to` are told.
const USUAL_DAYS: i64 = 30;

answer! {
    /// How verifications have ended.
    pub struct StatsData(asked: &GetVerifyStats, rows: &[StatsRow]) as "VerifyStats" {
        /// The first day of UTC.
        "from": time::to_date(asked.from), day() => "2030-01-01";
        /// The last day of UTC.
        "to": time::to_date(asked.to), day() => "2030-01-30";
        /// By what they are told apart.
        "by": asked.by.as_str(), one_of(&By::ALL.map(By::as_str));
        /// At most 500: those with the most messages.
        "rows": rows.iter().map(StatsRowData::of).collect::<Vec<_>>(), list(declared::<StatsRowData>(), 0, MOST_ROWS);
    }

    /// How verifications have ended that have something in common.
    pub struct StatsRowData(row: &StatsRow) as "VerifyStatsRow" {
        /// The day of UTC on which they started, the first five digits of their numbers, the line or the carrier of their newest message.
        /// Empty for a carrier: none has taken the message.
        "name": row.name, any_text() => "98912";
        /// How many were started.
        "started": row.tally.started, count();
        /// How many messages have brought their codes. By `carrier`, each counts under the carrier that has taken it.
        "sent": row.tally.sent, count();
        /// How many codes were checked.
        "checked": row.tally.checked, count();
        /// How many were approved.
        "approved": row.tally.approved, count();
        /// How many were blocked, because they looked like fraud.
        "blocked": row.tally.blocked, count();
        /// The median of the seconds from the start to the approval. `null`: none was approved.
        "medianSeconds": row.tally.median_s(), count().or_null();
        /// By `prefix`: until when no code goes to numbers that begin so, because far fewer are approved than usual. `null`: they go.
        "pausedUntil": row.paused_until_ms.map(to_rfc3339), time().or_null();
    }
}

query! {
    pub struct StatsWish {
        /// The first day, at most 91 days before the last. Left out: 29 days before it.
        from: Option<i64> = can "from" day(DATE);
        /// The last day. Left out: today.
        to: Option<i64> = can "to" day(DATE);
        /// By what to tell verifications apart. Left out: `day`.
        by: Option<By> = can "by" choice(&By::ALL, By::as_str);
    }
}

/// `GET /verify/stats`
pub async fn list<P: Platform>(context: &Context<'_, P>, mut query: Query<'_, StatsWish>) -> Result<Response, Problem> {
    let StatsWish { from, to, by } = query.read();
    let to = to.unwrap_or_else(|| context.request.now_ms.div_euclid(DAY_MS));
    let from = from.unwrap_or_else(|| to.saturating_sub(USUAL_DAYS - 1));
    if from > to || to.saturating_sub(from) >= KEPT_DAYS {
        query.fault(
            "from",
            FieldErrorKind::BadForm(
                "a day that is not after `to`, and at most 91 days before it",
                "روزی که پس از `to` نباشد و حداکثر 91 روز پیش از آن باشد",
            ),
        );
    }
    query.finish()?;
    let asked = GetVerifyStats {
        from,
        to,
        by: by.unwrap_or(By::Day),
        mode: context.caller()?.mode(),
    };
    let rows = context.call(&asked).await?;
    Success::ok(StatsData::of(&asked, &rows)).response(context)
}
