//! The guard against fraud.

use proptest::prelude::*;
use serde_json::json;

use super::{MINUTE_MS, check, code, start, started, world};
use crate::support::{Account, World, assert_has, cases};

fn blocked(world: &World, shop: &Account, number: &str) -> bool {
    let answer = start(world, &shop.key, json!({"recipient": number})).expect(201);
    let is_blocked = answer.text("/data/status") == "BLOCKED";
    if is_blocked {
        answer.has(json!({"cost": 0, "messageUid": null, "sends": 0, "attemptsLeft": 0}));
    }
    is_blocked
}

#[test]
fn a_range_of_numbers_that_nobody_answers_for_is_blocked_unpaid() {
    let (world, shop) = world();
    for number in 0..20 {
        assert!(!blocked(&world, &shop, &format!("0912123{number:04}")));
    }
    // People need a minute to type.
    assert!(!blocked(&world, &shop, "09121239998"));
    world.settle(MINUTE_MS + 1_000);
    let before = world.balance(&shop.key);
    assert!(blocked(&world, &shop, "09121239999"));
    assert_eq!(world.balance(&shop.key), before);
    let answer = start(&world, &shop.key, json!({"recipient": "09121239999"})).expect(201);
    let id = answer.text("/data/id");
    world
        .read(&shop.key, &format!("/verify/{id}"))
        .has(json!({"status": "BLOCKED"}));
    check(&world, &shop.key, &id, "123456").problem(422, 3019);
    // Other numbers go on, and these after ten minutes.
    assert!(!blocked(&world, &shop, "09121330000"));
    world.settle(11 * MINUTE_MS);
    assert!(!blocked(&world, &shop, "09121239999"));
}

#[test]
fn people_who_type_their_codes_are_never_blocked() {
    let (world, shop) = world();
    for number in 0..60 {
        let id = started(&world, &shop.key, &format!("0912123{number:04}"));
        let code = code(&world);
        if number % 3 == 0 {
            check(&world, &shop.key, &id, &code).expect(200);
        }
    }
    world.settle(MINUTE_MS);
    assert!(!blocked(&world, &shop, "09121239999"));
}

#[test]
fn an_address_that_asks_for_codes_and_checks_none_is_blocked() {
    let (world, shop) = world();
    let ask = |number: i64, address: &str| {
        let body = json!({"recipient": format!("0913{:07}", number * 10_001), "context": {"ip": address}});
        start(&world, &shop.key, body).expect(201).text("/data/status")
    };
    for number in 0..100 {
        assert_eq!(ask(number, "198.51.100.7"), "PENDING");
    }
    world.settle(MINUTE_MS + 1_000);
    assert_eq!(ask(101, "198.51.100.7"), "BLOCKED");
    assert_eq!(ask(102, "198.51.100.8"), "PENDING");
    world.settle(10 * MINUTE_MS);
    assert_eq!(ask(103, "198.51.100.7"), "PENDING");
}

#[test]
fn an_address_is_looked_for_among_the_thousand_newest() {
    let (world, shop) = world();
    let ask = |number: i64| {
        let context = json!({"ip": "198.51.100.7"});
        let body = json!({"recipient": format!("0913{:07}", number * 10_001), "context": context});
        start(&world, &shop.key, body).expect(201).text("/data/status")
    };
    for number in 0..100 {
        assert_eq!(ask(number), "PENDING");
    }
    world.settle(MINUTE_MS + 1_000);
    let others = |first: i64, count: i64| {
        let rows = "WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1 + ?2) \
             INSERT INTO verification (number, uid, status, test, msisdn, purpose, line, length, max_attempts, checks, sends, cost, \
               created_ms, expires_ms, ended_ms) \
             SELECT i, 'other' || i, 1, 0, 989350000000 + i, 'login', '10001', 6, 5, 1, '[]', 1000, ?3, ?3, ?3 FROM n";
        let now_ms = world.now_ms.get();
        world
            .sql(&shop.id)
            .run_with(rows, &[first.into(), count.into(), now_ms.into()]);
    };
    others(1_000_000, 900);
    assert_eq!(ask(101), "BLOCKED");
    // What is blocked takes no place of another.
    assert_eq!(ask(102), "BLOCKED");
    others(2_000_000, 1);
    assert_eq!(ask(103), "PENDING", "one of the hundred is out of sight");
}

