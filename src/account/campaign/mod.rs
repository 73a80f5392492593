//! Campaigns: one text or pattern to the members of phonebooks, in waves.
//!
//! A wave is an ordinary message. A chore of the object reads the next numbers from the directory in ascending order, and makes a wave
//! of them. The wave is accepted, and the campaign moves on behind its last number, in one transaction ([`wave`]). So nobody is in two
//! waves, in however many phonebooks a number stands, and *a crash at any moment* repeats nothing. The next wave is made when the last
//! one has left: so a pause is at once, little money is held, and the account's codes do not wait behind a campaign.
//!
//! - [`requests`]: campaigns are made, read, changed and deleted.
//! - [`steer`]: their senders start, pause, resume and cancel them.
//! - [`wave`]: the object goes on with them.
//! - [`resend`]: one is sent again to those whom it did not reach.
//! - [`missed`]: who they are.
//! - `guard`: what stops one that goes wrong.
//! - `pace`: how fast one goes.
//! - [`opt_outs`]: who has opted out since one reached them.
//! - [`recipients`]: whom they reached.
//! - [`view`]: as the object tells them.

mod guard;
pub mod missed;
pub mod opt_outs;
mod pace;
pub mod recipients;
pub mod requests;
pub mod resend;
pub mod steer;
pub mod view;
pub mod wave;

use serde_json::Value as Json;
use sms::mask::Mask;

use crate::account::outbox::events;
use crate::account::record::campaign_row::{CampaignReason, CampaignRow, CampaignState, Content, campaign_row};
use crate::account::record::event_type::EventType;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::base::record::Columns;
use crate::durable::to_json;

/// Writes that a campaign has come to this state at this time, for this reason, and notes the event.
fn enter(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    campaign: &mut CampaignRow,
    (state, reason): (CampaignState, Option<CampaignReason>),
) -> Result<(), PortError> {
    let is_new = campaign.state != state;
    campaign.state = state;
    campaign.reason = reason;
    campaign.revision = campaign.revision.saturating_add(1);
    campaign.due_ms = match state {
        CampaignState::Counting => Some(work.now_ms),
        // Else each pause would let a wave out before its time.
        CampaignState::Running => Some(work.now_ms.max(pace::next_ms(sql, campaign)?)),
        CampaignState::Scheduled => campaign.plan.send_at_ms.or(Some(work.now_ms)),
        _ => None,
    };
    if matches!(state, CampaignState::Done | CampaignState::Canceled) {
        campaign.ended_ms = Some(work.now_ms);
        campaign.next = 0;
    }
    campaign.write(sql)?;
    match event_of(state).filter(|_| is_new) {
        Some(kind) => events::of_campaign(sql, work, campaign.test, kind, &view::told(campaign)),
        None => Ok(()),
    }
}

fn event_of(state: CampaignState) -> Option<EventType> {
    match state {
        CampaignState::Paused => Some(EventType::CampaignPaused),
        CampaignState::Stopped => Some(EventType::CampaignStopped),
        CampaignState::Done => Some(EventType::CampaignDone),
        _ => None,
    }
}

/// When the object goes on with a campaign next. One whose newest wave has not left waits for that.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number(
        "SELECT min(due_ms) FROM campaign WHERE due_ms IS NOT NULL \
           AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.message = campaign.wave AND c.queued > 0)",
        &[],
    )
}

/// The campaign that is due first.
pub fn next(sql: &impl Sql, now_ms: i64) -> Result<Option<CampaignRow>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            campaign_row!(columns),
            " FROM campaign WHERE due_ms <= ?1 \
               AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.message = campaign.wave AND c.queued > 0) ORDER BY due_ms LIMIT 1"
        ),
        &[now_ms.into()],
    )?;
    rows.first().map(CampaignRow::of).transpose()
}

/// Lets a campaign that could not go on wait, so that others go on first.
pub fn put_off(sql: &impl Sql, campaign: i64, due_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE campaign SET due_ms = ?2 WHERE id = ?1 AND due_ms IS NOT NULL",
        &[campaign.into(), due_ms.into()],
    )
    .map(drop)
}

/// Erases a number from what campaigns send, and from the numbers that they leave out. Nobody sends to it any more: phonebooks have it
/// no longer.
pub fn erase(sql: &impl Sql, msisdn: u64, mask: &Mask) -> Result<(), PortError> {
    let [ascii, persian, arabic] = mask.needles();
    let rows = sql.exec(
        concat!(
            "SELECT ",
            campaign_row!(columns),
            " FROM (SELECT *, title || ' ' || plan AS texts FROM campaign) \
             WHERE instr(texts, ?1) OR instr(texts, ?2) OR instr(texts, ?3)"
        ),
        &[ascii.into(), persian.into(), arabic.into()],
    )?;
    for row in &rows {
        let mut campaign = CampaignRow::of(row)?;
        campaign.plan.exclude.numbers.retain(|number| *number != msisdn);
        let texts = match &mut campaign.plan.content {
            Content::Text(text) => vec![text],
            Content::Pattern { values, .. } => values.values_mut().collect(),
        };
        let wanted = campaign.plan.condition.as_mut().into_iter().flat_map(wanted_values);
        for text in texts.into_iter().chain(wanted).chain([&mut campaign.title]) {
            *text = mask.apply(text).unwrap_or_else(|| std::mem::take(text));
        }
        campaign.revision = campaign.revision.saturating_add(1);
        campaign.write(sql)?;
    }
    Ok(())
}

/// The values that the tests of a stored condition compare with.
fn wanted_values(condition: &mut Json) -> impl Iterator<Item = &mut String> {
    let tests = condition.get_mut("tests").and_then(Json::as_array_mut);
    let values = tests.into_iter().flatten().filter_map(|test| test.get_mut("value"));
    values.filter_map(|value| match value {
        Json::String(text) => Some(text),
        _ => None,
    })
}

/// The campaigns that nobody has started: their numbers. At most as many as an account may have.
pub fn not_started(sql: &impl Sql) -> Result<Vec<i64>, PortError> {
    let rows = sql.exec(
        "SELECT id FROM campaign WHERE state IN (?1, ?2)",
        &[
            CampaignState::Counting.code().into(),
            CampaignState::Draft.code().into(),
        ],
    )?;
    rows.iter().map(|row| row.int(0)).collect()
}

/// Ends all campaigns that have not ended, but those that nobody had started before the object went back in time: whom the others have
/// reached since nobody knows. Resends end too. Nor does anybody know what was resent since, so nothing is that has ended.
pub fn end_all(sql: &impl Sql, now_ms: i64, not_started: &[i64]) -> Result<(), PortError> {
    let [done, canceled] = [CampaignState::Done, CampaignState::Canceled].map(CampaignState::code);
    sql.exec(
        "UPDATE campaign SET state = ?2, reason = ?3, ended_ms = ?4, due_ms = NULL, next_number = 0, revision = revision + 1 \
         WHERE state NOT IN (?1, ?2) AND (resend_of IS NOT NULL OR started_ms IS NOT NULL OR id NOT IN (SELECT value FROM json_each(?5)))",
        &[
            done.into(),
            canceled.into(),
            CampaignReason::Restored.code().into(),
            now_ms.into(),
            to_json(&not_started)?.into(),
        ],
    )?;
    sql.exec(
        "UPDATE campaign SET was_resent = 1 WHERE state IN (?1, ?2)",
        &[done.into(), canceled.into()],
    )
    .map(drop)
}
