//! The newest revision of each pattern. A send that was made from an older one is sent back, so that what an isolate has in
//! its cache never decides.

use serde::{Deserialize, Serialize};

use super::message::NewMessage;
use super::request::{Outcome, Request};
use super::store::Account;
use crate::object::{Wake, to_json};
use crate::ports::{PortError, Sql};

/// Notes that a pattern was changed.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotePatternChange {
    /// The pattern.
    pub slug: String,
    /// Its newest revision.
    pub revision: i64,
}

impl Request for NotePatternChange {
    const NAME: &'static str = "NotePatternChange";
    type Reply = ();

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn answer(&self, sql: &impl Sql, _: i64, _: &mut Account) -> Outcome<()> {
        sql.exec(
            "INSERT INTO pattern (slug, revision) VALUES (?1, ?2) \
             ON CONFLICT (slug) DO UPDATE SET revision = max(revision, excluded.revision)",
            &[self.slug.as_str().into(), self.revision.into()],
        )?;
        Ok(Ok(()))
    }
}

/// Whether a pattern was changed after the worker had read it for this message.
pub fn is_stale(sql: &impl Sql, message: &NewMessage) -> Result<bool, PortError> {
    if message.patterns.is_empty() {
        return Ok(false);
    }
    let rows = sql.exec(
        "SELECT 1 FROM json_each(?1) p JOIN pattern ON pattern.slug = p.value ->> 0 \
         WHERE pattern.revision > p.value ->> 1 LIMIT 1",
        &[to_json(&message.patterns)?.into()],
    )?;
    Ok(!rows.is_empty())
}
