//! The attempts that a webhook object has under way.
//!
//! Which deliveries are due stands in the object's SQLite; what is under way is in memory only. When the process is killed,
//! the same deliveries are still due.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::attempt::Attempted;
use super::callbacks::attempt as callback_attempt;
use super::callbacks::due::{self, DueCallback};
use super::concurrency::{self, Pace, SLOW_MS, is_receiver};
use super::delivery_attempt::{self, Due};
use super::low_balance;
use crate::base::config::Config;
use crate::base::ports::{Platform, PortError, Sql};
use crate::base::record::Columns;
use crate::durable::to_json;
use crate::durable::under_way::{Mark, UnderWay};

/// Attempts in one invocation of the object: the runtime allows 1,000 requests.
const ATTEMPTS_AN_INVOCATION: u32 = 800;
/// An attempt counts as under way for so long at most, ms: twice its time limit. The runtime may drop one without a word.
const LONGEST_MS: i64 = 30_000;
/// When the alarm looks again while attempts are under way, ms. The run that made them goes on by itself.
const WATCH_MS: i64 = 5_000;
/// So many receivers of callbacks are known by their pace. It is forgotten of all when there are more.
const MAX_PACES: usize = 1_000;

/// The attempts that one object has under way.
#[derive(Debug)]
pub struct Deliverer {
    /// `(endpoint, event)` or `(receiver, callback)`.
    under_way: UnderWay<(String, String), LONGEST_MS>,
    /// How soon each endpoint and each receiver of callbacks took what it got last.
    paces: RefCell<BTreeMap<String, Pace>>,
    /// The endpoint or the receiver that had the last attempt.
    last: RefCell<String>,
    attempts_left: Cell<u32>,
    /// Whether a run has ended before its work, at a limit of its invocation.
    has_stopped: Cell<bool>,
}

impl Default for Deliverer {
    fn default() -> Self {
        Deliverer {
            under_way: UnderWay::default(),
            paces: RefCell::default(),
            last: RefCell::default(),
            attempts_left: Cell::new(ATTEMPTS_AN_INVOCATION),
            has_stopped: Cell::new(false),
        }
    }
}

/// What is to be attempted.
#[derive(Debug)]
enum Work {
    Delivery(Due),
    Callback(DueCallback),
}

impl Work {
    fn id(&self) -> &str {
        match self {
            Work::Delivery(due) => &due.event,
            Work::Callback(due) => &due.id,
        }
    }

    /// What it brings, as the metrics name it.
    fn brings(&self) -> &'static str {
        match self {
            Work::Delivery(_) => "EVENT",
            Work::Callback(_) => "CALLBACK",
        }
    }
}

/// What is to be attempted and counts as under way, and the endpoint or the receiver that gets it.
type Begun = (Work, String, Mark<(String, String)>);

impl Deliverer {
    /// Allows attempts anew: a new invocation of the object has begun.
    pub fn begin_invocation(&self) {
        self.attempts_left.set(ATTEMPTS_AN_INVOCATION);
        self.has_stopped.set(false);
    }

    /// Makes attempts until nothing is due, and begins none at `last_ms` or later. Several runs may be under way at once; they
    /// share the slots. What a run leaves because of a limit is due at once, in a new invocation.
    pub async fn run<P: Platform, S: Sql>(&self, platform: &P, sql: &S, last_ms: i64) -> Result<(), PortError> {
        let config =
            Config::read(|name| platform.setting(name)).map_err(|error| PortError::failed("settings", error))?;
        let Some(account) = low_balance::account(sql)? else {
            return Ok(());
        };
        let mut attempts = FuturesUnordered::new();
        loop {
            while self.may_begin(platform.now_ms(), last_ms)
                && let Some(begun) = self.next(sql, platform.now_ms())?
            {
                attempts.push(self.attempt(platform, sql, &account, begun, &config));
            }
            match attempts.next().await {
                Some(noted) => noted?,
                None => return Ok(()),
            }
        }
    }

    fn may_begin(&self, now_ms: i64, last_ms: i64) -> bool {
        let may_begin = now_ms < last_ms && self.attempts_left.get() > 0;
        self.has_stopped.set(self.has_stopped.get() || !may_begin);
        may_begin
    }

