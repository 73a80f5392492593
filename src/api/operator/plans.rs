//! Plans: the prices that accounts pay.

use sms::destination::PriceTo;

use crate::account::record::message::status::RecipientStatus;
use crate::api::http::forms::{Form, choice, formed, list_of, object, search, text};
use crate::api::http::{Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::api::shared::destinations::{PriceToData, price, prices};
use crate::api::shared::forms::PLAN_SLUG;
use crate::base::ports::Platform;
use crate::directory::plans::{self, Change, Plan};
use crate::problem::{Conflict, Problem};
use crate::{answer, body, query};

/// The endings for which a plan can give the money back.
const REFUNDABLE: [RecipientStatus; 2] = [RecipientStatus::Undelivered, RecipientStatus::Expired];
const MAX_TITLE: usize = 200;

/// The endings for which the money is given back.
fn refunds() -> impl Form<Value = Vec<RecipientStatus>> {
    let refund = choice(&REFUNDABLE, RecipientStatus::as_str);
    list_of(refund, 0, REFUNDABLE.len()).about("The endings for which the money is given back.")
}

body! {
    /// A plan to create.
    pub struct NewPlan {
        slug: String = must "slug" formed(&PLAN_SLUG) => "shops";
        title: String = must "title" text(MAX_TITLE) => "Shops";
        tariff: NewTariff = must "tariff" object::<NewTariff>();
        refunds: Option<Vec<RecipientStatus>> = can "refunds" refunds();
    }

    #[derive(Default)]
    pub struct NewTariff {
        slug: String = must "slug" formed(&PLAN_SLUG) => "default";
        title: String = must "title" text(MAX_TITLE) => "Default";
        price: i64 = must "price" price();
        prices: Option<Vec<PriceTo>> = can "prices" prices();
    }

    /// What to change. What is left out stays.
    pub struct PlanChange {
        title: Option<String> = can "title" text(MAX_TITLE) => "Default";
        tariff: Option<TariffChange> = can "tariff" object::<TariffChange>();
        refunds: Option<Vec<RecipientStatus>> = can "refunds" refunds();
    }

    #[derive(Default)]
    pub struct TariffChange {
        slug: Option<String> = can "slug" formed(&PLAN_SLUG) => "default";
        title: Option<String> = can "title" text(MAX_TITLE) => "Default";
        price: Option<i64> = can "price" price();
        prices: Option<Vec<PriceTo>> = can "prices" prices();
    }
}

answer! {
    /// A plan.
    pub struct PlanData(plan: &Plan) as "Plan" {
        "slug": plan.slug, formed(64, PLAN_SLUG.pattern) => "default";
        "title": plan.title, text(MAX_TITLE) => "Default";
        "tariff": TariffData::of(plan), TariffData::schema();
        "refunds": plan.refunds.iter().copied().map(RecipientStatus::as_str).collect::<Vec<_>>(), refunds().schema();
    }

    pub struct TariffData(plan: &Plan) {
        "slug": plan.tariff_slug, formed(64, PLAN_SLUG.pattern) => "default";
        "title": plan.tariff_title, text(MAX_TITLE) => "Default";
        "price": plan.price, price().schema();
        "prices": plan.prices.iter().map(PriceToData::of).collect::<Vec<_>>(), any_list(declared::<PriceToData>());
    }
}

/// `POST /admin/plans`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let new: NewPlan = context.read(body)?;
    let plan = Plan {
        slug: new.slug,
        title: new.title,
        tariff_slug: new.tariff.slug,
        tariff_title: new.tariff.title,
        price: new.tariff.price,
        prices: new.tariff.prices.unwrap_or_default(),
        refunds: new.refunds.unwrap_or_default(),
    };
    let inserted = plans::insert(&context.audited_db(&plan.slug)?, &plan, context.request.now_ms).await?;
    let plan = inserted.ok_or(Problem::Conflict(Conflict::PlanExists))?;
    Success::created(PlanData::of(&plan)).response(context)
}

query! {
    pub struct PlansWish {
        /// Finds plans whose slug or title contains it.
        search: Option<String> = can "q" search();
    }
}

/// `GET /admin/plans`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, PlansWish>) -> Result<Response, Problem> {
    let (page, PlansWish { search }) = query.listed_by_name("admin/plans")?;
    let after = page.after().map(String::as_str);
    let mut plans = plans::page(context.platform.db(), page.limit(), after, search.as_deref()).await?;
    let next = page.cut(&mut plans, |plan| plan.slug.clone());
    Success::page(plans.iter().map(PlanData::of), next).response(context)
}

/// `PATCH /admin/plans/{slug}`
pub async fn change<P: Platform>(context: &Context<'_, P>, slug: &str, body: &JsonBody) -> Result<Response, Problem> {
    let new: PlanChange = context.read(body)?;
    let tariff = new.tariff.unwrap_or_default();
    let change = Change {
        title: new.title,
        tariff_slug: tariff.slug,
        tariff_title: tariff.title,
        price: tariff.price,
        prices: tariff.prices,
        refunds: new.refunds,
    };
    let plan = plans::update(&context.audited_db(slug)?, slug, &change).await?;
    let plan = plan.ok_or(Problem::NotFound)?;
    context.app.profiles.clear();
    Success::ok(PlanData::of(&plan)).response(context)
}
