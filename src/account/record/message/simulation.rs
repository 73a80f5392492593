//! Messages that go to no real phone: how each ends, by the last digits of its number, and which ones they are. Messages of test
//! keys and those that the sandbox carrier has taken are such.

use std::collections::BTreeSet;

use super::MessageView;
use super::status::RecipientStatus;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// The ending of a message to this number.
pub fn ending(msisdn: u64) -> RecipientStatus {
    match msisdn % 1_000 {
        901 => RecipientStatus::Rejected,
        902 => RecipientStatus::Undelivered,
        903 => RecipientStatus::Expired,
        904 => RecipientStatus::Unknown,
        _ => RecipientStatus::Delivered,
    }
}

/// Marks those of the live messages of which a carrier of these names has recipients, or may have.
///
/// It is one statement for all of them. SQLite looks for the name in the text of a chunk's recipients first, which is quick,
/// and reads the recipients only where it is: up to the first who has the carrier.
pub fn mark(sql: &impl Sql, messages: &mut [MessageView], sandboxes: &[String]) -> Result<(), PortError> {
    let live: Vec<i64> = messages
        .iter()
        .filter(|message| !message.test)
        .map(|message| message.id)
        .collect();
    if live.is_empty() || sandboxes.is_empty() {
        return Ok(());
    }
    let rows = sql.exec(
        "SELECT p.value FROM json_each(?1) p WHERE EXISTS ( \
           SELECT 1 FROM json_each(?2) s CROSS JOIN chunk c ON c.message = p.value AND instr(c.recipients, json_quote(s.value)) \
           CROSS JOIN json_each(c.recipients) r WHERE r.value ->> 7 = s.value)",
        &[to_json(&live)?.into(), to_json(&sandboxes)?.into()],
    )?;
    let simulated: BTreeSet<i64> = rows.iter().map(|row| row.int(0)).collect::<Result<_, _>>()?;
    for message in messages {
        message.simulated = simulated.contains(&message.id);
    }
    Ok(())
}
