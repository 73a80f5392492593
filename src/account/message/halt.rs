//! How the sender of a message stops what has not left of it: for good, or for a while.
//!
//! The invariant: after a message is canceled, no recipient of it leaves; and while it is paused, none does. The message's row says
//! so, in the same transaction in which what is at rest stops. What carriers have at that moment stops when it comes back
//! ([`outcomes`](crate::account::chunk::outcomes)). A chunk of which nobody knows what its carrier has is still handed to that carrier,
//! which tells it and sends to no others
//! ([`Handover::ask_only`](crate::account::record::chunk::handover::Handover::ask_only)).
//!
//! A wave of a campaign stops and goes on with its campaign, and not by itself as long as that goes on.
//!
//! A pause takes nothing away: money stays reserved, and chunks grow old as if they waited for a carrier.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::read;
use crate::account::chunk::expiry;
use crate::account::chunk::transitions::Transitions;
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::record::chunk::with_carriers::WithCarriers;
use crate::account::record::chunk::{ChunkId, ChunkState};
use crate::account::record::message::row::Halt;
use crate::account::record::message::{MessageKind, MessageView};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::id;
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::Subject;
use crate::durable::to_json;

/// Cancels what has not left of a message, and gives its money back.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelMessage {
    /// Its uid.
    pub uid: String,
    /// The mode of the key of the request. A message of the other mode is not found.
    pub mode: Mode,
}

/// Lets what has not left of a message wait, or lets it go on.
#[derive(Debug, Serialize, Deserialize)]
pub struct PauseMessage {
    /// Its uid.
    pub uid: String,
    /// The mode of the key of the request. A message of the other mode is not found.
    pub mode: Mode,
    /// Whether it is paused from now on.
    #[serde(default)]
    pub paused: bool,
}

/// A message that its sender has stopped, or lets go on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Halted {
    /// The message as it stands then.
    pub message: Box<MessageView>,
    /// How many of its recipients were canceled now.
    pub canceled: i64,
    /// What carriers have of it. What they have not sent stops when it comes back.
    pub with_carriers: WithCarriers,
}

impl Request for CancelMessage {
    const NAME: &'static str = "CancelMessage";
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    const ENTRY: Entry = Entry::Bytes { days: 2 };
    type Reply = Halted;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        subject(sql, &self.uid).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Halted> {
        match campaign_of(sql, &self.uid, self.mode)? {
            None => self.cancel(sql, work),
            Some(campaign) => Err(Refusal::OfCampaign(campaign).into()),
        }
    }
}

