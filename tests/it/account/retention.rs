//! Nothing that an account keeps grows without bound: old messages go, ended keys go, and what stays is counted by day.

use peyk::account::chunk::reports::DeliveryReport;
use peyk::account::record::message::status::RecipientStatus;
use peyk::auth;
use peyk::base::ports::Sql;
use serde_json::{Value, json};

use crate::support::{Account, World, time::DAY_MS, to_end, whole};

fn key(world: &World, shop: &Account, body: Value) -> (String, String) {
    let issued = world.create(&shop.path("/keys"), body);
    (issued.text("/data/id"), issued.text("/data/key"))
}

fn numbers(count: u32) -> Vec<String> {
    (0..count).map(|number| format!("0912{number:04}100")).collect()
}

/// Rows of messages: `[messages, recipients, own texts, chunks]`.
fn kept(world: &World, shop: &Account) -> [i64; 4] {
    ["message", "recipient", "recipient_text", "chunk"].map(|table| world.count(shop, table))
}

#[test]
fn an_ended_message_goes_with_all_that_belongs_to_it_and_the_ledger_stays() {
    let (world, shop) = World::with_busy_account(10_000);
    let body = json!({"messages": [{"recipient": "09120000100", "message": "a"},
        {"recipient": "09120000901", "message": "b"}]});
    let uid = world.posted(&shop.key, "/sms/bulk", body).text("/data/uid");
    world.settle(90 * DAY_MS - 1_000);
    assert_eq!(kept(&world, &shop), [1, 2, 2, 1]);
    let ledger = world.read(&shop.key, "/account/transactions");
    assert_eq!(ledger.json["data"][0]["message"], json!(uid));
    world.settle(2 * DAY_MS);
    assert_eq!(kept(&world, &shop), [0; 4]);
    world.get(&shop.key, &format!("/messages/{uid}")).refused(404);
    assert_eq!(world.read(&shop.key, "/messages").json["data"], json!([]));
    let entries = world.read(&shop.key, "/account/transactions").json["data"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 4, "credit, reserve, settle, release");
    assert_eq!(entries[0]["message"], Value::Null);
    assert_eq!(world.balance(&shop.key), (9_000, 0));
}

#[test]
fn a_late_report_about_a_forgotten_message_moves_nothing_of_a_newer_one() {
    let (world, shop) = World::with_busy_account(10_000);
    world.send(&shop.key, &["09120000903"]).expect(201);
    world.settle(92 * DAY_MS);
    assert_eq!(kept(&world, &shop), [0; 4]);
    // The carrier keeps this one waiting: it is QUEUED.
    world.carriers_are_down.set(true);
    let uid = world.sent(&shop.key, &["09120000100"]);
    let report = DeliveryReport {
        is_presumed: false,
        message: 1,
        status: RecipientStatus::Delivered,
        indexes: vec![0],
        cause: None,
    };
    let told = peyk::carrier::reports::report(&world, "sandbox", &shop.id, vec![report]);
    to_end(told).unwrap();
    assert_eq!(world.message(&shop.key, &uid).text("/data/status"), "QUEUED");
}

#[test]
fn test_messages_go_after_a_week_and_live_ones_stay() {
    let (world, shop) = World::with_busy_account(10_000);
    let (_, test_key) = key(&world, &shop, json!({"title": "test", "mode": "test"}));
    for recipient in ["09120000100", "09120000901", "09120000904"] {
        world.send(&test_key, &[recipient]).expect(201);
        world.send(&shop.key, &[recipient]).expect(201);
    }
    world.settle(7 * DAY_MS - 1_000);
    assert_eq!(kept(&world, &shop)[0], 6);
    world.settle(DAY_MS + 2_000);
    assert_eq!(kept(&world, &shop)[0], 3);
    assert_eq!(world.count(&shop, "message WHERE test = 1"), 0);
    assert_eq!((world.count(&shop, "test_message"), test_bytes(&world, &shop)), (0, 0));
}

/// What the account says that its test messages take.
fn test_bytes(world: &World, shop: &Account) -> i64 {
    world.number(shop, "SELECT test_bytes FROM account")
}

