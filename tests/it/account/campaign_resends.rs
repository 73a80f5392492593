//! Resends of campaigns: they go to those whom the first certainly did not reach, once, by another carrier.

use std::collections::{BTreeMap, BTreeSet};

use peyk::base::time::to_rfc3339;
use serde_json::{Value, json};

use super::campaigns::{
    MONEY, PART, assert_reconciled, campaign, number, phonebook, recipients, started, steer, taken,
};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, World, assert_has};

/// A number that ends as this index says: refused, undelivered, expired, without an answer, or delivered.
fn ending(index: usize) -> String {
    let end = [901, 902, 903, 904, 100, 100, 100, 100][index % 8];
    format!("+98912{:07}", 1_000_000 + index * 1_000 + end)
}

fn book(world: &World, key: &str, people: impl IntoIterator<Item = usize>) -> String {
    let id = phonebook(world, key, "A", []);
    let csv: String = people
        .into_iter()
        .map(|index| format!("{},x\n", ending(index)))
        .collect();
    world.import(key, &id, format!("number,name\n{csv}")).expect(201);
    id
}

fn resend(world: &World, key: &str, id: &str) -> Answer {
    world.bare_post(key, &format!("/campaigns/{id}/resend"))
}

/// Makes the resend of a campaign, and lets it be counted.
fn resent(world: &World, key: &str, id: &str) -> String {
    let made = resend(world, key, id).expect(201);
    assert_has(
        &made.json["data"],
        json!({"state": "COUNTING", "resendOf": id, "resentAs": null}),
    );
    world.settle(SECOND_MS);
    made.text("/data/id")
}

/// A campaign to these people that is done.
fn done(world: &World, key: &str, body: &Value) -> String {
    let id = started(world, key, body.clone());
    world.settle(2 * MINUTE_MS);
    assert_has(&campaign(world, key, &id), json!({"state": "DONE"}));
    id
}

fn numbers(people: &[Value]) -> BTreeSet<String> {
    let number = |one: &Value| one["recipient"].as_str().unwrap().to_owned();
    people.iter().map(number).collect()
}

/// The carriers of a campaign's recipients, by number, as operators see them.
fn carriers(world: &World, shop: &Account, id: &str) -> BTreeMap<String, String> {
    let uids: BTreeSet<String> = recipients(world, &shop.key, id, "")
        .iter()
        .map(|one| one["uid"].as_str().unwrap().split('.').next().unwrap().to_owned())
        .collect();
    let mut carriers = BTreeMap::new();
    for uid in uids {
        let path = format!("/admin/accounts/{}/messages/{uid}/recipients?limit=200", shop.id);
        for one in world.all(&world.admin_key, &path) {
            if let Some(carrier) = one["carrier"].as_str() {
                carriers.insert(one["recipient"].as_str().unwrap().to_owned(), carrier.to_owned());
            }
        }
    }
    carriers
}

#[test]
fn a_resend_goes_to_those_whom_the_first_certainly_did_not_reach_and_is_counted_before() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let all = book(&world, key, 0..2_400);
    let body = json!({"title": "Sale", "message": "Hello %name%", "phonebooks": [all], "perMinute": 100_000});
    let first = done(&world, key, &body);
    let missed = |index: &usize| index % 8 < 3;
    world.posted(key, "/blacklist", json!({"numbers": [ending(0), ending(4)]}));
    let listed = world.all(key, &format!("/phonebook/number/{all}?limit=100"));
    let gone = listed.iter().find(|one| one["number"] == json!(ending(1))).unwrap();
    let path = format!("/phonebook/number/{all}/{}", gone["id"]);
    world.delete(key, &path).expect(204);

    let before = taken(&world, &shop);
    let id = resent(&world, key, &first);
    let counted = campaign(&world, key, &id);
    assert_has(
        &counted,
        json!({"state": "DRAFT", "title": "Sale", "perMinute": 100_000}),
    );
    let people = 900 - 2;
    assert_has(
        &counted["counted"],
        json!({"people": people, "parts": people, "cost": people * PART,
               "skipped": {"BLACKLISTED": 1, "NO_MEMBER": 1, "UNKNOWN": 300}}),
    );
    assert_has(
        &campaign(&world, key, &first),
        json!({"resentAs": id, "resendOf": null}),
    );
    assert_eq!(taken(&world, &shop), before);

    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    let after = campaign(&world, key, &id);
    assert_has(&after, json!({"state": "DONE", "reason": null}));
    assert_has(
        &after["progress"],
        json!({"recipients": people, "skipped": 1, "queued": 0}),
    );
    let reached = recipients(&world, key, &id, "");
    let wanted: BTreeSet<String> = (0..2_400)
        .filter(missed)
        .filter(|index| *index != 1)
        .map(ending)
        .collect();
    assert_eq!(numbers(&reached), wanted);
    let skipped = recipients(&world, key, &id, "&status=SKIPPED");
    assert_eq!(numbers(&skipped), BTreeSet::from([ending(0)]));
    assert_reconciled(&world, &shop);
}

