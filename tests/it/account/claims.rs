//! Chunks that are claimed in the transaction that accepts them: who is claimed, who waits, and that a carrier still gets each
//! recipient at most once, whatever fails between acceptance and handover.

use futures_util::future::join_all;
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Account, World, cases, to_end};

const READY: i64 = 1;
const CLAIMED: i64 = 2;
/// Chunks that go into one bundle, and its recipients, at most.
const BUNDLE: (i64, i64) = (50, 1_000);
/// How long the object remembers which carriers a line has, ms.
const REMEMBERED_MS: i64 = 30_000;

fn in_state(world: &World, account: &Account, state: i64) -> i64 {
    world.count(account, &format!("chunk WHERE state = {state} AND queued > 0"))
}

/// How many chunks are claimed, and how many wait.
fn chunks(world: &World, account: &Account) -> (i64, i64) {
    (in_state(world, account, CLAIMED), in_state(world, account, READY))
}

/// A world whose account's object knows the carrier of its line, because a message has just been sent.
fn world() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    world.calls_travel.set(true);
    world.send(&shop.key, &["09120000000"]).expect(201);
    world.settle(5_000);
    (world, shop)
}

/// Sends messages of so many recipients each, in calls that travel together.
fn send_together(world: &World, shop: &Account, sizes: &[u32]) {
    let mut next = 0;
    let requests = sizes.iter().map(|size| {
        let number = |number: u32| format!("0912{:07}", number * 10);
        let numbers: Vec<String> = (next..next + size).map(number).collect();
        next += size;
        let body = json!({"message": "hello", "recipients": numbers});
        world.ask("POST", &shop.key, "/sms/send").json(body).answer()
    });
    for answer in to_end(join_all(requests)) {
        answer.expect(201);
    }
}

fn assert_all_taken_once(world: &World, shop: &Account) {
    world.settle(120_000);
    assert_eq!(world.count(shop, "recipient WHERE status <> 4"), 0);
    assert_eq!(world.balance(&shop.key).1, 0);
    let inbox = world.inbox(&shop.id);
    let recipients = world.count(shop, "recipient");
    assert_eq!(i64::try_from(inbox.len()).unwrap(), recipients);
    assert!(inbox.values().all(|counts| *counts == (1, 0)), "{inbox:?}");
}

#[test]
fn a_message_whose_carrier_has_room_is_claimed_as_it_is_accepted() {
    let (world, shop) = world();
    send_together(&world, &shop, &[3]);
    assert_eq!(chunks(&world, &shop), (1, 0));
    assert_eq!(world.number(&shop, "SELECT max(attempt) FROM chunk WHERE state = 2"), 1);
    assert_all_taken_once(&world, &shop);
}

#[test]
fn the_first_message_in_half_a_minute_waits_in_its_queue() {
    let (world, shop) = world();
    world.settle(REMEMBERED_MS);
    send_together(&world, &shop, &[1]);
    assert_eq!(chunks(&world, &shop), (0, 1));
    assert_all_taken_once(&world, &shop);
}

#[test]
fn what_goes_into_no_bundle_waits_in_its_queue() {
    let (world, shop) = world();
    send_together(&world, &shop, &[1; 60]);
    let claimed = in_state(&world, &shop, CLAIMED);
    assert_eq!((claimed, in_state(&world, &shop, READY)), (BUNDLE.0, 10));
    // Others wait: nobody overtakes them, although the object may have another call.
    send_together(&world, &shop, &[1]);
    assert_eq!(chunks(&world, &shop), (claimed, 11));
    assert_all_taken_once(&world, &shop);
}

#[test]
fn a_bundle_has_no_more_recipients_than_others() {
    let (world, shop) = world();
    send_together(&world, &shop, &[1_000, 1_000, 1]);
    let claimed = world.number(&shop, "SELECT sum(queued) FROM chunk WHERE state = 2");
    assert_eq!(claimed, BUNDLE.1);
    assert_all_taken_once(&world, &shop);
}

#[test]
fn a_carrier_gets_no_more_calls_at_a_time_than_before() {
    let (world, shop) = world();
    world.calls_hang.set(true);
    // Two calls of the class are under way, and never end.
    for _ in 0..2 {
        send_together(&world, &shop, &[1]);
        assert_eq!(in_state(&world, &shop, READY), 0);
        world.work();
    }
    send_together(&world, &shop, &[1]);
    assert_eq!(chunks(&world, &shop), (2, 1));
    world.calls_hang.set(false);
    assert_all_taken_once(&world, &shop);
}