#[test]
fn what_test_messages_take_is_counted_and_never_too_little() {
    let (world, shop) = World::with_busy_account(10_000);
    let (_, test_key) = key(&world, &shop, json!({"title": "test", "mode": "test"}));
    let size = || world.sql(&shop.id).size_bytes().unwrap();
    world.send(&test_key, &["09120000100"]).expect(201);
    world.settle(5_000);
    let (taken, counted) = (size(), test_bytes(&world, &shop));
    let texts = |count: u32| -> Vec<Value> {
        let text = |number: String| json!({"recipient": number, "message": "z".repeat(150)});
        numbers(count).into_iter().map(text).collect()
    };
    for _ in 0..40 {
        world.posted(
            &test_key,
            "/sms/send",
            json!({"message": "سلام".repeat(100), "recipients": numbers(1)}),
        );
        world.posted(
            &test_key,
            "/sms/send",
            json!({"message": "x", "recipients": numbers(500)}),
        );
        world.posted(&test_key, "/sms/bulk", json!({"messages": texts(300)}));
        world.settle(5_000);
    }
    let (taken, counted) = (size() - taken, test_bytes(&world, &shop) - counted);
    assert!(
        (taken..taken * 3).contains(&counted),
        "{taken} bytes, and {counted} are counted"
    );
    assert_eq!(
        counted,
        world.number(&shop, "SELECT sum(bytes) FROM test_message WHERE message > 1")
    );
}

#[test]
fn the_oldest_test_messages_go_when_they_take_too_much_and_live_ones_stay() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let (_, test_key) = key(&world, &shop, json!({"title": "test", "mode": "test"}));
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let later = json!({"message": "x", "recipients": ["09120000100"], "sendAt": at});
    let live = world.posted(&shop.key, "/sms/send", later.clone()).text("/data/uid");
    world.posted(&test_key, "/sms/send", later);
    for _ in 0..1_300 {
        world.send(&test_key, &["09120000100"]).expect(201);
    }
    world.sent(&shop.key, &["09120000100"]);
    world.settle(5_000);
    assert_eq!(kept(&world, &shop)[0], 1_303);
    // As if each were as large as one can be.
    let sql = world.sql(&shop.id);
    sql.run_with("UPDATE test_message SET bytes = 100000", &[]);
    sql.run_with(
        "UPDATE account SET test_bytes = (SELECT sum(bytes) FROM test_message)",
        &[],
    );
    let newest = world.sent(&test_key, &["09120000100"]);
    world.settle(5_000);
    // More than one go forgets are gone: 499 of 100,000 bytes and the newest, which is small, take less than 50 MB.
    assert_eq!(world.count(&shop, "test_message"), 500);
    assert_eq!(
        test_bytes(&world, &shop),
        world.number(&shop, "SELECT sum(bytes) FROM test_message")
    );
    assert!((49_900_000..=50_000_000).contains(&test_bytes(&world, &shop)));
    assert_eq!(world.count(&shop, "message WHERE test = 1"), 500);
    assert_eq!(
        world.number(&shop, "SELECT min(message) FROM test_message"),
        1_302 - 498
    );
    assert_eq!(world.all(&test_key, "/messages?limit=200")[0]["uid"], json!(newest));
    assert_eq!(world.message(&shop.key, &live).text("/data/status"), "SCHEDULED");
    world.settle(2 * DAY_MS);
    assert_eq!(world.message(&shop.key, &live).text("/data/status"), "DONE");
    assert_eq!(world.all(&shop.key, "/messages?limit=200").len(), 2);
}

