//! Callbacks that are refused: nothing is sent then.

use std::rc::Rc;

use serde_json::{Value, json};

use super::{URL, answer, ask, listen, send, statuses};
use crate::support::{World, time::DAY_MS};

#[test]
fn an_address_that_may_not_be_called_is_refused_and_nothing_is_sent() {
    let (world, shop) = World::with_busy_account(100_000);
    for url in [
        "",
        "shop",
        "http://shop.example/",
        "https://127.0.0.1/",
        "https://10.0.0.7/",
        "https://localhost/",
        "https://user:pass@shop.example/",
        "https://shop.example/#x",
        "https://shop.example:22/",
        "https://sms.example/",
        "ftp://shop.example/",
        &format!("https://shop.example/{}", "x".repeat(2_048)),
    ] {
        let body = json!({"message": "hello", "recipients": ["09121234567"]});
        let refused = ask(&world, &shop.key, "/sms/send", url, body).problem(422, 422);
        refused.points_at(&["/statusCallback"]);
    }
    world.assert_untouched(&shop, 100_000);
}

#[test]
fn a_bad_address_is_told_together_with_the_other_faults() {
    let (world, shop) = World::with_busy_account(100_000);
    let body = json!({"message": "", "recipients": ["09121234567"]});
    let refused = ask(&world, &shop.key, "/sms/send", "http://shop.example/", body).problem(422, 422);
    refused.points_at(&["/message", "/statusCallback"]);
}

#[test]
fn only_a_message_to_one_number_has_a_callback() {
    let (world, shop) = World::with_busy_account(100_000);
    let to_two = json!({"message": "x", "recipients": ["09121234567", "09121234568"]});
    let bulk = json!({"messages": [{"recipient": "09121234567", "message": "x"}]});
    for (path, body) in [("/sms/send", to_two), ("/sms/bulk", bulk)] {
        let refused = ask(&world, &shop.key, path, URL, body).problem(422, 422);
        refused.points_at(&["/statusCallback"]);
    }
    world.assert_untouched(&shop, 100_000);
}

#[test]
fn on_a_developers_machine_an_address_may_be_of_the_machine() {
    let (mut world, shop) = World::with_busy_account(100_000);
    world.app.config.webhook_allow_loopback = true;
    world.set("WEBHOOK_ALLOW_LOOPBACK", Some("true"));
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    send(&world, &shop.key, "09121234567", "http://127.0.0.1:8080/status");
    world.settle(DAY_MS);
    assert_eq!(statuses(&hits), ["sent", "delivered"]);
}

#[test]
fn an_address_that_has_become_the_services_own_is_not_called_any_more() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    send(&world, &shop.key, "09121234567", URL);
    world.set("PUBLIC_URL", Some("https://shop.example"));
    world.settle(10 * DAY_MS);
    assert!(hits.borrow().is_empty());
    assert!(world.has_logged("ADDRESS_REFUSED"));
}

#[test]
fn without_the_services_key_no_message_with_a_callback_is_sent() {
    let (world, shop) = World::with_busy_account(100_000);
    world.set("SECRET_KEY", None);
    let body = json!({"message": "hello", "recipients": ["09121234567"]});
    ask(&world, &shop.key, "/sms/send", URL, body).problem(503, 503);
    world.assert_untouched(&shop, 100_000);
}

#[test]
fn an_idempotency_key_stands_for_one_message_and_one_callback() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    let once = |url: Option<&str>| {
        let callback = url.map(|url| super::StatusCallback::twilio(url, super::SID, &shop.key));
        let body = json!({"message": "hello", "recipients": ["09121234567"]});
        let request = world
            .ask("POST", &shop.key, "/sms/send")
            .json(body)
            .idempotency_key("order-7");
        request.head(|head| head.callback = callback).send()
    };
    let first = once(Some(URL)).expect(201);
    let again = once(Some(URL)).expect(201);
    assert_eq!(first.json["data"]["uid"], again.json["data"]["uid"]);
    for other in [Some("https://other.example/"), None] {
        let refused = once(other).problem(422, 422);
        assert_eq!(refused.json["errors"].as_array().map(Vec::len), Some(1));
    }
    world.settle(DAY_MS);
    assert_eq!(statuses(&hits), ["sent", "delivered"]);
    assert_eq!(world.count(&shop, "message"), 1);
    let list = world.read(&shop.key, "/messages");
    assert_eq!(list.json["data"].as_array().map(Vec::len), Some(1));
    assert!(!list.body.contains("shop.example") && list.json["data"][0]["callback"] == Value::Null);
}
