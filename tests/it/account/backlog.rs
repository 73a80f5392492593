//! More of everything than one go, one call, one bundle or one invocation takes.

use serde_json::json;

use crate::support::{Account, World, time::HOUR_MS};

fn numbers(count: u32) -> Vec<String> {
    (0..count).map(|number| format!("0912{number:04}100")).collect()
}

/// Every recipient is delivered and paid, and nothing is left to do.
#[track_caller]
fn assert_all_delivered(world: &World, shop: &Account, recipients: i64) {
    let delivered = "SELECT count(*) FROM recipient WHERE status = 4 AND money = 1";
    assert_eq!(world.number(shop, delivered), recipients);
    assert_eq!(world.count(shop, "recipient"), recipients);
    assert_eq!(world.count(shop, "message_status WHERE status <> 'DONE'"), 0);
    assert_eq!(world.count(shop, "chunk WHERE state <> 4"), 0);
    assert_eq!(world.balance(&shop.key).1, 0);
}

#[test]
fn scheduled_messages_start_together_however_many_there_are() {
    let (world, shop) = World::with_busy_account(100_000_000);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let send = |recipients: &[String]| {
        let body = json!({"message": "later", "recipients": recipients, "sendAt": at});
        world.posted(&shop.key, "/sms/send", body);
    };
    // More chunks than an alarm brings on in all its goes, and messages of several chunks across the bounds of a go.
    for number in numbers(199) {
        send(&[number]);
    }
    send(&numbers(1_000));
    for number in numbers(2_000) {
        send(&[number]);
    }
    send(&numbers(1_000));
    world.settle(HOUR_MS - 1);
    assert_eq!(world.count(&shop, "recipient WHERE status <> 0"), 0);
    world.settle(60_000);
    assert_all_delivered(&world, &shop, 199 + 1_000 + 2_000 + 1_000);
}

#[test]
fn a_message_that_has_started_does_not_go_back_when_its_later_chunks_start() {
    let (world, shop) = World::with_busy_account(10_000_000);
    world.report_later(10_000);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let body = json!({"message": "later", "recipients": numbers(1_000), "sendAt": at});
    world.posted(&shop.key, "/sms/send", body);
    let sql = world.sql(&shop.id);
    sql.run("UPDATE chunk SET due_ms = due_ms + 60000 WHERE number = 1");
    let status = || world.read(&shop.key, "/messages").text("/data/0/status");
    world.settle(HOUR_MS + 30_000);
    assert_eq!(status(), "SENDING");
    world.settle(30_000);
    world.ring(&shop.id);
    assert_eq!(status(), "SENDING");
    world.settle(60_000);
    assert_all_delivered(&world, &shop, 1_000);
}

#[test]
fn a_backlog_of_many_chunks_and_large_ones_is_handed_over_once() {
    let (world, shop) = World::with_busy_account(100_000_000);
    // Nothing is handed over meanwhile: more chunks than a bundle takes, and more recipients.
    for number in numbers(300) {
        world.send(&shop.key, &[&number]).expect(201);
    }
    let many = numbers(1_000);
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for _ in 0..4 {
        world.send(&shop.key, &many).expect(201);
    }
    world.settle(60_000);
    assert_all_delivered(&world, &shop, 4_300);
    assert!(world.inbox(&shop.id).values().all(|count| *count == (1, 0)));
}

#[test]
fn more_submissions_than_one_alarm_reports_are_all_reported() {
    let (world, shop) = World::with_busy_account(100_000_000);
    world.report_later(10_000);
    for number in numbers(1_100) {
        world.send(&shop.key, &[&number]).expect(201);
        world.work();
    }
    let waiting = world.sandbox_sql(&shop.id).run("SELECT count(*) FROM report")[0].int(0);
    assert_eq!(waiting.unwrap(), 1_100);
    world.settle(60_000);
    assert_all_delivered(&world, &shop, 1_100);
}

#[test]
fn more_calls_than_an_invocation_makes_go_on_in_the_next() {
    let (world, shop) = World::with_busy_account(100_000_000);
    let names: Vec<String> = (1..=600).map(|number| format!("carrier-{number}")).collect();
    world.add_sandboxes(&names.iter().map(String::as_str).collect::<Vec<_>>(), "{}");
    world.report_later(10_000);
    for number in numbers(600) {
        world.send(&shop.key, &[&number]).expect(201);
    }
    let sql = world.sql(&shop.id);
    let own =
        "UPDATE chunk SET queue = '@carrier-' || message || '/' || ?1, object = 'carrier-' || message || '/' || ?1";
    sql.run_with(own, &[shop.id.as_str().into()]);
    world.work();
    let handed = world.count(&shop, "recipient WHERE status = 3");
    assert_eq!(handed, 500, "as many calls as an invocation may make");
    world.settle(60_000);
    assert_all_delivered(&world, &shop, 600);
}

#[test]
fn no_statement_on_the_way_of_a_message_walks_through_a_table() {
    let (world, shop) = World::with_busy_account(100_000_000);
    let many = numbers(700);
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    world.send(&shop.key, &many).expect(201);
    for ending in ["901", "902", "903", "904", "905"] {
        world.send(&shop.key, &[&format!("09121234{ending}")]).expect(201);
    }
    world.settle(80 * HOUR_MS);
    let tables = "message recipient chunk ledger handover handed report number usage".split(' ');
    let tables: Vec<&str> = tables.collect();
    for sql in [world.sql(&shop.id), world.sandbox_sql(&shop.id)] {
        let mut walks = sql.walks(&tables);
        // A look for stuck chunks reads the indexes of those that wait, once an hour.
        walks.retain(|walk| !walk.contains("INDEXED BY"));
        assert!(walks.is_empty(), "{}", walks.join("\n"));
    }
}
