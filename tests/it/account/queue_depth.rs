//! What waits for carriers: operators are told how many recipients and since when, by carrier, by line and in all.

use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};

use crate::operator::worries::worries;
use crate::support::gateway::{accepted, says};
use crate::support::life::Life;
use crate::support::smpp::{self, PORT};
use crate::support::time::MINUTE_MS;
use crate::support::{Account, World, to_end};

/// What the three routes say: in all, for the carrier, for the line.
fn told(world: &World, carrier: &str, line: &str) -> [Value; 3] {
    let at = |path: &str| world.look(path).json["data"]["waiting"].clone();
    let told = [
        at("/admin/health"),
        at(&format!("/admin/carriers/{carrier}")),
        at(&format!("/admin/lines/{line}")),
    ];
    for (path, name, single) in [("carriers", carrier, &told[1]), ("lines", line, &told[2])] {
        let listed = world.all(&world.admin_key, &format!("/admin/{path}"));
        let is_it = |item: &&Value| item["name"] == name || item["number"] == name;
        assert_eq!(listed.iter().find(is_it).unwrap()["waiting"], *single);
    }
    told
}

/// Asserts that all three say that so many wait, the oldest for so many seconds.
#[track_caller]
fn assert_told(world: &World, (carrier, line): (&str, &str), recipients: i64, oldest: Option<i64>) {
    for told in told(world, carrier, line) {
        let found = (&told["recipients"], &told["oldestSeconds"], &told["outdated"]);
        assert_eq!(found, (&json!(recipients), &json!(oldest), &json!(false)), "{told}");
    }
}

/// Lets an operator stop a carrier, or let it go on.
fn stop(world: &World, carrier: &str, is_stopped: bool) {
    world.change(&format!("/admin/carriers/{carrier}"), json!({"paused": is_stopped}));
}

fn stopped() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    stop(&world, "sandbox", true);
    world.settle(31_000);
    (world, shop)
}

fn send_from(world: &World, shop: &Account, line: &str, count: usize) {
    let numbers: Vec<String> = (0..count).map(|number| format!("0912{number:07}")).collect();
    let body = json!({"message": "x", "recipients": numbers, "sourceNumber": line});
    world.posted(&shop.key, "/sms/send", body);
}

fn send_code(world: &World, shop: &Account) {
    let pattern =
        json!({"slug": "login", "title": "x", "text": "%OTP%", "variables": [{"name": "OTP", "type": "NUMBER"}]});
    world.active_pattern(&shop.key, pattern);
    let code = json!({"pattern": "login", "variables": {"OTP": 1}, "recipient": "09121234567"});
    world.posted(&shop.key, "/sms/pattern", code);
}

#[test]
fn recipients_that_wait_for_an_smsc_that_does_not_listen_are_told_within_a_minute_and_until_it_listens() {
    let (world, shop, smsc) = smpp::world(json!({}));
    world.network.unlisten(PORT);
    let life = Life::of(&world);
    send_from(&world, &shop, "20002", 3);
    life.settle(MINUTE_MS);
    assert_told(&world, ("mci", "20002"), 3, Some(60));
    let health = world.look("/admin/carriers/mci");
    assert_eq!(
        health.int("/data/health/queued"),
        0,
        "the carrier itself has none of them"
    );
    smpp::listen(&world, &smsc);
    life.settle(2 * MINUTE_MS);
    assert_eq!(smsc.got_count(), 3);
    assert_told(&world, ("mci", "20002"), 0, None);
}

#[test]
fn recipients_that_wait_for_a_gateway_that_refuses_are_told_within_a_minute_and_until_it_takes_them() {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let world = world.with_secrets();
    world.add_gateway("gate", "30003", "KANNEL");
    world.gateway.answer_all(says(503, "busy"));
    send_from(&world, &shop, "30003", 2);
    world.settle(MINUTE_MS);
    assert_told(&world, ("gate", "30003"), 2, Some(60));
    world.gateway.answer_all(accepted());
    world.settle(2 * MINUTE_MS);
    assert_told(&world, ("gate", "30003"), 0, None);
}

