//! What the caller's account has sent, by day.

use crate::account::record::key_usage::SentSums;
use crate::account::record::usage_totals::Totals;
use crate::account::usage::by_key::KeyUsage;
use crate::account::usage::days::{ListUsage, UsageDay};
use crate::api::http::{Response, context::Context, forms::day, query::Paged, respond::Success};
use crate::api::shared::view::Sandboxes;
use crate::base::{ports::Platform, time};
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, query};

const DATE: FieldErrorKind = FieldErrorKind::BadForm("a day, like 2026-01-31", "یک روز، مانند 2026-01-31");

answer! {
    /// What an account has sent on a day of UTC.
    pub struct UsageDayData(day: &UsageDay, unit: &str) as "UsageDay" {
        "date": time::to_date(day.day), day() => "2030-01-31";
        "unit": unit, unit();
        /// What live keys have sent.
        "live": TotalsData::of(&day.live), TotalsData::schema();
        /// What test keys have sent. It costs nothing.
        "test": TotalsData::of(&day.test), TotalsData::schema();
        /// How many of the live recipients that are `DELIVERED` the sandbox took in place of a carrier that sends: they reached nobody.
        "simulated": day.simulated, count();
        /// Who has sent that: together they come to the same.
        "keys": day.keys.iter().map(KeyUsageData::of).collect::<Vec<_>>(), any_list(KeyUsageData::schema());
    }

    /// What a key has sent on a day.
    pub struct KeyUsageData(usage: &KeyUsage) as "KeyUsage" {
        /// `CONSOLE`: people have sent it in the console. `OTHER`: no key has, like the reply to an opt-out, or it was sent before keys were
        /// counted.
        "by": by(usage), one_of(&[KEY, CONSOLE, OTHER]);
        /// The id of the key. `null`: it is none.
        "key": usage.key.as_ref().map(|key| &key.id), id().or_null();
        /// The title of the key. It stays when the key is gone.
        "title": usage.key.as_ref().map(|key| &key.title), any_text().or_null() => "main";
        /// What was sent live.
        "live": SentData::of(&usage.live), SentData::schema();
        /// What was sent in tests.
        "test": SentData::of(&usage.test), SentData::schema();
    }

    pub struct SentData(sent: &SentSums) {
        /// Messages that were accepted on the day.
        "messages": sent.messages, count();
        /// The recipients of these messages.
        "recipients": sent.recipients, count();
        /// The parts of the recipients' texts.
        "parts": sent.parts, count();
        /// The price of these messages.
        "cost": sent.cost, money() => 3_000;
        /// What of it was released or given back.
        "returned": sent.returned, money() => 1_000;
    }

    pub struct TotalsData(totals: &Totals) {
        /// Messages that were accepted on the day.
        "messages": totals.messages, count();
        /// The recipients of these messages.
        "recipients": totals.recipients, count();
        /// The parts of the recipients' texts.
        "parts": totals.parts, count();
        /// The price of these messages.
        "cost": totals.cost, money() => 3_000;
        /// What of it was released or given back.
        "returned": totals.returned, money() => 1_000;
        /// How many of the recipients have this status now.
        "statuses": StatusesData::of(totals), StatusesData::schema();
        /// How many of the recipients have none of these.
        "pending": pending(totals), count();
    }

    pub struct StatusesData(totals: &Totals) {
        "DELIVERED": totals.delivered, count();
        "UNDELIVERED": totals.undelivered, count();
        "EXPIRED": totals.expired, count();
        "REJECTED": totals.rejected, count();
        "CANCELED": totals.canceled, count();
        "UNKNOWN": totals.unknown, count();
    }
}

const KEY: &str = "KEY";
const CONSOLE: &str = "CONSOLE";
const OTHER: &str = "OTHER";

fn by(usage: &KeyUsage) -> &'static str {
    match (&usage.key, usage.console) {
        (Some(_), _) => KEY,
        (None, true) => CONSOLE,
        (None, false) => OTHER,
    }
}

fn pending(totals: &Totals) -> i64 {
    let resting = [
        totals.delivered,
        totals.undelivered,
        totals.expired,
        totals.rejected,
        totals.canceled,
        totals.unknown,
    ];
    let resting = resting.into_iter().fold(0_i64, i64::saturating_add);
    totals.recipients.saturating_sub(resting)
}

query! {
    pub struct UsageWish {
        /// Only this day and later ones.
        from: Option<i64> = can "from" day(DATE) => "2026-01-31";
        /// Only this day and earlier ones.
        to: Option<i64> = can "to" day(DATE) => "2026-01-31";
    }
}

/// `GET /account/usage`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, UsageWish>) -> Result<Response, Problem> {
    let (page, UsageWish { from, to }) = query.listed("usage")?;
    let list = ListUsage {
        from,
        to,
        page: page.to_read(),
        sandboxes: Sandboxes::all(context).await.names(),
    };
    let mut listed = context.call(&list).await?;
    let next = page.cut(&mut listed.days, |day| day.day);
    let next = next.or_else(|| listed.walked_to.map(|day| page.cursor_behind(&day)));
    let unit = &context.app.config.unit;
    let days = listed.days.iter().map(|day| UsageDayData::of(day, unit));
    Success::page(days, next).response(context)
}
