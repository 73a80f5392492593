//! How fast a session sends to an SMSC that throttles: as fast as the SMSC lets it, in virtual time.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::json;

use crate::support::figures::{Log, figures};
use crate::support::smpp::{health, number, world};
use crate::support::smsc::{Reply, Smsc, TokenBucket};
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, Dice, World, life::Life, rows};

const THROTTLED: u32 = 0x58;
/// What a token bucket takes at once.
const BURST: i64 = 20;
const RECIPIENTS_A_CALL: usize = 1_000;

/// Sends a text to so many recipients.
fn campaign(world: &World, shop: &Account, count: usize) {
    world.set("MAX_RECIPIENTS", Some("1000"));
    let all: Vec<String> = (0..count).map(number).collect();
    for recipients in all.chunks(RECIPIENTS_A_CALL) {
        let body = json!({"message": "hello", "recipients": recipients, "sourceNumber": "20002"});
        world.posted(&shop.key, "/sms/send", body);
    }
}

/// An SMSC that lets a rule say whether it takes a message, and answers after this time.
fn answer(smsc: &Smsc, answer_ms: i64, mut takes: impl FnMut(usize, i64) -> bool + 'static) -> Log {
    let log = Log::default();
    let kept = Rc::clone(&log);
    smsc.answer(move |at, got| {
        let is_taken = takes(at, got.at_ms);
        kept.borrow_mut().push((got.at_ms, is_taken));
        Reply::Status(if is_taken { 0 } else { THROTTLED }, answer_ms)
    });
    log
}

/// What a session can send at most.
fn limit(per_second: i64, window: i64, answer_ms: i64) -> i64 {
    match answer_ms {
        0 => per_second,
        _ => per_second.min(window * 1_000 / answer_ms),
    }
}

/// A token bucket gets nearly as much as it takes, within ten seconds, and is sent little more.
fn assert_a_bucket_is_used(per_second: i64, window: i64, answer_ms: i64) {
    let (world, shop, smsc) = world(json!({"window": window}));
    let rate = Rc::new(Cell::new(per_second));
    let mut bucket = TokenBucket::of(&rate, BURST);
    let log = answer(&smsc, answer_ms, move |_, at_ms| bucket.takes(at_ms));
    let limit = limit(per_second, window, answer_ms);
    // Five seconds are enough for what is fast, and ten thousand messages for everybody.
    let to_ms = if limit > 1_000 { 13_000 } else { 18_000 };
    campaign(&world, &shop, usize::try_from(limit * to_ms / 900 + 100).unwrap());
    let life = Life::of(&world);
    life.settle(to_ms + SECOND_MS);
    let (early, late) = (figures(&log, 3_000, 8_000), figures(&log, 8_000, to_ms));
    let all = log.borrow().len();
    let rate = &health(&world)["learnedPerSecond"];
    eprintln!(
        "{per_second}/s, window {window}, answers after {answer_ms} ms: 3 to 8 s {early:?}, later {late:?} of {limit}0, learnt \
         {rate}, {all} in all"
    );
    assert!(late.0 * 10 >= limit * 85, "{late:?} of {limit}0");
    assert!(late.1 <= 50, "{late:?} of a thousand are throttled");
}

/// In the long run too: the rate is found again and again.
fn assert_a_bucket_is_used_for_long(per_second: i64) {
    let (world, shop, smsc) = world(json!({}));
    let rate = Rc::new(Cell::new(per_second));
    let mut bucket = TokenBucket::of(&rate, BURST);
    let log = answer(&smsc, 10, move |_, at_ms| bucket.takes(at_ms));
    campaign(&world, &shop, usize::try_from(per_second * 200).unwrap());
    let life = Life::of(&world);
    life.settle(3 * MINUTE_MS);
    let long = figures(&log, 10_000, 170_000);
    eprintln!("{per_second}/s: 10 to 170 s {long:?} of {per_second}0");
    assert!(long.0 * 10 >= per_second * 85, "{long:?}");
    assert!(long.1 <= 50, "{long:?}");
}

#[test]
fn a_slow_token_bucket_is_used_for_minutes() {
    for per_second in [5, 20, 50] {
        assert_a_bucket_is_used_for_long(per_second);
    }
}

#[test]
fn a_token_bucket_of_5_a_second_is_used() {
    for (window, answer_ms) in [(1, 10), (10, 10), (50, 10), (50, 100)] {
        assert_a_bucket_is_used(5, window, answer_ms);
    }
}

#[test]
fn a_token_bucket_of_50_a_second_is_used() {
    for (window, answer_ms) in [(1, 10), (10, 10), (50, 10), (50, 100)] {
        assert_a_bucket_is_used(50, window, answer_ms);
    }
}

