//! Accounts on hold: nothing of them leaves and nothing is lost. And what an operator cancels before it has left.

use std::cell::Cell;
use std::rc::Rc;

use peyk::account::chunk::claim_queued;
use peyk::account::record::chunk::handover::Answer;
use peyk::account::record::chunk::queue;
use peyk::auth::secret::MasterKey;
use peyk::base::time::to_rfc3339;
use peyk::carrier::request::{HAND_OVER_MS, Submission};
use peyk::directory::carriers;
use peyk::durable::ask;
use serde_json::{Value, json};

use crate::support::gateway::accepted;
use crate::support::life::Life;
use crate::support::smpp::{self, number};
use crate::support::smsc::Reply;
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{self, Account, World, assert_has, to_end};

const MONEY: i64 = 10_000_000;

fn hold(world: &World, shop: &Account, on_hold: bool) -> support::Answer {
    world.change_account(shop, json!({"hold": on_hold}))
}

fn cancel(world: &World, shop: &Account) -> Value {
    let answer = world.bare_post(&world.admin_key, &shop.path("/cancel")).expect(200);
    answer.json["data"].clone()
}

fn bulk(world: &World, shop: &Account, count: usize, more: Value) -> String {
    let item = |at: usize| json!({"recipient": format!("0913{at:07}"), "message": "x"});
    let mut body = json!({"messages": (0..count).map(item).collect::<Vec<_>>()});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.posted(&shop.key, "/sms/bulk", body).text("/data/uid")
}

fn counts(world: &World, shop: &Account, uid: &str) -> Value {
    world.message(&shop.key, uid).json["data"]["counts"].clone()
}

fn status(world: &World, shop: &Account, uid: &str) -> String {
    world.message(&shop.key, uid).text("/data/status")
}

