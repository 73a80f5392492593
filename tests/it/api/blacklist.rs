//! The blacklist: its numbers, and the sends that it refuses.

use serde_json::{Value, json};

use crate::support::time::DAY_MS;
use crate::support::{Account, Answer, World, assert_has};

#[test]
fn blacklisted_recipients_are_named_where_they_stand_and_nothing_is_sent() {
    let (world, shop) = World::with_account(100_000);
    world.open_all_destinations(&shop);
    let list = json!({"numbers": ["0912 123 4567", "+447911123456", "09121234567"]});
    let added = world.posted(&shop.key, "/blacklist", list.clone());
    assert_eq!((added.int("/data/added"), added.int("/data/unchanged")), (2, 0));
    let id = world.phonebook(&shop.key, "A", json!(["09121234567", "09351234567"]));
    world.posted(&shop.key, "/pattern", json!({"slug": "any", "title": "x", "text": "y"}));
    world.activate(&shop.key, "any", 1);
    let refused = |path: &str, body: Value, wanted: &[&str]| {
        let answer = world.post(&shop.key, path, body).problem(422, 3016);
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
    let body = json!({"pattern": "any", "variables": [], "recipient": "09121234567"});
    refused("/sms/pattern", body, &["recipient: +989121234567 is on the blacklist"]);
    let body = json!({"message": "x", "phonebook": id});
    let fault = "phonebook: +989121234567 is on the blacklist";
    refused("/sms/phonebook/send", body, &[fault]);
    refused(
        "/sms/bulk",
        json!({"messages": [{"recipient": "09351234567", "message": "a"}, {"recipient": "09121234567", "message": "b"}]}),
        &["messages[1].recipient: +989121234567 is on the blacklist"],
    );
    world.assert_untouched(&shop, 100_000);
    // Error 3011 (sending is off) comes before 3016 (blacklisted), and 2001 (balance) comes after it.
    let path = shop.path("");
    world.change(&path, json!({"sendingEnabled": false}));
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world.change(&path, json!({"sendingEnabled": true}));
    let many: Vec<String> = (0..200).map(|number| format!("0912123{:04}", number + 4_400)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    world.send(&shop.key, &many).problem(422, 3016);
    let other = world.account("other", 1_000);
    world.send(&other.key, &["09121234567"]).expect(201);
    let answer = world.ask("DELETE", &shop.key, "/blacklist").json(list).send();
    let removed = answer.expect(200);
    assert_eq!((removed.int("/data/removed"), removed.int("/data/unchanged")), (2, 0));
    world.send(&shop.key, &["09121234567"]).expect(201);
}

#[test]
fn the_blacklist_is_listed_searched_and_bounded() {
    let (world, shop) = World::with_account(0);
    let numbers: Vec<String> = (0..5).map(|number| format!("0912123456{number}")).collect();
    world.posted(&shop.key, "/blacklist", json!({"numbers": numbers}));
    let list = |query: &str| world.get(&shop.key, &format!("/blacklist{query}"));
    let first = list("?limit=2").expect(200);
    assert_eq!(first.text("/data/0/number"), "+989121234564");
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09351234567"]}));
    let second = list(&format!("?limit=2&cursor={}", first.text("/meta/nextCursor"))).expect(200);
    assert_eq!(second.text("/data/0/number"), "+989121234562");
    assert_eq!(list("?number=09121234563").expect(200).items().len(), 1);
    assert_eq!(list("?number=09121234569").expect(200).json["data"], json!([]));
    list("?number=x").faults(&["number: is not a valid phone number"]);
    list("?limit=0").refused(422);
    let delete = |path: &str| world.delete(&shop.key, path);
    for member in ["removed", "unchanged"] {
        let deleted = delete("/blacklist?number=09121234563").expect(200);
        assert_eq!(deleted.int(&format!("/data/{member}")), 1);
    }
    delete("/blacklist?number=x").refused(422);
    delete("/blacklist").refused(415);
    let bad = json!({"numbers": ["x", 5]});
    let wanted = [
        "numbers[0]: is not a valid phone number",
        "numbers[1]: must be a string",
    ];
    world.post(&shop.key, "/blacklist", bad.clone()).faults(&wanted);
    let refused = world.ask("DELETE", &shop.key, "/blacklist").json(bad).send();
    assert_eq!(refused.refused(422).extra(), wanted);
    for (body, fault) in [
        (json!({}), "numbers: is required"),
        (json!({"numbers": []}), "numbers: must not be empty"),
    ] {
        world.post(&shop.key, "/blacklist", body).faults(&[fault]);
    }
    assert_eq!(list("").expect(200).items().len(), 5);
}

/// Erases a number.
fn erase(world: &World, shop: &Account, number: &str) {
    let order = world
        .post(&shop.key, "/erasures", json!({"number": number}))
        .expect(202);
    world.settle(2 * 60 * 60 * 1_000 + 60_000);
    let path = format!("/erasures/{}", order.text("/data/id"));
    assert_eq!(world.get(&shop.key, &path).text("/data/status"), "DONE");
}

/// Sends with `blacklisted`: `SKIP`.
fn skipping(world: &World, key: &str, path: &str, mut body: Value) -> Answer {
    body["blacklisted"] = "SKIP".into();
    world.post(key, path, body)
}

#[test]
fn who_is_on_the_blacklist_is_left_out_of_each_kind_of_send_and_costs_nothing() {
    let (world, shop) = World::with_account(100_000);
    world.posted(
        &shop.key,
        "/blacklist",
        json!({"numbers": ["09121234567", "09121234568"]}),
    );
    let numbers = ["09351234567", "09121234567", "09351234568", "09121234568"];
    let id = world.phonebook(&shop.key, "A", json!(numbers));
    world.active_pattern(&shop.key, json!({"slug": "any", "title": "x", "text": "y"}));
    let item = |number: &str| json!({"recipient": number, "message": format!("to {number}")});
    let bulk: Vec<Value> = numbers.into_iter().map(item).collect();
    let sends = [
        ("send", "/sms/send", json!({"message": "x", "recipients": numbers})),
        (
            "pattern",
            "/sms/pattern",
            json!({"pattern": "any", "recipients": numbers}),
        ),
        (
            "phonebook",
            "/sms/phonebook/send",
            json!({"message": "x", "phonebook": id}),
        ),
        ("bulk", "/sms/bulk", json!({"messages": bulk})),
    ];
    for (at, (kind, path, body)) in sends.into_iter().enumerate() {
        world.post(&shop.key, path, body.clone()).problem(422, 3016);
        let mut wanted = body.clone();
        wanted["blacklisted"] = "SKIP".into();
        let estimate = world
            .post(&shop.key, "/sms/estimate", json!({ kind: wanted }))
            .expect(200);
        assert_has(
            &estimate.json["data"],
            json!({"recipients": 2, "skipped": 2, "cost": 2_000, "faults": []}),
        );
        let sent = skipping(&world, &shop.key, path, body).expect(201);
        assert_has(&sent.json["data"], json!({"cost": 2_000, "skipped": 2}));
        assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 2);
        let spent = 2_000 * (i64::try_from(at).unwrap() + 1);
        assert_eq!(world.balance(&shop.key), (100_000 - spent, spent), "{kind}");
        let uid = sent.text("/data/uid");
        let path = format!("/messages/{uid}");
        let told = world.get(&shop.key, &path).expect(200).json["data"].clone();
        assert_has(
            &told,
            json!({"recipientCount": 2, "skipped": 2, "counts": {"QUEUED": 2, "SKIPPED": 2}, "reserved": 2_000, "released": 0}),
        );
        let skipped = world
            .get(&shop.key, &format!("{path}/recipients?status=SKIPPED"))
            .expect(200);
        let numbers: Vec<&Value> = skipped.items().iter().map(|one| &one["recipient"]).collect();
        assert_eq!(numbers, ["+989121234567", "+989121234568"], "{kind}");
        let one = world.get(
            &shop.key,
            &format!("{path}/recipients?recipient=09121234568&error=BLACKLISTED"),
        );
        assert_has(
            &one.items()[0],
            json!({"status": "SKIPPED", "cost": 0, "error": "BLACKLISTED", "uid": format!("{uid}.3")}),
        );
    }
    world.settle(60_000);
    assert_eq!(world.inbox(&shop.id).len(), 8);
    let listed = world.get(&shop.key, "/messages?recipient=09121234567").expect(200);
    let statuses: Vec<&Value> = listed.items().iter().map(|message| &message["status"]).collect();
    assert_eq!(statuses, ["DONE"; 4], "who was skipped keeps no message open");
    let usage = world
        .get(&shop.key, "/account/usage?from=2026-01-01&to=2026-01-02")
        .expect(200);
    assert_eq!(usage.int("/data/0/live/recipients"), 8, "{}", usage.body);
    let outcomes = world.get(&shop.key, "/account/outcomes").expect(200);
    assert_eq!(outcomes.int("/data/recipients"), 8, "{}", outcomes.body);
    world.settle(130_000);
    let checked = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    assert_eq!(checked.items()[0]["now"]["differences"], json!([]), "{}", checked.body);
}

#[test]
fn a_send_of_which_all_are_on_the_blacklist_is_refused_however_it_asks() {
    let (world, shop) = World::with_account(100_000);
    world.posted(
        &shop.key,
        "/blacklist",
        json!({"numbers": ["09121234567", "09121234568"]}),
    );
    let body = json!({"message": "x", "recipients": ["09121234567", "09121234568"]});
    let refused = skipping(&world, &shop.key, "/sms/send", body.clone()).problem(422, 3016);
    assert_eq!(refused.extra().len(), 2);
    let mut wanted = body;
    wanted["blacklisted"] = "SKIP".into();
    let estimate = world
        .post(&shop.key, "/sms/estimate", json!({"send": wanted}))
        .expect(200);
    assert_eq!(estimate.int("/data/faults/0/code"), 3016);
    world.assert_untouched(&shop, 100_000);
    let bad = json!({"message": "x", "recipients": ["09351234567"], "blacklisted": "skip"});
    world
        .post(&shop.key, "/sms/send", bad)
        .faults(&["blacklisted: must be one of REFUSE, SKIP"]);
    let plain = json!({"message": "x", "recipients": ["09351234567"], "blacklisted": "REFUSE"});
    assert_eq!(
        world.posted(&shop.key, "/sms/send", plain.clone()).json["data"].get("skipped"),
        None
    );
    let none = skipping(&world, &shop.key, "/sms/send", plain).expect(201);
    assert_eq!(none.int("/data/skipped"), 0);
}

#[test]
fn what_is_skipped_is_told_again_with_the_same_idempotency_key_whatever_the_blacklist_says_by_then() {
    let (world, shop) = World::with_account(100_000);
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09121234567"]}));
    let body = json!({"message": "x", "recipients": ["09121234567", "09351234567"], "blacklisted": "SKIP"});
    let first = world.post_once(&shop.key, "/sms/send", "a", body.clone()).expect(201);
    world.delete(&shop.key, "/blacklist?number=09121234567").expect(200);
    let again = world.post_once(&shop.key, "/sms/send", "a", body.clone()).expect(201);
    assert_eq!(again.json["data"], first.json["data"]);
    assert_eq!(world.balance(&shop.key), (99_000, 1_000));
    let now = world.post_once(&shop.key, "/sms/send", "b", body).expect(201);
    assert_has(&now.json["data"], json!({"skipped": 0, "cost": 2_000}));
}

#[test]
fn a_number_that_is_erased_and_stays_blocked_is_skipped_and_one_that_is_erased_later_is_forgotten_there() {
    let (world, shop) = World::with_account(100_000);
    let world = world.with_secrets();
    world.posted(
        &shop.key,
        "/blacklist",
        json!({"numbers": ["09121234567", "09121234568"]}),
    );
    erase(&world, &shop, "09121234567");
    let body = json!({"message": "x", "recipients": ["09121234567", "09121234568", "09351234567"]});
    let sent = skipping(&world, &shop.key, "/sms/send", body).expect(201);
    assert_has(&sent.json["data"], json!({"skipped": 2, "cost": 1_000}));
    erase(&world, &shop, "09121234568");
    let path = format!("/messages/{}/recipients?status=SKIPPED", sent.text("/data/uid"));
    let skipped = world.get(&shop.key, &path).expect(200);
    let numbers: Vec<&Value> = skipped.items().iter().map(|one| &one["recipient"]).collect();
    assert_eq!(numbers, ["+989121234567", "erased"]);
    erase(&world, &shop, "09121234567");
    let skipped = world.get(&shop.key, &path).expect(200);
    assert!(skipped.items().iter().all(|one| one["recipient"] == "erased"));
    let there = world.get(&shop.key, "/messages?recipient=09351234567").expect(200);
    assert_has(&there.items()[0], json!({"message": "x", "recipientCount": 1}));
}

#[test]
fn a_test_key_rehearses_who_is_skipped() {
    let (world, shop) = World::with_account(100_000);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let body = json!({"message": "x", "recipients": ["09121293016", "09351234567"]});
    world.post(&test, "/sms/send", body.clone()).problem(422, 3016);
    let sent = skipping(&world, &test, "/sms/send", body).expect(201);
    assert_eq!(sent.int("/data/skipped"), 1);
    let alone = json!({"message": "x", "recipients": ["09121293016"]});
    skipping(&world, &test, "/sms/send", alone).problem(422, 3016);
}

#[test]
fn a_message_that_skipped_somebody_does_not_count_for_the_limit_of_that_recipient() {
    let (world, shop) = World::with_account(100_000);
    world.change(
        &shop.path(""),
        json!({"recipientLimit": {"limit": 1, "windowSeconds": 3_600}}),
    );
    world.active_pattern(&shop.key, json!({"slug": "any", "title": "x", "text": "y"}));
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09121234567"]}));
    let body = json!({"pattern": "any", "recipients": ["09121234567", "09351234567"]});
    skipping(&world, &shop.key, "/sms/pattern", body).expect(201);
    world.delete(&shop.key, "/blacklist?number=09121234567").expect(200);
    let alone = |number: &str| json!({"pattern": "any", "recipient": number});
    world
        .post(&shop.key, "/sms/pattern", alone("09351234567"))
        .problem(429, 3018);
    world.posted(&shop.key, "/sms/pattern", alone("09121234567"));
}

#[test]
fn a_thousand_are_skipped_of_a_campaign_and_one_token_is_paid_for_both_tries() {
    let (world, shop) = World::with_account(10_000_000);
    let numbers: Vec<String> = (0..3_000).map(|number| format!("0912{number:07}")).collect();
    for some in numbers.chunks(1_000) {
        let body = json!({"numbers": some.iter().step_by(2).collect::<Vec<_>>()});
        world.posted(&shop.key, "/blacklist", body);
    }
    let id = world.phonebook(&shop.key, "A", json!(numbers[..1_000]));
    for some in numbers[1_000..].chunks(1_000) {
        let path = format!("/phonebook/number/{id}");
        world.post(&shop.key, &path, json!({"numbers": some})).expect(201);
    }
    let body = json!({"message": "Hello %name%", "phonebook": id});
    world.advance(60_000);
    let left = |answer: &Answer| answer.header("RateLimit").unwrap().to_owned();
    let sent = skipping(&world, &shop.key, "/sms/phonebook/send", body.clone()).expect(201);
    let paid = left(&sent);
    assert_has(&sent.json["data"], json!({"skipped": 1_500, "cost": 1_500_000}));
    world.advance(60_000);
    let refused = world.post(&shop.key, "/sms/phonebook/send", body);
    assert_eq!(left(&refused.problem(422, 3016)), paid, "the second try costs no more");
    world.settle(600_000);
    assert_eq!(world.inbox(&shop.id).len(), 1_500);
    let uid = sent.text("/data/uid");
    let told = world.message(&shop.key, &uid).json["data"].clone();
    assert_has(
        &told,
        json!({"status": "DONE", "recipientCount": 1_500, "delivered": 1_494, "failed": 6, "counts": {"DELIVERED": 1_494, "EXPIRED": 3, "REJECTED": 3, "SKIPPED": 1_500}}),
    );
    let csv = world
        .get(
            &shop.key,
            &format!("/messages/{uid}/recipients?status=SKIPPED&format=csv"),
        )
        .expect(200);
    assert_eq!(csv.body.lines().count(), 1_501);
}

#[test]
fn nothing_is_left_of_who_was_skipped_when_the_message_is_forgotten() {
    let (world, shop) = World::with_account(100_000);
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09121234567"]}));
    let body = json!({"message": "x", "recipients": ["09121234567", "09351234567"]});
    skipping(&world, &shop.key, "/sms/send", body).expect(201);
    world.set("RETENTION_DAYS", Some("9"));
    world.settle(13 * DAY_MS);
    for table in ["message", "chunk", "number"] {
        assert_eq!(world.sql(&shop.id).count(table), 0, "{table}");
    }
}
