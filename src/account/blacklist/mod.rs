//! The numbers that an account's messages never go to: those that the account has put here, and those whose owners have asked for
//! no more messages.
//!
//! An erased number stays blocked by its digest (`erased.rs`). Nobody outside of this folder sees where a number stands.
//!
//! A reply takes off only what a reply has put here. So nobody comes back by a reply whom the account itself keeps off.

mod erased;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::account::record::message::{NewMessage, Page};
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::durable::{audit::Subject, to_json};

/// Numbers on a blacklist at most.
pub const MAX_NUMBERS: i64 = 100_000;
/// Numbers on a blacklist at most, with those that phones have put there by replies. There is room for them when the account
/// itself has filled the list.
const MAX_WITH_REPLIES: i64 = 1_000_000;

pub use erased::{MAX_ERASED, replace as erase};

fn msisdn(row: &Row, column: usize) -> Result<u64, PortError> {
    u64::try_from(row.int(column)?).map_err(|_| PortError::Shape {
        column,
        expected: "a phone number",
    })
}

/// Those of the recipients of a message that are on the blacklist.
pub fn among(sql: &impl Sql, work: &UnitOfWork, message: &NewMessage) -> Result<Vec<u64>, PortError> {
    let mut blocked = Vec::new();
    let groups = message.recipients.iter().filter(|_| work.account.has_blacklist);
    for group in groups {
        let rows = sql.exec(
            "SELECT b.msisdn FROM json_each(?1) p CROSS JOIN blacklist b ON b.msisdn = p.value ->> 0 ORDER BY p.key",
            &[group.items.get().into()],
        )?;
        for row in &rows {
            blocked.push(msisdn(row, 0)?);
        }
    }
    if work.account.has_blocked_digests {
        let numbers: Vec<u64> = message.numbers()?.into_iter().collect();
        blocked.extend(erased::among(sql, work, &numbers)?);
    }
    Ok(blocked)
}

/// How many of the numbers are on the blacklist: by the account, and by their owners.
pub fn count(sql: &impl Sql, work: &UnitOfWork, numbers: &[u64]) -> Result<(i64, i64), PortError> {
    let rows = sql.exec(
        "SELECT count(*) FILTER (WHERE b.opt_out = 0), count(*) FILTER (WHERE b.opt_out = 1) \
         FROM json_each(?1) n CROSS JOIN blacklist b ON b.msisdn = n.value",
        &[to_json(&numbers)?.into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
    let (by_account, by_owner) = erased::count(sql, work, numbers)?;
    Ok((row.int(0)? + by_account, row.int(1)? + by_owner))
}

/// A number on the blacklist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// Its position in the list.
    pub id: i64,
    /// The number.
    pub msisdn: u64,
    /// When it was put there.
    pub created_ms: i64,
    /// Whether its owner has put it there, by a reply.
    #[serde(default)]
    pub opt_out: bool,
}

/// Asks for a page of the blacklist, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListBlacklist {
    /// Only this number, if it is there.
    pub only: Option<u64>,
    /// The page.
    pub page: Page,
}

impl Request for ListBlacklist {
    const NAME: &'static str = "ListBlacklist";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<Blocked>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<Blocked>> {
        let only = self.only.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let rows = sql.exec(
            "SELECT id, msisdn, created_ms, opt_out FROM blacklist \
             WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR msisdn = ?2) ORDER BY id DESC LIMIT ?3",
            &[self.page.after.into(), only.into(), self.page.limit.into()],
        )?;
        let blocked = rows.iter().map(|row| {
            Ok(Blocked {
                id: row.int(0)?,
                msisdn: msisdn(row, 1)?,
                created_ms: row.int(2)?,
                opt_out: row.bool(3)?,
            })
        });
        blocked.collect::<Result<_, PortError>>().map_err(Into::into)
    }
}

/// What the audit log shows of a change: how many of the numbers are on the blacklist, by who has put them there. The numbers
/// themselves are of people, whom the log outlives.
fn shown(sql: &impl Sql, work: &UnitOfWork, numbers: &[u64]) -> Result<Subject, PortError> {
    let (by_account, by_owner) = count(sql, work, numbers)?;
    let state = json!({"numbers": by_account, "optedOut": by_owner});
    Ok(Subject::of(Some(state)))
}

