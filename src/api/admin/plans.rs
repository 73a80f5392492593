//! Plans: what accounts pay.

use serde_json::{Value, json};

use super::{SLUG_FORM, is_slug};
use crate::account::status::RecipientStatus;
use crate::api::Context;
use crate::api::paging::Query;
use crate::directory::{self, Plan};
use crate::fault::What;
use crate::http::{self, Body, Response, Success};
use crate::input::Fields;
use crate::ports::{Db, Platform, Row, Statement};
use crate::problem::{Conflict, Problem};

/// Price of one part at most, minor units: with all coefficients at their largest a message is still below 2^53.
const MAX_PRICE: i64 = 10_000_000;
const MAX_TITLE: usize = 200;

/// A change of a plan; what is `None` stays.
struct Change {
    title: Option<String>,
    tariff_slug: Option<String>,
    tariff_title: Option<String>,
    price: Option<i64>,
    refunds: Option<String>,
}

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
    let refunds = fields.texts("refunds", 2, |text| match text {
        "UNDELIVERED" | "EXPIRED" => Ok(text),
        _ => Err(What::NotOneOf("UNDELIVERED, EXPIRED")),
    });
    let (tariff_slug, tariff_title, price) = tariff.unwrap_or_default();
    Change {
        title,
        tariff_slug,
        tariff_title,
        price,
        refunds: refunds.map(|refunds| refunds.join(" ")),
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

fn only(rows: &[Row]) -> Result<Option<Plan>, Problem> {
    Ok(rows.first().map(|row| directory::plan_at(row, 0)).transpose()?)
}

/// `POST /admin/plans`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let slug = fields.formed("slug", 64, SLUG_FORM, is_slug);
    let slug = fields.require("slug", slug).unwrap_or_default();
    let change = read(&mut fields, true);
    fields.finish()?;
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "INSERT INTO plan (slug, title, tariff_slug, tariff_title, price, refunds, created_ms) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING \
             RETURNING slug, title, tariff_slug, tariff_title, price, refunds",
            [
                slug.into(),
                change.title.into(),
                change.tariff_slug.into(),
                change.tariff_title.into(),
                change.price.into(),
                change.refunds.unwrap_or_default().into(),
                context.now_ms.into(),
            ],
        ))
        .await?;
    let plan = only(&rows)?.ok_or(Problem::Conflict(Conflict::PlanExists))?;
    Success::created(data(&plan)).response(context.request_id)
}

/// `GET /admin/plans`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.charge().await?;
    let mut query = Query::of(context.head);
    let page = query.page_by_name("admin/plans");
    query.finish()?;
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT slug, title, tariff_slug, tariff_title, price, refunds, created_ms FROM plan \
             WHERE ?2 IS NULL OR slug > ?2 ORDER BY slug LIMIT ?1",
            [page.limit().into(), page.after().map(String::as_str).into()],
        ))
        .await?;
    let plan = |row: &Row| directory::plan_at(row, 0);
    let mut plans: Vec<Plan> = rows.iter().map(plan).collect::<Result<_, _>>()?;
    let next = page.cut(&mut plans, |plan| plan.slug.clone());
    let items: Vec<Value> = plans.iter().map(data).collect();
    Success::page(items, next).response(context.request_id)
}

/// `PATCH /admin/plans/{slug}`
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    slug: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let change = read(&mut fields, false);
    fields.finish()?;
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "UPDATE plan SET title = coalesce(?2, title), tariff_slug = coalesce(?3, tariff_slug), \
               tariff_title = coalesce(?4, tariff_title), price = coalesce(?5, price), refunds = coalesce(?6, refunds) \
             WHERE slug = ?1 RETURNING slug, title, tariff_slug, tariff_title, price, refunds",
            [
                slug.into(),
                change.title.into(),
                change.tariff_slug.into(),
                change.tariff_title.into(),
                change.price.into(),
                change.refunds.into(),
            ],
        ))
        .await?;
    let plan = only(&rows)?.ok_or(Problem::NotFound)?;
    context.app.profiles.clear();
    Success::ok(data(&plan)).response(context.request_id)
}
