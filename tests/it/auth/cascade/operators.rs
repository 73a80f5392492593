//! A key of the operators is thrown out with what comes from it, and the operators are never locked out.

use std::collections::BTreeSet;

use peyk::account::OPERATOR;
use serde_json::{Value, json};

use super::{Key, ids, in_kv, thrown_out};
use crate::support::{Answer, OPERATOR_KEY_ID, World};

fn issue(world: &World, by: &str, new: Value) -> Key {
    world.advance(1);
    Key::of(&world.posted(by, "/admin/keys", new))
}

fn whole(world: &World, by: &str, title: &str) -> Key {
    issue(world, by, json!({"title": title}))
}

fn throw_out(world: &World, by: &str, id: &str) -> Answer {
    world.delete(by, &format!("/admin/keys/{id}?cascade=true"))
}

fn works(world: &World, key: &Key) -> bool {
    match world.get(&key.key, "/admin/plans").response.status {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

/// Which keys of the operators count, and what KV and the directory have.
fn known(world: &World) -> (Vec<String>, BTreeSet<String>, Vec<String>) {
    let keys = "SELECT id || coalesce(revoked_ms, '') || coalesce(expires_ms, '') FROM api_key ORDER BY id";
    let members = world.db.texts("SELECT id FROM member ORDER BY id");
    (
        world.sql(OPERATOR).texts(keys),
        world.keys.borrow().keys().cloned().collect(),
        members,
    )
}

#[test]
fn an_operator_goes_with_the_keys_members_and_sessions_that_come_from_the_key() {
    let (world, shop) = World::with_account(10_000);
    let leaked = whole(&world, &world.admin_key, "leaked");
    let made = whole(&world, &leaked.key, "made");
    let narrow = issue(&world, &made.key, json!({"title": "narrow", "scopes": ["admin:read"]}));
    let other = whole(&world, &world.admin_key, "other");
    let successor = Key::of(&world.posted(&made.key, &format!("/admin/keys/{}/rotate", other.id), json!({})));
    let session = world.signed_in(&made.key);
    let person = |name: &str, phone: &str| json!({"phone": phone, "name": name, "scopes": ["admin:read"]});
    world.posted(&leaked.key, "/admin/members", person("theirs", "+989121234567"));
    world.create("/admin/members", person("ours", "+989121234568"));
    // What an operator has made for an account comes from no key.
    let of_account = world.posted(&leaked.key, &shop.path("/keys"), json!({"title": "shop's"}));
    let answer = throw_out(&world, &world.admin_key, &leaked.id).expect(200);
    let (keys, webhooks) = thrown_out(&answer);
    assert!(
        keys.is_superset(&ids([&leaked, &made, &narrow, &successor])),
        "{}",
        answer.body
    );
    assert_eq!(
        (keys.len(), webhooks.len()),
        (6, 0),
        "a session and a member too: {}",
        answer.body
    );
    for key in [&leaked, &made, &narrow, &successor] {
        assert!(!works(&world, key) && !in_kv(&world, key));
    }
    assert!(works(&world, &other), "it lasts for its grace");
    world.page(&session, "/admin/plans").refused(401);
    assert_eq!(world.look("/admin/members").texts("name"), ["ours"]);
    assert_eq!(
        world.db.texts("SELECT account FROM member"),
        [OPERATOR],
        "the directory has forgotten theirs"
    );
    world.read(&of_account.text("/data/key"), "/account/info");
    let before = known(&world);
    let again = throw_out(&world, &world.admin_key, &leaked.id).expect(200);
    assert_eq!((&again.json["data"], known(&world)), (&answer.json["data"], before));
}

#[test]
fn a_cascade_that_would_end_the_key_of_the_request_changes_nothing() {
    let (world, _) = World::with_account(0);
    let root = whole(&world, &world.admin_key, "root");
    let made = whole(&world, &root.key, "made");
    whole(&world, &made.key, "further");
    let session = world.signed_in(&made.key);
    let before = known(&world);
    let refused = throw_out(&world, &made.key, &root.id).problem(409, 409);
    assert!(
        refused
            .text("/detail")
            .contains("The key of the request itself would end"),
        "{}",
        refused.body
    );
    throw_out(&world, &made.key, &made.id).refused(409);
    let path = format!("/admin/keys/{}?cascade=true", root.id);
    world.request("DELETE", &path).session(&session).send().refused(409);
    assert_eq!(known(&world), before);
    // Without a cascade, who comes from a key may revoke it, as ever.
    world.delete(&made.key, &format!("/admin/keys/{}", root.id)).expect(204);
    assert!(works(&world, &made));
}

#[test]
fn a_cascade_leaves_a_key_that_may_do_everything() {
    let (world, _) = World::with_account(0);
    let old = whole(&world, &world.admin_key, "old");
    let root = whole(&world, &world.admin_key, "root");
    let made = whole(&world, &root.key, "made");
    let first = format!("/admin/keys/{OPERATOR_KEY_ID}/rotate");
    let successor = Key::of(&world.posted(&root.key, &first, json!({"graceSeconds": 60})));
    // The one who asks was rotated by himself, so only those that come from the root would last.
    world.posted(&old.key, &format!("/admin/keys/{}/rotate", old.id), json!({}));
    let new = world.look("/admin/keys?limit=200");
    let new = new
        .items()
        .iter()
        .find(|key| key["createdBy"] == json!(old.id))
        .unwrap();
    world
        .delete(&made.key, &format!("/admin/keys/{}", new["id"].as_str().unwrap()))
        .expect(204);
    let before = known(&world);
    let refused = throw_out(&world, &old.key, &root.id).problem(409, 409);
    assert!(
        refused
            .text("/detail")
            .contains("No operator key that may do everything would last"),
        "{}",
        refused.body
    );
    assert_eq!(known(&world), before);
    assert!([&root, &made, &successor].iter().all(|key| works(&world, key)));
    whole(&world, &old.key, "new");
    throw_out(&world, &old.key, &root.id).expect(200);
    assert!([&root, &made, &successor].iter().all(|key| !works(&world, key)));
}

#[test]
fn a_narrow_key_throws_out_nothing_with_more_than_it_has() {
    let (world, _) = World::with_account(0);
    let manager = issue(
        &world,
        &world.admin_key,
        json!({"title": "m", "scopes": ["admin:service", "admin:read"]}),
    );
    let clerk = issue(&world, &manager.key, json!({"title": "c", "scopes": ["admin:service"]}));
    let below = issue(&world, &clerk.key, json!({"title": "b", "scopes": ["admin:service"]}));
    let second = issue(
        &world,
        &world.admin_key,
        json!({"title": "s", "scopes": ["admin:service", "admin:money"]}),
    );
    let before = known(&world);
    throw_out(&world, &clerk.key, &second.id).refused(403);
    throw_out(&world, &clerk.key, OPERATOR_KEY_ID).refused(403);
    throw_out(&world, &clerk.key, "none").refused(404);
    world
        .admin("DELETE", &format!("/admin/keys/{}?cascade=1", clerk.id), json!({}))
        .refused(422);
    assert_eq!(known(&world), before);
    let answer = throw_out(&world, &manager.key, &clerk.id).expect(200);
    assert_eq!(thrown_out(&answer).0, ids([&clerk, &below]));
}

#[test]
fn a_key_of_the_script_goes_also_before_its_first_use() {
    let (world, _) = World::with_account(0);
    let now_ms = format!("{:012x}", world.now_ms.get());
    let unseen = format!("{}-{}-7000-8000-000000000001", &now_ms[..8], &now_ms[8..]);
    let answer = throw_out(&world, &world.admin_key, &unseen).expect(200);
    assert_eq!(thrown_out(&answer).0, BTreeSet::from([unseen]));
}

#[test]
fn a_cascade_of_operators_is_done_by_a_repeat_wherever_it_breaks_off() {
    for fault in [
        (|world, is_on| world.failing_request.set(is_on.then_some("RevokeCascade"))) as fn(&World, bool),
        |world, is_on| world.keys_are_down.set(is_on),
        |world, is_on| world.db.is_down.set(is_on),
    ] {
        let (world, _) = World::with_account(0);
        let leaked = whole(&world, &world.admin_key, "leaked");
        let made = whole(&world, &leaked.key, "made");
        world.posted(
            &leaked.key,
            "/admin/members",
            json!({"phone": "+989121234567", "name": "x", "scopes": ["admin:read"]}),
        );
        world.look("/admin/keys");
        fault(&world, true);
        throw_out(&world, &world.admin_key, &leaked.id).refused(503);
        fault(&world, false);
        throw_out(&world, &world.admin_key, &leaked.id).expect(200);
        assert!(!works(&world, &leaked) && !works(&world, &made) && !in_kv(&world, &made));
        assert_eq!(world.db.texts("SELECT id FROM member"), Vec::<String>::new());
    }
}
