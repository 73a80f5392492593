//! A sub-object: it accepts sends against the money that the account's object has leased to it.

use std::collections::BTreeSet;

use super::protocol::{Answer, Counters, Design, Need, Send, Statement, Time, Word};

/// How long a send waits for money, ms.
const PATIENCE_MS: Time = 900;
/// How often it tells what has changed, if nobody waits for it, ms.
const REPORT_MS: Time = 500;
/// The most sends that one statement names.
const NAMED: usize = 256;

/// What a sub-object does to the world.
#[derive(Debug)]
pub enum Act {
    Answer(Send, Answer),
    /// It has accepted this send, and stored that.
    Accept(Send),
    Tell(Statement),
}

#[derive(Debug)]
struct Waiting {
    send: Send,
    since: Time,
}

/// A sub-object. A crash takes what is in memory.
#[derive(Debug)]
pub struct Shard {
    number: usize,
    design: Design,
    // Stored.
    pub counters: Counters,
    version: u64,
    revoked: bool,
    until: Time,
    seq: u64,
    /// The statement that will tell the newest change, or has.
    changed: u64,
    /// The newest statement that the account's object has read, as far as it remembers.
    seen: u64,
    accepted: BTreeSet<u64>,
    // In memory.
    waiting: Vec<Waiting>,
    told: Time,
}

impl Shard {
    pub fn new(number: usize, design: Design) -> Self {
        Shard {
            number,
            design,
            counters: Counters::default(),
            version: 0,
            revoked: false,
            until: 0,
            seq: 0,
            changed: 0,
            seen: 0,
            accepted: BTreeSet::new(),
            waiting: Vec::new(),
            told: 0,
        }
    }

    /// The process dies. Clients get no answer.
    pub fn crash(&mut self) {
        self.waiting.clear();
    }

    /// Takes a send. A repeat of one that was accepted gets the same answer.
    pub fn take(&mut self, now: Time, send: Send) -> Vec<Act> {
        if self.accepted.contains(&send.key) {
            return vec![Act::Answer(send, Answer::Accepted)];
        }
        self.waiting.retain(|waiting| waiting.send.key != send.key);
        self.waiting.push(Waiting { send, since: now });
        let mut acts = self.serve(now);
        if self.waiting.iter().any(|waiting| waiting.send.attempt == send.attempt) {
            acts.push(self.statement(None));
        }
        acts
    }

    /// Obeys the account's object.
    pub fn hear(&mut self, now: Time, word: &Word) -> Vec<Act> {
        let before = self.counters.granted;
        match self.design.totals {
            true => self.counters.granted = self.counters.granted.max(word.granted),
            false => self.counters.granted += word.added,
        }
        self.until = self.until.max(word.until);
        // The account's object has forgotten what it saw if it has died.
        self.seen = word.seen;
        if self.counters.granted > before {
            self.changed = self.seq + 1;
        }
        let is_newer = word.version > self.version;
        if is_newer {
            (self.version, self.revoked) = (word.version, word.revoked);
            self.changed = self.seq + 1;
        }
        let mut acts = Vec::new();
        self.waiting.retain(|waiting| {
            let is_refused = word.refused.contains(&waiting.send.attempt);
            acts.extend(is_refused.then_some(Act::Answer(waiting.send, Answer::Poor)));
            !is_refused
        });
        acts.extend(self.serve(now));
        if word.recall.is_some() {
            self.give_back();
            acts.push(self.statement(word.recall));
        } else if is_newer {
            acts.push(self.statement(None));
        }
        acts
    }

    /// What is due now and then: old sends are given up, the money of an ended lease goes back, statements are repeated.
    pub fn tick(&mut self, now: Time) -> Vec<Act> {
        let mut acts = Vec::new();
        self.waiting.retain(|waiting| {
            let is_over = now - waiting.since >= PATIENCE_MS;
            acts.extend(is_over.then_some(Act::Answer(waiting.send, Answer::Unavailable)));
            !is_over
        });
        if self.has_ended(now) && self.counters.unspent() > 0 {
            self.give_back();
        }
        if !self.waiting.is_empty() || (self.changed > self.seen && now - self.told >= REPORT_MS) {
            self.told = now;
            acts.push(self.statement(None));
        }
        acts
    }

    /// A carrier refuses what was accepted: its money may be spent again.
    pub fn release(&mut self, now: Time, cost: i64) -> Vec<Act> {
        self.counters.released += cost;
        self.changed = self.seq + 1;
        self.serve(now)
    }

    fn has_ended(&self, now: Time) -> bool {
        self.design.leases_end && now >= self.until
    }

    fn give_back(&mut self) {
        let unspent = self.counters.unspent();
        if unspent > 0 {
            self.counters.returned += unspent;
            self.changed = self.seq + 1;
        }
    }

    /// Accepts what there is money for, in the order in which it came.
    fn serve(&mut self, now: Time) -> Vec<Act> {
        let mut acts = Vec::new();
        let waiting = std::mem::take(&mut self.waiting);
        for waiting in waiting {
            let send = waiting.send;
            if self.revoked {
                acts.push(Act::Answer(send, Answer::Revoked));
            } else if !self.has_ended(now) && self.counters.unspent() >= send.cost {
                self.counters.spent += send.cost;
                self.changed = self.seq + 1;
                self.accepted.insert(send.key);
                acts.push(Act::Accept(send));
                acts.push(Act::Answer(send, Answer::Accepted));
            } else {
                self.waiting.push(waiting);
            }
        }
        acts
    }

    fn statement(&mut self, round: Option<u64>) -> Act {
        self.seq += 1;
        let need = |waiting: &Waiting| Need {
            attempt: waiting.send.attempt,
            cost: waiting.send.cost,
        };
        Act::Tell(Statement {
            from: self.number,
            seq: self.seq,
            counters: self.counters,
            version: self.version,
            round,
            needs: self.waiting.iter().take(NAMED).map(need).collect(),
        })
    }
}
