//! A chunk while it is being sent: which of its recipients wait for their turn, and what became of the others.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use smpp::encode::{self, Part};
use smpp::pdu::Address;
use smpp::session::RESPONSE_TIMEOUT_MS;

use super::settings::Settings;
use crate::account::record::chunk::handover::{ChunkRef, Handover, Outcomes};
use crate::account::record::message::delivery_error::Cause;
use crate::carrier::notify::Notify;

/// What became of a recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The carrier took it, and gave it this id.
    Taken(String),
    /// The carrier refused it for good.
    Refused(Cause),
    /// The carrier refused it for now.
    NotNow,
    /// It did not leave.
    Waiting,
    /// The carrier may have it.
    NoAnswer,
}

impl End {
    pub fn add_to(self, outcomes: &mut Outcomes, index: u32) {
        match self {
            End::Taken(id) => outcomes.taken.push((index, id)),
            End::Refused(cause) => outcomes.refused.push((index, cause)),
            End::NotNow => outcomes.not_now.push(index),
            End::Waiting => outcomes.waiting.push(index),
            End::NoAnswer => outcomes.no_answer.push(index),
        }
    }
}

/// A chunk: account, message and number.
pub type ChunkKey = (Rc<str>, i64, u32);

/// A chunk that is being sent.
#[derive(Debug)]
pub struct Job {
    pub account: Rc<str>,
    pub chunk: ChunkRef,
    /// Until when its recipients may leave, ms since the Unix epoch: no longer than its call and its message last.
    pub until_ms: i64,
    pub handover: Handover,
    outcomes: RefCell<Outcomes>,
    /// The recipients that wait for their turn.
    waiting: RefCell<BTreeSet<u32>>,
    /// The recipients that have had their turn, and no outcome yet.
    on_the_way: RefCell<BTreeSet<u32>>,
    /// Whether nothing of it may leave any more.
    pub is_withdrawn: Cell<bool>,
    /// Whether only recipients may leave of whom the carrier has been sent a part.
    pub is_held_back: Cell<bool>,
    /// Whether the journal has its outcomes, which are all there are then.
    pub is_noted: Cell<bool>,
    /// Whether recipients that have no turn any more may stand in the queue.
    pub is_left_waiting: Cell<bool>,
    /// The parts of the text, if all recipients get the same.
    parts: OnceCell<Rc<[Part]>>,
    sender: OnceCell<Address>,
    /// Rings when the job has ended.
    notify: Rc<Notify>,
}

/// A recipient that waits for its turn.
#[derive(Debug, Clone)]
pub struct QueuedRecipient {
    pub job: Rc<Job>,
    pub index: u32,
    pub msisdn: u64,
    /// Since when it waits, ms since the Unix epoch.
    pub since_ms: i64,
}

/// How often a call that waits looks at the clock, ms.
pub const TICK_MS: i64 = 500;

/// When the recipients of a call have outcomes at the latest: those that left last have waited for their answers.
pub fn last_ms(until_ms: i64) -> i64 {
    until_ms.saturating_add(RESPONSE_TIMEOUT_MS + TICK_MS)
}

impl Job {
    /// A job, with the outcomes that other recipients of the chunk had before.
    pub fn new(account: Rc<str>, until_ms: i64, handover: Handover, before: Outcomes, notify: Rc<Notify>) -> Rc<Job> {
        let ends_ms = handover.expires_ms.map(|expires_ms| expires_ms.saturating_sub(1));
        let until_ms = ends_ms.map_or(until_ms, |ends_ms| ends_ms.min(until_ms));
        Rc::new(Job {
            account,
            chunk: handover.chunk,
            until_ms,
            waiting: RefCell::new(handover.recipients.iter().map(|(index, _)| *index).collect()),
            on_the_way: RefCell::default(),
            outcomes: RefCell::new(before),
            is_withdrawn: Cell::new(false),
            is_held_back: Cell::new(false),
            is_noted: Cell::new(false),
            is_left_waiting: Cell::new(false),
            parts: OnceCell::new(),
            sender: OnceCell::new(),
            handover,
            notify,
        })
    }

    /// Its chunk, whatever the claim.
    pub fn key(&self) -> ChunkKey {
        (Rc::clone(&self.account), self.chunk.message, self.chunk.number)
    }

    /// When its recipients have outcomes at the latest, ms since the Unix epoch.
    pub fn last_ms(&self) -> i64 {
        last_ms(self.until_ms)
    }

