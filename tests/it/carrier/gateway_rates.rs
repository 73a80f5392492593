//! How fast messages go to a gateway that throttles, in virtual time, and what of it outlives an object that was dropped.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::{Value, json};

use crate::support::figures::{Log, figures};
use crate::support::gateway::{Reply, accepted, says};
use crate::support::smsc::TokenBucket;
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, life::Life};

/// What a token bucket takes at once.
const BURST: i64 = 20;

/// A service with a gateway `mci` behind the line `20001`, and an account with money.
fn service() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let world = world.with_secrets();
    world.set("MAX_RECIPIENTS", Some("1000"));
    world.add_gateway("mci", "20001", "JASMIN");
    world.gateway.answer_all(accepted());
    world.gateway.answer_ms.set(10);
    world.advance(31_000);
    (world, shop)
}

fn send(world: &World, shop: &Account, count: usize) -> String {
    let numbers: Vec<String> = (0..count).map(|number| format!("+98912{number:07}")).collect();
    let mut uid = String::new();
    for recipients in numbers.chunks(1_000) {
        let body = json!({"message": "x", "recipients": recipients, "sourceNumber": "20001"});
        uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    }
    uid
}

fn health(world: &World) -> Value {
    world.look("/admin/carriers/mci").json["data"]["health"].clone()
}

/// A gateway that takes what a bucket takes, and says this to the rest. It notes when each message came.
fn bucket(world: &World, per_second: i64, refusal: Reply) -> Log {
    let log = Log::default();
    let (kept, timers) = (Rc::clone(&log), Rc::clone(&world.network.timers));
    let bucket = RefCell::new(TokenBucket::of(&Rc::new(Cell::new(per_second)), BURST));
    world.gateway.answer(move |number, _| {
        let now_ms = timers.now_ms.get();
        if number.is_none() {
            return says(400, "Missing receiver number, rejected");
        }
        let is_taken = bucket.borrow_mut().takes(now_ms);
        kept.borrow_mut().push((now_ms, is_taken));
        if is_taken { accepted() } else { refusal.clone() }
    });
    log
}

/// A gateway with this rate gets at least so many hundredths of it between two times.
fn assert_a_bucket_is_used(per_second: i64, refusal: Reply, (from_ms, to_ms): (i64, i64), percent: i64) {
    let (world, shop) = service();
    let log = bucket(&world, per_second, refusal.clone());
    send(&world, &shop, usize::try_from(per_second * to_ms / 900 + 100).unwrap());
    let life = Life::of(&world);
    life.settle(to_ms + SECOND_MS);
    let late = figures(&log, from_ms, to_ms);
    let learned = health(&world)["learnedPerSecond"].clone();
    eprintln!("{per_second}/s, {refusal:?}: from {from_ms} to {to_ms} ms {late:?} of {per_second}0, learnt {learned}");
    assert!(late.0 * 10 >= per_second * percent, "{late:?}");
    assert!(late.1 <= 50, "{late:?}");
}

/// How many messages a gateway that answers after 150 ms gets in ten seconds of a backlog, from one account that sends plain
/// messages.
fn carried(objects: i64, window: i64) -> i64 {
    const ANSWER_MS: i64 = 150;
    let (world, shop) = service();
    world.change(
        "/admin/carriers/mci",
        json!({"http": {"objects": objects, "window": window}}),
    );
    let log = bucket(&world, 100_000, says(429, ""));
    world.gateway.answer_ms.set(ANSWER_MS);
    send(&world, &shop, 8_000);
    let life = Life::of(&world);
    life.settle(15 * SECOND_MS);
    // Plain sends leave a sixth of the window to codes.
    let limit = objects * (window - window / 6) * 10_000 / ANSWER_MS;
    let carried = figures(&log, 2_000, 12_000).0;
    eprintln!("{objects} objects, {window} at once: {carried} in 10 s, the formula says {limit}");
    assert!(carried <= limit + objects * window, "{carried} of {limit}");
    assert!(carried * 100 >= limit * 95, "{carried} of {limit}");
    carried
}

#[test]
fn a_gateway_gets_what_its_objects_and_their_windows_can_carry() {
    let one = carried(1, 6);
    assert!(carried(4, 6) >= one * 39 / 10);
    assert!(carried(2, 12) >= one * 39 / 10);
}

