//! The cheapest forms of texts, for sends that ask for them.

use std::fs::read_to_string;

use serde_json::{Value, json};

use crate::support::{Account, Answer, World, assert_has, pick, table};

/// A Latin text, and what is sent of it where a Latin part costs more than a Persian one.
const SHORT: &str = "The sale begins now";
const WIDE: &str = "The\u{A0}sale begins now";

/// The coefficient of Latin texts on the demo's line with the prices of Iran.
fn iranian() -> f64 {
    let demo = read_to_string(concat!(env!("PEYK_ROOT"), "/scripts/lib/serve/demo.mjs")).unwrap();
    let (_, rest) = demo.split_once("coefficients: { ENGLISH: ").unwrap();
    rest.split_once(' ').unwrap().0.parse().unwrap()
}

fn world() -> (World, Account) {
    let (world, shop) = World::with_account(10_000_000);
    world.change("/admin/lines/10001", json!({"coefficients": {"ENGLISH": iranian()}}));
    (world, shop)
}

fn cheapest(mut body: Value) -> Value {
    body["encoding"] = json!("CHEAPEST");
    body
}

fn to_one(message: &str) -> Value {
    json!({"message": message, "recipients": ["09121234567"]})
}

/// A body of each kind of send that would be sent in another form: with its name in an estimate, and its path.
fn bodies(world: &World, shop: &Account) -> Vec<(&'static str, &'static str, Value)> {
    world.active_pattern(
        &shop.key,
        json!({"slug": "sale", "title": "x", "text": "The %WHAT% begins now"}),
    );
    let numbers = ["09121234567", "09351234567"];
    let phonebook = world.phonebook(&shop.key, "Friends", json!(numbers));
    let sale = json!({"recipient": numbers[1], "pattern": "sale", "variables": {"WHAT": "sale"}});
    vec![
        ("send", "/sms/send", json!({"message": SHORT, "recipients": numbers})),
        (
            "pattern",
            "/sms/pattern",
            json!({"pattern": "sale", "variables": {"WHAT": "sale"}, "recipients": numbers}),
        ),
        (
            "phonebook",
            "/sms/phonebook/send",
            json!({"phonebook": phonebook, "message": SHORT}),
        ),
        (
            "bulk",
            "/sms/bulk",
            json!({"messages": [{"recipient": numbers[0], "message": SHORT}, sale]}),
        ),
    ]
}

/// The texts that the recipients of a message get.
fn texts(world: &World, shop: &Account, sent: &Answer) -> Vec<String> {
    let message = world.message(&shop.key, &sent.text("/data/uid"));
    let own = |recipient: &Value| recipient["message"].as_str().map(str::to_owned);
    let of_all = || message.text("/data/message");
    let recipients = message.json["data"]["recipients"].as_array().unwrap();
    recipients.iter().map(|each| own(each).unwrap_or_else(of_all)).collect()
}

