//! What the profiles of accounts take in the memory of an isolate.

use std::collections::BTreeMap;
use std::ptr;

use peyk::base::cache::{Cache, Weigh};
use peyk::directory::lines::Line;
use peyk::directory::profile::{Profile, SharedLines, profile};
use serde_json::json;

use crate::support::World;
use crate::support::to_end;

/// About a kilobyte of JSON: a route for all numbers, and ten with ten prefixes each.
fn routes() -> String {
    let share = json!([{"name": "sandbox", "weight": 1}]);
    let mut routes = vec![json!({"prefixes": [], "carriers": share})];
    for route in 0..10 {
        let prefixes: Vec<String> = (0..10).map(|number| format!("98{route}{number}")).collect();
        routes.push(json!({"prefixes": prefixes, "carriers": share}));
    }
    json!(routes).to_string()
}

/// A directory with this many accounts, and lines from `100000` on, of which the first ones are shared.
fn directory(accounts: usize, shared: usize, others: usize) -> World {
    let (world, _) = World::with_account(0);
    world.db.run("UPDATE line SET shared = 0");
    let columns = "routes, webservice, pattern, shared, active, persian_c, english_c, mci_c, mtn_c, webservice_c, \
         pattern_c, paused, created_ms";
    let insert = format!(
        "INSERT INTO line (number, {columns}) SELECT ?1, ?2, webservice, pattern, ?3, active, persian_c, english_c, mci_c, \
         mtn_c, webservice_c, pattern_c, paused, created_ms FROM line LIMIT 1"
    );
    for line in 0..shared + others {
        let number = (100_000 + line).to_string();
        let is_shared = line < shared;
        world
            .db
            .run_with(&insert, &[number.as_str().into(), routes().into(), is_shared.into()]);
    }
    for account in 0..accounts {
        let id = format!("account-{account}");
        let columns = world
            .db
            .texts("SELECT name FROM pragma_table_info('account') WHERE name NOT IN ('id', 'username')");
        let columns = columns.join(", ");
        let insert = format!(
            "INSERT INTO account (id, username, {columns}) SELECT ?1, ?1, {columns} FROM account WHERE username = 'shop'"
        );
        world.db.run_with(&insert, &[id.as_str().into()]);
    }
    world
}

fn read(world: &World, account: usize, shared: &SharedLines) -> Profile {
    let id = format!("account-{account}");
    let found = to_end(profile(&*world.db, &id, shared));
    found.unwrap().unwrap()
}

#[test]
fn lines_that_all_accounts_may_use_stand_in_memory_once() {
    const ACCOUNTS: usize = 100;
    const LINES: usize = 1_000;
    let world = directory(ACCOUNTS, LINES, 0);
    let (shared, cache) = (SharedLines::default(), Cache::<Profile>::default());
    let profiles: Vec<_> = (0..ACCOUNTS)
        .map(|account| cache.put(&format!("account-{account}"), 0, read(&world, account, &shared)))
        .collect();
    let all: Vec<&Line> = profiles[0].lines().collect();
    assert_eq!(all.len(), LINES);
    for profile in &profiles {
        assert!(profile.lines().zip(&all).all(|(line, first)| ptr::eq(line, *first)));
    }
    let copy: usize = all.iter().map(|line| size_of::<Line>() + line.heap()).sum();
    eprintln!(
        "{LINES} lines take {} KB once; {ACCOUNTS} profiles take {} KB beside them, and took {} KB with copies",
        copy / 1_024,
        cache.bytes() / 1_024,
        (cache.bytes() + copy * ACCOUNTS) / 1_024,
    );
    assert!(cache.bytes() < ACCOUNTS * 1_024, "{}", cache.bytes());
    // After a change of one line, the others are still the same for profiles that are read before and after it.
    world.db.run("UPDATE line SET paused = 1 WHERE number = '100500'");
    let changed = read(&world, 0, &shared);
    let same = changed
        .lines()
        .zip(&all)
        .filter(|(line, first)| ptr::eq(*line, **first))
        .count();
    assert_eq!(same, LINES - 1);
    assert!(changed.lines().nth(500).unwrap().paused && !all[500].paused);
}

#[test]
fn two_thousand_accounts_with_lines_of_their_own_take_no_more_than_a_cache_may() {
    let world = directory(1, 0, 100);
    world
        .db
        .run("INSERT INTO line_account (line, account) SELECT number, 'account-0' FROM line WHERE length(number) = 6");
    let profile = read(&world, 0, &SharedLines::default());
    let cache = Cache::<Profile>::default();
    let each = size_of::<Profile>() + profile.heap();
    for account in 0..2_000_i64 {
        cache.put(&account.to_string(), account, profile.clone());
        assert!(cache.bytes() <= 8 << 20, "{}", cache.bytes());
    }
    eprintln!(
        "2,000 profiles of {} KB each: {} KB are kept of {} KB",
        each / 1_024,
        cache.bytes() / 1_024,
        each * 2_000 / 1_024
    );
    assert!(cache.peek("1999", 2_000).is_some());
    // What is older than thirty seconds goes when another one comes.
    cache.put("new", 60_000, profile.clone());
    assert!(cache.bytes() < each + 1_024, "{}", cache.bytes());
}

#[test]
fn a_profile_has_the_lines_of_both_kinds_in_the_order_of_their_numbers_and_at_most_a_thousand() {
    let world = directory(2, 600, 600);
    world
        .db
        .run("INSERT INTO line_account (line, account) SELECT number, 'account-0' FROM line WHERE length(number) = 6");
    // So that the two kinds alternate.
    world
        .db
        .run("UPDATE line SET shared = CAST(number AS INTEGER) % 2 WHERE length(number) = 6");
    let shared = SharedLines::default();
    let numbers = |account| -> Vec<String> {
        let profile = read(&world, account, &shared);
        profile.lines().map(|line| line.number.clone()).collect()
    };
    let expected = |step: usize| -> Vec<String> {
        let all = (100_000 + step - 1..101_200).step_by(step);
        all.take(1_000).map(|number| number.to_string()).collect()
    };
    assert_eq!(numbers(0), expected(1));
    assert_eq!(numbers(1), expected(2));
    let kinds: BTreeMap<bool, usize> = read(&world, 0, &shared)
        .lines()
        .fold(BTreeMap::new(), |mut kinds, line| {
            *kinds.entry(line.shared).or_default() += 1;
            kinds
        });
    assert_eq!(kinds, BTreeMap::from([(false, 500), (true, 500)]));
}
