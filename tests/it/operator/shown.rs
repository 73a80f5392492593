//! What operators are shown of customers' numbers and texts leaves entries in the audit log, and no more than so many.

use std::collections::BTreeSet;

use peyk::api::routes::{Audit, ROUTES};
use peyk::base::ports::{PortError, Statement};
use serde_json::{Value, json};

use crate::support::{Account, OPERATOR_KEY_ID, World};

const NUMBER: &str = "989121234567";
const TEXT: &str = "a customer's words";
const HOUR_MS: i64 = 3_600_000;

/// A world that has something to show, and the uid of a message.
fn world() -> (World, Account, String) {
    let (mut world, shop) = World::with_account(1_000_000);
    world.app.config.pattern_approval = true;
    let uid = send(&world, &shop);
    let pattern = json!({"slug": "login", "title": "x", "text": format!("{TEXT} %OTP%")});
    world.posted(&shop.key, "/pattern", pattern);
    world.settle(10_000);
    (world, shop, uid)
}

fn send(world: &World, shop: &Account) -> String {
    let body = json!({"message": TEXT, "recipients": [format!("+{NUMBER}")]});
    world.posted(&shop.key, "/sms/send", body).text("/data/uid")
}

fn recipients(shop: &Account, uid: &str) -> String {
    shop.path(&format!("/messages/{uid}/recipients"))
}

/// The entries that say what was shown, newest first.
fn shown(world: &World) -> Vec<Value> {
    let all = world.all(&world.admin_key, "/admin/audit?limit=200");
    all.into_iter()
        .filter(|entry| entry["after"]["shown"] == true)
        .collect()
}

#[test]
fn who_was_shown_what_of_whom_has_an_entry() {
    let (world, shop, uid) = world();
    let mut seen = BTreeSet::new();
    for (path, operation, thing, name) in [
        (recipients(&shop, &uid), "AdminListRecipients", "message", json!(uid)),
        (shop.path("/messages"), "AdminListMessages", "message", Value::Null),
        (
            shop.path(&format!("/messages/{uid}")),
            "AdminGetMessage",
            "message",
            json!(uid),
        ),
        (shop.path("/sandbox"), "AdminListSandbox", "message", Value::Null),
        (
            "/admin/patterns".to_owned(),
            "AdminListPendingPatterns",
            "pattern",
            Value::Null,
        ),
    ] {
        world.advance(1_000);
        let before = shown(&world).len();
        let answer = world
            .ask("GET", &world.admin_key, &path)
            .from("203.0.113.7")
            .send()
            .expect(200);
        assert!(
            answer.body.contains(TEXT) || answer.body.contains(NUMBER),
            "{}",
            answer.body
        );
        let entries = shown(&world);
        assert_eq!(entries.len(), before + 1, "{path}");
        let entry = &entries[0];
        assert_eq!(
            entry["actor"],
            json!({"account": "operator", "username": null, "key": OPERATOR_KEY_ID})
        );
        assert_eq!(entry["operation"], operation);
        assert_eq!(
            entry["thing"],
            json!({"kind": thing, "id": name, "account": shop.id, "username": "shop"})
        );
        assert_eq!(
            (&entry["address"], &entry["before"]),
            (&json!("203.0.113.7"), &Value::Null)
        );
        assert_eq!(entry["at"], peyk::base::time::to_rfc3339(world.now_ms.get()));
        assert_eq!(entry["requestId"].as_str(), answer.header("X-Request-Id"));
        seen.insert(operation);
    }
    let noted = ROUTES.iter().filter(|route| matches!(route.audit, Audit::Shows(_)));
    // Whose a key is stands in `auth::hints`.
    let noted = noted.filter(|route| route.method == "GET");
    assert_eq!(seen, noted.map(|route| route.operation.name()).collect());
}

