//! The time zone of an account: what it is, who sets it, and who sees it.

use serde_json::json;

use crate::support::{Account, World};

fn zone(world: &World, shop: &Account) -> String {
    world
        .read(&shop.key, "/account/info")
        .text("/data/accountInfo/timeZone")
}

#[test]
fn an_account_has_the_zone_of_tehran_until_it_sets_another() {
    let (world, shop) = World::with_account(0);
    assert_eq!(zone(&world, &shop), "Asia/Tehran");
    let set = |body: serde_json::Value| world.ask("PATCH", &shop.key, "/account/info").json(body).send();
    let answer = set(json!({"timeZone": "Europe/Berlin"})).expect(200);
    assert_eq!(answer.json["data"], json!({"timeZone": "Europe/Berlin"}));
    assert_eq!(zone(&world, &shop), "Europe/Berlin");
    set(json!({})).expect(200).has(json!({"timeZone": "Europe/Berlin"}));
    let session = world.signed_in(&shop.key);
    let told = world.page(&session, "/console/session").expect(200);
    assert_eq!(told.text("/data/account/timeZone"), "Europe/Berlin");
}

#[test]
fn a_zone_that_nobody_knows_is_refused_and_changes_nothing() {
    let (world, shop) = World::with_account(0);
    for bad in [
        json!("Mars/Phobos"),
        json!("+03:30"),
        json!(""),
        json!(3),
        json!("x".repeat(65)),
    ] {
        let refused = world.ask("PATCH", &shop.key, "/account/info");
        let refused = refused.json(json!({"timeZone": bad})).send().problem(422, 422);
        assert_eq!(refused.text("/errors/0/pointer"), "/timeZone", "{bad}");
    }
    assert_eq!(zone(&world, &shop), "Asia/Tehran");
}

#[test]
fn only_who_manages_keys_sets_it() {
    let (world, shop) = World::with_account(0);
    for (scopes, mode) in [
        (json!(["account:read", "sms:send"]), "live"),
        (json!(["account:read", "keys"]), "test"),
    ] {
        let new = json!({"title": "other", "scopes": scopes, "mode": mode});
        let key = world.grant(&shop, new).text("/data/key");
        let request = world.ask("PATCH", &key, "/account/info");
        request.json(json!({"timeZone": "UTC"})).send().refused(403);
    }
    assert_eq!(zone(&world, &shop), "Asia/Tehran");
}
