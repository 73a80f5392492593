//! One bind to an SMSC, without its network: octets and the time go in, octets and events come out.
//!
//! Invariants: each `submit_sm` ends in one event [`Event::Answered`], [`Event::Unanswered`] or [`Event::Stayed`], unless the
//! session ends before; a `deliver_sm` is answered only when its owner says so; after [`Event::Closed`] nothing more is sent.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::frame::Frames;
use super::pdu::{self, Bind, Deliver, Header, RESPONSE, Submit, command};
use super::status;

/// How long a bind may take, ms.
pub const BIND_TIMEOUT_MS: i64 = 10_000;
/// How long a `submit_sm` waits for its response, ms.
pub const RESPONSE_TIMEOUT_MS: i64 = 8_000;
/// After so long without a word from the peer, we ask whether it is alive, ms.
pub const ENQUIRE_AFTER_MS: i64 = 30_000;
/// How long it may take to answer that, ms.
pub const ENQUIRE_TIMEOUT_MS: i64 = 10_000;
/// How long the end of a session may take, ms.
pub const UNBIND_TIMEOUT_MS: i64 = 5_000;
/// How long a peer that unbinds waits for its own responses, ms.
const PEER_DRAIN_MS: i64 = 2_000;
/// The last sequence number that the protocol allows.
const LAST_SEQUENCE: u32 = 0x7FFF_FFFF;

/// What happened in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The peer has accepted the bind: messages may be sent.
    Bound,
    /// The peer has answered a `submit_sm`.
    Answered {
        /// The number of the `submit_sm`.
        sequence: u32,
        /// 0, or why it was not taken.
        status: u32,
        /// The carrier's id.
        id: String,
        /// Whether the session had given the response up before.
        is_late: bool,
    },
    /// The peer has not answered a `submit_sm` in time. It may have the message.
    Unanswered {
        /// The number of the `submit_sm`.
        sequence: u32,
    },
    /// A `submit_sm` has waited too long for the connection to take it: nothing of it has left, and nothing will.
    Stayed {
        /// The number of the `submit_sm`.
        sequence: u32,
    },
    /// The peer has a receipt or a message for us, and waits for [`Session::confirm`].
    Delivered {
        /// The number of the `deliver_sm` or `data_sm`.
        sequence: u32,
        /// What it says.
        deliver: Box<Deliver>,
    },
    /// The peer has sent a `deliver_sm` or `data_sm` that can't be read. It was refused.
    Garbled,
    /// The session has ended. What was not answered may have been taken.
    Closed(Reason),
}

/// Why a session has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The peer has refused the bind, with this status.
    Refused(u32),
    /// The peer did not answer the bind.
    NoBind,
    /// The peer did not answer `enquire_link`.
    Silent,
    /// The peer has sent what is no SMPP, or has understood nothing of what we sent.
    Garbage,
    /// The peer has unbound.
    PeerUnbound,
    /// The peer has closed the connection, or it broke.
    Lost,
    /// We have unbound.
    Unbound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Binding,
    Bound,
    /// We shall unbind when all is answered.
    Draining {
        until_ms: i64,
    },
    /// We have unbound, and wait for the answer.
    Unbinding {
        until_ms: i64,
    },
    /// The peer has unbound; we answer when it has answered what we sent, or later.
    PeerUnbinding {
        sequence: u32,
        until_ms: i64,
    },
    Closed,
}

/// A PDU that is to be sent.
#[derive(Debug)]
struct Unsent {
    /// The number of a `submit_sm`.
    submit: Option<u32>,
    octets: Vec<u8>,
}

/// One bind.
#[derive(Debug)]
pub struct Session {
    stage: Stage,
    frames: Frames,
    /// What nobody has taken out yet: nothing of it has left.
    output: VecDeque<Unsent>,
    last_sequence: u32,
    /// When each `submit_sm` that waits for its response was sent.
    outstanding: BTreeMap<u32, i64>,
    /// The `data_sm` that wait for our response.
    data: BTreeSet<u32>,
    /// When we began to bind.
    began_ms: i64,
    /// When the peer has last sent something.
    heard_ms: i64,
    /// When we have asked whether the peer is alive, and it has not sent anything since.
    enquired_ms: Option<i64>,
}