#[test]
fn more_messages_than_one_alarm_forgets_all_go_and_those_that_wait_stay() {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let at = |days: i64| peyk::base::time::to_rfc3339(world.now_ms.get() + days * DAY_MS);
    // More than a go looks at, and they stand before all others.
    let late = at(89);
    for number in numbers(700) {
        let body = json!({"message": "later", "recipients": [number], "sendAt": late});
        world.posted(&shop.key, "/sms/send", body);
    }
    for number in numbers(600) {
        world.send(&shop.key, &[&number]).expect(201);
    }
    let body = json!({"message": "many", "recipients": numbers(1_000)});
    // More recipients than all goes of an alarm forget.
    for _ in 0..25 {
        world.posted(&shop.key, "/sms/send", body.clone());
    }
    world.settle(88 * DAY_MS);
    assert_eq!(kept(&world, &shop)[..2], [1_325, 26_300]);
    world.settle(4 * DAY_MS);
    let now = kept(&world, &shop);
    assert_eq!(now[..2], [700, 700], "sent on the 89th day, and kept from then on");
    world.settle(88 * DAY_MS);
    assert_eq!(kept(&world, &shop), [0; 4]);
    assert_eq!(world.balance(&shop.key), (1_000_000_000 - 26_300_000, 0));
}

#[test]
fn nothing_that_keeps_an_account_small_walks_through_a_table() {
    let (world, shop) = World::with_busy_account(100_000);
    let (_, test_key) = key(&world, &shop, json!({"title": "test", "mode": "test"}));
    for key in [&shop.key, &test_key] {
        world.send(key, &["09120000100", "09120000904"]).expect(201);
    }
    world.settle(95 * DAY_MS);
    let sql = world.sql(&shop.id);
    let walks = sql.walks(&["message", "recipient", "recipient_text", "chunk", "ledger", "usage"]);
    assert!(walks.is_empty(), "{}", walks.join("\n"));
    assert_eq!(kept(&world, &shop), [0; 4]);
}

#[test]
fn one_alarm_forgets_a_bounded_number_of_messages() {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let body = json!({"message": "many", "recipients": numbers(1_000)});
    for _ in 0..50 {
        world.posted(&shop.key, "/sms/send", body.clone());
    }
    world.settle(89 * DAY_MS);
    world.advance(3 * DAY_MS);
    world.ring(&shop.id);
    // Ten goes of two thousand recipients each.
    assert_eq!(kept(&world, &shop)[0], 30);
    world.ring(&shop.id);
    assert_eq!(kept(&world, &shop)[0], 10);
}

#[test]
fn a_deployment_sets_how_long_messages_are_kept_and_a_bad_setting_forgets_nothing() {
    let (world, shop) = World::with_busy_account(10_000);
    let uid = world.sent(&shop.key, &["09120000100"]);
    world.set("RETENTION_DAYS", Some("three"));
    world.advance(200 * DAY_MS);
    world.ring(&shop.id);
    assert_eq!(kept(&world, &shop)[0], 1);
    assert!(world.has_logged("RETENTION_DAYS"));
    world.set("RETENTION_DAYS", Some("300"));
    world.settle(99 * DAY_MS);
    world.message(&shop.key, &uid);
    world.settle(2 * DAY_MS);
    world.get(&shop.key, &format!("/messages/{uid}")).refused(404);
}

#[test]
fn a_retry_is_answered_for_as_long_as_its_key_is_kept() {
    let (world, shop) = World::with_busy_account(10_000);
    world.set("RETENTION_DAYS", Some("2"));
    let body = json!({"message": "hello", "recipients": ["09120000100"]});
    let send = || {
        let request = world.ask("POST", &shop.key, "/sms/send").idempotency_key("order-1");
        request.json(body.clone()).send().expect(201).text("/data/uid")
    };
    let uid = send();
    world.settle(DAY_MS - 1);
    assert_eq!(send(), uid);
    world.settle(1);
    assert_ne!(send(), uid);
    world.settle(4 * DAY_MS);
    assert_eq!(kept(&world, &shop), [0; 4]);
}

/// The usage that the object keeps, and what the directory mirrors: each a list of rows without their versions.
fn usage(world: &World, shop: &Account) -> (Vec<Value>, Vec<Value>) {
    let columns = "day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, undelivered, expired, \
                   rejected, unknown, canceled";
    let rows = |sql: &dyn Fn(&str) -> Vec<peyk::base::ports::Row>, table: &str| -> Vec<Value> {
        let query = format!("SELECT json_array({columns}) FROM {table} ORDER BY day, line, carrier, test");
        let rows = sql(&query);
        rows.iter()
            .map(|row| serde_json::from_str(&row.text(0).unwrap()).unwrap())
            .collect()
    };
    let object = world.sql(&shop.id);
    (
        rows(&|query| object.run(&whole(query)), "all_usage"),
        rows(
            &|query| world.db.run(query),
            &format!("usage WHERE account = '{}'", shop.id),
        ),
    )
}

