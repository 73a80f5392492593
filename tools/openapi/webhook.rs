//! Endpoints for events, and their log.

use peyk::account::outbox::event_type::EventType;
use peyk::webhook::endpoint::DisabledReason;

use super::schema::{
    Member, Named, Schema, any_text, count, flag, formed, integer, list, must, named, object, one_of, time, unit,
};

fn events() -> Schema {
    list(named("EventType"), 1, EventType::SELECTABLE.len())
        .with("uniqueItems", true)
        .about("The types of events that it gets.")
}

fn low_balance() -> Schema {
    integer(1, 1_000_000_000_000_000)
        .about("The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that type.")
        .like(50_000)
}

fn endpoint() -> Vec<Member> {
    let reasons = [DisabledReason::Gone, DisabledReason::Failing].map(DisabledReason::as_str);
    vec![
        must("id", any_text().like("019b796d-a000-7000-8000-000000000000")),
        must("url", any_text().with("format", "uri").like("https://example.com/peyk")),
        must("events", events()),
        must("lowBalance", low_balance().or_null()),
        must("description", any_text().or_null().like("the shop")),
        must("active", flag().about("Whether it gets anything. What waits stays until it is active again.").like(true)),
        must("disabledReason", one_of(&reasons).or_null().about(
            "Why Peyk has stopped it: the receiver has answered 410, or all attempts have failed for five days.").like(
            serde_json::Value::Null)),
        must("createdAt", time()),
    ]
}

fn delivery() -> Schema {
    let types: Vec<&str> = EventType::SELECTABLE
        .into_iter()
        .chain([EventType::WebhookTest])
        .map(EventType::as_str)
        .collect();
    let statuses = ["WAITING", "DELIVERED", "FAILED", "DROPPED", "NOTED"];
    let errors = [
        "NO_ANSWER",
        "REDIRECT",
        "STATUS",
        "GONE",
        "ADDRESS_REFUSED",
        "BACKLOG_FULL",
        "INTERNAL",
    ];
    object([
        must(
            "id",
            any_text()
                .about("The id of the event, too.")
                .like("evt_019b796da00000000000000000000000"),
        ),
        must("type", one_of(&types)),
        must(
            "status",
            one_of(&statuses).about("`DROPPED`: too many waited for the endpoint. `NOTED`: it stands only in the log."),
        ),
        must("attempts", count().about("How many attempts were made.")),
        must("createdAt", time()),
        must("lastAttemptAt", time().or_null()),
        must("nextAttemptAt", time().or_null()),
        must(
            "responseStatus",
            integer(100, 999)
                .or_null()
                .about("The HTTP status that the receiver answered last.")
                .like(200),
        ),
        must(
            "error",
            one_of(&errors)
                .or_null()
                .about("What was wrong with the last attempt.")
                .like(serde_json::Value::Null),
        ),
    ])
    .about("An event on its way to an endpoint.")
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let threshold = || integer(1, 1_000_000_000_000_000).or_null().like(50_000);
    let of_account = object([
        must(
            "lowBalance",
            threshold()
                .about("The balance below which endpoints get `wallet.low` that have no `lowBalance` of their own."),
        ),
        must("unit", unit()),
    ]);
    let secret = formed(200, "^whsec_[A-Za-z0-9+/]+=*$")
        .about("What signs the requests. It is answered this one time.")
        .like("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let with_secret = endpoint().into_iter().chain([must("secret", secret)]);
    vec![
        ("Endpoint", object(endpoint()).about("An endpoint.")),
        (
            "EndpointWithSecret",
            object(with_secret).about("An endpoint with its secret."),
        ),
        ("Delivery", delivery()),
        (
            "LowBalance",
            of_account.about("The account's threshold for `wallet.low`."),
        ),
    ]
}
