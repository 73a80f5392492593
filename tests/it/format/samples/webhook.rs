//! Webhook objects, and what accounts note of them.

use peyk::account::outbox::callbacks::NewCallback;
use peyk::account::outbox::events::{NewEvent, NoteWebhooks};
use peyk::account::record::message::callback::{Callback, CallbackFormat};
use peyk::auth::Mode;
use peyk::durable::Request;
use peyk::webhook::callbacks::TakeCallbacks;
use peyk::webhook::cascade::{SwitchOff, SwitchedOff};
use peyk::webhook::closing::ForgetAll;
use peyk::webhook::delivery::{Delivery, GetDelivery, ListDeliveries, Redeliver, TestEndpoint, WithRequest};
use peyk::webhook::endpoint::{
    ChangeEndpoint, CreateEndpoint, DeleteEndpoint, Endpoint, GetEndpoint, ListEndpoints, RotateSecret, SealAnew,
    WithSecret,
};
use peyk::webhook::erasure::{EraseFromEvents, ErasedEvents};
use peyk::webhook::low_balance::{GetLowBalance, SetLowBalance};
use peyk::webhook::{delivery_state::DeliveryState, event::TakeEvents, request::WebhookRefusal};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{Format, calls, format, request};

/// A request to a webhook object, and its answers.
pub fn webhook<R, T>(samples: &[R], replies: Vec<T>) -> Vec<Format>
where
    R: Request<Reply = Result<T, WebhookRefusal>> + DeserializeOwned + 'static,
    T: Serialize + DeserializeOwned + 'static,
{
    let replies: Vec<R::Reply> = replies.into_iter().map(Ok).collect();
    vec![calls(R::NAME, samples), format(&format!("{}.reply", R::NAME), &replies)]
}

pub fn new_event(low_balance: Option<i64>) -> NewEvent {
    NewEvent {
        id: "evt_019b796dd6005aa5a55aa5a55aa5a55a".to_owned(),
        kind: "wallet.low".to_owned(),
        made_ms: 1_767_268_800_000,
        data: RawValue::from_string("[7]".to_owned()).unwrap(),
        low_balance,
        test: low_balance.is_none(),
    }
}

pub fn new_callback(test: bool) -> NewCallback {
    NewCallback {
        id: "evt_019b796dd6005aa5a55aa5a55aa5a55a".to_owned(),
        message: "019b796d-a000-7000-8000-000000000007".to_owned(),
        test,
        callback: Callback {
            format: CallbackFormat::Twilio,
            url: "https://shop.example/status".to_owned(),
            account: "AC7".to_owned(),
            key: "v1.AAAA".to_owned(),
        },
        line: "10001".to_owned(),
        index: 2,
        to: "+989121234567".to_owned(),
        status: "UNDELIVERED".to_owned(),
        error: test.then(|| "ABSENT_SUBSCRIBER".to_owned()),
    }
}

