//! Campaigns: whom they reach, what holds them up, and what they come to.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use peyk::base::ports::IncomingResponse;
use peyk::base::time::to_rfc3339;
use serde_json::{Value, json};

use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, World, assert_has};

pub const MONEY: i64 = 100_000_000;
/// What one part costs.
pub const PART: i64 = 1_000;

/// A number to which the sandbox delivers.
pub fn number(index: usize) -> String {
    format!("+98912{:07}", 1_000_000 + index * 1_000 + 100)
}

/// A phonebook with these people.
pub fn phonebook(world: &World, key: &str, title: &str, people: impl IntoIterator<Item = usize>) -> String {
    let book = world.posted(key, "/phonebook", json!({"title": title}));
    let id = book.text("/data/id");
    let lines = people
        .into_iter()
        .map(|index| format!("{},name {index}\n", number(index)));
    let csv = format!("number,name\n{}", lines.collect::<String>());
    world.import(key, &id, csv).expect(201);
    id
}

pub fn make(world: &World, key: &str, body: Value) -> String {
    let made = world.posted(key, "/campaigns", body);
    assert_eq!(made.text("/data/state"), "COUNTING");
    made.text("/data/id")
}

pub fn campaign(world: &World, key: &str, id: &str) -> Value {
    world.read(key, &format!("/campaigns/{id}")).json["data"].clone()
}

pub fn change(world: &World, key: &str, id: &str, body: Value) -> Answer {
    world.ask("PATCH", key, &format!("/campaigns/{id}")).json(body).send()
}

pub fn steer(world: &World, key: &str, id: &str, step: &str) -> Answer {
    world.bare_post(key, &format!("/campaigns/{id}/{step}"))
}

/// Makes a campaign of these members, lets it be counted, and starts it.
pub fn started(world: &World, key: &str, body: Value) -> String {
    let id = make(world, key, body);
    world.settle(SECOND_MS);
    assert_has(&campaign(world, key, &id), json!({"state": "DRAFT", "reason": null}));
    steer(world, key, &id, "start").expect(200);
    id
}

/// How often the sandbox took each number, by number.
pub fn taken(world: &World, shop: &Account) -> BTreeMap<String, usize> {
    let mut taken = BTreeMap::new();
    for (number, _) in world.handed(&shop.id) {
        *taken.entry(number).or_default() += 1;
    }
    taken
}

pub fn once(people: impl IntoIterator<Item = usize>) -> BTreeMap<String, usize> {
    people.into_iter().map(|index| (number(index), 1)).collect()
}

pub fn set_carrier(world: &World, paused: bool) {
    world.change("/admin/carriers/sandbox", json!({"paused": paused}));
}

pub fn recipients(world: &World, key: &str, id: &str, filters: &str) -> Vec<Value> {
    world.all(key, &format!("/campaigns/{id}/recipients?limit=100{filters}"))
}

/// The ledger and the usage are what the messages came to.
pub fn assert_reconciled(world: &World, shop: &Account) {
    world.settle(3 * MINUTE_MS);
    let checked = world.look(&format!("/admin/reconciliation?account={}", shop.id));
    assert_eq!(checked.items()[0]["now"]["differences"], json!([]), "{}", checked.body);
}

#[test]
fn a_campaign_is_counted_and_reaches_everybody_once_or_says_why_not() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let first = phonebook(&world, key, "first", 0..1_500);
    let second = phonebook(&world, key, "second", 1_000..2_600);
    let staff = phonebook(&world, key, "staff", [7, 1_200]);
    world.posted(key, "/blacklist", json!({"numbers": [number(5), number(2_000)]}));
    let body = json!({
        "title": "Spring", "message": "Hello %name%", "phonebooks": [first, second],
        "exclude": {"phonebooks": [staff], "numbers": [number(9)]},
    });
    let id = make(&world, key, body);
    world.settle(SECOND_MS);
    let counted = campaign(&world, key, &id);
    let people = 2_600 - 2 - 1 - 2;
    assert_has(
        &counted["counted"],
        json!({"people": people, "parts": people, "cost": people * PART, "skipped": {"BLACKLISTED": 2}}),
    );
    assert_eq!(
        counted["counted"]["operators"],
        json!([{"operator": "MCI", "people": people, "cost": people * PART}])
    );
    world.assert_untouched(&shop, MONEY);
    assert!(taken(&world, &shop).is_empty());

    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    let done = campaign(&world, key, &id);
    assert_has(&done, json!({"state": "DONE", "reason": null, "nextAt": null}));
    assert_has(
        &done["progress"],
        json!({"recipients": people, "skipped": 2, "queued": 0, "open": 0, "delivered": people, "failed": 0, "canceled": 0,
               "cost": people * PART, "returned": 0}),
    );
    let left_out = [5, 7, 9, 1_200, 2_000];
    assert_eq!(
        taken(&world, &shop),
        once((0..2_600).filter(|index| !left_out.contains(index)))
    );
    assert_eq!(world.balance(key), (MONEY - people * PART, 0));
    let texts: BTreeSet<String> = world.handed(&shop.id).into_iter().map(|(_, text)| text).collect();
    assert!(texts.contains("Hello name 2599"));

    let all = recipients(&world, key, &id, "");
    let listed: Vec<&str> = all.iter().map(|one| one["recipient"].as_str().unwrap()).collect();
    assert_eq!(listed.len(), 2_597);
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), 2_597);
    let skipped = recipients(&world, key, &id, "&status=SKIPPED");
    let numbers: Vec<&Value> = skipped.iter().map(|one| &one["recipient"]).collect();
    assert_eq!(numbers, [&json!(number(5)), &json!(number(2_000))]);
    assert_has(&skipped[0], json!({"error": "BLACKLISTED", "cost": 0}));
    let one = recipients(
        &world,
        key,
        &id,
        &format!("&recipient={}", number(1_700).replace('+', "%2B")),
    );
    assert_eq!(one.len(), 1);
    assert_has(&one[0], json!({"status": "DELIVERED", "recipient": number(1_700)}));
    let message = world.all(key, "/messages?limit=100");
    assert!(
        message
            .iter()
            .all(|wave| wave["campaign"] == json!(id) && wave["recipientCount"].as_i64().unwrap() <= 1_000)
    );
    assert_reconciled(&world, &shop);
}

