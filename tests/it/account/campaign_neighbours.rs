//! Campaigns that are made twice, changed, stopped and started by people who also reach their waves, their phonebooks and their lines.

use peyk::base::time::to_rfc3339;
use serde_json::{Value, json};

use super::campaigns::{
    MONEY, assert_reconciled, campaign, change, make, once, phonebook, recipients, set_carrier, started, steer, taken,
};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Answer, World, assert_contains, assert_has};

fn hours(from: &str, to: &str) -> Value {
    json!({"from": from, "to": to, "timeZone": "Asia/Tehran"})
}

#[test]
fn a_repeated_request_makes_one_campaign_for_a_day_and_its_mode() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    let body = |title: &str| json!({"title": title, "message": "x", "phonebooks": [book]});
    let post = |key: &str, title: &str| world.post_once(key, "/campaigns", "spring", body(title));
    let first = post(key, "Spring").expect(201);
    assert_eq!(first.header("Idempotency-Replayed"), None);
    world.settle(SECOND_MS);
    let id = first.text("/data/id");
    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    let again = post(key, "Spring").expect(201);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    assert_has(&again.json["data"], json!({"id": id, "state": "DONE"}));
    post(key, "Autumn").faults(&["Idempotency-Key: was used for another request before"]);
    assert_eq!(world.all(key, "/campaigns?limit=10").len(), 1);
    // A send is no campaign, and what a test key makes is another one.
    let sent = world.post_once(
        key,
        "/sms/send",
        "spring",
        json!({"message": "x", "recipients": ["+989121001100"]}),
    );
    assert_eq!(sent.expect(201).header("Idempotency-Replayed"), None);
    let test = world.grant(
        &shop,
        json!({"title": "t", "mode": "test", "scopes": ["sms:send", "sms:read"]}),
    );
    let rehearsed = post(&test.text("/data/key"), "Autumn").expect(201);
    assert_eq!(rehearsed.header("Idempotency-Replayed"), None);
    world.settle(DAY_MS);
    let new = post(key, "Autumn").expect(201);
    assert_eq!(new.header("Idempotency-Replayed"), None);
    world
        .post_once(key, "/campaigns", "ü", body("x"))
        .points_at(&["/Idempotency-Key"]);
}

#[test]
fn a_wave_stops_and_goes_on_with_its_campaign_alone() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..1_500);
    set_carrier(&world, true);
    let id = started(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}));
    world.settle(10 * SECOND_MS);
    let wave = world.all(key, "/messages?limit=10")[0]["uid"]
        .as_str()
        .unwrap()
        .to_owned();
    let message = format!("/messages/{wave}");
    let refuses = |answer: Answer| {
        let refused = answer.problem(409, 409);
        assert_contains(&refused.text("/detail"), &format!("POST /campaigns/{id}/pause"));
    };
    for step in ["pause", "resume"] {
        refuses(world.bare_post(key, &format!("{message}/{step}")));
    }
    refuses(world.delete(key, &message));
    // Another message is not found, nor is this one by a test key: nobody else learns of the campaign.
    let other = format!("/messages/019b796d-0000-7000-8000{}", &wave[23..]);
    world.delete(key, &other).refused(404);
    let scopes = json!({"title": "t", "mode": "test", "scopes": ["sms:send", "sms:read"]});
    let test = world.grant(&shop, scopes).text("/data/key");
    world.delete(&test, &message).refused(404);
    world.bare_post(&test, &format!("{message}/pause")).refused(404);
    steer(&world, key, &id, "pause").expect(200);
    refuses(world.bare_post(key, &format!("{message}/resume")));
    set_carrier(&world, false);
    world.settle(HOUR_MS);
    assert!(taken(&world, &shop).is_empty(), "nothing of a paused campaign leaves");
    set_carrier(&world, true);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(10 * SECOND_MS);
    steer(&world, key, &id, "cancel").expect(200);
    let canceled = campaign(&world, key, &id);
    assert_has(
        &canceled["progress"],
        json!({"recipients": 1_000, "canceled": 1_000, "open": 0, "delivered": 0, "failed": 0}),
    );
    assert_eq!(recipients(&world, key, &id, "&status=CANCELED").len(), 1_000);
    set_carrier(&world, false);
    world.settle(HOUR_MS);
    assert!(taken(&world, &shop).is_empty());
    assert_reconciled(&world, &shop);
}

#[test]
fn a_campaign_that_waits_can_be_given_another_time() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    let at = |ms: i64| to_rfc3339(world.now_ms.get() + ms);
    let id = started(
        &world,
        key,
        json!({"title": "x", "message": "x", "phonebooks": [book], "sendAt": at(HOUR_MS)}),
    );
    change(&world, key, &id, json!({"message": "y"})).problem(409, 409);
    let later = at(2 * HOUR_MS);
    let changed = change(&world, key, &id, json!({"sendAt": later})).expect(200);
    assert_has(
        &changed.json["data"],
        json!({"state": "SCHEDULED", "sendAt": later, "nextAt": later}),
    );
    world.settle(2 * HOUR_MS - MINUTE_MS);
    assert!(taken(&world, &shop).is_empty());
    change(&world, key, &id, json!({"sendAt": null})).expect(200);
    world.settle(10 * SECOND_MS);
    assert_eq!(taken(&world, &shop), once(0..3));
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
}

