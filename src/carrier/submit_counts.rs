//! How a carrier has answered what was submitted to it, counted since its object began. Over SMPP these are parts, over HTTP
//! messages.

use serde::{Deserialize, Serialize};

use crate::base::metrics::counters::Counters;
use crate::base::metrics::histogram::Histogram;
use crate::base::named::named;

named! {
    /// How a carrier answers.
    pub enum SubmitAnswer {
        /// It takes the message.
        Taken => "TAKEN",
        /// It refuses the message for good.
        Refused => "REFUSED",
        /// It wants fewer messages, or takes none for now.
        NotNow => "NOT_NOW",
        /// It gives no clear answer in time. It may have the message.
        None => "NONE",
    }
}

/// The counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SubmitCounts {
    /// How many got each answer, by its name: another version may know more.
    pub by_answer: Counters<String>,
    /// How long those took that were answered.
    pub durations: Histogram,
}

impl SubmitCounts {
    /// Counts an answer that took so long, ms.
    pub fn note(&mut self, answer: SubmitAnswer, ms: i64) {
        self.by_answer.add(&answer.as_str().to_owned(), 1);
        if answer != SubmitAnswer::None {
            self.durations.note(ms);
        }
    }

    /// Adds what a turn has counted.
    pub fn add(&mut self, other: &SubmitCounts) {
        self.by_answer.add_all(&other.by_answer);
        self.durations.add(&other.durations);
    }
}
