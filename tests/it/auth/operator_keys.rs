//! The operators' own API keys: how they are made, listed, rotated and revoked, and that no operator locks all of them out.

use std::collections::BTreeSet;

use peyk::account::OPERATOR;
use peyk::api::routes::{ROUTES, Route};
use peyk::auth::{self, KeyRecord, Mode, Scope};
use peyk::base::ports::Sql;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Answer, OPERATOR_KEY_ID, World, assert_contains, cases, time::DAY_MS};

/// `MAX_KEYS` of `src/account/keys/requests.rs`.
const MAX_ISSUED: usize = 500;
/// With those that have ended: `MAX_KNOWN` of `src/account/keys/adoption.rs`, and `MAX_ENDED` of `mod.rs`.
const MAX_KNOWN: usize = 2_000;

/// An operator key: its id and the key itself.
#[derive(Debug, Clone)]
struct Key {
    id: String,
    key: String,
}

fn issue(world: &World, by: &str, body: Value) -> Key {
    let issued = world.posted(by, "/admin/keys", body);
    Key {
        id: issued.text("/data/id"),
        key: issued.text("/data/key"),
    }
}

fn first(world: &World) -> Key {
    Key {
        id: OPERATOR_KEY_ID.to_owned(),
        key: world.admin_key.clone(),
    }
}

fn revoke(world: &World, by: &str, id: &str) -> Answer {
    world.delete(by, &format!("/admin/keys/{id}"))
}

fn rotate(world: &World, by: &str, id: &str, body: Value) -> Answer {
    world.post(by, &format!("/admin/keys/{id}/rotate"), body)
}

/// What KV holds about a key.
fn in_kv(world: &World, key: &str) -> Option<KeyRecord> {
    let record = world.keys.borrow().get(&auth::digest(key)).cloned()?;
    Some(serde_json::from_str(&record).unwrap())
}

/// Puts a record back into KV, as a KV that lags would still have it.
fn put_back(world: &World, key: &str, record: &KeyRecord) {
    let text = serde_json::to_string(record).unwrap();
    world.keys.borrow_mut().insert(auth::digest(key), text);
}

/// An id as the script makes it.
fn script_id(made_ms: i64, number: usize) -> String {
    let time = format!("{made_ms:012x}");
    format!("{}-{}-7000-8000-{number:012x}", &time[..8], &time[8..])
}

/// Makes a key as `npm run operator-key` does.
fn script_key(world: &World, number: u16) -> Key {
    let key = Key {
        id: script_id(world.now_ms.get(), number.into()),
        key: auth::mint(Mode::Live, |bytes| {
            for (place, byte) in bytes.iter_mut().enumerate() {
                *byte = number.to_be_bytes()[place % 2];
            }
        }),
    };
    let record = KeyRecord {
        v: 1,
        account: OPERATOR.to_owned(),
        key: key.id.clone(),
        scopes: vec![Scope::Admin],
        mode: Mode::Live,
        lines: None,
        ips: None,
        expires_at: None,
        session_of: None,
        looks: false,
        ways: Vec::new(),
        bootstrapped_at: Some(world.now_ms.get()),
    };
    put_back(world, &key.key, &record);
    key
}

