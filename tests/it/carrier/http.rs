//! Carriers of kind `http`: what a gateway gets, what becomes of its answers, and that nobody gets a message twice.

use serde_json::{Value, json};

use crate::support::{Account, World, assert_has, gateway::PASSWORD, gateway::Reply, gateway::accepted, gateway::says};

/// A service with a gateway `mci` behind the line `20001`, and an account with money.
fn service(gateway: &str) -> (World, Account) {
    let (world, shop) = World::with_busy_account(10_000_000);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", gateway);
    world.advance(31_000);
    (world, shop)
}

fn send(world: &World, shop: &Account, text: &str, recipients: &[String]) -> String {
    let body = json!({"message": text, "recipients": recipients, "sourceNumber": "20001"});
    world.posted(&shop.key, "/sms/send", body).text("/data/uid")
}

fn numbers(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("+98912{number:07}")).collect()
}

fn counts(world: &World, shop: &Account, uid: &str) -> Value {
    world.message(&shop.key, uid).json["data"]["counts"].clone()
}

fn health(world: &World) -> Value {
    world.look("/admin/carriers/mci").json["data"]["health"].clone()
}

fn change(world: &World, change: Value) {
    world.change("/admin/carriers/mci", change);
}

#[test]
fn a_gateway_gets_each_message_once_with_its_text_and_its_sender() {
    for gateway in ["KANNEL", "JASMIN"] {
        let (world, shop) = service(gateway);
        if gateway == "JASMIN" {
            world.gateway.answer_all(says(200, "Success \"0703\""));
        }
        let uid = send(&world, &shop, "سلام 🙂", &numbers(30));
        world.settle(5_000);
        assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 30}));
        let messages = world.gateway.take();
        assert_eq!(messages.len(), 30);
        let to = messages.iter().map(|message| message.get("to"));
        let mut to: Vec<&str> = to.map(|number| number.trim_start_matches('+')).collect();
        to.sort_unstable();
        let expected: Vec<String> = numbers(30).iter().map(|number| number[1..].to_owned()).collect();
        assert_eq!(to, expected);
        for message in &messages {
            assert_eq!((message.get("from"), message.get("password")), ("20001", PASSWORD));
            match gateway {
                "KANNEL" => assert_eq!((message.get("text"), message.get("coding")), ("سلام 🙂", "2")),
                _ => assert_eq!(message.get("coding"), "8"),
            }
        }
        assert_eq!(world.balance(&shop.key), (10_000_000 - 30_000, 0));
    }
}

#[test]
fn a_long_text_goes_as_a_whole_because_the_gateway_splits_it() {
    let (world, shop) = service("KANNEL");
    let text = "سلام ".repeat(60);
    send(&world, &shop, &text, &numbers(1));
    world.settle(5_000);
    let messages = world.gateway.take();
    assert_eq!((messages.len(), messages[0].get("text")), (1, text.as_str()));
    assert_eq!(world.balance(&shop.key), (10_000_000 - 5_000, 0));
}

#[test]
fn never_more_than_six_requests_are_under_way_and_bulk_leaves_room_for_others() {
    let (world, shop) = service("KANNEL");
    send(&world, &shop, "x", &numbers(100));
    world.settle(5_000);
    assert_eq!(world.gateway.messages.borrow().len(), 100);
    assert_eq!(world.gateway.most_under_way.take(), 5);
    let to_one = |to: &String| json!({"recipient": to, "message": "x"});
    let items: Vec<Value> = numbers(50).iter().map(to_one).collect();
    let bulk = json!({"messages": items, "sourceNumber": "20001"});
    world.posted(&shop.key, "/sms/bulk", bulk);
    world.settle(5_000);
    assert_eq!(world.gateway.messages.borrow().len(), 150);
    assert_eq!(world.gateway.most_under_way.take(), 4);
    world.active_pattern(&shop.key, json!({"slug": "otp", "title": "x", "text": "hello"}));
    let pattern = json!({"pattern": "otp", "recipients": numbers(50), "sourceNumber": "20001"});
    world.posted(&shop.key, "/sms/pattern", pattern);
    world.settle(5_000);
    assert_eq!(world.gateway.messages.borrow().len(), 200);
    assert_eq!(world.gateway.most_under_way.take(), 6);
}

#[test]
fn a_recipient_that_the_gateway_refuses_is_rejected_and_costs_nothing() {
    let (world, shop) = service("KANNEL");
    world
        .gateway
        .answer(|_, message| match message.get("to").ends_with('1') {
            true => says(403, "Not routable. Do not try again."),
            false => accepted(),
        });
    let uid = send(&world, &shop, "x", &numbers(20));
    world.settle(5_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"REJECTED": 2, "SUBMITTED": 18}));
    assert_eq!(world.balance(&shop.key), (10_000_000 - 18_000, 0));
    assert_eq!(health(&world)["state"], "UP");
}

