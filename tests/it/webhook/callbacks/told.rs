//! Which changes are told, in which form, and to whom.

use std::rc::Rc;

use serde_json::json;

use super::{SID, URL, answer, ask, listen, send, sid, statuses, waiting};
use crate::support::{World, time::DAY_MS, time::HOUR_MS, time::SECOND_MS};

#[test]
fn each_change_is_told_in_twilios_form_to_the_byte_and_signed_with_the_key() {
    for (number, wanted) in [
        ("09121234567", vec!["sent", "delivered"]),
        ("09121234901", vec!["failed ErrorCode=30004"]),
        ("09121234902", vec!["sent", "undelivered ErrorCode=30008"]),
        ("09121234903", vec!["sent", "undelivered ErrorCode=30003"]),
    ] {
        let (world, shop) = World::with_account(100_000);
        let world = Rc::new(world);
        let hits = listen(&world, |_, _| answer(204));
        let uid = send(&world, &shop.key, number, URL);
        world.settle(4 * DAY_MS);
        let sid = sid(&uid);
        let form = |told: &&str| {
            let (status, code) = told.split_once(' ').unwrap_or((told, ""));
            let code = if code.is_empty() {
                String::new()
            } else {
                format!("&{code}")
            };
            format!(
                "SmsSid={sid}&SmsStatus={status}&MessageStatus={status}&To=%2B98{}&MessageSid={sid}&AccountSid={SID}&\
                 From=10001&ApiVersion=2010-04-01{code}",
                &number[1..]
            )
        };
        let forms: Vec<String> = wanted.iter().map(form).collect();
        let hits = hits.borrow();
        assert_eq!(hits.iter().map(|hit| hit.form.clone()).collect::<Vec<_>>(), forms);
        for hit in hits.iter() {
            assert_eq!(hit.url, URL);
            assert!(hit.is_signed_with(&shop.key) && !hit.is_signed_with("another key"));
            assert_eq!(uuid::Uuid::try_parse(&hit.token).unwrap().to_string(), hit.token);
        }
        assert!(
            hits.iter()
                .all(|hit| hits.iter().filter(|other| other.token == hit.token).count() == 1)
        );
        // Nothing of it is left.
        assert_eq!((world.count(&shop, "event"), waiting(&world, &shop.id)), (0, 0));
    }
}

#[test]
fn a_recipient_of_whom_nobody_knows_anything_is_not_told_and_its_address_goes_with_the_wait_for_reports() {
    let (world, shop) = World::with_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    let uid = send(&world, &shop.key, "09121234904", URL);
    world.settle(HOUR_MS);
    assert_eq!(world.count(&shop, "message WHERE callback IS NOT NULL"), 1);
    world.settle(4 * DAY_MS);
    let got = world.message(&shop.key, &uid);
    assert_eq!(got.text("/data/recipients/0/status"), "UNKNOWN");
    assert_eq!(statuses(&hits), Vec::<String>::new());
    assert_eq!(world.places_of(&["shop.example"]), Vec::<String>::new());
}

#[test]
fn a_scheduled_message_that_is_canceled_says_so_and_one_that_leaves_says_what_became_of_it() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sendAt": at});
    let [canceled, sent] = [0, 1].map(|_| {
        let made = ask(&world, &shop.key, "/sms/send", URL, body.clone()).expect(201);
        made.text("/data/uid")
    });
    world.settle(HOUR_MS);
    assert!(hits.borrow().is_empty(), "the first status is not told");
    world.delete(&shop.key, &format!("/messages/{canceled}")).expect(200);
    world.settle(2 * SECOND_MS);
    assert_eq!(statuses(&hits), ["canceled"]);
    assert_eq!(hits.borrow()[0].members()["MessageSid"], sid(&canceled));
    assert!(!hits.borrow()[0].form.contains("ErrorCode"));
    world.settle(2 * DAY_MS);
    assert_eq!(statuses(&hits), ["canceled", "sent", "delivered"]);
    assert_eq!(hits.borrow()[2].members()["MessageSid"], sid(&sent));
}

#[test]
fn a_report_that_moves_no_money_is_told_within_seconds() {
    let (world, shop) = World::with_account(100_000);
    let world = Rc::new(world);
    world.report_later(100);
    let hits = listen(&world, |_, _| answer(200));
    send(&world, &shop.key, "09121234567", URL);
    world.settle(10 * SECOND_MS);
    assert_eq!(statuses(&hits), ["sent", "delivered"]);
}

#[test]
fn a_pattern_and_a_test_key_have_callbacks_too_and_an_estimate_has_none() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    let pattern =
        json!({"slug": "login", "title": "x", "text": "code %OTP%", "variables": [{"name": "OTP", "type": "TEXT"}]});
    world.active_pattern(&shop.key, pattern);
    let body = json!({"pattern": "login", "variables": {"OTP": "1234"}, "recipient": "09121234567"});
    ask(&world, &shop.key, "/sms/pattern", URL, body).expect(201);
    world.settle(HOUR_MS);
    assert_eq!(statuses(&hits), ["sent", "delivered"]);

    let scopes = json!({"title": "t", "mode": "test", "scopes": ["sms:send", "sms:read"]});
    let test = world.grant(&shop, scopes).text("/data/key");
    hits.borrow_mut().clear();
    send(&world, &test, "09121234902", URL);
    world.settle(4 * DAY_MS);
    assert_eq!(statuses(&hits), ["undelivered"], "no carrier has taken it");
    assert!(hits.borrow().iter().all(|hit| hit.is_signed_with(&test)));

    let estimate = json!({"send": {"message": "x", "recipients": ["09121234567"]}});
    ask(&world, &shop.key, "/sms/estimate", URL, estimate).expect(200);
    world.settle(HOUR_MS);
    assert_eq!(hits.borrow().len(), 1);
}

#[test]
fn endpoints_and_callbacks_hear_of_the_same_message_each_in_its_form() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    let endpoint = json!({"url": "https://ops.example/", "events": ["message.status", "message.submitted"]});
    let id = world.posted(&shop.key, "/webhook", endpoint).text("/data/id");
    world.settle(HOUR_MS);
    send(&world, &shop.key, "09121234567", URL);
    world.sent(&shop.key, &["09121234568"]);
    world.settle(HOUR_MS);
    assert_eq!(statuses(&hits), ["sent", "delivered"]);
    let log = world.read(&shop.key, &format!("/webhook/{id}/deliveries"));
    assert_eq!(log.items().len(), 4, "two events of each message, and no callback");
}

#[test]
fn no_client_can_ask_for_a_callback_at_our_own_api() {
    let (world, shop) = World::with_account(100_000);
    let world = Rc::new(world);
    world.holds_requests.set(false);
    let hits = listen(&world, |_, _| answer(200));
    let body = json!({"message": "x", "recipients": ["09121234567"], "statusCallback": URL, "callback": URL});
    let sent = world.ask("POST", &shop.key, "/sms/send").json(body).send();
    sent.expect(201);
    world.settle(DAY_MS);
    assert!(hits.borrow().is_empty());
    assert_eq!(world.count(&shop, "webhook"), 0);
}
