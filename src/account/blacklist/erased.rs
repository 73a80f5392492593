//! Numbers that stay blocked although they are erased. What is left of each is a keyed digest: whoever has the storage of the
//! object alone can't tell whose it is.
//!
//! A digest needs the secret of the service, so that a send of an account that has any costs one for each recipient.

use crate::account::unit_of_work::UnitOfWork;
use crate::auth::hex;
use crate::auth::secret::{Keys, Purpose};
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// Erased numbers that stay blocked, at most.
pub const MAX_ERASED: i64 = 100_000;

/// The keyed digests of an account's number: by the secret as it is, and by the one before. Nobody tells a number from its digest
/// without the secret of the service.
fn of_number(keys: &Keys, account: &str, msisdn: u64) -> Vec<String> {
    let tags = keys.tags(&[account.as_bytes(), b"/", msisdn.to_string().as_bytes()]);
    tags.iter().map(|tag| hex(tag)).collect()
}

/// The digests of numbers, each with its number, as JSON.
fn digests(work: &UnitOfWork, numbers: &[u64]) -> Result<String, PortError> {
    let keys = work.master_key.keys(Purpose::BlockedDigest)?;
    let mut pairs = Vec::new();
    for number in numbers {
        let digests = of_number(&keys, &work.account.id, *number);
        pairs.extend(digests.into_iter().map(|digest| (*number, digest)));
    }
    to_json(&pairs)
}

/// Those of the numbers that stay blocked.
pub(super) fn among(sql: &impl Sql, work: &UnitOfWork, numbers: &[u64]) -> Result<Vec<u64>, PortError> {
    if !work.account.has_blocked_digests {
        return Ok(Vec::new());
    }
    let rows = sql.exec(
        "SELECT DISTINCT p.value ->> 0 FROM json_each(?1) p CROSS JOIN blocked_digest b ON b.digest = p.value ->> 1",
        &[digests(work, numbers)?.into()],
    )?;
    let number = |value: i64| u64::try_from(value).unwrap_or_default();
    rows.iter().map(|row| row.int(0).map(number)).collect()
}

/// How many of the numbers stay blocked: by the account, and by their owners.
pub(super) fn count(sql: &impl Sql, work: &UnitOfWork, numbers: &[u64]) -> Result<(i64, i64), PortError> {
    if !work.account.has_blocked_digests {
        return Ok((0, 0));
    }
    let rows = sql.exec(
        "SELECT count(*) FILTER (WHERE b.opt_out = 0), count(*) FILTER (WHERE b.opt_out = 1) \
         FROM json_each(?1) p CROSS JOIN blocked_digest b ON b.digest = p.value ->> 1",
        &[digests(work, numbers)?.into()],
    )?;
    rows.first().map_or(Ok((0, 0)), |row| Ok((row.int(0)?, row.int(1)?)))
}

/// Blocks none of the numbers any more, or only those that their owners have blocked. Returns how many were.
pub(super) fn forget(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    numbers: &[u64],
    only_by_owner: bool,
) -> Result<u32, PortError> {
    if !work.account.has_blocked_digests {
        return Ok(0);
    }
    let rows = sql.exec(
        "DELETE FROM blocked_digest WHERE digest IN (SELECT value ->> 1 FROM json_each(?1)) AND opt_out >= ?2 RETURNING 1",
        &[digests(work, numbers)?.into(), only_by_owner.into()],
    )?;
    work.account.has_blocked_digests = !sql.exec("SELECT 1 FROM blocked_digest LIMIT 1", &[])?.is_empty();
    Ok(u32::try_from(rows.len()).unwrap_or(u32::MAX))
}

/// Puts a digest in the place of a number on the blacklist. Returns whether the number was there.
pub fn replace(sql: &impl Sql, work: &mut UnitOfWork, msisdn: u64) -> Result<bool, PortError> {
    let number = i64::try_from(msisdn).unwrap_or(i64::MAX);
    let rows = sql.exec(
        "DELETE FROM blacklist WHERE msisdn = ?1 RETURNING opt_out",
        &[number.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(false);
    };
    let keys = work.master_key.keys(Purpose::BlockedDigest)?;
    let digest = of_number(&keys, &work.account.id, msisdn).into_iter().next();
    sql.exec(
        "INSERT OR REPLACE INTO blocked_digest (digest, opt_out) VALUES (?1, ?2)",
        &[digest.into(), row.int(0)?.into()],
    )?;
    work.account.has_blocked_digests = true;
    Ok(true)
}
