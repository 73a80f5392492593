//! A simulation of an account that is split over sub-objects: clients, a network that delays, loses and repeats, processes that
//! die, and a witness who sees everything and checks the promises at each step. A seed repeats a run.
//!
//! It is a design that runs, no part of the service: `docs/hot-account.md` explains it.

pub mod protocol;
pub mod root;
pub mod shard;
pub mod witness;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use protocol::{Answer, Design, Send, Statement, Time, Word};
use root::{Root, SKEW_MS, Words};
use shard::{Act, Shard};
use witness::Witness;

/// How often each object looks after what is due, ms.
const TICK_MS: Time = 50;
/// How long a client waits for an answer, ms.
const CLIENT_MS: Time = 1_200;
/// After this time nothing goes wrong any more, ms.
const CHAOS_MS: Time = 8_000;
/// By then everybody has an answer, ms.
const END_MS: Time = 120_000;

/// What a run is made of.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub seed: u64,
    pub design: Design,
    pub shards: usize,
    /// The money there is at the beginning.
    pub money: i64,
    /// Money that comes later.
    pub credits: Vec<i64>,
    pub sends: u64,
    /// Each send costs 1 up to this.
    pub cost: i64,
    /// One in how many messages between the objects and to clients is lost; as many come twice. 0: none.
    pub losses: u64,
    /// How many times an object dies or can't be reached.
    pub outages: u64,
    /// One in how many accepted sends no carrier takes, so that its money comes back. 0: none.
    pub releases: u64,
    /// Whether the key is revoked in the middle.
    pub revokes: bool,
}

/// What has come of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    pub accepted: u64,
    pub refused: u64,
    pub revoked: u64,
    /// Answers that told a client to try again, and answers that did not come.
    pub retries: u64,
    /// Statements that the account's object has read.
    pub statements: u64,
    pub collects: u64,
    /// The money of the sends that were accepted and not released.
    pub spent: i64,
}

#[derive(Debug)]
enum Event {
    /// A client tries its request, or tries it again.
    Try(usize),
    Arrive(usize, Send),
    Answered(u64, Answer),
    Impatient(usize, u64),
    Stated(Statement),
    Told(usize, Word),
    Tick(Option<usize>),
    Outage,
    Release(usize, i64),
    Credit(i64),
    Revoke,
}

#[derive(Debug)]
struct Request {
    key: u64,
    cost: i64,
    attempt: u64,
    answer: Option<Answer>,
}

/// The numbers that a seed gives: SplitMix64.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: i64) -> i64 {
        i64::try_from(self.next() >> 1).unwrap_or(0) % bound.max(1)
    }

    fn one_in(&mut self, odds: u64) -> bool {
        odds > 0 && self.next().is_multiple_of(odds)
    }
}

/// A run.
pub struct Simulation {
    scenario: Scenario,
    now: Time,
    dice: Dice,
    events: BinaryHeap<Reverse<(Time, u64)>>,
    what: std::collections::BTreeMap<u64, Event>,
    count: u64,
    root: Root,
    shards: Vec<Shard>,
    /// How much each sub-object's clock is ahead.
    skews: Vec<Time>,
    /// Until when the account's object, and each sub-object, is down; until when the two can't reach each other.
    root_down: Time,
    down: Vec<Time>,
    cut: Vec<Time>,
    requests: Vec<Request>,
    attempts: Vec<(usize, Time)>,
    witness: Witness,
    outcome: Outcome,
}

/// Runs a scenario to its end.
///
/// # Errors
/// A promise was broken: which one, and when.
pub fn run(scenario: &Scenario) -> Result<Outcome, String> {
    let mut simulation = Simulation::new(scenario.clone());
    simulation.begin();
    while let Some(Reverse((at, id))) = simulation.events.pop() {
        if at > END_MS {
            break;
        }
        simulation.now = at;
        if let Some(event) = simulation.what.remove(&id) {
            simulation.happen(event)?;
            simulation.witness.look(at, &simulation.root, &simulation.shards)?;
        }
        if simulation.is_over() {
            break;
        }
    }
    simulation.finish()
}

