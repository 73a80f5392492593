//! Messages that their senders stop: what has not left is canceled and paid back, or waits until they let it go on.

use peyk::account::chunk::stalled::{LOOK_MS, STALLED_MS};
use peyk::base::time::to_rfc3339;
use serde_json::{Value, json};

use crate::support::life::Life;
use crate::support::smpp::{self, number};
use crate::support::smsc::Reply;
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, World, assert_has};

const MONEY: i64 = 10_000_000;
const CANCELED: i64 = 8;

fn cancel(world: &World, shop: &Account, uid: &str) -> Value {
    let answer = world.delete(&shop.key, &format!("/messages/{uid}")).expect(200);
    answer.json["data"].clone()
}

fn halt(world: &World, key: &str, uid: &str, how: &str) -> Answer {
    world.bare_post(key, &format!("/messages/{uid}/{how}"))
}

fn pause(world: &World, shop: &Account, uid: &str) -> Value {
    halt(world, &shop.key, uid, "pause").expect(200).json["data"].clone()
}

fn resume(world: &World, shop: &Account, uid: &str) -> Value {
    halt(world, &shop.key, uid, "resume").expect(200).json["data"].clone()
}

fn message(world: &World, shop: &Account, uid: &str) -> Value {
    world.message(&shop.key, uid).json["data"].clone()
}

fn set_carrier(world: &World, paused: bool) {
    world
        .admin("PATCH", "/admin/carriers/sandbox", json!({"paused": paused}))
        .expect(200);
}

/// A campaign to so many recipients of the SMSC.
fn campaign(world: &World, shop: &Account, recipients: std::ops::Range<usize>) -> String {
    let item = |index: usize| json!({"recipient": number(index), "message": "hello"});
    let body = json!({"messages": recipients.map(item).collect::<Vec<_>>(), "sourceNumber": "20002"});
    world.posted(&shop.key, "/sms/bulk", body).text("/data/uid")
}

#[test]
fn what_waits_of_a_message_is_canceled_once_with_its_money_back_and_others_go_on() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_carrier(&world, true);
    let stopped = world.sent(&shop.key, &["09120000001", "09120000002", "09120000003"]);
    let other = world.sent(&shop.key, &["09120000001"]);
    assert_eq!(world.balance(&shop.key), (MONEY - 4_000, 4_000));
    let told = cancel(&world, &shop, &stopped);
    assert_has(
        &told,
        json!({"status": "CANCELED", "canceled": 3, "withCarriers": 0, "left": 0, "released": 3_000, "counts": {"CANCELED": 3}}),
    );
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 1_000));
    for how in ["pause", "resume"] {
        halt(&world, &shop.key, &stopped, how).problem(409, 409);
    }
    world
        .delete(&shop.key, &format!("/messages/{stopped}"))
        .problem(409, 409);
    set_carrier(&world, false);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
    assert_eq!(message(&world, &shop, &other)["status"], "DONE");
    world.delete(&shop.key, &format!("/messages/{other}")).problem(409, 409);
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 0));
}

