//! `GET /verify/stats`.

use serde_json::{Value, json};

use super::{MINUTE_MS, check, code, started, world, wrong};

#[test]
fn verifications_are_told_by_day_prefix_line_and_carrier() {
    let (world, shop) = world();
    let day = peyk::base::time::to_date(world.now_ms.get().div_euclid(86_400_000));
    let approved = started(&world, &shop.key, "09121234567");
    let right = code(&world);
    check(&world, &shop.key, &approved, &wrong(&right)).expect(200);
    world.advance(9_000);
    check(&world, &shop.key, &approved, &right).expect(200);
    started(&world, &shop.key, "09351234567");
    world.settle(1_000);
    let expected = |name: &str| {
        json!({"name": name, "started": 2, "sent": 2, "checked": 2, "approved": 1, "blocked": 0,
        "medianSeconds": 10, "pausedUntil": null})
    };
    let read = |by: &str| world.read(&shop.key, &format!("/verify/stats?by={by}")).json["data"]["rows"].clone();
    // Before the object has counted them, and after.
    for _ in 0..2 {
        assert_eq!(
            world.read(&shop.key, "/verify/stats").json["data"]["rows"],
            json!([expected(&day)])
        );
        assert_eq!(read("line"), json!([expected("20002")]));
        assert_eq!(read("carrier"), json!([expected("kannel")]));
        let prefixes = read("prefix");
        let of = |index: usize, name: &str| prefixes[index][name].clone();
        assert_eq!((of(0, "name"), of(0, "approved")), (json!("98912"), json!(1)));
        assert_eq!((of(1, "name"), of(1, "medianSeconds")), (json!("98935"), Value::Null));
        world.settle(5 * MINUTE_MS);
    }
    assert_eq!(world.count(&shop, "verify_day"), 2);
    let tomorrow = peyk::base::time::to_date(world.now_ms.get().div_euclid(86_400_000) + 1);
    assert_eq!(
        world
            .read(&shop.key, &format!("/verify/stats?from={tomorrow}&to={tomorrow}"))
            .json["data"]["rows"],
        json!([])
    );
}

#[test]
fn each_carrier_counts_the_messages_that_it_took_of_a_code_that_was_sent_again() {
    let (world, shop) = world();
    world.add_gateway("other", "20003", "KANNEL");
    let twice = started(&world, &shop.key, "09121234567");
    code(&world);
    started(&world, &shop.key, "09351234567");
    code(&world);
    world.change("/admin/lines/20002", json!({"carrier": "other"}));
    world.advance(31_000);
    assert_eq!(started(&world, &shop.key, "09121234567"), twice);
    let right = code(&world);
    check(&world, &shop.key, &twice, &right).expect(200);
    let counts = |row: &Value| ["started", "sent", "checked", "approved"].map(|count| row[count].as_i64().unwrap());
    // Before the object has counted them, and after.
    for _ in 0..2 {
        let stats = world.read(&shop.key, "/verify/stats?by=carrier").json["data"]["rows"].clone();
        assert_eq!(
            (&stats[0]["name"], &stats[1]["name"]),
            (&json!("kannel"), &json!("other"))
        );
        // The code of the first message was never checked: the second carrier has brought the one that was.
        assert_eq!((counts(&stats[0]), counts(&stats[1])), ([1, 2, 0, 0], [1, 1, 1, 1]));
        world.settle(5 * MINUTE_MS);
    }
}

#[test]
fn test_keys_see_their_own() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    started(&world, &test, "09121234567");
    assert_eq!(world.read(&shop.key, "/verify/stats").json["data"]["rows"], json!([]));
    assert_eq!(world.read(&test, "/verify/stats").int("/data/rows/0/started"), 1);
}

#[test]
fn a_bad_query_is_told() {
    let (world, shop) = world();
    for (query, place) in [
        ("from=x", "from"),
        ("to=2026-13-01", "to"),
        ("by=hour", "by"),
        ("from=2026-02-01&to=2026-01-01", "from"),
        ("from=2025-01-01&to=2026-01-01", "from"),
    ] {
        let answer = world
            .get(&shop.key, &format!("/verify/stats?{query}"))
            .problem(422, 422);
        assert_eq!(answer.places(), [place], "{query}");
    }
}
