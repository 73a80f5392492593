//! Deleted phonebooks whose numbers are still to be removed from the directory. A phonebook may have more numbers than one
//! request can remove, so the object removes them step by step when its alarm rings.
//!
//! The object notes a removal before anybody touches the directory, and forgets it only when the directory has nothing of
//! the phonebook any more. Each step marks the phonebook as deleted again. So whenever a crash comes, the object brings the
//! removal to its end, and a step that is done twice does no harm.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::account::record::campaign_row;
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::sources;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::Subject;

/// Removes a phonebook, unless scheduled messages were made from it, or campaigns that were started read it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemovePhonebook {
    /// The phonebook's id in the API.
    pub id: String,
    /// The phonebook's name in `NewMessage::sources`.
    pub source: String,
    /// The phonebook's title, for the audit log.
    pub title: Option<String>,
}

impl Request for RemovePhonebook {
    const NAME: &'static str = "RemovePhonebook";
    const WAKES: Wakes = Wakes::In(0);
    /// Uids of the first scheduled messages that were made from it. If there are none, the phonebook is removed.
    type Reply = Vec<String>;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let noted = sql.exec("SELECT 1 FROM removal WHERE phonebook = ?1", &[self.id.as_str().into()])?;
        let state = noted.is_empty().then(|| json!({"title": self.title}));
        Ok(Some(Subject::named(&self.id, state)))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<String>> {
        let campaigns = campaign_row::readers_of(sql, &self.id)?;
        if !campaigns.is_empty() {
            return Err(Refusal::InCampaigns(campaigns).into());
        }
        let messages = sources::scheduled_from(sql, &self.source)?;
        if messages.is_empty() {
            sql.exec(
                "INSERT OR IGNORE INTO removal (phonebook, noted_ms) VALUES (?1, ?2)",
                &[self.id.as_str().into(), work.now_ms.into()],
            )?;
        }
        Ok(messages)
    }
}

/// The id of the phonebook whose removal was noted first.
pub fn oldest(sql: &impl Sql) -> Result<Option<String>, PortError> {
    let rows = sql.exec("SELECT phonebook FROM removal ORDER BY noted_ms LIMIT 1", &[])?;
    rows.first().map(|row| row.text(0)).transpose()
}

/// Forgets a removal: the directory has nothing of the phonebook any more.
pub fn forget(sql: &impl Sql, phonebook: &str) -> Result<(), PortError> {
    sql.exec("DELETE FROM removal WHERE phonebook = ?1", &[phonebook.into()])
        .map(drop)
}

/// When the next step is due: as soon as there is a removal.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT min(noted_ms) FROM removal", &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
