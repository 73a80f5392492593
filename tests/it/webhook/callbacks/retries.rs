//! Receivers that fail: when they get a callback again, and when it is given up.

use std::rc::Rc;

use peyk::base::ports::PortError;

use super::{URL, answer, listen, send, statuses, waiting};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World};

fn world() -> (Rc<World>, Account) {
    let (world, shop) = World::with_busy_account(100_000);
    (Rc::new(world), shop)
}

#[test]
fn a_receiver_that_fails_gets_the_same_callback_again_at_the_times_of_the_schedule() {
    let (world, shop) = world();
    let failures = [500, 302, 404, 429, 0];
    let hits = listen(&world, move |count, _| match failures.get(count) {
        Some(0) => Some(Err(PortError::unavailable("fetch", "no response"))),
        Some(status) => answer(*status),
        None => answer(200),
    });
    send(&world, &shop.key, "09121234901", URL);
    world.settle(2 * DAY_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 6);
    for (pair, wait_s) in hits.windows(2).zip([5, 300, 1_800, 7_200, 18_000]) {
        let parts = |at: usize| (&pair[at].token, &pair[at].form, &pair[at].signature);
        assert_eq!(parts(0), parts(1));
        let waited_s = (pair[1].at_ms - pair[0].at_ms) / SECOND_MS;
        assert!(
            (wait_s..=wait_s + wait_s / 10 + 2).contains(&waited_s),
            "{waited_s} for {wait_s}"
        );
    }
    assert!(hits[0].is_signed_with(&shop.key));
    assert_eq!(waiting(&world, &shop.id), 0);
}

#[test]
fn what_fails_ten_times_is_given_up_and_the_log_says_so_without_the_address() {
    let (world, shop) = world();
    let hits = listen(&world, |_, _| answer(503));
    let uid = send(&world, &shop.key, "09121234901", URL);
    world.settle(HOUR_MS);
    assert_eq!(waiting(&world, &shop.id), 1);
    world.settle(9 * DAY_MS);
    assert_eq!((hits.borrow().len(), waiting(&world, &shop.id)), (10, 0));
    let log = world.log.borrow();
    let lines: Vec<&String> = log
        .iter()
        .filter(|line| line.contains("callback is given up"))
        .collect();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains(&uid) && lines[0].contains("503") && !lines[0].contains("shop.example"));
}

#[test]
fn a_receiver_that_is_gone_does_not_get_that_callback_again() {
    let (world, shop) = world();
    let hits = listen(&world, |count, _| answer(if count == 0 { 410 } else { 200 }));
    send(&world, &shop.key, "09121234567", URL);
    world.settle(DAY_MS);
    assert_eq!(statuses(&hits), ["sent", "delivered"]);
    assert!(world.has_logged("GONE"));
}

#[test]
fn a_receiver_that_asks_for_a_pause_gets_the_callback_when_it_is_over() {
    let (world, shop) = world();
    let hits = listen(&world, |count, _| {
        let mut response = answer(if count == 0 { 429 } else { 200 })?.unwrap();
        response.retry_after = (count == 0).then(|| "600".to_owned());
        Some(Ok(response))
    });
    send(&world, &shop.key, "09121234901", URL);
    world.settle(HOUR_MS);
    let hits = hits.borrow();
    assert_eq!(hits.len(), 2);
    assert!((600..=610).contains(&((hits[1].at_ms - hits[0].at_ms) / SECOND_MS)));
}

#[test]
fn a_crash_repeats_the_attempt_under_the_same_token() {
    let (world, shop) = world();
    // The process dies when the receiver has the first callback.
    let hits = listen(&world, |count, _| if count == 0 { None } else { answer(200) });
    send(&world, &shop.key, "09121234567", URL);
    world.settle(MINUTE_MS);
    assert_eq!(statuses(&hits), ["sent", "sent", "delivered"]);
    let hits = hits.borrow();
    assert_eq!(hits[0].token, hits[1].token);
    assert_ne!(hits[1].token, hits[2].token);
}

#[test]
fn an_account_that_can_not_hand_over_tries_again_and_loses_nothing() {
    let (world, shop) = world();
    let hits = listen(&world, |_, _| answer(200));
    let broken = world.webhook_sql(&shop.id);
    broken.fail("INSERT INTO callback", u32::MAX);
    send(&world, &shop.key, "09121234567", URL);
    world.settle(HOUR_MS);
    assert_eq!((hits.borrow().len(), world.count(&shop, "event")), (0, 2));
    broken.fail("", 0);
    world.settle(MINUTE_MS);
    assert_eq!(statuses(&hits), ["sent", "delivered"]);
    assert_eq!(world.count(&shop, "event"), 0);
}