#[test]
fn people_whom_it_cannot_reach_are_left_out_with_the_reason_and_a_wave_of_them_alone_costs_nothing() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", [1]);
    let long = "x".repeat(190).repeat(10);
    let path = format!("/phonebook/number/{book}");
    let numbers = json!({"numbers": [
        {"number": "+447911123456", "name": "abroad"},
        {"number": number(2), "name": "B", "attributes": {"about": long}},
    ]});
    world.posted(key, &path, numbers);
    let body = json!({"title": "x", "message": "%name% %about%", "phonebooks": [book]});
    let id = started(&world, key, body);
    world.settle(MINUTE_MS);
    let done = campaign(&world, key, &id);
    assert_has(&done, json!({"state": "DONE"}));
    assert_has(
        &done["counted"],
        json!({"people": 1, "skipped": {"NOT_A_DESTINATION": 1, "TEXT_NOT_SENDABLE": 1}}),
    );
    assert_has(
        &done["progress"],
        json!({"recipients": 1, "skipped": 2, "delivered": 1}),
    );
    let errors = |error: &str| recipients(&world, key, &id, &format!("&error={error}"));
    assert_eq!(errors("NOT_A_DESTINATION")[0]["recipient"], "+447911123456");
    assert_eq!(errors("TEXT_NOT_SENDABLE")[0]["recipient"], json!(number(2)));

    world.posted(key, "/blacklist", json!({"numbers": [number(1)]}));
    let only = phonebook(&world, key, "only", [1]);
    let id = started(&world, key, json!({"title": "x", "message": "x", "phonebooks": [only]}));
    world.settle(MINUTE_MS);
    let done = campaign(&world, key, &id);
    assert_has(&done, json!({"state": "DONE"}));
    assert_has(
        &done["progress"],
        json!({"waves": 1, "recipients": 0, "skipped": 1, "cost": 0}),
    );
    assert_eq!(recipients(&world, key, &id, "").len(), 1);
    assert_reconciled(&world, &shop);
}

#[test]
fn who_stands_behind_the_budget_is_left_out_once_when_there_is_money_again() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..2);
    let abroad = json!({"numbers": [{"number": "+995555123456", "name": "abroad"}]});
    world.posted(key, &format!("/phonebook/number/{book}"), abroad);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "budget": PART});
    let id = started(&world, key, body);
    world.settle(MINUTE_MS);
    let stopped = campaign(&world, key, &id);
    assert_has(&stopped, json!({"state": "STOPPED", "reason": "BUDGET"}));
    assert_has(&stopped["progress"], json!({"recipients": 1, "skipped": 0}));
    let change = world.ask("PATCH", key, &format!("/campaigns/{id}"));
    change.json(json!({"budget": null})).send().expect(200);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id)["progress"],
        json!({"recipients": 2, "skipped": 1}),
    );
    let skipped = recipients(&world, key, &id, "&status=SKIPPED");
    assert_eq!(skipped.len(), 1);
    assert_has(
        &skipped[0],
        json!({"recipient": "+995555123456", "error": "NOT_A_DESTINATION"}),
    );
    assert_reconciled(&world, &shop);
}

