//! What operators read of an account to help its people.

use serde_json::{Value, json};

use crate::support::time::{DAY_MS, MINUTE_MS};
use crate::support::{Account, World};

fn send(world: &World, key: &str, number: &str) -> String {
    let body = json!({"message": "a customer's words", "recipients": [number]});
    world.posted(key, "/sms/send", body).text("/data/uid")
}

/// A world whose account has sent two messages, and one with a test key: their uids, the newest first.
fn world() -> (World, Account, [String; 3]) {
    let (world, shop) = World::with_account(1_000_000);
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    let first = send(&world, &shop.key, "09121234567");
    let second = send(&world, &shop.key, "09351234567");
    let of_test = send(&world, &test, "09121234567");
    world.settle(MINUTE_MS);
    (world, shop, [of_test, second, first])
}

#[test]
fn messages_are_found_by_recipient_and_by_uid_as_the_account_sees_them() {
    let (world, shop, uids) = world();
    let list = |query: &str| world.all(&world.admin_key, &shop.path(&format!("/messages?{query}")));
    let uids_of = |items: Vec<Value>| -> Vec<String> {
        let uid = |item: &Value| item["uid"].as_str().unwrap().to_owned();
        items.iter().map(uid).collect()
    };
    assert_eq!(uids_of(list("limit=1")), uids, "of live and of test keys, page by page");
    assert_eq!(uids_of(list("recipient=09351234567")), uids[1..2]);
    assert_eq!(list("status=CANCELED"), Vec::<Value>::new());
    let own = world.all(&shop.key, "/messages");
    assert_eq!(list("limit=10")[1..], own[..]);
    let path = |uid: &str| shop.path(&format!("/messages/{uid}"));
    let shown = world.look(&path(&uids[1]));
    assert_eq!(shown.json["data"], world.message(&shop.key, &uids[1]).json["data"]);
    let of_test = world.look(&path(&uids[0]));
    of_test.has(json!({"test": true, "message": "a customer's words"}));
    let missing = "019b796d-0000-7000-8000-000000000000";
    world.get(&world.admin_key, &path(missing)).problem(404, 404);
    let other = world.account("other", 0);
    world
        .get(&world.admin_key, &other.path(&format!("/messages/{}", uids[1])))
        .problem(404, 404);
    world
        .get(&world.admin_key, "/admin/accounts/none/messages")
        .problem(404, 404);
    world
        .get(&world.admin_key, &format!("/admin/accounts/none/messages/{}", uids[1]))
        .problem(404, 404);
    world
        .get(&world.admin_key, &shop.path("/messages?status=GONE"))
        .problem(422, 422);
    world.get(&shop.key, &shop.path("/messages")).problem(403, 403);
}

#[test]
fn the_ledger_is_read_as_the_account_reads_it_also_as_a_file_and_after_a_closing() {
    let (world, shop, _) = world();
    let path = shop.path("/transactions");
    let own = world.all(&shop.key, "/account/transactions");
    assert_eq!(own.len(), 5);
    assert_eq!(world.all(&world.admin_key, &format!("{path}?limit=2")), own);
    let credits = world.all(&world.admin_key, &format!("{path}?type=CREDIT"));
    assert_eq!(credits.len(), 1);
    let file = world.read(&world.admin_key, &format!("{path}?format=csv"));
    assert_eq!(
        file.body,
        world.read(&shop.key, "/account/transactions?format=csv").body
    );
    world
        .get(&world.admin_key, "/admin/accounts/none/transactions")
        .problem(404, 404);
    world
        .get(&world.admin_key, &format!("{path}?type=GIFT"))
        .problem(422, 422);
    world.create(&shop.path("/credit"), json!({"amount": -998_000}));
    world.delete(&world.admin_key, &shop.path("")).expect(204);
    world.settle(DAY_MS);
    assert_eq!(world.all(&world.admin_key, &path).len(), 6);
}

#[test]
fn webhooks_and_what_became_of_their_events_are_read_by_mode() {
    let (world, shop, _) = world();
    let endpoint = json!({"url": "https://shop.example/peyk", "events": ["message.status"]});
    let id = world.posted(&shop.key, "/webhook", endpoint).text("/data/id");
    world.settle(MINUTE_MS);
    send(&world, &shop.key, "09121234567");
    world.settle(MINUTE_MS);
    let webhooks = world.look(&shop.path("/webhooks"));
    assert_eq!(webhooks.json["data"], world.read(&shop.key, "/webhook").json["data"]);
    assert!(!webhooks.body.contains("whsec_"), "no secret is shown");
    assert_eq!(world.look(&shop.path("/webhooks?mode=test")).items().len(), 0);
    let path = shop.path(&format!("/webhooks/{id}/deliveries"));
    let deliveries = world.look(&path);
    assert_eq!(
        deliveries.json["data"],
        world.read(&shop.key, &format!("/webhook/{id}/deliveries")).json["data"]
    );
    assert!(!deliveries.items().is_empty());
    assert!(!deliveries.body.contains("9121234567"), "no number is shown");
    world
        .get(&world.admin_key, &format!("{path}?mode=test"))
        .problem(404, 404);
    world
        .get(&world.admin_key, &shop.path("/webhooks/none/deliveries"))
        .problem(404, 404);
    world
        .get(&world.admin_key, "/admin/accounts/none/webhooks")
        .problem(404, 404);
    world
        .get(
            &world.admin_key,
            &format!("/admin/accounts/none/webhooks/{id}/deliveries"),
        )
        .problem(404, 404);
    world
        .get(&world.admin_key, &shop.path("/webhooks?mode=x"))
        .problem(422, 422);
}

#[test]
fn a_member_tells_when_the_person_signed_in_last() {
    let (world, shop) = World::with_account(0);
    let member = json!({"phone": "09161234567", "name": "Sara", "role": "VIEWER", "invite": false});
    let id = world.posted(&shop.key, "/members", member).text("/data/id");
    let members = || world.look(&shop.path("/members")).json["data"][0]["lastSignInAt"].clone();
    assert_eq!(members(), Value::Null);
    world.advance(MINUTE_MS);
    let link = world
        .post(&shop.key, &format!("/members/{id}/link"), json!({}))
        .expect(201);
    world.enter(&link.text("/data/code")).expect(204);
    assert_eq!(members(), peyk::base::time::to_rfc3339(world.now_ms.get()));
    let own = world.read(&shop.key, "/members").json["data"][0]["lastSignInAt"].clone();
    assert_eq!(own, members());
}