pub fn webhook_formats() -> Vec<Format> {
    let mode = Mode::Test;
    let (id, url) = ("endpoint-1".to_owned(), "https://shop.example/".to_owned());
    let full = Endpoint {
        id: id.clone(),
        mode,
        url: url.clone(),
        events: vec!["wallet.low".to_owned()],
        low_balance: Some(7),
        description: Some("orders".to_owned()),
        active: false,
        disabled_reason: Some("GONE".to_owned()),
        created_ms: 1_767_268_800_000,
        created_by: Some("key-1".to_owned()),
        failing_ms: Some(1_767_268_800_001),
    };
    let least = Endpoint {
        low_balance: None,
        description: None,
        active: true,
        disabled_reason: None,
        created_by: None,
        failing_ms: None,
        ..full.clone()
    };
    let create = |low_balance, description| CreateEndpoint {
        mode,
        url: url.clone(),
        events: vec!["message.status".to_owned()],
        low_balance,
        description,
        active: true,
        unreadable: vec!["wallet.low".to_owned()],
        by: "key-1".to_owned(),
        ways: Vec::new(),
    };
    let change = ChangeEndpoint {
        mode,
        id: id.clone(),
        url: Some(url.clone()),
        events: Some(vec!["message.status".to_owned()]),
        low_balance: Some(7),
        description: Some("orders".to_owned()),
        active: Some(true),
        unreadable: vec!["wallet.low".to_owned()],
        by: "key-1".to_owned(),
        ways: Vec::new(),
    };
    let change_nothing = ChangeEndpoint {
        mode,
        id: id.clone(),
        by: "key-1".to_owned(),
        ways: vec!["key-1".to_owned()],
        url: None,
        events: None,
        low_balance: None,
        description: None,
        active: None,
        unreadable: Vec::new(),
    };
    let with_secret = WithSecret {
        endpoint: full.clone(),
        secret: "whsec_AAAA".to_owned(),
    };
    let delivery = Delivery {
        id: "evt_1".to_owned(),
        kind: "wallet.low".to_owned(),
        made_ms: 1_767_268_800_000,
        state: DeliveryState::Waiting.into(),
        attempts: 1,
        last_ms: Some(1_767_268_800_001),
        due_ms: Some(1_767_268_800_002),
        status: Some(500),
        error: Some("STATUS".to_owned()),
        answer: Some("no such table".to_owned()),
    };
    let new_delivery = Delivery {
        last_ms: None,
        due_ms: None,
        status: None,
        error: None,
        answer: None,
        ..delivery.clone()
    };
    let list = |after| ListEndpoints { mode, limit: 51, after };
    let log = |after| ListDeliveries {
        mode,
        endpoint: id.clone(),
        limit: 51,
        after,
    };
    let get = GetEndpoint { mode, id: id.clone() };
    let delete = DeleteEndpoint { mode, id: id.clone() };
    let rotate = RotateSecret {
        mode,
        id: id.clone(),
        by: "key-1".to_owned(),
        ways: Vec::new(),
    };
    let get_delivery = GetDelivery {
        mode,
        endpoint: id.clone(),
        id: "evt_1".to_owned(),
    };
    let redeliver = Redeliver {
        mode,
        endpoint: id.clone(),
        id: "evt_1".to_owned(),
    };
    let test = TestEndpoint {
        mode,
        endpoint: id.clone(),
    };
    let refused: Vec<Result<(), WebhookRefusal>> = [
        WebhookRefusal::Unknown,
        WebhookRefusal::UnknownRequest,
        WebhookRefusal::NotFound,
        WebhookRefusal::KeyRevoked,
        WebhookRefusal::TooManyEndpoints,
        WebhookRefusal::EndpointInactive,
        WebhookRefusal::BacklogFull,
        WebhookRefusal::NoLowBalance,
        WebhookRefusal::UnreadableEvent("wallet.low".to_owned()),
    ]
    .map(Err)
    .to_vec();
    let requests = vec![
        webhook(
            &[create(Some(7), Some("orders".to_owned())), create(None, None)],
            vec![with_secret.clone()],
        ),
        webhook(
            &[list(Some("endpoint-2".to_owned())), list(None)],
            vec![vec![full.clone(), least.clone()]],
        ),
        webhook(&[get], vec![full.clone()]),
        webhook(&[change, change_nothing], vec![least]),
        webhook(&[delete], vec![()]),
        webhook(&[GetLowBalance], vec![Some(50_000), None]),
        webhook(
            &[
                SetLowBalance {
                    low_balance: Some(50_000),
                },
                SetLowBalance { low_balance: None },
            ],
            vec![()],
        ),
        webhook(&[rotate], vec![with_secret]),
        webhook(
            &[SwitchOff {
                keys: vec!["key-1".to_owned()],
            }],
            vec![vec![SwitchedOff {
                id: id.clone(),
                url: url.clone(),
            }]],
        ),
        webhook(&[SealAnew], vec![()]),
        webhook(
            &[log(Some("evt_2".to_owned())), log(None)],
            vec![vec![delivery.clone(), new_delivery.clone()]],
        ),
        webhook(
            &[get_delivery],
            vec![WithRequest {
                delivery: delivery.clone(),
                url: url.clone(),
                body: "{}".to_owned(),
            }],
        ),
        webhook(&[redeliver], vec![delivery.clone()]),
        webhook(&[test], vec![new_delivery]),
        webhook(
            &[EraseFromEvents {
                msisdn: 989_121_234_567,
                after: String::new(),
            }],
            vec![
                ErasedEvents {
                    events: 7,
                    next: Some("evt_1".to_owned()),
                },
                ErasedEvents { events: 0, next: None },
            ],
        ),
        webhook(&[ForgetAll], vec![true, false]),
        webhook(
            &[TakeCallbacks(vec![new_callback(true), new_callback(false)])],
            vec![()],
        ),
        webhook(&[TakeEvents(vec![new_event(Some(7)), new_event(None)])], vec![()]),
    ];
    let mut formats: Vec<Format> = requests.into_iter().flatten().collect();
    formats.push(format("webhook_refusal.reply", &refused));
    let secrets = vec![("v1.AAAA".to_owned(), None::<i64>), ("v1.BBBB".to_owned(), Some(7))];
    formats.push(format("endpoint.secrets", &[secrets]));
    formats
}

/// The requests, each with its answers.
pub fn requests() -> Vec<Vec<Format>> {
    let note_webhooks = NoteWebhooks {
        version: 7,
        types: vec!["message.status".to_owned()],
        test_types: vec!["message.submitted".to_owned()],
        low_balances: vec![5_000],
    };
    vec![request(&[note_webhooks], vec![()])]
}
