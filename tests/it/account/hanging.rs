//! An outside that never answers: no alarm waits for it for longer than a minute (`Life` holds that), and when it is back,
//! nothing is lost.

use peyk::base::time::to_rfc3339;
use serde_json::json;

use crate::support::smpp::{DELIVERED, deliver_all, has, number, send, world};
use crate::support::smsc::receipt;
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, life::Life};

#[test]
fn receivers_that_hang_hold_up_no_alarm() {
    let (world, shop) = World::with_busy_account(10_000_000);
    for number in 0..5 {
        let url = format!("https://shop{number}.example/hook");
        world.posted(&shop.key, "/webhook", json!({"url": url, "events": ["message.status"]}));
    }
    let life = Life::of(&world);
    for number in 0..40 {
        world.sent(&shop.key, &[&format!("0912{number:07}")]);
    }
    life.settle(MINUTE_MS);
    let sql = world.webhook_sql(&shop.id);
    assert!(sql.count("delivery") >= 100);
    world.outside_hangs.set(true);
    for _ in 0..4 {
        sql.run("UPDATE delivery SET state = 0, due_ms = 0, failures = 0");
        sql.run("UPDATE endpoint SET held_ms = 0, active = 1");
        life.settle(10 * MINUTE_MS);
    }
    assert!(sql.number("SELECT max(attempts) FROM delivery") > 1);
}

#[test]
fn accounts_that_hang_hold_up_no_alarm_of_a_carrier_and_get_their_reports_later() {
    let (world, first, smsc) = world(json!({}));
    let shops: Vec<Account> = (0..12)
        .map(|index| world.account(&format!("shop{index}"), 100_000))
        .collect();
    let life = Life::of(&world);
    for (index, shop) in shops.iter().enumerate() {
        send(&world, shop, "hello", index..index + 1);
    }
    send(&world, &first, "hello", 12..40);
    life.settle_until(MINUTE_MS, || smsc.taken().len() == 40);
    life.settle(MINUTE_MS);
    world.outside_hangs.set(true);
    deliver_all(&smsc, 0);
    life.settle(3 * MINUTE_MS);
    // The reports are safe, so the SMSC has its answers.
    assert_eq!(smsc.confirmed().len(), 40);
    world.outside_hangs.set(false);
    let all_have = || shops.iter().all(|shop| has(&world, shop, DELIVERED, 1));
    life.settle_until(HOUR_MS, || all_have() && has(&world, &first, DELIVERED, 28));
}

#[test]
fn a_webhook_object_that_hangs_holds_up_no_alarm_of_its_account() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let body = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", body);
    let life = Life::of(&world);
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.outside_hangs.set(true);
    life.settle(10 * MINUTE_MS);
    world.outside_hangs.set(false);
    life.settle_until(HOUR_MS, || {
        world.message(&shop.key, &uid).text("/data/status") == "DONE"
    });
    life.settle(MINUTE_MS);
    assert!(world.webhook_sql(&shop.id).count("delivery") > 0);
}

#[test]
fn a_directory_that_hangs_holds_up_no_alarm_of_an_account() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let life = Life::of(&world);
    life.settle(10 * MINUTE_MS);
    // The account has an entry for the audit log, a new balance and usage to tell.
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09129999999"]}));
    world.sent(&shop.key, &["09121234567"]);
    world.db.hangs.set(true);
    life.settle(10 * MINUTE_MS);
    // An object that begins anew asks the directory first.
    world.kill();
    life.settle(10 * MINUTE_MS);
    world.db.hangs.set(false);
    life.settle(10 * MINUTE_MS);
    world.assert_mirrored(&shop);
    let entries = world.look("/admin/audit?operation=AddToBlacklist");
    assert_eq!(entries.items().len(), 1);
}