#[test]
fn nothing_leaves_during_a_hold_and_all_of_it_leaves_afterwards_once() {
    let (world, shop) = World::with_busy_account(MONEY);
    // The object knows the carrier, so the next chunk would be claimed as it is accepted.
    world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    let at = to_rfc3339(world.now_ms.get() + MINUTE_MS);
    let scheduled = bulk(&world, &shop, 3, json!({"sendAt": at}));
    let before = world.sent(&shop.key, &["09120000001", "09120000002"]);
    let held = hold(&world, &shop, true);
    assert_eq!(held.json["data"]["hold"], true);
    let during = world.sent(&shop.key, &["09120000003"]);
    world.settle(10 * MINUTE_MS);
    world.kill();
    world.settle(2 * HOUR_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
    for uid in [&scheduled, &before, &during] {
        assert_eq!(status(&world, &shop, uid), "QUEUED");
    }
    assert_eq!(world.balance(&shop.key), (MONEY - 7_000, 6_000));
    assert!(
        world.look("/admin/dead-letters").items().is_empty(),
        "a hold is no fault"
    );
    hold(&world, &shop, false);
    world.settle(MINUTE_MS);
    let inbox = world.inbox(&shop.id);
    assert_eq!(inbox.len(), 7);
    assert!(inbox.values().all(|counts| *counts == (1, 0)), "{inbox:?}");
    assert_eq!(world.balance(&shop.key), (MONEY - 7_000, 0));
    assert!(world.look("/admin/dead-letters").items().is_empty());
}

#[test]
fn what_has_become_too_old_in_a_hold_is_given_up_when_it_ends_and_paid_back() {
    let (world, shop) = World::with_busy_account(MONEY);
    hold(&world, &shop, true);
    world.active_pattern(&shop.key, json!({"slug": "code", "title": "x", "text": "1"}));
    let code = json!({"pattern": "code", "recipient": "09120000001"});
    let code = world.posted(&shop.key, "/sms/pattern", code).text("/data/uid");
    let plain = world.sent(&shop.key, &["09120000002"]);
    let campaign = bulk(&world, &shop, 2, json!({}));
    world.settle(HOUR_MS);
    assert_eq!(status(&world, &shop, &code), "QUEUED");
    hold(&world, &shop, false);
    world.settle(MINUTE_MS);
    assert_eq!(counts(&world, &shop, &code), json!({"REJECTED": 1}));
    assert_eq!(counts(&world, &shop, &plain), json!({"DELIVERED": 1}));
    assert_eq!(counts(&world, &shop, &campaign), json!({"DELIVERED": 2}));
    assert_eq!(world.balance(&shop.key), (MONEY - 3_000, 0));
    hold(&world, &shop, true);
    let uids = [
        world.sent(&shop.key, &["09120000002"]),
        bulk(&world, &shop, 2, json!({})),
    ];
    world.settle(DAY_MS + MINUTE_MS);
    hold(&world, &shop, false);
    world.settle(MINUTE_MS);
    for uid in &uids {
        assert_eq!(status(&world, &shop, uid), "DONE");
    }
    assert_eq!(world.inbox(&shop.id).len(), 3);
    assert_eq!(world.balance(&shop.key), (MONEY - 3_000, 0));
}

fn unsent(world: &World, shop: &Account) -> Value {
    let told = world.look(&shop.path("/unsent")).json["data"].clone();
    let own = world.read(&shop.key, "/account/unsent").json["data"].clone();
    assert_eq!(own, told, "the account sees what operators see");
    told
}

#[test]
fn what_has_not_left_is_told_before_it_is_held_or_canceled() {
    let (world, shop) = World::with_busy_account(MONEY);
    let none = json!({"recipients": 0, "scheduled": 0, "withCarriers": 0, "hasMore": false, "hold": false, "reason": null, "lines": []});
    assert_eq!(unsent(&world, &shop), none);
    world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    assert_eq!(unsent(&world, &shop), none, "what has left does not count");
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    bulk(&world, &shop, 3, json!({"sendAt": at}));
    hold(&world, &shop, true);
    world.sent(&shop.key, &["09120000001", "09120000002"]);
    let told = unsent(&world, &shop);
    assert_has(
        &told,
        json!({"recipients": 5, "scheduled": 3, "withCarriers": 0, "hold": true, "lines": []}),
    );
    assert_eq!(cancel(&world, &shop)["canceled"], told["recipients"]);
    hold(&world, &shop, false);
    assert_eq!(unsent(&world, &shop), none);
    world
        .admin("GET", "/admin/accounts/none/unsent", json!({}))
        .problem(404, 404);
}

#[test]
fn a_line_whose_carrier_takes_nothing_is_told_after_ten_seconds() {
    let (world, shop) = World::with_busy_account(MONEY);
    world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    world
        .admin("PATCH", "/admin/carriers/sandbox", json!({"paused": true}))
        .expect(200);
    world.settle(MINUTE_MS);
    world.sent(&shop.key, &["09120000001", "09120000002"]);
    world.settle(9 * SECOND_MS);
    assert_has(&unsent(&world, &shop), json!({"recipients": 2, "lines": []}));
    world.settle(11 * SECOND_MS);
    let late = json!([{"line": "10001", "recipients": 2, "oldestSeconds": 20}]);
    assert_has(&unsent(&world, &shop), json!({"recipients": 2, "lines": late}));
    world
        .admin("PATCH", "/admin/carriers/sandbox", json!({"paused": false}))
        .expect(200);
    world.settle(2 * MINUTE_MS);
    assert_has(&unsent(&world, &shop), json!({"recipients": 0, "lines": []}));
}

#[test]
fn a_test_key_is_told_of_test_messages_alone() {
    let (world, shop) = World::with_busy_account(MONEY);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    bulk(&world, &shop, 3, json!({"sendAt": at}));
    let body = json!({"message": "x", "recipients": ["09120000001"], "sendAt": at});
    world.posted(&test, "/sms/send", body);
    let recipients = |key: &str| world.read(key, "/account/unsent").json["data"]["recipients"].clone();
    assert_eq!((recipients(&shop.key), recipients(&test)), (json!(3), json!(1)));
    assert_eq!(world.look(&shop.path("/unsent")).json["data"]["recipients"], 4);
}

/// Claims all that waits of an account for the sandbox. The call with it is the test's to make.
fn claimed(world: &World, shop: &Account) -> Submission {
    let (sql, now_ms) = (world.sql(&shop.id), world.now_ms.get());
    let queue = queue::all(&*sql).unwrap().remove(0);
    let claimed = claim_queued::claim(
        &*sql,
        now_ms,
        &world.stored(shop),
        &queue,
        &sandbox_of(shop),
        &MasterKey::default(),
    );
    Submission {
        carrier: to_end(carriers::find(&*world.db, "sandbox")).unwrap().unwrap(),
        account: shop.id.clone(),
        priority: queue.priority,
        valid_until_ms: now_ms + HAND_OVER_MS,
        handovers: claimed.unwrap().unwrap().handovers,
    }
}

fn sandbox_of(shop: &Account) -> String {
    format!("sandbox/{}", shop.id)
}

#[test]
fn who_had_left_when_the_answer_was_lost_is_known_during_a_hold() {
    let (world, shop) = World::with_busy_account(MONEY);
    let uids = [
        world.sent(&shop.key, &["09120000001", "09120000002"]),
        world.sent(&shop.key, &["09120000003"]),
    ];
    let mut call = claimed(&world, &shop);
    // The second chunk never came to the carrier, and the answer about the first is lost.
    call.handovers.truncate(1);
    to_end(ask(&world, &sandbox_of(&shop), None, None, &call)).unwrap();
    hold(&world, &shop, true);
    assert_eq!(counts(&world, &shop, &uids[0]), json!({"QUEUED": 2}));
    world.settle(5 * MINUTE_MS);
    assert_eq!(counts(&world, &shop, &uids[0]), json!({"DELIVERED": 2}));
    assert_eq!(counts(&world, &shop, &uids[1]), json!({"QUEUED": 1}));
    assert_eq!(
        world.inbox(&shop.id).len(),
        2,
        "the carrier is asked, and sends nothing"
    );
    assert_eq!(world.count(&shop, "chunk WHERE doubt_ms IS NOT NULL AND queued > 0"), 0);
    hold(&world, &shop, false);
    world.settle(MINUTE_MS);
    let inbox = world.inbox(&shop.id);
    assert_eq!(inbox.len(), 3);
    assert!(inbox.values().all(|counts| *counts == (1, 0)), "{inbox:?}");
    assert_eq!(world.balance(&shop.key), (MONEY - 3_000, 0));
}

#[test]
fn a_gateway_gets_nothing_more_of_an_account_in_the_middle_of_its_campaign() {
    let (world, shop) = World::with_busy_account(MONEY);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", "KANNEL");
    let other = world.account("other", MONEY);
    let (asked, reached) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(false)));
    let (count, is_there) = (Rc::clone(&asked), Rc::clone(&reached));
    world.gateway.answer(move |message, _| {
        count.set(count.get() + usize::from(message.is_some()));
        is_there.set(count.get() >= 40);
        accepted()
    });
    let life = Life::of(&world);
    let send = |shop: &Account, first: usize, until: usize| {
        let numbers: Vec<String> = (first..until).map(number).collect();
        let body = json!({"message": "x", "recipients": numbers, "sourceNumber": "20001"});
        world.posted(&shop.key, "/sms/send", body).text("/data/uid")
    };
    let campaign = send(&shop, 0, 400);
    life.settle_until(MINUTE_MS, || reached.get());
    world.change_account(&shop, json!({"hold": true}));
    // What is under way then is answered.
    life.settle(SECOND_MS);
    let gone = asked.get();
    assert!((40..60).contains(&gone), "{gone}");
    assert_eq!(
        counts(&world, &shop, &campaign),
        json!({"QUEUED": 400 - gone, "SUBMITTED": gone})
    );
    let of_other = send(&other, 1_000, 1_010);
    life.settle(10 * MINUTE_MS);
    assert_eq!(asked.get(), gone + 10, "others go on");
    assert_eq!(counts(&world, &other, &of_other), json!({"SUBMITTED": 10}));
    world.change_account(&shop, json!({"hold": false}));
    life.settle(MINUTE_MS);
    assert_eq!(counts(&world, &shop, &campaign), json!({"SUBMITTED": 400}));
    assert!(world.gateway.counts().values().all(|count| *count == 1));
}

