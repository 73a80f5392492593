//! The metrics of carriers.

use super::service::waited;
use super::text::Kind::{self, Counter, Gauge, Histogram};
use super::text::Text;
use crate::api::operator::health::facts::{Facts, state_of};
use crate::base::metrics::work::{REPORT_UNIT_MS, WorkCounts};
use crate::carrier::health::Health;
use crate::directory::usage::Sums;

/// Writes how each carrier is.
pub fn write(text: &mut Text, facts: &Facts, now_ms: i64) {
    let mut states = text.metric("peyk_carrier_state", Gauge, "The state of the carrier.");
    for of in &facts.carriers {
        states.add(&[("carrier", &of.0.name), ("state", state_of(of))], 1);
    }
    let known: Vec<(&str, &Health)> = facts
        .carriers
        .iter()
        .filter_map(|(carrier, asked)| Some((carrier.name.as_str(), asked.answer.as_ref()?.as_ref().ok()?)))
        .collect();
    for (name, kind, help, value) in NUMBERS {
        let mut metric = text.metric(name, *kind, help);
        for (carrier, health) in &known {
            metric.add(&[("carrier", carrier)], value(health));
        }
    }
    write_submissions(text, &known);
    write_waiting(text, facts, now_ms);
}

/// What is known of a carrier, as a number.
type Number = fn(&Health) -> i64;

const NUMBERS: &[(&str, Kind, &str, Number)] = &[
    (
        "peyk_carrier_objects_down",
        Gauge,
        "Connections that do not stand.",
        |health| health.down.into(),
    ),
    (
        "peyk_carrier_in_window",
        Gauge,
        "Messages that have left and wait for an answer.",
        |health| health.in_window.into(),
    ),
    (
        "peyk_carrier_queued",
        Gauge,
        "Recipients that wait in its objects for their turn.",
        |health| health.queued.into(),
    ),
    (
        "peyk_carrier_queued_oldest_seconds",
        Gauge,
        "How long the oldest of them has waited.",
        |health| health.oldest_queued_seconds.into(),
    ),
    (
        "peyk_carrier_taken_last_minute",
        Gauge,
        "Messages that it took in the last minute.",
        |health| health.last_minute.into(),
    ),
    (
        "peyk_carrier_learned_per_second",
        Gauge,
        "Messages a second that it was seen to take when it throttled; 0 before that.",
        |health| health.learned_per_second.unwrap_or(0).into(),
    ),
    (
        "peyk_carrier_storage_bytes",
        Gauge,
        "What its largest object keeps.",
        |health| health.storage_bytes,
    ),
    (
        "peyk_carrier_unknown_reports_total",
        Counter,
        "Reports that nobody understands, since its objects began.",
        |health| health.unknown_reports.into(),
    ),
    (
        "peyk_carrier_late_failures_total",
        Counter,
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
    let help = "How it has answered submissions, since the object began.";
    let mut answers = text.metric("peyk_carrier_answers_total", Counter, help);
    for (labels, counted) in of_objects() {
        for (answer, count) in counted.by_answer.iter() {
            let [carrier, object] = labels;
            answers.add(&[carrier, object, ("answer", answer)], count);
        }
    }
    let help = "How long it took to answer submissions, since the object began.";
    let mut took = text.metric("peyk_carrier_answer_seconds", Histogram, help);
    for (labels, counted) in of_objects() {
        took.add_durations(&labels, &counted.durations, 1);
    }
}

fn write_waiting(text: &mut Text, facts: &Facts, now_ms: i64) {
    let help = "Recipients that wait in accounts for the carrier.";
    let mut recipients = text.metric("peyk_carrier_waiting_recipients", Gauge, help);
    for (carrier, waiting) in &facts.by_carrier {
        recipients.add(&[("carrier", carrier)], waiting.recipients);
    }
    let help = "How long the oldest of them has waited.";
    let mut oldest = text.metric("peyk_carrier_waiting_oldest_seconds", Gauge, help);
    for (carrier, waiting) in &facts.by_carrier {
        oldest.add(&[("carrier", carrier)], waited(waiting.oldest_ms, now_ms));
    }
}

/// Writes what was sent today (UTC), by carrier and by what became of it. What no carrier has taken has an empty name.
pub fn write_sent(text: &mut Text, sent: &[Sums]) {
    let help = "Recipients of messages that were accepted today (UTC), by carrier and by what became of them.";
    let mut recipients = text.metric("peyk_today_recipients", Gauge, help);
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
            recipients.add(&[("carrier", &sums.key), ("status", status)], count);
        }
    }
}

/// Writes how long carriers take to report an ending.
pub fn write_reports(text: &mut Text, work: &WorkCounts) {
    let help = "How long it took from the take of a message by the carrier to the report of its ending.";
    let mut took = text.metric("peyk_carrier_report_seconds", Histogram, help);
    for (carrier, waits) in work.reports.iter() {
        took.add_durations(&[("carrier", carrier)], waits.in_units(), REPORT_UNIT_MS.unsigned_abs());
    }
}
