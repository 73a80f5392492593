//! The metrics of the service as a whole.

use super::text::Kind::{Counter, Gauge, Histogram};
use super::text::{Text, seconds};
use crate::account::metrics::RequestCounts;
use crate::api::operator::health::facts::Facts;
use crate::base::metrics::work::WorkCounts;
use crate::base::ports::MAX_INTEGER;
use crate::directory::mirror::Sums;
use crate::directory::queue_depth::QueueDepth;
use crate::directory::room::Room;

/// Writes how the service is.
pub fn write(text: &mut Text, facts: &Facts, now_ms: i64) {
    let mut info = text.metric("peyk_info", Gauge, "The version of the service.");
    info.add(&[("version", env!("CARGO_PKG_VERSION"))], 1);
    let help = "Whether a part answers that the service cannot do without.";
    let mut up = text.metric("peyk_part_up", Gauge, help);
    for part in &facts.parts {
        up.add(&[("part", part.name)], u8::from(part.is_up()));
    }
    let mut took = text.metric("peyk_part_seconds", Gauge, "How long the part took to answer.");
    for part in &facts.parts {
        let ms = u64::try_from(part.ms).unwrap_or(0);
        took.add(&[("part", part.name)], seconds(ms));
    }
    let help = "What an operator should look at, as GET /admin/health says.";
    let mut worries = text.metric("peyk_worry", Gauge, help);
    for worry in facts.worries() {
        let about = worry.about.as_deref().unwrap_or_default();
        let urgent = if worry.is_urgent { "true" } else { "false" };
        worries.add(
            &[("code", worry.code.as_str()), ("about", about), ("urgent", urgent)],
            1,
        );
    }
    if let Some(waiting) = &facts.waiting {
        write_waiting(text, waiting, now_ms);
    }
    if let Some(room) = &facts.room {
        write_room(text, room);
    }
}

/// How long something has waited, s. 0: nothing waits.
pub fn waited(since_ms: Option<i64>, now_ms: i64) -> i64 {
    since_ms.map_or(0, |since_ms| {
        now_ms.saturating_sub(since_ms).clamp(0, MAX_INTEGER) / 1_000
    })
}

fn write_waiting(text: &mut Text, waiting: &QueueDepth, now_ms: i64) {
    for (name, help, value) in [
        (
            "peyk_waiting_recipients",
            "Recipients that have waited for ten seconds or longer and could have left.",
            waiting.recipients,
        ),
        (
            "peyk_waiting_oldest_seconds",
            "How long the oldest of them has waited.",
            waited(waiting.oldest_ms, now_ms),
        ),
        (
            "peyk_waiting_codes_oldest_seconds",
            "How long the oldest message of a pattern has waited: a login code.",
            waited(waiting.codes_oldest_ms, now_ms),
        ),
    ] {
        text.metric(name, Gauge, help).add(&[], value);
    }
}

fn write_room(text: &mut Text, room: &Room) {
    let help = "The size of the database, and of what is customers' of it.";
    let mut bytes = text.metric("peyk_d1_bytes", Gauge, help);
    bytes.add(&[("of", "all")], room.bytes);
    bytes.add(&[("of", "customers")], room.customer_bytes);
    let mut max_bytes = text.metric("peyk_d1_max_bytes", Gauge, "What these may take.");
    max_bytes.add(&[("of", "all")], room.max_bytes);
    max_bytes.add(&[("of", "customers")], room.max_customer_bytes);
}

/// Writes what has answered, of all that the other metrics are read from. What has not is left out of them.
pub fn write_answered(text: &mut Text, answered: &[(&str, bool)]) {
    let help = "Whether what metrics are read from has answered in time.";
    let mut sources = text.metric("peyk_source_answered", Gauge, help);
    for (source, has_answered) in answered {
        sources.add(&[("source", source)], u8::from(*has_answered));
    }
}

/// Writes how many accounts there are, and what they have.
pub fn write_accounts(text: &mut Text, sums: &Sums) {
    let mut accounts = text.metric("peyk_accounts", Gauge, "Accounts.");
    accounts.add(&[("active", "true")], sums.active);
    accounts.add(&[("active", "false")], sums.inactive);
    let help = "The money in all wallets, in the minor unit.";
    let mut wallets = text.metric("peyk_wallets", Gauge, help);
    wallets.add(&[("state", "available")], sums.available);
    wallets.add(&[("state", "locked")], sums.locked);
}

/// Writes how many requests the service has answered, and how long that took.
pub fn write_requests(text: &mut Text, requests: &RequestCounts) {
    let help = "Requests that were answered, by route and HTTP status.";
    let mut total = text.metric("peyk_requests_total", Counter, help);
    for counted in requests.routes() {
        for (status, count) in counted.by_status.iter() {
            let status = status.to_string();
            total.add(&[("route", &counted.route), ("status", &status)], count);
        }
    }
    let help = "How long the service took to answer.";
    let mut took = text.metric("peyk_request_seconds", Histogram, help);
    for counted in requests.routes() {
        took.add_durations(&[("route", &counted.route)], &counted.durations, 1);
    }
}

/// Writes how the programs of customers were reached.
pub fn write_attempts(text: &mut Text, work: &WorkCounts) {
    let help = "Attempts to bring events of webhooks and status callbacks to the programs of customers.";
    let mut total = text.metric("peyk_webhook_attempts_total", Counter, help);
    for (brings, attempts) in work.attempts.iter() {
        for (outcome, count) in attempts.by_outcome.iter() {
            total.add(&[("brings", brings), ("outcome", outcome)], count);
        }
    }
    let mut took = text.metric(
        "peyk_webhook_attempt_seconds",
        Histogram,
        "How long these attempts took.",
    );
    for (brings, attempts) in work.attempts.iter() {
        took.add_durations(&[("brings", brings)], &attempts.durations, 1);
    }
}
