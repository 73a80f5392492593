//! An account's webhook object: it answers requests, delivers events, and does its chores when its alarm rings.

use std::cell::Cell;

use serde_json::json;

use crate::base::log;
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::audit as directory;
use crate::durable::{ANSWER_MS, Answered, Call, Object, Wake, audit, in_time, storage};
use crate::webhook::deliverer::{Deliverer, stored_due_ms};
use crate::webhook::sweep::{self, MAX_LOGGED};
use crate::webhook::{handle, low_balance, schema, subscriptions};

/// When to tell the account's object again after that failed, ms.
const RETRY_MS: i64 = 5_000;
/// A run begins no attempt after this time, ms, and neither does an alarm, so that it ends within a minute, however many
/// receivers hang. The alarm rings again at once for the rest.
const RUN_MS: i64 = 30_000;

/// A webhook object in memory.
#[derive(Debug, Default)]
pub struct WebhookObject {
    deliverer: Deliverer,
    /// When the audit log may be told again after that failed, ms since the Unix epoch.
    log_retry_ms: Cell<i64>,
    storage: storage::Watch,
}

impl WebhookObject {
    /// Tells the account's object what has changed. If that fails, the alarm tries it again.
    async fn tell(&self, platform: &impl Platform, sql: &impl Sql) {
        if let Err(error) = subscriptions::tell(platform, sql).await {
            log::error(
                platform,
                "chore",
                json!({"chore": "tell what is wanted", "cause": error.to_string()}),
            );
        }
    }
}

impl Object for WebhookObject {
    fn open(sql: &impl Sql) -> Result<(), PortError> {
        schema::open(sql)
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        let call = Call::read(call)?;
        let reply = handle::answer(platform, sql, &call)?;
        if subscriptions::is_behind(sql)? {
            self.tell(platform, sql).await;
        }
        let now_ms = platform.now_ms();
        // Attempts that are under way may wait for slow receivers, while there is room for others.
        let has_due = stored_due_ms(sql)?.is_some_and(|due_ms| due_ms <= now_ms);
        let wake = match self.next_due_ms(sql, now_ms)? {
            _ if has_due => Wake::Now,
            Some(due_ms) => Wake::At(due_ms),
            None => Wake::Never,
        };
        Ok(Answered { reply, wake })
    }

    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        let last_ms = platform.now_ms().saturating_add(RUN_MS);
        self.deliverer.run(platform, sql, last_ms).await.map(|()| false)
    }

    fn due_after_urgent_ms(&self, now_ms: i64) -> Option<i64> {
        self.deliverer.due_after_run_ms(now_ms)
    }

    /// One chore that fails does not keep the others from being done. The last waits for receivers.
    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let now_ms = platform.now_ms();
        self.tell(platform, sql).await;
        let swept = match sweep::due_ms(sql)? {
            Some(due_ms) if due_ms <= now_ms => sweep::forget_old(sql, now_ms, MAX_LOGGED),
            _ => Ok(()),
        };
        let logged = in_time(platform, "d1", ANSWER_MS, directory::bring(platform.db(), sql)).await;
        if logged.is_err() {
            self.log_retry_ms.set(now_ms.saturating_add(RETRY_MS));
        }
        let delivered = self.deliverer.run(platform, sql, now_ms.saturating_add(RUN_MS)).await;
        // An attempt may have disabled an endpoint.
        self.tell(platform, sql).await;
        let watched = self
            .storage
            .look(platform, sql, "webhooksOf", || low_balance::account(sql));
        swept.and(logged).and(delivered).and(watched)
    }

    fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        let tell_ms = subscriptions::is_behind(sql)?.then_some(now_ms.saturating_add(RETRY_MS));
        let log_ms = audit::due_ms(sql)?.map(|due_ms| due_ms.max(self.log_retry_ms.get()));
        let due = [
            self.deliverer.next_due_ms(sql, now_ms)?,
            sweep::due_ms(sql)?,
            tell_ms,
            log_ms,
        ];
        Ok(due.into_iter().flatten().min())
    }

    fn begin_invocation(&self) {
        self.deliverer.begin_invocation();
    }
}
