//! Carriers' objects.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::record::chunk::handover::{Answer, ChunkRef, Ended, Handover, Outcomes};
use peyk::account::record::message::RecipientText;
use peyk::account::record::message::delivery_error::{Cause, DeliveryError};
use peyk::account::record::message::priority::Priority;
use peyk::account::record::message::recipient_text::RedactedText;
use peyk::account::record::message::status::RecipientStatus;
use peyk::carrier::health::{Health, HealthState};
use peyk::carrier::part_reports::PartReports;
use peyk::carrier::request::{Configure as ConfigureCarrier, GetHealth, HoldBack, HoldScope, Submission};
use peyk::carrier::sandbox::erasure::EraseHanded;
use peyk::carrier::sandbox::{Handed, ListHanded};
use peyk::carrier::submit_counts::{SubmitAnswer, SubmitCounts};
use peyk::carrier::waiting_list::{AwaitChange, NoteChange};
use peyk::directory::carriers::Carrier;
use peyk::directory::gateway_url_versions::GatewayUrlVersions;
use peyk::durable::Request as _;

use super::{Format, calls, format};

pub fn chunk() -> ChunkRef {
    ChunkRef {
        message: 7,
        number: 0,
        attempt: 1,
    }
}

pub fn handover() -> Handover {
    let texts = [(0, whole_text()), (1, values()), (2, secret_text())];
    Handover {
        chunk: chunk(),
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        line: "10001".to_owned(),
        text: "hello %name%".to_owned(),
        redacted: Some("hello ••••".to_owned()),
        recipients: vec![(0, 989_121_234_567), (1, 989_351_234_567)],
        doubt_ms: Some(1_767_268_800_000),
        ask_only: true,
        expires_ms: Some(1_767_269_100_000),
        texts: BTreeMap::from(texts),
    }
}

pub fn whole_text() -> RecipientText {
    RecipientText::Whole("hello".to_owned())
}

pub fn secret_text() -> RecipientText {
    RecipientText::Secret {
        text: "code 12345".to_owned(),
        redacted: redacted_text(),
    }
}

pub fn redacted_text() -> RedactedText {
    RedactedText {
        text: "code ••••".to_owned(),
        encoding: "GSM7".to_owned(),
        parts: 1,
    }
}

pub fn values() -> RecipientText {
    RecipientText::Values(BTreeMap::from([("name".to_owned(), "Sara".to_owned())]))
}

pub fn submission() -> Submission {
    Submission {
        carrier: Carrier {
            name: "sandbox".to_owned(),
            kind: "sandbox".to_owned(),
            settings: "{}".to_owned(),
            secrets: Some("v1.c2VhbGVk".to_owned()),
            active: true,
            paused: false,
            version: 1,
            callbacks: GatewayUrlVersions::default(),
        },
        account: "019b796d".to_owned(),
        priority: Priority::Urgent,
        valid_until_ms: 1_767_268_820_000,
        handovers: vec![
            handover(),
            Handover {
                doubt_ms: None,
                ask_only: false,
                expires_ms: None,
                redacted: None,
                texts: BTreeMap::new(),
                ..handover()
            },
        ],
    }
}

fn held_back() -> HoldBack {
    HoldBack {
        held: vec![
            HoldScope::Account("019b796d".to_owned()),
            HoldScope::Message("019b796d".to_owned(), 7),
            HoldScope::Chunk("019b796d".to_owned(), (7, 1)),
            HoldScope::Line("10001".to_owned()),
        ],
        claimed_until_ms: 1_767_268_800_000,
    }
}

pub fn outcomes() -> Outcomes {
    Outcomes {
        taken: vec![(0, "7.0".to_owned())],
        ended: vec![
            Ended {
                status: RecipientStatus::Delivered,
                indexes: vec![5, 7],
                cause: None,
            },
            Ended {
                status: RecipientStatus::Undelivered,
                indexes: vec![6],
                cause: Some(Cause::new(DeliveryError::AbsentSubscriber, Some("027"))),
            },
        ],
        refused: vec![(1, Cause::new(DeliveryError::Blocked, Some("0x0000000B")))],
        not_now: vec![2],
        waiting: vec![4],
        no_answer: vec![3],
    }
}

pub fn carrier_formats() -> Vec<Format> {
    let answers = vec![
        (chunk(), Answer::Outcomes(outcomes())),
        (chunk(), Answer::Outcomes(Outcomes::default())),
        (chunk(), Answer::Busy(1_767_268_800_000)),
        (chunk(), Answer::Down(1_767_268_800_000)),
        (chunk(), Answer::Late),
    ];
    let list = |after| ListHanded { limit: 51, after };
    let carrier = Carrier {
        name: "mci".to_owned(),
        kind: "http".to_owned(),
        settings: "{\"url\":\"http://10.0.0.5/send\"}".to_owned(),
        secrets: Some("v1.AAAA".to_owned()),
        active: true,
        paused: true,
        version: 1_767_268_800_001,
        callbacks: GatewayUrlVersions::new(1_767_268_800_000).rotated(1_767_268_801_000),
    };
    let least_carrier = Carrier {
        secrets: None,
        callbacks: GatewayUrlVersions::default(),
        ..carrier.clone()
    };
    let mut submissions = SubmitCounts::default();
    submissions.note(SubmitAnswer::Taken, 40);
    submissions.note(SubmitAnswer::None, 0);
    let health = Health {
        state: HealthState::Down,
        down: 1,
        last_report_ms: Some(1_767_268_799_000),
        unreported_ms: Some(1_767_268_800_000),
        last_success_ms: Some(1_767_268_800_000),
        last_error_ms: Some(1_767_268_801_000),
        last_error: Some("the gateway gave no clear answer".to_owned()),
        in_window: 5,
        queued: 100,
        oldest_queued_seconds: 3,
        last_minute: 7,
        learned_per_second: Some(285),
        unknown_reports: 2,
        late_failures: 1,
        part_reports: Some(PartReports::First),
        storage_bytes: 1_000_000,
        submissions: vec![("mci/2".to_owned(), submissions)],
    };
    let handed = Handed {
        id: 7_000_000,
        uid: "uid".to_owned(),
        index: 0,
        msisdn: 989_121_234_567,
        text: "hello".to_owned(),
        at_ms: 1_767_268_800_000,
        taken: 1,
        refused: 0,
    };
    vec![
        calls(Submission::NAME, &[submission()]),
        format("Submit.reply", &[answers]),
        calls(ListHanded::NAME, &[list(Some(7)), list(None)]),
        format("ListHanded.reply", &[Some(vec![handed]), None]),
        calls(
            EraseHanded::NAME,
            &[EraseHanded {
                msisdn: 989_121_234_567,
                after: (7, 0),
            }],
        ),
        format("EraseHanded.reply", &[Some((7, 1)), None]),
        calls(ConfigureCarrier::NAME, &[carrier, least_carrier]),
        format("ConfigureCarrier.reply", &[()]),
        calls(
            AwaitChange::NAME,
            &[AwaitChange {
                account: "019b796d-0000-7000-8000-000000000001".to_owned(),
            }],
        ),
        format("AwaitChange.reply", &[true, false]),
        calls(NoteChange::NAME, &[NoteChange]),
        format("NoteChange.reply", &[()]),
        calls(HoldBack::NAME, &[held_back()]),
        format("HoldBack.reply", &[BTreeSet::from(["019b796d".to_owned()])]),
        calls(GetHealth::NAME, &[()]),
        format("GetHealth.reply", &[Some(health), Some(Health::default()), None]),
    ]
}
