//! What is on the way through one session: recipients, their parts, and the answers to them.
//!
//! A recipient is taken when all its parts are. Invariant: a part that the carrier may have is never sent again. So
//! - a part that was throttled goes again through the same session, until the time of its chunk is over;
//! - a recipient of which the carrier has taken some parts and refused others is `taken`, and reported as undelivered;
//! - a recipient of which the carrier has taken some parts and others have not left is `taken`, and the rest goes on (`rest.rs`);
//! - a part without an answer makes its recipient one without an answer.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use smpp::encode::{Part, validity};
use smpp::status::{self, Meaning};
use smpp::window::Window;
use smpp::{pdu::Submit, receipt::stored_id, session::Session};

use super::job::{End, Job, QueuedRecipient};
use super::message_ids::{self, Taken};
use super::open_messages::Key;
use super::rest::{self, Rest, Rests};
use super::send_buffer::SendBuffer;
use super::settings::Settings;
use crate::account::chunk::reports::DeliveryReport;
use crate::account::record::chunk::handover::{Handover, Outcomes};
use crate::account::record::message::delivery_error::{Cause, DeliveryError};
use crate::account::record::message::priority::Priority;
use crate::account::record::message::status::RecipientStatus;
use crate::carrier::submit_counts::{SubmitAnswer, SubmitCounts};
use crate::carrier::{fair_queue::FairQueue, journal::Progress};
use crate::carrier::{learned_rate::Sent, steps::ChunkStep, throttle::Throttle};

/// Messages without an answer whose late answers are still understood.
const LOST_KEPT: usize = 1_000;
/// One of so many places of the window stays free for urgent messages, so that a code behind a campaign seldom waits for an answer.
const RESERVED: usize = 10;
/// How long the places stay free after an urgent message, ms. Where none comes, a campaign has the whole window.
const RESERVED_MS: i64 = 60_000;

/// What is to be stored after a turn, before anything else leaves.
#[derive(Debug, Default)]
pub struct Notes {
    /// Parts that the carrier has taken.
    pub taken: Vec<Taken>,
    /// What became of recipients, and which ones are about to leave.
    pub steps: Vec<(Rc<Job>, Progress)>,
    /// Recipients that have an outcome. Their jobs hear of it when it is stored.
    ended: Vec<(QueuedRecipient, End)>,
    /// Reports that follow without a receipt.
    pub reports: Vec<(Rc<str>, DeliveryReport)>,
    /// The rests of texts that were cut.
    pub cut: Vec<Rest>,
    /// The rests that go on, with their rows.
    pub gone_on: Vec<(i64, String, Handover)>,
    /// Messages whose rests have left as a whole, with how many parts they have, and their recipients' numbers.
    pub whole: Vec<((Key, u8), u64)>,
    /// Messages without an answer for a part, for which the carrier has answered late that it took it: none is missing any more.
    pub answered: Vec<(Key, u8)>,
    /// Messages whose last part has its answer, and of which the carrier has taken a part.
    pub messages: u32,
    /// Parts that the carrier has taken, or refused for good.
    pub successes: u32,
    /// Parts that it refused for now, or did not answer.
    pub failures: u32,
    pub failure: Option<String>,
    /// How the carrier has answered parts.
    pub answers: SubmitCounts,
}

impl Notes {
    /// Whether there is nothing to store.
    pub fn is_empty(&self) -> bool {
        let is_settled = self.taken.is_empty() && self.steps.is_empty() && self.reports.is_empty();
        let has_rests = !self.cut.is_empty() || !self.gone_on.is_empty() || !self.whole.is_empty();
        is_settled && !has_rests && self.answered.is_empty()
    }

    /// Lets `change` change the step of a job.
    fn step(&mut self, job: &Rc<Job>, change: impl FnOnce(&mut Progress)) {
        match self.steps.iter_mut().find(|(of, _)| Rc::ptr_eq(of, job)) {
            Some((_, progress)) => change(progress),
            None => {
                let mut progress = Progress::default();
                change(&mut progress);
                self.steps.push((Rc::clone(job), progress));
            }
        }
    }

