//! Where accounts may send, and what a part costs there.

use serde_json::{Value, json};

use crate::support::{Account, World};

const DUBAI: &str = "+971501234567";
const LONDON: &str = "+447911123456";
const HOME: &str = "+989121234567";

/// A world whose tariff has prices for two ranges abroad, and an account that sends to these destinations.
fn world(destinations: Value) -> (World, Account) {
    let (world, shop) = World::with_account(1_000_000);
    let prices = json!([{"prefix": "971", "price": 24_000}, {"prefix": "97150", "price": 30_000}]);
    world.change("/admin/plans/default", json!({"tariff": {"prices": prices}}));
    world.change(&shop.path(""), json!({ "destinations": destinations }));
    (world, shop)
}

fn to(recipients: &[&str]) -> Value {
    json!({"message": "hi", "recipients": recipients})
}

#[test]
fn an_account_sends_to_iran_unless_an_operator_opens_more() {
    let (world, shop) = World::with_account(100_000);
    assert_eq!(world.look(&shop.path("")).json["data"]["destinations"], json!(["98"]));
    let phonebook = world.phonebook(&shop.key, "A", json!([DUBAI, HOME]));
    world.posted(&shop.key, "/pattern", json!({"slug": "any", "title": "x", "text": "y"}));
    world.activate(&shop.key, "any", 1);
    let refused = |path: &str, body: Value, wanted: &[&str]| {
        let answer = world.post(&shop.key, path, body).problem(406, 3017);
        assert_eq!(answer.text("/name"), "SmsDestinationNotAllowed");
        assert_eq!(answer.extra(), wanted);
    };
    let outside = |field: &str, number: &str| format!("{field}: {number} is outside the destinations of the account");
    let [first, second] = [outside("recipients[0]", DUBAI), outside("recipients[2]", LONDON)];
    refused("/sms/send", to(&[DUBAI, HOME, LONDON]), &[&first, &second]);
    refused(
        "/sms/pattern",
        json!({"pattern": "any", "variables": [], "recipient": DUBAI}),
        &[&outside("recipient", DUBAI)],
    );
    refused(
        "/sms/phonebook/send",
        json!({"message": "x", "phonebook": phonebook}),
        &[&outside("phonebook", DUBAI)],
    );
    refused(
        "/sms/bulk",
        json!({"messages": [{"recipient": HOME, "message": "a"}, {"recipient": LONDON, "message": "b"}]}),
        &[&outside("messages[1].recipient", LONDON)],
    );
    refused(
        "/sms/estimate",
        json!({"send": to(&[DUBAI])}),
        &[&outside("send.recipients[0]", DUBAI)],
    );
    let test_key = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    world.post(&test_key, "/sms/send", to(&[DUBAI])).problem(406, 3017);
    world.assert_untouched(&shop, 100_000);
}

#[test]
fn a_destination_without_a_price_is_refused_and_never_paid_as_home() {
    let (world, shop) = world(json!(["98", "971", "44"]));
    let refused = world
        .post(&shop.key, "/sms/send", to(&[LONDON, HOME]))
        .problem(406, 3017);
    assert_eq!(
        refused.extra(),
        [format!("recipients[0]: the tariff has no price for {LONDON}")]
    );
    let persian = world.ask("POST", &shop.key, "/sms/send").json(to(&[LONDON]));
    let persian = persian.language("fa").send().problem(406, 3017);
    assert!(persian.text("/detail").contains("تعرفه برای شماره‌ی"));
    world.assert_untouched(&shop, 1_000_000);
}