#[test]
fn an_smsc_gets_nothing_more_of_an_account_but_the_rest_of_a_long_message() {
    let (world, shop, smsc) = smpp::world(json!({"throughputPerSecond": 50}));
    let life = Life::of(&world);
    let long = "پیام بلند ".repeat(30);
    smpp::send(&world, &shop, long.trim_end(), 0..100);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 53);
    hold(&world, &shop, true);
    life.settle(2 * SECOND_MS);
    let gone = smsc.got_count();
    assert!((53..90).contains(&gone) && gone.is_multiple_of(5), "{gone} parts");
    let taken = i64::try_from(gone / 5).unwrap();
    life.settle(10 * MINUTE_MS);
    assert_eq!(smsc.got_count(), gone);
    let statuses = smpp::statuses(&world, &shop);
    assert_eq!(statuses, [(1, 100 - taken), (smpp::SUBMITTED, taken)].into());
    hold(&world, &shop, false);
    life.settle_until(5 * MINUTE_MS, || smpp::has(&world, &shop, smpp::SUBMITTED, 100));
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, 100));
    smpp::assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn what_has_not_left_an_smsc_is_canceled_and_paid_back_and_new_messages_go_on() {
    let (world, shop, smsc) = smpp::world(json!({"throughputPerSecond": 50}));
    let before = world.balance(&shop.key);
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0, 20));
    smpp::send(&world, &shop, "hello", 0..1_000);
    life.settle_until(MINUTE_MS, || smsc.got_count() >= 100);
    let left = 1_000 - i64::try_from(smsc.got_count()).unwrap();
    let canceled = cancel(&world, &shop);
    assert_eq!(canceled["complete"], true);
    // What carriers hand back before the answer is told too.
    let told = |name: &str| canceled[name].as_i64().unwrap();
    assert!(
        told("withCarriers") > 0 && told("canceled") + told("withCarriers") >= left,
        "{canceled} {left}"
    );
    life.settle(5 * SECOND_MS);
    let gone = i64::try_from(smsc.got_count()).unwrap();
    assert!((100..200).contains(&gone), "{gone}");
    let statuses = smpp::statuses(&world, &shop);
    assert_eq!(statuses, [(smpp::SUBMITTED, gone), (8, 1_000 - gone)].into());
    assert_eq!(world.balance(&shop.key), (before.0 - gone * 1_000, 0));
    smpp::send(&world, &shop, "hello", 2_000..2_010);
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::SUBMITTED, gone + 10));
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, gone + 10));
    smpp::assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn all_that_waits_is_canceled_beyond_the_bound_of_one_go() {
    let (world, shop) = World::with_busy_account(MONEY);
    let delivered = world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    hold(&world, &shop, true);
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    let mut uids = vec![bulk(&world, &shop, 600, json!({"sendAt": at}))];
    uids.extend((0..300).map(|at| world.sent(&shop.key, &[&format!("0914{at:07}")])));
    assert_eq!(world.balance(&shop.key), (MONEY - 901_000, 900_000));
    let answered = cancel(&world, &shop);
    assert_eq!(answered, json!({"canceled": 900, "withCarriers": 0, "complete": true}));
    assert_eq!(cancel(&world, &shop)["canceled"], 0);
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 0));
    for uid in [&uids[0], &uids[300]] {
        assert_eq!(status(&world, &shop, uid), "CANCELED");
    }
    assert_eq!(status(&world, &shop, &delivered), "DONE");
    hold(&world, &shop, false);
    world.settle(2 * HOUR_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
    world.sent(&shop.key, &["09120000009"]);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 2);
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 0));
}