    /// Those of the jobs with steps of which nobody is without an outcome any more, each with all its outcomes; and the steps of
    /// the others. Only a job that `may_end` counts as one that has ended.
    pub fn sorted(&self, may_end: impl Fn(&Job) -> bool) -> (Vec<(&Rc<Job>, Outcomes)>, Vec<ChunkStep<'_>>) {
        let mut ends: BTreeMap<*const Job, BTreeMap<u32, &End>> = BTreeMap::new();
        for (recipient, end) in &self.ended {
            let of_job = ends.entry(Rc::as_ptr(&recipient.job)).or_default();
            of_job.insert(recipient.index, end);
        }
        let (mut ended, mut open) = (Vec::new(), Vec::new());
        for (job, progress) in &self.steps {
            let outcomes = ends
                .remove(&Rc::as_ptr(job))
                .filter(|_| may_end(job))
                .and_then(|ends| job.outcomes_with(&ends));
            match outcomes {
                Some(outcomes) => ended.push((job, outcomes)),
                None => open.push(ChunkStep::of(&job.account, job.chunk, progress.clone())),
            }
        }
        (ended, open)
    }

    /// Tells the jobs what became of recipients, after all that the notes say is stored. So whoever the account hears was taken has
    /// a way back for its receipt.
    pub fn tell_jobs(&mut self) {
        for (recipient, end) in self.ended.drain(..) {
            recipient.job.end(recipient.index, end);
        }
    }
}

/// A recipient that has had its turn.
#[derive(Debug)]
struct Trip {
    recipient: QueuedRecipient,
    is_urgent: bool,
    destination: String,
    parts: Rc<[Part]>,
    /// Whether it is the rest of a text that was cut.
    is_rest: bool,
    /// Until when its rest may leave if its text is cut, ms since the Unix epoch.
    ends_ms: i64,
    state: RefCell<TripState>,
}

impl Trip {
    /// The message, and how many parts it has.
    fn message(&self) -> (Key, u8) {
        let QueuedRecipient { job, index, .. } = &self.recipient;
        let parts = u8::try_from(self.parts.len()).unwrap_or(u8::MAX);
        ((job.account.to_string(), job.chunk.message, *index), parts)
    }
}

/// What became of the parts of a recipient so far.
#[derive(Debug, Default)]
struct TripState {
    /// Parts without an ending.
    open: usize,
    /// The carrier's id of the first part that it took.
    taken: Option<String>,
    /// Why a part was refused.
    refused: Option<Cause>,
    /// How many parts have no answer.
    unclear: usize,
    is_delayed: bool,
    /// The numbers of the parts that never left.
    left: Vec<usize>,
}

impl TripState {
    /// Whether all parts have left, and the carrier has answered that it took them.
    fn is_whole(&self) -> bool {
        self.taken.is_some() && self.unclear == 0 && self.refused.is_none() && !self.is_delayed && self.left.is_empty()
    }
}

/// What became of a part.
enum PartEnd {
    Taken(String),
    Refused(Cause),
    NotNow,
    NoAnswer,
    Stayed,
}

/// A part of a recipient: the number counts from 0.
#[derive(Debug, Clone)]
struct Leg {
    trip: Rc<Trip>,
    number: usize,
}

#[derive(Debug)]
pub struct InFlight {
    settings: Rc<Settings>,
    pub(super) pace: Throttle,
    pub(super) window: Window,
    /// Parts that were sent and wait for their answers.
    flights: BTreeMap<u32, (Leg, Sent)>,
    /// Parts that are about to leave.
    buffer: SendBuffer<Leg>,
    /// Parts whose answers were given up.
    lost: BTreeMap<u32, Leg>,
    /// Whether the carrier has said that it does not see us as bound.
    pub(super) is_unbound: bool,
    /// Until when places are reserved for urgent messages, ms since the Unix epoch.
    reserved_until_ms: i64,
}

