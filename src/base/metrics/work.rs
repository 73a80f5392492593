//! What the service does beside answering requests, counted for those who watch it. Each isolate counts for itself and tells the
//! operators' object now and then. What it has not told when it ends is lost.

use serde::{Deserialize, Serialize};

use super::counters::{Counters, at_or_new};
use super::histogram::Histogram;
use super::untold::Untold;

/// The most names that are counted for. There are fewer carriers; another version may count for others.
const MAX_NAMES: usize = 500;
/// What [`ReportWaits`] count in, ms.
pub const REPORT_UNIT_MS: i64 = 100;

/// The counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkCounts {
    /// Attempts to reach the programs of customers, by what they bring.
    pub attempts: ByName<Attempts>,
    /// How long reports took, by the carrier's name.
    pub reports: ByName<ReportWaits>,
}

/// How long reports of endings took, from the take of a recipient by its carrier. They are counted in tenths of a second: most reports
/// take seconds, some many minutes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReportWaits(Histogram);

impl ReportWaits {
    /// Counts a report that took so long, ms.
    pub fn note(&mut self, ms: i64) {
        self.0.note(ms.div_euclid(REPORT_UNIT_MS));
    }

    /// The counts, in [`REPORT_UNIT_MS`].
    pub fn in_units(&self) -> &Histogram {
        &self.0
    }
}

/// Attempts to reach receivers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attempts {
    /// How many came to what, by its name: another version may know more.
    pub by_outcome: Counters<String>,
    /// How long they took.
    pub durations: Histogram,
}

impl WorkCounts {
    /// Counts an attempt that took so long, ms.
    pub fn note_attempt(&mut self, brings: &str, outcome: &str, ms: i64) {
        if let Some(attempts) = self.attempts.of(brings) {
            attempts.by_outcome.add(&outcome.to_owned(), 1);
            attempts.durations.note(ms);
        }
    }

    /// Counts reports of a carrier.
    pub fn note_reports(&mut self, carrier: &str, waits: &ReportWaits) {
        if waits.0.count() > 0
            && let Some(own) = self.reports.of(carrier)
        {
            own.0.add(&waits.0);
        }
    }

    /// Adds what somebody else has counted.
    pub fn add(&mut self, other: &WorkCounts) {
        for (brings, attempts) in other.attempts.iter() {
            if let Some(own) = self.attempts.of(brings) {
                own.by_outcome.add_all(&attempts.by_outcome);
                own.durations.add(&attempts.durations);
            }
        }
        for (carrier, waits) in other.reports.iter() {
            self.note_reports(carrier, waits);
        }
    }
}

/// What is counted for each name, in the order of the names. It travels as a list of pairs, because another version may have other names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ByName<T>(Vec<(String, T)>);

impl<T: Default> ByName<T> {
    /// Each name with what is counted for it.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, counted)| (name.as_str(), counted))
    }

    /// What is counted for a name. `None`: there are too many names.
    fn of(&mut self, name: &str) -> Option<&mut T> {
        let new = || (name.to_owned(), T::default());
        let found = at_or_new(&mut self.0, MAX_NAMES, |(known, _)| known.as_str().cmp(name), new);
        found.map(|(_, counted)| counted)
    }
}

/// The work that an isolate has counted and not told yet.
pub type Tally = Untold<WorkCounts>;

impl Tally {
    /// Counts an attempt to reach a receiver that took so long, ms.
    pub fn note_attempt(&self, brings: &str, outcome: &str, ms: i64) {
        self.note_in(|counts| counts.note_attempt(brings, outcome, ms));
    }

    /// Counts reports of a carrier.
    pub fn note_reports(&self, carrier: &str, waits: &ReportWaits) {
        self.note_in(|counts| counts.note_reports(carrier, waits));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_names_are_kept_than_may_be() {
        let (mut kept, mut told) = (WorkCounts::default(), WorkCounts::default());
        let mut waits = ReportWaits::default();
        told.note_reports("nobody", &waits);
        for ms in [1_000, 299] {
            waits.note(ms);
        }
        for number in 0..MAX_NAMES * 2 {
            told.note_reports(&format!("{number:05}"), &waits);
        }
        assert_eq!(told.reports.0.len(), MAX_NAMES);
        kept.add(&told);
        kept.add(&told);
        assert_eq!(kept.reports.0.len(), MAX_NAMES);
        let counted = kept.reports.of("00000").unwrap().in_units();
        assert_eq!((counted.count(), counted.sum_ms), (4, 24));
    }
}