#[test]
fn the_price_table_of_iran_and_its_reverse() {
    let (latin, persian) = (json!({"ENGLISH": iranian()}), json!({"PERSIAN": iranian()}));
    let rows = json!([
        // coefficients, text, encoding and parts as it is sent, its price, what is saved
        // A Latin part costs 2.4 Persian ones: up to 134 letters are cheaper in UCS-2.
        [latin, SHORT, "UCS2", 1, 1_000, 1_400],
        [latin, format!("a {}", "b".repeat(68)), "UCS2", 1, 1_000, 1_400],
        [latin, format!("a {}", "b".repeat(69)), "UCS2", 2, 2_000, 400],
        [latin, format!("a {}", "b".repeat(132)), "UCS2", 2, 2_000, 400],
        [latin, format!("a {}", "b".repeat(133)), "GSM7", 1, 2_400, 0],
        [latin, format!("a {}", "b".repeat(158)), "GSM7", 1, 2_400, 0],
        [latin, format!("a {}", "b".repeat(159)), "UCS2", 3, 3_000, 1_800],
        [latin, "سلام از پیک", "UCS2", 1, 1_000, 0],
        [latin, "It’s ready", "UCS2", 1, 1_000, 0],
        [latin, format!("{} ", "ب".repeat(70)), "UCS2", 1, 1_000, 1_000],
        // A text that has no place for the other encoding.
        [latin, "Code:1234", "GSM7", 1, 2_400, 0],
        // A Persian part costs 2.4 Latin ones.
        [persian, SHORT, "GSM7", 1, 1_000, 0],
        [persian, "It’s ready", "GSM7", 1, 1_000, 1_400],
        [persian, format!("“{}” ۱۲", "b".repeat(66)), "GSM7", 1, 1_000, 3_800],
        [persian, "سلام از پیک", "UCS2", 1, 2_400, 0],
        [persian, format!("{}\u{200F}", "ب".repeat(70)), "UCS2", 1, 2_400, 2_400],
        // Both cost the same.
        [{}, SHORT, "GSM7", 1, 1_000, 0],
        [{}, "It’s ready", "UCS2", 1, 1_000, 0],
        [{}, format!("It’s {}", "b".repeat(66)), "GSM7", 1, 1_000, 1_000],
    ]);
    for (coefficients, text, encoding, parts, cost, saved) in table::<(Value, String, String, i64, i64, i64)>(rows) {
        let (world, shop) = World::with_account(1_000_000);
        world.change("/admin/lines/10001", json!({"coefficients": coefficients}));
        let expected = json!({"encoding": encoding, "parts": parts, "cost": cost, "saved": saved});
        let told = world
            .post(&shop.key, "/sms/estimate", json!({"send": cheapest(to_one(&text))}))
            .expect(200);
        assert_has(&told.json["data"], expected.clone());
        let sent = world.posted(&shop.key, "/sms/send", cheapest(to_one(&text)));
        assert_has(&sent.json["data"], expected);
        assert_eq!(sent.json["data"]["text"], told.json["data"]["text"]);
        assert_eq!(world.balance(&shop.key).1, cost);
        let as_it_is = world
            .post(&shop.key, "/sms/estimate", json!({"send": to_one(&text)}))
            .expect(200);
        assert_eq!(as_it_is.int("/data/cost"), cost + saved, "{text:?}");
    }
}

#[test]
fn each_kind_of_send_sends_stores_and_charges_the_cheapest_form() {
    let (world, shop) = world();
    for (name, path, body) in bodies(&world, &shop) {
        let told = world
            .post(&shop.key, "/sms/estimate", json!({name: cheapest(body.clone())}))
            .expect(200);
        let (before, locked) = world.balance(&shop.key);
        let sent = world.posted(&shop.key, path, cheapest(body));
        let text = if name == "bulk" { Value::Null } else { json!(WIDE) };
        for answer in [&told, &sent] {
            assert_has(
                &answer.json["data"],
                json!({"encoding": "UCS2", "parts": 1, "cost": 2_000, "saved": 2_800}),
            );
            assert_eq!(answer.json["data"]["text"], text, "{name}");
        }
        assert_eq!(pick::<i64>(&sent.json["data"]["recipients"], "cost"), [1_000, 1_000]);
        assert_eq!(world.balance(&shop.key), (before - 2_000, locked + 2_000), "{name}");
        assert_eq!(texts(&world, &shop, &sent), [WIDE, WIDE], "{name}");
    }
    world.settle(60_000);
    let handed = world.handed(&shop.id);
    assert_eq!(handed.len(), 8);
    assert!(handed.iter().all(|(_, text)| text == WIDE), "{handed:?}");
}

#[test]
fn as_is_is_what_is_left_out() {
    let (world, shop) = world();
    for (name, path, body) in bodies(&world, &shop) {
        let members =
            |answer: &Answer| -> Vec<String> { answer.json["data"].as_object().unwrap().keys().cloned().collect() };
        let told = world
            .post(&shop.key, "/sms/estimate", json!({name: body.clone()}))
            .expect(200);
        let sent = world.posted(&shop.key, path, body.clone());
        assert_eq!(texts(&world, &shop, &sent), [SHORT, SHORT], "{name}");
        for answer in [&told, &sent] {
            assert_has(&answer.json["data"], json!({"encoding": "GSM7", "cost": 4_800}));
            let added = |member: &String| member == "text" || member == "saved";
            assert!(!members(answer).iter().any(added), "{name}");
        }
        for encoding in [json!("AS_IS"), Value::Null] {
            let mut body = body.clone();
            body["encoding"] = encoding;
            let other = world.posted(&shop.key, path, body.clone());
            assert_eq!(members(&other), members(&sent), "{name}");
            assert_eq!(texts(&world, &shop, &other), [SHORT, SHORT], "{name}");
            let other = world.post(&shop.key, "/sms/estimate", json!({name: body})).expect(200);
            assert_eq!(other.json["data"], told.json["data"], "{name}");
        }
    }
}