impl InFlight {
    /// A session that begins. `learned` is what the carrier was seen to take, in thousandths of a message a second; `breaks`
    /// are those of earlier sessions, for the window.
    pub fn of(settings: Rc<Settings>, learned: Option<i64>, breaks: u32, now_ms: i64) -> Self {
        InFlight {
            pace: Throttle::of(settings.throughput_per_second, learned, now_ms),
            window: Window::of(settings.window, breaks),
            settings,
            flights: BTreeMap::new(),
            buffer: SendBuffer::default(),
            lost: BTreeMap::new(),
            is_unbound: false,
            reserved_until_ms: 0,
        }
    }

    pub fn in_window(&self) -> usize {
        self.flights.len()
    }

    pub fn is_ready(&self) -> bool {
        !self.buffer.is_empty()
    }

    pub fn answered(&mut self, now_ms: i64, sequence: u32, code: u32, id: &str, notes: &mut Notes) {
        let Some((leg, sent)) = self.flights.remove(&sequence) else {
            return self.answered_late(sequence, code, id, notes);
        };
        self.window.grow();
        let meaning = status::of_submit(code);
        let ms = now_ms.saturating_sub(sent.at_ms());
        notes.answers.note(answer_of(&meaning), ms);
        match meaning {
            Meaning::Taken => {
                self.pace.take(now_ms);
                notes.successes += 1;
                notes.taken.extend(self.taken(&leg, id));
                self.end(&leg, PartEnd::Taken(id.to_owned()), notes);
            }
            Meaning::Refused(error) => {
                self.pace.take(now_ms);
                notes.successes += 1;
                let cause = Cause::new(message_ids::error_of(error), Some(&status::name(code)));
                self.end(&leg, PartEnd::Refused(cause), notes);
                self.keep_back(|other| Rc::ptr_eq(&other.trip, &leg.trip), notes);
            }
            Meaning::NotNow if leg.trip.parts.len() == 1 => {
                notes.failures += 1;
                notes.failure = Some(status::name(code));
                self.end(&leg, PartEnd::NotNow, notes);
            }
            Meaning::NotBound => {
                self.is_unbound = true;
                self.buffer.put_back(leg.trip.is_urgent, leg);
            }
            Meaning::Throttled | Meaning::NotNow => {
                self.pace.throttle(now_ms, sent);
                self.buffer.put_back(leg.trip.is_urgent, leg);
            }
        }
    }

    /// The answer to a message came after it was given up: its recipient is `UNKNOWN`, but its report will be understood. If no
    /// other part is without an answer, what the carrier reports of some parts is enough again.
    fn answered_late(&mut self, sequence: u32, code: u32, id: &str, notes: &mut Notes) {
        let Some(leg) = self.lost.remove(&sequence) else {
            return;
        };
        if status::of_submit(code) != Meaning::Taken {
            return;
        }
        notes.taken.extend(self.taken(&leg, id));
        let mut state = leg.trip.state.borrow_mut();
        state.unclear = state.unclear.saturating_sub(1);
        if leg.trip.parts.len() > 1 && state.open == 0 && state.is_whole() {
            match leg.trip.is_rest {
                true => notes.whole.push((leg.trip.message(), leg.trip.recipient.msisdn)),
                false => notes.answered.push(leg.trip.message()),
            }
        }
    }

    fn taken(&self, leg: &Leg, id: &str) -> Option<Taken> {
        let id = stored_id(id, self.settings.report_ids);
        let job = &leg.trip.recipient.job;
        let parts = u8::try_from(leg.trip.parts.len()).unwrap_or(u8::MAX);
        let number = u8::try_from(leg.number).unwrap_or(u8::MAX);
        let row = (
            id,
            job.account.to_string(),
            job.chunk.message,
            leg.trip.recipient.index,
            number,
            parts,
            leg.trip.recipient.msisdn,
        );
        (!row.0.is_empty()).then_some(row)
    }