impl Session {
    /// Begins to bind.
    pub fn begin(now_ms: i64, bind: &Bind) -> Session {
        let mut session = Session {
            stage: Stage::Binding,
            frames: Frames::default(),
            output: VecDeque::new(),
            last_sequence: 0,
            outstanding: BTreeMap::new(),
            data: BTreeSet::new(),
            began_ms: now_ms,
            heard_ms: now_ms,
            enquired_ms: None,
        };
        let sequence = session.next_sequence();
        session.say(None, |octets| pdu::write_bind(octets, sequence, bind));
        session
    }

    /// Whether messages may be sent.
    pub fn is_bound(&self) -> bool {
        self.stage == Stage::Bound
    }

    /// Whether the session has ended. What is in the output is still to be sent.
    pub fn is_closed(&self) -> bool {
        self.stage == Stage::Closed
    }

    /// How many `submit_sm` wait for their responses.
    pub fn outstanding(&self) -> usize {
        self.outstanding.len()
    }

    /// Whether something is to be sent.
    pub fn has_output(&self) -> bool {
        !self.output.is_empty()
    }

    /// Takes out what is to be sent next: whole PDUs, as many as it takes to reach so many octets. What is taken out counts as
    /// sent.
    pub fn take_output(&mut self, octets: usize) -> Vec<u8> {
        let mut taken = Vec::new();
        while taken.len() < octets
            && let Some(unsent) = self.output.pop_front()
        {
            taken.extend(unsent.octets);
        }
        taken
    }

    /// Takes back each `submit_sm` that nobody has taken out. Returns their numbers.
    pub fn take_back(&mut self) -> BTreeSet<u32> {
        let stay: BTreeSet<u32> = self.output.iter().filter_map(|unsent| unsent.submit).collect();
        self.output.retain(|unsent| unsent.submit.is_none());
        self.outstanding.retain(|sequence, _| !stay.contains(sequence));
        stay
    }

    fn say(&mut self, submit: Option<u32>, write: impl FnOnce(&mut Vec<u8>)) {
        let mut octets = Vec::new();
        write(&mut octets);
        self.output.push_back(Unsent { submit, octets });
    }

    /// Says what has no body but perhaps an id.
    fn say_plain(&mut self, command: u32, status: u32, sequence: u32, id: Option<&str>) {
        self.say(None, |octets| pdu::write_plain(octets, command, status, sequence, id));
    }

    /// Sends a message. Returns its number. The caller looks after the window.
    pub fn submit(&mut self, now_ms: i64, submit: &Submit<'_>) -> u32 {
        let sequence = self.next_sequence();
        self.say(Some(sequence), |octets| pdu::write_submit(octets, sequence, submit));
        self.outstanding.insert(sequence, now_ms);
        sequence
    }

    /// Answers a `deliver_sm` or a `data_sm`: what it said is safe, or the status says why not.
    pub fn confirm(&mut self, sequence: u32, status: u32) {
        let command = if self.data.remove(&sequence) {
            command::DATA_SM_RESP
        } else {
            command::DELIVER_SM_RESP
        };
        if !self.is_closed() {
            self.say_plain(command, status, sequence, Some(""));
        }
    }

    /// Ends the session as soon as all messages are answered.
    pub fn unbind(&mut self, now_ms: i64) {
        if matches!(self.stage, Stage::Binding | Stage::Bound) {
            self.stage = Stage::Draining {
                until_ms: now_ms.saturating_add(RESPONSE_TIMEOUT_MS),
            };
        }
    }