#[test]
fn an_encoding_is_one_of_two_words() {
    let (world, shop) = world();
    let money = world.balance(&shop.key).0;
    for (name, path, body) in bodies(&world, &shop) {
        for (encoding, fault) in [
            (json!("cheap"), "must be one of AS_IS, CHEAPEST"),
            (json!("GSM7"), "must be one of AS_IS, CHEAPEST"),
            (json!(5), "must be a string"),
        ] {
            let mut body = body.clone();
            body["encoding"] = encoding;
            let refused = world.post(&shop.key, path, body.clone()).problem(422, 422);
            assert_eq!(refused.extra(), [format!("encoding: {fault}")], "{name}");
            let refused = world
                .post(&shop.key, "/sms/estimate", json!({name: body}))
                .problem(422, 422);
            assert_eq!(refused.extra(), [format!("{name}.encoding: {fault}")]);
        }
    }
    world.assert_untouched(&shop, money);
}

#[test]
fn an_operator_may_forbid_it_on_a_line() {
    let (world, shop) = world();
    let money = world.balance(&shop.key).0;
    let bodies = bodies(&world, &shop);
    world.look("/admin/lines/10001").has(json!({"cheapest": true}));
    world
        .change("/admin/lines/10001", json!({"cheapest": false}))
        .has(json!({"cheapest": false, "active": true}));
    assert_eq!(world.get(&shop.key, "/lines").expect(200).items()[0]["cheapest"], false);
    let fault = "encoding: must be AS_IS: 10001 sends texts as they are";
    for (name, path, body) in &bodies {
        let refused = world.post(&shop.key, path, cheapest(body.clone())).problem(422, 422);
        assert_eq!(refused.extra(), [fault]);
        assert_eq!(refused.pointers(), ["/encoding"]);
        let refused = world
            .post(&shop.key, "/sms/estimate", json!({*name: cheapest(body.clone())}))
            .problem(422, 422);
        assert_eq!(refused.extra(), [format!("{name}.{fault}")]);
        assert_eq!(refused.pointers(), [format!("/{name}/encoding")]);
        let told = world.post(&shop.key, "/sms/estimate", json!({*name: body})).expect(200);
        assert_eq!(told.json["data"]["alternatives"], json!([]), "{name}");
    }
    world.assert_untouched(&shop, money);
    for (_, path, body) in &bodies {
        world.posted(&shop.key, path, body.clone());
    }
    // A line that is made so, and one that allows it again.
    let line = json!({"number": "10009", "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true, "cheapest": false});
    world.create("/admin/lines", line).has(json!({"cheapest": false}));
    let mut body = cheapest(to_one(SHORT));
    body["sourceNumber"] = json!("10009");
    world
        .post(&shop.key, "/sms/send", body.clone())
        .faults(&["encoding: must be AS_IS: 10009 sends texts as they are"]);
    world.change("/admin/lines/10009", json!({"cheapest": true}));
    world.posted(&shop.key, "/sms/send", body);
}

#[test]
fn a_repeat_gets_the_first_answer_also_on_a_line_that_forbids_it_now() {
    let (world, shop) = world();
    let mut sends = Vec::new();
    for (_, path, body) in bodies(&world, &shop) {
        let first = world
            .post_once(&shop.key, path, path, cheapest(body.clone()))
            .expect(201);
        sends.push((path, cheapest(body), first));
    }
    world.change("/admin/lines/10001", json!({"coefficients": {"ENGLISH": 1}}));
    let balance = world.balance(&shop.key);
    for allowed in [true, false] {
        world.change("/admin/lines/10001", json!({"cheapest": allowed}));
        for (path, body, first) in &sends {
            let again = world.post_once(&shop.key, path, path, body.clone()).expect(201);
            assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
            assert_eq!(again.json["data"], first.json["data"], "{path}");
            assert_eq!(again.int("/data/saved"), 2_800);
        }
    }
    assert_eq!(world.balance(&shop.key), balance);
}

#[test]
fn secret_values_are_sent_as_they_are_and_told_to_nobody() {
    let (world, shop) = world();
    let secret = |text: &str| json!({"slug": "login", "title": "x", "text": text, "variables": [{"name": "OTP", "type": "TEXT", "secret": true}]});
    world.active_pattern(&shop.key, secret("Your code is %OTP%"));
    let one = |otp: &str| json!({"pattern": "login", "variables": {"OTP": otp}, "recipient": "09121234567"});
    let told = world
        .post(&shop.key, "/sms/estimate", json!({"pattern": cheapest(one("AB12"))}))
        .expect(200);
    let sent = world
        .post_once(&shop.key, "/sms/pattern", "k", cheapest(one("AB12")))
        .expect(201);
    let again = world
        .post_once(&shop.key, "/sms/pattern", "k", cheapest(one("AB12")))
        .expect(201);
    for answer in [&told, &sent, &again] {
        answer.has(json!({"text": "Your\u{A0}code is ••••", "cost": 1_000, "saved": 1_400}));
    }
    let bulk = json!({"messages": [{"recipient": "09351234567", "pattern": "login", "variables": {"OTP": "CD34"}}]});
    let bulk = world.posted(&shop.key, "/sms/bulk", cheapest(bulk));
    assert_eq!(texts(&world, &shop, &sent), ["Your\u{A0}code is AB12"]);
    assert_eq!(texts(&world, &shop, &bulk), ["Your\u{A0}code is CD34"]);
    world.settle(3 * peyk::base::time::DAY_MS);
    assert_eq!(texts(&world, &shop, &sent), ["Your\u{A0}code is ••••"]);
    assert_eq!(texts(&world, &shop, &bulk), ["Your\u{A0}code is ••••"]);
}

#[test]
fn a_secret_value_that_would_change_keeps_its_text_as_it_is() {
    let (world, shop) = world();
    let variables = json!([{"name": "OTP", "type": "TEXT", "secret": true}]);
    let pattern = |slug: &str, text: &str| json!({"slug": slug, "title": "x", "text": text, "variables": variables});
    world.active_pattern(&shop.key, pattern("words", "%OTP%: your code"));
    world.active_pattern(&shop.key, pattern("digits", &format!("{} %OTP%", "b".repeat(68))));
    let sent = |slug: &str, otp: &str| {
        let body = json!({"pattern": slug, "variables": {"OTP": otp}, "recipient": "09121234567"});
        let sent = world.posted(&shop.key, "/sms/pattern", cheapest(body));
        (texts(&world, &shop, &sent).remove(0), sent.int("/data/saved"))
    };
    assert_eq!(sent("words", "blue"), ("blue: your\u{A0}code".to_owned(), 1_400));
    assert_eq!(sent("words", "blue sky"), ("blue sky: your code".to_owned(), 0));
    world.change("/admin/lines/10001", json!({"coefficients": {"ENGLISH": 1}}));
    assert_eq!(sent("digits", "۱۲۳").1, 0);
}

#[test]
fn texts_with_values_of_a_phonebook_are_each_in_their_cheapest_form() {
    let (world, shop) = world();
    let id = world.phonebook(
        &shop.key,
        "Any",
        json!([{"number": "09121234567", "name": "Ali"}, {"number": "09351234567", "name": "سارا"}, {"number": "09201234567"}]),
    );
    let body = |message: &str| cheapest(json!({"phonebook": id, "message": message}));
    let told = world
        .post(
            &shop.key,
            "/sms/estimate",
            json!({"phonebook": body("Sale now, %name%")}),
        )
        .expect(200);
    told.has(json!({"cost": 3_000, "saved": 2_800, "text": null, "encoding": "UCS2"}));
    let sent = world.posted(&shop.key, "/sms/phonebook/send", body("Sale now, %name%"));
    sent.has(json!({"cost": 3_000, "saved": 2_800, "text": null, "encoding": "UCS2"}));
    let expected = ["Sale\u{A0}now, Ali", "Sale now, سارا", "Sale\u{A0}now,"];
    let mut found = texts(&world, &shop, &sent);
    found.sort();
    let mut sorted = expected.map(str::to_owned);
    sorted.sort();
    assert_eq!(found, sorted);
    let samples: Vec<String> = serde_json::from_value(told.json["data"]["samples"].clone()).unwrap();
    assert_eq!(
        samples
            .iter()
            .filter(|sample| expected.contains(&sample.as_str()))
            .count(),
        3
    );
    // A placeholder is not touched, and a value that looks like one is text.
    let stored = world.message(&shop.key, &sent.text("/data/uid"));
    assert_eq!(stored.text("/data/message"), "Sale now, %name%");
}

#[test]
fn a_test_key_is_told_what_a_live_key_would_save_and_saves_nothing() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    for (name, path, body) in bodies(&world, &shop) {
        let told = world
            .post(&test, "/sms/estimate", json!({name: cheapest(body.clone())}))
            .expect(200);
        told.has(json!({"cost": 2_000, "saved": 2_800, "test": true}));
        let sent = world.posted(&test, path, cheapest(body));
        sent.has(json!({"cost": 0, "saved": 0, "encoding": "UCS2"}));
    }
    // Stand-ins have digits where members have digits.
    world.change(
        "/admin/lines/10001",
        json!({"coefficients": {"PERSIAN": 2.4, "ENGLISH": 1}}),
    );
    let id = world.phonebook(&shop.key, "Codes", json!([{"number": "09121234567", "name": "A ۱۲۳"}]));
    let body = json!({"phonebook": cheapest(json!({"phonebook": id, "message": "Code %name%"}))});
    for key in [&shop.key, &test] {
        let told = world.post(key, "/sms/estimate", body.clone()).expect(200);
        told.has(json!({"cost": 1_000, "saved": 1_400}));
    }
}

#[test]
fn an_estimate_in_the_cheapest_form_names_it_first_among_the_alternatives() {
    let (world, shop) = world();
    let told = |body: Value| {
        world
            .post(&shop.key, "/sms/estimate", json!({"send": body}))
            .expect(200)
    };
    let (as_it_is, cheap) = (told(to_one(SHORT)), told(cheapest(to_one(SHORT))));
    assert_eq!(
        as_it_is.json["data"]["alternatives"],
        cheap.json["data"]["alternatives"]
    );
    assert_eq!(
        cheap.json["data"]["alternatives"][0]["text"],
        cheap.json["data"]["text"]
    );
    assert_eq!(
        cheap.json["data"]["alternatives"][0]["cost"],
        cheap.json["data"]["cost"]
    );
    let none = told(cheapest(to_one("سلام")));
    none.has(json!({"text": "سلام", "saved": 0, "alternatives": []}));
}

#[test]
fn a_refused_send_says_so_whatever_its_form() {
    let (world, shop) = World::with_account(1_500);
    world.change("/admin/lines/10001", json!({"coefficients": {"ENGLISH": iranian()}}));
    world.post(&shop.key, "/sms/send", to_one(SHORT)).problem(400, 2001);
    // The cheapest form is within the balance.
    let abroad = json!({"message": SHORT, "recipients": ["+447911123456"]});
    world.post(&shop.key, "/sms/send", cheapest(abroad)).problem(406, 3017);
    world.assert_untouched(&shop, 1_500);
    world.posted(&shop.key, "/sms/send", cheapest(to_one(SHORT)));
}

#[test]
fn a_send_to_a_phonebook_that_would_become_too_large_is_made_with_texts_as_they_are() {
    const MEMBERS: i64 = 7_500;
    let (world, shop) = World::with_account(1_000_000_000);
    let id = world
        .posted(&shop.key, "/phonebook", json!({"title": "All"}))
        .text("/data/id");
    for part in 0..3 {
        let row = |number: i64| format!("0912{number:04}100,Ali\n");
        let csv: String = (part * 2_500..(part + 1) * 2_500).map(row).collect();
        world.import(&shop.key, &id, format!("number,name\n{csv}")).expect(201);
    }
    // 9 parts in UCS-2 and 4 in GSM-7, in 1,200 bytes of JSON for each member: 9 MB together.
    let body = json!({"phonebook": id, "message": format!("{} %name%", "“".repeat(590))});
    let sent = world.posted(&shop.key, "/sms/phonebook/send", cheapest(body));
    let (cost, saved) = (sent.int("/data/cost"), sent.int("/data/saved"));
    assert_eq!(cost + saved, MEMBERS * 9_000);
    assert!(saved > 0 && saved % 5_000 == 0, "{saved}");
    let whole = saved / 5_000;
    assert!((6_000..MEMBERS).contains(&whole), "{whole}");
}

#[test]
fn no_alternative_makes_a_placeholder_of_what_is_none() {
    let (world, shop) = World::with_account(1_000_000);
    world.change("/admin/lines/10001", json!({"coefficients": {"PERSIAN": 2}}));
    let id = world.phonebook(&shop.key, "Any", json!(["09121234567"]));
    for (text, count) in [("Hi\u{feff}.", 1), ("%x\u{feff}%x.", 0)] {
        let body = json!({"phonebook": {"phonebook": id, "message": text}});
        let estimate = world.post(&shop.key, "/sms/estimate", body).expect(200);
        let alternatives = estimate.json["data"]["alternatives"].as_array().unwrap();
        assert_eq!(alternatives.len(), count, "{}", estimate.body);
    }
}
