//! Sends to phonebooks and in bulk, and canceled schedules.

use serde_json::{Value, json};

use crate::support::{Answer, World, assert_contains, assert_has, assert_starts, pick, table, time::HOUR_MS};

#[test]
fn a_phonebook_gets_each_its_own_text_at_its_own_price() {
    let (world, shop) = World::with_account(100_000);
    let long = "x".repeat(200);
    let body = json!([
        {"number": "09121234567", "name": "علی", "attributes": {"city": "تهران"}},
        {"number": "09351234567", "name": "Bob"},
        {"number": "09171234567", "name": long},
        {"number": "09131234567"},
    ]);
    let id = world.phonebook(&shop.key, "Friends", body);
    let body = json!({"phonebook": id, "message": "Hi %name%, %city%: 50% off %unknown%", "exclude": ["0913 123 4567"],
            "unknownPlaceholders": "KEEP"});
    let sent = world.posted(&shop.key, "/sms/phonebook/send", body.clone());
    assert_eq!(sent.text("/status"), "CREATED");
    sent.has(json!({"type": "PHONEBOOK", "encoding": "UCS2"}));
    assert_eq!((sent.int("/data/parts"), sent.int("/data/cost")), (2, 4_000));
    let recipients = &sent.json["data"]["recipients"];
    let numbers: Vec<String> = pick(recipients, "recipient");
    assert_eq!(numbers, ["+989121234567", "+989171234567", "+989351234567"]);
    let costs: Vec<i64> = pick(recipients, "cost");
    assert_eq!(costs, [1_000, 2_000, 1_000]);
    assert_eq!(world.balance(&shop.key), (96_000, 4_000));
    world.settle(10_000);
    let texts = world.handed(&shop.id);
    let text = |number: &str, text: &str| (number.to_owned(), text.to_owned());
    let wanted = [
        text("+989121234567", "Hi علی, تهران: 50% off %unknown%"),
        text("+989171234567", &format!("Hi {long}, : 50% off %unknown%")),
        text("+989351234567", "Hi Bob, : 50% off %unknown%"),
    ];
    assert_eq!(texts, wanted);
    assert_eq!(world.balance(&shop.key), (96_000, 0));
    let uid = sent.text("/data/uid");
    let message = world.message(&shop.key, &uid);
    assert_eq!(message.text("/data/message"), "Hi %name%, %city%: 50% off %unknown%");
    let wanted = "Hi علی, تهران: 50% off %unknown%";
    assert_eq!(message.text("/data/recipients/0/message"), wanted);
    let expected = json!({"encoding": "GSM7", "parts": 2});
    assert_has(&message.json["data"]["recipients"][1], expected);
    let page = world.read(&shop.key, &format!("/messages/{uid}/recipients?status=DELIVERED"));
    assert_eq!(page.text("/data/2/message"), "Hi Bob, : 50% off %unknown%");
}

#[test]
fn a_text_without_placeholders_is_one_text_for_all() {
    let (world, shop) = World::with_account(100_000);
    let body = json!([{"number": "09121234567", "name": "Ali"}, "09351234567"]);
    let id = world.phonebook(&shop.key, "Friends", body);
    let body = json!({"phonebook": id, "message": "20% off, 50% off"});
    let sent = world.posted(&shop.key, "/sms/phonebook/send", body);
    world.settle(10_000);
    let message = world.message(&shop.key, &sent.text("/data/uid"));
    assert_eq!(message.text("/data/message"), "20% off, 50% off");
    assert_eq!(message.json["data"]["recipients"][0].get("message"), None);
    assert_eq!(world.handed(&shop.id).len(), 2);
}

#[test]
fn a_number_in_several_phonebooks_gets_one_message_as_the_first_has_it() {
    let (world, shop) = World::with_account(100_000);
    let first = world.phonebook(&shop.key, "A", json!([{"number": "09351234567", "name": "A"}]));
    let body = json!([{"number": "09351234567", "name": "B"}, {"number": "09121234567", "name": "C"}]);
    let second = world.phonebook(&shop.key, "B", body);
    let body = json!({"phonebooks": [first, second, first], "message": "%name%"});
    let sent = world.posted(&shop.key, "/sms/phonebook/send", body);
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 2);
    world.settle(10_000);
    let text = |number: &str, text: &str| (number.to_owned(), text.to_owned());
    let wanted = [text("+989351234567", "A"), text("+989121234567", "C")];
    assert_eq!(world.handed(&shop.id), wanted);
}