    /// Its recipients, to wait for their turn.
    pub fn recipients(self: &Rc<Self>, now_ms: i64) -> impl Iterator<Item = QueuedRecipient> {
        let recipients = self.handover.recipients.iter();
        recipients.map(move |(index, msisdn)| QueuedRecipient {
            job: Rc::clone(self),
            index: *index,
            msisdn: *msisdn,
            since_ms: now_ms,
        })
    }

    /// A recipient has its turn. `false`: it must not leave any more.
    pub fn begin(&self, index: u32, now_ms: i64) -> bool {
        if now_ms > self.until_ms {
            self.withdraw();
        }
        let begins = self.waiting.borrow_mut().remove(&index);
        if begins {
            self.on_the_way.borrow_mut().insert(index);
        }
        begins
    }

    /// Whether recipients that have had their turn, but have not left, may still leave.
    pub fn may_leave(&self, now_ms: i64) -> bool {
        !self.is_withdrawn.get() && now_ms <= self.until_ms
    }

    /// Whether a recipient waits for its turn.
    pub fn is_waiting(&self, index: u32) -> bool {
        self.waiting.borrow().contains(&index)
    }

    /// Whether a recipient has had its turn, and no outcome yet.
    pub fn awaits(&self, index: u32) -> bool {
        self.on_the_way.borrow().contains(&index)
    }

    /// A recipient that had its turn has an outcome.
    pub fn end(&self, index: u32, end: End) {
        if self.on_the_way.borrow_mut().remove(&index) {
            end.add_to(&mut self.outcomes.borrow_mut(), index);
            self.ring_if_ended();
        }
    }

    /// All outcomes of the job, if nobody is without one after these ends.
    pub fn outcomes_with(&self, ends: &BTreeMap<u32, &End>) -> Option<Outcomes> {
        let is_open = |index| !ends.contains_key(index);
        if !self.waiting.borrow().is_empty() || self.on_the_way.borrow().iter().any(is_open) {
            return None;
        }
        let mut outcomes = self.outcomes.borrow().clone();
        for (index, end) in ends {
            End::clone(end).add_to(&mut outcomes, *index);
        }
        Some(outcomes)
    }

    /// Takes back all that wait for their turn.
    pub fn withdraw(&self) {
        self.is_withdrawn.set(true);
        self.take_back();
    }

    /// Takes back all that wait for their turn, and those that have had it of whom no part was sent.
    pub fn hold_back(&self) {
        self.is_held_back.set(true);
        self.take_back();
    }

    fn take_back(&self) {
        let waiting = self.waiting.take();
        if !waiting.is_empty() {
            self.is_left_waiting.set(true);
            self.outcomes.borrow_mut().waiting.extend(waiting);
            self.ring_if_ended();
        }
    }

    /// Whether all its recipients have an outcome.
    pub fn has_ended(&self) -> bool {
        self.waiting.borrow().is_empty() && self.on_the_way.borrow().is_empty()
    }

    /// Ends it: what has no outcome yet got no answer.
    pub fn close(&self) -> Outcomes {
        self.withdraw();
        let on_the_way = self.on_the_way.take();
        let mut outcomes = self.outcomes.borrow().clone();
        outcomes.no_answer.extend(on_the_way);
        outcomes
    }

    fn ring_if_ended(&self) {
        if self.has_ended() {
            self.notify.ring();
        }
    }

    /// The parts that a recipient gets. The parts of one message share a number; those of the next message to the same
    /// recipient have another one.
    pub fn parts(&self, index: u32, settings: &Settings) -> Rc<[Part]> {
        let encode = |text: &str| -> Rc<[Part]> {
            let [.., reference] = self.chunk.message.to_be_bytes();
            encode::parts(text, settings.long_messages, reference, settings.default_coding()).into()
        };
        if self.handover.texts.is_empty() {
            Rc::clone(self.parts.get_or_init(|| encode(&self.handover.text)))
        } else {
            encode(&self.handover.text_for(index))
        }
    }

    /// How long the carrier is to try, in seconds: for as long as its settings say, and no longer than the message lasts.
    pub fn validity_seconds(&self, settings: &Settings, now_ms: i64) -> Option<u32> {
        let own = settings.validity_seconds.filter(|seconds| *seconds > 0);
        let left = self.handover.seconds_left(now_ms);
        own.into_iter().chain(left).min()
    }

    pub fn sender(&self, settings: &Settings) -> &Address {
        self.sender
            .get_or_init(|| encode::sender(&self.handover.line, settings.source_ton, settings.source_npi))
    }
}
