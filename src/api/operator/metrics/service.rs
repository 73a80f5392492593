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
    text.begin("peyk_info", Gauge, "The version of the service.");
    text.add("peyk_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    text.begin(
        "peyk_part_up",
        Gauge,
        "Whether a part answers that the service cannot do without.",
    );
    for part in &facts.parts {
        text.add("peyk_part_up", &[("part", part.name)], u8::from(part.is_up()));
    }
    text.begin("peyk_part_seconds", Gauge, "How long the part took to answer.");
    for part in &facts.parts {
        let ms = u64::try_from(part.ms).unwrap_or(0);
        text.add("peyk_part_seconds", &[("part", part.name)], seconds(ms));
    }
    text.begin(
        "peyk_worry",
        Gauge,
        "What an operator should look at, as GET /admin/health says.",
    );
    for worry in facts.worries() {
        let about = worry.about.as_deref().unwrap_or_default();
        let urgent = if worry.is_urgent { "true" } else { "false" };
        text.add(
            "peyk_worry",
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
    let help = "Recipients that have waited for ten seconds or longer and could have left.";
    text.one("peyk_waiting_recipients", Gauge, help, Some(waiting.recipients));
    let oldest = waited(waiting.oldest_ms, now_ms);
    text.one(
        "peyk_waiting_oldest_seconds",
        Gauge,
        "How long the oldest of them has waited.",
        Some(oldest),
    );
    let help = "How long the oldest message of a pattern has waited: a login code.";
    let codes = waited(waiting.codes_oldest_ms, now_ms);
    text.one("peyk_waiting_codes_oldest_seconds", Gauge, help, Some(codes));
}

fn write_room(text: &mut Text, room: &Room) {
    text.begin(
        "peyk_d1_bytes",
        Gauge,
        "The size of the database, and of what is customers' of it.",
    );
    text.add("peyk_d1_bytes", &[("of", "all")], room.bytes);
    text.add("peyk_d1_bytes", &[("of", "customers")], room.customer_bytes);
    text.begin("peyk_d1_max_bytes", Gauge, "What these may take.");
    text.add("peyk_d1_max_bytes", &[("of", "all")], room.max_bytes);
    text.add("peyk_d1_max_bytes", &[("of", "customers")], room.max_customer_bytes);
}

/// Writes what has answered, of all that the other metrics are read from. What has not is left out of them.
pub fn write_answered(text: &mut Text, answered: &[(&str, bool)]) {
    let name = "peyk_source_answered";
    text.begin(name, Gauge, "Whether what metrics are read from has answered in time.");
    for (source, has_answered) in answered {
        text.add(name, &[("source", source)], u8::from(*has_answered));
    }
}

/// Writes how many accounts there are, and what they have.
pub fn write_accounts(text: &mut Text, accounts: &Sums) {
    text.begin("peyk_accounts", Gauge, "Accounts.");
    text.add("peyk_accounts", &[("active", "true")], accounts.active);
    text.add("peyk_accounts", &[("active", "false")], accounts.inactive);
    text.begin("peyk_wallets", Gauge, "The money in all wallets, in the minor unit.");
    text.add("peyk_wallets", &[("state", "available")], accounts.available);
    text.add("peyk_wallets", &[("state", "locked")], accounts.locked);
}

/// Writes how many requests the service has answered, and how long that took.
pub fn write_requests(text: &mut Text, requests: &RequestCounts) {
    let name = "peyk_requests_total";
    text.begin(name, Counter, "Requests that were answered, by route and HTTP status.");
    for counted in requests.routes() {
        for (status, count) in counted.by_status.iter() {
            let status = status.to_string();
            text.add(name, &[("route", &counted.route), ("status", &status)], count);
        }
    }
    let name = "peyk_request_seconds";
    text.begin(name, Histogram, "How long the service took to answer.");
    for counted in requests.routes() {
        text.add_durations(name, &[("route", &counted.route)], &counted.durations, 1);
    }
}

/// Writes how the programs of customers were reached.
pub fn write_attempts(text: &mut Text, work: &WorkCounts) {
    let name = "peyk_webhook_attempts_total";
    let help = "Attempts to bring events of webhooks and status callbacks to the programs of customers.";
    text.begin(name, Counter, help);
    for (brings, attempts) in work.attempts.iter() {
        for (outcome, count) in attempts.by_outcome.iter() {
            text.add(name, &[("brings", brings), ("outcome", outcome)], count);
        }
    }
    let name = "peyk_webhook_attempt_seconds";
    text.begin(name, Histogram, "How long these attempts took.");
    for (brings, attempts) in work.attempts.iter() {
        text.add_durations(name, &[("brings", brings)], &attempts.durations, 1);
    }
}
