//! Handing an account's chunks to carriers: choose, claim, call the carrier's object, note the outcomes.
//!
//! Claim and note are local transactions around one call. A crash before the claim costs nothing. A crash after it leaves a
//! claim whose lease ends; the chunk is then handed over again, to the same object, which tells from its journal which
//! recipients it has had. If a note fails, the object tries it again until the lease ends.
//!
//! A call to a carrier may take 28 seconds, and the runtime rings no alarm while one is being handled. So the alarm only starts a run,
//! which goes on beside it. A run begins 10 ms after the one before at the earliest: chunks that are accepted in between travel together.
//!
//! Patterns go first, then plain sends, then phonebooks and bulk sends. Of each of these classes, an account has two calls at most
//! under way to each object of a carrier. What one invocation may not call any more goes on in the next.

mod calls;
mod choice;
mod claims;
mod dispatcher;
mod look;
mod outcome_retry;
mod waiting_lists;

use std::collections::BTreeSet;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::Either;
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::account::chunk::claim_queued::{self, Claimed};
use crate::account::chunk::{expiry, outcomes};
use crate::account::record::account_row::Account;
use crate::account::record::chunk::handover::{Answer, ChunkRef, Outcomes};
use crate::account::record::chunk::queue::Queue;
use crate::account::record::chunk::{LEASE_MS, queue};
use crate::account::unit_of_work;
use crate::auth::secret::MasterKey;
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::carrier_of;
use crate::carrier::request::{HAND_OVER_MS, Submission};
use crate::directory::carriers::Carrier;
use crate::durable::ask;
use choice::{Chosen, Options};
pub use dispatcher::Dispatcher;
use dispatcher::{Bundle, Waiting};
use outcome_retry::{Unnoted, log_failure};

/// A carrier that has no room for longer than this, ms, is left alone: others may take its chunks.
const SHORT_WAIT_MS: i64 = 10_000;
/// After an answer that names a longer wait than this, ms, the carrier is read anew.
const LONG_WAIT_MS: i64 = 1_000;
/// A carrier that is down is left alone for at least this long, ms.
const SHORTEST_LEAVE_MS: i64 = 1_000;

/// What a run waits for.
enum Done {
    /// A call to a carrier's object: whether some of its chunks are due again at once.
    Handed(Result<bool, Unnoted>),
    /// What the directory has told of queues.
    Looked(Vec<(Queue, Options)>),
    /// The account is on waiting lists: whether what it knows may be too old.
    Entered(bool),
}

/// What a run finds to do.
#[derive(Default)]
struct Found {
    claimed: Vec<Waiting>,
    /// The queues of which memory does not tell where they may go.
    unknown: Vec<Queue>,
    /// The waiting lists that the account is to enter.
    lists: BTreeSet<String>,
    /// Whether more chunks may be due than were claimed.
    is_backlog: bool,
}

impl Dispatcher {
    /// Allows calls anew: a new invocation of the object has begun.
    pub fn begin_invocation(&self) {
        self.calls.begin_invocation();
    }

    /// Whether a call is under way.
    pub fn is_under_way(&self, now_ms: i64) -> bool {
        self.calls.any(now_ms)
    }

    /// When chunks that are ready are to be handed over next.
    pub fn next_due_ms(&self, sql: &impl Sql) -> Result<Option<i64>, PortError> {
        let queues = queue::all(sql)?;
        self.has_ready.set(!queues.is_empty());
        let resting = self.resting.borrow();
        let due = queues.into_iter().map(|queue| {
            let until_ms = resting.get(&(queue.priority, queue.name)).copied().unwrap_or(0);
            queue.due_ms.max(until_ms)
        });
        Ok(due.min())
    }

