//! Members and parameters that nobody knows: one that is nearly a known one is refused, and the others are named in the answer.

use serde_json::{Value, json};

use crate::support::{Account, World};

const NUMBER: &str = "09121234567";

fn world() -> (World, Account) {
    World::with_busy_account(1_000_000)
}

fn send(more: Value) -> Value {
    let mut body = json!({"message": "hello", "recipients": [NUMBER]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[test]
fn a_member_that_is_nearly_a_known_one_is_refused_and_nothing_is_sent() {
    let (world, shop) = world();
    for (written, meant) in [
        ("send_at", "sendAt"),
        ("SendAt", "sendAt"),
        ("sedAt", "sendAt"),
        ("source_number", "sourceNumber"),
        ("sourceNumbr", "sourceNumber"),
        ("client-ref", "clientRef"),
    ] {
        let refused = world
            .post(&shop.key, "/sms/send", send(json!({written: "2030-01-01T00:00:00Z"})))
            .refused(422);
        assert_eq!(
            refused.extra(),
            [format!("{written}: is unknown; did you mean \"{meant}\"?")]
        );
        assert_eq!(refused.pointers(), [format!("/{written}")]);
    }
    world.assert_untouched(&shop, 1_000_000);
    let persian = world.request("POST", "/sms/send").key(&shop.key).language("fa");
    let persian = persian.json(send(json!({"send_at": "x"}))).send().expect(422);
    assert_eq!(persian.extra(), ["send_at: شناخته‌شده نیست؛ منظورتان «sendAt» است؟"]);
}

#[test]
fn it_is_told_beside_the_other_faults_and_in_objects_within() {
    let (world, shop) = world();
    let refused = world
        .post(&shop.key, "/sms/send", json!({"mesage": "hello", "recipients": ["0"]}))
        .refused(422);
    assert_eq!(refused.pointers(), ["/recipients/0", "/mesage"], "{}", refused.body);
    let bulk = json!({"messages": [{"recipient": NUMBER, "message": "a"}, {"recipient": NUMBER, "message": "b", "patern": "x"}]});
    let refused = world.post(&shop.key, "/sms/bulk", bulk).refused(422);
    assert_eq!(
        refused.extra(),
        ["messages[1].patern: is unknown; did you mean \"pattern\"?"]
    );
    let estimate = json!({"send": send(json!({"send_at": "x"}))});
    let refused = world.post(&shop.key, "/sms/estimate", estimate).refused(422);
    assert_eq!(refused.pointers(), ["/send/send_at"]);
}

#[test]
fn members_that_mean_something_elsewhere_are_ignored_and_named() {
    let (world, shop) = world();
    let body = send(json!({"sender": "1000", "lang": "fa", "options": {"send_at": 1}, "type": null}));
    let sent = world.posted(&shop.key, "/sms/send", body);
    assert_eq!(sent.json["meta"]["ignored"], json!(["lang", "options", "sender"]));
    // A member that is there under its own name too hides nothing.
    let both = world.posted(
        &shop.key,
        "/sms/send",
        send(json!({"clientRef": "a", "client_ref": "a"})),
    );
    assert_eq!(both.json["meta"]["ignored"], json!(["client_ref"]));
    let plain = world.posted(&shop.key, "/sms/send", send(json!({})));
    assert!(plain.json["meta"].get("ignored").is_none());
    let bulk = json!({"messages": [{"recipient": NUMBER, "message": "a", "id": 1}, {"recipient": "09351234567", "message": "b", "id": 2}]});
    let bulk = world.posted(&shop.key, "/sms/bulk", bulk);
    assert_eq!(bulk.json["meta"]["ignored"], json!(["messages.id"]));
}

#[test]
fn no_more_than_twenty_names_are_told_and_each_is_short() {
    let (world, shop) = world();
    let mut more = json!({});
    for index in 0..60 {
        more[format!("{index:03}-{}", "x".repeat(1_000))] = json!(1);
    }
    let sent = world.posted(&shop.key, "/sms/send", send(more));
    let names = sent.json["meta"]["ignored"].as_array().unwrap();
    assert_eq!(names.len(), 20);
    assert!(names.iter().all(|name| name.as_str().unwrap().chars().count() <= 64));
}

#[test]
fn names_that_the_client_chooses_are_no_members() {
    let (world, shop) = world();
    let pattern = json!({"slug": "login", "title": "Login", "text": "%name% %naem%", "variables": [{"name": "name"}, {"name": "naem"}]});
    world.active_pattern(&shop.key, pattern);
    let body = json!({"pattern": "login", "recipient": NUMBER, "variables": {"name": "a", "naem": "b"}});
    let sent = world.posted(&shop.key, "/sms/pattern", body);
    assert!(sent.json["meta"].get("ignored").is_none());
    let book = world.phonebook(
        &shop.key,
        "book",
        json!([{"number": NUMBER, "attributes": {"nmae": "c"}}]),
    );
    assert!(!book.is_empty());
}

#[test]
fn parameters_of_a_query_are_judged_alike() {
    let (world, shop) = world();
    for (query, extra) in [
        ("staus=DONE", "staus: is unknown; did you mean \"status\"?"),
        ("client_ref=a", "client_ref: is unknown; did you mean \"clientRef\"?"),
        ("Limit=7", "Limit: is unknown; did you mean \"limit\"?"),
    ] {
        let refused = world.get(&shop.key, &format!("/messages?{query}")).refused(422);
        assert_eq!(refused.extra(), [extra]);
    }
    let refused = world.ask("DELETE", &shop.key, "/phonebook?ID=a").send().refused(422);
    assert_eq!(
        refused.extra(),
        ["id: is required", "ID: is unknown; did you mean \"id\"?"]
    );
    let listed = world.read(&shop.key, "/messages?page=2&limit=5&_=17");
    assert_eq!(listed.json["meta"]["ignored"], json!(["_", "page"]));
    let listed = world.read(&shop.key, "/messages?limit=5&Limit=7");
    assert_eq!(listed.json["meta"]["ignored"], json!(["Limit"]));
}

#[test]
fn operators_are_told_too() {
    let (world, shop) = world();
    for (method, path, body, pointer) in [
        (
            "PATCH",
            shop.path(""),
            json!({"rate_limit": null, "sendingEnable": true}),
            "/sendingEnable",
        ),
        (
            "PATCH",
            "/admin/lines/10001".to_owned(),
            json!({"activ": false}),
            "/activ",
        ),
        (
            "PATCH",
            "/admin/carriers/sandbox".to_owned(),
            json!({"pausd": true}),
            "/pausd",
        ),
        (
            "PUT",
            "/admin/sending".to_owned(),
            json!({"enabled": true, "reasn": "x"}),
            "/reasn",
        ),
    ] {
        let refused = world.admin(method, &path, body).refused(422);
        assert!(refused.pointers().contains(&pointer.to_owned()), "{}", refused.body);
    }
}
