//! The events that Peyk posts to endpoints.

use std::collections::BTreeMap;

use peyk::account::record::event_type::EventType;
use peyk::account::verify::VerifyStatus;
use peyk::api::shared::view::recipient_uid;
use peyk::members;
use serde_json::{Map, Value, json};

use super::examples::Examples;
use super::schema::{Member, Named, Schema, any_text, named, object};

/// The group of the events. With the name of the routes' group, generators would put the events in the place of the routes.
pub const GROUP: (&str, &str) = ("Events", "What Peyk posts to endpoints.");

/// Each type of event, the name of its schema, and when it is sent.
macro_rules! events {
    ($($kind:ident $schema:literal $about:literal;)*) => {
        fn events() -> Vec<(EventType, &'static str, &'static str)> {
            vec![$((EventType::$kind, $schema, $about)),*]
        }
    };
}

events! {
    MessageStatus "MessageStatusEvent" "Recipients of a message have come to their ending, or are `UNKNOWN`.";
    MessageSubmitted "MessageSubmittedEvent" "A carrier has taken recipients of a message.";
    MessageReceived "MessageReceivedEvent" "A message has come from a phone.";
    WalletLow "WalletLowEvent" "The available balance has fallen below the endpoint's `lowBalance`, or the account's.";
    VerifyStatus "VerifyStatusEvent" "A verification has ended.";
    VerifyPaused "VerifyPausedEvent" "Far fewer codes to numbers that begin alike are approved than usual: none starts for a while.";
    CampaignPaused "CampaignPausedEvent" "A campaign is paused: by its sender, or because it can't go on.";
    CampaignStopped "CampaignStoppedEvent" "Its budget, its guard, or what may be spent in a day, has stopped a campaign.";
    CampaignDone "CampaignDoneEvent" "A campaign has reached everybody that it could.";
    PatternReviewed "PatternReviewedEvent" "An operator has approved or refused a version of a pattern.";
    WebhookDisabled "WebhookDisabledEvent" "Peyk has stopped another endpoint of the account.";
    WebhookTest "WebhookTestEvent" "Somebody has called `POST /webhook/{id}/test`.";
}

/// The webhooks of the document.
pub fn webhooks(examples: &Examples) -> Value {
    let webhooks = events().into_iter().map(|(kind, schema, about)| {
        let mut operation = operation(schema, about);
        examples.fill_event(kind.as_str(), &mut operation);
        (kind.as_str().to_owned(), json!({ "post": operation }))
    });
    Value::Object(webhooks.collect::<Map<_, _>>())
}

fn operation(schema: &str, about: &str) -> Value {
    let header = |name: &str, about: &str, schema: Schema| json!({"name": name, "in": "header", "required": true, "description": about, "schema": schema.0});
    json!({
        "operationId": format!("on{schema}"),
        "tags": [GROUP.0],
        "summary": about,
        "description": "2xx within 15 seconds is success; Peyk follows no redirect. After a failure it tries again, nine times \
            within about three days, unless the operator has set other waits. An event keeps its id and its body, and may come \
            twice: forget an id that you have seen. The signature is that of Standard Webhooks 1.0. Refuse a request that is \
            older than five minutes.",
        "security": [],
        "parameters": [
            header("webhook-id", "The id of the event.", any_text()),
            header("webhook-timestamp", "When the request was made, seconds since the Unix epoch.", any_text()),
            header("webhook-signature", "`v1,` and the base64 of HMAC-SHA-256 over `{id}.{timestamp}.{body}`. After a rotation \
                there are two, with a space between them.", any_text()),
        ],
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": named(schema).0,
        }}},
        "responses": {
            "2XX": {"description": "You have the event."},
            "410": {"description": "You want no events any more. Peyk stops the endpoint."},
        },
    })
}

/// How a verification ends.
const ENDINGS: [VerifyStatus; 5] = [
    VerifyStatus::Approved,
    VerifyStatus::Failed,
    VerifyStatus::Expired,
    VerifyStatus::Canceled,
    VerifyStatus::Blocked,
];

