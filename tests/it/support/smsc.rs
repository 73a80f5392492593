//! A scripted SMSC.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

use smpp::pdu::{self, Deliver, RESPONSE, command, tag};
use smpp::{frame::Frames, inbound};
use tokio::io::{AsyncRead, AsyncWriteExt, DuplexStream, ReadBuf};

use super::network::Timers;

/// A `submit_sm` that came.
#[derive(Debug, Clone)]
pub struct Got {
    /// The number of the connection that it came by, from 0.
    pub connection: usize,
    pub at_ms: i64,
    pub deliver: Deliver,
    /// Its `validity_period`.
    pub validity: String,
}

/// What it is answered.
pub enum Reply {
    /// A status and, if it is 0, a new id; after so many ms.
    Status(u32, i64),
    /// It is taken, with this id, after so many ms.
    Named(String, i64),
    /// Nothing.
    Silence,
    /// The connection is closed.
    Close,
    /// First a receipt of this text, in which `{id}` is the new id; then the answer, after so many ms.
    ReceiptFirst(&'static str, i64),
}

/// Takes so many messages a second, and so many at once, as operators count them.
#[derive(Debug)]
pub struct TokenBucket {
    per_second: Rc<Cell<i64>>,
    burst: i64,
    /// What is in it, in thousandths of a message, since when.
    tokens: i64,
    at_ms: Option<i64>,
}

impl TokenBucket {
    /// A full bucket. The rate may be changed from outside.
    pub fn of(per_second: &Rc<Cell<i64>>, burst: i64) -> Self {
        TokenBucket {
            per_second: Rc::clone(per_second),
            burst,
            tokens: burst * 1_000,
            at_ms: None,
        }
    }

    /// Whether it takes one more message.
    pub fn takes(&mut self, now_ms: i64) -> bool {
        let passed_ms = now_ms - self.at_ms.replace(now_ms).unwrap_or(now_ms);
        let filled = self.tokens + passed_ms * self.per_second.get();
        self.tokens = filled.min(self.burst * 1_000);
        let takes = self.tokens >= 1_000;
        if takes {
            self.tokens -= 1_000;
        }
        takes
    }
}

type Rule = Box<dyn FnMut(usize, &Got) -> Reply>;

/// What an SMSC does.
#[derive(Default)]
struct State {
    rule: Option<Rule>,
    got: Vec<Got>,
    /// The ids of the messages that it has taken, in their order, with the place in `got`.
    taken: Vec<(String, usize)>,
    /// What each connection is to send, and when.
    outbox: BTreeMap<usize, VecDeque<(i64, Vec<u8>)>>,
    connections: usize,
    /// How many of the first connections it has closed.
    closed: usize,
    /// When each bind was asked for.
    binds_ms: Vec<i64>,
    wakers: Vec<Waker>,
    /// The statuses of the `deliver_sm_resp` that came, by sequence.
    confirmed: BTreeMap<u32, u32>,
    commands: Vec<u32>,
    sequence: u32,
}

/// An SMSC.
#[derive(Clone)]
pub struct Smsc {
    state: Rc<RefCell<State>>,
    timers: Rc<Timers>,
    /// What a bind is answered.
    pub bind_status: Rc<Cell<u32>>,
    /// Whether a password is asked for.
    pub password: Rc<RefCell<String>>,
    /// Whether `enquire_link` is answered.
    pub is_silent: Rc<Cell<bool>>,
    /// Whether it reads nothing.
    pub is_deaf: Rc<Cell<bool>>,
}

impl Smsc {
    pub fn new(timers: &Rc<Timers>) -> Self {
        Smsc {
            state: Rc::default(),
            timers: Rc::clone(timers),
            bind_status: Rc::default(),
            password: Rc::new(RefCell::new("secret".to_owned())),
            is_silent: Rc::default(),
            is_deaf: Rc::default(),
        }
    }

    /// How it answers messages: a function of how many came before, and of the message.
    pub fn answer(&self, rule: impl FnMut(usize, &Got) -> Reply + 'static) {
        self.state.borrow_mut().rule = Some(Box::new(rule));
    }

    pub fn got(&self) -> Vec<Got> {
        self.state.borrow().got.clone()
    }

    pub fn got_count(&self) -> usize {
        self.state.borrow().got.len()
    }

    /// What came for a number.
    pub fn got_by(&self, number: &str) -> Vec<Got> {
        let state = self.state.borrow();
        let is_its = |got: &&Got| got.deliver.destination.number == number;
        state.got.iter().filter(is_its).cloned().collect()
    }

    /// How often each recipient came, whole messages only: parts count by their number.
    pub fn counts(&self) -> BTreeMap<(String, u8), usize> {
        let mut counts = BTreeMap::new();
        for got in &self.state.borrow().got {
            let number = inbound::piece(&got.deliver).place.map_or(1, |place| place.number);
            *counts
                .entry((got.deliver.destination.number.clone(), number))
                .or_default() += 1;
        }
        counts
    }

