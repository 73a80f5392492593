//! Messages that end: nothing of them leaves afterwards, and what has not left is canceled with its money back.

use peyk::account::chunk::{claim_queued, expiry};
use peyk::account::record::chunk::queue;
use peyk::account::unit_of_work;
use peyk::auth::secret::MasterKey;
use peyk::base::time::to_rfc3339;
use peyk::carrier::request::{HAND_OVER_MS, Submission};
use peyk::directory::carriers;
use peyk::durable::ask;
use serde_json::{Value, json};

use crate::support::gateway::{Reply as Says, accepted, says};
use crate::support::life::Life;
use crate::support::smsc::Reply;
use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, smpp, to_end};

const MONEY: i64 = 10_000_000;
const READY: i64 = 1;
const PARKED: i64 = 5;

/// Lets each message that is accepted from now on end so many ms from now.
fn end_in(world: &World, ms: i64) {
    let expires_ms = world.now_ms.get() + ms;
    world.sends_with.replace(json!({ "expires_ms": expires_ms }));
}

fn never_end(world: &World) {
    world.sends_with.take();
}

fn hold(world: &World, shop: &Account, on_hold: bool) {
    world.change_account(shop, json!({"hold": on_hold}));
}

fn counts(world: &World, shop: &Account, uid: &str) -> Value {
    world.message(&shop.key, uid).json["data"]["counts"].clone()
}

fn status(world: &World, shop: &Account, uid: &str) -> String {
    world.message(&shop.key, uid).text("/data/status")
}

/// How many recipients the usage counts as canceled.
fn canceled(world: &World, shop: &Account) -> i64 {
    world.write_gathered(shop);
    world.number(shop, "SELECT coalesce(sum(canceled), 0) FROM usage")
}

fn cancel_expired(world: &World, shop: &Account, messages: &[i64]) -> i64 {
    let (sql, now_ms) = (world.sql(&shop.id), world.now_ms.get());
    let canceled = unit_of_work::run(&*sql, now_ms, |work| {
        expiry::cancel_expired(&*sql, work, now_ms, messages)
    });
    canceled.unwrap().unwrap()
}

fn sandbox_of(shop: &Account) -> String {
    format!("sandbox/{}", shop.id)
}

/// Claims what waits in the first queue. The call with it is the test's to make.
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

#[test]
fn what_has_ended_before_it_is_claimed_is_canceled_and_paid_back_and_others_leave() {
    let (world, shop) = World::with_busy_account(MONEY);
    hold(&world, &shop, true);
    end_in(&world, MINUTE_MS);
    let ended = world.sent(&shop.key, &["09120000001", "09120000002"]);
    end_in(&world, 10 * MINUTE_MS);
    let lasts = world.sent(&shop.key, &["09120000003"]);
    never_end(&world);
    let endless = world.sent(&shop.key, &["09120000004"]);
    world.settle(2 * MINUTE_MS);
    assert_eq!(world.balance(&shop.key), (MONEY - 4_000, 4_000));
    hold(&world, &shop, false);
    world.settle(5 * SECOND_MS);
    assert_eq!(counts(&world, &shop, &ended), json!({"CANCELED": 2}));
    assert_eq!(status(&world, &shop, &ended), "CANCELED");
    assert_eq!(counts(&world, &shop, &lasts), json!({"DELIVERED": 1}));
    assert_eq!(counts(&world, &shop, &endless), json!({"DELIVERED": 1}));
    assert_eq!(world.inbox(&shop.id).len(), 2);
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 0));
    assert_eq!(canceled(&world, &shop), 2);
    world.settle(MINUTE_MS);
    world.assert_mirrored(&shop);
    assert!(world.look("/admin/dead-letters").items().is_empty());
}

#[test]
fn many_that_have_ended_keep_nobody_behind_them_from_leaving() {
    let (world, shop) = World::with_busy_account(MONEY);
    hold(&world, &shop, true);
    end_in(&world, SECOND_MS);
    for at in 0..180 {
        world.sent(&shop.key, &[&format!("0914{at:07}")]);
    }
    never_end(&world);
    let last = world.sent(&shop.key, &["09120000004"]);
    world.settle(MINUTE_MS);
    hold(&world, &shop, false);
    let life = Life::of(&world);
    life.settle_until(SECOND_MS, || counts(&world, &shop, &last) == json!({"DELIVERED": 1}));
    assert_eq!(world.count(&shop, "recipient WHERE status = 8"), 180);
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 0));
}

