//! Sends to phonebooks and in bulk, estimates, the blacklist, and schedules that are taken back.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

use proptest::prelude::*;
use serde_json::{Value, json};
use support::{Account, Answer, World};

const HOUR_MS: i64 = 60 * 60 * 1_000;

fn post(world: &World, key: &str, path: &str, body: Value) -> Answer {
    world.request("POST", path).key(key).json(body).send()
}

fn wallet(world: &World, key: &str) -> (i64, i64) {
    let info = world.get(key, "/account/info").expect(200);
    (
        info.int("/data/wallet/availableBalance"),
        info.int("/data/wallet/lockedBalance"),
    )
}

/// What the sandbox was handed: `(number, text)`.
fn handed(world: &World, shop: &Account) -> Vec<(String, String)> {
    let mut items = Vec::new();
    let mut path = format!("/admin/accounts/{}/sandbox?limit=200", shop.id);
    loop {
        let page = world.request("GET", &path).key(&world.admin_key).send().expect(200);
        for item in page.json["data"].as_array().unwrap() {
            let text = |name: &str| item[name].as_str().unwrap().to_owned();
            items.push((text("recipient"), text("message")));
        }
        match page.json["meta"]["nextCursor"].as_str() {
            Some(cursor) => path = format!("/admin/accounts/{}/sandbox?limit=200&cursor={cursor}", shop.id),
            None => return items,
        }
    }
}

fn phonebook(world: &World, key: &str, title: &str, numbers: Value) -> String {
    let id = post(world, key, "/phonebook", json!({"title": title}))
        .expect(201)
        .text("/data/id");
    post(
        world,
        key,
        &format!("/phonebook/number/{id}"),
        json!({"numbers": numbers}),
    )
    .expect(201);
    id
}

/// Nothing was written for an account but what is in its ledger.
fn assert_untouched(world: &World, shop: &Account, money: i64) {
    assert_eq!(wallet(world, &shop.key), (money, 0));
    let sql = world.sql(&shop.id);
    for table in ["message", "recipient", "own", "chunk", "use", "idempotency"] {
        let rows = peyk::ports::Sql::exec(&*sql, &format!("SELECT count(*) FROM {table}"), &[]).unwrap();
        assert_eq!(rows[0].int(0).unwrap(), 0, "{table}");
    }
}

#[test]
fn a_phonebook_gets_each_its_own_text_at_its_own_price() {
    let (world, shop) = World::with_account(100_000);
    let long = "x".repeat(200);
    let id = phonebook(
        &world,
        &shop.key,
        "Friends",
        json!([
            {"number": "09121234567", "name": "علی", "attributes": {"city": "تهران"}},
            {"number": "09351234567", "name": "Bob"},
            {"number": "09171234567", "name": long},
            {"number": "09131234567"},
        ]),
    );
    let body =
        json!({"phonebook": id, "message": "Hi %name%, %city%: 50% off %unknown%", "exclude": ["0913 123 4567"]});
    let sent = post(&world, &shop.key, "/sms/phonebook/send", body.clone()).expect(201);
    assert_eq!(sent.text("/status"), "CREATED");
    assert_eq!(
        (sent.text("/data/type"), sent.text("/data/encoding")),
        ("PHONEBOOK".to_owned(), "UCS2".to_owned())
    );
    assert_eq!((sent.int("/data/parts"), sent.int("/data/cost")), (2, 4_000));
    let costs: Vec<(String, i64)> = sent.json["data"]["recipients"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            (
                item["recipient"].as_str().unwrap().to_owned(),
                item["cost"].as_i64().unwrap(),
            )
        })
        .collect();
    let cost = |number: &str, cost| (number.to_owned(), cost);
    assert_eq!(
        costs,
        [
            cost("+989121234567", 1_000),
            cost("+989171234567", 2_000),
            cost("+989351234567", 1_000)
        ]
    );
    assert_eq!(wallet(&world, &shop.key), (96_000, 4_000));
    world.settle(10_000);
    let texts = handed(&world, &shop);
    let text = |number: &str, text: &str| (number.to_owned(), text.to_owned());
    assert_eq!(
        texts,
        [
            text("+989121234567", "Hi علی, تهران: 50% off %unknown%"),
            text("+989171234567", &format!("Hi {long}, : 50% off %unknown%")),
            text("+989351234567", "Hi Bob, : 50% off %unknown%"),
        ]
    );
    assert_eq!(wallet(&world, &shop.key), (96_000, 0));
    let uid = sent.text("/data/uid");
    let told = world.get(&shop.key, &format!("/messages/{uid}")).expect(200);
    assert_eq!(told.text("/data/message"), "Hi %name%, %city%: 50% off %unknown%");
    assert_eq!(
        told.text("/data/recipients/0/message"),
        "Hi علی, تهران: 50% off %unknown%"
    );
    assert_eq!(
        (
            told.text("/data/recipients/1/encoding"),
            told.int("/data/recipients/1/parts")
        ),
        ("GSM7".to_owned(), 2)
    );
    let page = world
        .get(&shop.key, &format!("/messages/{uid}/recipients?status=DELIVERED"))
        .expect(200);
    assert_eq!(page.text("/data/2/message"), "Hi Bob, : 50% off %unknown%");
}

