//! Every request with a key pays one token, however it ends, and takes no more calls of the account's object than it must.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

use peyk::auth::Scope;
use peyk::routes::{Access, Payment, ROUTES, Route};
use serde_json::json;
use support::{Answer, World};

/// How many tokens are left, as the answer says.
fn left(answer: &Answer) -> i64 {
    let header = answer.header("RateLimit").unwrap_or_else(|| panic!("{}", answer.body));
    let (_, rest) = header.split_once("r=").unwrap();
    rest.split(';').next().unwrap().parse().unwrap()
}

fn key_for<'a>(world: &'a World, own: &'a str, route: &Route) -> &'a str {
    match route.access == Access::Scope(Scope::Admin) {
        true => &world.admin_key,
        false => own,
    }
}

#[test]
fn every_request_pays_one_token_however_it_ends() {
    let (world, shop) = World::with_account(10_000);
    for (content_type, body) in [("text/plain", "{"), ("application/json", "{}")] {
        for route in ROUTES.iter().filter(|route| route.access != Access::Public) {
            let key = key_for(&world, &shop.key, route);
            let lines = if key == shop.key { "/lines" } else { "/admin/lines" };
            let before = left(&world.get(key, lines));
            let request = world.request(route.method, route.path).key(key);
            let answer = request.body(content_type, body.as_bytes()).send();
            let name = format!("{} {}: {}", route.method, route.path, answer.body);
            assert_eq!(left(&answer), before - 1, "{name}");
            assert!(answer.response.status < 500, "{name}");
            world.advance(60_000);
        }
    }
}

#[test]
fn a_caller_without_tokens_is_told_so_before_all_that_is_wrong_with_the_request() {
    let (world, shop) = World::with_account(0);
    let path = format!("/admin/accounts/{}", shop.id);
    let limit = json!({"rateLimit": {"limit": 1, "windowSeconds": 3_600, "burst": 1}});
    world.admin("PATCH", &path, limit).expect(200);
    world.get(&shop.key, "/lines").expect(200);
    let own = ROUTES
        .iter()
        .filter(|route| !matches!(route.access, Access::Public | Access::Scope(Scope::Admin)));
    for route in own {
        for (content_type, body) in [("text/plain", "{"), ("application/json", "{}")] {
            let request = world.request(route.method, route.path).key(&shop.key);
            let answer = request.body(content_type, body.as_bytes()).send().problem(429, 429);
            assert!(answer.header("Retry-After").is_some(), "{}", route.path);
        }
    }
}

#[test]
fn a_request_that_pays_with_its_call_takes_one_call() {
    let (world, shop) = World::with_account(100_000);
    let phonebook = world.phonebook(&shop.key, "A", json!(["09121234567"]));
    let calls = |method: &str, path: &str, body: serde_json::Value| {
        let before = world.calls.get();
        let key = if path.starts_with("/admin") {
            &world.admin_key
        } else {
            &shop.key
        };
        let answer = world.request(method, path).key(key).json(body).send();
        assert!(answer.response.status < 300, "{path}: {}", answer.body);
        world.calls.get() - before
    };
    let text = json!({"message": "x", "recipients": ["09121234567"]});
    assert_eq!(calls("POST", "/sms/send", text.clone()), 1);
    assert_eq!(calls("POST", "/sms/estimate", json!({"send": text})), 1);
    // This one pays in a call of its own, before it reads the phonebook.
    let to_phonebook = json!({"message": "x", "phonebook": phonebook});
    assert_eq!(calls("POST", "/sms/phonebook/send", to_phonebook), 2);
    let lists = ROUTES
        .iter()
        .filter(|route| route.method == "GET" && route.payment == Payment::WithCall && route.params.is_empty());
    for route in lists {
        assert_eq!(calls("GET", route.path, json!({})), 1, "{}", route.path);
    }
}