#[test]
fn what_was_left_to_cancel_when_the_request_broke_off_never_leaves() {
    let (world, shop) = World::with_busy_account(MONEY);
    hold(&world, &shop, true);
    (0..300).for_each(|at| drop(world.sent(&shop.key, &[&format!("0914{at:07}")])));
    world.failing_request.set(Some("CancelMore"));
    world.bare_post(&world.admin_key, &shop.path("/cancel")).refused(503);
    world.failing_request.set(None);
    assert_eq!(world.balance(&shop.key).1, 300_000, "nothing is canceled yet");
    hold(&world, &shop, false);
    world.settle(MINUTE_MS);
    assert!(world.inbox(&shop.id).is_empty());
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    assert_eq!(world.count(&shop, "recipient WHERE status <> 8"), 0);
}

#[test]
fn a_cancel_that_fails_half_way_answers_what_it_has_done() {
    let (world, shop) = World::with_busy_account(MONEY);
    hold(&world, &shop, true);
    (0..300).for_each(|at| drop(world.sent(&shop.key, &[&format!("0914{at:07}")])));
    // The first go has the room that it needs, and the second one has not.
    let sql = world.sql(&shop.id);
    sql.room.set(Some(300));
    let half = cancel(&world, &shop);
    sql.room.set(None);
    assert_eq!(half, json!({"canceled": 200, "withCarriers": 0, "complete": false}));
    assert_eq!(world.balance(&shop.key), (MONEY - 100_000, 100_000));
    assert_eq!(cancel(&world, &shop)["canceled"], 100);
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn of_a_chunk_in_doubt_the_carrier_is_asked_before_the_rest_is_canceled() {
    let (world, shop) = World::with_busy_account(MONEY);
    world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    let lost = world.sent(&shop.key, &["09120000001", "09120000002"]);
    world.calls_hang.set(true);
    world.work();
    world.kill();
    world.calls_hang.set(false);
    let answered = cancel(&world, &shop);
    assert_has(&answered, json!({"canceled": 0, "withCarriers": 2}));
    assert_eq!(status(&world, &shop, &lost), "QUEUED");
    world.settle(2 * MINUTE_MS);
    assert_eq!(status(&world, &shop, &lost), "CANCELED");
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 0));
    assert_eq!(world.inbox(&shop.id).len(), 1);
}

