//! What a carrier took: its recipients, parts and cost in the usage, its name at each recipient, and one event for each.

mod random;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use peyk::account::chunk::reports::DeliveryReport;
use peyk::account::record::message::status::RecipientStatus;
use peyk::base::ports::{IncomingResponse, OutgoingRequest};
use peyk::carrier::reports;
use serde_json::{Value, json};

use crate::support::smpp::{DELIVERED, has, number, world};
use crate::support::smsc::Reply;
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, life::Life, to_end, whole};

/// The bodies that a receiver was told, by the ids of their events.
type Told = Rc<RefCell<BTreeMap<String, Value>>>;

/// Lets an endpoint note what it is told about recipients.
fn listen(world: &World, shop: &Account) -> Told {
    listen_beside(world, shop, |_| None)
}

/// The same, beside somebody who answers other requests.
fn listen_beside(
    world: &World,
    shop: &Account,
    other: impl Fn(&OutgoingRequest) -> Option<IncomingResponse> + 'static,
) -> Told {
    let told = Told::default();
    let noted = Rc::clone(&told);
    world.receive(move |request| {
        if !request.headers.iter().any(|(name, _)| *name == "webhook-id") {
            return other(request).map(Ok);
        }
        let body: Value = serde_json::from_str(&request.body).unwrap();
        noted.borrow_mut().insert(body["id"].as_str().unwrap().to_owned(), body);
        Some(Ok(IncomingResponse {
            status: 200,
            retry_after: None,
            body: String::new(),
        }))
    });
    let endpoint = json!({"url": "https://shop.example/", "events": ["message.status", "message.submitted"]});
    world.posted(&shop.key, "/webhook", endpoint);
    told
}

/// What each recipient was told of, in the order of the events' ids.
fn statuses_told(told: &Told) -> BTreeMap<String, Vec<String>> {
    let mut by_recipient: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for body in told.borrow().values() {
        for recipient in body["data"]["recipients"].as_array().unwrap() {
            let text = |name: &str| recipient[name].as_str().unwrap().to_owned();
            by_recipient.entry(text("uid")).or_default().push(text("status"));
        }
    }
    by_recipient
}

/// The sums of `GET /admin/usage?by=carrier`, by carrier: messages, recipients, parts, cost, delivered.
fn by_carrier(world: &World, query: &str) -> BTreeMap<String, [i64; 5]> {
    let page = world.look(&format!("/admin/usage?by=carrier&{query}"));
    let sums = page.items().iter().map(|item| {
        let members = ["messages", "recipients", "parts", "cost", "delivered"];
        let counts = members.map(|name| item[name].as_i64().unwrap());
        (item["key"].as_str().unwrap().to_owned(), counts)
    });
    sums.collect()
}

#[test]
fn recipients_whose_reports_come_before_their_chunks_answer_are_the_carriers() {
    let (world, shop, smsc) = world(json!({"window": 50}));
    let life = Life::of(&world);
    let told = listen(&world, &shop);
    // The answer of a chunk comes when its last recipient has left; the first ones are delivered long before.
    smsc.answer(|_, _| Reply::ReceiptFirst("id:{id} stat:DELIVRD", SECOND_MS));
    let all: Vec<String> = (0..600).map(number).collect();
    let body = json!({"message": "hello", "recipients": all, "sourceNumber": "20002"});
    world.posted(&shop.key, "/sms/send", body);
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 600));
    life.settle(3 * MINUTE_MS);
    let unnamed = world.count(&shop, "recipient WHERE carrier IS NOT 'mci'");
    assert_eq!(unnamed, 0, "recipients that show another carrier or none");
    let sums = by_carrier(&world, "");
    assert_eq!(sums["mci"], [0, 600, 600, 600_000, 600]);
    assert_eq!(sums[""], [1, 0, 0, 0, 0]);
    let statuses = statuses_told(&told);
    assert_eq!(statuses.len(), 600);
    let wanted = ["SUBMITTED", "DELIVERED"];
    let wrong: Vec<_> = statuses.iter().filter(|(_, told)| **told != wanted).collect();
    assert!(wrong.is_empty(), "{} like {:?}", wrong.len(), wrong.first());
}