#[test]
fn a_phonebook_send_is_refused_whole() {
    let (mut world, shop) = World::with_account(100_000);
    world.app.config.max_phonebook_recipients = 3;
    let numbers: Vec<String> = (0..4).map(|number| format!("0912123456{number}")).collect();
    let id = world.phonebook(&shop.key, "Four", json!(numbers));
    let named = json!([{"number": "09351234567", "name": "آ".repeat(200)}]);
    let one = world.phonebook(&shop.key, "One", named);
    let new = json!({"title": "Empty"});
    let empty = world.posted(&shop.key, "/phonebook", new).text("/data/id");
    let send = |body: Value| world.post(&shop.key, "/sms/phonebook/send", body);
    let faults = |body: Value| send(body).refused(422).extra();
    let wanted = ["phonebook: has 4 recipients or more, at most 3 are allowed"];
    assert_eq!(faults(json!({"phonebook": id, "message": "x"})), wanted);
    let three = json!({"phonebooks": [id, one], "message": "x", "exclude": ["09121234560"]});
    let wanted = ["phonebooks: has 4 recipients or more, at most 3 are allowed"];
    assert_eq!(faults(three), wanted);
    let body = json!({"phonebook": empty, "message": "x"});
    assert_eq!(faults(body), ["phonebook: has no recipients"]);
    let body = json!({"phonebook": one, "message": "x", "exclude": ["09351234567"]});
    assert_eq!(faults(body), ["phonebook: has no recipients"]);
    assert_eq!(
        faults(json!({"phonebook": one, "message": "%name%%name%%name%%name%"})),
        ["message: takes 12 parts for +989351234567, at most 10 are allowed"]
    );
    let nameless = world.phonebook(&shop.key, "Nameless", json!(["09351234568"]));
    let body = json!({"phonebook": nameless, "message": "%name%"});
    assert_eq!(faults(body), ["message: is empty for +989351234568"]);
    let wanted = ["phonebook: is required", "exclude[0]: is not a valid phone number"];
    assert_eq!(faults(json!({"message": "x".repeat(2_000), "exclude": ["x"]})), wanted);
    assert_eq!(
        faults(json!({"phonebook": 5, "phonebooks": [], "exclude": ["x"]})),
        [
            "message: is required",
            "phonebook: must not stand beside \"phonebooks\"",
            "exclude[0]: is not a valid phone number"
        ]
    );
    let body = json!({"phonebooks": [], "message": "x"});
    assert_eq!(faults(body), ["phonebooks: must not be empty"]);
    send(json!({"phonebook": "nothing", "message": "x", "sourceNumber": "99999"})).refused(404);
    send(json!({"phonebooks": [one, "nothing"], "message": "x"})).refused(404);
    send(json!({"phonebook": one, "message": "x", "sourceNumber": "99999"})).problem(406, 3012);
    world.assert_untouched(&shop, 100_000);
}

/// A phonebook with many numbers that have a name and these attributes.
fn many(world: &World, key: &str, count: u32, header: &str, values: &str) -> String {
    let made = world.posted(key, "/phonebook", json!({"title": "Many"}));
    let id = made.text("/data/id");
    let mut number = 0;
    while number < count {
        let until = count.min(number + 2_000);
        let lines = (number..until).map(|number| format!("0912{number:04}100,N{number}{values}\n"));
        let csv = format!("number,name{header}\n{}", lines.collect::<String>());
        let path = format!("/phonebook/{id}/import");
        let request = world.ask("POST", key, &path).body("text/csv", csv.as_bytes());
        request.send().expect(201);
        number = until;
    }
    id
}

#[test]
fn a_phonebook_send_reads_only_what_its_text_names() {
    let (world, shop) = World::with_account(10_000_000);
    let tail = format!(",Tehran,{}", "x".repeat(1_900));
    let id = many(&world, &shop.key, 3_000, ",city,note", &tail);
    for (message, text) in [("Hi %name%, %city%", "Hi N7, Tehran"), ("Hi", "Hi")] {
        world.db.answered.set((0, 0));
        let body = json!({"phonebook": id, "message": message});
        world.posted(&shop.key, "/sms/phonebook/send", body);
        assert!(world.db.answered.get().1 < 3_000 * 50, "{:?}", world.db.answered.get());
        world.settle(60_000);
        let wanted = ("+989120007100".to_owned(), text.to_owned());
        assert!(world.handed(&shop.id).contains(&wanted));
    }
}