#[test]
fn a_text_without_placeholders_is_one_text_for_all() {
    let (world, shop) = World::with_account(100_000);
    let id = phonebook(
        &world,
        &shop.key,
        "Friends",
        json!([{"number": "09121234567", "name": "Ali"}, "09351234567"]),
    );
    let body = json!({"phonebook": id, "message": "20% off, 50% off"});
    let sent = post(&world, &shop.key, "/sms/phonebook/send", body).expect(201);
    world.settle(10_000);
    let told = world
        .get(&shop.key, &format!("/messages/{}", sent.text("/data/uid")))
        .expect(200);
    assert_eq!(told.text("/data/message"), "20% off, 50% off");
    assert_eq!(told.json["data"]["recipients"][0].get("message"), None);
    assert_eq!(handed(&world, &shop).len(), 2);
}

#[test]
fn a_number_in_several_phonebooks_gets_one_message_as_the_first_has_it() {
    let (world, shop) = World::with_account(100_000);
    let first = phonebook(&world, &shop.key, "A", json!([{"number": "09351234567", "name": "A"}]));
    let second = phonebook(
        &world,
        &shop.key,
        "B",
        json!([{"number": "09351234567", "name": "B"}, {"number": "09121234567", "name": "C"}]),
    );
    let body = json!({"phonebooks": [first, second, first], "message": "%name%"});
    let sent = post(&world, &shop.key, "/sms/phonebook/send", body).expect(201);
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 2);
    world.settle(10_000);
    let text = |number: &str, text: &str| (number.to_owned(), text.to_owned());
    assert_eq!(
        handed(&world, &shop),
        [text("+989351234567", "A"), text("+989121234567", "C")]
    );
}

#[test]
fn a_phonebook_send_is_refused_whole() {
    let (mut world, shop) = World::with_account(100_000);
    world.app.config.max_phonebook_recipients = 3;
    let numbers: Vec<String> = (0..4).map(|number| format!("0912123456{number}")).collect();
    let id = phonebook(&world, &shop.key, "Four", json!(numbers));
    let one = phonebook(
        &world,
        &shop.key,
        "One",
        json!([{"number": "09351234567", "name": "آ".repeat(200)}]),
    );
    let empty = post(&world, &shop.key, "/phonebook", json!({"title": "Empty"}))
        .expect(201)
        .text("/data/id");
    let send = |body: Value| post(&world, &shop.key, "/sms/phonebook/send", body);
    let faults = |body: Value| send(body).problem(422, 422).extra();
    assert_eq!(
        faults(json!({"phonebook": id, "message": "x"})),
        ["phonebook: has 4 recipients or more, at most 3 are allowed"]
    );
    let three = json!({"phonebooks": [id, one], "message": "x", "exclude": ["09121234560"]});
    assert_eq!(
        faults(three),
        ["phonebooks: has 4 recipients or more, at most 3 are allowed"]
    );
    assert_eq!(
        faults(json!({"phonebook": empty, "message": "x"})),
        ["phonebook: has no recipients"]
    );
    assert_eq!(
        faults(json!({"phonebook": one, "message": "x", "exclude": ["09351234567"]})),
        ["phonebook: has no recipients"]
    );
    assert_eq!(
        faults(json!({"phonebook": one, "message": "%name%%name%%name%%name%"})),
        ["message: takes 12 parts for +989351234567, at most 10 are allowed"]
    );
    let nameless = phonebook(&world, &shop.key, "Nameless", json!(["09351234568"]));
    assert_eq!(
        faults(json!({"phonebook": nameless, "message": "%name%"})),
        ["message: is empty for +989351234568"]
    );
    assert_eq!(
        faults(json!({"message": "x".repeat(2_000), "exclude": ["x"]})),
        ["phonebook: is required", "exclude[0]: is not a valid phone number"]
    );
    assert_eq!(
        faults(json!({"phonebook": 5, "phonebooks": [], "exclude": ["x"]})),
        [
            "message: is required",
            "phonebook: must not stand beside \"phonebooks\"",
            "exclude[0]: is not a valid phone number"
        ]
    );
    assert_eq!(
        faults(json!({"phonebooks": [], "message": "x"})),
        ["phonebooks: must not be empty"]
    );
    send(json!({"phonebook": "nothing", "message": "x", "sourceNumber": "99999"})).problem(404, 404);
    send(json!({"phonebooks": [one, "nothing"], "message": "x"})).problem(404, 404);
    send(json!({"phonebook": one, "message": "x", "sourceNumber": "99999"})).problem(406, 3012);
    assert_untouched(&world, &shop, 100_000);
}