#[test]
fn a_report_says_which_carrier_took_a_recipient_of_whom_nobody_knew() {
    let (world, shop) = World::with_busy_account(100_000);
    let told = listen(&world, &shop);
    // Nobody knows whether any carrier has it, because no call was answered.
    world.carriers_are_down.set(true);
    let uid = world.sent(&shop.key, &["09121234567", "09121234568", "09121234569"]);
    world.settle(4 * HOUR_MS);
    assert_eq!(world.count(&shop, "recipient WHERE status = 2 AND carrier IS NULL"), 3);
    // Who waits for too long gets the money back; a report still comes.
    let report = |carrier: &str, status: RecipientStatus, index: u32| {
        let report = DeliveryReport {
            is_presumed: false,
            message: 1,
            status,
            indexes: vec![index],
            cause: None,
        };
        let reported = reports::report(&world, carrier, &shop.id, vec![report]);
        to_end(reported).unwrap()
    };
    report("other", RecipientStatus::Delivered, 0);
    world.settle(80 * HOUR_MS);
    report("late", RecipientStatus::Expired, 1);
    // A report that comes twice, or by somebody else, changes nothing.
    report("other", RecipientStatus::Expired, 1);
    world.settle(3 * MINUTE_MS);
    let rows = world.rows(&shop, &whole("SELECT json_array(carrier, recipients, parts, cost, returned, delivered, expired, unknown) FROM all_usage ORDER BY carrier"));
    let rows: Vec<String> = rows.iter().map(|row| row.text(0).unwrap()).collect();
    let wanted = [
        r#"["",3,3,3000,1000,0,0,1]"#,
        r#"["late",1,1,1000,1000,0,1,0]"#,
        r#"["other",1,1,1000,0,1,0,0]"#,
    ];
    assert_eq!(rows, wanted);
    let told = statuses_told(&told);
    assert_eq!(told[&format!("{uid}.0")], ["UNKNOWN", "SUBMITTED", "DELIVERED"]);
    assert_eq!(told[&format!("{uid}.1")], ["UNKNOWN", "SUBMITTED", "EXPIRED"]);
    assert_eq!(told[&format!("{uid}.2")], ["UNKNOWN"]);
    let checked = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    assert_eq!(checked.items()[0]["now"]["differences"], json!([]), "{}", checked.body);
}

#[test]
fn the_sums_of_carriers_and_of_none_are_what_was_accepted() {
    let (world, shop) = World::with_busy_account(1_000_000);
    world.add_sandboxes(&["other"], "{}");
    let routes = json!({"routes": [{"prefixes": ["98912"], "carriers": [{"name": "other"}]},
        {"prefixes": [], "carriers": [{"name": "sandbox"}]}]});
    world.change("/admin/lines/10001", routes);
    let long = "x".repeat(161);
    // One is delivered by each carrier, one is refused, and one waits for tomorrow.
    let messages = json!([{"recipient": "09121234567", "message": long}, {"recipient": "09351234567", "message": "a"},
        {"recipient": "09351234901", "message": long}]);
    world.posted(&shop.key, "/sms/bulk", json!({ "messages": messages }));
    let later = json!({"message": "x", "recipients": ["09121234569"], "sendAt": "2026-01-03T12:00:00Z"});
    world.posted(&shop.key, "/sms/send", later);
    world.settle(3 * MINUTE_MS);
    let row = |sums: &BTreeMap<String, [i64; 5]>, carrier: &str| sums[carrier];
    let sums = by_carrier(&world, "");
    assert_eq!(sums.len(), 3);
    assert_eq!(row(&sums, ""), [2, 2, 3, 3_000, 0]);
    assert_eq!(row(&sums, "other"), [0, 1, 2, 2_000, 1]);
    assert_eq!(row(&sums, "sandbox"), [0, 1, 1, 1_000, 1]);
    // Pages, accounts and filters show the same.
    for filter in ["", "other", "sandbox"] {
        let sums = by_carrier(&world, &format!("carrier={filter}"));
        assert_eq!(sums.keys().collect::<Vec<_>>(), [filter]);
        assert_eq!(row(&sums, filter), row(&by_carrier(&world, ""), filter), "{filter:?}");
        let of_account = by_carrier(&world, &format!("account={}&carrier={filter}", shop.id));
        assert_eq!(of_account, sums);
        for by in ["day", "line", "account"] {
            let page = world.look(&format!("/admin/usage?by={by}&carrier={filter}"));
            let counts = ["messages", "recipients", "parts", "cost", "delivered"];
            let counts = counts.map(|name| page.items()[0][name].as_i64().unwrap());
            assert_eq!(counts, row(&sums, filter), "{by} {filter:?}");
        }
    }
    let (mut path, mut paged) = ("/admin/usage?by=carrier&limit=1".to_owned(), Vec::new());
    loop {
        let page = world.look(&path);
        paged.extend(page.items().iter().map(|item| item["recipients"].as_i64().unwrap()));
        match page.json["meta"]["nextCursor"].as_str() {
            Some(cursor) => path = format!("/admin/usage?by=carrier&limit=1&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(paged, [2, 1, 1]);
    let walks = world.db.walks(&["usage"]);
    assert!(walks.is_empty(), "{walks:#?}");
}
