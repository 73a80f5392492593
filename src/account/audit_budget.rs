//! How much of the audit log the account's own keys may fill: a budget of bytes a day. The log stands in the database that all
//! customers share and is kept for years, so no customer may write as much as it can ask for.
//!
//! The budget is a bucket that fills by a day's bytes in a day. Its only state is the time at which it is full again, as that of
//! the [limiter](super::limiter) is. A change is admitted while anything is left, and takes the bytes of its entry when they are
//! known. So nothing is refused for an entry that is never written, and what is taken beyond the last byte is paid before the
//! next change. A cancel may use up another day's budget, and a key may be revoked at any time: what ends harm must not wait
//! because somebody has made much noise before. Operators have no budget, and a send needs none, because it leaves no entry.

use serde::{Deserialize, Serialize};

use super::account_row::Account;
use super::request::{Outcome, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::base::{ports::Sql, time::DAY_MS};

const MICROS_PER_MS: i64 = 1_000;
const MICROS_PER_S: i64 = 1_000_000;
const DAY_US: i64 = DAY_MS * MICROS_PER_MS;
/// The bucket is never full later than after so much time.
const LONGEST_US: i64 = 3 * DAY_US;

/// Whether a change that may use up the budget of so many days may write into the log now: `None`, or else the whole seconds
/// after which it may, at least 1.
pub fn wait_s(account: &Account, now_ms: i64, days: i64) -> Option<u32> {
    let now_us = now_ms.saturating_mul(MICROS_PER_MS);
    let missing_us = account.audit_full_us.saturating_sub(now_us);
    let most_us = DAY_US.saturating_mul(days);
    // A bucket that is full later than any change leaves it was written by a clock that has gone back since.
    let is_empty = (most_us..=LONGEST_US).contains(&missing_us);
    let wait_s = missing_us.saturating_sub(most_us) / MICROS_PER_S + 1;
    is_empty.then(|| u32::try_from(wait_s).unwrap_or(u32::MAX))
}

/// Takes the bytes of an entry.
pub fn take(account: &mut Account, now_ms: i64, bytes: usize, bytes_a_day: i64) {
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX).min(bytes_a_day);
    let cost_us = DAY_US.saturating_mul(bytes) / bytes_a_day.max(1);
    let now_us = now_ms.saturating_mul(MICROS_PER_MS);
    let full_us = account.audit_full_us.min(now_us.saturating_add(LONGEST_US)).max(now_us);
    account.audit_full_us = full_us.saturating_add(cost_us).min(now_us.saturating_add(LONGEST_US));
}

/// Takes the bytes of an entry that was written past the account's object.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoteAudited {
    /// How many.
    pub bytes: usize,
    /// How many the account may write in a day.
    pub bytes_a_day: i64,
}

impl Request for NoteAudited {
    const NAME: &'static str = "NoteAudited";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, _: &impl Sql, work: &mut UnitOfWork) -> Outcome<()> {
        take(&mut work.account, work.now_ms, self.bytes, self.bytes_a_day);
        Ok(Ok(()))
    }
}
