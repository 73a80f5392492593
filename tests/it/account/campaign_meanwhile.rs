//! What comes to a campaign while its next page is read from the directory: the page is accepted for the campaign as it is then, or not at
//! all.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Value, json};

use super::campaigns::{make, phonebook};
use crate::support::life::Life;
use crate::support::time::{HOUR_MS, SECOND_MS};
use crate::support::{Account, Answer, World, assert_has};

/// More steps than it takes to read a page and to accept it.
const STEPS: usize = 60;

/// A world in which others run at each call to a port, and the path of a campaign to three people, one in a minute.
fn world_with_campaign() -> (World, Account, String) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let people = json!(["+989121001100", "+989121002100", "+989121003100"]);
    let book = world.phonebook(&shop.key, "A", people);
    let body = json!({"title": "x", "message": "x", "phonebooks": [book], "perMinute": 1});
    let made = world.posted(&shop.key, "/campaigns", body);
    let path = format!("/campaigns/{}", made.text("/data/id"));
    world.yield_at_each_await();
    (world, shop, path)
}

/// What is answered to a request that comes when the objects have made so many steps, or a second later.
fn answer_after<'w>(
    world: &World,
    life: &Life<'w>,
    steps: usize,
    request: impl Future<Output = Answer> + 'w,
) -> Answer {
    let (left, end_ms) = (Cell::new(steps), world.now_ms.get() + SECOND_MS);
    life.settle_until(SECOND_MS, || {
        left.replace(left.get().saturating_sub(1)) == 0 || world.now_ms.get() >= end_ms
    });
    let answered = Rc::new(RefCell::new(None));
    let told = Rc::clone(&answered);
    life.spawn(async move { drop(told.replace(Some(request.await))) });
    life.settle_until(HOUR_MS, || answered.borrow().is_some());
    answered.take().unwrap()
}

fn told(world: &World, shop: &Account, path: &str) -> Value {
    world.read(&shop.key, path).json["data"].clone()
}

#[test]
fn nothing_is_accepted_behind_a_pause_also_not_what_was_read_before_it() {
    let mut seen = BTreeSet::new();
    for steps in 0..STEPS {
        let (world, shop, path) = world_with_campaign();
        let life = Life::of(&world);
        life.settle(SECOND_MS);
        world.bare_post(&shop.key, &format!("{path}/start")).expect(200);
        let pause = world.ask("POST", &shop.key, &format!("{path}/pause")).answer();
        let paused = answer_after(&world, &life, steps, pause).expect(200);
        let recipients = paused.int("/data/progress/recipients");
        seen.insert(recipients);
        life.settle(HOUR_MS);
        let later = told(&world, &shop, &path);
        assert_has(&later, json!({"state": "PAUSED"}));
        assert_has(&later["progress"], json!({"recipients": recipients}));
        assert_eq!(world.balance(&shop.key).0, 1_000_000 - 1_000 * recipients);
    }
    assert_eq!(
        seen,
        BTreeSet::from([0, 1]),
        "the pause came before and behind the first wave"
    );
}

#[test]
fn a_campaign_that_is_changed_while_it_is_counted_is_counted_as_it_is_then() {
    let mut states = BTreeSet::new();
    for steps in 0..STEPS {
        let (world, shop, path) = world_with_campaign();
        let life = Life::of(&world);
        let body = json!({"message": "ب".repeat(71)});
        let change = world.ask("PATCH", &shop.key, &path).json(body).answer();
        answer_after(&world, &life, steps, change).expect(200);
        states.insert(told(&world, &shop, &path)["counted"]["parts"].to_string());
        life.settle(HOUR_MS);
        let counted = told(&world, &shop, &path);
        assert_has(&counted, json!({"state": "DRAFT"}));
        assert_has(&counted["counted"], json!({"people": 3, "parts": 6, "cost": 6_000}));
    }
    assert!(states.contains("0"), "{states:?}");
}

#[test]
fn a_campaign_that_is_changed_in_the_middle_of_its_count_is_counted_from_the_beginning() {
    for steps in (0..4 * STEPS).step_by(16) {
        let (world, shop) = World::with_busy_account(1_000_000);
        let book = phonebook(&world, &shop.key, "A", 0..2_400);
        let body = json!({"title": "x", "message": "x", "phonebooks": [book]});
        let path = format!("/campaigns/{}", make(&world, &shop.key, body));
        world.yield_at_each_await();
        let life = Life::of(&world);
        let body = json!({"message": "y"});
        let change = world.ask("PATCH", &shop.key, &path).json(body).answer();
        answer_after(&world, &life, steps, change).expect(200);
        life.settle(HOUR_MS);
        let counted = told(&world, &shop, &path);
        assert_has(&counted, json!({"state": "DRAFT", "message": "y"}));
        assert_has(&counted["counted"], json!({"people": 2_400}));
    }
}

#[test]
fn of_two_changes_at_once_each_keeps_what_the_other_has_changed() {
    for steps in 0..STEPS {
        let (world, shop, path) = world_with_campaign();
        let life = Life::of(&world);
        life.settle(SECOND_MS);
        let one = world.ask("PATCH", &shop.key, &path).json(json!({"perMinute": 7}));
        life.spawn(async move { drop(one.answer().await) });
        let body = json!({"budget": 9_000});
        let other = world.ask("PATCH", &shop.key, &path).json(body).answer();
        answer_after(&world, &life, steps, other).expect(200);
        life.settle(HOUR_MS);
        assert_has(&told(&world, &shop, &path), json!({"perMinute": 7, "budget": 9_000}));
    }
}

#[test]
fn a_campaign_that_is_deleted_while_it_is_counted_stays_away() {
    for steps in 0..STEPS {
        let (world, shop, path) = world_with_campaign();
        let life = Life::of(&world);
        let delete = world.ask("DELETE", &shop.key, &path).answer();
        answer_after(&world, &life, steps, delete).expect(204);
        life.settle(HOUR_MS);
        world.get(&shop.key, &path).refused(404);
        assert!(world.all(&shop.key, "/campaigns?limit=10").is_empty());
    }
}