#[test]
fn usage_counts_each_message_on_its_day_by_line_and_ending() {
    let (world, shop) = World::with_busy_account(100_000);
    world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
    let (_, test_key) = key(&world, &shop, json!({"title": "test", "mode": "test"}));
    let day = world.now_ms.get() / DAY_MS;
    let endings = "09120000100 09120000901 09120000902 09120000903 09120000904".split(' ');
    world.send(&shop.key, &endings.collect::<Vec<_>>()).expect(201);
    let long = "x".repeat(161);
    let body = json!({"messages": [{"recipient": "09120000101", "message": "a"},
        {"recipient": "09120000102", "message": long}]});
    world.posted(&shop.key, "/sms/bulk", body);
    let later = peyk::base::time::to_rfc3339(world.now_ms.get() + 5 * DAY_MS);
    let body = json!({"message": "later", "recipients": ["09120000100"], "sendAt": later});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    world.send(&test_key, &["09120000100"]).expect(201);
    world.settle(DAY_MS);
    world.delete(&shop.key, &format!("/messages/{uid}")).expect(200);
    world.send(&shop.key, &["09120000100"]).expect(201);
    world.settle(5 * DAY_MS);
    let expected = vec![
        // Accepted: 5 + 2 + 1 recipients. One was canceled, and its price came back.
        json!([day, "10001", "", 0, 3, 8, 9, 9_000, 1_000, 0, 0, 0, 0, 0, 1]),
        json!([day, "10001", "", 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0]),
        // Taken: 5 recipients, of whom one has two parts. Delivered 3, undelivered 1 (its price came back), expired 1, rejected 1 (its price came back),
        // unknown 1 (its price came back after three days).
        json!([day, "10001", "sandbox", 0, 0, 5, 6, 6_000, 3_000, 3, 1, 1, 1, 1, 0]),
        json!([day + 1, "10001", "", 0, 1, 1, 1, 1_000, 0, 0, 0, 0, 0, 0, 0]),
        json!([day + 1, "10001", "sandbox", 0, 0, 1, 1, 1_000, 0, 1, 0, 0, 0, 0, 0]),
    ];
    let (object, mirror) = usage(&world, &shop);
    assert_eq!(object, expected);
    assert_eq!(mirror, expected);
    world.settle(100 * DAY_MS);
    assert_eq!(kept(&world, &shop), [0; 4]);
    let wanted = (expected.clone(), expected);
    assert_eq!(usage(&world, &shop), wanted, "usage outlives the messages");
}

#[test]
fn usage_that_the_directory_could_not_take_is_mirrored_later_however_much_it_is() {
    let (world, shop) = World::with_busy_account(100_000);
    world.send(&shop.key, &["09120000100"]).expect(201);
    world.settle(DAY_MS);
    world.send(&shop.key, &["09120000100"]).expect(201);
    world.db.is_down.set(true);
    let sql = world.sql(&shop.id);
    // More rows than one go writes.
    let many = "INSERT INTO usage (day, line, carrier, test, messages) SELECT u.day, 'line-' || value, 'sandbox', 0, value FROM (SELECT min(day) AS day FROM usage) u, \
         (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1200) SELECT value FROM n)";
    sql.run(many);
    world.settle(600_000);
    assert_eq!(usage(&world, &shop).1.len(), 2);
    world.db.is_down.set(false);
    world.settle(600_000);
    let (object, mirror) = usage(&world, &shop);
    assert_eq!(object.len(), 1_204);
    assert_eq!(mirror, object);
}

