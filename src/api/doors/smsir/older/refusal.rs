//! The errors of the older API: those of `v1`, told in words alone.

use super::super::errors::{Fault, message_of};

/// Why a call is refused.
#[derive(Debug)]
pub struct Refusal {
    pub fault: Fault,
    /// What to do instead. Empty: the fault says enough.
    advice: &'static str,
}

impl Refusal {
    /// The same refusal, which says what to do.
    pub fn advising(self, advice: &'static str) -> Refusal {
        Refusal { advice, ..self }
    }

    /// What a person reads: what to do, or what our own API has said, or what the provider says of the number that the error has in `v1`.
    pub fn message(&self) -> &str {
        let cause = self.fault.cause.as_ref().map(|cause| cause.detail.as_str());
        let words = [self.advice, cause.unwrap_or_default()];
        let words = words.into_iter().find(|words| !words.is_empty());
        words.unwrap_or_else(|| message_of(self.fault.status))
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Refusal { fault, advice: "" }
    }
}