#[test]
fn only_members_who_meet_the_condition_get_a_campaign_of_a_pattern() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = world.posted(key, "/phonebook", json!({"title": "A"})).text("/data/id");
    let cities = ["Tehran", "Shiraz", "tehran "];
    let line = |index: usize| format!("{},{},{index}\n", number(index), cities[index % 3]);
    let csv: String = (0..600).map(line).collect();
    world.import(key, &book, format!("number,city,age\n{csv}")).expect(201);
    world.active_pattern(key, json!({"slug": "notice", "title": "x", "text": "On %DAY%"}));
    let body = json!({
        "title": "x", "pattern": "notice", "variables": {"DAY": "Monday"}, "phonebooks": [book],
        "where": {"tests": [
            {"attribute": "city", "operator": "EQUALS", "value": "TEHRAN"},
            {"attribute": "age", "operator": "LESS", "value": "۱۰۰"},
        ]},
    });
    let id = started(&world, key, body);
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "DONE", "pattern": "notice", "message": null}),
    );
    assert_eq!(taken(&world, &shop), once((0..100).filter(|index| index % 3 != 1)));
    assert!(world.handed(&shop.id).iter().all(|(_, text)| text == "On Monday"));
}

#[test]
fn a_draft_can_be_changed_and_is_counted_anew_and_what_has_begun_keeps_its_people() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let (small, large) = (
        phonebook(&world, key, "small", 0..3),
        phonebook(&world, key, "large", 0..30),
    );
    let id = make(
        &world,
        key,
        json!({"title": "x", "message": "x", "phonebooks": [small], "perMinute": 10}),
    );
    steer(&world, key, &id, "start").problem(409, 409);
    world.settle(SECOND_MS);
    assert_eq!(campaign(&world, key, &id)["counted"]["people"], 3);
    let path = format!("/campaigns/{id}");
    let change = |body: Value| world.ask("PATCH", key, &path).json(body).send();
    let changed = change(json!({"title": "y", "perMinute": null})).expect(200);
    assert_has(
        &changed.json["data"],
        json!({"state": "DRAFT", "title": "y", "perMinute": null}),
    );
    assert_eq!(changed.int("/data/counted/people"), 3);
    let changed = change(json!({"phonebooks": [large], "budget": 50_000})).expect(200);
    assert_has(&changed.json["data"], json!({"state": "COUNTING", "budget": 50_000}));
    world.settle(SECOND_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DRAFT"}));
    assert_eq!(campaign(&world, key, &id)["counted"]["people"], 30);
    change(json!({"message": "x", "pattern": "p"})).faults(&["pattern: must not stand beside \"message\""]);
    set_carrier(&world, true);
    steer(&world, key, &id, "start").expect(200);
    world.settle(SECOND_MS);
    change(json!({"title": "z"})).problem(409, 409);
    steer(&world, key, &id, "pause").expect(200);
    change(json!({"message": "another"})).problem(409, 409);
    let changed = change(json!({"title": "z", "perMinute": 5})).expect(200);
    assert_has(
        &changed.json["data"],
        json!({"state": "PAUSED", "title": "z", "perMinute": 5, "message": "x"}),
    );
    world.delete(key, &path).problem(409, 409);
    steer(&world, key, &id, "cancel").expect(200);
    world.delete(key, &path).expect(204);
    world.get(key, &path).refused(404);
    assert_eq!(world.all(key, "/messages?limit=10").len(), 1);
}

#[test]
fn a_pause_is_at_once_a_resume_goes_on_and_a_cancel_pays_back() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..2_500);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book]});
    let id = started(&world, key, body.clone());
    set_carrier(&world, true);
    world.settle(10 * SECOND_MS);
    let paused = steer(&world, key, &id, "pause").expect(200);
    assert_has(&paused.json["data"], json!({"state": "PAUSED", "reason": null}));
    steer(&world, key, &id, "pause").expect(200);
    let before = taken(&world, &shop);
    assert!(before.len() <= 1_000);
    set_carrier(&world, false);
    world.settle(HOUR_MS);
    assert_eq!(taken(&world, &shop), before);
    steer(&world, key, &id, "start").problem(409, 409);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
    assert_eq!(taken(&world, &shop), once(0..2_500));
    for step in ["start", "pause", "resume", "cancel"] {
        steer(&world, key, &id, step).problem(409, 409);
    }
    let spent = 2_500 * PART;
    assert_eq!(world.balance(key), (MONEY - spent, 0));

    set_carrier(&world, true);
    let id = started(&world, key, body);
    world.settle(10 * SECOND_MS);
    assert_eq!(campaign(&world, key, &id)["progress"]["queued"], 1_000);
    let canceled = steer(&world, key, &id, "cancel").expect(200);
    assert_has(&canceled.json["data"], json!({"state": "CANCELED", "reason": null}));
    assert_has(
        &canceled.json["data"]["progress"],
        json!({"recipients": 1_000, "queued": 0, "cost": 1_000 * PART, "returned": 1_000 * PART}),
    );
    steer(&world, key, &id, "cancel").expect(200);
    set_carrier(&world, false);
    world.settle(HOUR_MS);
    assert_eq!(taken(&world, &shop), once(0..2_500));
    assert_eq!(world.balance(key), (MONEY - spent, 0));
    assert_reconciled(&world, &shop);
}

