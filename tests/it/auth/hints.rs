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
