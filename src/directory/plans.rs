//! Plans: what accounts pay.

use crate::account::record::message::status::RecipientStatus;
use crate::base::cache::Weigh;
use crate::base::ports::{Db, PortError, Statement};
use crate::base::record::{Columns, record};
use crate::directory::{all, first};

record! {
    /// A plan.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Plan by plan {
        /// The plan's name in paths.
        pub slug: String = slug;
        /// The plan's name for people.
        pub title: String = title;
        /// The tariff's name for programs.
        pub tariff_slug: String = tariff_slug;
        /// The tariff's name for people.
        pub tariff_title: String = tariff_title;
        /// The price of one part, in minor units.
        pub price: i64 = price;
        /// The prices of one part to other numbers, each prefix once.
        pub prices: Vec<PriceTo> = prices;
        /// A recipient that ends with one of these statuses is refunded.
        pub refunds: Vec<RecipientStatus> as words = refunds;
    }
}
pub(super) use plan;
use sms::destination::PriceTo;

impl Weigh for Plan {
    fn heap(&self) -> usize {
        let texts = [&self.slug, &self.title, &self.tariff_slug, &self.tariff_title];
        texts.map(Weigh::heap).into_iter().sum::<usize>() + self.refunds.len() + size_of_val(self.prices.as_slice())
    }
}

record! {
    /// A change of a plan. A field that is `None` stays as it is.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Change by change {
        /// The new title.
        pub title: Option<String> = title;
        /// The tariff's new name for programs.
        pub tariff_slug: Option<String> = tariff_slug;
        /// The tariff's new name for people.
        pub tariff_title: Option<String> = tariff_title;
        /// The new price of one part, in minor units.
        pub price: Option<i64> = price;
        /// The new prices of one part to other numbers.
        pub prices: Option<Vec<PriceTo>> = prices;
        /// The new statuses that are refunded.
        pub refunds: Option<Vec<RecipientStatus>> as words = refunds;
    }
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
            plan!(columns),
            " FROM plan WHERE (?2 IS NULL OR slug > ?2) \
               AND (?3 IS NULL OR instr(lower(slug), ?3) OR instr(lower(title), ?3)) ORDER BY slug LIMIT ?1"
        ),
        [limit.into(), after.into(), search.into()],
    );
    all(&db.query(statement).await?, Plan::of)
}

/// Adds a plan. Returns it as it was saved, or `None` if a plan has this slug already.
pub async fn insert(db: &impl Db, plan: &Plan, now_ms: i64) -> Result<Option<Plan>, PortError> {
    let mut params = plan.values()?;
    params.push(now_ms.into());
    let statement = Statement::new(
        concat!(
            "INSERT INTO plan (",
            plan!(columns),
            ", created_ms) VALUES (",
            plan!(marks),
            ", ?) ON CONFLICT DO NOTHING RETURNING ",
            plan!(columns)
        ),
        params,
    );
    first(&db.query(statement).await?, Plan::of)
}

/// Changes a plan. Returns the changed plan, or `None` if no plan has this slug.
pub async fn update(db: &impl Db, slug: &str, change: &Change) -> Result<Option<Plan>, PortError> {
    let mut params = change.values()?;
    params.push(slug.into());
    let statement = Statement::new(
        concat!(
            "UPDATE plan SET ",
            change!(changes),
            " WHERE slug = ? RETURNING ",
            plan!(columns)
        ),
        params,
    );
    first(&db.query(statement).await?, Plan::of)
}
