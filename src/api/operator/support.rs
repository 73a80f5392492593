//! What operators read of an account to help its people: its ledger, and its webhooks with what became of their events.

use crate::api::customer::transactions::{self, EntriesWish};
use crate::api::customer::webhook;
use crate::api::http::forms::choice;
use crate::api::http::{Response, context::Context, query::Paged};
use crate::api::shared::account::must_exist;
use crate::api::shared::export::{Answer, ListForm};
use crate::api::shared::keys::Owner;
use crate::auth::Mode;
use crate::base::ports::Platform;
use crate::problem::Problem;
use crate::query;

query! {
    pub struct ModeWish {
        /// Those of keys of this mode; `live` if left out.
        mode: Option<Mode> = can "mode" choice(&Mode::ALL, Mode::as_str);
    }
}

/// `GET /admin/accounts/{id}/transactions`
pub async fn transactions<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    query: Paged<'_, (EntriesWish, ListForm)>,
) -> Result<Answer, Problem> {
    must_exist(context, id).await?;
    let name = format!("admin/accounts/{id}/transactions");
    transactions::list_of(context, Owner::Account(id), &name, query).await
}

/// `GET /admin/accounts/{id}/webhooks`
pub async fn webhooks<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    query: Paged<'_, ModeWish>,
) -> Result<Response, Problem> {
    let (page, wish) = query.listed_by_name(&format!("admin/accounts/{id}/webhooks"))?;
    must_exist(context, id).await?;
    webhook::list_of(context, id, wish.mode.unwrap_or(Mode::Live), page).await
}

/// `GET /admin/accounts/{id}/webhooks/{webhook}/deliveries`
pub async fn deliveries<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    endpoint: &str,
    query: Paged<'_, ModeWish>,
) -> Result<Response, Problem> {
    let (page, wish) = query.listed_by_name(&format!("admin/deliveries/{endpoint}"))?;
    must_exist(context, id).await?;
    let of = (wish.mode.unwrap_or(Mode::Live), endpoint);
    webhook::deliveries::list_of(context, id, of, page).await
}
