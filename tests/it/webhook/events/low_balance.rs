//! Low balances: when they are told, and which threshold counts.

use serde_json::{Value, json};

use super::{Hit, answer, listen, of_type};
use crate::support::{World, time::SECOND_MS};

#[test]
fn a_low_balance_is_told_once_until_it_was_above_again() {
    let (world, shop) = World::with_busy_account(10_000);
    let hits = listen(&world, |_, _| answer(200));
    let create = |threshold: i64, url: &str| {
        let body = json!({"url": url, "events": ["wallet.low"], "lowBalance": threshold});
        world.posted(&shop.key, "/webhook", body);
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
        world.credit(&shop, amount);
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
    let (own, theirs) = ("/account/low-balance", shop.path("/low-balance"));
    let put = |key: &str, path: &str, value: Value| {
        let request = world.ask("PUT", key, path).json(json!({"lowBalance": value}));
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
    let refused = world.post(&shop.key, "/webhook", body.clone()).refused(422);
    assert_eq!(refused.extra(), ["lowBalance: is required"]);
    put(&shop.key, own, json!(9_000));
    assert_eq!(shown(), 9_000);
    world.posted(&shop.key, "/webhook", body);
    let body = json!({"url": "https://b.example/", "events": ["wallet.low"], "lowBalance": 6_000});
    world.posted(&shop.key, "/webhook", body);
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
    let credit = shop.path("/credit");
    for amount in [2_500, -1] {
        world.create(&credit, json!({"amount": amount, "note": "x"}));
        world.settle(5 * SECOND_MS);
    }
    assert_eq!(told()[3..], [("https://a.example/".to_owned(), 7_500)]);
    put(&shop.key, own, Value::Null);
    assert_eq!(shown(), Value::Null);
    for amount in [100_000, -100_000] {
        world.create(&credit, json!({"amount": amount, "note": "x"}));
        world.settle(5 * SECOND_MS);
    }
    assert_eq!(told().len(), 4, "nobody hears of a threshold that was taken away");
}

#[test]
fn a_threshold_that_is_none_is_refused_and_changes_nothing() {
    let (world, shop) = World::with_busy_account(10_000);
    let theirs = shop.path("/low-balance");
    let missing = "/admin/accounts/019b796d-0000-7000-8000-000000000001/low-balance";
    let set = json!({"lowBalance": 5});
    world.put(&world.admin_key, &theirs, set.clone()).expect(200);
    for body in [
        json!({}),
        json!({"lowBalance": 0}),
        json!({"lowBalance": "5"}),
        json!({"lowBalance": 1_000_000_000_000_001_i64}),
    ] {
        for (key, path) in [(&shop.key, "/account/low-balance"), (&world.admin_key, theirs.as_str())] {
            let refused = world.put(key, path, body.clone()).refused(422);
            assert_eq!(refused.text("/errors/0/pointer"), "/lowBalance", "{body}");
        }
    }
    world.get(&world.admin_key, missing).refused(404);
    world.put(&world.admin_key, missing, set).refused(404);
    let stranger = world.account("stranger", 0);
    let low_balance = &world.read(&stranger.key, "/account/low-balance").json["data"]["lowBalance"];
    assert_eq!(*low_balance, Value::Null);
    let low_balance = &world.read(&shop.key, "/account/low-balance").json["data"]["lowBalance"];
    assert_eq!(*low_balance, 5);
}
