//! What is told, in which form, and how it is signed.

use std::collections::BTreeSet;

use peyk::account::{outbox::events, outbox::events::Received, unit_of_work};
use peyk::webhook::signing;
use serde_json::{Value, json};

use super::{Hit, URL, answer, endpoint, listen, of_type};
use crate::support::{World, assert_has, time::DAY_MS, time::HOUR_MS, time::MINUTE_MS};

#[test]
fn signatures_are_those_of_the_published_vectors() {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/webhooks.json")).unwrap();
    let vectors = vectors["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 2);
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap();
        let timestamp = vector["timestamp"].as_i64().unwrap();
        let signature = signing::sign(text("secret"), text("id"), timestamp, text("body"));
        assert_eq!(signature.as_deref(), Some(text("signature")));
        let both = signing::signatures([text("secret"), text("secret")], text("id"), timestamp, text("body")).unwrap();
        assert_eq!(both, [text("signature"), text("signature")].join(" "));
    }
    for bad in ["", "whsec_", "whsec_!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
        assert!(bad == "whsec_" || signing::sign(bad, "a", 1, "b").is_none(), "{bad}");
    }
    assert!(signing::signatures([], "a", 1, "b").is_err());
}

#[test]
fn an_ending_is_told_once_signed_and_in_the_form_of_the_api() {
    let (world, shop) = World::with_account(100_000);
    let hits = listen(&world, |_, _| answer(204));
    let secret = endpoint(&world, &shop, &["message.status"]).text("/data/secret");
    assert!(secret.starts_with("whsec_") && secret.len() == 6 + 44, "{secret}");
    let body = json!({"message": "hello", "recipients": ["09121234567", "09121234902"], "clientRef": "order-7"});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    world.settle(MINUTE_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 1, "both endings within a second are one event");
    let hit = &hits[0];
    assert_eq!(hit.url, URL);
    assert!(hit.is_signed_with(&secret) && hit.signatures.len() == 1);
    assert!(hit.id.starts_with("evt_") && hit.body["id"] == hit.id.as_str());
    assert_eq!(hit.body["type"], "message.status");
    assert!(peyk::base::time::from_rfc3339(hit.body["createdAt"].as_str().unwrap()).is_some());
    let data = &hit.body["data"];
    assert_has(data, json!({"uid": uid, "clientRef": "order-7"}));
    assert_eq!(data["test"], false);
    let mut recipients = data["recipients"].as_array().unwrap().clone();
    recipients.sort_by_key(|item| item["uid"].as_str().unwrap().to_owned());
    let stored = world.message(&shop.key, &uid);
    for (index, item) in recipients.iter().enumerate() {
        let stored = &stored.json["data"]["recipients"][index];
        for name in ["uid", "recipient", "status"] {
            assert_eq!(item[name], stored[name], "{name}");
        }
        assert_eq!(item["changedAt"], stored["updatedAt"]);
    }
    let wanted = (&json!("DELIVERED"), None);
    assert_eq!((&recipients[0]["status"], recipients[0].get("error")), wanted);
    assert_eq!(recipients[1]["status"], "UNDELIVERED");
    assert!(recipients[1]["error"].is_string(), "{}", recipients[1]);
    // Afterwards nothing of it is left in the account's object.
    assert_eq!(world.count(&shop, "event"), 0);
    assert_eq!(world.number(&shop, "SELECT handing IS NULL FROM webhook"), 1);
}

#[test]
fn an_account_without_endpoints_pays_nothing_for_events() {
    let (world, shop) = World::with_account(3_000);
    world.send(&shop.key, &["09121234567", "09121234901"]).expect(201);
    world.settle(DAY_MS);
    let sql = world.sql(&shop.id);
    let makes_event = |statement: &String| statement.starts_with("INSERT INTO event");
    for table in ["event", "webhook", "low_balance"] {
        assert_eq!(sql.count(table), 0, "{table}");
    }
    assert!(!sql.statements().iter().any(makes_event));
    // The same holds for a type that nobody asks for, and after the last endpoint is gone or off.
    listen(&world, |_, _| answer(200));
    let id = endpoint(&world, &shop, &["message.received"]).text("/data/id");
    world.send(&shop.key, &["09121234568"]).expect(201);
    world.settle(HOUR_MS);
    let events = json!({"events": ["message.status"], "active": false});
    let path = format!("/webhook/{id}");
    world.put(&shop.key, &path, events).expect(200);
    world.credit(&shop, 10_000);
    world.send(&shop.key, &["09121234569"]).expect(201);
    world.settle(HOUR_MS);
    assert!(!sql.statements().iter().any(makes_event));
    world.put(&shop.key, &path, json!({"active": true})).expect(200);
    world.delete(&shop.key, &path).expect(204);
    world.send(&shop.key, &["09121234570"]).expect(201);
    world.settle(HOUR_MS);
    assert!(!sql.statements().iter().any(makes_event));
}

