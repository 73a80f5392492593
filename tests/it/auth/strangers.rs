//! Who sends bad keys is slowed, and everybody else notices nothing.

use peyk::auth::{self, Mode};
use serde_json::{Value, json};

use crate::support::{Answer, World};

const STRANGER: &str = "203.0.113.7";

fn ask(world: &World, address: &str, key: &str) -> Answer {
    world.ask("GET", key, "/account/info").from(address).send()
}

/// A key in the service's form that nobody has issued.
fn guess(number: u8) -> String {
    auth::mint(Mode::Live, |bytes| {
        bytes.fill(9);
        bytes[0] = number;
        bytes[1] = number / 62;
    })
}

/// The lines of the log that tell of strangers.
fn lines(world: &World) -> Vec<Value> {
    let log = world.log.borrow();
    let lines = log.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["event"] == "strangers").collect()
}

#[test]
fn an_address_that_guesses_keys_is_kept_out_before_kv_is_read() {
    let (world, shop) = World::with_account(0);
    for number in 0..61 {
        ask(&world, STRANGER, &guess(number)).problem(401, 401);
    }
    let reads = world.kv_calls.borrow().len();
    let refused = ask(&world, STRANGER, &guess(61)).problem(429, 429);
    let seconds: u32 = refused.header("Retry-After").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds));
    ask(&world, STRANGER, "no-key-of-ours").problem(429, 429);
    assert_eq!(world.kv_calls.borrow().len(), reads, "KV is not read");
    // A key that the isolate knows is none of a stranger, and another address has its own count.
    ask(&world, "198.51.100.1", &shop.key).expect(200);
    ask(&world, STRANGER, &shop.key).expect(200);
    ask(&world, "198.51.100.1", &guess(62)).problem(401, 401);
    world.advance(i64::from(seconds) * 1_000);
    ask(&world, STRANGER, &guess(63)).problem(401, 401);
}

#[test]
fn good_keys_and_requests_without_one_count_for_nothing() {
    let (world, shop) = World::with_busy_account(0);
    for _ in 0..200 {
        ask(&world, STRANGER, &shop.key).expect(200);
        world
            .request("GET", "/account/info")
            .from(STRANGER)
            .send()
            .problem(401, 401);
    }
    assert!(world.failures.borrow().is_empty());
    for address in ["127.0.0.1", "::1"] {
        for number in 0..100 {
            ask(&world, address, &guess(number)).problem(401, 401);
        }
    }
    assert!(world.failures.borrow().is_empty(), "this machine is no stranger");
}

#[test]
fn bad_keys_are_logged_as_counts() {
    let world = World::new();
    let keys: Vec<String> = (0..70).map(guess).collect();
    for key in &keys {
        ask(&world, STRANGER, key);
    }
    world
        .request("GET", "/account/info")
        .from("198.51.100.1")
        .send()
        .problem(401, 401);
    assert!(lines(&world).is_empty());
    assert!(
        world.log.borrow().iter().all(|line| !line.contains("request")),
        "no line for each"
    );
    world.advance(60_000);
    world.request("GET", "/health").send().expect(200);
    let digests: Vec<String> = keys.iter().map(|key| auth::digest(key)[..8].to_owned()).collect();
    let told = lines(&world);
    assert_eq!(told.len(), 1);
    let failures = json!({STRANGER: {"count": 61, "keys": digests[..2]}, "198.51.100.1": {"count": 1, "keys": []}});
    assert_eq!((&told[0]["failures"], &told[0]["others"]), (&failures, &json!(0)));
    assert!(
        world
            .log
            .borrow()
            .iter()
            .all(|line| keys.iter().all(|key| !line.contains(key.as_str())))
    );
}
