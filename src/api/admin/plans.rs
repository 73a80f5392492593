//! Plans: what accounts pay.

use serde_json::{Value, json};

use super::{SLUG_FORM, is_slug};
use crate::account::idempotency::Charge;
use crate::account::status::RecipientStatus;
use crate::api::body::{self, JsonBody};
use crate::api::context::Context;
use crate::api::query::Query;
use crate::api::respond::Success;
use crate::directory::plans::{self, Change, Plan};
use crate::http::{Body, Response};
use crate::input::{self, Fields};
use crate::ports::Platform;
use crate::problem::{Conflict, Problem};

/// Price of one part at most, minor units: with all coefficients at their largest a message is still below 2^53.
const MAX_PRICE: i64 = 10_000_000;
/// The endings for which a plan can give the money back.
const REFUNDABLE: [RecipientStatus; 2] = [RecipientStatus::Undelivered, RecipientStatus::Expired];
const MAX_TITLE: usize = 200;

/// Reads a change; a `new` plan needs all but the refunds.
fn read(fields: &mut Fields<'_>, new: bool) -> Change {
    let title = fields.text("title", MAX_TITLE).map(str::to_owned);
    let tariff = fields.object("tariff", |tariff| {
        let slug = tariff.formed("slug", 64, SLUG_FORM, is_slug).map(str::to_owned);
        let title = tariff.text("title", MAX_TITLE).map(str::to_owned);
        let price = tariff.integer("price", 0, MAX_PRICE);
        if new {
            tariff.require("slug", slug.as_ref());
            tariff.require("title", title.as_ref());
            tariff.require("price", price);
        }
        (slug, title, price)
    });
    if new {
        fields.require("title", title.as_ref());
        fields.require("tariff", tariff.as_ref());
    }
    let refunds = fields.texts("refunds", REFUNDABLE.len(), |text| {
        input::choice(text, &REFUNDABLE, RecipientStatus::as_str)
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
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let slug = fields.formed("slug", 64, SLUG_FORM, is_slug);
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
    let inserted = plans::insert(context.platform.db(), &plan, context.request.now_ms).await?;
    let plan = inserted.ok_or(Problem::Conflict(Conflict::PlanExists))?;
    Success::created(data(&plan)).response(&context.request.id)
}

/// `GET /admin/plans`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name("admin/plans");
    query.finish()?;
    let after = page.after().map(String::as_str);
    let mut plans = plans::page(context.platform.db(), page.limit(), after).await?;
    let next = page.cut(&mut plans, |plan| plan.slug.clone());
    let items: Vec<Value> = plans.iter().map(data).collect();
    Success::page(items, next).response(&context.request.id)
}

/// `PATCH /admin/plans/{slug}`
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    slug: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let change = read(&mut fields, false);
    fields.finish()?;
    let plan = plans::update(context.platform.db(), slug, &change).await?;
    let plan = plan.ok_or(Problem::NotFound)?;
    context.app.profiles.clear();
    Success::ok(data(&plan)).response(&context.request.id)
}