#[test]
fn a_large_message_makes_one_event_for_each_hundred_recipients() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status", "message.submitted"]);
    let numbers: Vec<String> = (0..950).map(|index| format!("0912{index:04}100")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    world.send(&shop.key, &numbers).expect(201);
    world.settle(HOUR_MS);
    let hits = hits.borrow();
    for kind in ["message.status", "message.submitted"] {
        let hits = of_type(&hits, kind);
        let told: Vec<_> = hits.iter().flat_map(|hit| hit.recipients()).collect();
        assert_eq!(told.len(), 950);
        let count = told.iter().map(|(number, _)| number).collect::<BTreeSet<_>>().len();
        assert_eq!(count, 950);
        assert!(hits.iter().all(|hit| hit.recipients().len() <= 100));
        assert!(hits.len() <= 11, "{kind}: {}", hits.len());
        let status = if kind == "message.status" {
            "DELIVERED"
        } else {
            "SUBMITTED"
        };
        assert!(told.iter().all(|(_, told)| told == status));
    }
    let ids: BTreeSet<&String> = hits.iter().map(|hit| &hit.id).collect();
    assert_eq!(ids.len(), hits.len());
}

#[test]
fn every_kind_of_ending_is_told_and_a_test_message_tells_test_endpoints_that_it_is_one() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status"]);
    let answer = world.send(&shop.key, &["09121234901", "09121234902", "09121234903", "09121234904"]);
    answer.expect(201);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let scheduled = json!({"message": "x", "recipients": ["09121234567"], "sendAt": at});
    let uid = world.posted(&shop.key, "/sms/send", scheduled).text("/data/uid");
    world.delete(&shop.key, &format!("/messages/{uid}")).expect(200);
    world.settle(4 * DAY_MS);
    let told: BTreeSet<String> = hits
        .borrow()
        .iter()
        .flat_map(Hit::recipients)
        .map(|(_, status)| status)
        .collect();
    for row in world.rows(&shop, "SELECT DISTINCT status FROM recipient") {
        let code = row.int(0).unwrap();
        let status = peyk::account::record::message::status::RecipientStatus::from_code(code).unwrap();
        assert!(told.contains(status.as_str()), "{status:?} in {told:?}");
    }
    assert!(told.contains("CANCELED") && told.len() >= 4, "{told:?}");
    assert!(hits.borrow().iter().all(|hit| hit.body["data"]["test"] == false));
    hits.borrow_mut().clear();
    let body = json!({"title": "t", "mode": "test", "scopes": ["sms:send", "sms:read", "webhook"]});
    let key = world.grant(&shop, body).text("/data/key");
    let body = json!({"url": format!("{URL}/test"), "events": ["message.status"]});
    world.posted(&key, "/webhook", body);
    world.settle(HOUR_MS);
    world.send(&key, &["09121234567"]).expect(201);
    world.settle(HOUR_MS);
    assert_eq!(hits.borrow().len(), 1);
    assert_eq!(hits.borrow()[0].url, format!("{URL}/test"));
    assert_eq!(hits.borrow()[0].body["data"]["test"], true);
}

#[test]
fn a_message_from_a_phone_is_told_in_the_form_of_the_api() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |_, _| answer(200));
    let note = || {
        let sql = world.sql(&shop.id);
        let message = Received {
            id: "in-1",
            line: "10001",
            from: "+989121234567",
            text: "لغو",
            received_ms: 1_767_268_800_123,
            opt_out: true,
        };
        let told = unit_of_work::run(&*sql, world.now_ms.get(), |work| {
            events::received(&*sql, work, &message)
        });
        told.unwrap().unwrap();
    };
    note();
    world.settle(MINUTE_MS);
    assert!(hits.borrow().is_empty(), "nobody asked for it");
    endpoint(&world, &shop, &["message.received"]);
    note();
    world.settle(MINUTE_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].body["type"], "message.received");
    let data = json!({"id": "in-1", "line": "10001", "from": "+989121234567", "text": "لغو",
        "receivedAt": "2026-01-01T12:00:00.123Z", "optOut": true});
    assert_eq!(hits[0].body["data"], data);
}