#[test]
fn a_campaign_is_resent_once_and_a_resend_never() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let all = book(&world, key, 0..16);
    let body = json!({"title": "x", "message": "x", "phonebooks": [all], "perMinute": 8});
    let first = started(&world, key, body);
    world.settle(10 * SECOND_MS);
    resend(&world, key, &first).problem(409, 409);
    resend(&world, key, "019b796d-a000-7000-8000-000000000000").refused(404);
    steer(&world, key, &first, "cancel").expect(200);
    let id = resent(&world, key, &first);
    let counted = campaign(&world, key, &id);
    assert_has(&counted["counted"], json!({"people": 3, "skipped": {"UNKNOWN": 1}}));
    let again = resend(&world, key, &first).expect(200);
    assert_eq!(again.text("/data/id"), id);

    // One that was never started makes room for another.
    world.delete(key, &format!("/campaigns/{id}")).expect(204);
    assert_has(&campaign(&world, key, &first), json!({"resentAs": null}));
    let id = resent(&world, key, &first);
    let path = format!("/campaigns/{id}");
    let change = |body: Value| world.ask("PATCH", key, &path).json(body).send();
    for body in [
        json!({"message": "y"}),
        json!({"phonebooks": [phonebook(&world, key, "B", [1])]}),
        json!({"exclude": {"numbers": [number(1)]}}),
    ] {
        let refused = change(body).problem(409, 409).text("/detail");
        assert!(
            refused.starts_with("A resend sends what its campaign sent"),
            "{refused}"
        );
    }
    change(json!({"title": "y", "perMinute": null, "budget": 5_000, "guard": {"failedShare": 100}})).expect(200);
    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE", "title": "y"}));
    let refused = resend(&world, key, &id).problem(409, 409).text("/detail");
    assert!(refused.starts_with("A campaign is resent once"), "{refused}");
    world.delete(key, &path).expect(204);
    resend(&world, key, &first).problem(409, 409);
    assert_reconciled(&world, &shop);
}

#[test]
fn a_resend_keeps_its_budget_and_goes_on_behind_it() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let all = book(&world, key, 0..80);
    let first = done(&world, key, &json!({"title": "x", "message": "x", "phonebooks": [all]}));
    let id = resent(&world, key, &first);
    let path = format!("/campaigns/{id}");
    world
        .ask("PATCH", key, &path)
        .json(json!({"budget": 7 * PART}))
        .send()
        .expect(200);
    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    let stopped = campaign(&world, key, &id);
    assert_has(&stopped, json!({"state": "STOPPED", "reason": "BUDGET"}));
    world
        .ask("PATCH", key, &path)
        .json(json!({"budget": null}))
        .send()
        .expect(200);
    steer(&world, key, &id, "resume").expect(200);
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, key, &id), json!({"state": "DONE"}));
    let reached = recipients(&world, key, &id, "");
    assert_eq!((reached.len(), numbers(&reached).len()), (30, 30));
}

#[test]
fn a_resend_goes_by_another_carrier_than_the_one_that_failed() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    world.add_sandboxes(&["one", "two"], "{}");
    // By its weight, the first one would get both campaigns.
    let carriers_of = json!([{"name": "one", "weight": 100}, {"name": "two", "weight": 1}]);
    let routes = json!({"routes": [{"prefixes": [], "carriers": carriers_of}]});
    world.admin("PATCH", "/admin/lines/10001", routes).expect(200);
    world.settle(MINUTE_MS);
    let all = book(&world, key, 0..40);
    let first = done(&world, key, &json!({"title": "x", "message": "x", "phonebooks": [all]}));
    let id = resent(&world, key, &first);
    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    let (before, after) = (carriers(&world, &shop, &first), carriers(&world, &shop, &id));
    assert_eq!(after.len(), 15);
    for (number, carrier) in &after {
        assert_eq!((before[number].as_str(), carrier.as_str()), ("one", "two"), "{number}");
    }
}

