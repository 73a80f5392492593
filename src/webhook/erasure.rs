//! Takes a number out of the events that the object has, whether they wait or were delivered, with what receivers have answered to
//! them, and out of callbacks.

use serde::{Deserialize, Serialize};
use sms::mask::Mask;

use super::callbacks;
use super::request::{ReplyResult, WebhookRequest};
use crate::account::erasure::others::erase_from;
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::to_json;

/// Events that one go reads.
const WALKED_A_GO: i64 = 1_000;

/// Erases a number from some events.
#[derive(Debug, Serialize, Deserialize)]
pub struct EraseFromEvents {
    /// The number.
    pub msisdn: u64,
    /// Only from events behind this id.
    pub after: String,
}

/// What a go has done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasedEvents {
    /// How many events had the number.
    pub events: i64,
    /// The last event that was read; `None`: all were.
    pub next: Option<String>,
}

impl WebhookRequest for EraseFromEvents {
    fn answer(&self, _: &impl Platform, sql: &impl Sql, _: &str) -> ReplyResult<ErasedEvents> {
        let rows = sql.exec(
            "SELECT id, data FROM event WHERE id > ?1 ORDER BY id LIMIT ?2",
            &[self.after.as_str().into(), WALKED_A_GO.into()],
        )?;
        let (mask, mut erased, mut next) = (Mask::of(self.msisdn), Vec::new(), None);
        let callbacks = match self.after.as_str() {
            "" => callbacks::erase(sql, self.msisdn, &mask)?,
            _ => 0,
        };
        for row in &rows {
            let id = row.text(0)?;
            if let Some(data) = erase_from(&row.text(1)?, self.msisdn, &mask)? {
                erased.push((id.clone(), data));
            }
            next = Some(id);
        }
        sql.exec(
            "UPDATE event SET data = p.value ->> 1 FROM json_each(?1) AS p WHERE event.id = p.value ->> 0",
            &[to_json(&erased)?.into()],
        )?;
        if let Some(last) = &next {
            let erased: Vec<&str> = erased.iter().map(|(id, _)| id.as_str()).collect();
            forget_answers(sql, &mask, (&self.after, last), &erased)?;
        }
        Ok(Ok(ErasedEvents {
            events: callbacks.saturating_add(i64::try_from(erased.len()).unwrap_or(i64::MAX)),
            next,
        }))
    }
}

/// Forgets the answers to events that had the number, because they may have it in any form, and others in which it is found. Looks at
/// the events behind the first id and up to the second one.
fn forget_answers(sql: &impl Sql, mask: &Mask, (after, last): (&str, &str), erased: &[&str]) -> Result<(), PortError> {
    let [ascii, persian, arabic] = mask.needles();
    sql.exec(
        "UPDATE delivery SET answer = NULL \
         WHERE endpoint IN (SELECT id FROM endpoint) AND event > ?1 AND event <= ?2 AND answer IS NOT NULL \
           AND (event IN (SELECT value FROM json_each(?3)) OR instr(answer, ?4) OR instr(answer, ?5) OR instr(answer, ?6))",
        &[
            after.into(),
            last.into(),
            to_json(&erased)?.into(),
            ascii.into(),
            persian.into(),
            arabic.into(),
        ],
    )
    .map(drop)
}
