//! `GET /verify`: the pending verifications of a number.

use serde_json::json;

use super::{MINUTE_MS, PHONE, check, code, start, world};
use crate::support::{World, pick};

/// The ids of what a key finds.
fn found(world: &World, key: &str, query: &str) -> Vec<String> {
    let found = world.read(key, &format!("/verify?{query}"));
    pick(&found.json["data"]["verifications"], "id")
}

#[test]
fn a_number_has_its_pending_verifications_the_newest_first() {
    let (world, shop) = world();
    let begin = |purpose: &str| {
        let body = json!({"recipient": PHONE, "purpose": purpose, "ttlSeconds": 300, "clientRef": "order-7"});
        start(&world, &shop.key, body).expect(201).text("/data/id")
    };
    let all = format!("recipient={PHONE}");
    assert_eq!(found(&world, &shop.key, &all), [""; 0]);
    let login = begin("login");
    let digits = code(&world);
    let pay = begin("pay");
    start(&world, &shop.key, json!({"recipient": "09121234568"})).expect(201);
    assert_eq!(found(&world, &shop.key, &all), [&*pay, &*login]);
    assert_eq!(
        found(&world, &shop.key, "recipient=%2B989121234567&purpose=login"),
        [&*login]
    );
    assert_eq!(found(&world, &shop.key, &format!("{all}&purpose=other")), [""; 0]);
    let answer = world.read(&shop.key, &format!("/verify?{all}&purpose=login"));
    let own = world.read(&shop.key, &format!("/verify/{login}"));
    assert_eq!(answer.json["data"]["verifications"][0], own.json["data"]);
    assert!(!answer.body.contains(&digits), "{}", answer.body);
    check(&world, &shop.key, &login, &digits).expect(200);
    assert_eq!(found(&world, &shop.key, &all), [&*pay]);
    world.advance(5 * MINUTE_MS);
    assert_eq!(
        found(&world, &shop.key, &all),
        [""; 0],
        "its time is over, noted or not"
    );
}

#[test]
fn a_key_of_the_other_mode_of_another_account_or_of_other_scopes_finds_nothing() {
    let (world, shop) = world();
    let all = format!("recipient={PHONE}");
    start(&world, &shop.key, json!({"recipient": PHONE})).expect(201);
    let other = world.account("other", 1_000);
    let test = world.grant(&shop, json!({"title": "test", "mode": "test"}));
    let test = test.text("/data/key");
    for key in [&test, &other.key] {
        assert_eq!(found(&world, key, &all), [""; 0]);
    }
    let of_test = start(&world, &test, json!({"recipient": PHONE})).expect(201);
    assert_eq!(found(&world, &test, &all), [of_test.text("/data/id")]);
    let blind = world.grant(&shop, json!({"title": "t", "scopes": ["sms:read"]}));
    let path = format!("/verify?{all}");
    world.get(&blind.text("/data/key"), &path).problem(403, 403);
}

#[test]
fn an_answer_has_a_hundred_at_most() {
    let (world, shop) = world();
    let test = world.grant(&shop, json!({"title": "test", "mode": "test"}));
    let test = test.text("/data/key");
    for purpose in 0..101 {
        let body = json!({"recipient": PHONE, "purpose": format!("p{purpose}"), "ttlSeconds": 900});
        start(&world, &test, body).expect(201);
    }
    let all = world.read(&test, &format!("/verify?recipient={PHONE}"));
    let purposes: Vec<String> = pick(&all.json["data"]["verifications"], "purpose");
    assert_eq!(purposes.len(), 100);
    assert_eq!((&*purposes[0], &*purposes[99]), ("p100", "p1"));
}

#[test]
fn a_query_names_a_number() {
    let (world, shop) = world();
    for (query, parameter) in [
        ("", "recipient"),
        ("recipient=12", "recipient"),
        ("recipient=09121234567&purpose=", "purpose"),
    ] {
        let refused = world.get(&shop.key, &format!("/verify?{query}")).problem(422, 422);
        assert_eq!(refused.places(), [parameter], "{query}");
    }
}