#[test]
fn login_codes_that_wait_for_more_than_a_minute_are_a_worry() {
    let (world, shop) = stopped();
    let state = || {
        let health = world.look("/admin/health").json["data"].clone();
        (
            health["status"].as_str().unwrap().to_owned(),
            worries(&world),
            health["waiting"]["codesOldestSeconds"].clone(),
        )
    };
    send_from(&world, &shop, "10001", 1);
    world.settle(2 * MINUTE_MS);
    // The only carrier of its line is stopped.
    let without_way = ("LINE_WITHOUT_WAY".to_owned(), true);
    let degraded = |codes: &[(String, bool)], seconds| ("DEGRADED".to_owned(), codes.to_vec(), seconds);
    assert_eq!(
        state(),
        degraded(std::slice::from_ref(&without_way), Value::Null),
        "no code waits"
    );
    send_code(&world, &shop);
    world.settle(MINUTE_MS);
    assert_eq!(state(), degraded(std::slice::from_ref(&without_way), json!(60)));
    world.settle(1_000);
    let late = ("CODES_LATE".to_owned(), true);
    assert_eq!(state(), degraded(&[late, without_way], json!(61)));
    assert_told(&world, ("sandbox", "10001"), 2, Some(181));
    stop(&world, "sandbox", false);
    world.settle(2 * MINUTE_MS);
    assert_eq!(state(), ("UP".to_owned(), vec![], Value::Null));
}

#[test]
fn an_object_that_begins_anew_tells_what_waits_and_takes_back_what_its_forerunner_told() {
    let (world, shop) = stopped();
    send_from(&world, &shop, "10001", 2);
    for _ in 0..6 {
        world.kill();
        world.settle(10_000);
    }
    assert_told(&world, ("sandbox", "10001"), 2, Some(60));
    stop(&world, "sandbox", false);
    for _ in 0..6 {
        world.kill();
        world.settle(10_000);
    }
    assert_told(&world, ("sandbox", "10001"), 0, None);
    assert_eq!(world.number(&shop, "SELECT waiting_told_ms FROM upkeep"), 0);
}

#[test]
fn what_waits_of_several_accounts_is_one_sum_and_that_of_other_lines_another() {
    let (world, shop) = stopped();
    let other = world.account("other", 1_000_000);
    world.add_sandboxes(&["second"], "{}");
    stop(&world, "second", true);
    world.share_line("40004", "second", &["WEBSERVICE"]);
    send_from(&world, &shop, "10001", 2);
    world.settle(20_000);
    send_from(&world, &other, "10001", 3);
    send_from(&world, &other, "40004", 4);
    world.settle(MINUTE_MS);
    let recipients = |told: [Value; 3]| told.map(|told| (told["recipients"].clone(), told["oldestSeconds"].clone()));
    assert_eq!(
        recipients(told(&world, "sandbox", "10001")),
        [(json!(9), json!(80)), (json!(5), json!(80)), (json!(5), json!(80))]
    );
    let [_, carrier, line] = recipients(told(&world, "second", "40004"));
    assert_eq!((carrier, line), ((json!(4), json!(60)), (json!(4), json!(60))));
}

#[test]
fn what_is_scheduled_or_on_hold_does_not_wait() {
    let (world, shop) = stopped();
    let later = peyk::base::time::to_rfc3339(world.now_ms.get() + 10 * MINUTE_MS);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sendAt": later});
    world.posted(&shop.key, "/sms/send", body);
    world.settle(MINUTE_MS);
    assert_told(&world, ("sandbox", "10001"), 0, None);
    send_from(&world, &shop, "10001", 1);
    world.settle(MINUTE_MS);
    assert_told(&world, ("sandbox", "10001"), 1, Some(60));
    world.change_account(&shop, json!({"hold": true}));
    world.settle(MINUTE_MS);
    assert_told(&world, ("sandbox", "10001"), 0, None);
    world.change_account(&shop, json!({"hold": false}));
    world.settle(9 * MINUTE_MS);
    let [in_all, ..] = told(&world, "sandbox", "10001");
    assert_eq!(in_all["recipients"], 2, "its time has come");
}

#[test]
fn a_send_that_leaves_at_once_tells_nothing_and_notes_nothing() {
    let (world, shop) = World::with_busy_account(1_000_000);
    for _ in 0..10 {
        send_from(&world, &shop, "10001", 5);
        world.settle(7_000);
    }
    world.settle(MINUTE_MS);
    assert_eq!(world.db.count("waiting_version"), 0);
    assert_eq!(world.number(&shop, "SELECT waiting_told_ms FROM upkeep"), 0);
}

#[test]
fn the_directory_is_told_seldom_while_the_same_waits() {
    let (world, shop) = stopped();
    send_from(&world, &shop, "10001", 1);
    world.settle(MINUTE_MS);
    let version = || world.db.number("SELECT version_ms FROM waiting_version");
    let first = version();
    world.settle(4 * MINUTE_MS);
    assert_eq!(version(), first, "nothing has changed");
    world.settle(2 * MINUTE_MS);
    assert!(version() > first, "it says that it is still there");
}

