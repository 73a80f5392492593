//! Holds: while an account is on hold, nothing of it leaves; and an operator can cancel all that has not left.
//!
//! A hold loses nothing: chunks stay in their queues, and their money stays reserved. Chunks that a carrier has at that moment
//! come back from its objects, or end there. A chunk of which nobody knows what its carrier has is still handed to that carrier,
//! which tells it and sends to no others ([`Handover::ask_only`](crate::account::record::chunk::handover::Handover::ask_only)).
//!
//! The invariant: after an operator has canceled a message, no recipient of it leaves, whatever becomes of the request. Its first
//! transaction notes up to which message all are canceled. *A crash after it* leaves chunks that are canceled when they would
//! leave.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::chunk::stalled;
use super::chunk::transitions::Transitions;
use super::request::{ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::record::chunk::with_carriers::WithCarriers;
use crate::account::record::chunk::{ChunkId, is_ready, is_waiting, state_code};
use crate::account::record::message::priority::Priority;
use crate::account::sources;
use crate::base::ports::{MAX_INTEGER, PortError, Sql};
use crate::durable::audit::Subject;

/// Chunks that are canceled in one call.
const CHUNKS_A_GO: i64 = 200;

/// Puts the account on hold, or ends that. Returns what carriers still have of it if it is on hold.
pub fn set(sql: &impl Sql, work: &mut UnitOfWork, on_hold: bool) -> Result<Option<WithCarriers>, PortError> {
    let was_on_hold = std::mem::replace(&mut work.account.on_hold, on_hold);
    if was_on_hold && !on_hold {
        park_overdue(sql, work.now_ms)?;
        stalled::look_later(sql, work.now_ms)?;
    }
    let found = on_hold.then(|| WithCarriers::through(sql, work.now_ms, MAX_INTEGER));
    found.transpose()
}

/// Parks those chunks that have waited for longer than their priority may, and are given up then: a login code is worth nothing by
/// now.
fn park_overdue(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    for priority in Priority::ALL {
        sql.exec(
            concat!(
                "UPDATE chunk SET state = ",
                state_code!(Parked),
                ", due_ms = ?1 WHERE ",
                is_ready!(),
                " AND class = ?2 AND ready_ms <= ?3"
            ),
            &[
                now_ms.into(),
                priority.code().into(),
                now_ms.saturating_sub(priority.patience_ms()).into(),
            ],
        )?;
    }
    Ok(())
}

/// Notes that all recipients that have not left are canceled, of the messages that there are: none of them leaves any more.
/// [`CancelMore`] pays them back.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelAll;

/// Cancels some of them, of messages up to this one.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelMore {
    /// The number of the message.
    pub through: i64,
}

/// What an operator's canceling meets.
#[derive(Debug, Serialize, Deserialize)]
pub struct ToCancel {
    /// The number of the newest message that is canceled.
    pub through: i64,
    /// What carriers have of these messages. What they have not sent is canceled when it comes back, and in no count of
    /// [`CancelMore`].
    pub with_carriers: WithCarriers,
}

/// How far an operator's canceling has come.
#[derive(Debug, Serialize, Deserialize)]
pub struct Canceled {
    /// How many recipients were canceled now.
    pub recipients: i64,
    /// Whether others may be left to cancel.
    pub is_more: bool,
}

impl Request for CancelAll {
    const NAME: &'static str = "CancelAll";
    const NEEDS_OPEN: bool = true;
    const LOOKS_AGAIN: bool = true;
    const WAKES: Wakes = Wakes::Now;
    type Reply = ToCancel;

    fn audited(&self, _: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let account = &work.account;
        let state = json!({"canceledThrough": account.canceled_through});
        Ok(Some(Subject::of(Some(state))))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<ToCancel> {
        work.account.canceled_through = work.account.message_seq;
        let through = work.account.canceled_through;
        Ok(ToCancel {
            through,
            with_carriers: WithCarriers::through(sql, work.now_ms, through)?,
        })
    }
}

impl Request for CancelMore {
    const NAME: &'static str = "CancelMore";
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    type Reply = Canceled;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Canceled> {
        let through = self.through.min(work.account.canceled_through);
        cancel(sql, work, through).map_err(Into::into)
    }
}

/// Cancels some of the chunks that wait, of messages up to `through`.
fn cancel(sql: &impl Sql, work: &mut UnitOfWork, through: i64) -> Result<Canceled, PortError> {
    let ids = waiting(sql, through)?;
    let mut transitions = Transitions::load(sql, &ids)?;
    for id in &ids {
        transitions.cancel(sql, work, *id)?;
    }
    let recipients = transitions.moved();
    transitions.save(sql)?;
    for (message, _) in &ids {
        sources::forget(sql, *message)?;
    }
    Ok(Canceled {
        recipients,
        is_more: i64::try_from(ids.len()).unwrap_or(i64::MAX) >= CHUNKS_A_GO,
    })
}

/// The oldest chunks that no carrier has, of messages up to `through`: those that wait for a carrier, for their time, for an
/// operator or for their sender. A chunk in doubt is none of them, because its carrier is asked first.
fn waiting(sql: &impl Sql, through: i64) -> Result<Vec<ChunkId>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT message, number FROM ( \
               SELECT message, number FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            " AND doubt_ms IS NULL UNION ALL \
               SELECT message, number FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            " AND state IN (",
            state_code!(Scheduled),
            ", ",
            state_code!(Parked),
            ", ",
            state_code!(Paused),
            ")) WHERE message <= ?1 ORDER BY message, number LIMIT ?2"
        ),
        &[through.into(), CHUNKS_A_GO.into()],
    )?;
    rows.iter().map(|row| Ok((row.int(0)?, row.u32(1)?))).collect()
}
