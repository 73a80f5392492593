//! Handing an account's chunks to carriers: claim, call the carrier's object, note the outcomes.
//!
//! Claim and note are local transactions around one call. A crash before the claim costs nothing. A crash after it leaves a
//! claim whose lease ends; the chunk is then handed over again, and the carrier's object tells from its journal which
//! recipients it has had. If a note fails, the object tries it again until the lease ends.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::json;

use crate::account::chunk::{self, Claimed, LEASE_MS};
use crate::account::class::Class;
use crate::account::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::account::outcomes;
use crate::account::store::Account;
use crate::cache::Cache;
use crate::carrier;
use crate::carrier::submission::Submission;
use crate::directory::carriers::{self, Carrier};
use crate::ports::{Platform, PortError, Sql};

/// How long after its claim a chunk may be taken, ms. The rest of the lease is for clocks that differ.
const HAND_OVER_MS: i64 = 20_000;
/// Calls to one carrier at the same time. More would not carry more, because chunks that wait travel together.
const CALLS_A_CARRIER: usize = 2;
/// Calls in one invocation of the object: the runtime allows 1,000, and the chores make some too.
const CALLS_AN_INVOCATION: u32 = 500;
/// When to try again after the directory failed, ms.
const RETRY_MS: i64 = 5_000;

/// How long answers that could not be noted wait, ms: doubled with each failure.
const FIRST_WAIT_MS: i64 = 1_000;
/// Calls whose answers wait to be noted. The lease brings back the chunks of others.
const MAX_UNNOTED: usize = 100;

/// The calls that one account's object has under way.
#[derive(Debug)]
pub struct Dispatcher {
    /// The answers that could not be noted yet. They end with the process; then the leases end too.
    unnoted: RefCell<Vec<Unnoted>>,
    /// When the calls that are under way began, ms since the Unix epoch, by carrier.
    under_way: RefCell<BTreeMap<String, Vec<i64>>>,
    /// Whether a chunk may wait for a call to end, so that its carrier may have one more.
    has_waiting: Cell<bool>,
    calls_left: Cell<u32>,
    carriers: Cache<Carrier>,
}

impl Default for Dispatcher {
    fn default() -> Self {
        Dispatcher {
            unnoted: RefCell::default(),
            under_way: RefCell::default(),
            has_waiting: Cell::new(false),
            calls_left: Cell::new(CALLS_AN_INVOCATION),
            carriers: Cache::default(),
        }
    }
}

/// What became of the chunks of one call: the carrier's answers, or the claims of a call that failed.
type Answered = Result<Vec<(ChunkRef, Answer)>, Vec<ChunkRef>>;

/// Answers that could not be noted.
#[derive(Debug)]
struct Unnoted {
    carrier: String,
    answered: Answered,
    failures: u32,
    /// When to try again, ms since the Unix epoch.
    due_ms: i64,
    /// When the lease of the chunks ends. Then they come back by themselves, and newer claims may be under way.
    until_ms: i64,
}

/// Chunks that go to one carrier in one call.
struct Bundle<'a> {
    carrier: String,
    account: String,
    claimed_ms: i64,
    handovers: Vec<Handover>,
    is_full: bool,
    _slot: Slot<'a>,
}

/// A call that counts as under way until this is dropped, or until the lease of its chunks ends: the runtime may drop a call
/// without a word.
struct Slot<'a> {
    dispatcher: &'a Dispatcher,
    carrier: String,
    began_ms: i64,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut under_way = self.dispatcher.under_way.borrow_mut();
        if let Some(calls) = under_way.get_mut(&self.carrier)
            && let Some(at) = calls.iter().position(|began_ms| *began_ms == self.began_ms)
        {
            calls.swap_remove(at);
        }
    }
}

impl Dispatcher {
    /// Allows calls anew: a new invocation of the object has begun.
    pub fn begin_invocation(&self) {
        self.calls_left.set(CALLS_AN_INVOCATION);
    }

    /// Whether a call is under way.
    pub fn is_under_way(&self, now_ms: i64) -> bool {
        let under_way = self.under_way.borrow();
        under_way.values().flatten().any(|began_ms| is_alive(*began_ms, now_ms))
    }