fn data(kind: EventType) -> Vec<Member> {
    match kind {
        EventType::MessageStatus | EventType::MessageSubmitted => members! {
            /// The message's uid.
            "uid": id();
            /// Your own reference.
            "clientRef": any_text().or_null() => "order-7";
            /// Whether a test key has sent the message. Only endpoints of test keys get such events, and no others.
            "test": flag();
            "recipients": list(object(moved()), 1, 100);
            may "simulated": simulated();
        },
        EventType::MessageReceived => members! {
            "id": any_text() => "019b796d-a000-7000-8000-000000000000";
            "line": line();
            "from": any_text() => "+989121234567";
            "text": any_text() => "لغو";
            "receivedAt": time();
            /// Whether it has put its sender on the blacklist.
            "optOut": flag();
        },
        EventType::WalletLow => members! {
            "availableBalance": signed_money() => 49_000;
            /// The `lowBalance` of the endpoint, or of the account.
            "threshold": money() => 50_000;
        },
        EventType::VerifyStatus => members! {
            /// The id of the verification.
            "id": id();
            "status": one_of(&ENDINGS.map(VerifyStatus::as_str));
            "recipient": number_or_erased();
            "purpose": any_text() => "login";
            /// Your own reference.
            "clientRef": any_text().or_null() => "order-7";
            /// Whether a test key has made it. Only endpoints of test keys get such events, and no others.
            "test": flag();
        },
        EventType::VerifyPaused => members! {
            /// What the numbers begin with.
            "prefix": any_text() => "98912";
            /// Until when no verification of such a number starts.
            "until": time();
            /// How many have ended lately.
            "ended": count();
            /// How many of these were approved.
            "approved": count();
        },
        EventType::CampaignPaused | EventType::CampaignStopped | EventType::CampaignDone => members! {
            /// The id of the campaign.
            "id": id();
            "title": any_text() => "Spring sale";
            /// Whether a test key has made it. Only endpoints of test keys get such events, and no others.
            "test": flag();
            "state": named("CampaignState") => "PAUSED";
            /// Why, if that was not its sender.
            "reason": named("CampaignReason").or_null() => "LOW_BALANCE";
        },
        EventType::PatternReviewed => members! {
            "slug": any_text() => "login";
            /// The number of the version.
            "version": integer(1, 100);
            /// `ACTIVE`: it is approved, and sends use it. `REFUSED`: nothing is sent with it.
            "status": one_of(&["ACTIVE", "REFUSED"]) => "REFUSED";
            /// Why it is refused.
            "reason": any_text().or_null() => "The text has no name of a shop.";
        },
        EventType::WebhookDisabled => members! {
            /// The endpoint's id.
            "endpoint": any_text() => "019b796d-a000-7000-8000-000000000000";
            "url": any_text().with("format", "uri") => "https://example.com/peyk";
            "reason": one_of(&["GONE", "FAILING"]);
        },
        EventType::WebhookTest => members! {
            /// The endpoint's id.
            "endpoint": any_text() => "019b796d-a000-7000-8000-000000000000";
        },
    }
}

/// A recipient whose status has changed.
fn moved() -> Vec<Member> {
    members! {
        "uid": recipient_uid();
        "recipient": number_or_erased();
        "status": named("RecipientStatus");
        may "error": named("DeliveryError");
        "changedAt": time();
        may "simulated": simulated();
    }
}

/// The schemas of all events.
pub fn schemas() -> Vec<Named> {
    let event = |(kind, name, about): (EventType, &'static str, &str)| {
        let members = members! {
            /// The id of the event.
            "id": any_text() => "evt_019b796da00000000000000000000000";
            "type": Schema(json!({"const": kind.as_str()}));
            "createdAt": time();
            "data": object(data(kind));
        };
        (name, object(members).about(about))
    };
    events().into_iter().map(event).chain([any_event()]).collect()
}

/// Any of the events, told apart by `type`. Who receives them all needs one name for them.
fn any_event() -> Named {
    let events = events().into_iter();
    let places: Vec<_> = events
        .map(|(kind, name, _)| (kind.as_str().to_owned(), format!("#/components/schemas/{name}")))
        .collect();
    let schema = Schema(json!({
        "oneOf": places.iter().map(|(_, place)| json!({"$ref": place})).collect::<Value>(),
        "discriminator": {"propertyName": "type", "mapping": places.iter().cloned().collect::<BTreeMap<_, _>>()},
    }));
    (
        "WebhookEvent",
        schema.about("An event, as it is posted to an endpoint."),
    )
}
