//! An account's own keys: who issues, rotates and revokes which, and what the keys may do then.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

use serde_json::json;
use support::World;

#[test]
fn a_key_of_no_line_is_told_as_it_was_made() {
    let (world, shop) = World::with_account(10_000);
    let path = format!("/admin/accounts/{}/keys", shop.id);
    let made = world
        .admin("POST", &path, json!({"title": "none", "lines": []}))
        .expect(201);
    assert_eq!(made.json["data"]["lines"], json!([]));
    let listed = world.get(&world.admin_key, &path).expect(200);
    assert_eq!(listed.json["data"][0]["lines"], json!([]));
    world.send(&made.text("/data/key"), &["09121234567"]).problem(406, 3012);
    let rotate = format!("{path}/{}/rotate", made.text("/data/id"));
    let rotated = world.admin("POST", &rotate, json!({})).expect(201);
    assert_eq!(rotated.json["data"]["lines"], json!([]));
    world
        .send(&rotated.text("/data/key"), &["09121234567"])
        .problem(406, 3012);
}

#[test]
fn a_line_of_a_key_that_no_line_can_have_is_refused_and_named() {
    let (world, shop) = World::with_account(10_000);
    let path = format!("/admin/accounts/{}/keys", shop.id);
    for line in [
        json!(""),
        json!(" "),
        json!("10 001"),
        json!("۱۰۰۰۱"),
        json!("1".repeat(33)),
        json!(7),
    ] {
        let body = json!({"title": "x", "lines": ["10001", line]});
        let refused = world.admin("POST", &path, body).problem(422, 422);
        assert_eq!(refused.text("/errors/0/pointer"), "/lines/1", "{line}");
    }
    let keys = world.get(&world.admin_key, &path).expect(200);
    assert_eq!(
        keys.json["data"].as_array().map(Vec::len),
        Some(1),
        "nothing was issued"
    );
    let longest = json!({"title": "x", "lines": ["1".repeat(32)]});
    world.admin("POST", &path, longest).expect(201);
}
