//! How a carrier's object is: what operators see of it.

use serde::{Deserialize, Serialize};

use super::part_reports::PartReports;
use super::submit_counts::SubmitCounts;
use crate::base::named::named;

named! {
    /// The state of a carrier, the best first.
    #[derive(Default)]
    pub enum HealthState {
        /// It takes messages, as far as is known.
        Up => "UP",
        /// It has been asked to take fewer messages.
        Throttled => "THROTTLED",
        /// A connection is being made.
        Connecting => "CONNECTING",
        /// It does not take messages.
        Down => "DOWN",
        /// An operator has stopped it for a while.
        Paused => "PAUSED",
        /// An operator has taken it out of service.
        Inactive => "INACTIVE",
        /// It has not said. What only another version knows is read as this.
        #[default]
        #[serde(other)]
        Unknown => "UNKNOWN",
    }
}

/// How one object of a carrier is, or all of them together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Health {
    /// The state.
    pub state: HealthState,
    /// When the carrier answered well last, ms since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_success_ms: Option<i64>,
    /// When something failed last, ms since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error_ms: Option<i64>,
    /// What failed last, without values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// How many objects of the carrier do not reach it.
    pub down: u32,
    /// When it sent a report last, as its objects have seen since they began, ms since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_report_ms: Option<i64>,
    /// When it took the first message behind that report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreported_ms: Option<i64>,
    /// Messages that have left and wait for their answer.
    pub in_window: u32,
    /// Recipients that wait in the object for their turn.
    pub queued: u32,
    /// How long the oldest of them has waited, s.
    pub oldest_queued_seconds: u32,
    /// Messages that the carrier took in the last minute.
    pub last_minute: u32,
    /// Messages a second that the carrier was seen to take when it throttled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned_per_second: Option<u32>,
    /// Reports about no message that is known, about several, or with a state that nobody knows, since the object began.
    pub unknown_reports: u32,
    /// Reports of a failed part whose message was delivered as far as was known by then, since the object began.
    pub late_failures: u32,
    /// Which parts of long messages have reports, as was set or learnt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_reports: Option<PartReports>,
    /// Bytes that the object keeps; of several objects, those of the largest.
    pub storage_bytes: i64,
    /// How the carrier has answered each of its objects since that began, by the object's name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub submissions: Vec<(String, SubmitCounts)>,
}

impl Health {
    /// The health of an object of which nothing is known but its state.
    pub fn of(state: HealthState) -> Health {
        Health {
            state,
            down: u32::from(state == HealthState::Down),
            ..Health::default()
        }
    }

    /// Since when the carrier takes messages and reports none, though it has reported before, ms since the Unix epoch.
    pub fn silent_since_ms(&self) -> Option<i64> {
        let report_ms = self.last_report_ms?;
        self.unreported_ms.filter(|since_ms| *since_ms > report_ms)
    }

    /// The health of several objects of one carrier: the best state, the sums, and what happened last.
    pub fn of_all(objects: impl IntoIterator<Item = Health>) -> Health {
        objects
            .into_iter()
            .reduce(|one, other| {
                let (later, earlier) = if one.last_error_ms >= other.last_error_ms {
                    (&one, &other)
                } else {
                    (&other, &one)
                };
                let last_report_ms = one.last_report_ms.max(other.last_report_ms);
                let unreported = [one.unreported_ms, other.unreported_ms].into_iter().flatten();
                Health {
                    state: one.state.min(other.state),
                    down: one.down.saturating_add(other.down),
                    last_report_ms,
                    // A report to any of the objects shows that reports come.
                    unreported_ms: unreported.filter(|since_ms| Some(*since_ms) > last_report_ms).min(),
                    last_success_ms: one.last_success_ms.max(other.last_success_ms),
                    last_error_ms: later.last_error_ms.or(earlier.last_error_ms),
                    last_error: later.last_error.clone(),
                    in_window: one.in_window.saturating_add(other.in_window),
                    queued: one.queued.saturating_add(other.queued),
                    oldest_queued_seconds: one.oldest_queued_seconds.max(other.oldest_queued_seconds),
                    last_minute: one.last_minute.saturating_add(other.last_minute),
                    learned_per_second: sum(one.learned_per_second, other.learned_per_second),
                    unknown_reports: one.unknown_reports.saturating_add(other.unknown_reports),
                    late_failures: one.late_failures.saturating_add(other.late_failures),
                    part_reports: PartReports::of_both(one.part_reports, other.part_reports),
                    storage_bytes: one.storage_bytes.max(other.storage_bytes),
                    submissions: one.submissions.into_iter().chain(other.submissions).collect(),
                }
            })
            .unwrap_or_default()
    }
}

