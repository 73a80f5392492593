//! Who goes first when a session is short of room, from the accept to the SMSC, in virtual time.

use serde_json::{Value, json};

use crate::support::{
    Account, World, life::Life, smpp::health, smpp::number, smpp::send, smpp::world, smsc::Reply, smsc::Smsc,
    time::SECOND_MS,
};

/// What a code may wait here, ms: less than the second that is promised, because without turns by class it waits for 590 ms
/// where it waits least.
const MOST_MS: i64 = 300;
const CAMPAIGN: usize = 100_000;
/// Numbers that no campaign goes to.
const CODES: usize = 5_000_000;

/// Lets an account send a campaign to so many recipients.
fn campaign(world: &World, account: &Account, first: usize, count: usize) {
    let all: Vec<usize> = (first..first + count).collect();
    for part in all.chunks(1_000) {
        let message = |index: &usize| json!({"recipient": number(*index), "message": "Everything must go"});
        let messages: Vec<Value> = part.iter().map(message).collect();
        let body = json!({"messages": messages, "sourceNumber": "20002"});
        world.posted(&account.key, "/sms/bulk", body);
    }
}

/// Sends a code, and tells how long it took until the SMSC had it, ms.
fn time_of_code(world: &World, life: &Life<'_>, smsc: &Smsc, account: &Account, index: usize) -> i64 {
    let accepted_ms = world.now_ms.get();
    let code = json!({"pattern": "login", "variables": {"CODE": "1234"}, "recipient": number(index),
        "sourceNumber": "20002"});
    world.posted(&account.key, "/sms/pattern", code);
    let arrived_ms = || {
        let got = smsc.got_by(&number(index));
        got.first().map(|got| got.at_ms)
    };
    life.settle_until(60 * SECOND_MS, || arrived_ms().is_some());
    arrived_ms().unwrap() - accepted_ms
}

/// A code waits less than a second behind campaigns, whatever is short: the window, or the pace.
fn assert_codes_go_first(settings: Value, answer_ms: i64) {
    let (world, shop, smsc) = world(settings);
    world.set("MAX_RECIPIENTS", Some("1000"));
    smsc.answer(move |_, _| Reply::Status(0, answer_ms));
    let (other, idle) = (world.account("other", 100_000_000), world.account("idle", 1_000_000));
    for account in [&other, &idle] {
        let pattern = json!({"slug": "login", "title": "t", "text": "code %CODE%"});
        world.active_pattern(&account.key, pattern);
    }
    let life = Life::of(&world);
    campaign(&world, &shop, 0, CAMPAIGN);
    // Only turns by class let a code of this account go before its own campaign.
    campaign(&world, &other, CAMPAIGN, 10_000);
    life.settle(SECOND_MS);
    for (at, account) in [&idle, &other, &idle, &other].into_iter().enumerate() {
        let before = smsc.got_count();
        let wait_ms = time_of_code(&world, &life, &smsc, account, CODES + at);
        assert!(wait_ms <= MOST_MS, "code {at} waited {wait_ms} ms");
        life.settle(300);
        assert!(smsc.got_count() > before + 1, "the campaigns go on meanwhile");
    }
    assert!(
        smsc.got_count() < CAMPAIGN / 2,
        "the campaigns are over, so nothing was short"
    );
}

#[test]
fn a_login_code_waits_less_than_a_second_behind_campaigns_when_the_window_is_short() {
    assert_codes_go_first(json!({"window": 50}), 10);
}

#[test]
fn a_login_code_waits_less_than_a_second_behind_campaigns_when_the_carrier_answers_slowly() {
    assert_codes_go_first(json!({"window": 50}), 100);
}

#[test]
fn a_login_code_waits_less_than_a_second_behind_campaigns_when_the_throughput_is_limited() {
    assert_codes_go_first(json!({"window": 50, "throughputPerSecond": 100}), 10);
}

#[test]
fn a_login_code_waits_for_no_answer_behind_a_campaign_and_without_codes_the_campaign_has_the_whole_window() {
    let (world, shop, smsc) = world(json!({"window": 50}));
    world.set("MAX_RECIPIENTS", Some("1000"));
    smsc.answer(|_, _| Reply::Status(0, SECOND_MS));
    // Of one account, two calls to a carrier's object are under way at once.
    let banks: Vec<Account> = (0..6)
        .map(|at| world.account(&format!("bank{at}"), 1_000_000))
        .collect();
    for bank in &banks {
        let pattern = json!({"slug": "login", "title": "t", "text": "code %CODE%"});
        world.active_pattern(&bank.key, pattern);
    }
    let life = Life::of(&world);
    campaign(&world, &shop, 0, 10_000);
    life.settle(5 * SECOND_MS);
    let in_ten_seconds = || {
        let before = smsc.got_count();
        life.settle(10 * SECOND_MS);
        smsc.got_count() - before
    };
    let first_ms = time_of_code(&world, &life, &smsc, &banks[0], CODES);
    assert!(first_ms <= 2 * SECOND_MS, "the first code waited {first_ms} ms");
    life.settle(2 * SECOND_MS);
    for (at, bank) in banks.iter().enumerate().skip(1) {
        let wait_ms = time_of_code(&world, &life, &smsc, bank, CODES + at);
        assert!(wait_ms <= 50, "code {at} waited {wait_ms} ms");
    }
    life.settle(SECOND_MS);
    let beside_codes = in_ten_seconds();
    assert!((400..=460).contains(&beside_codes), "{beside_codes} left");
    life.settle(60 * SECOND_MS);
    let alone = in_ten_seconds();
    assert!((480..=510).contains(&alone), "{alone} left");
}

#[test]
fn who_has_no_turn_any_more_takes_no_room_in_the_queue() {
    // So slow that an account comes with the same recipients again, many times, before its turn.
    let (world, _, _) = world(json!({"throughputPerSecond": 1}));
    let shops: Vec<Account> = (0..40)
        .map(|number| world.account(&format!("shop{number}"), 1_000_000))
        .collect();
    let life = Life::of(&world);
    for shop in &shops {
        send(&world, shop, "hello", 0..100);
    }
    for _ in 0..24 {
        life.settle(5 * SECOND_MS);
        let health = health(&world);
        assert!(health["queued"].as_i64().unwrap() <= 40 * 100, "{health}");
        // A call ends after 20 s, and half a second later it has noticed.
        assert!(health["oldestQueuedSeconds"].as_i64().unwrap() <= 21, "{health}");
    }
}
