//! The kind `smpp`: it hands messages to an SMSC over SMPP 3.4. Each session has an object of its own.
//!
//! One session is one connection with one window, and an object is one thread with one store: what is noted and what has left can't
//! come apart. More binds are more objects, which share the work by turns. A receipt may come by any session, so an object asks the
//! others for what it does not know.
//!
//! [`Sender::send`] lets the recipients of a call wait for their turn, and waits until each has an outcome. A reconnect loop holds
//! one session after another (`session_loop.rs`), which gives them their turns. It goes on when no call is under way, because reports
//! come at any time. When the runtime drops the object, its alarm begins a new one.
//!
//! The invariant: no recipient is sent to twice. Recipients leave a window at a time, and the journal notes them before. A
//! crash makes those of the last windows `UNKNOWN` that have no answer; the others of their chunk are sent afterwards.

pub mod binds;
mod deliveries;
mod gathered;
mod habit;
mod in_flight;
pub mod inbox;
mod job;
pub mod message_ids;
pub mod open_messages;
pub mod orphan_receipts;
mod parts;
mod pass_through;
pub mod receipts;
pub mod rest;
pub mod seen;
mod send_buffer;
mod sender;
mod session_loop;
mod settings;

use std::collections::BTreeSet;
use std::rc::Rc;

use smpp::window;

use super::doubted::{self, Doubted, digits_of};
use super::health::{Health, HealthState};
use super::journal::{self, StepsOfChunks};
use super::notify::Notify;
use super::request::{CLASS, HoldScope, Submission};
use super::sender::Sender;
use super::settings::{Member, SMPP};
use super::submit_counts::SubmitCounts;
use super::{log_failure, object_of, own_row::OwnRow, steps};
use crate::account::record::chunk::ChunkId;
use crate::account::record::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::carriers::Carrier;
use crate::durable::schema::Step;
use crate::durable::under_way::Mark;
use crate::durable::{Call, Request, requests, to_json};
use job::{Job, QueuedRecipient, TICK_MS};
use message_ids::{Meaning, Told};
use orphan_receipts::{ListDoubted, MOST_ACCOUNTS, TakeLost};
use receipts::ReadReceipts;
use seen::{Came, SwapSeen};
use sender::Phase;
pub use sender::SmppSender;
use session_loop::Ended;
use settings::Settings;

/// How long accounts are asked to leave an object alone that the carrier does not need any more, ms.
const SURPLUS_MS: i64 = 30_000;
/// How long accounts are asked to wait for room in the queue, ms.
const FULL_MS: i64 = 1_000;
/// How long a call waits for a session that is about to stand, ms.
const BIND_WAIT_MS: i64 = 5_000;
/// How long accounts are asked to leave a carrier alone that throttles everything, ms.
const REFUSES_ALL_MS: i64 = 15_000;
/// The first delay before a new session, ms. It doubles each time, up to [`LONGEST_DELAY_MS`].
const FIRST_DELAY_MS: i64 = 1_000;
const LONGEST_DELAY_MS: i64 = 60_000;
/// How often the alarm looks after the session, ms.
const LOOK_AFTER_MS: i64 = 30_000;

requests! {
    CLASS;
    /// An object that has had no submission yet knows none.
    ListDoubted, "ListDoubted" => Option<Doubted>;
    /// What each of them means.
    TakeLost, "TakeLost" => Option<Vec<Meaning>>;
    /// What each of them means. An object that has had no submission yet knows none.
    ReadReceipts, "ReadReceipts" => Option<Vec<Meaning>>;
    /// An object that has had no submission yet has none.
    SwapSeen, "SwapSeen" => Option<Vec<Came>>;
}

