//! Chunks that are accepted and not written yet.

use std::collections::BTreeMap;

use super::queue::Queue;
use super::recipients::Recipient;
use super::{ChunkId, ChunkState};
use crate::account::record::message::priority::Priority;

/// A chunk that is accepted and not written yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedChunk {
    /// The chunk.
    pub id: ChunkId,
    /// The indexes of its first and its last recipient.
    pub bounds: (u32, u32),
    /// How urgent it is.
    pub priority: Priority,
    /// Its [route](super::queue::route).
    pub route: String,
    /// Ready or scheduled; claimed, if a carrier has room for it at once.
    pub state: ChunkState,
    /// When it is to leave, ms since the Unix epoch.
    pub ready_ms: i64,
    /// When it is due: to leave, or to come back if nobody ends its claim; ms since the Unix epoch.
    pub due_ms: i64,
    /// The number of its claim; 0 for none.
    pub attempt: u32,
    /// The object that has claimed it.
    pub object: Option<String>,
    /// Its recipients.
    pub recipients: Vec<Recipient>,
    /// What their texts have of their own, by index, as JSON.
    pub texts: BTreeMap<u32, String>,
}

impl AcceptedChunk {
    /// The queue in which it waits if no carrier has room for it at once.
    pub fn queue(&self) -> Queue {
        Queue {
            priority: self.priority,
            name: self.route.clone(),
            due_ms: self.due_ms,
        }
    }
}
