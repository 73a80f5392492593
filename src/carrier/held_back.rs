//! The accounts of which a carrier's object sends nothing more that was claimed until a time.
//!
//! They are stored, because a submission may come to an object that begins anew. Each is forgotten when no submission of that time
//! can be taken any more.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::request::{HAND_OVER_MS, HoldBack, Submission};
use crate::base::ports::{PortError, Sql};
use crate::durable::schema::{self, Step};

/// How long an account is remembered after the time, ms: twice as long as a submission can be taken, for clocks that differ.
const KEPT_MS: i64 = 2 * HAND_OVER_MS;

const STEPS: &[Step] = &[&["CREATE TABLE held_back (
        account TEXT NOT NULL PRIMARY KEY,
        claimed_until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID"]];

/// Brings the schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "held back", STEPS)
}

/// Until when what accounts have claimed is held back, ms since the Unix epoch; `None` until it is read.
#[derive(Debug, Default)]
pub struct HeldBack(RefCell<Option<BTreeMap<String, i64>>>);

impl HeldBack {
    /// Holds back what an account has claimed.
    pub fn add(&self, sql: &impl Sql, now_ms: i64, held: &HoldBack) -> Result<(), PortError> {
        sql.transaction(|| {
            sql.exec(
                "DELETE FROM held_back WHERE claimed_until_ms < ?1",
                &[now_ms.saturating_sub(KEPT_MS).into()],
            )?;
            sql.exec(
                "INSERT INTO held_back (account, claimed_until_ms) VALUES (?1, ?2) ON CONFLICT (account) \
                 DO UPDATE SET claimed_until_ms = max(claimed_until_ms, excluded.claimed_until_ms)",
                &[held.account.as_str().into(), held.claimed_until_ms.into()],
            )
        })?;
        self.0.replace(None);
        Ok(())
    }

    /// Whether nothing of a submission is to be sent.
    pub fn covers(&self, sql: &impl Sql, submission: &Submission) -> Result<bool, PortError> {
        let mut accounts = self.0.borrow_mut();
        let accounts = match &mut *accounts {
            Some(accounts) => accounts,
            unread => unread.insert(read(sql)?),
        };
        let until_ms = accounts.get(&submission.account);
        Ok(until_ms.is_some_and(|until_ms| submission.valid_until_ms <= until_ms.saturating_add(HAND_OVER_MS)))
    }
}

fn read(sql: &impl Sql) -> Result<BTreeMap<String, i64>, PortError> {
    let rows = sql.exec("SELECT account, claimed_until_ms FROM held_back", &[])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
}
