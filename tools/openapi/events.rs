//! The events that Peyk posts to endpoints.

use peyk::account::outbox::event_type::EventType;
use serde_json::{Map, Value, json};

use super::sample::sample;
use super::schema::{
    Named, Schema, any_text, flag, id, line, list, may, money, must, named, number, object, one_of, signed_money, time,
};

/// A type of event, the name of its schema, and when it is sent.
fn events() -> [(EventType, &'static str, &'static str); 6] {
    [
        (
            EventType::MessageStatus,
            "MessageStatusEvent",
            "Recipients of a message have come to their ending, or are `UNKNOWN`.",
        ),
        (
            EventType::MessageSubmitted,
            "MessageSubmittedEvent",
            "A carrier has taken recipients of a message.",
        ),
        (
            EventType::MessageReceived,
            "MessageReceivedEvent",
            "A message has come from a phone.",
        ),
        (
            EventType::WalletLow,
            "WalletLowEvent",
            "The available balance has fallen below the endpoint's `lowBalance`, or the account's.",
        ),
        (
            EventType::WebhookDisabled,
            "WebhookDisabledEvent",
            "Peyk has stopped another endpoint of the account.",
        ),
        (
            EventType::WebhookTest,
            "WebhookTestEvent",
            "Somebody has called `POST /webhook/{id}/test`.",
        ),
    ]
}

/// The webhooks of the document.
pub fn webhooks(components: &Value) -> Value {
    let webhooks = events().map(|(kind, schema, about)| {
        (
            kind.as_str().to_owned(),
            json!({"post": operation(schema, about, components)}),
        )
    });
    Value::Object(webhooks.into_iter().collect::<Map<_, _>>())
}

fn operation(schema: &str, about: &str, components: &Value) -> Value {
    let header = |name: &str, about: &str, schema: Schema| json!({"name": name, "in": "header", "required": true, "description": about, "schema": schema.0});
    json!({
        "operationId": format!("on{schema}"),
        "tags": ["Webhooks"],
        "summary": about,
        "description": "2xx within 15 seconds is success; Peyk follows no redirect. After a failure it tries again, nine times \
            within about three days, unless the operator has set other waits. An event keeps its id and its body, and may come \
            twice: forget an id that you have seen. The signature is that of Standard Webhooks 1.0. Refuse a request that is \
            older than five minutes.",
        "security": [],
        "parameters": [
            header("webhook-id", "The id of the event.", any_text().like("evt_019b796da00000000000000000000000")),
            header("webhook-timestamp", "When the request was made, seconds since the Unix epoch.",
                any_text().like("1767268800")),
            header("webhook-signature", "`v1,` and the base64 of HMAC-SHA-256 over `{id}.{timestamp}.{body}`. After a rotation \
                there are two, with a space between them.", any_text().like("v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=")),
        ],
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": named(schema).0,
            "example": sample(&named(schema).0, components),
        }}},
        "responses": {
            "2XX": {"description": "You have the event."},
            "410": {"description": "You want no events any more. Peyk stops the endpoint."},
        },
    })
}

fn moved() -> Schema {
    let recipient = object([
        must("uid", super::sms::recipient_uid()),
        must("recipient", number()),
        must("status", named("RecipientStatus")),
        may("error", named("DeliveryError")),
        must("changedAt", time()),
    ]);
    object([
        must("uid", id().about("The message's uid.")),
        must(
            "clientRef",
            any_text().or_null().about("Your own reference.").like("order-7"),
        ),
        must("test", flag().about("Whether a test key has sent the message.")),
        must("recipients", list(recipient, 1, 100)),
    ])
}

fn data(kind: EventType) -> Schema {
    let endpoint = || {
        must(
            "endpoint",
            any_text()
                .about("The endpoint's id.")
                .like("019b796d-a000-7000-8000-000000000000"),
        )
    };
    match kind {
        EventType::MessageStatus | EventType::MessageSubmitted => moved(),
        EventType::MessageReceived => object([
            must("id", any_text().like("019b796d-a000-7000-8000-000000000000")),
            must("line", line()),
            must("from", any_text().like("+989121234567")),
            must("text", any_text().like("لغو")),
            must("receivedAt", time()),
            must(
                "optOut",
                flag().about("Whether it has put its sender on the blacklist."),
            ),
        ]),
        EventType::WalletLow => object([
            must("availableBalance", signed_money().like(49_000)),
            must(
                "threshold",
                money()
                    .about("The `lowBalance` of the endpoint, or of the account.")
                    .like(50_000),
            ),
        ]),
        EventType::WebhookDisabled => object([
            endpoint(),
            must("url", any_text().with("format", "uri").like("https://example.com/peyk")),
            must("reason", one_of(&["GONE", "FAILING"])),
        ]),
        EventType::WebhookTest => object([endpoint()]),
    }
}

/// The schemas of all events.
pub fn schemas() -> Vec<Named> {
    let event = |(kind, name, about): (EventType, &'static str, &str)| {
        let schema = object([
            must(
                "id",
                any_text()
                    .about("The id of the event.")
                    .like("evt_019b796da00000000000000000000000"),
            ),
            must("type", Schema(json!({"const": kind.as_str()}))),
            must("createdAt", time()),
            must("data", data(kind)),
        ]);
        (name, schema.about(about))
    };
    events().into_iter().map(event).collect()
}
