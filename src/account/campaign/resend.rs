//! A campaign is resent, once: another one goes to those whom it certainly did not reach ([`missed`](super::missed)).
//!
//! The invariant: nobody gets the message of a campaign and of its resend. So a campaign has one resend that is started, whatever becomes of
//! that, and a resend has none.

use serde::{Deserialize, Serialize};

use super::requests::{MadeCampaign, MakeCampaign, make, subject};
use crate::account::record::campaign_row::{CampaignRow, CampaignState, Plan, Starter, find};
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::id;
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::Subject;

/// Makes the resend of a campaign that has ended, and counts it. Asked again, it tells the one that is there.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResendCampaign {
    /// The id of the campaign.
    pub of: String,
    /// A new id.
    pub uid: String,
    /// The mode of the key of the request. A campaign of the other mode is not found.
    pub mode: Mode,
    /// The key of the request, and its lines.
    pub starter: Starter,
}

impl Request for ResendCampaign {
    const NAME: &'static str = "ResendCampaign";
    const WAKES: Wakes = Wakes::In(0);
    type Reply = MadeCampaign;

    fn audited(&self, sql: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let uid = id::numbered(&self.uid, work.account.message_seq)?;
        subject(sql, &uid, self.mode).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<MadeCampaign> {
        let mut first = find(sql, &self.of, self.mode)?.ok_or(Refusal::NotFound)?;
        let known = first.resent_as.as_deref().map(|uid| find(sql, uid, self.mode));
        if let Some(known) = known.transpose()?.flatten() {
            return MadeCampaign::of(sql, &known, false);
        }
        if first.resend_of.is_some() || first.was_resent {
            return Err(Refusal::ResentOnce.into());
        }
        if !matches!(first.state, CampaignState::Done | CampaignState::Canceled) {
            return Err(Refusal::CampaignState(first.state.as_str().to_owned()).into());
        }
        let resend = make(sql, work, &self.like(&first), Some(first.uid.clone()))?;
        first.resent_as = Some(resend.uid.clone());
        first.revision = first.revision.saturating_add(1);
        first.write(sql)?;
        MadeCampaign::of(sql, &resend, true)
    }
}

impl ResendCampaign {
    /// A campaign that sends the same as the first one.
    fn like(&self, first: &CampaignRow) -> MakeCampaign {
        MakeCampaign {
            uid: self.uid.clone(),
            title: first.title.clone(),
            mode: self.mode,
            plan: Plan {
                send_at_ms: None,
                ..first.plan.clone()
            },
            starter: self.starter.clone(),
            idempotency: None,
        }
    }
}
