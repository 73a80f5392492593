//! Which error is answered first, what every answer has, and what becomes of failures of the service.

use peyk::base::config::Config;
use peyk::base::ports::PortError;
use peyk::durable::failure_line;
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Account, Answer, DOCS, World, assert_starts, cases};

#[test]
fn when_several_errors_apply_the_first_of_the_contract_is_answered() {
    let (world, shop) = World::with_account(0);
    let account = shop.path("");
    world.change(&account, json!({"status": "INACTIVE", "sendingEnabled": false}));
    let send = |body: serde_json::Value| world.post(&shop.key, "/sms/send", body);
    send(json!({"message": "", "recipients": ["09121234567"], "sourceNumber": "9"})).refused(422);
    send(json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": "9"})).problem(406, 3012);
    world.send(&shop.key, &["09121234567"]).problem(412, 1003);
    world.change(&account, json!({"status": "ACTIVE"}));
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world.change(&account, json!({"sendingEnabled": true}));
    let answer = world.admin("PUT", "/admin/sending", json!({"enabled": false, "reason": "a test"}));
    answer.expect(200);
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    let answer = world.admin("PUT", "/admin/sending", json!({"enabled": true, "reason": "a test"}));
    answer.expect(200);
    world.send(&shop.key, &["09121234567"]).problem(400, 2001);
    // A request without a token gets 429 before its body is checked. 403 comes before 429.
    let limit = json!({"rateLimit": {"limit": 1, "windowSeconds": 3_600, "burst": 1}});
    world.change(&account, limit);
    while world.send(&shop.key, &["09121234567"]).response.status != 429 {}
    let limited = world
        .ask("POST", &shop.key, "/sms/send")
        .body("text/plain", b"{")
        .send()
        .refused(429);
    assert!(limited.header("Retry-After").unwrap().parse::<u32>().unwrap() >= 1);
    world.get(&shop.key, "/admin/accounts").refused(403);
}

#[test]
fn every_response_has_its_id_and_is_not_to_be_kept() {
    let (world, _) = World::with_account(0);
    for (path, status) in [("/health", 200), ("/nowhere", 404), ("/account/info", 401)] {
        let answer = world.request("GET", path).request_id("my.id-1").send().expect(status);
        assert_eq!(answer.header("X-Request-Id"), Some("my.id-1"));
        assert_eq!(answer.text("/meta/requestId"), "my.id-1");
        assert_eq!(answer.header("X-Content-Type-Options"), Some("nosniff"));
        assert_eq!(answer.header("Cache-Control"), Some("no-store"));
        let transport = Some("max-age=31536000; includeSubDomains");
        assert_eq!(answer.header("Strict-Transport-Security"), transport);
        let found = answer.header("RateLimit");
        assert_eq!(found, None, "a request without an account pays nothing");
    }
    let answer = world.request("GET", "/health").request_id("not usable!").send();
    assert_eq!(answer.expect(200).header("X-Request-Id").unwrap().len(), 36);
}

/// A send to the service under this address.
fn ask(world: &World, shop: &Account, origin: &str) -> Answer {
    let body = json!({"message": "hi", "recipients": ["09121234567"]});
    let request = world.ask("POST", &shop.key, "/sms/send").json(body);
    request.origin(origin).send()
}

#[test]
fn plain_http_is_refused_but_on_this_machine_and_under_names_of_the_setting() {
    let (mut world, shop) = World::with_account(10_000);
    world.app.config.docs_url = Some(DOCS.to_owned());
    let send = |origin: &str| ask(&world, &shop, origin);
    let kv_calls = world.kv_calls.borrow().len();
    for exposed in [
        "http://sms.example.com",
        "http://10.0.0.5:8787",
        "http://127.0.0.1.example.com",
    ] {
        let answer = send(exposed).problem(403, 403);
        assert!(answer.text("/detail").contains("https"), "{}", answer.text("/detail"));
        let health = world.request("GET", "/health").origin(exposed).send();
        health.problem(403, 403);
    }
    assert_eq!(world.kv_calls.borrow().len(), kv_calls, "nobody has looked at the key");
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    for safe in [
        "https://sms.example.com",
        "http://127.0.0.1:8787",
        "http://localhost",
        "http://[::1]:8787",
    ] {
        send(safe).expect(201);
    }
    let named = |name: &str| (name == "PLAIN_HTTP_HOSTS").then(|| "peyk, 10.0.0.5".to_owned());
    world.app.config.plain_http_hosts = Config::read(named).unwrap().plain_http_hosts;
    for origin in ["http://peyk:8787", "http://PEYK", "http://10.0.0.5:8787"] {
        ask(&world, &shop, origin).expect(201);
    }
    for origin in ["http://peyk2:8787", "http://10.0.0.6", "http://sms.example.com"] {
        ask(&world, &shop, origin).problem(403, 403);
    }
}

/// The line of the log with this event.
fn logged(world: &World, event: &str) -> serde_json::Value {
    let log = world.log.borrow();
    let lines = log.iter();
    let lines = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.rev().find(|line| line["event"] == event).unwrap()
}

#[test]
fn a_port_that_does_not_answer_is_a_503_that_says_when_to_come_again() {
    type Outage = fn(&World, bool);
    let outages: [(&str, Outage); 3] = [
        ("ACCOUNT: crashed", |world, is_on| world.chaos.set(is_on.into())),
        ("d1: down", |world, is_on| world.db.is_down.set(is_on)),
        ("kv: down", |world, is_on| world.keys_are_down.set(is_on)),
    ];
    for (cause, switch) in outages {
        let (world, shop) = World::with_account(1_000);
        let send = || {
            let body = json!({"message": "hello", "recipients": ["09121234567"]});
            let request = world.ask("POST", &shop.key, "/sms/send").json(body);
            request.idempotency_key("once").send()
        };
        world.app.profiles.clear();
        world.app.keys.clear();
        switch(&world, true);
        let failed = send().refused(503);
        switch(&world, false);
        assert_eq!(failed.text("/name"), "ServiceUnavailable");
        assert!(failed.header("Retry-After").unwrap().parse::<u32>().unwrap() > 0);
        assert!(failed.text("/detail").contains("Idempotency-Key"), "{}", failed.body);
        assert!(!failed.body.contains(cause), "the client does not see the cause");
        let line = logged(&world, "unavailable");
        assert_eq!(line["requestId"].as_str(), failed.header("X-Request-Id"));
        assert!(line["cause"].as_str().unwrap().starts_with(cause), "{line}");
        // The repeat is safe, whether the first request had its effect or not.
        send().expect(201);
        assert_eq!(world.balance(&shop.key), (0, 1_000));
    }
}

#[test]
fn the_log_has_the_id_of_a_client_without_numbers_and_keys_and_our_own_beside_it() {
    let (world, shop) = World::with_account(1_000);
    for (sent, kept) in [
        ("order-989121234567", "order-…4567"),
        (shop.key.as_str(), "…"),
        ("my.id-1", "my.id-1"),
    ] {
        for (event, status) in [("request", 404), ("unavailable", 503)] {
            world.app.keys.clear();
            world.keys_are_down.set(status == 503);
            let path = if status == 503 { "/lines" } else { "/messages/none" };
            let failed = world
                .ask("GET", &shop.key, path)
                .request_id(sent)
                .send()
                .refused(status);
            assert_eq!(
                failed.header("X-Request-Id"),
                Some(sent),
                "the client gets what it has sent"
            );
            let line = logged(&world, event);
            assert_eq!(line["requestId"], kept, "{line}");
            assert_eq!(line["ownId"].as_str().map(str::len), Some(36), "{line}");
            world.keys_are_down.set(false);
        }
    }
    let answer = world.get(&shop.key, "/messages/none").refused(404);
    let line = logged(&world, "request");
    assert_eq!(
        line["ownId"].as_str(),
        answer.header("X-Request-Id"),
        "of a client without one, both are the same"
    );
}

#[test]
fn what_the_object_logs_of_a_call_that_fails_has_the_id_that_the_worker_logs() {
    let (world, shop) = World::with_account(1_000);
    world.failing_request.set(Some("GetOverview"));
    world
        .ask("GET", &shop.key, "/account/info")
        .request_id("of-client")
        .send()
        .refused(503);
    let of_worker = logged(&world, "unavailable");
    let call = world.failed_calls.borrow().last().unwrap().clone();
    assert!(!call.contains("of-client"), "nobody chooses it");
    let failure = PortError::failed("sql", "a fault");
    let of_object: serde_json::Value = serde_json::from_str(&failure_line("call", &failure, Some(&call))).unwrap();
    assert_eq!(of_object["ownId"], of_worker["ownId"]);
    assert_eq!(of_object["ownId"].as_str().map(str::len), Some(36));
    let of_nobody = failure_line("alarm", &failure, None);
    assert!(!of_nobody.contains("ownId"), "{of_nobody}");
}

#[test]
fn an_outage_is_told_in_persian_too() {
    let (world, shop) = World::with_account(1_000);
    world.keys_are_down.set(true);
    world.app.keys.clear();
    let request = world.ask("GET", &shop.key, "/account/info").language("fa");
    let failed = request.send().refused(503);
    assert_eq!(failed.text("/title"), "سرویس در دسترس نیست");
    assert!(failed.text("/detail").contains("Idempotency-Key"), "{}", failed.body);
}

#[test]
fn a_fault_of_ours_is_a_500_whose_cause_is_in_the_log_alone() {
    let (world, shop) = World::with_account(1_000);
    let digest = peyk::auth::digest(&shop.key);
    world.keys.borrow_mut().insert(digest.clone(), r#"{"v":1}"#.to_owned());
    world.app.keys.clear();
    let failed = world.send(&shop.key, &["09121234567"]).refused(500);
    assert_eq!(failed.header("Retry-After"), None);
    let line = logged(&world, "internal");
    assert_eq!(line["requestId"].as_str(), failed.header("X-Request-Id"));
    let cause = line["cause"].as_str().unwrap();
    assert_starts(cause, &format!("record of key {}…", &digest[..12]));
    assert!(!failed.body.contains("record of key"));
}

#[test]
fn a_statement_that_the_store_refuses_is_a_500() {
    let (world, shop) = World::with_account(1_000);
    world.rows(&shop, "DROP VIEW message");
    world.get(&shop.key, "/messages").refused(500);
    world.db.run("DROP TABLE phonebook");
    world.get(&shop.key, "/phonebook").refused(500);
}

#[test]
fn an_object_of_another_version_is_an_outage() {
    let world = World::new();
    let head = peyk::api::http::Head::default();
    let context = peyk::api::http::context::Context::new(&world, &world.app, &head);
    let problem = context.problem(peyk::account::refusal::Refusal::UnknownRequest);
    assert_eq!(problem.kind(), peyk::problem::kind::UNAVAILABLE);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(150)) })]

    #[test]
    fn no_body_whatever_is_answered_with_our_fault(body in prop::collection::vec(any::<u8>(), 0..200), json in "[{}\\[\\]\",:a-z0-9. ]{0,60}") {
        let (world, shop) = World::with_account(1_000);
        for bytes in [body.as_slice(), json.as_bytes()] {
            let answer = world.ask("POST", &shop.key, "/sms/send").body("application/json", bytes).send();
            prop_assert!(matches!(answer.response.status, 400 | 422), "{}", answer.body);
        }
        prop_assert_eq!(world.balance(&shop.key), (1_000, 0));
    }
}