#[test]
fn a_token_bucket_of_300_a_second_is_used() {
    for (window, answer_ms) in [(1, 1), (10, 10), (50, 10), (50, 100)] {
        assert_a_bucket_is_used(300, window, answer_ms);
    }
}

#[test]
fn a_token_bucket_of_2000_a_second_is_used() {
    for (window, answer_ms) in [(1, 0), (10, 1), (50, 10)] {
        assert_a_bucket_is_used(2_000, window, answer_ms);
    }
}

#[test]
fn when_the_smsc_takes_more_the_session_sends_more_within_a_minute() {
    for (before, after, within_ms, recipients) in [
        (5, 15, 55_000, 1_200),
        (50, 150, 30_000, 6_000),
        (300, 900, 20_000, 26_000),
    ] {
        let (world, shop, smsc) = world(json!({}));
        let rate = Rc::new(Cell::new(before));
        let mut bucket = TokenBucket::of(&rate, BURST);
        let log = answer(&smsc, 10, move |_, at_ms| bucket.takes(at_ms));
        campaign(&world, &shop, recipients);
        let life = Life::of(&world);
        life.settle(10 * SECOND_MS);
        rate.set(after);
        life.settle(within_ms + 5 * SECOND_MS);
        let later = figures(&log, 10_000 + within_ms, 15_000 + within_ms);
        eprintln!("{before}/s, then {after}/s: {within_ms} ms later {later:?} of {after}0");
        assert!(later.0 * 10 >= after * 85, "{later:?}");
        assert!(later.1 <= 50, "{later:?}");
    }
}

/// How long so many messages take, ms.
fn time_of(count: usize, takes: impl FnMut(usize, i64) -> bool + 'static) -> i64 {
    let (world, shop, smsc) = world(json!({}));
    let log = answer(&smsc, 20, takes);
    campaign(&world, &shop, count);
    let life = Life::of(&world);
    let taken = || log.borrow().iter().filter(|(_, is_taken)| *is_taken).count();
    life.settle_until(5 * MINUTE_MS, || taken() == count);
    assert_eq!(health(&world)["learnedPerSecond"], json!(null));
    log.borrow().last().unwrap().0 - log.borrow()[0].0
}

#[test]
fn an_smsc_that_throttles_one_message_in_97_is_sent_to_at_nearly_full_speed() {
    let count = 6_000;
    let full_ms = time_of(count, |_, _| true);
    let regular_ms = time_of(count, |at, _| at % 97 != 96);
    let dice = Dice::new(1);
    let random_ms = time_of(count, move |_, _| dice.below(97) != 0);
    eprintln!("{count} messages: {full_ms} ms, one of 97 throttled {regular_ms} ms, by chance {random_ms} ms");
    for took_ms in [regular_ms, random_ms] {
        assert!(took_ms * 85 <= full_ms * 100, "{took_ms} ms in place of {full_ms}");
    }
}

/// What comes in the last ten seconds of a minute from a session that may send 500 a second: its window is 10, and answers come after
/// 20 ms.
fn taken_at_the_end(takes: impl FnMut(usize, i64) -> bool + 'static) -> (i64, i64) {
    let (world, shop, smsc) = world(json!({"window": 10}));
    let log = answer(&smsc, 20, takes);
    campaign(&world, &shop, 30_000);
    Life::of(&world).settle(MINUTE_MS);
    figures(&log, MINUTE_MS - 10 * SECOND_MS, MINUTE_MS)
}

#[test]
fn an_smsc_that_throttles_a_few_together_now_and_then_is_not_sent_to_ever_more_slowly() {
    for few in [6, 12] {
        let (mut next_ms, mut left) = (None, 0);
        let (taken, throttled) = taken_at_the_end(move |_, at_ms| {
            let due_ms = *next_ms.get_or_insert(at_ms + 5 * SECOND_MS);
            if at_ms >= due_ms {
                (next_ms, left) = (Some(due_ms + 5 * SECOND_MS), few);
            }
            left -= 1;
            left < 0
        });
        eprintln!("{few} each five seconds: {taken} of 5000 after a minute, {throttled} of a thousand throttled");
        assert!(taken >= 4_250, "{taken}");
    }
}

#[test]
fn an_smsc_that_throttles_a_share_by_chance_is_sent_to_at_nearly_full_speed() {
    for percent in [5, 12, 20] {
        let dice = Dice::new(1);
        let (taken, throttled) = taken_at_the_end(move |_, _| dice.below(100) >= percent);
        eprintln!("{percent} of 100 by chance: {taken} of 5000 after a minute, {throttled} of a thousand throttled");
        let most = 50 * (100 - i64::try_from(percent).unwrap());
        assert!(taken * 100 >= most * 80, "{taken} of {most}");
    }
}

