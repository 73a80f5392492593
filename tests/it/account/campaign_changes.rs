//! What changes of campaigns, and steps that come again and again, can't do.

use serde_json::{Value, json};

use super::campaigns::{
    MONEY, assert_reconciled, campaign, make, number, once, phonebook, recipients, started, steer, taken,
};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Answer, World, assert_has};

fn change(world: &World, key: &str, id: &str, body: Value) -> Answer {
    world.ask("PATCH", key, &format!("/campaigns/{id}")).json(body).send()
}

#[test]
fn a_change_names_no_time_zone_that_nobody_knows() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", [1]);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "sendAt": "2026-01-02T00:00:00Z"});
    let id = make(&world, key, body);
    world.settle(SECOND_MS);
    let window = |zone: &str| json!({"window": {"from": "09:00", "to": "10:00", "timeZone": zone}});
    change(&world, key, &id, window("Mars/Phobos")).points_at(&["/window"]);
    steer(&world, key, &id, "start").expect(200);
    change(&world, key, &id, window("Mars/Phobos")).points_at(&["/window"]);
    assert_eq!(campaign(&world, key, &id)["window"], Value::Null);
    change(&world, key, &id, window("Asia/Tehran")).expect(200);
    // What has hours keeps them, and its other members can be changed.
    let changed = change(&world, key, &id, json!({"perMinute": 5})).expect(200);
    assert_has(&changed.json["data"], window("Asia/Tehran"));
}

#[test]
fn a_change_lets_no_placeholder_be_refused_that_the_text_has() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", [1]);
    let body = json!({"title": "x", "message": "Hi %naem%", "phonebooks": [book], "unknownPlaceholders": "KEEP"});
    let id = make(&world, key, body);
    world.settle(SECOND_MS);
    change(&world, key, &id, json!({"unknownPlaceholders": "REFUSE"})).points_at(&["/message"]);
    let both = json!({"unknownPlaceholders": "REFUSE", "message": "Hi %name%"});
    change(&world, key, &id, both).expect(200);
}

#[test]
fn what_is_counted_anew_forgets_why_it_could_not_be_counted() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let [gone, there] = ["A", "B"].map(|title| phonebook(&world, key, title, [1]));
    let id = make(&world, key, json!({"title": "x", "message": "x", "phonebooks": [gone]}));
    world.delete(key, &format!("/phonebook/{gone}")).expect(204);
    world.settle(SECOND_MS);
    let draft = campaign(&world, key, &id);
    assert_has(&draft, json!({"state": "DRAFT", "reason": "NO_PHONEBOOK"}));
    let renamed = change(&world, key, &id, json!({"title": "y"})).expect(200);
    renamed.has(json!({"state": "DRAFT", "reason": "NO_PHONEBOOK"}));
    let changed = change(&world, key, &id, json!({"phonebooks": [there]})).expect(200);
    changed.has(json!({"state": "COUNTING", "reason": null}));
}
