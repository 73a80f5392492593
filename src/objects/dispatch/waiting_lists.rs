//! Waiting for what an operator changes: an account whose chunks rest is on the waiting lists of their line and its carriers.

use std::collections::BTreeSet;

use futures_util::future::join_all;

use super::choice::Options;
use super::dispatcher::Dispatcher;
use super::outcome_retry::log_failure;
use crate::account::record::account_row::Account;
use crate::account::record::chunk::queue::{Queue, Way};
use crate::base::ports::{Platform, Sql};
use crate::carrier::waiting_list::{self, AwaitChange};
use crate::durable::ask_in_time;

/// A queue that rests for no longer than this, ms, is not worth the calls.
const SHORT_REST_MS: i64 = 2_000;
/// How long an account counts on being on a list, ms. The list keeps it for longer.
const ENTERED_MS: i64 = 20 * 60 * 1_000;
/// Lists that are remembered at most. An account enters one that is forgotten once more.
const MAX_ENTERED: usize = 1_000;

/// The lists on which an account waits for a queue.
fn lists_of(queue: &Queue, options: &Options) -> Vec<String> {
    let line = match queue.way() {
        Way::Route(line, ..) => Some(waiting_list::of_line(line)),
        Way::Object(_) => None,
    };
    let carriers = options.carriers().into_iter().map(waiting_list::of_carrier);
    line.into_iter().chain(carriers).collect()
}

impl Dispatcher {
    /// The lists on which the account is to enter itself, because a queue rests.
    pub(super) fn lists_to_enter(&self, now_ms: i64, queue: &Queue, options: &Options) -> Vec<String> {
        if !self.rests(queue, now_ms.saturating_add(SHORT_REST_MS)) {
            return Vec::new();
        }
        let entered = self.entered.borrow();
        let is_entered = |list: &String| entered.get(list).is_some_and(|until_ms| *until_ms > now_ms);
        let mut lists = lists_of(queue, options);
        lists.retain(|list| !is_entered(list));
        lists
    }

    /// Enters the account into lists. Gives `true` if what it knows may be older than their last changes: it has forgotten
    /// that then, and is to look at the directory again.
    pub(super) async fn enter(&self, platform: &impl Platform, sql: &impl Sql, lists: BTreeSet<String>) -> bool {
        let Ok(Some(account)) = Account::stored(sql) else {
            return false;
        };
        let allowed = self.calls.take(lists.len());
        let lists: Vec<String> = lists.into_iter().take(allowed).collect();
        let until_ms = platform.now_ms().saturating_add(ENTERED_MS);
        {
            let mut entered = self.entered.borrow_mut();
            if entered.len().saturating_add(lists.len()) > MAX_ENTERED {
                entered.clear();
            }
            entered.extend(lists.iter().map(|list| (list.clone(), until_ms)));
        }
        let account = AwaitChange {
            account: account.id.clone(),
        };
        let calls = lists.iter().map(|list| ask_in_time(platform, list, &account));
        let mut is_new = false;
        for (list, answer) in lists.iter().zip(join_all(calls).await) {
            match answer {
                Ok(was_not_there) => is_new |= was_not_there,
                Err(error) => {
                    log_failure(platform, "a waiting list can't be entered", &error);
                    self.entered.borrow_mut().remove(list);
                }
            }
        }
        if is_new {
            self.choice.forget_directory();
        }
        is_new
    }

    /// Forgets what it knows of the account, of lines, of carriers and of how they do, because something has changed. Chunks that
    /// are claimed and not handed over may have to stay, so their carriers are only asked: then they are claimed anew.
    pub fn look_again(&self) {
        for waiting in self.claims.borrow_mut().iter_mut() {
            waiting
                .bundle
                .handovers
                .iter_mut()
                .for_each(|handover| handover.ask_only = true);
        }
        self.choice.forget_all();
        self.resting.borrow_mut().clear();
        self.entered.borrow_mut().clear();
    }
}
