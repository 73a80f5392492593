//! Takes a number out of what a sandbox was handed.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sms::mask::{ERASED, Mask};

use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::{ask_in_time, to_json};

/// Chunks that one go reads.
const CHUNKS_A_GO: i64 = 200;

/// A chunk: the numbers of its message and its own.
pub type Place = (i64, i64);

/// Erases a number from some chunks that were handed over.
#[derive(Debug, Serialize, Deserialize)]
pub struct EraseHanded {
    /// The number.
    pub msisdn: u64,
    /// Only from chunks behind this one.
    pub after: Place,
}

impl EraseHanded {
    pub(super) fn erase(&self, sql: &impl Sql) -> Result<Option<Place>, PortError> {
        let mask = Mask::of(self.msisdn);
        let [ascii, persian, arabic] = mask.needles();
        let rows = sql.exec(
            "SELECT message, number, count, text, recipients, \
               instr(all_texts, ?3) OR instr(all_texts, ?4) OR instr(all_texts, ?5) \
             FROM (SELECT message, number, count, text, recipients, text || ' ' || recipients AS all_texts FROM handed_chunk \
                   WHERE (message, number) > (?1, ?2) ORDER BY message, number LIMIT ?6)",
            &[
                self.after.0.into(),
                self.after.1.into(),
                ascii.into(),
                persian.into(),
                arabic.into(),
                CHUNKS_A_GO.into(),
            ],
        )?;
        let mut written = Vec::new();
        for row in &rows {
            let mut row = row.reader();
            let chunk = row.read()?;
            if row.read()? {
                written.push(self.without(chunk, &mask)?);
            }
        }
        sql.exec(
            "UPDATE handed_chunk SET text = p.value ->> 2, recipients = p.value ->> 3 FROM json_each(?1) AS p \
             WHERE message = p.value ->> 0 AND number = p.value ->> 1",
            &[to_json(&written)?.into()],
        )?;
        let is_full = i64::try_from(rows.len()).is_ok_and(|count| count >= CHUNKS_A_GO);
        let last = rows.last().filter(|_| is_full);
        last.map(|row| Ok((row.int(0)?, row.int(1)?))).transpose()
    }

    /// A row without the number: message, number, text and recipients.
    fn without(
        &self,
        (message, number, count, text, json): (i64, i64, i64, String, String),
        mask: &Mask,
    ) -> Result<(i64, i64, String, String), PortError> {
        let mut recipients: Vec<Vec<Value>> =
            serde_json::from_str(&json).map_err(|error| PortError::json("sandbox", &error))?;
        let mut has_it = false;
        for recipient in &mut recipients {
            let is_it = recipient.get(1).and_then(Value::as_u64) == Some(self.msisdn);
            has_it |= is_it;
            if let Some(number) = recipient.get_mut(1).filter(|_| is_it) {
                *number = 0.into();
            }
            if let Some(Value::String(own)) = recipient.get_mut(3) {
                *own = if is_it {
                    ERASED.to_owned()
                } else {
                    mask.apply(own).unwrap_or_else(|| own.clone())
                };
            }
        }
        let text = if has_it && count == 1 {
            ERASED.to_owned()
        } else {
            mask.apply(&text).unwrap_or(text)
        };
        Ok((message, number, text, to_json(&recipients)?))
    }
}

/// Erases a number from what a sandbox was handed: the object of this name.
pub async fn erase_number(platform: &impl Platform, object: &str, msisdn: u64) -> Result<(), PortError> {
    let mut after = Some((0, -1));
    while let Some(place) = after {
        after = ask_in_time(platform, object, &EraseHanded { msisdn, after: place }).await?;
    }
    Ok(())
}
