//! `GET /metrics`: how the service is and what it has done, for Prometheus. docs/watching.md has each metric.
//!
//! All is read from what knows it: the directory, the objects of carriers, and the counts of the operators' object. No label has a
//! value that customers choose, so there are as many series as carriers, lines, routes and statuses.

mod carriers;
mod service;
mod text;

use futures_util::future::join4;

use self::text::Text;
use crate::account::{OPERATOR, request_counts::GetRequestCounts};
use crate::api::http::{Response, context::Context};
use crate::api::operator::health::facts::{Facts, ask_part};
use crate::base::{ports::Platform, time::DAY_MS};
use crate::directory::carriers::MAX_CARRIERS;
use crate::directory::mirror;
use crate::directory::usage::{self, By, Filter};
use crate::durable::ask;
use crate::problem::Problem;

/// `GET /metrics`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let (platform, db) = (context.platform, context.platform.db());
    let today = context.request.now_ms.div_euclid(DAY_MS);
    let filter = Filter {
        from: today,
        to: today,
        ..Filter::default()
    };
    // One more than there may be carriers: what none has taken.
    let most = u32::try_from(MAX_CARRIERS).unwrap_or(u32::MAX).saturating_add(1);
    let (facts, requests, accounts, sent) = join4(
        Facts::of(context),
        ask_part(platform, ask(platform, OPERATOR, None, None, &GetRequestCounts)),
        ask_part(platform, mirror::sums(db)),
        ask_part(platform, usage::sums(db, By::Carrier, &filter, most, None)),
    )
    .await;
    let mut text = Text::default();
    service::write(&mut text, &facts, context.request.now_ms);
    if let Some(accounts) = accounts.good() {
        service::write_accounts(&mut text, &accounts);
    }
    carriers::write(&mut text, &facts, context.request.now_ms);
    if let Some(sent) = sent.good() {
        carriers::write_sent(&mut text, &sent);
    }
    if let Some(requests) = requests.good().and_then(|reply| reply.outcome.ok()) {
        service::write_requests(&mut text, &requests);
    }
    Ok(Response {
        status: 200,
        content_type: text::CONTENT_TYPE,
        headers: Vec::new(),
        body: text.end(),
    })
}