#[test]
fn many_accounts_with_one_message_each_use_a_gateway_as_well_as_one_with_many() {
    const ACCOUNTS: i64 = 250;
    const ANSWER_MS: i64 = 150;
    let (world, _) = service();
    world.gateway.answer_ms.set(ANSWER_MS);
    let accounts: Vec<Account> = (0..ACCOUNTS)
        .map(|number| {
            // The operator's rate limit.
            world.advance(SECOND_MS);
            world.account(&format!("shop{number}"), 1_000_000)
        })
        .collect();
    world.advance(MINUTE_MS);
    for (number, account) in accounts.iter().enumerate() {
        let body = json!({"message": "x", "recipients": [format!("+98912{number:07}")], "sourceNumber": "20001"});
        world.posted(&account.key, "/sms/send", body);
    }
    let life = Life::of(&world);
    let (began_ms, calls) = (world.now_ms.get(), world.calls.get());
    let arrived = || world.gateway.messages.borrow().len();
    life.settle_until(MINUTE_MS, || arrived() == accounts.len());
    let (took_ms, calls) = (world.now_ms.get() - began_ms, world.calls.get() - calls);
    // Of six places, five are for plain messages.
    let least_ms = ACCOUNTS / 5 * ANSWER_MS;
    eprintln!(
        "{ACCOUNTS} accounts: the last message came after {took_ms} ms of at least {least_ms}, with {calls} calls"
    );
    assert!(took_ms <= least_ms * 11 / 10, "{took_ms} ms");
    assert!(world.gateway.counts().values().all(|count| *count == 1));
}

#[test]
fn nobody_gets_two_messages_while_objects_come_and_go_and_the_process_dies() {
    let (world, shop) = service();
    world.gateway.answer_ms.set(150);
    let set = |objects: i64| world.change("/admin/carriers/mci", json!({"http": {"objects": objects}}));
    set(4);
    let uids: Vec<String> = (0..6).map(|_| send(&world, &shop, 500)).collect();
    let life = Life::of(&world);
    for objects in [1, 3, 16, 2] {
        life.settle(1_500);
        life.kill();
        set(objects);
    }
    life.settle(2 * MINUTE_MS);
    let counts = world.gateway.counts();
    // Each number stands in six messages.
    assert_eq!(counts.len(), 500);
    assert!(counts.values().all(|count| *count <= 6));
    let mut unknown = 0;
    for uid in &uids {
        let counts = world.message(&shop.key, uid).json["data"]["counts"].clone();
        let count = |status: &str| counts[status].as_u64().unwrap_or(0);
        assert_eq!(count("SUBMITTED") + count("UNKNOWN"), 500, "{counts}");
        unknown += count("UNKNOWN");
    }
    // Of each kill, at most those that the calls under way had noted.
    assert!(unknown <= 4 * 16 * 12, "{unknown}");
    let submitted = 6 * 500 - unknown;
    let arrived: usize = counts.values().sum();
    assert!(u64::try_from(arrived).unwrap() >= submitted, "{arrived} of {submitted}");
    // A report finds its recipient, whichever object has sent it.
    let path = world.gateway.messages.borrow().last().unwrap().report_path();
    let report = format!("{path}&level=3&message_status=DELIVRD&id=7");
    world.request("GET", &report).send().expect(200);
    let delivered = |uid: &String| world.message(&shop.key, uid).json["data"]["counts"]["DELIVERED"] == 1;
    assert_eq!(uids.iter().filter(|uid| delivered(uid)).count(), 1);
}

#[test]
fn a_gateway_that_throttles_gets_nearly_what_it_takes_and_little_more() {
    assert_a_bucket_is_used(5, says(429, ""), (8_000, 18_000), 85);
    let throughput = says(403, "Error \"User throughput exceeded\"");
    assert_a_bucket_is_used(50, throughput, (8_000, 18_000), 85);
    assert_a_bucket_is_used(300, says(429, ""), (8_000, 18_000), 85);
}

#[test]
fn a_gateway_that_wants_a_second_of_rest_each_time_it_throttles_is_throttled_seldom() {
    // Each rest is lost.
    for per_second in [50, 300] {
        assert_a_bucket_is_used(per_second, Reply::Throttles(1), (12_000, 52_000), 85);
    }
}

