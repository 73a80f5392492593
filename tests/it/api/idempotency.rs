//! The `Idempotency-Key`: a repeat gets the first answer whatever has changed since, and nobody gets an answer that is not
//! meant for them.

use serde_json::{Value, json};

use crate::support::{Account, Answer, World, time::DAY_MS, time::HOUR_MS};

fn post(world: &World, key: &str, path: &str, idempotency_key: &str, body: &Value) -> Answer {
    world.post_once(key, path, idempotency_key, body.clone())
}

/// Issues a key of the account: `{"mode"?, "lines"?}`.
fn issue(world: &World, shop: &Account, more: Value) -> String {
    let mut body = json!({"title": "other"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.grant(shop, body).text("/data/key")
}

#[track_caller]
fn assert_replayed(answer: Answer, first: &Answer) {
    let answer = answer.expect(201);
    assert_eq!(answer.header("Idempotency-Replayed"), Some("true"));
    assert_eq!(answer.json["data"], first.json["data"]);
}

/// A body of each kind of send, with its path.
fn bodies(world: &World, shop: &Account) -> Vec<(&'static str, Value)> {
    world.active_pattern(&shop.key, json!({"slug": "login", "title": "x", "text": "code: %OTP%"}));
    let numbers = ["09121234567", "09351234567"];
    let phonebook = world.phonebook(&shop.key, "Friends", json!(numbers));
    let item = |number: &str| json!({"recipient": number, "message": "x".repeat(161)});
    vec![
        ("/sms/send", json!({"message": "x".repeat(161), "recipients": numbers})),
        (
            "/sms/pattern",
            json!({"pattern": "login", "variables": {"OTP": "x".repeat(99)}, "recipients": numbers}),
        ),
        (
            "/sms/phonebook/send",
            json!({"phonebook": phonebook, "message": "x".repeat(161)}),
        ),
        (
            "/sms/bulk",
            json!({"messages": [item(numbers[0]), {"recipient": numbers[1], "pattern": "login", "variables": {"OTP": 1}}]}),
        ),
    ]
}

/// Sends of each kind, with their bodies changed: the path, which is the idempotency key, the body, and the answer.
fn send_all(world: &World, shop: &Account, change: impl Fn(&mut Value)) -> Vec<(&'static str, Value, Answer)> {
    let mut sends = Vec::new();
    for (path, mut body) in bodies(world, shop) {
        change(&mut body);
        let first = post(world, &shop.key, path, path, &body).expect(201);
        sends.push((path, body, first));
    }
    sends
}

#[test]
fn a_repeat_after_send_at_has_passed_gets_the_first_answer() {
    let (world, shop) = World::with_account(100_000);
    let send_at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let sends = send_all(&world, &shop, |body| body["sendAt"] = send_at.clone().into());
    world.settle(2 * HOUR_MS);
    let balance = world.balance(&shop.key);
    for (path, body, first) in &sends {
        assert_replayed(post(&world, &shop.key, path, path, body), first);
        post(&world, &shop.key, path, "another key", body).faults(&["sendAt: must not be in the past"]);
    }
    assert_eq!((world.count(&shop, "message"), world.balance(&shop.key)), (4, balance));
}

#[test]
fn a_repeat_gets_the_first_answer_when_the_clock_went_back() {
    let (world, shop) = World::with_account(100_000);
    let send_at = peyk::base::time::to_rfc3339(world.now_ms.get() + 90 * DAY_MS);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sendAt": send_at});
    let first = post(&world, &shop.key, "/sms/send", "k", &body).expect(201);
    world.advance(-1);
    assert_replayed(post(&world, &shop.key, "/sms/send", "k", &body), &first);
    post(&world, &shop.key, "/sms/send", "another key", &body).refused(422);
}

#[test]
fn a_repeat_gets_the_first_answer_after_every_setting_has_changed() {
    let (mut world, shop) = World::with_account(100_000);
    world.share_line("20002", "sandbox", &["WEBSERVICE", "PATTERN"]);
    let sends = send_all(&world, &shop, |body| body["sourceNumber"] = json!("20002"));
    let repeat = |world: &World, what: &str| {
        let balance = world.balance(&shop.key);
        for (path, body, first) in &sends {
            assert_replayed(post(world, &shop.key, path, path, body), first);
            let fresh = post(world, &shop.key, path, "another key", body);
            assert!(fresh.response.status >= 400, "{what} does not matter: {path}");
        }
        assert_eq!(world.balance(&shop.key), balance, "{what}");
    };
    world.app.config.max_recipients = 1;
    world.app.config.max_phonebook_recipients = 1;
    repeat(&world, "the most recipients");
    world.app.config = peyk::base::config::Config::default();
    world.app.config.max_parts = 1;
    world.posted(&shop.key, "/pattern/login/versions", json!({"text": "%OTP% %NEW%"}));
    world.activate(&shop.key, "login", 2);
    repeat(&world, "the most parts, and a variable more");
    world.app.config = peyk::base::config::Config::default();
    let request = |method: &str, path: &str| world.ask(method, &shop.key, path).json(json!({})).send();
    request("POST", "/pattern/login/deactivate").expect(200);
    request("DELETE", "/pattern/login").expect(204);
    let phonebook = sends[2].1["phonebook"].as_str().unwrap();
    request("DELETE", &format!("/phonebook/{phonebook}")).expect(204);
    world.admin("DELETE", "/admin/lines/20002", json!({})).expect(204);
    repeat(&world, "all that the sends name");
    assert_eq!(world.count(&shop, "message"), 4);
}

#[test]
fn a_body_with_faults_is_not_remembered_and_gets_nobody_elses_answer() {
    let (world, shop) = World::with_account(100_000);
    let send = |body: &Value| post(&world, &shop.key, "/sms/send", "k", body);
    let past = json!({"message": "x", "recipients": ["09121234567"], "sendAt": "2020-01-01T00:00:00Z"});
    for _ in 0..2 {
        send(&past).faults(&["sendAt: must not be in the past"]);
    }
    send(&json!({"message": "x", "recipients": ["09121234567"]})).expect(201);
    // The key belongs to another body now, and the faults of this one are still those that it has.
    send(&past).faults(&["sendAt: must not be in the past"]);
    let bad_key = post(&world, &shop.key, "/sms/send", "", &past).refused(422);
    assert_eq!(bad_key.extra().len(), 2, "{}", bad_key.body);
    assert_eq!(world.count(&shop, "message"), 1);
}

#[test]
fn live_and_test_keys_do_not_share_idempotency_keys() {
    let (world, shop) = World::with_account(100_000);
    let test = issue(&world, &shop, json!({"mode": "test"}));
    let body = json!({"message": "x", "recipients": ["09121234567"]});
    for (idempotency_key, order) in [("test first", [&test, &shop.key]), ("live first", [&shop.key, &test])] {
        let answers = order.map(|key| post(&world, key, "/sms/send", idempotency_key, &body).expect(201));
        assert_ne!(answers[0].text("/data/uid"), answers[1].text("/data/uid"));
        for (key, first) in order.iter().zip(&answers) {
            assert_eq!(first.header("Idempotency-Replayed"), None);
            assert_eq!(first.int("/data/cost"), if **key == test { 0 } else { 1_000 });
            assert_replayed(post(&world, key, "/sms/send", idempotency_key, &body), first);
        }
    }
    // Another body is refused in the same mode only.
    let other = json!({"message": "other", "recipients": ["09121234567"]});
    post(&world, &test, "/sms/send", "live alone", &body).expect(201);
    post(&world, &shop.key, "/sms/send", "live alone", &other).expect(201);
    post(&world, &test, "/sms/send", "live alone", &other).refused(422);
    world.settle(10_000);
    assert_eq!(world.handed(&shop.id).len(), 3, "the live sends, and only these");
    assert_eq!(world.count(&shop, "message"), 6);
}

#[test]
fn a_key_tied_to_lines_gets_no_answer_of_another_line() {
    let (world, shop) = World::with_account(100_000);
    world.share_line("20002", "sandbox", &["WEBSERVICE", "PATTERN"]);
    let tied = issue(&world, &shop, json!({"lines": ["20002"]}));
    let peer = issue(&world, &shop, json!({"lines": ["10001"]}));
    let sends = send_all(&world, &shop, |_| {});
    let repeat = || {
        for (path, body, first) in &sends {
            let refused = post(&world, &tied, path, path, body).problem(406, 3012);
            assert_eq!(refused.header("Idempotency-Replayed"), None);
            assert!(!refused.body.contains(&first.text("/data/uid")));
            assert_replayed(post(&world, &peer, path, path, body), first);
        }
    };
    repeat();
    // Now the account's default line is one that the key may use, but the send was made already.
    world.change(&shop.path(""), json!({"defaultLine": "20002"}));
    repeat();
    // A fault of the body is what a fresh send would get, too.
    let send_at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let later = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": "10001", "sendAt": send_at});
    post(&world, &shop.key, "/sms/send", "later", &later).expect(201);
    world.settle(2 * HOUR_MS);
    post(&world, &tied, "/sms/send", "later", &later).refused(422);
    assert_eq!(world.count(&shop, "message"), 5);
    assert_eq!(world.handed(&shop.id).len(), 9);
}

#[test]
fn credits_do_not_share_idempotency_keys_with_sends() {
    let (world, shop) = World::with_account(100_000);
    let path = shop.path("/credit");
    let credit = |key: &str| post(&world, &world.admin_key, &path, key, &json!({"amount": 500}));
    let body = json!({"message": "x", "recipients": ["09121234567"]});
    let send = |key: &str| post(&world, &shop.key, "/sms/send", key, &body);
    let sent = send("send first").expect(201);
    let credited = credit("send first").expect(201);
    assert_eq!(credited.header("Idempotency-Replayed"), None);
    credit("credit first").expect(201);
    let other = send("credit first").expect(201);
    assert_eq!(other.header("Idempotency-Replayed"), None);
    assert_replayed(send("send first"), &sent);
    assert_replayed(send("credit first"), &other);
    assert_replayed(credit("send first"), &credited);
    post(&world, &world.admin_key, &path, "send first", &json!({"amount": 501})).refused(422);
    assert_eq!(world.balance(&shop.key), (99_000, 2_000));
}