    /// A message got no answer in time.
    pub fn unanswered(&mut self, sequence: u32, notes: &mut Notes) {
        if let Some((leg, _)) = self.flights.remove(&sequence) {
            notes.failures += 1;
            notes.failure = Some("no answer in time".to_owned());
            notes.answers.note(SubmitAnswer::None, 0);
            self.end(&leg, PartEnd::NoAnswer, notes);
            self.lost.insert(sequence, leg);
            if self.lost.len() > LOST_KEPT {
                self.lost.pop_first();
            }
        }
    }

    /// A message did not leave after all.
    pub fn stayed(&mut self, sequence: u32, notes: &mut Notes) {
        if let Some((leg, _)) = self.flights.remove(&sequence) {
            self.end(&leg, PartEnd::Stayed, notes);
        }
    }

    pub fn close(&mut self, notes: &mut Notes) {
        for (leg, _) in std::mem::take(&mut self.flights).into_values() {
            notes.answers.note(SubmitAnswer::None, 0);
            self.end(&leg, PartEnd::NoAnswer, notes);
        }
        self.keep_back(|_| true, notes);
    }

    /// Ends without a store. What has not left stays; those that the carrier has taken have no way back for their receipts, so
    /// their jobs do not hear of it.
    pub fn abandon(&mut self, session: &mut Session, mut notes: Notes) {
        for sequence in session.take_back() {
            self.stayed(sequence, &mut notes);
        }
        self.keep_back(|_| true, &mut notes);
        notes.ended.retain(|(_, end)| !matches!(end, End::Taken(_)));
        notes.tell_jobs();
    }

    /// Drops the parts whose time is over, and those of recipients that are held back: unless a part of theirs was sent, because
    /// half a message helps nobody.
    pub fn expire(&mut self, now_ms: i64, notes: &mut Notes) {
        let whole = self.held_back_whole();
        self.keep_back(
            |leg| !leg.trip.recipient.job.may_leave(now_ms) || whole.contains(&Rc::as_ptr(&leg.trip)),
            notes,
        );
    }

    /// The recipients that are held back and of whom all parts are ready.
    fn held_back_whole(&self) -> BTreeSet<*const Trip> {
        let mut ready: BTreeMap<*const Trip, usize> = BTreeMap::new();
        let held = self
            .buffer
            .iter()
            .filter(|leg| leg.trip.recipient.job.is_held_back.get());
        for leg in held.clone() {
            *ready.entry(Rc::as_ptr(&leg.trip)).or_default() += 1;
        }
        let whole = held.filter(|leg| ready.get(&Rc::as_ptr(&leg.trip)) == Some(&leg.trip.parts.len()));
        whole.map(|leg| Rc::as_ptr(&leg.trip)).collect()
    }

    /// These parts, which have not left, stay.
    fn keep_back(&mut self, stays: impl Fn(&Leg) -> bool, notes: &mut Notes) {
        for leg in self.buffer.take_out(stays) {
            self.end(&leg, PartEnd::Stayed, notes);
        }
    }

    /// Takes recipients whose turn it is, as many as the window and the pace have room for. They are noted as leaving. Urgent
    /// ones go before parts that are ready, so these take no room from them.
    pub fn fill(&mut self, now_ms: i64, queue: &mut FairQueue<QueuedRecipient>, at_most: usize, notes: &mut Notes) {
        let has_urgent = queue.len_of(Priority::Urgent) > 0;
        if self.pace.allows(now_ms) == 0 || (!has_urgent && self.may_wait()) {
            return;
        }
        loop {
            let is_urgent = queue.len_of(Priority::Urgent) > 0;
            if is_urgent {
                self.reserved_until_ms = now_ms.saturating_add(RESERVED_MS);
            }
            let room = self
                .room(now_ms, is_urgent)
                .min(at_most.saturating_sub(self.buffer.len()));
            if room == 0 {
                return;
            }
            let Some(recipient) = queue.pop() else {
                return;
            };
            if recipient.job.begin(recipient.index, now_ms) {
                self.make_ready(now_ms, recipient, is_urgent, notes);
            }
        }
    }

