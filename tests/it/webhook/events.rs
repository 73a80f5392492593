//! Webhooks: what the programs of customers are told, how it is signed, and what happens when they do not answer.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::support::{Account, Answer, Sqlite, World};
use peyk::account;
use peyk::account::events::{self, NoteWebhooks, Received};
use peyk::account::store::Account as Row;
use peyk::ports::{IncomingResponse, OutgoingRequest, PortError, Sql};
use peyk::webhook::event::{MAX_WAITING, TakeEvents};
use peyk::webhook::signing;
use peyk::webhook::{request, sweep};
use serde_json::{Value, json};

const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;
const URL: &str = "https://shop.example/hook";

/// What a receiver got.
#[derive(Clone)]
struct Hit {
    url: String,
    id: String,
    timestamp_s: i64,
    signatures: Vec<String>,
    text: String,
    body: Value,
}

impl Hit {
    fn of(request: &OutgoingRequest) -> Hit {
        let header = |name: &str| {
            let found = request.headers.iter().find(|(known, _)| *known == name);
            found.unwrap_or_else(|| panic!("no header {name}")).1.clone()
        };
        assert_eq!(request.method, "POST");
        assert_eq!(request.timeout_ms, 15_000);
        assert_eq!(header("content-type"), "application/json");
        Hit {
            url: request.url.clone(),
            id: header("webhook-id"),
            timestamp_s: header("webhook-timestamp").parse().unwrap(),
            signatures: header("webhook-signature").split(' ').map(str::to_owned).collect(),
            text: request.body.clone(),
            body: serde_json::from_str(&request.body).unwrap(),
        }
    }

    fn is_signed_with(&self, secret: &str) -> bool {
        let signature = signing::sign(secret, &self.id, self.timestamp_s, &self.text).unwrap();
        self.signatures.contains(&signature)
    }

    fn recipients(&self) -> Vec<(String, String)> {
        let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
        let items = self.body["data"]["recipients"].as_array().unwrap();
        items
            .iter()
            .map(|item| (text(item, "recipient"), text(item, "status")))
            .collect()
    }
}

type Hits = Rc<RefCell<Vec<Hit>>>;

fn answer(status: u16) -> Result<IncomingResponse, PortError> {
    Ok(IncomingResponse {
        status,
        retry_after: None,
        body: String::new(),
    })
}

/// Lets a receiver note what it gets, and answer what `script` says to the n-th request, from 0.
fn listen(world: &World, script: impl Fn(usize, &Hit) -> Result<IncomingResponse, PortError> + 'static) -> Hits {
    let hits = Hits::default();
    let noted = Rc::clone(&hits);
    world.receive(move |request| {
        let hit = Hit::of(request);
        noted.borrow_mut().push(hit.clone());
        let count = noted.borrow().len();
        Some(script(count - 1, &hit))
    });
    hits
}

fn endpoint(world: &World, shop: &Account, events: &[&str]) -> Answer {
    let body = json!({"url": URL, "events": events, "lowBalance": 5_000});
    world.post(&shop.key, "/webhook", body).expect(201)
}

fn one(sql: &Sqlite, query: &str) -> i64 {
    sql.exec(query, &[]).unwrap()[0].int(0).unwrap()
}

fn deliveries(world: &World, shop: &Account, id: &str) -> Vec<Value> {
    let list = world
        .get(&shop.key, &format!("/webhook/{id}/deliveries?limit=200"))
        .expect(200);
    list.json["data"].as_array().unwrap().clone()
}

fn of_type<'a>(hits: &'a [Hit], kind: &str) -> Vec<&'a Hit> {
    hits.iter().filter(|hit| hit.body["type"] == kind).collect()
}

#[test]
fn signatures_are_those_of_the_published_vectors() {
    let vectors: Value = serde_json::from_str(include_str!("../../vectors/webhooks.json")).unwrap();
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
    let made = endpoint(&world, &shop, &["message.status"]);
    let secret = made.text("/data/secret");
    assert!(secret.starts_with("whsec_") && secret.len() == 6 + 44, "{secret}");
    let body = json!({"message": "hello", "recipients": ["09121234567", "09121234902"], "clientRef": "order-7"});
    let uid = world.post(&shop.key, "/sms/send", body).expect(201).text("/data/uid");
    world.settle(MINUTE_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 1, "both endings within a second are one event");
    let hit = &hits[0];
    assert_eq!(hit.url, URL);
    assert!(hit.is_signed_with(&secret) && hit.signatures.len() == 1);
    assert!(hit.id.starts_with("evt_") && hit.body["id"] == hit.id.as_str());
    assert_eq!(hit.body["type"], "message.status");
    assert!(peyk::time::from_rfc3339(hit.body["createdAt"].as_str().unwrap()).is_some());
    let data = &hit.body["data"];
    assert_eq!(
        (data["uid"].as_str(), data["clientRef"].as_str()),
        (Some(uid.as_str()), Some("order-7"))
    );
    assert_eq!(data["test"], false);
    let mut recipients = data["recipients"].as_array().unwrap().clone();
    recipients.sort_by_key(|item| item["uid"].as_str().unwrap().to_owned());
    let stored = world.get(&shop.key, &format!("/messages/{uid}")).expect(200);
    for (index, item) in recipients.iter().enumerate() {
        let stored = &stored.json["data"]["recipients"][index];
        for name in ["uid", "recipient", "status"] {
            assert_eq!(item[name], stored[name], "{name}");
        }
        assert_eq!(item["changedAt"], stored["updatedAt"]);
    }
    assert_eq!(
        (&recipients[0]["status"], recipients[0].get("error")),
        (&json!("DELIVERED"), None)
    );
    assert_eq!(recipients[1]["status"], "UNDELIVERED");
    assert!(recipients[1]["error"].is_string(), "{}", recipients[1]);
    // Afterwards nothing of it is left in the account's object.
    assert_eq!(one(&world.sql(&shop.id), "SELECT count(*) FROM event"), 0);
    assert_eq!(one(&world.sql(&shop.id), "SELECT handing IS NULL FROM webhook"), 1);
}

