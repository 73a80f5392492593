//! Campaigns are made, read, changed and deleted.

use serde::{Deserialize, Serialize};

use super::enter;
use super::view::{CampaignView, shown};
use crate::account::record::campaign_row::{
    self, CampaignRow, CampaignState, Counted, Forgotten, Judged, Plan, Starter, campaign_row, find,
};
use crate::account::record::idempotency::{self, Idempotency, Known};
use crate::account::record::message::Page;
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::id;
use crate::base::ports::{MAX_INTEGER, PortError, Sql};
use crate::base::record::Columns;
use crate::durable::audit::Subject;

/// Campaigns that an account may have.
const MAX_CAMPAIGNS: i64 = 1_000;

/// Makes a campaign, and counts it.
#[derive(Debug, Serialize, Deserialize)]
pub struct MakeCampaign {
    /// A new id.
    pub uid: String,
    /// Its name.
    pub title: String,
    /// The mode of the key of the request.
    pub mode: Mode,
    /// What it sends, to whom, and how fast.
    pub plan: Plan,
    /// The key of the request, and its lines: it is counted for them.
    pub starter: Starter,
    /// The request's idempotency key.
    #[serde(default)]
    pub idempotency: Option<Idempotency>,
}

/// A campaign that was asked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct MadeCampaign {
    /// The campaign as it stands.
    pub campaign: Box<CampaignView>,
    /// Whether this request has made it.
    #[serde(default)]
    pub is_new: bool,
}

impl MadeCampaign {
    pub(super) fn of(sql: &impl Sql, campaign: &CampaignRow, is_new: bool) -> ReplyResult<Self> {
        let campaign = told(sql, campaign)?;
        Ok(MadeCampaign { campaign, is_new })
    }
}

impl Request for MakeCampaign {
    const NAME: &'static str = "MakeCampaign";
    const WAKES: Wakes = Wakes::In(0);
    type Reply = MadeCampaign;

    fn audited(&self, sql: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let uid = id::numbered(&self.uid, work.account.message_seq)?;
        subject(sql, &uid, self.mode).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<MadeCampaign> {
        match idempotency::find(sql, work.now_ms, self.idempotency.as_ref())? {
            Known::Nothing => {}
            Known::Mismatch => return Err(Refusal::IdempotencyMismatch.into()),
            Known::Made(id) => {
                if let Some(known) = campaign_row::numbered(sql, id)? {
                    return MadeCampaign::of(sql, &known, false);
                }
            }
        }
        let campaign = make(sql, work, self, None)?;
        MadeCampaign::of(sql, &campaign, true)
    }
}

/// Makes a campaign: a new one, or the resend of the one with this id.
pub(super) fn make(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    new: &MakeCampaign,
    resend_of: Option<String>,
) -> ReplyResult<CampaignRow> {
    let count = sql.number("SELECT count(*) FROM campaign", &[])?;
    if count.unwrap_or(0) >= MAX_CAMPAIGNS {
        return Err(Refusal::TooManyCampaigns.into());
    }
    // No message and no other campaign has this number.
    work.account.message_seq = work.account.message_seq.saturating_add(1);
    let id = work.account.message_seq;
    let mut campaign = CampaignRow {
        id,
        uid: id::numbered(&new.uid, id)?,
        title: new.title.clone(),
        state: CampaignState::Counting,
        reason: None,
        test: new.mode.is_test(),
        plan: new.plan.clone(),
        starter: new.starter.clone(),
        revision: 0,
        created_ms: work.now_ms,
        started_ms: None,
        ended_ms: None,
        due_ms: None,
        next: 0,
        wave: None,
        canceled_through: 0,
        counted: Counted::default(),
        forgotten: Forgotten::default(),
        opt_outs: 0,
        forgiven: Judged::default(),
        resend_of,
        resent_as: None,
        was_resent: false,
        key: new.idempotency.as_ref().map(|asked| asked.key.clone()),
        key_hash: new.idempotency.as_ref().map(|asked| asked.hash.clone()),
    };
    enter(sql, work, &mut campaign, (CampaignState::Counting, None))?;
    Ok(campaign)
}

/// Changes a campaign. What it sends to whom can be changed until it has reached somebody. Then it is counted anew, and waits for its sender
/// to start it again. One that waits for its time can be given another.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeCampaign {
    /// Its id.
    pub uid: String,
    /// The mode of the key of the request. A campaign of the other mode is not found.
    pub mode: Mode,
    /// How often it had changed when it was read.
    pub revision: i64,
    /// Its name from now on.
    pub title: String,
    /// Its plan from now on.
    pub plan: Plan,
    /// The key of the request, and its lines.
    pub starter: Starter,
}

/// What became of a change.
#[derive(Debug, Serialize, Deserialize)]
pub enum Changed {
    /// The campaign as it is now.
    Done(Box<CampaignView>),
    /// Somebody else has changed it since it was read. Nothing was done.
    Stale,
}