#[test]
fn what_a_campaign_lacks_pauses_it_with_the_reason_and_it_goes_on_when_that_is_mended() {
    let (world, shop) = World::with_busy_account(1_500 * PART);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..2_500);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book]});
    let id = started(&world, key, body);
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "PAUSED", "reason": "LOW_BALANCE", "nextAt": null}),
    );
    assert_eq!(taken(&world, &shop), once(0..1_000));
    world.credit(&shop, 10_000 * PART);
    world.change_account(&shop, json!({"sendingEnabled": false}));
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "PAUSED", "reason": "SENDING_OFF"}),
    );
    world.change_account(&shop, json!({"sendingEnabled": true}));
    world.db.run("UPDATE line SET active = 0");
    world.app.profiles.clear();
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "PAUSED", "reason": "NO_LINE"}),
    );
    world.db.run("UPDATE line SET active = 1");
    world.app.profiles.clear();
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE", "reason": null}));
    assert_eq!(taken(&world, &shop), once(0..2_500));

    let other = phonebook(&world, key, "B", 0..10);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "exclude": {"phonebooks": [other]}});
    let id = make(&world, key, body);
    world.settle(SECOND_MS);
    world.delete(key, &format!("/phonebook/{other}")).expect(204);
    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    let paused = campaign(&world, key, &id);
    assert_has(&paused, json!({"state": "PAUSED", "reason": "NO_PHONEBOOK"}));
    assert_reconciled(&world, &shop);
}

#[test]
fn a_budget_is_used_up_and_not_passed_and_a_daily_limit_stops_until_it_is_resumed() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..2_500);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "budget": 1_234 * PART + 1});
    let id = started(&world, key, body);
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "STOPPED", "reason": "BUDGET"}),
    );
    assert_eq!(taken(&world, &shop), once(0..1_234));
    assert_eq!(world.balance(key), (MONEY - 1_234 * PART, 0));
    let more = json!({"budget": 3_000 * PART});
    world
        .ask("PATCH", key, &format!("/campaigns/{id}"))
        .json(more)
        .send()
        .expect(200);
    world.change_account(&shop, json!({"dailySpend": 2_000 * PART}));
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    let stopped = campaign(&world, key, &id);
    assert_has(&stopped, json!({"state": "STOPPED", "reason": "DAILY_LIMIT"}));
    world.settle(DAY_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "STOPPED"}));
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
    assert_eq!(taken(&world, &shop), once(0..2_500));

    world.change_account(&shop, json!({"dailySpend": null}));
    let capped = world.grant(
        &shop,
        json!({"title": "c", "scopes": ["sms:send", "sms:read"], "dailySpend": 1_000 * PART}),
    );
    let capped = capped.text("/data/key");
    let id = started(
        &world,
        &capped,
        json!({"title": "x", "message": "x", "phonebooks": [book]}),
    );
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "STOPPED", "reason": "DAILY_LIMIT"}),
    );
    assert_eq!(campaign(&world, key, &id)["progress"]["recipients"], 1_000);
    assert_reconciled(&world, &shop);
}

#[test]
fn a_budget_may_be_used_up_exactly_and_what_comes_back_makes_room() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
    let undelivered = |index: usize| format!("+98912{:07}", 1_000_000 + index * 1_000 + 902);
    let numbers: Vec<String> = (0..3).map(undelivered).collect();
    let book = world.phonebook(key, "A", json!(numbers));
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "budget": PART, "perMinute": 1});
    let id = started(&world, key, body);
    world.settle(HOUR_MS);
    let done = campaign(&world, key, &id);
    assert_has(&done, json!({"state": "DONE"}));
    assert_has(
        &done["progress"],
        json!({"waves": 3, "failed": 3, "returned": 3 * PART}),
    );
    assert_eq!(world.balance(key), (MONEY, 0));
    assert_reconciled(&world, &shop);
}

#[test]
fn a_campaign_begins_at_its_time_and_goes_no_faster_than_its_pace() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..30);
    let at_ms = world.now_ms.get() + HOUR_MS;
    let body =
        json!({"title": "x", "message": "x", "phonebooks": [book], "sendAt": to_rfc3339(at_ms), "perMinute": 10});
    let id = started(&world, key, body);
    world.settle(HOUR_MS - MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "SCHEDULED", "nextAt": to_rfc3339(at_ms)}),
    );
    assert!(taken(&world, &shop).is_empty());
    world.settle(MINUTE_MS + 10 * SECOND_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "RUNNING"}));
    assert_eq!(taken(&world, &shop), once(0..10));
    world.settle(MINUTE_MS);
    assert_eq!(taken(&world, &shop), once(0..20));
    world.settle(2 * MINUTE_MS);
    assert_eq!(taken(&world, &shop), once(0..30));
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
}

