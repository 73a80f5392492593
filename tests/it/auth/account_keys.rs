//! An account's own keys: who issues, rotates and revokes which, and what the keys may do then.

mod walk;

use std::collections::BTreeSet;

use peyk::account::OPERATOR;
use peyk::api::routes::ROUTES;
use peyk::auth::{self, KeyRecord, Mode, Scope};
use peyk::base::{ports::Sql, time};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, Answer, World, cases};
use walk::Walk;

const DAY_S: i64 = 24 * 60 * 60;
/// The bound of `src/account/keys/mod.rs`.
const MAX_KEYS: usize = 500;

/// A key: its id and the key itself.
#[derive(Debug, Clone)]
struct Key {
    id: String,
    key: String,
}

impl Key {
    fn of(issued: &Answer) -> Key {
        Key {
            id: issued.text("/data/id"),
            key: issued.text("/data/key"),
        }
    }
}

/// Issues a key as an operator: with all scopes, unless the body names some.
fn grant(world: &World, shop: &Account, body: Value) -> Key {
    let mut whole = json!({"scopes": names(grantable())});
    whole.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
    Key::of(&world.grant(shop, whole))
}

fn issue(world: &World, by: &str, body: Value) -> Answer {
    world.post(by, "/keys", body)
}

fn rotate(world: &World, by: &str, id: &str, body: Value) -> Answer {
    world.post(by, &format!("/keys/{id}/rotate"), body)
}

fn revoke(world: &World, by: &str, id: &str) -> Answer {
    world.delete(by, &format!("/keys/{id}"))
}

/// What KV has about a key.
fn in_kv(world: &World, key: &str) -> Option<String> {
    world.keys.borrow().get(&auth::digest(key)).cloned()
}

/// Puts a record back into KV and into the isolate's cache, as where the news has not come yet.
fn put_back(world: &World, key: &str, record: &str) {
    let digest = auth::digest(key);
    world.keys.borrow_mut().insert(digest.clone(), record.to_owned());
    let record: KeyRecord = serde_json::from_str(record).unwrap();
    world.app.keys.put(&digest, world.now_ms.get(), record);
}

/// All that the account's object and KV know about keys, but for when they were used.
fn known(world: &World, shop: &Account) -> (Vec<String>, BTreeSet<String>) {
    let rows = world.sql(&shop.id).exec(
        "SELECT id, title, digest, scopes, mode, lines, created_ms, expires_ms, revoked_ms, successor, term_ms \
         FROM api_key ORDER BY id",
        &[],
    );
    let rows = rows.unwrap().iter().map(|row| format!("{row:?}")).collect();
    (rows, world.keys.borrow().keys().cloned().collect())
}

#[test]
fn a_key_is_written_as_a_program_takes_it_and_works_as_any() {
    let (world, shop) = World::with_account(10_000);
    let admin = grant(&world, &shop, json!({"title": "admin"}));
    let is_hex = |key: &str, digits: usize| {
        key.len() == digits && key.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    };
    let works = |key: &str| world.get(key, "/account/info").response.status == 200;
    for (form, digits) in [("HEX32", 32), ("HEX64", 64)] {
        let own = issue(&world, &admin.key, json!({"title": "x", "form": form})).expect(201);
        let of_operator = world.grant(&shop, json!({"title": "x", "form": form}));
        let rotated = rotate(
            &world,
            &admin.key,
            &own.text("/data/id"),
            json!({"form": form, "graceSeconds": 0}),
        )
        .expect(201);
        for issued in [&own, &of_operator, &rotated] {
            assert!(is_hex(&issued.text("/data/key"), digits), "{}", issued.body);
        }
        assert_eq!(
            [&own, &of_operator, &rotated].map(|issued| works(&issued.text("/data/key"))),
            [false, true, true]
        );
        // The hint leaves enough to be guessed.
        assert_eq!(
            own.text("/data/hint").chars().filter(char::is_ascii_hexdigit).count(),
            8
        );
    }
    let test = issue(
        &world,
        &admin.key,
        json!({"title": "x", "form": "HEX32", "mode": "test"}),
    )
    .expect(201);
    let send = json!({"message": "x", "recipients": ["09121234567"]});
    assert_eq!(
        world
            .post(&test.text("/data/key"), "/sms/send", send)
            .expect(201)
            .int("/data/cost"),
        0
    );
    let plain = rotate(&world, &admin.key, &test.text("/data/id"), json!({})).expect(201);
    assert!(plain.text("/data/key").starts_with("peyk_test_"));
    assert_eq!(
        issue(&world, &admin.key, json!({"title": "x", "form": "HEX16"}))
            .refused(422)
            .extra()
            .len(),
        1
    );
    let operator = world
        .admin("POST", "/admin/keys", json!({"title": "x", "form": "HEX64"}))
        .expect(201);
    let (id, key) = (operator.text("/data/id"), operator.text("/data/key"));
    assert!(is_hex(&key, 64));
    let path = format!("/admin/keys/{id}/rotate");
    assert!(is_hex(
        &world
            .post(&key, &path, json!({"form": "HEX32"}))
            .expect(201)
            .text("/data/key"),
        32
    ));
    let both = json!({"title": "x", "form": "HEX32", "key": "2|0123456789abcdefghijABCDEFGHIJKL"});
    let refused = world.admin("POST", &shop.path("/keys"), both).refused(422);
    assert_eq!(refused.extra(), ["form: must not stand beside \"key\""]);
}

