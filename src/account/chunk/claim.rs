//! Claims: chunks that are about to be handed to an object of a carrier. A chunk is claimed in its queue. Or, if a carrier is
//! known to have room for it, when it is accepted: then it is written once, and nobody has to read it to hand it over.
//!
//! The invariant: each claim of a chunk has a number of its own, and the chunk's row says so before anybody hands the chunk
//! over. *A crash after the row is written* leaves a claim whose lease ends.

use std::collections::{BTreeMap, BTreeSet};

use super::accepted::AcceptedChunk;
use super::handover::{ChunkRef, Handover};
use super::quarantine;
use super::queue::{self, CHUNKS_A_BUNDLE, Queue};
use super::recipients::{self, Recipient};
use super::{ChunkId, ChunkState, LEASE_MS};
use crate::account::account_row::Account;
use crate::account::message::recipient_text::{self, RecipientText};
use crate::account::message::{MessageKind, row::MessageRow, status::RecipientStatus};
use crate::base::ports::{PortError, Row, Sql};
use crate::durable::to_json;

/// Recipients in one bundle, about.
const RECIPIENTS_A_BUNDLE: i64 = 1_000;

/// Whether a chunk with so many recipients goes into a bundle that has so many chunks and recipients.
pub fn fits(chunks: usize, recipients: usize, more: usize) -> bool {
    let all = i64::try_from(recipients.saturating_add(more)).unwrap_or(i64::MAX);
    chunks < CHUNKS_A_BUNDLE && (chunks == 0 || all <= RECIPIENTS_A_BUNDLE)
}

/// What the chunks of a message share: its uid, its line and its text, whole and redacted.
struct Head {
    uid: String,
    line: String,
    text: String,
    redacted: Option<String>,
}

/// The next claim of a chunk that has been claimed so often.
fn next_claim((message, number): ChunkId, attempts: u32) -> ChunkRef {
    ChunkRef {
        message,
        number,
        attempt: attempts.saturating_add(1),
    }
}

/// When the lease of a claim ends.
fn lease_ends_ms(now_ms: i64) -> i64 {
    now_ms.saturating_add(LEASE_MS)
}

/// What the object of a carrier gets: those of the recipients that are still queued.
fn handover(head: Head, chunk: ChunkRef, recipients: &[Recipient]) -> Handover {
    let queued = recipients.iter().filter(|one| one.status == RecipientStatus::Queued);
    Handover {
        chunk,
        uid: head.uid,
        line: head.line,
        text: head.text,
        redacted: head.redacted,
        recipients: queued.map(|one| (one.index, one.msisdn)).collect(),
        doubt_ms: None,
        ask_only: false,
        texts: BTreeMap::new(),
    }
}

/// Chunks that are claimed together for one object of a carrier.
#[derive(Debug)]
pub struct Claimed {
    /// The chunks.
    pub handovers: Vec<Handover>,
    /// Whether more chunks may be due, for which there was no room.
    pub is_full: bool,
}

/// Claims chunks of a queue that are due for an object of a carrier, oldest first, as many as go into one bundle. Until their
/// lease ends, nobody else claims them.
pub fn claim(
    sql: &impl Sql,
    now_ms: i64,
    account: &Account,
    queue: &Queue,
    object: &str,
) -> Result<Option<Claimed>, PortError> {
    let (ids, is_full) = bundle_of(&queue::due(sql, now_ms, queue)?);
    if ids.is_empty() {
        return Ok(None);
    }
    let rows = sql.exec(
        "SELECT m.id, c.number, c.attempt, m.uid, m.line, m.text, c.recipients, m.kind, c.doubt_ms, m.redacted \
         FROM json_each(?1) p CROSS JOIN chunk c ON c.message = p.value ->> 0 AND c.number = p.value ->> 1 \
         CROSS JOIN message m ON m.id = c.message ORDER BY p.key",
        &[to_json(&ids)?.into()],
    )?;
    let mut handovers = Vec::with_capacity(rows.len());
    for (row, id) in rows.iter().zip(ids) {
        let handover = stored_handover(sql, row).map(|handover| Handover {
            ask_only: account.holds(id.0),
            ..handover
        });
        handovers.extend(quarantine::keep(sql, now_ms, id, handover)?);
    }
    if handovers.is_empty() {
        return Ok(None);
    }
    let ids: Vec<ChunkId> = handovers.iter().map(|handover| handover.chunk.id()).collect();
    sql.exec(
        "UPDATE chunk SET state = ?2, attempt = attempt + 1, due_ms = ?3, object = ?4 FROM json_each(?1) AS p \
         WHERE message = p.value ->> 0 AND number = p.value ->> 1",
        &[
            to_json(&ids)?.into(),
            ChunkState::Claimed.code().into(),
            lease_ends_ms(now_ms).into(),
            object.into(),
        ],
    )?;
    Ok(Some(Claimed { handovers, is_full }))
}