#[test]
fn what_ends_while_its_carrier_is_stopped_or_out_of_service_is_canceled_soon() {
    for (change, later) in [("paused = 1", 3 * MINUTE_MS), ("active = 0", 3 * MINUTE_MS)] {
        let (world, shop) = World::with_busy_account(MONEY);
        world.db.run(&format!("UPDATE carrier SET {change}"));
        end_in(&world, 2 * MINUTE_MS);
        let ends = world.sent(&shop.key, &["09120000001"]);
        never_end(&world);
        let endless = world.sent(&shop.key, &["09120000002"]);
        world.settle(MINUTE_MS);
        assert_eq!(counts(&world, &shop, &ends), json!({"QUEUED": 1}), "{change}");
        world.settle(later - MINUTE_MS);
        assert_eq!(counts(&world, &shop, &ends), json!({"CANCELED": 1}), "{change}");
        assert_eq!(counts(&world, &shop, &endless), json!({"QUEUED": 1}), "{change}");
        assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 1_000));
        world.assert_mirrored(&shop);
    }
}

#[test]
fn what_has_ended_when_it_is_accepted_is_never_claimed() {
    let (world, shop) = World::with_busy_account(MONEY);
    // The object knows the carrier, so the next chunk would be claimed as it is accepted.
    world.sent(&shop.key, &["09120000000"]);
    world.settle(5 * SECOND_MS);
    end_in(&world, 0);
    let ended = world.sent(&shop.key, &["09120000001"]);
    assert_eq!(world.count(&shop, &format!("chunk WHERE state = {READY}")), 1);
    world.settle(5 * SECOND_MS);
    assert_eq!(counts(&world, &shop, &ended), json!({"CANCELED": 1}));
    end_in(&world, MINUTE_MS);
    let lasts = world.sent(&shop.key, &["09120000002"]);
    world.settle(5 * SECOND_MS);
    assert_eq!(counts(&world, &shop, &lasts), json!({"DELIVERED": 1}));
    world.settle(10 * MINUTE_MS);
    assert_eq!(
        counts(&world, &shop, &lasts),
        json!({"DELIVERED": 1}),
        "it left in time"
    );
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 0));
}

#[test]
fn a_carrier_is_told_the_end_and_takes_nothing_after_it_by_its_own_clock() {
    let (world, shop) = World::with_busy_account(MONEY);
    end_in(&world, 10 * SECOND_MS);
    let uid = world.sent(&shop.key, &["09120000001"]);
    let call = claimed(&world, &shop);
    let ends_ms = world.now_ms.get() + 10 * SECOND_MS;
    assert_eq!(call.handovers[0].expires_ms, Some(ends_ms));
    // The call comes to the carrier after the end.
    world.now_ms.set(ends_ms);
    to_end(ask(&world, &sandbox_of(&shop), None, None, &call)).unwrap();
    assert!(world.inbox(&shop.id).is_empty());
    // Its answer is lost. The carrier is asked, and has nothing.
    world.settle(2 * MINUTE_MS);
    assert_eq!(counts(&world, &shop, &uid), json!({"CANCELED": 1}));
    assert!(world.inbox(&shop.id).is_empty());
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn of_a_chunk_in_doubt_the_carrier_is_asked_before_it_is_canceled() {
    let (world, shop) = World::with_busy_account(MONEY);
    end_in(&world, 10 * SECOND_MS);
    let uids = [
        world.sent(&shop.key, &["09120000001", "09120000002"]),
        world.sent(&shop.key, &["09120000003"]),
    ];
    let mut call = claimed(&world, &shop);
    // The second chunk never came to the carrier, and the answer about the first is lost.
    call.handovers.truncate(1);
    to_end(ask(&world, &sandbox_of(&shop), None, None, &call)).unwrap();
    world.advance(15 * SECOND_MS);
    assert_eq!(cancel_expired(&world, &shop, &[1, 2]), 0, "both are claimed");
    world.settle(2 * MINUTE_MS);
    assert_eq!(counts(&world, &shop, &uids[0]), json!({"DELIVERED": 2}));
    assert_eq!(counts(&world, &shop, &uids[1]), json!({"CANCELED": 1}));
    assert_eq!(world.inbox(&shop.id).len(), 2);
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 0));
}

