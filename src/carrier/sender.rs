//! What a kind of carrier has to be able to do. A kind states only what differs from the defaults here.
//!
//! A submission is taken in these steps:
//!
//! 1. [`journal::judge`] says what to do with each chunk. [`Verdict::Answer`] is the answer. [`Verdict::Send`] has the recipients to
//!    send to, and the outcomes that others of the chunk had before.
//! 2. If there is no room, `closed` says [`Answer::Busy`] with a time; if the carrier is down, [`Answer::Down`].
//!    [`journal::turn_away`] makes the answers, because a chunk in doubt gets more. Nothing of it may leave.
//! 3. `send` notes each claim with [`journal::note`] before anything of it leaves: without outcomes, or with those that it would have
//!    if the process died then. A kind that sends a few at a time notes steps instead (`steps.rs`), and [`journal::finish`] in the end.
//! 4. Each recipient gets an outcome: taken, taken and ended, refused for good, refused for now, waiting (its turn did not come in
//!    time), or no answer.
//! 5. [`journal::note`] notes the claims again, with their outcomes, those from before too. The answer has the same outcomes.
//!
//! The carrier's object sweeps the journal and tells the reports; a kind does neither. A call may be dropped at any `await`,
//! and what it has in the object's memory must go with it (`Live` in `smpp/mod.rs`, `Begun` in `http/sender.rs`).

use std::collections::BTreeSet;

use super::health::{Health, HealthState};
use super::held_back::HeldBack;
use super::journal::{self, StepsOfChunks, Verdict};
use super::own_row::OwnRow;
use super::request::{HoldScope, Submission};
use super::room::Room;
use super::settings::Member;
use super::submit_counts::SubmitCounts;
use super::{object_of, objects_of, stopped};
use crate::account::record::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::carriers::Carrier;
use crate::durable::Call;
use crate::durable::schema::Step;

/// How long accounts are asked to wait for an earlier call with the same chunk, with what is held back, or with what has expired by
/// this object's clock, ms.
const RUNNING_MS: i64 = 200;
/// How long accounts are asked to leave an object alone that is full, ms.
const FULL_MS: i64 = 60_000;

/// What an object of a kind has in memory, and what it does.
#[allow(
    async_fn_in_trait,
    reason = "the runtime is single-threaded: its futures are not Send"
)]
pub trait Sender: Default {
    /// The members of the settings.
    const MEMBERS: &'static [Member];
    /// The kind's own tables: those that its first step makes.
    const TABLES: &'static [Step] = &[];

    /// Whether what goes to the carrier is encrypted on its way, as its settings say.
    fn is_encrypted(carrier: &Carrier) -> bool;

    /// The name of the object that works for a carrier and an account. A carrier may have several objects that take turns:
    /// `turn` counts the calls.
    fn object_name(carrier: &Carrier, _account: &str, _turn: u64) -> String {
        object_of(&carrier.name, 0)
    }

    /// The names of all objects that serve every account, which operators tell of changes and ask for their health. With
    /// `ever`, those that the carrier does not have at the moment are among them.
    fn object_names(carrier: &Carrier, _ever: bool) -> Vec<String> {
        objects_of(&carrier.name, 1)
    }

    /// Goes on with what the object has learnt.
    fn resume(&self, _now_ms: i64, _: &OwnRow) -> Result<(), PortError> {
        Ok(())
    }

    /// Takes over the newest version of the carrier that the object has seen, before each submission too.
    fn take_over(&self, _: &impl Sql, _now_ms: i64, _: &Carrier) -> Result<(), PortError> {
        Ok(())
    }

    /// Waits for earlier calls, if only their end tells what becomes of the same chunks.
    async fn wait_for_others(&self, _: &impl Platform, _: &Submission) {}

    /// Whether an earlier call, whose caller may be gone, is sending this chunk.
    fn is_running(&self, _now_ms: i64, _account: &str, _: ChunkRef) -> bool {
        false
    }

    /// The steps of a submission's chunks, of a kind that sends them bit by bit.
    fn steps(&self, _: &impl Sql, _: &Submission) -> Result<StepsOfChunks, PortError> {
        Ok(StepsOfChunks::new())
    }

    /// Notes the recipients of a handover that may have left without an answer.
    fn doubt(&self, _: &impl Sql, _now_ms: i64, _account: &str, _: &Handover, _: &Outcomes) -> Result<(), PortError> {
        Ok(())
    }

    /// Why nothing of a submission can be sent now, to so many recipients. `None`: it can. A carrier that operators keep from
    /// sending is not asked.
    fn closed(
        &self,
        _: &impl Sql,
        _now_ms: i64,
        _: &Submission,
        _recipients: usize,
    ) -> Result<Option<Answer>, PortError> {
        Ok(None)
    }

