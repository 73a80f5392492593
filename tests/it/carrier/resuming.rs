//! What waits because an operator has stopped it leaves soon after the operator lets it go on. In virtual time.

use peyk::carrier::waiting_list;
use serde_json::{Value, json};

use crate::support::time::{MINUTE_MS, SECOND_MS};
use crate::support::{Account, World, life::Life, smpp};

/// The longest that a message waits after the change.
const SOON_MS: i64 = 2 * SECOND_MS;

/// What an operator stops, and how it goes on.
struct Stop {
    path: &'static str,
    stop: Value,
    go_on: Value,
}

fn stops() -> [Stop; 4] {
    let of = |path, stop, go_on| Stop { path, stop, go_on };
    [
        of("/admin/carriers/mci", json!({"paused": true}), json!({"paused": false})),
        of("/admin/carriers/mci", json!({"active": false}), json!({"active": true})),
        of("/admin/lines/20001", json!({"paused": true}), json!({"paused": false})),
        of(
            "/admin/lines/20001",
            json!({"carrier": "gone"}),
            json!({"carrier": "mci"}),
        ),
    ]
}

/// A service with a gateway `mci` behind the line `20001`, a carrier `gone` that is out of service, and an account with money.
fn service() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", "JASMIN");
    world.create(
        "/admin/carriers",
        json!({"name": "gone", "kind": "sandbox", "active": false}),
    );
    world.advance(31_000);
    (world, shop)
}

fn send(world: &World, key: &str, count: usize) {
    let numbers: Vec<String> = (0..count).map(|number| format!("+98912{number:07}")).collect();
    let body = json!({"message": "x", "recipients": numbers, "sourceNumber": "20001"});
    world.posted(key, "/sms/send", body);
}

fn arrived(world: &World) -> usize {
    world.gateway.messages.borrow().len()
}

/// How long the first message takes to leave after the stop has ended.
fn took_ms(world: &World, life: &Life<'_>) -> i64 {
    let (before, since_ms) = (arrived(world), world.now_ms.get());
    life.settle_until(2 * MINUTE_MS, || arrived(world) > before);
    world.now_ms.get() - since_ms
}

#[test]
fn the_first_message_leaves_within_two_seconds_after_an_operator_ends_a_stop() {
    for Stop { path, stop, go_on } in stops() {
        for waited_ms in [0, 900, 3_000, 7_000, 27_000, 31_000, 45_000, 61_000, 100_000] {
            let (world, shop) = service();
            // The account's object has read carrier and line. What it has read of a line it uses for thirty seconds; of a stopped
            // carrier it hears when it calls.
            send(&world, &shop.key, 1);
            let life = Life::of(&world);
            life.settle(if path.contains("lines") {
                31 * SECOND_MS
            } else {
                5 * SECOND_MS
            });
            world.change(path, stop.clone());
            send(&world, &shop.key, 20);
            life.settle(waited_ms);
            let before = arrived(&world);
            world.change(path, go_on.clone());
            let took_ms = took_ms(&world, &life);
            eprintln!(
                "{path} {go_on}: after {waited_ms} ms, the first of {} left in {took_ms} ms",
                21 - before
            );
            assert!(took_ms <= SOON_MS, "{path} {go_on} after {waited_ms} ms: {took_ms} ms");
            life.settle(5 * SECOND_MS);
            assert_eq!(arrived(&world), 21);
        }
    }
}

#[test]
fn an_account_whose_object_was_dropped_meanwhile_hears_of_the_change_too() {
    for Stop { path, stop, go_on } in stops() {
        let (world, shop) = service();
        world.change(path, stop);
        send(&world, &shop.key, 20);
        let life = Life::of(&world);
        life.settle(40 * SECOND_MS);
        life.kill();
        life.settle(SECOND_MS);
        world.change(path, go_on.clone());
        let took_ms = took_ms(&world, &life);
        assert!(took_ms <= SOON_MS, "{path} {go_on}: {took_ms} ms");
    }
}