impl CancelMessage {
    /// Cancels the message, also if it is a wave of a campaign that goes on.
    pub fn cancel(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Halted> {
        let message = unsent(sql, &self.uid, self.mode)?;
        set(sql, message, Some(Halt::Canceled))?;
        let at_rest = [
            ChunkState::Scheduled,
            ChunkState::Ready,
            ChunkState::Parked,
            ChunkState::Paused,
        ];
        let canceled = expiry::cancel(sql, work, &chunks(sql, message, &at_rest)?)?;
        halted(sql, work, &self.uid, message, canceled)
    }
}

impl Request for PauseMessage {
    const NAME: &'static str = "PauseMessage";
    const LOOKS_AGAIN: bool = true;
    const WAKES: Wakes = Wakes::Now;
    const ENTRY: Entry = Entry::Bytes { days: 2 };
    type Reply = Halted;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        subject(sql, &self.uid).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Halted> {
        match campaign_of(sql, &self.uid, self.mode)? {
            None => self.halt(sql, work),
            Some(campaign) => Err(Refusal::OfCampaign(campaign).into()),
        }
    }
}

impl PauseMessage {
    /// Pauses the message or lets it go on, also if it is a wave of a campaign that goes on.
    pub fn halt(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Halted> {
        let message = unsent(sql, &self.uid, self.mode)?;
        if is_canceled(sql, message)? {
            return Err(Refusal::HasLeft.into());
        }
        set(sql, message, self.paused.then_some(Halt::Paused))?;
        if self.paused {
            pause(sql, message)?;
        } else {
            resume(sql, work, message)?;
        }
        halted(sql, work, &self.uid, message, 0)
    }
}

/// The id of the campaign that a message is a wave of, if the campaign has not ended. Its wave stops and goes on with it alone: otherwise a
/// wave of a paused campaign could leave, and one that is canceled would be missing in the middle of it.
fn campaign_of(sql: &impl Sql, uid: &str, mode: Mode) -> Result<Option<String>, PortError> {
    let rows = sql.exec(
        "SELECT c.uid FROM message m JOIN campaign c ON c.id = m.campaign WHERE m.id = ?1 AND m.uid = ?2 AND m.test = ?3 \
           AND c.ended_ms IS NULL",
        &[id::number_of(uid).into(), uid.into(), mode.is_test().into()],
    )?;
    rows.first().map(|row| row.text(0)).transpose()
}

fn pause(sql: &impl Sql, message: i64) -> Result<(), PortError> {
    let ready = chunks(sql, message, &[ChunkState::Ready])?;
    let mut transitions = Transitions::load(sql, &ready)?;
    for id in &ready {
        transitions.pause(*id);
    }
    transitions.save(sql)
}

fn resume(sql: &impl Sql, work: &mut UnitOfWork, message: i64) -> Result<(), PortError> {
    let paused = chunks(sql, message, &[ChunkState::Paused])?;
    let mut transitions = Transitions::load(sql, &paused)?;
    for id in &paused {
        transitions.resume(sql, work, *id)?;
    }
    transitions.save(sql)
}

/// What the audit log shows of a message: its status, and whether it is paused.
fn subject(sql: &impl Sql, uid: &str) -> Result<Subject, PortError> {
    let rows = sql.exec(
        "SELECT t.status, coalesce(m.halt = ?3, 0) FROM message m JOIN message_status t ON t.message = m.id WHERE m.id = ?1 AND m.uid = ?2",
        &[id::number_of(uid).into(), uid.into(), Halt::Paused.code().into()],
    )?;
    let state = rows.first().map(|row| {
        let (status, paused): (String, bool) = row.reader().read()?;
        Ok::<_, PortError>(json!({"status": status, "paused": paused}))
    });
    Ok(Subject::named(uid, state.transpose()?))
}

/// The number of a message, if something of it has not left.
fn unsent(sql: &impl Sql, uid: &str, mode: Mode) -> ReplyResult<i64> {
    let rows = sql.exec(
        "SELECT m.id, m.kind, (SELECT sum(c.queued) FROM chunk c WHERE c.message = m.id) FROM message m \
         WHERE m.id = ?1 AND m.uid = ?2 AND m.test = ?3",
        &[id::number_of(uid).into(), uid.into(), mode.is_test().into()],
    )?;
    let row = rows.first().ok_or(Refusal::NotFound)?;
    let (message, kind, queued): (i64, MessageKind, i64) = row.reader().read()?;
    if kind.has_code() {
        Err(Refusal::HasCode.into())
    } else if queued == 0 {
        Err(Refusal::HasLeft.into())
    } else {
        Ok(message)
    }
}

fn is_canceled(sql: &impl Sql, message: i64) -> Result<bool, PortError> {
    let rows = sql.exec(
        "SELECT 1 FROM message WHERE id = ?1 AND halt = ?2",
        &[message.into(), Halt::Canceled.code().into()],
    )?;
    Ok(!rows.is_empty())
}

fn set(sql: &impl Sql, message: i64, halt: Option<Halt>) -> Result<(), PortError> {
    sql.exec(
        "UPDATE chunk SET halt = ?2 WHERE message = ?1 AND number = 0",
        &[message.into(), halt.map(Halt::code).into()],
    )
    .map(drop)
}

/// Those of the chunks of a message that are in one of these states, have recipients that have not left, and are not in doubt.
fn chunks(sql: &impl Sql, message: i64, states: &[ChunkState]) -> Result<Vec<ChunkId>, PortError> {
    let states: Vec<i64> = states.iter().map(|state| state.code()).collect();
    let rows = sql.exec(
        "SELECT number FROM chunk WHERE message = ?1 AND queued > 0 AND doubt_ms IS NULL \
           AND state IN (SELECT value FROM json_each(?2))",
        &[message.into(), to_json(&states)?.into()],
    )?;
    rows.iter().map(|row| Ok((message, row.u32(0)?))).collect()
}

fn halted(sql: &impl Sql, work: &UnitOfWork, uid: &str, message: i64, canceled: i64) -> ReplyResult<Halted> {
    let with_carriers = WithCarriers::of_message(sql, work.now_ms, message)?;
    Ok(Halted {
        message: read::message(sql, uid, None)?,
        canceled,
        with_carriers,
    })
}
