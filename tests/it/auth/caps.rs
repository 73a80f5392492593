//! The caps of a key: the addresses that it comes from, its tokens in a minute, and its money in a day.

mod random;

use futures_util::future::join_all;
use peyk::auth::KeyRecord;
use serde_json::{Value, json};

use crate::support::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, World, to_end};

const PHONE: &str = "09121234567";
const SCOPES: [&str; 4] = ["sms:send", "sms:read", "account:read", "keys"];

/// A key that an operator issues with these caps: its id and the key itself.
fn grant(world: &World, shop: &Account, caps: Value) -> (String, String) {
    of(&world.grant(shop, with(caps)))
}

fn with(caps: Value) -> Value {
    let mut body = json!({"title": "capped", "scopes": SCOPES});
    body.as_object_mut().unwrap().extend(caps.as_object().unwrap().clone());
    body
}

fn of(issued: &Answer) -> (String, String) {
    (issued.text("/data/id"), issued.text("/data/key"))
}

fn issue(world: &World, by: &str, caps: Value) -> (String, String) {
    of(&world.posted(by, "/keys", with(caps)))
}

/// A request from this address.
fn look(world: &World, key: &str, address: Option<&str>) -> Answer {
    let request = world.ask("GET", key, "/account/info");
    match address {
        Some(address) => request.from(address).send(),
        None => request.send(),
    }
}

fn left(world: &World, shop: &Account) -> i64 {
    world.sql(&shop.id).number("SELECT tat_us FROM account")
}

fn retry_s(answer: &Answer) -> i64 {
    answer.header("Retry-After").unwrap().parse().unwrap()
}

/// How many of so many sends at the same time are accepted; the others are refused with this status and code.
fn accepted_at_once(world: &World, keys: &[&str], count: usize, refusal: (u16, u16)) -> usize {
    world.calls_travel.set(true);
    let sends = (0..count).map(|at| {
        let body = json!({"message": "x", "recipients": [format!("0912{at:07}")]});
        world
            .ask("POST", keys[at % keys.len()], "/sms/send")
            .json(body)
            .answer()
    });
    let answers = to_end(join_all(sends));
    world.calls_travel.set(false);
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.response.status == 201);
    for answer in refused {
        answer.problem(refusal.0, refusal.1);
    }
    accepted.len()
}

#[test]
fn a_key_tells_its_caps_and_a_successor_has_the_same() {
    let (world, shop) = World::with_busy_account(10_000);
    let caps = json!({"ips": ["192.0.2.77/24", "2001:DB8::1", "::ffff:198.51.100.7", "192.0.2.0/24"], "ratePerMinute": 60,
        "dailySpend": 5_000});
    let shown =
        json!({"ips": ["192.0.2.0/24", "2001:db8::1", "198.51.100.7"], "ratePerMinute": 60, "dailySpend": 5_000});
    let none = json!({"ips": null, "ratePerMinute": null, "dailySpend": null});
    let by_operator = world.grant(&shop, with(caps.clone()));
    let by_account = world.posted(&shop.key, "/keys", with(caps));
    let bare = world.grant(
        &shop,
        with(json!({"ips": null, "ratePerMinute": null, "dailySpend": null})),
    );
    bare.has(none);
    for (issued, maker) in [(&by_operator, json!(null)), (&by_account, json!(shop.key_id))] {
        issued.has(shown.clone());
        issued.has(json!({"createdBy": maker, "lastUsedAt": null, "lastAddress": null}));
        let path = format!("/keys/{}/rotate", issued.text("/data/id"));
        let rotated = world.posted(&shop.key, &path, json!({}));
        rotated.has(shown.clone());
        rotated.has(json!({"createdBy": shop.key_id}));
        let listed = world.all(&shop.key, "/keys?limit=200");
        let id = rotated.json["data"]["id"].clone();
        let listed = listed.iter().find(|key| key["id"] == id).unwrap();
        assert_eq!(listed["ips"], shown["ips"]);
    }
}

#[test]
fn bad_caps_are_refused_and_named_and_issue_nothing() {
    let (world, shop) = World::with_busy_account(0);
    let many: Vec<String> = (0..51).map(|at| format!("10.0.0.{at}")).collect();
    let before = world.count(&shop, "api_key");
    for (caps, pointer) in [
        (json!({"ips": []}), "/ips"),
        (json!({"ips": "192.0.2.0/24"}), "/ips"),
        (json!({"ips": many}), "/ips"),
        (json!({"ips": ["192.0.2.7", "192.0.2.0/33"]}), "/ips/1"),
        (json!({"ips": ["shop.example"]}), "/ips/0"),
        (json!({"ips": [7]}), "/ips/0"),
        (json!({"ratePerMinute": 0}), "/ratePerMinute"),
        (json!({"ratePerMinute": 100_001}), "/ratePerMinute"),
        (json!({"ratePerMinute": "60"}), "/ratePerMinute"),
        (json!({"dailySpend": -1}), "/dailySpend"),
        (json!({"dailySpend": 1.5}), "/dailySpend"),
    ] {
        for refused in [
            world.admin("POST", &shop.path("/keys"), with(caps.clone())),
            world.post(&shop.key, "/keys", with(caps.clone())),
        ] {
            assert_eq!(refused.refused(422).pointers(), [pointer], "{caps}");
        }
    }
    assert_eq!(world.count(&shop, "api_key"), before);
    grant(
        &world,
        &shop,
        json!({"ips": &many[..50], "ratePerMinute": 100_000, "dailySpend": 0}),
    );
}

