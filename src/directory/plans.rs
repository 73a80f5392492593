//! Plans: what accounts pay.

use crate::account::record::message::status::RecipientStatus;
use crate::base::cache::Weigh;
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::base::record::Reader;
use crate::directory::{all, first};
use crate::durable::to_json;
use crate::sms::destination::PriceTo;

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The plan's name in paths.
    pub slug: String,
    /// The plan's name for people.
    pub title: String,
    /// The tariff's name for programs.
    pub tariff_slug: String,
    /// The tariff's name for people.
    pub tariff_title: String,
    /// The price of one part, in minor units.
    pub price: i64,
    /// The prices of one part to other numbers, each prefix once.
    pub prices: Vec<PriceTo>,
    /// A recipient that ends with one of these statuses is refunded.
    pub refunds: Vec<RecipientStatus>,
}

impl Weigh for Plan {
    fn heap(&self) -> usize {
        let texts = [&self.slug, &self.title, &self.tariff_slug, &self.tariff_title];
        texts.map(Weigh::heap).into_iter().sum::<usize>() + self.refunds.len() + size_of_val(self.prices.as_slice())
    }
}

/// A change of a plan. A field that is `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The new title.
    pub title: Option<String>,
    /// The tariff's new name for programs.
    pub tariff_slug: Option<String>,
    /// The tariff's new name for people.
    pub tariff_title: Option<String>,
    /// The new price of one part, in minor units.
    pub price: Option<i64>,
    /// The new prices of one part to other numbers.
    pub prices: Option<Vec<PriceTo>>,
    /// The new statuses that are refunded.
    pub refunds: Option<Vec<RecipientStatus>>,
}

/// The columns of a plan, in the order that [`from_row`] reads.
macro_rules! plan_columns {
    ($of:literal) => {
        columns!(
            $of,
            "slug",
            "title",
            "tariff_slug",
            "tariff_title",
            "price",
            "refunds",
            "prices"
        )
    };
}
pub(super) use plan_columns;

fn from_row(row: &Row) -> Result<Plan, PortError> {
    read(&mut row.reader())
}

/// Reads a plan from the next columns.
pub(super) fn read(row: &mut Reader<'_>) -> Result<Plan, PortError> {
    Ok(Plan {
        slug: row.read()?,
        title: row.read()?,
        tariff_slug: row.read()?,
        tariff_title: row.read()?,
        price: row.read()?,
        refunds: row
            .read::<String>()?
            .split(' ')
            .filter_map(RecipientStatus::parse)
            .collect(),
        prices: row.json("prices")?,
    })
}

/// Writes statuses as one text, as the column `refunds` keeps them.
fn refunds_text(refunds: &[RecipientStatus]) -> String {
    let names: Vec<&str> = refunds.iter().copied().map(RecipientStatus::as_str).collect();
    names.join(" ")
}

/// Tells whether a plan with this slug exists.
pub async fn exists(db: &impl Db, slug: &str) -> Result<bool, PortError> {
    let statement = Statement::new("SELECT 1 FROM plan WHERE slug = ?1", [slug.into()]);
    Ok(!db.query(statement).await?.is_empty())
}

/// Reads at most `limit` plans, in the order of their slugs, beginning behind the slug `after`; only those whose slug or title
/// contains `search`, which is in lower case. Operators make plans by hand, so there are few.
pub async fn page(db: &impl Db, limit: u32, after: Option<&str>, search: Option<&str>) -> Result<Vec<Plan>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            plan_columns!(""),
            " FROM plan WHERE (?2 IS NULL OR slug > ?2) \
               AND (?3 IS NULL OR instr(lower(slug), ?3) OR instr(lower(title), ?3)) ORDER BY slug LIMIT ?1"
        ),
        [limit.into(), after.into(), search.into()],
    );
    all(&db.query(statement).await?, from_row)
}

/// Adds a plan. Returns it as it was saved, or `None` if a plan has this slug already.
pub async fn insert(db: &impl Db, plan: &Plan, now_ms: i64) -> Result<Option<Plan>, PortError> {
    let statement = Statement::new(
        concat!(
            "INSERT INTO plan (",
            plan_columns!(""),
            ", created_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING RETURNING ",
            plan_columns!("")
        ),
        [
            plan.slug.as_str().into(),
            plan.title.as_str().into(),
            plan.tariff_slug.as_str().into(),
            plan.tariff_title.as_str().into(),
            plan.price.into(),
            refunds_text(&plan.refunds).into(),
            to_json(&plan.prices)?.into(),
            now_ms.into(),
        ],
    );
    first(&db.query(statement).await?, from_row)
}

/// Changes a plan. Returns the changed plan, or `None` if no plan has this slug.
pub async fn update(db: &impl Db, slug: &str, change: &Change) -> Result<Option<Plan>, PortError> {
    let statement = Statement::new(
        concat!(
            "UPDATE plan SET title = coalesce(?2, title), tariff_slug = coalesce(?3, tariff_slug), \
               tariff_title = coalesce(?4, tariff_title), price = coalesce(?5, price), refunds = coalesce(?6, refunds), \
               prices = coalesce(?7, prices) \
             WHERE slug = ?1 RETURNING ",
            plan_columns!("")
        ),
        [
            slug.into(),
            change.title.as_deref().into(),
            change.tariff_slug.as_deref().into(),
            change.tariff_title.as_deref().into(),
            change.price.into(),
            change.refunds.as_deref().map(refunds_text).into(),
            change.prices.as_ref().map(to_json).transpose()?.into(),
        ],
    );
    first(&db.query(statement).await?, from_row)
}