#[test]
fn in_the_middle_of_a_campaign_what_the_carrier_has_comes_back_and_is_paid_back() {
    let (world, shop, smsc) = smpp::world(json!({"throughputPerSecond": 50}));
    let before = world.balance(&shop.key);
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0, 20));
    let stopped = campaign(&world, &shop, 0..900);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 100);
    let other = campaign(&world, &shop, 2_000..2_010);
    let told = cancel(&world, &shop, &stopped);
    let of = |name: &str| told[name].as_i64().unwrap();
    assert!(of("withCarriers") > 0, "{told}");
    let waits = told["counts"]["QUEUED"].as_i64().unwrap_or(0);
    assert_eq!(
        of("left") + waits + told["counts"]["CANCELED"].as_i64().unwrap_or(0),
        900
    );
    life.settle_until(MINUTE_MS, || !smpp::statuses(&world, &shop).contains_key(&1));
    let gone = i64::try_from(smsc.got_count()).unwrap() - 10;
    assert!((100..250).contains(&gone), "{gone}");
    let counts = message(&world, &shop, &stopped)["counts"].clone();
    assert_eq!(counts, json!({"SUBMITTED": gone, "CANCELED": 900 - gone}));
    assert_eq!(message(&world, &shop, &other)["counts"], json!({"SUBMITTED": 10}));
    assert_eq!(world.balance(&shop.key), (before.0 - (gone + 10) * 1_000, 0));
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, gone + 10));
    smpp::assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn nothing_of_a_paused_campaign_leaves_and_all_of_it_leaves_afterwards_once() {
    let (world, shop, smsc) = smpp::world(json!({"throughputPerSecond": 50}));
    let before = world.balance(&shop.key);
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0, 20));
    let paused = campaign(&world, &shop, 0..900);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 100);
    assert_eq!(pause(&world, &shop, &paused)["paused"], true);
    life.settle(5 * SECOND_MS);
    let gone = smsc.got_count();
    assert!((100..250).contains(&gone), "{gone}");
    let other = campaign(&world, &shop, 2_000..2_010);
    life.settle(HOUR_MS);
    assert_eq!(smsc.got_count(), gone + 10, "others go on");
    assert_eq!(message(&world, &shop, &other)["counts"], json!({"SUBMITTED": 10}));
    let told = message(&world, &shop, &paused);
    assert_has(
        &told,
        json!({"status": "SENDING", "paused": true, "counts": {"QUEUED": 900 - gone, "SUBMITTED": gone}}),
    );
    let held = i64::try_from(900 - gone).unwrap() * 1_000;
    assert_eq!(
        world.balance(&shop.key),
        (before.0 - 910_000, held),
        "its money stays reserved"
    );
    assert!(
        world.look("/admin/dead-letters").items().is_empty(),
        "a pause is no fault"
    );
    assert_eq!(world.look(&shop.path("/unsent")).json["data"]["lines"], json!([]));
    assert_eq!(pause(&world, &shop, &paused)["paused"], true, "twice is once");
    assert_eq!(resume(&world, &shop, &paused).get("paused"), None);
    assert_eq!(resume(&world, &shop, &paused).get("paused"), None);
    life.settle_until(5 * MINUTE_MS, || smpp::has(&world, &shop, smpp::SUBMITTED, 910));
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, 910));
    smpp::assert_once_and_ended(&world, &shop, &smsc);
    halt(&world, &shop.key, &paused, "pause").problem(409, 409);
}

#[test]
fn a_message_that_is_paused_before_its_time_waits_beyond_it_also_after_a_crash() {
    let (world, shop) = World::with_busy_account(MONEY);
    let at = to_rfc3339(world.now_ms.get() + MINUTE_MS);
    let body = json!({"message": "x", "recipients": ["09120000001", "09120000002"], "sendAt": at});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    assert_has(
        &pause(&world, &shop, &uid),
        json!({"status": "SCHEDULED", "paused": true}),
    );
    world.settle(10 * MINUTE_MS);
    world.kill();
    world.settle(HOUR_MS);
    assert!(world.inbox(&shop.id).is_empty());
    assert_has(
        &message(&world, &shop, &uid),
        json!({"status": "QUEUED", "paused": true, "reserved": 2_000}),
    );
    resume(&world, &shop, &uid);
    world.settle(MINUTE_MS);
    assert_eq!(message(&world, &shop, &uid)["counts"], json!({"DELIVERED": 2}));
    assert!(world.inbox(&shop.id).values().all(|counts| *counts == (1, 0)));
}