    /// Sends to the recipients of handovers, and answers each of these. Beside a handover stand the outcomes that others of its
    /// chunk had before.
    async fn send(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        submission: &Submission,
        to_send: Vec<(Handover, Outcomes)>,
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError>;

    /// Takes a submission: sends to the recipients that the journal does not know yet.
    async fn submit(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        submission: &Submission,
        (held_back, room): (&HeldBack, &Room),
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        self.wait_for_others(platform, submission).await;
        let now_ms = platform.now_ms();
        let account = submission.account.as_str();
        let (mut answers, mut to_send) = (Vec::with_capacity(submission.handovers.len()), Vec::new());
        let mut to_hold_back = Vec::new();
        let judged = journal::judge(sql, now_ms, submission, self.steps(sql, submission)?)?;
        for (handover, (chunk, verdict)) in submission.handovers.iter().zip(judged) {
            if let Some(before) = verdict.before() {
                self.doubt(sql, now_ms, account, handover, before)?;
            }
            match verdict {
                Verdict::Answer(answer) => answers.push((chunk, answer)),
                Verdict::Send { .. } if self.is_running(now_ms, account, chunk) => {
                    answers.push((chunk, Answer::Busy(now_ms.saturating_add(RUNNING_MS))));
                }
                Verdict::Send { handover, before }
                    if handover.ask_only
                        || handover.has_expired(now_ms)
                        || held_back.covers(sql, submission, &handover)? =>
                {
                    to_hold_back.push((handover, before));
                }
                Verdict::Send { handover, before } => to_send.push((handover, before)),
            }
        }
        if !to_hold_back.is_empty() {
            // Not at once: a claim of the same millisecond would be held back again.
            let wait = Answer::Busy(now_ms.saturating_add(RUNNING_MS));
            answers.extend(journal::turn_away(sql, now_ms, account, to_hold_back, &wait)?);
        }
        if to_send.is_empty() {
            return Ok(answers);
        }
        let recipients = to_send.iter().map(|(handover, _)| handover.recipients.len()).sum();
        let closed = match stopped(&submission.carrier, now_ms) {
            Some(answer) => Some(answer),
            None if room.is_full(sql, recipients)? => Some(Answer::Down(now_ms.saturating_add(FULL_MS))),
            None => self.closed(sql, now_ms, submission, recipients)?,
        };
        answers.extend(match closed {
            Some(answer) => journal::turn_away(sql, now_ms, account, to_send, &answer)?,
            None => self.send(platform, sql, submission, to_send).await?,
        });
        Ok(answers)
    }

    /// Sends nothing more of these that waits for its turn: that is answered as waiting. Gives the accounts of which
    /// something waited.
    fn hold_back(&self, _now_ms: i64, _: &[HoldScope]) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// Ends its work in order and begins none until a time, ms since the Unix epoch: what waits for its turn is answered as waiting. Returns
    /// whether a session or a request is still to end.
    fn stand_down(&self, _now_ms: i64, _until_ms: i64) -> bool {
        false
    }

    /// How the object is.
    fn health(&self, _now_ms: i64) -> Health {
        Health::of(HealthState::Up)
    }

    /// How the carrier has answered since the object began. `None`: the kind does not count that.
    fn submissions(&self) -> Option<SubmitCounts> {
        None
    }

    /// Answers a request that only this kind knows; `None`: it does not know it.
    fn answer(&self, _now_ms: i64, _: &impl Sql, _: &Call<'_>) -> Result<Option<String>, PortError> {
        Ok(None)
    }

    /// Whether there is urgent work that nobody does. The store is not asked.
    fn wants_urgent(&self, _now_ms: i64) -> bool {
        false
    }

    /// Does the urgent work. It may go on for as long as the object lives.
    async fn urgent(&self, _: &impl Platform, _: &impl Sql) {}

    /// Does the chores that are due.
    async fn work(&self, _: &impl Platform, _: &impl Sql) -> Result<(), PortError> {
        Ok(())
    }

    /// When the object is due after a submission, ms since the Unix epoch, if the kind can tell without asking the store what it
    /// has made due. What was due before has set the alarm already. `None`: the store is asked.
    fn due_after_ms(&self, _now_ms: i64, _: &Carrier) -> Option<i64> {
        None
    }

    /// When a chore is due next. A kind with a connection is always due: the alarm wakes an object that the runtime has dropped.
    fn next_due_ms(&self, _now_ms: i64, _: &impl Sql) -> Result<Option<i64>, PortError> {
        Ok(None)
    }
}