#[test]
fn what_has_reached_nobody_can_be_changed_once_it_is_paused_and_waits_for_its_start_then() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let (small, large) = (phonebook(&world, key, "A", 0..3), phonebook(&world, key, "B", 0..20));
    let body = json!({"title": "x", "message": "x", "phonebooks": [small], "sendAt": to_rfc3339(world.now_ms.get() + HOUR_MS)});
    let id = started(&world, key, body);
    steer(&world, key, &id, "pause").expect(200);
    let changed = change(
        &world,
        key,
        &id,
        json!({"message": "Hello", "phonebooks": [large], "perMinute": 10}),
    )
    .expect(200);
    assert_has(&changed.json["data"], json!({"state": "COUNTING", "startedAt": null}));
    world.settle(2 * HOUR_MS);
    let draft = campaign(&world, key, &id);
    assert_has(&draft, json!({"state": "DRAFT", "reason": null}));
    assert_eq!(draft["counted"]["people"], 20);
    assert!(taken(&world, &shop).is_empty());
    steer(&world, key, &id, "start").expect(200);
    world.settle(SECOND_MS);
    assert_eq!(taken(&world, &shop), once(0..10));
    let refuses = || {
        let refused = change(&world, key, &id, json!({"message": "Bye"})).problem(409, 409);
        assert_contains(&refused.text("/detail"), "has reached people");
    };
    refuses();
    steer(&world, key, &id, "pause").expect(200);
    refuses();
    change(
        &world,
        key,
        &id,
        json!({"title": "y", "sendAt": to_rfc3339(world.now_ms.get() + HOUR_MS)}),
    )
    .expect(200);
    assert_has(
        &steer(&world, key, &id, "resume").expect(200).json["data"],
        json!({"state": "SCHEDULED"}),
    );
    world.settle(HOUR_MS + MINUTE_MS);
    assert_eq!(taken(&world, &shop), once(0..20));
    assert!(world.handed(&shop.id).iter().all(|(_, text)| text == "Hello"));
}

#[test]
fn a_phonebook_stays_as_long_as_a_campaign_reads_it() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let (book, staff) = (phonebook(&world, key, "A", 0..3), phonebook(&world, key, "B", 0..1));
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    let body =
        json!({"title": "x", "message": "x", "phonebooks": [book], "exclude": {"phonebooks": [staff]}, "sendAt": at});
    let draft = make(&world, key, body.clone());
    let id = started(&world, key, body);
    for book in [&book, &staff] {
        let refused = world.delete(key, &format!("/phonebook/{book}")).problem(409, 409);
        assert_contains(&refused.text("/detail"), &id);
        assert!(!refused.text("/detail").contains(&draft), "a draft keeps nothing");
    }
    steer(&world, key, &id, "pause").expect(200);
    world.delete(key, &format!("/phonebook/{staff}")).problem(409, 409);
    steer(&world, key, &id, "cancel").expect(200);
    world.delete(key, &format!("/phonebook/{staff}")).expect(204);
}

#[test]
fn a_campaign_warns_of_what_looks_like_a_placeholder_and_is_none() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    let body = json!({"title": "x", "message": "Hello {name}", "phonebooks": [book]});
    let made = world.posted(key, "/campaigns", body);
    let warned = |answer: &Answer| answer.json["meta"]["warnings"].to_string();
    assert_contains(&warned(&made), "{name}");
    let id = made.text("/data/id");
    let changed = change(&world, key, &id, json!({"message": "Hello #name#"})).expect(200);
    assert_contains(&warned(&changed), "#name#");
    let good = change(&world, key, &id, json!({"message": "Hello %name%"})).expect(200);
    assert_eq!(good.json["meta"].get("warnings"), None);
}

#[test]
fn the_hours_of_a_campaign_and_of_its_line_must_meet() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    // It is half past three in the afternoon.
    world.change("/admin/lines/10001", json!({"hours": hours("18:00", "20:00")}));
    let body = |window: Value| json!({"title": "x", "message": "x", "phonebooks": [book], "window": window});
    let refused = world.post(key, "/campaigns", body(hours("20:00", "18:00")));
    refused.faults(&["window: has no time in common with the hours of the line"]);
    let id = started(&world, key, body(hours("19:00", "18:30")));
    change(&world, key, &id, json!({"title": "y"})).problem(409, 409);
    world.settle(MINUTE_MS);
    let opening = "2026-01-01T14:30:00.000Z";
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "RUNNING", "nextAt": opening}),
    );
    world.change("/admin/lines/10001", json!({"hours": hours("18:30", "19:00")}));
    world.settle(DAY_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "PAUSED", "reason": "NO_LINE"}),
    );
    assert!(taken(&world, &shop).is_empty());
    change(&world, key, &id, json!({"window": hours("19:00", "19:30")})).points_at(&["/window"]);
    change(&world, key, &id, json!({"window": hours("18:50", "19:30")})).expect(200);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(DAY_MS);
    assert_eq!(taken(&world, &shop), once(0..3));
}