#[test]
fn a_session_over_smpp_goes_on_as_soon() {
    for (stop, go_on) in [
        (json!({"paused": true}), json!({"paused": false})),
        (json!({"active": false}), json!({"active": true})),
    ] {
        for waited_ms in [1_000, 33_000, 70_000] {
            let (world, shop, smsc) = smpp::world(json!({}));
            let life = Life::of(&world);
            smpp::submit(&world, &life, &shop, "hello", 0..1);
            world.change("/admin/carriers/mci", stop.clone());
            smpp::send(&world, &shop, "hello", 1..21);
            life.settle(waited_ms);
            assert_eq!(smsc.taken().len(), 1);
            let since_ms = world.now_ms.get();
            world.change("/admin/carriers/mci", go_on.clone());
            life.settle_until(2 * MINUTE_MS, || smsc.taken().len() > 1);
            let took_ms = world.now_ms.get() - since_ms;
            eprintln!("smpp {go_on}: after {waited_ms} ms, the first left in {took_ms} ms");
            assert!(took_ms <= SOON_MS, "{go_on} after {waited_ms} ms: {took_ms} ms");
            life.settle(5 * SECOND_MS);
            assert_eq!(smsc.taken().len(), 21);
        }
    }
}

#[test]
fn many_accounts_hear_of_one_change_in_few_calls() {
    const ACCOUNTS: usize = 250;
    let (world, _, smsc) = smpp::world(json!({"window": 1_000}));
    let accounts: Vec<Account> = (0..ACCOUNTS)
        .map(|number| {
            // The operator's rate limit.
            world.advance(SECOND_MS);
            world.account(&format!("shop{number}"), 1_000_000)
        })
        .collect();
    world.advance(MINUTE_MS);
    world.change("/admin/carriers/mci", json!({"paused": true}));
    for account in &accounts {
        smpp::send(&world, account, "hello", 0..1);
    }
    let life = Life::of(&world);
    life.settle(70 * SECOND_MS);
    assert_eq!(smsc.taken().len(), 0);
    let list = world.shared_carrier_sql("mci");
    let waiting = list.number("SELECT count(*) FROM waiting WHERE due_ms IS NULL");
    assert_eq!(waiting, i64::try_from(ACCOUNTS).unwrap());
    let (calls, since_ms) = (world.calls.get(), world.now_ms.get());
    world.change("/admin/carriers/mci", json!({"paused": false}));
    life.settle_until(MINUTE_MS, || smsc.taken().len() == ACCOUNTS);
    let (took_ms, calls) = (world.now_ms.get() - since_ms, world.calls.get() - calls);
    eprintln!("{ACCOUNTS} accounts: the last message left in {took_ms} ms, with {calls} calls");
    assert!(took_ms <= SOON_MS, "{took_ms} ms");
    // Each account is told and hands over, and the carrier's own objects are told.
    assert!(calls <= u64::try_from(2 * ACCOUNTS + 30).unwrap(), "{calls} calls");
    assert_eq!(list.count("waiting"), 0);
}

#[test]
fn an_account_that_cant_be_told_looks_by_itself_and_the_list_forgets_it() {
    let (world, shop) = service();
    world.change("/admin/carriers/mci", json!({"paused": true}));
    send(&world, &shop.key, 1);
    let life = Life::of(&world);
    life.settle(5 * SECOND_MS);
    world.failing_request.set(Some("LookAgain"));
    world.change("/admin/carriers/mci", json!({"paused": false}));
    let took_ms = took_ms(&world, &life);
    assert!(took_ms <= 31_000, "{took_ms} ms");
    life.settle(MINUTE_MS);
    assert_eq!(world.shared_carrier_sql("mci").count("waiting"), 0);
    let log = world.log.borrow().join("\n");
    assert!(log.contains("who waits was not told of a change"), "{log}");
}

#[test]
fn waiting_costs_a_row_an_hour_and_a_list_tells_only_what_an_account_may_have_missed() {
    let (world, shop) = service();
    let sql = world.shared_carrier_sql("mci");
    let enter = |now_ms| waiting_list::enter(&*sql, now_ms, &shop.id).unwrap();
    assert!(enter(0), "it was not there");
    assert!(!enter(20 * MINUTE_MS), "it is there, and nothing has changed");
    waiting_list::note(&*sql, 21 * MINUTE_MS).unwrap();
    assert_eq!(waiting_list::next_due_ms(&*sql).unwrap(), Some(21 * MINUTE_MS));
    assert!(enter(22 * MINUTE_MS), "something has changed since");
    assert_eq!(
        waiting_list::next_due_ms(&*sql).unwrap(),
        None,
        "it has heard by entering"
    );
    // An account that waits no more is forgotten with the first change after an hour.
    waiting_list::note(&*sql, 83 * MINUTE_MS).unwrap();
    assert_eq!(sql.count("waiting"), 0);
}
