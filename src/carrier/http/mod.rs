//! The kind `http`: it hands messages to a gateway over HTTP. One object serves the whole carrier, with up to six requests
//! under way.
//!
//! The invariant: no recipient is sent to twice. Before recipients leave, the journal notes a few of them as having got no
//! answer and the others as waiting; when an answer comes, the note says what became of them. A crash
//! - before that note costs nothing,
//! - after it makes those few recipients `UNKNOWN`, whether they had left or not; the others are sent afterwards.
//!
//! A request that failed without an answer may have arrived: its recipient gets no second request. So that a gateway that is
//! gone costs few recipients, a message leaves only if the gateway has answered within the last ten seconds and nothing has failed
//! since. Otherwise a probe goes first, which names no recipient.

pub mod gateway;
pub mod run;
pub mod settings;
pub mod state;

use std::rc::Rc;

use super::health::Health;
use super::journal::{self, Verdict as Judged};
use super::settings::{HTTP, Member};
use super::submission::Submission;
use crate::account::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::carriers::Carrier;
use crate::durable::Call;
use run::Run;
use settings::Means;
pub use state::Sender;

/// The members of the settings.
pub const MEMBERS: &[Member] = HTTP;
/// How long accounts are asked to wait while the carrier can't be used, ms.
const DOWN_MS: i64 = 30_000;
/// How long accounts are asked to wait for a free place, ms.
const BUSY_MS: i64 = 200;

/// One object serves the whole carrier.
pub fn object_name(carrier: &Carrier, _account: &str, _turn: u64) -> String {
    carrier.name.clone()
}

/// The object that serves all accounts.
pub fn object_names(carrier: &Carrier, _ever: bool) -> Vec<String> {
    vec![carrier.name.clone()]
}

/// The kind has no tables of its own.
pub fn open(_: &impl Sql) -> Result<(), PortError> {
    Ok(())
}

impl Sender {
    /// Sends to the recipients that the journal does not know yet, as many as there is time and room for.
    pub async fn submit(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        submission: &Submission,
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        let now_ms = platform.now_ms();
        self.take_over(&submission.carrier);
        let mut answers = Vec::with_capacity(submission.handovers.len());
        let mut to_send: Vec<(Handover, Outcomes)> = Vec::new();
        for (chunk, judged) in journal::judge(sql, now_ms, submission)? {
            match judged {
                Judged::Answer(answer) => answers.push((chunk, answer)),
                // An earlier call is still sending them: its caller may be gone.
                Judged::Send { .. } if self.is_running(now_ms, &submission.account, chunk) => {
                    answers.push((chunk, Answer::Busy(now_ms.saturating_add(BUSY_MS))));
                }
                Judged::Send { handover, before } => to_send.push((handover, before)),
            }
        }
        if to_send.is_empty() {
            return Ok(answers);
        }
        if let Some(answer) = self.closed(now_ms, submission) {
            answers.extend(journal::turn_away(sql, now_ms, &submission.account, to_send, &answer)?);
            return Ok(answers);
        }
        let means = match Means::of(platform, &submission.carrier) {
            Ok(means) => means,
            Err(why) => {
                self.note_error(now_ms, &why);
                let answer = Answer::Down(now_ms.saturating_add(DOWN_MS));
                answers.extend(journal::turn_away(sql, now_ms, &submission.account, to_send, &answer)?);
                return Ok(answers);
            }
        };
        let mut run = Run::new(submission, to_send, now_ms);
        let _running = self.begin(Rc::clone(&run.running));
        self.send_all(platform, sql, &means, &mut run).await?;
        answers.extend(run.finish(sql, platform.now_ms())?);
        Ok(answers)
    }

    /// Why nothing of a submission can be sent now. `None`: it can.
    fn closed(&self, now_ms: i64, submission: &Submission) -> Option<Answer> {
        if let Some(answer) = self.stopped(now_ms) {
            return Some(answer);
        }
        if let Some(until_ms) = self.circuit.open_until(now_ms) {
            return Some(Answer::Down(until_ms));
        }
        if let Some(until_ms) = self.throttled_until(now_ms) {
            return Some(Answer::Busy(until_ms));
        }
        match self.has_room(now_ms, &submission.account, submission.priority) {
            true => None,
            false => {
                self.want_room(now_ms, &submission.account, submission.priority);
                Some(Answer::Busy(now_ms.saturating_add(BUSY_MS)))
            }
        }
    }

    /// Takes over a newer version of the carrier: what it says counts at once.
    pub async fn configure(&self, _: &impl Platform, _: &impl Sql, carrier: &Carrier) -> Result<(), PortError> {
        self.take_over(carrier);
        Ok(())
    }

    /// How the object is.
    pub fn health(&self, now_ms: i64) -> Health {
        self.describe(now_ms)
    }

    /// No request is known to this kind only.
    pub fn answer(&self, _: i64, _: &impl Sql, _: &Call<'_>) -> Result<Option<String>, PortError> {
        Ok(None)
    }

    /// The kind has no urgent work.
    pub fn wants_urgent(&self, _: i64) -> bool {
        false
    }

    /// The kind has no urgent work.
    pub async fn urgent(&self, _: &impl Platform, _: &impl Sql) -> Result<bool, PortError> {
        Ok(false)
    }

    /// The kind has no chores.
    pub async fn work(&self, _: &impl Platform, _: &impl Sql) -> Result<(), PortError> {
        Ok(())
    }

    /// The kind has no chores.
    pub fn next_due_ms(&self, _: i64, _: &impl Sql) -> Result<Option<i64>, PortError> {
        Ok(None)
    }
}
