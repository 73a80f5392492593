//! What operators see of the service as a whole: the switch for all, and the audit log.

use peyk::account::reconcile::Check;
use peyk::api::routes::ROUTES;
use peyk::carrier::health::HealthState;
use peyk::directory::usage::By;
use peyk::durable::audit::Thing;
use serde_json::json;

use super::schema::{Named, Schema, any_list, any_text, count, flag, id, must, named, object, one_of, time};

fn sending() -> Vec<Named> {
    let enabled = || must("enabled", flag().about("Whether accounts may send.").like(true));
    let reason = |schema: Schema| schema.about("Why.").like("the SMSC is being moved");
    let sending = object([
        enabled(),
        must("reason", reason(any_text().or_null())),
        must(
            "changedBy",
            any_text()
                .or_null()
                .about("The id of the key that has switched it. `null`: nobody has.")
                .like("019b796d-0000-7000-8000-000000000001"),
        ),
        must("since", time().or_null().about("When it was switched.")),
    ]);
    vec![(
        "Sending",
        sending.about("The switch for all accounts, and who has switched it."),
    )]
}

/// How a thing was or is: an object whose members depend on the thing.
fn state(about: &str, example: serde_json::Value) -> Schema {
    Schema(json!({"type": ["object", "null"]})).about(about).like(example)
}

fn audit() -> Vec<Named> {
    let operations: Vec<&str> = ROUTES.iter().map(|route| route.operation.name()).collect();
    let actor = object([
        must(
            "account",
            any_text()
                .about("The account of the key; `operator` for the operators.")
                .like("operator"),
        ),
        must(
            "key",
            any_text()
                .about("The id of the key.")
                .like("019b796d-0000-7000-8000-000000000001"),
        ),
    ]);
    let thing = object([
        must("kind", one_of(&Thing::ALL.map(Thing::as_str)).like("plan")),
        must(
            "id",
            any_text()
                .or_null()
                .about("Its id, its name or its number.")
                .like("default"),
        ),
        must(
            "account",
            any_text()
                .or_null()
                .about("The account that it belongs to.")
                .like(json!(null)),
        ),
    ]);
    let entry = object([
        must("id", id()),
        must("at", time()),
        must("actor", actor.about("Who has changed it.")),
        must(
            "operation",
            one_of(&operations).about("The route.").like("AdminChangePlan"),
        ),
        must("thing", thing.about("What was changed.")),
        must(
            "before",
            state(
                "How it was; `null`: there was none. Of more than 8 KiB, only the beginning.",
                json!({"title": "Default"}),
            ),
        ),
        must(
            "after",
            state(
                "How it is now; `null`: it is gone. Secrets are never shown.",
                json!({"title": "Standard"}),
            ),
        ),
        must(
            "requestId",
            any_text()
                .about("The id of the request.")
                .like("019b796d-0000-7000-8000-000000000002"),
        ),
    ]);
    vec![("AuditEntry", entry.about("A change, and who has made it."))]
}

fn usage() -> Vec<Named> {
    let sum = object([
        must(
            "by",
            one_of(&By::ALL.map(By::as_str)).about("What the sums are made by."),
        ),
        must(
            "key",
            any_text()
                .about("The day, the account, the line or the carrier.")
                .like("2026-01-01"),
        ),
        must("messages", count().about("Messages that were accepted.")),
        must("recipients", count().about("Their recipients.")),
        must("parts", count().about("Their parts.")),
        must("cost", count().about("What they cost.")),
        must("returned", count().about("What was given back of that.")),
        must("delivered", count().about("Recipients that have it.")),
        must("undelivered", count().about("Recipients that it did not reach.")),
        must(
            "expired",
            count().about("Recipients that it came too late for, or of which no report came."),
        ),
        must("rejected", count().about("Recipients that no carrier took.")),
        must("unknown", count().about("Recipients of which nobody knows yet.")),
        must("canceled", count().about("Recipients of canceled messages.")),
    ]);
    vec![("UsageSum", sum.about("What was sent, and how it ended."))]
}

fn health() -> Vec<Named> {
    let latency = || must("latencyMs", count().about("How long it took to answer, ms.").like(12));
    let part = object([
        must(
            "state",
            one_of(&["UP", "DOWN", "HANGS"]).about("`HANGS`: it has not answered within five seconds."),
        ),
        latency(),
        must(
            "cause",
            any_text().or_null().about("Why it is not up.").like(json!(null)),
        ),
    ]);
    let mut states: Vec<&str> = HealthState::ALL.map(HealthState::as_str).to_vec();
    states.push("HANGS");
    let carrier = object([
        must("name", any_text().like("sandbox")),
        must("state", one_of(&states).like("UP")),
        latency(),
    ]);
    let all = object([
        must(
            "status",
            one_of(&["UP", "DOWN"]).about("Whether KV, D1 and the object are up."),
        ),
        must("version", any_text().about("The version of the service.").like("0.1.0")),
        must("kv", named("PartHealth")),
        must("d1", named("PartHealth")),
        must("object", named("PartHealth")),
        must("carriers", any_list(carrier)),
    ]);
    vec![
        ("PartHealth", part.about("How a part of the service is.")),
        ("ServiceHealth", all.about("How the service is, part by part.")),
    ]
}

fn reconciliation() -> Vec<Named> {
    let checks = Check::ALL.map(Check::as_str);
    let difference = object([
        must("check", one_of(&checks).like("LOCKED")),
        must(
            "detail",
            any_text()
                .about("What does not agree.")
                .like("30 is locked; the held reserves come to 20"),
        ),
    ]);
    let mut unchecked = checks.to_vec();
    unchecked.push("ALL");
    let report = object([
        must("checkedAt", time()),
        must("differences", any_list(difference)),
        must(
            "unchecked",
            any_list(one_of(&unchecked)).about("Checks that would have taken too much work, or `ALL` if it failed."),
        ),
    ]);
    let report_or_null = || Schema(json!({"anyOf": [named("Report").0, {"type": "null"}]})).like(json!(null));
    let item = object([
        must("account", id()),
        must("now", report_or_null().about("What the check has found just now.")),
        must(
            "error",
            any_text()
                .or_null()
                .about("Why it could not be checked.")
                .like(json!(null)),
        ),
        must(
            "nightly",
            report_or_null().about("What the last nightly check has found."),
        ),
    ]);
    vec![
        ("Report", report.about("What a check of an account has found.")),
        (
            "Reconciliation",
            item.about("Whether what is kept of an account agrees with itself."),
        ),
    ]
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    [sending(), audit(), usage(), health(), reconciliation()]
        .into_iter()
        .flatten()
        .collect()
}