#[test]
fn who_is_added_behind_is_reached_and_who_is_removed_is_not() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 10..2_000);
    let id = started(
        &world,
        key,
        json!({"title": "x", "message": "x", "phonebooks": [book], "perMinute": 1_000}),
    );
    world.settle(10 * SECOND_MS);
    assert_eq!(taken(&world, &shop), once(10..1_010));
    let csv: String = [3, 2_500].map(|index| format!("{},x\n", number(index))).concat();
    world.import(key, &book, format!("number,name\n{csv}")).expect(201);
    let listed = world.all(key, &format!("/phonebook/number/{book}?limit=100"));
    let gone = listed.iter().find(|one| one["number"] == json!(number(1_500))).unwrap();
    let path = format!("/phonebook/number/{book}/{}", gone["id"]);
    world.delete(key, &path).expect(204);
    world.settle(5 * MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
    let reached = (10..2_000).filter(|index| *index != 1_500).chain([2_500]);
    assert_eq!(taken(&world, &shop), once(reached));
}

#[test]
fn what_an_operator_cancels_goes_on_only_when_its_sender_wants_it() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..1_500);
    set_carrier(&world, true);
    let id = started(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}));
    world.settle(10 * SECOND_MS);
    world
        .admin("POST", &shop.path("/cancel"), json!({"note": "x"}))
        .expect(200);
    set_carrier(&world, false);
    world.settle(MINUTE_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "PAUSED", "reason": "BY_OPERATOR"}),
    );
    assert!(taken(&world, &shop).is_empty());
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
    assert_eq!(taken(&world, &shop), once(1_000..1_500));
    assert_reconciled(&world, &shop);
}

#[test]
fn a_campaign_that_nobody_could_get_is_refused_where_it_is_wrong() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", [1]);
    let with = |member: &str, value: Value| {
        let mut body = json!({"title": "x", "message": "x", "phonebooks": [book]});
        body[member] = value;
        world.post(key, "/campaigns", body)
    };
    with("phonebooks", json!(["019b796d-a000-7000-8000-000000000000"])).refused(404);
    with(
        "exclude",
        json!({"phonebooks": ["019b796d-a000-7000-8000-000000000000"]}),
    )
    .refused(404);
    with("sourceNumber", json!("99999")).problem(406, 3012);
    with("message", json!("Hello %naem%")).points_at(&["/message"]);
    with("pattern", json!("login")).faults(&["pattern: must not stand beside \"message\""]);
    with("where", json!({"tests": [{"attribute": "city", "operator": "EXISTS"}]})).points_at(&["/where"]);
    with("where", json!({"tests": [{"attribute": "name", "operator": "EQUALS"}]}))
        .faults(&["where.tests[0].value: is required"]);
    with("budget", json!(0)).points_at(&["/budget"]);
    with("perMinute", json!("x")).points_at(&["/perMinute"]);
    with("phonebooks", json!([])).points_at(&["/phonebooks"]);
    world
        .post(key, "/campaigns", json!({"title": "x"}))
        .points_at(&["/message", "/phonebooks"]);
    let unknown = json!({"title": "x", "pattern": "nothing", "phonebooks": [book]});
    world.post(key, "/campaigns", unknown).problem(422, 3002);
    assert_eq!(world.all(key, "/campaigns?limit=10"), Vec::<Value>::new());
    for path in ["", "/recipients"] {
        world
            .get(key, &format!("/campaigns/019b796d-a000-7000-8000-000000000000{path}"))
            .refused(404);
    }
}

