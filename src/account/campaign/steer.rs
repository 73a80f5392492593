//! The sender of a campaign starts, pauses, resumes and cancels it.

use serde::{Deserialize, Serialize};

use super::requests::{subject, told};
use super::view::CampaignView;
use super::{enter, guard};
use crate::account::message::halt::{CancelMessage, Halted, PauseMessage};
use crate::account::record::campaign_row::{CampaignRow, CampaignState, Starter, find};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};
use crate::durable::{audit::Subject, decided};

/// What the sender of a campaign wants of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// It is to begin, now or at its time.
    Start,
    /// Nothing more of it is to leave for a while.
    Pause,
    /// It is to go on.
    Resume,
    /// Nothing more of it is to leave.
    Cancel,
}

/// Starts, pauses, resumes or cancels a campaign. The same step again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct SteerCampaign {
    /// Its id.
    pub uid: String,
    /// The mode of the key of the request. A campaign of the other mode is not found.
    pub mode: Mode,
    /// What is to become of it.
    pub step: Step,
    /// The key of the request, and its lines.
    pub starter: Starter,
}

/// A campaign after such a step.
#[derive(Debug, Serialize, Deserialize)]
pub struct Steered {
    /// The campaign as it stands.
    pub campaign: Box<CampaignView>,
    /// Its newest wave, if that was paused, resumed or canceled with it.
    pub wave: Option<Halted>,
}

impl Request for SteerCampaign {
    const NAME: &'static str = "SteerCampaign";
    const LOOKS_AGAIN: bool = true;
    const WAKES: Wakes = Wakes::Now;
    const ENTRY: Entry = Entry::Bytes { days: 2 };
    type Reply = Steered;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        subject(sql, &self.uid, self.mode).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Steered> {
        let mut campaign = find(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        let Some(to) = target(&campaign, self.step, work.now_ms) else {
            return Err(Refusal::CampaignState(campaign.state.as_str().to_owned()).into());
        };
        let mut wave = None;
        if to != campaign.state {
            if matches!(self.step, Step::Start | Step::Resume) {
                campaign.started_ms = campaign.started_ms.or(Some(work.now_ms));
                campaign.starter = self.starter.clone();
                campaign.canceled_through = work.account.canceled_through;
                guard::forgive(sql, &mut campaign)?;
            }
            if self.step == Step::Start {
                campaign.next = 0;
                campaign.note_resend(sql)?;
            }
            enter(sql, work, &mut campaign, (to, None))?;
            wave = self.halt_wave(sql, work, &campaign)?;
        }
        let campaign = told(sql, &campaign)?;
        Ok(Steered { campaign, wave })
    }
}

impl SteerCampaign {
    /// Does with the newest wave what becomes of its campaign. `None`: nothing of it waits.
    fn halt_wave(
        &self,
        sql: &impl Sql,
        work: &mut UnitOfWork,
        campaign: &CampaignRow,
    ) -> Result<Option<Halted>, PortError> {
        let rows = sql.exec("SELECT uid FROM message WHERE id = ?1", &[campaign.wave.into()])?;
        let Some(uid) = rows.first().map(|row| row.text(0)).transpose()? else {
            return Ok(None);
        };
        let mode = self.mode;
        let pause = |paused| PauseMessage {
            uid: uid.clone(),
            mode,
            paused,
        };
        let halted = match self.step {
            Step::Start => return Ok(None),
            Step::Pause => pause(true).halt(sql, work),
            Step::Resume => pause(false).halt(sql, work),
            Step::Cancel => CancelMessage { uid, mode }.cancel(sql, work),
        };
        // A refusal says that nothing of the wave waits.
        decided(halted).map(Result::ok)
    }
}

/// The state that a step leads to. `None`: the campaign can't take the step.
fn target(campaign: &CampaignRow, step: Step, now_ms: i64) -> Option<CampaignState> {
    use CampaignState::{Canceled, Counting, Done, Draft, Paused, Running, Scheduled, Stopped};
    let begun = match campaign.plan.send_at_ms {
        Some(send_at_ms) if send_at_ms > now_ms => Scheduled,
        _ => Running,
    };
    match (step, campaign.state) {
        (Step::Start, Draft) | (Step::Resume, Paused | Stopped) => Some(begun),
        (Step::Start | Step::Resume, state @ (Scheduled | Running)) => Some(state),
        (Step::Pause, Scheduled | Running | Paused) => Some(Paused),
        (Step::Cancel, Counting | Draft | Scheduled | Running | Paused | Stopped | Canceled) => Some(Canceled),
        (Step::Start, Counting | Paused | Stopped | Done | Canceled)
        | (Step::Resume, Counting | Draft | Done | Canceled)
        | (Step::Pause, Counting | Draft | Stopped | Done | Canceled)
        | (Step::Cancel, Done) => None,
    }
}
