//! An operator's order takes a number out of all accounts. An account's own order leaves the others alone.

use serde_json::{Value, json};

use crate::support::{Account, World};

const NUMBER: &str = "09121234567";
/// What stands in each form of the number.
const DIGITS: [&str; 1] = ["9121234567"];
/// An order that nothing keeps from being done is done after this time, ms: the accounts' two hours, and a look at each of them.
const DONE_MS: i64 = 3 * 60 * 60 * 1_000;

/// Gives an account a message to the number, a scheduled one, and an entry of a phonebook.
fn fill(world: &World, shop: &Account) {
    world.sent(&shop.key, &[NUMBER]);
    world.posted(
        &shop.key,
        "/sms/send",
        json!({"message": "later", "recipients": [NUMBER], "sendAt": "2026-01-02T12:00:00Z"}),
    );
    world.phonebook(&shop.key, "book", json!([{"number": NUMBER, "name": "Sara"}]));
    world.settle(60_000);
}

fn order(world: &World) -> String {
    world
        .admin("POST", "/admin/erasures", json!({"number": NUMBER}))
        .expect(202)
        .text("/data/id")
}

#[track_caller]
fn assert_done(world: &World, id: &str) -> Value {
    let order = world.look(&format!("/admin/erasures/{id}"));
    assert_eq!(order.text("/data/status"), "DONE", "{}", order.body);
    order.json["data"].clone()
}

#[track_caller]
fn assert_nowhere(world: &World) {
    let places = world.places_of(&DIGITS);
    assert!(places.is_empty(), "{}", places.join("\n"));
}

#[test]
fn an_operators_order_takes_the_number_out_of_all_accounts_more_than_one_go_asks() {
    let (world, first) = World::with_account(1_000_000);
    let others: Vec<Account> = (0..44)
        .map(|shop| world.account(&format!("shop-{shop}"), 10_000))
        .collect();
    let filled = [&first, &others[20], &others[43]];
    filled.iter().for_each(|shop| fill(&world, shop));
    let id = order(&world);
    world.settle(DONE_MS);
    let order = assert_done(&world, &id);
    let met = ["recipients", "canceled", "phonebookNumbers"].map(|member| order["found"][member].as_i64());
    assert_eq!(
        (order["accounts"].as_i64(), met),
        (Some(45), [Some(6), Some(3), Some(3)])
    );
    assert_nowhere(&world);
}

#[test]
fn an_account_sees_the_operators_order_in_its_own_list() {
    let (world, shop) = World::with_account(1_000_000);
    let scopes = json!({"title": "privacy", "scopes": ["erasure"]});
    let key = world.grant(&shop, scopes).text("/data/key");
    fill(&world, &shop);
    let id = order(&world);
    world.settle(DONE_MS);
    let own = world.read(&key, &format!("/erasures/{id}"));
    let said = ["id", "orderedBy", "status", "accounts"].map(|member| own.json["data"][member].clone());
    assert_eq!(said, [json!(id), json!("OPERATORS"), json!("DONE"), Value::Null]);
    assert_eq!(own.int("/data/found/recipients"), 2);
    assert_eq!(world.all(&key, "/erasures?limit=10").len(), 1);
}

#[test]
fn an_accounts_own_order_leaves_the_other_accounts_as_they_are() {
    let (world, shop) = World::with_account(1_000_000);
    let other = world.account("other", 1_000_000);
    for account in [&shop, &other] {
        fill(&world, account);
    }
    let scopes = json!({"title": "privacy", "scopes": ["erasure"]});
    let key = world.grant(&shop, scopes).text("/data/key");
    let seen = |account: &Account| {
        ["/messages", "/phonebook", "/account/transactions"]
            .map(|path| world.all(&account.key, &format!("{path}?limit=100")))
    };
    let (before, places) = (seen(&other), world.places_of(&DIGITS).len());
    let own = world.post(&key, "/erasures", json!({"number": NUMBER})).expect(202);
    world.settle(DONE_MS);
    let order = world.read(&key, &format!("/erasures/{}", own.text("/data/id")));
    let said = ["orderedBy", "status"].map(|member| order.text(&format!("/data/{member}")));
    assert_eq!(said, ["ACCOUNT", "DONE"]);
    assert_eq!(seen(&other), before);
    assert!(world.places_of(&DIGITS).len() < places);
    let found = world.all(&other.key, &format!("/messages?recipient={NUMBER}&limit=100"));
    assert_eq!(found.len(), 2);
}

#[test]
fn accounts_that_cannot_be_reached_keep_the_order_running_and_nothing_counts_twice() {
    let (world, shop) = World::with_account(1_000_000);
    let other = world.account("other", 1_000_000);
    for account in [&shop, &other] {
        fill(&world, account);
    }
    let id = order(&world);
    world.failing_request.set(Some("StartErasure"));
    world.settle(DONE_MS);
    let order = world.look(&format!("/admin/erasures/{id}"));
    assert_eq!(
        (order.text("/data/status"), order.int("/data/accounts")),
        ("RUNNING".to_owned(), 0)
    );
    world.failing_request.set(None);
    world.settle(DONE_MS / 2);
    world.kill();
    world.settle(DONE_MS);
    let order = assert_done(&world, &id);
    assert_eq!(
        (&order["accounts"], &order["found"]["recipients"]),
        (&json!(2), &json!(4))
    );
    assert_nowhere(&world);
}

#[test]
fn an_account_with_as_many_orders_as_may_run_gets_the_operators_order_all_the_same() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let scopes = json!({"title": "privacy", "scopes": ["erasure"]});
    let key = world.grant(&shop, scopes).text("/data/key");
    fill(&world, &shop);
    for number in 0..100 {
        let body = json!({"number": format!("0935000{number:04}")});
        world.post(&key, "/erasures", body).expect(202);
    }
    let more = json!({"number": "09350001000"});
    world.post(&key, "/erasures", more).problem(409, 409);
    let id = order(&world);
    world.settle(60_000);
    let own = world.read(&key, &format!("/erasures/{id}"));
    assert_eq!(own.text("/data/orderedBy"), "OPERATORS");
    world.settle(2 * DONE_MS);
    assert_done(&world, &id);
    assert_nowhere(&world);
}

#[test]
fn who_may_read_only_gives_no_order_and_a_customers_key_has_nothing_to_do_here() {
    let (world, shop) = World::with_account(1_000_000);
    let made = world.create("/admin/keys", json!({"title": "reader", "scopes": ["admin:read"]}));
    let reader = made.text("/data/key");
    let body = json!({"number": NUMBER});
    world.post(&reader, "/admin/erasures", body.clone()).problem(403, 403);
    world.read(&reader, "/admin/erasures");
    world.post(&shop.key, "/admin/erasures", body).problem(403, 403);
    world.get(&shop.key, "/admin/erasures").problem(403, 403);
    world
        .admin("POST", "/admin/erasures", json!({"number": "0912"}))
        .problem(422, 422);
    let missing = "/admin/erasures/019b796d-0000-7000-8000-000000000004";
    world.get(&reader, missing).problem(404, 404);
    assert_eq!(world.all(&world.admin_key, "/admin/erasures?limit=10").len(), 0);
}
