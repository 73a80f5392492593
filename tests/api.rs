//! The whole API through its routes, on real SQLite, with a clock that moves when told. What only the real runtime can show
//! is under `tests/runtime/`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

use proptest::prelude::*;
use serde_json::json;
use support::World;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

fn balance(world: &World, key: &str) -> (i64, i64) {
    let info = world.get(key, "/account/info").expect(200);
    (
        info.int("/data/wallet/availableBalance"),
        info.int("/data/wallet/lockedBalance"),
    )
}

fn status_of(world: &World, key: &str, uid: &str) -> String {
    world
        .get(key, &format!("/messages/{uid}"))
        .expect(200)
        .text("/data/recipients/0/status")
}

#[test]
fn a_message_is_accepted_reserved_delivered_and_paid() {
    let (world, shop) = World::with_account(10_000);
    let sent = world.send(&shop.key, &["09121234567"]).expect(201);
    assert_eq!(sent.text("/status"), "CREATED");
    assert_eq!(sent.text("/data/status"), "QUEUED");
    assert_eq!(sent.text("/data/recipients/0/recipient"), "+989121234567");
    assert_eq!(balance(&world, &shop.key), (9_000, 1_000));
    world.settle(10_000);
    assert_eq!(status_of(&world, &shop.key, &sent.text("/data/uid")), "DELIVERED");
    assert_eq!(balance(&world, &shop.key), (9_000, 0));
}

#[test]
fn the_same_number_in_any_spelling_is_sent_to_once() {
    let (world, shop) = World::with_account(10_000);
    let sent = world
        .send(
            &shop.key,
            &["09121234567", "+98 912 123 4567", "۰۹۱۲۱۲۳۴۵۶۷", "9121234567"],
        )
        .expect(201);
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 1);
    assert_eq!(sent.int("/data/cost"), 1_000);
}

#[test]
fn all_faults_of_a_body_are_told_at_once_and_nothing_is_spent() {
    let (world, shop) = World::with_account(10_000);
    let body = json!({"message": 7, "recipients": ["09121234567", "nonsense", 5], "sendAt": "soon", "clientRef": "x".repeat(65)});
    let answer = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .idempotency_key("\"open")
        .json(body)
        .send()
        .problem(422, 422);
    let mut fields: Vec<String> = answer
        .extra()
        .iter()
        .map(|text| text.split(':').next().unwrap().to_owned())
        .collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "Idempotency-Key",
            "clientRef",
            "message",
            "recipients[1]",
            "recipients[2]",
            "sendAt"
        ]
    );
    assert_eq!(answer.json["errors"][1]["pointer"], "/recipients/1");
    assert_eq!(balance(&world, &shop.key), (10_000, 0));
    assert_eq!(world.get(&shop.key, "/messages").expect(200).json["data"], json!([]));
}

#[test]
fn a_missing_body_names_what_is_missing() {
    let (world, shop) = World::with_account(0);
    let answer = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .json(json!({}))
        .send()
        .problem(422, 422);
    assert_eq!(answer.extra(), ["message: is required", "recipients: is required"]);
    let persian = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .language("fa-IR")
        .json(json!({}))
        .send()
        .problem(422, 422);
    assert_eq!(persian.extra(), ["message: الزامی است", "recipients: الزامی است"]);
    assert_eq!(persian.text("/title"), "داده‌های نامعتبر");
}

#[test]
fn texts_of_too_many_parts_and_lists_of_too_many_recipients_are_refused() {
    let (world, shop) = World::with_account(10_000_000);
    let send = |message: String, count: u64| {
        let recipients: Vec<String> = (0..count).map(|number| format!("0912{number:07}")).collect();
        let body = json!({"message": message, "recipients": recipients});
        world.request("POST", "/sms/send").key(&shop.key).json(body).send()
    };
    send("x".repeat(1_530), 1).expect(201);
    let long = send("x".repeat(1_531), 1).problem(422, 422);
    assert_eq!(long.extra(), ["message: takes 11 parts, at most 10 are allowed"]);
    assert_eq!(
        send("x".to_owned(), 1_000).expect(201).json["data"]["recipients"]
            .as_array()
            .unwrap()
            .len(),
        1_000
    );
    let many = send("x".to_owned(), 1_001).problem(422, 422);
    assert_eq!(many.extra(), ["recipients: must have at most 1000 items"]);
}