#[test]
fn nobody_of_whom_no_report_came_and_nobody_who_never_left_is_resent() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    // The reports come when nobody waits for them any more.
    let settings = json!({"window": 1_000, "reportAfterMs": 100 * HOUR_MS}).to_string();
    let change = "UPDATE carrier SET settings = ?1, version = version + 1 WHERE kind = 'sandbox'";
    world.db.run_with(change, &[settings.into()]);
    let all = phonebook(&world, key, "A", 0..20);
    let first = started(
        &world,
        key,
        json!({"title": "x", "message": "x", "phonebooks": [all], "perMinute": 10}),
    );
    world.settle(20 * SECOND_MS);
    steer(&world, key, &first, "pause").expect(200);
    steer(&world, key, &first, "cancel").expect(200);
    let id = resent(&world, key, &first);
    assert_has(
        &campaign(&world, key, &id)["counted"],
        json!({"people": 0, "skipped": {"OPEN": 10}}),
    );
    world.delete(key, &format!("/campaigns/{id}")).expect(204);
    world.settle(4 * DAY_MS);
    let id = resent(&world, key, &first);
    assert_has(
        &campaign(&world, key, &id)["counted"],
        json!({"people": 0, "skipped": {"NO_REPORT": 10}}),
    );
    steer(&world, key, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    let empty = campaign(&world, key, &id);
    assert_has(&empty, json!({"state": "DONE"}));
    assert_has(&empty["progress"], json!({"waves": 0, "recipients": 0}));
}

#[test]
fn a_test_key_rehearses_a_resend_and_a_budget() {
    let (world, shop) = World::with_busy_account(MONEY);
    let all = phonebook(&world, &shop.key, "A", 0..1_200);
    let test = world.grant(
        &shop,
        json!({"title": "t", "scopes": ["sms:send", "sms:read"], "mode": "test"}),
    );
    let test = test.text("/data/key");
    let body = json!({"title": "x", "message": "Hi", "phonebooks": [all], "budget": 1});
    let first = done(&world, &test, &body);
    let missed = campaign(&world, &test, &first)["progress"]["failed"].clone();
    assert_eq!(recipients(&world, &test, &first, "").len(), 1_200);
    assert!(missed.as_i64().unwrap() > 0);
    let id = resent(&world, &test, &first);
    assert_eq!(campaign(&world, &test, &id)["counted"]["people"], missed);
    resend(&world, &shop.key, &first).refused(404);
    steer(&world, &test, &id, "start").expect(200);
    world.settle(MINUTE_MS);
    assert_has(&campaign(&world, &test, &id), json!({"state": "DONE", "test": true}));
    let failed = ["REJECTED", "UNDELIVERED", "EXPIRED"].map(|status| {
        let filter = format!("&status={status}");
        numbers(&recipients(&world, &test, &first, &filter))
    });
    assert_eq!(
        numbers(&recipients(&world, &test, &id, "")),
        failed.into_iter().flatten().collect()
    );
    assert!(taken(&world, &shop).is_empty());
}

#[test]
fn a_restore_ends_resends_and_lets_nothing_be_resent_of_which_nobody_knows_whether_it_was() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let all = book(&world, key, 0..16);
    let body = json!({"title": "x", "message": "x", "phonebooks": [all]});
    let (first, second) = (done(&world, key, &body), done(&world, key, &body));
    let id = resent(&world, key, &first);
    world.sql(&shop.id).note_history(world.now_ms.get());
    let at = to_rfc3339(world.now_ms.get());
    world.settle(MINUTE_MS);
    world
        .admin("POST", &shop.path("/restore"), json!({"at": at, "reason": "a test"}))
        .expect(200);
    world.change_account(&shop, json!({"sendingEnabled": true}));
    world.settle(HOUR_MS);
    assert_has(
        &campaign(&world, key, &id),
        json!({"state": "CANCELED", "reason": "RESTORED"}),
    );
    steer(&world, key, &id, "start").problem(409, 409);
    resend(&world, key, &second).problem(409, 409);
}

#[test]
fn a_file_of_a_campaigns_people_has_all_of_them_and_takes_the_filters() {
    let (world, shop) = World::with_busy_account(MONEY);
    let key = shop.key.as_str();
    let all = book(&world, key, 0..2_400);
    let id = done(&world, key, &json!({"title": "x", "message": "x", "phonebooks": [all]}));
    let read = |query: &str| {
        let file = world.read(key, &format!("/campaigns/{id}/recipients?format=csv{query}"));
        assert_eq!(file.response.content_type, "text/csv; charset=utf-8");
        file.body
    };
    let whole = read("");
    let lines: BTreeSet<&str> = whole
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    let wanted: BTreeSet<String> = (0..2_400).map(ending).collect();
    assert_eq!(lines, wanted.iter().map(String::as_str).collect());
    assert_eq!(whole.lines().count(), 2_401);
    let refused = read("&status=REJECTED");
    assert_eq!(refused.lines().count(), 301);
    assert!(refused.lines().skip(1).all(|line| line.contains(",REJECTED,")));
    let path = format!("/campaigns/{id}/recipients?format=csv&limit=5");
    world.get(key, &path).refused(422);
    world.get(key, "/campaigns/none/recipients?format=csv").refused(404);
}