    /// Takes octets that the peer has sent.
    pub fn receive(&mut self, now_ms: i64, bytes: &[u8], events: &mut Vec<Event>) {
        self.heard_ms = now_ms;
        self.enquired_ms = None;
        self.frames.push(bytes);
        let mut frames = std::mem::take(&mut self.frames);
        while !self.is_closed() {
            match frames.take() {
                Ok(Some(frame)) => self.take(now_ms, frame.header, frame.body, events),
                Ok(None) => break,
                Err(_) => {
                    self.say_plain(command::GENERIC_NACK, status::BAD_LENGTH, 0, None);
                    self.close(Reason::Garbage, events);
                }
            }
        }
        self.frames = frames;
    }

    /// The connection has ended.
    pub fn lose(&mut self, events: &mut Vec<Event>) {
        let reason = match self.stage {
            Stage::Unbinding { .. } => Reason::Unbound,
            Stage::PeerUnbinding { .. } => Reason::PeerUnbound,
            _ => Reason::Lost,
        };
        self.close(reason, events);
    }

    /// Does what is due by the clock.
    pub fn tick(&mut self, now_ms: i64, events: &mut Vec<Event>) {
        self.give_up_responses(now_ms, events);
        match self.stage {
            Stage::Binding if now_ms >= self.began_ms.saturating_add(BIND_TIMEOUT_MS) => {
                self.close(Reason::NoBind, events);
            }
            Stage::Draining { until_ms } if self.outstanding.is_empty() || now_ms >= until_ms => {
                let sequence = self.next_sequence();
                self.say_plain(command::UNBIND, 0, sequence, None);
                self.stage = Stage::Unbinding {
                    until_ms: now_ms.saturating_add(UNBIND_TIMEOUT_MS),
                };
            }
            Stage::Unbinding { until_ms } if now_ms >= until_ms => self.close(Reason::Unbound, events),
            Stage::PeerUnbinding { sequence, until_ms } if self.outstanding.is_empty() || now_ms >= until_ms => {
                self.say_plain(command::UNBIND_RESP, 0, sequence, None);
                self.close(Reason::PeerUnbound, events);
            }
            _ => self.enquire(now_ms, events),
        }
    }

    /// When something is due by the clock.
    pub fn due_ms(&self) -> i64 {
        let of_stage = match self.stage {
            Stage::Binding => self.began_ms.saturating_add(BIND_TIMEOUT_MS),
            Stage::Draining { .. } | Stage::PeerUnbinding { .. } if self.outstanding.is_empty() => 0,
            Stage::Draining { until_ms } | Stage::Unbinding { until_ms } | Stage::PeerUnbinding { until_ms, .. } => {
                until_ms
            }
            Stage::Bound | Stage::Closed => i64::MAX,
        };
        let alive = match self.enquired_ms {
            Some(enquired_ms) => enquired_ms.saturating_add(ENQUIRE_TIMEOUT_MS),
            None => self.heard_ms.saturating_add(ENQUIRE_AFTER_MS),
        };
        let sent_ms = self.outstanding.values().min();
        let answer = sent_ms.map_or(i64::MAX, |sent_ms| sent_ms.saturating_add(RESPONSE_TIMEOUT_MS));
        of_stage.min(alive).min(answer)
    }

    fn give_up_responses(&mut self, now_ms: i64, events: &mut Vec<Event>) {
        let latest_ms = now_ms.saturating_sub(RESPONSE_TIMEOUT_MS);
        let late = self.outstanding.extract_if(.., |_, sent_ms| *sent_ms <= latest_ms);
        let late: BTreeSet<u32> = late.map(|(sequence, _)| sequence).collect();
        if late.is_empty() {
            return;
        }
        let mut stayed = BTreeSet::new();
        self.output.retain(|unsent| {
            let stays = unsent.submit.filter(|sequence| late.contains(sequence));
            stayed.extend(stays);
            stays.is_none()
        });
        events.extend(late.into_iter().map(|sequence| {
            if stayed.contains(&sequence) {
                Event::Stayed { sequence }
            } else {
                Event::Unanswered { sequence }
            }
        }));
    }