#[test]
fn the_longest_prefix_has_the_price_in_sends_estimates_and_the_tariff() {
    let (world, shop) = world(json!(["98", "971"]));
    let other = "+971401234567";
    let body = to(&[HOME, other, DUBAI]);
    let estimate = world
        .post(&shop.key, "/sms/estimate", json!({ "send": body }))
        .expect(200);
    assert_eq!(estimate.int("/data/cost"), 1_000 + 24_000 + 30_000);
    let sent = world.post(&shop.key, "/sms/send", body).expect(201);
    let costs: Vec<i64> = (0..3)
        .map(|at| sent.int(&format!("/data/recipients/{at}/cost")))
        .collect();
    assert_eq!(costs, [1_000, 24_000, 30_000]);
    assert_eq!(world.balance(&shop.key), (1_000_000 - 55_000, 55_000));
    let tariff = world.read(&shop.key, "/plan/tariff");
    assert_eq!(tariff.json["data"]["tariff"]["price"], 1_000);
    assert_eq!(
        tariff.json["data"]["tariff"]["prices"][1],
        json!({"prefix": "97150", "price": 30_000})
    );
    let test_key = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let free = world.post(&test_key, "/sms/send", to(&[DUBAI])).expect(201);
    assert_eq!(free.int("/data/cost"), 0);
}

#[test]
fn a_narrower_destination_closes_the_rest_and_null_brings_the_setting_back() {
    let (world, shop) = world(json!(["98912"]));
    world.send(&shop.key, &["09351234567"]).problem(406, 3017);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.change(&shop.path(""), json!({"fullName": "New"}));
    world.send(&shop.key, &["09351234567"]).problem(406, 3017);
    world.change(&shop.path(""), json!({"destinations": null}));
    assert_eq!(world.look(&shop.path("")).json["data"]["destinations"], json!(["98"]));
    world.send(&shop.key, &["09351234567"]).expect(201);
}

#[test]
fn a_repeat_of_what_was_accepted_before_gets_the_first_answer_although_the_destination_is_closed() {
    let (world, shop) = world(json!(["98", "971"]));
    let first = world.post_once(&shop.key, "/sms/send", "k", to(&[DUBAI])).expect(201);
    world.change(&shop.path(""), json!({"destinations": null}));
    world.post(&shop.key, "/sms/send", to(&[DUBAI])).problem(406, 3017);
    let again = world.post_once(&shop.key, "/sms/send", "k", to(&[DUBAI])).expect(201);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    assert_eq!(again.text("/data/uid"), first.text("/data/uid"));
    assert_eq!(world.balance(&shop.key), (1_000_000 - 30_000, 30_000));
}

#[test]
fn bad_destinations_and_prices_are_refused_and_change_nothing() {
    let (world, shop) = World::with_account(0);
    let form = "1 to 15 digits that an international number begins with, without + or 00";
    for (bad, at) in [("+98", 0), ("098", 0), ("", 0), ("1234567890123456", 0)] {
        let refused = world
            .admin("PATCH", &shop.path(""), json!({"destinations": [bad]}))
            .problem(422, 422);
        assert_eq!(
            refused.extra(),
            [format!("destinations[{at}]: must be of the form {form}")],
            "{bad}"
        );
    }
    world
        .admin("PATCH", &shop.path(""), json!({"destinations": []}))
        .problem(422, 422);
    let many: Vec<String> = (1..=301).map(|number| number.to_string()).collect();
    world
        .admin("PATCH", &shop.path(""), json!({ "destinations": many }))
        .problem(422, 422);
    let price = |prefix: &str, price: i64| json!({"prefix": prefix, "price": price});
    for bad in [
        json!([price("971", 1), price("971", 2)]),
        json!([price("98", 1)]),
        json!([price("x", 1)]),
        json!([price("971", -1)]),
        json!([price("971", 10_000_001)]),
        json!([{"prefix": "971"}]),
    ] {
        let refused = world.admin("PATCH", "/admin/plans/default", json!({"tariff": {"prices": bad}}));
        assert!(refused.problem(422, 422).extra()[0].starts_with("tariff.prices"));
    }
    assert_eq!(world.look(&shop.path("")).json["data"]["destinations"], json!(["98"]));
    assert_eq!(world.look("/admin/plans").items()[0]["tariff"]["prices"], json!([]));
}
