//! The audit log as a program follows it: every entry comes, in the order in which it came into the log.

use std::collections::BTreeMap;

use peyk::directory::audit::forget_old;
use serde_json::{Value, json};

use crate::support::{Dice, World, to_end};

const REST_MS: i64 = 10_000;

/// What a program knows that follows the log.
#[derive(Default)]
struct Follower {
    cursor: Option<String>,
    known: BTreeMap<String, Value>,
    seen: usize,
}

impl Follower {
    fn poll(&mut self, world: &World, limit: u32) -> usize {
        let cursor = self.cursor.iter().map(|cursor| format!("&cursor={cursor}"));
        let path = format!("/admin/audit/feed?limit={limit}{}", cursor.collect::<String>());
        let answer = world.look(&path);
        self.cursor = Some(answer.text("/meta/nextCursor"));
        for entry in answer.items() {
            self.known
                .insert(entry["id"].as_str().unwrap().to_owned(), entry.clone());
        }
        self.seen += answer.items().len();
        answer.items().len()
    }

    fn catch_up(&mut self, world: &World, limit: u32) {
        while self.poll(world, limit) > 0 {}
    }
}

fn newest_first(world: &World) -> Vec<Value> {
    world.all(&world.admin_key, "/admin/audit?limit=7")
}

#[test]
fn whoever_follows_the_log_has_every_entry_whenever_it_came() {
    for seed in 0..6 {
        let (world, shop) = World::with_account(10_000);
        let (dice, mut follower) = (Dice::new(seed), Follower::default());
        for turn in 0..40 {
            let title = format!("title {turn}");
            match dice.below(5) {
                // What an object changes comes later, and the longer D1 is away, the later.
                0 => drop(world.post(&shop.key, "/keys", json!({"title": title}))),
                1 => drop(world.admin(
                    "PATCH",
                    &shop.path(""),
                    json!({"fullName": title, "rateLimit": {"limit": 100 + turn, "windowSeconds": 1, "burst": 200}}),
                )),
                2 => drop(world.admin("PATCH", "/admin/plans/default", json!({"title": title}))),
                3 => world.db.is_down.set(dice.below(2) == 0),
                _ => world.settle(1_000),
            }
            if !world.db.is_down.get() {
                follower.poll(&world, 1 + u32::try_from(dice.below(4)).unwrap());
            }
        }
        world.db.is_down.set(false);
        world.settle(REST_MS);
        follower.catch_up(&world, 3);
        let all = newest_first(&world);
        assert!(all.len() > 8, "seed {seed}");
        let known: Vec<Value> = follower.known.values().rev().cloned().collect();
        assert_eq!(known, all, "seed {seed}: each entry, as the list has it");
        assert!(follower.seen <= all.len() * 2, "an entry has two parts at most");
    }
}

#[test]
fn a_feed_goes_on_when_old_entries_go_and_begins_anew_when_none_is_left() {
    let (world, _) = World::with_account(10_000);
    let change = |title: &str| world.change("/admin/plans/default", json!({"title": title}));
    let mut follower = Follower::default();
    change("a");
    follower.catch_up(&world, 50);
    let before = follower.known.len();
    assert_eq!(before, newest_first(&world).len());
    world.advance(1);
    assert!(!to_end(forget_old(&world.db, world.now_ms.get())).unwrap());
    assert_eq!(newest_first(&world).len(), 0);
    assert_eq!(follower.poll(&world, 50), 0);
    change("b");
    assert_eq!(follower.poll(&world, 50), 1);
    follower.catch_up(&world, 1);
    assert_eq!(follower.known.len(), before + 1);
}

#[test]
fn a_feed_takes_no_cursor_of_another_list_and_is_for_operators_who_read() {
    let (world, shop) = World::with_account(10_000);
    world.change("/admin/plans/default", json!({"title": "a"}));
    world.change("/admin/plans/default", json!({"title": "b"}));
    let other = world.look("/admin/audit?limit=1").text("/meta/nextCursor");
    for bad in [
        format!("cursor={other}"),
        "cursor=x".to_owned(),
        "limit=0".to_owned(),
        "limit=201".to_owned(),
    ] {
        world
            .admin("GET", &format!("/admin/audit/feed?{bad}"), Value::Null)
            .problem(422, 422);
    }
    world.get(&shop.key, "/admin/audit/feed").refused(403);
}
