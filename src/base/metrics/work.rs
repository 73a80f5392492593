//! What the service does beside answering requests, counted for those who watch it. Each isolate counts for itself and tells the
//! operators' object now and then. What it has not told when it ends is lost.

use std::cell::{Cell, RefCell};

use serde::{Deserialize, Serialize};

use super::counters::Counters;
use super::histogram::Histogram;

/// The most names that are counted for. There are fewer carriers; another version may count for others.
const MAX_NAMES: usize = 500;
/// What [`ReportWaits`] count in, ms.
pub const REPORT_UNIT_MS: i64 = 100;
/// How long an isolate gathers before an object tells, ms.
const GATHER_MS: i64 = 15_000;

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
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.attempts.0.is_empty() && self.reports.0.is_empty()
    }

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
        let at = match self.0.binary_search_by(|(known, _)| known.as_str().cmp(name)) {
            Ok(at) => at,
            Err(_) if self.0.len() >= MAX_NAMES => return None,
            Err(at) => {
                self.0.insert(at, (name.to_owned(), T::default()));
                at
            }
        };
        self.0.get_mut(at).map(|(_, counted)| counted)
    }
}

/// What an isolate has counted and not told yet.
#[derive(Debug, Default)]
pub struct Tally {
    counts: RefCell<WorkCounts>,
    /// When an object may tell again, ms since the Unix epoch.
    due_ms: Cell<i64>,
}

impl Tally {
    /// Counts an attempt to reach a receiver that took so long, ms.
    pub fn note_attempt(&self, brings: &str, outcome: &str, ms: i64) {
        self.counts.borrow_mut().note_attempt(brings, outcome, ms);
    }

    /// Counts reports of a carrier.
    pub fn note_reports(&self, carrier: &str, waits: &ReportWaits) {
        self.counts.borrow_mut().note_reports(carrier, waits);
    }

    /// Whether there is something to tell.
    pub fn is_empty(&self) -> bool {
        self.counts.borrow().is_empty()
    }

    /// Whether the object that asks is to tell. Many objects share an isolate, and one of them tells for all.
    pub fn begins(&self, now_ms: i64) -> bool {
        let begins = !self.is_empty() && now_ms >= self.due_ms.get();
        if begins {
            self.due_ms.set(now_ms.saturating_add(GATHER_MS));
        }
        begins
    }

    /// Gives what is counted, and counts anew.
    pub fn take(&self) -> WorkCounts {
        self.counts.take()
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

    #[test]
    fn one_object_tells_for_all_that_share_an_isolate() {
        let tally = Tally::default();
        assert!(!tally.begins(1_000), "there is nothing to tell");
        tally.note_attempt("EVENT", "TAKEN", 7);
        assert!(tally.begins(1_000));
        assert!(!tally.begins(1_000 + GATHER_MS - 1));
        // The one that was to tell has ended without a word.
        assert!(tally.begins(1_000 + GATHER_MS));
        assert_eq!(tally.take().attempts.iter().count(), 1);
        assert!(!tally.begins(1_000 + 2 * GATHER_MS));
    }
}
