//! Reports that go to the accounts' objects without being stored here. A receipt is answered when its report is safe: when the
//! account's object has it or, if that fails or takes too long, when it is stored here. So in good times a report writes no row.
//!
//! A crash in between makes the carrier repeat the receipt, which changes nothing. An account whose object fails or hangs
//! costs the receipts of others nothing: its own are stored at once from then on, until what is stored has arrived.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::account::chunk::reports::DeliveryReport;
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::reports::{self, REPORTS_A_CALL};
use crate::durable::in_time;

/// How long a call may take before its reports are stored, ms, and how long a report waits for its call. A carrier that waits for
/// its answers sends nothing more meanwhile.
const WAIT_MS: i64 = 1_000;
/// Calls that are under way at once.
const CALLS_AT_ONCE: usize = 6;
/// Receipts that wait for their answers at most, so in one call too. Others are stored.
const MAX_WAITING: usize = 1_000;

/// A receipt without an answer: its number in the session, and its report.
type Receipt = (u32, DeliveryReport);

/// Receipts of an account whose calls wait.
#[derive(Default)]
struct Queue {
    /// The receipts, each with the time since which it waits, ms since the Unix epoch.
    waiting: VecDeque<(i64, Receipt)>,
    /// Those of the call that is under way. There is one at a time.
    called: Vec<Receipt>,
}

impl Queue {
    /// Takes as many receipts for a call as it may have, and gives their reports.
    fn call(&mut self) -> Vec<DeliveryReport> {
        let mut gathered = Vec::new();
        while gathered.len() < REPORTS_A_CALL
            && let Some((_, receipt)) = self.waiting.pop_front()
        {
            let (_, report) = &receipt;
            for index in &report.indexes {
                reports::gather(
                    &mut gathered,
                    report.message,
                    *index,
                    report.status,
                    report.cause.clone(),
                );
            }
            self.called.push(receipt);
        }
        gathered
    }
}

/// The receipts of a session whose reports are on their way.
#[derive(Default)]
pub struct PassThrough<'a> {
    queues: BTreeMap<String, Queue>,
    calls: FuturesUnordered<LocalBoxFuture<'a, (String, Result<bool, PortError>)>>,
    /// The calls that have ended.
    ended: Vec<(String, Result<bool, PortError>)>,
    /// The accounts whose last call has failed.
    failing: BTreeSet<String>,
    /// Receipts whose reports are to be stored.
    to_store: Vec<(String, Receipt)>,
    waiting: usize,
}

impl<'a> PassThrough<'a> {
    /// Takes a receipt whose report is to be told to an account.
    pub fn add(&mut self, now_ms: i64, account: String, receipt: Receipt) {
        if self.waiting >= MAX_WAITING || self.failing.contains(&account) {
            self.to_store.push((account, receipt));
        } else {
            self.waiting += 1;
            let queue = self.queues.entry(account).or_default();
            queue.waiting.push_back((now_ms, receipt));
        }
    }

    /// Begins calls for receipts that wait: first for the account that has waited longest.
    pub fn begin(&mut self, platform: &'a impl Platform, carrier: &str) {
        let ready = self.queues.iter_mut().filter(|(_, queue)| queue.called.is_empty());
        let mut ready: Vec<(i64, &String, &mut Queue)> = ready
            .filter_map(|(account, queue)| Some((queue.waiting.front()?.0, account, queue)))
            .collect();
        ready.sort_by_key(|(since_ms, ..)| *since_ms);
        let places = CALLS_AT_ONCE.saturating_sub(self.calls.len());
        for (_, account, queue) in ready.into_iter().take(places) {
            let gathered = queue.call();
            let (account, carrier) = (account.clone(), carrier.to_owned());
            let call = async move {
                let told = reports::report(platform, &carrier, &account, gathered);
                let told = in_time(platform, "account", WAIT_MS, told).await;
                (account, told)
            };
            self.calls.push(call.boxed_local());
        }
    }