/// Puts numbers on the blacklist, or none of them when they would be too many.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddToBlacklist(pub Vec<u64>);

impl Request for AddToBlacklist {
    const NAME: &'static str = "AddToBlacklist";
    const WAKES: Wakes = Wakes::Never;
    /// How many were new.
    type Reply = u32;

    fn audited(&self, sql: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, work, &self.0).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<u32> {
        let numbers = to_json(&self.0)?;
        let rows = sql.exec(
            "SELECT (SELECT count(*) FROM json_each(?1) n WHERE n.value NOT IN (SELECT msisdn FROM blacklist)), \
                    (SELECT count(*) FROM blacklist)",
            &[numbers.as_str().into()],
        )?;
        let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
        let (new, there) = (row.u32(0)?, row.int(1)?);
        if there + i64::from(new) > MAX_NUMBERS {
            return Err(Refusal::BlacklistFull.into());
        }
        sql.exec(
            "INSERT INTO blacklist (msisdn, created_ms, opt_out) SELECT value, ?2, 0 FROM json_each(?1) WHERE 1 \
             ON CONFLICT DO UPDATE SET opt_out = 0 WHERE opt_out = 1",
            &[numbers.into(), work.now_ms.into()],
        )?;
        work.account.has_blacklist = there + i64::from(new) > 0;
        let known = erased::forget(sql, work, &self.0, false)?;
        Ok(new.saturating_sub(known))
    }
}

/// Puts a number on the blacklist because its owner asks for it. Returns whether it is new there, or `None` if there is no room.
pub fn opt_out(sql: &impl Sql, work: &mut UnitOfWork, msisdn: u64) -> Result<Option<bool>, PortError> {
    if !erased::among(sql, work, &[msisdn])?.is_empty() {
        return Ok(Some(false));
    }
    let number = Value::from(i64::try_from(msisdn).unwrap_or(i64::MAX));
    let there = sql.exec(
        "SELECT 1 FROM blacklist WHERE msisdn = ?1 \
         UNION ALL SELECT 1 WHERE (SELECT count(*) FROM blacklist) < ?2 LIMIT 1",
        &[number.clone(), MAX_WITH_REPLIES.into()],
    )?;
    if there.is_empty() {
        return Ok(None);
    }
    let added = sql.exec(
        "INSERT INTO blacklist (msisdn, created_ms, opt_out) VALUES (?1, ?2, 1) ON CONFLICT DO NOTHING RETURNING id",
        &[number, work.now_ms.into()],
    )?;
    work.account.has_blacklist = true;
    Ok(Some(!added.is_empty()))
}

/// Takes a number off the blacklist if its owner has put it there. Returns whether it was there.
pub fn opt_in(sql: &impl Sql, work: &mut UnitOfWork, msisdn: u64) -> Result<bool, PortError> {
    let removed = sql.exec(
        "DELETE FROM blacklist WHERE msisdn = ?1 AND opt_out = 1 RETURNING id",
        &[i64::try_from(msisdn).unwrap_or(i64::MAX).into()],
    )?;
    work.account.has_blacklist = !sql.exec("SELECT 1 FROM blacklist LIMIT 1", &[])?.is_empty();
    let erased = erased::forget(sql, work, &[msisdn], true)?;
    Ok(!removed.is_empty() || erased > 0)
}

/// Takes numbers off the blacklist.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveFromBlacklist(pub Vec<u64>);

impl Request for RemoveFromBlacklist {
    const NAME: &'static str = "RemoveFromBlacklist";
    const WAKES: Wakes = Wakes::Never;
    /// How many were there.
    type Reply = u32;

    fn audited(&self, sql: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, work, &self.0).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<u32> {
        let rows = sql.exec(
            "DELETE FROM blacklist WHERE msisdn IN (SELECT value FROM json_each(?1)) RETURNING id",
            &[to_json(&self.0)?.into()],
        )?;
        let left = sql.exec("SELECT 1 FROM blacklist LIMIT 1", &[])?;
        work.account.has_blacklist = !left.is_empty();
        let erased = erased::forget(sql, work, &self.0, false)?;
        Ok(u32::try_from(rows.len()).unwrap_or(u32::MAX).saturating_add(erased))
    }
}
