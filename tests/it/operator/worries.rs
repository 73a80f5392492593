//! What operators are told to look at, and what wakes somebody.

use peyk::objects::nightly;
use serde_json::json;

use crate::support::life::Life;
use crate::support::smpp::{self, PORT};
use crate::support::time::{DAY_MS, MINUTE_MS, SECOND_MS};
use crate::support::{World, to_end};

/// The codes of the worries, each with whether it is urgent.
pub fn worries(world: &World) -> Vec<(String, bool)> {
    let health = world.look("/admin/health").json["data"].clone();
    let worries = health["worries"].as_array().unwrap().iter();
    let found: Vec<_> = worries
        .map(|worry| (worry["code"].as_str().unwrap().to_owned(), worry["urgent"] == true))
        .collect();
    assert_eq!(health["status"] == "UP", found.is_empty(), "{health}");
    found
}

fn named(worries: &[(&str, bool)]) -> Vec<(String, bool)> {
    worries
        .iter()
        .map(|(code, is_urgent)| ((*code).to_owned(), *is_urgent))
        .collect()
}

/// What a monitor gets: the status, and what it names.
fn probed(world: &World) -> (u16, String) {
    let answer = world.get(&world.admin_key, "/admin/health?probe=strict");
    let detail = answer.json["detail"].as_str().unwrap_or_default().to_owned();
    (answer.response.status, detail)
}

#[test]
fn a_carrier_that_does_not_listen_is_a_worry_and_urgent_while_a_message_waits_for_it() {
    let (world, shop, smsc) = smpp::world(json!({}));
    world.network.unlisten(PORT);
    let life = Life::of(&world);
    smpp::send(&world, &shop, "hello", 0..3);
    life.settle(MINUTE_MS);
    assert_eq!(
        worries(&world),
        named(&[("CARRIER_DOWN", false)]),
        "it waits for a minute"
    );
    assert_eq!(probed(&world).0, 200);
    life.settle(30 * SECOND_MS);
    assert_eq!(worries(&world), named(&[("CARRIER_DOWN", true)]));
    let worry = world.look("/admin/health").json["data"]["worries"][0].clone();
    assert_eq!(
        (&worry["about"], &worry["text"]),
        (
            &json!("mci"),
            &json!("it does not take messages, and 3 recipients wait for it")
        )
    );
    let (status, detail) = probed(&world);
    assert_eq!(status, 503);
    assert!(detail.contains("CARRIER_DOWN (mci)"), "{detail}");
    smpp::listen(&world, &smsc);
    life.settle(3 * MINUTE_MS);
    assert_eq!((worries(&world), probed(&world).0), (vec![], 200));
}

#[test]
fn a_session_that_does_not_stand_beside_one_that_does_is_a_worry_that_wakes_nobody() {
    let (world, _, smsc) = smpp::world(json!({"binds": 2}));
    let life = Life::of(&world);
    smpp::bind(&world, &life, &smsc, 2);
    assert_eq!(worries(&world), []);
    world.network.unlisten(PORT);
    smsc.hang_up_first(1);
    life.settle(10 * SECOND_MS);
    assert_eq!(worries(&world), named(&[("BINDS_MISSING", false)]));
    assert_eq!(probed(&world).0, 200);
}

#[test]
fn a_carrier_that_reports_no_more_is_a_worry_after_half_an_hour() {
    let (world, shop, smsc) = smpp::world(json!({}));
    let life = Life::of(&world);
    smpp::submit(&world, &life, &shop, "hello", 0..1);
    life.settle(40 * MINUTE_MS);
    assert_eq!(worries(&world), [], "it has never reported");
    smpp::report_all(&smsc, 0, "DELIVRD");
    life.settle(SECOND_MS);
    smpp::send(&world, &shop, "hello", 1..2);
    life.settle_until(MINUTE_MS, || smpp::has(&world, &shop, smpp::SUBMITTED, 1));
    life.settle(29 * MINUTE_MS);
    assert_eq!(worries(&world), []);
    life.settle(2 * MINUTE_MS);
    assert_eq!(worries(&world), named(&[("REPORTS_STOPPED", false)]));
    smpp::report_all(&smsc, 1, "DELIVRD");
    life.settle(SECOND_MS);
    assert_eq!(worries(&world), []);
}

