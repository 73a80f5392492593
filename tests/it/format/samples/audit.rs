//! What objects keep for the audit log.

use peyk::account::reconcile::{Check, Difference};
use peyk::durable::audit::{Note, Part};
use peyk::objects::reconciliation::CheckFindings;
use serde_json::json;

use super::{Format, format};

pub fn note() -> Note {
    Note {
        id: "019b796d-0000-7000-8000-000000000001".to_owned(),
        at_ms: 1_767_268_800_000,
        actor: "operator".to_owned(),
        key: "key-1".to_owned(),
        account: Some("019b796d".to_owned()),
        operation: "AdminRevokeKey".to_owned(),
        thing: "key".to_owned(),
        name: Some("key-2".to_owned()),
        request: "request-1".to_owned(),
        address: Some("203.0.113.7".to_owned()),
        digest: Some("00112233445566778899aabbccddeeff".to_owned()),
        bytes_a_day: Some(2_000_000),
    }
}

/// What an object keeps for the audit log, and what a call says of it.
pub fn of_the_audit_log() -> Vec<Format> {
    let changed = Part {
        part: "RevokeKey".to_owned(),
        note: note(),
        before: Some(json!("main")),
        after: Some(json!("other")),
    };
    let least = Note {
        account: None,
        name: None,
        address: None,
        digest: None,
        bytes_a_day: None,
        ..note()
    };
    let made = Part {
        before: None,
        after: None,
        note: least.clone(),
        ..changed.clone()
    };
    let report = CheckFindings {
        differences: vec![Difference::new(Check::Locked, "30 is locked".to_owned())],
        unchecked: vec![Check::Wallet.as_str().to_owned()],
        behind: vec![("account".to_owned(), 7)],
        steps: 0,
    };
    vec![
        format("audit.entry", &[changed, made]),
        format("audit.note", &[note(), least]),
        format("reconciliation.findings", &[report, CheckFindings::default()]),
    ]
}
