//! What an account's object has told the directory: its balance and status, and its usage. It remembers that in memory, because
//! a row for it would be a good part of what a message costs. An object that begins anew tells the directory again, once; the
//! directory keeps what it has in that version already.

use std::cell::{Cell, RefCell};

use crate::account::account_row::{Account, MIRROR_DELAY_MS};
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
    /// The next usage is told from this time on, ms since the Unix epoch.
    usage_due_ms: Cell<Option<i64>>,
}

/// When to tell, if there is something to tell: not as soon as the object begins, so that what it begins with is told too.
fn due_ms(due_ms: &Cell<Option<i64>>, now_ms: i64) -> i64 {
    let at_ms = due_ms.get().unwrap_or(now_ms.saturating_add(MIRROR_DELAY_MS));
    due_ms.set(Some(at_ms));
    at_ms
}

impl Mirrors {
    pub fn balance_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        let version = sql.number("SELECT version FROM account WHERE version > 0", &[])?;
        let is_behind = version.is_some_and(|version| self.version.get() != Some(version));
        Ok(is_behind.then(|| due_ms(&self.version_due_ms, now_ms)))
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
        Ok(is_behind.then(|| due_ms(&self.usage_due_ms, now_ms)))
    }

    pub async fn write_usage<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        let rows = usage::untold(sql, &self.usage.borrow())?;
        let Some(account) = Account::stored(sql)?.filter(|_| !rows.is_empty()) else {
            return Ok(());
        };
        directory_usage::mirror(platform.db(), &account.id, &usage::to_tell(&rows)).await?;
        let now_ms = platform.now_ms();
        let next_ms = now_ms.saturating_add(usage::MIRROR_DELAY_MS);
        self.usage_due_ms.set(Some(next_ms));
        usage::note_told(sql, now_ms, &mut self.usage.borrow_mut(), rows)
    }
}