#[test]
fn a_test_key_rehearses_a_campaign_that_only_test_keys_see() {
    let (world, shop) = World::with_busy_account(MONEY);
    let book = phonebook(&world, &shop.key, "A", 0..1_200);
    let test = world.grant(
        &shop,
        json!({"title": "t", "scopes": ["sms:send", "sms:read"], "mode": "test"}),
    );
    let test = test.text("/data/key");
    let id = started(
        &world,
        &test,
        json!({"title": "x", "message": "Hi %name%", "phonebooks": [book]}),
    );
    world.settle(MINUTE_MS);
    let done = campaign(&world, &test, &id);
    assert_has(&done, json!({"state": "DONE", "test": true}));
    assert_has(&done["counted"], json!({"people": 1_200, "cost": 1_200 * PART}));
    assert_has(&done["progress"], json!({"recipients": 1_200, "cost": 0}));
    world.get(&shop.key, &format!("/campaigns/{id}")).refused(404);
    assert!(taken(&world, &shop).is_empty());
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn the_stand_ins_of_a_rehearsal_are_counted_over_all_its_waves() {
    let (world, shop) = World::with_busy_account(MONEY);
    let book = phonebook(&world, &shop.key, "A", 0..4);
    let scopes = json!({"title": "t", "scopes": ["sms:send", "sms:read"], "mode": "test"});
    let test = world.grant(&shop, scopes).text("/data/key");
    let body = json!({"title": "x", "message": "Hi %name%", "phonebooks": [book], "perMinute": 2});
    let id = started(&world, &test, body);
    world.settle(5 * MINUTE_MS);
    assert_has(
        &campaign(&world, &test, &id)["progress"],
        json!({"waves": 2, "recipients": 4}),
    );
    let told = recipients(&world, &test, &id, "");
    let told: Vec<&str> = told.iter().filter_map(|one| one["recipient"].as_str()).collect();
    let wanted = ["+989121000000", "+989121000001", "+989121000002", "+989121000003"];
    assert_eq!(told, wanted);
}

#[test]
fn a_test_key_learns_by_no_exclusion_whom_a_phonebook_has() {
    let (world, shop) = World::with_busy_account(MONEY);
    let [all, one] = [
        phonebook(&world, &shop.key, "A", 0..3),
        phonebook(&world, &shop.key, "B", [1]),
    ];
    let scopes = json!({"title": "t", "scopes": ["sms:send", "sms:read"], "mode": "test"});
    let test = world.grant(&shop, scopes).text("/data/key");
    let people = |exclude: Value| {
        let body = json!({"title": "x", "message": "x", "phonebooks": [all], "exclude": exclude});
        let id = started(&world, &test, body);
        world.settle(MINUTE_MS);
        let done = campaign(&world, &test, &id);
        assert_eq!(done["progress"]["recipients"], done["counted"]["people"]);
        done["counted"]["people"].clone()
    };
    assert_eq!(people(json!({"numbers": [number(1)]})), 3);
    assert_eq!(people(json!({"phonebooks": [one]})), 3);
    let body = json!({"phonebook": all, "message": "x", "exclude": [number(1)]});
    let sent = world.posted(&test, "/sms/phonebook/send", body);
    assert_eq!(sent.json["data"]["recipients"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_sums_of_a_campaign_outlive_its_messages() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..1_200);
    world.posted(key, "/blacklist", json!({"numbers": [number(3)]}));
    let id = started(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}));
    world.settle(MINUTE_MS);
    let before = campaign(&world, key, &id)["progress"].clone();
    assert_has(
        &before,
        json!({"waves": 2, "recipients": 1_199, "skipped": 1, "delivered": 1_199}),
    );
    world.settle(400 * DAY_MS);
    assert_eq!(world.count(&shop, "message"), 0);
    assert_eq!(campaign(&world, key, &id)["progress"], before);
}

#[test]
fn an_erased_number_is_in_no_campaign_any_more() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", [1, 2]);
    let body = json!({
        "title": "x", "message": "Call 09121002100", "phonebooks": [book], "exclude": {"numbers": [number(2), number(1)]},
        "where": {"tests": [{"attribute": "name", "operator": "NOT_EQUALS", "value": "Ali ۰۹۱۲۱۰۰۲۱۰۰"}]},
    });
    assert_eq!(number(2), "+989121002100");
    let id = make(&world, key, body);
    world.post(key, "/erasures", json!({"number": number(2)})).expect(202);
    world.settle(3 * HOUR_MS);
    let erased = campaign(&world, key, &id);
    assert_eq!(erased["exclude"]["numbers"], json!([number(1)]));
    assert_eq!(erased["message"], "Call erased");
    assert_eq!(erased["where"]["tests"][0]["value"], "Ali erased");
}

#[test]
fn a_program_hears_when_a_campaign_is_paused_stopped_or_done_and_only_one_of_its_mode() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let heard = Rc::new(RefCell::new(Vec::new()));
    let told = Rc::clone(&heard);
    world.receive(move |request| {
        told.borrow_mut()
            .push(serde_json::from_str::<Value>(&request.body).unwrap());
        let (status, retry_after, body) = (200, None, String::new());
        Some(Ok(IncomingResponse {
            status,
            retry_after,
            body,
        }))
    });
    let events = json!(["campaign.paused", "campaign.stopped", "campaign.done"]);
    world.posted(
        key,
        "/webhook",
        json!({"url": "https://shop.example/", "events": events}),
    );
    let book = phonebook(&world, key, "A", 0..3);
    let body = json!({"title": "Spring", "message": "x", "phonebooks": [book], "budget": PART, "perMinute": 1});
    let id = started(&world, key, body);
    world.settle(2 * MINUTE_MS);
    world
        .ask("PATCH", key, &format!("/campaigns/{id}"))
        .json(json!({"budget": null}))
        .send()
        .expect(200);
    for step in ["resume", "pause", "resume"] {
        steer(&world, key, &id, step).expect(200);
    }
    world.settle(5 * MINUTE_MS);
    let told = |kind: &str, state: &str, reason: Value| {
        let data = json!({"id": id, "title": "Spring", "test": false, "state": state, "reason": reason});
        (json!(kind), data)
    };
    let heard: Vec<(Value, Value)> = heard
        .borrow()
        .iter()
        .map(|event| (event["type"].clone(), event["data"].clone()))
        .collect();
    let wanted = [
        told("campaign.stopped", "STOPPED", json!("BUDGET")),
        told("campaign.paused", "PAUSED", Value::Null),
        told("campaign.done", "DONE", Value::Null),
    ];
    assert_eq!(heard, wanted);
}