#[test]
fn a_late_write_replaces_nothing_newer() {
    let (world, shop) = World::with_account(0);
    let tell = |version_ms: i64, recipients: Option<i64>| {
        let row = |recipients| ("sandbox".to_owned(), "10001".to_owned(), recipients, 5, None);
        let rows: Vec<_> = recipients.map(row).into_iter().collect();
        to_end(peyk::directory::queue_depth::mirror(
            &*world.db, &shop.id, version_ms, &rows,
        ))
        .unwrap();
        world.look("/admin/health").int("/data/waiting/recipients")
    };
    assert_eq!(tell(1_000, Some(3)), 3);
    assert_eq!(tell(3_000, Some(4)), 4);
    assert_eq!(tell(2_000, Some(5)), 4, "late");
    assert_eq!(tell(2_000, None), 4, "late");
    assert_eq!(tell(4_000, None), 0);
    assert_eq!(tell(3_500, Some(9)), 0, "late, and nothing waits any more");
}

#[test]
fn what_a_silent_account_has_told_is_said_to_be_outdated() {
    let (world, shop) = stopped();
    send_from(&world, &shop, "10001", 1);
    world.settle(MINUTE_MS);
    world.advance(16 * MINUTE_MS);
    for told in told(&world, "sandbox", "10001") {
        assert_eq!((&told["recipients"], &told["outdated"]), (&json!(1), &json!(true)));
    }
    let health = world.look("/admin/health");
    assert_eq!(health.text("/data/status"), "DEGRADED");
    let silent = ("ACCOUNT_SILENT".to_owned(), false);
    assert!(worries(&world).contains(&silent));
}

#[test]
fn while_the_directory_does_not_answer_what_waits_is_unknown_and_told_afterwards() {
    let (world, shop) = stopped();
    send_from(&world, &shop, "10001", 1);
    world.db.is_down.set(true);
    world.settle(MINUTE_MS);
    assert_eq!(world.look("/admin/health").json["data"]["waiting"], Value::Null);
    world.db.is_down.set(false);
    world.settle(MINUTE_MS);
    assert_told(&world, ("sandbox", "10001"), 1, Some(120));
}

/// What a random world does next.
#[derive(Debug, Clone)]
enum Step {
    Send(usize, usize, usize),
    Stop(usize, bool),
    Hold(usize, bool),
    Pass(i64),
    Kill,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..2usize, 0..2usize, 1..700usize).prop_map(|(account, line, count)| Step::Send(account, line, count)),
        2 => (0..2usize, any::<bool>()).prop_map(|(carrier, is_stopped)| Step::Stop(carrier, is_stopped)),
        1 => (0..2usize, any::<bool>()).prop_map(|(account, is_on)| Step::Hold(account, is_on)),
        2 => (1..40_000i64).prop_map(Step::Pass),
        1 => Just(Step::Kill),
    ];
    prop::collection::vec(step, 1..14)
}

/// Recipients that wait in an account's object: what its tables say.
fn really_waiting(world: &World, account: &Account, line: &str) -> i64 {
    let query = format!(
        "SELECT coalesce(sum(queued), 0) FROM chunk WHERE state IN (1, 2) AND route LIKE '{line}/%' \
         AND NOT (SELECT on_hold FROM account)"
    );
    world.number(account, &query)
}

proptest! {
    #![proptest_config(Config { cases: 24, ..Config::default() })]

    #[test]
    fn at_rest_the_sums_are_what_really_waits(steps in steps()) {
        let (world, shop) = World::with_busy_account(1_000_000_000);
        world.add_sandboxes(&["second"], "{}");
        world.share_line("40004", "second", &["WEBSERVICE"]);
        let accounts = [shop, world.account("other", 1_000_000_000)];
        let (carriers, lines) = (["sandbox", "second"], ["10001", "40004"]);
        for step in steps {
            match step {
                Step::Send(account, line, count) => send_from(&world, &accounts[account], lines[line], count),
                Step::Stop(carrier, is_stopped) => stop(&world, carriers[carrier], is_stopped),
                Step::Hold(account, is_on) => drop(world.change_account(&accounts[account], json!({"hold": is_on}))),
                Step::Pass(ms) => world.settle(ms),
                Step::Kill => world.kill(),
            }
        }
        world.settle(3 * MINUTE_MS);
        let mut all = 0;
        for (carrier, line) in carriers.into_iter().zip(lines) {
            let real: i64 = accounts.iter().map(|account| really_waiting(&world, account, line)).sum();
            let [_, of_carrier, of_line] = told(&world, carrier, line);
            prop_assert_eq!((&of_carrier["recipients"], &of_line["recipients"]), (&json!(real), &json!(real)));
            all += real;
        }
        let [in_all, ..] = told(&world, "sandbox", "10001");
        prop_assert_eq!(&in_all["recipients"], &json!(all));
        prop_assert_eq!(in_all["oldestSeconds"].is_null(), all == 0);
    }
}
