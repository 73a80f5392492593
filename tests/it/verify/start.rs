//! `POST /verify`, `GET` and `DELETE /verify/{id}`.

use serde_json::json;

use super::{MONEY, PHONE, code, code_in, start, started, texts, world};
use crate::support::{World, assert_contains};

#[test]
fn a_code_goes_to_the_phone_and_nowhere_else() {
    let (world, shop) = world();
    let answer = start(&world, &shop.key, json!({"recipient": PHONE, "clientRef": "order-7"})).expect(201);
    answer.has(
        json!({"status": "PENDING", "recipient": "+989121234567", "purpose": "login", "test": false,
        "attemptsLeft": 5, "sends": 1, "clientRef": "order-7", "endedAt": null, "unit": "IRR"}),
    );
    let at = |member: &str| peyk::base::time::from_rfc3339(&answer.text(member)).unwrap() - world.now_ms.get();
    assert_eq!((at("/data/expiresAt"), at("/data/resendAt")), (120_000, 30_000));
    let (id, uid) = (answer.text("/data/id"), answer.text("/data/messageUid"));
    let cost = answer.int("/data/cost");
    assert!(cost > 0);
    let code = code(&world);
    assert_eq!(code.len(), 6);
    assert!(!answer.json.to_string().contains(&code));

    let message = world.message(&shop.key, &uid);
    message.has(json!({"type": "VERIFY", "cost": cost, "clientRef": "order-7"}));
    assert_eq!(message.text("/data/message"), "Your code is ••••.");
    assert_eq!(world.balance(&shop.key), (MONEY - cost, 0));
    world
        .read(&shop.key, &format!("/verify/{id}"))
        .has(json!({"id": id, "status": "PENDING", "messageUid": uid, "cost": cost}));
    assert_eq!(world.places_of(&[&code]), Vec::<String>::new());
    assert!(!world.has_logged(&code));
}

#[test]
fn codes_differ_and_have_the_digits_that_are_asked_for() {
    let (world, shop) = world();
    let mut codes = Vec::new();
    for (length, number) in (4..=10).zip(0..) {
        let recipient = format!("0912123400{number}");
        start(&world, &shop.key, json!({"recipient": recipient, "codeLength": length})).expect(201);
        let code = code(&world);
        assert_eq!(code.len(), length);
        codes.push(code[..4].to_owned());
    }
    codes.dedup();
    assert!(codes.len() > 5, "{codes:?}");
}

#[test]
fn a_waiting_text_stands_sealed_in_the_storage_and_leaves_when_the_carrier_comes_back() {
    let (world, shop) = world();
    world.change("/admin/carriers/kannel", json!({"paused": true}));
    world.advance(31_000);
    started(&world, &shop.key, PHONE);
    world.settle(1_000);
    assert_eq!(texts(&world), Vec::<String>::new());
    let sealed = "SELECT sealed FROM chunk WHERE sealed IS NOT NULL";
    assert_eq!(world.rows(&shop, sealed).len(), 1);
    world.change("/admin/carriers/kannel", json!({"paused": false}));
    world.settle(60_000);
    let text = texts(&world).pop().unwrap();
    assert_eq!(world.places_of(&[&code_in(&text)]), Vec::<String>::new());
    assert_eq!(world.rows(&shop, sealed).len(), 0);
}

#[test]
fn a_key_of_the_other_mode_or_of_another_account_finds_nothing() {
    let (world, shop) = world();
    let id = started(&world, &shop.key, PHONE);
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    let other = world.account("other", 1_000);
    for key in [&test, &other.key] {
        world.get(key, &format!("/verify/{id}")).problem(404, 404);
        world.delete(key, &format!("/verify/{id}")).problem(404, 404);
        world
            .post(key, "/verify/check", json!({"id": id, "code": "123456"}))
            .problem(422, 3019);
    }
}

#[test]
fn a_test_key_knows_the_code_and_nobody_gets_it() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    let answer = start(&world, &test, json!({"recipient": PHONE, "codeLength": 5})).expect(201);
    answer.has(json!({"test": true, "cost": 0}));
    world.settle(1_000);
    assert_eq!(texts(&world), Vec::<String>::new());
    let check = |code: &str| world.post(&test, "/verify/check", json!({"recipient": PHONE, "code": code}));
    check("34568")
        .expect(200)
        .has(json!({"verified": false, "attemptsLeft": 4}));
    check("34567")
        .expect(200)
        .has(json!({"verified": true, "status": "APPROVED"}));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn a_repeat_with_the_same_idempotency_key_sends_nothing_more() {
    let (world, shop) = world();
    let body = json!({"recipient": PHONE});
    let first = world.post_once(&shop.key, "/verify", "key-1", body.clone()).expect(201);
    let again = world.post_once(&shop.key, "/verify", "key-1", body).expect(201);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    assert_eq!(again.json["data"], first.json["data"]);
    world
        .post_once(
            &shop.key,
            "/verify",
            "key-1",
            json!({"recipient": PHONE, "purpose": "pay"}),
        )
        .problem(422, 422);
    world.settle(1_000);
    assert_eq!(texts(&world).len(), 1);
}