#[test]
fn the_hours_of_a_campaign_hold_in_its_time_zone() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    // In Tehran it is now half past three in the afternoon.
    assert_eq!(to_rfc3339(world.now_ms.get()), "2026-01-01T12:00:00.000Z");
    let window = json!({"from": "09:00", "to": "15:00", "timeZone": "Asia/Tehran"});
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "window": window});
    let id = started(&world, key, body.clone());
    world.settle(HOUR_MS);
    let next = "2026-01-02T05:30:00.000Z";
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "RUNNING", "nextAt": next, "window": window}),
    );
    assert!(taken(&world, &shop).is_empty());
    world.settle(16 * HOUR_MS + 20 * MINUTE_MS);
    assert!(taken(&world, &shop).is_empty());
    world.settle(20 * MINUTE_MS);
    assert_eq!(taken(&world, &shop), once(0..3));
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
    let with = |window: Value| {
        let mut body = body.clone();
        body["window"] = window;
        world.post(key, "/campaigns", body)
    };
    with(json!({"from": "9:00", "to": "24:00", "timeZone": "Asia/Tehran"})).points_at(&["/window/from", "/window/to"]);
    with(json!({"from": "09:00", "to": "09:00", "timeZone": "Asia/Tehran"})).points_at(&["/window/to"]);
    with(json!({"from": "09:00", "to": "10:00", "timeZone": "Mars/Phobos"})).points_at(&["/window"]);
}

#[test]
fn a_restore_ends_campaigns_whose_people_nobody_knows_any_more() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..20);
    let id = started(
        &world,
        key,
        json!({"title": "x", "message": "x", "phonebooks": [book], "perMinute": 5}),
    );
    world.settle(10 * SECOND_MS);
    world.sql(&shop.id).note_history(world.now_ms.get());
    let at = to_rfc3339(world.now_ms.get());
    world.settle(MINUTE_MS);
    assert_eq!(taken(&world, &shop), once(0..10));
    world
        .admin("POST", &shop.path("/restore"), json!({"at": at, "reason": "a test"}))
        .expect(200);
    world.change_account(&shop, json!({"sendingEnabled": true}));
    world.settle(HOUR_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "CANCELED", "reason": "RESTORED"}),
    );
    steer(&world, key, &id, "resume").problem(409, 409);
    assert_eq!(taken(&world, &shop), once(0..10));
}

#[test]
fn a_restore_leaves_the_drafts_that_nobody_has_started_since() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let [gone, stays] = [0..3, 3..6].map(|people| {
        let book = phonebook(&world, key, &format!("{people:?}"), people);
        make(&world, key, json!({"title": "x", "message": "x", "phonebooks": [book]}))
    });
    world.settle(SECOND_MS);
    world.sql(&shop.id).note_history(world.now_ms.get());
    let at = to_rfc3339(world.now_ms.get());
    world.settle(SECOND_MS);
    steer(&world, key, &gone, "start").expect(200);
    world.settle(MINUTE_MS);
    world
        .admin("POST", &shop.path("/restore"), json!({"at": at, "reason": "a test"}))
        .expect(200);
    world.change_account(&shop, json!({"sendingEnabled": true}));
    world.settle(MINUTE_MS);
    let restored = json!({"state": "CANCELED", "reason": "RESTORED"});
    assert_has(&campaign(&world, key, &gone), restored);
    steer(&world, key, &gone, "start").problem(409, 409);
    assert_has(
        &campaign(&world, key, &stays),
        json!({"state": "DRAFT", "reason": null}),
    );
    steer(&world, key, &stays, "start").expect(200);
    world.settle(MINUTE_MS);
    assert_eq!(taken(&world, &shop), once(0..6));
    // What was started behind the restore alone can be resent.
    world.bare_post(key, &format!("/campaigns/{stays}/resend")).expect(201);
    world
        .bare_post(key, &format!("/campaigns/{gone}/resend"))
        .problem(409, 409);
}