#[test]
fn a_line_whose_carriers_are_all_out_of_service_is_a_worry_and_urgent_while_something_waits() {
    let (world, shop) = World::with_busy_account(1_000_000);
    world.add_sandboxes(&["second"], "{}");
    let stop = |carrier: &str, change| world.change(&format!("/admin/carriers/{carrier}"), change);
    stop("sandbox", json!({"paused": true}));
    assert_eq!(worries(&world), named(&[("LINE_WITHOUT_WAY", false)]));
    let of_line = world.look("/admin/health").json["data"]["worries"][0]["about"].clone();
    assert_eq!(of_line, "10001");
    world.settle(31 * SECOND_MS);
    world.sent(&shop.key, &["09121234567"]);
    world.settle(2 * MINUTE_MS);
    assert_eq!(probed(&world).0, 503);
    let routes = json!([{"prefixes": [], "carriers": [{"name": "sandbox", "weight": 1}], "backup": [{"name": "second", "weight": 1}]}]);
    world
        .db
        .run_with("UPDATE line SET routes = ?1", &[routes.to_string().into()]);
    assert_eq!(worries(&world), []);
    stop("second", json!({"active": false}));
    assert_eq!(worries(&world).len(), 1);
    world.change("/admin/lines/10001", json!({"active": false}));
    assert_eq!(worries(&world), [], "nobody can send from it");
}

#[test]
fn books_that_do_not_agree_are_urgent_until_a_check_finds_that_they_do() {
    let (world, shop) = World::with_account(1_000);
    let keep = |findings: &str| {
        to_end(peyk::directory::reconciliation::keep(&*world.db, &shop.id, 1, findings)).unwrap();
    };
    keep(r#"{"differences":[{"check":"LEDGER","detail":"x"}],"unchecked":[]}"#);
    assert_eq!(worries(&world), named(&[("MONEY_DIFFERS", true)]));
    assert!(probed(&world).1.contains("MONEY_DIFFERS"));
    keep(r#"{"differences":[{"check":"MIRROR","detail":"x"},{"check":"USAGE","detail":"x"}],"unchecked":[]}"#);
    assert_eq!(worries(&world), named(&[("COPIES_DIFFER", false)]));
    assert_eq!(probed(&world).0, 200);
    keep(r#"{"differences":[],"unchecked":["LEDGER"]}"#);
    assert_eq!(worries(&world), []);
}

#[test]
fn what_a_night_finds_of_accounts_objects_is_a_worry_until_the_next_night() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let hook = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    world.posted(&shop.key, "/webhook", hook);
    world.settle(MINUTE_MS);
    let (account, webhooks) = (world.sql(&shop.id), world.webhook_sql(&shop.id));
    account.claimed_bytes.set(Some(7_000_000_000));
    webhooks.run("ALTER TABLE event RENAME TO hidden");
    world.sent(&shop.key, &["09121234567"]);
    let night = || to_end(nightly::run(&world, &world.app.config));
    world.settle(59 * MINUTE_MS);
    night();
    assert_eq!(worries(&world), named(&[("ACCOUNT_FULL", false)]));
    world.settle(DAY_MS);
    night();
    assert_eq!(
        worries(&world),
        named(&[("ACCOUNT_FULL", false), ("EVENTS_LATE", false)])
    );
    account.claimed_bytes.set(Some(6_999_999_999));
    webhooks.run("ALTER TABLE hidden RENAME TO event");
    world.settle(DAY_MS);
    night();
    assert_eq!(worries(&world), []);
}

#[test]
fn an_erasure_that_runs_for_a_day_is_a_worry() {
    let (world, _) = World::with_account(1_000);
    let world = world.with_secrets();
    world
        .admin("POST", "/admin/erasures", json!({"number": "09121234567"}))
        .expect(202);
    assert_eq!(worries(&world), []);
    let operators = world.sql(peyk::account::OPERATOR);
    let old_ms = world.now_ms.get() - 25 * 60 * MINUTE_MS;
    operators.run(&format!("UPDATE erasure SET created_ms = {old_ms}"));
    assert_eq!(worries(&world), named(&[("ERASURE_LATE", false)]));
}

#[test]
fn an_unknown_way_of_asking_is_refused_and_named() {
    let world = World::new();
    let answer = world
        .ask("GET", &world.admin_key, "/admin/health?probe=lenient")
        .send()
        .expect(422);
    assert_eq!(answer.text("/errors/0/pointer"), "/probe", "{}", answer.body);
}
