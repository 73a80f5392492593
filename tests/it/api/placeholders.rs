//! Placeholders that nothing fills are told before anything is sent, and what looks like one elsewhere is warned of.

use serde_json::{Value, json};

use crate::support::{Account, World, assert_contains};

const NUMBER: &str = "09121234567";

fn world() -> (World, Account, String) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let numbers = json!([{"number": NUMBER, "name": "Ali", "attributes": {"city": "Tehran"}},
        {"number": "09351234567", "name": "Sara", "attributes": {"city": "Yazd"}}]);
    let book = world.phonebook(&shop.key, "book", numbers);
    (world, shop, book)
}

fn to_book(book: &str, message: &str, more: Value) -> Value {
    let mut body = json!({"phonebook": book, "message": message});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[test]
fn a_placeholder_that_no_phonebook_has_is_refused_with_those_that_there_are() {
    let (world, shop, book) = world();
    for (message, unknown) in [
        ("hello %nmae%", "%nmae%"),
        ("hello %name%, %family% and %town%", "%family%, %town%"),
        ("سلام %شهر%", "%شهر%"),
    ] {
        let refused = world
            .post(&shop.key, "/sms/phonebook/send", to_book(&book, message, json!({})))
            .refused(422);
        let wanted = format!(
            "message: has {unknown}, which nothing fills (\"unknownPlaceholders\": \"KEEP\" sends it as it is); there are %city%, %name%"
        );
        assert_eq!(refused.extra(), [wanted]);
        assert_contains(&refused.text("/detail"), unknown);
        let estimate = json!({"phonebook": to_book(&book, message, json!({}))});
        world.post(&shop.key, "/sms/estimate", estimate).refused(422);
    }
    let persian = world
        .request("POST", "/sms/phonebook/send")
        .key(&shop.key)
        .language("fa");
    let persian = persian.json(to_book(&book, "%nmae%", json!({}))).send().expect(422);
    assert_contains(
        &persian.text("/detail"),
        "%nmae% دارد که چیزی جایش نمی‌نشیند (با «unknownPlaceholders» برابر «KEEP» همان‌طور که هست ارسال می‌شود)؛ این‌ها هستند: %city%, %name%",
    );
    world.assert_untouched(&shop, 1_000_000);
}

#[test]
fn it_is_sent_as_it_is_if_the_request_says_so_and_percents_are_text() {
    let (world, shop, book) = world();
    for (message, more, first) in [
        ("%nmae% %name%", json!({"unknownPlaceholders": "KEEP"}), "%nmae% Ali"),
        ("50% off, then 10% for %name%", json!({}), "50% off, then 10% for Ali"),
        ("100%", json!({"unknownPlaceholders": "REFUSE"}), "100%"),
    ] {
        let sent = world.posted(&shop.key, "/sms/phonebook/send", to_book(&book, message, more));
        world.settle(10_000);
        let recipients = world.read(&shop.key, &format!("/messages/{}/recipients", sent.text("/data/uid")));
        let own = recipients.items()[0]["message"].as_str().map(str::to_owned);
        let whole = world.message(&shop.key, &sent.text("/data/uid")).text("/data/message");
        assert_eq!(own.unwrap_or(whole), first);
    }
    world
        .post(
            &shop.key,
            "/sms/phonebook/send",
            to_book(&book, "x", json!({"unknownPlaceholders": "keep"})),
        )
        .faults(&["unknownPlaceholders: must be one of REFUSE, KEEP"]);
}

#[test]
fn the_name_has_the_titles_that_files_give_it_too() {
    let (world, shop, book) = world();
    for message in ["%نام% عزیز", "%name% عزیز", "%Full Name% عزیز"] {
        let sent = world.posted(&shop.key, "/sms/phonebook/send", to_book(&book, message, json!({})));
        world.settle(10_000);
        let recipients = world.read(&shop.key, &format!("/messages/{}/recipients", sent.text("/data/uid")));
        assert_eq!(recipients.texts("message"), ["Ali عزیز", "Sara عزیز"], "{message}");
    }
}

#[test]
fn a_placeholder_of_another_service_is_warned_of() {
    let (world, shop, book) = world();
    let key = &shop.key;
    for (text, placeholder) in [
        ("hello {name}", "{name}"),
        ("hello {{ name }}", "{{ name }}"),
        ("hello #name#", "#name#"),
        ("code %token", "%token"),
    ] {
        let warning = json!([format!(
            "The text has {placeholder}, which is sent as it is: a placeholder is written %NAME%."
        )]);
        let pattern = world.posted(key, "/pattern", json!({"title": "A", "text": text}));
        assert_eq!(pattern.json["meta"]["warnings"], warning);
        let versions = format!("/pattern/{}/versions", pattern.text("/data/slug"));
        let version = world.posted(key, &versions, json!({"text": text}));
        assert_eq!(version.json["meta"]["warnings"], warning);
        let order = to_book(&book, text, json!({}));
        let estimate = world
            .post(key, "/sms/estimate", json!({"phonebook": order}))
            .expect(200);
        assert_eq!(estimate.json["meta"]["warnings"], warning);
        let sent = world.posted(key, "/sms/phonebook/send", order);
        assert_eq!(sent.json["meta"]["warnings"], warning);
    }
    let good = world.posted(key, "/pattern", json!({"title": "A", "text": "hello %NAME%, {x}"}));
    assert!(good.json["meta"].get("warnings").is_none());
}

#[test]
fn a_name_of_several_words_that_is_no_attribute_and_one_that_nobody_has_are_warned_of() {
    let (world, shop, book) = world();
    world
        .import(&shop.key, &book, "number,نام کوچک,city\n09351234567,سارا,\n")
        .expect(201);
    let warnings = |message: &str| {
        let order = to_book(&book, message, json!({}));
        let estimate = world
            .post(&shop.key, "/sms/estimate", json!({"phonebook": order}))
            .expect(200);
        let sent = world.posted(&shop.key, "/sms/phonebook/send", order);
        assert_eq!(estimate.json["meta"].get("warnings"), sent.json["meta"].get("warnings"));
        sent.json["meta"].get("warnings").cloned().unwrap_or_default()
    };
    let as_it_is = |names: &str| {
        json!([format!(
            "No phonebook of this message has {names}: it is sent as it is."
        )])
    };
    assert_eq!(warnings("سلام %نام کوچک%"), Value::Null);
    assert_eq!(warnings("سلام %نام مشتر%"), as_it_is("%نام مشتر%"));
    assert_eq!(warnings("50%off today and 20%off"), as_it_is("%off today and 20%"));
    assert_eq!(warnings("50% off, then 10% for %name%"), Value::Null);
    let id = |name: &str| {
        let found = world
            .get(&shop.key, &format!("/phonebook/number/{book}?q={name}"))
            .expect(200);
        found.int("/data/0/id")
    };
    let change = json!({"attributes": {"city": "Yazd"}});
    let path = format!("/phonebook/number/{book}/{}", id("Sara"));
    world.ask("PUT", &shop.key, &path).json(change).send().expect(200);
    let empty = json!(["No recipient has a value for %نام کوچک%: nothing stands in its place."]);
    assert_eq!(warnings("سلام %نام کوچک% از %city%"), empty);
}

#[test]
fn a_list_of_variables_and_its_text_are_held_together() {
    let (world, shop, _) = world();
    let body = |names: &[&str]| {
        let variables: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        json!({"title": "A", "text": "%OTP% %nmae%", "variables": variables})
    };
    let refused = world.post(&shop.key, "/pattern", body(&["OTP", "name"]));
    refused.faults(&["variables[1]: is not in the text, which has only %OTP%, %nmae%"]);
    let made = world.posted(&shop.key, "/pattern", body(&["OTP"]));
    assert_eq!(
        made.json["meta"]["warnings"],
        json!(["\"variables\" does not list %nmae%: each takes any text of up to 100 characters."])
    );
    let all = world.posted(&shop.key, "/pattern", body(&["OTP", "nmae"]));
    assert!(all.json["meta"].get("warnings").is_none());
}

#[test]
fn an_estimate_shows_the_first_texts_filled_in_to_whoever_may_read_them() {
    let (world, shop, book) = world();
    let many: Vec<Value> = (0..5)
        .map(|at| json!({"number": format!("0936000000{at}"), "name": format!("n{at}")}))
        .collect();
    world.posted(
        &shop.key,
        &format!("/phonebook/number/{book}"),
        json!({"numbers": many}),
    );
    world.active_pattern(
        &shop.key,
        json!({"slug": "login", "title": "Login", "text": "code %OTP%"}),
    );
    let estimate =
        |key: &str, body: Value| world.post(key, "/sms/estimate", body).expect(200).json["data"]["samples"].clone();
    let order = to_book(&book, "hello %name%", json!({}));
    let samples = estimate(&shop.key, json!({"phonebook": order}));
    assert_eq!(samples, json!(["hello Ali", "hello Sara", "hello n0"]));
    let pattern = json!({"pattern": "login", "recipient": NUMBER, "variables": {"OTP": "1234"}});
    assert_eq!(estimate(&shop.key, json!({"pattern": pattern})), json!(["code 1234"]));
    let plain = json!({"send": {"message": "a", "recipients": [NUMBER]}});
    assert_eq!(estimate(&shop.key, plain), Value::Null);
    let sender = world
        .grant(&shop, json!({"title": "sender", "scopes": ["sms:send"]}))
        .text("/data/key");
    assert_eq!(estimate(&sender, json!({"phonebook": order})), Value::Null);
}

#[test]
fn a_text_of_blanks_is_refused_wherever_a_text_is_sent() {
    let (world, shop, book) = world();
    for blank in [" ", " \n\t ", "\u{3000}", "\u{FEFF} "] {
        for (path, body, place) in [
            (
                "/sms/send",
                json!({"message": blank, "recipients": [NUMBER]}),
                "message",
            ),
            (
                "/sms/bulk",
                json!({"messages": [{"recipient": NUMBER, "message": blank}]}),
                "messages[0].message",
            ),
            ("/sms/phonebook/send", to_book(&book, blank, json!({})), "message"),
        ] {
            let refused = world.post(&shop.key, path, body).refused(422);
            assert_eq!(refused.extra(), [format!("{place}: must not have blanks only")]);
        }
    }
    world.assert_untouched(&shop, 1_000_000);
}

#[test]
fn null_takes_a_limit_back_to_its_default() {
    let (world, shop, _) = world();
    let before = world.account("fresh", 0);
    let limits = |account: &Account| {
        let data = world.look(&account.path("")).json["data"].clone();
        ["rateLimit", "testRateLimit", "recipientLimit"].map(|name| data[name].clone())
    };
    let other = json!({"limit": 7, "windowSeconds": 70});
    let with_burst = json!({"limit": 7, "windowSeconds": 70, "burst": 3});
    world.change_account(
        &shop,
        json!({"rateLimit": with_burst, "testRateLimit": with_burst, "recipientLimit": other}),
    );
    assert_ne!(limits(&shop), limits(&before));
    world.change_account(
        &shop,
        json!({"rateLimit": null, "testRateLimit": null, "recipientLimit": null}),
    );
    assert_eq!(limits(&shop), limits(&before));
}