#[test]
fn ten_thousand_numbers_are_one_message_and_one_debit() {
    let (world, shop) = World::with_account(10_000_000);
    let id = post(&world, &shop.key, "/phonebook", json!({"title": "All"}))
        .expect(201)
        .text("/data/id");
    let csv: String = (0..10_000)
        .map(|number| format!("0912{:04}100,Name {number}\n", number))
        .collect();
    let path = format!("/phonebook/{id}/import");
    world
        .request("POST", &path)
        .key(&shop.key)
        .body("text/csv", format!("number,name\n{csv}").as_bytes())
        .send()
        .expect(201);
    let send = || {
        let body = json!({"phonebook": id, "message": "Hello %name%"});
        world
            .request("POST", "/sms/phonebook/send")
            .key(&shop.key)
            .idempotency_key("campaign")
            .json(body)
            .send()
            .expect(201)
    };
    let sent = send();
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 10_000);
    assert_eq!(sent.int("/data/cost"), 10_000_000);
    assert_eq!(wallet(&world, &shop.key), (0, 10_000_000));
    let ledger = world.get(&shop.key, "/account/transactions").expect(200);
    let kinds: Vec<&str> = ledger.json["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["RESERVE", "CREDIT"]);
    let again = send();
    assert_eq!(again.json["data"], sent.json["data"]);
    world.settle(60_000);
    let told = world
        .get(&shop.key, &format!("/messages/{}", sent.text("/data/uid")))
        .expect(200);
    assert_eq!(told.json["data"]["counts"], json!({"DELIVERED": 10_000}));
    let texts = handed(&world, &shop);
    assert_eq!(texts.len(), 10_000);
    assert!(texts.contains(&("+989129999100".to_owned(), "Hello Name 9999".to_owned())));
    assert_eq!(wallet(&world, &shop.key), (0, 0));
}