impl Simulation {
    fn new(scenario: Scenario) -> Self {
        let mut dice = Dice(scenario.seed);
        let shards = scenario.shards;
        let skew = |_| dice.below(2 * SKEW_MS + 1) - SKEW_MS;
        let skews = (0..shards).map(skew).collect();
        Simulation {
            now: 0,
            dice,
            events: BinaryHeap::new(),
            what: std::collections::BTreeMap::new(),
            count: 0,
            root: Root::new(shards, scenario.money, scenario.design),
            shards: (0..shards).map(|number| Shard::new(number, scenario.design)).collect(),
            skews,
            root_down: 0,
            down: vec![0; shards],
            cut: vec![0; shards],
            requests: Vec::new(),
            attempts: Vec::new(),
            witness: Witness::new(scenario.money),
            outcome: Outcome::default(),
            scenario,
        }
    }

    fn begin(&mut self) {
        for key in 0..self.scenario.sends {
            let cost = 1 + self.dice.below(self.scenario.cost);
            self.requests.push(Request {
                key,
                cost,
                attempt: 0,
                answer: None,
            });
            let at = self.dice.below(CHAOS_MS / 2);
            self.at(at, Event::Try(self.requests.len() - 1));
        }
        self.at(0, Event::Tick(None));
        for shard in 0..self.scenario.shards {
            let at = self.dice.below(TICK_MS);
            self.at(at, Event::Tick(Some(shard)));
        }
        for _ in 0..self.scenario.outages {
            let at = self.dice.below(CHAOS_MS);
            self.at(at, Event::Outage);
        }
        for amount in self.scenario.credits.clone() {
            let at = self.dice.below(CHAOS_MS);
            self.at(at, Event::Credit(amount));
        }
        if self.scenario.revokes {
            let at = self.dice.below(CHAOS_MS / 2);
            self.at(at, Event::Revoke);
        }
    }

    fn at(&mut self, at: Time, event: Event) {
        self.count += 1;
        self.events.push(Reverse((at, self.count)));
        self.what.insert(self.count, event);
    }

    /// Lets a message travel: it may be lost, come twice, and overtake others.
    fn travel(&mut self, make: impl Fn() -> Event) {
        let losses = if self.now < CHAOS_MS { self.scenario.losses } else { 0 };
        let copies = 1 + usize::from(self.dice.one_in(losses)) - usize::from(self.dice.one_in(losses));
        for _ in 0..copies {
            // Now and then one takes very long.
            let slow = if losses > 0 && self.dice.one_in(20) { 1_500 } else { 20 };
            let at = self.now + 1 + self.dice.below(slow);
            self.at(at, make());
        }
    }