#[test]
fn no_other_route_shows_operators_a_number_or_a_text() {
    let (world, shop, uid) = world();
    world.posted(&shop.key, "/blacklist", json!({"numbers": [format!("+{NUMBER}")]}));
    let endpoint = json!({"url": "https://shop.example/", "events": ["message.status"]});
    let webhook = world.posted(&shop.key, "/webhook", endpoint).text("/data/id");
    // Of another number, so that the first one stays where it is.
    let erased = "09359876543";
    let order = world
        .admin("POST", "/admin/erasures", json!({"number": erased}))
        .expect(202)
        .text("/data/id");
    world.settle(10_000);
    let of_operators = ROUTES
        .iter()
        .filter(|route| route.path.starts_with("/admin/") && route.method == "GET");
    for route in of_operators {
        let id = if route.path.starts_with("/admin/erasures") {
            &order
        } else {
            &shop.id
        };
        let path = route.path.replace("{id}", id).replace("{uid}", &uid);
        let path = path.replace("{name}", "sandbox").replace("{number}", "10001");
        let path = path.replace("{webhook}", &webhook);
        let answer = world.get(&world.admin_key, &path).expect(200);
        let shows = answer.body.contains(&NUMBER[3..]) || answer.body.contains(TEXT);
        assert_eq!(shows, matches!(route.audit, Audit::Shows(_)), "{path}: {}", answer.body);
        assert!(!answer.body.contains(&erased[1..]), "{path}: {}", answer.body);
    }
}

#[test]
fn looking_again_within_an_hour_leaves_nothing_more() {
    let (world, shop, uid) = world();
    let path = recipients(&shop, &uid);
    let other = world.create("/admin/keys", json!({"title": "other"})).text("/data/key");
    let look = |key: &str, path: &str| {
        world.get(key, path).expect(200);
        shown(&world).len()
    };
    assert_eq!(look(&world.admin_key, &path), 1);
    world.advance(HOUR_MS - 1_000);
    assert_eq!(look(&world.admin_key, &path), 1);
    assert_eq!(look(&world.admin_key, &format!("{path}?limit=1")), 1);
    assert_eq!(look(&other, &path), 2, "another key");
    assert_eq!(look(&world.admin_key, &shop.path("/sandbox")), 3, "another route");
    let second = recipients(&shop, &send(&world, &shop));
    assert_eq!(look(&world.admin_key, &second), 4, "another message");
    world.advance(1_001);
    assert_eq!(look(&world.admin_key, &path), 5, "an hour later");
    // Nothing was shown: no entry.
    let empty = world.account("empty", 0);
    assert_eq!(look(&world.admin_key, &empty.path("/sandbox")), 5);
    world.get(&world.admin_key, &recipients(&empty, &uid)).refused(404);
    world.get(&world.admin_key, &format!("{path}?limit=0")).refused(422);
    let reader = json!({"title": "x", "scopes": ["admin:accounts"]});
    let lacking = world.create("/admin/keys", reader).text("/data/key");
    world.get(&lacking, &path).refused(403);
    // A customer reads what is his own.
    world.read(&shop.key, &format!("/messages/{uid}/recipients"));
    assert_eq!(shown(&world).len(), 5);
}

#[test]
fn one_key_writes_so_many_entries_an_hour_and_then_one_that_says_so() {
    let (world, shop, uid) = world();
    let uids: Vec<String> = (0..110).map(|_| send(&world, &shop)).collect();
    world.settle(10_000);
    for uid in uids.iter().chain([&uid]) {
        world.get(&world.admin_key, &recipients(&shop, uid)).expect(200);
    }
    let entries = shown(&world);
    assert_eq!(entries.len(), 101);
    let more: Vec<&Value> = entries.iter().filter(|entry| entry["after"]["more"] == true).collect();
    assert_eq!(more.len(), 1);
    assert_eq!(
        more[0]["thing"],
        json!({"kind": "message", "id": null, "account": null, "username": null})
    );
    // What has its entry has it, and another route says for itself that there was more.
    world.get(&world.admin_key, &recipients(&shop, &uids[0])).expect(200);
    assert_eq!(shown(&world).len(), 101);
    for _ in 0..2 {
        world.get(&world.admin_key, &shop.path("/sandbox")).expect(200);
        world.get(&world.admin_key, "/admin/patterns").expect(200);
    }
    assert_eq!(shown(&world).len(), 103);
    // Changes have their entries all the same, and so have others.
    world.change_account(&shop, json!({"fullName": "Another"}));
    let other = world.create("/admin/keys", json!({"title": "other"})).text("/data/key");
    world.get(&other, &shop.path("/sandbox")).expect(200);
    assert_eq!(shown(&world).len(), 104);
    world.advance(HOUR_MS + 1);
    world.get(&world.admin_key, &shop.path("/sandbox")).expect(200);
    assert_eq!(shown(&world).len(), 105);
}