#[test]
fn what_the_gateway_refuses_for_now_is_sent_later_and_once() {
    let (world, shop) = service("KANNEL");
    world.gateway.answer(|number, _| match number {
        Some(0..4) => says(503, "Temporal failure, try again later."),
        _ => accepted(),
    });
    let uid = send(&world, &shop, "x", &numbers(20));
    world.settle(60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 20}));
    assert_eq!(world.gateway.messages.borrow().len(), 24);
    assert!(world.gateway.counts().values().all(|count| *count <= 2));
}

#[test]
fn a_request_that_got_no_answer_is_never_repeated() {
    let (world, shop) = service("KANNEL");
    world.gateway.answer(|number, _| match number {
        Some(3) => Reply::Breaks,
        Some(5) => says(502, "Bad gateway"),
        Some(8) => says(200, "<html>"),
        _ => accepted(),
    });
    let uid = send(&world, &shop, "x", &numbers(20));
    world.settle(60 * 60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 17, "UNKNOWN": 3}));
    assert!(world.gateway.counts().values().all(|count| *count == 1));
    assert_eq!(world.gateway.messages.borrow().len(), 20);
    // Their money comes back when no report has come in three days.
    assert_eq!(world.balance(&shop.key), (10_000_000 - 20_000, 3_000));
    world.settle(73 * 60 * 60_000);
    assert_eq!(world.balance(&shop.key), (10_000_000 - 17_000, 0));
}

#[test]
fn a_gateway_that_is_not_there_gets_probes_only_and_nobody_becomes_unknown() {
    let (world, shop) = service("KANNEL");
    world.gateway.answer(|_, _| Reply::Breaks);
    let uid = send(&world, &shop, "x", &numbers(50));
    world.settle(20 * 60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"QUEUED": 50}));
    assert!(world.gateway.messages.borrow().is_empty());
    assert!(world.gateway.probes.get() >= 5);
    assert_eq!(health(&world)["state"], "DOWN");
    assert_eq!(health(&world)["lastError"], "the gateway gave no clear answer");
    world.gateway.answer_all(accepted());
    world.settle(11 * 60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 50}));
    assert!(world.gateway.counts().values().all(|count| *count == 1));
    assert_eq!(health(&world)["state"], "UP");
    assert_eq!(world.look("/admin/dead-letters").json["data"], json!([]));
}

#[test]
fn a_gateway_that_dies_in_between_costs_those_who_were_under_way() {
    let (world, shop) = service("KANNEL");
    world.gateway.answer(|number, _| match number {
        None => says(400, "Missing receiver number, rejected"),
        Some(0..20) => accepted(),
        Some(_) => Reply::Breaks,
    });
    let uid = send(&world, &shop, "x", &numbers(100));
    world.work();
    let sent = world.gateway.messages.borrow().len();
    assert!((21..=25).contains(&sent), "{sent}");
    world.gateway.answer(|_, _| Reply::Breaks);
    world.settle(5 * 60_000);
    world.gateway.answer_all(accepted());
    world.settle(30 * 60_000);
    let expected = json!({"SUBMITTED": 120 - sent, "UNKNOWN": sent - 20});
    assert_eq!(counts(&world, &shop, &uid), expected);
    assert!(world.gateway.counts().values().all(|count| *count == 1));
}

#[test]
fn a_crash_makes_unknown_only_those_that_were_noted_as_leaving() {
    for (killer, most) in [(0, 12), (1, 13), (30, 24), (199, 24)] {
        let (world, shop) = service("KANNEL");
        world.gateway.answer(move |number, _| match number {
            None => says(400, "Missing receiver number, rejected"),
            Some(number) if number == killer => Reply::KillsUs,
            Some(_) => accepted(),
        });
        let uid = send(&world, &shop, "x", &numbers(200));
        world.settle(1_000);
        assert_eq!(world.kills.get(), 1);
        world.gateway.answer_all(accepted());
        world.settle(10 * 60_000);
        let counts = counts(&world, &shop, &uid);
        let count = |status: &str| counts[status].as_u64().unwrap_or(0);
        assert_eq!(count("SUBMITTED") + count("UNKNOWN"), 200, "{counts}");
        assert!((1..=most).contains(&count("UNKNOWN")), "{killer}: {counts}");
        assert!(world.gateway.counts().values().all(|count| *count == 1));
        world.settle(73 * 60 * 60_000);
        assert_eq!(world.balance(&shop.key).1, 0);
    }
}

