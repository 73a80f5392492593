//! Claims: chunks that are about to be handed to an object of a carrier. A chunk is claimed in its queue. Or, if a carrier is
//! known to have room for it, when it is accepted: then it is written once, and nobody has to read it to hand it over.
//!
//! The invariant: each claim of a chunk has a number of its own, and the chunk's row says so before anybody hands the chunk
//! over. *A crash after the row is written* leaves a claim whose lease ends.
//!
//! A chunk whose message has expired is not claimed but canceled, in the same transaction. [`claim_queued`](crate::account::chunk::claim_queued) claims
//! those that wait in a queue.

use std::collections::{BTreeMap, BTreeSet};

use super::accepted::AcceptedChunk;
use super::handover::{ChunkRef, Handover, has_expired};
use super::queue::{self, CHUNKS_A_BUNDLE, Queue};
use super::recipients::Recipient;
use super::{ChunkId, ChunkState, LEASE_MS};
use crate::account::record::message::recipient_text::RecipientText;
use crate::account::record::message::row::MessageRow;
use crate::account::record::message::status::RecipientStatus;
use crate::base::ports::{PortError, Sql};

/// Recipients in one bundle, about.
pub(in crate::account) const RECIPIENTS_A_BUNDLE: i64 = 1_000;

/// Whether a chunk with so many recipients goes into a bundle that has so many chunks and recipients.
pub fn fits(chunks: usize, recipients: usize, more: usize) -> bool {
    let all = i64::try_from(recipients.saturating_add(more)).unwrap_or(i64::MAX);
    chunks < CHUNKS_A_BUNDLE && (chunks == 0 || all <= RECIPIENTS_A_BUNDLE)
}

/// What the chunks of a message share: its uid, its line, its text, whole and redacted, and its expiry.
pub(in crate::account) struct Head {
    pub uid: String,
    pub line: String,
    pub text: String,
    pub redacted: Option<String>,
    pub expires_ms: Option<i64>,
}

/// The next claim of a chunk that has been claimed so often.
pub(in crate::account) fn next_claim((message, number): ChunkId, attempts: u32) -> ChunkRef {
    ChunkRef {
        message,
        number,
        attempt: attempts.saturating_add(1),
    }
}

/// When the lease of a claim ends.
pub(in crate::account) fn lease_ends_ms(now_ms: i64) -> i64 {
    now_ms.saturating_add(LEASE_MS)
}

/// What the object of a carrier gets: those of the recipients that are still queued.
pub(in crate::account) fn handover(head: Head, chunk: ChunkRef, recipients: &[Recipient]) -> Handover {
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
        expires_ms: head.expires_ms,
        texts: BTreeMap::new(),
    }
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
    for chunk in chunks
        .iter_mut()
        .filter(|chunk| chunk.progress.state == ChunkState::Ready)
    {
        let queue = chunk.queue();
        let key = (queue.priority, queue.name.clone());
        let message = messages.get(&chunk.place.id.0).filter(|_| !closed.contains(&key));
        // One that has expired is canceled when it is met in its queue.
        let Some(message) = message.filter(|message| !has_expired(message.expires_ms, now_ms)) else {
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
        chunk.progress.state = ChunkState::Claimed;
        chunk.progress.due_ms = lease_ends_ms(now_ms);
        chunk.progress.attempt = handover.chunk.attempt;
        chunk.place.object = Some(object.clone());
        claims.push(Claim {
            queue,
            object,
            handover,
        });
    }
    Ok(claims)
}

fn accepted_handover(message: &MessageRow, chunk: &AcceptedChunk) -> Result<Handover, PortError> {
    let (text, redacted) = match &chunk.code_text {
        None => (message.text.clone(), message.redacted.clone()),
        Some(whole) => (whole.clone(), Some(message.text.clone())),
    };
    let head = Head {
        uid: message.uid.clone(),
        line: message.line.clone(),
        text,
        redacted,
        expires_ms: message.expires_ms,
    };
    let texts = chunk
        .texts
        .iter()
        .map(|(index, text)| Ok((*index, RecipientText::parse(text)?)));
    Ok(Handover {
        texts: texts.collect::<Result<_, PortError>>()?,
        ..handover(
            head,
            next_claim(chunk.place.id, chunk.progress.attempt),
            &chunk.recipients,
        )
    })
}