#[test]
fn a_limit_is_found_beneath_what_is_throttled_by_chance() {
    let dice = Dice::new(1);
    let mut bucket = TokenBucket::of(&Rc::new(Cell::new(100)), BURST);
    let (taken, throttled) = taken_at_the_end(move |_, at_ms| dice.below(100) >= 12 && bucket.takes(at_ms));
    eprintln!("100/s and 12 of 100 by chance: {taken} of 1000 after a minute, {throttled} of a thousand throttled");
    assert!(taken >= 700, "{taken}");
    assert!(throttled <= 500, "{throttled}");
}

#[test]
fn a_limit_that_comes_after_chance_is_found() {
    let dice = Dice::new(1);
    let mut bucket = TokenBucket::of(&Rc::new(Cell::new(100)), BURST);
    let mut began_ms = None;
    let (taken, throttled) = taken_at_the_end(move |_, at_ms| {
        let passed_ms = at_ms - *began_ms.get_or_insert(at_ms);
        if passed_ms < 25 * SECOND_MS {
            dice.below(100) >= 12
        } else {
            bucket.takes(at_ms)
        }
    });
    eprintln!("12 of 100 by chance, then 100/s: {taken} of 1000 at the end, {throttled} of a thousand throttled");
    assert!(taken >= 850, "{taken}");
    assert!(throttled <= 50, "{throttled}");
}

#[test]
fn when_the_smsc_takes_less_the_session_sends_less_within_seconds() {
    for (before, after) in [(300, 100), (900, 300), (300, 50)] {
        let (world, shop, smsc) = world(json!({}));
        let rate = Rc::new(Cell::new(before));
        let mut bucket = TokenBucket::of(&rate, BURST);
        let log = answer(&smsc, 10, move |_, at_ms| bucket.takes(at_ms));
        campaign(&world, &shop, 20_000);
        let life = Life::of(&world);
        life.settle(10 * SECOND_MS);
        rate.set(after);
        life.settle(15 * SECOND_MS);
        let (first, later) = (figures(&log, 10_000, 12_000), figures(&log, 15_000, 25_000));
        eprintln!("{before}/s, then {after}/s: two seconds {first:?}, 5 to 15 s later {later:?} of {after}0");
        assert!(first.1 <= 400, "{first:?}");
        assert!(later.0 * 10 >= after * 85, "{later:?}");
        assert!(later.1 <= 50, "{later:?}");
    }
}

#[test]
fn a_code_goes_first_when_the_rate_is_learnt() {
    let (world, shop, smsc) = world(json!({}));
    let rate = Rc::new(Cell::new(5));
    let mut bucket = TokenBucket::of(&rate, BURST);
    answer(&smsc, 10, move |_, at_ms| bucket.takes(at_ms));
    world.active_pattern(&shop.key, json!({"slug": "login", "title": "t", "text": "code %CODE%"}));
    campaign(&world, &shop, 1_000);
    let life = Life::of(&world);
    life.settle(5 * SECOND_MS);
    for code in 5_000_000..5_000_010 {
        let began_ms = world.now_ms.get();
        let body = json!({"pattern": "login", "variables": {"CODE": "1234"}, "recipient": number(code),
            "sourceNumber": "20002"});
        world.posted(&shop.key, "/sms/pattern", body);
        life.settle_until(10 * SECOND_MS, || !smsc.got_by(&number(code)).is_empty());
        let waited_ms = world.now_ms.get() - began_ms;
        assert!(waited_ms <= 500, "a code waited {waited_ms} ms");
        life.settle(700);
    }
}

#[test]
fn what_was_learnt_outlives_session_and_object_and_costs_no_row_while_it_is_steady() {
    let (world, shop, smsc) = world(json!({}));
    let rate = Rc::new(Cell::new(50));
    let mut bucket = TokenBucket::of(&rate, BURST);
    let log = answer(&smsc, 10, move |_, at_ms| bucket.takes(at_ms));
    campaign(&world, &shop, 12_000);
    let life = Life::of(&world);
    life.settle(2 * MINUTE_MS);
    let sql = world.carrier_sql("mci", "0");
    rows::watch(&*sql);
    life.settle(MINUTE_MS);
    let written = rows::taken(&*sql);
    assert!(
        written.iter().all(|(entry, _)| !entry.starts_with("carrier")),
        "{written:?}"
    );
    life.kill();
    let learned = health(&world)["learnedPerSecond"].as_i64().unwrap();
    assert!((38..=62).contains(&learned), "{learned}");
    let before = log.borrow().len();
    life.settle_until(MINUTE_MS, || log.borrow().len() > before);
    log.borrow_mut().drain(..before);
    life.settle(10 * SECOND_MS);
    let (taken, throttled) = figures(&log, 0, 10_000);
    eprintln!("50/s, the next object: {taken} of 500, {throttled} of a thousand throttled");
    assert!(taken >= 425 && throttled <= 50, "{taken}, {throttled}");
}
