//! What travels between versions of the code, and what is stored as JSON: calls and their answers, records of keys, cursors,
//! columns. `tests/golden/` has each format as this code writes it. A change of a format shows there.
//!
//! Each format is held in four ways: this code writes what the file has; it reads it; it reads it with members that it does not
//! know; and it reads it without members that have no value, as an older version may have written it.
//!
//! `GOLDEN=write cargo test --test it golden_files` writes the files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use peyk::account::handle;
use peyk::account::message::charge::Charge;
use peyk::account::record::chunk::claim::NoCapacity;
use peyk::account::record::message::MessageView;
use peyk::account::refusal::Refusal;
use peyk::account::request::Reply;
use peyk::account::wallet::entries::EntryView;
use peyk::auth::secret::MasterKey;
use peyk::base::ports::PortError;
use peyk::durable::Call;
use peyk::problem::kind;
use peyk::webhook::handle as webhook;
use serde_json::{Value, json};

use super::samples::{Format, formats, messages::message, money::entry, write};
use crate::support::World;

fn golden() -> PathBuf {
    PathBuf::from(concat!(env!("PEYK_ROOT"), "/tests/golden"))
}

fn content(format: &Format) -> String {
    format.lines.join("\n") + "\n"
}

#[test]
fn this_code_writes_what_the_golden_files_have() {
    let formats = formats();
    if std::env::var("GOLDEN").is_ok_and(|value| value == "write") {
        let _ = std::fs::remove_dir_all(golden());
        std::fs::create_dir_all(golden()).unwrap();
        for format in &formats {
            std::fs::write(golden().join(format!("{}.jsonl", format.name)), content(format)).unwrap();
        }
    }
    let names: BTreeSet<String> = formats.iter().map(|format| format!("{}.jsonl", format.name)).collect();
    assert_eq!(names.len(), formats.len(), "two formats have the same name");
    let files = std::fs::read_dir(golden()).unwrap();
    let files: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(
        files, names,
        "GOLDEN=write cargo test --test it golden_files writes the files"
    );
    for format in &formats {
        let file = std::fs::read_to_string(golden().join(format!("{}.jsonl", format.name))).unwrap();
        assert_eq!(
            content(format),
            file,
            "the format {} has changed. If other versions may read it so, write the files: \
             GOLDEN=write cargo test --test it golden_files",
            format.name
        );
    }
}

#[test]
fn this_code_reads_what_it_writes() {
    for format in formats() {
        for line in &format.lines {
            assert_eq!((format.reread)(line).as_ref(), Ok(line), "{}", format.name);
        }
    }
}

#[track_caller]
fn assert_golden(requests: &[&str]) {
    let names: BTreeSet<String> = formats().into_iter().map(|format| format.name).collect();
    for name in requests {
        for kind in ["call", "reply"] {
            assert!(names.contains(&format!("{name}.{kind}")), "{name} needs samples");
        }
    }
}

#[test]
fn every_request_to_an_accounts_object_has_a_golden_file() {
    assert_golden(handle::NAMES);
}

#[test]
fn every_request_to_a_webhook_object_has_a_golden_file() {
    assert_golden(webhook::NAMES);
}

/// Members whose value is a map: its members are data.
const MAPS: [&str; 12] = [
    "condition",
    "skipped",
    "tests",
    "by_digits",
    "by_object",
    "counts",
    "operators",
    "reasons",
    "seconds",
    "sequences",
    "texts",
    "values",
];

/// Names of variants: an object with one of them has no other member.
const VARIANTS: [&str; 57] = [
    "CampaignState",
    "OfCampaign",
    "InCampaigns",
    "Done",
    "pattern",
    "Blocked",
    "Message",
    "Account",
    "Chunk",
    "Ok",
    "Err",
    "Accepted",
    "Replayed",
    "PatternsStale",
    "OtherLength",
    "Newest",
    "Id",
    "Refusals",
    "AuditFull",
    "Address",
    "SendingOff",
    "InsufficientBalance",
    "NotEmpty",
    "Barred",
    "Blacklisted",
    "UnreadableEvent",
    "RecipientLimit",
    "DailyLimit",
    "WiderKey",
    "NotPending",
    "Sent",
    "NotRestored",
    "BeforeMove",
    "Looked",
    "At",
    "Bookmark",
    "Scope",
    "Line",
    "AccountKey",
    "OperatorKey",
    "Outcomes",
    "Report",
    "LateReport",
    "Several",
    "Busy",
    "Down",
    "text",
    "values",
    "secret",
    "redacted",
    "Freeze",
    "Read",
    "Insert",
    "Frozen",
    "Page",
    "Refused",
    "NotOfTable",
];

/// The pointers of all objects in `value` whose members are those of a struct.
fn structs(value: &Value, pointer: &str, name: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let is_variant = members.len() == 1 && members.keys().all(|key| VARIANTS.contains(&key.as_str()));
            if !is_variant && !MAPS.contains(&name) {
                found.push(pointer.to_owned());
            }
            for (key, value) in members {
                structs(value, &format!("{pointer}/{key}"), key, found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                structs(item, &format!("{pointer}/{index}"), name, found);
            }
        }
        _ => {}
    }
}