#[test]
fn who_asks_at_the_end_cancels_what_waits_of_these_messages_and_nothing_else() {
    let (world, shop) = World::with_busy_account(MONEY);
    hold(&world, &shop, true);
    end_in(&world, MINUTE_MS);
    let ready = world.sent(&shop.key, &["09120000001", "09120000002"]);
    let at = to_rfc3339(world.now_ms.get() + 10 * MINUTE_MS);
    let body = json!({"message": "x", "recipients": ["09120000003"], "sendAt": at});
    let scheduled = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    let parked = world.sent(&shop.key, &["09120000004"]);
    let park = format!("UPDATE chunk SET state = {PARKED}, due_ms = 9e15 WHERE message = 3");
    world.sql(&shop.id).run(&park.replace("9e15", "9000000000000000"));
    let other = world.sent(&shop.key, &["09120000005"]);
    end_in(&world, 5 * MINUTE_MS);
    let lasts = world.sent(&shop.key, &["09120000006"]);
    never_end(&world);
    let endless = world.sent(&shop.key, &["09120000007"]);
    let all = [1, 2, 3, 5, 6, 7];
    assert_eq!(cancel_expired(&world, &shop, &all), 0, "none has ended yet");
    world.advance(MINUTE_MS);
    assert_eq!(cancel_expired(&world, &shop, &[]), 0);
    assert_eq!(cancel_expired(&world, &shop, &all), 4);
    assert_eq!(cancel_expired(&world, &shop, &all), 0);
    for uid in [&ready, &scheduled, &parked] {
        assert_eq!(status(&world, &shop, uid), "CANCELED");
    }
    for uid in [&other, &lasts, &endless] {
        assert_eq!(status(&world, &shop, uid), "QUEUED");
    }
    assert_eq!(world.balance(&shop.key), (MONEY - 3_000, 3_000));
    assert_eq!(canceled(&world, &shop), 4);
    assert_eq!(world.count(&shop, "source"), 0);
}

#[test]
fn a_scheduled_message_that_ends_before_its_time_never_leaves() {
    let (world, shop) = World::with_busy_account(MONEY);
    end_in(&world, MINUTE_MS);
    let at = to_rfc3339(world.now_ms.get() + 2 * MINUTE_MS);
    let body = json!({"message": "x", "recipients": ["09120000003", "09120000004"], "sendAt": at});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    world.settle(119 * SECOND_MS);
    assert_eq!(status(&world, &shop, &uid), "SCHEDULED");
    world.settle(2 * SECOND_MS);
    assert_eq!(counts(&world, &shop, &uid), json!({"CANCELED": 2}));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    assert!(world.inbox(&shop.id).is_empty());
}

#[test]
fn what_was_refused_for_now_until_its_end_is_canceled_and_not_given_up() {
    let (world, shop) = World::with_busy_account(MONEY);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", "KANNEL");
    world
        .gateway
        .answer_all(says(503, "Temporal failure, try again later."));
    end_in(&world, MINUTE_MS);
    let body = json!({"message": "x", "recipients": ["09120000001"], "sourceNumber": "20001"});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    world.settle(50 * SECOND_MS);
    assert_eq!(counts(&world, &shop, &uid), json!({"QUEUED": 1}));
    let asked = world.gateway.take().len();
    assert!(asked > 1, "{asked}");
    world.settle(20 * MINUTE_MS);
    assert_eq!(counts(&world, &shop, &uid), json!({"CANCELED": 1}));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    assert!(world.look("/admin/dead-letters").items().is_empty());
}

#[test]
fn a_gateway_is_told_how_long_it_may_try_and_gets_nothing_after_the_end() {
    for (gateway, name, answer) in [
        ("KANNEL", "validity", accepted()),
        ("JASMIN", "validity-period", says(200, "Success \"0703\"")),
    ] {
        let (world, shop) = World::with_busy_account(MONEY);
        let world = world.with_secrets();
        world.add_gateway("mci", "20001", gateway);
        world.gateway.answer_all(answer);
        let send = |numbers: Vec<String>| {
            let body = json!({"message": "x", "recipients": numbers, "sourceNumber": "20001"});
            world.posted(&shop.key, "/sms/send", body).text("/data/uid")
        };
        let life = Life::of(&world);
        for (left_ms, minutes) in [
            (SECOND_MS, "1"),
            (60_500, "1"),
            (62 * SECOND_MS, "2"),
            (5 * MINUTE_MS, "5"),
        ] {
            end_in(&world, left_ms);
            send(vec!["09120000001".to_owned()]);
            life.settle(100);
            let messages = world.gateway.take();
            assert_eq!((messages.len(), messages[0].get(name)), (1, minutes), "{left_ms}");
        }
        never_end(&world);
        send(vec!["09120000001".to_owned()]);
        life.settle(100);
        assert_eq!(world.gateway.take()[0].0.get(name), None);
        let before = world.balance(&shop.key);
        // Five at a time, each for a second: those whose turn would come after the end stay.
        world.gateway.answer_ms.set(1_000);
        end_in(&world, 3_500);
        let ends_ms = world.now_ms.get() + 3_500;
        let uid = send((0..100).map(|at| format!("0913{at:07}")).collect());
        never_end(&world);
        life.settle(20 * SECOND_MS);
        let gone = i64::try_from(world.gateway.take().len()).unwrap();
        assert!((5..=25).contains(&gone), "{gone}, and the end was {ends_ms}");
        let found = counts(&world, &shop, &uid);
        assert_eq!(found, json!({"SUBMITTED": gone, "CANCELED": 100 - gone}));
        assert_eq!(world.balance(&shop.key), (before.0 - gone * 1_000, 0));
        assert_eq!(canceled(&world, &shop), 100 - gone);
    }
}

