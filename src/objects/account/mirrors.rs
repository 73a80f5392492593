//! What an account's object has told the directory: its balance and status, and its usage. It remembers that in memory, because
//! a row for it would be a good part of what a message costs. An object that begins anew tells the directory again, once; the
//! directory keeps what it has in that version already.

use std::cell::{Cell, RefCell};

use crate::account::record::account_row::{Account, MIRROR_DELAY_MS};
use crate::account::usage::{self, Told};
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::mirror::{self, Mirrored};
use crate::directory::usage as directory_usage;

/// What the directory has been told.
#[derive(Debug, Default)]
pub struct Mirrors {
    version: Cell<Option<i64>>,
    /// The next one is told from this time on, ms since the Unix epoch.
    version_due_ms: Cell<Option<i64>>,
    usage: RefCell<Told>,
    /// When the usage is told that has changed, ms since the Unix epoch.
    usage_due_ms: Cell<Option<i64>>,
    /// Whether this object has told any usage.
    has_told_usage: Cell<bool>,
}

/// When to tell, if there is something to tell: if no time is set, so much later, so that what comes soon is told with it.
fn due_ms(due_ms: &Cell<Option<i64>>, now_ms: i64, delay_ms: i64) -> i64 {
    let at_ms = due_ms.get().unwrap_or(now_ms.saturating_add(delay_ms));
    due_ms.set(Some(at_ms));
    at_ms
}

impl Mirrors {
    pub fn balance_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        let version = Account::stored(sql)?.map(|account| account.version);
        let is_behind = version.is_some_and(|version| version > 0 && self.version.get() != Some(version));
        Ok(is_behind.then(|| due_ms(&self.version_due_ms, now_ms, MIRROR_DELAY_MS)))
    }

    pub async fn write_balance<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let Some(account) = Account::stored(sql)? else {
            return Ok(());
        };
        let shown = Mirrored {
            active: account.active,
            sending_enabled: account.sending_enabled,
            available: account.wallet.available,
            locked: account.wallet.locked,
            version: account.version,
        };
        mirror::mirror(platform.db(), &account.id, shown).await?;
        self.version.set(self.version.get().max(Some(account.version)));
        let next_ms = platform.now_ms().saturating_add(MIRROR_DELAY_MS);
        self.version_due_ms.set(Some(next_ms));
        Ok(())
    }

    pub fn usage_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        let is_behind = usage::is_behind(sql, &self.usage.borrow())?;
        // The changes of a minute are told together: a message changes its rows when it is accepted, taken and delivered. But an
        // object that begins tells soon what it finds, because the runtime may drop it before a minute is over.
        let delay_ms = if self.has_told_usage.get() {
            usage::MIRROR_DELAY_MS
        } else {
            MIRROR_DELAY_MS
        };
        Ok(is_behind.then(|| due_ms(&self.usage_due_ms, now_ms, delay_ms)))
    }

    pub async fn write_usage<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let rows = usage::untold(sql, &self.usage.borrow())?;
        let Some(account) = Account::stored(sql)?.filter(|_| !rows.is_empty()) else {
            return Ok(());
        };
        directory_usage::mirror(platform.db(), &account.id, &usage::to_tell(&rows)?).await?;
        self.usage_due_ms.set(None);
        self.has_told_usage.set(true);
        usage::note_told(sql, platform.now_ms(), &mut self.usage.borrow_mut(), rows)
    }
}