    /// Goes on with the calls that are under way. `true`: one has ended.
    pub fn poll(&mut self, context: &mut Context<'_>) -> bool {
        let before = self.ended.len();
        while let Poll::Ready(Some(ended)) = self.calls.poll_next_unpin(context) {
            self.ended.push(ended);
        }
        self.ended.len() > before
    }

    /// The receipts whose reports are safe by now: told to their accounts, or stored here.
    pub fn safe(&mut self, sql: &impl Sql, now_ms: i64) -> Result<Safe, PortError> {
        let mut safe = Safe::default();
        for (account, told) in std::mem::take(&mut self.ended) {
            let called = self
                .queues
                .get_mut(&account)
                .map(|queue| std::mem::take(&mut queue.called));
            let called = called.unwrap_or_default();
            self.waiting = self.waiting.saturating_sub(called.len());
            match told {
                Ok(_) => safe.receipts.extend(called.into_iter().map(|(number, _)| number)),
                // The log hears of it if the stored reports do not arrive either.
                Err(_) => {
                    self.to_store
                        .extend(called.into_iter().map(|receipt| (account.clone(), receipt)));
                    self.fail(account);
                }
            }
        }
        self.give_up_waiting(now_ms);
        self.queues
            .retain(|_, queue| !(queue.waiting.is_empty() && queue.called.is_empty()));
        let to_store = std::mem::take(&mut self.to_store);
        if !to_store.is_empty() {
            store(sql, now_ms, &to_store)?;
            safe.has_stored = true;
            safe.receipts.extend(to_store.iter().map(|(_, (number, _))| *number));
        }
        Ok(safe)
    }

    /// What an account waits for is stored, and what comes for it.
    fn fail(&mut self, account: String) {
        if let Some(queue) = self.queues.get_mut(&account) {
            self.waiting = self.waiting.saturating_sub(queue.waiting.len());
            let waiting = queue.waiting.drain(..);
            self.to_store
                .extend(waiting.map(|(_, receipt)| (account.clone(), receipt)));
        }
        self.failing.insert(account);
    }

    /// What has waited for too long for its call is stored.
    fn give_up_waiting(&mut self, now_ms: i64) {
        for (account, queue) in &mut self.queues {
            while let Some((since_ms, _)) = queue.waiting.front()
                && now_ms >= since_ms.saturating_add(WAIT_MS)
                && let Some((_, receipt)) = queue.waiting.pop_front()
            {
                self.waiting = self.waiting.saturating_sub(1);
                self.to_store.push((account.clone(), receipt));
            }
        }
    }

    /// Calls those accounts again whose calls have failed, and that have got by now what was stored.
    pub fn try_again(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        if !self.failing.is_empty() {
            let stored = reports::accounts(sql)?;
            self.failing.retain(|account| stored.contains(account));
        }
        Ok(())
    }

    /// Stores the reports of all receipts that have no answer: the session ends, and the carrier may not repeat them.
    pub fn store_all(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let mut all = std::mem::take(&mut self.to_store);
        for (account, queue) in std::mem::take(&mut self.queues) {
            let waiting = queue.waiting.into_iter().map(|(_, receipt)| receipt);
            let open = queue.called.into_iter().chain(waiting);
            all.extend(open.map(|receipt| (account.clone(), receipt)));
        }
        self.waiting = 0;
        store(sql, now_ms, &all)
    }

    /// When something is to be done though no call has ended, ms since the Unix epoch.
    pub fn due_ms(&self) -> i64 {
        let first = self.queues.values().filter_map(|queue| queue.waiting.front());
        first
            .map(|(since_ms, _)| since_ms.saturating_add(WAIT_MS))
            .min()
            .unwrap_or(i64::MAX)
    }
}

/// Receipts that may be answered.
#[derive(Debug, Default)]
pub struct Safe {
    /// Their numbers in the session.
    pub receipts: Vec<u32>,
    /// Whether reports are stored that are to be sent on.
    pub has_stored: bool,
}

fn store(sql: &impl Sql, now_ms: i64, receipts: &[(String, Receipt)]) -> Result<(), PortError> {
    let reports = receipts.iter().map(|(account, (_, report))| (account.as_str(), report));
    reports::add_all(sql, now_ms, reports)
}
