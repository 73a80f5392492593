//! What ends a verification, and what comes with it.

use serde_json::{Value, json};

use super::{MINUTE_MS, MONEY, PHONE, check, code, start, started, texts, world, wrong};
use crate::support::World;

fn status(world: &World, key: &str, id: &str) -> String {
    world.read(key, &format!("/verify/{id}")).text("/data/status")
}

/// The status in the row, which the object writes when it comes to it.
fn stored(world: &World, shop: &crate::support::Account) -> Vec<i64> {
    let rows = world.rows(shop, "SELECT status FROM verification ORDER BY number");
    rows.iter().map(|row| row.int(0).unwrap()).collect()
}

#[test]
fn a_code_outlives_nothing() {
    let (world, shop) = world();
    world.change("/admin/carriers/kannel", json!({"paused": true}));
    world.advance(31_000);
    let answer = start(&world, &shop.key, json!({"recipient": PHONE})).expect(201);
    world.settle(2 * MINUTE_MS + 3_000);
    assert_eq!(status(&world, &shop.key, &answer.text("/data/id")), "EXPIRED");
    assert_eq!(stored(&world, &shop), [3]);
    let message = world.message(&shop.key, &answer.text("/data/messageUid"));
    assert_eq!(message.text("/data/status"), "CANCELED");
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    world.change("/admin/carriers/kannel", json!({"paused": false}));
    world.settle(MINUTE_MS);
    assert_eq!(texts(&world), Vec::<String>::new());
}

#[test]
fn each_expires_in_its_time() {
    let (world, shop) = world();
    for (number, ttl) in [(1, 900), (2, 60), (3, 300)] {
        let body = json!({"recipient": format!("0912123450{number}"), "ttlSeconds": ttl});
        start(&world, &shop.key, body).expect(201);
    }
    for (ms, expected) in [
        (MINUTE_MS + 3_000, [0, 3, 0]),
        (4 * MINUTE_MS, [0, 3, 3]),
        (10 * MINUTE_MS, [3, 3, 3]),
    ] {
        world.settle(ms);
        assert_eq!(stored(&world, &shop), expected);
    }
}

#[test]
fn more_than_one_go_can_end_expire() {
    let (world, shop) = world();
    for number in 0..450 {
        started(&world, &shop.key, &format!("0913{:07}", number * 10_001));
    }
    world.settle(3 * MINUTE_MS);
    assert_eq!(world.count(&shop, "verification WHERE status = 3"), 450);
    assert_eq!(
        world.number(&shop, "SELECT verify_first + verify_due_ms FROM account"),
        0
    );
    assert_eq!(world.number(&shop, "SELECT sum(started) FROM verify_day"), 450);
}

#[test]
fn the_accounts_program_hears_of_each_end() {
    let (world, shop) = world();
    let url = "https://hook.example/peyk";
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::<Value>::new()));
    let heard = std::rc::Rc::clone(&told);
    *world.receiver.borrow_mut() = Some(Box::new(move |request| {
        if request.url.contains("hook.example") {
            let event: Value = serde_json::from_str(&request.body).unwrap();
            heard.borrow_mut().push(event);
        }
        Some(Ok(peyk::base::ports::IncomingResponse {
            status: 200,
            retry_after: None,
            body: String::new(),
        }))
    }));
    let hook = world
        .grant(
            &shop,
            json!({"title": "hook", "scopes": ["webhook", "verify", "sms:read"]}),
        )
        .text("/data/key");
    world.posted(&hook, "/webhook", json!({"url": url, "events": ["verify.status"]}));
    world.settle(1_000);
    let expired = started(&world, &shop.key, "09121234561");
    let canceled = started(&world, &shop.key, "09121234562");
    world.delete(&shop.key, &format!("/verify/{canceled}")).expect(200);
    let failed = started(&world, &shop.key, "09121234563");
    for _ in 0..5 {
        check(&world, &shop.key, &failed, "1111").expect(200);
    }
    world.settle(5 * MINUTE_MS);
    let mut seen: Vec<(String, String)> = told
        .borrow()
        .iter()
        .map(|event| {
            assert_eq!(event["type"], "verify.status");
            let text = |name: &str| event["data"][name].as_str().unwrap().to_owned();
            (text("id"), text("status"))
        })
        .collect();
    seen.sort();
    let mut expected = vec![
        (expired, "EXPIRED".to_owned()),
        (canceled, "CANCELED".to_owned()),
        (failed, "FAILED".to_owned()),
    ];
    expected.sort();
    assert_eq!(seen, expected);
}

#[test]
fn an_old_verification_is_forgotten_with_its_message() {
    let (world, shop) = world();
    let id = started(&world, &shop.key, PHONE);
    let right = code(&world);
    check(&world, &shop.key, &id, &wrong(&right)).expect(200);
    for _ in 0..2 {
        world.advance(100 * 24 * 60 * MINUTE_MS);
        world.ring(&shop.id);
    }
    world.get(&shop.key, &format!("/verify/{id}")).problem(404, 404);
    assert_eq!(world.count(&shop, "verification"), 0);
}

/// A code that was right in the time that is gone is not right a second time.
#[test]
fn a_restore_of_the_account_ends_what_was_pending() {
    let (world, shop) = world();
    let id = started(&world, &shop.key, PHONE);
    let right = code(&world);
    world.sql(&shop.id).note_history(world.now_ms.get());
    let at = peyk::base::time::to_rfc3339(world.now_ms.get());
    world.advance(1_000);
    check(&world, &shop.key, &id, &right).expect(200);
    let back = json!({"at": at, "reason": "a test"});
    world.admin("POST", &shop.path("/restore"), back).expect(200);
    assert_eq!(status(&world, &shop.key, &id), "EXPIRED");
    check(&world, &shop.key, &id, &right).problem(422, 3019);
}
