//! How the newest messages have ended, by operator and reason.

use serde_json::{Value, json};

use crate::support::{Account, World};

fn outcomes(world: &World, key: &str, query: &str) -> Value {
    world.read(key, &format!("/account/outcomes{query}")).json["data"].clone()
}

/// The sandbox reports by the last digits of a number: 901 is off, 902 unknown.
fn busy() -> (World, Account) {
    World::with_busy_account(100_000_000)
}

#[test]
fn recipients_are_told_by_operator_and_reason() {
    let (world, shop) = busy();
    let none = json!({"recipients": 0, "hasMore": false, "operators": [], "reasons": []});
    assert_eq!(outcomes(&world, &shop.key, ""), none);
    let numbers = ["09121234567", "09121234568", "09351234567", "02188776655"];
    world.sent(&shop.key, &numbers);
    let gone: Vec<String> = (0..5).map(|at| format!("0912000{at}901")).collect();
    let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
    world.sent(&shop.key, &gone);
    world.settle(60_000);
    let told = outcomes(&world, &shop.key, "");
    assert_eq!(told["recipients"], 9);
    let sum = |member: &str| -> i64 {
        let operators = told["operators"].as_array().unwrap();
        operators.iter().map(|one| one[member].as_i64().unwrap()).sum()
    };
    assert_eq!(sum("delivered") + sum("failed") + sum("others"), 9);
    let failed: i64 = told["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["recipients"].as_i64().unwrap())
        .sum();
    assert_eq!(failed, sum("failed"));
    assert!(failed >= 5, "{told}");
    let names: Vec<&Value> = told["operators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["operator"])
        .collect();
    assert_eq!(names, ["MCI", "MTN", "OTHER"]);
    // They agree with what each recipient says.
    let days = world.read(&shop.key, "/account/usage");
    assert_eq!(days.json["data"][0]["live"]["statuses"]["DELIVERED"], sum("delivered"));
}

#[test]
fn older_messages_and_those_of_the_other_mode_do_not_count() {
    let (world, shop) = busy();
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    world.sent(&shop.key, &["09121234567"]);
    world.sent(&test, &["09121234567", "09121234568"]);
    assert_eq!(outcomes(&world, &shop.key, "")["recipients"], 1);
    assert_eq!(outcomes(&world, &test, "")["recipients"], 2);
    world.settle(8 * 86_400_000);
    world.sent(&shop.key, &["09351234567"]);
    assert_eq!(outcomes(&world, &shop.key, "")["recipients"], 1);
    assert_eq!(
        outcomes(&world, &shop.key, "?from=2020-01-01T00:00:00Z")["recipients"],
        2
    );
    world
        .get(&shop.key, "/account/outcomes?from=yesterday")
        .problem(422, 422);
}

#[test]
fn an_answer_reads_twenty_thousand_recipients_and_says_that_there_are_more() {
    let (world, shop) = busy();
    let numbers: Vec<String> = (0..1_000).map(|at| format!("0912{at:07}")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    for sent in 1..=21_i64 {
        world.sent(&shop.key, &numbers);
        if sent == 19 {
            let told = outcomes(&world, &shop.key, "");
            assert_eq!((&told["recipients"], &told["hasMore"]), (&json!(19_000), &json!(false)));
        }
    }
    let told = outcomes(&world, &shop.key, "");
    let read = told["recipients"].as_i64().unwrap();
    assert!((20_000..=21_000).contains(&read), "{read}");
    assert_eq!(told["hasMore"], json!(read < 21_000));
}
