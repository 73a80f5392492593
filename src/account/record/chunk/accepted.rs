//! Chunks that are accepted and not written yet.

use std::collections::BTreeMap;

use super::progress::{Place, Progress};
use super::queue::Queue;
use super::recipients::Recipient;

/// A chunk that is accepted and not written yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedChunk {
    /// Where it stands.
    pub place: Place,
    /// How far it has come: it is ready or scheduled; or claimed, if a carrier has room for it at once.
    pub progress: Progress,
    /// The whole text of its message, if that has a code.
    pub code_text: Option<String>,
    /// Its recipients.
    pub recipients: Vec<Recipient>,
    /// What their texts have of their own, by index, as JSON.
    pub texts: BTreeMap<u32, String>,
}

impl AcceptedChunk {
    /// The queue in which it waits if no carrier has room for it at once.
    pub fn queue(&self) -> Queue {
        Queue {
            priority: self.progress.priority(),
            name: self.place.queue.clone(),
            due_ms: self.progress.due_ms,
        }
    }
}