    pub fn taken(&self) -> Vec<(String, Got)> {
        let state = self.state.borrow();
        state
            .taken
            .iter()
            .map(|(id, at)| (id.clone(), state.got[*at].clone()))
            .collect()
    }

    pub fn confirmed(&self) -> BTreeMap<u32, u32> {
        self.state.borrow().confirmed.clone()
    }

    pub fn commands(&self) -> Vec<u32> {
        self.state.borrow().commands.clone()
    }

    pub fn connections(&self) -> usize {
        self.state.borrow().connections
    }

    /// When each bind was asked for, ms since the Unix epoch.
    pub fn binds_ms(&self) -> Vec<i64> {
        self.state.borrow().binds_ms.clone()
    }

    /// Sends a receipt or a message by a connection. Returns its sequence.
    pub fn deliver(&self, connection: usize, deliver: &Deliver) -> u32 {
        self.request(connection, |octets, sequence| deliver.write(octets, sequence))
    }

    /// The same, by `data_sm`: what it says stands in optional parameters.
    pub fn deliver_data(&self, connection: usize, deliver: &Deliver) -> u32 {
        self.request(connection, |octets, sequence| {
            pdu::write_data(octets, sequence, deliver)
        })
    }

    fn request(&self, connection: usize, write: impl FnOnce(&mut Vec<u8>, u32)) -> u32 {
        let mut state = self.state.borrow_mut();
        state.sequence += 1;
        let (mut octets, sequence) = (Vec::new(), state.sequence);
        write(&mut octets, sequence);
        state.send(connection, 0, octets);
        sequence
    }

    pub fn receipt(&self, connection: usize, text: &str, source: &str) -> u32 {
        self.deliver(connection, &receipt(text, source))
    }

    /// Sends these octets by a connection.
    pub fn send(&self, connection: usize, octets: &[u8]) {
        self.state.borrow_mut().send(connection, 0, octets.to_vec());
    }

    /// Closes all connections, whatever it has not read.
    pub fn hang_up(&self) {
        self.hang_up_first(self.connections());
    }

    /// Closes the first so many connections.
    pub fn hang_up_first(&self, count: usize) {
        let mut state = self.state.borrow_mut();
        state.closed = count;
        state.wakers.drain(..).for_each(Waker::wake);
    }

    /// Serves one connection.
    pub async fn serve(self, mut stream: DuplexStream) {
        let connection = {
            let mut state = self.state.borrow_mut();
            state.connections += 1;
            state.connections - 1
        };
        let mut frames = Frames::default();
        loop {
            let due = self.due(connection);
            if !due.is_empty() && stream.write_all(&due).await.is_err() {
                return;
            }
            let octets = self.receive(connection, &mut stream).await;
            if connection < self.state.borrow().closed {
                return;
            }
            match octets {
                Some(octets) if octets.is_empty() => return,
                Some(octets) => frames.push(&octets),
                None => continue,
            }
            while let Some(frame) = frames.take().unwrap() {
                if !self.take(connection, frame.header, frame.body) {
                    return;
                }
            }
        }
    }

    /// What is to be sent by now.
    fn due(&self, connection: usize) -> Vec<u8> {
        let now_ms = self.timers.now_ms.get();
        let mut state = self.state.borrow_mut();
        let outbox = state.outbox.entry(connection).or_default();
        let (due, later) = std::mem::take(outbox)
            .into_iter()
            .partition(|(at_ms, _)| *at_ms <= now_ms);
        *outbox = later;
        let due: VecDeque<(i64, Vec<u8>)> = due;
        due.into_iter().flat_map(|(_, octets)| octets).collect()
    }

    /// Waits for octets; `None`: something else is to be done. Empty: the connection has ended.
    async fn receive(&self, connection: usize, stream: &mut DuplexStream) -> Option<Vec<u8>> {
        let next_ms = self.state.borrow().outbox[&connection]
            .iter()
            .map(|(at_ms, _)| *at_ms)
            .min();
        let mut timer = pin!(self.timers.until(next_ms.unwrap_or(i64::MAX)));
        let mut octets = vec![0; 16 * 1024];
        let mut is_first = true;
        poll_fn(|context| {
            let mut buffer = ReadBuf::new(&mut octets);
            if !self.is_deaf.get() && pin!(&mut *stream).poll_read(context, &mut buffer).is_ready() {
                return Poll::Ready(Some(buffer.filled().to_vec()));
            }
            self.state.borrow_mut().wakers.push(context.waker().clone());
            let is_woken = !std::mem::take(&mut is_first);
            match timer.as_mut().poll(context).is_ready() || is_woken {
                true => Poll::Ready(None),
                false => Poll::Pending,
            }
        })
        .await
    }