    /// A few recipients at a time would cost a note each. While most of the window is under way, or while others are ready that
    /// the pace keeps back, they can wait.
    fn may_wait(&self) -> bool {
        let used = self.flights.len().saturating_add(self.buffer.len());
        let free = self.window.size().saturating_sub(used);
        let is_paced = self.pace.ahead() < self.window.size();
        free.saturating_mul(4) < self.window.size() || (is_paced && !self.buffer.is_empty())
    }

    /// How many parts more may be made ready.
    fn room(&self, now_ms: i64, is_urgent: bool) -> usize {
        let before = if is_urgent {
            self.buffer.len_of_urgent()
        } else {
            self.buffer.len()
        };
        let free = self.free(now_ms, is_urgent).saturating_sub(before);
        free.min(self.pace.ahead().saturating_sub(before))
    }

    /// How many places of the window are free.
    fn free(&self, now_ms: i64, is_urgent: bool) -> usize {
        let size = self.window.size();
        let is_reserved = !is_urgent && now_ms < self.reserved_until_ms;
        let reserved = if is_reserved { size / RESERVED } else { 0 };
        size.saturating_sub(self.flights.len()).saturating_sub(reserved)
    }

    /// Goes on with rests, as [`fill`](Self::fill) takes recipients. They are noted as gone.
    pub fn go_on(&mut self, now_ms: i64, rests: &mut Rests, at_most: usize, notes: &mut Notes) {
        while self.room(now_ms, false).min(at_most.saturating_sub(self.buffer.len())) > 0
            && let Some((row, rest)) = rests.pop()
        {
            notes.gone_on.push((row, rest.account.clone(), rest.handover.clone()));
            if rest.ends_ms > now_ms {
                self.ready_rest(now_ms, rest);
            } else {
                notes.cut.push(rest);
            }
        }
    }

    fn ready_rest(&mut self, now_ms: i64, rest: Rest) {
        let (account, ends_ms) = (rest.account.as_str().into(), rest.ends_ms);
        let job = Job::new(account, ends_ms, rest.handover, Outcomes::default(), Rc::default());
        let Some(recipient) = job.recipients(now_ms).next() else {
            return;
        };
        let trip = Rc::new(Trip {
            is_urgent: false,
            destination: recipient.msisdn.to_string(),
            state: RefCell::new(TripState {
                open: rest.left.len(),
                taken: Some(String::new()),
                unclear: usize::from(rest.is_unclear),
                ..TripState::default()
            }),
            recipient,
            parts: rest.parts.into(),
            is_rest: true,
            ends_ms,
        });
        for number in rest.left {
            let trip = Rc::clone(&trip);
            self.buffer.push(false, Leg { trip, number });
        }
    }

    fn make_ready(&mut self, now_ms: i64, recipient: QueuedRecipient, is_urgent: bool, notes: &mut Notes) {
        notes.step(&recipient.job, |step| step.leaving.push(recipient.index));
        let parts = recipient.job.parts(recipient.index, &self.settings);
        let trip = Rc::new(Trip {
            is_urgent,
            destination: recipient.msisdn.to_string(),
            state: RefCell::new(TripState {
                open: parts.len(),
                ..TripState::default()
            }),
            ends_ms: rest::ends_ms(now_ms, &recipient.job.handover),
            recipient,
            parts,
            is_rest: false,
        });
        for number in 0..trip.parts.len() {
            let trip = Rc::clone(&trip);
            self.buffer.push(is_urgent, Leg { trip, number });
        }
    }

    /// Sends what is ready, as far as the window and the pace have room. What it sends was noted before.
    pub fn send(&mut self, now_ms: i64, session: &mut Session) {
        let mut allowed = self.pace.allows(now_ms);
        while allowed > 0 && session.is_bound() {
            let is_urgent = self.buffer.len_of_urgent() > 0;
            if self.free(now_ms, is_urgent) == 0 {
                return;
            }
            let Some(leg) = self.buffer.pop() else {
                return;
            };
            let Some(part) = leg.trip.parts.get(leg.number) else {
                continue;
            };
            let job = &leg.trip.recipient.job;
            let submit = Submit {
                source: job.sender(&self.settings),
                destination: &leg.trip.destination,
                esm_class: part.esm_class,
                validity: &validity(job.validity_seconds(&self.settings, now_ms)),
                data_coding: part.data_coding,
                short_message: &part.short_message,
                tlvs: &part.tlvs,
            };
            let sequence = session.submit(now_ms, &submit);
            let sent = self.pace.spend(now_ms);
            self.flights.insert(sequence, (leg, sent));
            allowed -= 1;
        }
    }