#[test]
fn a_key_comes_from_its_addresses_only_and_a_refused_request_costs_nothing() {
    let (world, shop) = World::with_busy_account(10_000);
    let (id, key) = grant(&world, &shop, json!({"ips": ["192.0.2.0/24", "2001:db8::/32"]}));
    for address in ["192.0.2.0", "192.0.2.255", "::ffff:192.0.2.7", "2001:db8:ffff::1"] {
        look(&world, &key, Some(address)).expect(200);
    }
    let before = left(&world, &shop);
    for address in ["192.0.3.0", "2001:db9::", "::192.0.2.7", "nonsense"] {
        let refused = look(&world, &key, Some(address)).refused(403);
        assert!(
            refused.text("/detail").contains(&format!("the address {address}")),
            "{}",
            refused.body
        );
        assert_eq!(refused.header("WWW-Authenticate"), None);
    }
    let refused = look(&world, &key, None).refused(403);
    assert!(refused.text("/detail").contains("nobody knows the address"));
    let send = world.ask("POST", &key, "/sms/send").from("192.0.3.0");
    send.json(json!({"message": "x", "recipients": [PHONE]}))
        .send()
        .refused(403);
    assert_eq!(left(&world, &shop), before, "no token is taken");
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    assert_eq!(world.failures.borrow().len(), 0, "who has a good key is no stranger");
    // A key that has ended is refused as such, wherever it comes from.
    world.delete(&shop.key, &format!("/keys/{id}")).expect(204);
    look(&world, &key, Some("192.0.3.0")).refused(401);
}

#[test]
fn networks_in_kv_that_nobody_can_read_have_no_address() {
    let (world, shop) = World::with_account(0);
    let (_, key) = grant(&world, &shop, json!({"ips": ["192.0.2.7"]}));
    let digest = peyk::auth::digest(&key);
    let record = world.keys.borrow()[&digest].replace("192.0.2.7", "192.0.2.7%eth0");
    let record: KeyRecord = serde_json::from_str(&record).unwrap();
    assert_eq!(record.ips, Some(Vec::new()));
    world.app.keys.put(&digest, world.now_ms.get(), record);
    look(&world, &key, Some("192.0.2.7")).refused(403);
}

#[test]
fn a_capped_key_gives_no_more_than_it_has() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let caps = json!({"ips": ["192.0.2.0/24"], "ratePerMinute": 60, "dailySpend": 5_000});
    let (id, key) = grant(&world, &shop, caps.clone());
    let post = |caps: Value| {
        let request = world.ask("POST", &key, "/keys").from("192.0.2.7");
        request.json(with(caps)).send()
    };
    let wide = json!({"ips": ["192.0.2.7", "192.0.3.7", "192.0.0.0/16"], "ratePerMinute": 61, "dailySpend": 5_001});
    let refused = post(wide).refused(422);
    assert_eq!(
        refused.pointers(),
        ["/ips/1", "/ips/2", "/ratePerMinute", "/dailySpend"]
    );
    post(json!({})).expect(201).has(caps);
    let narrow = json!({"ips": ["192.0.2.128/25"], "ratePerMinute": 1, "dailySpend": 0});
    post(narrow.clone()).expect(201).has(narrow);
    // It neither replaces nor ends a key with more.
    for wider in [
        json!({}),
        json!({"ips": ["192.0.2.0/23"], "ratePerMinute": 60, "dailySpend": 5_000}),
        json!({"ips": ["192.0.2.0/24"], "ratePerMinute": 61, "dailySpend": 5_000}),
        json!({"ips": ["192.0.2.0/24"], "ratePerMinute": 60, "dailySpend": 5_001}),
    ] {
        world.advance(MINUTE_MS);
        let (wider, _) = grant(&world, &shop, wider);
        for (method, rest) in [("POST", "/rotate"), ("DELETE", ""), ("DELETE", "?cascade=true")] {
            let request = world
                .ask(method, &key, &format!("/keys/{wider}{rest}"))
                .from("192.0.2.7");
            let refused = request.json(json!({})).send().refused(403);
            assert!(refused.text("/detail").contains("higher caps"));
        }
    }
    let own = world.ask("DELETE", &key, &format!("/keys/{id}")).from("192.0.2.7");
    own.send().expect(204);
}

