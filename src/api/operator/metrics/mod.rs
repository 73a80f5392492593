//! `GET /metrics`: how the service is and what it has done, for Prometheus. docs/watching.md has each metric.
//!
//! All is read from what knows it: the directory, the objects of carriers, and the counts of the operators' object. No label has a
//! value that customers choose, so there are as many series as carriers, lines, routes and statuses.

mod carriers;
mod service;
mod text;

use futures_util::future::join5;

use self::text::Text;
use crate::account::{
    OPERATOR,
    metrics::{GetRequestCounts, GetWorkCounts},
};
use crate::api::http::{Response, context::Context};
use crate::api::operator::health::facts::{Facts, ask_part, deadline};
use crate::base::ports::{Platform, PortError};
use crate::base::time::DAY_MS;
use crate::directory::carriers::MAX_CARRIERS;
use crate::directory::mirror;
use crate::directory::usage::{self, By, Filter};
use crate::durable::ask;
use crate::problem::Problem;

/// For how long an isolate tells sums again that read rows of each account, ms.
const SUMS_MS: i64 = 60_000;

/// `GET /metrics`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let platform = context.platform;
    let until_ms = deadline(platform);
    let (facts, requests, work, accounts, sent) = join5(
        Facts::of(context, until_ms),
        ask_part(
            platform,
            until_ms,
            ask(platform, OPERATOR, None, None, &GetRequestCounts),
        ),
        ask_part(platform, until_ms, ask(platform, OPERATOR, None, None, &GetWorkCounts)),
        ask_part(platform, until_ms, accounts(context)),
        ask_part(platform, until_ms, sent(context)),
    )
    .await;
    let requests = requests.good().and_then(|reply| reply.outcome.ok());
    let work = work.good().and_then(|reply| reply.outcome.ok());
    let (accounts, sent) = (accounts.good(), sent.good());
    let mut answered = facts.answered.clone();
    answered.extend([
        ("requests", requests.is_some()),
        ("work", work.is_some()),
        ("accounts", accounts.is_some()),
        ("today", sent.is_some()),
    ]);
    let mut text = Text::default();
    service::write(&mut text, &facts, context.request.now_ms);
    service::write_answered(&mut text, &answered);
    if let Some(accounts) = accounts {
        service::write_accounts(&mut text, &accounts);
    }
    carriers::write(&mut text, &facts, context.request.now_ms);
    if let Some(sent) = sent {
        carriers::write_sent(&mut text, &sent);
    }
    if let Some(requests) = requests {
        service::write_requests(&mut text, &requests);
    }
    if let Some(work) = work {
        service::write_attempts(&mut text, &work);
        carriers::write_reports(&mut text, &work);
    }
    Ok(Response {
        status: 200,
        content_type: text::CONTENT_TYPE,
        headers: Vec::new(),
        body: text.end(),
    })
}

/// The sums of all accounts.
async fn accounts<P: Platform>(context: &Context<'_, P>) -> Result<mirror::Sums, PortError> {
    let kept = &context.app.account_sums;
    kept.or_read(context.request.now_ms, SUMS_MS, mirror::sums(context.platform.db()))
        .await
}

/// What was sent today. What was read yesterday is none of it.
async fn sent<P: Platform>(context: &Context<'_, P>) -> Result<Vec<usage::Sums>, PortError> {
    let now_ms = context.request.now_ms;
    let today = now_ms.div_euclid(DAY_MS);
    let filter = Filter {
        from: today,
        to: today,
        ..Filter::default()
    };
    // One more than there may be carriers: what none has taken.
    let most = u32::try_from(MAX_CARRIERS).unwrap_or(u32::MAX).saturating_add(1);
    let sums = usage::sums(context.platform.db(), By::Carrier, &filter, most, None);
    let for_ms = SUMS_MS.min(now_ms.rem_euclid(DAY_MS));
    context.app.sent_sums.or_read(now_ms, for_ms, sums).await
}
