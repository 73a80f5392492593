//! Campaigns as the object tells them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::account::record::campaign_row::{CampaignReason, CampaignRow, CampaignState, Counted, Failure, Plan, Sums};
use crate::base::named::Named;
use crate::base::ports::{PortError, Sql};

/// A campaign as the object tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignView {
    /// Its number in its account: its place in a list.
    pub id: i64,
    /// Its id.
    pub uid: String,
    /// Its name.
    pub title: String,
    /// How far it has come.
    pub state: Named<CampaignState>,
    /// Why it is where it is, if that was not its sender.
    pub reason: Option<Named<CampaignReason>>,
    /// Whether a test key has made it.
    #[serde(default)]
    pub test: bool,
    /// What it sends, to whom, and how fast.
    pub plan: Plan,
    /// Counts its changes.
    pub revision: i64,
    /// The id of the campaign that it is the resend of.
    #[serde(default)]
    pub resend_of: Option<String>,
    /// The id of its resend.
    #[serde(default)]
    pub resent_as: Option<String>,
    /// When it was made, ms since the Unix epoch, as all its times.
    pub created_ms: i64,
    /// When it was started.
    pub started_ms: Option<i64>,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// When its next wave is due, if it runs or waits for its time.
    pub due_ms: Option<i64>,
    /// What counting has found so far.
    pub counted: Counted,
    /// What its waves came to.
    pub sums: Sums,
    /// How many people have opted out since it reached them.
    #[serde(default)]
    pub opt_outs: i64,
    /// Why recipients failed; `None` in a list.
    #[serde(default)]
    pub failures: Option<Vec<Failure>>,
}

impl CampaignView {
    /// A campaign as a list tells it.
    pub fn of(sql: &impl Sql, campaign: &CampaignRow) -> Result<Self, PortError> {
        let waits = matches!(campaign.state, CampaignState::Scheduled | CampaignState::Running);
        Ok(CampaignView {
            id: campaign.id,
            uid: campaign.uid.clone(),
            title: campaign.title.clone(),
            state: campaign.state.into(),
            reason: campaign.reason.map(Named::from),
            test: campaign.test,
            plan: campaign.plan.clone(),
            revision: campaign.revision,
            resend_of: campaign.resend_of.clone(),
            resent_as: campaign.resent_as.clone(),
            created_ms: campaign.created_ms,
            started_ms: campaign.started_ms,
            ended_ms: campaign.ended_ms,
            due_ms: campaign.due_ms.filter(|_| waits),
            counted: campaign.counted.clone(),
            sums: campaign.sums(sql)?,
            opt_outs: campaign.opt_outs,
            failures: None,
        })
    }
}

/// What an event tells of a campaign, in the form of the API.
pub fn told(campaign: &CampaignRow) -> Value {
    json!({
        "id": campaign.uid,
        "title": campaign.title,
        "test": campaign.test,
        "state": campaign.state.as_str(),
        "reason": campaign.reason.map(CampaignReason::as_str),
    })
}

/// What the audit log shows of a campaign. What it sends to whom is not in it.
pub fn shown(campaign: &CampaignRow) -> Value {
    json!({
        "title": campaign.title,
        "state": campaign.state.as_str(),
        "perMinute": campaign.plan.per_minute,
        "budget": campaign.plan.budget,
        "guard": campaign.plan.guard,
        "resendOf": campaign.resend_of,
    })
}
