//! Receivers that hang: nobody else waits for them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::json;

use super::{answer, listen, send, statuses, waiting};
use crate::support::life::Life;
use crate::support::{World, time::HOUR_MS, time::MINUTE_MS, time::SECOND_MS};

#[test]
fn however_many_receivers_hang_endpoints_and_the_other_receivers_get_theirs_in_time() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let world = Rc::new(world);
    let told: Rc<RefCell<BTreeMap<String, Vec<i64>>>> = Rc::default();
    let (noted, clock) = (Rc::clone(&told), Rc::downgrade(&world));
    world.receive(move |request| {
        let now_ms = clock.upgrade().unwrap().now_ms.get();
        let host = request.url.split('/').nth(2).unwrap().to_owned();
        let hangs = host.starts_with("hangs");
        noted.borrow_mut().entry(host).or_default().push(now_ms);
        if hangs { None } else { answer(200) }
    });
    let endpoint = json!({"url": "https://ops.example/", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", endpoint);
    let life = Life::of(&world);
    life.settle(SECOND_MS);
    for at in 0..30 {
        send(
            &world,
            &shop.key,
            "09121234901",
            &format!("https://hangs{}.example/", at % 10),
        );
    }
    life.settle(MINUTE_MS);
    // They are known to be slow, or nobody knows.
    let began_ms = world.now_ms.get();
    for at in 0..40 {
        send(
            &world,
            &shop.key,
            "09121234901",
            &format!("https://fine{}.example/", at % 2),
        );
    }
    world.sent(&shop.key, &["09121234567"]);
    life.settle(MINUTE_MS);
    let told = told.borrow();
    let since = |host: &str| told[host].iter().filter(|at_ms| **at_ms >= began_ms).max().unwrap() - began_ms;
    assert!(since("ops.example") < 3 * SECOND_MS, "{}", since("ops.example"));
    for host in ["fine0.example", "fine1.example"] {
        assert_eq!(told[host].len(), 20);
        // Two that nobody knows are under way at once at most: a new one may wait for one that hangs.
        assert!(since(host) < 40 * SECOND_MS, "{host}: {}", since(host));
    }
    assert!(waiting(&world, &shop.id) > 0);
}

#[test]
fn one_receiver_that_hangs_holds_back_no_other_once_it_is_known() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let world = Rc::new(world);
    let hits = listen(
        &world,
        |_, hit| if hit.url.contains("hangs") { None } else { answer(200) },
    );
    let life = Life::of(&world);
    for _ in 0..20 {
        send(&world, &shop.key, "09121234901", "https://hangs.example/");
    }
    life.settle(MINUTE_MS);
    let began_ms = world.now_ms.get();
    send(&world, &shop.key, "09121234567", "https://fine.example/");
    life.settle(5 * SECOND_MS);
    let hits = hits.borrow();
    let fine: Vec<i64> = hits
        .iter()
        .filter(|hit| hit.url.contains("fine"))
        .map(|hit| hit.at_ms - began_ms)
        .collect();
    assert_eq!(fine.len(), 2);
    assert!(fine.iter().all(|took_ms| *took_ms < 3 * SECOND_MS), "{fine:?}");
}

#[test]
fn callbacks_of_one_message_come_one_after_the_other() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let world = Rc::new(world);
    let hits = listen(&world, |_, _| answer(200));
    world.receiver_takes_ms.set(100);
    let life = Life::of(&world);
    for _ in 0..20 {
        send(&world, &shop.key, "09121234567", "https://shop.example/");
    }
    life.settle(HOUR_MS);
    assert_eq!(hits.borrow().len(), 40);
    let mut last: BTreeMap<String, (String, i64)> = BTreeMap::new();
    for hit in hits.borrow().iter() {
        let now = (hit.status(), hit.at_ms);
        if let Some((status, at_ms)) = last.insert(hit.members()["MessageSid"].clone(), now) {
            assert_eq!((status.as_str(), hit.status().as_str()), ("sent", "delivered"));
            assert!(hit.at_ms >= at_ms + 100, "the first has ended");
        }
    }
    let alike = |status: &str| statuses(&hits).iter().filter(|told| *told == status).count();
    assert_eq!((alike("sent"), alike("delivered")), (20, 20));
}
