//! What a call tells.

use serde::Serialize;

use crate::api::doors::answer::json_text;

/// What a call tells.
pub enum Told {
    /// A record, or a page of a list.
    Found(String),
    /// A record that was made.
    Made(String),
    /// A record is gone.
    Gone,
}

impl Told {
    /// A record as JSON.
    pub fn found(record: &impl Serialize) -> Told {
        Told::Found(json_text(record))
    }
}