/// Chunks count as being sent until this is dropped. What has not left then never leaves.
struct Live<'a> {
    sender: &'a SmppSender,
    jobs: Vec<Rc<Job>>,
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        let mut live = self.sender.live.borrow_mut();
        for job in &self.jobs {
            job.withdraw();
            let is_own = |live: &Rc<Job>| live.chunk.attempt == job.chunk.attempt;
            if live.get(&job.key()).is_some_and(is_own) {
                live.remove(&job.key());
            }
        }
        self.sender.take_out(&self.jobs);
    }
}

/// A delay, or up to a quarter longer: sessions that ended together, also those of other customers of the carrier, must not
/// come back together.
fn jittered(platform: &impl Platform, delay_ms: i64) -> i64 {
    let mut dice = [0; 2];
    // Without randomness all sessions come back at the same time: that is no reason to stay away.
    let _ = platform.random(&mut dice);
    delay_ms.saturating_add(delay_ms.saturating_mul(i64::from(u16::from_be_bytes(dice))) / (4 << 16))
}

impl Sender for SmppSender {
    const MEMBERS: &'static [Member] = SMPP;
    const TABLES: &'static [Step] = &[
        message_ids::TABLES,
        gathered::TABLES,
        steps::TABLES,
        receipts::TABLES,
        rest::TABLES,
        parts::TABLES,
        inbox::TABLES,
        doubted::TABLES,
        seen::TABLES,
    ];

    fn is_encrypted(carrier: &Carrier) -> bool {
        Settings::of(carrier).is_ok_and(|settings| settings.tls)
    }

    /// The calls of all accounts take turns at the sessions.
    fn object_name(carrier: &Carrier, _: &str, turn: u64) -> String {
        object_of(&carrier.name, turn % binds::binds_of(carrier))
    }

    fn object_names(carrier: &Carrier, ever: bool) -> Vec<String> {
        binds::names(carrier, ever)
    }

    fn resume(&self, now_ms: i64, row: &OwnRow) -> Result<(), PortError> {
        self.name.replace(row.name.clone());
        self.binds.replace(row.binds.read()?);
        self.observed.resume(row.health.read()?);
        self.open.borrow_mut().resume(now_ms, row.part_reports.read()?);
        Ok(())
    }

    /// A session with the old version ends. A change may have mended what was wrong.
    fn take_over(&self, sql: &impl Sql, now_ms: i64, carrier: &Carrier) -> Result<(), PortError> {
        let is_same = self.carrier.borrow().as_ref().is_some_and(|known| **known == *carrier);
        if !is_same {
            self.binds.borrow_mut().note(sql, now_ms, binds::binds_of(carrier))?;
            let names = binds::names(carrier, false);
            self.is_surplus.set(!names.contains(&self.name.borrow()));
            if self.carrier.replace(Some(Rc::new(carrier.clone()))).is_some() {
                self.observed.circuit.succeed();
            }
            self.observed.keep(sql, now_ms)?;
            let part_reports = Settings::of(carrier).unwrap_or_default().part_reports;
            self.open.borrow_mut().set(part_reports);
            self.failures.set(0);
            self.notify.ring();
        }
        Ok(())
    }

    async fn wait_for_others(&self, platform: &impl Platform, submission: &Submission) {
        let account: Rc<str> = submission.account.as_str().into();
        let is_live = |handover: &Handover| {
            let (message, number) = handover.chunk.id();
            let live = self.live.borrow();
            let job = live.get(&(Rc::clone(&account), message, number));
            job.is_some_and(|job| platform.now_ms() <= job.last_ms())
        };
        while submission.handovers.iter().any(is_live) {
            platform.sleep(TICK_MS).await;
        }
    }

    fn doubt(
        &self,
        sql: &impl Sql,
        now_ms: i64,
        account: &str,
        handover: &Handover,
        outcomes: &Outcomes,
    ) -> Result<(), PortError> {
        doubted::note(sql, now_ms, account, handover, outcomes)
    }

    fn steps(&self, sql: &impl Sql, submission: &Submission) -> Result<StepsOfChunks, PortError> {
        let chunks: Vec<ChunkId> = submission
            .handovers
            .iter()
            .map(|handover| handover.chunk.id())
            .collect();
        self.steps.borrow_mut().of(sql, &submission.account, &chunks)
    }

    fn closed(
        &self,
        _: &impl Sql,
        now_ms: i64,
        submission: &Submission,
        recipients: usize,
    ) -> Result<Option<Answer>, PortError> {
        let has_room = self.queue.borrow().has_room(submission.priority, recipients);
        Ok(if self.stands_down(now_ms) {
            Some(Answer::Busy(now_ms.saturating_add(FULL_MS)))
        } else if self.in_service(now_ms).is_none() {
            Some(Answer::Down(now_ms.saturating_add(SURPLUS_MS)))
        } else if let Some(until_ms) = self.observed.circuit.open_until(now_ms) {
            Some(Answer::Down(until_ms))
        } else if let Phase::Waiting(until_ms) = self.phase.get()
            && until_ms > now_ms.saturating_add(BIND_WAIT_MS)
        {
            Some(Answer::Down(until_ms))
        } else if self.refuses_all_ms.get() > now_ms {
            // Accounts take a longer wait for a carrier that is down: its backup takes the messages.
            Some(Answer::Busy(now_ms.saturating_add(REFUSES_ALL_MS)))
        } else {
            (!has_room).then(|| Answer::Busy(now_ms.saturating_add(FULL_MS)))
        })
    }

    /// Lets the recipients wait for their turn, and waits until each has an outcome.
    async fn send(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        submission: &Submission,
        to_send: Vec<(Handover, Outcomes)>,
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        let notify = Rc::new(Notify::default());
        let live = self.begin(platform.now_ms(), submission, to_send, &notify);
        self.wait(platform, submission.valid_until_ms, &live.jobs, &notify)
            .await;
        self.finish(sql, platform.now_ms(), submission, &live.jobs)
    }

    /// What is about to leave stays too: the session looks at once.
    fn hold_back(&self, _: i64, held: &[HoldScope]) -> BTreeSet<String> {
        let live = self.live.borrow();
        let jobs = live.values().filter(|job| {
            let covers = |held: &HoldScope| held.covers(&job.account, job.chunk.id(), &job.handover.line);
            held.iter().any(covers)
        });
        let jobs: Vec<&Rc<Job>> = jobs.collect();
        jobs.iter().for_each(|job| job.hold_back());
        self.notify.ring();
        jobs.iter().map(|job| job.account.to_string()).collect()
    }

    fn stand_down(&self, now_ms: i64, until_ms: i64) -> bool {
        self.stands_down_ms.set(until_ms);
        self.live.borrow().values().for_each(|job| job.hold_back());
        self.notify.ring();
        // A session that is not bound yet has sent nothing, and will not.
        self.is_at_work(now_ms) && matches!(self.phase.get(), Phase::Bound(_))
    }

    fn submissions(&self) -> Option<SubmitCounts> {
        Some(self.observed.submissions())
    }

    fn health(&self, now_ms: i64) -> Health {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let queue = self.queue.borrow();
        let oldest_ms = queue.oldest().map(|recipient| recipient.since_ms).min();
        let waited_ms = oldest_ms.map_or(0, |since_ms| now_ms.saturating_sub(since_ms));
        let health = self.observed.health(
            now_ms,
            match self.phase.get() {
                Phase::Bound(_) => HealthState::Up,
                Phase::Connecting | Phase::Idle => HealthState::Connecting,
                Phase::Waiting(_) => HealthState::Down,
            },
        );
        Health {
            state: match self.carrier.borrow().as_deref() {
                Some(Carrier { active: false, .. }) => HealthState::Inactive,
                Some(Carrier { paused: true, .. }) => HealthState::Paused,
                _ => health.state,
            },
            in_window: count(self.in_window.get()),
            queued: count(queue.len()),
            oldest_queued_seconds: u32::try_from(waited_ms / 1_000).unwrap_or(0),
            part_reports: self.open.borrow().known(),
            ..health
        }
    }

    /// Tells another session what its receipts mean and which accounts are in doubt here, and swaps what may come again.
    fn answer(&self, now_ms: i64, sql: &impl Sql, call: &Call<'_>) -> Result<Option<String>, PortError> {
        match call.request.as_ref() {
            ListDoubted::NAME => {
                let ListDoubted(digits) = call.body()?;
                to_json(&Some(self.doubted(sql, &digits)?)).map(Some)
            }
            ReadReceipts::NAME => self.read_receipts(now_ms, sql, call.body()?).map(Some),
            TakeLost::NAME => self.take_lost(now_ms, sql, call.body()?).map(Some),
            SwapSeen::NAME => {
                let SwapSeen(came) = call.body()?;
                let own = match self.phase.get() {
                    Phase::Bound(_) => Vec::new(),
                    Phase::Idle | Phase::Connecting | Phase::Waiting(_) => seen::last(sql, now_ms)?,
                };
                self.seen.borrow_mut().add(sql, now_ms, came)?;
                to_json(&Some(own)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Whether a reconnect loop is to begin.
    fn wants_urgent(&self, now_ms: i64) -> bool {
        self.in_service(now_ms).is_some() && !self.is_at_work(now_ms)
    }

    /// Runs the reconnect loop: one session after another, for as long as the carrier is in service.
    async fn urgent(&self, platform: &impl Platform, sql: &impl Sql) {
        let Some(reconnect_loop) = self.begin_reconnect_loop(platform.now_ms()) else {
            return;
        };
        while let Some(carrier) = self.in_service(platform.now_ms()) {
            let open_until = self.observed.circuit.open_until(platform.now_ms()).unwrap_or(0);
            self.pause(platform, &carrier, open_until, &reconnect_loop.mark).await;
            if self.is_changed(platform.now_ms(), &carrier) {
                continue;
            }
            let ended = self.next_session(platform, sql, &carrier, &reconnect_loop.mark).await;
            if !reconnect_loop.mark.show(platform.now_ms()) {
                return;
            }
            // The reconnect loop goes on: a new one would not wait before it tries again.
            let ended = ended.unwrap_or_else(|error| Ended::NotStored(error.to_string()));
            let until_ms = self.after(platform, &carrier, ended);
            if let Err(error) = self.observed.keep_all(sql, platform.now_ms()) {
                log_failure(
                    platform,
                    &carrier.name,
                    "how the carrier does is not stored",
                    &error.to_string(),
                );
            }
            self.pause(platform, &carrier, until_ms, &reconnect_loop.mark).await;
        }
    }

    /// Forgets what is old, ends long messages of which no more parts are reported, and hands over messages from phones while no session does.
    async fn work(&self, platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
        let now_ms = platform.now_ms();
        message_ids::sweep(sql, now_ms)?;
        doubted::sweep(sql, now_ms)?;
        gathered::end_quiet(sql, now_ms, &mut self.open.borrow_mut())?;
        self.steps.borrow_mut().sweep(sql, now_ms)?;
        self.rests.borrow_mut().end_old(sql, now_ms)?;
        let carrier = self.carrier.borrow().clone();
        if let Some(carrier) = carrier.filter(|_| !self.is_at_work(platform.now_ms())) {
            inbox::hand_over(platform, sql, &carrier.name).await?;
        }
        Ok(())
    }

    /// While the carrier is in service, the alarm looks after the reconnect loop.
    fn next_due_ms(&self, now_ms: i64, sql: &impl Sql) -> Result<Option<i64>, PortError> {
        let is_needed = self.in_service(now_ms).is_some() || self.stands_down(now_ms);
        let look_after = is_needed.then(|| now_ms.saturating_add(LOOK_AFTER_MS));
        let messages = if self.is_at_work(now_ms) {
            None
        } else {
            inbox::next_due_ms(sql)?
        };
        let steps = self.steps.borrow().sweep_due_ms();
        let open = self.open.borrow().due_ms();
        let rests = self.rests.borrow_mut().due_ms(sql)?;
        let due = [
            look_after,
            messages,
            steps,
            open,
            rests,
            message_ids::sweep_due_ms(sql)?,
        ];
        Ok(due.into_iter().flatten().min())
    }
}

impl SmppSender {
    fn settings(&self) -> Settings {
        let carrier = self.carrier.borrow().clone();
        let settings = carrier.and_then(|carrier| Settings::of(&carrier).ok());
        settings.unwrap_or_default()
    }

    fn read_receipts(&self, now_ms: i64, sql: &impl Sql, told: ReadReceipts) -> Result<String, PortError> {
        let ReadReceipts(told) = told;
        let ids = self.settings().report_ids;
        let open = &mut self.open.borrow_mut();
        to_json(&Some(message_ids::read(sql, now_ms, ids, open, &told)?))
    }

    /// Takes receipts of parts whose answers are lost, one after another, so that each is a part of its own. One that comes again is known.
    fn take_lost(&self, now_ms: i64, sql: &impl Sql, lost: TakeLost) -> Result<String, PortError> {
        let (settings, open) = (self.settings(), &mut self.open.borrow_mut());
        let ids = settings.report_ids;
        let mut meanings = Vec::new();
        for (told, owner, parts) in lost.0 {
            let among = vec![owner.clone()];
            let told = Told { among, ..told };
            let one = std::slice::from_ref(&told);
            let mut meaning = message_ids::read(sql, now_ms, ids, open, one)?;
            if meaning.contains(&Meaning::Unknown) {
                message_ids::keep_lost(sql, now_ms, ids, &told, (&owner, settings.messages_of(parts)))?;
                meaning = message_ids::read(sql, now_ms, ids, open, one)?;
            }
            meanings.extend(meaning);
        }
        to_json(&Some(meanings))
    }

    /// Runs a session, and sees to it that the carrier's other objects know how it has ended.
    async fn next_session(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        carrier: &Rc<Carrier>,
        mark: &Mark,
    ) -> Result<Ended, PortError> {
        // Who can not store how the last session has ended can not store what the next one brings.
        self.observed.keep_all(sql, platform.now_ms())?;
        // An object that begins anew does not know how its last session has ended.
        if !self.has_told_end.replace(false) {
            self.swap_seen(platform, sql, carrier).await?;
        }
        let ended = session_loop::session(self, platform, sql, Rc::clone(carrier), mark).await?;
        if mark.show(platform.now_ms()) {
            if matches!(ended, Ended::Lost(_) | Ended::Cut(_)) {
                self.swap_seen(platform, sql, carrier).await?;
            }
            self.has_told_end.set(true);
        }
        Ok(ended)
    }

    /// The messages with recipients of numbers that end so whose answers may be missing: lost ones, and those that are on their way. Of a
    /// chunk that nobody has handed over again since a crash, the numbers are not known.
    fn doubted(&self, sql: &impl Sql, digits: &[u64]) -> Result<Doubted, PortError> {
        let mut doubted = doubted::find(sql, digits)?;
        let live = self.live.borrow();
        for job in live.values() {
            let ends = job.handover.recipients.iter().map(|(_, msisdn)| digits_of(*msisdn));
            let wanted = ends.filter(|ends| digits.contains(ends));
            wanted.for_each(|ends| doubted.add(ends, &job.account, job.chunk.message));
        }
        let is_live: BTreeSet<(&str, ChunkId)> = live.values().map(|job| (&*job.account, job.chunk.id())).collect();
        for (account, chunk) in self.steps.borrow_mut().open(sql)? {
            if !is_live.contains(&(account, chunk)) && doubted.others.len() <= MOST_ACCOUNTS {
                doubted.others.insert(account.to_owned());
            }
        }
        Ok(doubted)
    }

    /// Swaps with the carrier's other objects which messages from phones may come again.
    async fn swap_seen(&self, platform: &impl Platform, sql: &impl Sql, carrier: &Carrier) -> Result<(), PortError> {
        let now_ms = platform.now_ms();
        let (others, own) = (self.others(now_ms), seen::last(sql, now_ms)?);
        let came = seen::swap(platform, &carrier.name, &others, own).await;
        self.seen.borrow_mut().add(sql, platform.now_ms(), came)
    }

    /// Lets recipients wait for their turn.
    fn begin(
        &self,
        now_ms: i64,
        submission: &Submission,
        to_send: Vec<(Handover, Outcomes)>,
        notify: &Rc<Notify>,
    ) -> Live<'_> {
        let account: Rc<str> = submission.account.as_str().into();
        let job = |(handover, before)| {
            let until_ms = submission.valid_until_ms;
            Job::new(Rc::clone(&account), until_ms, handover, before, Rc::clone(notify))
        };
        let jobs: Vec<Rc<Job>> = to_send.into_iter().map(job).collect();
        let recipients: Vec<QueuedRecipient> = jobs.iter().flat_map(|job| job.recipients(now_ms)).collect();
        let mut live = self.live.borrow_mut();
        for job in &jobs {
            live.insert(job.key(), Rc::clone(job));
        }
        // The room was there a moment ago, without anything in between.
        if self
            .queue
            .borrow_mut()
            .push(submission.priority, &account, recipients)
            .is_err()
        {
            jobs.iter().for_each(|job| job.withdraw());
        }
        self.notify.ring();
        Live { sender: self, jobs }
    }

    /// Takes the recipients out of the queue that were taken back: they would take the room of others.
    fn take_out(&self, jobs: &[Rc<Job>]) {
        if jobs.iter().filter(|job| job.is_left_waiting.take()).count() > 0 {
            let mut queue = self.queue.borrow_mut();
            queue.retain(|recipient| recipient.job.is_waiting(recipient.index));
        }
    }

    /// Waits until all recipients have outcomes, or until there can be none any more.
    async fn wait(&self, platform: &impl Platform, until_ms: i64, jobs: &[Rc<Job>], notify: &Notify) {
        let began_ms = platform.now_ms();
        let last_ms = job::last_ms(until_ms);
        while !jobs.iter().all(|job| job.has_ended()) {
            notify.heard_or(platform.sleep(TICK_MS)).await;
            let now_ms = platform.now_ms();
            let is_bound = matches!(self.phase.get(), Phase::Bound(_));
            let is_over = now_ms > until_ms || (!is_bound && now_ms >= began_ms.saturating_add(BIND_WAIT_MS));
            let over = jobs.iter().filter(|job| is_over || now_ms > job.until_ms);
            over.for_each(|job| job.withdraw());
            self.take_out(jobs);
            if now_ms > last_ms {
                return;
            }
        }
    }

    /// Notes the outcomes of chunks, and answers them.
    fn finish(
        &self,
        sql: &impl Sql,
        now_ms: i64,
        submission: &Submission,
        jobs: &[Rc<Job>],
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        let in_doubt: BTreeSet<ChunkRef> = jobs
            .iter()
            .filter(|job| job.handover.doubt_ms.is_some())
            .map(|job| job.chunk)
            .collect();
        let outcomes: Vec<(ChunkRef, Outcomes)> = jobs.iter().map(|job| (job.chunk, job.close())).collect();
        // Of most chunks, the turn that brought the last outcome has noted them.
        let open = jobs.iter().zip(&outcomes).filter(|(job, _)| !job.is_noted.get());
        let claims: Vec<(ChunkRef, &Outcomes)> = open.map(|(_, (chunk, outcomes))| (*chunk, outcomes)).collect();
        for (job, (_, outcomes)) in jobs.iter().zip(&outcomes).filter(|(job, _)| !job.is_noted.get()) {
            doubted::note(sql, now_ms, &job.account, &job.handover, outcomes)?;
        }
        journal::finish(sql, now_ms, &submission.account, &claims)?;
        let ended = claims.iter().map(|(chunk, _)| chunk.id());
        self.steps.borrow_mut().end(&submission.account, ended);
        let is_bound = matches!(self.phase.get(), Phase::Bound(_));
        let newest = self.carrier.borrow().clone();
        let stopped = newest.and_then(|carrier| super::stopped(&carrier, now_ms));
        let stands_down = || Answer::Busy(now_ms.saturating_add(FULL_MS));
        let stopped = stopped.or_else(|| self.stands_down(now_ms).then(stands_down));
        let answer = |(chunk, outcomes): (ChunkRef, Outcomes)| {
            let has_only_waited = Outcomes {
                waiting: Vec::new(),
                ..outcomes.clone()
            } == Outcomes::default();
            if has_only_waited && !in_doubt.contains(&chunk) && !is_bound && now_ms <= submission.valid_until_ms {
                (chunk, stopped.clone().unwrap_or(Answer::Down(self.next_try_ms(now_ms))))
            } else {
                (chunk, Answer::Outcomes(outcomes))
            }
        };
        Ok(outcomes.into_iter().map(answer).collect())
    }

    /// When the next session may stand, ms since the Unix epoch.
    fn next_try_ms(&self, now_ms: i64) -> i64 {
        let next_ms = match self.phase.get() {
            Phase::Waiting(until_ms) => until_ms,
            _ => now_ms.saturating_add(BIND_WAIT_MS),
        };
        self.observed.circuit.open_until(now_ms).unwrap_or(0).max(next_ms)
    }

    /// What follows from the end of a session. Returns when the next one may begin.
    fn after(&self, platform: &impl Platform, carrier: &Carrier, ended: Ended) -> i64 {
        let now_ms = platform.now_ms();
        self.note_end(now_ms, !matches!(ended, Ended::NotStored(_)));
        let why = match ended {
            Ended::Unbound => return now_ms,
            Ended::WrongLogin(why) => {
                // Only people can mend it; a change of the settings is tried at once.
                self.observed.circuit.open(now_ms);
                why
            }
            Ended::Failed(why) | Ended::Lost(why) | Ended::NotStored(why) => {
                self.observed.circuit.fail_to_connect(now_ms);
                why
            }
            Ended::Cut(why) => {
                self.observed.breaks.set(window::one_more(self.observed.breaks.get()));
                self.observed.circuit.fail(now_ms);
                why
            }
        };
        self.observed.note_error(now_ms, &why);
        log_failure(platform, &carrier.name, "a session has ended", &why);
        let failures = self.failures.get();
        self.failures.set(failures.saturating_add(1));
        let delay_ms = (FIRST_DELAY_MS << failures.min(10)).min(LONGEST_DELAY_MS);
        let open_until = self.observed.circuit.open_until(now_ms).unwrap_or(0);
        now_ms.saturating_add(jittered(platform, delay_ms.max(open_until.saturating_sub(now_ms))))
    }

    /// Waits until the next session may begin, or until the carrier is changed.
    async fn pause(&self, platform: &impl Platform, carrier: &Rc<Carrier>, until_ms: i64, mark: &Mark) {
        while platform.now_ms() < until_ms && !self.is_changed(platform.now_ms(), carrier) {
            self.phase.set(Phase::Waiting(until_ms));
            let wait_ms = until_ms.saturating_sub(platform.now_ms()).min(LOOK_AFTER_MS / 3);
            self.notify.heard_or(platform.sleep(wait_ms)).await;
            if !mark.show(platform.now_ms()) {
                return;
            }
        }
    }
}
