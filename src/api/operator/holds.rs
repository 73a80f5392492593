//! Holding back what an account sends, and canceling what has not left.

use crate::account::hold::{CancelAll, CancelMore};
use crate::account::record::chunk::with_carriers::WithCarriers;
use crate::account::unsent::GetUnsent;
use crate::answer;
use crate::api::http::{Response, context::Context, respond::Success};
use crate::api::shared::account::{must_be_open, must_exist};
use crate::api::shared::unsent::UnsentData;
use crate::base::ports::Platform;
use crate::carrier::control;
use crate::carrier::request::{HoldBack, HoldScope};
use crate::problem::Problem;

/// Calls of one request to cancel. What is left is canceled by the next request, or when it would leave.
const MAX_CALLS: u32 = 100;

answer! {
    /// What became of what had not left.
    pub struct CanceledAllData(canceled: i64, with_carriers: i64, is_complete: bool) as "CanceledAll" {
        /// How many recipients were canceled that no carrier had.
        "canceled": canceled, count() => 940;
        /// How many other recipients carriers had when the request came. Those that they have not sent become CANCELED within half a
        /// minute, some of them before the answer.
        "withCarriers": with_carriers, count() => 60;
        /// `false`: there were too many for one request. The next one goes on. The rest does not leave either.
        "complete": is_complete, flag() => true;
    }
}

/// `GET /admin/accounts/{id}/unsent`
pub async fn unsent<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    must_exist(context, id).await?;
    let unsent = context.call_other(id, &GetUnsent { mode: None }).await?;
    Success::ok(UnsentData::of(&unsent, context.request.now_ms)).response(context)
}

/// Asks the carriers to send nothing more of what they have of an account.
pub async fn hold_back<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    with_carriers: &WithCarriers,
) -> Result<(), Problem> {
    let held = HoldBack {
        held: vec![HoldScope::Account(account.to_owned())],
        claimed_until_ms: with_carriers.at_ms,
    };
    Ok(control::hold_back(context.platform, &with_carriers.objects, &held).await?)
}

/// `POST /admin/accounts/{id}/cancel`. Carriers are told before anything is canceled, so that a request that can't tell them has
/// canceled nothing. What it has canceled before a later call fails is answered.
pub async fn cancel_all<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    must_be_open(context, id).await?;
    let all = context.call_other(id, &CancelAll).await?;
    hold_back(context, id, &all.with_carriers).await?;
    let more = CancelMore { through: all.through };
    let (mut canceled, mut is_more) = (0, true);
    for _ in 0..MAX_CALLS {
        let done = match context.call_other(id, &more).await {
            Err(_) if canceled > 0 => break,
            done => done?,
        };
        canceled += done.recipients;
        is_more = done.is_more;
        if !is_more {
            break;
        }
    }
    let data = CanceledAllData::of(canceled, all.with_carriers.recipients, !is_more);
    Success::ok(data).response(context)
}
