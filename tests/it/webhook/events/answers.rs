//! What receivers answer: how much of it the log keeps, as what, who reads it, and when it goes.

use peyk::base::ports::{IncomingResponse, PortError};
use serde_json::{Value, json};

use super::{deliveries, endpoint, listen};
use crate::support::{Account, World, time::DAY_MS, time::MINUTE_MS, time::SECOND_MS};

fn says(status: u16, body: &str) -> Result<IncomingResponse, PortError> {
    Ok(IncomingResponse {
        status,
        retry_after: None,
        body: body.to_owned(),
    })
}

/// What the log of an endpoint shows of the answer to its only delivery.
fn shown(world: &World, shop: &Account, id: &str) -> Value {
    let log = deliveries(world, shop, id);
    assert_eq!(log.len(), 1);
    let one = format!("/webhook/{id}/deliveries/{}", log[0]["id"].as_str().unwrap());
    let one = world.read(&shop.key, &one).json["data"]["responseBody"].clone();
    assert_eq!(log[0]["responseBody"], one);
    one
}

#[test]
fn the_log_has_what_was_answered_last() {
    let (world, shop) = World::with_account(100_000);
    listen(&world, |count, _| match count {
        0 => says(500, "no such table: orders"),
        1 => Err(PortError::unavailable("fetch", "no response")),
        2 => says(503, ""),
        _ => says(200, "{\"ok\": true}"),
    });
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    let delivery = world
        .post(&shop.key, &format!("/webhook/{id}/test"), json!({}))
        .expect(201);
    delivery.has(json!({"responseStatus": null, "responseBody": null}));
    for (wait_ms, wanted) in [
        (SECOND_MS, json!("no such table: orders")),
        (10 * SECOND_MS, json!(null)),
        (10 * MINUTE_MS, json!("")),
        (DAY_MS, json!("{\"ok\": true}")),
    ] {
        world.settle(wait_ms);
        assert_eq!(shown(&world, &shop, &id), wanted);
    }
    let quoted = ["no such table", "\\\"ok\\\": true"].map(|words| world.has_logged(words));
    assert_eq!(quoted, [false, false], "the service's own log quotes no receiver");
}

#[test]
fn a_receiver_that_is_gone_has_said_so() {
    let (world, shop) = World::with_account(100_000);
    listen(&world, |_, _| says(410, "moved to the cloud"));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world
        .post(&shop.key, &format!("/webhook/{id}/test"), json!({}))
        .expect(201);
    world.settle(MINUTE_MS);
    let log = deliveries(&world, &shop, &id);
    let of_test = log.iter().find(|delivery| delivery["type"] == "webhook.test").unwrap();
    assert_eq!(of_test["responseBody"], "moved to the cloud");
    let noted = log.iter().find(|delivery| delivery["status"] == "NOTED").unwrap();
    assert_eq!(noted["responseBody"], json!(null));
}

#[test]
fn an_answer_is_cut_and_is_plain_text_whatever_it_was() {
    for (body, wanted) in [
        ("🙂".repeat(5_000), "🙂".repeat(1_000)),
        ("x".repeat(70_000), "x".repeat(1_000)),
        ("\u{fffd}PNG\r\n\u{1a}\n\0\0".to_owned(), "\u{fffd}PNG\n\n".to_owned()),
        (
            "<script>alert(1)</script>".to_owned(),
            "<script>alert(1)</script>".to_owned(),
        ),
        ("\u{202e}gnp.exe".to_owned(), "gnp.exe".to_owned()),
    ] {
        let (world, shop) = World::with_account(100_000);
        let answer = body.clone();
        listen(&world, move |_, _| says(200, &answer));
        let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.settle(MINUTE_MS);
        assert_eq!(shown(&world, &shop, &id), json!(wanted));
    }
}

#[test]
fn who_may_not_read_an_event_reads_no_answer_to_it() {
    let (world, shop) = World::with_account(100_000);
    listen(&world, |_, hit| says(500, &hit.text));
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(SECOND_MS);
    let own = deliveries(&world, &shop, &id);
    assert!(own[0]["responseBody"].as_str().unwrap().contains("+989121234567"));
    let scopes = json!({"title": "endpoints only", "scopes": ["webhook"]});
    let blind = world.grant(&shop, scopes).text("/data/key");
    let list = world.read(&blind, &format!("/webhook/{id}/deliveries"));
    assert_eq!(list.items()[0]["responseBody"], json!(null));
    assert_eq!(list.items()[0]["responseStatus"], json!(500));
    let again = format!("/webhook/{id}/deliveries/{}/redeliver", own[0]["id"].as_str().unwrap());
    world
        .post(&blind, &again, json!({}))
        .expect(200)
        .has(json!({"responseBody": null}));
    let test = world
        .post(&blind, &format!("/webhook/{id}/test"), json!({}))
        .expect(201);
    world.settle(MINUTE_MS);
    let list = world.read(&blind, &format!("/webhook/{id}/deliveries"));
    let of_test = list
        .items()
        .iter()
        .find(|item| item["id"] == test.json["data"]["id"])
        .unwrap();
    assert!(of_test["responseBody"].as_str().unwrap().contains("webhook.test"));
}

#[test]
fn an_answer_goes_with_its_delivery() {
    let (world, shop) = World::with_account(100_000);
    listen(&world, |_, _| says(200, "done"));
    endpoint(&world, &shop, &["message.status"]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    assert_eq!(world.webhook_sql(&shop.id).count("delivery WHERE answer = 'done'"), 1);
    world.settle(31 * DAY_MS);
    assert_eq!(world.webhook_sql(&shop.id).count("delivery"), 0);
}