/// The sum of what is known.
fn sum(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        _ => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carrier::submit_counts::SubmitAnswer;

    #[test]
    fn states_have_the_names_that_they_are_written_with() {
        for state in HealthState::ALL {
            assert_eq!(
                serde_json::to_string(&state).unwrap(),
                format!("\"{}\"", state.as_str())
            );
        }
        assert_eq!(
            serde_json::from_str::<HealthState>("\"DREAMING\"").unwrap(),
            HealthState::Unknown
        );
    }

    #[test]
    fn a_carrier_is_as_well_as_the_best_of_its_objects() {
        let answered = |object: &str, answer| {
            let mut counted = SubmitCounts::default();
            counted.note(answer, 5);
            vec![(object.to_owned(), counted)]
        };
        let (of_up, of_down) = (
            answered("mci", SubmitAnswer::Taken),
            answered("mci/2", SubmitAnswer::NotNow),
        );
        let up = Health {
            last_success_ms: Some(5),
            last_report_ms: Some(8),
            unreported_ms: Some(9),
            learned_per_second: Some(250),
            unknown_reports: 1,
            late_failures: 4,
            part_reports: Some(PartReports::First),
            storage_bytes: 500,
            submissions: of_up.clone(),
            in_window: 3,
            oldest_queued_seconds: 1,
            ..Health::of(HealthState::Up)
        };
        let down = Health {
            last_report_ms: Some(2),
            unreported_ms: Some(6),
            last_error_ms: Some(7),
            last_error: Some("refused".to_owned()),
            in_window: 1,
            queued: 9,
            oldest_queued_seconds: 4,
            last_minute: 2,
            learned_per_second: Some(50),
            unknown_reports: 2,
            part_reports: Some(PartReports::All),
            storage_bytes: 700,
            submissions: of_down.clone(),
            ..Health::of(HealthState::Down)
        };
        let expected = Health {
            state: HealthState::Up,
            down: 1,
            last_report_ms: Some(8),
            unreported_ms: Some(9),
            last_success_ms: Some(5),
            last_error_ms: Some(7),
            last_error: Some("refused".to_owned()),
            in_window: 4,
            queued: 9,
            oldest_queued_seconds: 4,
            last_minute: 2,
            learned_per_second: Some(300),
            unknown_reports: 3,
            late_failures: 4,
            part_reports: Some(PartReports::Any),
            storage_bytes: 700,
            submissions: of_up.into_iter().chain(of_down).collect(),
        };
        assert_eq!(Health::of_all([up.clone(), down.clone()]), expected);
        let mut of_both = Health::of_all([down, up]);
        of_both.submissions.reverse();
        assert_eq!(of_both, expected);
        assert_eq!(Health::of_all([]), Health::default());
    }

    #[test]
    fn a_carrier_is_silent_when_it_takes_messages_behind_its_last_report_to_any_object() {
        let seen = |last_report_ms, unreported_ms| Health {
            last_report_ms,
            unreported_ms,
            ..Health::of(HealthState::Up)
        };
        let silent = |objects: [Health; 2]| Health::of_all(objects).silent_since_ms();
        assert_eq!(silent([seen(Some(10), Some(20)), seen(Some(5), Some(30))]), Some(20));
        assert_eq!(
            silent([seen(Some(10), None), seen(None, Some(5))]),
            None,
            "reports come to the other"
        );
        assert_eq!(silent([seen(Some(10), None), seen(None, Some(12))]), Some(12));
        assert_eq!(
            silent([seen(None, Some(5)), seen(None, None)]),
            None,
            "it has never reported"
        );
    }
}