#[test]
fn more_numbers_than_one_page_has_are_all_read_once() {
    let (world, shop) = World::with_busy_account(0);
    let first = many(&world, &shop.key, 10_000, "", "");
    let one = json!([{"number": "09351234567", "name": "N"}, {"number": "09120000100", "name": "twice"}]);
    let path = format!("/phonebook/number/{first}");
    world.posted(&shop.key, &path, json!({"numbers": one}));
    let second = world.phonebook(&shop.key, "Second", one);
    for message in ["x", "%name%"] {
        let estimate = |phonebooks: Value, exclude: Value| {
            let send = json!({"phonebooks": phonebooks, "message": message, "exclude": exclude});
            world.post(&shop.key, "/sms/estimate", json!({"phonebook": send}))
        };
        let exclude = json!(["09129999100"]);
        let both = estimate(json!([second, first]), exclude.clone()).expect(200);
        assert_eq!(both.int("/data/recipients"), 10_000);
        let body = json!([first]);
        assert_eq!(estimate(body, exclude).expect(200).int("/data/recipients"), 10_000);
        let fault = ["phonebook.phonebooks: has 10001 recipients or more, at most 10000 are allowed"];
        assert_eq!(estimate(json!([first]), json!([])).refused(422).extra(), fault);
        let others = json!(["09361234567"]);
        assert_eq!(estimate(json!([first]), others).refused(422).extra(), fault);
    }
}

#[test]
fn a_phonebook_send_with_too_much_text_stops_reading() {
    let (world, shop) = World::with_account(10_000_000);
    // 5,000 times 2 KB are more than 8 MiB.
    let id = many(&world, &shop.key, 5_000, ",note", &format!(",{}", "x".repeat(2_000)));
    world.db.answered.set((0, 0));
    let body = json!({"phonebook": id, "message": "%note%"});
    let refused = world.post(&shop.key, "/sms/phonebook/send", body).refused(422);
    let fault = "message: makes more than 8388608 bytes of values for all recipients together: send it in several";
    assert_eq!(refused.extra(), [fault]);
    let (most, all) = world.db.answered.get();
    assert!(most < 1_200_000 && all < 8_388_608 + 1_200_000, "{most} {all}");
    world.assert_untouched(&shop, 10_000_000);
}

#[test]
fn a_phonebook_text_is_bounded() {
    let (mut world, shop) = World::with_account(100_000);
    let long = "n".repeat(50);
    let attributes: serde_json::Map<String, Value> = (0..20).map(|n| (format!("a{n}"), json!("v"))).collect();
    let body = json!([{"number": "09121234567", "name": "N", "attributes": attributes}]);
    let id = world.phonebook(&shop.key, "One", body);
    let body = json!([{"number": "09351234567", "name": "N", "attributes": {(long.as_str()): "x", "b": "y"}}]);
    let second = world.phonebook(&shop.key, "Two", body);
    let send = |world: &World, message: &str| {
        let body = json!({"phonebooks": [id, second], "message": message});
        world.post(&shop.key, "/sms/phonebook/send", body)
    };
    // 61 placeholders of 52 characters, and 28 more.
    let most = format!("%{long}%").repeat(61) + &"x".repeat(28);
    assert_eq!(send(&world, &most).expect(201).int("/data/parts"), 1);
    let fault = ["message: must have at most 3200 characters"];
    assert_eq!(send(&world, &format!("{most}x")).refused(422).extra(), fault);
    world.app.config.max_parts = 1;
    let fault = ["message: must have at most 320 characters"];
    assert_eq!(send(&world, &"%name%".repeat(54)).refused(422).extra(), fault);
    world.app.config.max_parts = 10;
    let all: String = (0..20).map(|n| format!("%a{n}%")).collect();
    send(&world, &format!("%name%{all}%name%%1%")).expect(201);
    send(&world, &format!("%name%{all}%b%")).faults(&["message: must have at most 21 different placeholders"]);
}

