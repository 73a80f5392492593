//! Callbacks that wait are bounded, live ones and those of test messages apart.

use std::rc::Rc;

use peyk::account;
use peyk::account::outbox::{callbacks::NewCallback, events::id_of};
use peyk::account::record::message::callback::{Callback, CallbackFormat};
use peyk::auth::signing_key::SigningKey;
use peyk::webhook::callbacks::{MAX_TEST_WAITING, MAX_WAITING, TakeCallbacks};

use super::{answer, listen, waiting};
use crate::support::{Account, World, time::DAY_MS, to_end};

/// Callbacks as an account's object hands them over.
fn hand(world: &World, shop: &Account, test: bool, range: std::ops::Range<i64>) {
    let key = SigningKey::of(b"key").seal(world, &shop.id).unwrap();
    let new = |index: i64| NewCallback {
        id: id_of(1_767_268_800_000 + index, &[test.into(); 10]),
        message: format!("message {index}"),
        test,
        callback: Callback {
            format: CallbackFormat::Twilio,
            url: "https://shop.example/".to_owned(),
            account: "AC7".to_owned(),
            key: key.clone(),
        },
        line: "10001".to_owned(),
        index: u32::try_from(index).unwrap(),
        to: "+989121234567".to_owned(),
        status: "SUBMITTED".to_owned(),
        error: None,
    };
    let take = TakeCallbacks(range.map(new).collect());
    to_end(account::ask(world, &shop.id, None, None, &take))
        .unwrap()
        .unwrap();
}

#[test]
fn beyond_the_bound_the_oldest_are_given_up_and_the_log_counts_them() {
    let (world, shop) = World::with_account(0);
    hand(&world, &shop, false, 0..10);
    for at in 0..3 {
        hand(&world, &shop, true, at * 1_000..(at + 1) * 1_000);
    }
    assert_eq!(
        waiting(&world, &shop.id),
        MAX_TEST_WAITING + 10,
        "test messages push out no live one"
    );
    for at in 0..11 {
        hand(&world, &shop, false, at * 1_000..(at + 1) * 1_000);
    }
    assert_eq!(waiting(&world, &shop.id), MAX_TEST_WAITING + MAX_WAITING);
    let lost = world
        .log
        .borrow()
        .iter()
        .filter(|line| line.contains(r#""callbacks":1000"#))
        .count();
    assert_eq!(lost, 2);
    let sql = world.webhook_sql(&shop.id);
    for test in [0, 1] {
        let oldest = format!("SELECT min(data ->> '$.index') FROM callback WHERE test = {test}");
        assert_eq!(sql.number(&oldest), 1_000);
    }
}

#[test]
fn a_callback_that_is_handed_over_again_while_it_waits_is_made_once() {
    let (world, shop) = World::with_account(0);
    let world = Rc::new(world);
    let hits = listen(&world, |count, _| answer(if count == 0 { 500 } else { 200 }));
    for _ in 0..3 {
        hand(&world, &shop, false, 0..5);
    }
    assert_eq!(waiting(&world, &shop.id), 5);
    world.settle(DAY_MS);
    assert_eq!(hits.borrow().len(), 6, "one of them failed once");
}
