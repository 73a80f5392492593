//! A program that asks again and again gets each message from a phone once.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{line, list, one_shop, text};
use crate::support::{Account, World, cases, pick};

/// The texts that a request takes, in their order.
fn taken(world: &World, shop: &Account, body: Value) -> Vec<String> {
    let answer = world.post(&shop.key, "/inbound/take", body).expect(200);
    let messages = answer.json["data"]["messages"].clone();
    assert!(
        messages
            .as_array()
            .unwrap()
            .iter()
            .all(|message| message["taken"] == true)
    );
    pick(&messages, "text")
}

fn listed(world: &World, shop: &Account, query: &str) -> Vec<String> {
    pick(&list(world, shop, query).into(), "text")
}

#[test]
fn the_oldest_come_first_and_each_comes_once() {
    let (world, shop, other) = one_shop();
    for index in 0..7 {
        text(&world, "3000", &index.to_string());
    }
    assert_eq!(taken(&world, &shop, json!({"limit": 3})), ["0", "1", "2"]);
    assert_eq!(listed(&world, &shop, "taken=true"), ["2", "1", "0"]);
    assert_eq!(listed(&world, &shop, "taken=false"), ["6", "5", "4", "3"]);
    assert_eq!(taken(&world, &shop, json!({})), ["3", "4", "5", "6"]);
    assert!(taken(&world, &shop, json!({})).is_empty());
    text(&world, "3000", "7");
    assert_eq!(taken(&world, &shop, json!({})), ["7"]);
    assert!(taken(&world, &other, json!({})).is_empty());
    let numbers: Vec<i64> = list(&world, &shop, "")
        .iter()
        .map(|message| message["number"].as_i64().unwrap())
        .collect();
    assert!(numbers.is_sorted_by(|newer, older| newer > older), "{numbers:?}");
}

#[test]
fn more_messages_and_longer_texts_than_one_answer_has_are_left_for_the_next() {
    let (world, shop, _) = one_shop();
    for index in 0..101 {
        text(&world, "3000", &index.to_string());
    }
    assert_eq!(taken(&world, &shop, json!({})).len(), 100);
    assert_eq!(taken(&world, &shop, json!({})), ["100"]);
    let long = |index: i32| format!("{index:02}{}", "ب".repeat(9_998));
    for index in 0..21 {
        text(&world, "3000", &long(index));
    }
    assert_eq!(taken(&world, &shop, json!({})), (0..20).map(long).collect::<Vec<_>>());
    assert_eq!(taken(&world, &shop, json!({})), [long(20)]);
}

#[test]
fn a_request_that_is_wrong_takes_nothing() {
    let (world, shop, _) = one_shop();
    text(&world, "3000", "x");
    for body in [
        json!({"limit": 0}),
        json!({"limit": 101}),
        json!({"line": ""}),
        json!({"lines": "3000"}),
        json!([]),
    ] {
        let status = world.post(&shop.key, "/inbound/take", body).response.status;
        assert!([400, 422].contains(&status), "{status}");
    }
    let blind = world
        .grant(&shop, json!({"title": "x", "scopes": ["sms:send"]}))
        .text("/data/key");
    world.post(&blind, "/inbound/take", json!({})).refused(403);
    // Who may read only takes nothing away from the others.
    let reader = world
        .grant(&shop, json!({"title": "x", "scopes": ["sms:read"]}))
        .text("/data/key");
    world.post(&reader, "/inbound/take", json!({})).refused(403);
    assert_eq!(world.read(&reader, "/inbound").items().len(), 1);
    let rehearsal = world
        .grant(&shop, json!({"title": "x", "mode": "test"}))
        .text("/data/key");
    world.post(&rehearsal, "/inbound/take", json!({})).refused(403);
    assert_eq!(taken(&world, &shop, json!({})), ["x"]);
}

#[test]
fn the_audit_log_has_who_takes_once_an_hour_or_when_somebody_else_does() {
    let (world, shop, _) = one_shop();
    let other = world.grant(&shop, json!({"title": "x", "scopes": ["sms:read", "sms:send"]}));
    let (other, other_id) = (other.text("/data/key"), other.text("/data/id"));
    let mut count = 0;
    let mut take = |key: &str| {
        text(&world, "3000", &count.to_string());
        count += 1;
        let answer = world.post(key, "/inbound/take", json!({"line": "3000"})).expect(200);
        assert_eq!(answer.json["data"]["messages"].as_array().unwrap().len(), 1);
        world.settle(1_000);
    };
    let entries = || {
        world.settle(10_000);
        world.all(&world.admin_key, "/admin/audit?operation=TakeInbound")
    };
    for _ in 0..5 {
        take(&shop.key);
    }
    world.post(&shop.key, "/inbound/take", json!({})).expect(200);
    assert_eq!(entries().len(), 1, "what took nothing has no entry");
    take(&other);
    take(&other);
    let all = entries();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["actor"]["key"], other_id);
    assert_eq!(
        all[0]["thing"],
        json!({"kind": "inbound", "id": "3000", "account": shop.id, "username": "shop"})
    );
    assert_eq!(all[0]["before"]["takenBy"], shop.key_id);
    assert_eq!(
        (&all[0]["after"]["takenBy"], &all[0]["after"]["first"]),
        (&json!(other_id), &json!(6))
    );
    world.settle(60 * 60 * 1_000);
    take(&other);
    assert_eq!(entries().len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    /// Whatever programs take by a line or from all, each message comes once, and what is listed as taken is what came.
    #[test]
    fn programs_that_take_together_get_each_message_once(
        steps in prop::collection::vec((0..5_usize, 1..4_i64), 1..30),
    ) {
        let (world, shop, _) = one_shop();
        line(&world, "3001", &[&shop]);
        let (mut sent, mut got) = (0, Vec::new());
        for (step, limit) in steps {
            match step {
                0 | 1 => {
                    text(&world, ["3000", "3001"][step], &sent.to_string());
                    sent += 1;
                }
                2 => got.extend(taken(&world, &shop, json!({"limit": limit}))),
                _ => {
                    let line = ["3000", "3001"][step - 3];
                    got.extend(taken(&world, &shop, json!({"limit": limit, "line": line})));
                }
            }
            let mut marked = listed(&world, &shop, "taken=true&limit=200");
            let mut known = got.clone();
            marked.sort();
            known.sort();
            prop_assert_eq!(marked, known);
        }
        got.extend(taken(&world, &shop, json!({})));
        let mut numbers: Vec<i32> = got.iter().map(|text| text.parse().unwrap()).collect();
        numbers.sort_unstable();
        prop_assert_eq!(numbers, (0..sent).collect::<Vec<_>>());
    }
}
