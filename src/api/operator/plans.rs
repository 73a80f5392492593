//! Plans: the prices that accounts pay.

use serde_json::{Value, json};

use crate::account::message::status::RecipientStatus;
use crate::api::http::Response;
use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::json_fields::{self, Fields};
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::problem::{Conflict, Problem};
use crate::api::shared::slug;
use crate::base::ports::Platform;
use crate::directory::plans::{self, Change, Plan};

/// The highest price of one part, in minor units. With it and the largest coefficients, a message still costs less than
/// [`crate::base::ports::MAX_INTEGER`].
const MAX_PRICE: i64 = 10_000_000;
/// The endings for which a plan can give the money back.
const REFUNDABLE: [RecipientStatus; 2] = [RecipientStatus::Undelivered, RecipientStatus::Expired];
const MAX_TITLE: usize = 200;

/// Reads a change of a plan. A new plan needs everything but the refunds.
fn read(fields: &mut Fields<'_>, is_new: bool) -> Change {
    let title = fields.text("title", MAX_TITLE).map(str::to_owned);
    let tariff = fields.object("tariff", |tariff| {
        let slug = slug::PLAN.read(tariff, "slug").map(str::to_owned);
        let title = tariff.text("title", MAX_TITLE).map(str::to_owned);
        let price = tariff.integer("price", 0, MAX_PRICE);
        if is_new {
            tariff.require("slug", slug.as_ref());
            tariff.require("title", title.as_ref());
            tariff.require("price", price);
        }
        (slug, title, price)
    });
    if is_new {
        fields.require("title", title.as_ref());
        fields.require("tariff", tariff.as_ref());
    }
    let refunds = fields.texts("refunds", REFUNDABLE.len(), |text| {
        json_fields::choice(text, &REFUNDABLE, RecipientStatus::as_str)
    });
    let (tariff_slug, tariff_title, price) = tariff.unwrap_or_default();
    Change {
        title,
        tariff_slug,
        tariff_title,
        price,
        refunds,
    }
}

fn data(plan: &Plan) -> Value {
    let refunds: Vec<&str> = plan.refunds.iter().copied().map(RecipientStatus::as_str).collect();
    json!({
        "slug": plan.slug,
        "title": plan.title,
        "tariff": {"slug": plan.tariff_slug, "title": plan.tariff_title, "price": plan.price},
        "refunds": refunds,
    })
}

/// `POST /admin/plans`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let slug = slug::PLAN.read(&mut fields, "slug");
    let slug = fields.require("slug", slug).unwrap_or_default();
    let change = read(&mut fields, true);
    fields.finish()?;
    let plan = Plan {
        slug: slug.to_owned(),
        title: change.title.unwrap_or_default(),
        tariff_slug: change.tariff_slug.unwrap_or_default(),
        tariff_title: change.tariff_title.unwrap_or_default(),
        price: change.price.unwrap_or_default(),
        refunds: change.refunds.unwrap_or_default(),
    };
    let inserted = plans::insert(&context.audited_db(slug)?, &plan, context.request.now_ms).await?;
    let plan = inserted.ok_or(Problem::Conflict(Conflict::PlanExists))?;
    Success::created(data(&plan)).response(&context.request.id)
}

/// `GET /admin/plans`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name("admin/plans");
    let search = query.search();
    query.finish()?;
    let after = page.after().map(String::as_str);
    let mut plans = plans::page(context.platform.db(), page.limit(), after, search.as_deref()).await?;
    let next = page.cut(&mut plans, |plan| plan.slug.clone());
    let items: Vec<Value> = plans.iter().map(data).collect();
    Success::page(items, next).response(&context.request.id)
}

/// `PATCH /admin/plans/{slug}`
pub async fn change<P: Platform>(context: &Context<'_, P>, slug: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let change = read(&mut fields, false);
    fields.finish()?;
    let plan = plans::update(&context.audited_db(slug)?, slug, &change).await?;
    let plan = plan.ok_or(Problem::NotFound)?;
    context.app.profiles.clear();
    Success::ok(data(&plan)).response(&context.request.id)
}