#[test]
fn a_pause_ends_when_the_message_has_waited_for_as_long_as_it_may_and_pays_back() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_carrier(&world, true);
    let plain = world.sent(&shop.key, &["09120000001"]);
    let item = json!({"messages": [{"recipient": "09120000002", "message": "x"}]});
    let bulk = world.posted(&shop.key, "/sms/bulk", item).text("/data/uid");
    assert_eq!(pause(&world, &shop, &plain)["pausedUntil"], "2026-01-01T16:00:00.000Z");
    assert_eq!(pause(&world, &shop, &bulk)["pausedUntil"], "2026-01-02T12:00:00.000Z");
    set_carrier(&world, false);
    world.settle(4 * HOUR_MS - SECOND_MS);
    assert_eq!(message(&world, &shop, &plain)["status"], "QUEUED");
    world.settle(MINUTE_MS);
    assert_has(
        &message(&world, &shop, &plain),
        json!({"status": "CANCELED", "released": 1_000}),
    );
    assert_eq!(message(&world, &shop, &plain).get("paused"), None);
    assert_eq!(message(&world, &shop, &bulk)["status"], "QUEUED");
    world.settle(DAY_MS);
    assert_eq!(message(&world, &shop, &bulk)["status"], "CANCELED");
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    assert!(world.inbox(&shop.id).is_empty());
    assert!(
        world.look("/admin/dead-letters").items().is_empty(),
        "nobody has to look at it"
    );
}

#[test]
fn of_a_chunk_in_doubt_the_carrier_is_asked_and_sends_no_more_of_what_is_stopped() {
    for how in ["pause", "cancel"] {
        let (world, shop) = World::with_busy_account(MONEY);
        world.sent(&shop.key, &["09120000000"]);
        world.settle(5 * SECOND_MS);
        let lost = world.sent(&shop.key, &["09120000001", "09120000002"]);
        world.calls_hang.set(true);
        world.work();
        world.kill();
        world.calls_hang.set(false);
        let told = match how {
            "pause" => pause(&world, &shop, &lost),
            _ => cancel(&world, &shop, &lost),
        };
        assert_eq!(told["counts"], json!({"QUEUED": 2}));
        world.settle(2 * MINUTE_MS);
        assert_eq!(
            world.inbox(&shop.id).len(),
            1,
            "{how}: the carrier is asked, and sends nothing"
        );
        if how == "pause" {
            assert_has(
                &message(&world, &shop, &lost),
                json!({"paused": true, "counts": {"QUEUED": 2}}),
            );
            resume(&world, &shop, &lost);
            world.settle(MINUTE_MS);
            assert_eq!(message(&world, &shop, &lost)["counts"], json!({"DELIVERED": 2}));
        } else {
            assert_eq!(message(&world, &shop, &lost)["counts"], json!({"CANCELED": 2}));
            assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 0));
        }
    }
}

#[test]
fn a_cancel_that_can_not_tell_the_carriers_fails_and_works_when_it_comes_again() {
    let (world, shop, smsc) = smpp::world(json!({"throughputPerSecond": 50}));
    let life = Life::of(&world);
    let stopped = campaign(&world, &shop, 0..900);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 100);
    world.failing_request.set(Some("HoldBack"));
    world.delete(&shop.key, &format!("/messages/{stopped}")).refused(503);
    world.failing_request.set(None);
    let before = smsc.got_count();
    life.settle_until(MINUTE_MS, || smsc.got_count() > before);
    assert!(cancel(&world, &shop, &stopped)["withCarriers"].as_i64().unwrap() > 0);
    life.settle_until(MINUTE_MS, || !smpp::statuses(&world, &shop).contains_key(&1));
    let gone = i64::try_from(smsc.got_count()).unwrap();
    assert!(gone < 900, "{gone}");
    assert_eq!(
        smpp::statuses(&world, &shop),
        [(smpp::SUBMITTED, gone), (CANCELED, 900 - gone)].into()
    );
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, gone));
    smpp::assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn an_operators_retry_of_what_carriers_refused_waits_for_the_sender_who_has_paused_it() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_carrier(&world, true);
    let uid = world.sent(&shop.key, &["09120000001"]);
    world.settle(STALLED_MS + LOOK_MS);
    let letters = world.look("/admin/dead-letters").items().clone();
    assert_eq!(letters.len(), 1);
    // As if its carriers had refused it each time.
    let sql = world.sql(&shop.id);
    sql.run("UPDATE chunk SET state = 5, due_ms = ready_ms + 14400000, failures = 12");
    pause(&world, &shop, &uid);
    let path = format!("/admin/dead-letters/{}/retry", letters[0]["id"]);
    world.bare_post(&world.admin_key, &path).expect(200);
    set_carrier(&world, false);
    world.settle(HOUR_MS);
    assert!(world.inbox(&shop.id).is_empty());
    assert!(world.look("/admin/dead-letters").items().is_empty());
    resume(&world, &shop, &uid);
    world.settle(MINUTE_MS);
    assert_eq!(message(&world, &shop, &uid)["counts"], json!({"DELIVERED": 1}));
}

