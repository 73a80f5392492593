//! The account's object: it owns the money, and leases it to the sub-objects.
//!
//! It refuses a send only after two *collects* in a row. In a collect every sub-object returns what it has not spent and says
//! what it has spent and got back so far. Nothing is granted meanwhile. If two collects find the same counters everywhere, then
//! at the end of the first one nobody had unspent money, and none was on its way: the account's object had all of it, and it
//! was not enough. One collect would not do: a sub-object may get money back after its answer, while another one still spends.

use super::protocol::{Counters, Design, Need, Statement, Time, Word};

/// How long a lease lasts, ms.
pub const TERM_MS: Time = 1_000;
/// How far two clocks may differ, ms.
pub const SKEW_MS: Time = 50;
/// The most money that is leased beyond what is needed.
const SPARE: i64 = 500;

/// What the account's object knows of a sub-object.
#[derive(Debug, Clone, Default)]
pub struct Lease {
    // Stored.
    pub granted: i64,
    /// Money that it has returned, as far as is known here.
    pub returned: i64,
    /// The latest time until which it may spend, of all that it was ever told.
    until: Time,
    /// The version of the settings that it obeys. It is stored, for whoever obeys gets more time.
    version: u64,
    // In memory, from its newest statement.
    seen: u64,
    counters: Counters,
}

#[derive(Debug)]
struct Asked {
    from: usize,
    need: Need,
    /// The newest round when it came.
    round: u64,
}

#[derive(Debug)]
struct Collect {
    answers: Vec<Option<Counters>>,
    before: Option<Vec<Counters>>,
}

/// The account's object. A crash takes what is in memory.
#[derive(Debug)]
pub struct Root {
    design: Design,
    // Stored.
    pub available: i64,
    pub leases: Vec<Lease>,
    version: u64,
    revoked: bool,
    round: u64,
    // In memory.
    needs: Vec<Asked>,
    collect: Option<Collect>,
    /// Collects that were begun: a figure for the report.
    pub rounds: u64,
}

/// Whom the account's object speaks to, and what it says.
pub type Words = Vec<(usize, Word)>;

impl Root {
    pub fn new(shards: usize, money: i64, design: Design) -> Self {
        Root {
            design,
            available: money,
            leases: vec![Lease::default(); shards],
            version: 0,
            revoked: false,
            round: 0,
            needs: Vec::new(),
            collect: None,
            rounds: 0,
        }
    }

    /// The process dies. The sub-objects repeat what they need.
    pub fn crash(&mut self) {
        self.needs.clear();
        self.collect = None;
        for lease in &mut self.leases {
            (lease.seen, lease.counters) = (0, Counters::default());
        }
    }

    /// Revokes the key. [`Root::is_revoked`] says when that is done.
    pub fn revoke(&mut self, now: Time) -> Words {
        self.version += 1;
        self.revoked = true;
        self.all(now)
    }

    /// Whether nobody accepts a send with the key any more: each sub-object has said so, or its lease has ended.
    pub fn is_revoked(&self, now: Time) -> bool {
        let is_done = |lease: &Lease| lease.version >= self.version || now > lease.until + 2 * SKEW_MS;
        self.revoked && self.leases.iter().all(is_done)
    }

    /// Reads a statement.
    pub fn hear(&mut self, now: Time, statement: &Statement) -> Words {
        let from = statement.from;
        self.absorb(statement);
        if let Some(collect) = &mut self.collect
            && statement.round == Some(self.round)
        {
            collect.answers[from] = Some(statement.counters);
        }
        let before: Vec<i64> = self.leases.iter().map(|lease| lease.granted).collect();
        let round = self.round;
        let refused = self.decide();
        let is_new = round != self.round;
        let mut words = Vec::new();
        for (shard, granted) in before.into_iter().enumerate() {
            let own = refused.iter().filter(|(at, _)| *at == shard);
            let own: Vec<u64> = own.map(|(_, attempt)| *attempt).collect();
            let added = self.leases[shard].granted - granted;
            if shard == from || added > 0 || !own.is_empty() || is_new {
                words.push((shard, self.word(now, shard, added, own, is_new)));
            }
        }
        words
    }

    /// What is due now and then: who has not answered is asked again, and who has not said that it knows of a grant or of a
    /// change is told again.
    pub fn tick(&mut self, now: Time) -> Words {
        let asked = self.collect.as_ref().map(|collect| &collect.answers);
        let is_asked = |shard: usize| asked.is_some_and(|answers| answers[shard].is_none());
        let is_old = |shard: usize| {
            let lease = &self.leases[shard];
            lease.version < self.version || lease.counters.granted < lease.granted
        };
        let shards: Vec<usize> = (0..self.leases.len())
            .filter(|shard| is_asked(*shard) || is_old(*shard))
            .collect();
        shards
            .into_iter()
            .map(|shard| (shard, self.word(now, shard, 0, Vec::new(), true)))
            .collect()
    }

    fn all(&mut self, now: Time) -> Words {
        (0..self.leases.len())
            .map(|shard| (shard, self.word(now, shard, 0, Vec::new(), false)))
            .collect()
    }