#[test]
fn numbers_whose_approvals_fall_far_are_paused_for_a_quarter_of_an_hour() {
    let (world, shop) = world();
    // A week in which nearly all are approved.
    for number in 0..220 {
        let id = started(&world, &shop.key, &format!("0912{:07}", number * 10_001));
        let code = code(&world);
        check(&world, &shop.key, &id, &code).expect(200);
    }
    world.settle(30 * MINUTE_MS);
    for number in 300..360 {
        started(&world, &shop.key, &format!("0912{:07}", number * 10_001));
    }
    world.settle(3 * MINUTE_MS);
    assert!(blocked(&world, &shop, "09127777777"));
    assert!(!blocked(&world, &shop, "09137777777"));
    let stats = world.read(&shop.key, "/verify/stats?by=prefix");
    let first = &stats.json["data"]["rows"][0];
    assert_has(
        first,
        json!({"name": "98912", "approved": 220, "started": 281, "blocked": 1}),
    );
    assert!(stats.json["data"]["rows"][0]["pausedUntil"].is_string());
    world.settle(15 * MINUTE_MS);
    assert!(!blocked(&world, &shop, "09127777777"));
}

#[test]
fn what_a_test_key_asks_for_is_never_blocked() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    for number in 0..30 {
        started(&world, &test, &format!("0912123{number:04}"));
    }
    world.settle(MINUTE_MS + 1_000);
    let answer = start(&world, &test, json!({"recipient": "09121239999"})).expect(201);
    assert_eq!(answer.text("/data/status"), "PENDING");
    // Nor do they count against live ones.
    assert!(!blocked(&world, &shop, "09121239999"));
}

/// So many people of a range ask for codes, of whom some type theirs, and then so much time passes, ms.
fn waves() -> impl Strategy<Value = Vec<(u64, u64, i64)>> {
    let times = prop::sample::select(vec![1_000, 20_000, 61_000, 121_000, 400_000, 601_000]);
    prop::collection::vec((1..14_u64, 0..14_u64, times), 3..16)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(16), max_shrink_iters: 100, ..ProptestConfig::default() })]
    /// Against a slow and simple model: all that were started, with their times.
    #[test]
    fn a_range_is_blocked_when_few_of_many_were_answered_and_at_no_other_time(waves in waves()) {
        let (world, shop) = world();
        // When each was started, ms since the Unix epoch, and whether it was approved.
        let mut started_at: Vec<(i64, bool)> = Vec::new();
        let mut next = 0;
        for (people, answers, pause_ms) in waves {
            for person in 0..people {
                let now_ms = world.now_ms.get();
                let counted = started_at.iter().filter(|(at_ms, _)| (now_ms - 599_999..=now_ms - MINUTE_MS).contains(at_ms));
                let (all, approved) = counted.fold((0, 0), |(all, approved), (_, is)| (all + 1, approved + u32::from(*is)));
                let number = format!("0912123{next:04}");
                next += 1;
                let answer = start(&world, &shop.key, json!({"recipient": number})).expect(201);
                let is_blocked = answer.text("/data/status") == "BLOCKED";
                prop_assert_eq!(is_blocked, all >= 20 && approved * 4 < all, "{} of {}", approved, all);
                if is_blocked {
                    continue;
                }
                if person < answers {
                    let code = code(&world);
                    check(&world, &shop.key, &answer.text("/data/id"), &code).expect(200);
                }
                started_at.push((now_ms, person < answers));
            }
            world.settle(pause_ms);
        }
    }
}
