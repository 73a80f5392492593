//! By what people know a key again: its hint. Whose a key is.

use peyk::account::OPERATOR;
use serde_json::{Value, json};

use crate::support::{Answer, OPERATOR_KEY_ID, World};

/// The hint of a key that Peyk has made.
fn hint(key: &str) -> String {
    format!("{}…{}", &key[..14], &key[44..])
}

/// The hints of a list of keys, by their ids.
fn listed(world: &World, key: &str, path: &str, id: &str) -> Value {
    let keys = world.all(key, path);
    keys.iter().find(|key| key["id"] == id).unwrap()["hint"].clone()
}

/// The hint of a key that an answer shows this one time.
#[track_caller]
fn shown(answer: &Answer) -> String {
    let expected = hint(&answer.text("/data/key"));
    assert_eq!(answer.text("/data/hint"), expected);
    expected
}

#[test]
fn a_key_of_an_account_has_the_same_hint_in_its_answer_in_lists_and_in_the_log() {
    let (world, shop) = World::with_account(0);
    let issued = world.posted(&shop.key, "/keys", json!({"title": "x", "mode": "test"}));
    let id = issued.text("/data/id");
    let rotated = world.posted(&shop.key, &format!("/keys/{id}/rotate"), json!({}));
    let granted = world.grant(&shop, json!({"title": "y"}));
    for answer in [&issued, &rotated, &granted] {
        let (id, hint) = (answer.text("/data/id"), shown(answer));
        for (key, path) in [(&shop.key, "/keys".to_owned()), (&world.admin_key, shop.path("/keys"))] {
            assert_eq!(listed(&world, key, &path, &id), hint, "{path}");
        }
    }
    world.settle(10_000);
    let entries = world.all(&world.admin_key, &format!("/admin/audit?thing=key&account={}", shop.id));
    let hints = |member: &str| {
        entries
            .iter()
            .map(|entry| entry[member]["hint"].clone())
            .collect::<Vec<_>>()
    };
    let (made, first) = (hints("after"), shown(&issued));
    assert!(
        made.contains(&json!(first)) && made.contains(&json!(shown(&granted))),
        "{made:?}"
    );
    assert!(hints("before").contains(&json!(first)), "the rotation");
}

#[test]
fn an_imported_key_shows_at_most_a_quarter_of_itself() {
    let (world, shop) = World::with_account(0);
    for (key, expected) in [
        ("0123456789abcdef", "…cdef"),
        ("0123456789abcdefghijklmn", "01…klmn"),
        ("2|0123456789abcdefghijABCDEFGHIJKL", "2|01…IJKL"),
    ] {
        let granted = world.grant(&shop, json!({"title": "x", "key": key}));
        assert_eq!(granted.text("/data/hint"), expected);
        let id = granted.text("/data/id");
        assert_eq!(listed(&world, &shop.key, "/keys", &id), expected);
        let rotated = world.posted(&shop.key, &format!("/keys/{id}/rotate"), json!({}));
        shown(&rotated);
    }
}

#[test]
fn keys_of_operators_have_hints_also_those_of_the_script() {
    let world = World::new();
    let issued = world.create("/admin/keys", json!({"title": "x"}));
    let rotated = world.create(&format!("/admin/keys/{}/rotate", issued.text("/data/id")), json!({}));
    for answer in [&issued, &rotated] {
        let id = answer.text("/data/id");
        assert_eq!(listed(&world, &world.admin_key, "/admin/keys", &id), shown(answer));
    }
    let of_script = listed(&world, &world.admin_key, "/admin/keys", OPERATOR_KEY_ID);
    assert_eq!(of_script, hint(&world.admin_key));
    assert_eq!(
        world
            .sql(OPERATOR)
            .texts("SELECT hint FROM api_key WHERE hint LIKE '%…%'")
            .len(),
        3
    );
}

fn find(world: &World, key: &str) -> Answer {
    world.admin("POST", "/admin/keys/find", json!({"key": key}))
}