#[test]
fn an_outside_that_hangs_as_a_whole_holds_up_no_alarm_of_a_webhook_object() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let life = Life::of(&world);
    let endpoint = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    let id = world.posted(&shop.key, "/webhook", endpoint).text("/data/id");
    world.sent(&shop.key, &["09121234567", "09121234568"]);
    life.settle(MINUTE_MS);
    let sql = world.webhook_sql(&shop.id);
    sql.run("UPDATE delivery SET state = 0, due_ms = 0, failures = 0");
    // It has to tell the account's object, the audit log and the receiver.
    world.failing_request.set(Some("NoteWebhooks"));
    let other = json!({"url": "https://shop.example/hook", "events": ["message.status", "message.submitted"]});
    world.put(&shop.key, &format!("/webhook/{id}"), other).expect(200);
    world.failing_request.set(None);
    world.outside_hangs.set(true);
    world.db.hangs.set(true);
    life.settle(10 * MINUTE_MS);
    assert!(sql.number("SELECT max(attempts) FROM delivery") > 1);
    world.outside_hangs.set(false);
    world.db.hangs.set(false);
    world.receive(|_| {
        Some(Ok(peyk::base::ports::IncomingResponse {
            status: 200,
            retry_after: None,
            body: String::new(),
        }))
    });
    life.settle_until(24 * HOUR_MS, || sql.count("delivery WHERE state = 0") == 0);
    assert_eq!(sql.count("webhook WHERE version > told"), 0);
    assert_eq!(world.look("/admin/audit?thing=webhook").items().len(), 2);
}

#[test]
fn accounts_that_hang_hold_up_no_alarm_that_has_reports_and_messages_from_phones() {
    let (world, first, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [first.id]});
    world.create("/admin/lines", line);
    let shops: Vec<Account> = (0..24)
        .map(|index| world.account(&format!("shop{index}"), 100_000))
        .collect();
    let life = Life::of(&world);
    for (index, shop) in shops.iter().enumerate() {
        send(&world, shop, "hello", index..index + 1);
    }
    life.settle_until(MINUTE_MS, || smsc.taken().len() == 24);
    world.outside_hangs.set(true);
    deliver_all(&smsc, 0);
    for index in 0..30 {
        let mut message = receipt("hello", &number(index));
        message.esm_class = 0;
        message.destination.number = "20003".to_owned();
        smsc.deliver(0, &message);
    }
    let sql = world.carrier_sql("mci", "0");
    life.settle_until(MINUTE_MS, || {
        sql.count("inbound_message") == 30 && smsc.confirmed().len() == 54
    });
    life.settle(MINUTE_MS);
    life.kill();
    sql.run("UPDATE report_delay SET until_ms = 0");
    sql.run("UPDATE inbound_message SET due_ms = 0");
    life.settle(3 * MINUTE_MS);
    world.outside_hangs.set(false);
    let all_have = || shops.iter().all(|shop| has(&world, shop, DELIVERED, 1));
    life.settle_until(HOUR_MS, || all_have() && world.count(&first, "inbound") == 30);
}

#[test]
fn while_the_directory_hangs_an_account_looks_seldom_and_what_memory_tells_leaves() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let lines = ["10001", "10002"];
    world.share_line(lines[1], "sandbox", &["WEBSERVICE"]);
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    let scheduled = lines.map(|line| {
        let body = json!({"message": "later", "recipients": ["09121234567"], "sourceNumber": line, "sendAt": at});
        world.posted(&shop.key, "/sms/send", body).text("/data/uid")
    });
    let life = Life::of(&world);
    life.settle(HOUR_MS - 5 * SECOND_MS);
    // Now memory tells of the first line.
    world.sent(&shop.key, &["09121234568"]);
    life.settle(4 * SECOND_MS);
    world.db.hangs.set(true);
    life.settle(3 * SECOND_MS);
    assert_eq!(world.sandbox_sql(&shop.id).count("handed"), 2);
    life.settle(MINUTE_MS);
    let looks = world
        .log
        .borrow()
        .iter()
        .filter(|line| line.contains("did not tell a carrier"))
        .count();
    assert!((2..=6).contains(&looks), "{looks} looks in a minute");
    world.db.hangs.set(false);
    life.settle(HOUR_MS);
    for uid in scheduled {
        assert_eq!(world.message(&shop.key, &uid).text("/data/status"), "DONE");
    }
}
