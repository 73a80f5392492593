//! What stands in KV, in SQLite and in D1, and cursors.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::record::chunk::handover::Outcomes;
use peyk::account::record::message::RecipientText;
use peyk::api::http::paging;
use peyk::auth::{KeyRecord, Mode, Scope};
use peyk::base::network::Network;
use peyk::carrier::StoredHealth;
use peyk::carrier::circuit_breaker::Circuit;
use peyk::carrier::doubted::Doubted;
use peyk::carrier::journal::Progress;
use peyk::carrier::smpp::{
    message_ids::Meaning, message_ids::Told, orphan_receipts::ListDoubted, orphan_receipts::TakeLost,
    receipts::ReadReceipts, rest::Rest, seen::SwapSeen,
};
use peyk::carrier::steps::ChunkStep;
use smpp::{encode::Part, receipt::Ending, status::SmscError};
use sms::variable::{Variable, VariableType};

use super::carrier::{chunk, handover, outcomes, redacted_text, secret_text, values, whole_text};
use super::messages::{callback, report};
use super::webhook::new_callback;
use super::{Format, format, write};

/// What stands in KV, in SQLite and in D1.
pub fn stored_formats() -> Vec<Format> {
    let record = KeyRecord {
        v: KeyRecord::VERSION,
        account: "019b796d".to_owned(),
        key: "key-1".to_owned(),
        scopes: Scope::ALL.to_vec(),
        mode: Mode::Live,
        lines: Some(vec!["10001".to_owned()]),
        ips: Some(vec![Network::parse("192.0.2.0/24").unwrap()]),
        expires_at: Some(1_767_272_400_000),
        session_of: Some("key-0".to_owned()),
        looks: true,
        ways: vec!["key-1".to_owned()],
        bootstrapped_at: Some(1_767_268_800_000),
    };
    let least_record = KeyRecord {
        mode: Mode::Test,
        lines: None,
        ips: None,
        expires_at: None,
        session_of: None,
        looks: false,
        ways: Vec::new(),
        bootstrapped_at: None,
        ..record.clone()
    };
    let variable = |r#type, values| Variable {
        name: "OTP".to_owned(),
        r#type,
        max_length: 100,
        values,
        secret: true,
    };
    let variables = vec![
        variable(VariableType::Text, Vec::new()),
        variable(VariableType::Number, Vec::new()),
        variable(VariableType::Link, Vec::new()),
        variable(VariableType::Enum, vec!["a".to_owned()]),
    ];
    vec![
        format("KeyRecord", &[record, least_record]),
        format(
            "recipient_text.text",
            &[
                whole_text(),
                values(),
                secret_text(),
                RecipientText::Redacted(redacted_text()),
            ],
        ),
        format("chunk.callback", &[callback()]),
        format("callback.data", &[new_callback(true), new_callback(false)]),
        format(
            "handover.note",
            &[(1_u32, Some(outcomes())), (2, Some(Outcomes::default())), (3, None)],
        ),
        format("report.body", &[vec![report()]]),
        format("step.body", &[[step(progress()), step(Progress::default())]]),
        format("carrier.health", &[stored_health(), StoredHealth::default()]),
        format(
            "ReadReceipts.call",
            &[ReadReceipts(vec![
                told(Ending::Undelivered(SmscError::AbsentSubscriber)),
                told(Ending::Delivered),
            ])],
        ),
        format("ListDoubted.call", &[ListDoubted(vec![234_567])]),
        format("ListDoubted.reply", &[Some(doubted()), None]),
        format(
            "TakeLost.call",
            &[TakeLost(vec![(told(Ending::Delivered), ("shop".to_owned(), 7, 0), 3)])],
        ),
        format("TakeLost.reply", &[Some(vec![Meaning::Nothing, meaning()]), None]),
        format(
            "SwapSeen.call",
            &[SwapSeen(vec![(1_767_225_600_000, "0a1b".to_owned())])],
        ),
        format(
            "SwapSeen.reply",
            &[Some(vec![(1_767_225_600_000_i64, "0a1b".to_owned())]), None],
        ),
        format(
            "ReadReceipts.reply",
            &[
                Some(vec![
                    Meaning::Unknown,
                    Meaning::Several(vec![("shop".to_owned(), 7, 0)]),
                    Meaning::Late,
                    Meaning::LateReport("shop".to_owned(), report()),
                    Meaning::Nothing,
                    meaning(),
                ]),
                None,
            ],
        ),
        format("rest.body", &[rest()]),
        format("pattern.lines", &[vec!["10001".to_owned()], Vec::new()]),
        format("pattern_version.variables", &[variables]),
        format("phonebook.columns", &[vec!["city".to_owned(), "age".to_owned()]]),
        format("phonebook_number.attributes", &[vec![None, Some("Tehran".to_owned())]]),
        cursors(),
    ]
}

fn doubted() -> Doubted {
    Doubted {
        by_digits: BTreeMap::from([(234_567, BTreeSet::from([("shop".to_owned(), 7)]))]),
        others: BTreeSet::from(["other".to_owned()]),
    }
}

fn rest() -> Rest {
    Rest {
        account: "shop".to_owned(),
        handover: handover().only(2, 989_121_234_567),
        parts: vec![Part {
            esm_class: 0x40,
            data_coding: 0,
            short_message: b"\x05\0\x03\x07\x01\x01hello".to_vec(),
            tlvs: Vec::new(),
        }],
        left: vec![0],
        ends_ms: 1_767_229_200_000,
        is_unclear: true,
    }
}

fn meaning() -> Meaning {
    Meaning::Report("shop".to_owned(), report())
}

fn step(progress: Progress) -> ChunkStep<'static> {
    ChunkStep::of("shop", chunk(), progress)
}

pub fn progress() -> Progress {
    Progress {
        leaving: vec![1, 2],
        outcomes: Some(outcomes()),
    }
}

pub fn stored_health() -> StoredHealth {
    StoredHealth {
        circuit: Circuit {
            failures: 5,
            openings: 1,
            until_ms: 1_767_268_830_000,
            needs_answer: true,
        },
        throttled_ms: 1_767_268_850_000,
        learned: Some(285_000),
        breaks: 2,
        last_error: Some((1_767_268_800_000, "no answer in time".to_owned())),
    }
}

pub fn told(ending: Ending) -> Told {
    Told {
        id: "1a2b".to_owned(),
        other_id: Some("6699".to_owned()),
        ending,
        code: "UNDELIV 027".to_owned(),
        taken_ms: Some(1_767_268_800_000),
        text: Some("Your code is 12345".to_owned()),
        msisdn: Some(989_121_234_567),
        other_msisdn: Some(20_002),
        among: vec![("shop".to_owned(), 7, 0)],
    }
}

/// A line is `[list, position, cursor]`.
pub fn cursors() -> Format {
    let line = |list: &str, position: &str| write(&(list, position, paging::cursor(list, position)));
    Format {
        name: "cursor".to_owned(),
        lines: vec![line("messages", "12345"), line("admin/lines", "+98 ۱۰")],
        reread: Box::new(move |text| {
            let (list, _, cursor): (String, String, String) = serde_json::from_str(text).unwrap();
            let position = paging::name(&list, &cursor).ok_or("no cursor of this list")?;
            Ok(line(&list, &position))
        }),
    }
}