    /// Hands over what is due, as far as each carrier may have one call more. Several runs may be under way at once; they
    /// share the calls. Gives `true` when a chunk may have waited for one of these calls to end.
    pub async fn run<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        let mut calls = FuturesUnordered::new();
        let (mut is_backlog, mut has_waited) = (true, false);
        loop {
            if is_backlog {
                is_backlog = false;
                while let Some(bundle) = self.claim(sql, platform.now_ms())? {
                    is_backlog |= bundle.is_full;
                    calls.push(self.hand_over(platform, sql, bundle));
                }
            }
            let Some(noted) = calls.next().await else {
                return Ok(has_waited);
            };
            if let Err(unnoted) = noted {
                self.keep(unnoted);
            }
            has_waited |= self.has_waiting.replace(false);
        }
    }

    /// Claims the next bundle, for a carrier that may have one call more.
    fn claim(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<Bundle<'_>>, PortError> {
        if self.calls_left.get() == 0 {
            return Ok(None);
        }
        sql.transaction(|| {
            for carrier in chunk::ready_carriers(sql)? {
                if self.calls_to(&carrier, now_ms) >= CALLS_A_CARRIER {
                    self.has_waiting.set(true);
                    continue;
                }
                if let Some(claimed) = chunk::claim(sql, now_ms, &carrier)? {
                    return self.bundle(sql, now_ms, carrier, claimed).map(Some);
                }
            }
            Ok(None)
        })
    }

    fn calls_to(&self, carrier: &str, now_ms: i64) -> usize {
        let mut under_way = self.under_way.borrow_mut();
        under_way.get_mut(carrier).map_or(0, |calls| {
            calls.retain(|began_ms| is_alive(*began_ms, now_ms));
            calls.len()
        })
    }

    fn bundle(&self, sql: &impl Sql, now_ms: i64, carrier: String, claimed: Claimed) -> Result<Bundle<'_>, PortError> {
        let account = Account::stored(sql)?.ok_or(PortError::failed("sql", "a chunk without an account"))?;
        let mut under_way = self.under_way.borrow_mut();
        under_way.entry(carrier.clone()).or_default().push(now_ms);
        self.calls_left.set(self.calls_left.get().saturating_sub(1));
        Ok(Bundle {
            account: account.id,
            claimed_ms: now_ms,
            handovers: claimed.handovers,
            is_full: claimed.is_full,
            _slot: Slot {
                dispatcher: self,
                carrier: carrier.clone(),
                began_ms: now_ms,
            },
            carrier,
        })
    }

    async fn hand_over<P: Platform, S: Sql>(&self, platform: &P, sql: &S, bundle: Bundle<'_>) -> Result<(), Unnoted> {
        let claims: Vec<ChunkRef> = bundle.handovers.iter().map(|handover| handover.chunk).collect();
        let until_ms = bundle.claimed_ms.saturating_add(LEASE_MS);
        let carrier = bundle.carrier.clone();
        let answers = self.submit(platform, bundle).await;
        let unnoted = Unnoted {
            carrier,
            answered: answers.map_err(|error| {
                log(platform, "the call to a carrier failed", &error);
                claims
            }),
            failures: 0,
            due_ms: 0,
            until_ms,
        };
        unnoted.note(platform, sql)
    }

    /// Tries again to note the answers whose time has come, for the last time when the lease of their chunks ends. While the
    /// leases hold, nobody else brings these chunks on.
    pub fn note_again(&self, platform: &impl Platform, sql: &impl Sql) {
        let now_ms = platform.now_ms();
        for unnoted in self.unnoted.take() {
            let left = match unnoted.due_ms <= now_ms {
                true => unnoted.note(platform, sql).err(),
                false => Some(unnoted),
            };
            if let Some(left) = left.filter(|left| left.until_ms > now_ms) {
                self.keep(left);
            }
        }
    }

    /// When answers are to be noted again.
    pub fn note_again_due_ms(&self) -> Option<i64> {
        self.unnoted.borrow().iter().map(|unnoted| unnoted.due_ms).min()
    }

    fn keep(&self, unnoted: Unnoted) {
        let mut kept = self.unnoted.borrow_mut();
        if kept.len() < MAX_UNNOTED {
            kept.push(unnoted);
        }
    }

    async fn submit<P: Platform>(
        &self,
        platform: &P,
        bundle: Bundle<'_>,
    ) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        let answer = |answer: fn(&Handover, i64) -> Answer, at_ms: i64| {
            let answers = bundle
                .handovers
                .iter()
                .map(|handover| (handover.chunk, answer(handover, at_ms)));
            Ok(answers.collect())
        };
        let carrier = match self.carrier(platform, &bundle.carrier).await {
            Ok(Some(carrier)) => carrier,
            // A line whose carrier does not exist any more waits as for a carrier that is down.
            Ok(None) => return answer(|handover, _| Answer::Outcomes(Outcomes::all_not_now(handover)), 0),
            Err(error) => {
                log(platform, "the directory did not tell a carrier", &error);
                let until_ms = platform.now_ms().saturating_add(RETRY_MS);
                return answer(|_, until_ms| Answer::Busy(until_ms), until_ms);
            }
        };
        let submission = Submission {
            carrier: (*carrier).clone(),
            account: bundle.account,
            class: Class::Normal,
            valid_until_ms: bundle.claimed_ms.saturating_add(HAND_OVER_MS),
            handovers: bundle.handovers,
        };
        carrier::submit(platform, &submission).await
    }

    async fn carrier(&self, platform: &impl Platform, name: &str) -> Result<Option<Rc<Carrier>>, PortError> {
        let now_ms = platform.now_ms();
        if let Some(carrier) = self.carriers.get(name, now_ms) {
            return Ok(Some(carrier));
        }
        let found = carriers::find(platform.db(), name).await?;
        Ok(found.map(|carrier| self.carriers.put(name, now_ms, carrier)))
    }
}

impl Unnoted {
    /// Notes the answers in one transaction, or gives them back with a later time.
    fn note(self, platform: &impl Platform, sql: &impl Sql) -> Result<(), Unnoted> {
        let now_ms = platform.now_ms();
        let noted = sql.transaction(|| {
            let before = Account::stored(sql)?.ok_or(PortError::failed("sql", "a chunk without an account"))?;
            let mut account = before.clone();
            match &self.answered {
                Ok(answers) => outcomes::record(sql, now_ms, &mut account, &self.carrier, answers)?,
                Err(claims) => outcomes::record_failure(sql, now_ms, &mut account, claims)?,
            }
            account.save(sql, &before)
        });
        noted.map_err(|error| {
            log(platform, "outcomes could not be noted", &error);
            let wait_ms = FIRST_WAIT_MS << self.failures.min(10);
            Unnoted {
                failures: self.failures.saturating_add(1),
                due_ms: now_ms.saturating_add(wait_ms).min(self.until_ms),
                ..self
            }
        })
    }
}

/// Whether a call may still be under way.
fn is_alive(began_ms: i64, now_ms: i64) -> bool {
    now_ms < began_ms.saturating_add(LEASE_MS)
}

fn log(platform: &impl Platform, what: &str, error: &PortError) {
    let line = json!({"level": "error", "event": "dispatch", "what": what, "cause": error.to_string()});
    platform.log(&line.to_string());
}