    /// Takes a PDU. `false`: the connection is to be closed.
    fn take(&self, connection: usize, header: pdu::Header, body: &[u8]) -> bool {
        let mut state = self.state.borrow_mut();
        state.commands.push(header.command);
        let (mut octets, sequence) = (Vec::new(), header.sequence);
        match header.command {
            command::BIND_TRANSCEIVER => {
                state.binds_ms.push(self.timers.now_ms.get());
                let words: Vec<&[u8]> = body.split(|octet| *octet == 0).collect();
                let is_right = words[1] == self.password.borrow().as_bytes();
                let status = if is_right { self.bind_status.get() } else { 0x0E };
                pdu::write_plain(&mut octets, header.command | RESPONSE, status, sequence, Some("smsc"));
            }
            command::SUBMIT_SM => {
                let deliver = Deliver::read(body).unwrap();
                let got = Got {
                    connection,
                    at_ms: self.timers.now_ms.get(),
                    deliver,
                    validity: validity_of(body),
                };
                return state.submit(sequence, got);
            }
            command::DELIVER_SM_RESP | command::DATA_SM_RESP => drop(state.confirmed.insert(sequence, header.status)),
            command::ENQUIRE_LINK if self.is_silent.get() => {}
            other if other & RESPONSE == 0 => {
                pdu::write_plain(&mut octets, other | RESPONSE, 0, sequence, None);
            }
            _ => {}
        }
        state.send(connection, 0, octets);
        true
    }
}

/// The `validity_period` of a `submit_sm`.
fn validity_of(body: &[u8]) -> String {
    let mut rest = body;
    let mut text = |octets_before: usize| {
        rest = &rest[octets_before..];
        let end = rest.iter().position(|octet| *octet == 0).unwrap();
        let text = String::from_utf8(rest[..end].to_vec()).unwrap();
        rest = &rest[end + 1..];
        text
    };
    // The service type, both addresses with their types, and the scheduled time stand before it.
    let _before = [text(0), text(2), text(2), text(3)];
    text(0)
}

impl State {
    fn send(&mut self, connection: usize, at_ms: i64, octets: Vec<u8>) {
        if !octets.is_empty() {
            self.outbox.entry(connection).or_default().push_back((at_ms, octets));
            self.wakers.drain(..).for_each(Waker::wake);
        }
    }

    fn submit(&mut self, sequence: u32, got: Got) -> bool {
        let (connection, now_ms) = (got.connection, got.at_ms);
        let place = self.got.len();
        let mut rule = self.rule.take();
        let reply = rule.as_mut().map_or(Reply::Status(0, 0), |rule| rule(place, &got));
        self.rule = rule;
        let mut id = format!("id{place}");
        let (destination, mut octets) = (got.deliver.destination.number.clone(), Vec::new());
        self.got.push(got);
        let (status, after_ms) = match reply {
            Reply::Status(status, after_ms) => (status, after_ms),
            Reply::Named(name, after_ms) => {
                id = name;
                (0, after_ms)
            }
            Reply::Silence => return true,
            Reply::Close => return false,
            Reply::ReceiptFirst(text, after_ms) => {
                self.sequence += 1;
                receipt(&text.replace("{id}", &id), &destination).write(&mut octets, self.sequence);
                self.send(connection, 0, std::mem::take(&mut octets));
                (0, after_ms)
            }
        };
        if status == 0 {
            self.taken.push((id.clone(), place));
        }
        let id = (status == 0).then_some(id.as_str());
        pdu::write_plain(&mut octets, command::SUBMIT_SM_RESP, status, sequence, id);
        self.send(connection, now_ms + after_ms, octets);
        true
    }
}

/// A receipt with this text, for a message to this number.
pub fn receipt(text: &str, source: &str) -> Deliver {
    Deliver {
        source: pdu::Address {
            ton: 1,
            npi: 1,
            number: source.to_owned(),
        },
        esm_class: 4,
        short_message: text.as_bytes().to_vec(),
        ..Deliver::default()
    }
}

/// A receipt in optional parameters only.
pub fn receipt_in_tlvs(id: &str, state: u8, error: u16) -> Deliver {
    let [high, low] = error.to_be_bytes();
    let tlv = |tag, value: &[u8]| pdu::Tlv {
        tag,
        value: value.to_vec(),
    };
    Deliver {
        esm_class: 4,
        tlvs: vec![
            tlv(tag::RECEIPTED_MESSAGE_ID, format!("{id}\0").as_bytes()),
            tlv(tag::MESSAGE_STATE, &[state]),
            tlv(tag::NETWORK_ERROR_CODE, &[3, high, low]),
        ],
        ..Deliver::default()
    }
}