#[test]
fn a_phonebook_send_costs_one_token_and_is_replayed_without_its_phonebook() {
    let (world, shop) = World::with_account(100_000);
    let id = phonebook(
        &world,
        &shop.key,
        "A",
        json!([{"number": "09121234567", "name": "Ali"}]),
    );
    let left = |answer: &Answer| -> i64 {
        let header = answer.header("RateLimit").unwrap();
        header
            .split(";r=")
            .nth(1)
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    world.advance(60_000);
    let body = json!({"phonebook": id, "message": "%name%"});
    let send = |body: &Value| {
        let request = world
            .request("POST", "/sms/phonebook/send")
            .key(&shop.key)
            .idempotency_key("campaign");
        request.json(body.clone()).send()
    };
    let sent = send(&body).expect(201);
    assert_eq!(left(&sent), 99);
    world.settle(10_000);
    world
        .request("DELETE", &format!("/phonebook/{id}"))
        .key(&shop.key)
        .send()
        .expect(204);
    let again = send(&body).expect(201);
    assert_eq!(again.json["data"], sent.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    let other = json!({"phonebook": id, "message": "other"});
    assert_eq!(send(&other).problem(404, 404).header("Idempotency-Replayed"), None);
    let path = format!("/admin/accounts/{}", shop.id);
    let limit = json!({"rateLimit": {"limit": 1, "windowSeconds": 3_600, "burst": 1}});
    world.admin("PATCH", &path, limit).expect(200);
    world.advance(2 * HOUR_MS);
    let estimate = json!({"phonebook": {"phonebook": "nothing", "message": "x"}});
    post(&world, &shop.key, "/sms/estimate", estimate.clone()).problem(404, 404);
    post(&world, &shop.key, "/sms/estimate", estimate).problem(429, 429);
}

#[test]
fn values_of_ten_thousand_numbers_are_bounded_together() {
    let (world, shop) = World::with_account(1_000_000_000);
    let id = post(&world, &shop.key, "/phonebook", json!({"title": "All"}))
        .expect(201)
        .text("/data/id");
    for part in 0..4 {
        let row = |number: u32| format!("0912{number:04}100,{},{}\n", "آ".repeat(200), "ب".repeat(300));
        let csv: String = (part * 2_500..(part + 1) * 2_500).map(row).collect();
        let path = format!("/phonebook/{id}/import");
        let csv = format!("number,name,text\n{csv}");
        world
            .request("POST", &path)
            .key(&shop.key)
            .body("text/csv", csv.as_bytes())
            .send()
            .expect(201);
    }
    let send = |message: &str| {
        post(
            &world,
            &shop.key,
            "/sms/phonebook/send",
            json!({"phonebook": id, "message": message}),
        )
    };
    let refused = send("%name% %text%").problem(422, 422);
    assert!(
        refused.extra()[0].starts_with("message: makes more than 8388608 bytes"),
        "{}",
        refused.body
    );
    assert_untouched(&world, &shop, 1_000_000_000);
    send("%name%").expect(201);
    world.settle(60_000);
    let counts = world.get(&shop.key, "/messages?status=DONE").expect(200);
    assert_eq!(counts.int("/data/0/recipientCount"), 10_000);
}

#[test]
fn a_bulk_is_many_texts_in_one_atomic_send() {
    let (world, shop) = World::with_account(100_000);
    post(
        &world,
        &shop.key,
        "/pattern",
        json!({"slug": "login", "title": "x", "text": "code: %OTP%"}),
    )
    .expect(201);
    post(&world, &shop.key, "/pattern/login/versions/1/activate", json!({})).expect(200);
    world
        .admin("PATCH", "/admin/lines/10001", json!({"coefficients": {"PATTERN": 0.5}}))
        .expect(200);
    let body = json!({"messages": [
        {"recipient": "09121234567", "message": "سلام"},
        {"recipient": "09351234567", "pattern": "login", "variables": {"OTP": 77}},
        {"recipient": "+989121234567", "message": "again"},
        {"recipient": "09171234567", "message": "x".repeat(161)}]});
    let sent = post(&world, &shop.key, "/sms/bulk", body).expect(201);
    assert_eq!(
        (sent.text("/data/type"), sent.text("/data/encoding")),
        ("BULK".to_owned(), "UCS2".to_owned())
    );
    assert_eq!((sent.int("/data/parts"), sent.int("/data/cost")), (2, 3_500));
    world.settle(10_000);
    let text = |number: &str, text: &str| (number.to_owned(), text.to_owned());
    assert_eq!(
        handed(&world, &shop),
        [
            text("+989121234567", "سلام"),
            text("+989351234567", "code: 77"),
            text("+989171234567", &"x".repeat(161))
        ]
    );
    let told = world
        .get(&shop.key, &format!("/messages/{}", sent.text("/data/uid")))
        .expect(200);
    assert_eq!(told.json["data"]["message"], Value::Null);
    assert_eq!(told.text("/data/recipients/1/message"), "code: 77");
    assert_eq!(told.json["data"]["counts"], json!({"DELIVERED": 3}));
}

#[test]
fn a_bulk_is_refused_whole_with_every_fault_named() {
    let (world, shop) = World::with_account(100_000);
    post(
        &world,
        &shop.key,
        "/pattern",
        json!({"slug": "login", "title": "x", "text": "%OTP%",
        "variables": [{"name": "OTP", "type": "NUMBER"}]}),
    )
    .expect(201);
    post(&world, &shop.key, "/pattern/login/versions/1/activate", json!({})).expect(200);
    let send = |messages: Value| post(&world, &shop.key, "/sms/bulk", json!({"messages": messages}));
    let bad = send(
        json!([{"recipient": "x"}, 5, {"message": "", "recipient": 7}, {"recipient": "09121234567", "message": "a", "pattern": "b"}]),
    );
    assert_eq!(
        bad.problem(422, 422).extra(),
        [
            "messages[0].recipient: is not a valid phone number",
            "messages[0].message: is required",
            "messages[1]: must be an object",
            "messages[2].recipient: must be a string",
            "messages[2].message: must not be empty",
            "messages[3].message: must not stand beside \"pattern\"",
        ]
    );
    let item = |pattern: &str, variables: Value| json!({"recipient": "09121234567", "pattern": pattern, "variables": variables});
    let other = |pattern: &str, variables: Value| json!({"recipient": "09351234567", "pattern": pattern, "variables": variables});
    let unknown = send(json!([item("login", json!({})), other("nothing", json!({}))])).problem(422, 3002);
    assert_eq!(
        unknown.extra(),
        ["messages[1].pattern: names the pattern \"nothing\", which does not exist or has no active version"]
    );
    let none = send(json!([item("login", json!({"OTP": "x"})), other("login", json!([]))])).problem(406, 3014);
    assert_eq!(none.extra(), ["messages[1].variables.OTP: was given no value"]);
    let invalid = send(json!([
        item("login", json!({"OTP": "x"})),
        other("login", json!({"OTP": 5}))
    ]))
    .problem(406, 3015);
    assert_eq!(invalid.extra(), ["messages[0].variables.OTP: must be a number"]);
    assert_eq!(
        send(json!([])).problem(422, 422).extra(),
        ["messages: must not be empty"]
    );
    let many: Vec<Value> = (0..1_001)
        .map(|number| json!({"recipient": format!("0912{number:07}"), "message": "x"}))
        .collect();
    assert_eq!(
        send(json!(many)).problem(422, 422).extra(),
        ["messages: must have at most 1000 items"]
    );
    let many: Vec<Value> = (0..101)
        .map(|number| json!({"recipient": format!("0912{number:07}"), "message": "x"}))
        .collect();
    send(json!(many)).problem(400, 2001);
    // A line that can't send both ways can't send a bulk of both.
    let line = json!({"number": "10002", "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true});
    world.admin("POST", "/admin/lines", line).expect(201);
    let both = json!({"sourceNumber": "10002", "messages": [item("login", json!({"OTP": 5})), {"recipient": "09351234567", "message": "x"}]});
    post(&world, &shop.key, "/sms/bulk", both).problem(406, 3012);
    assert_untouched(&world, &shop, 100_000);
}

#[test]
fn blacklisted_recipients_are_named_where_they_stand_and_nothing_is_sent() {
    let (world, shop) = World::with_account(100_000);
    let list = json!({"numbers": ["0912 123 4567", "+447911123456", "09121234567"]});
    let added = post(&world, &shop.key, "/blacklist", list.clone()).expect(201);
    assert_eq!((added.int("/data/added"), added.int("/data/unchanged")), (2, 0));
    let id = phonebook(&world, &shop.key, "A", json!(["09121234567", "09351234567"]));
    post(
        &world,
        &shop.key,
        "/pattern",
        json!({"slug": "any", "title": "x", "text": "y"}),
    )
    .expect(201);
    post(&world, &shop.key, "/pattern/any/versions/1/activate", json!({})).expect(200);
    let refused = |path: &str, body: Value, wanted: &[&str]| {
        let answer = post(&world, &shop.key, path, body).problem(422, 3016);
        assert_eq!(answer.extra(), wanted);
        assert!(answer.text("/detail").contains("+989121234567"));
    };
    let recipients = ["09351234567", "+447911123456", "09121234567"];
    refused(
        "/sms/send",
        json!({"message": "x", "recipients": recipients}),
        &[
            "recipients[1]: +447911123456 is on the blacklist",
            "recipients[2]: +989121234567 is on the blacklist",
        ],
    );
    refused(
        "/sms/pattern",
        json!({"pattern": "any", "variables": [], "recipient": "09121234567"}),
        &["recipient: +989121234567 is on the blacklist"],
    );
    refused(
        "/sms/phonebook/send",
        json!({"message": "x", "phonebook": id}),
        &["phonebook: +989121234567 is on the blacklist"],
    );
    refused(
        "/sms/bulk",
        json!({"messages": [{"recipient": "09351234567", "message": "a"}, {"recipient": "09121234567", "message": "b"}]}),
        &["messages[1].recipient: +989121234567 is on the blacklist"],
    );
    assert_untouched(&world, &shop, 100_000);
    // Switched off comes before it, the money after it.
    let path = format!("/admin/accounts/{}", shop.id);
    world
        .admin("PATCH", &path, json!({"sendingEnabled": false}))
        .expect(200);
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world.admin("PATCH", &path, json!({"sendingEnabled": true})).expect(200);
    let many: Vec<String> = (0..200).map(|number| format!("0912123{:04}", number + 4_400)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    world.send(&shop.key, &many).problem(422, 3016);
    let other = world.account("other", 1_000);
    world.send(&other.key, &["09121234567"]).expect(201);
    let removed = world
        .request("DELETE", "/blacklist")
        .key(&shop.key)
        .json(list)
        .send()
        .expect(200);
    assert_eq!((removed.int("/data/removed"), removed.int("/data/unchanged")), (2, 0));
    world.send(&shop.key, &["09121234567"]).expect(201);
}

#[test]
fn the_blacklist_is_listed_searched_and_bounded() {
    let (world, shop) = World::with_account(0);
    let numbers: Vec<String> = (0..5).map(|number| format!("0912123456{number}")).collect();
    post(&world, &shop.key, "/blacklist", json!({"numbers": numbers})).expect(201);
    let list = |query: &str| world.get(&shop.key, &format!("/blacklist{query}"));
    let first = list("?limit=2").expect(200);
    assert_eq!(first.text("/data/0/number"), "+989121234564");
    post(&world, &shop.key, "/blacklist", json!({"numbers": ["09351234567"]})).expect(201);
    let second = list(&format!("?limit=2&cursor={}", first.text("/meta/nextCursor"))).expect(200);
    assert_eq!(second.text("/data/0/number"), "+989121234562");
    assert_eq!(
        list("?number=09121234563").expect(200).json["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(list("?number=09121234569").expect(200).json["data"], json!([]));
    assert_eq!(
        list("?number=x").problem(422, 422).extra(),
        ["number: is not a valid phone number"]
    );
    list("?limit=0").problem(422, 422);
    let delete = |path: &str| world.request("DELETE", path).key(&shop.key).send();
    assert_eq!(
        delete("/blacklist?number=09121234563").expect(200).int("/data/removed"),
        1
    );
    assert_eq!(
        delete("/blacklist?number=09121234563")
            .expect(200)
            .int("/data/unchanged"),
        1
    );
    delete("/blacklist?number=x").problem(422, 422);
    delete("/blacklist").problem(415, 415);
    let bad = json!({"numbers": ["x", 5]});
    let wanted = [
        "numbers[0]: is not a valid phone number",
        "numbers[1]: must be a string",
    ];
    assert_eq!(
        post(&world, &shop.key, "/blacklist", bad.clone())
            .problem(422, 422)
            .extra(),
        wanted
    );
    assert_eq!(
        world
            .request("DELETE", "/blacklist")
            .key(&shop.key)
            .json(bad)
            .send()
            .problem(422, 422)
            .extra(),
        wanted
    );
    for (body, fault) in [
        (json!({}), "numbers: is required"),
        (json!({"numbers": []}), "numbers: must not be empty"),
    ] {
        assert_eq!(
            post(&world, &shop.key, "/blacklist", body).problem(422, 422).extra(),
            [fault]
        );
    }
    assert_eq!(list("").expect(200).json["data"].as_array().unwrap().len(), 5);
}

#[test]
fn a_scheduled_message_is_taken_back_once_and_its_money_with_it() {
    let (world, shop) = World::with_account(2_000_000);
    let at = peyk::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let recipients: Vec<String> = (0..1_000).map(|number| format!("0912{number:07}")).collect();
    let body = json!({"message": "later", "recipients": recipients, "sendAt": at});
    let sent = post(&world, &shop.key, "/sms/send", body).expect(201);
    assert_eq!(sent.text("/data/status"), "SCHEDULED");
    assert_eq!(wallet(&world, &shop.key), (1_000_000, 1_000_000));
    let path = format!("/messages/{}", sent.text("/data/uid"));
    let cancel = |key: &str| world.request("DELETE", &path).key(key).send();
    let other = world.account("other", 0);
    cancel(&other.key).problem(404, 404);
    let canceled = cancel(&shop.key).expect(200);
    assert_eq!(canceled.text("/data/status"), "CANCELED");
    assert_eq!(canceled.json["data"]["counts"], json!({"CANCELED": 1_000}));
    assert_eq!(wallet(&world, &shop.key), (2_000_000, 0));
    assert!(
        cancel(&shop.key)
            .problem(409, 409)
            .text("/detail")
            .contains("scheduled")
    );
    world.settle(2 * HOUR_MS);
    assert_eq!(world.get(&shop.key, &path).expect(200).text("/data/status"), "CANCELED");
    assert_eq!(handed(&world, &shop), []);
    let listed = world.get(&shop.key, "/messages?status=CANCELED").expect(200);
    assert_eq!(listed.json["data"].as_array().unwrap().len(), 1);
    let now = world.send(&shop.key, &["09121234567"]).expect(201);
    let path = format!("/messages/{}", now.text("/data/uid"));
    world.request("DELETE", &path).key(&shop.key).send().problem(409, 409);
    world.settle(10_000);
    world.request("DELETE", &path).key(&shop.key).send().problem(409, 409);
    assert_eq!(world.get(&shop.key, &path).expect(200).text("/data/status"), "DONE");
}

#[test]
fn an_estimate_tells_what_a_send_would_meet_and_changes_nothing() {
    let (world, shop) = World::with_account(500);
    post(&world, &shop.key, "/blacklist", json!({"numbers": ["09121234567"]})).expect(201);
    let path = format!("/admin/accounts/{}", shop.id);
    world
        .admin("PATCH", &path, json!({"status": "INACTIVE", "sendingEnabled": false}))
        .expect(200);
    let body = json!({"send": {"message": "سلام", "recipients": ["09121234567", "09351234567"]}});
    let told = post(&world, &shop.key, "/sms/estimate", body.clone()).expect(200);
    let data = &told.json["data"];
    assert_eq!(
        (&data["type"], &data["encoding"], &data["parts"]),
        (&json!("PLAIN"), &json!("UCS2"), &json!(1))
    );
    assert_eq!(
        (&data["recipients"], &data["cost"], &data["unit"]),
        (&json!(2), &json!(2_000), &json!("IRR"))
    );
    let codes: Vec<i64> = data["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["code"].as_i64().unwrap())
        .collect();
    assert_eq!(codes, [1003, 3011, 3016, 2001]);
    assert_eq!(
        told.text("/data/faults/2/extra/0"),
        "send.recipients[0]: +989121234567 is on the blacklist"
    );
    assert_eq!(told.text("/data/faults/2/errors/0/pointer"), "/send/recipients/0");
    assert_untouched(&world, &shop, 500);
    world
        .admin("PATCH", &path, json!({"status": "ACTIVE", "sendingEnabled": true}))
        .expect(200);
    let free = json!({"send": {"message": "x", "recipients": ["09351234567"]}});
    world
        .admin("POST", &format!("{path}/credit"), json!({"amount": 500}))
        .expect(201);
    assert_eq!(
        post(&world, &shop.key, "/sms/estimate", free).expect(200).json["data"]["faults"],
        json!([])
    );
    for (body, faults) in [
        (
            json!({}),
            vec!["send: one of send, pattern, phonebook, bulk is required"],
        ),
        (
            json!({"send": {}, "bulk": {}}),
            vec!["bulk: must not stand beside \"send\""],
        ),
        (json!({"send": 5}), vec!["send: must be an object"]),
        (json!({"send": null}), vec!["send: is required"]),
        (
            json!({"send": {"recipients": ["x"]}}),
            vec![
                "send.message: is required",
                "send.recipients[0]: is not a valid phone number",
            ],
        ),
        (
            json!({"bulk": {"messages": [{}]}}),
            vec![
                "bulk.messages[0].recipient: is required",
                "bulk.messages[0].message: is required",
            ],
        ),
    ] {
        assert_eq!(
            post(&world, &shop.key, "/sms/estimate", body).problem(422, 422).extra(),
            faults
        );
    }
    let missing = json!({"phonebook": {"phonebook": "nothing", "message": "x"}});
    post(&world, &shop.key, "/sms/estimate", missing).problem(404, 404);
    let unknown = json!({"pattern": {"pattern": "nothing", "recipient": "09121234567"}});
    let unknown = post(&world, &shop.key, "/sms/estimate", unknown).problem(422, 3002);
    assert!(unknown.extra()[0].starts_with("pattern.pattern: "));
}

#[test]
fn a_test_key_pays_nothing_in_every_kind() {
    let (world, shop) = World::with_account(0);
    let path = format!("/admin/accounts/{}/keys", shop.id);
    let key = world
        .admin("POST", &path, json!({"title": "test", "mode": "test"}))
        .expect(201)
        .text("/data/key");
    let id = phonebook(&world, &key, "A", json!([{"number": "09121234567", "name": "Ali"}]));
    for (path, body) in [
        ("/sms/phonebook/send", json!({"phonebook": id, "message": "%name%"})),
        (
            "/sms/bulk",
            json!({"messages": [{"recipient": "09121234567", "message": "x"}]}),
        ),
    ] {
        let sent = post(&world, &key, path, body).expect(201);
        assert_eq!(sent.int("/data/cost"), 0);
    }
    world.settle(10_000);
    assert_eq!(handed(&world, &shop), []);
}

/// A text of any encoding and some length, maybe with placeholders.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "hello ",
        "سلام ",
        "{}[]€",
        "%name%",
        "%city%",
        "%x",
        "100% ",
        "😀",
        "\r\n",
        "abcdefghij ",
    ]);
    prop::collection::vec(piece, 1..30).prop_map(|pieces| pieces.concat())
}

fn number() -> impl Strategy<Value = String> {
    (
        prop::sample::select(vec!["0912", "0935", "0920", "+4479"]),
        0u32..10_000_000,
    )
        .prop_map(|(prefix, rest)| {
            format!("{prefix}{rest:07}1")
                .chars()
                .take(if prefix == "+4479" { 13 } else { 11 })
                .collect()
        })
}

#[derive(Debug, Clone)]
struct Body {
    kind: usize,
    texts: Vec<String>,
    numbers: Vec<String>,
    names: Vec<Option<String>>,
}

fn body() -> impl Strategy<Value = Body> {
    (
        0usize..4,
        prop::collection::vec(text(), 8),
        prop::collection::vec(number(), 1..8),
        prop::collection::vec(prop::option::of(text()), 8),
    )
        .prop_map(|(kind, texts, numbers, names)| Body {
            kind,
            texts,
            numbers,
            names,
        })
}

impl Body {
    fn of(&self, world: &World, key: &str) -> (&'static str, &'static str, Value) {
        let (text, numbers) = (&self.texts[0], &self.numbers);
        match self.kind {
            0 => ("send", "/sms/send", json!({"message": text, "recipients": numbers})),
            1 => {
                let variables = json!({"A": &self.texts[1].chars().take(100).collect::<String>(), "B": 5});
                (
                    "pattern",
                    "/sms/pattern",
                    json!({"pattern": "any", "variables": variables, "recipients": numbers}),
                )
            }
            2 => {
                let member = |(number, name): (&String, &Option<String>)| {
                    let name: Option<String> = name.as_ref().map(|name| name.chars().take(200).collect());
                    json!({"number": number, "name": name, "attributes": {"city": self.texts[2].chars().take(40).collect::<String>()}})
                };
                let members: Vec<Value> = numbers.iter().zip(&self.names).map(member).collect();
                let id = phonebook(world, key, "Any", json!(members));
                (
                    "phonebook",
                    "/sms/phonebook/send",
                    json!({"phonebook": id, "message": format!("{text}.")}),
                )
            }
            _ => {
                let items = numbers
                    .iter()
                    .zip(&self.texts)
                    .enumerate()
                    .map(|(index, (number, text))| match index % 3 {
                        2 => json!({"recipient": number, "pattern": "any", "variables": {"A": "x", "B": index}}),
                        _ => json!({"recipient": number, "message": text}),
                    });
                ("bulk", "/sms/bulk", json!({"messages": items.collect::<Vec<_>>()}))
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn an_estimate_is_what_the_send_debits(body in body(), coefficients in prop::collection::vec(1u32..30_000, 6)) {
        let (world, shop) = World::with_account(1_000_000_000);
        let c = |index: usize| f64::from(coefficients[index]) / 10_000.0;
        let coefficients = json!({"PERSIAN": c(0), "ENGLISH": c(1), "MCI": c(2), "MTN": c(3), "WEBSERVICE": c(4), "PATTERN": c(5)});
        world.admin("PATCH", "/admin/lines/10001", json!({"coefficients": coefficients})).expect(200);
        post(&world, &shop.key, "/pattern", json!({"slug": "any", "title": "x", "text": "%A% و %B% 100%"})).expect(201);
        post(&world, &shop.key, "/pattern/any/versions/1/activate", json!({})).expect(200);
        let (kind, path, body) = body.of(&world, &shop.key);
        let before = wallet(&world, &shop.key).0;
        let estimate = post(&world, &shop.key, "/sms/estimate", json!({kind: body}));
        prop_assert_eq!(wallet(&world, &shop.key), (before, 0));
        let sent = post(&world, &shop.key, path, body);
        if estimate.response.status != 200 {
            // What can't be estimated can't be sent either, for the same reason.
            prop_assert_eq!(estimate.json["code"].clone(), sent.json["code"].clone());
            prop_assert_eq!(wallet(&world, &shop.key), (before, 0));
        } else {
            prop_assert_eq!(estimate.json["data"]["faults"].clone(), json!([]));
            prop_assert_eq!(sent.response.status, 201);
            let cost = estimate.int("/data/cost");
            prop_assert_eq!(sent.int("/data/cost"), cost);
            prop_assert_eq!(wallet(&world, &shop.key), (before - cost, cost));
            for member in ["encoding", "parts", "sourceNumber", "unit", "type"] {
                prop_assert_eq!(&estimate.json["data"][member], &sent.json["data"][member]);
            }
            let recipients = sent.json["data"]["recipients"].as_array().unwrap();
            prop_assert_eq!(estimate.int("/data/recipients"), i64::try_from(recipients.len()).unwrap());
            let sum: i64 = recipients.iter().map(|recipient| recipient["cost"].as_i64().unwrap()).sum();
            prop_assert_eq!(sum, cost);
        }
    }
}
