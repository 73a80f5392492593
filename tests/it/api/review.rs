//! What operators decide of patterns: a version that is refused is not sent, and its owner is told why.

use std::cell::RefCell;
use std::rc::Rc;

use peyk::base::language::Language;
use peyk::base::ports::IncomingResponse;
use serde_json::{Value, json};

use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, World, assert_contains, assert_has};

const MONEY: i64 = 100_000;
const NUMBER: &str = "+989121000100";
const REASON: &str = "متن نام فروشگاه را ندارد";

/// A world with a pattern whose version 1 is active.
fn world() -> (World, Account) {
    let (world, shop) = World::with_busy_account(MONEY);
    let pattern = json!({"slug": "login", "title": "Login", "text": "code %OTP%"});
    world.active_pattern(&shop.key, pattern);
    (world, shop)
}

fn decide(world: &World, shop: &Account, version: u32, how: &str, body: Value) -> Answer {
    let path = shop.path(&format!("/patterns/login/versions/{version}/{how}"));
    world.admin("POST", &path, body)
}

fn refuse(world: &World, shop: &Account, version: u32) -> Answer {
    decide(world, shop, version, "refuse", json!({"reason": REASON})).expect(200)
}

fn approve(world: &World, shop: &Account, version: u32) -> Answer {
    decide(world, shop, version, "activate", json!({}))
}

fn activate(world: &World, shop: &Account, version: u32) -> Answer {
    world.bare_post(&shop.key, &format!("/pattern/login/versions/{version}/activate"))
}

fn send(world: &World, shop: &Account) -> Answer {
    let body = json!({"pattern": "login", "variables": {"OTP": "1"}, "recipient": NUMBER});
    world.post(&shop.key, "/sms/pattern", body)
}

fn newest(world: &World, shop: &Account) -> Value {
    let versions = world.read(&shop.key, "/pattern/login").json["data"]["versions"].clone();
    versions
        .as_array()
        .unwrap()
        .iter()
        .max_by_key(|version| version["version"].as_i64())
        .unwrap()
        .clone()
}

#[test]
fn a_refused_version_is_not_sent_any_more_and_says_why_in_both_languages() {
    let (world, shop) = world();
    // It stands in the cache from here on.
    send(&world, &shop).expect(201);
    let refused = refuse(&world, &shop, 1);
    let wanted = json!({"status": "REFUSED", "reason": REASON});
    assert_has(&refused.json["data"]["versions"][0], wanted.clone());
    assert_has(&newest(&world, &shop), wanted);
    let body = json!({"pattern": "login", "variables": {"OTP": "1"}, "recipient": NUMBER});
    for (path, body) in [
        ("/sms/pattern", body.clone()),
        ("/sms/bulk", json!({"messages": [body.clone()]})),
        ("/sms/estimate", json!({"pattern": body})),
        ("/verify", json!({"recipient": NUMBER, "pattern": "login"})),
    ] {
        for language in [Language::En, Language::Fa] {
            let request = world.ask("POST", &shop.key, path).language(language.tag());
            let answer = request.json(body.clone()).send().problem(422, 3002);
            assert_contains(&answer.text("/detail"), REASON);
        }
    }
    world.settle(MINUTE_MS);
    assert_eq!(world.handed(&shop.id).len(), 1);
}

#[test]
fn another_isolate_whose_cache_has_the_version_does_not_send_it() {
    let (world, shop) = world();
    send(&world, &shop).expect(201);
    let name = format!("{}/login", shop.id);
    let old = world.app.patterns.get(&name, world.now_ms.get()).unwrap();
    refuse(&world, &shop, 1);
    drop(world.app.patterns.put(&name, world.now_ms.get(), (*old).clone()));
    send(&world, &shop).problem(422, 3002);
}

#[test]
fn only_an_operator_or_a_new_version_brings_a_pattern_back() {
    let (world, shop) = world();
    refuse(&world, &shop, 1);
    let refused = activate(&world, &shop, 1).problem(409, 409);
    assert_contains(&refused.text("/detail"), REASON);
    approve(&world, &shop, 1).expect(200);
    let approved = newest(&world, &shop);
    assert_eq!((&approved["status"], approved.get("reason")), (&json!("ACTIVE"), None));
    send(&world, &shop).expect(201);
    refuse(&world, &shop, 1);
    // A version that is new and not active yet is another reason than a refused one.
    world.posted(&shop.key, "/pattern/login/versions", json!({"text": "A Shop: %OTP%"}));
    let refused = send(&world, &shop).problem(422, 3002);
    assert!(!refused.text("/detail").contains(REASON), "{}", refused.body);
    activate(&world, &shop, 2).expect(200);
    send(&world, &shop).expect(201);
    activate(&world, &shop, 1).problem(409, 409);
}