/// Whether a key opens `/admin`.
fn works(world: &World, key: &str) -> bool {
    match world.get(key, "/admin/plans").response.status {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

fn titles(answer: &Answer) -> Vec<String> {
    let keys = answer.items().iter();
    keys.map(|key| key["title"].as_str().unwrap().to_owned()).collect()
}

/// All that the operators' object knows about keys.
fn known(world: &World) -> Vec<String> {
    let rows = world.sql(OPERATOR).exec("SELECT * FROM api_key ORDER BY id", &[]);
    rows.unwrap().iter().map(|row| format!("{row:?}")).collect()
}

/// Fills the operators' object with keys that have ended.
fn fill(world: &World, count: usize) {
    let insert = "INSERT INTO api_key (id, title, digest, scopes, mode, created_ms) \
                  SELECT format('00000000-%04d', value), 'x', '', 'admin', 'live', 0 FROM json_each(?1)";
    let numbers = serde_json::to_string(&(0..count).collect::<Vec<_>>()).unwrap();
    world.sql(OPERATOR).run_with(insert, &[numbers.into()]);
}

#[test]
fn an_operator_key_is_issued_shown_once_and_works_until_it_ends() {
    let world = World::new();
    let ends = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let body = json!({"title": "Sara's laptop", "scopes": ["admin"], "expiresAt": ends});
    let issued = world.create("/admin/keys", body);
    let key = issued.text("/data/key");
    let mut shown = issued.json["data"].clone();
    shown.as_object_mut().unwrap().remove("key");
    let now = peyk::base::time::to_rfc3339(world.now_ms.get());
    let expected = json!({"id": issued.text("/data/id"), "title": "Sara's laptop", "scopes": ["admin"], "createdAt": now,
        "expiresAt": ends, "revokedAt": null, "replacedBy": null, "sessionOf": null, "createdBy": OPERATOR_KEY_ID,
        "lastUsedAt": null, "lastAddress": null, "hint": format!("{}…{}", &key[..14], &key[44..])});
    assert_eq!(shown, expected);
    let listed = world.read(&key, "/admin/keys");
    shown["lastUsedAt"] = json!("2026-01-01T12:00:00.000Z");
    assert_eq!(listed.json["data"][0], shown);
    assert!(!listed.body.contains(&key) && !listed.body.contains(&auth::digest(&key)));
    let calls = world.kv_calls_for(&key);
    assert_eq!(calls[0], "put", "nobody looks up a new key before it is there");
    world.get(&key, "/account/info").refused(403);
    world.advance(DAY_MS - 1);
    assert!(works(&world, &key));
    world.advance(1);
    assert!(!works(&world, &key));
    assert!(works(&world, &world.admin_key));
}

#[test]
fn an_operator_key_is_refused_what_only_keys_of_accounts_have() {
    let world = World::new();
    let before = titles(&world.look("/admin/keys"));
    let body = json!({"scopes": ["admin", "sms:send"], "expiresAt": "2020-01-01T00:00:00Z", "mode": "test",
        "lines": ["10001"], "key": "17|AbCdEfGhIjKlMnOp"});
    world.admin("POST", "/admin/keys", body).faults(&[
        "title: is required",
        "expiresAt: must not be in the past",
        "scopes[1]: must be one of admin, admin:read, admin:money, admin:accounts, admin:carriers, admin:service, admin:metrics, admin:transfer",
        "mode: is not for operators' keys",
        "lines: is not for operators' keys",
        "key: is not for operators' keys",
    ]);
    let none = world.admin("POST", "/admin/keys", json!({"title": "x", "scopes": []}));
    none.faults(&["scopes: must not be empty"]);
    let after = world.look("/admin/keys");
    assert_eq!(titles(&after), before);
    // The members may be `null`, as some clients send what they have no value for.
    let nulls = json!({"title": "x", "scopes": null, "mode": null, "lines": null, "key": null, "expiresAt": null});
    assert!(works(&world, &issue(&world, &world.admin_key, nulls).key));
}

#[test]
fn operators_keys_are_listed_newest_first_in_pages_that_stay_whole() {
    let world = World::new();
    let make = |title: &str| {
        world.advance(1);
        issue(&world, &world.admin_key, json!({"title": title}))
    };
    let made: Vec<Key> = ["a", "b", "c", "d"].into_iter().map(make).collect();
    let list = |query: &str| world.look(&format!("/admin/keys?{query}"));
    let page = list("limit=2");
    assert_eq!(titles(&page), ["d", "c"]);
    make("e");
    revoke(&world, &world.admin_key, &made[1].id).expect(204);
    let rest = list(&format!("limit=3&cursor={}", page.text("/meta/nextCursor")));
    assert_eq!(titles(&rest), ["b", "a", "npm run operator-key"]);
    let revoked = &rest.json["data"][0];
    assert!(revoked["revokedAt"].is_string(), "a revoked key stays in the list");
    assert_eq!(rest.json["meta"]["nextCursor"], json!(null));
    let refused = world.admin("GET", "/admin/keys?limit=0&cursor=x", json!(null));
    refused.refused(422);
    // The operators are no account.
    for (method, tail) in [("GET", ""), ("POST", ""), ("DELETE", "/x"), ("POST", "/x/rotate")] {
        let path = format!("/admin/accounts/operator/keys{tail}");
        world.admin(method, &path, json!({"title": "x"})).refused(404);
    }
}

#[test]
fn a_revoked_operator_key_is_refused_at_once_whatever_kv_still_has() {
    let world = World::new();
    let key = issue(&world, &world.admin_key, json!({"title": "x"}));
    assert!(works(&world, &key.key));
    let record = in_kv(&world, &key.key).unwrap();
    revoke(&world, &world.admin_key, &key.id).expect(204);
    assert_eq!(in_kv(&world, &key.key), None);
    assert!(!works(&world, &key.key));
    put_back(&world, &key.key, &record);
    assert!(!works(&world, &key.key));
    world.post(&key.key, "/admin/keys", json!({"title": "y"})).refused(401);
    revoke(&world, &key.key, OPERATOR_KEY_ID).refused(401);
    rotate(&world, &key.key, &key.id, json!({})).refused(401);
    // Revoking it again changes nothing, but removes what KV has.
    let before = known(&world);
    revoke(&world, &world.admin_key, &key.id).expect(204);
    assert_eq!((known(&world), in_kv(&world, &key.key)), (before, None));
    revoke(&world, &world.admin_key, "nothing").refused(404);
    rotate(&world, &world.admin_key, &key.id, json!({})).refused(404);
    rotate(&world, &world.admin_key, "nothing", json!({})).refused(404);
}

#[test]
fn a_rotated_operator_key_works_until_its_grace_ends() {
    let world = World::new();
    let old = issue(&world, &world.admin_key, json!({"title": "ci"}));
    let rotated = rotate(&world, &old.key, &old.id, json!({"graceSeconds": 60})).expect(201);
    let new = rotated.text("/data/key");
    let wanted = ("ci".to_owned(), old.id.clone());
    assert_eq!((rotated.text("/data/title"), rotated.text("/data/replaces/id")), wanted);
    let listed = world.read(&new, "/admin/keys");
    let listed_old = listed.items().iter().find(|key| key["id"] == old.id.as_str()).unwrap();
    assert_eq!(listed_old["replacedBy"], rotated.json["data"]["id"]);
    assert!(works(&world, &old.key) && works(&world, &new));
    world.advance(60_000);
    assert!(!works(&world, &old.key) && works(&world, &new));
    // Another operator's key may end at once, and by default a key works a day more.
    let other = issue(&world, &new, json!({"title": "other"}));
    rotate(&world, &new, &other.id, json!({"graceSeconds": 0})).expect(201);
    assert!(!works(&world, &other.key));
    let newest = rotate(&world, &new, &rotated.text("/data/id"), json!({})).expect(201);
    let ends = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    assert_eq!(newest.text("/data/replaces/expiresAt"), ends);
}

#[test]
fn the_scripts_key_is_learned_on_its_first_use_and_ends_like_any_other() {
    let world = World::new();
    let listed = world.look("/admin/keys");
    assert_eq!(listed.text("/data/0/id"), OPERATOR_KEY_ID);
    let created_at = listed.text("/data/0/createdAt");
    assert_eq!(created_at, peyk::base::time::to_rfc3339(world.now_ms.get()));
    // Wherever it is used first: here on a route that it may not use.
    let lost = script_key(&world, 1);
    world.get(&lost.key, "/lines").refused(403);
    assert_eq!(world.look("/admin/keys").text("/data/0/id"), lost.id);
    let record = in_kv(&world, &lost.key).unwrap();
    revoke(&world, &world.admin_key, &lost.id).expect(204);
    assert_eq!(in_kv(&world, &lost.key), None, "its digest is known");
    put_back(&world, &lost.key, &record);
    assert!(!works(&world, &lost.key), "it is not learned again");
    // The first key of all ends too, by a key that was issued with it.
    let second = issue(&world, &world.admin_key, json!({"title": "second"}));
    revoke(&world, &second.key, OPERATOR_KEY_ID).expect(204);
    assert!(!works(&world, &world.admin_key) && works(&world, &second.key));
    rotate(&world, &second.key, OPERATOR_KEY_ID, json!({})).refused(404);
}

#[test]
fn a_script_key_that_was_never_used_is_revoked_by_its_id() {
    let world = World::new();
    let lost = script_key(&world, 1);
    revoke(&world, &world.admin_key, &lost.id).expect(204);
    assert!(!works(&world, &lost.key));
    let listed = world.look("/admin/keys");
    let seen = &listed.json["data"][0];
    assert_eq!((&seen["id"], seen["revokedAt"].is_string()), (&json!(lost.id), true));
    assert_eq!(titles(&listed)[0], "revoked before its first use");
    assert_eq!(listed.json["data"][0]["hint"], json!(null));
    revoke(&world, &world.admin_key, &lost.id).expect(204);
    // An id that the script can't have made in the time in which a key is learned is no key's.
    let now_ms = world.now_ms.get();
    for id in [
        &script_id(now_ms - 7 * DAY_MS, 1),
        &script_id(now_ms + DAY_MS + 1, 1),
        "019b796d-0000-4000-8000-000000000000",
        &script_id(now_ms, 0xabc).to_uppercase(),
        OPERATOR,
    ] {
        revoke(&world, &world.admin_key, id).refused(404);
    }
    assert_eq!(known(&world).len(), 2);
}

#[test]
fn a_script_key_is_learned_for_seven_days_and_works_longer_once_it_is() {
    let world = World::new();
    let (used, unused) = (script_key(&world, 1), script_key(&world, 2));
    world.advance(7 * DAY_MS - 1);
    assert!(works(&world, &used.key));
    world.advance(1);
    assert!(works(&world, &used.key) && !works(&world, &unused.key));
    world.advance(400 * DAY_MS);
    assert!(works(&world, &used.key) && !works(&world, &unused.key));
}

#[test]
fn a_key_that_its_owners_object_does_not_know_is_refused() {
    let (world, shop) = World::with_account(5_000);
    let forgotten = auth::mint(Mode::Live, |bytes| bytes.fill(9));
    for (account, bootstrapped_at) in [
        (OPERATOR.to_owned(), None),
        (shop.id.clone(), None),
        (shop.id.clone(), Some(world.now_ms.get())),
    ] {
        let record = KeyRecord {
            v: 1,
            account,
            key: "019b796d-0000-7000-8000-0000000000ff".to_owned(),
            scopes: Scope::ALL.to_vec(),
            mode: Mode::Live,
            lines: None,
            ips: None,
            expires_at: None,
            session_of: None,
            looks: false,
            ways: Vec::new(),
            bootstrapped_at,
        };
        put_back(&world, &forgotten, &record);
        world.app.keys.clear();
        world.get(&forgotten, "/admin/plans").refused(401);
        world.get(&forgotten, "/account/info").refused(401);
        world.send(&forgotten, &["09121234567"]).refused(401);
    }
    world.assert_untouched(&shop, 5_000);
}

#[test]
fn an_operator_cannot_revoke_the_key_of_the_request_nor_end_it_before_a_repeat() {
    let world = World::new();
    let other = issue(&world, &world.admin_key, json!({"title": "other"}));
    let before = known(&world);
    let refused = revoke(&world, &world.admin_key, OPERATOR_KEY_ID).refused(409);
    assert_contains(&refused.text("/detail"), "another operator key");
    for grace_s in [0, 59] {
        let body = json!({"graceSeconds": grace_s});
        let rotated = rotate(&world, &world.admin_key, OPERATOR_KEY_ID, body);
        rotated.faults(&["graceSeconds: must be a whole number from 60 to 2592000"]);
    }
    assert_eq!(known(&world), before);
    assert!(works(&world, &world.admin_key) && works(&world, &other.key));
}

#[test]
fn a_rotated_key_cannot_revoke_the_last_key_that_lasts() {
    let world = World::new();
    let old = first(&world);
    let new = rotate(&world, &old.key, &old.id, json!({})).expect(201);
    let (new, new_id) = (new.text("/data/key"), new.text("/data/id"));
    let refused = revoke(&world, &old.key, &new_id).refused(409);
    assert!(refused.text("/detail").contains("issue one first"), "{}", refused.body);
    assert!(works(&world, &new));
    let third = issue(&world, &old.key, json!({"title": "third"}));
    revoke(&world, &old.key, &new_id).expect(204);
    assert!(!works(&world, &new) && works(&world, &third.key));
    revoke(&world, &third.key, &old.id).expect(204);
    assert!(!works(&world, &old.key));
}

#[test]
fn of_two_operators_who_revoke_each_other_one_keeps_a_key() {
    let world = World::new();
    let (one, two) = (
        issue(&world, &world.admin_key, json!({"title": "1"})),
        issue(&world, &world.admin_key, json!({"title": "2"})),
    );
    assert!(works(&world, &one.key) && works(&world, &two.key));
    // Each request is one call of the operators' object, so no other call comes in between.
    let calls = world.calls.get();
    revoke(&world, &one.key, &two.id).expect(204);
    assert_eq!(world.calls.get(), calls + 1);
    // The other one was on its way: its key was looked up before.
    let record = KeyRecord {
        account: OPERATOR.to_owned(),
        key: two.id.clone(),
        ..in_kv(&world, &one.key).unwrap()
    };
    put_back(&world, &two.key, &record);
    revoke(&world, &two.key, &one.id).refused(401);
    rotate(&world, &two.key, &one.id, json!({"graceSeconds": 0})).refused(401);
    assert!(works(&world, &one.key));
}

#[test]
fn the_operators_have_a_bounded_number_of_keys() {
    let world = World::new();
    assert!(works(&world, &world.admin_key));
    fill(&world, MAX_ISSUED - 2);
    let last = issue(&world, &world.admin_key, json!({"title": "last"}));
    world.admin("POST", "/admin/keys", json!({"title": "x"})).refused(409);
    rotate(&world, &last.key, OPERATOR_KEY_ID, json!({})).refused(409);
    // A key of the script still comes in, and any key can be revoked.
    let rescue = script_key(&world, 1);
    assert!(works(&world, &rescue.key));
    revoke(&world, &rescue.key, &last.id).expect(204);
    for number in known(&world).len()..MAX_KNOWN {
        world.advance(1_000);
        revoke(&world, &rescue.key, &script_id(world.now_ms.get(), number)).expect(204);
    }
    revoke(&world, &rescue.key, &script_id(world.now_ms.get(), MAX_KNOWN)).refused(409);
    world.get(&script_key(&world, 2).key, "/admin/plans").refused(409);
    assert_eq!(known(&world).len(), MAX_KNOWN);
    revoke(&world, &rescue.key, OPERATOR_KEY_ID).expect(204);
}

/// Something that an operator does to a key.
#[derive(Debug, Clone)]
enum Deed {
    Issue,
    Revoke(usize),
    Rotate(usize, i64),
    Wait(i64),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        2 => Just(Deed::Issue),
        6 => (0usize..8).prop_map(Deed::Revoke),
        3 => (0usize..8, prop::sample::select(vec![0, 60, 3_600])).prop_map(|(key, grace_s)| Deed::Rotate(key, grace_s)),
        1 => prop::sample::select(vec![1_000, 61_000]).prop_map(Deed::Wait),
    ]
}

/// The paths and bodies that could change operators' keys.
fn asked(route: &Route, target: &str, shop: &str) -> (String, Value) {
    let path = route.path.replace("{key}", target).replace("{id}", shop);
    (path, json!({"title": "x", "graceSeconds": 0, "scopes": ["admin"]}))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(100)) })]

    /// KV never helps here: it keeps the record of every key. Each request is one call, so each order of requests is one of
    /// the ways in which concurrent requests can meet.
    #[test]
    fn whatever_operators_do_at_once_a_key_that_lasts_is_left(deeds in prop::collection::vec((0usize..8, deed()), 1..25)) {
        let world = World::new();
        let mut keys = vec![first(&world), issue(&world, &world.admin_key, json!({"title": "second"}))];
        let mut records = Vec::new();
        let mut ended = BTreeSet::new();
        for (actor, deed) in deeds {
            let actor = keys[actor % keys.len()].clone();
            for key in &keys {
                records.extend(in_kv(&world, &key.key).map(|record| (key.key.clone(), record)));
            }
            for (key, record) in &records {
                put_back(&world, key, &KeyRecord { expires_at: None, ..record.clone() });
            }
            world.app.keys.clear();
            let was_valid = works(&world, &actor.key);
            let before = known(&world);
            let calls = world.calls.get();
            let answer = match deed {
                Deed::Wait(ms) => {
                    world.advance(ms);
                    None
                }
                Deed::Issue => Some(world.post(&actor.key, "/admin/keys", json!({"title": "x"}))),
                Deed::Revoke(target) => Some(revoke(&world, &actor.key, &keys[target % keys.len()].id)),
                Deed::Rotate(target, grace_s) => {
                    Some(rotate(&world, &actor.key, &keys[target % keys.len()].id, json!({"graceSeconds": grace_s})))
                }
            };
            if let Some(answer) = answer {
                prop_assert_eq!(world.calls.get(), calls + 1);
                prop_assert_eq!(answer.response.status == 401, !was_valid, "{}", answer.body);
                if answer.response.status >= 400 {
                    prop_assert_eq!(known(&world), before);
                }
                if answer.response.status == 201 {
                    keys.push(Key { id: answer.text("/data/id"), key: answer.text("/data/key") });
                }
                prop_assert!(!was_valid || works(&world, &actor.key), "a request ended its own key");
            }
            for (key, record) in &records {
                put_back(&world, key, &KeyRecord { expires_at: None, ..record.clone() });
            }
            world.app.keys.clear();
            let valid: Vec<bool> = keys.iter().map(|key| works(&world, &key.key)).collect();
            let lasting = "SELECT 1 FROM api_key WHERE revoked_ms IS NULL AND expires_ms IS NULL AND successor IS NULL";
            prop_assert!(!world.sql(OPERATOR).run(lasting).is_empty(), "nobody has a key that lasts");
            for (index, valid) in valid.into_iter().enumerate() {
                prop_assert!(!valid || !ended.contains(&index), "a key that had ended works again");
                if !valid {
                    ended.insert(index);
                }
            }
        }
    }

    #[test]
    fn no_request_of_a_customer_changes_operators_keys(scopes in prop::sample::subsequence(Scope::all_of(false), 1..=8), picks in prop::collection::vec((0usize..ROUTES.len(), 0usize..3), 20)) {
        let (world, shop) = World::with_account(10_000);
        let names: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
        let path = shop.path("/keys");
        let own = world.create(&path, json!({"title": "x", "scopes": names}));
        let targets = [OPERATOR_KEY_ID.to_owned(), own.text("/data/id"), shop.id.clone()];
        let key = own.text("/data/key");
        let (before, kv) = (known(&world), world.keys.borrow().clone());
        let of_operators = ROUTES.iter().filter(|route| route.path.starts_with("/admin/keys"));
        let picked = picks.iter().map(|(route, target)| (&ROUTES[*route], &targets[*target]));
        for (route, target) in of_operators.map(|route| (route, &targets[0])).chain(picked) {
            let (path, body) = asked(route, target, &shop.id);
            let answer = world.ask(route.method, &key, &path).json(body).send();
            if route.path.starts_with("/admin/") {
                prop_assert_eq!(answer.response.status, 403, "{} {}", route.method, path);
            }
        }
        prop_assert_eq!(known(&world), before);
        // It may open sessions of its own.
        let records = world.keys.borrow();
        prop_assert!(kv.iter().all(|(digest, record)| records.get(digest) == Some(record)));
        let is_own = |record: &String| record.contains(&format!("\"account\":\"{}\"", shop.id)) && record.contains("\"sessionOf\"");
        prop_assert!(records.iter().all(|(digest, record)| kv.contains_key(digest) || is_own(record)));
        drop(records);
        prop_assert!(works(&world, &world.admin_key));
    }
}
