//! Chunks that are accepted and not written yet. One whose carrier is known and has room is claimed before it is written: so it
//! is written once, and nobody has to read it to hand it over.
//!
//! The invariant is that of every claim: it has a number of its own, and the chunk's row says so before anybody hands the chunk
//! over. *A crash after the row is written* leaves a claim whose lease ends, as a crash after any other claim does.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::handover::{ChunkRef, Handover};
use super::recipients::Recipient;
use crate::account::chunk::{self, ChunkState, LEASE_MS, Place, Queue};
use crate::account::message::RecipientText;
use crate::account::message::priority::Class;
use crate::base::ports::{PortError, Sql};

/// Who knows which object of a carrier has room for chunks at once.
pub trait Seats {
    /// The object that gets a chunk of this queue with so many recipients. `None`: the chunk waits in its queue. `taken` are the
    /// seats that the same transaction has given already.
    fn seat(&self, now_ms: i64, account: &str, queue: &Queue, recipients: usize, taken: &[Claim]) -> Option<String>;

    /// Takes the claims of a transaction that has ended well.
    fn take(&self, now_ms: i64, account: &str, claims: Vec<Claim>);
}

/// Nobody knows of any room: every chunk waits in its queue.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSeats;

impl Seats for NoSeats {
    fn seat(&self, _: i64, _: &str, _: &Queue, _: usize, _: &[Claim]) -> Option<String> {
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

/// What the chunks of a message share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The message's uid.
    pub uid: String,
    /// Its line.
    pub line: String,
    /// Its text.
    pub text: String,
}

/// A chunk that is not written yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fresh {
    /// The chunk.
    pub place: Place,
    /// The indexes of its first and its last recipient.
    pub bounds: (u32, u32),
    /// How urgent it is.
    pub class: Class,
    /// Its line and prefix.
    pub route: String,
    /// Ready or scheduled.
    pub state: ChunkState,
    /// When it is due, ms since the Unix epoch.
    pub due_ms: i64,
    /// Its recipients.
    pub recipients: Vec<Recipient>,
    /// What their texts have of their own, by index, as JSON.
    pub texts: BTreeMap<u32, String>,
    /// The object that has claimed it.
    pub object: Option<String>,
}

/// How a chunk begins: ready, scheduled or claimed.
#[derive(Debug, Clone, Copy)]
pub struct FirstState {
    /// Its state.
    pub state: ChunkState,
    /// When it is due, or its lease ends, ms since the Unix epoch.
    pub due_ms: i64,
    /// The number of its claim; 0 for none.
    pub attempt: u32,
}

impl Fresh {
    fn queue(&self) -> Queue {
        Queue {
            class: self.class,
            name: self.route.clone(),
            due_ms: self.due_ms,
        }
    }

    fn handover(&self, head: &Head) -> Result<Handover, PortError> {
        let mut texts: BTreeMap<u32, RecipientText> = BTreeMap::new();
        for (index, text) in &self.texts {
            let text = serde_json::from_str(text).map_err(|error| PortError::json("recipients", &error))?;
            texts.insert(*index, text);
        }
        Ok(Handover {
            chunk: ChunkRef {
                message: self.place.0,
                number: self.place.1,
                attempt: 1,
            },
            uid: head.uid.clone(),
            line: head.line.clone(),
            text: head.text.clone(),
            recipients: self.recipients.iter().map(|one| (one.index, one.msisdn)).collect(),
            doubt_ms: None,
            texts,
        })
    }

    /// How it begins.
    pub fn first_state(&self, now_ms: i64) -> FirstState {
        match self.object {
            Some(_) => FirstState {
                state: ChunkState::Claimed,
                due_ms: now_ms.saturating_add(LEASE_MS),
                attempt: 1,
            },
            None => FirstState {
                state: self.state,
                due_ms: self.due_ms,
                attempt: 0,
            },
        }
    }

    /// Its row, as `insert_chunks` reads it.
    pub fn row(&self, now_ms: i64) -> impl Serialize + '_ {
        let first = self.first_state(now_ms);
        let numbers = (self.place, self.bounds, self.recipients.len(), first.attempt);
        (
            numbers,
            self.class.code(),
            &self.route,
            &self.object,
            (first.state.code(), self.due_ms, first.due_ms),
            &self.recipients,
        )
    }
}

/// Claims those of the chunks for which there is room at once. A queue in which others wait already gets no room here, so that
/// nobody overtakes them.
pub fn claim(
    sql: &impl Sql,
    now_ms: i64,
    account: &str,
    (chunks, heads): (&mut [Fresh], &BTreeMap<i64, Head>),
    seats: &impl Seats,
) -> Result<Vec<Claim>, PortError> {
    let (mut claims, mut closed) = (Vec::new(), BTreeSet::new());
    for chunk in chunks.iter_mut().filter(|chunk| chunk.state == ChunkState::Ready) {
        let queue = chunk.queue();
        let key = (queue.class, queue.name.clone());
        let Some(head) = heads.get(&chunk.place.0).filter(|_| !closed.contains(&key)) else {
            continue;
        };
        let Some(object) = seats.seat(now_ms, account, &queue, chunk.recipients.len(), &claims) else {
            closed.insert(key);
            continue;
        };
        let is_first = !claims
            .iter()
            .any(|claim: &Claim| claim.queue.name == queue.name && claim.queue.class == queue.class);
        if is_first && chunk::has_due(sql, now_ms, &queue)? {
            closed.insert(key);
            continue;
        }
        claims.push(Claim {
            queue,
            object: object.clone(),
            handover: chunk.handover(head)?,
        });
        chunk.object = Some(object);
    }
    Ok(claims)
}