#[test]
fn who_may_not_read_phonebooks_learns_nothing_by_a_condition() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    let scopes = ["sms:send", "sms:read"];
    let granted = world.grant(&shop, json!({"title": "live", "scopes": scopes}));
    let sender = granted.text("/data/key");
    let granted = world.grant(&shop, json!({"title": "test", "scopes": scopes, "mode": "test"}));
    let test = granted.text("/data/key");
    let all = json!({"title": "x", "message": "x", "phonebooks": [book]});
    let mut one = all.clone();
    one["where"] = json!({"tests": [{"attribute": "name", "operator": "EQUALS", "value": "name 1"}]});

    let refused = world.post(&sender, "/campaigns", one.clone()).problem(403, 403);
    assert!(refused.text("/detail").contains("\"phonebook\""), "{}", refused.body);
    let id = make(&world, &sender, all);
    let path = format!("/campaigns/{id}");
    let chosen = json!({"where": one["where"]});
    world
        .ask("PATCH", &sender, &path)
        .json(chosen.clone())
        .send()
        .problem(403, 403);
    world.settle(SECOND_MS);
    assert_eq!(campaign(&world, key, &id)["counted"]["people"], 3);
    // A key that may choose has chosen. Others may change all that needs no new count.
    world.ask("PATCH", key, &path).json(chosen.clone()).send().expect(200);
    let change = json!({"title": "y", "where": one["where"]});
    world.ask("PATCH", &sender, &path).json(change).send().expect(200);
    world.settle(SECOND_MS);
    assert_eq!(campaign(&world, key, &id)["counted"]["people"], 1);
    // Else they would learn of one person after the other whether the person meets it.
    let without = json!({"exclude": {"numbers": [number(1)]}});
    let change = |body: Value| world.ask("PATCH", &sender, &path).json(body).send();
    change(without.clone()).problem(403, 403);
    change(json!({"where": null})).expect(200);
    change(without).expect(200);

    // A test key needs the scope too, and its rehearsal goes to a stand-in for everybody.
    world.post(&test, "/campaigns", one.clone()).problem(403, 403);
    let granted = world.grant(
        &shop,
        json!({"title": "t", "scopes": ["sms:send", "sms:read", "phonebook"], "mode": "test"}),
    );
    let test = granted.text("/data/key");
    let id = make(&world, &test, one);
    world.settle(SECOND_MS);
    assert_eq!(campaign(&world, &test, &id)["counted"]["people"], 3);
}

#[test]
fn who_has_had_enough_is_left_out_and_what_cannot_be_sent_any_more_pauses_a_campaign() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let book = phonebook(&world, key, "A", 0..3);
    world.change_account(&shop, json!({"recipientLimit": {"limit": 1, "windowSeconds": 86_400}}));
    world.active_pattern(key, json!({"slug": "notice", "title": "x", "text": "Hello"}));
    let notice = json!({"pattern": "notice", "recipients": [number(1)]});
    world.posted(key, "/sms/pattern", notice);
    world.settle(MINUTE_MS);
    let body = json!({"title": "x", "pattern": "notice", "phonebooks": [book]});
    let id = started(&world, key, body.clone());
    world.settle(MINUTE_MS);
    let done = campaign(&world, key, &id);
    assert_has(&done, json!({"state": "DONE"}));
    assert_eq!(done["counted"]["skipped"], json!({"RECIPIENT_LIMIT": 1}));
    assert_has(
        &done["progress"],
        json!({"recipients": 2, "skipped": 1, "delivered": 2}),
    );
    let left_out = recipients(&world, key, &id, "&status=SKIPPED");
    assert_has(
        &left_out[0],
        json!({"recipient": number(1), "error": "RECIPIENT_LIMIT", "cost": 0}),
    );

    world.change_account(&shop, json!({"recipientLimit": {"limit": 0, "windowSeconds": 60}}));
    let mut later = body;
    later["sendAt"] = json!(to_rfc3339(world.now_ms.get() + HOUR_MS));
    let id = started(&world, key, later);
    world.bare_post(key, "/pattern/notice/deactivate").expect(200);
    world.settle(2 * HOUR_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "PAUSED", "reason": "NOT_SENDABLE"}),
    );
    world.activate(key, "notice", 1);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    let done = campaign(&world, key, &id);
    assert_has(&done, json!({"state": "DONE"}));
    assert_eq!(done["progress"]["delivered"], 3);
    assert_reconciled(&world, &shop);
}

#[test]
fn a_campaign_has_the_suffix_of_its_line_in_its_texts_its_count_and_its_price() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    world.change("/admin/lines/10001", json!({"suffix": "لغو۱۱"}));
    let book = phonebook(&world, key, "A", [1]);
    let text = "ب".repeat(66);
    let id = started(
        &world,
        key,
        json!({"title": "x", "message": text, "phonebooks": [book]}),
    );
    world.settle(MINUTE_MS);
    let done = campaign(&world, key, &id);
    assert_has(&done, json!({"state": "DONE"}));
    assert_has(&done["counted"], json!({"people": 1, "parts": 2, "cost": 2 * PART}));
    assert_has(&done["progress"], json!({"delivered": 1, "cost": 2 * PART}));
    let texts: Vec<String> = world.handed(&shop.id).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, [format!("{text}\nلغو۱۱")]);
}