impl Request for ChangeCampaign {
    const NAME: &'static str = "ChangeCampaign";
    const WAKES: Wakes = Wakes::In(0);
    type Reply = Changed;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        subject(sql, &self.uid, self.mode).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Changed> {
        let mut campaign = find(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        if campaign.revision != self.revision {
            return Ok(Changed::Stale);
        }
        let is_same = self.plan.is_as(&campaign.plan);
        if campaign.resend_of.is_some() && !is_same {
            return Err(Refusal::FixedResend.into());
        }
        let state = changed_state(&campaign, is_same)?;
        if !is_same {
            campaign.counted = Counted::default();
            campaign.next = 0;
            campaign.started_ms = None;
            campaign.starter = self.starter.clone();
        }
        campaign.title.clone_from(&self.title);
        campaign.plan = self.plan.clone();
        let reason = campaign.reason.filter(|_| is_same);
        enter(sql, work, &mut campaign, (state, reason))?;
        told(sql, &campaign).map(Changed::Done)
    }
}

/// The state of a campaign after a change. `is_same`: it sends the same to the same people.
fn changed_state(campaign: &CampaignRow, is_same: bool) -> Result<CampaignState, Refusal> {
    use CampaignState::{Canceled, Counting, Done, Draft, Paused, Running, Scheduled, Stopped};
    match campaign.state {
        Counting | Draft if !is_same => Ok(Counting),
        Paused | Stopped if !is_same && campaign.wave.is_none() => Ok(Counting),
        Running | Paused | Stopped if !is_same && campaign.wave.is_some() => Err(Refusal::CampaignBegun),
        state @ (Counting | Draft | Scheduled | Paused | Stopped) if is_same => Ok(state),
        state @ (Counting | Draft | Scheduled | Running | Paused | Stopped | Done | Canceled) => {
            Err(Refusal::CampaignState(state.as_str().to_owned()))
        }
    }
}

/// Deletes a campaign that does not go on by itself. Its messages stay.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeleteCampaign {
    /// Its id.
    pub uid: String,
    /// The mode of the key of the request. A campaign of the other mode is not found.
    pub mode: Mode,
}

impl Request for DeleteCampaign {
    const NAME: &'static str = "DeleteCampaign";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        subject(sql, &self.uid, self.mode).map(Some)
    }

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        let campaign = find(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        let goes_on = [
            CampaignState::Scheduled,
            CampaignState::Running,
            CampaignState::Paused,
            CampaignState::Stopped,
        ];
        if goes_on.contains(&campaign.state) {
            return Err(Refusal::CampaignState(campaign.state.as_str().to_owned()).into());
        }
        sql.exec("DELETE FROM campaign WHERE id = ?1", &[campaign.id.into()])?;
        campaign.forget_resend(sql)?;
        Ok(())
    }
}

/// Asks for a campaign.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetCampaign {
    /// Its id.
    pub uid: String,
    /// The mode of the key of the request. A campaign of the other mode is not found.
    pub mode: Mode,
}

impl Request for GetCampaign {
    const NAME: &'static str = "GetCampaign";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Box<CampaignView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Box<CampaignView>> {
        match find(sql, &self.uid, self.mode)? {
            Some(campaign) => told(sql, &campaign),
            None => Err(Refusal::NotFound.into()),
        }
    }
}

/// Asks for a page of campaigns, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListCampaigns {
    /// Only those of keys of this mode.
    pub mode: Mode,
    /// The page.
    pub page: Page,
}

impl Request for ListCampaigns {
    const NAME: &'static str = "ListCampaigns";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<CampaignView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<CampaignView>> {
        let rows = sql.exec(
            concat!(
                "SELECT ",
                campaign_row!(columns),
                " FROM campaign WHERE test = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3"
            ),
            &[
                self.mode.is_test().into(),
                self.page.after.unwrap_or(MAX_INTEGER).into(),
                self.page.limit.into(),
            ],
        )?;
        let views = rows.iter().map(|row| CampaignView::of(sql, &CampaignRow::of(row)?));
        views.collect::<Result<_, PortError>>().map_err(Into::into)
    }
}

/// A campaign as it stands, with why recipients failed.
pub(super) fn told(sql: &impl Sql, campaign: &CampaignRow) -> ReplyResult<Box<CampaignView>> {
    let view = CampaignView {
        failures: Some(campaign.failures(sql)?),
        ..CampaignView::of(sql, campaign)?
    };
    Ok(Box::new(view))
}

/// What the audit log shows of a campaign.
pub(super) fn subject(sql: &impl Sql, uid: &str, mode: Mode) -> Result<Subject, PortError> {
    let state = find(sql, uid, mode)?.map(|campaign| shown(&campaign));
    Ok(Subject::named(uid, state))
}