    fn enquire(&mut self, now_ms: i64, events: &mut Vec<Event>) {
        match self.enquired_ms {
            _ if self.is_closed() => {}
            Some(enquired_ms) if now_ms >= enquired_ms.saturating_add(ENQUIRE_TIMEOUT_MS) => {
                self.close(Reason::Silent, events);
            }
            None if self.stage != Stage::Binding && now_ms >= self.heard_ms.saturating_add(ENQUIRE_AFTER_MS) => {
                let sequence = self.next_sequence();
                self.say_plain(command::ENQUIRE_LINK, 0, sequence, None);
                self.enquired_ms = Some(now_ms);
            }
            _ => {}
        }
    }

    fn take(&mut self, now_ms: i64, header: Header, body: &[u8], events: &mut Vec<Event>) {
        let Header {
            command,
            status,
            sequence,
        } = header;
        match command {
            command::SUBMIT_SM_RESP => {
                let is_late = self.outstanding.remove(&sequence).is_none();
                events.push(Event::Answered {
                    sequence,
                    status,
                    id: pdu::read_id(body),
                    is_late,
                });
            }
            command::GENERIC_NACK => self.take_nack(status, sequence, events),
            command::DELIVER_SM => self.take_delivery(sequence, Deliver::read(body), events),
            command::DATA_SM => {
                self.data.insert(sequence);
                self.take_delivery(sequence, Deliver::read_data(body), events);
            }
            command::BIND_TRANSCEIVER_RESP => match self.stage {
                Stage::Binding if status == 0 => {
                    self.stage = Stage::Bound;
                    events.push(Event::Bound);
                }
                Stage::Binding => self.close(Reason::Refused(status), events),
                _ => {}
            },
            command::ENQUIRE_LINK => {
                self.say_plain(command::ENQUIRE_LINK_RESP, 0, sequence, None);
            }
            command::UNBIND if self.stage != Stage::Closed => {
                self.stage = Stage::PeerUnbinding {
                    sequence,
                    until_ms: now_ms.saturating_add(PEER_DRAIN_MS),
                };
            }
            command::UNBIND_RESP if matches!(self.stage, Stage::Unbinding { .. }) => {
                self.close(Reason::Unbound, events);
            }
            command::OUTBIND | command::ALERT_NOTIFICATION => {}
            other if other & RESPONSE == 0 => {
                let unknown = status::UNKNOWN_COMMAND;
                self.say_plain(command::GENERIC_NACK, unknown, sequence, None);
            }
            // A response to what we did not ask.
            _ => {}
        }
    }

    /// The peer has not understood something. If it does not say what, nothing that we have sent is certain any more.
    fn take_nack(&mut self, status: u32, sequence: u32, events: &mut Vec<Event>) {
        if self.outstanding.remove(&sequence).is_some() {
            events.push(Event::Answered {
                sequence,
                status: if status == 0 { status::SYSTEM_ERROR } else { status },
                id: String::new(),
                is_late: false,
            });
        } else if self.stage == Stage::Binding {
            self.close(Reason::Refused(status), events);
        } else if sequence == 0 {
            self.close(Reason::Garbage, events);
        }
    }

    fn take_delivery(&mut self, sequence: u32, deliver: Option<Deliver>, events: &mut Vec<Event>) {
        match deliver {
            Some(deliver) => events.push(Event::Delivered {
                sequence,
                deliver: Box::new(deliver),
            }),
            None => {
                self.confirm(sequence, status::BAD_LENGTH);
                events.push(Event::Garbled);
            }
        }
    }

    fn close(&mut self, reason: Reason, events: &mut Vec<Event>) {
        if !self.is_closed() {
            self.stage = Stage::Closed;
            events.push(Event::Closed(reason));
        }
    }

    fn next_sequence(&mut self) -> u32 {
        self.last_sequence = match self.last_sequence {
            LAST_SEQUENCE.. => 1,
            last => last + 1,
        };
        self.last_sequence
    }
}