#[test]
fn a_gateway_that_throttles_past_the_end_gets_the_message_no_more() {
    let (world, shop) = World::with_busy_account(MONEY);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", "KANNEL");
    world.gateway.answer(|message, _| match message {
        Some(0) => Says::Throttles(4),
        Some(_) => accepted(),
        None => says(400, "Missing receiver number, rejected"),
    });
    let life = Life::of(&world);
    end_in(&world, 2 * SECOND_MS);
    let body = json!({"message": "x", "recipients": ["09120000001"], "sourceNumber": "20001"});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    life.settle(MINUTE_MS);
    assert_eq!(world.gateway.take().len(), 1);
    assert_eq!(counts(&world, &shop, &uid), json!({"CANCELED": 1}));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn an_smsc_gets_nothing_after_the_end_and_what_stays_is_canceled() {
    let (world, shop, smsc) = smpp::world(json!({"throughputPerSecond": 50}));
    let before = world.balance(&shop.key);
    let life = Life::of(&world);
    smsc.answer(|_, _| Reply::Status(0, 20));
    end_in(&world, 5 * SECOND_MS);
    let ends_ms = world.now_ms.get() + 5 * SECOND_MS;
    smpp::send(&world, &shop, "hello", 0..1_000);
    never_end(&world);
    smpp::send(&world, &shop, "hello", 2_000..2_010);
    life.settle(2 * MINUTE_MS);
    let got = smsc.got();
    let of_ending = got.iter().filter(|got| !got.validity.is_empty());
    assert!(
        of_ending.clone().all(|got| got.at_ms < ends_ms),
        "nothing leaves after the end"
    );
    let gone = i64::try_from(of_ending.count()).unwrap();
    assert!((50..300).contains(&gone), "{gone}");
    assert_eq!(got.len(), usize::try_from(gone).unwrap() + 10);
    let statuses = smpp::statuses(&world, &shop);
    assert_eq!(statuses, [(smpp::SUBMITTED, gone + 10), (8, 1_000 - gone)].into());
    assert_eq!(world.balance(&shop.key), (before.0 - (gone + 10) * 1_000, 0));
    assert_eq!(canceled(&world, &shop), 1_000 - gone);
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::DELIVERED, gone + 10));
    smpp::assert_once_and_ended(&world, &shop, &smsc);
}

#[test]
fn an_smsc_is_told_the_shorter_of_its_own_validity_and_of_what_is_left() {
    for (settings, left_ms, expected) in [
        (json!({}), None, ""),
        (json!({}), Some(90_500), "000000000130000R"),
        (json!({}), Some(900), "000000000001000R"),
        (json!({"validitySeconds": 60}), None, "000000000100000R"),
        (json!({"validitySeconds": 60}), Some(90_500), "000000000100000R"),
        (json!({"validitySeconds": 60}), Some(30_500), "000000000030000R"),
    ] {
        let (world, shop, smsc) = smpp::world(settings.clone());
        let life = Life::of(&world);
        // The session stands.
        smpp::submit(&world, &life, &shop, "hello", 0..1);
        life.settle(5 * SECOND_MS);
        if let Some(left_ms) = left_ms {
            end_in(&world, left_ms);
        }
        smpp::send(&world, &shop, &"a".repeat(200), 1..2);
        life.settle(SECOND_MS / 4);
        let got = smsc.got();
        assert_eq!(got.len(), 3, "{settings} {left_ms:?}");
        for part in &got[1..] {
            assert_eq!(part.validity, expected, "{settings} {left_ms:?}");
        }
    }
}

#[test]
fn an_ending_message_waits_for_a_session_no_longer_than_it_lasts() {
    let (world, shop, smsc) = smpp::world(json!({}));
    let life = Life::of(&world);
    smsc.bind_status.set(0x0D);
    end_in(&world, 30 * SECOND_MS);
    smpp::send(&world, &shop, "hello", 0..5);
    life.settle(2 * MINUTE_MS);
    assert_eq!(smpp::statuses(&world, &shop), [(8, 5)].into());
    smsc.bind_status.set(0);
    life.settle(10 * MINUTE_MS);
    assert_eq!(smsc.got_count(), 0);
    assert_eq!(world.stored(&shop).wallet.locked, 0);
}