#[test]
fn a_replayed_key_answers_as_before_and_debits_once() {
    let (world, shop) = World::with_account(1_000);
    let send = |body: serde_json::Value| {
        world
            .request("POST", "/sms/send")
            .key(&shop.key)
            .idempotency_key("order-1")
            .json(body)
            .send()
    };
    let body = json!({"message": "hello", "recipients": ["09121234567"]});
    let first = send(body.clone()).expect(201);
    assert_eq!(first.header("Idempotency-Replayed"), None);
    world.settle(10_000);
    let again = send(body.clone()).expect(201);
    assert_eq!(again.json["data"], first.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    assert_eq!(balance(&world, &shop.key), (0, 0));
    let other = send(json!({"message": "other", "recipients": ["09121234567"]})).problem(422, 422);
    assert_eq!(other.extra(), ["Idempotency-Key: was used for another request before"]);
    world.advance(24 * HOUR_MS);
    send(body).problem(400, 2001);
}

#[test]
fn a_replay_is_answered_even_when_its_line_is_gone() {
    let (world, shop) = World::with_account(1_000);
    let send = || {
        let body = json!({"message": "hello", "recipients": ["09121234567"], "sourceNumber": "10001"});
        world
            .request("POST", "/sms/send")
            .key(&shop.key)
            .idempotency_key("k")
            .json(body)
            .send()
    };
    let first = send().expect(201);
    world
        .admin("PATCH", "/admin/lines/10001", json!({"active": false}))
        .expect(200);
    assert_eq!(send().expect(201).json["data"], first.json["data"]);
}

#[test]
fn a_refusal_is_not_remembered() {
    let (world, shop) = World::with_account(0);
    let send = || {
        let body = json!({"message": "hello", "recipients": ["09121234567"]});
        world
            .request("POST", "/sms/send")
            .key(&shop.key)
            .idempotency_key("k")
            .json(body)
            .send()
    };
    send().problem(400, 2001);
    let path = format!("/admin/accounts/{}/credit", shop.id);
    world.admin("POST", &path, json!({"amount": 1_000})).expect(201);
    send().expect(201);
}

#[test]
fn a_scheduled_message_waits_for_its_time_with_its_money_reserved() {
    let (world, shop) = World::with_account(1_000);
    let at = peyk::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let send = |at: &str| {
        let body = json!({"message": "hello", "recipients": ["09121234567"], "sendAt": at, "clientRef": "c-1"});
        world.request("POST", "/sms/send").key(&shop.key).json(body).send()
    };
    let sent = send(&at).expect(201);
    assert_eq!(
        (sent.text("/data/status"), sent.text("/data/sendAt")),
        ("SCHEDULED".to_owned(), at)
    );
    assert_eq!(sent.text("/data/recipients/0/status"), "SCHEDULED");
    world.settle(HOUR_MS - 1);
    let uid = sent.text("/data/uid");
    assert_eq!(status_of(&world, &shop.key, &uid), "SCHEDULED");
    assert_eq!(balance(&world, &shop.key), (0, 1_000));
    world.settle(10_000);
    assert_eq!(status_of(&world, &shop.key, &uid), "DELIVERED");
    assert_eq!(balance(&world, &shop.key), (0, 0));
    let past = send(&peyk::time::to_rfc3339(world.now_ms.get())).problem(422, 422);
    assert_eq!(past.extra(), ["sendAt: must not be in the past"]);
    let far = send(&peyk::time::to_rfc3339(world.now_ms.get() + 90 * 24 * HOUR_MS + 1)).problem(422, 422);
    assert_eq!(far.extra(), ["sendAt: must be at most 90 days ahead"]);
}

#[test]
fn a_test_key_goes_through_everything_but_costs_nothing_and_reaches_no_carrier() {
    let (world, shop) = World::with_account(0);
    let path = format!("/admin/accounts/{}/keys", shop.id);
    let test = world
        .admin("POST", &path, json!({"title": "t", "mode": "test"}))
        .expect(201)
        .text("/data/key");
    assert!(test.starts_with("peyk_test_"));
    let sent = world.send(&test, &["09121234567", "09121234902"]).expect(201);
    assert_eq!(sent.int("/data/cost"), 0);
    world.settle(10_000);
    let message = world
        .get(&test, &format!("/messages/{}", sent.text("/data/uid")))
        .expect(200);
    assert_eq!(
        message.json["data"]["counts"],
        json!({"DELIVERED": 1, "UNDELIVERED": 1})
    );
    assert!(world.inbox(&shop.id).is_empty());
    assert_eq!(
        world.get(&test, "/account/transactions").expect(200).json["data"],
        json!([])
    );
    world
        .request("POST", "/sms/send")
        .key(&test)
        .json(json!({"message": "x", "recipients": ["1"]}))
        .send()
        .problem(422, 422);
}

#[test]
fn a_carrier_that_hesitates_is_tried_again_and_one_that_never_takes_it_is_given_up() {
    let (world, shop) = World::with_account(2_000);
    world.send(&shop.key, &["09121234905"]).expect(201);
    world.settle(15_000);
    assert_eq!(world.inbox(&shop.id).values().collect::<Vec<_>>(), [&(1, 2)]);
    assert_eq!(balance(&world, &shop.key), (1_000, 0));
    // A line whose carrier does not exist is a carrier that is down for ever.
    let sql = "UPDATE line SET carrier = 'gone' WHERE number = '10001'";
    peyk::ports::Sql::exec(&world.db, sql, &[]).unwrap();
    world.app.profiles.clear();
    let uid = world.send(&shop.key, &["09121234567"]).expect(201).text("/data/uid");
    world.settle(30 * MINUTE_MS);
    assert_eq!(status_of(&world, &shop.key, &uid), "QUEUED");
    world.settle(30 * MINUTE_MS);
    assert_eq!(status_of(&world, &shop.key, &uid), "REJECTED");
    assert_eq!(balance(&world, &shop.key), (1_000, 0));
}

#[test]
fn a_hand_over_that_comes_after_its_claims_time_is_not_taken() {
    let (world, shop) = World::with_account(1_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.ring(&shop.id);
    let work: peyk::account::outbox::Work =
        serde_json::from_str(&world.queue.borrow_mut().pop_front().unwrap()).unwrap();
    let call = peyk::account::command::Call {
        account: shop.id.clone(),
        key: None,
        command: peyk::account::command::Command::Claim(work.chunks),
    };
    let reply = pollster::block_on(peyk::ports::Platform::account(&world, &call)).unwrap();
    let Ok(peyk::account::command::Answer::Claimed(jobs)) = reply.outcome else {
        panic!("no claim");
    };
    // A consumer that falls asleep with its claim: the lease runs out, another takes over, then the first wakes up.
    world.settle(MINUTE_MS);
    let slow = peyk::carrier::sandbox::submit(&world, &shop.id, jobs);
    assert_eq!(pollster::block_on(slow).unwrap(), []);
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).values().collect::<Vec<_>>(), [&(1, 0)]);
    assert_eq!(balance(&world, &shop.key), (0, 0));
}