#[test]
fn a_key_takes_its_tokens_of_a_minute_and_the_next_request_waits_as_long_as_it_is_told() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let (_, key) = grant(&world, &shop, json!({"ratePerMinute": 6}));
    for _ in 0..6 {
        look(&world, &key, None).expect(200);
    }
    let before = left(&world, &shop);
    let refused = look(&world, &key, None).problem(429, 429);
    assert_eq!(
        (retry_s(&refused), left(&world, &shop)),
        (10, before),
        "the account loses no token"
    );
    assert!(refused.header("RateLimit").is_some() && refused.header("RateLimit-Policy").is_some());
    world.read(&shop.key, "/account/info");
    world.advance(10 * SECOND_MS - 1);
    world.send(&key, &[PHONE]).problem(429, 429);
    assert_eq!(world.balance(&shop.key), (1_000_000, 0));
    world.advance(1);
    world.send(&key, &[PHONE]).expect(201);
    // A large send takes more of them, when all are there.
    let many: Vec<String> = (0..250).map(|at| format!("0912{at:07}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    world.advance(MINUTE_MS);
    world.send(&key, &many).expect(201);
    let waits = world.send(&key, &many[..100]).expect(201);
    assert_eq!(waits.response.status, 201);
    let refused = world.send(&key, &many[..100]).problem(429, 429);
    assert_eq!(retry_s(&refused), 10);
}

#[test]
fn of_a_hundred_sends_at_once_as_many_are_accepted_as_the_key_has_tokens_for() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let (_, key) = grant(&world, &shop, json!({"ratePerMinute": 20}));
    assert_eq!(accepted_at_once(&world, &[&key], 100, (429, 429)), 20);
    world.advance(30 * SECOND_MS);
    assert_eq!(accepted_at_once(&world, &[&key], 100, (429, 429)), 10);
    assert_eq!(
        accepted_at_once(&world, &[&shop.key], 100, (429, 429)),
        100,
        "the others go on"
    );
    assert_eq!(world.balance(&shop.key), (1_000_000 - 130_000, 130_000));
}

#[test]
fn a_key_spends_no_more_in_a_day_than_it_may_and_begins_anew_at_midnight() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let (_, key) = grant(&world, &shop, json!({"dailySpend": 3_000}));
    world.send(&key, &[PHONE, "09351234567"]).expect(201);
    let refused = world.send(&key, &[PHONE, "09351234567"]).problem(429, 2002);
    assert!(
        refused
            .text("/detail")
            .contains("2000 of the 3000 that this API key may spend")
    );
    // The world begins at noon.
    assert_eq!(retry_s(&refused), 12 * 3_600);
    assert_eq!(world.balance(&shop.key), (998_000, 2_000));
    let estimate = json!({"send": {"message": "x", "recipients": [PHONE, "09351234567"]}});
    let estimate = world.post(&key, "/sms/estimate", estimate).expect(200);
    assert_eq!(estimate.json["data"]["faults"][0]["code"], 2002);
    let body = json!({"message": "x", "recipients": [PHONE]});
    let first = world.post_once(&key, "/sms/send", "k", body.clone()).expect(201);
    let again = world.post_once(&key, "/sms/send", "k", body).expect(201);
    assert_eq!(
        first.text("/data/uid"),
        again.text("/data/uid"),
        "a repeat spends nothing"
    );
    world.send(&key, &[PHONE]).problem(429, 2002);
    world.send(&shop.key, &[PHONE]).expect(201);
    world.advance(DAY_MS / 2 - 1);
    world.send(&key, &[PHONE]).problem(429, 2002);
    world.advance(1);
    world.send(&key, &[PHONE, "09351234567", "09201234567"]).expect(201);
    world.send(&key, &[PHONE]).problem(429, 2002);
}

#[test]
fn a_test_key_spends_nothing_of_its_day() {
    let (world, shop) = World::with_busy_account(0);
    let (_, key) = grant(&world, &shop, json!({"dailySpend": 0, "mode": "test"}));
    for _ in 0..3 {
        world.send(&key, &[PHONE]).expect(201);
    }
}

#[test]
fn of_a_hundred_sends_at_once_as_many_are_accepted_as_the_day_of_the_key_has_money_for() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let (_, key) = grant(&world, &shop, json!({"dailySpend": 17_500}));
    assert_eq!(accepted_at_once(&world, &[&key], 100, (429, 2002)), 17);
    assert_eq!(accepted_at_once(&world, &[&key], 100, (429, 2002)), 0);
    assert_eq!(world.balance(&shop.key), (1_000_000 - 17_000, 17_000));
}

