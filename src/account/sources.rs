//! What scheduled messages were made from. A source can't be deleted while a scheduled message was made from it.

use serde::{Deserialize, Serialize};

use crate::account::record::chunk::state_code;
use crate::account::record::message::NewMessage;
use crate::account::record::message::status::MessageStatus;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql, Value};
use crate::durable::to_json;

/// Scheduled messages named at most.
const NAMED: i64 = 10;

/// Asks for the scheduled messages that were made from a source, by its name in [`NewMessage::sources`].
#[derive(Debug, Serialize, Deserialize)]
pub struct ListScheduledFrom(pub String);

impl Request for ListScheduledFrom {
    const NAME: &'static str = "ListScheduledFrom";
    const WAKES: Wakes = Wakes::Never;
    /// Uids of the first messages.
    type Reply = Vec<String>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<String>> {
        scheduled_from(sql, &self.0).map_err(Into::into)
    }
}

/// The name of a pattern as a source.
pub fn pattern_source(slug: &str) -> String {
    format!("pattern:{slug}")
}

/// The name of a phonebook as a source.
pub fn phonebook_source(id: &str) -> String {
    format!("phonebook:{id}")
}

/// The uids of the first scheduled messages that were made from a source.
pub fn scheduled_from(sql: &impl Sql, source: &str) -> Result<Vec<String>, PortError> {
    let rows = sql.exec(
        "SELECT m.uid FROM source s CROSS JOIN message m ON m.id = s.message CROSS JOIN message_status t ON t.message = m.id \
         WHERE s.name = ?1 AND t.status = ?2 ORDER BY m.id LIMIT ?3",
        &[source.into(), MessageStatus::Scheduled.as_str().into(), NAMED.into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Notes what a scheduled message was made from. A test message keeps nobody from deleting that.
pub fn insert(sql: &impl Sql, id: i64, message: &NewMessage) -> Result<(), PortError> {
    if message.test || message.send_at_ms.is_none() || message.sources.is_empty() {
        return Ok(());
    }
    sql.exec(
        "INSERT OR IGNORE INTO source (name, message) SELECT value, ?1 FROM json_each(?2)",
        &[id.into(), to_json(&message.sources)?.into()],
    )
    .map(drop)
}

/// Forgets what those of the messages were made from, a JSON list, that are not scheduled any more.
pub fn forget_ended(sql: &impl Sql, messages: Value) -> Result<(), PortError> {
    sql.exec(
        concat!(
            "DELETE FROM source WHERE message IN (SELECT value FROM json_each(?1)) AND NOT EXISTS \
               (SELECT 1 FROM chunk c WHERE c.message = source.message AND c.state = ",
            state_code!(Scheduled),
            ")"
        ),
        &[messages],
    )
    .map(drop)
}

/// Forgets what a message was made from: it matters only while the message is scheduled.
pub fn forget(sql: &impl Sql, message: i64) -> Result<(), PortError> {
    sql.exec("DELETE FROM source WHERE message = ?1", &[message.into()])
        .map(drop)
}