#[test]
fn all_faults_of_a_body_are_told_and_nothing_is_sent() {
    let (world, shop) = world();
    let body = json!({"recipient": "12", "purpose": "", "codeLength": 3, "ttlSeconds": 59, "maxAttempts": 11, "domain": "Shop.ir",
        "appHash": "short", "language": "de", "clientRef": "", "context": {"ip": 7}, "variables": {"A": "b"}});
    let answer = start(&world, &shop.key, body).problem(422, 422);
    let mut places = answer.places();
    places.sort();
    let expected = [
        "appHash",
        "clientRef",
        "codeLength",
        "context.ip",
        "domain",
        "language",
        "maxAttempts",
        "purpose",
        "recipient",
        "ttlSeconds",
        "variables",
    ];
    assert_eq!(places, expected);
    start(&world, &shop.key, json!({})).problem(422, 422);
    let both = json!({"recipient": PHONE, "domain": "shop.ir", "appHash": "FA+9qCX9VSu"});
    assert_eq!(start(&world, &shop.key, both).problem(422, 422).places(), ["appHash"]);
    world.assert_untouched(&shop, MONEY);
}

#[test]
fn what_refuses_a_send_refuses_a_code() {
    let (world, shop) = world();
    let refused = |status: u16, code: u16| {
        start(&world, &shop.key, json!({"recipient": PHONE})).problem(status, code);
    };
    let change = |change: serde_json::Value| world.change_account(&shop, change);
    change(json!({"status": "INACTIVE"}));
    refused(412, 1003);
    change(json!({"status": "ACTIVE", "sendingEnabled": false}));
    refused(412, 3011);
    change(json!({"sendingEnabled": true, "dailySpend": 1}));
    refused(429, 2002);
    change(json!({"dailySpend": null, "destinations": ["971"]}));
    world.advance(31_000);
    refused(406, 3017);
    change(json!({"destinations": ["98"]}));
    world.advance(31_000);
    world.posted(&shop.key, "/blacklist", json!({"numbers": [PHONE]}));
    refused(422, 3016);
    world.delete(&shop.key, "/blacklist?number=09121234567").expect(200);
    start(&world, &shop.key, json!({"recipient": PHONE, "sourceNumber": "999"})).problem(406, 3012);
    let poor = world.account("poor", 10);
    world.change_account(&poor, json!({"defaultLine": "20002"}));
    start(&world, &poor.key, json!({"recipient": PHONE})).problem(400, 2001);
    world.assert_untouched(&shop, MONEY);
}

#[test]
fn without_the_secret_of_the_service_no_code_is_made() {
    let (world, shop) = world();
    world.set("SECRET_KEY", None);
    start(&world, &shop.key, json!({"recipient": PHONE})).problem(503, 503);
    world.set("SECRET_KEY", Some("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="));
    world.assert_untouched(&shop, MONEY);
}

#[test]
fn a_key_without_the_scope_is_told_which_it_needs() {
    let (world, shop) = world();
    let key = world
        .grant(&shop, json!({"title": "reader", "scopes": ["sms:send"]}))
        .text("/data/key");
    let answer = start(&world, &key, json!({"recipient": PHONE})).problem(403, 403);
    assert_contains(answer.header("WWW-Authenticate").unwrap(), "scope=\"verify\"");
    for path in ["/verify/stats", "/verify/019b796d-a000-7000-8000-000000000001"] {
        world.get(&key, path).problem(403, 403);
    }
}

#[test]
fn a_verification_that_is_taken_back_ends_and_what_has_not_left_is_canceled() {
    let (world, shop) = world();
    world.change("/admin/carriers/kannel", json!({"paused": true}));
    world.advance(31_000);
    let answer = start(&world, &shop.key, json!({"recipient": PHONE})).expect(201);
    let (id, uid) = (answer.text("/data/id"), answer.text("/data/messageUid"));
    let canceled = world.delete(&shop.key, &format!("/verify/{id}")).expect(200);
    canceled.has(json!({"status": "CANCELED", "attemptsLeft": 0, "resendAt": null}));
    assert_eq!(world.message(&shop.key, &uid).text("/data/status"), "CANCELED");
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    world.delete(&shop.key, &format!("/verify/{id}")).problem(422, 3019);
    world.change("/admin/carriers/kannel", json!({"paused": false}));
    world.settle(120_000);
    assert_eq!(texts(&world), Vec::<String>::new());
    world
        .post(&shop.key, "/verify/check", json!({"id": id, "code": "123456"}))
        .problem(422, 3019);
}

#[test]
fn nothing_of_a_number_is_left_after_it_was_erased() {
    let (world, shop) = world();
    let id = start(
        &world,
        &shop.key,
        json!({"recipient": PHONE, "context": {"ip": "198.51.100.7"}}),
    )
    .expect(201)
    .text("/data/id");
    world.settle(1_000);
    let key = world
        .grant(&shop, json!({"title": "erase", "scopes": ["erasure", "verify"]}))
        .text("/data/key");
    world.post(&key, "/erasures", json!({"number": PHONE})).expect(202);
    world.settle(40 * 60_000);
    let found = world.read(&shop.key, &format!("/verify/{id}"));
    assert_eq!(found.text("/data/recipient"), "erased");
    let places = world.places_of(&["989121234567", "198.51.100.7"]);
    assert!(places.iter().all(|place| !place.contains("verification")), "{places:?}");
}

/// A code is made of a seed, which goes with the end.
#[test]
fn the_seed_goes_with_the_end() {
    let (world, shop) = world();
    let seeds = |world: &World| world.count(&shop, "verification WHERE seed IS NOT NULL");
    let id = started(&world, &shop.key, PHONE);
    assert_eq!(seeds(&world), 1);
    let code = code(&world);
    super::check(&world, &shop.key, &id, &code).expect(200);
    assert_eq!(seeds(&world), 0);
}
