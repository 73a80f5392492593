//! How the owner of a scheduled message cancels it.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::read;
use crate::account::chunk::transitions::Transitions;
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::record::message::MessageView;
use crate::account::record::message::status::{MessageStatus, RecipientStatus};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, Outcome, Request, Wakes};
use crate::account::sources;
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::id;
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::Subject;

/// Cancels a scheduled message and releases its money. When its time has come, it is too late.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelMessage {
    /// Its uid.
    pub uid: String,
    /// The mode of the key of the request. A message of the other mode is not found.
    pub mode: Mode,
}

impl Request for CancelMessage {
    const NAME: &'static str = "CancelMessage";
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    const ENTRY: Entry = Entry::Bytes { days: 2 };
    /// The message as it stands then.
    type Reply = Box<MessageView>;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let rows = sql.exec(
            "SELECT s.status FROM message m JOIN message_status s ON s.message = m.id WHERE m.id = ?1 AND m.uid = ?2",
            &[id::number_of(&self.uid).into(), self.uid.as_str().into()],
        )?;
        let status = rows.first().map(|row| row.text(0)).transpose()?;
        Ok(Some(Subject::named(
            &self.uid,
            status.map(|status| json!({"status": status})),
        )))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<Box<MessageView>> {
        let rows = sql.exec(
            "SELECT m.id, s.status, m.total FROM message m JOIN message_status s ON s.message = m.id \
             WHERE m.id = ?1 AND m.uid = ?2 AND m.test = ?3",
            &[
                id::number_of(&self.uid).into(),
                self.uid.as_str().into(),
                (self.mode == Mode::Test).into(),
            ],
        )?;
        let Some(row) = rows.first() else {
            return Ok(Err(Refusal::NotFound));
        };
        let (id, status, total) = (row.int(0)?, row.text(1)?, row.u32(2)?);
        if status != MessageStatus::Scheduled.as_str() {
            return Ok(Err(Refusal::NotScheduled));
        }
        let mut transitions = Transitions::default();
        transitions.load_chunks_of(sql, &[(id, 0, total)])?;
        transitions.advance(sql, work, &[(id, 0, total)], RecipientStatus::Canceled)?;
        transitions.save(sql)?;
        sources::forget(sql, id)?;
        read::message(sql, &self.uid, None)
    }
}