#[test]
fn a_placeholder_is_one_as_soon_as_a_phonebook_has_the_attribute() {
    let (world, shop) = World::with_account(100_000);
    let body = json!([{"number": "09121234567", "attributes": {"city": "Yazd"}}]);
    let id = world.phonebook(&shop.key, "A", body);
    let other = world.phonebook(&shop.key, "B", json!(["09351234567"]));
    let path = format!("/phonebook/number/{id}");
    let number = world.read(&shop.key, &path).int("/data/0/id");
    let change = world.ask("PUT", &shop.key, &format!("{path}/{number}"));
    change.json(json!({"attributes": {}})).send().expect(200);
    for phonebooks in [json!([id]), json!([id, other]), json!([other])] {
        let body = json!({"phonebooks": phonebooks, "message": "in %city%", "unknownPlaceholders": "KEEP"});
        world.posted(&shop.key, "/sms/phonebook/send", body);
    }
    world.settle(60_000);
    let mut texts: Vec<String> = world.handed(&shop.id).into_iter().map(|(_, text)| text).collect();
    texts.sort();
    assert_eq!(texts, ["in ", "in ", "in ", "in %city%"]);
}

#[test]
fn a_refused_phonebook_send_names_only_the_first_recipients() {
    let (world, shop) = World::with_account(10_000_000);
    let id = many(&world, &shop.key, 150, ",note", &format!(",{}", "x".repeat(2_000)));
    let send = |exclude: Vec<String>| {
        let body = json!({"phonebook": id, "message": "%note%%note%", "exclude": exclude});
        world.post(&shop.key, "/sms/phonebook/send", body).refused(422).extra()
    };
    assert_eq!(send(Vec::new()).len(), 100);
    let some: Vec<String> = (0..51).map(|number| format!("0912{number:04}100")).collect();
    assert_eq!(send(some).len(), 99);
}

#[test]
fn ten_thousand_numbers_are_one_message_and_one_debit() {
    let (world, shop) = World::with_account(10_000_000);
    let body = json!({"title": "All"});
    let id = world.posted(&shop.key, "/phonebook", body).text("/data/id");
    let csv: String = (0..10_000)
        .map(|number| format!("0912{:04}100,Name {number}\n", number))
        .collect();
    world.import(&shop.key, &id, format!("number,name\n{csv}")).expect(201);
    let send = || {
        let body = json!({"phonebook": id, "message": "Hello %name%"});
        let answer = world.post_once(&shop.key, "/sms/phonebook/send", "campaign", body);
        answer.expect(201)
    };
    let sent = send();
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 10_000);
    assert_eq!(sent.int("/data/cost"), 10_000_000);
    assert_eq!(world.balance(&shop.key), (0, 10_000_000));
    let kinds = world.read(&shop.key, "/account/transactions").texts("type");
    assert_eq!(kinds, ["RESERVE", "CREDIT"]);
    assert_eq!(send().json["data"], sent.json["data"]);
    world.settle(60_000);
    let message = world.message(&shop.key, &sent.text("/data/uid"));
    assert_eq!(message.json["data"]["counts"], json!({"DELIVERED": 10_000}));
    let texts = world.handed(&shop.id);
    assert_eq!(texts.len(), 10_000);
    assert!(texts.contains(&("+989129999100".to_owned(), "Hello Name 9999".to_owned())));
    assert_eq!(world.balance(&shop.key), (0, 0));
}