    /// A part has an ending. The last one decides what became of the recipient.
    fn end(&self, leg: &Leg, end: PartEnd, notes: &mut Notes) {
        let mut state = leg.trip.state.borrow_mut();
        state.open = state.open.saturating_sub(1);
        match end {
            PartEnd::Taken(id) => drop(state.taken.get_or_insert(id)),
            PartEnd::Refused(cause) => drop(state.refused.get_or_insert(cause)),
            PartEnd::NotNow => state.is_delayed = true,
            PartEnd::NoAnswer => state.unclear += 1,
            PartEnd::Stayed => state.left.push(leg.number),
        }
        if state.open == 0 {
            conclude(&leg.trip, &mut state, notes);
        }
    }
}

/// An answer as it is counted.
fn answer_of(meaning: &Meaning) -> SubmitAnswer {
    match meaning {
        Meaning::Taken => SubmitAnswer::Taken,
        Meaning::Refused(_) => SubmitAnswer::Refused,
        Meaning::NotBound | Meaning::Throttled | Meaning::NotNow => SubmitAnswer::NotNow,
    }
}

/// Notes what became of a recipient.
fn conclude(trip: &Trip, state: &mut TripState, notes: &mut Notes) {
    let recipient = &trip.recipient;
    let rest = rest_of(trip, state);
    let is_incomplete = rest.is_none() && (state.refused.is_some() || state.is_delayed || !state.left.is_empty());
    // Who was sent a rest was counted before.
    let is_first = recipient.job.awaits(recipient.index);
    if trip.is_rest && rest.is_none() && state.is_whole() {
        notes.whole.push((trip.message(), recipient.msisdn));
    }
    notes.cut.extend(rest);
    let end = match (&state.taken, &state.refused) {
        _ if state.unclear > 0 => End::NoAnswer,
        (Some(id), refused) => {
            if is_incomplete {
                let cause = refused.clone().unwrap_or(DeliveryError::CarrierError.into());
                notes.reports.push((
                    Rc::clone(&recipient.job.account),
                    DeliveryReport {
                        is_presumed: false,
                        message: recipient.job.chunk.message,
                        status: RecipientStatus::Undelivered,
                        indexes: vec![recipient.index],
                        cause: Some(cause),
                    },
                ));
            }
            End::Taken(id.clone())
        }
        (None, Some(cause)) => End::Refused(cause.clone()),
        _ if state.is_delayed => End::NotNow,
        _ => End::Waiting,
    };
    if is_first && matches!(end, End::Taken(_)) {
        notes.messages += 1;
    }
    if is_first {
        notes.ended.push((recipient.clone(), end.clone()));
        notes.step(&recipient.job, |step| {
            end.add_to(step.outcomes.get_or_insert_with(Outcomes::default), recipient.index);
        });
    }
}

/// The parts that never left of a text of which the carrier has a part, unless it refused another. A text with a secret is not
/// stored here, so it has no rest.
fn rest_of(trip: &Trip, state: &mut TripState) -> Option<Rest> {
    let QueuedRecipient { job, index, msisdn, .. } = &trip.recipient;
    let goes_on = state.taken.is_some() && state.refused.is_none() && !state.left.is_empty();
    if !goes_on || job.handover.is_secret_for(*index) {
        return None;
    }
    state.left.sort_unstable();
    Some(Rest {
        account: job.account.to_string(),
        handover: job.handover.only(*index, *msisdn),
        parts: trip.parts.to_vec(),
        left: std::mem::take(&mut state.left),
        ends_ms: trip.ends_ms,
        is_unclear: state.unclear > 0,
    })
}
