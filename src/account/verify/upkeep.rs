//! What verifications need as time passes: those whose time is over end, and those that have ended are counted.
//!
//! No index has them by their times, because each verification would pay for it. The account's row has the oldest that is not
//! counted, and when to look next. A look reads the verifications from there on: those of some minutes, because none lasts
//! longer than a quarter of an hour.

use super::row::{Verification, verification};
use super::{VerifyStatus, end, stats};
use crate::account::record::account_row::Account;
use crate::account::unit_of_work::{self, UnitOfWork};
use crate::base::ports::{PortError, Sql};
use crate::base::record::Columns;

/// Verifications that one go ends, and that it counts, at most.
const A_GO: i64 = 200;
/// How long the object waits between two looks, ms: what ends in that time ends together.
const PACE_MS: i64 = 2_000;

/// When verifications are to be looked at next.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let due_ms = Account::stored(sql)?.map(|account| account.verifications.due_ms);
    Ok(due_ms.filter(|due_ms| *due_ms != 0))
}

/// Ends those whose time is over, and counts those that have ended, at most so many; `true` when there may be more.
pub fn go_on(sql: &impl Sql, now_ms: i64) -> Result<bool, PortError> {
    let has_more = unit_of_work::run(sql, now_ms, |work| {
        let expired = expire(sql, work)?;
        let counted = count(sql, work)?;
        let is_full = expired >= A_GO || counted >= A_GO;
        work.account.verifications.due_ms = next_ms(sql, work, is_full)?;
        Ok(is_full)
    })?;
    Ok(has_more.unwrap_or(false))
}

fn expire(sql: &impl Sql, work: &mut UnitOfWork) -> Result<i64, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            verification!(columns "v."),
            " FROM verification v WHERE v.number >= ?1 AND v.status = ?2 AND v.expires_ms <= ?3 LIMIT ?4"
        ),
        &[
            work.account.verifications.first.into(),
            VerifyStatus::Pending.code().into(),
            work.now_ms.into(),
            A_GO.into(),
        ],
    )?;
    for row in &rows {
        end::end(sql, work, &mut Verification::of(row)?, VerifyStatus::Expired)?;
    }
    Ok(i64::try_from(rows.len()).unwrap_or(i64::MAX))
}

/// Counts those at the front that have ended.
fn count(sql: &impl Sql, work: &mut UnitOfWork) -> Result<i64, PortError> {
    let counted = stats::count_ended(sql, work, A_GO)?;
    let rows = sql.exec(
        "SELECT number FROM verification WHERE number > ?1 ORDER BY number LIMIT 1",
        &[counted.last.into()],
    )?;
    work.account.verifications.first = rows.first().map_or(Ok(0), |row| row.int(0))?;
    Ok(counted.count)
}

fn next_ms(sql: &impl Sql, work: &UnitOfWork, is_full: bool) -> Result<i64, PortError> {
    let rows = sql.exec(
        "SELECT min(expires_ms) FROM verification WHERE number >= ?1 AND status = ?2",
        &[
            work.account.verifications.first.into(),
            VerifyStatus::Pending.code().into(),
        ],
    )?;
    let pending_ms = rows.first().map_or(Ok(None), |row| row.opt_int(0))?;
    Ok(match (is_full, pending_ms) {
        (true, _) => work.now_ms,
        (false, Some(expires_ms)) => expires_ms.max(work.now_ms.saturating_add(PACE_MS)),
        (false, None) => 0,
    })
}
