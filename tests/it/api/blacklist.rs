//! The blacklist: its numbers, and the sends that it refuses.

use serde_json::{Value, json};

use crate::support::World;

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