/// The structs of every line of every format.
fn for_each_struct(mut check: impl FnMut(&Format, &str, &Value, &str)) {
    for format in &formats() {
        for line in &format.lines {
            let value: Value = serde_json::from_str(line).unwrap();
            let mut found = Vec::new();
            structs(&value, "", "", &mut found);
            for pointer in found {
                check(format, line, &value, &pointer);
            }
        }
    }
}

#[test]
fn members_that_only_another_version_knows_are_passed_over() {
    let mut count = 0;
    for_each_struct(|format, line, value, pointer| {
        for new in [
            json!(null),
            json!(7),
            json!("text"),
            json!([{"a": 1}]),
            json!({"a": {"b": []}}),
        ] {
            let mut value = value.clone();
            let members = value.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            members.insert("aNewMember".to_owned(), new);
            let reread = (format.reread)(&value.to_string());
            assert_eq!(reread.as_deref(), Ok(line), "{} at {pointer}", format.name);
            count += 1;
        }
    });
    assert!(count > 500, "{count}");
}

#[test]
fn members_without_a_value_may_be_missing() {
    let is_empty =
        |value: &Value| *value == json!(null) || *value == json!([]) || *value == json!({}) || *value == json!(false);
    let mut count = 0;
    for_each_struct(|format, line, value, pointer| {
        let members = value.pointer(pointer).unwrap().as_object().unwrap();
        // The body of a call and the success in a reply are not members that a version adds.
        let optional = members
            .iter()
            .filter(|(name, value)| is_empty(value) && *name != "body" && *name != "Ok");
        for (name, _) in optional {
            let mut value = value.clone();
            value
                .pointer_mut(pointer)
                .unwrap()
                .as_object_mut()
                .unwrap()
                .remove(name);
            let reread = (format.reread)(&value.to_string());
            assert_eq!(reread.as_deref(), Ok(line), "{} without {pointer}/{name}", format.name);
            count += 1;
        }
    });
    assert!(count > 30, "{count}");
}

#[test]
fn a_refusal_of_another_version_is_an_outage_and_no_fault() {
    for refusal in [
        json!("Frozen"),
        json!({"Frozen": {"until": 7}}),
        json!({"SendingOff": "why"}),
        json!(7),
    ] {
        let json = json!({"limit": null, "outcome": {"Err": refusal}}).to_string();
        let reply: Reply<()> = serde_json::from_str(&json).unwrap();
        assert_eq!(reply.outcome, Err(Refusal::Unknown), "{json}");
    }
    let world = World::new();
    let head = peyk::api::http::Head::default();
    let context = peyk::api::http::context::Context::new(&world, &world.app, &head);
    assert_eq!(context.problem(Refusal::Unknown).kind(), kind::UNAVAILABLE);
}

#[test]
fn a_status_of_another_version_is_passed_on() {
    let read = |json: &str| serde_json::from_str::<MessageView>(json).unwrap();
    let json = write(&message())
        .replace("SENDING", "PAUSED")
        .replace("QUEUED", "PARKED")
        .replace("BULK", "VOICE");
    let view = read(&json);
    let value = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    assert_eq!(value(&write(&view)), value(&json));
    let names = (
        view.status.as_str(),
        view.kind.as_str(),
        view.recipients[0].status.as_str(),
    );
    assert_eq!(names, ("PAUSED", "VOICE", "PARKED"));
    let counts: Vec<&str> = view.counts.keys().map(|status| status.as_str()).collect();
    assert_eq!(counts, ["DELIVERED", "PARKED"]);
    let entry: EntryView = serde_json::from_str(&write(&entry()).replace("CREDIT", "BONUS")).unwrap();
    assert_eq!(entry.kind.as_str(), "BONUS");
}

#[test]
fn a_call_and_an_answer_of_another_version_that_cant_be_read_are_outages() {
    let is_outage = |error: PortError| matches!(error, PortError::Unavailable { .. });
    assert!(is_outage(Call::read(r#"{"v":9}"#).unwrap_err()));
    let call = Call::write("019b796d", None, None, "Charge", &json!({"key": 7})).unwrap();
    assert!(is_outage(Call::read(&call).unwrap().body::<Charge>().unwrap_err()));
    let (world, shop) = World::with_account(0);
    let body = json!({"filter": {"status": "PAUSED"}});
    let call = Call::write(&shop.id, None, None, "ListMessages", &body).unwrap();
    let answered = handle::handle(
        &*world.sql(&shop.id),
        world.now_ms.get(),
        &[call],
        &NoCapacity,
        &MasterKey::default(),
    )
    .remove(0);
    assert!(is_outage(answered.unwrap_err()));
}

#[test]
fn settings_of_a_carrier_may_have_members_that_only_another_version_knows() {
    let (world, shop) = World::with_account(10_000);
    let settings = r#"UPDATE carrier SET settings = '{"window": 3, "aNewMember": [{"a": 1}]}'"#;
    world.db.run(settings);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(10_000);
    assert_eq!(world.inbox(&shop.id).len(), 1);
}
