//! The numbers that an account's messages never go to.

use super::command::{Answer, Blocked, Group, Page, Refusal};
use super::decide::Outcome;
use super::store::Account;
use crate::ports::{PortError, Row, Sql};

/// Numbers on a blacklist at most.
pub const MAX_NUMBERS: i64 = 100_000;

fn msisdn(row: &Row, column: usize) -> Result<u64, PortError> {
    u64::try_from(row.int(column)?).map_err(|_| PortError::Shape {
        column,
        expected: "a phone number",
    })
}

fn to_json(numbers: &[u64]) -> Result<String, PortError> {
    serde_json::to_string(numbers).map_err(|error| PortError::failed("json", error))
}

/// Those of the recipients that are on the blacklist, in their order.
pub fn among(sql: &impl Sql, recipients: &[Group]) -> Result<Vec<u64>, PortError> {
    let mut blocked = Vec::new();
    for group in recipients {
        let rows = sql.exec(
            "SELECT b.msisdn FROM json_each(?1) p CROSS JOIN blacklist b ON b.msisdn = p.value ->> 0 ORDER BY p.key",
            &[group.items.get().into()],
        )?;
        for row in &rows {
            blocked.push(msisdn(row, 0)?);
        }
    }
    Ok(blocked)
}

/// A page of the blacklist, newest first.
pub fn list(sql: &impl Sql, only: Option<u64>, page: Page) -> Outcome {
    let only = only.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let rows = sql.exec(
        "SELECT id, msisdn, created_ms FROM blacklist \
         WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR msisdn = ?2) ORDER BY id DESC LIMIT ?3",
        &[page.after.into(), only.into(), page.limit.into()],
    )?;
    let blocked = rows
        .iter()
        .map(|row| {
            Ok(Blocked {
                id: row.int(0)?,
                msisdn: msisdn(row, 1)?,
                created_ms: row.int(2)?,
            })
        })
        .collect::<Result<_, PortError>>()?;
    Ok(Ok(Answer::Blacklist(blocked)))
}

/// Puts numbers on the blacklist, or none when they would be too many.
pub fn add(sql: &impl Sql, now_ms: i64, account: &mut Account, numbers: &[u64]) -> Outcome {
    let numbers = to_json(numbers)?;
    let rows = sql.exec(
        "SELECT (SELECT count(*) FROM json_each(?1) n WHERE n.value NOT IN (SELECT msisdn FROM blacklist)), \
                (SELECT count(*) FROM blacklist)",
        &[numbers.as_str().into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
    let (new, there) = (row.u32(0)?, row.int(1)?);
    if there + i64::from(new) > MAX_NUMBERS {
        return Ok(Err(Refusal::BlacklistFull));
    }
    sql.exec(
        "INSERT INTO blacklist (msisdn, created_ms) SELECT value, ?2 FROM json_each(?1) WHERE 1 ON CONFLICT DO NOTHING",
        &[numbers.into(), now_ms.into()],
    )?;
    account.has_blacklist = there + i64::from(new) > 0;
    Ok(Ok(Answer::Counted(new)))
}

/// Takes numbers off the blacklist.
pub fn remove(sql: &impl Sql, account: &mut Account, numbers: &[u64]) -> Outcome {
    let rows = sql.exec(
        "DELETE FROM blacklist WHERE msisdn IN (SELECT value FROM json_each(?1)) RETURNING id",
        &[to_json(numbers)?.into()],
    )?;
    let left = sql.exec("SELECT 1 FROM blacklist LIMIT 1", &[])?;
    account.has_blacklist = !left.is_empty();
    Ok(Ok(Answer::Counted(u32::try_from(rows.len()).unwrap_or(u32::MAX))))
}