    /// Hands over what is due, as far as each object may have one call more. Several runs may be under way at once; they
    /// share the calls. Gives `true` when a chunk may have waited for one of these calls to end.
    pub async fn run<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        let mut steps = FuturesUnordered::new();
        let claimed = self.claims.take();
        let mut found = Found {
            is_backlog: self.may_have_due.take() || claimed.is_empty(),
            claimed,
            ..Found::default()
        };
        let (mut has_waited, mut failed) = (false, Ok(()));
        loop {
            while std::mem::take(&mut found.is_backlog) {
                // What is under way ends, also if the storage fails.
                failed = failed.and(self.claim_due(platform, sql, &mut found));
            }
            for Waiting { bundle, options } in std::mem::take(&mut found.claimed) {
                let handed = self.hand_over(platform, sql, bundle, options);
                steps.push(Either::Left(handed.map(Done::Handed)));
            }
            if let Some(look) = self.begin_look(platform.now_ms(), std::mem::take(&mut found.unknown)) {
                steps.push(Either::Right(Either::Left(look.run(platform).map(Done::Looked))));
            }
            if !found.lists.is_empty() {
                let entered = self.enter(platform, sql, std::mem::take(&mut found.lists));
                steps.push(Either::Right(Either::Right(entered.map(Done::Entered))));
            }
            let Some(done) = steps.next().await else {
                if has_waited || failed.is_err() {
                    self.expect_due();
                }
                return failed.map(|()| has_waited);
            };
            match done {
                Done::Handed(Ok(is_left)) | Done::Entered(is_left) => found.is_backlog = is_left,
                Done::Handed(Err(unnoted)) => self.unnoted.keep(unnoted),
                Done::Looked(told) => {
                    for (queue, options) in told {
                        failed = failed.and(self.claim_of(platform, sql, &queue, Rc::new(options), &mut found));
                    }
                    found.is_backlog |= self.has_missed.take();
                }
            }
            has_waited |= self.has_waiting.replace(false);
        }
    }

    /// Claims chunks of the queues that are due, where memory tells where these may go.
    fn claim_due<P: Platform, S: Sql>(&self, platform: &P, sql: &S, found: &mut Found) -> Result<(), PortError> {
        let now_ms = platform.now_ms();
        found.unknown.clear();
        for queue in queue::all(sql)?.into_iter().filter(|queue| queue.due_ms <= now_ms) {
            match self.choice.known(now_ms, &queue) {
                Some(options) => self.claim_of(platform, sql, &queue, Rc::new(options), found)?,
                // The directory was asked a moment ago, and failed.
                None if self.rests(&queue, now_ms) => {}
                None => found.unknown.push(queue),
            }
        }
        Ok(())
    }

    /// Claims chunks of a queue: one bundle for each call that its carriers' objects may have more.
    fn claim_of<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        queue: &Queue,
        options: Rc<Options>,
        found: &mut Found,
    ) -> Result<(), PortError> {
        while let Some((bundle, is_full)) = self.claim(platform, sql, queue, &options)? {
            let options = Rc::clone(&options);
            found.claimed.push(Waiting { bundle, options });
            found.is_backlog |= is_full;
            if !is_full {
                break;
            }
        }
        found
            .lists
            .extend(self.lists_to_enter(platform.now_ms(), queue, &options));
        Ok(())
    }

    /// Claims the next bundle of a queue, for an object that may have one call more, and tells whether the bundle is full.
    fn claim<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        queue: &Queue,
        options: &Options,
    ) -> Result<Option<(Bundle, bool)>, PortError> {
        if !self.may_claim() {
            return Ok(None);
        }
        let now_ms = platform.now_ms();
        let account = Account::stored(sql)?.ok_or(PortError::failed("sql", "a chunk without an account"))?;
        match self.choose(now_ms, &account.id, queue, options) {
            Chosen::Object(carrier, object) => {
                self.resting.borrow_mut().remove(&(queue.priority, queue.name.clone()));
                let key = MasterKey::of(platform);
                let claimed = sql.transaction(|| claim_queued::claim(sql, now_ms, &account, queue, &object, &key))?;
                let Some(claimed) = claimed else {
                    return Ok(None);
                };
                if claimed.handovers.is_empty() {
                    self.has_noted.set(true);
                    // Others may stand behind those that had expired: the next run claims them.
                    self.has_waiting.set(claimed.is_full || self.has_waiting.get());
                    return Ok(None);
                }
                let is_full = claimed.is_full;
                let bundle = self.bundle(now_ms, account.id.clone(), queue, (carrier, object), claimed);
                Ok(Some((bundle, is_full)))
            }
            Chosen::Full => {
                self.has_waiting.set(true);
                Ok(None)
            }
            Chosen::Closed(opens_ms) => {
                sql.transaction(|| claim_queued::put_off(sql, now_ms, queue, opens_ms))?;
                Ok(None)
            }
            Chosen::Paused(until_ms) => {
                self.rest(queue, until_ms);
                self.cancel_expired(sql, now_ms, queue)?;
                Ok(None)
            }
            Chosen::Down(until_ms) => {
                self.rest(queue, until_ms);
                self.cancel_expired(sql, now_ms, queue)?;
                give_up_overdue(sql, now_ms, queue)?;
                Ok(None)
            }
        }
    }

    /// Cancels chunks that wait for carriers and whose messages have expired.
    fn cancel_expired(&self, sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<(), PortError> {
        let chunks = expiry::expired_in(sql, now_ms, queue)?;
        if chunks.is_empty() {
            return Ok(());
        }
        self.has_noted.set(true);
        unit_of_work::run(sql, now_ms, |work| expiry::cancel(sql, work, &chunks)).map(drop)
    }

    fn bundle(
        &self,
        now_ms: i64,
        account: String,
        queue: &Queue,
        (carrier, object): (Carrier, String),
        claimed: Claimed,
    ) -> Bundle {
        self.choice.count();
        Bundle {
            call: self.calls.begin(now_ms, &object, queue.priority),
            queue: queue.clone(),
            carrier,
            object,
            account,
            claimed_ms: now_ms,
            handovers: claimed.handovers,
        }
    }

    /// Calls the object of a carrier and notes its answers. Gives `true` when some of the chunks are due again at once.
    async fn hand_over<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        bundle: Bundle,
        options: Rc<Options>,
    ) -> Result<bool, Unnoted> {
        let _call = bundle.call;
        let claims: Vec<ChunkRef> = bundle.handovers.iter().map(|handover| handover.chunk).collect();
        let submission = Submission {
            carrier: bundle.carrier,
            account: bundle.account,
            priority: bundle.queue.priority,
            valid_until_ms: bundle.claimed_ms.saturating_add(HAND_OVER_MS),
            handovers: bundle.handovers,
        };
        let answered = ask(platform, &bundle.object, None, None, &submission).await;
        let now_ms = platform.now_ms();
        let answered = match answered {
            Ok(answers) => Ok(self.learn(now_ms, &bundle.object, answers)),
            Err(error) => {
                log_failure(platform, "the call to a carrier failed", &error);
                self.choice.leave_failing(&bundle.object, now_ms);
                Err(claims)
            }
        };
        let may_go_on = answered.iter().flatten().any(|(_, answer)| may_go_by_another(answer));
        let has_other = may_go_on
            && match self.choose(now_ms, &submission.account, &bundle.queue, &options) {
                Chosen::Object(carrier, _) => carrier.name != submission.carrier.name,
                Chosen::Full | Chosen::Closed(_) | Chosen::Down(_) | Chosen::Paused(_) => false,
            };
        let is_left = answered.iter().flatten().any(|(_, answer)| is_left(answer));
        let unnoted = Unnoted {
            carrier: submission.carrier.name,
            has_other,
            answered,
            failures: 0,
            due_ms: 0,
            until_ms: bundle.claimed_ms.saturating_add(LEASE_MS),
        };
        unnoted.note(platform, sql)?;
        self.has_noted.set(true);
        Ok(is_left)
    }

    /// Learns from answers how the object does. One that has no room for long is like one that is down.
    fn learn(&self, now_ms: i64, object: &str, answers: Vec<(ChunkRef, Answer)>) -> Vec<(ChunkRef, Answer)> {
        // Perhaps an operator has stopped the carrier since the directory was read.
        if answers.iter().any(|(_, answer)| waits_long(answer, now_ms)) {
            self.choice.forget_carrier(carrier_of(object));
        }
        let answers: Vec<(ChunkRef, Answer)> = answers
            .into_iter()
            .map(|(chunk, answer)| match answer {
                Answer::Busy(until_ms) if until_ms > now_ms.saturating_add(SHORT_WAIT_MS) => {
                    (chunk, Answer::Down(until_ms))
                }
                answer => (chunk, answer),
            })
            .collect();
        let down_until = |(_, answer): &(ChunkRef, Answer)| match answer {
            Answer::Down(until_ms) => Some(*until_ms),
            Answer::Outcomes(_) | Answer::Busy(_) | Answer::Late => None,
        };
        if let Some(until_ms) = answers.iter().filter_map(down_until).max() {
            self.choice
                .leave(object, until_ms.max(now_ms.saturating_add(SHORTEST_LEAVE_MS)));
        } else if !answers.is_empty() && answers.iter().all(|(_, answer)| refuses_all(answer)) {
            self.choice.leave_failing(object, now_ms);
        } else if answers.iter().any(|(_, answer)| takes_some(answer)) {
            self.choice.welcome(object);
        }
        answers
    }
}

