//! The object goes on with a campaign: it counts its people, and sends its waves.
//!
//! What is made of the directory was read outside of the transaction. So the transaction reads the campaign again, and does nothing if it
//! has changed since: somebody has paused it, or has changed its plan.

use super::{enter, guard, pace};
use crate::account::message::accept;
use crate::account::message::patterns::{self, StalePattern};
use crate::account::record::campaign_row::{CampaignReason, CampaignRow, CampaignState, Counted, find};
use crate::account::record::key_usage::Sender;
use crate::account::record::message::NewMessage;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::spending;
use crate::account::refusal::Refusal;
use crate::account::unit_of_work::UnitOfWork;
use crate::account::usage::senders;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};
use crate::base::window::Window;

/// What was made of the next page of an audience.
#[derive(Debug)]
pub struct Page {
    /// The message to those of the page that the campaign goes to. `None`: it goes to none of them.
    pub message: Option<NewMessage>,
    /// What counting finds in them.
    pub counted: Counted,
    /// The hours of the line that the message keeps to.
    pub hours: Option<Window>,
    /// The smallest number, or the first place, that was not looked at yet. `None`: nobody is left.
    pub next: Option<i64>,
}

/// What became of a page.
#[derive(Debug, Default)]
pub enum Went {
    /// All is done that there is to do with it.
    #[default]
    On,
    /// These people are to be left out, for this reason. Nothing was done.
    LeaveOut(Vec<u64>, DeliveryError),
    /// These patterns may have been changed since they were read. Nothing was done.
    PatternsStale(Vec<StalePattern>),
}

/// Goes on with a campaign as it was read, by the next page of its audience.
pub fn go_on(sql: &impl Sql, work: &mut UnitOfWork, read: &CampaignRow, page: &Page) -> Result<Went, PortError> {
    let Some(mut campaign) = unchanged(sql, read)? else {
        return Ok(Went::On);
    };
    let is_counting = campaign.state == CampaignState::Counting;
    if let Some(message) = &page.message {
        work.bounds = spending::bounds(sql, &campaign.starter.key)?;
        work.sender = match campaign.starter.console {
            true => Some(Sender::Console),
            false => senders::find(sql, &campaign.starter.key)?,
        };
        if !is_counting && work.account.canceled_through > campaign.canceled_through {
            let paused = (CampaignState::Paused, Some(CampaignReason::ByOperator));
            return enter(sql, work, &mut campaign, paused).map(|()| Went::On);
        }
        let stale = patterns::stale(sql, message)?;
        if !stale.is_empty() {
            return Ok(Went::PatternsStale(stale));
        }
        for refusal in accept::refusals(sql, work, message)? {
            match end_of(refusal) {
                End::LeaveOut(numbers, error) => return Ok(Went::LeaveOut(numbers, error)),
                End::Enter(..) if is_counting => {}
                End::Enter(state, reason) => {
                    return enter(sql, work, &mut campaign, (state, Some(reason))).map(|()| Went::On);
                }
            }
        }
        if !is_counting {
            if let Some(reason) = bound(sql, &campaign, message)? {
                let stopped = (CampaignState::Stopped, Some(reason));
                return enter(sql, work, &mut campaign, stopped).map(|()| Went::On);
            }
            accept::accept(sql, work, message, None)?;
            campaign.wave = Some(work.account.message_seq);
            campaign.due_ms = Some(work.now_ms.saturating_add(pace::wait_ms(&campaign, message.count)));
        }
    }
    if is_counting {
        campaign.counted.add(&page.counted);
    }
    match page.next {
        Some(next) => {
            campaign.next = next;
            campaign.write(sql)?;
        }
        None if is_counting => {
            campaign.next = 0;
            enter(sql, work, &mut campaign, (CampaignState::Draft, None))?;
        }
        None => enter(sql, work, &mut campaign, (CampaignState::Done, None))?,
    }
    Ok(Went::On)
}

/// Begins a campaign whose time has come.
pub fn begin(sql: &impl Sql, work: &mut UnitOfWork, read: &CampaignRow) -> Result<(), PortError> {
    match unchanged(sql, read)? {
        Some(mut campaign) => enter(sql, work, &mut campaign, (CampaignState::Running, None)),
        None => Ok(()),
    }
}

/// Lets a campaign wait that can't go on, for this reason. One that was to be counted is not.
pub fn pause(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    read: &CampaignRow,
    reason: CampaignReason,
) -> Result<(), PortError> {
    let Some(mut campaign) = unchanged(sql, read)? else {
        return Ok(());
    };
    let state = match campaign.state {
        CampaignState::Counting => CampaignState::Draft,
        _ => CampaignState::Paused,
    };
    enter(sql, work, &mut campaign, (state, Some(reason)))
}

/// What the budget of a campaign has left; `None` if it has none.
pub fn budget_left(sql: &impl Sql, campaign: &CampaignRow) -> Result<Option<i64>, PortError> {
    let Some(budget) = campaign.plan.budget else {
        return Ok(None);
    };
    let sums = campaign.sums(sql)?;
    Ok(Some(budget.saturating_sub(sums.cost.saturating_sub(sums.returned))))
}

/// Which of its own bounds keeps a campaign from this wave.
fn bound(sql: &impl Sql, campaign: &CampaignRow, message: &NewMessage) -> Result<Option<CampaignReason>, PortError> {
    if let Some(reason) = guard::reason(sql, campaign)? {
        return Ok(Some(reason));
    }
    let is_beyond_budget = budget_left(sql, campaign)?.is_some_and(|left| message.cost > left);
    Ok(is_beyond_budget.then_some(CampaignReason::Budget))
}

/// The campaign as it is stored, unless it has changed since it was read.
fn unchanged(sql: &impl Sql, read: &CampaignRow) -> Result<Option<CampaignRow>, PortError> {
    let now = find(sql, &read.uid, Mode::of(read.test))?;
    Ok(now.filter(|now| now.revision == read.revision && now.next == read.next))
}

/// What a refusal of a wave does with its campaign.
enum End {
    LeaveOut(Vec<u64>, DeliveryError),
    Enter(CampaignState, CampaignReason),
}

fn end_of(refusal: Refusal) -> End {
    match refusal {
        Refusal::Blacklisted(numbers) => End::LeaveOut(numbers, DeliveryError::Blacklisted),
        Refusal::RecipientLimit { recipients, .. } => End::LeaveOut(recipients, DeliveryError::RecipientLimit),
        Refusal::DailyLimit { .. } => End::Enter(CampaignState::Stopped, CampaignReason::DailyLimit),
        Refusal::InsufficientBalance { .. } => End::Enter(CampaignState::Paused, CampaignReason::LowBalance),
        _ => End::Enter(CampaignState::Paused, CampaignReason::SendingOff),
    }
}