#[test]
fn a_hold_and_a_pause_each_keep_what_waits_until_both_have_ended() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_carrier(&world, true);
    let uid = world.sent(&shop.key, &["09120000001"]);
    pause(&world, &shop, &uid);
    world.change_account(&shop, json!({"hold": true}));
    set_carrier(&world, false);
    resume(&world, &shop, &uid);
    world.settle(MINUTE_MS);
    assert!(world.inbox(&shop.id).is_empty());
    pause(&world, &shop, &uid);
    world.change_account(&shop, json!({"hold": false}));
    world.settle(MINUTE_MS);
    assert!(world.inbox(&shop.id).is_empty());
    resume(&world, &shop, &uid);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
}

#[test]
fn an_operator_cancels_what_is_paused_too() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_carrier(&world, true);
    let uid = world.sent(&shop.key, &["09120000001"]);
    pause(&world, &shop, &uid);
    let answer = world.bare_post(&world.admin_key, &shop.path("/cancel")).expect(200);
    assert_has(&answer.json["data"], json!({"canceled": 1, "complete": true}));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    assert_eq!(message(&world, &shop, &uid)["status"], "CANCELED");
}

#[test]
fn a_test_key_tries_all_of_it_and_neither_mode_stops_the_messages_of_the_other() {
    let (world, shop) = World::with_busy_account(MONEY);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let at = to_rfc3339(world.now_ms.get() + MINUTE_MS);
    let send = |key: &str| {
        let body = json!({"message": "x", "recipients": ["09120000901", "09120000902"], "sendAt": at});
        world.posted(key, "/sms/send", body).text("/data/uid")
    };
    let (paused, stopped, live) = (send(&test), send(&test), send(&shop.key));
    for (key, uid) in [(&shop.key, &paused), (&test, &live)] {
        for how in ["pause", "resume"] {
            halt(&world, key, uid, how).problem(404, 404);
        }
        world.delete(key, &format!("/messages/{uid}")).problem(404, 404);
    }
    halt(&world, &test, &paused, "pause").expect(200);
    world.delete(&test, &format!("/messages/{stopped}")).expect(200);
    world.settle(HOUR_MS);
    let counts = |uid: &str| world.message(&test, uid).json["data"]["counts"].clone();
    assert_eq!(
        (counts(&paused), counts(&stopped)),
        (json!({"QUEUED": 2}), json!({"CANCELED": 2}))
    );
    halt(&world, &test, &paused, "resume").expect(200);
    assert_eq!(counts(&paused)["QUEUED"], Value::Null);
    assert_eq!(world.message(&test, &paused).json["data"]["status"], "DONE");
    assert_eq!(message(&world, &shop, &live)["status"], "DONE");
}

#[test]
fn a_message_with_a_code_is_stopped_by_its_verification_alone() {
    let (world, shop) = World::with_busy_account(MONEY);
    let world = world.with_secrets();
    set_carrier(&world, true);
    let begun = world.posted(&shop.key, "/verify", json!({"recipient": "09120000001"}));
    let uid = world.get(&shop.key, "/messages").expect(200).text("/data/0/uid");
    for how in ["pause", "resume"] {
        halt(&world, &shop.key, &uid, how).problem(409, 409);
    }
    let refused = world.delete(&shop.key, &format!("/messages/{uid}"));
    assert!(refused.problem(409, 409).text("/detail").contains("/verify/"));
    world
        .delete(&shop.key, &format!("/verify/{}", begun.text("/data/id")))
        .expect(200);
    assert_eq!(message(&world, &shop, &uid)["status"], "CANCELED");
}
