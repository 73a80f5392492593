//! What requests and chores work on: the account's row, what is accepted and not written yet, and the time.
//!
//! The invariant: one transaction has one unit of work, and saves it at its end. So the row is written once, however many calls are
//! decided together.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::write_buffer::WriteBuffer;
use crate::account::record::account_row::Account;
use crate::account::record::key_usage::Sender;
use crate::account::record::spending::Bound;
use crate::auth::secret::MasterKey;
use crate::base::ports::{PortError, Sql};

/// A unit of work.
#[derive(Debug)]
pub struct UnitOfWork {
    /// The time of all that it does, ms since the Unix epoch.
    pub now_ms: i64,
    /// The account's row.
    pub account: Account,
    /// What is accepted and not written yet.
    pub buffer: WriteBuffer,
    /// What bounds the key of the request that is answered.
    pub bounds: Vec<Bound>,
    /// Who sends what is accepted. `None`: the service itself.
    pub sender: Option<Sender>,
    /// The numbers of keys that this work has entered as senders.
    pub entered: BTreeMap<String, i64>,
    /// For what needs the secret of the service.
    pub master_key: MasterKey,
    /// Whether it has noted something that is to be told soon, whatever else its request has to do.
    pub has_told: bool,
    /// The row as it is stored.
    before: Rc<Account>,
}

impl UnitOfWork {
    /// Begins to work on the row as it is stored.
    pub fn of(now_ms: i64, before: Rc<Account>) -> Self {
        UnitOfWork {
            now_ms,
            account: (*before).clone(),
            before,
            buffer: WriteBuffer::default(),
            bounds: Vec::new(),
            sender: None,
            entered: BTreeMap::new(),
            master_key: MasterKey::default(),
            has_told: false,
        }
    }

    /// The same, with the secret of the service.
    pub fn with_master_key(mut self, master_key: MasterKey) -> Self {
        self.master_key = master_key;
        self
    }

    /// Writes what is accepted and not written yet.
    pub fn flush(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        self.buffer.write(sql)
    }

    /// Writes what gathers in the account's row for a while: the newest entries of the ledger, and the usage that is not in its
    /// tables yet. Who reads the ledger or the usage asks for it first.
    pub fn write_gathered(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        let account = &mut self.account;
        let page = account.open_page.close(account.ledger_seq, account.ledger_ms);
        self.buffer.add_pages(page.into_iter().collect());
        account.usage.fold(sql)?;
        account.key_usage.fold(sql)?;
        self.flush(sql)
    }

    /// Writes all that has changed.
    pub fn save(mut self, sql: &impl Sql) -> Result<(), PortError> {
        self.flush(sql)?;
        if self.account.usage.is_due(self.now_ms) {
            self.account.usage.fold(sql)?;
        }
        if self.account.key_usage.is_due(self.now_ms) {
            self.account.key_usage.fold(sql)?;
        }
        self.account.save(sql, &self.before)
    }
}

/// Works on the account's row in a transaction of its own. Gives `None` if the object was never called.
pub fn run<T>(
    sql: &impl Sql,
    now_ms: i64,
    work_on: impl FnOnce(&mut UnitOfWork) -> Result<T, PortError>,
) -> Result<Option<T>, PortError> {
    sql.transaction(|| {
        let Some(account) = Account::stored(sql)? else {
            return Ok(None);
        };
        let mut work = UnitOfWork::of(now_ms, account);
        let done = work_on(&mut work)?;
        work.save(sql)?;
        Ok(Some(done))
    })
}