/// Whether a key opens a route of the scope `account:read`.
fn works(world: &World, key: &str) -> bool {
    match world.get(key, "/account/info").response.status {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

fn names(scopes: impl IntoIterator<Item = Scope>) -> Vec<&'static str> {
    scopes.into_iter().map(Scope::as_str).collect()
}

/// The scopes that a key of an account may have.
fn grantable() -> Vec<Scope> {
    Scope::all_of(false)
}

#[test]
fn a_key_of_no_line_is_told_as_it_was_made() {
    let (world, shop) = World::with_account(10_000);
    let path = shop.path("/keys");
    let made = world.create(&path, json!({"title": "none", "lines": []}));
    assert_eq!(made.json["data"]["lines"], json!([]));
    let listed = world.look(&path);
    let keys = listed.json["data"].as_array().unwrap();
    let own = keys.iter().find(|key| key["id"] == made.json["data"]["id"]).unwrap();
    assert_eq!(own["lines"], json!([]));
    world.send(&made.text("/data/key"), &["09121234567"]).problem(406, 3012);
    let rotated = world.create(&format!("{path}/{}/rotate", made.text("/data/id")), json!({}));
    assert_eq!(rotated.json["data"]["lines"], json!([]));
    let refused = world.send(&rotated.text("/data/key"), &["09121234567"]);
    refused.problem(406, 3012);
}

#[test]
fn a_line_of_a_key_that_no_line_can_have_is_refused_and_named() {
    let (world, shop) = World::with_account(10_000);
    let path = shop.path("/keys");
    let bad = ["", " ", "10 001", "۱۰۰۰۱", "111111111111111111111111111111111"];
    for line in bad.map(Value::from).into_iter().chain([json!(7)]) {
        let body = json!({"title": "x", "lines": ["10001", line]});
        for refused in [world.admin("POST", &path, body.clone()), issue(&world, &shop.key, body)] {
            let pointers = refused.refused(422).pointers();
            assert!(pointers.contains(&"/lines/1".to_owned()), "{line}");
        }
    }
    assert_eq!(known(&world, &shop).0.len(), 1, "nothing was issued");
    world.create(&path, json!({"title": "x", "lines": ["1".repeat(32)]}));
}

#[test]
fn an_account_issues_lists_rotates_and_revokes_its_keys() {
    let (world, shop) = World::with_account(10_000);
    world.advance(1_000);
    let end = time::to_rfc3339(world.now_ms.get() + 90 * DAY_S * 1_000);
    let body = json!({"title": "web shop", "scopes": ["sms:send", "account:read", "sms:send"], "lines": ["10001"],
        "expiresAt": end});
    let issued = issue(&world, &shop.key, body).expect(201);
    let key = Key::of(&issued);
    assert!(key.key.starts_with("peyk_live_") && auth::checksum_ok(&key.key));
    let data = &issued.json["data"];
    assert_eq!(data["scopes"], json!(["sms:send", "account:read"]));
    issued.has(json!({"mode": "live", "lines": ["10001"], "expiresAt": end, "revokedAt": null}));
    world.send(&key.key, &["09121234567"]).expect(201);
    world.get(&key.key, "/messages").refused(403);

    let listed = world.read(&shop.key, "/keys");
    let seen = listed.items().iter().map(|key| (&key["id"], &key["current"]));
    let wanted = [(&json!(key.id), &json!(false)), (&json!(shop.key_id), &json!(true))];
    assert!(seen.eq(wanted), "{}", listed.body);
    assert!(!listed.body.contains(&key.key) && !listed.body.contains(&auth::digest(&key.key)));

    let rotated = rotate(&world, &shop.key, &key.id, json!({"graceSeconds": 60})).expect(201);
    let successor = Key::of(&rotated);
    for member in ["title", "scopes", "mode", "lines", "expiresAt"] {
        assert_eq!(rotated.json["data"][member], data[member], "{member}");
    }
    let grace_end = time::to_rfc3339(world.now_ms.get() + 60_000);
    let expected = json!({"id": key.id, "expiresAt": grace_end});
    assert_eq!(rotated.json["data"]["replaces"], expected);
    assert!(works(&world, &successor.key) && works(&world, &key.key));

    for _ in 0..2 {
        revoke(&world, &shop.key, &successor.id).expect(204);
    }
    assert!(!works(&world, &successor.key) && works(&world, &key.key) && works(&world, &shop.key));
}

#[test]
fn what_is_left_out_is_as_the_key_of_the_request_has_it() {
    let (world, shop) = World::with_account(10_000);
    let end = time::to_rfc3339(world.now_ms.get() + 1_000_000);
    let narrow = json!({"title": "narrow", "scopes": ["keys", "sms:send"], "lines": ["10001"], "expiresAt": end});
    let narrow = grant(&world, &shop, narrow);
    let child = issue(&world, &narrow.key, json!({"title": "child"})).expect(201);
    let data = &child.json["data"];
    assert_eq!(data["scopes"], json!(["sms:send"]), "to manage keys has to be named");
    assert_eq!((&data["lines"], &data["mode"]), (&json!(["10001"]), &json!("live")));
    assert_eq!(data["expiresAt"], json!(end));
    assert!(child.text("/data/key").starts_with("peyk_live_"));
}

#[test]
fn a_key_manages_keys_and_webhooks_only_if_that_was_named() {
    let (world, shop) = World::with_account(10_000);
    let wanted = json!([
        "sms:send",
        "sms:read",
        "phonebook",
        "pattern",
        "verify",
        "blacklist",
        "account:read"
    ]);
    let by_operator = world.grant(&shop, json!({"title": "x"}));
    let by_account = issue(&world, &shop.key, json!({"title": "x"})).expect(201);
    for issued in [&by_operator, &by_account] {
        assert_eq!(issued.json["data"]["scopes"], wanted);
        let key = Key::of(issued);
        world.get(&key.key, "/keys").refused(403);
        world.get(&key.key, "/webhook").refused(403);
        world.send(&key.key, &["09121234567"]).expect(201);
    }
    let named = json!({"title": "x", "scopes": ["keys", "webhook"]});
    let named = Key::of(&issue(&world, &shop.key, named).expect(201));
    world.read(&named.key, "/keys");
    world.read(&named.key, "/webhook");
}

#[test]
fn a_revoked_key_cannot_send_one_second_later_although_kv_still_has_it() {
    let (world, shop) = World::with_account(10_000);
    for is_own in [false, true] {
        let key = grant(&world, &shop, json!({"title": "leaked"}));
        world.send(&key.key, &["09121234567"]).expect(201);
        let record = in_kv(&world, &key.key).unwrap();
        let by = if is_own { &key.key } else { &shop.key };
        revoke(&world, by, &key.id).expect(204);
        assert_eq!(in_kv(&world, &key.key), None);
        put_back(&world, &key.key, &record);
        world.advance(1_000);
        let before = (world.get(&shop.key, "/messages").body.len(), world.balance(&shop.key));
        world.send(&key.key, &["09121234567"]).refused(401);
        revoke(&world, &key.key, &shop.key_id).refused(401);
        issue(&world, &key.key, json!({"title": "again"})).refused(401);
        rotate(&world, &key.key, &key.id, json!({})).refused(401);
        let after = (world.get(&shop.key, "/messages").body.len(), world.balance(&shop.key));
        assert_eq!(after, before);
    }
    assert!(works(&world, &shop.key));
}

#[test]
fn a_rotated_key_works_through_its_grace_and_not_after_although_kv_says_so() {
    let (world, shop) = World::with_account(100_000);
    for (by_itself, grace_s) in [(true, 100), (false, 100), (false, 30 * DAY_S), (false, 0)] {
        let old = grant(&world, &shop, json!({"title": "old"}));
        let record = in_kv(&world, &old.key).unwrap();
        let by = if by_itself { &old.key } else { &shop.key };
        let new = Key::of(&rotate(&world, by, &old.id, json!({"graceSeconds": grace_s})).expect(201));
        let end_ms = world.now_ms.get() + grace_s * 1_000;
        put_back(&world, &old.key, &record);
        if grace_s > 0 {
            world.now_ms.set(end_ms - 1);
            world.send(&old.key, &["09121234567"]).expect(201);
            world.now_ms.set(end_ms);
        }
        put_back(&world, &old.key, &record);
        world.send(&old.key, &["09121234567"]).refused(401);
        rotate(&world, &old.key, &old.id, json!({})).refused(401);
        world.send(&new.key, &["09121234567"]).expect(201);
    }
}

#[test]
fn a_key_in_its_grace_gets_nothing_that_lasts_longer() {
    let (world, shop) = World::with_account(10_000);
    let old = grant(&world, &shop, json!({"title": "leaked"}));
    let new = Key::of(&rotate(&world, &old.key, &old.id, json!({"graceSeconds": 600})).expect(201));
    let before = known(&world, &shop);
    // Neither a second successor, nor its successor's, nor that key's end.
    rotate(&world, &old.key, &old.id, json!({})).refused(403);
    rotate(&world, &old.key, &new.id, json!({})).refused(403);
    revoke(&world, &old.key, &new.id).refused(403);
    let lasting = json!({"title": "x", "expiresAt": time::to_rfc3339(world.now_ms.get() + 600_001)});
    assert_eq!(issue(&world, &old.key, lasting).refused(422).pointers(), ["/expiresAt"]);
    assert_eq!(known(&world, &shop), before);
    let child = Key::of(&issue(&world, &old.key, json!({"title": "x"})).expect(201));
    world.advance(599_999);
    assert!(works(&world, &old.key) && works(&world, &child.key) && works(&world, &new.key));
    world.advance(1);
    assert!(!works(&world, &old.key) && !works(&world, &child.key) && works(&world, &new.key));
}

#[test]
fn a_key_without_a_scope_gets_403_on_each_route_of_that_scope() {
    let (world, shop) = World::with_busy_account(10_000);
    let mut tried = BTreeSet::new();
    for scope in Scope::ALL {
        let others = grantable().into_iter().filter(|other| *other != scope);
        let key = grant(&world, &shop, json!({"title": "all but one", "scopes": names(others)}));
        let before = (known(&world, &shop), world.balance(&shop.key));
        for route in ROUTES {
            let Some(needed) = route.access.scope() else { continue };
            let mut path = route.path.to_owned();
            for name in route.params {
                let id = if *name == "key" { &shop.key_id } else { &shop.id };
                path = path.replace(&format!("{{{name}}}"), id);
            }
            let request = world.request(route.method, &path.replace(&shop.id, &shop.key_id));
            if route.scopes().any(|needed| needed == scope) {
                let refused = request.key(&key.key).json(json!({})).send().refused(403);
                let header = refused.header("WWW-Authenticate").unwrap();
                let told = route
                    .scopes()
                    .find(|needed| *needed == scope || needed.is_for_operators());
                let told = told.unwrap().as_str();
                assert!(header.contains(&format!("scope=\"{told}\"")), "{header}");
                tried.insert((route.method, route.path));
            } else if !needed.is_for_operators() && route.method == "GET" {
                let answer = request.key(&key.key).send();
                assert_ne!(answer.response.status, 403, "{} {}", route.method, route.path);
            }
            // An operator's key has no account to act for.
            if !needed.is_for_operators() {
                let request = world.ask(route.method, &world.admin_key, &path);
                request.json(json!({})).send().refused(403);
            }
            world.advance(1_000);
        }
        let after = (known(&world, &shop), world.balance(&shop.key));
        assert_eq!(after, before, "{}", scope.as_str());
    }
    let scoped = ROUTES.iter().filter(|route| route.access.scope().is_some());
    assert_eq!(tried, scoped.map(|route| (route.method, route.path)).collect());
}

#[test]
fn a_key_is_refused_what_it_lacks_and_told_each_piece_of_it() {
    let (world, shop) = World::with_account(10_000);
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    let now_ms = world.now_ms.get();
    let at = |ms: i64| time::to_rfc3339(now_ms + ms);
    let narrow =
        json!({"title": "narrow", "scopes": ["keys", "sms:send"], "lines": ["10001"], "expiresAt": at(1_000_000)});
    let narrow = grant(&world, &shop, narrow);
    let before = known(&world, &shop);
    let wide = json!({"title": "wide", "scopes": ["sms:send", "sms:read", "keys", "webhook"], "lines": ["10001", "10002"],
        "expiresAt": at(1_000_001)});
    let refused = issue(&world, &narrow.key, wide).refused(422);
    let places = ["/scopes/1", "/scopes/3", "/lines/1", "/expiresAt"];
    assert_eq!(refused.pointers(), places, "{}", refused.body);
    assert!(refused.extra()[0].starts_with("scopes[1]: is more than the key of this request has"));
    for (body, place) in [
        (json!({"scopes": ["sms:read"]}), "/scopes/0"),
        (json!({"lines": ["10002"]}), "/lines/0"),
        (json!({"expiresAt": at(1_000_001)}), "/expiresAt"),
        (json!({"scopes": ["admin"]}), "/scopes/0"),
        (json!({"scopes": ["admin:read"]}), "/scopes/0"),
        (json!({"scopes": ["sms:fax"]}), "/scopes/0"),
        (json!({"scopes": "keys"}), "/scopes"),
        (json!({"lines": ["10001", "77777"]}), "/lines/1"),
        (json!({"mode": "both"}), "/mode"),
        (json!({"expiresAt": at(0)}), "/expiresAt"),
        (json!({"expiresAt": "tomorrow"}), "/expiresAt"),
        (json!({"key": "2|0123456789abcdefghijABCDEFGHIJKL"}), "/key"),
        (json!({"title": ""}), "/title"),
        (json!({"title": null}), "/title"),
        (json!({"title": "x".repeat(201)}), "/title"),
    ] {
        let mut whole = json!({"title": "x"});
        whole.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        let refused = issue(&world, &narrow.key, whole).refused(422);
        assert_eq!(refused.pointers(), [place], "{body}");
    }
    for body in [
        json!({"graceSeconds": -1}),
        json!({"graceSeconds": 30 * DAY_S + 1}),
        json!({"graceSeconds": "1"}),
    ] {
        let refused = rotate(&world, &narrow.key, &narrow.id, body).refused(422);
        assert_eq!(refused.pointers(), ["/graceSeconds"]);
    }
    for id in [&shop.key_id, "nothing", "019b796d-0000-7000-8000-00000000000a"] {
        let status = if *id == *shop.key_id { 403 } else { 404 };
        rotate(&world, &narrow.key, id, json!({})).problem(status, status);
        revoke(&world, &narrow.key, id).problem(status, status);
    }
    assert_eq!(known(&world, &shop), before, "nothing has changed");
    let as_wide =
        json!({"title": "x", "scopes": ["sms:send"], "lines": [], "mode": "test", "expiresAt": at(1_000_000)});
    issue(&world, &narrow.key, as_wide).expect(201);
}

#[test]
fn each_thing_that_makes_a_key_wider_keeps_a_narrower_one_from_rotating_and_revoking_it() {
    let (world, shop) = World::with_account(10_000);
    let end = |ms: i64| time::to_rfc3339(world.now_ms.get() + ms);
    let body = json!({"title": "x", "scopes": ["keys", "sms:send"], "lines": ["10001"], "expiresAt": end(1_000_000)});
    let narrow = grant(&world, &shop, body.clone());
    let with = |name: &str, value: Value| {
        let mut wider = body.clone();
        wider[name] = value;
        grant(&world, &shop, wider)
    };
    for wider in [
        with("scopes", json!(["keys", "sms:send", "sms:read"])),
        with("lines", json!(["10001", "10002"])),
        with("lines", Value::Null),
        with("expiresAt", json!(end(1_000_001))),
        with("expiresAt", Value::Null),
    ] {
        let before = known(&world, &shop);
        rotate(&world, &narrow.key, &wider.id, json!({})).refused(403);
        revoke(&world, &narrow.key, &wider.id).refused(403);
        assert_eq!(known(&world, &shop), before);
    }
    for equal in [
        with("title", json!("equal")),
        with("scopes", json!([])),
        with("lines", json!([])),
    ] {
        let successor = Key::of(&rotate(&world, &narrow.key, &equal.id, json!({})).expect(201));
        revoke(&world, &narrow.key, &successor.id).expect(204);
    }
}

#[test]
fn what_a_key_may_give_is_what_the_object_says_and_not_its_copy_in_kv() {
    let (world, shop) = World::with_account(10_000);
    let narrow = json!({"title": "narrow", "scopes": ["keys", "sms:send"], "lines": ["10001"], "mode": "test"});
    let reader = grant(&world, &shop, json!({"title": "reader", "scopes": ["sms:read"]}));
    let narrow = grant(&world, &shop, narrow);
    for key in [&narrow, &reader] {
        let mut forged: KeyRecord = serde_json::from_str(&in_kv(&world, &key.key).unwrap()).unwrap();
        (forged.scopes, forged.lines, forged.mode) = (grantable(), None, Mode::Live);
        put_back(&world, &key.key, &serde_json::to_string(&forged).unwrap());
    }
    let before = known(&world, &shop);
    let wide = json!({"title": "x", "scopes": names(grantable()), "mode": "live"});
    issue(&world, &narrow.key, wide).refused(422);
    rotate(&world, &narrow.key, &shop.key_id, json!({})).refused(403);
    issue(&world, &reader.key, json!({"title": "x", "scopes": []})).refused(403);
    rotate(&world, &reader.key, &reader.id, json!({})).refused(403);
    revoke(&world, &reader.key, &reader.id).refused(403);
    assert_eq!(known(&world, &shop), before);
    let child = issue(&world, &narrow.key, json!({"title": "x"})).expect(201);
    assert_eq!(child.json["data"]["scopes"], json!(["sms:send"]));
    assert_eq!(child.json["data"]["mode"], "test");
}

#[test]
fn each_request_about_keys_takes_one_call_and_one_token() {
    let (world, shop) = World::with_account(10_000);
    let other = Key::of(&issue(&world, &shop.key, json!({"title": "other"})).expect(201));
    let left = |answer: &Answer| {
        let (_, rest) = answer.header("RateLimit").unwrap().split_once("r=").unwrap();
        rest.split(';').next().unwrap().parse::<i64>().unwrap()
    };
    let ask = |method: &str, path: &str, body: Value| {
        world.advance(60_000);
        let full = left(&world.get(&shop.key, "/account/info"));
        let before = world.calls.get();
        let answer = world.ask(method, &shop.key, path).json(body).send();
        assert_eq!(left(&answer), full - 1, "{method} {path}");
        assert_eq!(world.calls.get() - before, 1, "{method} {path}");
        answer
    };
    let path = format!("/keys/{}", other.id);
    ask("GET", "/keys", Value::Null).expect(200);
    let body = json!({"title": "x", "lines": ["10001"], "mode": "test"});
    ask("POST", "/keys", body).expect(201);
    ask("POST", &format!("{path}/rotate"), json!({})).expect(201);
    ask("DELETE", &path, Value::Null).expect(204);
    ask("POST", "/keys", json!({})).refused(422);
    ask("DELETE", "/keys/nothing", Value::Null).refused(404);
}

#[test]
fn an_account_has_no_more_keys_than_it_may_and_gets_no_part_of_one() {
    let (world, shop) = World::with_account(10_000);
    let rows = "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) \
         INSERT INTO api_key (id, title, digest, scopes, mode, created_ms, hint) \
         SELECT printf('%036d', i), 'x', 'd' || i, '', 'test', 0, 'h' FROM n";
    let sql = world.sql(&shop.id);
    sql.run_with(rows, &[u32::try_from(MAX_KEYS).unwrap().into()]);
    let before = known(&world, &shop);
    let refused = issue(&world, &shop.key, json!({"title": "x"})).refused(409);
    assert!(refused.text("/detail").contains("as many API keys"));
    rotate(&world, &shop.key, &shop.key_id, json!({})).refused(409);
    assert_eq!(known(&world, &shop), before);
    assert!(works(&world, &shop.key));
}

#[test]
fn keys_that_a_thief_made_take_nobodys_room_after_they_are_thrown_out() {
    let (world, shop) = World::with_busy_account(10_000);
    for round in 0..3 {
        let thief = Key::of(&issue(&world, &shop.key, json!({"title": "thief", "scopes": ["keys"]})).expect(201));
        let made = (0..MAX_KEYS)
            .take_while(|_| {
                let body = json!({"title": "x", "scopes": []});
                issue(&world, &thief.key, body).response.status == 201
            })
            .count();
        assert_eq!(made, MAX_KEYS - 2, "{round}");
        issue(&world, &shop.key, json!({"title": "x"})).refused(409);
        let cascade = shop.path(&format!("/keys/{}?cascade=true", thief.id));
        world.admin("DELETE", &cascade, json!({})).expect(200);
        let own = Key::of(&issue(&world, &shop.key, json!({"title": "own"})).expect(201));
        revoke(&world, &shop.key, &own.id).expect(204);
        // The oldest ones are forgotten at once, also by KV, and the newest stay listed.
        world.settle(1_000);
        let ended = i64::try_from((round + 1) * (MAX_KEYS)).unwrap();
        let kept = world
            .sql(&shop.id)
            .count("api_key WHERE session_of IS NULL AND revoked_ms IS NOT NULL");
        assert_eq!(kept, ended.min(500), "{round}");
    }
}

#[test]
fn a_key_that_kv_did_not_take_or_not_give_up_works_nowhere() {
    let (world, shop) = World::with_account(10_000);
    let other = Key::of(&issue(&world, &shop.key, json!({"title": "other"})).expect(201));
    let record = in_kv(&world, &other.key).unwrap();
    world.read(&shop.key, "/keys");
    world.keys_are_down.set(true);
    world.advance(1_000);
    issue(&world, &shop.key, json!({"title": "x"})).refused(503);
    revoke(&world, &shop.key, &other.id).refused(503);
    world.keys_are_down.set(false);
    put_back(&world, &other.key, &record);
    assert!(!works(&world, &other.key));
    revoke(&world, &shop.key, &other.id).expect(204);
    assert_eq!(in_kv(&world, &other.key), None);
    // The one that KV did not take is in the list, where its owner revokes it.
    let listed = world.read(&shop.key, "/keys");
    assert_eq!(listed.json["data"][0]["title"], "x");
    revoke(&world, &shop.key, &listed.text("/data/0/id")).expect(204);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(24)) })]

    #[test]
    fn no_key_reaches_a_wider_one_by_any_chain_of_requests(seed: u64) {
        let mut walk = Walk::new(seed);
        for _ in 0..60 {
            match walk.dice.below(10) {
                0..5 => walk.mint(),
                5..8 => walk.rotate(),
                8 => walk.revoke(),
                _ => walk.world.advance(1_000 * i64::try_from(walk.dice.below(120)).unwrap()),
            }
        }
        walk.check();
    }
}

#[test]
fn the_operators_object_has_no_keys_of_accounts_and_accounts_none_of_its() {
    let (world, shop) = World::with_account(10_000);
    revoke(&world, &shop.key, crate::support::OPERATOR_KEY_ID).refused(404);
    world.get(&world.admin_key, "/keys").refused(403);
    issue(&world, &world.admin_key, json!({"title": "x", "scopes": []})).refused(403);
    assert_eq!(world.sql(OPERATOR).run("SELECT id FROM api_key").len(), 1);
}