#[test]
fn patterns_of_many_accounts_have_an_entry_for_each_account() {
    let (world, shop, _) = world();
    let other = world.account("other", 0);
    for slug in ["a", "b"] {
        let slug = format!("{slug}-pattern");
        world.posted(&other.key, "/pattern", json!({"slug": slug, "title": "x", "text": "y"}));
    }
    world.get(&world.admin_key, "/admin/patterns").expect(200);
    let accounts: BTreeSet<String> = shown(&world)
        .iter()
        .map(|entry| entry["thing"]["account"].to_string())
        .collect();
    assert_eq!(accounts, [&shop.id, &other.id].map(|id| format!("\"{id}\"")).into());
    assert_eq!(shown(&world).len(), 2);
    let found = world.all(
        &world.admin_key,
        &format!("/admin/audit?account={}&thing=pattern", other.id),
    );
    assert_eq!(found[0]["operation"], "AdminListPendingPatterns");
}

#[test]
fn nothing_is_shown_without_its_entry() {
    let (world, shop, uid) = world();
    world.db.watch(|_, statements| {
        let is_of_audit = |statement: &Statement| statement.sql.contains("INTO audit (");
        match statements.iter().any(is_of_audit) {
            true => Err(PortError::unavailable("d1", "this does not work")),
            false => Ok(()),
        }
    });
    for path in [
        recipients(&shop, &uid),
        shop.path("/sandbox"),
        "/admin/patterns".to_owned(),
    ] {
        let refused = world.get(&world.admin_key, &path).problem(503, 503);
        assert!(!refused.body.contains(TEXT) && !refused.body.contains(NUMBER));
    }
}

#[test]
fn a_change_has_the_address_that_it_came_from() {
    let (world, shop, _) = world();
    let numbers = json!({"numbers": [format!("+{NUMBER}")]});
    for (method, key, path, body) in [
        ("POST", &shop.key, "/blacklist".to_owned(), numbers),
        (
            "PATCH",
            &world.admin_key,
            shop.path(""),
            json!({"fullName": "A New Name"}),
        ),
        (
            "PUT",
            &shop.key,
            "/account/low-balance".to_owned(),
            json!({"lowBalance": 500}),
        ),
    ] {
        for address in [Some("2001:db8::7"), None] {
            let body = match (address, &path) {
                (None, path) if path == "/blacklist" => json!({"numbers": ["09121234599"]}),
                (None, path) if path.starts_with("/admin") => json!({"fullName": "Another"}),
                (None, _) => json!({"lowBalance": 600}),
                _ => body.clone(),
            };
            world.advance(1_000);
            let request = world.ask(method, key, &path).json(body);
            let request = match address {
                Some(address) => request.from(address),
                None => request,
            };
            assert!(request.send().response.status < 300, "{path}");
            world.settle(10_000);
            let newest = world.look("/admin/audit?limit=1");
            assert_eq!(newest.json["data"][0]["address"], json!(address), "{path}");
        }
    }
}

#[test]
fn an_address_is_one_or_none() {
    for (text, expected) in [
        ("203.0.113.7", Some("203.0.113.7")),
        (" 2001:DB8:0:0:0:0:0:7 ", Some("2001:db8::7")),
        ("::ffff:203.0.113.7", Some("203.0.113.7")),
        ("203.0.113.7, 10.0.0.1", None),
        ("+989121234567", None),
        ("", None),
    ] {
        assert_eq!(peyk::api::http::address(text).as_deref(), expected, "{text}");
    }
}
