//! What changes of campaigns, and steps that come again and again, can't do.

use serde_json::{Value, json};

use super::campaigns::{
    MONEY, PART, assert_reconciled, campaign, change, make, number, once, phonebook, recipients, started, steer, taken,
};
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{World, assert_has};

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

#[test]
fn no_pause_lets_a_campaign_go_faster_than_its_pace() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..4);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "perMinute": 1});
    let id = started(&world, key, body);
    world.settle(SECOND_MS);
    for _ in 0..5 {
        for step in ["pause", "resume"] {
            steer(&world, key, &id, step).expect(200);
        }
        world.settle(SECOND_MS);
    }
    assert_eq!(taken(&world, &shop), once(0..1));
    world.settle(MINUTE_MS);
    assert_eq!(taken(&world, &shop), once(0..2));
    // Who lifts the bound goes on at once, and after a long pause nothing has to wait.
    steer(&world, key, &id, "pause").expect(200);
    world.settle(HOUR_MS);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(SECOND_MS);
    assert_eq!(taken(&world, &shop), once(0..3));
    steer(&world, key, &id, "pause").expect(200);
    change(&world, key, &id, json!({"perMinute": null})).expect(200);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(SECOND_MS);
    assert_eq!(taken(&world, &shop), once(0..4));
    assert_reconciled(&world, &shop);
}

#[test]
fn a_resend_goes_on_when_the_first_is_deleted() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let ending = |index: usize| format!("+98912{:07}", 1_000_000 + index * 1_000 + 902);
    let numbers: Vec<String> = (0..3).map(ending).collect();
    let book = world.phonebook(key, "A", json!(numbers));
    let first = started(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}));
    world.settle(MINUTE_MS);
    let again = world
        .bare_post(key, &format!("/campaigns/{first}/resend"))
        .expect(201)
        .text("/data/id");
    change(&world, key, &again, json!({"perMinute": 1})).expect(200);
    world.settle(SECOND_MS);
    let people = campaign(&world, key, &again)["counted"]["people"].clone();
    steer(&world, key, &again, "start").expect(200);
    world.settle(SECOND_MS);
    world.delete(key, &format!("/campaigns/{first}")).expect(204);
    world.settle(HOUR_MS);
    assert_has(&campaign(&world, key, &again), json!({"state": "DONE"}));
    assert_eq!(json!(recipients(&world, key, &again, "").len()), people);
    assert_reconciled(&world, &shop);
}

#[test]
fn a_full_store_repeats_and_loses_nobody() {
    for room in 0..40 {
        let (world, shop) = World::with_busy_account(MONEY);
        let key = shop.key.as_str();
        let book = phonebook(&world, key, "A", 0..3);
        let body = json!({"title": "x", "message": "x", "phonebooks": [book], "perMinute": 1});
        let id = started(&world, key, body);
        let sql = world.sql(&shop.id);
        sql.room.set(Some(room));
        world.settle(90 * SECOND_MS);
        sql.room.set(None);
        world.settle(HOUR_MS);
        assert_eq!(taken(&world, &shop), once(0..3), "{room}");
        let done = campaign(&world, key, &id);
        assert_has(&done, json!({"state": "DONE", "progress": done["progress"]}));
        assert_has(&done["progress"], json!({"recipients": 3, "delivered": 3, "queued": 0}));
        assert_eq!(recipients(&world, key, &id, "").len(), 3, "{room} {}", number(0));
        assert_reconciled(&world, &shop);
    }
}

#[test]
fn a_campaign_that_fails_keeps_no_other_from_going_on() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    let make = || make(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}));
    let fails = make();
    // As a version writes it that knows more than this one.
    let newer = "UPDATE campaign SET plan = json_set(plan, '$.condition', 'newer')";
    world.sql(&shop.id).run(newer);
    let goes_on = make();
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, key, &fails), json!({"state": "COUNTING"}));
    assert_has(&campaign(&world, key, &goes_on), json!({"state": "DRAFT"}));
}

#[test]
fn a_campaign_spends_for_the_key_that_has_started_or_resumed_it_last() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    let caps = json!({"title": "c", "scopes": ["sms:send", "sms:read"], "dailySpend": PART});
    let capped = world.grant(&shop, caps).text("/data/key");
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "perMinute": 1});
    let id = make(&world, key, body);
    world.settle(SECOND_MS);
    steer(&world, &capped, &id, "start").expect(200);
    world.settle(HOUR_MS);
    let stopped = campaign(&world, key, &id);
    assert_has(&stopped, json!({"state": "STOPPED", "reason": "DAILY_LIMIT"}));
    assert_eq!(taken(&world, &shop), once(0..1));
    steer(&world, &capped, &id, "resume").expect(200);
    world.settle(HOUR_MS);
    assert_eq!(taken(&world, &shop), once(0..1));
    steer(&world, key, &id, "resume").expect(200);
    world.settle(HOUR_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
    assert_eq!(taken(&world, &shop), once(0..3));
}
