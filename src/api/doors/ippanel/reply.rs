//! What a call answers, whatever the envelope.

use serde_json::Value;

use super::pages::Told;

/// What a call answers.
#[derive(Debug, Default)]
pub struct Reply {
    pub data: Value,
    /// The page, if the answer is a list.
    pub page: Option<Told>,
}

impl Reply {
    /// An answer that is no list.
    pub fn of(data: Value) -> Reply {
        Reply { data, page: None }
    }
}
