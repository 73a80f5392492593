//! How much of the audit log an account's own keys may fill: a budget of bytes a day for the account, and half of it for each key beneath
//! that. The log stands in the database that all customers share and is kept for years, so no customer may write as much as it can ask
//! for, and no key may use up what the others need.
//!
//! A budget is a bucket that fills by a day's share in a day. Its only state is the time at which it is full again, as that of
//! the [limiter](super::limiter) is. A change is admitted while anything is left, and takes the bytes of its entry when they are
//! known. So nothing is refused for an entry that is never written, and what is taken beyond the last byte is paid before the
//! next change. A cancel may use up another day's budget. What protects an owner waits for no bytes, because somebody may have made
//! much noise before: signing in and erasing are counted for each key, and revoking is bounded by what there is to revoke. Operators
//! have no budget, and a send needs none, because it leaves no entry.

use serde::{Deserialize, Serialize};

use super::request::{Entry, ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::account::record::account_row::Account;
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;

const MICROS_PER_MS: i64 = 1_000;
const MICROS_PER_S: i64 = 1_000_000;
const DAY_US: i64 = DAY_MS * MICROS_PER_MS;
/// The bucket is never full later than after so much time.
const LONGEST_US: i64 = 3 * DAY_US;
/// An account has so many times as many bytes as each of its keys.
const KEYS_IN_ACCOUNT: i64 = 2;
/// Entries that are counted: so many of a key in a day.
const COUNTED_A_DAY: i64 = 500;

/// When the budgets of a key are full again, µs since the Unix epoch.
#[derive(Debug, Default)]
struct OfKey {
    bytes_full_us: i64,
    counted_full_us: i64,
}

impl OfKey {
    /// Those of the key with this id. One that the object does not know has never taken anything.
    fn load(sql: &impl Sql, key: &str) -> Result<OfKey, PortError> {
        let query = "SELECT audit_full_us, counted_full_us FROM api_key WHERE id = ?1";
        let rows = sql.exec(query, &[key.into()])?;
        let Some(row) = rows.first() else {
            return Ok(OfKey::default());
        };
        Ok(OfKey {
            bytes_full_us: row.int(0)?,
            counted_full_us: row.int(1)?,
        })
    }

    fn save(&self, sql: &impl Sql, key: &str) -> Result<(), PortError> {
        sql.exec(
            "UPDATE api_key SET audit_full_us = ?2, counted_full_us = ?3 WHERE id = ?1",
            &[key.into(), self.bytes_full_us.into(), self.counted_full_us.into()],
        )
        .map(drop)
    }
}

/// Whether a request that comes from this key may write such an entry now: `None`, or else the whole seconds after which it may, at
/// least 1. A session counts as the key by which it was opened.
pub fn wait_s(
    sql: &impl Sql,
    account: &Account,
    key: &str,
    now_ms: i64,
    entry: Entry,
) -> Result<Option<u32>, PortError> {
    Ok(match entry {
        Entry::Bytes { days } => {
            let of_key = OfKey::load(sql, key)?.bytes_full_us;
            until(account.audit_full_us, now_ms, days).max(until(of_key, now_ms, days))
        }
        Entry::Counted => until(OfKey::load(sql, key)?.counted_full_us, now_ms, 1),
        Entry::Bounded => None,
    })
}

/// The seconds until a bucket that may be used up to so many days ahead has something left.
fn until(full_us: i64, now_ms: i64, days: i64) -> Option<u32> {
    let now_us = now_ms.saturating_mul(MICROS_PER_MS);
    let missing_us = full_us.saturating_sub(now_us);
    let most_us = DAY_US.saturating_mul(days);
    // A bucket that is full later than any change leaves it was written by a clock that has gone back since.
    let is_empty = (most_us..=LONGEST_US).contains(&missing_us);
    let wait_s = missing_us.saturating_sub(most_us) / MICROS_PER_S + 1;
    is_empty.then(|| u32::try_from(wait_s).unwrap_or(u32::MAX))
}

/// When a bucket is full again from which this is taken.
fn taken(full_us: i64, now_ms: i64, cost_us: i64) -> i64 {
    let now_us = now_ms.saturating_mul(MICROS_PER_MS);
    let last_us = now_us.saturating_add(LONGEST_US);
    full_us.clamp(now_us, last_us).saturating_add(cost_us).min(last_us)
}

/// An entry that was written.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The key behind the request.
    pub key: &'a str,
    /// What it takes.
    pub entry: Entry,
    /// Its bytes.
    pub bytes: usize,
    /// How many the account may write in a day.
    pub bytes_a_day: i64,
}

/// Takes what an entry takes.
pub fn take(sql: &impl Sql, account: &mut Account, now_ms: i64, written: Written<'_>) -> Result<(), PortError> {
    let Written { key, bytes_a_day, .. } = written;
    let mut of_key = match written.entry {
        Entry::Bounded => return Ok(()),
        Entry::Counted | Entry::Bytes { .. } => OfKey::load(sql, key)?,
    };
    if written.entry == Entry::Counted {
        of_key.counted_full_us = taken(of_key.counted_full_us, now_ms, DAY_US / COUNTED_A_DAY);
    } else {
        let bytes = i64::try_from(written.bytes).unwrap_or(i64::MAX).min(bytes_a_day);
        let cost_us = DAY_US.saturating_mul(bytes) / bytes_a_day.max(1);
        account.audit_full_us = taken(account.audit_full_us, now_ms, cost_us);
        of_key.bytes_full_us = taken(of_key.bytes_full_us, now_ms, cost_us.saturating_mul(KEYS_IN_ACCOUNT));
    }
    of_key.save(sql, key)
}

/// Takes the bytes of an entry that was written past the account's object. *A crash before this call* leaves one entry uncounted.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoteAudited {
    /// The key behind the request.
    pub key: String,
    /// How many.
    pub bytes: usize,
    /// How many the account may write in a day.
    pub bytes_a_day: i64,
}

impl Request for NoteAudited {
    const NAME: &'static str = "NoteAudited";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<()> {
        let written = Written {
            key: &self.key,
            entry: Entry::Bytes { days: 1 },
            bytes: self.bytes,
            bytes_a_day: self.bytes_a_day,
        };
        take(sql, &mut work.account, work.now_ms, written)?;
        Ok(())
    }
}
