//! What operators see of the service as a whole: the switch for all, and the audit log.

use peyk::audit::Thing;
use peyk::routes::ROUTES;
use serde_json::json;

use super::schema::{Named, Schema, any_text, flag, id, must, object, one_of, text, time};

fn sending() -> Vec<Named> {
    let enabled = || must("enabled", flag().about("Whether accounts may send.").like(true));
    let reason = |schema: Schema| must("reason", schema.about("Why.").like("the SMSC is being moved"));
    let new = object([enabled(), reason(text(500))]);
    let sending = object([
        enabled(),
        reason(any_text().or_null()),
        must(
            "changedBy",
            any_text()
                .or_null()
                .about("The id of the key that has switched it. `null`: nobody has.")
                .like("019b796d-0000-7000-8000-000000000001"),
        ),
        must("since", time().or_null().about("When it was switched.")),
    ]);
    vec![
        ("NewSending", new.about("The switch for all accounts.")),
        (
            "Sending",
            sending.about("The switch for all accounts, and who has switched it."),
        ),
    ]
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

/// All schemas.
pub fn schemas() -> Vec<Named> {
    [sending(), audit()].into_iter().flatten().collect()
}