#[test]
fn what_is_sent_at_the_moment_of_a_cancel_leaves() {
    let (world, shop) = World::with_busy_account(MONEY);
    world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    world.sent(&shop.key, &["09120000001"]);
    assert_has(&cancel(&world, &shop), json!({"canceled": 0, "withCarriers": 1}));
    // The clock stands still: the next claim is made in the same millisecond.
    world.sent(&shop.key, &["09120000002"]);
    world.settle(SECOND_MS);
    let inbox = world.inbox(&shop.id);
    assert!(inbox.values().all(|counts| *counts == (1, 0)), "{inbox:?}");
    assert_eq!(inbox.len(), 2);
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 0));
}

#[test]
fn a_carrier_that_can_not_be_told_is_said_and_the_hold_stands() {
    let (world, shop) = World::with_busy_account(MONEY);
    world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    world.sent(&shop.key, &["09120000001"]);
    world.failing_request.set(Some("HoldBack"));
    let change = json!({"hold": true});
    world.admin("PATCH", &shop.path(""), change.clone()).refused(503);
    world.failing_request.set(None);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
    world.admin("PATCH", &shop.path(""), change).expect(200);
    assert_eq!(world.look(&shop.path("")).json["data"]["hold"], true);
}

#[test]
fn a_call_that_was_made_before_the_hold_and_comes_after_it_sends_nothing() {
    let (world, shop) = World::with_busy_account(MONEY);
    world.sent(&shop.key, &["09120000000"]);
    world.settle(MINUTE_MS);
    world.sent(&shop.key, &["09120000001"]);
    let submission = claimed(&world, &shop);
    hold(&world, &shop, true);
    // The object that was told is gone from memory.
    world.kill();
    let answers = to_end(ask(&world, &sandbox_of(&shop), None, None, &submission)).unwrap();
    assert!(
        matches!(answers[..], [(chunk, Answer::Busy(_))] if chunk == submission.handovers[0].chunk),
        "{answers:?}"
    );
    assert_eq!(world.inbox(&shop.id).len(), 1);
    hold(&world, &shop, false);
    world.settle(2 * MINUTE_MS);
    assert!(world.inbox(&shop.id).values().all(|counts| *counts == (1, 0)));
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 0));
}