    /// Only the begin of a round and a tick recall: if each answer did, an answer would beget the next one.
    fn word(&mut self, now: Time, shard: usize, added: i64, refused: Vec<u64>, recalls: bool) -> Word {
        let recall = self.collect.as_ref().filter(|collect| collect.answers[shard].is_none());
        let recall = recall.filter(|_| recalls).map(|_| self.round);
        let lease = &mut self.leases[shard];
        // Whoever may still obey older settings gets no more time: so a revocation is done when that lease ends.
        if lease.version >= self.version {
            lease.until = lease.until.max(now + TERM_MS);
        }
        Word {
            granted: lease.granted,
            added,
            until: lease.until,
            version: self.version,
            revoked: self.revoked,
            recall,
            refused,
            seen: lease.seen,
        }
    }

    fn absorb(&mut self, statement: &Statement) {
        let lease = &mut self.leases[statement.from];
        let returned = (statement.counters.returned - lease.returned).max(0);
        lease.returned += returned;
        self.available += returned;
        if statement.seq <= lease.seen {
            return;
        }
        (lease.seen, lease.counters) = (statement.seq, statement.counters);
        lease.version = lease.version.max(statement.version);
        let is_named = |asked: &Asked| asked.from != statement.from || statement.needs.contains(&asked.need);
        self.needs.retain(is_named);
        for need in &statement.needs {
            if !self.needs.iter().any(|asked| asked.need == *need) {
                let (from, round) = (statement.from, self.round);
                self.needs.push(Asked {
                    from,
                    need: *need,
                    round,
                });
            }
        }
    }

    /// Grants money, begins or ends collects. Gives the sends to refuse, with their sub-objects.
    fn decide(&mut self) -> Vec<(usize, u64)> {
        if self
            .collect
            .as_ref()
            .is_some_and(|collect| collect.answers.iter().any(Option::is_none))
        {
            return Vec::new();
        }
        let refused = match self.collect.take() {
            Some(collect) => match self.verdict(collect) {
                Some(refused) => refused,
                None => return Vec::new(),
            },
            None => Vec::new(),
        };
        if self.serve() {
            return refused;
        }
        match self.design.recalls {
            true => self.begin(None),
            false => return self.refuse(u64::MAX),
        }
        refused
    }

    /// What a collect has found. `None`: another one has begun.
    fn verdict(&mut self, collect: Collect) -> Option<Vec<(usize, u64)>> {
        let found: Vec<Counters> = collect.answers.into_iter().flatten().collect();
        if self.needs.iter().any(|asked| asked.need.cost <= self.available) {
            return Some(Vec::new());
        }
        let is_all = found
            .iter()
            .zip(&self.leases)
            .all(|(counters, lease)| counters.granted == lease.granted);
        if self.design.collects == 1 {
            return Some(self.refuse(self.round));
        }
        if is_all && collect.before.as_ref() == Some(&found) {
            return Some(self.refuse(self.round - 1));
        }
        self.begin(Some(found));
        None
    }

    /// Refuses what was asked for before this round began and costs more than there is.
    fn refuse(&mut self, round: u64) -> Vec<(usize, u64)> {
        let mut refused = Vec::new();
        self.needs.retain(|asked| {
            let is_refused = asked.round < round && asked.need.cost > self.available;
            refused.extend(is_refused.then_some((asked.from, asked.need.attempt)));
            !is_refused
        });
        refused
    }

    fn begin(&mut self, before: Option<Vec<Counters>>) {
        self.round += 1;
        self.rounds += 1;
        let answers = vec![None; self.leases.len()];
        self.collect = Some(Collect { answers, before });
    }

    /// Grants what is needed, in the order in which it was asked for, and some more if there is plenty. `false` if somebody
    /// needs more than there is.
    fn serve(&mut self) -> bool {
        let mut is_met = true;
        let mut left: Vec<i64> = self.leases.iter().map(|lease| lease.counters.unspent()).collect();
        // Whoever has not heard of a grant yet says so again.
        let hears = |lease: &Lease| !self.design.totals || lease.counters.granted == lease.granted;
        let heard: Vec<bool> = self.leases.iter().map(hears).collect();
        for asked in self.needs.iter().filter(|asked| heard[asked.from]) {
            let short = asked.need.cost - left[asked.from];
            if short > self.available {
                is_met = false;
                continue;
            }
            left[asked.from] -= asked.need.cost;
            if short > 0 {
                self.available -= short;
                self.leases[asked.from].granted += short;
                left[asked.from] = 0;
            }
        }
        if is_met {
            self.spare(&heard);
        }
        is_met
    }

    /// Leases some more than is needed. The less there is, the smaller the leases: then nobody has much to recall.
    fn spare(&mut self, heard: &[bool]) {
        let shards = i64::try_from(self.leases.len()).unwrap_or(1);
        for asked in self.needs.iter().filter(|asked| heard[asked.from]) {
            let spare = SPARE.min(self.available / (2 * shards));
            self.available -= spare;
            self.leases[asked.from].granted += spare;
        }
    }
}
