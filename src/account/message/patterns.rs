//! The revisions of patterns. A send that was made from an old revision is sent back, so that what an isolate has in its
//! cache never decides.
//!
//! The directory has the patterns, the object a note of each that was ever changed: the revision that sends may be made
//! from, and how often the note was changed. An announced change clears the revision. A send whose revision is not the noted
//! one is sent back with the number of the note's changes. Its worker reads the directory again and repeats the send with
//! that number. If the note is still the same, the object takes the revision that was read, and notes it.
//!
//! So no send that is accepted after a change was announced has an older text. Either its revision is noted: then it was
//! read after the announcement had cleared the note. Or the number of changes is still the one that the worker has heard:
//! then nothing was announced since, and the read came after all that was announced before.
//!
//! No revision is compared by size. A restored directory has smaller revisions, and so may a pattern that is deleted and made
//! again, or one that is changed by a worker whose clock is behind. Each is taken up in the same way as a change.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::account::outbox::events;
use crate::account::record::message::NewMessage;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// A pattern that has to be read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StalePattern {
    /// The pattern.
    pub slug: String,
    /// The number of changes: [`UsedPattern::heard`](crate::account::record::message::UsedPattern::heard) of the next try.
    pub changes: i64,
}

/// Notes that a pattern was changed. The directory must have the change already.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotePatternChange {
    /// The pattern.
    pub slug: String,
    /// What an operator has decided of a version, if that is the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
}

/// What an operator has decided of a version of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The number of the version.
    pub version: i64,
    /// Its status from now on.
    pub status: String,
    /// Why it is refused; `None`: it is approved.
    pub reason: Option<String>,
}

impl Request for NotePatternChange {
    const NAME: &'static str = "NotePatternChange";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<()> {
        sql.exec(
            "INSERT INTO pattern (slug, revision, changes) VALUES (?1, NULL, 1) \
             ON CONFLICT (slug) DO UPDATE SET revision = NULL, changes = changes + 1",
            &[self.slug.as_str().into()],
        )?;
        if let Some(review) = &self.review {
            let data = json!({
                "slug": self.slug,
                "version": review.version,
                "status": review.status,
                "reason": review.reason,
            });
            events::reviewed(sql, work, &data)?;
        }
        Ok(())
    }
}

/// The patterns of a message that the worker has to read again.
pub fn stale(sql: &impl Sql, message: &NewMessage) -> Result<Vec<StalePattern>, PortError> {
    if message.patterns.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sql.exec(
        "SELECT pattern.slug, pattern.changes FROM json_each(?1) p \
         CROSS JOIN pattern ON pattern.slug = p.value ->> 'slug' \
         WHERE pattern.revision IS NOT p.value ->> 'revision' AND pattern.changes IS NOT p.value ->> 'heard'",
        &[to_json(&message.patterns)?.into()],
    )?;
    let stale = rows.iter().map(|row| {
        let (slug, changes) = (row.text(0)?, row.int(1)?);
        Ok(StalePattern { slug, changes })
    });
    stale.collect()
}

/// Notes the revisions of a message that is not stale, as far as its worker has read them again.
pub fn note_read(sql: &impl Sql, message: &NewMessage) -> Result<(), PortError> {
    if message.patterns.iter().all(|pattern| pattern.heard.is_none()) {
        return Ok(());
    }
    sql.exec(
        "INSERT INTO pattern (slug, revision, changes) \
         SELECT value ->> 'slug', value ->> 'revision', 1 FROM json_each(?1) WHERE value ->> 'heard' IS NOT NULL \
         ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, changes = changes + 1 \
           WHERE revision IS NOT excluded.revision",
        &[to_json(&message.patterns)?.into()],
    )
    .map(drop)
}
