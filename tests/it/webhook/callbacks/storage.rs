//! What is kept of a callback, for how long, and what nobody can read of it.

use std::rc::Rc;

use peyk::objects::nightly;
use serde_json::json;

use super::{URL, answer, ask, listen, send, statuses, waiting};
use crate::support::gateway::SECRET_KEY;
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS};
use crate::support::{World, to_end};

#[test]
fn the_message_forgets_its_callback_with_its_ending_and_nobody_finds_the_address_again() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    world.report_later(100);
    let hits = listen(&world, |_, _| answer(200));
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sendAt": at});
    ask(&world, &shop.key, "/sms/send", URL, body).expect(201);
    let stored = || world.count(&shop, "message WHERE callback IS NOT NULL");
    assert_eq!(stored(), 1);
    assert!(!world.places_of(&["shop.example"]).is_empty());
    assert_eq!(
        world.places_of(&[&shop.key]),
        Vec::<String>::new(),
        "the key stands nowhere"
    );
    world.settle(2 * HOUR_MS);
    assert_eq!((statuses(&hits).len(), stored()), (2, 0));
    assert_eq!(world.places_of(&["shop.example", super::SID]), Vec::<String>::new());
}

#[test]
fn a_message_with_a_callback_writes_no_row_more_when_it_is_accepted() {
    let rows = |has_callback: bool| {
        let (world, shop) = World::with_busy_account(100_000);
        world.carriers_are_down.set(true);
        send(&world, &shop.key, "09121234567", URL);
        let sql = world.sql(&shop.id);
        crate::support::rows::watch(&*sql);
        if has_callback {
            send(&world, &shop.key, "09121234568", URL);
        } else {
            world.sent(&shop.key, &["09121234568"]);
        }
        crate::support::rows::taken(&*sql)
    };
    assert_eq!(rows(true), rows(false));
}

#[test]
fn a_number_that_is_erased_leaves_callbacks_that_wait_too() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(500));
    send(&world, &shop.key, "09121234901", "https://shop.example/?to=09121234901");
    world.settle(MINUTE_MS);
    assert_eq!(waiting(&world, &shop.id), 1);
    let order = json!({"number": "09121234901"});
    let scopes = json!({"title": "e", "scopes": ["erasure"]});
    let key = world.grant(&shop, scopes).text("/data/key");
    world.post(&key, "/erasures", order).expect(202);
    world.settle(4 * HOUR_MS);
    let places = world.places_of(&["9121234901"]);
    assert_eq!(places, Vec::<String>::new());
    let hits = hits.borrow();
    let last = hits.last().unwrap();
    assert_eq!(
        (last.url.as_str(), last.members()["To"].as_str()),
        ("https://shop.example/?to=erased", "erased")
    );
    assert!(last.is_signed_with(&shop.key) && last.token == hits[0].token);
}

#[test]
fn while_the_services_key_changes_the_night_seals_the_keys_of_callbacks_anew() {
    let (world, shop) = World::with_busy_account(100_000);
    let world = Rc::new(world);
    let hits = listen(&world, |count, _| answer(if count < 2 { 500 } else { 200 }));
    world
        .settings
        .borrow_mut()
        .insert("WEBHOOK_RETRY_SECONDS", "1,86400".to_owned());
    send(&world, &shop.key, "09121234901", URL);
    world.settle(MINUTE_MS);
    world.set("SECRET_KEY", Some("CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="));
    world.set("SECRET_KEY_OLD", Some(SECRET_KEY));
    to_end(nightly::run(&*world, &world.app.config));
    world.set("SECRET_KEY_OLD", None);
    world.settle(2 * DAY_MS);
    assert_eq!(hits.borrow().len(), 3);
    assert!(hits.borrow().iter().all(|hit| hit.is_signed_with(&shop.key)));
    assert_eq!(waiting(&world, &shop.id), 0);
}