#[test]
fn what_an_operator_has_stopped_is_not_claimed() {
    let (world, shop) = world();
    let stop = |paused| world.change("/admin/carriers/sandbox", json!({"paused": paused}));
    stop(true);
    world.settle(REMEMBERED_MS);
    for _ in 0..2 {
        send_together(&world, &shop, &[1]);
        world.work();
    }
    assert_eq!(chunks(&world, &shop), (0, 2));
    stop(false);
    world.settle(60_000);
    assert_all_taken_once(&world, &shop);
}

#[test]
fn a_crash_after_acceptance_leaves_claims_that_come_back() {
    let (world, shop) = world();
    send_together(&world, &shop, &[1, 700, 1]);
    assert!(in_state(&world, &shop, CLAIMED) > 0);
    world.kill();
    world.settle(29_000);
    assert!(in_state(&world, &shop, CLAIMED) > 0, "their leases hold");
    assert_all_taken_once(&world, &shop);
}

#[test]
fn what_is_not_written_is_not_handed_over() {
    let (world, shop) = world();
    let sent = world.count(&shop, "message");
    // The batch is rolled back after its claims were made; then each of its calls is tried alone, the first in vain.
    world.sql(&shop.id).fail("INSERT INTO chunk", 2);
    let requests = (0..3).map(|number| {
        let body = json!({"message": "hello", "recipients": [format!("0912000010{number}")]});
        world.ask("POST", &shop.key, "/sms/send").json(body).answer()
    });
    let answers = to_end(join_all(requests));
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.response.status).collect();
    assert_eq!(statuses, [503, 201, 201]);
    assert_eq!(world.count(&shop, "message"), sent + 2);
    assert_all_taken_once(&world, &shop);
}

#[test]
fn texts_of_recipients_own_leave_as_they_are() {
    let (world, shop) = world();
    let message = |at| json!({"recipient": format!("0912000020{at}"), "message": format!("text {at}")});
    let messages: Vec<_> = (0..3).map(message).collect();
    // The class of bulk sends is one of its own: its first message finds the carrier known.
    world.posted(&shop.key, "/sms/bulk", json!({"messages": messages}));
    assert_eq!(in_state(&world, &shop, CLAIMED), 1);
    world.settle(60_000);
    let mut handed = world.handed(&shop.id);
    handed.retain(|(number, _)| number.starts_with("+989120000"));
    let texts = handed.iter().map(|(_, text)| text.as_str());
    let texts: Vec<&str> = texts.filter(|text| text.starts_with("text")).collect();
    assert_eq!(texts, ["text 0", "text 1", "text 2"]);
}

#[derive(Debug, Clone)]
enum Step {
    Send(Vec<u32>),
    Work,
    Hang(bool),
    Down(bool),
    Kill,
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![5 => Just(1u32), 1 => 400u32..1_000];
    prop_oneof![
        4 => prop::collection::vec(size, 1..70).prop_map(Step::Send),
        3 => Just(Step::Work),
        1 => any::<bool>().prop_map(Step::Hang),
        1 => any::<bool>().prop_map(Step::Down),
        1 => Just(Step::Kill),
        3 => prop::sample::select(vec![10i64, 900, 1_100, 20_000, 31_000]).prop_map(Step::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(12)))]
    /// Bundles that fill, calls that hang beyond their lease, a memory that is lost, a carrier that comes and goes.
    #[test]
    fn every_recipient_is_taken_once_however_it_was_claimed(steps in prop::collection::vec(step(), 1..12)) {
        let (world, shop) = world();
        for step in steps {
            match step {
                Step::Send(sizes) => send_together(&world, &shop, &sizes),
                Step::Work => drop(world.work()),
                Step::Hang(hangs) => world.calls_hang.set(hangs),
                Step::Down(down) => world.carriers_are_down.set(down),
                Step::Kill => world.kill(),
                Step::Wait(ms) => world.settle(ms),
            }
        }
        world.calls_hang.set(false);
        world.carriers_are_down.set(false);
        world.settle(15 * 60_000);
        assert_all_taken_once(&world, &shop);
    }
}