#[test]
fn an_account_without_endpoints_pays_nothing_for_events() {
    let (world, shop) = World::with_account(3_000);
    world.send(&shop.key, &["09121234567", "09121234901"]).expect(201);
    world.settle(DAY_MS);
    let sql = world.sql(&shop.id);
    for table in ["event", "webhook", "low_balance"] {
        assert_eq!(one(&sql, &format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    assert!(
        !sql.statements()
            .iter()
            .any(|statement| statement.starts_with("INSERT INTO event"))
    );
    // The same holds for a type that nobody asks for, and after the last endpoint is gone or off.
    listen(&world, |_, _| answer(200));
    let id = endpoint(&world, &shop, &["message.received"]).text("/data/id");
    world.send(&shop.key, &["09121234568"]).expect(201);
    world.settle(HOUR_MS);
    let events = json!({"events": ["message.status"], "active": false});
    let path = format!("/webhook/{id}");
    world
        .request("PUT", &path)
        .key(&shop.key)
        .json(events)
        .send()
        .expect(200);
    world.admin(
        "POST",
        &format!("/admin/accounts/{}/credit", shop.id),
        json!({"amount": 10_000, "note": "x"}),
    );
    world.send(&shop.key, &["09121234569"]).expect(201);
    world.settle(HOUR_MS);
    assert!(
        !sql.statements()
            .iter()
            .any(|statement| statement.starts_with("INSERT INTO event"))
    );
    world
        .request("PUT", &path)
        .key(&shop.key)
        .json(json!({"active": true}))
        .send()
        .expect(200);
    world.request("DELETE", &path).key(&shop.key).send().expect(204);
    world.send(&shop.key, &["09121234570"]).expect(201);
    world.settle(HOUR_MS);
    assert!(
        !sql.statements()
            .iter()
            .any(|statement| statement.starts_with("INSERT INTO event"))
    );
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
        assert_eq!(
            told.iter().map(|(number, _)| number).collect::<BTreeSet<_>>().len(),
            950
        );
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
fn every_kind_of_ending_is_told_and_a_test_message_says_that_it_is_one() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status"]);
    world
        .send(&shop.key, &["09121234901", "09121234902", "09121234903", "09121234904"])
        .expect(201);
    let at = peyk::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let scheduled = json!({"message": "x", "recipients": ["09121234567"], "sendAt": at});
    let uid = world
        .post(&shop.key, "/sms/send", scheduled)
        .expect(201)
        .text("/data/uid");
    world
        .request("DELETE", &format!("/messages/{uid}"))
        .key(&shop.key)
        .send()
        .expect(200);
    world.settle(4 * DAY_MS);
    let told: BTreeSet<String> = hits
        .borrow()
        .iter()
        .flat_map(Hit::recipients)
        .map(|(_, status)| status)
        .collect();
    let rows = world
        .sql(&shop.id)
        .exec("SELECT DISTINCT status FROM recipient", &[])
        .unwrap();
    for row in rows {
        let code = row.int(0).unwrap();
        let status = peyk::account::status::RecipientStatus::from_code(code).unwrap();
        assert!(told.contains(status.as_str()), "{status:?} in {told:?}");
    }
    assert!(told.contains("CANCELED") && told.len() >= 4, "{told:?}");
    assert!(hits.borrow().iter().all(|hit| hit.body["data"]["test"] == false));
    hits.borrow_mut().clear();
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    let key = world
        .admin("POST", &keys, json!({"title": "t", "mode": "test"}))
        .expect(201)
        .text("/data/key");
    world.send(&key, &["09121234567"]).expect(201);
    world.settle(HOUR_MS);
    assert_eq!(hits.borrow().len(), 1);
    assert_eq!(hits.borrow()[0].body["data"]["test"], true);
}

#[test]
fn a_low_balance_is_told_once_until_it_was_above_again() {
    let (world, shop) = World::with_busy_account(10_000);
    let hits = listen(&world, |_, _| answer(200));
    let create = |threshold: i64, url: &str| {
        let body = json!({"url": url, "events": ["wallet.low"], "lowBalance": threshold});
        world.post(&shop.key, "/webhook", body).expect(201);
    };
    create(8_000, "https://a.example/");
    create(3_000, "https://b.example/");
    let spend = |count: usize| {
        for _ in 0..count {
            world.send(&shop.key, &["09121234567"]).expect(201);
            world.settle(5 * SECOND_MS);
        }
    };
    let told = || -> Vec<(String, i64, i64)> {
        let hits = hits.borrow();
        let told = of_type(&hits, "wallet.low").into_iter();
        let number = |hit: &Hit, name: &str| hit.body["data"][name].as_i64().unwrap();
        told.map(|hit| {
            (
                hit.url.clone(),
                number(hit, "threshold"),
                number(hit, "availableBalance"),
            )
        })
        .collect()
    };
    spend(2);
    assert_eq!(told(), []);
    spend(1);
    assert_eq!(told(), [("https://a.example/".to_owned(), 8_000, 7_000)]);
    spend(4);
    assert_eq!(told().len(), 1);
    spend(1);
    assert_eq!(told()[1], ("https://b.example/".to_owned(), 3_000, 2_000));
    let credit = |amount: i64| {
        let path = format!("/admin/accounts/{}/credit", shop.id);
        world
            .admin("POST", &path, json!({"amount": amount, "note": "x"}))
            .expect(201);
        world.settle(5 * SECOND_MS);
    };
    // Above the lower threshold only.
    credit(3_000);
    assert_eq!(told().len(), 2);
    credit(-3_000);
    assert_eq!(told().len(), 3);
    assert_eq!(told()[2].1, 3_000);
    credit(6_000);
    credit(-1);
    assert_eq!(told().len(), 4);
    assert_eq!((told()[3].1, told()[3].2), (8_000, 7_999));
    // A threshold that the balance is below already is told at once.
    create(1_000_000, "https://c.example/");
    world.settle(5 * SECOND_MS);
    assert_eq!(told()[4].1, 1_000_000);
    assert_eq!(told().len(), 5);
}

#[test]
fn a_message_from_a_phone_is_told_in_the_form_of_the_api() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |_, _| answer(200));
    let note = || {
        let sql = world.sql(&shop.id);
        let row = Row::stored(&*sql).unwrap().unwrap();
        let message = Received {
            id: "in-1",
            line: "10001",
            from: "+989121234567",
            text: "لغو",
            received_ms: 1_767_268_800_123,
            opt_out: true,
        };
        events::received(&*sql, world.now_ms.get(), &row, &message).unwrap();
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

#[test]
fn a_receiver_that_fails_gets_the_same_event_again_at_the_times_of_the_schedule() {
    let (world, shop) = World::with_account(100_000);
    let failures = [500, 302, 404, 429, 0];
    let hits = listen(&world, move |count, _| match failures.get(count) {
        Some(0) => Err(PortError::unavailable("fetch", "no response")),
        Some(status) => answer(*status),
        None => answer(200),
    });
    let made = endpoint(&world, &shop, &["message.status"]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(DAY_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 6);
    for (pair, wait_s) in hits.windows(2).zip([5, 300, 1_800, 7_200, 18_000]) {
        assert_eq!((&pair[0].id, &pair[0].text), (&pair[1].id, &pair[1].text));
        assert!(pair[1].is_signed_with(&made.text("/data/secret")));
        let waited_s = pair[1].timestamp_s - pair[0].timestamp_s;
        assert!(
            (wait_s..=wait_s + wait_s / 10 + 2).contains(&waited_s),
            "{waited_s} for {wait_s}"
        );
    }
    let log = deliveries(&world, &shop, &made.text("/data/id"));
    assert_eq!(log.len(), 1);
    assert_eq!(
        (&log[0]["status"], &log[0]["attempts"]),
        (&json!("DELIVERED"), &json!(6))
    );
    assert_eq!(
        (&log[0]["responseStatus"], &log[0]["error"]),
        (&json!(200), &json!(null))
    );
    assert_eq!(log[0]["id"], hits[0].id.as_str());
    assert!(log[0]["nextAttemptAt"].is_null() && log[0]["lastAttemptAt"].is_string());
}

#[test]
fn an_operators_schedule_decides_when_and_how_often_an_event_is_tried() {
    let (world, shop) = World::with_account(100_000);
    let waits = ("WEBHOOK_RETRY_SECONDS", "60, 7, 86400".to_owned());
    world.settings.borrow_mut().extend([waits]);
    let hits = listen(&world, |_, _| answer(500));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(3 * DAY_MS);
    let hits = hits.borrow();
    let waited_s = hits.windows(2).map(|pair| pair[1].timestamp_s - pair[0].timestamp_s);
    let waited_s: Vec<i64> = waited_s.collect();
    assert_eq!(waited_s.len(), 3, "{waited_s:?}");
    for (waited_s, wait_s) in waited_s.iter().zip([60, 7, 86_400]) {
        assert!(
            (wait_s..=wait_s + wait_s / 10 + 2).contains(waited_s),
            "{waited_s} for {wait_s}"
        );
    }
    let log = deliveries(&world, &shop, &id);
    assert_eq!((&log[0]["status"], &log[0]["attempts"]), (&json!("FAILED"), &json!(4)));
}

#[test]
fn a_delivery_that_fails_ten_times_has_failed_and_the_log_says_why_each_time() {
    let (world, shop) = World::with_account(100_000);
    let hits = listen(&world, |_, _| answer(503));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(20 * SECOND_MS);
    let log = deliveries(&world, &shop, &id);
    assert_eq!(
        (&log[0]["status"], &log[0]["responseStatus"]),
        (&json!("WAITING"), &json!(503))
    );
    assert_eq!(log[0]["error"], "STATUS");
    assert!(log[0]["nextAttemptAt"].is_string());
    world.settle(4 * DAY_MS);
    assert_eq!(hits.borrow().len(), 10);
    let log = deliveries(&world, &shop, &id);
    assert_eq!((&log[0]["status"], &log[0]["attempts"]), (&json!("FAILED"), &json!(10)));
    let got = world.get(&shop.key, &format!("/webhook/{id}")).expect(200);
    assert_eq!(got.json["data"]["active"], true, "four days are not five");
}

#[test]
fn five_days_of_failure_disable_an_endpoint_and_its_log_and_the_others_say_so() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |_, hit| answer(if hit.url == URL { 500 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    let other = json!({"url": "https://ops.example/", "events": ["webhook.disabled"]});
    world.post(&shop.key, "/webhook", other).expect(201);
    for _ in 0..6 {
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.settle(DAY_MS);
    }
    let got = world.get(&shop.key, &format!("/webhook/{id}")).expect(200);
    assert_eq!(got.json["data"]["active"], false);
    assert_eq!(got.json["data"]["disabledReason"], "FAILING");
    let log = deliveries(&world, &shop, &id);
    assert_eq!(
        log.iter()
            .filter(|item| item["type"] == "webhook.disabled" && item["status"] == "NOTED")
            .count(),
        1
    );
    let hits = hits.borrow();
    let told = of_type(&hits, "webhook.disabled");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].url, "https://ops.example/");
    assert_eq!(
        told[0].body["data"],
        json!({"endpoint": id, "url": URL, "reason": "FAILING"})
    );
    let lines = world.log.borrow();
    assert!(
        lines
            .iter()
            .any(|line| line.contains("endpoint is disabled") && line.contains(&shop.id))
    );
}

#[test]
fn a_success_in_between_ends_the_count_of_days() {
    let (world, shop) = World::with_busy_account(100_000);
    listen(&world, |count, _| answer(if count == 30 { 200 } else { 500 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    for _ in 0..6 {
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.settle(DAY_MS);
    }
    let sql = world.webhook_sql(&shop.id);
    assert!(one(&sql, "SELECT sum(attempts) FROM delivery") > 31);
    let got = world.get(&shop.key, &format!("/webhook/{id}")).expect(200);
    assert_eq!(got.json["data"]["active"], true);
}

#[test]
fn a_receiver_that_is_gone_gets_nothing_more_until_it_is_switched_on_again() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |count, _| answer(if count == 0 { 410 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    let path = format!("/webhook/{id}");
    let got = world.get(&shop.key, &path).expect(200);
    assert_eq!(
        (&got.json["data"]["active"], got.text("/data/disabledReason")),
        (&json!(false), "GONE".to_owned())
    );
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(DAY_MS);
    assert_eq!(hits.borrow().len(), 1);
    world
        .post(&shop.key, &format!("{path}/test"), json!({}))
        .problem(409, 409);
    let log = deliveries(&world, &shop, &id);
    let failed = log.iter().find(|item| item["status"] == "FAILED").unwrap();
    assert_eq!(failed["error"], "GONE");
    let redeliver = format!("{path}/deliveries/{}/redeliver", failed["id"].as_str().unwrap());
    world.post(&shop.key, &redeliver, json!({})).problem(409, 409);
    let on = world
        .request("PUT", &path)
        .key(&shop.key)
        .json(json!({"active": true}))
        .send()
        .expect(200);
    assert_eq!(
        (&on.json["data"]["active"], &on.json["data"]["disabledReason"]),
        (&json!(true), &json!(null))
    );
    world.send(&shop.key, &["09121234567"]).expect(201);
    let again = world.post(&shop.key, &redeliver, json!({})).expect(200);
    assert_eq!(again.text("/data/status"), "WAITING");
    world.settle(MINUTE_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 3);
    assert_eq!(
        hits.iter()
            .filter(|hit| hit.id == hits[0].id && hit.text == hits[0].text)
            .count(),
        2
    );
}

#[test]
fn a_receiver_that_asks_for_a_pause_gets_nothing_until_it_is_over() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |count, _| {
        let mut response = answer(if count == 0 { 429 } else { 200 })?;
        response.retry_after = (count == 0).then(|| "600".to_owned());
        Ok(response)
    });
    endpoint(&world, &shop, &["message.status"]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(10 * SECOND_MS);
    world.send(&shop.key, &["09121234568"]).expect(201);
    world.settle(HOUR_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 3);
    assert!(hits[1..].iter().all(|hit| hit.timestamp_s - hits[0].timestamp_s >= 600));
    assert!(hits[1..].iter().all(|hit| hit.timestamp_s - hits[0].timestamp_s <= 610));
}

#[test]
fn after_a_rotation_the_old_secret_signs_too_for_a_day() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |_, _| answer(200));
    let made = endpoint(&world, &shop, &["message.status"]);
    let path = format!("/webhook/{}", made.text("/data/id"));
    let rotate = || {
        world
            .post(&shop.key, &format!("{path}/rotate"), json!({}))
            .expect(201)
            .text("/data/secret")
    };
    let signed_with = |secrets: &[&String], count: usize| {
        hits.borrow_mut().clear();
        world.post(&shop.key, &format!("{path}/test"), json!({})).expect(201);
        world.settle(SECOND_MS);
        let hits = hits.borrow();
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].signatures.len(), count);
        assert!(secrets.iter().all(|secret| hits[0].is_signed_with(secret)));
    };
    let first = made.text("/data/secret");
    signed_with(&[&first], 1);
    let second = rotate();
    assert_ne!(first, second);
    signed_with(&[&second, &first], 2);
    world.settle(12 * HOUR_MS);
    let third = rotate();
    signed_with(&[&third, &second, &first], 3);
    world.settle(12 * HOUR_MS);
    signed_with(&[&third, &second], 2);
    world.settle(12 * HOUR_MS);
    signed_with(&[&third], 1);
    let newest: Vec<String> = (0..8).map(|_| rotate()).collect();
    signed_with(&newest[3..].iter().collect::<Vec<_>>(), 5);
    // No other answer has a secret.
    for path in [path.as_str(), "/webhook", &format!("{path}/deliveries")] {
        let answer = world.get(&shop.key, path).expect(200);
        assert!(
            !answer.body.contains("whsec_") && !answer.body.contains("secret"),
            "{path}"
        );
    }
    let changed = world
        .request("PUT", &path)
        .key(&shop.key)
        .json(json!({"description": "x"}))
        .send()
        .expect(200);
    assert!(!changed.body.contains("whsec_"));
    assert!(world.log.borrow().iter().all(|line| !line.contains("whsec_")));
}

#[test]
fn an_endpoint_is_made_changed_listed_and_deleted() {
    let (world, shop) = World::with_busy_account(100_000);
    let stranger = world.account("stranger", 0);
    let body = json!({"url": "HTTPS://Shop.Example:443", "events": ["message.status"], "description": "orders"});
    let made = world.post(&shop.key, "/webhook", body).expect(201);
    let id = made.text("/data/id");
    let path = format!("/webhook/{id}");
    let mut expected = json!({"id": id, "url": "https://shop.example/", "events": ["message.status"], "lowBalance": null,
        "description": "orders", "active": true, "disabledReason": null, "createdAt": made.text("/data/createdAt")});
    assert_eq!(world.get(&shop.key, &path).expect(200).json["data"], expected);
    let change = json!({"url": "https://new.example/x?y=1", "events": ["wallet.low"], "lowBalance": 7, "description": null,
        "active": false});
    let changed = world
        .request("PUT", &path)
        .key(&shop.key)
        .json(change)
        .send()
        .expect(200);
    for (name, value) in [
        ("url", json!("https://new.example/x?y=1")),
        ("events", json!(["wallet.low"])),
        ("lowBalance", json!(7)),
        ("description", json!(null)),
        ("active", json!(false)),
    ] {
        expected[name] = value;
    }
    assert_eq!(changed.json["data"], expected);
    let unchanged = world
        .request("PUT", &path)
        .key(&shop.key)
        .json(json!({}))
        .send()
        .expect(200);
    assert_eq!(unchanged.json["data"], expected);
    // It is not there for another account.
    for (method, path) in [
        ("GET", path.clone()),
        ("PUT", path.clone()),
        ("DELETE", path.clone()),
        ("POST", format!("{path}/rotate")),
        ("POST", format!("{path}/test")),
        ("GET", format!("{path}/deliveries")),
        ("POST", format!("{path}/deliveries/evt_1/redeliver")),
    ] {
        world
            .request(method, &path)
            .key(&stranger.key)
            .json(json!({}))
            .send()
            .problem(404, 404);
    }
    assert_eq!(world.get(&stranger.key, "/webhook").expect(200).json["data"], json!([]));
    // Ten, and no more. Pages have each once.
    for index in 1..10 {
        let body = json!({"url": format!("https://{index}.example.com/"), "events": ["message.status"]});
        world.post(&shop.key, "/webhook", body).expect(201);
        world.advance(1);
    }
    let body = json!({"url": URL, "events": ["message.status"]});
    world.post(&shop.key, "/webhook", body.clone()).problem(409, 409);
    let (mut seen, mut page) = (BTreeSet::new(), "/webhook?limit=3".to_owned());
    loop {
        let list = world.get(&shop.key, &page).expect(200);
        let items = list.json["data"].as_array().unwrap();
        assert!(items.len() <= 3);
        assert!(
            items
                .iter()
                .all(|item| seen.insert(item["id"].as_str().unwrap().to_owned()))
        );
        match list.json["meta"]["nextCursor"].as_str() {
            Some(cursor) => page = format!("/webhook?limit=3&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(seen.len(), 10);
    world.get(&shop.key, "/webhook?cursor=x").problem(422, 422);
    world
        .get(&shop.key, &format!("{path}/deliveries?limit=0"))
        .problem(422, 422);
    world.request("DELETE", &path).key(&shop.key).send().expect(204);
    world.request("DELETE", &path).key(&shop.key).send().problem(404, 404);
    world.get(&shop.key, &path).problem(404, 404);
    world.get(&shop.key, &format!("{path}/deliveries")).problem(404, 404);
    world.post(&shop.key, "/webhook", body).expect(201);
    world.settle(MINUTE_MS);
    assert_eq!(
        one(
            &world.webhook_sql(&shop.id),
            "SELECT count(*) FROM endpoint WHERE deleted = 1"
        ),
        0
    );
}

#[test]
fn a_bad_endpoint_is_refused_with_all_of_its_faults_and_changes_nothing() {
    let (world, shop) = World::with_busy_account(100_000);
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    let before = world.get(&shop.key, &format!("/webhook/{id}")).expect(200).json["data"].clone();
    let good = json!(["message.status"]);
    let long = "x".repeat(501);
    for (body, extra) in [
        (
            json!({"url": 7, "events": "all"}),
            vec!["url: must be a string", "events: must be a list"],
        ),
        (
            json!({"url": "http://shop.example/", "events": []}),
            vec!["url: must begin with https://", "events: must not be empty"],
        ),
        (
            json!({"url": "https://10.0.0.1/", "events": good}),
            vec!["url: must lead to a host on the public internet"],
        ),
        (
            json!({"url": "http://localhost/", "events": good}),
            vec!["url: must begin with https://"],
        ),
        (
            json!({"url": URL, "events": ["message.status", "message.lost", "webhook.test"]}),
            vec![
                "events[1]: must be one of message.status, message.submitted, message.received, wallet.low, webhook.disabled",
                "events[2]: must be one of message.status, message.submitted, message.received, wallet.low, webhook.disabled",
            ],
        ),
        (
            json!({"url": URL, "events": ["message.status", "message.status"]}),
            vec!["events[1]: must not be there twice"],
        ),
        (
            json!({"url": URL, "events": ["wallet.low"]}),
            vec!["lowBalance: is required"],
        ),
        (
            json!({"url": URL, "events": good, "lowBalance": 0, "description": "", "active": 1}),
            vec![
                "lowBalance: must be a whole number from 1 to 1000000000000000",
                "description: must not be empty",
                "active: must be true or false",
            ],
        ),
        (
            json!({"url": URL, "events": good, "description": long}),
            vec!["description: must have at most 500 characters"],
        ),
    ] {
        let created = world.post(&shop.key, "/webhook", body.clone()).problem(422, 422);
        assert_eq!(created.extra(), extra, "{body}");
        let path = format!("/webhook/{id}");
        let put = world.request("PUT", &path).key(&shop.key).json(body.clone()).send();
        // The endpoint that is there has a threshold already.
        let is_complete = extra == ["lowBalance: is required"];
        assert_eq!(put.response.status, if is_complete { 200 } else { 422 }, "{body}");
        if is_complete {
            let back = json!({"events": ["message.status"]});
            world.request("PUT", &path).key(&shop.key).json(back).send().expect(200);
        }
    }
    let missing = world.post(&shop.key, "/webhook", json!({})).problem(422, 422);
    assert_eq!(missing.extra(), ["url: is required", "events: is required"]);
    let nulls = json!({"url": null, "events": null});
    let put = world
        .request("PUT", &format!("/webhook/{id}"))
        .key(&shop.key)
        .json(nulls)
        .send();
    assert_eq!(
        put.problem(422, 422).extra(),
        ["url: is required", "events: is required"]
    );
    let list = world.get(&shop.key, "/webhook").expect(200);
    assert_eq!(list.json["data"], json!([before]));
    // Without the scope there is nothing.
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    let key = world
        .admin("POST", &keys, json!({"title": "t", "scopes": ["sms:send"]}))
        .expect(201)
        .text("/data/key");
    world.get(&key, "/webhook").problem(403, 403);
}

#[test]
fn an_address_is_checked_again_before_each_attempt() {
    let (mut world, shop) = World::with_account(0);
    world.app.config.webhook_allow_loopback = true;
    world
        .settings
        .borrow_mut()
        .insert("WEBHOOK_ALLOW_LOOPBACK", "true".to_owned());
    let hits = listen(&world, |_, _| answer(200));
    let body = json!({"url": "http://127.0.0.1:3000/hook", "events": ["message.status"]});
    let path = format!(
        "/webhook/{}",
        world.post(&shop.key, "/webhook", body).expect(201).text("/data/id")
    );
    world.post(&shop.key, &format!("{path}/test"), json!({})).expect(201);
    world.settle(SECOND_MS);
    assert_eq!(hits.borrow().len(), 1);
    world.settings.borrow_mut().clear();
    world.post(&shop.key, &format!("{path}/test"), json!({})).expect(201);
    world.settle(MINUTE_MS);
    assert_eq!(hits.borrow().len(), 1);
    let list = world.get(&shop.key, &format!("{path}/deliveries")).expect(200);
    assert_eq!(list.text("/data/0/error"), "ADDRESS_REFUSED");
}

/// Events as an account's object hands them over.
fn events(range: std::ops::Range<i64>) -> Value {
    let event = |index: i64| {
        let unique: [u8; 10] = std::array::from_fn(|at| if at < 8 { index.to_be_bytes()[at] } else { 0 });
        json!({"id": events::id_of(1_767_268_800_000 + index, &unique), "type": "message.status",
            "made_ms": 1_767_268_800_000_i64 + index, "data": {"n": index}})
    };
    Value::Array(range.map(event).collect())
}

fn hand(world: &World, shop: &Account, range: std::ops::Range<i64>) {
    let take: TakeEvents = serde_json::from_value(events(range)).unwrap();
    pollster::block_on(request::ask(world, &shop.id, &take))
        .unwrap()
        .unwrap();
}

#[test]
fn events_that_are_handed_over_again_are_told_once() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status"]);
    hand(&world, &shop, 0..10);
    hand(&world, &shop, 0..10);
    world.settle(SECOND_MS);
    hand(&world, &shop, 5..15);
    world.settle(HOUR_MS);
    let mut numbers: Vec<i64> = hits
        .borrow()
        .iter()
        .map(|hit| hit.body["data"]["n"].as_i64().unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..15).collect::<Vec<_>>());
}

#[test]
fn a_full_backlog_drops_the_oldest_and_the_log_has_them() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |count, _| answer(if count == 0 { 500 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    for at in 0..11 {
        hand(&world, &shop, at * 1_000..(at + 1) * 1_000);
    }
    let sql = world.webhook_sql(&shop.id);
    assert_eq!(one(&sql, "SELECT count(*) FROM delivery WHERE state = 0"), MAX_WAITING);
    let last = world
        .get(&shop.key, &format!("/webhook/{id}/deliveries?limit=1"))
        .expect(200);
    let pages = last.text("/meta/nextCursor");
    assert!(!pages.is_empty());
    let dropped = sql
        .exec("SELECT event FROM delivery WHERE state = 3 ORDER BY event", &[])
        .unwrap();
    assert_eq!(dropped.len(), 1_000);
    let oldest = dropped[0].text(0).unwrap();
    assert_eq!(oldest, events(0..1)[0]["id"].as_str().unwrap());
    world.settle(HOUR_MS);
    assert_eq!(hits.borrow().len(), 10_001);
    let redeliver = format!("/webhook/{id}/deliveries/{oldest}/redeliver");
    world.post(&shop.key, &redeliver, json!({})).expect(200);
    world.settle(SECOND_MS);
    assert_eq!(hits.borrow().last().unwrap().id, oldest);
}

#[test]
fn the_log_keeps_thirty_days_and_a_bounded_number_of_events() {
    let (world, shop) = World::with_account(0);
    let hits = listen(&world, |_, hit| {
        answer(if hit.body["data"]["n"] == 7 { 500 } else { 200 })
    });
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    hand(&world, &shop, 0..100);
    world.settle(MINUTE_MS);
    let sql = world.webhook_sql(&shop.id);
    let counts = || {
        (
            one(&sql, "SELECT count(*) FROM event"),
            one(&sql, "SELECT count(*) FROM delivery"),
        )
    };
    assert_eq!(counts(), (100, 100));
    // What waits is never forgotten because there is too much.
    sweep::forget_old(&*sql, world.now_ms.get(), 20).unwrap();
    assert_eq!(counts(), (21, 21));
    world.settle(29 * DAY_MS);
    assert_eq!(counts(), (21, 21));
    world.settle(DAY_MS + 2 * HOUR_MS);
    assert_eq!(counts(), (0, 0));
    assert_eq!(hits.borrow().len(), 109);
    // A deleted endpoint takes its log with it, in steps.
    hand(&world, &shop, 40 * DAY_MS..40 * DAY_MS + 5_000);
    world.settle(MINUTE_MS);
    assert_eq!(counts().1, 5_000);
    world
        .request("DELETE", &format!("/webhook/{id}"))
        .key(&shop.key)
        .send()
        .expect(204);
    world.settle(MINUTE_MS);
    assert_eq!(counts().1, 0);
    world.settle(45 * DAY_MS);
    assert_eq!(counts().0, 0);
}

#[test]
fn the_account_hears_of_a_change_although_the_first_call_is_lost() {
    let (world, shop) = World::with_account(10_000);
    let hits = listen(&world, |_, _| answer(200));
    world.sql(&shop.id).fail("INSERT INTO webhook", 1_000);
    endpoint(&world, &shop, &["message.status"]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    assert!(hits.borrow().is_empty());
    // What became true before it heard of the endpoint is not told.
    world.sql(&shop.id).fail("", 0);
    world.settle(MINUTE_MS);
    assert!(hits.borrow().is_empty());
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    assert_eq!(hits.borrow().len(), 1);
    // An older note that comes late changes nothing.
    let old = NoteWebhooks {
        version: 0,
        types: Vec::new(),
        low_balances: Vec::new(),
    };
    pollster::block_on(account::ask(&world, &shop.id, None, &old)).unwrap();
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    assert_eq!(hits.borrow().len(), 2);
}

#[test]
fn events_wait_a_week_for_a_webhook_object_that_fails() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |_, _| answer(200));
    endpoint(&world, &shop, &["message.status"]);
    let broken = world.webhook_sql(&shop.id);
    broken.fail("INSERT INTO event", u32::MAX);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    let sql = world.sql(&shop.id);
    let waiting = || one(&sql, "SELECT count(*) FROM event");
    assert_eq!((waiting(), hits.borrow().len()), (1, 0));
    world.advance(6 * DAY_MS);
    world.ring(&shop.id);
    assert_eq!(waiting(), 1);
    world.send(&shop.key, &["09121234568"]).expect(201);
    world.settle(MINUTE_MS);
    world.advance(DAY_MS);
    world.ring(&shop.id);
    assert_eq!(waiting(), 1, "the older one is given up");
    assert!(
        world
            .log
            .borrow()
            .iter()
            .any(|line| line.contains("events are given up"))
    );
    broken.fail("", 0);
    world.settle(MINUTE_MS);
    assert_eq!((waiting(), hits.borrow().len()), (0, 1));
    assert_eq!(
        hits.borrow()[0].recipients(),
        [("+989121234568".to_owned(), "DELIVERED".to_owned())]
    );
}

#[test]
fn no_statement_walks_through_the_log_or_the_outbox() {
    let (world, shop) = World::with_busy_account(1_000_000);
    listen(&world, |count, _| answer(if count % 3 == 0 { 500 } else { 200 }));
    let id = endpoint(&world, &shop, &["message.status", "wallet.low"]).text("/data/id");
    for _ in 0..5 {
        world.send(&shop.key, &["09121234567", "09121234901"]).expect(201);
    }
    world.settle(DAY_MS);
    let log = deliveries(&world, &shop, &id);
    let path = format!("/webhook/{id}/deliveries/{}/redeliver", log[0]["id"].as_str().unwrap());
    world.post(&shop.key, &path, json!({})).expect(200);
    world.settle(DAY_MS);
    for sql in [world.webhook_sql(&shop.id), world.sql(&shop.id)] {
        let is_first_row = |scan: &str| {
            scan.contains("EXISTS (SELECT 1 FROM event)") || (scan.contains(" LIMIT ") && !scan.contains(" WHERE "))
        };
        let mut scans = sql.scans();
        scans.retain(|scan| {
            let mut steps = scan.lines().map(str::trim);
            steps.any(|step| ["SCAN delivery", "SCAN d", "SCAN event", "SCAN e"].contains(&step)) && !is_first_row(scan)
        });
        assert_eq!(scans, Vec::<String>::new());
    }
}

#[test]
fn the_threshold_of_the_account_counts_for_endpoints_without_one_of_their_own() {
    let (world, shop) = World::with_busy_account(10_000);
    let hits = listen(&world, |_, _| answer(200));
    let told = || -> Vec<(String, i64)> {
        let hits = hits.borrow();
        let of_type = of_type(&hits, "wallet.low").into_iter();
        of_type
            .map(|hit| (hit.url.clone(), hit.body["data"]["threshold"].as_i64().unwrap()))
            .collect()
    };
    let spend = || {
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.settle(5 * SECOND_MS);
    };
    let (own, theirs) = (
        "/account/low-balance",
        format!("/admin/accounts/{}/low-balance", shop.id),
    );
    let put = |key: &str, path: &str, value: Value| {
        let request = world.request("PUT", path).key(key).json(json!({"lowBalance": value}));
        let answer = request.send().expect(200);
        assert_eq!(answer.json["data"], json!({"lowBalance": value, "unit": "IRR"}));
        world.settle(5 * SECOND_MS);
    };
    let shown = || {
        let seen = [world.get(&shop.key, own), world.get(&world.admin_key, &theirs)];
        let [one, other] = seen.map(|answer| answer.expect(200).json["data"]["lowBalance"].clone());
        assert_eq!(one, other);
        one
    };
    assert_eq!(shown(), Value::Null);
    let body = json!({"url": "https://a.example/", "events": ["wallet.low"]});
    let refused = world.post(&shop.key, "/webhook", body.clone()).problem(422, 422);
    assert_eq!(refused.extra(), ["lowBalance: is required"]);
    put(&shop.key, own, json!(9_000));
    assert_eq!(shown(), 9_000);
    world.post(&shop.key, "/webhook", body).expect(201);
    let body = json!({"url": "https://b.example/", "events": ["wallet.low"], "lowBalance": 6_000});
    world.post(&shop.key, "/webhook", body).expect(201);
    spend();
    assert_eq!(told(), []);
    spend();
    spend();
    assert_eq!(told(), [("https://a.example/".to_owned(), 9_000)], "once");
    // The operator moves it, and the balance of 7,000 is below it already.
    put(&world.admin_key, &theirs, json!(7_500));
    assert_eq!(shown(), 7_500);
    assert_eq!(told()[1..], [("https://a.example/".to_owned(), 7_500)]);
    spend();
    spend();
    assert_eq!(told()[2..], [("https://b.example/".to_owned(), 6_000)]);
    // Above it again, and below.
    let credit = format!("/admin/accounts/{}/credit", shop.id);
    for amount in [2_500, -1] {
        world
            .admin("POST", &credit, json!({"amount": amount, "note": "x"}))
            .expect(201);
        world.settle(5 * SECOND_MS);
    }
    assert_eq!(told()[3..], [("https://a.example/".to_owned(), 7_500)]);
    put(&shop.key, own, Value::Null);
    assert_eq!(shown(), Value::Null);
    for amount in [100_000, -100_000] {
        world
            .admin("POST", &credit, json!({"amount": amount, "note": "x"}))
            .expect(201);
        world.settle(5 * SECOND_MS);
    }
    assert_eq!(told().len(), 4, "nobody hears of a threshold that was taken away");
}

#[test]
fn a_threshold_that_is_none_is_refused_and_changes_nothing() {
    let (world, shop) = World::with_busy_account(10_000);
    let theirs = format!("/admin/accounts/{}/low-balance", shop.id);
    let missing = "/admin/accounts/019b796d-0000-7000-8000-000000000001/low-balance";
    let set = json!({"lowBalance": 5});
    world
        .request("PUT", &theirs)
        .key(&world.admin_key)
        .json(set.clone())
        .send()
        .expect(200);
    for body in [
        json!({}),
        json!({"lowBalance": 0}),
        json!({"lowBalance": "5"}),
        json!({"lowBalance": 1_000_000_000_000_001_i64}),
    ] {
        for (key, path) in [(&shop.key, "/account/low-balance"), (&world.admin_key, theirs.as_str())] {
            let refused = world
                .request("PUT", path)
                .key(key)
                .json(body.clone())
                .send()
                .problem(422, 422);
            assert_eq!(refused.text("/errors/0/pointer"), "/lowBalance", "{body}");
        }
    }
    world.get(&world.admin_key, missing).problem(404, 404);
    world
        .request("PUT", missing)
        .key(&world.admin_key)
        .json(set)
        .send()
        .problem(404, 404);
    let stranger = world.account("stranger", 0);
    assert_eq!(
        world.get(&stranger.key, "/account/low-balance").expect(200).json["data"]["lowBalance"],
        Value::Null
    );
    assert_eq!(
        world.get(&shop.key, "/account/low-balance").expect(200).json["data"]["lowBalance"],
        5
    );
}