    /// What to attempt next, if there is room for it.
    fn next(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<Begun>, PortError> {
        let mut lanes = ready_endpoints(sql, now_ms)?;
        self.forget_paces(&lanes);
        let last = self.last.borrow().clone();
        lanes.extend(due::ready_receivers(sql, now_ms, &last)?);
        let (mut counts, mut ids) = (BTreeMap::new(), BTreeMap::new());
        for (lane, id) in self.under_way.alive(now_ms) {
            *counts.entry(lane.clone()).or_insert(0) += 1;
            ids.entry(lane).or_insert_with(Vec::new).push(id);
        }
        for lane in concurrency::candidates(&lanes, &counts, &self.paces.borrow(), &last) {
            let under_way = ids.get(lane).map_or(&[][..], Vec::as_slice);
            if let Some(work) = first_due(sql, now_ms, lane, under_way)? {
                let mark = self.under_way.begin(now_ms, (lane.clone(), work.id().to_owned()));
                self.last.replace(lane.clone());
                self.attempts_left.set(self.attempts_left.get().saturating_sub(1));
                return Ok(Some((work, lane.clone(), mark)));
            }
        }
        Ok(None)
    }

    /// Forgets how soon endpoints took what they got that get nothing now. A receiver of callbacks is known while nothing waits for it,
    /// too.
    fn forget_paces(&self, endpoints: &[String]) {
        let mut paces = self.paces.borrow_mut();
        let receivers = paces.keys().filter(|lane| is_receiver(lane)).count();
        paces.retain(|lane, _| match is_receiver(lane) {
            true => receivers <= MAX_PACES,
            false => endpoints.contains(lane),
        });
    }

    async fn attempt<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        account: &str,
        (work, lane, _under_way): Begun,
        config: &Config,
    ) -> Result<(), PortError> {
        let began_ms = platform.now_ms();
        let attempt = match &work {
            Work::Delivery(due) => delivery_attempt::make(platform, config, account, due).await,
            Work::Callback(due) => callback_attempt::make(platform, config, account, due).await,
        };
        let took_ms = platform.now_ms().saturating_sub(began_ms);
        let outcome = attempt.attempted.as_str();
        platform.tally().note_attempt(work.brings(), outcome, took_ms);
        let pace = match attempt.attempted {
            Attempted::Done { .. } if took_ms <= SLOW_MS => Pace::Fast,
            _ => Pace::Slow,
        };
        self.paces.borrow_mut().insert(lane, pace);
        let waits_s = &config.webhook_retry_s;
        match &work {
            Work::Delivery(due) => delivery_attempt::note(platform, sql, account, waits_s, due, &attempt)?,
            Work::Callback(due) => callback_attempt::note(platform, sql, account, waits_s, due, &attempt.attempted)?,
        }
        Ok(())
    }

    /// When the alarm is to go on after a run that has stopped at a limit, ms since the Unix epoch.
    pub fn due_after_run_ms(&self, now_ms: i64) -> Option<i64> {
        self.has_stopped.get().then_some(now_ms)
    }

    /// When the alarm is to look for attempts, ms since the Unix epoch.
    pub fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        // What is under way is still due as it is stored. Its run makes the next attempts, unless it has stopped.
        let goes_on = !self.has_stopped.get() && self.under_way.any(now_ms);
        let earliest_ms = if goes_on { now_ms.saturating_add(WATCH_MS) } else { 0 };
        Ok(stored_due_ms(sql)?.map(|due_ms| due_ms.max(earliest_ms)))
    }
}

/// When the first delivery or callback is due that waits, ms since the Unix epoch. It may be under way.
pub fn stored_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let delivery_ms = sql.number(
        "SELECT min(max(held_ms, (SELECT due_ms FROM delivery d \
           WHERE d.endpoint = endpoint.id AND d.state = 0 ORDER BY due_ms LIMIT 1))) \
         FROM endpoint WHERE active = 1 AND deleted = 0",
        &[],
    )?;
    Ok(delivery_ms.into_iter().chain(due::stored_due_ms(sql)?).min())
}

/// The endpoints that may get something now.
fn ready_endpoints(sql: &impl Sql, now_ms: i64) -> Result<Vec<String>, PortError> {
    let rows = sql.exec(
        "SELECT id FROM endpoint WHERE active = 1 AND deleted = 0 AND held_ms <= ?1",
        &[now_ms.into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// What is due first for an endpoint or a receiver of callbacks and not under way.
fn first_due(sql: &impl Sql, now_ms: i64, lane: &str, under_way: &[String]) -> Result<Option<Work>, PortError> {
    if is_receiver(lane) {
        let callback = due::first_due(sql, now_ms, lane, under_way)?;
        return Ok(callback.map(Work::Callback));
    }
    let delivery = first_delivery(sql, now_ms, lane, under_way)?;
    Ok(delivery.map(Work::Delivery))
}

fn first_delivery(sql: &impl Sql, now_ms: i64, endpoint: &str, under_way: &[String]) -> Result<Option<Due>, PortError> {
    let rows = sql.exec(
        "SELECT p.id, p.url, p.secrets, e.id, e.type, e.made_ms, e.data, d.failures \
         FROM delivery d CROSS JOIN event e ON e.id = d.event CROSS JOIN endpoint p ON p.id = d.endpoint \
         WHERE d.endpoint = ?1 AND d.state = 0 AND d.due_ms <= ?2 \
           AND d.event NOT IN (SELECT value FROM json_each(?3)) ORDER BY d.due_ms LIMIT 1",
        &[endpoint.into(), now_ms.into(), to_json(&under_way)?.into()],
    )?;
    rows.first().map(Due::of).transpose()
}
