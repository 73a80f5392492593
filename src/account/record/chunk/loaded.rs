//! A chunk as it is loaded when its recipients are to move: its progress, its recipients, and what of its message counts then.
//!
//! The object remembers what it has claimed until the answer ([`remembered`]), so that it need not read it again: the recipients of a
//! large chunk are a long document.

use std::collections::{BTreeMap, BTreeSet};

use super::accepted::AcceptedChunk;
use super::progress::{Progress, progress_row};
use super::recipients::Recipient;
use super::{ChunkId, ChunkState};
use crate::account::record::message::row::{Halt, MessageRow};
use crate::account::record::message::status::RecipientStatus;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Reader, Words};
use crate::base::time::DAY_MS;
use crate::durable::remembered::{self, Remembered, compared};
use crate::durable::to_json;

/// What of a message decides about its money and its usage.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    /// For which statuses its money goes back.
    pub refunds: Vec<RecipientStatus>,
    /// The line it is sent from.
    pub line: String,
    /// Whether a test key sent it.
    pub is_test: bool,
    /// The day on which it was accepted, since 1970-01-01.
    pub day: i64,
    /// When it expires, ms since the Unix epoch.
    pub expires_ms: Option<i64>,
    /// Whether its sender has stopped it.
    pub halt: Option<Halt>,
    /// Whether somebody hears what becomes of its recipient.
    pub has_callback: bool,
    /// The number of its sender.
    pub sender: Option<i64>,
}

impl Message {
    fn read(row: &mut Reader<'_>) -> Result<Message, PortError> {
        Ok(Message {
            refunds: Words::read_words(row)?,
            line: row.read()?,
            is_test: row.read()?,
            day: row.read::<i64>()?.div_euclid(DAY_MS),
            expires_ms: row.read()?,
            halt: row.read()?,
            has_callback: row.read()?,
            sender: row.read()?,
        })
    }

    fn of(row: &MessageRow) -> Message {
        Message {
            refunds: row.refunds.clone(),
            line: row.line.clone(),
            is_test: row.test,
            day: row.created_ms.div_euclid(DAY_MS),
            expires_ms: row.expires_ms,
            halt: row.halt,
            has_callback: row.callback.is_some(),
            sender: row.sender,
        }
    }
}

/// A chunk with its recipients.
#[derive(Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Its message.
    pub message: Message,
    /// How far it has come.
    pub progress: Progress,
    /// Whether it is of a wave of a campaign.
    pub is_of_campaign: bool,
    /// Its recipients.
    pub recipients: Vec<Recipient>,
}

impl Remembered for Loaded {
    type Key = ChunkId;
    const TABLES: &'static [&'static str] = &["chunk", "message"];
    const MAX_OCTETS: usize = 1_000_000;

    fn octets(&self, _: &ChunkId) -> usize {
        let texts = |one: &Recipient| -> usize {
            let texts = [&one.carrier, &one.error, &one.error_code];
            texts.into_iter().flatten().map(String::len).sum()
        };
        let recipients = self.recipients.capacity().saturating_mul(size_of::<Recipient>());
        self.recipients
            .iter()
            .map(texts)
            .fold(size_of::<Self>() + self.message.line.len(), usize::saturating_add)
            .saturating_add(recipients)
    }
}

/// A statement that finds chunks `c` with their messages `m`, each as [`read`] reads it, with what else stands behind that.
macro_rules! chunks {
    ($beside:literal $from:literal $end:expr) => {
        concat!(
            "SELECT m.id, c.number, m.refunds, m.line, m.test, m.created_ms, m.expires_ms, m.halt, m.callback IS NOT NULL, \
               m.sender, ",
            progress_row!(columns "c."),
            ", m.campaign IS NOT NULL, c.recipients",
            $beside,
            " FROM json_each(?1) p ",
            $from,
            $end
        )
    };
    (listed $end:expr) => {
        chunks!(
            ""
            "CROSS JOIN message m ON m.id = p.value ->> 0 CROSS JOIN chunk c ON c.message = m.id AND c.number = p.value ->> 1"
            $end
        )
    };
}

/// Finds listed chunks in their order, with the uid, the texts and the kind of their messages.
pub const WITH_TEXTS: &str = chunks!(
    ", m.uid, m.text, m.redacted, m.sealed, m.kind"
    "CROSS JOIN chunk c ON c.message = p.value ->> 0 AND c.number = p.value ->> 1 CROSS JOIN message m ON m.id = c.message"
    " ORDER BY p.key"
);
const LISTED: &str = chunks!(listed "");
/// The same, by which a debug build compares.
pub const COMPARED: &str = chunks!(listed compared!());

/// Reads a chunk from the columns in which it is found.
pub fn read(row: &mut Reader<'_>) -> Result<(ChunkId, Loaded), PortError> {
    let id = row.read()?;
    let loaded = Loaded {
        message: Message::read(row)?,
        progress: row.read()?,
        is_of_campaign: row.read()?,
        recipients: row.read()?,
    };
    Ok((id, loaded))
}

/// Loads chunks: the object remembers them no more, because they are about to change. Those that do not exist are left out.
pub fn load(sql: &impl Sql, ids: &BTreeSet<ChunkId>) -> Result<BTreeMap<ChunkId, Loaded>, PortError> {
    let mut loaded = remembered::take(sql, ids, |ids| stored(sql, COMPARED, ids))?;
    let others: BTreeSet<ChunkId> = ids.iter().filter(|id| !loaded.contains_key(id)).copied().collect();
    if !others.is_empty() {
        loaded.extend(stored(sql, LISTED, &others)?);
    }
    Ok(loaded)
}

fn stored(sql: &impl Sql, statement: &str, ids: &BTreeSet<ChunkId>) -> Result<BTreeMap<ChunkId, Loaded>, PortError> {
    let rows = sql.exec(statement, &[to_json(ids)?.into()])?;
    rows.iter().map(|row| read(&mut row.reader())).collect()
}

/// Those of new chunks that are claimed, as they are stored with these messages.
pub fn claimed(chunks: Vec<AcceptedChunk>, messages: &BTreeMap<i64, MessageRow>) -> Vec<(ChunkId, Loaded)> {
    let claimed = chunks.into_iter().filter_map(|chunk| {
        let message = messages.get(&chunk.place.id.0)?;
        let loaded = Loaded {
            message: Message::of(message),
            progress: chunk.progress,
            is_of_campaign: message.campaign.is_some(),
            recipients: chunk.recipients,
        };
        Some((chunk.place.id, loaded))
    });
    claimed.filter(may_be_kept).collect()
}

/// Whether a chunk may be remembered: it is claimed, and what becomes of another chunk changes nothing of it. The end of a message's first
/// chunk takes its callback away.
pub fn may_be_kept((id, loaded): &(ChunkId, Loaded)) -> bool {
    loaded.progress.state == ChunkState::Claimed && (id.1 == 0 || !loaded.message.has_callback)
}