#[test]
fn a_code_goes_before_a_campaign_to_a_gateway_that_throttles() {
    let (world, shop) = service();
    bucket(&world, 5, says(429, ""));
    world.active_pattern(&shop.key, json!({"slug": "otp", "title": "x", "text": "hello"}));
    send(&world, &shop, 1_000);
    let life = Life::of(&world);
    life.settle(10 * SECOND_MS);
    let began_ms = world.now_ms.get();
    let code = json!({"pattern": "otp", "recipient": "+989999999999", "sourceNumber": "20001"});
    world.posted(&shop.key, "/sms/pattern", code);
    let has_come = || world.gateway.counts().contains_key("989999999999");
    life.settle_until(5 * SECOND_MS, has_come);
    let took_ms = world.now_ms.get() - began_ms;
    assert!(took_ms <= 500, "a code waited {took_ms} ms");
}

#[test]
fn a_gateway_that_says_how_long_to_wait_is_asked_no_sooner_whatever_is_dropped_in_between() {
    let (world, shop) = service();
    world.gateway.answer_all(Reply::Throttles(50));
    send(&world, &shop, 10);
    let life = Life::of(&world);
    life.settle(SECOND_MS);
    let asked = world.gateway.messages.borrow().len() + world.gateway.probes.get();
    for _ in 0..8 {
        assert_eq!(health(&world)["state"], "THROTTLED");
        assert_eq!(health(&world)["lastError"], "the gateway wants fewer messages");
        life.settle(6 * SECOND_MS);
        life.kill();
    }
    assert_eq!(
        world.gateway.messages.borrow().len() + world.gateway.probes.get(),
        asked
    );
    world.gateway.answer_all(accepted());
    let before = world.gateway.messages.borrow().len();
    life.settle_until(MINUTE_MS, || world.gateway.messages.borrow().len() == before + 10);
}

#[test]
fn a_gateway_that_refuses_the_password_stays_down_and_says_why_whatever_is_dropped_in_between() {
    let (world, shop) = service();
    world
        .gateway
        .answer(|_, _| says(403, "Authorization failed for sendsms"));
    send(&world, &shop, 10);
    let life = Life::of(&world);
    life.settle(SECOND_MS);
    let asked_ms = world.now_ms.get();
    let probes = world.gateway.probes.get();
    for _ in 0..4 {
        life.settle(6 * SECOND_MS);
        life.kill();
        assert_eq!(health(&world)["state"], "DOWN");
        assert_eq!(
            health(&world)["lastError"],
            "the gateway refuses the user or the password"
        );
    }
    assert_eq!(world.gateway.probes.get(), probes);
    // It is left alone for twice as long each time, also when each try is made by another object.
    let mut tries_ms = vec![asked_ms];
    for _ in 0..200 {
        let before = world.gateway.probes.get();
        life.settle(3 * SECOND_MS);
        if world.gateway.probes.get() > before {
            tries_ms.push(world.now_ms.get());
            life.kill();
        }
    }
    let delays: Vec<i64> = tries_ms
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) / SECOND_MS)
        .collect();
    assert!(delays.len() >= 4, "{delays:?}");
    for (delay, least) in delays.iter().zip([27, 57, 117, 237]) {
        assert!(*delay >= least, "{delays:?}");
    }
    // A change is tried at once, by whichever object.
    world.gateway.answer_all(accepted());
    world.change("/admin/carriers/mci", json!({"http": {"password": "right"}}));
    life.kill();
    assert_eq!(health(&world)["state"], "UP");
}

#[test]
fn the_rate_that_was_learnt_outlives_the_object_and_a_steady_one_writes_nothing() {
    let (world, shop) = service();
    let log = bucket(&world, 50, says(429, ""));
    send(&world, &shop, 4_000);
    let life = Life::of(&world);
    life.settle(15 * SECOND_MS);
    let learned = health(&world)["learnedPerSecond"].as_i64().unwrap();
    assert!((40..=60).contains(&learned), "{learned}");
    life.settle(MINUTE_MS);
    life.kill();
    let learned = health(&world)["learnedPerSecond"].as_i64().unwrap();
    assert!((40..=60).contains(&learned), "{learned}");
    log.borrow_mut().clear();
    // What was under way is handed over again when its lease ends.
    life.settle_until(MINUTE_MS, || !log.borrow().is_empty());
    life.settle(10 * SECOND_MS);
    let (_, throttled) = figures(&log, 0, 10_000);
    assert!(
        throttled <= 50,
        "{throttled} of a thousand are throttled by the next object"
    );
}