#[test]
fn no_key_has_more_by_the_keys_that_it_makes_or_by_its_successors() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let caps = json!({"dailySpend": 20_000, "ratePerMinute": 1_000});
    let (id, key) = grant(&world, &shop, caps);
    let (_, child) = issue(&world, &key, json!({"dailySpend": 8_000}));
    let (_, other) = issue(&world, &key, json!({}));
    let (_, grandchild) = issue(&world, &other, json!({}));
    let successor = of(&world.posted(&key, &format!("/keys/{id}/rotate"), json!({})));
    assert_eq!(accepted_at_once(&world, &[&child], 20, (429, 2002)), 8, "its own cap");
    let family = [&*key, &*other, &*grandchild, &*successor.1];
    assert_eq!(
        accepted_at_once(&world, &family, 100, (429, 2002)),
        12,
        "what is left for all"
    );
    // The successor makes no new day either.
    let (next, _) = successor;
    let (_, last) = of(&world.posted(&shop.key, &format!("/keys/{next}/rotate"), json!({})));
    world.send(&last, &[PHONE]).problem(429, 2002);
    world.send(&shop.key, &[PHONE]).expect(201);
}

#[test]
fn the_tokens_of_a_minute_are_those_of_the_whole_family() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let (_, key) = grant(&world, &shop, json!({"ratePerMinute": 11}));
    // To issue a key takes a token, too.
    let (_, child) = issue(&world, &key, json!({"ratePerMinute": 4}));
    assert_eq!(accepted_at_once(&world, &[&child], 10, (429, 429)), 4);
    assert_eq!(accepted_at_once(&world, &[&key], 10, (429, 429)), 6);
    world.advance(6 * SECOND_MS);
    world.send(&child, &[PHONE]).problem(429, 429);
}

#[test]
fn the_caps_of_a_key_stand_beside_those_of_the_account() {
    let (world, shop) = World::with_account(100_000);
    world.change_account(
        &shop,
        json!({"dailySpend": 2_000, "rateLimit": {"limit": 1, "windowSeconds": 60, "burst": 5}}),
    );
    let (_, key) = grant(&world, &shop, json!({"dailySpend": 1_000_000, "ratePerMinute": 4}));
    world.send(&key, &[PHONE]).expect(201);
    world.send(&key, &[PHONE]).expect(201);
    let refused = world.send(&key, &[PHONE]).problem(429, 2002);
    assert!(refused.text("/detail").contains("2000 of the 2000 that may be spent"));
    // A request that the account refuses takes nothing from the key.
    look(&world, &shop.key, None).expect(200);
    look(&world, &shop.key, None).expect(200);
    assert_eq!(retry_s(&look(&world, &key, None).problem(429, 429)), 60);
    world.change_account(
        &shop,
        json!({"rateLimit": {"limit": 100, "windowSeconds": 1, "burst": 100}}),
    );
    look(&world, &key, None).expect(200);
    look(&world, &key, None).problem(429, 429);
}

#[test]
fn a_pattern_that_changed_meanwhile_does_not_let_a_key_spend_more() {
    let (world, shop) = World::with_busy_account(100_000);
    world.active_pattern(&shop.key, json!({"slug": "code", "title": "x", "text": "code %A%"}));
    let (_, key) = grant(&world, &shop, json!({"dailySpend": 1_500}));
    let code = json!({"pattern": "code", "variables": {"A": "1"}, "recipient": PHONE});
    world.posted(&key, "/sms/pattern", code.clone());
    // The object has heard of a change that the worker has not: the send comes a second time, and is paid already.
    let change = "UPDATE pattern SET revision = NULL, changes = changes + 1";
    world.sql(&shop.id).run(change);
    let calls = world.calls.get();
    world.post(&key, "/sms/pattern", code).problem(429, 2002);
    assert!(world.calls.get() - calls >= 2, "it came twice");
}

#[test]
fn caps_write_no_row_more_and_keys_without_caps_leave_nothing() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let sql = world.sql(&shop.id);
    let (_, capped) = grant(&world, &shop, json!({"dailySpend": 900_000, "ratePerMinute": 1_000}));
    let (_, bare) = grant(&world, &shop, json!({}));
    for key in [&capped, &bare] {
        world.send(key, &[PHONE]).expect(201);
    }
    world.settle(60_000);
    crate::support::rows::watch(&*sql);
    let rows_of = |key: &str| {
        world.send(key, &[PHONE]).expect(201);
        let taken = crate::support::rows::taken(&*sql);
        taken.iter().map(|(_, rows)| rows).sum::<i64>()
    };
    let (with, without) = (rows_of(&capped), rows_of(&bare));
    assert_eq!(with, without);
    world.advance(DAY_MS);
    world.send(&bare, &[PHONE]).expect(201);
    assert!(sql.texts("SELECT key_spending FROM account")[0].len() < 200);
}
