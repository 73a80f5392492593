//! The caller's own account: its wallet, its prices and its lines.

use serde_json::{Value, json};

use crate::account::overview::GetOverview;
use crate::api::http::Response;
use crate::api::http::context::Context;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::api::shared::account::{status, wallet};
use crate::api::shared::line_data::{coefficients, operations};
use crate::api::shared::view::with;
use crate::base::ports::Platform;
use crate::directory::lines::Line;

/// `GET /account/info`
pub async fn info<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let overview = context.call(&GetOverview).await?;
    let profile = context.profile().await?;
    Success::ok(json!({
        "wallet": wallet(overview.wallet, &context.app.config.unit),
        "accountInfo": {
            "id": context.caller()?.account(),
            "username": profile.username,
            "fullName": profile.full_name,
            "status": status(overview.active),
            "plan": {"title": profile.plan.title},
        },
    }))
    .response(&context.request.id)
}

/// `GET /plan/tariff`
pub async fn tariff<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let profile = context.profile().await?;
    let coefficients: Vec<Value> = profile
        .lines
        .iter()
        .filter(|line| line.active)
        .map(|line| with(coefficients(line), "title", line.number.as_str()))
        .collect();
    Success::ok(json!({
        "plan": {"title": profile.plan.title},
        "tariff": {
            "title": profile.plan.tariff_title,
            "price": profile.plan.price,
            "slug": profile.plan.tariff_slug,
        },
        "textsCoefficients": coefficients,
    }))
    .response(&context.request.id)
}

/// `GET /lines`
pub async fn lines<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name("lines");
    query.finish()?;
    let profile = context.profile().await?;
    let caller = context.caller()?;
    let is_behind = |line: &&Line| page.after().is_none_or(|after| line.number > *after);
    let own = profile
        .lines
        .iter()
        .filter(|line| line.active && caller.may_use_line(&line.number));
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let mut lines: Vec<&Line> = own.filter(is_behind).take(limit).collect();
    let next = page.cut(&mut lines, |line| line.number.clone());
    let data: Vec<Value> = lines
        .iter()
        .map(|line| {
            json!({
                "number": line.number,
                "operations": operations(line),
                "shared": line.shared,
                "default": profile.default_line.as_deref() == Some(line.number.as_str()),
            })
        })
        .collect();
    Success::page(data, next).response(&context.request.id)
}