/// Gives up chunks that have waited too long for carriers that are down.
fn give_up_overdue(sql: &impl Sql, now_ms: i64, queue: &Queue) -> Result<(), PortError> {
    let since_ms = now_ms.saturating_sub(queue.priority.patience_ms());
    let given_up = unit_of_work::run(sql, now_ms, |work| {
        let places = queue::overdue(sql, now_ms, queue, since_ms)?;
        outcomes::give_up_overdue(sql, work, &places)
    });
    given_up.map(drop)
}

/// Whether the carrier had no turn for some of the chunk, or was down: then the chunk is due again at once.
fn is_left(answer: &Answer) -> bool {
    match answer {
        Answer::Outcomes(outcomes) => !outcomes.waiting.is_empty() || !outcomes.not_now.is_empty(),
        Answer::Down(_) => true,
        Answer::Busy(_) | Answer::Late => false,
    }
}

/// Whether chunks are refused for now with this answer, so that another carrier may take them.
fn may_go_by_another(answer: &Answer) -> bool {
    match answer {
        Answer::Outcomes(outcomes) => !outcomes.not_now.is_empty(),
        Answer::Late => true,
        Answer::Busy(_) | Answer::Down(_) => false,
    }
}

fn waits_long(answer: &Answer, now_ms: i64) -> bool {
    match answer {
        Answer::Busy(until_ms) | Answer::Down(until_ms) => *until_ms >= now_ms.saturating_add(LONG_WAIT_MS),
        Answer::Outcomes(_) | Answer::Late => false,
    }
}

fn refuses_all(answer: &Answer) -> bool {
    let Answer::Outcomes(outcomes) = answer else {
        return false;
    };
    let Outcomes {
        taken: _,
        ended: _,
        refused,
        not_now,
        waiting,
        no_answer,
    } = outcomes;
    !not_now.is_empty() && !outcomes.has_taken() && refused.is_empty() && waiting.is_empty() && no_answer.is_empty()
}

fn takes_some(answer: &Answer) -> bool {
    matches!(answer, Answer::Outcomes(outcomes) if outcomes.has_taken())
}