    fn happen(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Try(request) => self.try_request(request),
            Event::Arrive(shard, send) if self.now >= self.down[shard] => {
                let acts = self.shards[shard].take(self.now + self.skews[shard], send);
                self.act(shard, acts)?;
            }
            Event::Told(shard, word) if self.now >= self.down[shard] && self.now >= self.cut[shard] => {
                let acts = self.shards[shard].hear(self.now + self.skews[shard], &word);
                self.act(shard, acts)?;
            }
            Event::Stated(statement) if self.now >= self.root_down && self.now >= self.cut[statement.from] => {
                self.outcome.statements += 1;
                let words = self.root.hear(self.now, &statement);
                self.say(words);
            }
            Event::Tick(who) => self.tick(who)?,
            Event::Answered(attempt, answer) => self.answered(attempt, answer),
            Event::Impatient(request, attempt) => self.again(request, attempt),
            Event::Outage => self.outage(),
            Event::Release(shard, cost) => {
                self.witness.release(self.now, cost);
                let acts = self.shards[shard].release(self.now + self.skews[shard], cost);
                self.outcome.spent -= cost;
                self.act(shard, acts)?;
            }
            Event::Credit(amount) => {
                self.root.available += amount;
                self.witness.credit(self.now, amount);
            }
            Event::Revoke => {
                let words = self.root.revoke(self.now);
                self.witness.asked_to_revoke = Some(self.now);
                self.say(words);
            }
            // Whoever is down or cut off hears nothing.
            Event::Arrive(..) | Event::Told(..) | Event::Stated(_) => {}
        }
        if self.root.is_revoked(self.now) {
            self.witness.revoke(self.now)?;
        }
        Ok(())
    }

    fn try_request(&mut self, index: usize) {
        if self.requests[index].answer.is_some() {
            return;
        }
        self.attempts.push((index, self.now));
        let attempt = self.attempts.len() as u64;
        let request = &mut self.requests[index];
        request.attempt = attempt;
        let send = Send {
            attempt,
            key: request.key,
            cost: request.cost,
        };
        let shards = self.scenario.shards as u64;
        let shard = match self.scenario.design.by_key {
            true => send.key % shards,
            false => self.dice.next() % shards,
        } as usize;
        self.travel(|| Event::Arrive(shard, send));
        self.at(self.now + CLIENT_MS, Event::Impatient(index, attempt));
    }

    fn again(&mut self, index: usize, attempt: u64) {
        let request = &self.requests[index];
        if request.answer.is_none() && request.attempt == attempt {
            self.outcome.retries += 1;
            let at = self.now + 1 + self.dice.below(200);
            self.at(at, Event::Try(index));
        }
    }

    fn answered(&mut self, attempt: u64, answer: Answer) {
        let (index, _) = self.attempts[attempt as usize - 1];
        if answer == Answer::Unavailable {
            return self.again(index, attempt);
        }
        let counter = match answer {
            Answer::Accepted => &mut self.outcome.accepted,
            Answer::Poor => &mut self.outcome.refused,
            Answer::Revoked | Answer::Unavailable => &mut self.outcome.revoked,
        };
        if self.requests[index].answer.replace(answer).is_none() {
            *counter += 1;
        }
    }

    fn act(&mut self, shard: usize, acts: Vec<Act>) -> Result<(), String> {
        for act in acts {
            match act {
                Act::Accept(send) => {
                    self.witness.accept(self.now, send)?;
                    self.outcome.spent += send.cost;
                    if self.dice.one_in(self.scenario.releases) {
                        let at = self.now + 1 + self.dice.below(500);
                        self.at(at, Event::Release(shard, send.cost));
                    }
                }
                Act::Answer(send, answer) => {
                    if answer == Answer::Poor {
                        let (_, since) = self.attempts[send.attempt as usize - 1];
                        self.witness.refuse(self.now, since, send)?;
                    }
                    self.travel(|| Event::Answered(send.attempt, answer));
                }
                Act::Tell(statement) => self.travel(|| Event::Stated(statement.clone())),
            }
        }
        Ok(())
    }

    fn say(&mut self, words: Words) {
        for (shard, word) in words {
            self.travel(|| Event::Told(shard, word.clone()));
        }
    }

    fn tick(&mut self, who: Option<usize>) -> Result<(), String> {
        self.at(self.now + TICK_MS, Event::Tick(who));
        match who {
            None if self.now >= self.root_down => {
                let words = self.root.tick(self.now);
                self.say(words);
                Ok(())
            }
            Some(shard) if self.now >= self.down[shard] => {
                let acts = self.shards[shard].tick(self.now + self.skews[shard]);
                self.act(shard, acts)
            }
            _ => Ok(()),
        }
    }

    /// Somebody dies and comes back, or a sub-object and the account's object can't reach each other for a while.
    fn outage(&mut self) {
        let until = self.now + 1 + self.dice.below(3_000);
        let shard = (self.dice.next() % self.scenario.shards as u64) as usize;
        match self.dice.below(5) {
            0 => {
                self.root.crash();
                self.root_down = self.root_down.max(until.min(self.now + 500));
            }
            1 | 2 => {
                self.shards[shard].crash();
                self.down[shard] = self.down[shard].max(until);
            }
            _ => self.cut[shard] = self.cut[shard].max(until),
        }
    }

    fn is_over(&self) -> bool {
        self.now > CHAOS_MS && self.requests.iter().all(|request| request.answer.is_some()) && self.is_at_rest()
    }

    /// Whether all that was returned is where it belongs.
    fn is_at_rest(&self) -> bool {
        let unspent: i64 = self.shards.iter().map(|shard| shard.counters.unspent()).sum();
        self.root.available + unspent == self.witness.unspent()
    }

    fn finish(mut self) -> Result<Outcome, String> {
        if let Some(request) = self.requests.iter().find(|request| request.answer.is_none()) {
            return Err(format!("request {} never got an answer", request.key));
        }
        if !self.is_at_rest() {
            return Err("money is on its way for ever".to_owned());
        }
        self.outcome.collects = self.root.rounds;
        Ok(self.outcome)
    }
}
