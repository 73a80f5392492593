//! What was sent, by day, account, line or carrier, from the mirror of the accounts' usage.

use crate::api::http::forms::{Form, choice, day, parsed};
use crate::api::http::{Response, context::Context, json_schema, query::Paged, respond::Success};
use crate::auth::Mode;
use crate::base::ports::Platform;
use crate::base::time::{self, DAY_MS};
use crate::directory::usage::{self, By, Filter, Sums};
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, query};

/// A request asks for at most this many days: the rows of all of them are read.
const MAX_DAYS: i64 = 92;
/// How many days are shown if the request names none.
const DAYS: i64 = 30;
/// A name in a filter has at most this many characters.
const MAX_NAME: usize = 64;

const DAY_FORM: FieldErrorKind = FieldErrorKind::BadForm("a day like 2026-01-31", "روزی مانند 2026-01-31");
const TOO_LONG: FieldErrorKind = FieldErrorKind::BadForm(
    "a day that is not before `from`, and at most 91 days behind it",
    "روزی که پیش از `from` نباشد و حداکثر 91 روز پس از آن باشد",
);

query! {
    pub struct UsageWish {
        /// What the sums are made by; `day` if left out.
        by: Option<By> = can "by" choice(&By::ALL, By::as_str);
        /// The first day (UTC); if left out, 30 days up to the last one.
        from: Option<i64> = can "from" day(DAY_FORM);
        /// The last day, at most 91 days behind the first; today if left out.
        to: Option<i64> = can "to" day(DAY_FORM);
        /// Only this account.
        account: Option<String> = can "account" name() => "019b796d-0000-7000-8000-000000000001";
        /// Only this line.
        line: Option<String> = can "line" name() => "10001";
        /// Only what this carrier took; empty: what no carrier has taken.
        carrier: Option<String> = can "carrier" name() => "sandbox";
        /// Only messages of keys of this mode; `live` if left out.
        mode: Option<Mode> = can "mode" choice(&Mode::ALL, Mode::as_str);
    }
}

/// A name in a filter. It may be empty.
fn name() -> impl Form<Value = String> {
    let parse = |text: &str| match text.chars().count() {
        0..=MAX_NAME => Ok(text.to_owned()),
        _ => Err(FieldErrorKind::BadForm("at most 64 characters", "حداکثر 64 کاراکتر")),
    };
    parsed(parse, || json_schema::any_text().with("maxLength", MAX_NAME))
}

fn key_of(by: By, sums: &Sums) -> String {
    match by {
        By::Day => time::to_date(sums.key.parse().unwrap_or_default()),
        By::Account | By::Line | By::Carrier => sums.key.clone(),
    }
}

answer! {
    /// What was sent, and how it ended.
    pub struct UsageSumData(by: By, sums: &Sums) as "UsageSum" {
        /// What the sums are made by.
        "by": by.as_str(), one_of(&By::ALL.map(By::as_str));
        /// The day, the account, the line or the carrier; empty: no carrier.
        "key": key_of(by, sums), any_text() => "2026-01-01";
        /// The username of the account. `null`: the sums are by something else.
        "username": sums.username, any_text().or_null() => null;
        /// Messages that were accepted. By carrier they all count under no carrier, because several may share one.
        "messages": sums.totals.messages, count();
        /// Their recipients. By carrier, those that it took; under no carrier, those that none has taken.
        "recipients": sums.totals.recipients, count();
        /// The parts of these recipients.
        "parts": sums.totals.parts, count();
        /// The price of these recipients.
        "cost": sums.totals.cost, count();
        /// What was given back of that.
        "returned": sums.totals.returned, count();
        /// Recipients that have it.
        "delivered": sums.totals.delivered, count();
        /// How many of these the sandbox took: they reached nobody.
        "simulated": sums.simulated, count();
        /// Recipients that it did not reach.
        "undelivered": sums.totals.undelivered, count();
        /// Recipients that it came too late for, or of which no report came.
        "expired": sums.totals.expired, count();
        /// Recipients that no carrier took.
        "rejected": sums.totals.rejected, count();
        /// Recipients of which nobody knows yet.
        "unknown": sums.totals.unknown, count();
        /// Recipients of canceled messages.
        "canceled": sums.totals.canceled, count();
    }
}

/// `GET /admin/usage`
pub async fn list<P: Platform>(context: &Context<'_, P>, mut query: Paged<'_, UsageWish>) -> Result<Response, Problem> {
    let page = query.page_by_name("admin/usage");
    let wish = query.filters();
    let by = wish.by.unwrap_or(By::Day);
    let today = context.request.now_ms.div_euclid(DAY_MS);
    let last = wish.to.unwrap_or(today);
    let from = wish.from.unwrap_or(last.saturating_sub(DAYS - 1));
    // If `from` alone is named, the page ends today or when the longest time is over.
    let to = wish.to.unwrap_or(today.clamp(from, from.saturating_add(MAX_DAYS - 1)));
    if !(0..MAX_DAYS).contains(&to.saturating_sub(from)) {
        query.fault("to", TOO_LONG);
    }
    let filter = Filter {
        from,
        to,
        account: wish.account,
        line: wish.line,
        carrier: wish.carrier,
        is_test: wish.mode == Some(Mode::Test),
    };
    query.finish()?;
    let after = page.after().map(String::as_str);
    let mut sums = usage::sums(context.platform.db(), by, &filter, page.limit(), after).await?;
    let next = page.cut(&mut sums, |sums| sums.key.clone());
    Success::page(sums.iter().map(|sums| UsageSumData::of(by, sums)), next).response(context)
}
