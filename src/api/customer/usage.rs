//! What the caller's account has sent, by day.

use serde_json::{Value, json};

use crate::account::message::status::RecipientStatus;
use crate::account::usage::days::{ListUsage, Totals};
use crate::api::http::Response;
use crate::api::http::context::Context;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::api::problem::field_error::FieldErrorKind;
use crate::base::ports::Platform;
use crate::base::time;

const DATE: FieldErrorKind = FieldErrorKind::BadForm("a day, like 2026-01-31", "یک روز، مانند 2026-01-31");

fn totals(totals: &Totals) -> Value {
    let statuses = [
        (RecipientStatus::Delivered, totals.delivered),
        (RecipientStatus::Undelivered, totals.undelivered),
        (RecipientStatus::Expired, totals.expired),
        (RecipientStatus::Rejected, totals.rejected),
        (RecipientStatus::Canceled, totals.canceled),
        (RecipientStatus::Unknown, totals.unknown),
    ];
    let resting = statuses
        .iter()
        .fold(0_i64, |sum, (_, count)| sum.saturating_add(*count));
    let statuses: Value = statuses
        .iter()
        .map(|(status, count)| (status.as_str(), *count))
        .collect();
    json!({
        "messages": totals.messages,
        "recipients": totals.recipients,
        "parts": totals.parts,
        "cost": totals.cost,
        "returned": totals.returned,
        "statuses": statuses,
        "pending": totals.recipients.saturating_sub(resting),
    })
}

/// `GET /account/usage`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page("usage");
    let mut date = |name| query.read(name, |text| time::from_date(text).ok_or(DATE));
    let list = ListUsage {
        from: date("from"),
        to: date("to"),
        page: page.to_read(),
    };
    query.finish()?;
    let mut listed = context.call(&list).await?;
    let next = page.cut(&mut listed.days, |day| day.day);
    let next = next.or_else(|| listed.walked_to.map(|day| page.cursor_behind(&day)));
    let unit = &context.app.config.unit;
    let days = listed.days.iter().map(|day| {
        json!({
            "date": time::to_date(day.day),
            "unit": unit,
            "live": totals(&day.live),
            "test": totals(&day.test),
        })
    });
    Success::page(days.collect::<Vec<_>>(), next).response(&context.request.id)
}
