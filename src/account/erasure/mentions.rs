//! Erases a number from texts that have it in them, whoever they were to or from. A walk reads all of them once, some in each go.

use sms::mask::Mask;

use super::found::Found;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::durable::to_json;

/// Messages, or messages from phones, whose texts one go reads.
const WALKED_A_GO: i64 = 1_000;

/// The texts of messages and what clients call them, then those of single recipients, then those from phones: a query of a range of
/// numbers, `?1` to `?2`, that gives a key of two columns and the texts; and the statement that writes them.
const WALKS: [(&str, &str); 3] = [
    (
        "SELECT message, 0, text, redacted, client_ref, key FROM ( \
           SELECT message, text, redacted, client_ref, key, \
             text || ' ' || coalesce(redacted, '') || ' ' || coalesce(client_ref, '') || ' ' || coalesce(key, '') AS all_texts \
           FROM chunk WHERE message > ?1 AND message <= ?2 AND number = 0) \
         WHERE instr(all_texts, ?3) OR instr(all_texts, ?4) OR instr(all_texts, ?5)",
        "UPDATE chunk SET text = p.value ->> 2, redacted = p.value ->> 3, client_ref = p.value ->> 4, \
           key = iif(chunk.key IS p.value ->> 5, chunk.key, NULL), key_hash = iif(chunk.key IS p.value ->> 5, key_hash, NULL) \
         FROM json_each(?1) AS p WHERE message = p.value ->> 0 AND number = 0",
    ),
    (
        "SELECT message, idx, text FROM recipient_text WHERE message > ?1 AND message <= ?2 \
           AND (instr(text, ?3) OR instr(text, ?4) OR instr(text, ?5))",
        "UPDATE recipient_text SET text = p.value ->> 2 FROM json_each(?1) AS p \
         WHERE message = p.value ->> 0 AND idx = p.value ->> 1",
    ),
    (
        "SELECT id, 0, text FROM inbound WHERE id > ?1 AND id <= ?2 AND (instr(text, ?3) OR instr(text, ?4) OR instr(text, ?5))",
        "UPDATE inbound SET text = p.value ->> 2 FROM json_each(?1) AS p WHERE inbound.id = p.value ->> 0",
    ),
];

/// How many walks there are.
pub const COUNT: i64 = 3;

/// Goes on with a walk behind `after`, through numbers that are at most `last`. Returns how far it has come; `None`: to its end.
pub fn walk(
    sql: &impl Sql,
    walk: i64,
    mask: &Mask,
    (after, last): (i64, i64),
    found: &mut Found,
) -> Result<Option<i64>, PortError> {
    let place = usize::try_from(walk).unwrap_or(usize::MAX);
    let Some((query, statement)) = WALKS.get(place).filter(|_| after < last) else {
        return Ok(None);
    };
    let to = after.saturating_add(WALKED_A_GO).min(last);
    let mut params: Vec<Value> = vec![after.into(), to.into()];
    params.extend(mask.needles().map(Value::from));
    let texts = if walk == 0 { 4 } else { 1 };
    let mut rows = Vec::new();
    for row in &sql.exec(query, &params)? {
        rows.extend(masked(row, texts, mask)?);
    }
    if !rows.is_empty() {
        found.mentions += i64::try_from(rows.len()).unwrap_or(i64::MAX);
        sql.exec(statement, &[to_json(&rows)?.into()])?;
    }
    Ok(Some(to))
}

/// The numbers of the last messages and of the last message from a phone: a walk that goes so far sees all that there is.
pub fn last(sql: &impl Sql, walk: i64) -> Result<i64, PortError> {
    let query = if walk < 2 {
        "SELECT message_seq FROM account WHERE one = 1"
    } else {
        "SELECT max(id) FROM inbound"
    };
    let rows = sql.exec(query, &[])?;
    Ok(rows.first().map_or(Ok(None), |row| row.opt_int(0))?.unwrap_or(0))
}

/// A row to write: the key, and the texts with the number masked. `None`: no text has it.
fn masked(row: &Row, texts: usize, mask: &Mask) -> Result<Option<Vec<serde_json::Value>>, PortError> {
    let mut written = vec![row.int(0)?.into(), row.int(1)?.into()];
    let mut has_any = false;
    for column in 2..2 + texts {
        let text = row.opt_text(column)?;
        let masked = text.as_deref().and_then(|text| mask.apply(text));
        has_any |= masked.is_some();
        written.push(masked.or(text).into());
    }
    Ok(has_any.then_some(written))
}
