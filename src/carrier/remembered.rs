//! What a carrier's object remembers of its storage, so that it asks less: the newest chunk of each account that its journal has
//! noted, and the tables that are of today.
//!
//! The invariant: nothing that is noted is newer than what is remembered here. So a chunk is remembered before it is noted. What
//! is remembered of a note that was never stored only costs a question.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::account::record::chunk::ChunkId;
use crate::base::ports::{PortError, Row, Sql, Value};

/// Accounts that are remembered at most. Of one that is forgotten, the storage is asked again.
const MAX_ACCOUNTS: usize = 1_000;

/// What the object remembers.
#[derive(Debug, Default)]
pub struct Remembered {
    /// By account.
    newest: RefCell<BTreeMap<String, ChunkId>>,
    /// By the name of the tables, days since the Unix epoch.
    days: RefCell<BTreeMap<&'static str, i64>>,
}

impl Remembered {
    /// The storage of the object, with this memory.
    pub fn beside<'a, S: Sql>(&'a self, sql: &'a S) -> Remembering<'a, S> {
        Remembering { sql, memory: self }
    }

    /// Forgets all: somebody else has written the storage.
    pub fn forget(&self) {
        self.newest.take();
        self.days.take();
    }

    /// What is remembered beside this storage. `None`: it is used without a memory.
    pub(super) fn of(sql: &impl Sql) -> Option<&Remembered> {
        sql.memory()?.downcast_ref()
    }

    /// The newest chunk of an account that may have a note.
    pub(super) fn newest(&self, account: &str) -> Option<ChunkId> {
        self.newest.borrow().get(account).copied()
    }

    /// Remembers what the storage has of an account.
    pub(super) fn keep_newest(&self, account: &str, newest: ChunkId) {
        let mut known = self.newest.borrow_mut();
        if known.len() >= MAX_ACCOUNTS {
            known.clear();
        }
        known.insert(account.to_owned(), newest);
    }

    /// A chunk is about to be noted.
    pub(super) fn note(&self, account: &str, chunk: ChunkId) {
        if let Some(newest) = self.newest.borrow_mut().get_mut(account) {
            *newest = chunk.max(*newest);
        }
    }

    /// Whether the table of a day is known to be of that day.
    pub(super) fn is_of_day(&self, tables: &str, day: i64) -> bool {
        self.days.borrow().get(tables) == Some(&day)
    }

    pub(super) fn keep_day(&self, tables: &'static str, day: i64) {
        self.days.borrow_mut().insert(tables, day);
    }
}

/// The storage of an object that remembers some of it.
#[derive(Debug)]
pub struct Remembering<'a, S> {
    sql: &'a S,
    memory: &'a Remembered,
}

impl<S: Sql> Sql for Remembering<'_, S> {
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        self.sql.exec(sql, params)
    }

    /// What a transaction read that has failed may be what it had written.
    fn transaction<T>(&self, work: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError> {
        let done = self.sql.transaction(work);
        if done.is_err() {
            self.memory.forget();
        }
        done
    }

    fn size_bytes(&self) -> Result<i64, PortError> {
        self.sql.size_bytes()
    }

    async fn bookmark(&self, at_ms: Option<i64>) -> Result<String, PortError> {
        self.sql.bookmark(at_ms).await
    }

    async fn go_back(&self, bookmark: &str) -> PortError {
        self.sql.go_back(bookmark).await
    }

    fn memory(&self) -> Option<&dyn Any> {
        Some(self.memory)
    }
}