#[test]
fn holds_and_cancellations_stand_in_the_audit_log() {
    let (world, shop) = World::with_busy_account(MONEY);
    world.sent(&shop.key, &["09120000001"]);
    hold(&world, &shop, true);
    cancel(&world, &shop);
    world.settle(MINUTE_MS);
    let log = world.look("/admin/audit?limit=200");
    let of = |operation: &str| {
        let mut entries = log.items().iter();
        entries.find(|entry| entry["operation"] == operation).unwrap().clone()
    };
    assert_eq!(of("AdminChangeAccount")["after"]["hold"], true);
    assert_eq!(of("AdminCancelAll")["after"]["canceledThrough"], 1);
    world
        .bare_post(&world.admin_key, "/admin/accounts/none/cancel")
        .refused(404);
}

#[test]
fn the_reason_of_a_hold_is_read_by_the_shop_until_it_ends() {
    let (world, shop) = World::with_account(MONEY);
    let reason = || world.read(&shop.key, "/account/unsent").json["data"]["reason"].clone();
    assert_eq!(reason(), Value::Null);
    world.change_account(&shop, json!({"hold": true, "reason": "invoice 17 is not paid"}));
    assert_eq!(reason(), "invoice 17 is not paid");
    world.change_account(&shop, json!({"fullName": "A Shop"}));
    assert_eq!(
        world.look(&shop.path("")).json["data"]["reason"],
        "invoice 17 is not paid"
    );
    world.change_account(&shop, json!({"reason": null}));
    assert_eq!(reason(), Value::Null);
    world.change_account(&shop, json!({"reason": "look at your templates"}));
    hold(&world, &shop, false);
    assert_eq!(reason(), Value::Null);
    world.change_account(&shop, json!({"reason": "nothing is barred"}));
    assert_eq!(reason(), Value::Null, "there is nothing to explain");
    world
        .admin("PATCH", &shop.path(""), json!({"reason": "x".repeat(301)}))
        .problem(422, 422);
}

#[test]
fn a_refused_send_says_why_the_account_may_not_send() {
    let (world, shop) = World::with_account(MONEY);
    let send = || world.send(&shop.key, &["09121234567"]);
    world.change_account(
        &shop,
        json!({"sendingEnabled": false, "reason": "invoice 17 is not paid"}),
    );
    let refused = send().problem(412, 3011);
    let told = "Sending is switched off for this account: \"invoice 17 is not paid\". Ask the operator of the service to switch it on.";
    assert_eq!(refused.text("/detail"), told);
    world.change_account(&shop, json!({"status": "INACTIVE"}));
    let refused = send().problem(412, 1003);
    assert!(
        refused.text("/detail").contains("\"invoice 17 is not paid\""),
        "{}",
        refused.body
    );
    world.change_account(&shop, json!({"status": "ACTIVE", "sendingEnabled": true}));
    world.change_account(&shop, json!({"sendingEnabled": false}));
    let refused = send().problem(412, 3011);
    assert!(
        !refused.text("/detail").contains("invoice"),
        "the reason has gone with the bar"
    );
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}
