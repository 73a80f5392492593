//! The threshold of `wallet.low` that an account has for all its endpoints, for the account and for operators.

use crate::api::http::forms::{Form, integer, or_null};
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::api::shared::account::{must_be_open, must_exist};
use crate::api::shared::webhook::ask_of;
use crate::base::ports::Platform;
use crate::problem::Problem;
use crate::webhook::low_balance::{GetLowBalance, SetLowBalance};
use crate::{answer, body};

/// The highest threshold for `wallet.low`.
pub const MAX_BALANCE: i64 = 1_000_000_000_000_000;

/// The schema of a threshold.
fn threshold() -> impl Form<Value = Option<i64>> {
    or_null(integer(1, MAX_BALANCE)).like(50_000)
}

answer! {
    /// The account's threshold for `wallet.low`.
    pub struct LowBalanceData(low_balance: Option<i64>, unit: &str) as "LowBalance" {
        /// The balance below which endpoints get `wallet.low` that have no `lowBalance` of their own.
        "lowBalance": low_balance, threshold().schema();
        "unit": unit, unit();
    }
}

fn answer<P: Platform>(context: &Context<'_, P>, low_balance: Option<i64>) -> Result<Response, Problem> {
    Success::ok(LowBalanceData::of(low_balance, &context.app.config.unit)).response(context)
}

async fn show<P: Platform>(context: &Context<'_, P>, account: &str) -> Result<Response, Problem> {
    answer(context, ask_of(context, account, &GetLowBalance).await?)
}

body! {
    /// A threshold for `wallet.low`.
    pub struct NewLowBalance {
        /// The new threshold. `null`: none.
        low_balance: Option<i64> = must "lowBalance" threshold();
    }
}

impl From<NewLowBalance> for SetLowBalance {
    fn from(new: NewLowBalance) -> Self {
        SetLowBalance {
            low_balance: new.low_balance,
        }
    }
}

async fn change<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    set: &SetLowBalance,
) -> Result<Response, Problem> {
    ask_of(context, account, set).await?;
    answer(context, set.low_balance)
}

/// `GET /account/low-balance`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    show(context, context.caller()?.account()).await
}

/// `PUT /account/low-balance`
pub async fn set<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    change(
        context,
        context.caller()?.account(),
        &context.read::<NewLowBalance>(body)?.into(),
    )
    .await
}

/// `GET /admin/accounts/{id}/low-balance`
pub async fn get_of<P: Platform>(context: &Context<'_, P>, account: &str) -> Result<Response, Problem> {
    must_exist(context, account).await?;
    show(context, account).await
}

/// `PUT /admin/accounts/{id}/low-balance`
pub async fn set_of<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let set = context.read::<NewLowBalance>(body)?.into();
    must_be_open(context, account).await?;
    change(context, account, &set).await
}
