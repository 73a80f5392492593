//! The metrics of carriers.

use super::service::waited;
use super::text::Kind::{Counter, Gauge, Histogram};
use super::text::Text;
use crate::api::operator::health::facts::{Facts, state_of};
use crate::base::metrics::work::{REPORT_UNIT_MS, WorkCounts};
use crate::carrier::health::Health;
use crate::directory::usage::Sums;

/// Writes how each carrier is.
pub fn write(text: &mut Text, facts: &Facts, now_ms: i64) {
    text.begin("peyk_carrier_state", Gauge, "The state of the carrier.");
    for of in &facts.carriers {
        text.add(
            "peyk_carrier_state",
            &[("carrier", &of.0.name), ("state", state_of(of))],
            1,
        );
    }
    let known: Vec<(&str, &Health)> = facts
        .carriers
        .iter()
        .filter_map(|(carrier, asked)| Some((carrier.name.as_str(), asked.answer.as_ref()?.as_ref().ok()?)))
        .collect();
    for (name, help, value) in GAUGES {
        text.begin(name, Gauge, help);
        for (carrier, health) in &known {
            text.add(name, &[("carrier", carrier)], value(health));
        }
    }
    for (name, help, value) in COUNTERS {
        text.begin(name, Counter, help);
        for (carrier, health) in &known {
            text.add(name, &[("carrier", carrier)], value(health));
        }
    }
    write_submissions(text, &known);
    write_waiting(text, facts, now_ms);
}

/// What is known of a carrier, as a number.
type Number = fn(&Health) -> i64;

const GAUGES: &[(&str, &str, Number)] = &[
    (
        "peyk_carrier_objects_down",
        "Connections that do not stand.",
        |health| health.down.into(),
    ),
    (
        "peyk_carrier_in_window",
        "Messages that have left and wait for an answer.",
        |health| health.in_window.into(),
    ),
    (
        "peyk_carrier_queued",
        "Recipients that wait in its objects for their turn.",
        |health| health.queued.into(),
    ),
    (
        "peyk_carrier_queued_oldest_seconds",
        "How long the oldest of them has waited.",
        |health| health.oldest_queued_seconds.into(),
    ),
    (
        "peyk_carrier_taken_last_minute",
        "Messages that it took in the last minute.",
        |health| health.last_minute.into(),
    ),
    (
        "peyk_carrier_learned_per_second",
        "Messages a second that it was seen to take when it throttled; 0 before that.",
        |health| health.learned_per_second.unwrap_or(0).into(),
    ),
    (
        "peyk_carrier_storage_bytes",
        "What its largest object keeps.",
        |health| health.storage_bytes,
    ),
];

const COUNTERS: &[(&str, &str, Number)] = &[
    (
        "peyk_carrier_unknown_reports_total",
        "Reports that nobody understands, since its objects began.",
        |health| health.unknown_reports.into(),
    ),
    (
        "peyk_carrier_late_failures_total",
        "Reports of a failed part of a message that was delivered by then, since its objects began.",
        |health| health.late_failures.into(),
    ),
];

/// Writes how carriers have answered. Each object counts for itself, because each begins again at 0 by itself.
fn write_submissions(text: &mut Text, known: &[(&str, &Health)]) {
    let of_objects = || {
        known.iter().flat_map(|(carrier, health)| {
            let objects = health.submissions.iter();
            objects.map(move |(object, counted)| ([("carrier", *carrier), ("object", object.as_str())], counted))
        })
    };
    let name = "peyk_carrier_answers_total";
    text.begin(
        name,
        Counter,
        "How it has answered submissions, since the object began.",
    );
    for (labels, counted) in of_objects() {
        for (answer, count) in counted.by_answer.iter() {
            let [carrier, object] = labels;
            text.add(name, &[carrier, object, ("answer", answer)], count);
        }
    }
    text.begin(
        "peyk_carrier_answer_seconds",
        Histogram,
        "How long it took to answer submissions, since the object began.",
    );
    for (labels, counted) in of_objects() {
        text.add_durations("peyk_carrier_answer_seconds", &labels, &counted.durations, 1);
    }
}

fn write_waiting(text: &mut Text, facts: &Facts, now_ms: i64) {
    text.begin(
        "peyk_carrier_waiting_recipients",
        Gauge,
        "Recipients that wait in accounts for the carrier.",
    );
    for (carrier, waiting) in &facts.by_carrier {
        text.add(
            "peyk_carrier_waiting_recipients",
            &[("carrier", carrier)],
            waiting.recipients,
        );
    }
    let name = "peyk_carrier_waiting_oldest_seconds";
    text.begin(name, Gauge, "How long the oldest of them has waited.");
    for (carrier, waiting) in &facts.by_carrier {
        text.add(name, &[("carrier", carrier)], waited(waiting.oldest_ms, now_ms));
    }
}

/// Writes what was sent today (UTC), by carrier and by what became of it. What no carrier has taken has an empty name.
pub fn write_sent(text: &mut Text, sent: &[Sums]) {
    let name = "peyk_today_recipients";
    let help = "Recipients of messages that were accepted today (UTC), by carrier and by what became of them.";
    text.begin(name, Gauge, help);
    for sums in sent {
        let totals = &sums.totals;
        for (status, count) in [
            ("accepted", totals.recipients),
            ("delivered", totals.delivered),
            ("undelivered", totals.undelivered),
            ("expired", totals.expired),
            ("rejected", totals.rejected),
            ("unknown", totals.unknown),
            ("canceled", totals.canceled),
        ] {
            text.add(name, &[("carrier", &sums.key), ("status", status)], count);
        }
    }
}

/// Writes how long carriers take to report an ending.
pub fn write_reports(text: &mut Text, work: &WorkCounts) {
    let name = "peyk_carrier_report_seconds";
    let help = "How long it took from the take of a message by the carrier to the report of its ending.";
    text.begin(name, Histogram, help);
    for (carrier, waits) in work.reports.iter() {
        text.add_durations(
            name,
            &[("carrier", carrier)],
            waits.in_units(),
            REPORT_UNIT_MS.unsigned_abs(),
        );
    }
}