/// The first of the chunks, with so many recipients each, that go into one bundle, and whether others may be left.
fn bundle_of(due: &[(ChunkId, i64)]) -> (Vec<ChunkId>, bool) {
    let (mut ids, mut all) = (Vec::with_capacity(due.len()), 0);
    for (id, recipients) in due {
        all += recipients;
        if !ids.is_empty() && all > RECIPIENTS_A_BUNDLE {
            return (ids, true);
        }
        ids.push(*id);
    }
    let is_full = ids.len() >= CHUNKS_A_BUNDLE;
    (ids, is_full)
}

fn stored_handover(sql: &impl Sql, row: &Row) -> Result<Handover, PortError> {
    let chunk = next_claim((row.int(0)?, row.u32(1)?), row.u32(2)?);
    let head = Head {
        uid: row.text(3)?,
        line: row.text(4)?,
        text: row.text(5)?,
        redacted: row.opt_text(9)?,
    };
    let mut handover = handover(head, chunk, &recipients::read(&row.text(6)?)?);
    handover.doubt_ms = row.opt_int(8)?;
    if MessageKind::parse(&row.text(7)?).is_some_and(MessageKind::has_recipient_texts) {
        let indexes = handover.recipients.iter().map(|(index, _)| *index);
        handover.texts = recipient_text::read(sql, chunk.message, indexes)?;
    }
    Ok(handover)
}

/// Who knows which object of a carrier has room for chunks at once.
pub trait Capacity {
    /// The object that gets a chunk of this queue with so many recipients. `None`: the chunk waits in its queue. `taken` are the
    /// claims that the same transaction has made already.
    fn object_for(
        &self,
        now_ms: i64,
        account: &str,
        queue: &Queue,
        recipients: usize,
        taken: &[Claim],
    ) -> Option<String>;

    /// Takes the claims of a transaction that has ended well.
    fn take(&self, now_ms: i64, account: &str, claims: Vec<Claim>);
}

/// Nobody knows of any room: every chunk waits in its queue.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCapacity;

impl Capacity for NoCapacity {
    fn object_for(&self, _: i64, _: &str, _: &Queue, _: usize, _: &[Claim]) -> Option<String> {
        None
    }

    fn take(&self, _: i64, _: &str, _: Vec<Claim>) {}
}

/// A chunk that was claimed when it was accepted.
#[derive(Debug)]
pub struct Claim {
    /// The queue in which it would wait.
    pub queue: Queue,
    /// The object of a carrier that gets it.
    pub object: String,
    /// What the object gets.
    pub handover: Handover,
}

/// Claims new chunks whose carrier has capacity; a queue with a backlog is skipped, to keep order. `messages` are theirs.
pub fn claim_accepted(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    (chunks, messages): (&mut [AcceptedChunk], &BTreeMap<i64, MessageRow>),
    capacity: &impl Capacity,
) -> Result<Vec<Claim>, PortError> {
    let (mut claims, mut closed) = (Vec::new(), BTreeSet::new());
    for chunk in chunks.iter_mut().filter(|chunk| chunk.state == ChunkState::Ready) {
        let queue = chunk.queue();
        let key = (queue.priority, queue.name.clone());
        let Some(message) = messages.get(&chunk.id.0).filter(|_| !closed.contains(&key)) else {
            continue;
        };
        let Some(object) = capacity.object_for(now_ms, account, &queue, chunk.recipients.len(), &claims) else {
            closed.insert(key);
            continue;
        };
        let is_first = !claims.iter().any(|claim: &Claim| claim.queue.is_same(&queue));
        if is_first && queue::has_due(sql, now_ms, &queue)? {
            closed.insert(key);
            continue;
        }
        let handover = accepted_handover(message, chunk)?;
        chunk.state = ChunkState::Claimed;
        chunk.due_ms = lease_ends_ms(now_ms);
        chunk.attempt = handover.chunk.attempt;
        chunk.object = Some(object.clone());
        claims.push(Claim {
            queue,
            object,
            handover,
        });
    }
    Ok(claims)
}

fn accepted_handover(message: &MessageRow, chunk: &AcceptedChunk) -> Result<Handover, PortError> {
    let head = Head {
        uid: message.uid.clone(),
        line: message.line.clone(),
        text: message.text.clone(),
        redacted: message.redacted.clone(),
    };
    let texts = chunk
        .texts
        .iter()
        .map(|(index, text)| Ok((*index, RecipientText::parse(text)?)));
    Ok(Handover {
        texts: texts.collect::<Result<_, PortError>>()?,
        ..handover(head, next_claim(chunk.id, chunk.attempt), &chunk.recipients)
    })
}