#[test]
fn a_phonebook_send_costs_one_token_and_is_replayed_without_its_phonebook() {
    let (world, shop) = World::with_account(100_000);
    let id = world.phonebook(&shop.key, "A", json!([{"number": "09121234567", "name": "Ali"}]));
    let left = |answer: &Answer| -> i64 {
        let header = answer.header("RateLimit").unwrap();
        let (_, rest) = header.split_once(";r=").unwrap();
        rest.split(';').next().unwrap().parse().unwrap()
    };
    world.advance(60_000);
    let body = json!({"phonebook": id, "message": "%name%"});
    let send = |body: &Value| {
        let request = world
            .ask("POST", &shop.key, "/sms/phonebook/send")
            .idempotency_key("campaign");
        request.json(body.clone()).send()
    };
    let sent = send(&body).expect(201);
    assert_eq!(left(&sent), 299);
    world.settle(10_000);
    world.delete(&shop.key, &format!("/phonebook/{id}")).expect(204);
    let again = send(&body).expect(201);
    assert_eq!(again.json["data"], sent.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    let other = json!({"phonebook": id, "message": "other"});
    assert_eq!(send(&other).refused(404).header("Idempotency-Replayed"), None);
    let path = shop.path("");
    let limit = json!({"rateLimit": {"limit": 1, "windowSeconds": 3_600, "burst": 1}});
    world.change(&path, limit);
    world.advance(2 * HOUR_MS);
    let estimate = json!({"phonebook": {"phonebook": "nothing", "message": "x"}});
    world.post(&shop.key, "/sms/estimate", estimate.clone()).refused(404);
    world.post(&shop.key, "/sms/estimate", estimate).refused(429);
}

#[test]
fn values_of_ten_thousand_numbers_are_bounded_together() {
    let (world, shop) = World::with_account(1_000_000_000);
    let body = json!({"title": "All"});
    let id = world.posted(&shop.key, "/phonebook", body).text("/data/id");
    for part in 0..4 {
        let row = |number: u32| format!("0912{number:04}100,{},{}\n", "آ".repeat(200), "ب".repeat(300));
        let csv: String = (part * 2_500..(part + 1) * 2_500).map(row).collect();
        let file = format!("number,name,text\n{csv}");
        world.import(&shop.key, &id, file).expect(201);
    }
    let send = |message: &str| {
        let body = json!({"phonebook": id, "message": message});
        world.post(&shop.key, "/sms/phonebook/send", body)
    };
    let refused = send("%name% %text%").refused(422);
    assert_starts(&refused.extra()[0], "message: makes more than 8388608 bytes");
    world.assert_untouched(&shop, 1_000_000_000);
    send("%name%").expect(201);
    world.settle(60_000);
    let counts = world.read(&shop.key, "/messages?status=DONE");
    assert_eq!(counts.int("/data/0/recipientCount"), 10_000);
}

#[test]
fn a_bulk_is_many_texts_in_one_atomic_send() {
    let (world, shop) = World::with_account(100_000);
    let body = json!({"slug": "login", "title": "x", "text": "code: %OTP%"});
    world.posted(&shop.key, "/pattern", body);
    world.activate(&shop.key, "login", 1);
    world.change("/admin/lines/10001", json!({"coefficients": {"PATTERN": 0.5}}));
    let body = json!({"messages": [
        {"recipient": "09121234567", "message": "سلام"},
        {"recipient": "09351234567", "pattern": "login", "variables": {"OTP": 77}},
        {"recipient": "+989121234567", "message": "again"},
        {"recipient": "09171234567", "message": "x".repeat(161)}]});
    let sent = world.posted(&shop.key, "/sms/bulk", body);
    sent.has(json!({"type": "BULK", "encoding": "UCS2"}));
    assert_eq!((sent.int("/data/parts"), sent.int("/data/cost")), (2, 3_500));
    world.settle(10_000);
    let wanted = json!([
        ["+989121234567", "سلام"],
        ["+989351234567", "code: 77"],
        ["+989171234567", "x".repeat(161)]
    ]);
    assert_eq!(json!(world.handed(&shop.id)), wanted);
    let message = world.message(&shop.key, &sent.text("/data/uid"));
    assert_eq!(message.json["data"]["message"], Value::Null);
    assert_eq!(message.text("/data/recipients/1/message"), "code: 77");
    assert_eq!(message.json["data"]["counts"], json!({"DELIVERED": 3}));
}

#[test]
fn a_bulk_is_refused_whole_with_every_fault_named() {
    let (world, shop) = World::with_account(100_000);
    let body = json!({"slug": "login", "title": "x", "text": "%OTP%",
        "variables": [{"name": "OTP", "type": "NUMBER"}]});
    world.posted(&shop.key, "/pattern", body);
    world.activate(&shop.key, "login", 1);
    let send = |messages: Value| world.post(&shop.key, "/sms/bulk", json!({"messages": messages}));
    let body = json!([{"recipient": "x"}, 5, {"message": "", "recipient": 7}, {"recipient": "09121234567",
        "message": "a", "pattern": "b"}]);
    send(body).faults(&[
        "messages[0].recipient: is not a valid phone number",
        "messages[0].message: is required",
        "messages[1]: must be an object",
        "messages[2].recipient: must be a string",
        "messages[2].message: must not be empty",
        "messages[3].message: must not stand beside \"pattern\"",
    ]);
    let item = |pattern: &str, variables: Value| json!({"recipient": "09121234567", "pattern": pattern, "variables": variables});
    let other = |pattern: &str, variables: Value| json!({"recipient": "09351234567", "pattern": pattern, "variables": variables});
    let unknown = send(json!([item("login", json!({})), other("nothing", json!({}))])).problem(422, 3002);
    let wanted = ["messages[1].pattern: the pattern \"nothing\" does not exist: check the slug, or create the pattern"];
    assert_eq!(unknown.extra(), wanted);
    let none = send(json!([item("login", json!({"OTP": "x"})), other("login", json!([]))])).problem(406, 3014);
    assert_eq!(none.extra(), ["messages[1].variables.OTP: was given no value"]);
    let body = json!([item("login", json!({"OTP": "x"})), other("login", json!({"OTP": 5}))]);
    let invalid = send(body).problem(406, 3015);
    assert_eq!(invalid.extra(), ["messages[0].variables.OTP: must be a number"]);
    send(json!([])).faults(&["messages: must not be empty"]);
    let plain = |number| json!({"recipient": format!("0912{number:07}"), "message": "x"});
    let many: Vec<Value> = (0..1_001).map(plain).collect();
    send(json!(many)).faults(&["messages: must have at most 1000 items"]);
    let many: Vec<Value> = (0..101).map(plain).collect();
    send(json!(many)).problem(400, 2001);
    // A bulk with texts and patterns needs a line that can send both.
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    let body = json!({"sourceNumber": "10002", "messages": [item("login", json!({"OTP": 5})),
        {"recipient": "09351234567", "message": "x"}]});
    world.post(&shop.key, "/sms/bulk", body).problem(406, 3012);
    world.assert_untouched(&shop, 100_000);
}

#[test]
fn a_scheduled_message_is_taken_back_once_and_its_money_with_it() {
    let (world, shop) = World::with_account(2_000_000);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let recipients: Vec<String> = (0..1_000).map(|number| format!("0912{number:07}")).collect();
    let body = json!({"message": "later", "recipients": recipients, "sendAt": at});
    let sent = world.posted(&shop.key, "/sms/send", body);
    assert_eq!(sent.text("/data/status"), "SCHEDULED");
    assert_eq!(world.balance(&shop.key), (1_000_000, 1_000_000));
    let path = format!("/messages/{}", sent.text("/data/uid"));
    let cancel = |key: &str| world.delete(key, &path);
    let other = world.account("other", 0);
    cancel(&other.key).refused(404);
    let canceled = cancel(&shop.key).expect(200);
    assert_eq!(canceled.text("/data/status"), "CANCELED");
    assert_eq!(canceled.json["data"]["counts"], json!({"CANCELED": 1_000}));
    assert_eq!(world.balance(&shop.key), (2_000_000, 0));
    assert_contains(
        &cancel(&shop.key).refused(409).text("/detail"),
        "Nothing of the message waits",
    );
    world.settle(2 * HOUR_MS);
    assert_eq!(world.read(&shop.key, &path).text("/data/status"), "CANCELED");
    assert_eq!(world.handed(&shop.id), []);
    assert_eq!(world.read(&shop.key, "/messages?status=CANCELED").items().len(), 1);
    let now = world.send(&shop.key, &["09121234567"]).expect(201);
    let path = format!("/messages/{}", now.text("/data/uid"));
    world.settle(10_000);
    world.delete(&shop.key, &path).refused(409);
    assert_eq!(world.read(&shop.key, &path).text("/data/status"), "DONE");
}

#[test]
fn a_test_key_pays_nothing_in_every_kind() {
    let (world, shop) = World::with_account(0);
    let path = shop.path("/keys");
    let new = json!({"title": "test", "mode": "test"});
    let key = world.create(&path, new).text("/data/key");
    let id = world.phonebook(&shop.key, "A", json!([{"number": "09121234567", "name": "Ali"}]));
    for (path, body) in table::<(String, Value)>(json!([
        ["/sms/phonebook/send", {"phonebook": id, "message": "%name%"}],
        ["/sms/bulk", {"messages": [{"recipient": "09121234567", "message": "x"}]}],
    ])) {
        assert_eq!(world.posted(&key, &path, body).int("/data/cost"), 0);
    }
    world.settle(10_000);
    assert_eq!(world.handed(&shop.id), []);
}