#[test]
fn whoever_has_a_whole_key_is_told_whose_it_is() {
    let (world, shop) = World::with_account(0);
    let (mine, theirs) = (world.account("other", 0), "2|0123456789abcdefghijABCDEFGHIJKL");
    world.grant(
        &shop,
        json!({"title": "imported", "key": theirs, "scopes": ["sms:send"], "lines": ["10001"]}),
    );
    let found = find(&world, theirs).expect(200);
    found.has(
        json!({"account": shop.id, "username": "shop", "title": "imported", "mode": "live", "scopes": ["sms:send"],
        "lines": ["10001"], "status": "ACTIVE", "hint": "2|01…IJKL", "revokedAt": null}),
    );
    let own = find(&world, &mine.key).expect(200);
    own.has(json!({"account": mine.id, "username": "other", "id": mine.key_id, "hint": hint(&mine.key)}));
    let operators = find(&world, &world.admin_key).expect(200);
    operators.has(json!({"account": null, "username": null, "id": OPERATOR_KEY_ID, "status": "ACTIVE"}));
}

#[test]
fn a_key_that_has_ended_is_found_as_long_as_anybody_knows_it() {
    let (world, shop) = World::with_account(0);
    let ends = peyk::base::time::to_rfc3339(world.now_ms.get() + 60_000);
    let short = world.posted(&shop.key, "/keys", json!({"title": "x", "expiresAt": ends}));
    let revoked = world.posted(&shop.key, "/keys", json!({"title": "y"}));
    let key = revoked.text("/data/key");
    let record = world.keys.borrow().get(&peyk::auth::digest(&key)).cloned().unwrap();
    world
        .delete(&shop.key, &format!("/keys/{}", revoked.text("/data/id")))
        .expect(204);
    find(&world, &key).refused(404);
    // Where the news has not come yet.
    world.keys.borrow_mut().insert(peyk::auth::digest(&key), record);
    find(&world, &key)
        .expect(200)
        .has(json!({"status": "REVOKED", "account": shop.id}));
    world.advance(60_000);
    find(&world, &short.text("/data/key"))
        .expect(200)
        .has(json!({"status": "EXPIRED", "expiresAt": ends}));
    let operator = world.create("/admin/keys", json!({"title": "z"}));
    let path = format!("/admin/keys/{}", operator.text("/data/id"));
    world.admin("DELETE", &path, json!(null)).expect(204);
    let found = find(&world, &operator.text("/data/key")).expect(200);
    found.has(json!({"status": "REVOKED", "account": null, "title": "z"}));
}

#[test]
fn what_is_no_key_is_told_from_an_unknown_one_and_nobody_sees_either_again() {
    let (world, shop) = World::with_account(0);
    let whole = &shop.key;
    let last = if whole.ends_with('a') { 'b' } else { 'a' };
    let mistyped = format!("{}{last}", &whole[..47]);
    for (key, part) in [
        (mistyped.as_str(), "checksum"),
        (&whole[..47], "checksum"),
        ("with a space", "visible ASCII"),
        ("", ""),
        (&"x".repeat(513), "512"),
    ] {
        let refused = find(&world, key).problem(422, 422);
        assert_eq!(refused.pointers(), ["/key"]);
        assert!(refused.text("/detail").contains(part), "{}", refused.body);
        assert!(key.is_empty() || !refused.body.contains(key), "{}", refused.body);
    }
    find(&world, "nobody has imported this one").refused(422);
    find(&world, "nobody-has-imported-this-one").problem(404, 404);
    find(&world, whole).expect(200);
    world.settle(10_000);
    let log = world.all(&world.admin_key, "/admin/audit?operation=AdminFindKey");
    assert_eq!(log.len(), 1, "{log:?}");
    assert_eq!(
        log[0]["thing"],
        json!({"kind": "key", "id": shop.key_id, "account": shop.id, "username": "shop"})
    );
    assert_eq!(log[0]["after"], json!({"shown": true}));
    for key in [whole, &mistyped, "nobody-has-imported-this-one"] {
        assert!(!world.has_logged(key) && !json!(log).to_string().contains(key));
    }
}

#[test]
fn who_may_not_read_finds_no_key() {
    let (world, shop) = World::with_account(0);
    let key = |scopes: Value| {
        world
            .create("/admin/keys", json!({"title": "x", "scopes": scopes}))
            .text("/data/key")
    };
    let body = || json!({"key": shop.key});
    world
        .post(&key(json!(["admin:accounts"])), "/admin/keys/find", body())
        .problem(403, 403);
    world.post(&shop.key, "/admin/keys/find", body()).problem(403, 403);
    world
        .post(&key(json!(["admin:read"])), "/admin/keys/find", body())
        .expect(200);
    world.admin("POST", "/admin/keys/find", json!({})).problem(422, 422);
    world.keys_are_down.set(true);
    world.admin("POST", "/admin/keys/find", body()).refused(503);
}
