//! The kind `http`: it hands messages to a gateway over HTTP. As many objects share its messages as the setting `objects` says, each
//! with up to `window` requests under way.
//!
//! The invariant: no recipient is sent to twice. Before recipients leave, the journal notes a few of them as having got no
//! answer and the others as waiting; when an answer comes, the note says what became of them. A crash
//! - before that note costs nothing,
//! - after it makes those few recipients `UNKNOWN`, whether they had left or not; the others are sent afterwards.
//!
//! A request that failed without an answer may have arrived: its recipient gets no second request. So that a gateway that is
//! gone costs few recipients, a message leaves only if the gateway has answered within the last ten seconds and nothing has failed
//! since. Otherwise a probe goes first, which names no recipient.

mod gateway;
mod run;
mod sender;
mod settings;

use std::collections::BTreeSet;
use std::rc::Rc;

use super::health::{Health, HealthState};
use super::request::{HoldScope, Submission};
use super::sender::Sender;
use super::settings::{HTTP, Member};
use super::submit_counts::SubmitCounts;
use super::{journal, own_row::OwnRow, throttle::Throttle};
use crate::account::record::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::carriers::Carrier;
use run::Run;
pub use sender::HttpSender;
use sender::Running;
use settings::{Means, Settings};

/// How long accounts are asked to wait while the carrier can't be used, ms.
const DOWN_MS: i64 = 30_000;
/// How long accounts are asked to wait for a free place, ms.
const BUSY_MS: i64 = 200;

impl Sender for HttpSender {
    const MEMBERS: &'static [Member] = HTTP;

    fn is_encrypted(carrier: &Carrier) -> bool {
        Settings::of(carrier).is_ok_and(|settings| settings.url.starts_with("https://"))
    }

    /// The calls of all accounts take turns at the objects.
    fn object_name(carrier: &Carrier, _: &str, turn: u64) -> String {
        super::object_of(&carrier.name, turn % settings::objects_of(carrier))
    }

    fn object_names(carrier: &Carrier, ever: bool) -> Vec<String> {
        let objects = if ever {
            super::most_objects()
        } else {
            settings::objects_of(carrier)
        };
        super::objects_of(&carrier.name, objects)
    }

    fn resume(&self, now_ms: i64, row: &OwnRow) -> Result<(), PortError> {
        self.observed.resume(row.health.read()?);
        let learned = self.observed.learned.get();
        self.pace.replace(Throttle::of(None, learned, now_ms));
        Ok(())
    }

    /// A change may have mended what was wrong, so the circuit closes.
    fn take_over(&self, sql: &impl Sql, now_ms: i64, carrier: &Carrier) -> Result<(), PortError> {
        let before = self.carrier.borrow().as_ref().map(|before| before.version);
        if before == Some(carrier.version) {
            return Ok(());
        }
        self.window.set(Settings::of(carrier).map(|settings| settings.window));
        self.carrier.replace(Some(carrier.clone()));
        if before.is_none() {
            return Ok(());
        }
        self.observed.circuit.succeed();
        self.observed.throttled_ms.set(0);
        self.answered_ms.set(0);
        self.observed.keep(sql, now_ms)
    }

    fn is_running(&self, now_ms: i64, account: &str, chunk: ChunkRef) -> bool {
        let is_it = |run: &Rc<Running>| run.account == account && run.places.contains_key(&chunk.id());
        self.running.count(now_ms, is_it) > 0
    }

    fn closed(
        &self,
        _: &impl Sql,
        now_ms: i64,
        submission: &Submission,
        recipients: usize,
    ) -> Result<Option<Answer>, PortError> {
        if let Some(until_ms) = self.observed.circuit.open_until(now_ms) {
            return Ok(Some(Answer::Down(until_ms)));
        }
        if let Some(until_ms) = self.throttled_until(now_ms) {
            return Ok(Some(Answer::Busy(until_ms)));
        }
        let has_room = now_ms >= self.stands_down_ms.get() && self.has_room(now_ms, submission.priority, recipients);
        Ok((!has_room).then(|| Answer::Busy(now_ms.saturating_add(BUSY_MS))))
    }

    /// Sends to as many recipients as there is time and room for.
    async fn send(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        submission: &Submission,
        to_send: Vec<(Handover, Outcomes)>,
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        let now_ms = platform.now_ms();
        let means = match Means::of(platform, &submission.carrier) {
            Ok(means) => means,
            Err(why) => {
                self.observed.note_error(now_ms, &why);
                self.observed.keep(sql, now_ms)?;
                let answer = Answer::Down(now_ms.saturating_add(DOWN_MS));
                return journal::turn_away(sql, now_ms, &submission.account, to_send, &answer);
            }
        };
        let mut run = Run::new(submission, to_send, now_ms);
        let _running = self.begin(Rc::clone(&run.running));
        self.send_all(platform, sql, &means, &mut run).await?;
        let answers = run.finish(sql, platform.now_ms())?;
        self.observed.keep(sql, platform.now_ms())?;
        Ok(answers)
    }

    /// What else its call has is answered as waiting too, and comes again at once.
    fn hold_back(&self, now_ms: i64, held: &[HoldScope]) -> BTreeSet<String> {
        let mut among = self.running.alive(now_ms);
        among.retain(|run| run.is_among(held));
        among.iter().for_each(|run| run.hold_back());
        among.iter().map(|run| run.account.clone()).collect()
    }

    fn stand_down(&self, now_ms: i64, until_ms: i64) -> bool {
        self.stands_down_ms.set(until_ms);
        self.running.alive(now_ms).iter().for_each(|run| run.hold_back());
        self.requests.any(now_ms)
    }

    fn submissions(&self) -> Option<SubmitCounts> {
        Some(self.observed.submissions())
    }

    fn health(&self, now_ms: i64) -> Health {
        let running = self.running.alive(now_ms);
        let waiting = running
            .iter()
            .filter(|run| run.queued.get() > 0)
            .map(|run| run.began_ms)
            .min();
        // What has failed may work again, but nobody has seen it yet.
        let state = if self.observed.circuit.awaits_a_try() {
            HealthState::Down
        } else {
            HealthState::Up
        };
        let oldest_s = waiting.map_or(0, |began_ms| now_ms.saturating_sub(began_ms) / 1_000);
        Health {
            in_window: u32::try_from(self.requests.count(now_ms, |()| true)).unwrap_or(u32::MAX),
            queued: running.iter().map(|run| run.queued.get()).sum(),
            oldest_queued_seconds: u32::try_from(oldest_s).unwrap_or_default(),
            ..self.observed.health(now_ms, state)
        }
    }
}