#[test]
fn money_held_for_an_unclear_answer_is_given_back_after_the_deadline() {
    let (world, shop) = World::with_account(1_000);
    let uid = world.send(&shop.key, &["09121234904"]).expect(201).text("/data/uid");
    world.settle(10_000);
    let message = world.get(&shop.key, &format!("/messages/{uid}")).expect(200);
    assert_eq!(
        (message.text("/data/status"), message.text("/data/recipients/0/status")),
        ("DONE".into(), "UNKNOWN".into())
    );
    assert_eq!(balance(&world, &shop.key), (0, 1_000));
    world.settle(73 * HOUR_MS);
    assert_eq!(balance(&world, &shop.key), (1_000, 0));
    assert_eq!(status_of(&world, &shop.key, &uid), "UNKNOWN");
}

#[test]
fn a_plan_may_refund_what_was_not_delivered() {
    let (world, shop) = World::with_account(2_000);
    world
        .admin("PATCH", "/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}))
        .expect(200);
    world.send(&shop.key, &["09121234902", "09121234903"]).expect(201);
    world.settle(10_000);
    assert_eq!(balance(&world, &shop.key), (1_000, 0));
    let ledger = world.get(&shop.key, "/account/transactions").expect(200);
    let kinds: Vec<&str> = ledger.json["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["REFUND", "SETTLE", "RESERVE", "CREDIT"]);
}

#[test]
fn keys_expire_are_revoked_and_rotate_with_a_grace_period() {
    let (world, shop) = World::with_account(10_000);
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    let expires = peyk::time::to_rfc3339(world.now_ms.get() + MINUTE_MS);
    let short = world
        .admin("POST", &keys, json!({"title": "short", "expiresAt": expires}))
        .expect(201)
        .text("/data/key");
    world.get(&short, "/account/info").expect(200);
    world.advance(MINUTE_MS);
    let ended = world.get(&short, "/account/info").problem(401, 401);
    assert_eq!(ended.header("WWW-Authenticate"), Some("Bearer error=\"invalid_token\""));

    let rotated = world
        .admin(
            "POST",
            &format!("{keys}/{}/rotate", shop.key_id),
            json!({"graceSeconds": 60}),
        )
        .expect(201);
    let new_key = rotated.text("/data/key");
    world.get(&shop.key, "/account/info").expect(200);
    world.get(&new_key, "/account/info").expect(200);
    world.advance(MINUTE_MS);
    world.get(&shop.key, "/account/info").problem(401, 401);

    // Revoked in the object at once, whatever KV and the caches still remember.
    let record = world.keys.borrow().get(&peyk::auth::digest(&new_key)).cloned().unwrap();
    world
        .admin("DELETE", &format!("{keys}/{}", rotated.text("/data/id")), json!(null))
        .expect(204);
    world.keys.borrow_mut().insert(peyk::auth::digest(&new_key), record);
    world.send(&new_key, &["09121234567"]).problem(401, 401);
    world
        .admin("DELETE", &format!("{keys}/nothing"), json!(null))
        .problem(404, 404);
    let listed = world.request("GET", &keys).key(&world.admin_key).send().expect(200);
    assert_eq!(listed.json["data"].as_array().unwrap().len(), 3);
    assert!(!listed.body.contains(&new_key), "a list shows no key");
}

#[test]
fn imported_keys_of_any_shape_work_and_are_kept_as_digests_only() {
    let (world, shop) = World::with_account(10_000);
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    let import = |key: &str| {
        world.admin(
            "POST",
            &keys,
            json!({"title": "old", "key": key, "scopes": ["sms:send"]}),
        )
    };
    import("17|AbCdEfGhIjKlMnOp+/=").expect(201);
    world.send("17|AbCdEfGhIjKlMnOp+/=", &["09121234567"]).expect(201);
    import("17|AbCdEfGhIjKlMnOp+/=").problem(409, 409);
    import("short").problem(422, 422);
    import("peyk_live_0000000000000000000000000000000000000x").problem(422, 422);
    let lacking = world.get("17|AbCdEfGhIjKlMnOp+/=", "/account/info").problem(403, 403);
    let expected = "Bearer error=\"insufficient_scope\", scope=\"account:read\"";
    assert_eq!(lacking.header("WWW-Authenticate"), Some(expected));
    assert!(lacking.header("RateLimit").is_some());
    assert!(
        world
            .keys
            .borrow()
            .iter()
            .all(|(name, record)| !name.contains("AbCd") && !record.contains("AbCd"))
    );
    assert!(
        world
            .log
            .borrow()
            .iter()
            .all(|line| !line.contains("AbCd") && !line.contains("hello"))
    );
}

#[test]
fn keys_of_an_account_never_get_the_operators_scope() {
    let (world, shop) = World::with_account(0);
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    world
        .admin("POST", &keys, json!({"title": "x", "scopes": ["admin"]}))
        .problem(422, 422);
    let all = world
        .admin("POST", &keys, json!({"title": "x"}))
        .expect(201)
        .text("/data/key");
    world.get(&all, "/admin/accounts").problem(403, 403);
    world.get(&world.admin_key, "/account/info").problem(403, 403);
}

#[test]
fn a_key_tied_to_lines_sends_from_no_other() {
    let (world, shop) = World::with_account(10_000);
    let line = json!({"number": "20002", "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true});
    world.admin("POST", "/admin/lines", line).expect(201);
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    let tied = world
        .admin("POST", &keys, json!({"title": "x", "lines": ["20002"]}))
        .expect(201)
        .text("/data/key");
    world.send(&tied, &["09121234567"]).problem(406, 3012);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": "20002"});
    world
        .request("POST", "/sms/send")
        .key(&tied)
        .json(body)
        .send()
        .expect(201);
    let lines = world.get(&tied, "/lines").expect(200);
    assert_eq!(lines.json["data"].as_array().unwrap().len(), 1);
}

#[test]
fn the_source_number_must_be_in_service_for_this_account_and_this_way() {
    let (world, shop) = World::with_account(10_000);
    let other = world.account("other", 0);
    let line = |number: &str, more: serde_json::Value| {
        let mut body = json!({"number": number, "carrier": "sandbox", "operations": ["WEBSERVICE"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.admin("POST", "/admin/lines", body).expect(201);
    };
    line("3001", json!({"accounts": [shop.id]}));
    line("3002", json!({"accounts": [other.id]}));
    line("3003", json!({"shared": true, "active": false}));
    line("3004", json!({"shared": true, "operations": ["PATTERN"]}));
    let send = |number: &str| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.request("POST", "/sms/send").key(&shop.key).json(body).send()
    };
    assert_eq!(send("3001").expect(201).text("/data/sourceNumber"), "3001");
    for number in ["3002", "3003", "3004", "9999"] {
        let refused = send(number).problem(406, 3012);
        assert_eq!(refused.json["errors"][0]["pointer"], "/sourceNumber");
    }
    world
        .admin(
            "PATCH",
            &format!("/admin/accounts/{}", shop.id),
            json!({"defaultLine": null}),
        )
        .expect(200);
    world.send(&shop.key, &["09121234567"]).problem(406, 3012);
    assert_eq!(balance(&world, &shop.key), (9_000, 1_000));
}

#[test]
fn when_several_errors_apply_the_first_of_the_contract_is_answered() {
    let (world, shop) = World::with_account(0);
    let account = format!("/admin/accounts/{}", shop.id);
    world
        .admin(
            "PATCH",
            &account,
            json!({"status": "INACTIVE", "sendingEnabled": false}),
        )
        .expect(200);
    let send = |body: serde_json::Value| world.request("POST", "/sms/send").key(&shop.key).json(body).send();
    send(json!({"message": "", "recipients": ["09121234567"], "sourceNumber": "9"})).problem(422, 422);
    send(json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": "9"})).problem(406, 3012);
    world.send(&shop.key, &["09121234567"]).problem(412, 1003);
    world.admin("PATCH", &account, json!({"status": "ACTIVE"})).expect(200);
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world
        .admin("PATCH", &account, json!({"sendingEnabled": true}))
        .expect(200);
    world
        .admin("PUT", "/admin/sending", json!({"enabled": false}))
        .expect(200);
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world
        .admin("PUT", "/admin/sending", json!({"enabled": true}))
        .expect(200);
    world.send(&shop.key, &["09121234567"]).problem(400, 2001);
    // Nothing but the token is asked of a request that is out of tokens, and 403 stands before that.
    let limit = json!({"rateLimit": {"limit": 1, "windowSeconds": 3_600, "burst": 1}});
    world.admin("PATCH", &account, limit).expect(200);
    while world.send(&shop.key, &["09121234567"]).response.status != 429 {}
    let limited = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .body("text/plain", b"{")
        .send()
        .problem(429, 429);
    assert!(limited.header("Retry-After").unwrap().parse::<u32>().unwrap() >= 1);
    world.get(&shop.key, "/admin/accounts").problem(403, 403);
}

#[test]
fn a_burst_is_admitted_to_the_exact_count_and_waiting_helps() {
    let (world, shop) = World::with_account(0);
    let limit = json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 5}});
    world
        .admin("PATCH", &format!("/admin/accounts/{}", shop.id), limit)
        .expect(200);
    for left in (0..5).rev() {
        let answer = world.get(&shop.key, "/account/info").expect(200);
        assert_eq!(answer.header("RateLimit-Policy"), Some("\"default\";q=60;w=60"));
        assert!(
            answer
                .header("RateLimit")
                .unwrap()
                .starts_with(&format!("\"default\";r={left};t="))
        );
    }
    let refused = world.get(&shop.key, "/account/info").problem(429, 429);
    let wait_s: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
    world.advance(wait_s * 1_000);
    world.get(&shop.key, "/account/info").expect(200);
    world.get(&shop.key, "/account/info").problem(429, 429);
}

#[test]
fn a_failed_request_pays_its_token_too() {
    let (world, shop) = World::with_account(0);
    let left = |answer: support::Answer| answer.header("RateLimit").unwrap().to_owned();
    assert_eq!(
        left(world.get(&shop.key, "/messages/none").problem(404, 404)),
        "\"default\";r=99;t=1"
    );
    let broken = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .body("application/json", b"{")
        .send()
        .problem(400, 400);
    assert_eq!(left(broken), "\"default\";r=98;t=1");
    assert_eq!(
        left(world.get(&shop.key, "/lines?limit=0").problem(422, 422)),
        "\"default\";r=97;t=1"
    );
}

#[test]
fn pages_neither_repeat_nor_hide_when_messages_arrive_in_between() {
    let (world, shop) = World::with_account(100_000);
    let send = |count: usize| {
        (0..count)
            .map(|_| world.send(&shop.key, &["09121234567"]).expect(201).text("/data/uid"))
            .collect::<Vec<_>>()
    };
    let old = send(5);
    let mut seen = Vec::new();
    let mut path = "/messages?limit=2".to_owned();
    loop {
        let page = world.get(&shop.key, &path).expect(200);
        seen.extend(
            page.json["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|message| message["uid"].as_str().unwrap().to_owned()),
        );
        send(1);
        match page.json["meta"]["nextCursor"].as_str() {
            Some(cursor) => path = format!("/messages?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    seen.reverse();
    assert_eq!(seen, old);
    let foreign = world
        .get(&shop.key, "/account/transactions?limit=1")
        .expect(200)
        .text("/meta/nextCursor");
    world
        .get(&shop.key, &format!("/messages?cursor={foreign}"))
        .problem(422, 422);
    for bad in [
        "limit=0",
        "limit=201",
        "limit=x",
        "cursor=x",
        "status=GONE",
        "type=PIGEON",
        "from=yesterday",
        "recipient=x",
    ] {
        let answer = world.get(&shop.key, &format!("/messages?{bad}")).problem(422, 422);
        assert!(
            answer.extra()[0].starts_with(bad.split('=').next().unwrap()),
            "{:?}",
            answer.extra()
        );
    }
}

#[test]
fn messages_are_found_by_what_is_known_of_them() {
    let (world, shop) = World::with_account(100_000);
    let body = json!({"message": "x", "recipients": ["09121234567", "09351234567"], "clientRef": "order 7"});
    let uid = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .json(body)
        .send()
        .expect(201)
        .text("/data/uid");
    world.settle(5_000);
    let late = peyk::time::to_rfc3339(world.now_ms.get());
    world.send(&shop.key, &["09121234568"]).expect(201);
    for found in [
        "status=DONE".to_owned(),
        "clientRef=order+7".to_owned(),
        "recipient=09351234567".to_owned(),
        "type=PLAIN&recipient=%2B989121234567".to_owned(),
        format!("to={late}"),
    ] {
        let page = world.get(&shop.key, &format!("/messages?{found}")).expect(200);
        let uids: Vec<&str> = page.json["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["uid"].as_str().unwrap())
            .collect();
        assert_eq!(uids, [uid.as_str()], "{found}");
    }
    let recipients = world
        .get(
            &shop.key,
            &format!("/messages/{uid}/recipients?limit=1&status=DELIVERED"),
        )
        .expect(200);
    assert_eq!(recipients.text("/data/0/uid"), format!("{uid}.0"));
    let cursor = recipients.text("/meta/nextCursor");
    let rest = world
        .get(
            &shop.key,
            &format!("/messages/{uid}/recipients?limit=1&cursor={cursor}"),
        )
        .expect(200);
    assert_eq!(rest.text("/data/0/uid"), format!("{uid}.1"));
    assert_eq!(rest.json["meta"]["nextCursor"], json!(null));
}

#[test]
fn another_accounts_message_is_as_good_as_none() {
    let (world, shop) = World::with_account(10_000);
    let other = world.account("other", 0);
    let uid = world.send(&shop.key, &["09121234567"]).expect(201).text("/data/uid");
    for path in [format!("/messages/{uid}"), format!("/messages/{uid}/recipients")] {
        let foreign = world
            .request("GET", &path)
            .key(&other.key)
            .request_id("same")
            .send()
            .problem(404, 404);
        let missing = world
            .request("GET", &path.replace(&uid, "none"))
            .key(&other.key)
            .request_id("same")
            .send()
            .problem(404, 404);
        assert_eq!(
            foreign.body.replace(&path, ""),
            missing.body.replace(&path.replace(&uid, "none"), "")
        );
    }
}

#[test]
fn credit_is_added_once_and_never_takes_more_than_there_is() {
    let (world, shop) = World::with_account(1_000);
    let path = format!("/admin/accounts/{}/credit", shop.id);
    let credit = |body: serde_json::Value| {
        world
            .request("POST", &path)
            .key(&world.admin_key)
            .idempotency_key("c1")
            .json(body)
            .send()
    };
    let first = credit(json!({"amount": 500, "note": "top-up"})).expect(201);
    assert_eq!(first.int("/data/wallet/availableBalance"), 1_500);
    world.send(&shop.key, &["09121234567"]).expect(201);
    let again = credit(json!({"amount": 500, "note": "top-up"})).expect(201);
    assert_eq!(again.json["data"], first.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    credit(json!({"amount": 501})).problem(422, 422);
    assert_eq!(balance(&world, &shop.key), (500, 1_000));
    world.admin("POST", &path, json!({"amount": -501})).problem(400, 2001);
    world.admin("POST", &path, json!({"amount": -500})).expect(201);
    world
        .admin("POST", &path, json!({"amount": 9_007_199_254_740_991i64}))
        .problem(409, 409);
    for bad in [
        json!(0),
        json!(1.5),
        json!("5"),
        json!(9_007_199_254_740_992i64),
        json!(null),
    ] {
        world.admin("POST", &path, json!({"amount": bad})).problem(422, 422);
    }
    world
        .admin("POST", "/admin/accounts/none/credit", json!({"amount": 5}))
        .problem(404, 404);
    assert_eq!(balance(&world, &shop.key), (0, 1_000));
}

#[test]
fn accounts_are_made_listed_and_changed() {
    let (world, shop) = World::with_account(7_000);
    world
        .admin("POST", "/admin/accounts", json!({"username": "shop", "fullName": "x"}))
        .problem(409, 409);
    let bad = world
        .admin("POST", "/admin/accounts", json!({"username": "a b", "plan": "none"}))
        .problem(422, 422);
    assert_eq!(bad.extra().len(), 3, "{:?}", bad.extra());
    let path = format!("/admin/accounts/{}", shop.id);
    let bad = json!({"status": "ASLEEP", "sendingEnabled": "no", "plan": "none", "defaultLine": "404", "fullName": "",
        "rateLimit": {"limit": 0, "burst": 1}});
    assert_eq!(world.admin("PATCH", &path, bad).problem(422, 422).extra().len(), 7);
    let changed = world
        .admin("PATCH", &path, json!({"fullName": "Shop & Co", "status": "INACTIVE"}))
        .expect(200);
    assert_eq!(
        (changed.text("/data/fullName"), changed.text("/data/status")),
        ("Shop & Co".into(), "INACTIVE".into())
    );
    assert_eq!(
        changed.json["data"]["rateLimit"],
        json!({"limit": 600, "windowSeconds": 60, "burst": 100})
    );
    world.settle(5_000);
    let listed = world.get(&world.admin_key, "/admin/accounts").expect(200);
    let (mirror, truth) = (&listed.json["data"][0], world.get(&world.admin_key, &path).expect(200));
    for member in [
        "id",
        "status",
        "sendingEnabled",
        "wallet",
        "plan",
        "defaultLine",
        "fullName",
    ] {
        assert_eq!(mirror[member], truth.json["data"][member], "{member}");
    }
    world
        .get(&world.admin_key, "/admin/accounts/operator")
        .problem(404, 404);
    world
        .admin("PATCH", "/admin/accounts/none", json!({}))
        .problem(404, 404);
}

#[test]
fn lines_are_made_changed_and_removed() {
    let (world, shop) = World::with_account(0);
    let admin = |method: &str, path: &str, body: serde_json::Value| world.admin(method, path, body);
    let line = json!({"number": "+982100", "carrier": "sandbox", "operations": ["PATTERN"], "accounts": [shop.id],
        "coefficients": {"PERSIAN": 1.25, "MTN": 0}});
    let made = admin("POST", "/admin/lines", line.clone()).expect(201);
    assert_eq!(
        made.json["data"]["coefficients"],
        json!({"PERSIAN": 1.25, "ENGLISH": 1.0, "MCI": 1.0, "MTN": 0.0, "WEBSERVICE": 1.0, "PATTERN": 1.0})
    );
    assert_eq!(made.json["data"]["accounts"], json!([shop.id]));
    admin("POST", "/admin/lines", line).problem(409, 409);
    let bad = json!({"number": "x", "carrier": "none", "operations": ["FLY"], "accounts": ["nobody"], "coefficients": {"MCI": 0.00001}});
    assert_eq!(admin("POST", "/admin/lines", bad).problem(422, 422).extra().len(), 5);
    let changed = admin(
        "PATCH",
        "/admin/lines/+982100",
        json!({"accounts": [], "active": false}),
    )
    .expect(200);
    assert_eq!(
        (&changed.json["data"]["accounts"], &changed.json["data"]["active"]),
        (&json!([]), &json!(false))
    );
    admin("DELETE", "/admin/lines/10001", json!(null)).problem(409, 409);
    admin("DELETE", "/admin/lines/%2B982100", json!(null)).expect(204);
    admin("GET", "/admin/lines/+982100", json!(null)).problem(404, 404);
    admin("PATCH", "/admin/lines/+982100", json!({})).problem(404, 404);
    assert_eq!(
        admin("GET", "/admin/lines", json!(null)).expect(200).json["data"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn plans_set_the_price() {
    let (world, shop) = World::with_account(100_000);
    let plan = json!({"slug": "gold", "title": "Gold", "tariff": {"slug": "g", "title": "G", "price": 700}});
    world.admin("POST", "/admin/plans", plan.clone()).expect(201);
    world.admin("POST", "/admin/plans", plan).problem(409, 409);
    let bad = world.admin(
        "POST",
        "/admin/plans",
        json!({"slug": "no spaces", "tariff": {"price": -1}, "refunds": ["DELIVERED"]}),
    );
    assert_eq!(bad.problem(422, 422).extra().len(), 6);
    world
        .admin(
            "PATCH",
            &format!("/admin/accounts/{}", shop.id),
            json!({"plan": "gold"}),
        )
        .expect(200);
    let line = json!({"coefficients": {"PERSIAN": 1.5, "ENGLISH": 0.3333, "MCI": 2}});
    world.admin("PATCH", "/admin/lines/10001", line).expect(200);
    let tariff = world.get(&shop.key, "/plan/tariff").expect(200);
    assert_eq!(
        tariff.json["data"]["tariff"],
        json!({"title": "G", "price": 700, "slug": "g"})
    );
    assert_eq!(tariff.json["data"]["textsCoefficients"][0]["PERSIAN"], json!(1.5));
    let cost = |message: &str, recipient: &str| {
        let body = json!({"message": message, "recipients": [recipient]});
        world
            .request("POST", "/sms/send")
            .key(&shop.key)
            .json(body)
            .send()
            .expect(201)
            .int("/data/cost")
    };
    assert_eq!(cost("سلام", "09121234567"), 2_100);
    assert_eq!(cost("hello", "09351234567"), 234, "233.31 rounded up");
    world
        .admin("PATCH", "/admin/plans/gold", json!({"tariff": {"price": 1_000}}))
        .expect(200);
    assert_eq!(cost("سلام", "09351234567"), 1_500);
    world.admin("PATCH", "/admin/plans/none", json!({})).problem(404, 404);
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
        assert_eq!(
            answer.header("RateLimit"),
            None,
            "a request without an account pays nothing"
        );
    }
    let own = world
        .request("GET", "/health")
        .request_id("not usable!")
        .send()
        .expect(200);
    assert_eq!(own.header("X-Request-Id").unwrap().len(), 36);
}

#[test]
fn an_unexpected_failure_is_a_problem_whose_cause_is_in_the_log_alone() {
    let (world, shop) = World::with_account(1_000);
    world.chaos.set(1);
    let failed = world.send(&shop.key, &["09121234567"]).problem(500, 500);
    world.chaos.set(0);
    assert!(!failed.body.contains("crashed"));
    let log = world.log.borrow();
    let line = log.iter().find(|line| line.contains("crashed")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["requestId"].as_str(), failed.header("X-Request-Id"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_body_whatever_is_answered_with_our_fault(body in prop::collection::vec(any::<u8>(), 0..200), json in "[{}\\[\\]\",:a-z0-9. ]{0,60}") {
        let (world, shop) = World::with_account(1_000);
        for bytes in [body.as_slice(), json.as_bytes()] {
            let answer = world.request("POST", "/sms/send").key(&shop.key).body("application/json", bytes).send();
            prop_assert!(matches!(answer.response.status, 400 | 422), "{}", answer.body);
        }
        prop_assert_eq!(balance(&world, &shop.key), (1_000, 0));
    }
}

#[test]
fn lists_of_operators_stay_whole_while_things_come_and_go() {
    let (world, shop) = World::with_account(0);
    let make = |n: u32| {
        let line =
            json!({"number": format!("2000{n}"), "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true});
        world.admin("POST", "/admin/lines", line).expect(201);
        let plan = json!({"slug": format!("plan{n}"), "title": "x", "tariff": {"slug": "t", "title": "t", "price": 1}});
        world.admin("POST", "/admin/plans", plan).expect(201);
        let account = json!({"username": format!("shop{n}"), "fullName": "x"});
        world.admin("POST", "/admin/accounts", account).expect(201);
        let key = json!({"title": format!("key{n}")});
        world
            .admin("POST", &format!("/admin/accounts/{}/keys", shop.id), key)
            .expect(201);
    };
    [1, 3, 5, 7].into_iter().for_each(make);
    world.advance(31_000);
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    let lists = [
        (world.admin_key.as_str(), "/admin/lines", "number"),
        (&world.admin_key, "/admin/plans", "slug"),
        (&world.admin_key, "/admin/accounts", "username"),
        (&world.admin_key, keys.as_str(), "title"),
        (&shop.key, "/lines", "number"),
    ];
    let page = |key: &str, path: &str, name: &str, query: &str| {
        let page = world.get(key, &format!("{path}?limit=2{query}")).expect(200);
        let items = page.json["data"].as_array().unwrap().iter();
        let names: Vec<String> = items.map(|item| item[name].as_str().unwrap().to_owned()).collect();
        (names, page.json["meta"]["nextCursor"].as_str().map(str::to_owned))
    };
    let firsts = lists.map(|(key, path, name)| page(key, path, name, ""));
    [2, 6].into_iter().for_each(make);
    world.advance(31_000);
    for ((key, path, name), (mut seen, mut cursor)) in lists.into_iter().zip(firsts) {
        while let Some(next) = cursor {
            let (names, after) = page(key, path, name, &format!("&cursor={next}"));
            seen.extend(names);
            cursor = after;
        }
        let mut once = seen.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), seen.len(), "{path} repeats: {seen:?}");
        for n in [1, 3, 5, 7] {
            assert!(
                seen.iter().any(|name| name.ends_with(&n.to_string())),
                "{path} hides {n}: {seen:?}"
            );
        }
    }
}

#[test]
fn operators_are_limited_too_on_every_route_of_theirs() {
    let world = World::new();
    let spend = |path: &str| world.request("GET", path).key(&world.admin_key).send();
    (0..1_000).for_each(|_| drop(spend("/admin/plans").expect(200)));
    for route in peyk::routes::ROUTES
        .iter()
        .filter(|route| route.path.starts_with("/admin/"))
    {
        let answer = world
            .request(route.method, route.path)
            .key(&world.admin_key)
            .body("text/plain", b"{")
            .send();
        assert!(
            answer.problem(429, 429).header("Retry-After").is_some(),
            "{}",
            route.path
        );
    }
}
