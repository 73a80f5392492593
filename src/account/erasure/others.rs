//! Erases a number from the messages that came from it, from events on their way, and from the blacklist.

use serde_json::Value as Json;
use sms::mask::{ERASED, Mask};

use super::found::Found;
use crate::account::keys::invitations;
use crate::account::unit_of_work::UnitOfWork;
use crate::account::{blacklist, campaign, sign_in};
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// Rows of one go.
const ROWS_A_GO: i64 = 500;

/// Erases the number from some of what it stands in, events behind `after`. Returns the last event that it has looked at; `None`: it
/// has looked at all.
pub fn erase(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    (msisdn, mask, ordered_ms): (u64, &Mask, i64),
    after: i64,
    found: &mut Found,
) -> Result<Option<i64>, PortError> {
    found.blacklisted |= blacklist::erase(sql, work, msisdn)?;
    forget_ended_members(sql, msisdn, ordered_ms, work.now_ms)?;
    sign_in::erase(sql, msisdn, work.now_ms)?;
    campaign::erase(sql, msisdn, mask)?;
    let inbound = erase_inbound(sql, msisdn)?;
    let (events, last) = erase_events(sql, (msisdn, mask), after)?;
    found.inbound += inbound;
    found.events += events;
    Ok(last.or((inbound >= ROWS_A_GO).then_some(after)))
}

/// Takes the number out of members that have ended, and out of their sessions. Who is a member still signs in with it. While the
/// invitations of the number count, it stays: else who removes, erases and admits it again could send it any number of them.
fn forget_ended_members(sql: &impl Sql, msisdn: u64, ordered_ms: i64, now_ms: i64) -> Result<(), PortError> {
    if invitations::erasable_ms(sql, msisdn, ordered_ms)?.is_some_and(|erasable_ms| now_ms < erasable_ms) {
        return Ok(());
    }
    sql.exec(
        "UPDATE api_key SET phone = 0 WHERE phone = ?1 AND (revoked_ms IS NOT NULL OR expires_ms <= ?2) \
           AND id NOT IN (SELECT member FROM invitation WHERE sent_ms > ?3)",
        &[
            i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
            now_ms.into(),
            ordered_ms.into(),
        ],
    )
    .map(drop)
}

/// Whether messages from the number are left.
pub fn is_left(sql: &impl Sql, msisdn: u64) -> Result<bool, PortError> {
    let left = sql.exec(
        "SELECT 1 FROM inbound WHERE sender = ?1 LIMIT 1",
        &[format!("+{msisdn}").into()],
    )?;
    Ok(!left.is_empty())
}

fn erase_inbound(sql: &impl Sql, msisdn: u64) -> Result<i64, PortError> {
    let erased = sql.exec(
        "UPDATE inbound SET sender = ?2, text = ?2 \
         WHERE id IN (SELECT id FROM inbound WHERE sender = ?1 ORDER BY id LIMIT ?3) RETURNING 1",
        &[format!("+{msisdn}").into(), ERASED.into(), ROWS_A_GO.into()],
    )?;
    Ok(i64::try_from(erased.len()).unwrap_or(i64::MAX))
}

/// Gives how many events had the number, and the last that was looked at, if there may be more.
fn erase_events(sql: &impl Sql, (msisdn, mask): (u64, &Mask), after: i64) -> Result<(i64, Option<i64>), PortError> {
    let [ascii, persian, arabic] = mask.needles();
    let rows = sql.exec(
        "SELECT seq, iif(instr(body, ?1) OR instr(body, ?2) OR instr(body, ?3), body, NULL) FROM event \
         WHERE seq > ?5 ORDER BY seq LIMIT ?4",
        &[
            ascii.into(),
            persian.into(),
            arabic.into(),
            ROWS_A_GO.into(),
            after.into(),
        ],
    )?;
    let mut erased = Vec::new();
    for row in &rows {
        let body = row.opt_text(1)?;
        let without = body.map(|body| erase_from(&body, msisdn, mask)).transpose()?.flatten();
        erased.extend(
            without
                .map(|without| row.int(0).map(|seq| (seq, without)))
                .transpose()?,
        );
    }
    sql.exec(
        "UPDATE event SET body = p.value ->> 1 FROM json_each(?1) AS p WHERE seq = p.value ->> 0",
        &[to_json(&erased)?.into()],
    )?;
    let is_full = i64::try_from(rows.len()).is_ok_and(|count| count >= ROWS_A_GO);
    let last = rows.last().filter(|_| is_full).map(|row| row.int(0)).transpose()?;
    Ok((i64::try_from(erased.len()).unwrap_or(i64::MAX), last))
}

/// A JSON text without the number; `None` if it does not have it. Of what a phone has sent, the text goes too.
pub fn erase_from(json: &str, msisdn: u64, mask: &Mask) -> Result<Option<String>, PortError> {
    let mut value: Json = serde_json::from_str(json).map_err(|error| PortError::json("event", &error))?;
    let sender = format!("+{msisdn}");
    if value.get("from").and_then(Json::as_str) == Some(&sender)
        && let Some(text) = value.get_mut("text")
    {
        *text = ERASED.into();
    }
    let is_changed = erase_value(&mut value, msisdn, mask);
    is_changed.then(|| to_json(&value)).transpose()
}

fn erase_value(value: &mut Json, msisdn: u64, mask: &Mask) -> bool {
    match value {
        Json::Number(number) if number.as_u64() == Some(msisdn) => {
            *value = 0.into();
            true
        }
        Json::String(text) => match mask.apply(text) {
            Some(masked) => {
                *text = masked;
                true
            }
            None => false,
        },
        Json::Array(items) => items
            .iter_mut()
            .fold(false, |any, item| any | erase_value(item, msisdn, mask)),
        Json::Object(members) => members
            .values_mut()
            .fold(false, |any, item| any | erase_value(item, msisdn, mask)),
        _ => false,
    }
}