#[test]
fn with_approval_a_version_that_waits_is_refused_and_what_was_approved_before_is_sent_on() {
    let (mut world, shop) = world();
    world.app.config.pattern_approval = true;
    world.posted(&shop.key, "/pattern/login/versions", json!({"text": "new %OTP%"}));
    let pending = |world: &World| world.look("/admin/patterns").items().len();
    assert_eq!(pending(&world), 1);
    refuse(&world, &shop, 2);
    assert_eq!(pending(&world), 0);
    assert_has(&newest(&world, &shop), json!({"version": 2, "status": "REFUSED"}));
    send(&world, &shop).expect(201);
    world.settle(SECOND_MS);
    assert_eq!(world.handed(&shop.id)[0].1, "code 1");
    world.bare_post(&shop.key, "/pattern/login/deactivate").expect(200);
    assert_contains(&send(&world, &shop).problem(422, 3002).text("/detail"), REASON);
    // What was active before it, its owner may activate without asking.
    activate(&world, &shop, 1).expect(200);
}

#[test]
fn a_campaign_whose_pattern_is_refused_is_paused_and_goes_on_when_it_is_approved() {
    let (world, shop) = world();
    let pattern = json!({"slug": "sale", "title": "x", "text": "Sale"});
    world.active_pattern(&shop.key, pattern);
    let book = world.phonebook(&shop.key, "all", json!([NUMBER, "+989121001100"]));
    let body = json!({"title": "x", "pattern": "sale", "phonebooks": [book], "perMinute": 1});
    let id = world.posted(&shop.key, "/campaigns", body).text("/data/id");
    let step = |step: &str| {
        world
            .bare_post(&shop.key, &format!("/campaigns/{id}/{step}"))
            .expect(200)
    };
    world.settle(SECOND_MS);
    step("start");
    world.settle(SECOND_MS);
    assert_eq!(world.handed(&shop.id).len(), 1);
    let path = shop.path("/patterns/sale/versions/1");
    world
        .admin("POST", &format!("{path}/refuse"), json!({"reason": REASON}))
        .expect(200);
    world.settle(2 * MINUTE_MS);
    world
        .read(&shop.key, &format!("/campaigns/{id}"))
        .has(json!({"state": "PAUSED", "reason": "NOT_SENDABLE"}));
    assert_eq!(world.handed(&shop.id).len(), 1);
    world.admin("POST", &format!("{path}/activate"), json!({})).expect(200);
    step("resume");
    world.settle(2 * MINUTE_MS);
    assert_eq!(world.handed(&shop.id).len(), 2);
}

#[test]
fn endpoints_hear_what_was_decided() {
    let (world, shop) = world();
    let heard: Rc<RefCell<Vec<Value>>> = Rc::default();
    let told = Rc::clone(&heard);
    world.receive(move |request| {
        told.borrow_mut()
            .push(serde_json::from_str::<Value>(&request.body).unwrap());
        let (status, retry_after, body) = (200, None, String::new());
        Some(Ok(IncomingResponse {
            status,
            retry_after,
            body,
        }))
    });
    let endpoint = json!({"url": "https://shop.example/", "events": ["pattern.reviewed"]});
    world.posted(&shop.key, "/webhook", endpoint);
    refuse(&world, &shop, 1);
    world.settle(5 * SECOND_MS);
    approve(&world, &shop, 1).expect(200);
    // What its owner does is no review.
    world.bare_post(&shop.key, "/pattern/login/deactivate").expect(200);
    activate(&world, &shop, 1).expect(200);
    world.settle(MINUTE_MS);
    let heard: Vec<_> = heard
        .borrow()
        .iter()
        .map(|event| (event["type"].clone(), event["data"].clone()))
        .collect();
    let wanted = |status: &str, reason: Value| {
        let data = json!({"slug": "login", "version": 1, "status": status, "reason": reason});
        (json!("pattern.reviewed"), data)
    };
    assert_eq!(heard, [wanted("REFUSED", json!(REASON)), wanted("ACTIVE", Value::Null)]);
}

#[test]
fn a_refusal_has_a_reason_and_a_version() {
    let (world, shop) = world();
    let refuse = |version: u32, body: Value| decide(&world, &shop, version, "refuse", body);
    refuse(1, json!({})).points_at(&["/reason"]);
    refuse(1, json!({"reason": ""})).points_at(&["/reason"]);
    refuse(1, json!({"reason": "x".repeat(151)})).points_at(&["/reason"]);
    refuse(2, json!({"reason": "x"})).problem(404, 404);
    let path = shop.path("/patterns/none/versions/1/refuse");
    world.admin("POST", &path, json!({"reason": "x"})).problem(404, 404);
    send(&world, &shop).expect(201);
    // A reason can be said better, and the request may come again.
    for reason in ["first", "second", "second"] {
        let refused = refuse(1, json!({"reason": reason})).expect(200);
        assert_eq!(refused.json["data"]["versions"][0]["reason"], reason);
    }
    world.post(&shop.key, &path, json!({"reason": "x"})).problem(403, 403);
}