#[test]
fn a_late_write_of_usage_does_not_replace_a_newer_one() {
    let (world, shop) = World::with_busy_account(100_000);
    let row = |messages: i64, version: i64| {
        let row = json!([[
            1, "10001", "sandbox", 0, messages, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, version
        ]]);
        to_end(peyk::directory::usage::mirror(&world.db, &shop.id, &row.to_string())).unwrap();
        usage(&world, &shop).1[0][4].clone()
    };
    assert_eq!(row(5, 3), 5);
    assert_eq!(row(4, 2), 5);
    assert_eq!(row(4, 3), 5);
    assert_eq!(row(6, 4), 6);
}

#[test]
fn ended_keys_are_listed_for_a_month_and_then_pruned() {
    let (world, shop) = World::with_busy_account(0);
    let path = shop.path("/keys");
    let soon = peyk::base::time::to_rfc3339(world.now_ms.get() + 1_000);
    // More than are pruned in one go.
    for number in 0..150 {
        world.create(&path, json!({"title": format!("key {number}"), "expiresAt": soon}));
    }
    let (revoked, secret) = key(&world, &shop, json!({"title": "revoked"}));
    let answer = world.admin("DELETE", &format!("{path}/{revoked}"), json!({}));
    answer.expect(204);
    let listed = || world.count(&shop, "api_key");
    world.settle(29 * DAY_MS);
    assert_eq!(listed(), 152);
    world.settle(3 * DAY_MS);
    assert_eq!(listed(), 1, "the shop's own key");
    world.get(&secret, "/account/info").refused(401);
    world.read(&shop.key, "/account/info");
}

#[test]
fn a_revoked_key_whose_record_stayed_in_kv_is_never_accepted_again() {
    let (world, shop) = World::with_busy_account(0);
    let path = shop.path("/keys");
    let (id, secret) = key(&world, &shop, json!({"title": "revoked"}));
    let record = world.keys.borrow()[&auth::digest(&secret)].clone();
    world.admin("DELETE", &format!("{path}/{id}"), json!({})).expect(204);
    // As if the process had died between the object and KV.
    world.keys.borrow_mut().insert(auth::digest(&secret), record);
    for _ in 0..45 {
        world.get(&secret, "/account/info").refused(401);
        world.settle(DAY_MS);
    }
    assert_eq!(world.count(&shop, "api_key"), 1);
    assert!(!world.keys.borrow().contains_key(&auth::digest(&secret)));
}

#[test]
fn pruning_a_key_leaves_one_alone_that_was_imported_again() {
    let (world, shop) = World::with_busy_account(0);
    let path = shop.path("/keys");
    let import = || {
        key(
            &world,
            &shop,
            json!({"title": "imported", "key": "an-old-key-of-another-service"}),
        )
    };
    let (first, secret) = import();
    world.admin("DELETE", &format!("{path}/{first}"), json!({})).expect(204);
    import();
    world.settle(40 * DAY_MS);
    world.read(&secret, "/account/info");
    assert_eq!(world.count(&shop, "api_key"), 2);
}

#[test]
fn operators_see_how_large_an_account_is_and_the_log_warns_in_time() {
    let (world, shop) = World::with_busy_account(10_000);
    let path = shop.path("");
    let storage = || world.look(&path).json["data"]["storage"].clone();
    assert!(storage()["bytes"].as_i64().unwrap() > 0);
    assert_eq!(storage()["maxBytes"], 10_000_000_000i64);
    let warnings = || {
        let log = world.log.borrow();
        log.iter().filter(|line| line.contains(r#""event":"size""#)).count()
    };
    let sql = world.sql(&shop.id);
    sql.claimed_bytes.set(Some(6_999_999_999));
    world.ring(&shop.id);
    assert_eq!(warnings(), 0);
    sql.claimed_bytes.set(Some(7_000_000_000));
    assert_eq!(storage()["bytes"], 7_000_000_000i64);
    // It looks once a second.
    world.advance(1_000);
    for (hours, expected) in [(0, 1), (1, 1), (22, 1), (1, 2), (1, 2)] {
        world.advance(hours * 60 * 60 * 1_000);
        world.ring(&shop.id);
        assert_eq!(warnings(), expected);
    }
}