#[test]
fn a_wrong_password_is_the_carriers_fault_and_a_new_one_works_at_once() {
    let (world, shop) = service("KANNEL");
    world
        .gateway
        .answer(|_, message| match message.get("password") == "right" {
            true if message.get("to").is_empty() => says(400, "Missing receiver number, rejected"),
            true => accepted(),
            false => says(403, "Authorization failed for sendsms"),
        });
    let uid = send(&world, &shop, "x", &numbers(10));
    world.settle(60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"QUEUED": 10}));
    assert!(world.gateway.messages.borrow().is_empty());
    assert_eq!(health(&world)["state"], "DOWN");
    let last_error = &health(&world)["lastError"];
    assert_eq!(*last_error, "the gateway refuses the user or the password");
    change(&world, json!({"http": {"password": "right"}}));
    assert_eq!(health(&world)["state"], "UP");
    world.settle(10 * 60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 10}));
    assert!(!world.has_logged("right") && !world.has_logged(PASSWORD));
}

#[test]
fn a_gateway_that_throttles_gets_the_rest_later_and_nothing_counts_as_a_failure() {
    let (world, shop) = service("KANNEL");
    world.gateway.answer(|number, _| match number {
        None => says(400, "Missing receiver number, rejected"),
        Some(10 | 40) => Reply::Throttles(20),
        Some(_) => accepted(),
    });
    let uid = send(&world, &shop, "x", &numbers(60));
    world.work();
    assert_eq!(health(&world)["state"], "THROTTLED");
    let sent = world.gateway.messages.borrow().len();
    assert!((11..=16).contains(&sent), "{sent}");
    world.settle(19_000);
    let count = world.gateway.messages.borrow().len();
    assert_eq!(count, sent, "the gateway wants to be left alone");
    world.settle(120_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 60}));
    // The two that were throttled came twice; the gateway has taken them once.
    assert_eq!(world.gateway.messages.borrow().len(), 62);
    assert_eq!(world.number(&shop, "SELECT max(failures) FROM chunk"), 0);
}

#[test]
fn after_five_failures_in_a_row_the_gateway_is_left_alone_and_then_tried_once() {
    let (world, shop) = service("KANNEL");
    world
        .gateway
        .answer_all(says(503, "Temporal failure, try again later."));
    let uid = send(&world, &shop, "x", &numbers(50));
    world.work();
    let tried = world.gateway.take().len();
    assert!((5..=9).contains(&tried), "{tried}");
    assert_eq!(health(&world)["state"], "DOWN");
    let told = |line: &&String| line.contains("left alone") && line.contains("refuses messages for now");
    assert_eq!(world.log.borrow().iter().filter(told).count(), 1);
    world.settle(29_000);
    assert!(world.gateway.take().is_empty());
    world.settle(20_000);
    assert_eq!(world.gateway.take().len(), 1, "one try after 30 s");
    world.gateway.answer_all(accepted());
    world.settle(10 * 60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 50}));
}

#[test]
fn a_paused_carrier_sends_nothing_from_the_moment_of_the_answer_on() {
    let (world, shop) = service("KANNEL");
    let first = send(&world, &shop, "x", &numbers(5));
    world.settle(2_000);
    for off in [json!({"paused": true}), json!({"active": false})] {
        change(&world, off);
        world.gateway.take();
        let uid = send(&world, &shop, "x", &numbers(5));
        world.settle(60 * 60_000);
        assert!(world.gateway.messages.borrow().is_empty());
        assert_eq!(counts(&world, &shop, &uid), json!({"QUEUED": 5}));
        change(&world, json!({"paused": false, "active": true}));
        world.settle(60_000);
        assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 5}));
    }
    assert_eq!(counts(&world, &shop, &first), json!({"SUBMITTED": 5}));
}

#[test]
fn a_carrier_whose_secrets_cant_be_opened_is_down_and_says_why() {
    let (world, shop) = service("KANNEL");
    world.set("SECRET_KEY", Some("AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="));
    let uid = send(&world, &shop, "x", &numbers(5));
    world.settle(5_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"QUEUED": 5}));
    let error = "what is sealed can't be opened with SECRET_KEY or SECRET_KEY_OLD";
    assert_eq!(health(&world)["lastError"], error);
    world.set("SECRET_KEY_OLD", Some(crate::support::gateway::SECRET_KEY));
    world.settle(2 * 60_000);
    assert_eq!(counts(&world, &shop, &uid), json!({"SUBMITTED": 5}));
}

#[test]
fn health_counts_what_happened() {
    let (world, shop) = service("KANNEL");
    assert_eq!(health(&world)["lastSuccessAt"], Value::Null);
    send(&world, &shop, "x", &numbers(40));
    world.settle(2_000);
    let told = health(&world);
    assert_has(&told, json!({"lastMinute": 40, "queued": 0, "inWindow": 0}));
    assert!(told["lastSuccessAt"].is_string());
    world.settle(61_000);
    assert_eq!(health(&world)["lastMinute"], 0);
}
